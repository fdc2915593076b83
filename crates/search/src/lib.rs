//! Methods that look ahead: one module a method.

pub mod montecarlo;

#[cfg(test)]
mod toy;
