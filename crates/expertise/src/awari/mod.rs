//! Awari: an evaluation for play, the numbers of its positions and the fast way through a level for endgame
//! databases.

mod levels;
mod play;
mod rank;
mod sweep;
#[cfg(test)]
mod tests;

pub use levels::Levels;
pub use play::Expert;
