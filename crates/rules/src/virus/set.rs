//! Sets of vertices.

use std::ops::{BitOr, BitXor};

const WORDS: usize = 4;
/// So many vertices a set can have.
pub const MOST_VERTICES: usize = 64 * WORDS;

/// A set of vertices, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set([u64; WORDS]);

impl Set {
    /// The empty set.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// One vertex.
    #[inline]
    pub fn one(vertex: usize) -> Self {
        let mut set = Self::EMPTY;
        set.0[vertex / 64] = 1 << (vertex % 64);
        set
    }

    /// Is a vertex in it?
    #[inline]
    pub fn has(self, vertex: usize) -> bool {
        self.0[vertex / 64] >> (vertex % 64) & 1 == 1
    }

    /// Is there none?
    #[inline]
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// How many there are.
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Its vertices in order.
    #[inline]
    pub fn members(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(at, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                word &= word - 1;
                Some(64 * at + bit)
            })
        })
    }

    /// Its words, the first vertices first.
    #[inline]
    pub fn words(self) -> [u64; WORDS] {
        self.0
    }
}

impl From<u64> for Set {
    /// A set of the first 64 vertices.
    #[inline]
    fn from(word: u64) -> Self {
        let mut set = Self::EMPTY;
        set.0[0] = word;
        set
    }
}

impl FromIterator<usize> for Set {
    fn from_iter<I: IntoIterator<Item = usize>>(vertices: I) -> Self {
        vertices.into_iter().fold(Self::EMPTY, |set, vertex| set | Self::one(vertex))
    }
}

impl BitOr for Set {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }
}

impl BitXor for Set {
    type Output = Self;

    /// What is in one of two.
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] ^ other.0[at]))
    }
}
