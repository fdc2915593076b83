//! Methods that look ahead: one module a method.

mod advice;
pub mod alphabeta;
pub mod bestfirst;
pub mod dependency;
pub mod exhaustive;
pub mod montecarlo;
pub mod mtdf;
pub mod proof_number;
pub mod question;
pub mod table;
mod units;

#[cfg(test)]
mod testing;
