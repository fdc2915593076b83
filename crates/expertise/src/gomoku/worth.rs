//! What a stone on a cell is worth: the windows of five it makes longer, and those of the opponent's it closes.
//!
//! A window open for a player weighs more the more stones he has on it; an evaluation of a position is the difference
//! of the players' weights. A stone changes only the windows through its cell, and in one direction these depend on
//! the eight cells around it: a number of base 3 that a table turns into the change.

use super::board::Board;
use endspiel_game::Player;
use std::sync::LazyLock;

/// What an open window weighs by its stones; five have won.
const WEIGHTS: [i32; 6] = [0, 1, 6, 26, 80, 80];

/// What a stone in the middle of eight cells adds to the own windows, and takes from the other's.
#[derive(Clone, Copy, Default)]
struct Change {
    gained: i16,
    closed: i16,
    promise: i16,
}

/// What the attacker hopes for from a stone in the middle of eight cells (Allis 1994, section 5.4): points for a three
/// by the replies it leaves, for two stones in a row with room on both sides, and for two with a gap. None for fours.
fn promise(own: usize, blocked: usize) -> i16 {
    let spread = |byte: usize| byte & 15 | (byte & 0xF0) << 1;
    let (own, blocked) = (spread(own) | 1 << 4, spread(blocked));
    // The stones of a pattern, at its first cell, and how many cells it has.
    let has = |stones: usize, length: usize| {
        (0..=9 - length).any(|at| {
            let line = ((1 << length) - 1) << at;
            own & line == stones << at && blocked & line == 0 && stones << at >> 4 & 1 == 1
        })
    };
    match () {
        () if has(0b0011100, 7) => 4,
        () if has(0b001110, 6) || has(0b011100, 6) => 3,
        () if has(0b011010, 6) || has(0b010110, 6) || has(0b001100, 6) => 2,
        () if has(0b0010100, 7) => 1,
        () => 0,
    }
}

/// By the number of base 3 of the eight cells: 1 for an own stone, 2 for one of the other's or the edge.
static CHANGES: LazyLock<Vec<Change>> = LazyLock::new(|| {
    let mut changes = vec![Change::default(); 6561];
    for own in 0..256usize {
        for blocked in (0..256usize).filter(|blocked| blocked & own == 0) {
            let bit = |cell: usize| 1 << if cell < 4 { cell } else { cell - 1 };
            let mut change = Change::default();
            for first in 0..5 {
                let window: usize = (first..first + 5).filter(|&cell| cell != 4).map(bit).sum();
                if window & blocked == 0 {
                    let stones = (window & own).count_ones() as usize;
                    change.gained += (WEIGHTS[stones + 1] - WEIGHTS[stones]) as i16;
                    change.closed += WEIGHTS[stones] as i16;
                }
            }
            change.promise = promise(own, blocked);
            changes[number(own) + 2 * number(blocked)] = change;
        }
    }
    changes
});

/// The bits of a byte as digits of base 3.
const DIGITS: [u16; 256] = {
    let mut digits = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        digits[byte] = 3 * digits[byte >> 1] + (byte & 1) as u16;
        byte += 1;
    }
    digits
};

#[inline]
fn number(byte: usize) -> usize {
    DIGITS[byte] as usize
}

impl Board {
    /// By how much the evaluation changes for `player` if he puts a stone on this empty cell.
    #[inline]
    pub fn worth(&self, cell: usize, player: Player) -> i32 {
        let changes = &*CHANGES;
        let mut sum = 0;
        for direction in 0..4 {
            let both = self.around(cell, direction);
            let own = both[player.index()] as usize;
            let other = both[player.other().index()] as usize;
            // The edge is a stone of both.
            sum += i32::from(changes[number(own & !other) + 2 * number(other)].gained);
            sum += i32::from(changes[number(other & !own) + 2 * number(own)].closed);
        }
        sum
    }

    /// What an attacker may hope for from a stone on this empty cell.
    #[inline]
    pub(super) fn promise(&self, cell: usize, player: Player) -> i32 {
        let changes = &*CHANGES;
        let in_direction = |direction| {
            let both = self.around(cell, direction);
            let (own, other) = (both[player.index()] as usize, both[player.other().index()] as usize);
            i32::from(changes[number(own & !other) + 2 * number(other)].promise)
        };
        (0..4).map(in_direction).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::Rng;
    use endspiel_rules::gomoku::Rule;
    use endspiel_rules::grid::Grid;

    fn by_windows(board: &Board, player: Player) -> i32 {
        let side = |own: Player| -> i32 {
            let windows = board.grid().lines(5).into_iter().map(|(first, step)| {
                let cells = (0..5).map(|i| first + i * step);
                let other = board.stones(own.other());
                if cells.clone().any(|cell| other.contains(cell)) {
                    return 0;
                }
                WEIGHTS[cells.filter(|&cell| board.stones(own).contains(cell)).count()]
            });
            windows.sum()
        };
        side(player) - side(player.other())
    }

    #[test]
    fn worths_add_up_to_the_evaluation() {
        let mut rng = Rng::new(8);
        for (width, height) in [(15, 15), (9, 6), (20, 20)] {
            let mut board = Board::new(Grid::new(width, height), Rule::Free);
            let (mut value, mut player) = (0, Player::FIRST);
            for _ in 0..30 {
                let Some(cell) = board.empty().nth(rng.below(board.empty().len())) else { break };
                value = -(value + board.worth(cell, player));
                board.place(cell, player);
                player = player.other();
                assert_eq!(value, by_windows(&board, player));
            }
        }
    }
}
