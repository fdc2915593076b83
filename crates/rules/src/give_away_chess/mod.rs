//! Give-away chess (losing chess): capture is compulsory, the king is a piece like the others, and who cannot
//! move wins. Rules of Allis, Searching for solutions in games and artificial intelligence (1994), section 2.3.3,
//! and, as `antichess`, the same with en passant.
//!
//! `board` has the bitboards and the moves, `notation` FEN, UCI and SAN.

mod board;
mod notation;

pub use crate::chessmen::{Kind, Move};
pub use board::Board;

use crate::chessmen::Men;
use endspiel_game::notation::shorten;
use endspiel_game::{About, Convergence, Game, TextError};

/// A rule set: with or without en passant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GiveAwayChess {
    /// May a pawn be captured in passing? It is in `antichess`.
    pub en_passant: bool,
}

impl Game for GiveAwayChess {
    type Position = Board;

    const ABOUT: About = About {
        name: "give-away-chess",
        title: "Give-away chess",
        summary: "Get rid of your pieces: who is to move and cannot wins.",
        rules: "The pieces are set up and move as in chess, but there is no check: a king is an ordinary piece and \
                may be captured. A player who can capture must, with a free choice among the captures. A player \
                who is to move and has no legal move, having no pieces left or only blocked ones, wins. A pawn on \
                the last rank becomes a queen, rook, bishop, knight or king. There is no castling and, except in \
                `antichess`, no en passant. Play that comes back to a position is a draw; there is no fifty-move \
                rule and no draw by lack of material. White moves first.",
        variants: "antichess (with en passant), or nothing (without)",
        examples: &["antichess"],
        players: ["White", "Black"],
        sudden_death: true,
        convergence: Convergence::Converging,
        notation: "moves e2e3, a7a8q as in UCI, SAN such as Nf3, exd5, a8=K is read too; \
                   positions are FEN with - for castling",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        match text.trim().to_ascii_lowercase().as_str() {
            "" => Ok(Self { en_passant: false }),
            "antichess" => Ok(Self { en_passant: true }),
            _ => Err(TextError::new(
                0,
                format!("'{}' is no variant of give-away chess", shorten(text)),
                "antichess, or nothing for the game without en passant",
            )),
        }
    }

    fn variant(&self) -> String {
        if self.en_passant { "antichess".into() } else { String::new() }
    }

    fn start(&self) -> Board {
        Board::of_men(Men::start(), self.en_passant)
    }

    fn read(&self, text: &str) -> Result<Board, TextError> {
        notation::read(text, self.en_passant)
    }
}

#[cfg(test)]
mod tests;
