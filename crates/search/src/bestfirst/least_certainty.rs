//! Least-certainty-first search (Utgoff and Cochran, A least-certainty heuristic for selective search, 2000):
//! grow the leaf that could change the root's *decision* with the least change of evaluation.
//!
//! Let `first` and `second` be the best root children. The decision changes if `first` falls to the value of
//! `second`, or if another child rises to that of `first`. The *swing* of a node is the least total change of
//! the leaves below it that meets the goal of its root child. In the first player's view a goal is one target
//! for the whole subtree: to rise, a maximising node takes the least of its children's swings and a minimising
//! node their sum, to fall the other way round; a leaf takes the distance to the target. What is settled
//! cannot change: 0 if it meets the target, infinite if not.
//!
//! The root's least swing is a measure of confidence: how wrong the evaluation would have to be. Where the
//! decision is certain and the value is not, the principal variation is grown. Memory is the limit.

use super::drive::Method;
use super::minimax::{best_child, value};
use super::store::Store;
use endspiel_game::{Estimate, Expertise, Goal, Rng, Task, TwoPlayer};

/// When to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Stop when the least swing exceeds this, in thousandths of a payoff.
    pub swing: Option<i64>,
}

/// What is kept of a node.
#[derive(Clone, Copy, Debug)]
pub struct Certainty {
    /// The value for the first player.
    value: i64,
    swing: i64,
    /// The root child it is below: that one has the goal.
    branch: u32,
}

const NEVER: i64 = i64::MAX;

/// What a root child would have to do to change the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Aim {
    rise: bool,
    target: i64,
}

/// The search.
pub struct Search<P: TwoPlayer> {
    store: Store<P, Certainty>,
    /// By root child.
    aims: Vec<Aim>,
    /// First and second with their values, as the aims have them.
    leaders: Vec<(usize, i64)>,
    goal: Goal,
    threshold: i64,
    evaluates: bool,
    rng: Rng,
    /// Artificial time: see [`compare`](super::compare).
    pub(super) clock: u64,
}

/// Solves by least certainty.
pub type Solver<P, E> = super::Solver<P, E, Search<P>>;

impl<P: TwoPlayer, E: Expertise<P>> Solver<P, E> {
    /// By how much, in thousandths of a payoff, evaluations would have to be wrong in all for another root
    /// move to be best. None if no error could do it.
    pub fn confidence(&self) -> Option<i64> {
        let swing = self.search()?.least_swing();
        (swing < NEVER).then_some(swing)
    }
}

impl<P: TwoPlayer> Search<P> {
    /// The swing of a node from its children, or from its value at a leaf.
    fn swing(&self, node: usize) -> i64 {
        let n = &self.store.nodes[node];
        let Aim { rise, target } = self.aims[n.data.branch as usize - 1];
        let gap = if rise { target - n.data.value } else { n.data.value - target };
        if n.is_settled() {
            return if gap <= 0 { 0 } else { NEVER };
        }
        if !n.is_expanded() {
            return gap.max(0);
        }
        let swings = self.store.nodes[n.children()].iter().map(|c| c.data.swing);
        if rise == n.maximise { swings.min().unwrap_or(NEVER) } else { swings.fold(0, i64::saturating_add) }
    }

    /// Plays a move at the root and goes on with what is known below it. False if nothing is.
    pub(super) fn advance(&mut self, m: P::Move) -> bool {
        let known = self.store.advance(m);
        for node in 1..self.store.nodes.len() {
            let n = &self.store.nodes[node];
            let branch =
                if n.parent == 0 { node as u32 } else { self.store.nodes[n.parent as usize].data.branch };
            self.store.nodes[node].data.branch = branch;
        }
        self.aims.clear();
        self.leaders = self.two_best();
        self.clock = 0;
        self.update_all();
        known
    }

    /// The best and the second best root child with their values; the first of equals.
    fn two_best(&self) -> Vec<(usize, i64)> {
        let root = &self.store.nodes[0];
        let sign = if root.maximise { -1 } else { 1 };
        let mut order: Vec<(usize, i64)> =
            root.children().map(|c| (c, self.store.nodes[c].data.value)).collect();
        order.sort_by_key(|&(c, value)| (sign * value, c));
        order.truncate(2);
        order
    }

    /// Sets the aims by the leaders and all swings by the aims.
    fn update_all(&mut self) {
        let root = &self.store.nodes[0];
        let &[(first, best), (_, next)] = &self.leaders[..] else { return };
        self.aims = root
            .children()
            .map(|c| {
                let (leads, target) = if c == first { (true, next) } else { (false, best) };
                Aim { rise: leads != root.maximise, target }
            })
            .collect();
        for node in (1..self.store.nodes.len()).rev() {
            self.store.nodes[node].data.swing = self.swing(node);
        }
        self.clock += self.store.nodes.len() as u64;
    }

