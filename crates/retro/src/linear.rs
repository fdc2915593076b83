//! Values of games whose positions are sets that moves flip, as virus games have them: the numbers form a linear space
//! (A. Fraenkel, Virus Versus Mankind, 2000).
//!
//! Positions are vectors of bits, added without carry. Those worth a number are a subspace, V_f, and their value is additive on
//! it; those worth 0 are its kernel, V0. So a basis with its values tells all others: a position is the sum of a vector of
//! V_f and a *rest*, and worth the rest's value with a number added. V0 alone is a linear code.

use crate::Grundy;
use std::collections::BTreeSet;

/// The positions worth a number, by a basis.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    /// Vectors with different highest bits, and their values.
    basis: Vec<(u64, u32)>,
}

impl Linear {
    /// The space spanned by some positions worth a number; none if their values do not add up.
    pub fn spanned(known: impl IntoIterator<Item = (u64, u32)>) -> Option<Self> {
        let mut space = Self::default();
        for (position, value) in known {
            let (rest, number) = space.split(position);
            if rest != 0 {
                space.basis.push((rest, number ^ value));
            } else if number != value {
                return None;
            }
        }
        Some(space)
    }

    /// The same out of values of all positions, by their numbers.
    pub fn of(values: &[Grundy]) -> Option<Self> {
        Self::spanned((0..).zip(values).filter_map(|(position, value)| match value {
            Grundy::Number(number) => Some((position, *number)),
            Grundy::Infinite(_) => None,
        }))
    }

    /// What is left of a position without its part in the space, the same for all that differ by such a part; and the number
    /// that this part adds. The rest of a position in the space is 0.
    pub fn split(&self, position: u64) -> (u64, u32) {
        // A later vector has none of the highest bits of earlier ones, but these may have its own.
        self.basis.iter().fold((position, 0), |(rest, number), &(vector, value)| {
            if rest & highest(vector) == 0 { (rest, number) } else { (rest ^ vector, number ^ value) }
        })
    }

    /// The value of a position, where it is a number.
    pub fn number(&self, position: u64) -> Option<u32> {
        let (rest, number) = self.split(position);
        (rest == 0).then_some(number)
    }

    /// The value of any position, from those of rests.
    pub fn value(&self, position: u64, rest: impl FnOnce(u64) -> Grundy) -> Grundy {
        match self.split(position) {
            (0, number) => Grundy::Number(number),
            (left, number) => rest(left) + Grundy::Number(number),
        }
    }

    /// A basis of V_f.
    pub fn finite(&self) -> Vec<u64> {
        self.basis.iter().map(|&(vector, _)| vector).collect()
    }

    /// A basis of V0. Values are numbers of t bits, t as much as V_f has more.
    pub fn zero(&self) -> Vec<u64> {
        let (mut valued, mut zero): (Vec<(u32, u64)>, Vec<u64>) = Default::default();
        for &(vector, value) in &self.basis {
            let (value, vector) = valued.iter().fold((value, vector), |(value, vector), &(other, there)| {
                if value & highest(other.into()) as u32 == 0 {
                    (value, vector)
                } else {
                    (value ^ other, vector ^ there)
                }
            });
            if value == 0 {
                zero.push(vector);
            } else {
                valued.push((value, vector));
            }
        }
        zero
    }

    /// The least number of viruses in a position worth 0, but for the empty one: the distance of V0 as a code. It looks at all
    /// of V0.
    pub fn distance(&self) -> Option<u32> {
        let (zero, mut position) = (self.zero(), 0);
        // Each differs from the one before by one vector of the basis.
        let all = (1..1_u64 << zero.len()).map(|count| {
            position ^= zero[count.trailing_zeros() as usize];
            position.count_ones()
        });
        all.min()
    }
}

fn highest(vector: u64) -> u64 {
    vector.checked_ilog2().map_or(0, |bit| 1 << bit)
}

/// The first terms of the sequence in which each is the least number that is no sum, without carry, of at most so many earlier
/// ones, `most` of the term's place counted from 1: the values on the graphs G(p).
pub fn free_of_sums(terms: usize, most: impl Fn(usize) -> usize) -> Vec<u32> {
    let longest = (1..=terms).map(&most).max().unwrap_or(0);
    // By the number of earlier terms added.
    let mut sums = vec![BTreeSet::new(); longest + 1];
    sums[0].insert(0);
    let mut out = Vec::new();
    for place in 1..=terms {
        let is_free = |number: &u32| !sums[..=most(place)].iter().any(|sums| sums.contains(number));
        let Some(term) = (0..=u32::MAX).find(is_free) else { break };
        for many in (0..longest).rev() {
            let more: Vec<u32> = sums[many].iter().map(|sum| sum ^ term).collect();
            sums[many + 1].extend(more);
        }
        out.push(term);
    }
    out
}
