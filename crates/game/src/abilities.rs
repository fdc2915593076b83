//! Further abilities, one small trait each. A method asks for what it needs in its bounds.

use crate::{Player, Position};
use std::hash::Hash;

/// Symmetries of the board. Write `impl Symmetric for X {}` for a game that has none.
///
/// Symmetry 0 is the identity. An image has the same value, and `image_move` maps the legal moves of a
/// position one to one onto those of its image.
pub trait Symmetric: Position {
    /// How many symmetries there are, the identity among them.
    fn symmetries(&self) -> usize {
        1
    }

    /// The position under symmetry `s`.
    #[must_use]
    fn image(&self, _s: usize) -> Self {
        self.clone()
    }

    /// Where symmetry `s` takes a move of this position.
    fn image_move(&self, m: Self::Move, _s: usize) -> Self::Move {
        m
    }

    /// One image for all the positions that are images of each other, and the symmetry that leads to it.
    fn canonical(&self) -> (Self, usize) {
        let mut best = (self.clone(), 0);
        let mut least = self.key();
        for s in 1..self.symmetries() {
            let image = self.image(s);
            let key = image.key();
            if key < least {
                (best, least) = ((image, s), key);
            }
        }
        best
    }

    /// The key of the canonical image.
    #[inline]
    fn canonical_key(&self) -> u64 {
        if self.symmetries() == 1 { self.key() } else { self.canonical().0.key() }
    }
}

/// Where `turn` is chance: the outcomes, each a move of [`Position::moves`], with probabilities that sum
/// to 1.
pub trait Chance: Position {
    /// Calls `each` with every outcome and its probability.
    fn outcomes(&self, each: impl FnMut(Self::Move, f64));
}

/// Where several players choose at once.
pub trait Together: Position {
    /// Calls `each` with every choice of `player`.
    fn choices(&self, player: Player, each: impl FnMut(Self::Move));

    /// Plays one choice for each of the players to act, in order of their seats.
    fn play_together(&mut self, choices: &[Self::Move]);
}

/// Where players do not see everything.
pub trait Hidden: Position {
    /// All that a player has seen so far. Two states with equal views are one information set.
    type View: Clone + Eq + Hash + Ord + Send + Sync;

    /// What `player` knows.
    fn view(&self, player: Player) -> Self::View;
}

/// One player who makes the most of it: [`Player::FIRST`] acts, its payoff counts.
pub trait Puzzle: Position {
    /// No play from here gives more than this: the bound that optimality proofs rest on.
    fn at_most(&self) -> i32;
}
