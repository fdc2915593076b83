//! Who is next to whom on a rhombus of hexagons, made once for every size.
//!
//! Cell column + size * row; the neighbours of (c, r) are (c±1, r), (c, r±1), (c+1, r-1) and (c-1, r+1).
//! The first player owns the top and the bottom row, the second the left and the right column.

use crate::bits::Bits;
use endspiel_game::Player;
use std::fmt;
use std::sync::OnceLock;

/// The largest side of a board.
pub const LARGEST: usize = 19;

/// The six steps to a neighbour, as columns and rows, one after the other around a cell: to the right, then
/// clockwise. Each is the sum of the one before and the one after it.
pub const STEPS: [(isize, isize); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// The neighbours and sides of a board of one size.
pub struct Topology {
    size: u8,
    neighbours: Vec<[u64; 6]>,
    /// The cells of each player's starting side and goal side.
    sides: [[[u64; 6]; 2]; 2],
}

impl fmt::Debug for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Topology({})", self.size)
    }
}

impl PartialEq for Topology {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size
    }
}

impl Eq for Topology {}

impl Topology {
    /// The board of `size` cells a side, from 1 to [`LARGEST`].
    ///
    /// # Panics
    /// For other sizes.
    pub fn of(size: usize) -> &'static Self {
        static BOARDS: [OnceLock<Topology>; LARGEST + 1] = [const { OnceLock::new() }; LARGEST + 1];
        assert!((1..=LARGEST).contains(&size), "a size from 1 to {LARGEST}");
        BOARDS[size].get_or_init(|| Self::new(size))
    }

    fn new(size: usize) -> Self {
        let on_board = |c: isize, r: isize| c >= 0 && r >= 0 && c < size as isize && r < size as isize;
        let around = |cell: usize| {
            let (column, row) = ((cell % size) as isize, (cell / size) as isize);
            let next = STEPS.iter().map(|(c, r)| (column + c, row + r)).filter(|&(c, r)| on_board(c, r));
            next.map(|(c, r)| c as usize + size * r as usize).collect::<Bits<6>>().0
        };
        let line = |first: usize, step: usize| (0..size).map(|i| first + i * step).collect::<Bits<6>>().0;
        let last = size - 1;
        Self {
            size: size as u8,
            neighbours: (0..size * size).map(around).collect(),
            sides: [[line(0, 1), line(size * last, 1)], [line(0, size), line(last, size)]],
        }
    }

    /// Cells a side.
    #[inline]
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// How many cells.
    #[inline]
    pub fn cells(&self) -> usize {
        self.neighbours.len()
    }

    /// The cells next to a cell.
    #[inline]
    pub fn neighbours<const WORDS: usize>(&self, cell: usize) -> Bits<WORDS> {
        narrow(&self.neighbours[cell])
    }

    /// The side a player's chains are followed from: the top row, or the left column.
    #[inline]
    pub fn home<const WORDS: usize>(&self, player: Player) -> Bits<WORDS> {
        narrow(&self.sides[player.index()][0])
    }

    /// Do these stones connect the player's two sides?
    pub fn connects<const WORDS: usize>(&self, player: Player, stones: &Bits<WORDS>) -> bool {
        let (mut open, mut seen) = (*stones & self.home(player), Bits::EMPTY);
        while let Some(cell) = open.lowest() {
            open.remove(cell);
            seen.insert(cell);
            open |= (self.neighbours(cell) & *stones).without(seen);
        }
        !(seen & self.goal(player)).is_empty()
    }

    /// The side opposite: the bottom row, or the right column.
    #[inline]
    pub fn goal<const WORDS: usize>(&self, player: Player) -> Bits<WORDS> {
        narrow(&self.sides[player.index()][1])
    }
}

/// The same set in as many words as the board needs.
#[inline]
fn narrow<const WORDS: usize>(words: &[u64; 6]) -> Bits<WORDS> {
    Bits(std::array::from_fn(|i| words[i]))
}

/// Who has connected the sides on a full board. Follows the border between the colours from the corner of
/// the top and the left side; it leaves the board at the side that the winner has reached.
pub fn winner_of_full<const WORDS: usize>(size: usize, first: &Bits<WORDS>) -> Player {
    let size = size as isize;
    // Outside the board, the top and the bottom are the first player's, the left and the right the second's.
    let is_first = |(column, row): (isize, isize)| {
        if row < 0 || row >= size {
            true
        } else if column < 0 || column >= size {
            false
        } else {
            first.contains((column + size * row) as usize)
        }
    };
    // A cell of the first player's and the direction in which its neighbour of the second's lies.
    let (mut cell, mut toward) = ((0, -1), 2);
    loop {
        let ahead = (toward + 5) % 6;
        let third = (cell.0 + STEPS[ahead].0, cell.1 + STEPS[ahead].1);
        if is_first(third) {
            if third.1 == size {
                return Player::FIRST;
            }
            (cell, toward) = (third, (toward + 1) % 6);
        } else {
            if third.0 == size {
                return Player::SECOND;
            }
            toward = ahead;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_have_two_or_three_neighbours_and_inner_cells_six() {
        let board = Topology::of(5);
        let count = |cell| board.neighbours::<1>(cell).len();
        assert_eq!([0, 4, 20, 24].map(count), [2, 3, 3, 2], "a1 and e5 are the acute corners");
        assert_eq!([2, 10, 12].map(count), [4, 4, 6]);
        for size in 1..=LARGEST {
            let board = Topology::of(size);
            let pairs: usize = (0..board.cells()).map(|cell| board.neighbours::<6>(cell).len()).sum();
            assert_eq!(pairs, 2 * (3 * size - 1) * (size - 1), "size {size}");
        }
    }
}
