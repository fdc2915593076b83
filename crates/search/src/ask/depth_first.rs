//! Depth-first check of a formula (DFTS): direct recursion, left to right, with a table of what is decided.

use super::{Formulas, Id, Node, moves_of};
use endspiel_game::{Meter, TwoPlayer};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// What an entry of the table takes, with the empty ones.
const ENTRY_BYTES: usize = 32;

pub(super) struct Search<'a> {
    pub formulas: &'a Formulas,
    pub meter: &'a Meter,
    /// Positions by key with a formula: does it hold?
    pub known: HashMap<(u64, Id), bool>,
    most: usize,
    pub nodes: u64,
    pub hits: u64,
    /// The budget is used up: believe nothing any more.
    pub out: bool,
}

impl<'a> Search<'a> {
    pub fn new(formulas: &'a Formulas, meter: &'a Meter, memory: usize) -> Self {
        let most = memory / ENTRY_BYTES;
        Self { formulas, meter, known: HashMap::new(), most, nodes: 0, hits: 0, out: false }
    }

    /// Does the formula hold at the position?
    pub fn holds<P: TwoPlayer>(&mut self, position: &P, id: Id) -> bool {
        match self.formulas.node(id) {
            &Node::Atom(atom, sign) => atom.holds(position) == sign,
            Node::And(parts) => parts.iter().all(|&part| self.holds(position, part)),
            Node::Or(parts) => parts.iter().any(|&part| self.holds(position, part)),
            &(Node::All(player, then) | Node::Some(player, then)) => {
                let wanted = matches!(self.formulas.node(id), Node::Some(..));
                let key = (position.key(), id);
                if let Some(&known) = self.known.get(&key) {
                    self.hits += 1;
                    return known;
                }
                self.nodes += 1;
                self.out |= self.meter.spend(1);
                if self.out {
                    return false;
                }
                let mut found = false;
                moves_of(position, player, |from, m| {
                    let after = from.after(m);
                    found = self.holds(&after, then) == wanted && !self.out;
                    if found || self.out { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                let holds = found == wanted;
                if !self.out && self.known.len() < self.most {
                    self.known.insert(key, holds);
                }
                holds
            }
        }
    }
}
