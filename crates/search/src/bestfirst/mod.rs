//! Methods that keep the whole tree and always grow the leaf that matters most.
//!
//! They share one tree store and one driver and differ in which leaf that is and what is backed up:
//!
//! | module | leaf grown next | stops when |
//! |---|---|---|
//! | [`sss`] | the one with the greatest upper bound | the root's value is known |
//! | [`bstar`] | one that may separate the best root move from the rest | it is, and the goal is decided |
//! | [`conspiracy`] | one of the fewest that must change to change the root | no small conspiracy is left |
//! | [`shortest`] | one on the cheapest solution so far | the shortest win is known |
//! | [`minimax`] | the end of the principal variation | the goal is decided |
//! | [`least_certainty`] | the one whose least error would change the root's move | the goal is decided |
//!
//! [`compare`] plays some of them against alpha-beta under an artificial clock. Alpha-beta-cn search (1991),
//! which chose by the range of possible values and used proof numbers for ties alone, is not here: its authors
//! gave it up for proof-number search, which puts the numbers first, because it could search long in
//! irrelevant parts of a tree with a tiny solution; `sss` shows the one half of it and proof-number search
//! the other.
//!
//! In games with cycles a position that comes back on its own path is a leaf worth
//! [`Position::repeated`](endspiel_game::Position). The stores are trees, not graphs: a bound is never used
//! under another history than its own.

pub mod bstar;
pub mod compare;
pub mod conspiracy;
mod drive;
pub mod least_certainty;
pub mod minimax;
pub mod shortest;
pub mod sss;
mod store;
#[cfg(test)]
mod testing;

pub use drive::{Method, Solver};
