//! Methods that look ahead: one module a method.

pub mod exhaustive;
pub mod montecarlo;
pub mod question;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod toy;
