//! Lines of action (Claude Soucie; Sid Sackson, A gamut of games, 1969), on boards of 4 x 4 to 8 x 8.
//!
//! `board` keeps the position and the moves by the tables of `lines`; `notation` has texts and pictures.

mod board;
mod lines;
mod notation;

pub use board::{Board, Move};

use endspiel_game::notation::{number, shorten};
use endspiel_game::superset::{Bound, choose};
use endspiel_game::{About, Convergence, Game, Player, Superset, TextError};

/// A rule set: the size of the board, and what connecting both sides at once means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinesOfAction {
    /// Rows and columns, 4 to 8.
    size: u8,
    /// Does the mover win if a capture connects both sides? A draw otherwise.
    mover_wins: bool,
}

impl LinesOfAction {
    /// The usual game: 8 x 8, connecting both sides is a draw.
    pub const STANDARD: Self = Self { size: 8, mover_wins: false };
}

impl Default for LinesOfAction {
    fn default() -> Self {
        Self::STANDARD
    }
}

impl Game for LinesOfAction {
    type Position = Board;

    const ABOUT: About = About {
        name: "lines-of-action",
        title: "Lines of action",
        summary: "Bring all your stones into one group.",
        rules: "Black's stones stand on the first and the last row, White's on the first and the last column, the \
                corners are empty; Black moves first. A stone moves along a row, column or diagonal exactly as many \
                squares as there are stones of both colours on that whole line. It may pass over own stones, not \
                over enemy ones; it may land on an enemy stone and capture it, not on an own one. Who has all \
                stones in one group, connected by sides or corners, wins; a single stone is a group. A capture may \
                connect both sides at once: that is a draw, or a win for the mover with `mover-wins`. A player \
                without a move passes. Play that comes back to a position is a draw.",
        variants: "SIZE (4 to 8), mover-wins, or both with a comma, such as 6 or 7,mover-wins",
        examples: &["5", "6", "mover-wins"],
        players: ["Black", "White"],
        sudden_death: true,
        convergence: Convergence::Converging,
        notation: "moves b1-b3, captures b1xb3, pass; positions are the rows from the top, x for Black, o for White, \
                   and the player to move: .xx./o..o/o..o/.xx. x",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        let mut game = Self::STANDARD;
        let mut at = 0;
        for part in text.split(',').filter(|_| !text.trim().is_empty()) {
            let begin = at + part.len() - part.trim_start().len();
            at += part.len() + 1;
            let part = part.trim();
            if part.eq_ignore_ascii_case("mover-wins") {
                game.mover_wins = true;
            } else if part.starts_with(|c: char| c.is_ascii_digit()) {
                let size = part.split_once('x').filter(|(a, b)| a == b).map_or(part, |(a, _)| a);
                game.size = number(size, "size", 4, 8).map_err(|e| e.shifted(begin))? as u8;
            } else {
                let what = format!("'{}' is no choice of lines of action", shorten(part));
                return Err(TextError::new(begin, what, "a size from 4 to 8, or mover-wins"));
            }
        }
        Ok(game)
    }

    fn variant(&self) -> String {
        let mut parts = Vec::new();
        if self.size != 8 {
            parts.push(self.size.to_string());
        }
        if self.mover_wins {
            parts.push("mover-wins".into());
        }
        parts.join(",")
    }

    fn start(&self) -> Board {
        let mut board = Board::empty(self.size, self.mover_wins);
        let (grid, last) = (board.grid(), usize::from(self.size) - 1);
        for i in 1..last {
            for edge in [0, last] {
                board.put(grid.cell(i, edge), Player::FIRST.index());
                board.put(grid.cell(edge, i), Player::SECOND.index());
            }
        }
        board.settle();
        board
    }

    fn read(&self, text: &str) -> Result<Board, TextError> {
        let mut board = Board::empty(self.size, self.mover_wins);
        let (stones, mover) = board.grid().read::<1>(text, notation::SIGNS)?;
        let most = 2 * (usize::from(self.size) - 2);
        for (colour, set) in stones.into_iter().enumerate() {
            if !(1..=most).contains(&set.len()) {
                let what = format!("{} has {} stones", Self::ABOUT.players[colour], set.len());
                return Err(TextError::new(0, what, format!("1 to {most} stones a player")));
            }
            set.iter().for_each(|square| board.put(square, colour));
        }
        if mover == Player::SECOND {
            board.pass_turn();
        }
        board.settle();
        Ok(board)
    }

    fn superset(&self) -> Option<Superset> {
        let (squares, most) = (usize::from(self.size).pow(2), 2 * (usize::from(self.size) - 2));
        let whites = |black: usize| (1..=most).map(|n| choose(squares - black, n)).sum::<f64>();
        let size = (1..=most).map(|n| choose(squares, n) * whites(n)).sum();
        let what = format!("1 to {most} stones of each colour");
        Some(Superset { bounds: vec![Bound::new(what, size)], test: None })
    }
}

#[cfg(test)]
mod tests;
