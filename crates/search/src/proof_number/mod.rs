//! Proof-number methods: which side of a two-valued question needs the least further work?
//!
//! A node has a *proof number* pn, the least number of leaves that must turn out true to prove it, and a
//! *disproof number* dn for false (Allis 1994, chapter 2). At OR nodes the player who asks moves, at AND
//! nodes the opponent. Here live
//! [`pn`] the best-first search on an explicit tree, [`pn_squared`] its two-level form that trades time for
//! memory, [`df_pn`] the depth-first form on a table, [`pds`] its older sister with two-sided thresholds, and
//! [`mst`], which finds a smallest solution tree.
//!
//! In games with cycles endless play counts what [`Position::repeated`](endspiel_game::Position::repeated) says. That must be one payoff for
//! all positions that can come back to each other; then values do not depend on how a position was reached.

mod answer;
mod claims;
mod depth_first;
pub mod df_pn;
mod frames;
mod history;
mod leaf;
pub mod mst;
mod numbers;
pub mod pds;
pub mod pn;
pub mod pn_squared;
mod strategy;
mod table;
mod tree;

#[cfg(test)]
mod figures;
#[cfg(test)]
mod games;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod trials;

pub use leaf::Initial;
pub use numbers::{Finding, Verdict};
