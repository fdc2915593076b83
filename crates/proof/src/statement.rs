//! What a certificate states: bounds on what one player gets from the root with best play of both.
//!
//! A statement is made of one or two *claims*, each a [`Question`] whose answer is yes: "gets at least `n`"
//! is a claim of the player's, "gets at most `n`" is the opponent's claim to at least `-n`, and an exact
//! value is both.

use endspiel_game::{Bounds, Player, Question, TwoPlayer};
use std::fmt;

/// Bounds on what a player gets, at least one of them given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    player: Player,
    low: Option<i32>,
    high: Option<i32>,
}

impl Statement {
    /// `player` gets at least `value`.
    pub const fn at_least(player: Player, value: i32) -> Self {
        Self { player, low: Some(value), high: None }
    }

    /// `player` gets at most `value`.
    pub const fn at_most(player: Player, value: i32) -> Self {
        Self { player, low: None, high: Some(value) }
    }

    /// `player` gets just `value`.
    pub const fn exactly(player: Player, value: i32) -> Self {
        Self { player, low: Some(value), high: Some(value) }
    }

    /// What an answer's bounds say about the player to move at `root`, leaving out the bounds that hold by
    /// the rules alone. None if nothing is left (but for a game that is decided, where the rules say all), or
    /// if the bounds contradict each other.
    pub fn of_bounds(root: &impl TwoPlayer, bounds: Bounds) -> Option<Self> {
        let open = Bounds::open(root);
        if open.low == open.high && bounds == open {
            return Some(Self::exactly(root.mover(), open.low));
        }
        let low = (bounds.low > open.low).then_some(bounds.low);
        let high = (bounds.high < open.high).then_some(bounds.high);
        let given = (low.is_some() || high.is_some()) && bounds.low <= bounds.high;
        given.then_some(Self { player: root.mover(), low, high })
    }

    /// Whose payoff is bounded: the player to move at the root.
    pub const fn player(&self) -> Player {
        self.player
    }

    /// The lower bound, if one is stated.
    pub const fn low(&self) -> Option<i32> {
        self.low
    }

    /// The upper bound, if one is stated.
    pub const fn high(&self) -> Option<i32> {
        self.high
    }

    /// The claims that a certificate must prove, a strategy each: the lower bound's first.
    pub fn claims(&self) -> Vec<Question> {
        let low = self.low.map(|n| Question { player: self.player, at_least: n });
        let high = self.high.map(|n| Question { player: self.player.other(), at_least: n.saturating_neg() });
        low.into_iter().chain(high).collect()
    }

    /// Reads what [`fmt::Display`] writes, and nothing else.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (player, rest) = [Player::FIRST, Player::SECOND]
            .into_iter()
            .find_map(|p| Some((p, text.strip_prefix(&format!("{p} gets "))?)))?;
        // The least number has no opposite, so the opponent's claim could not be said.
        let number = |text: &str| text.parse::<i32>().ok().filter(|&n| n != i32::MIN);
        let statement = if let Some(n) = rest.strip_prefix("exactly ") {
            Self::exactly(player, number(n)?)
        } else if let Some(n) = rest.strip_prefix("at least ") {
            Self::at_least(player, number(n)?)
        } else if let Some(n) = rest.strip_prefix("at most ") {
            Self::at_most(player, number(n)?)
        } else {
            let (low, high) = rest.strip_prefix("from ")?.split_once(" to ")?;
            let (low, high) = (number(low)?, number(high)?);
            (low < high).then_some(Self { player, low: Some(low), high: Some(high) })?
        };
        (statement.to_string() == text).then_some(statement)
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} gets ", self.player)?;
        match (self.low, self.high) {
            (Some(low), Some(high)) if low == high => write!(f, "exactly {low}"),
            (Some(low), Some(high)) => write!(f, "from {low} to {high}"),
            (Some(low), None) => write!(f, "at least {low}"),
            (None, Some(high)) => write!(f, "at most {high}"),
            (None, None) => f.write_str("something"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_read_as_written_and_split_into_claims() {
        let (a, b) = (Player::FIRST, Player::SECOND);
        let between = Statement { player: b, low: Some(-2), high: Some(5) };
        for s in [Statement::at_least(a, 1), Statement::at_most(b, -3), Statement::exactly(a, 0), between] {
            assert_eq!(Statement::parse(&s.to_string()), Some(s));
        }
        let claim = |player, at_least| Question { player, at_least };
        assert_eq!(between.claims(), [claim(b, -2), claim(a, -5)]);
        assert_eq!(Statement::exactly(a, 0).claims(), [claim(a, 0), claim(b, 0)]);
        for bad in [
            "",
            "first player gets",
            "first player gets exactly",
            "third player gets exactly 0",
            "first player gets exactly +1",
            "first player gets at most -2147483648",
            "first player gets from 2 to 1",
            "first player gets from 1 to 1",
            "first player gets something",
        ] {
            assert_eq!(Statement::parse(bad), None, "{bad}");
        }
    }
}