    /// The least swing that would change the decision; never, if there is only one move.
    fn least_swing(&self) -> i64 {
        if self.aims.len() < 2 {
            return NEVER;
        }
        let swings = self.store.nodes[0].children().map(|c| self.store.nodes[c].data.swing);
        swings.min().unwrap_or(NEVER)
    }

    /// Backs values, bounds and swings up from a grown leaf.
    fn back_up(&mut self, leaf: usize) {
        let mut node = leaf;
        loop {
            self.clock += 1 + self.store.nodes[node].children().len() as u64;
            self.store.refresh(node);
            if let Some(value) = self.store.best(node, |n| n.data.value) {
                self.store.nodes[node].data.value = value;
            }
            if node == 0 {
                break;
            }
            if !self.aims.is_empty() {
                self.store.nodes[node].data.swing = self.swing(node);
            }
            node = self.store.nodes[node].parent as usize;
        }
        let leaders = self.two_best();
        if leaders != self.leaders {
            self.leaders = leaders;
            self.update_all();
        }
    }
}

/// The open child with the least swing above 0, one of equals by chance; at the root 0 will do, since it is a
/// tie at the top. None if no error below could matter.
fn least_certain<P: TwoPlayer>(store: &Store<P, Certainty>, node: usize, rng: &mut Rng) -> Option<usize> {
    let open = || store.nodes[node].children().filter(|&c| store.is_open(c));
    let swing = |c: usize| store.nodes[c].data.swing;
    let useful = |s: i64| s < NEVER && (s > 0 || node == 0);
    let least = open().map(swing).filter(|&s| useful(s)).min()?;
    let equals = open().filter(|&c| swing(c) == least);
    let pick = match equals.clone().count() {
        1 => 0,
        n => rng.below(n),
    };
    equals.clone().nth(pick)
}

impl<P: TwoPlayer, E: Expertise<P>> Method<P, E> for Search<P> {
    type Options = Options;
    type Data = Certainty;

    fn plant(options: &Options, task: &Task<'_, P, E>, memory: usize) -> Self {
        let data = Certainty { value: 0, swing: 0, branch: 0 };
        let mut store = Store::new(task.root, Goal::Score, memory, 0, data);
        store.visit(0, task.root, task.expertise);
        let root = &mut store.nodes[0];
        root.data.value = value(task.root, task.expertise, (root.low, root.high));
        Self {
            store,
            aims: Vec::new(),
            leaders: Vec::new(),
            goal: task.goal,
            threshold: options.swing.unwrap_or(NEVER),
            evaluates: E::EVALUATES,
            rng: Rng::new(task.budget.seed),
            clock: 0,
        }
    }

    fn grow(&mut self, expertise: &E) -> Option<usize> {
        let grown = self.store.nodes[0].is_expanded();
        let least = self.least_swing();
        if self.store.decides(self.goal) || grown && least > self.threshold {
            return None;
        }
        // Below the root a walk that finds nothing left to swing goes on along the principal variation.
        let (rng, clock) = (&mut self.rng, &mut self.clock);
        let (leaf, position) = self.store.walk(|store, node| {
            *clock += store.nodes[node].children().len() as u64;
            least_certain(store, node, rng).or_else(|| best_child(store, node, true, |data| data.value))
        });
        let branch = self.store.nodes[leaf].data.branch;
        let mut next = self.store.nodes.len() as u32;
        let made = self.store.expand(leaf, &position, expertise, |child, bounds, _| {
            let branch = if leaf == 0 { next } else { branch };
            next += 1;
            Certainty { value: value(child, expertise, bounds), swing: 0, branch }
        });
        self.clock += 100 * made as u64;
        if leaf != 0 && !self.aims.is_empty() {
            for child in self.store.nodes[leaf].children() {
                self.store.nodes[child].data.swing = self.swing(child);
            }
        }
        self.back_up(leaf);
        (made > 0).then_some(made)
    }

    fn store(&self) -> &Store<P, Certainty> {
        &self.store
    }

    fn choice(&self, node: usize) -> Option<usize> {
        best_child(&self.store, node, false, |data| data.value)
    }

