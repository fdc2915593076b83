//! What is known of nine men's morris: how its positions without men in hand are numbered for databases, and solved.
//!
//! `orbits` and `subspaces` number them; `blocks`, `begin` and `rounds` solve a subspace block by block.
//!
//! There are 28 *subspaces*, by the men of both sides from 3 to 9; numbering them all takes 9,074,932,579 numbers.

mod begin;
mod blocks;
mod orbits;
mod rounds;
mod subspaces;

pub use subspaces::{Subspace, Subspaces};

#[cfg(test)]
mod tests;
