//! When a player can be kept from ever completing a line by weights: the argument is told where the
//! rules have it, in `endspiel_rules::holding`. Here the counts of all lines are at hand, and lines that lack more
//! stones than the attacker still has moves weigh nothing.

use super::geometry::Geometry;
use super::threats::Fight;
use endspiel_rules::bits::Bits;

/// The open lines of one side that it may still complete, by the stones it has on them.
pub(super) struct Weights<'a, const C: usize, const W: usize, const P: usize> {
    fight: &'a Fight<C, W, P>,
    side: usize,
    /// The lines that may still be completed.
    pub lines: Bits<W>,
    /// The sum of their weights, in units of 2^-length.
    sum: u64,
    /// The fewest stones on a line that may be completed in time.
    fewest: usize,
    length: usize,
}

impl<'a, const C: usize, const W: usize, const P: usize> Weights<'a, C, W, P> {
    /// The lines of `side`, who has so many moves left.
    pub fn new(geometry: &Geometry<C, W>, fight: &'a Fight<C, W, P>, side: usize, moves: usize) -> Self {
        let length = geometry.length;
        let fewest = length.saturating_sub(moves);
        let (mut lines, mut sum) = (Bits::EMPTY, 0);
        for count in fewest..length {
            let some = fight.tally.with(geometry.all, side, count);
            lines |= some;
            sum += (some.len() as u64) << count;
        }
        Self { fight, side, lines, sum, fewest, length }
    }

    /// The weight of the lines through a cell.
    pub fn at(&self, geometry: &Geometry<C, W>, cell: usize) -> u64 {
        let through = geometry.through[cell];
        let weigh =
            |n: usize| ((self.fight.tally.with(geometry.all, self.side, n) & through).len() as u64) << n;
        (self.fewest..self.length).map(weigh).sum()
    }

    /// Can the side be held if the opponent is to move?
    #[inline]
    pub fn are_held_at_once(&self) -> bool {
        self.sum < 1 << self.length
    }

    /// Can the side be held if it is to move, on one of the empty `cells`?
    pub fn are_held_after_a_move(&self, geometry: &Geometry<C, W>, cells: Bits<C>) -> bool {
        self.sum < 1 << (self.length - 1)
            || self.are_held_at_once()
                && cells.iter().all(|cell| self.sum + self.at(geometry, cell) < 1 << self.length)
    }
}
