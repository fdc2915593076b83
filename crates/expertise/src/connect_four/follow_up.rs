//! Follow-up as a bound: what the player to move can get at most if the opponent answers in the same column.
//!
//! M is to move, F is the *follower*. Rows are counted from the top. Once every column has an even number of
//! empty cells, F gets all cells of the rows F (the uppermost, the third ...) and M those of the rows M. If
//! the columns of odd rest are even in number they are joined in pairs by their lowest empty cells, the
//! *doors*, all on F's rows: M takes one, F the other, and both columns are even. A winning cell of F that F
//! will come to in this way, a *trap*, ends the filling of its column: M cannot play below it.
//!
//! F must never be forced to leave the scheme, so the number of empty cells is even, or F has a trap on a row
//! of M in a column of odd rest: that column is left alone by both until M has no other left. The cells above
//! traps are never filled, which tells how late F wins. Cost: a few tests for fours of a set of cells that
//! holds all M can get.

use endspiel_rules::connect_four::Board;

/// At most what the player to move gets: 1 nothing is known, 0 he cannot win, less he loses, at the latest so
/// that the winner gets as much (where it counts how soon). He has no winning move, some move of his does not
/// lose at once, and `wins` are the winning cells of the opponent.
#[inline]
pub(super) fn at_most(board: &Board, wins: u64) -> i32 {
    let empty = board.cells() ^ board.mask();
    let follower_rows = follower_rows(board);
    let mover_rows = board.cells() ^ follower_rows;
    let doors = board.possible() & follower_rows;
    if board.left() % 2 == 1 {
        return lost_by_trap(board, empty, follower_rows, doors, wins & mover_rows);
    }
    let traps = wins & follower_rows & !doors;
    let unfilled = above(board, traps);
    let reach = (board.own() | empty & mover_rows | doors) & !(unfilled & empty);
    if board.has_four(reach) {
        // With two doors M gets only one of them.
        let first = doors & doors.wrapping_neg();
        let second = doors ^ first;
        if !second.is_power_of_two() || board.has_four(reach ^ first) || board.has_four(reach ^ second) {
            return 1;
        }
    }
    if traps != 0 {
        // But for the column that M is at last forced into, the trap and the cell below it stay empty too.
        let columns = (traps & !unfilled).count_ones();
        loses(board, unfilled.count_ones() + 2 * (columns - 1))
    } else if board.has_four(board.other() | empty & follower_rows & !doors) {
        -1
    } else {
        0
    }
}

/// The number of empty cells is odd: is there a trap on a row of M, in a column of odd rest, that wins?
#[inline]
fn lost_by_trap(board: &Board, empty: u64, follower_rows: u64, doors: u64, mut traps: u64) -> i32 {
    let mover_rows = board.cells() ^ follower_rows;
    while traps != 0 {
        let trap = traps & traps.wrapping_neg();
        let column = board.column(board.column_of(trap));
        traps &= !column;
        if doors & column == 0 {
            continue;
        }
        // In the column of the trap M gets the cells of the other parity, up to the trap.
        let below = empty & follower_rows & column & (trap - 1);
        if !board.has_four(board.own() | (empty & mover_rows | doors) & !column | below) {
            return loses(board, (column & !(trap | (trap - 1))).count_ones());
        }
    }
    1
}

/// What a player gets who loses with so many cells unfilled, or more.
#[inline]
fn loses(board: &Board, unfilled: u32) -> i32 {
    if board.is_fastest() { -(unfilled as i32 / 2 + 1) } else { -1 }
}

/// The cells whose distance from the top row is even.
#[inline]
fn follower_rows(board: &Board) -> u64 {
    let height = board.height() as u32;
    let alternate = if height.is_multiple_of(2) { 0xAAAA_AAAA_AAAA_AAAA } else { 0x5555_5555_5555_5555 };
    board.bottom() * (alternate & ((1 << height) - 1))
}

/// The cells of the same columns above the given ones.
#[inline]
fn above(board: &Board, some: u64) -> u64 {
    // In each column the bit above the cells, less a set, is the set's lowest bit and what is not in it above.
    let tops = board.bottom() << board.height();
    let lowest = some & (tops - some);
    (tops - lowest) & board.cells() & !lowest
}