    fn estimate(&self) -> Option<Estimate> {
        let root = &self.store.nodes[0];
        let mean = root.data.value as f64 / if root.maximise { 1000.0 } else { -1000.0 };
        self.evaluates.then_some(Estimate { mean, spread: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bestfirst::testing::{Sum, agrees, truth};
    use endspiel_game::{Budget, Game, Payoff, Player, Position, Quiet, Symmetric, Turn};
    use endspiel_rules::random_tree::{Node, RandomTree};

    /// The worked example: root A with children B = 8, C = 6, D = 3 and their leaves, written in the first
    /// player's view. The game goes on for ever, so nothing is settled.
    #[derive(Clone)]
    struct Example(Vec<u8>);

    const LEAVES: [[i32; 3]; 3] = [[8, 10, 13], [6, 7, 8], [3, 4, 5]];

    impl Position for Example {
        type Move = u8;
        fn turn(&self) -> Turn {
            Turn::Player(Player(self.0.len() as u8 & 1))
        }
        fn moves(&self, each: impl FnMut(u8)) {
            (0..3).for_each(each);
        }
        fn play(&mut self, m: u8) {
            self.0.push(m);
        }
        fn payoff(&self) -> Payoff {
            Payoff::DRAW
        }
        fn key(&self) -> u64 {
            self.0.iter().fold(1, |key, &m| 4 * key + u64::from(m))
        }
    }

    impl TwoPlayer for Example {
        fn score_range(&self) -> (i32, i32) {
            (-99, 99)
        }
    }

    impl Symmetric for Example {}

    #[derive(Clone, Copy)]
    struct Figures;

    impl Expertise<Example> for Figures {
        const EVALUATES: bool = true;
        fn evaluate(&self, position: &Example) -> i32 {
            let first = match position.0[..] {
                [] => 0,
                [a] => LEAVES[a as usize][0],
                [a, b, ..] => LEAVES[a as usize][b as usize],
            };
            1000 * if position.mover() == Player::FIRST { first } else { -first }
        }
    }

    #[test]
    fn the_worked_example() {
        let (root, budget) = (Example(Vec::new()), Budget::default());
        let task =
            Task { root: &root, goal: Goal::Score, expertise: &Figures, budget: &budget, observer: &Quiet };
        let mut search = <Search<_> as Method<_, Figures>>::plant(&Options::default(), &task, 1 << 20);
        search.grow(&Figures);
        let swings = |search: &Search<Example>, nodes: std::ops::Range<usize>| -> Vec<i64> {
            nodes.map(|n| search.store.nodes[n].data.swing / 1000).collect()
        };
        // As leaves: B may fall by 2, C may rise by 2, D by 5.
        assert_eq!(swings(&search, 1..4), [2, 2, 5]);
        // One ply deeper.
        for node in 1..4 {
            let (leaf, position) = search.store.walk(|_, at| (at == 0).then_some(node));
            search.store.expand(leaf, &position, &Figures, |child, bounds, _| Certainty {
                value: value(child, &Figures, bounds),
                swing: 0,
                branch: node as u32,
            });
            search.back_up(leaf);
        }
        search.update_all();
        assert_eq!(swings(&search, 1..4), [2, 3, 12]);
        assert_eq!(swings(&search, 4..13), [2, 4, 7, 2, 1, 0, 5, 4, 3]);
        assert_eq!(search.least_swing(), 2000);
        // The next leaf is E, the first below B.
        let mut rng = Rng::new(1);
        assert_eq!(search.store.walk(|store, node| least_certain(store, node, &mut rng)).0, 4);
    }

    #[test]
    fn swings_kept_up_to_date_are_those_recomputed() {
        for seed in 0..20 {
            let root = RandomTree { least_branching: 1, ..RandomTree::new(4, 6, seed) }.start();
            let budget = Budget { seed, ..Budget::default() };
            let task =
                Task { root: &root, goal: Goal::Score, expertise: &Sum, budget: &budget, observer: &Quiet };
            let mut search = <Search<Node> as Method<_, Sum>>::plant(&Options::default(), &task, 1 << 24);
            while search.grow(&Sum).is_some() {
                let swings =
                    |s: &Search<Node>| s.store.nodes.iter().map(|n| n.data.swing).collect::<Vec<_>>();
                let kept = swings(&search);
                assert_eq!(search.leaders, search.two_best());
                search.update_all();
                assert_eq!(kept, swings(&search), "seed {seed}");
            }
        }
    }

    #[test]
    fn a_complete_search_finds_the_true_move() {
        for seed in 0..30 {
            let root = RandomTree::new(3, 6, seed).start();
            let budget = Budget { seed, ..Budget::default() };
            let task =
                Task { root: &root, goal: Goal::Score, expertise: &Sum, budget: &budget, observer: &Quiet };
            let mut solver = Solver::new(Options::default(), &budget);
            let answer = solver.solve(&task);
            assert_eq!(answer.bounds.low, truth(&root));
            assert_eq!(-truth(&root.after(answer.line[0])), truth(&root));
            // Stopped at a confidence, it has spent less.
            let sure = Options { swing: Some(1_000_000) };
            assert!(Solver::new(sure, &budget).solve(&task).counts.nodes <= answer.counts.nodes);
        }
    }

    #[test]
    fn agrees_with_enumeration() {
        agrees::<Search<_>, Search<_>, Search<_>>(&Options::default());
    }
}
