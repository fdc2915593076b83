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

use super::bounds::Units;
pub use super::ranking::Ranked;
use super::ranking::{line, rank};
use super::tree::Tree;
use super::worker::Worker;
use endspiel_game::{
    Advisor, Answer, Bounds, Budget, Counts, Estimate, Expertise, Meter, Player, Progress, Question, Task,
    TwoPlayer,
};
use std::collections::HashMap;
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
    /// By key: the tree and node with the greatest low bound, and those with the least high bound.
    index: Option<HashMap<u64, [(u32, u32); 2]>>,
    expertise: PhantomData<E>,
}

impl<P: TwoPlayer, E: Expertise<P>> Solver<P, E> {
    /// A solver whose trees share the memory and the threads of `budget`.
    pub fn new(options: Options, budget: &Budget) -> Self {
        let threads = budget.threads.max(1);
        let trees = (0..threads).map(|_| Tree::new(budget.memory / threads)).collect();
        Self { options, trees, moves: Vec::new(), solved: None, index: None, expertise: PhantomData }
    }

    /// The root moves of the last search, best first.
    pub fn moves(&self) -> &[Ranked<P::Move>] {
        &self.moves
    }

    /// Searches until the root is settled or the budget is used up. Without a limit of nodes or time it ends
    /// when the memory is full. The estimate is the best move's mean, in units of the goal: asked for the
    /// outcome a win counts 1, whatever its margin.
    pub fn solve(&mut self, task: &Task<'_, P, E>) -> Answer<P::Move> {
        let meter = task.budget.start();
        let units = Units::new(task.goal, task.root);
        let mut answer = Answer::open(task.root);
        (self.index, self.solved) = (None, Some((task.root.clone(), units)));
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
                answer.estimate = Some(Estimate { mean: best.mean, spread: best.spread });
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
        let stride = meter.stride().min(meter.left());
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

impl<P: TwoPlayer, E: Expertise<P>> Solver<P, E> {
    /// Finds the nodes of proven positions by their keys.
    fn index(&self, root: &P, units: Units) -> HashMap<u64, [(u32, u32); 2]> {
        let mut index = HashMap::new();
        let open = units.range();
        for (t, tree) in self.trees.iter().enumerate() {
            let mut stack = vec![(0usize, root.clone())];
            while let Some((node, position)) = stack.pop() {
                let n = &tree.nodes[node];
                if !n.is_expanded() {
                    continue;
                }
                if (n.low, n.high) != open {
                    let here = (t as u32, node as u32);
                    let entry = index.entry(position.key()).or_insert([here; 2]);
                    let at = |(t, node): (u32, u32)| &self.trees[t as usize].nodes[node as usize];
                    if n.low > at(entry[0]).low {
                        entry[0] = here;
                    }
                    if n.high < at(entry[1]).high {
                        entry[1] = here;
                    }
                }
                let first = n.first as usize;
                stack.extend(
                    tree.children(node).iter().enumerate().map(|(i, c)| (first + i, position.after(c.m))),
                );
            }
        }
        index
    }
}

impl<P: TwoPlayer, E: Expertise<P>> Advisor<P> for Solver<P, E> {
    /// Looks into the trees of the last search; in games with cycles it does not tell, since its proofs hold
    /// for the path they were found on.
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        if P::CYCLIC || position.mover() != question.player {
            return None;
        }
        if position.score_range_of(question.player).0 >= question.at_least {
            return position.move_list().first().copied();
        }
        if self.index.is_none() {
            let (root, units) = self.solved.as_ref()?;
            self.index = Some(self.index(root, *units));
        }
        let (_, units) = self.solved.as_ref()?;
        let side = usize::from(question.player != Player::FIRST);
        let (tree, node) = self.index.as_ref()?.get(&position.key())?[side];
        let enough = |low, high| units.payoffs(question.player, (low, high)).low >= question.at_least;
        let children = self.trees[tree as usize].children(node as usize);
        children.iter().find(|c| enough(c.low, c.high)).map(|c| c.m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::Toy;
    use endspiel_game::{Game, Goal, Position, Quiet, Rng, Rules};
    use endspiel_rules::connect_four::ConnectFour;

    fn search<P: TwoPlayer>(root: &P, goal: Goal, budget: &Budget) -> (Answer<P::Move>, Solver<P, Rules>) {
        let mut solver = Solver::new(Options::default(), budget);
        let task = Task { root, goal, expertise: &Rules, budget, observer: &Quiet };
        (solver.solve(&task), solver)
    }

    #[test]
    fn solves_small_games_to_the_end() {
        let mut rng = Rng::new(7);
        for i in 0..300 {
            let game = Toy::<false>::random(40, 4, 3, &mut rng);
            let budget = Budget { seed: i, ..Budget::nodes(100_000).with_memory(8 << 20) };
            let (score, _) = search(&game, Goal::Score, &budget);
            assert_eq!(score.bounds, Bounds::exactly(game.value()), "game {i}");
            let (outcome, _) = search(&game, Goal::Outcome, &budget);
            assert_eq!(outcome.bounds.outcome(), score.bounds.outcome(), "game {i}");
            let bounds = outcome.bounds;
            assert!((bounds.low..=bounds.high).contains(&game.value()), "game {i}");
        }
    }

    #[test]
    fn going_round_proves_nothing_wrong() {
        let mut rng = Rng::new(8);
        let mut settled = 0;
        for i in 0..300 {
            let game = Toy::<true>::random(12, 3, 2, &mut rng);
            let budget = Budget { seed: i, ..Budget::nodes(20_000).with_memory(8 << 20) };
            let (answer, _) = search(&game, Goal::Score, &budget);
            let Bounds { low, high } = answer.bounds;
            assert!((low..=high).contains(&game.value()), "game {i}: {:?} {}", answer.bounds, game.value());
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
        let mut rng = Rng::new(9);
        for i in 0..40 {
            let game = Toy::<false>::random(60, 4, 2, &mut rng);
            let budget = Budget { threads: 3, seed: i, ..Budget::nodes(300_000).with_memory(24 << 20) };
            assert_eq!(
                search(&game, Goal::Score, &budget).0.bounds,
                Bounds::exactly(game.value()),
                "game {i}"
            );
        }
    }

    /// Follows the advice against every reply.
    fn holds(solver: &mut Solver<Toy<false>, Rules>, position: &Toy<false>, question: Question) {
        if position.turn().is_over() {
            assert!(question.is_met_by(position.payoff()));
        } else if position.mover() == question.player {
            let m = solver.advise(position, question).expect("proven");
            holds(solver, &position.after(m), question);
        } else {
            for m in position.move_list() {
                holds(solver, &position.after(m), question);
            }
        }
    }

    #[test]
    fn advice_keeps_what_is_proven() {
        let mut rng = Rng::new(10);
        for i in 0..100 {
            let game = Toy::<false>::random(30, 3, 2, &mut rng);
            let budget = Budget { seed: i, ..Budget::nodes(100_000).with_memory(8 << 20) };
            let (answer, mut solver) = search(&game, Goal::Score, &budget);
            let question = Question { player: game.mover(), at_least: answer.bounds.low };
            holds(&mut solver, &game, question);
            holds(&mut solver, &game, Question { at_least: answer.bounds.high + 1, ..question }.opposite());
        }
    }
}
