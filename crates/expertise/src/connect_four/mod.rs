//! Connect-four: who can still win, which moves do not lose at once, which look good.
//!
//! Bounds come from *follow-up* (Allis 1988, chapter 3): the opponent answers in the column just played, and
//! so gets the cells of the rows he wants; see `follow_up`. Where few cells are empty, a side without a line
//! of four that it could still fill cannot win. Moves are ordered by the winning cells they leave their
//! player with, then by the lines of four through their cell. All of it is a few dozen operations on words.
//!
//! ```
//! use endspiel_expertise::connect_four::Expert;
//! use endspiel_game::{Budget, Game, Goal, Outcome, Quiet, Task};
//! use endspiel_rules::connect_four::ConnectFour;
//! use endspiel_search::alphabeta::{Options, Solver};
//!
//! let root = ConnectFour::from_variant("5x5").unwrap().start();
//! let budget = Budget::default().with_memory(1 << 20);
//! let task = Task { root: &root, goal: Goal::Outcome, expertise: &Expert, budget: &budget, observer: &Quiet };
//! let answer = Solver::new(Options::default(), &budget).solve(&task);
//! assert_eq!(answer.bounds.outcome(), Some(Outcome::Draw));
//! ```

mod follow_up;
#[cfg(test)]
mod tests;

use endspiel_game::{Expertise, Position, TwoPlayer};
use endspiel_rules::connect_four::{Board, Column};

/// What is known of connect-four.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expert;

/// Where fewer cells are empty, lines that are dead are worth looking for.
const DEAD_LINES: u32 = 20;
/// What a winning cell is worth in lines of four.
const WINNING_CELL: i32 = 6;

impl Expertise<Board> for Expert {
    const BOUNDS: bool = true;

    #[inline]
    fn bounds(&self, board: &Board) -> (i32, i32) {
        if board.turn().is_over() {
            return board.score_range_of(board.mover());
        }
        if board.winning_moves() != 0 {
            return (1, 1);
        }
        let threats = board.opponent_winning_cells();
        if board.non_losing_against(threats) == 0 {
            return (-1, -1);
        }
        let empty = board.cells() ^ board.mask();
        let left = empty.count_ones();
        if left <= 2 {
            // Nobody can win on the next two plies.
            return (0, 0);
        }
        let high = follow_up::at_most(board, threats);
        if high < 0 {
            return (-1, -1);
        }
        if left >= DEAD_LINES {
            return (-1, high);
        }
        let low = -i32::from(board.has_four(board.other() | empty));
        let high = i32::from(high > 0 && board.has_four(board.own() | empty));
        (low, high)
    }

    /// A move that wins at once, or else those that do not lose at once, or else any one.
    #[inline]
    fn candidates(&self, board: &Board, mut each: impl FnMut(Column)) {
        if board.turn().is_over() {
            return;
        }
        let one = |cells: u64| cells & cells.wrapping_neg();
        let mut cells = one(board.winning_moves());
        if cells == 0 {
            cells = board.non_losing();
        }
        if cells == 0 {
            cells = one(board.possible());
        }
        for column in (0..board.width() as u8).map(Column) {
            if cells & board.column(column) != 0 {
                each(column);
            }
        }
    }

    #[inline]
    fn promise(&self, board: &Board, m: Column) -> i32 {
        let cell = board.possible() & board.column(m);
        let wins = board.completing(board.own() | cell) & (board.cells() ^ board.mask() ^ cell);
        WINNING_CELL * wins.count_ones() as i32 + lines_through(board, cell, m)
    }
}

/// The number of lines of four through a cell of column `m`.
#[inline]
fn lines_through(board: &Board, cell: u64, m: Column) -> i32 {
    let (column, stride) = (m.0 as usize, board.stride());
    let row = cell.trailing_zeros().wrapping_sub(column as u32 * stride) as usize;
    let (right, up) = (board.width() - 1 - column, (board.height() - 1).saturating_sub(row));
    LINES[column.min(3)][right.min(3)][row.min(3)][up.min(3)].into()
}

/// Lines of four through a cell that has so many cells to its left, right, below and above, 3 for more.
const LINES: [[[[i8; 4]; 4]; 4]; 4] = {
    /// Of the three steps to be taken back and forth: in how many ways.
    const fn ways(back: usize, forth: usize) -> i8 {
        if back + forth < 3 { 0 } else { (back + forth - 2) as i8 }
    }
    const fn least(a: usize, b: usize) -> usize {
        if a < b { a } else { b }
    }
    let mut lines = [[[[0; 4]; 4]; 4]; 4];
    let mut i = 0;
    while i < 256 {
        let (left, right, down, up) = (i / 64, i / 16 % 4, i / 4 % 4, i % 4);
        lines[left][right][down][up] = ways(left, right)
            + ways(down, up)
            + ways(least(left, down), least(right, up))
            + ways(least(left, up), least(right, down));
        i += 1;
    }
    lines
};
