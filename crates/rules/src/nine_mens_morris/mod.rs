//! Nine men's morris (merels, mill), with flying, as R. Gasser solved it: Solving Nine Men's Morris (1996).
//!
//! `points` has the board, its mills and symmetries; `board` keeps the position and the moves; `notation` has texts and
//! pictures.

mod board;
mod notation;
pub mod points;

pub use board::{Board, FLYING, MEN, Move};

use endspiel_game::notation::shorten;
use endspiel_game::superset::{Bound, choose};
use endspiel_game::{About, Convergence, Game, Superset, TextError};

/// The rule set; there are no variants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NineMensMorris;

impl Game for NineMensMorris {
    type Position = Board;

    const ABOUT: About = About {
        name: "nine-mens-morris",
        title: "Nine men's morris",
        summary: "Close mills, take men, and leave the opponent two or no move.",
        rules: "Three squares within each other, joined at the middles of their sides: 24 points. Each player has nine \
                men; White begins. First they put their men on empty points in turn; when all are on the board they \
                move them along a line to an empty neighbour. Who has three men left flies: a man goes to any empty \
                point. Three men in a row along a line are a mill; who closes one, or two at once, takes an enemy man \
                off the board, none out of a mill unless all are in mills. Who has fewer than three men, or is to move \
                and cannot, has lost. Play that comes back to a position is a draw.",
        variants: "none",
        examples: &[],
        players: ["White", "Black"],
        sudden_death: false,
        convergence: Convergence::Converging,
        notation: "moves d2 (from the hand), d2-d3, with a capture d2-d3xa1 or d2xa1; positions are the rows from the \
                   top, x for White, o for Black, the player to move and the men in hand: \
                   x.o/.../.../....../.../.../... x 8-8",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        if text.trim().is_empty() {
            return Ok(Self);
        }
        Err(TextError::new(0, format!("'{}' is no variant", shorten(text)), "none: there are no variants"))
    }

    fn variant(&self) -> String {
        String::new()
    }

    fn start(&self) -> Board {
        Board::START
    }

    fn read(&self, text: &str) -> Result<Board, TextError> {
        notation::read(text)
    }

    /// Men on the board and in hand; every number of men that may be there.
    fn superset(&self) -> Option<Superset> {
        let moving = |least: usize| -> f64 {
            let men = |first: usize| -> f64 { (least..=9).map(|second| choose(24 - first, second)).sum() };
            (least..=9).map(|first| 2.0 * choose(24, first) * men(first)).sum()
        };
        // While men are put down, so many are in hand as the turn tells; the rest are on the board or taken.
        let placing: f64 = (1..=18_usize)
            .map(|left| {
                let (first, second) = (9 - left / 2, 9 - left.div_ceil(2));
                let men = |i: usize| -> f64 { (0..=second).map(|j| choose(24 - i, j)).sum() };
                (0..=first).map(|i| choose(24, i) * men(i)).sum::<f64>()
            })
            .sum();
        let what = "0 to 9 men of each colour, the number in hand and the player to move".to_owned();
        Some(Superset { bounds: vec![Bound::new(what, moving(2) + placing)], test: None })
    }
}

#[cfg(test)]
mod tests;
