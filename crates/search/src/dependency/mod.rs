//! Dependency-based search: only what needs what was just done, and no orders of what is independent.
//!
//! Allis, van der Meulen and van den Herik, "Dependency-based search" (Allis 1994, chapter 3). A state is a set
//! of attributes. Paths that are permutations of each other are one class; a class is a *key class* if all its
//! paths end with the same operator, its *key*. Only key classes are searched: an operator is added where it
//! *depends* on the key (a *dependency* node), and nodes that do not conflict are joined (a *combination*
//! node) where an operator depends on all of their keys. One operator *supports* another if it adds what the
//! other needs, and *precedes* it if it needs what the other takes away; dependence is either.
//!
//! Cost: a node an element of the reduced space, which in a problem of independent parts is the sum of the
//! parts and not their product; joining takes, for each operator in reach, the product of the numbers of
//! nodes that provide its preconditions. A budget counts nodes and attempts to join.
//!
//! ```
//! use endspiel_game::{Budget, Operator, Structured};
//! use endspiel_search::dependency::{Options, search};
//!
//! /// Turn all of 0..n on, then open the box.
//! struct Switches(u32);
//! impl Structured for Switches {
//!     type Attribute = u32;
//!     fn start(&self) -> Vec<u32> {
//!         (0..self.0).collect()
//!     }
//!     fn operators(&self, a: u32, has: &dyn Fn(u32) -> bool, each: &mut dyn FnMut(Operator<u32>)) {
//!         let n = self.0;
//!         if a < n {
//!             each(Operator { pre: vec![a], del: vec![a], add: vec![a + n] });
//!         } else if a < 2 * n && (n..2 * n).all(has) {
//!             each(Operator { pre: (n..2 * n).collect(), del: vec![], add: vec![2 * n] });
//!         }
//!     }
//!     fn is_goal(&self, a: u32) -> bool {
//!         a == 2 * self.0
//!     }
//! }
//!
//! let graph = search(&Switches(10), Options::default(), &Budget::default());
//! assert_eq!(graph.key_classes(), 12, "plain search has 1025 states");
//! let solution = graph.solutions().next().unwrap();
//! assert_eq!(graph.path(solution).len(), 11);
//! ```

mod engine;
mod hash;
mod merge;
pub mod plain;
#[cfg(test)]
mod puzzle;
#[cfg(test)]
mod tests;

pub use engine::{search, search_watched};

use endspiel_game::Operator;
use merge::{Union, order};

/// Which sets of nodes an operator may be added to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// Their keys support the operator. The smallest graph that still reaches every goal: for solving.
    #[default]
    Supports,
    /// Their keys support or precede the operator, and no key occurs in another node: all key classes,
    /// no other.
    Exact,
    /// As printed in 1994: their keys support or precede the operator, and no part of the set would do. It
    /// misses key classes in which a key only precedes, but no goal.
    Literal,
}

/// How to search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Which dependence counts.
    pub rule: Rule,
    /// Stop at the first goal; otherwise all are found.
    pub first: bool,
    /// Is a goal an end? Then nothing is added to a node that has reached one.
    pub ends: bool,
    /// Joins of at most so many nodes; goals that need more are then missed.
    pub parts: Option<usize>,
    /// Nodes of at most so many operators; what is longer is left out, and the space then not complete.
    pub longest: Option<usize>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The start.
    Root,
    /// A key class: its last operator.
    Dependency(usize),
    /// Nodes joined, from which the next level goes on.
    Combination,
}

/// A node of the graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// Root, key class or combination.
    pub kind: Kind,
    /// The stage that made it, from 1 on; 0 for the root.
    pub level: u32,
    /// The nodes it was made from: the one it extends, or those it joins.
    pub parents: Vec<usize>,
    /// Its operators by number, in ascending order.
    pub operators: Vec<usize>,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Graph<A> {
    /// The operators used, by number.
    pub operators: Vec<Operator<A>>,
    /// All nodes in the order in which they were made, the root first.
    pub nodes: Vec<Node>,
    /// Is it the whole space? Otherwise the budget ended, a goal was enough, or nodes were too long.
    pub complete: bool,
    /// Did the budget end?
    pub out: bool,
    /// Was it the memory?
    pub full: bool,
    goals: Vec<usize>,
}

impl<A: Copy + Eq + Ord + std::hash::Hash> Graph<A> {
    /// How many key classes it has, the empty one counted.
    pub fn key_classes(&self) -> usize {
        self.nodes.len() - self.combinations()
    }

    /// How many combination nodes it has.
    pub fn combinations(&self) -> usize {
        self.nodes.iter().filter(|n| n.kind == Kind::Combination).count()
    }

    /// The nodes whose key adds a goal, in the order in which they were found.
    pub fn solutions(&self) -> impl Iterator<Item = usize> + '_ {
        self.goals.iter().copied()
    }

    /// The operators of a node in an order in which they apply one after the other.
    pub fn path(&self, node: usize) -> Vec<&Operator<A>> {
        let operators: Vec<&Operator<A>> =
            self.nodes[node].operators.iter().map(|&f| &self.operators[f]).collect();
        let mut union = Union::default();
        for f in &operators {
            union.insert(f);
        }
        order(&operators, &union).into_iter().map(|i| operators[i]).collect()
    }
}
