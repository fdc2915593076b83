//! Best-first check of a formula: a tree of positions with formulas, grown at the leaf that the terms choose.
//!
//! The terms of *PNTS* are proof and disproof numbers, those of *MCPS* a proof status, successful probes and
//! probes. A probe follows the formula down at random. After a leaf is grown, values go up as long as they
//! change, and the next descent begins there.

use super::{Formulas, Id, Node, moves_of};
use endspiel_game::{Meter, Rng, TwoPlayer};
use std::ops::ControlFlow;

/// How a node's value comes from its children's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// True if all are.
    All,
    /// True if one is.
    One,
}

/// What a method keeps of a node and what it does with it.
pub(super) trait Terms {
    type Info: Copy + PartialEq;
    /// Of what is decided.
    fn decided(value: bool) -> Self::Info;
    /// Of a new leaf.
    fn leaf<P: TwoPlayer>(&mut self, formulas: &Formulas, position: &P, id: Id, meter: &Meter) -> Self::Info;
    /// From the children.
    fn update(kind: Kind, children: impl Iterator<Item = Self::Info>) -> Self::Info;
    /// The child to grow.
    fn select(kind: Kind, node: Self::Info, children: impl Iterator<Item = Self::Info>) -> usize;
    /// What is decided.
    fn value(info: Self::Info) -> Option<bool>;
}

/// Proof and disproof numbers.
pub(super) struct Numbers;

const INFINITE: u32 = u32::MAX;

fn sum(a: u32, b: u32) -> u32 {
    if a == INFINITE || b == INFINITE { INFINITE } else { a.saturating_add(b).min(INFINITE - 1) }
}

impl Terms for Numbers {
    type Info = (u32, u32);

    fn decided(value: bool) -> (u32, u32) {
        if value { (0, INFINITE) } else { (INFINITE, 0) }
    }

    fn leaf<P: TwoPlayer>(&mut self, _: &Formulas, _: &P, _: Id, _: &Meter) -> (u32, u32) {
        (1, 1)
    }

    fn update(kind: Kind, children: impl Iterator<Item = (u32, u32)>) -> (u32, u32) {
        match kind {
            Kind::All => children.fold((0, INFINITE), |(pn, dn), child| (sum(pn, child.0), dn.min(child.1))),
            Kind::One => children.fold((INFINITE, 0), |(pn, dn), child| (pn.min(child.0), sum(dn, child.1))),
        }
    }

    fn select(kind: Kind, _: (u32, u32), children: impl Iterator<Item = (u32, u32)>) -> usize {
        let least = |(pn, dn): (u32, u32)| if kind == Kind::All { dn } else { pn };
        // Decided children have an infinite number here: the others come first.
        children.enumerate().min_by_key(|&(_, child)| least(child)).map_or(0, |(i, _)| i)
    }

    fn value((pn, dn): (u32, u32)) -> Option<bool> {
        match (pn, dn) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }
}

/// Proof status, successful probes, probes.
pub(super) struct Probes(pub Rng);

impl Terms for Probes {
    type Info = (Option<bool>, u32, u32);

    fn decided(value: bool) -> Self::Info {
        (Some(value), u32::from(value), 1)
    }

    fn leaf<P: TwoPlayer>(&mut self, formulas: &Formulas, position: &P, id: Id, meter: &Meter) -> Self::Info {
        (None, u32::from(self.probe(formulas, position, id, meter)), 1)
    }

    fn update(kind: Kind, children: impl Iterator<Item = Self::Info>) -> Self::Info {
        let decisive = kind == Kind::One;
        let (mut all, mut one) = (true, false);
        let (mut successes, mut probes) = (0u32, 0u32);
        for (value, r, n) in children {
            all &= value == Some(!decisive);
            one |= value == Some(decisive);
            (successes, probes) = (successes.saturating_add(r), probes.saturating_add(n));
        }
        let value = if one {
            Some(decisive)
        } else if all {
            Some(!decisive)
        } else {
            None
        };
        (value, successes, probes)
    }

    fn select(kind: Kind, (_, _, all): Self::Info, children: impl Iterator<Item = Self::Info>) -> usize {
        let log = 2.0 * f64::from(all.max(1)).ln();
        let urgency = |(value, r, n): Self::Info| {
            if value.is_some() {
                return f64::NEG_INFINITY;
            }
            let good = if kind == Kind::All { n - r } else { r };
            f64::from(good) / f64::from(n) + (log / f64::from(n)).sqrt()
        };
        let best = children.enumerate().map(|(i, child)| (i, urgency(child)));
        best.reduce(|a, b| if b.1 > a.1 { b } else { a }).map_or(0, |(i, _)| i)
    }

    fn value((value, ..): Self::Info) -> Option<bool> {
        value
    }
}

