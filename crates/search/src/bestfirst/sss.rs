//! SSS* (Stockman 1979): always develop the node with the greatest achievable upper bound, leftmost on ties;
//! leaves are looked at one by one. In the form used here (MTD(+infinity) with memory, Plaat et al. 1996) the
//! root's upper bound g is tested: at a maximising node walk to the first child that may still reach g, at a
//! minimising node to the first that is not sure to; a leaf that falls short lowers g.
//!
//! On the same ordered tree it looks at a subset of the leaves that alpha-beta looks at. Where positions cannot come back, one
//! that is settled is settled wherever it is met again. Memory: the tree, and an eighth for the settled positions.
//! The dual form raises the lower bound instead.

use super::drive::Method;
use super::store::Store;
use endspiel_game::{Expertise, Task, TwoPlayer};
use std::collections::HashMap;

/// Of the memory one part in so many is for the settled positions, each of which takes so many bytes while their table grows.
const SHARE: usize = 8;
const BYTES: usize = 48;

/// From which side the value is approached.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// From below, in place of from above.
    pub dual: bool,
}

/// What is kept of a node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Visit {
    leaf: bool,
    /// The key of the position, once it was looked at.
    key: Option<u64>,
}

/// The search.
pub struct Search<P: TwoPlayer> {
    store: Store<P, Visit>,
    dual: bool,
    /// The values of settled positions by their keys, and how many there is room for.
    settled: HashMap<u64, i32>,
    room: usize,
}

/// Solves by SSS*.
pub type Solver<P, E> = super::Solver<P, E, Search<P>>;

impl<P: TwoPlayer> Search<P> {
    /// How many leaves of the game were looked at.
    pub fn leaves(&self) -> usize {
        self.store.nodes.iter().filter(|n| n.data.leaf).count()
    }

    /// Keeps what is settled from `node` up to the root.
    fn keep(&mut self, mut node: usize) {
        loop {
            let n = &self.store.nodes[node];
            if let Some(key) = n.data.key
                && n.low == n.high
                && self.settled.len() < self.room
            {
                self.settled.insert(key, n.low);
            }
            if node == 0 {
                return;
            }
            node = n.parent as usize;
        }
    }
}

impl<P: TwoPlayer, E: Expertise<P>> Method<P, E> for Search<P> {
    type Options = Options;
    type Data = Visit;

    fn plant(options: &Options, task: &Task<'_, P, E>, memory: usize) -> Self {
        let room = if P::CYCLIC { 0 } else { memory / SHARE };
        let mut store = Store::new(task.root, task.goal, memory - room, 0, Visit::default());
        store.visit(0, task.root, task.expertise);
        Self { store, dual: options.dual, settled: HashMap::new(), room: room / BYTES }
    }

    fn grow(&mut self, expertise: &E) -> Option<usize> {
        let root = &self.store.nodes[0];
        if root.is_settled() {
            return None;
        }
        let (low, high, dual) = (root.low, root.high, self.dual);
        // Walk to the first leaf of the solution tree that is to be tested.
        let (leaf, position) = self.store.walk(|store, node| {
            let n = &store.nodes[node];
            n.children().find(|&c| {
                let c = &store.nodes[c];
                match (dual, n.maximise) {
                    (false, true) => c.high >= high,
                    (false, false) => c.low < high,
                    (true, false) => c.low <= low,
                    (true, true) => c.high > low,
                }
            })
        });
        // Look at it; unless the game ends there, its children are the next to test.
        let ends = self.store.visit(leaf, &position, expertise);
        let key = (!P::CYCLIC).then(|| position.key());
        let node = &mut self.store.nodes[leaf];
        node.data = Visit { leaf: ends, key };
        if let Some(&value) = key.and_then(|key| self.settled.get(&key)) {
            (node.low, node.high) = (value, value);
        }
        let settled = node.is_settled();
        let made = if settled { 0 } else { self.store.sprout(leaf, &position, expertise, &Visit::default()) };
        if made == 0 && !settled {
            return None;
        }
        self.store.back_up(leaf, Store::refresh);
        self.keep(leaf);
        Some(made.max(1))
    }

    fn store(&self) -> &Store<P, Visit> {
        &self.store
    }

    fn choice(&self, node: usize) -> Option<usize> {
        let n = &self.store.nodes[node];
        n.children().find(|&c| {
            let c = &self.store.nodes[c];
            n.is_settled() && c.is_settled() && c.low == n.low
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bestfirst::testing::agrees;
    use endspiel_game::{Budget, Game, Goal, Player, Position, Quiet, Rules};
    use endspiel_rules::random_tree::{Node, RandomTree};
    use std::collections::HashSet;

    /// Plain alpha-beta over the whole tree; the leaves are named by their keys.
    fn alpha_beta(node: &Node, mut alpha: i32, mut beta: i32, leaves: &mut HashSet<u64>) -> i32 {
        if node.turn().is_over() {
            leaves.insert(node.key());
            return node.payoff().of(Player::FIRST);
        }
        let maximise = node.mover() == Player::FIRST;
        let mut best = if maximise { i32::MIN } else { i32::MAX };
        for m in node.move_list() {
            let value = alpha_beta(&node.after(m), alpha, beta, leaves);
            if maximise {
                best = best.max(value);
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn keys_of_leaves(search: &Search<Node>) -> HashSet<u64> {
        let store = &search.store;
        let leaves = (0..store.nodes.len()).filter(|&i| store.nodes[i].data.leaf);
        leaves
            .map(|leaf| {
                let mut path = Vec::new();
                let mut at = leaf;
                while let Some(m) = store.nodes[at].m {
                    path.push(m);
                    at = store.nodes[at].parent as usize;
                }
                path.iter().rev().fold(store.root().clone(), |node, &m| node.after(m)).key()
            })
            .collect()
    }

    #[test]
    fn looks_at_a_subset_of_the_leaves_of_alpha_beta() {
        let (mut fewer, mut all) = (0, 0);
        for seed in 0..60 {
            let root = RandomTree { least_branching: 2, ..RandomTree::new(4, 6, seed) }.start();
            let mut seen = HashSet::new();
            let value = alpha_beta(&root, i32::MIN, i32::MAX, &mut seen);
            let budget = Budget::default();
            let task =
                Task { root: &root, goal: Goal::Score, expertise: &Rules, budget: &budget, observer: &Quiet };
            let mut solver = Solver::new(Options::default(), &budget);
            assert_eq!(solver.solve(&task).bounds.low, value);
            let visited = keys_of_leaves(solver.search().expect("it has searched"));
            assert!(visited.is_subset(&seen), "seed {seed}");
            fewer += usize::from(visited.len() < seen.len());
            all += 1;
        }
        assert!(2 * fewer > all, "fewer leaves in {fewer} of {all} trees");
    }

    #[test]
    fn agrees_with_enumeration() {
        agrees::<Search<_>, Search<_>, Search<_>>(&Options::default());
        agrees::<Search<_>, Search<_>, Search<_>>(&Options { dual: true });
    }
}
