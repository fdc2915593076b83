//! Shogi: captured pieces change sides and come back as drops. Minishogi is the same on 5 x 5 squares.
//!
//! `squares` has the geometry and the two boards, `board` the pieces and the moves, `back` how they are taken back,
//! `notation` SFEN and USI, `picture` what is drawn.

mod back;
mod board;
mod notation;
mod picture;
mod squares;

pub use board::{Board, Kind, Move, Piece};
pub use squares::{SQUARES, Shape, Square};

use endspiel_game::notation::shorten;
use endspiel_game::{About, Convergence, Game, TextError};

/// The rule set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shogi {
    /// The board.
    pub shape: Shape,
}

impl Game for Shogi {
    type Position = Board;

    const ABOUT: About = About {
        name: "shogi",
        title: "Shogi",
        summary: "Attack the king so that it cannot escape.",
        rules: "Japanese chess on 9 x 9 squares. The king goes one step; rook and bishop go far along lines and diagonals, \
                the lance far forward; the gold goes one step, not obliquely back; the silver one step, not sideways and \
                not straight back; the knight leaps two forward and one aside; the pawn steps forward and captures there. \
                A piece that enters, leaves or moves inside the farthest three ranks may promote, and must where it could \
                never move again: silver, knight, lance and pawn become golds, rook and bishop gain the king's steps. A \
                captured piece is the captor's, who may drop it on an empty square instead of moving: not where it could \
                never move, no pawn on a file where the player has an unpromoted one, and no pawn that mates at once. Who \
                has no legal move loses. It is a draw when a position comes back: perpetual check and impasse are not \
                judged. Sente moves first. In minishogi the board has 5 x 5 squares and pieces promote on the last rank.",
        variants: "nothing for 9 x 9 squares, or mini for minishogi",
        examples: &["mini"],
        players: ["Sente", "Gote"],
        sudden_death: true,
        convergence: Convergence::Unchangeable,
        notation: "moves 7g7f, 8h2b+, P*5e as in USI; positions are SFEN",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        match text.trim() {
            "" => Ok(Self { shape: Shape::Standard }),
            "mini" => Ok(Self { shape: Shape::Mini }),
            _ => {
                let what = format!("'{}' is no variant of shogi", shorten(text));
                Err(TextError::new(0, what, "nothing after the name, or mini: shogi:mini"))
            }
        }
    }

    fn variant(&self) -> String {
        match self.shape {
            Shape::Standard => String::new(),
            Shape::Mini => "mini".into(),
        }
    }

    fn start(&self) -> Board {
        notation::start(self.shape)
    }

    fn read(&self, text: &str) -> Result<Board, TextError> {
        notation::read(self.shape, text)
    }
}

#[cfg(test)]
mod tests;
