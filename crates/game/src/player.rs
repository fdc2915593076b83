//! Who acts: a player, a set of players, and whose turn it is.

use std::fmt;

/// A seat at the table, counted from 0. In two-player games [`Player::FIRST`] is who moves first from
/// the usual starting position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(pub u8);

impl Player {
    /// The player who begins the usual game.
    pub const FIRST: Self = Self(0);
    /// The other of two.
    pub const SECOND: Self = Self(1);

    /// The opponent in a game of two.
    #[must_use]
    #[inline]
    pub const fn other(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The seat as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("first player"),
            1 => f.write_str("second player"),
            n => write!(f, "player {}", n + 1),
        }
    }
}

/// A set of players, for moves made together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Players(u8);

impl Players {
    /// The first `count` seats.
    pub const fn all(count: u8) -> Self {
        Self(((1u16 << count) - 1) as u8)
    }

    /// This set and `player`.
    #[must_use]
    pub const fn with(self, player: Player) -> Self {
        Self(self.0 | 1 << player.0)
    }

    /// Is `player` in the set?
    pub const fn contains(self, player: Player) -> bool {
        self.0 >> player.0 & 1 == 1
    }

    /// The players in order of their seats.
    pub fn iter(self) -> impl Iterator<Item = Player> {
        (0..8).map(Player).filter(move |&p| self.contains(p))
    }
}

/// Who acts next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// One player chooses a move.
    Player(Player),
    /// A die, a deck: the outcomes and their probabilities are the game's [`Chance`](crate::Chance).
    Chance,
    /// Several players choose at once, without seeing each other's choice: [`Together`](crate::Together).
    Together(Players),
    /// The game is over; [`payoff`](crate::Position::payoff) says how it ended.
    Over,
}

impl Turn {
    /// Is the game over?
    #[inline]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Over)
    }

    /// The one player to choose, if it is one player's turn.
    #[inline]
    pub const fn player(self) -> Option<Player> {
        match self {
            Self::Player(p) => Some(p),
            _ => None,
        }
    }
}
