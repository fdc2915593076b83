//! What a line of the board offers to both players, found for all of its cells at once.
//!
//! A line is a number of 64 bits: the lower half has Black's stones, the upper half White's, a bit a cell from
//! [`MARGIN`] on; so the same few operations on words serve both players and all cells. A *window* is five cells in a
//! row, written at its lowest bit; counting its stones is adding five shifted copies of the line bit by bit.

/// Bits left free at either end of a half: shifts by a window never reach the other half.
pub(super) const MARGIN: usize = 6;
/// The bits of Black.
pub(super) const LOWER: u64 = 0xFFFF_FFFF;

/// The empty cells of a line, for both players, that make something of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shapes {
    /// By [`Kind`]: a five, a four, a straight four, a three.
    pub cells: [u64; Kind::COUNT],
}

/// What a stone makes on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Five in a row, which wins.
    Five,
    /// Four stones of a window whose fifth cell is empty.
    Four,
    /// Four in a row with both ends empty: two ways to a five.
    Straight,
    /// Three stones that one more makes a straight four.
    Three,
}

impl Kind {
    /// How many kinds there are.
    pub const COUNT: usize = 4;
}

/// A cell for each cell of the windows.
#[inline]
fn spread5(windows: u64) -> u64 {
    let two = windows | windows << 1;
    two | two << 2 | windows << 4
}

/// The same for four cells in a row.
#[inline]
fn spread4(windows: u64) -> u64 {
    let two = windows | windows << 1;
    two | two << 2
}

/// The shapes of a line with these stones; `inside` has its cells and `exactly` the halves of players who win with
/// exactly five, both for the two halves.
#[inline]
pub(super) fn shapes(stones: u64, inside: u64, exactly: u64) -> Shapes {
    let empty = inside & !(stones | stones.rotate_right(32));
    let usable = stones | empty;
    let pairs = usable & usable >> 1;
    let open4 = pairs & pairs >> 2;
    let (a, b, c, d, e) = (stones, stones >> 1, stones >> 2, stones >> 3, stones >> 4);
    // The stones of three cells, as bits of weight 1 and 2; then the fourth, and the fifth.
    let (low, high) = (a ^ b ^ c, a & b | c & (a ^ b));
    let (ones4, carry4) = (low ^ d, low & d);
    let (twos4, fours4) = (high ^ carry4, high & carry4);
    let (ones5, carry5) = (ones4 ^ e, ones4 & e);
    let (twos5, fours5) = (twos4 ^ carry5, fours4 | twos4 & carry5);
    // A longer line is no win for who needs exactly five.
    let open5 = open4 & usable >> 4 & !((stones << 1 | stones >> 5) & exactly);
    let straight = open4 & empty << 1 & empty >> 4 & !((stones << 2 | stones >> 5) & exactly);
    Shapes {
        cells: [
            spread5(open5 & fours5 & !ones5) & empty,
            spread5(open5 & ones5 & twos5) & empty,
            spread4(straight & ones4 & twos4) & empty,
            spread4(straight & twos4 & !ones4 & !fours4) & empty,
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::Rng;

    /// The same from the definitions, for the player `own` of a line of cells.
    fn by_definition(line: &[Option<usize>], own: usize, exactly: bool) -> [Vec<usize>; 4] {
        let has_five = |line: &[Option<usize>], at: usize| {
            let run = |range: &mut dyn Iterator<Item = usize>| {
                range.take_while(|&i| line.get(i) == Some(&Some(own))).count()
            };
            let length = 1 + run(&mut (at + 1..line.len())) + run(&mut (0..at).rev());
            length == 5 || length > 5 && !exactly
        };
        let with = |line: &[Option<usize>], at: usize| {
            let mut next = line.to_vec();
            next[at] = Some(own);
            next
        };
        let empty = |line: &[Option<usize>]| -> Vec<usize> {
            (0..line.len()).filter(|&i| line[i].is_none()).collect()
        };
        let fives = |line: &[Option<usize>]| -> Vec<usize> {
            empty(line).into_iter().filter(|&i| has_five(&with(line, i), i)).collect()
        };
        // Four in a row through the cell, completed at both ends.
        let is_straight = |line: &[Option<usize>], at: usize| {
            (0..4).any(|back| {
                let Some(first) = at.checked_sub(back) else { return false };
                let inner =
                    line.get(first..first + 4).is_some_and(|four| four.iter().all(|c| *c == Some(own)));
                inner && first > 0 && [first - 1, first + 4].iter().all(|end| fives(line).contains(end))
            })
        };
        let straights = |line: &[Option<usize>]| -> Vec<usize> {
            empty(line).into_iter().filter(|&i| is_straight(&with(line, i), i)).collect()
        };
        let fours = empty(line)
            .into_iter()
            .filter(|&i| fives(&with(line, i)).len() > fives(line).iter().filter(|&&f| f != i).count());
        let threes = empty(line).into_iter().filter(|&i| {
            straights(&with(line, i)).iter().any(|&q| {
                // The new stone is part of the straight four.
                let full = with(&with(line, i), q);
                let without = {
                    let mut next = full.clone();
                    next[i] = Some(1 - own);
                    next
                };
                is_straight(&full, q) && !is_straight(&without, q)
            })
        });
        [fives(line), fours.collect(), straights(line), threes.collect()]
    }

    #[test]
    fn shapes_agree_with_the_definitions() {
        let mut rng = Rng::new(3);
        for round in 0..6000 {
            let length = 5 + rng.below(16);
            let line: Vec<Option<usize>> = (0..length)
                .map(|_| match rng.below(8) {
                    0..4 => None,
                    4..7 => Some(0),
                    _ => Some(1),
                })
                .collect();
            let exactly = round % 2 == 0;
            let mut stones = 0u64;
            for (i, cell) in line.iter().enumerate() {
                if let Some(player) = cell {
                    stones |= 1 << (MARGIN + i + 32 * player);
                }
            }
            let inside = ((1u64 << length) - 1) << MARGIN;
            let found = shapes(stones, inside | inside << 32, if exactly { u64::MAX } else { 0 });
            for own in 0..2 {
                let truth = by_definition(&line, own, exactly);
                for (kind, cells) in truth.iter().enumerate() {
                    let half = found.cells[kind] >> (32 * own) & LOWER;
                    let found: Vec<usize> = (0..length).filter(|i| half >> (MARGIN + i) & 1 == 1).collect();
                    // A stone that completes a five, or adds no new way to one, is no four.
                    if kind == Kind::Four as usize {
                        assert!(cells.iter().all(|cell| found.contains(cell)), "{line:?} {own} {exactly}");
                    } else {
                        assert_eq!(found, *cells, "{line:?} {own} {kind} {exactly}");
                    }
                }
            }
        }
    }
}
