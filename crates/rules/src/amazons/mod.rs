//! Amazons (Walter Zamkauskas, 1988), on boards of 4 x 4 to 10 x 10, square or not.
//!
//! [`reach`] moves queens over bitboards, `board` keeps the position, `notation` has texts and pictures.

mod board;
mod notation;
pub mod reach;
mod superset;

pub use board::{Board, Move};

use crate::grid::Grid;
use endspiel_game::notation::number;
use endspiel_game::{About, Convergence, Game, Superset, TextError};

/// A rule set: the shape of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Amazons {
    width: u8,
    height: u8,
}

impl Amazons {
    /// The usual board of 10 x 10.
    pub const STANDARD: Self = Self { width: 10, height: 10 };
}

impl Default for Amazons {
    fn default() -> Self {
        Self::STANDARD
    }
}

/// How far from the corner the amazons start on a side of this length: the fourth square of 10, the third of 8, the
/// second of 4 to 7.
fn inset(length: u8) -> usize {
    usize::from(length.saturating_sub(4) / 2).max(1)
}

impl Game for Amazons {
    type Position = Board;

    const ABOUT: About = About {
        name: "amazons",
        title: "Amazons",
        summary: "Move like a queen, shoot an arrow, and be the last who can.",
        rules: "Each player has four amazons. A move takes an amazon any way that a chess queen may go, over empty \
                squares onto an empty square; from there it must shoot an arrow, again as a queen goes, which blocks \
                the square it hits for the rest of the game. The square just left is free for the arrow. Neither \
                amazons nor arrows pass over or land on amazons or blocked squares, and nothing is ever captured. \
                Who cannot move loses; White moves first. On 10 x 10, White starts on a4 d1 g1 j4, Black on a7 d10 \
                g10 j7. On other boards the amazons stand as far from the corners as on the edge of 10 squares the \
                fourth square, of 8 and 9 the third, of 4 to 7 the second: on 6 x 5, White a2 b1 e1 f2.",
        variants: "SIZE or WIDTHxHEIGHT, 4 to 10 each, such as 6 or 5x6",
        examples: &["4", "5", "6", "8", "5x6"],
        players: ["White", "Black"],
        sudden_death: false,
        convergence: Convergence::Converging,
        notation: "moves d1-d4/d7 (from, to, arrow; D1-D4xD7 and d1-d4(d7) are read too); positions are the rows from \
                   the top, w and b for amazons, # for arrows, and the player to move: .bb./b..b/w..w/.ww. w",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        let side =
            |part: &str, at: usize| number(part, "side of the board", 4, 10).map_err(|e| e.shifted(at));
        match text.split_once(['x', 'X']) {
            _ if text.trim().is_empty() => Ok(Self::STANDARD),
            Some((width, height)) => {
                Ok(Self { width: side(width, 0)? as u8, height: side(height, width.len() + 1)? as u8 })
            }
            None => side(text, 0).map(|n| Self { width: n as u8, height: n as u8 }),
        }
    }

    fn variant(&self) -> String {
        match (self.width, self.height) {
            (10, 10) => String::new(),
            (width, height) if width == height => width.to_string(),
            (width, height) => format!("{width}x{height}"),
        }
    }

    fn start(&self) -> Board {
        let mut board = Board::empty(self.width, self.height);
        let (right, top) = (usize::from(self.width) - 1, usize::from(self.height) - 1);
        let (column, row) = (inset(self.width), inset(self.height));
        for (x, y) in [(column, 0), (right - column, 0), (0, row), (right, row)] {
            board.put(y * reach::STRIDE + x, 0);
            board.put((top - y) * reach::STRIDE + x, 1);
        }
        board
    }

    fn read(&self, text: &str) -> Result<Board, TextError> {
        notation::read(text, Grid::new(self.width, self.height))
    }

    fn superset(&self) -> Option<Superset> {
        Some(superset::superset(*self))
    }
}

#[cfg(test)]
mod tests;
