//! Go-moku, free-style and standard, and renju without opening rules, on boards of 5x5 to 20x20
//! (Allis 1994, chapter 5; the rules of the Renju International Federation).
//!
//! [`Gomoku`] holds up to 16x16 in four machine words a set, [`LargeGomoku`] up to 20x20; who looks a game
//! up by its name reads a [`LargeGomoku`] and asks it for its [`small`](LargeGomoku::small) twin.

mod notation;
mod position;
pub mod renju;
#[cfg(test)]
mod tests;

pub use position::{GomokuPosition, Rule};

use crate::bits::Bits;
use crate::census::{has_run, in_turn};
use endspiel_game::notation::{number, shorten};
use endspiel_game::{About, Convergence, Game, Notation, Superset, TextError};

/// A rule set: which lines win, and the size of the board, at most 64 * `WORDS` cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GomokuRules<const WORDS: usize> {
    rule: Rule,
    size: u8,
}

/// Boards of up to 16x16.
pub type Gomoku = GomokuRules<4>;
/// Boards of up to 20x20.
pub type LargeGomoku = GomokuRules<7>;

/// The smallest, the standard and the largest board.
const SIZES: [usize; 3] = [5, 15, 20];

impl LargeGomoku {
    /// The same rules on four machine words, where the board is at most 16x16.
    pub fn small(&self) -> Option<Gomoku> {
        let cells = self.size as usize * self.size as usize;
        (cells <= Bits::<4>::ROOM).then_some(GomokuRules { rule: self.rule, size: self.size })
    }
}

impl<const WORDS: usize> Game for GomokuRules<WORDS> {
    type Position = GomokuPosition<WORDS>;

    const ABOUT: About = About {
        name: "gomoku",
        title: "Go-moku",
        summary: "Make an unbroken line of five stones.",
        rules: "Black begins; the players in turn put one stone of theirs on an empty point. Free-style: who \
                first has five or more in an unbroken line, along a row, a column or a diagonal, wins. \
                Standard: only a line of exactly five wins. Renju: Black wins with exactly five, White with \
                five or more, and Black may not make an overline (six or more), two fours or two threes with \
                one stone, unless it makes a five. A three counts if a stone that is itself allowed, and no \
                five, makes it an unbroken four that two stones can complete. A forbidden point is no legal \
                move here (on the board it would lose), and if only such points are left to Black the game \
                is a draw. There are no opening rules. A full board without a winning line is a draw.",
        variants: "free, standard or renju, and a size from 5 to 20 where it is not 15, such as standard,19",
        examples: &["free", "standard", "renju", "free,9", "standard,19"],
        players: ["Black", "White"],
        sudden_death: true,
        convergence: Convergence::Diverging,
        notation: "moves: h8, column letter and row number from the bottom, also run together as in h8h9i10; \
                   positions: rows of b, w and . from the top and who is to move, or the moves from the start",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        let [smallest, standard, largest] = SIZES;
        let (name, size) = text.split_once(',').map_or((text, None), |(name, size)| (name, Some(size)));
        let rule = match name.trim() {
            "" | "free" => Rule::Free,
            "standard" => Rule::Standard,
            "renju" => Rule::Renju,
            other => {
                let what = format!("'{}' is no rule", shorten(other));
                return Err(TextError::new(0, what, Self::ABOUT.variants));
            }
        };
        let at = name.len() + 1;
        let sides = size.map_or(Ok(standard), |size| number(size, "size", smallest, largest));
        let sides = sides.map_err(|e| e.shifted(at))?;
        if sides * sides > Bits::<WORDS>::ROOM {
            let what = format!("the board has {} points", sides * sides);
            return Err(TextError::new(at, what, format!("at most {} points", Bits::<WORDS>::ROOM)));
        }
        Ok(Self { rule, size: sides as u8 })
    }

    fn variant(&self) -> String {
        let [_, standard, _] = SIZES;
        let name = match self.rule {
            Rule::Free => "free",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
        };
        match self.size as usize == standard {
            true if self.rule == Rule::Free => String::new(),
            true => name.into(),
            false => format!("{name},{}", self.size),
        }
    }

    fn start(&self) -> GomokuPosition<WORDS> {
        GomokuPosition::start(notation::grid(self.size as usize), self.rule)
    }

    fn read(&self, text: &str) -> Result<GomokuPosition<WORDS>, TextError> {
        if notation::is_move_list(text) {
            return Ok(self.start().read_line(text)?.0);
        }
        let grid = notation::grid(self.size as usize);
        let (sets, mover) = grid.read(text, notation::SIGNS)?;
        GomokuPosition::new(grid, self.rule, sets, mover)
    }

    fn superset(&self) -> Option<Superset> {
        let (grid, rule) = (notation::grid(self.size as usize), self.rule);
        let wins = move |player, stones: &Bits<WORDS>| has_run(grid, stones, |n| rule.wins(player, n));
        Some(in_turn(grid.cells(), rule == Rule::Free, wins))
    }
}
