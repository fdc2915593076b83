//! The first numbers of a leaf: true, false, or a guess at the effort (Allis 1994, section 2.3.3).

use super::numbers::{ENDLESS, FREE, Numbers};
use endspiel_game::{Expertise, Question, TwoPlayer};

/// How an unsolved leaf starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Initial {
    /// One and one.
    #[default]
    Standard,
    /// The number of legal moves n: (1, n) where the asking player moves, (n, 1) where the opponent does.
    Mobility,
    /// The depth in full moves for both: broader, shallower trees.
    Depth,
    /// What [`Expertise::effort`] says.
    Effort,
}

/// Judges leaves for one question.
pub(crate) struct Leaf<'a, E> {
    pub question: Question,
    pub initial: Initial,
    pub expertise: &'a E,
}

impl<E> Leaf<'_, E> {
    /// Does the asking player move here?
    #[inline]
    pub fn is_or<P: TwoPlayer>(&self, position: &P) -> bool {
        position.mover() == self.question.player
    }

    /// Would coming back to this position for ever be a yes?
    #[inline]
    pub fn repeated<P: TwoPlayer>(&self, position: &P) -> bool {
        self.question.is_met_by(position.repeated())
    }

    /// Solved by the end of the game or by sound bounds; otherwise nothing.
    #[inline]
    pub fn known<P: TwoPlayer>(&self, position: &P) -> Option<Numbers>
    where
        E: Expertise<P>,
    {
        if position.turn().is_over() {
            return Some(Numbers::solved(self.question.is_met_by(position.payoff()), 0, FREE));
        }
        let (low, high) = self.expertise.bounds(position);
        let (low, high) = if self.is_or(position) { (low, high) } else { (-high, -low) };
        if low >= self.question.at_least {
            Some(Numbers::solved(true, ENDLESS, FREE))
        } else if high < self.question.at_least {
            Some(Numbers::solved(false, ENDLESS, FREE))
        } else {
            None
        }
    }

    /// The numbers of a leaf not known to be true or false.
    #[inline]
    pub fn guess<P: TwoPlayer>(&self, position: &P, depth: u32) -> Numbers
    where
        E: Expertise<P>,
    {
        match self.initial {
            Initial::Standard => Numbers::open(1, 1),
            Initial::Mobility => {
                let n = position.count_moves() as u32;
                if self.is_or(position) { Numbers::open(1, n) } else { Numbers::open(n, 1) }
            }
            Initial::Depth => Numbers::open(depth / 2, depth / 2),
            Initial::Effort => {
                let (pn, dn) = self.expertise.effort(position, self.question);
                Numbers::open(pn, dn)
            }
        }
    }
}
