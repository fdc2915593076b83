//! Chess: the numbers of its endings for databases and the fast way to solve them.
//!
//! `material` names the slices, `kings` folds the symmetries, `layout` numbers the positions, `endings` is what the
//! database engine sees. `rows` moves 64 positions at once, `begin`, `rounds` and `passing` solve a slice with it.

mod begin;
mod endings;
mod kings;
mod layout;
mod material;
mod passing;
mod rounds;
mod rows;
#[cfg(test)]
mod tests;

pub use endings::{Depths, Endings};
pub use material::Material;
