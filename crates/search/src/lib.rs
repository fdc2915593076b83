//! Methods that look ahead: one module a method.

mod advice;
pub mod exhaustive;
pub mod montecarlo;
pub mod proof_number;
pub mod question;
mod units;

#[cfg(test)]
mod testing;
