//! The positions of a proof-number search as a graph: one node a position, however it is reached.
//!
//! An OR node is the attacker's, an AND node the defender's. Numbers that change are carried to all parents. Stones are
//! never taken back, so there are no cycles.

use std::collections::HashMap;

/// The number of what is decided.
pub(super) const INFINITE: u32 = 1 << 30;
/// Moves of the attacker's that were not looked at yet count as one move with this proof number, times one more than
/// there are moves already.
const WIDER: u32 = 6;
const NIL: u32 = u32::MAX;

/// A move and where it leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The cell.
    pub cell: u16,
    /// The node after it.
    pub node: u32,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Proof number and disproof number.
    pub pn: u32,
    /// Disproof number.
    pub dn: u32,
    first: u32,
    count: u16,
    /// Is it the attacker's turn?
    pub or: bool,
    /// Was it expanded?
    pub expanded: bool,
    /// Has the attacker more moves than those that are linked?
    pub more: bool,
    parents: u32,
}

/// The graph.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Lists of parents: a node, and the rest of the list.
    parents: Vec<(u32, u32)>,
    by_key: HashMap<u64, u32>,
    changed: Vec<u32>,
}

impl Graph {
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.parents.clear();
        self.by_key.clear();
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    #[inline]
    pub fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    /// The moves of a node.
    #[inline]
    pub fn edges(&self, node: u32) -> &[Edge] {
        let Node { first, count, .. } = self.nodes[node as usize];
        &self.edges[first as usize..first as usize + count as usize]
    }

    /// The node of a position, new with these numbers if there was none.
    pub fn enter(&mut self, key: u64, or: bool, [pn, dn]: [u32; 2]) -> u32 {
        let next = self.nodes.len() as u32;
        let node = *self.by_key.entry(key).or_insert(next);
        if node == next {
            let parents = NIL;
            self.nodes.push(Node { pn, dn, first: 0, count: 0, or, expanded: false, more: false, parents });
        }
        node
    }

    /// Adds moves to those a node has.
    pub fn link(&mut self, node: u32, moves: &[Edge]) {
        let Node { first, count, .. } = self.nodes[node as usize];
        let start = self.edges.len();
        self.edges.extend_from_within(first as usize..first as usize + count as usize);
        self.edges.extend_from_slice(moves);
        let whole = &mut self.nodes[node as usize];
        (whole.first, whole.count) = (start as u32, (self.edges.len() - start) as u16);
        for edge in moves {
            let child = &mut self.nodes[edge.node as usize];
            self.parents.push((node, child.parents));
            child.parents = self.parents.len() as u32 - 1;
        }
    }

    /// The child to go on with; none where that is the node itself, which was not expanded or has more moves.
    pub fn best(&self, node: u32) -> Option<Edge> {
        let or = self.node(node).or;
        let number = |edge: &Edge| {
            let child = self.node(edge.node);
            if or { child.pn } else { child.dn }
        };
        let best = *self.edges(node).iter().min_by_key(|edge| number(edge))?;
        (number(&best) < self.wider(node)).then_some(best)
    }

    /// The proof number of the moves that were not looked at.
    fn wider(&self, node: u32) -> u32 {
        let Node { more, count, .. } = self.nodes[node as usize];
        if more { WIDER * (1 + u32::from(count)) } else { INFINITE }
    }

    /// Marks a node as decided.
    pub fn decide(&mut self, node: u32, won: bool) {
        let node = &mut self.nodes[node as usize];
        (node.pn, node.dn) = if won { (0, INFINITE) } else { (INFINITE, 0) };
    }

    /// Brings a node and all above it up to date.
    pub fn update(&mut self, node: u32) {
        self.changed.push(node);
        while let Some(node) = self.changed.pop() {
            let Node { pn, dn, or, expanded, parents, .. } = self.nodes[node as usize];
            if expanded && pn != 0 && dn != 0 {
                let (new_pn, new_dn) = self.numbers(node, or);
                let changed = &mut self.nodes[node as usize];
                (changed.pn, changed.dn) = (new_pn, new_dn);
                if (new_pn, new_dn) == (pn, dn) {
                    continue;
                }
            }
            let mut list = parents;
            while list != NIL {
                let (parent, rest) = self.parents[list as usize];
                self.changed.push(parent);
                list = rest;
            }
        }
    }

    fn numbers(&self, node: u32, or: bool) -> (u32, u32) {
        let (mut sum, mut least) = (0u32, INFINITE);
        for edge in self.edges(node) {
            let child = self.node(edge.node);
            let (added, compared) = if or { (child.dn, child.pn) } else { (child.pn, child.dn) };
            sum = (sum + added).min(INFINITE);
            least = least.min(compared);
        }
        match or {
            true if self.node(node).more => (least.min(self.wider(node)), (sum + 1).min(INFINITE)),
            true => (least, sum),
            false => (sum, least),
        }
    }
}
