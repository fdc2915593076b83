//! Checkers: the numbers of its endings for the database engine, and an evaluation.
//!
//! A slice is the material: so many kings and men of each side. Within it positions stand in runs by the rank of each
//! side's leading man (J. Schaeffer and others, Building the Checkers 10-Piece Endgame Databases, 2003): men only
//! advance, so a run is solved when those with a man farther on are. The board turned round with the colours exchanged
//! is the same position.

mod figures;
mod layout;
mod material;
mod play;
mod slices;

pub use figures::{Figures, Longest, Plies, examples, longest, published, told};
pub use layout::Layout;
pub use material::{Material, Side};
pub use play::Expert;
pub use slices::Endings;

#[cfg(test)]
mod tests;
