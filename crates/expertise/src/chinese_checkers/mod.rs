//! Chinese checkers on the small star: how many moves a player alone needs to bring all pieces home.

mod star;
mod table;

pub use star::{FIELDS, Star};
pub use table::{Layers, PIECES, Table};
