//! Backgammon's bear-off: what is known exactly of a side that has all its men in the home board.

mod bear_off;
mod table;

pub use bear_off::{BearOff, Home, MEN, POINTS};
pub use table::Homes;
