//! Payoffs as trees keep them: of the first player, in units of the goal. Asked for the outcome a payoff
//! counts as -1, 0 or 1, asked for the score as itself; a node is *settled* when its two bounds meet.

use endspiel_game::{Bounds, Goal, Payoff, Player, TwoPlayer};

/// What counts as a different result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    goal: Goal,
    /// The payoffs that the first player may get from the root on.
    range: (i32, i32),
}

impl Units {
    pub fn new(goal: Goal, root: &impl TwoPlayer) -> Self {
        Self { goal, range: root.score_range() }
    }

    /// A payoff of the first player in units of the goal.
    #[inline]
    pub fn count(self, score: i32) -> i32 {
        match self.goal {
            Goal::Outcome => score.signum(),
            Goal::Score => score,
        }
    }

    /// What a finished game gives the first player.
    #[inline]
    pub fn value(self, payoff: Payoff) -> i32 {
        self.count(payoff.of(Player::FIRST))
    }

    /// Bounds in payoffs of `mover` as bounds of the first player.
    #[inline]
    pub fn of_mover(self, mover: Player, (low, high): (i32, i32)) -> (i32, i32) {
        if mover == Player::FIRST {
            (self.count(low), self.count(high))
        } else {
            (self.count(-high), self.count(-low))
        }
    }

    /// The least and the greatest result from the root on.
    pub fn range(self) -> (i32, i32) {
        (self.count(self.range.0), self.count(self.range.1))
    }

    /// What bounds in units say of the payoff of `player`.
    pub fn payoffs(self, player: Player, (low, high): (i32, i32)) -> Bounds {
        let (least, most) = self.range;
        let (low, high) = match self.goal {
            Goal::Score => (low, high),
            Goal::Outcome => {
                (if low < 0 { least } else { least.max(low) }, if high > 0 { most } else { most.min(high) })
            }
        };
        if player == Player::FIRST { Bounds { low, high } } else { Bounds { low: -high, high: -low } }
    }

    /// The payoff that a player is sure of who is sure of `low` units.
    pub fn sure(self, low: i32) -> i32 {
        if self.goal == Goal::Outcome && low < 0 { i32::MIN } else { low }
    }

    /// Are results a matter of degree?
    pub fn graded(self) -> bool {
        self.goal == Goal::Score && self.range.1 - self.range.0 > 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcome_units_keep_only_what_they_know() {
        let units = Units { goal: Goal::Outcome, range: (-5, 7) };
        assert_eq!(units.range(), (-1, 1));
        assert_eq!(units.payoffs(Player::FIRST, (-1, 1)), Bounds { low: -5, high: 7 });
        assert_eq!(units.payoffs(Player::FIRST, (1, 1)), Bounds { low: 1, high: 7 });
        assert_eq!(units.payoffs(Player::FIRST, (0, 1)), Bounds { low: 0, high: 7 });
        assert_eq!(units.payoffs(Player::SECOND, (1, 1)), Bounds { low: -7, high: -1 });
        assert_eq!(units.payoffs(Player::SECOND, (-1, 0)), Bounds { low: 0, high: 5 });
        assert_eq!(units.of_mover(Player::SECOND, (-5, 3)), (-1, 1));
        let exact = Units { goal: Goal::Score, range: (-5, 7) };
        assert_eq!(exact.payoffs(Player::SECOND, (2, 3)), Bounds { low: -3, high: -2 });
    }
}
