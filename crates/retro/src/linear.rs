//! Values of games whose positions are sets that moves flip, as virus games have them: the numbers form a linear space
//! (A. Fraenkel, Virus Versus Mankind, 2000).
//!
//! Positions are vectors of bits, added without carry. Those worth a number are a subspace, V_f, and their value is additive on
//! it; those worth 0 are its kernel, V0. So a basis with its values tells all others: a position is the sum of a vector of
//! V_f and a *rest*, and worth the rest's value with a number added. V0 alone is a linear code.

use crate::{Bits, Grundy};
use std::collections::BTreeSet;

/// The positions worth a number, by a basis.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    /// Vectors with different highest bits, and their values, by these bits.
    basis: Vec<Option<(Bits, u32)>>,
}

impl Linear {
    /// The space spanned by some positions worth a number; none if their values do not add up.
    pub fn spanned(known: impl IntoIterator<Item = (Bits, u32)>) -> Option<Self> {
        let mut space = Self::default();
        for (position, value) in known {
            let (rest, number) = space.split(&position);
            if rest.is_empty() && number != value {
                return None;
            }
            space.learn(&position, value);
        }
        Some(space)
    }

    /// The same out of values of all positions, by their numbers.
    pub fn of(values: &[Grundy]) -> Option<Self> {
        Self::spanned((0..).zip(values).filter_map(|(position, value)| match value {
            Grundy::Number(number) => Some((Bits::from(position), *number)),
            Grundy::Infinite(_) => None,
        }))
    }

    /// Adds a position with its value; the vector that the basis gains, if it was not in the space, with that vector's value.
    pub fn learn(&mut self, position: &Bits, value: u32) -> Option<(Bits, u32)> {
        let (rest, number) = self.split(position);
        let highest = rest.highest()?;
        if self.basis.len() <= highest {
            self.basis.resize(highest + 1, None);
        }
        self.basis[highest] = Some((rest.clone(), number ^ value));
        Some((rest, number ^ value))
    }

    /// What is left of a position without its part in the space, the same for all that differ by such a part; and the number
    /// that this part adds. The rest of a position in the space is empty.
    pub fn split(&self, position: &Bits) -> (Bits, u32) {
        let (mut rest, mut number) = (position.clone(), 0);
        for (bit, vector) in self.basis.iter().enumerate().rev() {
            if let Some((vector, value)) = vector
                && rest.has(bit)
            {
                rest.add(vector);
                number ^= value;
            }
        }
        (rest, number)
    }

    /// The value of a position, where it is a number.
    pub fn number(&self, position: &Bits) -> Option<u32> {
        let (rest, number) = self.split(position);
        rest.is_empty().then_some(number)
    }

    /// The value of any position, from those of rests.
    pub fn value(&self, position: &Bits, rest: impl FnOnce(Bits) -> Grundy) -> Grundy {
        let (left, number) = self.split(position);
        if left.is_empty() { Grundy::Number(number) } else { rest(left) + Grundy::Number(number) }
    }

    /// A basis of V_f.
    pub fn finite(&self) -> Vec<Bits> {
        self.basis.iter().flatten().map(|(vector, _)| vector.clone()).collect()
    }

    /// A basis of V0. Values are numbers of t bits, t as much as V_f has more.
    pub fn zero(&self) -> Vec<Bits> {
        let (mut valued, mut zero): (Vec<(u32, Bits)>, Vec<Bits>) = Default::default();
        for (vector, value) in self.basis.iter().flatten() {
            let (mut value, mut vector) = (*value, vector.clone());
            for (other, there) in &valued {
                if other.checked_ilog2().is_some_and(|bit| value >> bit & 1 == 1) {
                    value ^= other;
                    vector.add(there);
                }
            }
            if value == 0 {
                zero.push(vector);
            } else {
                valued.push((value, vector));
            }
        }
        zero
    }

    /// The least number of viruses in a position worth 0, but for the empty one: the distance of V0 as a code. It looks at all
    /// of V0, and is for spaces of few dimensions.
    pub fn distance(&self) -> Option<u32> {
        let zero = self.zero();
        let mut position = zero.first()?.plus(&zero[0]);
        // Each differs from the one before by one vector of the basis.
        let all = (1..1_u64 << zero.len()).map(|count| {
            position.add(&zero[count.trailing_zeros() as usize]);
            position.count()
        });
        all.min()
    }
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
