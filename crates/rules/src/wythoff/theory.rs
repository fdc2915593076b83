//! The theory of two-pile games with a constraint function (Fraenkel, New games related to old and new
//! sequences, 2003), and the brute force that it is held against.
//!
//! A *cold* position (P-position) is lost for the player to move. If f is positive, monotone and semi-additive,
//! the cold positions are the pairs `(A[n], B[n])` with `A[n]` = mex of all earlier A and B, `B[0] = 0` and
//! `B[n] = f(A[n-1], B[n-1], A[n]) + B[n-1] - A[n-1] + A[n]`. Positions here are sorted, the smaller pile first.

use super::Constraint;
use std::collections::BTreeSet;

/// A position, the smaller pile first.
pub type Pair = (i64, i64);

/// The first `count` pairs `(A[n], B[n])` of the recurrence, whether or not f meets the conditions of the
/// theorem. Fewer, where a number outgrows 62 bits.
pub fn cold(f: &Constraint, count: usize) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::with_capacity(count.min(1 << 20));
    // The numbers taken that are not below the mex: those below it need not be kept.
    let (mut taken, mut mex) = (BTreeSet::new(), 0);
    while pairs.len() < count {
        while taken.remove(&mex) {
            mex += 1;
        }
        let a = mex;
        let b = match pairs.last() {
            None => Some(0),
            Some(&(a1, b1)) => f.at(a1, b1, a).checked_add(b1 - a1 + a).filter(|b| b.abs() < 1 << 62),
        };
        let Some(b) = b else { break };
        taken.extend([a, b]);
        pairs.push((a, b));
    }
    pairs
}

/// Is there a move from one sorted position to another?
pub fn leads(f: &Constraint, from: Pair, to: Pair) -> bool {
    let ((x0, y0), (x1, y1)) = (from, to);
    let one_pile = (x1 == x0 && y1 < y0) || (y1 == y0 && x1 < x0) || (y1 == x0 && x1 < y0);
    // Pairing the smaller pile with the smaller result is the more generous of the two ways to pair them.
    let both = x1 < x0 && y1 < y0 && ((y0 - y1) - (x0 - x1)).abs() < f.at(x1, y1, x0);
    one_pile || both
}

/// Which conditions of the theorem fail, each with the first place where it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// f(x1, y1, x0) <= 0 at these x1, y1, x0.
    pub positivity: Option<(i64, i64, i64)>,
    /// f(x1, y1, x0) > f(x1, y1, x0 + 1) at these x1, y1, x0.
    pub monotonicity: Option<(i64, i64, i64)>,
    /// `f(A[n-1], B[n-1], A[n]) + ... + f(A[n-1-m], B[n-1-m], A[n-m]) < f(A[n-m-1], B[n-m-1], A[n])` at this n, m.
    pub semi_additivity: Option<(usize, usize)>,
}

impl Failures {
    /// Do all three conditions hold as far as looked?
    pub fn none(&self) -> bool {
        *self == Self::default()
    }
}

/// Tests the three conditions: positivity and monotonicity for all 0 <= x1 <= y1 < `limit`, x1 < x0 <= `limit`,
/// semi-additivity for the first `count` pairs. Costs limit^3 / 3 + count^2 / 2 values of f.
pub fn failures(f: &Constraint, limit: i64, count: usize) -> Failures {
    let mut found = Failures::default();
    for x1 in 0..limit {
        for y1 in x1..limit {
            for x0 in x1 + 1..=limit {
                let value = f.at(x1, y1, x0);
                if value <= 0 && found.positivity.is_none() {
                    found.positivity = Some((x1, y1, x0));
                }
                if x0 < limit && value > f.at(x1, y1, x0 + 1) && found.monotonicity.is_none() {
                    found.monotonicity = Some((x1, y1, x0));
                }
            }
        }
    }
    let pairs = cold(f, count);
    for n in 1..pairs.len() {
        let mut sum = 0i64;
        for m in 0..n {
            let ((a, b), next) = (pairs[n - 1 - m], pairs[n - m].0);
            sum = sum.saturating_add(f.at(a, b, next));
            if sum < f.at(a, b, pairs[n].0) && found.semi_additivity.is_none() {
                found.semi_additivity = Some((n, m));
            }
        }
    }
    found
}

/// The cold positions with both piles below `limit`, by going through all positions from the smallest; in
/// misère play the player who empties both piles loses. Costs about limit^3 tests of a move.
pub fn brute_force(f: &Constraint, misere: bool, limit: i64) -> Vec<Pair> {
    let mut found: Vec<Pair> = Vec::new();
    for y in 0..limit {
        for x in 0..=y {
            let won_at_once = misere && y == 0;
            if !won_at_once && !found.iter().any(|&to| leads(f, (x, y), to)) {
                found.push((x, y));
            }
        }
    }
    found.sort_unstable();
    found
}

/// A winning move from a sorted position by the theorem: the cold position to move to; none if the position is
/// cold. Right for every f that meets the three conditions, in normal play. Costs the pairs up to `A[n] >= x`.
pub fn winning_move(f: &Constraint, position: Pair) -> Option<Pair> {
    let (x, y) = position;
    let mut pairs = cold(f, 1);
    // The numbers are complementary: x is an A or a B. Doubling the list costs no more than twice the need.
    while pairs.last().is_some_and(|&(a, _)| a < x) {
        let longer = cold(f, pairs.len() * 2);
        if longer.len() == pairs.len() {
            return None;
        }
        pairs = longer;
    }
    if let Some(&(a, b)) = pairs.iter().find(|&&(a, b)| b == x && a < b) {
        return Some((a, b));
    }
    let &(a, b) = pairs.iter().find(|&&(a, _)| a == x)?;
    if y > b {
        return Some((a, b));
    }
    if y == b {
        return None;
    }
    let excess = y - a;
    let fits = |&&(am, bm): &&Pair| (bm - am..bm - am + f.at(am, bm, a)).contains(&excess);
    pairs.iter().take_while(|&&(am, _)| am < a).find(fits).copied()
}

/// Sprague-Grundy values of all positions with both piles below `limit`, row by row: the value of (x, y) is
/// at `x * limit + y`. Costs limit^4 / 4 values of f; limit^3 * t if f is the constant t.
pub fn grundy(f: &Constraint, limit: usize) -> Vec<u32> {
    let mut values = vec![0u32; limit * limit];
    // The round in which a value was last seen among the options: no clearing between positions.
    let mut seen = vec![0u32; limit * limit + 2];
    let mut round = 0;
    for y in 0..limit {
        for x in 0..=y {
            round += 1;
            let mut see = |i: usize| seen[values[i] as usize] = round;
            (0..x).for_each(|i| see(i * limit + y));
            (0..y).for_each(|i| see(x * limit + i));
            for x1 in 0..x {
                let (low, high) = match f {
                    Constraint::Constant(t) => {
                        let (straight, t) = (y - (x - x1), (*t).clamp(0, limit as i64) as usize);
                        ((straight + 1).saturating_sub(t).max(x1), (straight + t).min(y))
                    }
                    _ => (x1, y),
                };
                for y1 in low..high {
                    if leads(f, (x as i64, y as i64), (x1 as i64, y1 as i64)) {
                        see(x1 * limit + y1);
                    }
                }
            }
            let value = (0..seen.len()).find(|&v| seen[v] != round).unwrap_or(0) as u32;
            values[x * limit + y] = value;
            values[y * limit + x] = value;
        }
    }
    values
}
