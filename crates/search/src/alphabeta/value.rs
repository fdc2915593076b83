//! The values of a search with a horizon: estimates in the middle, finished games at both ends.
//!
//! A win is better the more it pays and then the sooner it comes; a loss the other way round. Values carry
//! two flags beside them: that at least so much, and that at most so much, is *proven*, which no estimate
//! at the horizon and no repetition has touched.

use endspiel_game::{Bounds, Estimate};

/// Estimates stay below this, finished wins above.
pub(super) const DECIDED: i32 = 1 << 24;
/// What one unit of payoff is worth more than any number of plies.
const UNIT: i32 = 1 << 12;
/// A payoff and a distance that stay inside 32 bits.
const MOST_PAYOFF: i32 = (1 << 17) - 1;
pub(super) const INFINITE: i32 = i32::MAX;

/// A value for the player to move, and what of it is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub score: i32,
    /// The player to move gets at least this: proven.
    pub low: bool,
    /// At most this: proven.
    pub high: bool,
}

impl Value {
    /// A guess.
    pub const fn estimate(score: i32) -> Self {
        Self { score, low: false, high: false }
    }

    /// A finished game that pays the player to move so much, `ply` plies from the root.
    pub fn finished(payoff: i32, ply: u32) -> Self {
        let most = payoff.abs().min(MOST_PAYOFF);
        let score =
            if most == 0 { 0 } else { payoff.signum() * (DECIDED + most * UNIT - ply.min(4095) as i32) };
        // A payoff beyond the scale is a bound.
        let fits = payoff.abs() <= MOST_PAYOFF;
        Self { score, low: fits || payoff > 0, high: fits || payoff < 0 }
    }

    /// What bounds told by an oracle are worth to the player to move, `ply` plies from the root; none if they leave
    /// open who wins.
    pub fn told((low, high): (i32, i32), ply: u32) -> Option<Self> {
        let exact = low == high;
        match (low, high) {
            (1.., _) => Some(Self { high: exact, ..Self::finished(low, ply) }),
            (_, ..=-1) => Some(Self { low: exact, ..Self::finished(high, ply) }),
            (0, 0) => Some(Self::finished(0, ply)),
            _ => None,
        }
    }

    /// The same seen by the other player.
    #[inline]
    pub const fn reversed(self) -> Self {
        Self { score: -self.score, low: self.high, high: self.low }
    }

    /// The bounds on the payoff that are proven.
    pub fn bounds(self, open: Bounds) -> Bounds {
        let payoff = payoff_of(self.score);
        Bounds {
            low: if self.low { open.low.max(payoff) } else { open.low },
            high: if self.high { open.high.min(payoff) } else { open.high },
        }
    }

    /// As an estimate in payoff units.
    pub fn estimated(self) -> Estimate {
        let mean = if self.score.abs() >= DECIDED {
            f64::from(payoff_of(self.score))
        } else {
            f64::from(self.score) / 1000.0
        };
        Estimate { mean, spread: None }
    }

    /// Plies to the end of a decided game.
    pub fn plies(self) -> Option<u32> {
        let past = self.score.abs() - DECIDED;
        (past >= 0).then(|| (payoff_of(self.score).abs() * UNIT - past) as u32)
    }
}

/// The payoff of a decided value; 0 for an estimate.
fn payoff_of(score: i32) -> i32 {
    let past = score.abs() - DECIDED;
    if past < 0 { 0 } else { score.signum() * ((past + UNIT - 1) / UNIT) }
}

/// A value counted from the root, as counted from a node at `ply`: what the table keeps.
#[inline]
pub(super) fn from_node(score: i32, ply: u32) -> i32 {
    if score.abs() >= DECIDED { score + score.signum() * ply as i32 } else { score }
}

/// The other way round.
#[inline]
pub(super) fn from_root(score: i32, ply: u32) -> i32 {
    if score.abs() >= DECIDED { score - score.signum() * ply as i32 } else { score }
}

/// What the table keeps of a search with a horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub value: Value,
    /// The value is at least this, at most this, or both.
    pub lower: bool,
    pub upper: bool,
    pub depth: u8,
    /// The number of the best move.
    pub best: u8,
}

impl Entry {
    pub fn pack(self) -> u64 {
        let flags = u64::from(self.lower)
            | u64::from(self.upper) << 1
            | u64::from(self.value.low) << 2
            | u64::from(self.value.high) << 3;
        u64::from(self.value.score as u32)
            | flags << 32
            | u64::from(self.depth) << 36
            | u64::from(self.best) << 44
    }

    pub fn unpack(data: u64) -> Self {
        let flag = |bit: u32| data >> (32 + bit) & 1 == 1;
        Self {
            value: Value { score: data as i32, low: flag(2), high: flag(3) },
            lower: flag(0),
            upper: flag(1),
            depth: (data >> 36) as u8,
            best: (data >> 44) as u8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payoff_beyond_the_scale_is_a_bound() {
        let open = Bounds { low: -2_000_000, high: 2_000_000 };
        assert_eq!(Value::finished(1_500_000, 3).bounds(open), Bounds { low: MOST_PAYOFF, ..open });
        assert_eq!(Value::finished(-1_500_000, 3).bounds(open), Bounds { high: -MOST_PAYOFF, ..open });
    }

    #[test]
    fn better_is_greater_and_entries_survive() {
        let at = |payoff, ply| Value::finished(payoff, ply).score;
        assert!(at(2, 90) > at(1, 1) && at(1, 1) > at(1, 5) && at(1, 5) > DECIDED - 1);
        assert!(at(-1, 5) > at(-1, 1) && at(-1, 1) > at(-2, 90) && at(0, 3) == 0);
        for payoff in [-64, -1, 0, 1, 7] {
            for ply in [0, 1, 40] {
                let value = Value::finished(payoff, ply);
                assert_eq!(value.bounds(Bounds { low: -99, high: 99 }), Bounds::exactly(payoff));
                assert_eq!(value.plies(), (payoff != 0).then_some(ply));
                assert_eq!(from_root(from_node(value.score, ply), ply), value.score);
                let entry = Entry { value, lower: true, upper: payoff > 0, depth: 200, best: 255 };
                assert_eq!(Entry::unpack(entry.pack()), entry);
            }
        }
    }
}
