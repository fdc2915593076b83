//! The rules of the games: one folder a game, with its notation and its picture.

pub mod amazons;
pub mod awari;
pub mod bits;
pub mod connect_four;
#[cfg(test)]
mod counts;
pub mod give_away_chess;
pub mod gomoku;
pub mod grid;
pub mod hex;
pub mod lines_of_action;
pub mod mnk;
pub mod othello;
pub mod qubic;
pub mod random_tree;
pub mod stones;
pub mod wythoff;
