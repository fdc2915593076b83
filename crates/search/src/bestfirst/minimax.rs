//! Best-first minimax (Korf and Chickering 1996): always grow the leaf at the end of the principal variation.
//! Values are heuristic, in thousandths of a payoff, and exact where the game ends; with *completion*
//! (Cohen-Solal 2020) settled nodes are marked by proven bounds and walked around, so that in time the search
//! solves. Costs one path a step; narrow and deep where the evaluation is steady.

use super::drive::Method;
use super::store::Store;
use endspiel_game::{Estimate, Expertise, Goal, Player, Task, TwoPlayer};

/// Nothing to choose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {}

/// The search. Of each node it keeps its value for the first player.
pub struct Search<P: TwoPlayer> {
    store: Store<P, i64>,
    goal: Goal,
    evaluates: bool,
    /// Artificial time: see [`compare`](super::compare).
    pub(super) clock: u64,
}

/// Solves by best-first minimax.
pub type Solver<P, E> = super::Solver<P, E, Search<P>>;

/// The heuristic value of a position for the first player, kept within what is proven.
pub(super) fn value<P: TwoPlayer, E: Expertise<P>>(
    position: &P,
    expertise: &E,
    (low, high): (i32, i32),
) -> i64 {
    let (low, high) = (1000 * i64::from(low), 1000 * i64::from(high));
    if low == high {
        return low;
    }
    let value = i64::from(expertise.evaluate(position));
    (if position.mover() == Player::FIRST { value } else { -value }).clamp(low, high)
}

/// The child of the best value in the eyes of its player, the first of equals; `of` gives the value.
pub(super) fn best_child<P: TwoPlayer, D: Clone>(
    store: &Store<P, D>,
    node: usize,
    open_only: bool,
    of: impl Fn(&D) -> i64,
) -> Option<usize> {
    let n = &store.nodes[node];
    let children = n.children().rev().filter(|&c| !open_only || store.is_open(c));
    children.max_by_key(|&c| {
        let c = &store.nodes[c];
        let (sure, value) = if n.maximise { (c.low, of(&c.data)) } else { (-c.high, -of(&c.data)) };
        // Once the node is settled, what is sure counts, not what looks good.
        if n.is_settled() { (i64::from(sure), 0) } else { (value, i64::from(sure)) }
    })
}

impl<P: TwoPlayer> Search<P> {
    /// Plays a move at the root and goes on with what is known below it. False if nothing is.
    pub(super) fn advance(&mut self, m: P::Move) -> bool {
        self.clock = 0;
        self.store.advance(m)
    }
}

impl<P: TwoPlayer, E: Expertise<P>> Method<P, E> for Search<P> {
    type Options = Options;
    type Data = i64;

    fn plant(_: &Options, task: &Task<'_, P, E>, memory: usize) -> Self {
        let mut store = Store::new(task.root, Goal::Score, memory, 0, 0);
        store.visit(0, task.root, task.expertise);
        let root = &mut store.nodes[0];
        root.data = value(task.root, task.expertise, (root.low, root.high));
        Self { store, goal: task.goal, evaluates: E::EVALUATES, clock: 0 }
    }

    fn grow(&mut self, expertise: &E) -> Option<usize> {
        if self.store.decides(self.goal) {
            return None;
        }
        let clock = &mut self.clock;
        let (leaf, position) = self.store.walk(|store, node| {
            *clock += store.nodes[node].children().len() as u64;
            best_child(store, node, true, |&value| value)
        });
        let made =
            self.store.expand(leaf, &position, expertise, |child, bounds, _| value(child, expertise, bounds));
        *clock += 100 * made as u64;
        self.store.back_up(leaf, |store, node| {
            *clock += 1 + store.nodes[node].children().len() as u64;
            store.refresh(node);
            if let Some(value) = store.best(node, |n| n.data) {
                store.nodes[node].data = value;
            }
        });
        (made > 0).then_some(made)
    }

    fn store(&self) -> &Store<P, i64> {
        &self.store
    }

    fn choice(&self, node: usize) -> Option<usize> {
        best_child(&self.store, node, false, |&value| value)
    }

    fn estimate(&self) -> Option<Estimate> {
        let root = &self.store.nodes[0];
        let mean = root.data as f64 / if root.maximise { 1000.0 } else { -1000.0 };
        self.evaluates.then_some(Estimate { mean, spread: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bestfirst::testing::{Sum, agrees, truth};
    use endspiel_game::{Budget, Game, Position, Quiet};
    use endspiel_rules::random_tree::RandomTree;

    #[test]
    fn agrees_with_enumeration() {
        agrees::<Search<_>, Search<_>, Search<_>>(&Options::default());
    }

    #[test]
    fn an_evaluation_leads_to_the_true_move() {
        for seed in 0..20 {
            let root = RandomTree::new(3, 6, seed).start();
            let budget = Budget::default();
            let task =
                Task { root: &root, goal: Goal::Score, expertise: &Sum, budget: &budget, observer: &Quiet };
            let answer = Solver::new(Options::default(), &budget).solve(&task);
            assert_eq!(answer.bounds.low, truth(&root));
            assert_eq!(-truth(&root.after(answer.line[0])), truth(&root));
        }
    }
}
