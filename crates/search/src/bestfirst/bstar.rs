//! B* (Berliner 1979): finds the best move of the root, not its value. Every leaf has reliable bounds; a
//! maximising node backs up the greatest low and the greatest high of its children, a minimising node the
//! least. At the root there are two strategies: *prove best*, raise the low of the best child to the highs of
//! the others; *disprove the rest*, lower their highs to its low. The one whose subtree has cost less so far
//! goes on; either ends it. Below the root both walk to the child that is most hopeful for its player.
//!
//! Bounds come from the rules and from expertise alone.

use super::drive::Method;
use super::store::{Node, Store};
use endspiel_game::{Expertise, Task, TwoPlayer};
use std::cmp::Reverse;

/// When to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Stop as soon as the best move is known, even if its value is not.
    pub move_only: bool,
}

/// The search. Of each node it keeps the size of its subtree.
pub struct Search<P: TwoPlayer> {
    store: Store<P, u32>,
    options: Options,
}

/// Solves by B*.
pub type Solver<P, E> = super::Solver<P, E, Search<P>>;

impl<P: TwoPlayer, E: Expertise<P>> Solver<P, E> {
    /// Is the first move of the last answer proven to be no worse than any other?
    pub fn is_separated(&self) -> bool {
        self.search().is_some_and(|search| {
            let (best, rest) = contest(&search.store);
            best.is_some() && rest.is_none()
        })
    }
}

/// Low and high in the eyes of the player who chooses between nodes.
fn seen<M>(n: &Node<M, u32>, maximise: bool) -> (i32, i32) {
    if maximise { (n.low, n.high) } else { (-n.high, -n.low) }
}

/// The root child of the greatest hope, and the greatest hope among the others that may still be better.
fn contest<P: TwoPlayer>(store: &Store<P, u32>) -> (Option<usize>, Option<usize>) {
    let root = &store.nodes[0];
    let hope = |c: usize| {
        let (low, high) = seen(&store.nodes[c], root.maximise);
        (high, low, Reverse(c))
    };
    let Some(best) = root.children().max_by_key(|&c| hope(c)) else { return (None, None) };
    let sure = seen(&store.nodes[best], root.maximise).0;
    let rest = root.children().filter(|&c| c != best && hope(c).0 > sure).max_by_key(|&c| hope(c));
    (Some(best), rest)
}

/// Which root child to work on.
fn strategy<P: TwoPlayer>(store: &Store<P, u32>) -> Option<usize> {
    let (best, rest) = contest(store);
    let (best, Some(rest)) = (best?, rest) else { return best };
    let size = |c: usize| store.nodes[c].data;
    let disprove = store.nodes[best].is_settled() || size(rest) < size(best);
    Some(if disprove && !store.nodes[rest].is_settled() { rest } else { best })
}

/// Below the root: the child that is most hopeful for the player to move.
fn hopeful<P: TwoPlayer>(store: &Store<P, u32>, node: usize) -> Option<usize> {
    let n = &store.nodes[node];
    n.children().filter(|&c| store.is_open(c)).max_by_key(|&c| {
        let (low, high) = seen(&store.nodes[c], n.maximise);
        (high, low, Reverse(c))
    })
}

impl<P: TwoPlayer, E: Expertise<P>> Method<P, E> for Search<P> {
    type Options = Options;
    type Data = u32;

    fn plant(options: &Options, task: &Task<'_, P, E>, memory: usize) -> Self {
        let mut store = Store::new(task.root, task.goal, memory, 0, 1);
        store.visit(0, task.root, task.expertise);
        Self { store, options: *options }
    }

    fn grow(&mut self, expertise: &E) -> Option<usize> {
        let root = &self.store.nodes[0];
        let separated = root.is_expanded() && contest(&self.store).1.is_none();
        if if self.options.move_only { separated } else { root.is_settled() } {
            return None;
        }
        let (leaf, position) =
            self.store.walk(|store, node| if node == 0 { strategy(store) } else { hopeful(store, node) });
        let made = self.store.expand(leaf, &position, expertise, |_, _, _| 1);
        self.store.back_up(leaf, |store, node| {
            store.refresh(node);
            store.nodes[node].data += made as u32;
        });
        (made > 0).then_some(made)
    }

