//! States that are sets of attributes, changed by operators: what dependency-based search works on.
//!
//! An operator applies where its preconditions hold, takes some of them away and adds new attributes, as in
//! STRIPS (Fikes and Nilsson 1971). Dependency-based search is exact where no attribute is ever added twice
//! or added when it was there at the start (*monotonous*) and each goal is one attribute (*singular*).

use std::fmt::Debug;
use std::hash::Hash;

/// What may be done: applies where all of `pre` hold, takes `del`, a part of `pre`, and adds `add`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Operator<A> {
    /// What must hold.
    pub pre: Vec<A>,
    /// What holds no longer afterwards.
    pub del: Vec<A>,
    /// What holds newly afterwards.
    pub add: Vec<A>,
}

/// A problem whose states are sets of attributes.
pub trait Structured {
    /// Something that holds in a state or does not.
    type Attribute: Copy + Eq + Ord + Hash + Debug;

    /// What holds at the start.
    fn start(&self) -> Vec<Self::Attribute>;

    /// Calls `each` with every operator that needs `attribute` and whose other preconditions satisfy `has`.
    fn operators(
        &self,
        attribute: Self::Attribute,
        has: &dyn Fn(Self::Attribute) -> bool,
        each: &mut dyn FnMut(Operator<Self::Attribute>),
    );

    /// Is this attribute a goal?
    fn is_goal(&self, attribute: Self::Attribute) -> bool;
}
