//! Df-pn: depth-first proof-number search with a transposition table (Nagai 2002).
//!
//! It develops the nodes that best-first search would, but needs memory for the path and the table only: a
//! child is searched until another child, or another part of the tree, becomes more proving. Children may
//! run on past that by a quarter (the 1+epsilon trick; Pawlewicz, Lew 2007), which saves coming back. Safe
//! on graphs with cycles. Threads share the table.

use super::depth_first::{Limits, TableSolver};
use super::frames::{Rule, Sides, Summary};
use super::leaf::Initial;
use super::numbers::INFINITE;
use endspiel_game::{Budget, Expertise, Symmetric, TwoPlayer};

pub use super::frames::Counting;

/// Choices of df-pn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The first numbers of leaves.
    pub initial: Initial,
    /// How unsolved children are added up.
    pub counting: Counting,
    /// A child may pass its rival's number by this share of it, in percent.
    pub epsilon: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { initial: Initial::Mobility, counting: Counting::Sum, epsilon: 25 }
    }
}

impl Options {
    /// The defaults for a game and what is known of it: an expert who can tell the effort is asked for it.
    pub fn of<P: TwoPlayer, E: Expertise<P>>() -> Self {
        let initial = if E::EFFORT { Initial::Effort } else { Initial::Mobility };
        Self { initial, ..Self::default() }
    }
}

/// Df-pn with the table it owns.
pub type Solver<P, E> = TableSolver<P, E, Thresholds>;

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Solver<P, E> {
    /// A solver whose table stays within the budget's memory.
    pub fn new(options: Options, budget: &Budget) -> Self {
        let rule = Thresholds { epsilon: options.epsilon };
        Self::with(rule, options.initial, options.counting, Limits::Infinite, budget)
    }
}

/// A node is left when one of its numbers reaches its threshold.
#[derive(Clone, Copy, Debug)]
pub struct Thresholds {
    epsilon: u32,
}

impl Rule for Thresholds {
    #[inline]
    fn is_reached(&self, now: Sides, limits: Sides) -> bool {
        now.phi >= limits.phi || now.delta >= limits.delta
    }

    #[inline]
    fn child(&self, limits: Sides, child: Sides, counting: Counting, summary: &Summary) -> Sides {
        // Stay until the rival is the better choice, and a little longer.
        let rival = u64::from(summary.second);
        let patience = rival + rival * u64::from(self.epsilon) / 100 + 1;
        let phi = if summary.second == INFINITE {
            limits.phi
        } else {
            limits.phi.min(patience.min(INFINITE.into()) as u32)
        };
        // Or until the parent's sum reaches its own threshold.
        let delta = match counting {
            _ if limits.delta == INFINITE => INFINITE,
            _ if summary.open == 0 => limits.delta,
            Counting::Sum => limits.delta - summary.total.min(limits.delta) + child.delta.min(limits.delta),
            Counting::Weak => limits.delta.saturating_sub(summary.open - 1),
        };
        Sides { phi: phi.max(child.phi + 1), delta: delta.max(child.delta + 1) }
    }
}
