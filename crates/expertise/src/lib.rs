//! What is known of the games beyond their rules, for the methods that ask for it: one folder a game.
//!
//! An expert's bounds and candidates are sound, so that what is proven with them is proven.
//!
//! ```
//! use endspiel_expertise::hex::Expert;
//! use endspiel_game::{Expertise, Game, Notation};
//! use endspiel_rules::hex::Hex;
//!
//! // Black to move wins on 5x5: the connections tell, without a search.
//! let (after, _) = Hex::from_variant("5").unwrap().start().read_line("c3 a1").unwrap();
//! assert_eq!(Expert.bounds(&after), (1, 1));
//! ```

pub mod amazons;
pub mod awari;
pub mod backgammon;
pub mod checkers;
pub mod chess;
pub mod chinese_checkers;
pub mod connect_four;
pub mod gomoku;
pub mod hex;
pub mod lines;
pub mod lines_of_action;
pub mod nine_mens_morris;
pub mod othello;
pub mod random_tree;
#[cfg(test)]
mod testing;
pub mod xiangqi;
