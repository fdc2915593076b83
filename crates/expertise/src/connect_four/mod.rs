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

use endspiel_game::{Expertise, Offer, Position, TwoPlayer};
use endspiel_rules::connect_four::{Board, Column};
use std::ops::ControlFlow;

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
            let score = board.win_on(board.stones() + 1);
            return (score, score);
        }
        bounds_without_win(board, board.opponent_winning_cells())
    }

    /// A move that wins at once, or else those that do not lose at once, or else any one.
    #[inline]
    fn candidates(&self, board: &Board, mut each: impl FnMut(Column)) {
        if board.turn().is_over() {
            return;
        }
        let mut cells = one(board.winning_moves());
        if cells == 0 {
            cells = board.non_losing();
        }
        if cells == 0 {
            cells = one(board.possible());
        }
        while cells != 0 {
            each(board.column_of(cells));
            cells &= cells - 1;
        }
    }

    #[inline]
    fn promise(&self, board: &Board, m: Column) -> i32 {
        let cell = board.possible() & board.column(m);
        let wins = board.completing(board.own() | cell) & (board.cells() ^ board.mask() ^ cell);
        WINNING_CELL * wins.count_ones() as i32 + lines_through(board, cell, m)
    }

    /// The winning cells that a stone makes are looked for once, for the order and for the bounds; those of
    /// the opponent once for all moves.
    #[inline]
    fn offers(&self, board: &Board, _at_least: i32, mut each: impl FnMut(Offer<Board>) -> ControlFlow<()>) {
        if board.turn().is_over() {
            return;
        }
        let decided = |cells: u64, score: i32| {
            let m = board.column_of(cells);
            Offer { m, position: board.after(m), low: score, high: score, promise: 0 }
        };
        let wins = board.winning_moves();
        if wins != 0 {
            let _ = each(decided(wins, board.win_on(board.stones() + 1)));
            return;
        }
        let mut cells = board.non_losing();
        if cells == 0 {
            let _ = each(decided(board.possible(), -board.win_on(board.stones() + 2)));
            return;
        }
        let empty = board.cells() ^ board.mask();
        while cells != 0 {
            let cell = one(cells);
            cells ^= cell;
            let m = board.column_of(cell);
            let position = board.after_quiet(cell);
            let wins = board.completing(board.own() | cell) & (empty ^ cell);
            let (low, high) = bounds_without_win(&position, wins);
            let promise = WINNING_CELL * wins.count_ones() as i32 + lines_through(board, cell, m);
            if each(Offer { m, position, low: -high, high: -low, promise }).is_break() {
                return;
            }
        }
    }
}

/// The lowest of these cells; none if there are none.
#[inline]
fn one(cells: u64) -> u64 {
    cells & cells.wrapping_neg()
}

/// Sound bounds where the player to move, if any, cannot win at once; `threats` are the opponent's winning cells.
#[inline]
fn bounds_without_win(board: &Board, threats: u64) -> (i32, i32) {
    let (ply, left) = (board.stones(), board.left());
    if board.non_losing_against(threats) == 0 {
        let score = if left == 0 { 0 } else { -board.win_on(ply + 2) };
        return (score, score);
    }
    if left <= 2 {
        return (0, 0);
    }
    // Nobody can win on the next two plies.
    let mut low = if left == 3 { 0 } else { -board.win_on(ply + 4) };
    let mut high = board.win_on(ply + 3);
    let follow_up = follow_up::at_most(board, threats);
    if follow_up <= 0 {
        high = high.min(follow_up);
    }
    if left < DEAD_LINES && low < high {
        let empty = board.cells() ^ board.mask();
        if low < 0 && high >= 0 && !board.has_four(board.other() | empty) {
            low = 0;
        }
        if high > 0 && !board.has_four(board.own() | empty) {
            high = 0;
        }
    }
    (low, high)
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
