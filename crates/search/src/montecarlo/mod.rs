//! Methods that sample: many cheap random games in place of an evaluation.
//!
//! [`uct`] is Monte-Carlo tree search with the upper-confidence rule. What it has sampled it estimates; what
//! it has seen to the end it proves, so that given enough time it solves.

mod ranking;
mod tree;
pub mod uct;
mod worker;
