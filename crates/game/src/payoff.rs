//! What a finished game gives each player, and what that means to one of them.

use crate::Player;
use std::fmt;

/// What each player gets when the game is over: whole numbers, the more the better.
/// Win/draw/loss games give 1, 0 and -1; scored games give the margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Payoff {
    by_player: [i32; Payoff::MAX_PLAYERS],
    players: u8,
}

impl Payoff {
    /// The most players a payoff has room for.
    pub const MAX_PLAYERS: usize = 6;
    /// Two players, nobody wins.
    pub const DRAW: Self = Self::zero_sum(0);

    /// Two players: what the first gets, the second pays.
    #[inline]
    pub const fn zero_sum(first: i32) -> Self {
        Self { by_player: [first, -first, 0, 0, 0, 0], players: 2 }
    }

    /// `player` beats the other of two.
    #[inline]
    pub const fn win(player: Player) -> Self {
        Self::zero_sum(1 - 2 * player.0 as i32)
    }

    /// One number a player, in order of their seats. At most [`Payoff::MAX_PLAYERS`].
    pub fn each(scores: &[i32]) -> Self {
        let mut by_player = [0; Self::MAX_PLAYERS];
        by_player[..scores.len()].copy_from_slice(scores);
        Self { by_player, players: scores.len() as u8 }
    }

    /// What `player` gets.
    #[inline]
    pub const fn of(self, player: Player) -> i32 {
        self.by_player[player.index()]
    }

    /// All players' numbers, in order of their seats.
    pub fn scores(&self) -> &[i32] {
        &self.by_player[..self.players as usize]
    }
}

/// A win, a draw or a loss for a given player; ordered, loss first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Less than an even share.
    Loss,
    /// An even share.
    Draw,
    /// More than an even share.
    Win,
}

impl Outcome {
    /// What a zero-sum score means to the player who gets it.
    pub const fn of_score(score: i32) -> Self {
        match score {
            i32::MIN..=-1 => Self::Loss,
            0 => Self::Draw,
            _ => Self::Win,
        }
    }

    /// The same result seen by the opponent.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        })
    }
}
