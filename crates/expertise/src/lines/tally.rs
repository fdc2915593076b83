//! How many stones each player has on every line, for all lines at once.
//!
//! The counts are kept in *planes*: plane p holds the bit of weight 2^p of the count of each line. A stone
//! adds the set of lines through its cell like a binary number of one digit a line. A line is *open* for a
//! player while the opponent has no stone on it.

use super::geometry::Geometry;
use endspiel_rules::bits::Bits;

/// The counts of both players, up to 2^`P` - 1 stones a line; own is 0, the opponent 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally<const W: usize, const P: usize> {
    planes: [[Bits<W>; P]; 2],
    touched: [Bits<W>; 2],
}

impl<const W: usize, const P: usize> Tally<W, P> {
    /// The counts of these stones.
    pub fn new<const C: usize>(geometry: &Geometry<C, W>, sets: [Bits<C>; 2]) -> Self {
        let mut tally = Self { planes: [[Bits::EMPTY; P]; 2], touched: [Bits::EMPTY; 2] };
        for (side, set) in sets.into_iter().enumerate() {
            set.iter().for_each(|cell| tally.add(geometry.through[cell], side));
        }
        tally
    }

    /// A stone of `side` on a cell with these lines through it.
    #[inline]
    pub fn add(&mut self, through: Bits<W>, side: usize) {
        let mut carry = through;
        for plane in &mut self.planes[side] {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
        self.touched[side] |= through;
    }

    /// The lines that are open for `side`.
    #[inline]
    pub fn open(&self, geometry_all: Bits<W>, side: usize) -> Bits<W> {
        geometry_all.without(self.touched[1 - side])
    }

    /// The lines on which `side` has exactly `count` stones and the opponent none.
    #[inline]
    pub fn with(&self, geometry_all: Bits<W>, side: usize, count: usize) -> Bits<W> {
        let mut lines = self.open(geometry_all, side);
        for (p, &plane) in self.planes[side].iter().enumerate() {
            lines = if count >> p & 1 == 1 { lines & plane } else { lines.without(plane) };
        }
        lines
    }

    /// The same counts seen by the opponent.
    #[must_use]
    pub fn turned(&self) -> Self {
        let [own, other] = self.planes;
        let [first, second] = self.touched;
        Self { planes: [other, own], touched: [second, first] }
    }
}
