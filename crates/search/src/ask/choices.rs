//! What convinces of an answer: where one of several is enough, which one.
//!
//! A formula that holds is walked through from the root: all parts of an *and*, all moves of an *all*, and of an *or* or
//! a *some* the one that is chosen; what was walked through before, the same formula at the same position, is not gone
//! through again. The choices in the order of this walk are the proof, and who walks the same way can check it.

use super::depth_first::Search;
use super::{Formulas, Id, Node, moves_of};
use endspiel_game::{Budget, Notation, TwoPlayer};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// The choices that show that the formula holds at `root`; none if it does not, or if the budget is used up.
pub fn choices<P: TwoPlayer + Notation>(
    root: &P,
    formulas: &Formulas,
    id: Id,
    budget: &Budget,
) -> Option<Vec<u32>> {
    let meter = budget.start();
    let mut walk = Walk {
        search: Search::new(formulas, &meter, budget.memory),
        seen: HashSet::new(),
        choices: Vec::new(),
    };
    (walk.search.holds(root, id) && walk.go(root, id) && !walk.search.out).then_some(walk.choices)
}

struct Walk<'a> {
    search: Search<'a>,
    seen: HashSet<(Vec<u8>, Id)>,
    choices: Vec<u32>,
}

impl Walk<'_> {
    /// Walks through a formula that holds; false if the budget is used up.
    fn go<P: TwoPlayer + Notation>(&mut self, position: &P, id: Id) -> bool {
        let node = self.search.formulas.node(id);
        self.search.out |= self.search.meter.spend(0);
        if self.search.out {
            return false;
        }
        if !matches!(node, Node::Atom(..) | Node::And(_)) {
            let mut code = Vec::new();
            position.encode(&mut code);
            if !self.seen.insert((code, id)) {
                return true;
            }
        }
        match node {
            Node::Atom(..) => true,
            Node::And(parts) => parts.iter().all(|&part| self.go(position, part)),
            Node::Or(parts) => {
                let Some(chosen) = parts.iter().position(|&part| self.search.holds(position, part)) else {
                    return false;
                };
                self.choices.push(chosen as u32);
                !self.search.out && self.go(position, parts[chosen])
            }
            &Node::All(player, then) => {
                let mut holds = true;
                moves_of(position, player, |from, m| {
                    holds = self.go(&from.after(m), then);
                    if holds { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
                holds
            }
            &Node::Some(player, then) => {
                let (mut number, mut chosen) = (0, None);
                moves_of(position, player, |from, m| {
                    let after = from.after(m);
                    if self.search.holds(&after, then) {
                        chosen = Some(after);
                        return ControlFlow::Break(());
                    }
                    number += 1;
                    ControlFlow::Continue(())
                });
                let Some(after) = chosen.filter(|_| !self.search.out) else { return false };
                self.choices.push(number);
                self.go(&after, then)
            }
        }
    }
}
