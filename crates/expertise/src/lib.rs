//! What is known of the games beyond their rules, for the methods that ask for it: one folder a game.
//!
//! An expert's bounds and candidates are sound, so that what is proven with them is proven.

pub mod amazons;
pub mod awari;
pub mod connect_four;
pub mod hex;
pub mod lines;
pub mod lines_of_action;
pub mod othello;
pub mod random_tree;
#[cfg(test)]
mod testing;