    fn store(&self) -> &Store<P, u32> {
        &self.store
    }

    fn choice(&self, node: usize) -> Option<usize> {
        if node == 0 && !self.store.nodes[0].is_settled() {
            return contest(&self.store).0;
        }
        let n = &self.store.nodes[node];
        n.children()
            .find(|&c| n.is_settled() && seen(&self.store.nodes[c], n.maximise).0 >= seen(n, n.maximise).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bestfirst::testing::{agrees, truth};
    use endspiel_game::{Budget, Game, Goal, Payoff, Player, Position, Quiet, Rules, Symmetric, Turn};
    use endspiel_rules::random_tree::RandomTree;

    /// The example of the literature: two moves known to lie in [0, 2] and [1, 3], each with two replies.
    #[derive(Clone)]
    struct Example(Vec<u8>, [[i32; 2]; 2]);

    impl Position for Example {
        type Move = u8;
        fn turn(&self) -> Turn {
            match self.0.len() {
                2 => Turn::Over,
                n => Turn::Player(Player(n as u8)),
            }
        }
        fn moves(&self, each: impl FnMut(u8)) {
            (0..if self.0.len() < 2 { 2 } else { 0 }).for_each(each);
        }
        fn play(&mut self, m: u8) {
            self.0.push(m);
        }
        fn payoff(&self) -> Payoff {
            Payoff::zero_sum(self.1[self.0[0] as usize][self.0[1] as usize])
        }
        fn key(&self) -> u64 {
            self.0.iter().fold(1, |key, &m| 2 * key + u64::from(m))
        }
    }

    impl TwoPlayer for Example {
        fn score_range(&self) -> (i32, i32) {
            match self.0[..] {
                [0] => (0, 2),
                [1] => (1, 3),
                _ => (0, 3),
            }
        }
    }

    impl Symmetric for Example {}

    #[test]
    fn separates_two_overlapping_moves() {
        let run = |replies| {
            let root = Example(Vec::new(), replies);
            let budget = Budget::default();
            let task =
                Task { root: &root, goal: Goal::Score, expertise: &Rules, budget: &budget, observer: &Quiet };
            let mut solver = Solver::new(Options { move_only: true }, &budget);
            let answer = solver.solve(&task);
            assert!(solver.is_separated());
            let nodes = &solver.search().expect("it has searched").store.nodes;
            let [a, b] = [1, 2].map(|i: usize| (nodes[i].low, nodes[i].high));
            (answer.line[0], a, b)
        };
        // Raising low(B) to 2 is enough: A is not looked into.
        assert_eq!(run([[0, 2], [2, 3]]), (1, (0, 2), (2, 2)));
        // low(B) stays at 1: A's high must come down to it.
        assert_eq!(run([[0, 2], [1, 3]]), (1, (0, 0), (1, 1)));
        // B falls back to 1 and A holds 2.
        assert_eq!(run([[2, 2], [1, 3]]), (0, (2, 2), (1, 1)));
    }

    #[test]
    fn the_move_is_known_before_the_value() {
        for seed in 0..40 {
            let root = RandomTree { range: 9, ..RandomTree::new(3, 6, seed) }.start();
            let budget = Budget::default();
            let task =
                Task { root: &root, goal: Goal::Score, expertise: &Rules, budget: &budget, observer: &Quiet };
            let mut solver = Solver::new(Options { move_only: true }, &budget);
            let quick = solver.solve(&task);
            assert!(solver.is_separated());
            assert_eq!(-truth(&root.after(quick.line[0])), truth(&root), "seed {seed}");
            let full = Solver::new(Options::default(), &budget).solve(&task);
            assert!(quick.counts.nodes <= full.counts.nodes);
        }
    }

    #[test]
    fn agrees_with_enumeration() {
        agrees::<Search<_>, Search<_>, Search<_>>(&Options::default());
    }
}
