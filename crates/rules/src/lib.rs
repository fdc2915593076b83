//! The rules of the games: one folder a game, with its notation and its picture.
//!
//! ```
//! use endspiel_game::{Game, Notation, Payoff, Picture, Player, Position};
//! use endspiel_rules::hex::Hex;
//!
//! let rules = Hex::from_variant("3")?;
//! let (position, line) = rules.start().read_line("b2 a1 c1 b1 a3")?;
//! assert_eq!(line.len(), 5);
//! assert_eq!(position.write(), "wwb/.b./b.. w");
//! assert_eq!(position.payoff(), Payoff::win(Player::FIRST));
//! println!("{}", position.text());
//! # Ok::<(), endspiel_game::TextError>(())
//! ```
//!
//! What several games share: sets of cells ([`bits`]), rectangular boards ([`grid`]), stones put down in
//! turn ([`stones`]), lines that can be kept from being completed ([`holding`]), chessmen ([`chessmen`]).

pub mod amazons;
pub mod awari;
pub mod bits;
mod census;
pub mod checkers;
pub mod chess;
pub mod chessmen;
pub mod connect_four;
#[cfg(test)]
mod counts;
pub mod give_away_chess;
pub mod gomoku;
pub mod grid;
pub mod hex;
pub mod holding;
pub mod lines_of_action;
pub mod mnk;
pub mod nine_mens_morris;
pub mod othello;
pub mod qubic;
pub mod random_tree;
pub mod rewriting;
pub mod shogi;
pub mod stones;
pub mod virus;
pub mod wythoff;
pub mod xiangqi;
