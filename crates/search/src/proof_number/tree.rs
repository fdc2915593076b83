//! The explicit tree of best-first searches: nodes in one arena, linked by 32-bit indexes.
//!
//! A node takes 26 bytes and its move. Solved children are dropped as soon as their parent has taken their
//! numbers in (Allis 1994, section 2.3.1); freed nodes are used again. What a dropped child leaves behind
//! in its parent is the height of its proof and the repetition it rests on.

use super::numbers::{FREE, INFINITE, LARGEST, Numbers};

/// No node.
pub(crate) const NIL: u32 = u32::MAX;

pub(crate) struct Node<M> {
    pub child: u32,
    pub sibling: u32,
    pub pn: u32,
    pub dn: u32,
    /// Of the children dropped so far, and at last of the node itself: see [`Numbers`].
    height: u32,
    rests_on: u32,
    /// The move that led here.
    pub m: M,
    pub or: bool,
    pub state: State,
}

/// How far a node has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Its numbers are a first guess that stands for an evaluation still to be made.
    Unseen,
    /// Evaluated.
    Leaf,
    /// Its children were generated.
    Expanded,
}

impl<M> Node<M> {
    fn numbers(&self) -> Numbers {
        Numbers { pn: self.pn, dn: self.dn, height: self.height, rests_on: self.rests_on }
    }

    /// The numbers as the player to move sees them: what he minimises, what he adds up.
    #[inline]
    fn sides(&self, or: bool) -> (u32, u32) {
        if or { (self.pn, self.dn) } else { (self.dn, self.pn) }
    }
}

pub(crate) struct Tree<M> {
    nodes: Vec<Node<M>>,
    free: u32,
    live: usize,
    peak: usize,
    limit: usize,
    /// Are solved children dropped?
    drops: bool,
}

impl<M: Copy> Tree<M> {
    /// The memory a node takes.
    pub const NODE_BYTES: usize = size_of::<Node<M>>();

    /// An empty tree that may hold `limit` nodes at a time.
    pub fn new(limit: usize, drops: bool) -> Self {
        Self { nodes: Vec::new(), free: NIL, live: 0, peak: 0, limit: limit.min(NIL as usize), drops }
    }

    /// Starts again with a root alone, and room for `limit` nodes.
    pub fn reset(&mut self, limit: usize, m: M, or: bool, numbers: Numbers) -> u32 {
        self.nodes.clear();
        (self.free, self.live, self.limit) = (NIL, 0, limit.min(NIL as usize));
        self.peak = 0;
        self.add(m, or, State::Leaf, numbers).unwrap_or(NIL)
    }

    #[inline]
    pub fn node(&self, index: u32) -> &Node<M> {
        &self.nodes[index as usize]
    }

    #[inline]
    pub fn node_mut(&mut self, index: u32) -> &mut Node<M> {
        &mut self.nodes[index as usize]
    }

    /// What is known of a node.
    #[inline]
    pub fn numbers(&self, index: u32) -> Numbers {
        self.node(index).numbers()
    }

    /// The nodes held now.
    pub fn live(&self) -> usize {
        self.live
    }

    /// The most nodes held at once since the last reset.
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// Writes what an evaluation found into a node.
    pub fn set(&mut self, index: u32, numbers: Numbers) {
        let node = self.node_mut(index);
        (node.pn, node.dn) = (numbers.pn, numbers.dn);
        (node.height, node.rests_on) = (numbers.height, numbers.rests_on);
    }

    /// A new node, not yet in its parent's list of children; none if the memory is used up.
    #[inline]
    pub fn add(&mut self, m: M, or: bool, state: State, numbers: Numbers) -> Option<u32> {
        let Numbers { pn, dn, height, rests_on } = numbers;
        let node = Node { child: NIL, sibling: NIL, pn, dn, height, rests_on, m, or, state };
        if self.live >= self.limit {
            return None;
        }
        self.live += 1;
        self.peak = self.peak.max(self.live);
        if self.free == NIL {
            if self.nodes.len() == self.nodes.capacity() {
                let more = self.nodes.len().max(1024).min(self.limit - self.nodes.len());
                self.nodes.reserve_exact(more);
            }
            self.nodes.push(node);
            return Some(self.nodes.len() as u32 - 1);
        }
        let index = self.free;
        self.free = self.nodes[index as usize].sibling;
        self.nodes[index as usize] = node;
        Some(index)
    }

