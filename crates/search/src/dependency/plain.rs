//! How large the space of plain search is, for comparison: all paths, and all classes of paths that are
//! permutations of each other.

use endspiel_game::{Operator, Structured};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// How many paths apply to the start, the empty one counted: the nodes of a depth-first search without a
/// table. None if there are more than `states` states.
pub fn paths<D: Structured>(domain: &D, states: usize) -> Option<u128> {
    let mut start = domain.start();
    start.sort_unstable();
    let mut memo = HashMap::new();
    count(domain, &start, &mut memo, states)
}

fn count<D: Structured>(
    domain: &D,
    state: &[D::Attribute],
    memo: &mut HashMap<Vec<D::Attribute>, u128>,
    states: usize,
) -> Option<u128> {
    if let Some(&known) = memo.get(state) {
        return Some(known);
    }
    let mut total: u128 = 1;
    for f in legal(domain, state) {
        total = total.saturating_add(count(domain, &after(state, &f), memo, states)?);
    }
    if memo.len() >= states {
        return None;
    }
    memo.insert(state.to_vec(), total);
    Some(total)
}

/// How many classes of paths there are that are not permutations of each other, the empty one counted: the
/// space of a search that drops permutations. None if there are more than `limit`.
pub fn classes<D: Structured>(domain: &D, limit: usize) -> Option<usize> {
    let mut start = domain.start();
    start.sort_unstable();
    let mut numbers: HashMap<Operator<D::Attribute>, u32> = HashMap::new();
    let mut seen: HashSet<Vec<u32>> = HashSet::from([Vec::new()]);
    let mut open = vec![(Vec::new(), start)];
    while let Some((done, state)) = open.pop() {
        for f in legal(domain, &state) {
            let after = after(&state, &f);
            let next = numbers.len() as u32;
            let number = *numbers.entry(f).or_insert(next);
            let mut done: Vec<u32> = done.clone();
            let place = done.partition_point(|&n| n < number);
            done.insert(place, number);
            if seen.insert(done.clone()) {
                open.push((done, after));
            }
        }
        if seen.len() > limit {
            return None;
        }
    }
    Some(seen.len())
}

/// The operators that apply to a state, given in ascending order.
pub fn legal<D: Structured>(domain: &D, state: &[D::Attribute]) -> Vec<Operator<D::Attribute>> {
    let has = |a: D::Attribute| state.binary_search(&a).is_ok();
    let mut found: HashSet<Operator<D::Attribute>> = HashSet::new();
    for &a in state {
        domain.operators(a, &has, &mut |f| {
            found.insert(f);
        });
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// The state after an operator, in ascending order.
pub fn after<A: Copy + Ord + Hash>(state: &[A], f: &Operator<A>) -> Vec<A> {
    let mut out: Vec<A> = state.iter().copied().filter(|a| !f.del.contains(a)).collect();
    out.extend_from_slice(&f.add);
    out.sort_unstable();
    out.dedup();
    out
}
