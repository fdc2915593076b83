//! UCT: Monte-Carlo tree search by upper confidence bounds (Kocsis and Szepesvári 2006) with proof
//! propagation. One simulation costs a walk down the tree and one random game; a node of the budget is a
//! simulation.
//!
//! Every node carries proven bounds on its payoff, raised from finished games and sound expertise; what is
//! settled is not visited again, and the search ends when the root is. In games with cycles a position that
//! comes back on its own path ends the simulation with [`Position::repeated`](endspiel_game::Position). That
//! value may enter the bounds because the tree keeps no transpositions: a node *is* its path, so no bound is
//! ever used under another history, and the game that ends at the first repetition has the value of the
//! endless one as long as all positions of a cycle agree on what repeating them is worth (a player who can
//! force more by finite play never needs to repeat, and one who can hold it repeats for ever). Positions met
//! elsewhere with another history are not advised on.
//!
//! Several threads grow a tree each and are put together at the root: with one thread, and with a limit of
//! simulations alone, the same seed gives the same bits.

pub use super::ranking::Ranked;
use super::ranking::{line, rank};
use super::tree::{Moments, Tree};
use super::worker::Worker;
use crate::advice::Advice;
use crate::units::Units;
use endspiel_game::{
    Advisor, Answer, Bounds, Budget, Counts, Estimate, Expertise, Meter, Player, Progress, Question, Task,
    TwoPlayer,
};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How the search behaves.
#[derive(Clone, Debug)]
pub struct Options {
    /// The weight of the width of a child's confidence interval, in units of a win (for scores: of their
    /// standard deviation). More explores more.
    pub exploration: f64,
    /// First-play urgency: a child not yet visited counts with its parent's mean and this width. 1 is as if it
    /// had been visited once; infinity tries all children before any of them twice.
    pub urgency: f64,
    /// A random game of so many moves ends as if repeated.
    pub playout_limit: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { exploration: 1.0, urgency: f64::INFINITY, playout_limit: 2000 }
    }
}

/// The search and what it has found last.
pub struct Solver<P: TwoPlayer, E> {
    options: Options,
    trees: Vec<Tree<P::Move>>,
    moves: Vec<Ranked<P::Move>>,
    solved: Option<(P, Units)>,
    advice: Option<Advice<P::Move>>,
    expertise: PhantomData<E>,
}

impl<P: TwoPlayer, E: Expertise<P>> Solver<P, E> {
    /// A solver whose trees share the memory and the threads of `budget`.
    pub fn new(options: Options, budget: &Budget) -> Self {
        let threads = budget.threads.max(1);
        let trees = (0..threads).map(|_| Tree::new(budget.memory / threads)).collect();
        Self { options, trees, moves: Vec::new(), solved: None, advice: None, expertise: PhantomData }
    }

    /// The root moves of the last search, best first.
    pub fn moves(&self) -> &[Ranked<P::Move>] {
        &self.moves
    }

    /// Searches until the root is settled or the budget is used up. Without a limit of nodes or time it ends
    /// when the memory is full. The estimate is the mean of all simulations, in units of the goal: asked for the
    /// outcome a win counts 1, whatever its margin. (The best move's own mean would be the luckiest of many.) Its
    /// spread is the error of sampling, or how far the mean has moved since half of the simulations, if that is more.
    pub fn solve(&mut self, task: &Task<'_, P, E>) -> Answer<P::Move> {
        let meter = task.budget.start();
        let units = Units::new(task.goal, task.root);
        let mut answer = Answer::open(task.root);
        (self.advice, self.solved) = (None, Some((task.root.clone(), units)));
        self.moves.clear();
        if task.root.turn().is_over() {
            answer.bounds = Bounds::exactly(task.root.payoff().of(task.root.mover()));
            return answer;
        }
        let shared = Shared { done: AtomicBool::new(false), playouts: AtomicU64::new(0) };
        let options = &self.options;
        std::thread::scope(|scope| {
            let (first, others) = self.trees.split_at_mut(1);
            for (tree, seed) in others.iter_mut().zip(task.budget.seed + 1..) {
                let (meter, shared) = (&meter, &shared);
                scope.spawn(move || run(task, options, units, tree, seed, meter, shared, false));
            }
            run(task, options, units, &mut first[0], task.budget.seed, &meter, &shared, true);
        });
        self.conclude(task, units, &meter, &mut answer);
        answer.counts.evaluations = shared.playouts.into_inner();
        answer
    }

