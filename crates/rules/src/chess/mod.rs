//! Chess by the rules of FIDE, without clocks and counters: the fifty-move rule is a matter of the metric that a
//! database counts in, and a position that comes back is a draw.
//!
//! `board` has the bitboards and the moves, `notation` FEN, UCI and SAN.

mod board;
mod notation;

pub use crate::chessmen::{Kind, Move};
pub use board::{Board, turned};

use endspiel_game::notation::shorten;
use endspiel_game::{About, Convergence, Game, TextError};

/// The rule set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Chess;

impl Game for Chess {
    type Position = Board;

    const ABOUT: About = About {
        name: "chess",
        title: "Chess",
        summary: "Attack the king so that it cannot escape.",
        rules: "The rules of FIDE with castling and en passant. A player who is in check and has no legal move is \
                mated and loses; without check it is a draw by stalemate. It is a draw too when a bare king stands \
                against a king alone or with one knight or bishop, and when a position comes back. Moves are not \
                counted: the fifty-move rule is known to the databases, in the metrics that carry its name. White \
                moves first.",
        variants: "none",
        examples: &[],
        players: ["White", "Black"],
        sudden_death: true,
        convergence: Convergence::Converging,
        notation: "moves e2e4, e1g1, a7a8q as in UCI, SAN such as Nf3, exd5, O-O, a8=Q is read too; positions are FEN",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        if text.trim().is_empty() {
            return Ok(Self);
        }
        let what = format!("'{}' is no variant of chess", shorten(text));
        Err(TextError::new(0, what, "nothing after the name: chess"))
    }

    fn variant(&self) -> String {
        String::new()
    }

    fn start(&self) -> Board {
        Board::start()
    }

    fn read(&self, text: &str) -> Result<Board, TextError> {
        notation::read(text)
    }
}

#[cfg(test)]
mod tests;
