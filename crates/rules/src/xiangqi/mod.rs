//! Xiangqi, Chinese chess: 9 x 10 points, palaces, a river, cannons that capture over a screen.
//!
//! `points` has the geometry, `board` the pieces and the moves, `notation` FEN, ICCS and WXF.

mod board;
mod notation;
mod points;

pub use board::{Board, Kind, Move};
pub use points::{FILES, POINTS, Point, RANKS, mirrored};

use endspiel_game::notation::shorten;
use endspiel_game::{About, Convergence, Game, TextError};

/// The rule set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Xiangqi;

impl Game for Xiangqi {
    type Position = Board;

    const ABOUT: About = About {
        name: "xiangqi",
        title: "Xiangqi",
        summary: "Attack the king so that it cannot escape.",
        rules: "Chinese chess on the points of 9 files a to i and 10 ranks 0 to 9; Red is below. The king steps along \
                lines and the guard diagonally, both inside the palace; the minister goes two steps diagonally on its \
                own side of the river, if the point between is empty. The rook goes any way along lines. The knight \
                goes one step along a line, which must be free, and one diagonally outward. The cannon moves like the \
                rook and captures by leaping over exactly one piece. The pawn steps forward, beyond the river also \
                sideways. The kings may not face each other on an open file. Who has no legal move loses, in check or \
                not. It is a draw when neither side has rook, knight, cannon or pawn left, and when a position comes \
                back: perpetual check and chase are not judged. Red moves first.",
        variants: "none",
        examples: &[],
        players: ["Red", "Black"],
        sudden_death: true,
        convergence: Convergence::Converging,
        notation: "moves h2e2 as in ICCS, H2-E2 and the files of WXF such as C2=5 are read too; positions are FEN",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        if text.trim().is_empty() {
            return Ok(Self);
        }
        let what = format!("'{}' is no variant of xiangqi", shorten(text));
        Err(TextError::new(0, what, "nothing after the name: xiangqi"))
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
