//! Go-moku and renju: threats kept up to date move by move, wins by fours and by threes, and a player.
//!
//! `shapes` finds what a line offers, [`Board`] keeps it for all lines, [`Fours`] and [`Threes`] search for wins by
//! threats (`trees` tells them in full), [`Sequences`] by dependency-based search with the threats of `operators` in `space` (in renju played out by `renju`), `worth` says what a stone is worth, [`Engine`] puts it together for play against the clock, and [`Prover`] for proofs, which [`Solver`] asks as a method. What
//! methods ask of experts is answered by [`lines`](crate::lines), which serves all games of lines.
//!
//! ```
//! use endspiel_expertise::gomoku::{Allowance, Board, Engine};
//! use endspiel_game::Player;
//! use endspiel_rules::gomoku::Rule;
//! use endspiel_rules::grid::Grid;
//!
//! // An open three of Black's, who is to move.
//! let mut board = Board::new(Grid::new(15, 15), Rule::Free);
//! for column in 6..9 {
//!     board.place(board.grid().cell(column, 7), Player::FIRST);
//! }
//! let choice = Engine::new(&board, 1 << 20).choose(&mut board, Player::FIRST, &Allowance::default()).unwrap();
//! assert!(board.straights(Player::FIRST).contains(choice.cell));
//! ```

mod advice;
mod board;
mod check;
mod fours;
mod graph;
mod opening;
mod operators;
mod player;
mod prover;
#[cfg(test)]
mod reference;
mod renju;
mod selection;
mod sequences;
mod shapes;
mod solver;
mod space;
mod threes;
mod trees;
mod wins;
mod worth;

pub use advice::Advice;
pub use board::{Board, Cells};
pub use fours::{Fours, Limit, Win};
pub use opening::{Progress, Tell};
pub use operators::Threat;
pub use player::{Allowance, Choice, Engine, SURE, WIN};
pub use prover::{Moves, Prover};
pub use selection::{Evaluation, Selection};
pub(crate) use sequences::Checked;
pub use sequences::Sequences;
pub use solver::Solver;
pub use threes::Threes;
pub(crate) use trees::Tree;