    /// The children of a node, in the order in which they were generated.
    pub fn children(&self, index: u32) -> impl Iterator<Item = u32> {
        let mut child = self.node(index).child;
        std::iter::from_fn(move || {
            let now = child;
            (now != NIL).then(|| {
                child = self.node(now).sibling;
                now
            })
        })
    }

    /// The leftmost child with the number its parent took from it: the next step to the most-proving node.
    #[inline]
    pub fn select(&self, index: u32) -> u32 {
        let node = self.node(index);
        let wanted = node.sides(node.or).0;
        let mut child = node.child;
        while child != NIL && self.node(child).sides(node.or).0 != wanted {
            child = self.node(child).sibling;
        }
        child
    }

    /// Computes an expanded node's numbers from its children's, drops solved children, and gives the move
    /// that decides if the node is now won by its mover.
    pub fn update(&mut self, index: u32) -> Option<M> {
        let or = self.node(index).or;
        let (mut least, mut total) = (INFINITE, 0u32);
        // What the lost children say, should all be lost.
        let (mut height, mut rests_on) = (self.node(index).height, self.node(index).rests_on);
        let mut previous = NIL;
        let mut child = self.node(index).child;
        while child != NIL {
            let node = self.node(child);
            let next = node.sibling;
            let (phi, delta) = node.sides(or);
            if phi == 0 {
                let (won, m) = (node.numbers(), node.m);
                self.free_below(index);
                self.set(index, Numbers::solved(or, won.height.saturating_add(1), won.rests_on));
                return Some(m);
            }
            if delta == 0 && self.drops {
                height = height.max(node.height.saturating_add(1));
                rests_on = rests_on.min(node.rests_on);
                if previous == NIL {
                    self.node_mut(index).child = next;
                } else {
                    self.node_mut(previous).sibling = next;
                }
                self.free(child);
            } else {
                least = least.min(phi);
                total = total.saturating_add(delta).min(LARGEST);
                previous = child;
            }
            child = next;
        }
        if total == 0 {
            for c in self.children(index) {
                height = height.max(self.node(c).height.saturating_add(1));
                rests_on = rests_on.min(self.node(c).rests_on);
            }
            self.free_below(index);
            self.set(index, Numbers::solved(!or, height, rests_on));
            return None;
        }
        let node = self.node_mut(index);
        (node.height, node.rests_on) = (height, rests_on);
        (node.pn, node.dn) = if or { (least, total) } else { (total, least) };
        None
    }

    /// Makes a leaf an expanded node with children still to be added.
    pub fn expand(&mut self, index: u32) {
        let node = self.node_mut(index);
        node.state = State::Expanded;
        (node.height, node.rests_on) = (0, FREE);
    }

    fn free(&mut self, index: u32) {
        self.free_below(index);
        self.node_mut(index).sibling = self.free;
        self.free = index;
        self.live -= 1;
    }

    /// Frees all descendants of a node, if solved nodes are dropped at all.
    fn free_below(&mut self, index: u32) {
        if !self.drops {
            return;
        }
        let mut todo = std::mem::replace(&mut self.node_mut(index).child, NIL);
        // Descendants are chained through `sibling`: each list of children is put before the rest.
        while todo != NIL {
            let free = self.free;
            let node = self.node_mut(todo);
            let (child, next) = (node.child, node.sibling);
            node.child = NIL;
            node.sibling = free;
            self.free = todo;
            self.live -= 1;
            todo = next;
            if child != NIL {
                let mut last = child;
                while self.node(last).sibling != NIL {
                    last = self.node(last).sibling;
                }
                self.node_mut(last).sibling = todo;
                todo = child;
            }
        }
    }
}
