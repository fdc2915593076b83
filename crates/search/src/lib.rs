//! Methods that look ahead: one module a method.

pub mod exhaustive;
pub mod montecarlo;
pub mod proof_number;
pub mod question;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod toy;
