//! Shogi: the numbers of its endings for databases, and an evaluation (`play`).
//!
//! Nothing ever leaves a game of shogi: what is captured changes sides. So a slice is a set of pieces beside the kings, each on
//! the board or in a hand, of either player, promoted or not; no move leaves it. `material` names the slices, `endings`
//! numbers the positions, `perpetual` looks for draws that rest on checks without end.

mod endings;
mod material;
mod perpetual;
mod play;
#[cfg(test)]
mod tests;

pub use endings::Endings;
pub use material::Material;
pub use play::Expert;