    fn conclude(&mut self, task: &Task<'_, P, E>, units: Units, meter: &Meter, answer: &mut Answer<P::Move>) {
        let mover = task.root.mover();
        let (moves, bounds) = rank(&self.trees, units, mover);
        self.moves = moves;
        answer.bounds = units.payoffs(mover, bounds);
        if let Some(best) = self.moves.first() {
            let longest = self.trees.iter().map(|tree| line(tree, task.root, best.m)).max_by_key(Vec::len);
            if best.visits > 0 {
                answer.line = longest.unwrap_or_default();
            }
            if bounds.0 != bounds.1 && best.visits > 0 {
                let (mut all, mut before) = (Moments::default(), Moments::default());
                for tree in &self.trees {
                    all.merge(tree.all);
                    before.merge(tree.before());
                }
                let sign = if mover == Player::FIRST { 1.0 } else { -1.0 };
                let Bounds { low, high } = answer.bounds;
                let mean = (sign * all.mean()).clamp(low.into(), high.into());
                let (least, most) = units.range();
                // A mean that still moves is no better known than it has moved.
                let error = all.careful_error(f64::from(most - least) / 2.0);
                let drift = (all.mean() - before.mean()).abs();
                answer.estimate = Some(Estimate { mean, spread: Some(error.max(drift)) });
            }
        }
        answer.counts = Counts {
            nodes: meter.nodes(),
            peak: self.trees.iter().map(|tree| tree.nodes.len() as u64).sum(),
            time: meter.elapsed(),
            ..Counts::default()
        };
    }
}

struct Shared {
    /// Some tree has settled the root.
    done: AtomicBool,
    playouts: AtomicU64,
}

#[expect(clippy::too_many_arguments, reason = "what the threads of one search share, and what each owns")]
fn run<P: TwoPlayer, E: Expertise<P>>(
    task: &Task<'_, P, E>,
    options: &Options,
    units: Units,
    tree: &mut Tree<P::Move>,
    seed: u64,
    meter: &Meter,
    shared: &Shared,
    reports: bool,
) {
    const PAUSE: Duration = Duration::from_millis(250);
    let unlimited = task.budget.nodes.is_none() && task.budget.time.is_none();
    let mut worker = Worker::new(task.root, task.expertise, options, units, seed);
    worker.plant(tree);
    let mut next = PAUSE;
    while !(shared.done.load(Ordering::Relaxed) || worker.full && unlimited) {
        // Random games may be long: the clock is looked at often.
        let most = if task.budget.time.is_some() { 4 } else { u64::MAX };
        let stride = meter.stride().min(meter.left()).min(most);
        let mut spent = 0;
        while spent < stride && !tree.nodes[0].is_settled() {
            worker.simulate(tree);
            spent += 1;
        }
        if tree.nodes[0].is_settled() {
            shared.done.store(true, Ordering::Relaxed);
        }
        if meter.spend(spent) || stride == 0 {
            break;
        }
        worker.tune(tree);
        if reports && meter.elapsed() >= next {
            next = meter.elapsed() + PAUSE;
            report(task, units, tree, meter);
        }
    }
    shared.playouts.fetch_add(worker.playouts, Ordering::Relaxed);
}

fn report<P: TwoPlayer, E: Expertise<P>>(
    task: &Task<'_, P, E>,
    units: Units,
    tree: &Tree<P::Move>,
    meter: &Meter,
) {
    let (moves, bounds) = rank(std::slice::from_ref(tree), units, task.root.mover());
    let Some(best) = moves.first() else { return };
    let line = line(tree, task.root, best.m);
    task.observer.progress(&Progress {
        doing: "sampling",
        nodes: meter.nodes(),
        depth: None,
        share: task.budget.nodes.map(|limit| meter.nodes() as f64 / limit.max(1) as f64),
        bounds: units.payoffs(task.root.mover(), bounds),
        estimate: Some(Estimate { mean: best.mean, spread: best.spread }),
        line: &line,
    });
}

impl<P: TwoPlayer, E: Expertise<P>> Advisor<P> for Solver<P, E> {
    /// Looks into the trees of the last search; in games with cycles it does not tell, since its proofs hold
    /// for the path they were found on.
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        let (root, units) = self.solved.as_ref()?;
        let advice = self.advice.get_or_insert_with(|| {
            let mut advice = Advice::new(*units);
            for tree in self.trees.iter().filter(|tree| !tree.nodes.is_empty()) {
                advice.gather(root, |node, each| {
                    let first = tree.nodes[node].first as usize;
                    let children = tree.children(node).iter().enumerate();
                    children.for_each(|(i, c)| each(first + i, c.m, (c.low, c.high)));
                });
            }
            advice
        });
        advice.advise(position, question)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::follow;
    use crate::exhaustive::Solution;
    use crate::testing::Walk;
    use endspiel_game::{Game, Goal, Quiet, Rng, Rules, Symmetric};
    use endspiel_rules::connect_four::ConnectFour;
    use endspiel_rules::mnk::TicTacToe;
    use endspiel_rules::random_tree::RandomTree;

