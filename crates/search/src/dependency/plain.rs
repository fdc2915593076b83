//! How large the space of plain search is, for comparison: all paths, and all classes of paths that are
//! permutations of each other.

use endspiel_game::{Operator, Structured};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// What an entry takes beside what is in it, with the empty ones.
const ENTRY: usize = 64;

/// What a count may take.
pub struct Room<'a> {
    /// So many bytes at most for the states.
    pub memory: usize,
    /// Is asked at every state, with the number of those met; true ends the count.
    pub ends: &'a mut dyn FnMut(u64) -> bool,
}

impl Room<'_> {
    /// Takes in a state of so many bytes; false if there is no room.
    fn take(&mut self, met: usize, bytes: usize) -> bool {
        let fits = self.memory >= bytes + ENTRY;
        self.memory = self.memory.saturating_sub(bytes + ENTRY);
        fits && !(self.ends)(met as u64)
    }
}

/// How many paths apply to the start, the empty one counted: the nodes of a depth-first search without a
/// table. Or how many states were met when there was no room for more.
pub fn paths<D: Structured>(domain: &D, mut room: Room<'_>) -> Result<u128, u64> {
    let mut start = domain.start();
    start.sort_unstable();
    let mut memo = HashMap::new();
    count(domain, &start, &mut memo, &mut room).ok_or(memo.len() as u64)
}

fn count<D: Structured>(
    domain: &D,
    state: &[D::Attribute],
    memo: &mut HashMap<Vec<D::Attribute>, u128>,
    room: &mut Room<'_>,
) -> Option<u128> {
    if let Some(&known) = memo.get(state) {
        return Some(known);
    }
    let mut total: u128 = 1;
    for f in legal(domain, state) {
        total = total.saturating_add(count(domain, &after(state, &f), memo, room)?);
    }
    memo.insert(state.to_vec(), total);
    room.take(memo.len(), size_of_val(state)).then_some(total)
}

/// How many classes of paths there are that are not permutations of each other, the empty one counted: the
/// space of a search that drops permutations. Or how many were met when there was no room for more.
pub fn classes<D: Structured>(domain: &D, mut room: Room<'_>) -> Result<u64, u64> {
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
                // It stands in the set and waits with its state.
                let bytes = 2 * size_of_val(&done[..]) + size_of_val(&after[..]);
                open.push((done, after));
                if !room.take(seen.len(), bytes) {
                    return Err(seen.len() as u64);
                }
            }
        }
    }
    Ok(seen.len() as u64)
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
