//! Sets of cells as bits: `Bits<1>` is one machine word, `Bits<6>` has room for a 19x19 board.
//!
//! All operations cost a few instructions a word; a word has 64 cells, cell 0 is the lowest bit.

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor};

/// A set of cells numbered from 0 to 64 * `WORDS` - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits<const WORDS: usize>(pub [u64; WORDS]);

impl<const WORDS: usize> Bits<WORDS> {
    /// No cell.
    pub const EMPTY: Self = Self([0; WORDS]);
    /// How many cells there is room for.
    pub const ROOM: usize = 64 * WORDS;

    /// The cells 0 to `count` - 1.
    pub fn first(count: usize) -> Self {
        let mut words = [0; WORDS];
        for (i, word) in words.iter_mut().enumerate() {
            *word = match count.saturating_sub(64 * i) {
                0 => 0,
                n if n < 64 => (1 << n) - 1,
                _ => u64::MAX,
            };
        }
        Self(words)
    }

    /// Is `cell` in the set?
    #[inline]
    pub fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    /// Puts `cell` in.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Takes `cell` out.
    #[inline]
    pub fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    /// How many cells are in the set.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Is it the empty set?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The cells of this set that are not in `other`.
    #[must_use]
    #[inline]
    pub fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// The lowest cell, if there is one.
    #[inline]
    pub fn lowest(&self) -> Option<usize> {
        let i = self.0.iter().position(|&word| word != 0)?;
        Some(64 * i + self.0[i].trailing_zeros() as usize)
    }

    /// Cell `count` - 1 - c for every cell c: a set of cells below `count` turned end to end.
    #[must_use]
    pub fn reversed(self, count: usize) -> Self {
        let turned: [u64; WORDS] = std::array::from_fn(|i| self.0[WORDS - 1 - i].reverse_bits());
        let (words, bits) = ((Self::ROOM - count) / 64, (Self::ROOM - count) % 64);
        let word = |i: usize| turned.get(i).copied().unwrap_or(0);
        Self(std::array::from_fn(|i| {
            let low = word(i + words) >> bits;
            if bits == 0 { low } else { low | word(i + words + 1) << (64 - bits) }
        }))
    }

    /// The cell with exactly `below` cells of the set below it, if there are that many.
    #[inline]
    pub fn nth(&self, mut below: usize) -> Option<usize> {
        for (i, &word) in self.0.iter().enumerate() {
            let ones = word.count_ones() as usize;
            if below < ones {
                return Some(64 * i + select(word, below));
            }
            below -= ones;
        }
        None
    }

    /// The cells, lowest first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(i, word)| WordIter(word).map(move |bit| 64 * i + bit))
    }
}

struct WordIter(u64);

impl Iterator for WordIter {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

impl<const WORDS: usize> FromIterator<usize> for Bits<WORDS> {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

impl<const WORDS: usize> BitAnd for Bits<WORDS> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const WORDS: usize> BitOr for Bits<WORDS> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const WORDS: usize> BitOrAssign for Bits<WORDS> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<const WORDS: usize> BitXor for Bits<WORDS> {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

/// The bit of `word` with `below` ones below it; `word` must have more ones than that.
/// Byte sums tell the byte (Vigna, Broadword implementation of rank/select queries, 2008), a short loop the bit.
#[inline]
pub fn select(word: u64, below: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x80 * ONES;
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    // Byte i of `up_to` counts the ones of bytes 0 to i; a high bit stays where that is at most `below`.
    let up_to = bytes.wrapping_mul(ONES);
    let whole = (((below as u64 * ONES) | HIGHS) - up_to) & HIGHS;
    let shift = 8 * ((whole >> 7).wrapping_mul(ONES) >> 56);
    let before = (up_to << 8) >> shift & 0xFF;
    let mut byte = word >> shift & 0xFF;
    for _ in before..below as u64 {
        byte &= byte - 1;
    }
    (shift + u64::from(byte.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::Rng;

    #[test]
    fn nth_agrees_with_counting_through() {
        let mut rng = Rng::new(5);
        for round in 0..2000 {
            let thin = rng.bits() & rng.bits() & rng.bits();
            let set = Bits([rng.bits(), if round % 2 == 0 { thin } else { 0 }, u64::MAX]);
            let cells: Vec<usize> = set.iter().collect();
            assert_eq!(cells.len(), set.len());
            for (n, &cell) in cells.iter().enumerate() {
                assert_eq!(set.nth(n), Some(cell));
                assert!(set.contains(cell));
            }
            assert_eq!(set.nth(cells.len()), None);
            assert_eq!(cells.into_iter().collect::<Bits<3>>(), set);
        }
    }

    #[test]
    fn reversed_turns_end_to_end() {
        let mut rng = Rng::new(9);
        for count in [1, 63, 64, 65, 121, 128] {
            let set = Bits([rng.bits(), rng.bits()]) & Bits::<2>::first(count);
            assert_eq!(set.reversed(count), set.iter().map(|cell| count - 1 - cell).collect());
            assert_eq!(set.lowest(), set.iter().next());
        }
    }

    #[test]
    fn first_fills_whole_and_part_words() {
        for count in [0, 1, 63, 64, 65, 127, 128] {
            assert_eq!(Bits::<2>::first(count), (0..count).collect());
        }
    }
}