    fn search<P: TwoPlayer>(root: &P, goal: Goal, budget: &Budget) -> (Answer<P::Move>, Solver<P, Rules>) {
        let mut solver = Solver::new(Options::default(), budget);
        let task = Task { root, goal, expertise: &Rules, budget, observer: &Quiet };
        (solver.solve(&task), solver)
    }

    fn truth<P: TwoPlayer + Symmetric>(root: &P) -> i32 {
        let solution = Solution::of(root, &Budget::default()).expect("a small game");
        solution.score(root).expect("the root is reached")
    }

    fn tree(seed: u64) -> RandomTree {
        RandomTree { least_branching: 1, range: 3, ..RandomTree::new(4, 6, seed) }
    }

    #[test]
    fn solves_small_games_to_the_end() {
        for seed in 0..100 {
            let game = tree(seed).start();
            let budget = Budget { seed, ..Budget::nodes(100_000).with_memory(8 << 20) };
            let (score, _) = search(&game, Goal::Score, &budget);
            assert_eq!(score.bounds, Bounds::exactly(truth(&game)), "{seed}");
            let (outcome, _) = search(&game, Goal::Outcome, &budget);
            assert_eq!(outcome.bounds.outcome(), score.bounds.outcome(), "{seed}");
            let bounds = outcome.bounds;
            assert!((bounds.low..=bounds.high).contains(&truth(&game)), "{seed}");
        }
        let budget = Budget::nodes(1_000_000);
        assert_eq!(search(&TicTacToe.start(), Goal::Outcome, &budget).0.bounds, Bounds::exactly(0));
    }

    #[test]
    fn going_round_proves_nothing_wrong() {
        let mut rng = Rng::new(8);
        let mut settled = 0;
        for i in 0..300 {
            let game = Walk::random(12, 2, &mut rng);
            let budget = Budget { seed: i, ..Budget::nodes(20_000).with_memory(8 << 20) };
            let Bounds { low, high } = search(&game, Goal::Score, &budget).0.bounds;
            assert!((low..=high).contains(&truth(&game)), "walk {i}: {low} {high} {}", truth(&game));
            settled += usize::from(low == high);
        }
        assert!(settled > 250, "{settled}");
    }

    #[test]
    fn one_thread_is_the_same_each_time_and_keeps_to_its_budget() {
        let game = ConnectFour::STANDARD.start();
        let budget = Budget::nodes(5000);
        let ((a, first), (b, second)) =
            (search(&game, Goal::Score, &budget), search(&game, Goal::Score, &budget));
        assert_eq!((a.bounds, a.estimate, &a.line), (b.bounds, b.estimate, &b.line));
        assert_eq!(first.moves(), second.moves());
        assert_eq!(a.counts.nodes, 5000);
        let Estimate { mean, spread } = a.estimate.expect("too large to solve");
        assert!((-1.0..=1.0).contains(&mean) && spread.is_some_and(|s| s > 0.0 && s < 0.1));
        assert_eq!(first.moves().iter().map(|m| m.visits).sum::<u64>(), 5000);
        // A small memory is kept to, and the search goes on without growing.
        let small = Budget::nodes(5000).with_memory(1 << 15);
        let (answer, _) = search(&game, Goal::Score, &small);
        assert!(answer.counts.peak * 32 <= 1 << 15);
        assert_eq!(answer.counts.nodes, 5000);
        // Without any other limit it ends when memory does.
        let (answer, _) = search(&game, Goal::Score, &Budget { nodes: None, ..small });
        assert!(answer.counts.nodes > 0);
    }

    #[test]
    fn threads_agree_on_what_is_proven() {
        for seed in 0..30 {
            let game = tree(seed).start();
            let budget = Budget { threads: 3, seed, ..Budget::nodes(300_000).with_memory(24 << 20) };
            assert_eq!(search(&game, Goal::Score, &budget).0.bounds, Bounds::exactly(truth(&game)), "{seed}");
        }
    }

    #[test]
    fn advice_keeps_what_is_proven() {
        for seed in 0..50 {
            let game = tree(seed).start();
            let budget = Budget { seed, ..Budget::nodes(100_000).with_memory(8 << 20) };
            let (answer, mut solver) = search(&game, Goal::Score, &budget);
            let question = Question { player: game.mover(), at_least: answer.bounds.low };
            follow(&mut solver, &game, question);
            follow(&mut solver, &game, Question { at_least: answer.bounds.high + 1, ..question }.opposite());
        }
    }
}
