//! Alpha-beta: depth-first search that leaves out what cannot matter (Knuth and Moore 1975), with a
//! transposition table shared by all threads.
//!
//! Two modes. [`Mode::Prove`] asks null-window questions to the end of the game and answers exactly;
//! [`Mode::Estimate`] deepens iteratively to a horizon, evaluates there, and reports what is proven on the
//! way. In games with cycles a repetition on the path is worth [`Position::repeated`]; how that stays sound
//! with a table is told in `cyclic`. One thread is deterministic; more threads search the same tree and leave to
//! each other what they are at (the busy marks of ABDADA, Weill 1996); to a horizon, and in games with cycles, each
//! in a slightly different order (Lazy SMP).
//!
//! [`Position::repeated`]: endspiel_game::Position::repeated

mod advice;
mod cyclic;
mod estimate;
mod order;
mod prove;
mod value;
mod worker;

use crate::mtdf::mtdf;
use crate::question;
use crate::table::Table;
use endspiel_game::{
    Advisor, Answer, Bounds, Budget, Counts, Distance, Expertise, Goal, Meter, Question, Quiet, Stop,
    Symmetric, Task, TwoPlayer,
};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use worker::{Shared, Worker};

/// What to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The proven value, by questions to the end of the game.
    Prove,
    /// An estimate by looking so many plies ahead, or as many as the budget allows.
    Estimate {
        /// The horizon.
        depth: Option<u32>,
    },
}

/// How to search. The default is what is known to serve best.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What to search for.
    pub mode: Mode,
    /// Name positions by their canonical image in proofs, where the board has symmetries.
    pub fold: bool,
    /// Prove a score by MTD(f) instead of by questions around a guess.
    pub mtdf: bool,
    /// Search late moves less deep when estimating: farther and less exact.
    pub selective: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { mode: Mode::Prove, fold: true, mtdf: false, selective: false }
    }
}

/// Searches, and keeps its table for the next search and for advice.
pub struct Solver<P: TwoPlayer, E> {
    options: Options,
    table: Table,
    busy: Vec<AtomicU64>,
    /// The most entries each thread may note beside the table in games with cycles.
    notes: usize,
    strategy: advice::Strategy<P::Move>,
    expertise: Option<E>,
    /// Who may stop the advice.
    stop: Stop,
}

