//! The set connect-four's positions are drawn from: stones that rest on each other, in equal numbers or one
//! more of x (Allis 1988: 70,728,639,995,483 on 7x6). The test is exact: it looks for an order of play.

use super::{Board, ConnectFour};
use endspiel_game::superset::{Bound, Superset, Test, Weights, choose};
use endspiel_game::{Game, Rng};
use std::collections::HashSet;

pub fn superset(game: ConnectFour) -> Superset {
    let (width, height) = (game.width(), game.height());
    let ways = ways(width, height);
    let by_stones = Weights::new(ways[width].iter().enumerate().map(|(n, &ways)| ways * choose(n, n / 2)));
    let bounds = vec![
        Bound::new("every cell is empty or has a stone of either", 3f64.powi((width * height) as i32)),
        Bound::new("stones put down in turn that rest on each other", by_stones.total()),
    ];
    let empty = game.start();
    let draw = move |rng: &mut Rng| {
        let count = by_stones.draw(rng);
        let (first, mask) = drawn(&empty, &ways, count, rng);
        can_arise(&empty, first, mask, count)
    };
    let what =
        "the stones can be taken off again, the last first, in turn, and only the last one made a four";
    Superset { bounds, test: Some(Test { what, exact: true, draw: Box::new(draw) }) }
}

/// In how many ways so many columns hold so many stones: by columns, then by stones.
fn ways(width: usize, height: usize) -> Vec<Vec<f64>> {
    let mut table = vec![vec![1.0]];
    for columns in 1..=width {
        let before = &table[columns - 1];
        let row = (0..=columns * height)
            .map(|n| (0..=height.min(n)).map(|h| before.get(n - h).copied().unwrap_or(0.0)).sum())
            .collect();
        table.push(row);
    }
    table
}

/// So many stones at random: the first player's, and all.
fn drawn(board: &Board, ways: &[Vec<f64>], count: usize, rng: &mut Rng) -> (u64, u64) {
    let (mut left, mut mask, mut first) = (count, 0u64, 0u64);
    let mut own = count.div_ceil(2);
    let mut stones = count;
    for column in (0..board.width()).rev() {
        let rest = &ways[column];
        let heights = (0..=board.height().min(left)).map(|h| rest.get(left - h).copied().unwrap_or(0.0));
        let height = Weights::new(heights).draw(rng);
        left -= height;
        for row in 0..height {
            let bit = 1 << (column as u32 * board.stride() + row as u32);
            mask |= bit;
            // Each choice of the first player's stones has the same chance.
            if rng.below(stones) < own {
                first |= bit;
                own -= 1;
            }
            stones -= 1;
        }
    }
    (first, mask)
}

fn can_arise(board: &Board, first: u64, mask: u64, count: usize) -> bool {
    let (last, other) = if count % 2 == 1 { (first, mask ^ first) } else { (mask ^ first, first) };
    if board.has_four(other) {
        return false;
    }
    if !board.has_four(last) {
        return can_be_taken_off(board, first, mask, count);
    }
    let mut tops = tops(board, mask) & last;
    while tops != 0 {
        let top = tops & tops.wrapping_neg();
        tops ^= top;
        if !board.has_four(last & !top) && can_be_taken_off(board, first & !top, mask & !top, count - 1) {
            return true;
        }
    }
    false
}

/// The topmost stone of each column.
fn tops(board: &Board, mask: u64) -> u64 {
    // The cell above the stones of each column, one down; the lowest cells have nothing below.
    (mask + board.bottom()) >> 1 & mask
}

/// Is there an order in which the stones can have been put down in turn?
fn can_be_taken_off(board: &Board, first: u64, mask: u64, count: usize) -> bool {
    let mut tried = HashSet::new();
    let mut open = vec![(mask, count)];
    while let Some((mask, count)) = open.pop() {
        if count == 0 {
            return true;
        }
        let own = if count % 2 == 1 { first } else { !first };
        let mut tops = tops(board, mask) & own;
        while tops != 0 {
            let top = tops & tops.wrapping_neg();
            tops ^= top;
            if tried.insert(mask ^ top) {
                open.push((mask ^ top, count - 1));
            }
        }
    }
    false
}
