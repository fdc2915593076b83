//! Sets of any size as vectors of bits, which are added without carry.

/// A set of numbers below a fixed size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits(Box<[u64]>);

impl Bits {
    /// The set of these numbers, all below `size`. Only sets of one size are added or compared.
    pub fn of(size: usize, members: impl IntoIterator<Item = usize>) -> Self {
        let mut set = Self(vec![0; size.div_ceil(64)].into());
        for member in members {
            set.flip(member);
        }
        set
    }

    /// Puts a number in, or takes it out.
    pub fn flip(&mut self, member: usize) {
        self.0[member / 64] ^= 1 << (member % 64);
    }

    /// Is a number in it?
    pub fn has(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 == 1
    }

    /// Flips all numbers of another set.
    pub fn add(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word ^= other;
        }
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.add(other);
        sum
    }

    /// Is nothing in it?
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// How many are in it.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The highest number in it.
    pub fn highest(&self) -> Option<usize> {
        let at = self.0.iter().rposition(|&word| word != 0)?;
        Some(at * 64 + self.0[at].ilog2() as usize)
    }

    /// Its numbers, the lowest first.
    pub fn members(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

impl From<u64> for Bits {
    /// A set of numbers below 64.
    fn from(word: u64) -> Self {
        Self([word].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_kept_over_words() {
        let set = Bits::of(200, [3, 64, 199]);
        assert_eq!(set.members().collect::<Vec<_>>(), [3, 64, 199]);
        assert_eq!((set.count(), set.highest(), set.has(64), set.has(65)), (3, Some(199), true, false));
        assert_eq!(set.plus(&Bits::of(200, [3, 4, 199])), Bits::of(200, [4, 64]));
        assert!(set.plus(&set).is_empty() && Bits::of(200, []).highest().is_none());
        assert_eq!(Bits::from(5).members().collect::<Vec<_>>(), [0, 2]);
    }
}