/// Lines of thousands of plies need room; it is only reserved, and used as far as they go.
const STACK: usize = 512 << 20;
const BUSY_PLACES: usize = 4096;
/// What a guess before a proof may cost.
const GUESS_NODES: u64 = 50_000;
/// What a line after a proof may cost.
const LINE_NODES: u64 = 200_000;

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Solver<P, E> {
    /// A solver whose tables take the memory of `budget`.
    pub fn new(options: Options, budget: &Budget) -> Self {
        let threads = budget.threads.max(1);
        // In games with cycles half of the memory is for the notes of the threads.
        let table = if P::CYCLIC { budget.memory / 2 } else { budget.memory };
        let busy = if threads > 1 { BUSY_PLACES } else { 0 };
        Self {
            options,
            table: Table::new(table),
            busy: (0..busy).map(|_| AtomicU64::new(0)).collect(),
            notes: cyclic::notes_within(budget.memory / 2 / threads),
            strategy: advice::Strategy::default(),
            expertise: None,
            stop: budget.stop.clone(),
        }
    }

    /// What the player to move at the root gets.
    pub fn solve(&mut self, task: &Task<P, E>) -> Answer<P::Move> {
        let meter = task.budget.start();
        self.expertise = Some(task.expertise.clone());
        let mut answer = Answer::open(task.root);
        let Some(mover) = task.root.turn().player() else {
            answer.bounds = Bounds::exactly(task.root.payoff().of(task.root.mover()));
            return answer;
        };
        let done = AtomicBool::new(false);
        let shared = Shared {
            expertise: task.expertise,
            table: &self.table,
            meter: &meter,
            options: self.options,
            fold: self.options.fold && task.root.symmetries() > 1,
            notes: self.notes,
            observer: task.observer,
            busy: &self.busy,
            done: &done,
        };
        let mut workers: Vec<_> =
            (0..task.budget.threads.max(1)).map(|id| Worker::new(&shared, id, task.budget.seed)).collect();
        match self.options.mode {
            Mode::Prove => {
                let guess = self.guess(task);
                let open = answer.bounds;
                let mut test = |bounds, at_least| {
                    for worker in &mut workers {
                        worker.bounds = bounds;
                    }
                    let question = Question { player: mover, at_least };
                    race(&mut workers, |worker| worker.prove(task.root, question))
                };
                if self.options.mtdf && task.goal == Goal::Score {
                    answer.bounds = mtdf(open, guess, |beta| test(open, beta));
                } else {
                    while let Some(next) = question::next(mover, answer.bounds, task.goal, guess) {
                        match test(answer.bounds, next.at_least) {
                            Some(value) if value >= next.at_least => answer.bounds.low = value,
                            Some(value) => answer.bounds.high = value,
                            None => break,
                        }
                        answer.bounds = answer.bounds.without_draws::<P>();
                    }
                }
                if answer.bounds != open {
                    answer.line = self.line(task, answer.bounds);
                }
            }
            Mode::Estimate { depth } => {
                race(&mut workers, |worker| worker.deepen(task.root, task.goal, depth));
                let found = workers.iter_mut().filter_map(|w| w.found.take()).max_by_key(|f| f.depth);
                if let Some(found) = found {
                    answer.bounds = found.value.bounds(answer.bounds);
                    answer.estimate = Some(found.value.estimated());
                    let exact = !self.options.selective && found.value.plies() <= Some(found.depth);
                    let plies = found.value.plies().filter(|_| E::KEEPS_DISTANCE);
                    answer.distance = plies.map(|plies| Distance { plies, exact });
                    answer.line = found.line;
                }
            }
        }
        answer.counts = Counts {
            nodes: meter.nodes(),
            peak: self.table.used(),
            hits: workers.iter().map(|w| w.hits).sum(),
            evaluations: workers.iter().map(|w| w.evaluations).sum(),
            time: meter.elapsed(),
        };
        drop(workers);
        answer
    }

    /// About what the player to move gets: the first questions are asked around it. Where there are many scores,
    /// a shallow search pays for itself.
    fn guess(&self, task: &Task<P, E>) -> i32 {
        let (low, high) = task.root.score_range();
        if !E::EVALUATES || task.goal == Goal::Outcome || high - low <= 2 {
            return task.expertise.evaluate(task.root) / 1000;
        }
        let few = task.budget.nodes.map_or(GUESS_NODES, |nodes| GUESS_NODES.min(nodes / 16));
        let budget = Budget { stop: task.budget.stop.clone(), ..Budget::nodes(few) };
        self.with_worker(task.root, task.expertise, &budget.start(), |worker| {
            worker.deepen(task.root, task.goal, None);
            let found = worker.found.take().map(|found| found.value.estimated().mean);
            found.map_or(task.expertise.evaluate(task.root) / 1000, |mean| mean.round() as i32)
        })
    }

    /// The table, for the curious.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// A line in which both sides keep what is proven, as far as the table or a short search can tell.
    fn line(&self, task: &Task<P, E>, bounds: Bounds) -> Vec<P::Move> {
        let root = task.root;
        let budget = Budget { stop: task.budget.stop.clone(), ..Budget::nodes(LINE_NODES) };
        self.with_worker(root, task.expertise, &budget.start(), |worker| {
            let mut position = root.clone();
            let (mut line, mut seen) = (Vec::new(), Vec::new());
            while let Some(player) = position.turn().player() {
                let at_least = if player == root.mover() { bounds.low } else { -bounds.high };
                let question = Question { player, at_least };
                seen.push(position.key());
                let found = advice::quick(self, task.expertise, &position, question);
                let Some(m) = found.or_else(|| worker.advise(&position, question)) else { break };
                if worker.out {
                    break;
                }
                position.play(m);
                line.push(m);
                if P::CYCLIC && seen.contains(&position.key()) {
                    break;
                }
            }
            line
        })
    }

    /// Lends a thread of its own to a search on the caller's.
    fn with_worker<T>(
        &self,
        root: &P,
        expertise: &E,
        meter: &Meter,
        then: impl FnOnce(&mut Worker<P, E>) -> T,
    ) -> T {
        let done = AtomicBool::new(false);
        let shared = Shared {
            expertise,
            table: &self.table,
            meter,
            options: self.options,
            fold: self.options.fold && root.symmetries() > 1,
            notes: self.notes,
            observer: &Quiet,
            busy: &[],
            done: &done,
        };
        then(&mut Worker::new(&shared, 0, 0))
    }
}

/// Lets all workers search the same; the first to have an answer stops the others. None if the budget ran
/// out before.
fn race<P, E, T>(workers: &mut [Worker<P, E>], search: impl Fn(&mut Worker<P, E>) -> T + Sync) -> Option<T>
where
    P: TwoPlayer + Symmetric,
    E: Expertise<P>,
    T: Send,
{
    let search = &search;
    std::thread::scope(|scope| {
        let runs: Vec<_> = workers
            .iter_mut()
            .filter_map(|worker| {
                worker.shared.done.store(false, Ordering::Relaxed);
                worker.out = worker.shared.meter.is_out();
                let run = move || {
                    let found = search(worker);
                    let finished = !worker.out;
                    if finished {
                        worker.shared.done.store(true, Ordering::Relaxed);
                    }
                    worker.spend();
                    finished.then_some(found)
                };
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).ok()
            })
            .collect();
        let mut found = None;
        for run in runs {
            match run.join() {
                Ok(one) => found = found.or(one),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        found
    })
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Advisor<P> for Solver<P, E> {
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        let expertise = self.expertise.take()?;
        let quick = if P::CYCLIC { None } else { advice::quick(self, &expertise, position, question) };
        if quick.is_some() {
            self.expertise = Some(expertise);
            return quick;
        }
        let mut strategy = std::mem::take(&mut self.strategy);
        let meter = Budget { stop: self.stop.clone(), ..Budget::default() }.start();
        let found = self.with_worker(position, &expertise, &meter, |worker| {
            let found = if P::CYCLIC {
                strategy.advise(worker, position, question)
            } else {
                worker.advise(position, question)
            };
            found.filter(|_| !worker.out)
        });
        self.strategy = strategy;
        self.expertise = Some(expertise);
        found
    }
}

#[cfg(test)]
mod tests;
