//! Chinese checkers on the small star: how many moves a player alone needs to bring all pieces home.

mod alone;
mod star;
mod table;

pub use alone::Pieces;
pub use star::{FIELDS, Star};
pub use table::{Layers, PIECES, Table};
