//! PDS, proof-number and disproof-number search (Nagai 1998): iterative deepening at every node.
//!
//! A node is left only when *both* its numbers have reached their limits, and each step raises one of the two
//! by one: the proof number where a proof looks nearer, the disproof number otherwise. It comes back to nodes
//! more often than [`df_pn`](super::df_pn), which followed it; kept as a second opinion.

use super::depth_first::{Limits, TableSolver};
use super::frames::{Counting, Rule, Sides, Summary};
use super::leaf::Initial;
use endspiel_game::{Budget, Expertise, Symmetric, TwoPlayer};

/// Choices of PDS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The first numbers of leaves.
    pub initial: Initial,
    /// How unsolved children are added up.
    pub counting: Counting,
}

impl Default for Options {
    fn default() -> Self {
        Self { initial: Initial::Mobility, counting: Counting::Sum }
    }
}

/// PDS with the table it owns.
pub type Solver<P, E> = TableSolver<P, E, Both>;

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Solver<P, E> {
    /// A solver whose table stays within the budget's memory.
    pub fn new(options: Options, budget: &Budget) -> Self {
        Self::with(Both, options.initial, options.counting, Limits::Rising, budget)
    }
}

/// A node is left when both its numbers have reached their limits.
#[derive(Clone, Copy, Debug)]
pub struct Both;

impl Rule for Both {
    #[inline]
    fn is_reached(&self, now: Sides, limits: Sides) -> bool {
        now.phi >= limits.phi && now.delta >= limits.delta
    }

    #[inline]
    fn child(&self, limits: Sides, child: Sides, _: Counting, summary: &Summary) -> Sides {
        let Sides { phi, delta } = child;
        let raise_phi = limits.phi > phi && (delta <= phi || limits.delta <= summary.total);
        if raise_phi { Sides { phi: phi + 1, delta } } else { Sides { phi, delta: delta + 1 } }
    }
}
