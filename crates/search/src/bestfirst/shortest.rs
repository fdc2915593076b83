//! The shortest win, best first: what A* is to paths and AO* to and/or graphs. Every node carries a lower bound
//! on the plies that its winner-to-be still needs: 0 where the game is won, infinite where it never is, 1 at a
//! leaf, and one more than the least (the greatest) of the children where the winner (the loser) moves.
//! Cost so far plus an estimate that is never too high: the first solution found is the shortest, against the
//! longest resistance.
//!
//! First it looks for a win of the player to move, then, if there is none, for one of the opponent; if there is
//! none either, it is a draw. Expertise is not asked: a bound that comes without a length is no use here.

use super::drive::Method;
use super::store::Store;
use endspiel_game::{Distance, Expertise, Goal, Rules, Task, TwoPlayer};
use std::cmp::Reverse;

/// Nothing to choose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {}

/// How far a win is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// At least so many plies.
    plies: u32,
    /// It is proven, in exactly so many.
    solved: bool,
}

const NEVER: u32 = u32::MAX;

impl Cost {
    const WON: Self = Self { plies: 0, solved: true };
    const NOT_WON: Self = Self { plies: NEVER, solved: false };
    const UNKNOWN: Self = Self { plies: 1, solved: false };
}

/// The search.
pub struct Search<P: TwoPlayer> {
    store: Store<P, Cost>,
    memory: usize,
    /// Does it look for a win of the first player?
    first_wins: bool,
    /// A win of the player to move is out of the question.
    second_try: bool,
    bounds: (i32, i32),
}

/// Finds the shortest win.
pub type Solver<P, E> = super::Solver<P, E, Search<P>>;

impl<P: TwoPlayer> Search<P> {
    fn is_winner_to_move(&self, node: usize) -> bool {
        self.store.nodes[node].maximise == self.first_wins
    }

    fn update(&mut self, node: usize) {
        self.store.refresh(node);
        let children = &self.store.nodes[self.store.nodes[node].children()];
        let cost = if self.is_winner_to_move(node) {
            // Solved children go first among equals: then the bound is reached.
            children.iter().map(|c| c.data).min_by_key(|c| (c.plies, Reverse(c.solved)))
        } else {
            let plies = children.iter().map(|c| c.data.plies).max().unwrap_or(NEVER);
            Some(Cost { plies, solved: plies < NEVER && children.iter().all(|c| c.data.solved) })
        };
        let Cost { plies, solved } = cost.unwrap_or(Cost::NOT_WON);
        self.store.nodes[node].data = Cost { plies: plies.saturating_add(1), solved };
    }

    /// Sees to the end of a try. True if there is another one to make.
    fn conclude(&mut self) -> bool {
        let Cost { plies, solved } = self.store.nodes[0].data;
        let (low, high) = self.bounds;
        if solved {
            self.bounds = if self.first_wins { (1.max(low), high) } else { (low, (-1).min(high)) };
        } else if plies == NEVER {
            // No win in finite play. What that means the bounds know, even if going round should be a win.
            let root = &self.store.nodes[0];
            self.bounds = (low.max(root.low), high.min(root.high));
            let excluded = if self.first_wins { self.bounds.1 <= 0 } else { self.bounds.0 >= 0 };
            if excluded && !self.second_try {
                self.second_try = true;
                self.first_wins = !self.first_wins;
                let root = self.store.root().clone();
                self.store = Store::new(&root, Goal::Outcome, self.memory, 0, Cost::UNKNOWN);
                return true;
            }
        }
        false
    }
}

impl<P: TwoPlayer, E: Expertise<P>> Method<P, E> for Search<P> {
    type Options = Options;
    type Data = Cost;

    fn plant(_: &Options, task: &Task<'_, P, E>, memory: usize) -> Self {
        let mut store = Store::new(task.root, Goal::Outcome, memory, 0, Cost::UNKNOWN);
        store.visit(0, task.root, &Rules);
        let root = &store.nodes[0];
        let (first_wins, bounds) = (root.maximise, (root.low, root.high));
        Self { store, memory, first_wins, second_try: false, bounds }
    }