impl Probes {
    /// A random tree shaped by the formula; what it says when the budget is used up is not to be believed.
    fn probe<P: TwoPlayer>(&mut self, formulas: &Formulas, position: &P, id: Id, meter: &Meter) -> bool {
        match formulas.node(id) {
            &Node::Atom(atom, sign) => atom.holds(position) == sign,
            Node::And(parts) => parts.iter().all(|&part| self.probe(formulas, position, part, meter)),
            Node::Or(parts) => parts.iter().any(|&part| self.probe(formulas, position, part, meter)),
            Node::All(..) | Node::Some(..) if meter.spend(0) => false,
            &(Node::All(player, then) | Node::Some(player, then)) => {
                let (mut chosen, mut count) = (None, 0);
                moves_of(position, player, |from, m| {
                    count += 1;
                    if self.0.below(count) == 0 {
                        chosen = Some(from.after(m));
                    }
                    ControlFlow::Continue(())
                });
                match chosen {
                    Some(after) => self.probe(formulas, &after, then, meter),
                    None => matches!(formulas.node(id), Node::All(..)),
                }
            }
        }
    }
}

struct Leaf<P, I> {
    position: P,
    id: Id,
    info: I,
    parent: u32,
    first: u32,
    count: u32,
}

/// The tree.
pub(super) struct Tree<'a, P, T: Terms> {
    formulas: &'a Formulas,
    terms: T,
    nodes: Vec<Leaf<P, T::Info>>,
    most: usize,
}

const NONE: u32 = u32::MAX;

impl<'a, P: TwoPlayer, T: Terms> Tree<'a, P, T> {
    pub fn new(formulas: &'a Formulas, terms: T, memory: usize) -> Self {
        let most = (memory / size_of::<Leaf<P, T::Info>>() / 2).clamp(64, NONE as usize - 1);
        Self { formulas, terms, nodes: Vec::new(), most }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Grows the tree until the root is decided, or the meter or the memory is at its end.
    pub fn run(&mut self, root: &P, id: Id, meter: &Meter) -> Option<bool> {
        self.add(root.clone(), id, NONE, meter);
        let mut at = 0u32;
        loop {
            let here = &self.nodes[at as usize];
            if let Some(value) = T::value(here.info)
                && here.parent == NONE
            {
                return Some(value);
            }
            if self.nodes.len() >= self.most {
                return None;
            }
            at = self.descend(at);
            meter.spend(1);
            self.grow(at, meter);
            // Not all children of the last node may be there.
            if meter.is_out() {
                return None;
            }
            at = self.go_up(at);
        }
    }

    fn add(&mut self, position: P, id: Id, parent: u32, meter: &Meter) {
        let info = match self.formulas.node(id) {
            &Node::Atom(atom, sign) => T::decided(atom.holds(&position) == sign),
            _ => self.terms.leaf(self.formulas, &position, id, meter),
        };
        self.nodes.push(Leaf { position, id, info, parent, first: 0, count: 0 });
    }

    fn kind(&self, at: u32) -> Kind {
        match self.formulas.node(self.nodes[at as usize].id) {
            Node::Or(_) | Node::Some(..) => Kind::One,
            _ => Kind::All,
        }
    }

    fn children(&self, at: u32) -> impl Iterator<Item = T::Info> + '_ {
        let Leaf { first, count, .. } = self.nodes[at as usize];
        self.nodes[first as usize..(first + count) as usize].iter().map(|child| child.info)
    }

    fn descend(&self, mut at: u32) -> u32 {
        while self.nodes[at as usize].count > 0 {
            let node = &self.nodes[at as usize];
            at = node.first + T::select(self.kind(at), node.info, self.children(at)) as u32;
        }
        at
    }

    /// Adds the children of a leaf, as far as the budget goes.
    fn grow(&mut self, at: u32, meter: &Meter) {
        let first = self.nodes.len() as u32;
        let (position, id) = (self.nodes[at as usize].position.clone(), self.nodes[at as usize].id);
        match self.formulas.node(id).clone() {
            Node::Atom(..) => {}
            Node::And(parts) | Node::Or(parts) => {
                for part in parts {
                    self.add(position.clone(), part, at, meter);
                }
            }
            Node::All(player, then) | Node::Some(player, then) => {
                moves_of(&position, player, |from, m| {
                    self.add(from.after(m), then, at, meter);
                    if meter.is_out() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
            }
        }
        let count = self.nodes.len() as u32 - first;
        let node = &mut self.nodes[at as usize];
        (node.first, node.count) = (first, count);
    }

    /// Takes new values up as far as they change; the place to go on.
    fn go_up(&mut self, mut at: u32) -> u32 {
        loop {
            let info = T::update(self.kind(at), self.children(at));
            let node = &mut self.nodes[at as usize];
            let same = node.info == info;
            node.info = info;
            // What is decided has nothing left to grow.
            if node.parent == NONE || same && T::value(info).is_none() {
                return at;
            }
            at = node.parent;
        }
    }
}
