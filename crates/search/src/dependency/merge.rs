//! Joining sets of operators: they conflict if an attribute would be added twice, or if what supports and
//! precedes goes round in a circle (two that take the same attribute precede each other).

use super::hash::Map;
use endspiel_game::Operator;
use std::hash::Hash;

/// Who adds and who takes away each attribute, over a set of operators.
#[derive(Clone, Debug)]
pub(super) struct Union<A> {
    adders: Map<A, usize>,
    takers: Map<A, usize>,
    size: usize,
    clash: bool,
}

impl<A> Default for Union<A> {
    fn default() -> Self {
        Self { adders: Map::default(), takers: Map::default(), size: 0, clash: false }
    }
}

impl<A: Copy + Eq + Hash> Union<A> {
    /// Takes in the next operator; it gets the next number.
    pub fn insert(&mut self, f: &Operator<A>) {
        for &a in &f.add {
            self.clash |= self.adders.insert(a, self.size).is_some();
        }
        for &a in &f.del {
            self.clash |= self.takers.insert(a, self.size).is_some();
        }
        self.size += 1;
    }

    /// Does `a` hold after all of them, if it held at the start or not?
    pub fn holds(&self, a: A, at_start: bool) -> bool {
        (at_start || self.adders.contains_key(&a)) && !self.takers.contains_key(&a)
    }

    /// Is `a` added by one of them?
    pub fn adds(&self, a: A) -> bool {
        self.adders.contains_key(&a)
    }
}

/// The numbers of the operators in an order in which each comes after those that support or precede it;
/// shorter than the set if there is none.
pub(super) fn order<A: Copy + Eq + Hash>(operators: &[&Operator<A>], union: &Union<A>) -> Vec<usize> {
    let mut waits = vec![0u32; operators.len()];
    let mut then: Vec<Vec<usize>> = vec![Vec::new(); operators.len()];
    for (i, f) in operators.iter().enumerate() {
        for a in &f.pre {
            if let Some(&adder) = union.adders.get(a) {
                then[adder].push(i);
                waits[i] += 1;
            }
            if let Some(&taker) = union.takers.get(a)
                && taker != i
            {
                then[i].push(taker);
                waits[taker] += 1;
            }
        }
    }
    let mut out: Vec<usize> = (0..operators.len()).filter(|&i| waits[i] == 0).collect();
    let mut next = 0;
    while next < out.len() {
        let done = out[next];
        next += 1;
        for &i in &then[done] {
            waits[i] -= 1;
            if waits[i] == 0 {
                out.push(i);
            }
        }
    }
    out
}

/// Can they all be applied in some order?
pub(super) fn agree<A: Copy + Eq + Hash>(operators: &[&Operator<A>], union: &Union<A>) -> bool {
    !union.clash && order(operators, union).len() == operators.len()
}

/// The union of two ascending lists.
pub(super) fn united(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        out.push(a[i].min(b[j]));
        let least = a[i].min(b[j]);
        i += usize::from(a[i] == least);
        j += usize::from(b[j] == least);
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    out
}