    fn grow(&mut self, _: &E) -> Option<usize> {
        let first_wins = self.first_wins;
        // Where the winner moves, to the nearest win; where the loser does, to the longest resistance.
        let (leaf, position) = self.store.walk(|store, node| {
            let n = &store.nodes[node];
            let open = n.children().filter(|&c| !store.nodes[c].data.solved);
            let plies = |&c: &usize| store.nodes[c].data.plies;
            if n.maximise == first_wins { open.min_by_key(plies) } else { open.rev().max_by_key(plies) }
        });
        let made = self.store.expand(leaf, &position, &Rules, |child, (low, _), leaf| {
            let won = child.turn().is_over() && if first_wins { low > 0 } else { low < 0 };
            match (leaf, won) {
                (true, true) => Cost::WON,
                (true, false) => Cost::NOT_WON,
                (false, _) => Cost::UNKNOWN,
            }
        });
        if made == 0 {
            return None;
        }
        let mut node = leaf;
        loop {
            self.update(node);
            if node == 0 {
                break;
            }
            node = self.store.nodes[node].parent as usize;
        }
        let Cost { plies, solved } = self.store.nodes[0].data;
        let ended = solved || plies == NEVER;
        (!ended || self.conclude()).then_some(made)
    }

    fn store(&self) -> &Store<P, Cost> {
        &self.store
    }

    fn choice(&self, node: usize) -> Option<usize> {
        let n = &self.store.nodes[node];
        if !n.data.solved {
            return None;
        }
        let plies = |&c: &usize| self.store.nodes[c].data.plies;
        let solved = n.children().filter(|&c| self.store.nodes[c].data.solved);
        if self.is_winner_to_move(node) { solved.min_by_key(plies) } else { solved.rev().max_by_key(plies) }
    }

    fn bounds(&self) -> (i32, i32) {
        self.bounds
    }

    fn distance(&self) -> Option<Distance> {
        let Cost { plies, solved } = self.store.nodes[0].data;
        solved.then_some(Distance { plies, exact: true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exhaustive::Solution;
    use crate::testing::Walk;
    use endspiel_game::{Budget, Game, Outcome, Position, Quiet, Rng, Symmetric};
    use endspiel_rules::mnk::TicTacToe;
    use endspiel_rules::random_tree::{Leaves, RandomTree};

    fn check<P: TwoPlayer + Symmetric>(root: &P, nodes: u64) -> bool {
        let budget = Budget::nodes(nodes);
        let task = Task { root, goal: Goal::Outcome, expertise: &Rules, budget: &budget, observer: &Quiet };
        let answer = Solver::new(Options::default(), &budget).solve(&task);
        let solution = Solution::of(root, &budget).expect("a small game");
        let score = solution.score(root).expect("the root is reached");
        assert!((answer.bounds.low..=answer.bounds.high).contains(&score));
        let Some(outcome) = answer.bounds.outcome() else { return false };
        assert_eq!(outcome, Outcome::of_score(score));
        if outcome != Outcome::Draw {
            assert_eq!(answer.distance.map(|d| d.plies), solution.distance(root));
            let end = answer.line.iter().fold(root.clone(), |p, &m| p.after(m));
            assert!(end.turn().is_over() || answer.distance.is_none());
        }
        true
    }

    #[test]
    fn finds_the_shortest_win_and_the_longest_resistance() {
        for seed in 0..40 {
            let tree = RandomTree {
                leaves: Leaves::ThreeValues,
                least_branching: 1,
                range: 2,
                ..RandomTree::new(3, 6, seed)
            };
            assert!(check(&tree.start(), 1_000_000), "seed {seed}");
        }
        let mut rng = Rng::new(3);
        for _ in 0..60 {
            let mut board = TicTacToe.start();
            for _ in 0..3 {
                board.random_move(&mut rng).into_iter().for_each(|m| board.play(m));
            }
            assert!(check(&board, 1_000_000));
        }
    }

    #[test]
    fn never_wins_in_circles() {
        let mut rng = Rng::new(4);
        let decided = (0..100).filter(|_| check(&Walk::random(10, 1, &mut rng), 20_000)).count();
        assert!(decided > 60, "{decided}");
    }
}
