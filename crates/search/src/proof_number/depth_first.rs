//! Depth-first proof-number search with a table: the solver behind df-pn and PDS, which differ in the [`Rule`] by
//! which a node is left. The loop is [`Engine::run`]; its steps are in `frames`. Around it: limits that rise,
//! room made in a crowded table, threads, and the check of claims taken on trust.

use super::answer::{self, Watch};
use super::claims;
use super::frames::{Busy, Counting, Engine, Rule, Sides};
use super::history::Path;
use super::leaf::{Initial, Leaf};
use super::numbers::{FREE, Finding, INFINITE, Numbers, TRUST};
use super::strategy::{self, Prover, Strategy, of_first, positions_within};
use super::table::Table;
use endspiel_game::{
    Advisor, Answer, Budget, Counts, Expertise, Meter, Question, Symmetric, Task, TwoPlayer,
};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::Builder;

/// The limits of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limits {
    /// None: one descent solves it.
    Infinite,
    /// Raised again and again, each time the one whose number is smaller.
    Rising,
}

/// Why the machine stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The root has reached its limits.
    Done,
    /// The budget is used up.
    Out,
    /// The table wants to grow.
    Crowded,
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>, R: Rule> Engine<'_, P, E, R> {
    /// Searches until the root has reached its limits or `halt`, asked after every node, says so.
    pub fn run(&mut self, table: &Table, mut halt: impl FnMut(u64) -> Option<Halt>) -> Halt {
        while let Some(frame) = self.frames.last() {
            let (or, limits) = (frame.or, frame.limits);
            let summary = self.summary();
            let now = Sides::of(summary.numbers.pn, summary.numbers.dn, or);
            if summary.numbers.is_solved() || self.rule.is_reached(now, limits) {
                self.retire(&summary, table);
                continue;
            }
            if let Some(halt) = halt(self.nodes) {
                return halt;
            }
            if self.busy.is_some() && self.catch_up(table) {
                continue;
            }
            self.descend(&summary, limits, table);
        }
        Halt::Done
    }
}

/// After so many checks that failed, claims are no longer trusted.
const MOST_PASSES: u32 = 50;

/// Df-pn or PDS with the table it owns.
pub struct TableSolver<P: TwoPlayer, E, R> {
    rule: R,
    initial: Initial,
    counting: Counting,
    limits: Limits,
    budget: Budget,
    table: Table,
    /// So many positions may be looked at to check a claim.
    check_limit: u64,
    strategy: Strategy,
    expertise: Option<E>,
    winning: Option<P::Move>,
    #[cfg(test)]
    pub naive: bool,
    position: PhantomData<P>,
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>, R: Rule> TableSolver<P, E, R> {
    pub(crate) fn with(
        rule: R,
        initial: Initial,
        counting: Counting,
        limits: Limits,
        budget: &Budget,
    ) -> Self {
        let checks = if P::CYCLIC { budget.memory / 4 } else { 0 };
        Self {
            rule,
            initial,
            counting,
            limits,
            budget: budget.clone(),
            table: Table::new(budget.memory - checks),
            check_limit: positions_within(budget.memory) as u64,
            strategy: Strategy::default(),
            expertise: None,
            winning: None,
            #[cfg(test)]
            naive: false,
            position: PhantomData,
        }
    }

    /// Answers a question as far as the meter lets it.
    pub fn prove(&mut self, root: &P, question: Question, expertise: &E, meter: &Meter) -> Finding {
        self.ask(Path::none(), root, question, expertise, &Watch::quiet(meter))
    }

    /// Decides the task's goal by as many questions as it takes.
    pub fn solve(&mut self, task: &Task<'_, P, E>) -> Answer<P::Move> {
        answer::solve(self, task)
    }

    /// Runs the machine until `root` is solved or the budget is used up, and more machines beside it if the
    /// budget has more threads. They share the table; the first to solve the root ends the search.
    fn search_together(
        &mut self,
        engine: &mut Engine<'_, P, E, R>,
        root: &P,
        watch: &Watch<'_>,
        spent: &mut u64,
    ) -> Numbers {
        let more = self.budget.threads.saturating_sub(1);
        if more == 0 || self.limits != Limits::Infinite {
            return self.search(engine, root, watch, spent);
        }
        self.table.take_all_room();
        let (busy, done, meter) = (Busy::new(), AtomicBool::new(false), watch.meter);
        let (table, rule, counting, trusting) = (&self.table, self.rule, self.counting, engine.trusting);
        let (question, initial, expertise) = (engine.leaf.question, self.initial, engine.leaf.expertise);
        let work = |spend: &dyn Fn(u64) -> bool| {
            let leaf = Leaf { question, initial, expertise };
            let mut engine = Engine::new(leaf, rule, counting, Path::none());
            (engine.busy, engine.trusting) = (Some(&busy), trusting);
            engine.start(root, (INFINITE, INFINITE), table);
            let mut spent = 0;
            engine.run(table, |nodes| {
                let due = nodes - spent >= meter.stride();
                let out = due && spend(nodes - std::mem::replace(&mut spent, nodes));
                (out || done.load(Relaxed)).then_some(Halt::Out)
            });
            engine.unwind(table);
            meter.spend(engine.nodes - spent);
            done.store(true, Relaxed);
            (engine.root, engine.winning, engine.nodes, engine.hits)
        };
        let found: Vec<_> = std::thread::scope(|scope| {
            // A thread that the system refuses is done without.
            let start = |_| Builder::new().spawn_scoped(scope, || work(&|nodes| meter.spend(nodes))).ok();
            let others: Vec<_> = (0..more).filter_map(start).collect();
            let own = work(&|nodes| watch.spend(nodes));
            let others = others.into_iter().map(|thread| match thread.join() {
                Ok(found) => found,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            std::iter::once(own).chain(others).collect()
        });
        for (_, _, nodes, hits) in &found {
            engine.nodes += nodes;
            engine.hits += hits;
            *spent += nodes;
        }
        let solved = found.iter().find(|(root, ..)| root.is_solved());
        let (numbers, winning, ..) = solved.copied().unwrap_or(found[0]);
        (engine.root, engine.winning) = (numbers, winning);
        numbers
    }

    /// The same with one machine.
    fn search(
        &mut self,
        engine: &mut Engine<'_, P, E, R>,
        root: &P,
        watch: &Watch<'_>,
        spent: &mut u64,
    ) -> Numbers {
        let mut limits = match self.limits {
            Limits::Infinite => (INFINITE, INFINITE),
            Limits::Rising => (2, 2),
        };
        let stride = watch.meter.stride();
        loop {
            engine.start(root, limits, &self.table);
            let halt = loop {
                let table = &self.table;
                let halt = engine.run(table, |nodes| {
                    if nodes - *spent < stride {
                        return None;
                    }
                    let out = watch.spend(nodes - std::mem::replace(spent, nodes));
                    if out { Some(Halt::Out) } else { table.is_crowded().then_some(Halt::Crowded) }
                });
                if halt != Halt::Crowded {
                    break halt;
                }
                self.table.make_room();
            };
            engine.unwind(&self.table);
            let Numbers { pn, dn, .. } = engine.root;
            if halt == Halt::Out || engine.root.is_solved() {
                return engine.root;
            }
            limits = if pn <= dn { (pn + 1, dn) } else { (pn, dn + 1) };
        }
    }
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>, R: Rule> Prover<P> for TableSolver<P, E, R> {
    type Expertise = E;

    fn parts(&mut self) -> Option<(&mut Table, &mut Strategy, &E)> {
        Some((&mut self.table, &mut self.strategy, self.expertise.as_ref()?))
    }

    fn ask(
        &mut self,
        past: (Path, u32),
        root: &P,
        question: Question,
        expertise: &E,
        watch: &Watch<'_>,
    ) -> Finding {
        self.expertise = Some(expertise.clone());
        let (question, same) = of_first::<P>(question);
        let leaf = Leaf { question, initial: self.initial, expertise };
        let past_length = past.1;
        let mut engine = Engine::new(leaf, self.rule, self.counting, past);
        #[cfg(test)]
        {
            engine.naive = self.naive;
        }
        // Where positions come back, claims are trusted and then checked; a given past has to be taken as it is.
        engine.trusting = P::CYCLIC && past_length == Path::ROOT;
        #[cfg(test)]
        {
            engine.trusting &= !self.naive;
        }
        let mut spent = 0;
        // With a past, or a strict search of positions that come back, one thread is safe.
        let together = !P::CYCLIC || engine.trusting;
        let mut numbers = if together {
            self.search_together(&mut engine, root, watch, &mut spent)
        } else {
            self.search(&mut engine, root, watch, &mut spent)
        };
        for pass in 1.. {
            if !(engine.trusting && numbers.is_solved() && numbers.rests_on == TRUST) {
                break;
            }
            // The steps of a check are paid for like nodes, as it goes.
            let mut paid = 0;
            let pay = |steps| {
                paid += steps;
                watch.spend(steps)
            };
            let limit = self.check_limit.min(watch.meter.left());
            let check = claims::check(&self.table, &engine.leaf, root, numbers.pn == 0, limit, pay);
            engine.nodes += paid;
            spent += paid;
            let Some(check) = check else {
                engine.trusting = false;
                numbers = self.search(&mut engine, root, watch, &mut spent);
                break;
            };
            if check.holds() {
                numbers.rests_on = FREE;
                break;
            }
            engine.trusting = !check.circular && pass < MOST_PASSES;
            for position in check.missing {
                if engine.trusting && !watch.meter.is_out() {
                    self.search(&mut engine, &position, watch, &mut spent);
                }
            }
            numbers = self.search(&mut engine, root, watch, &mut spent);
        }
        watch.spend(engine.nodes - spent);
        self.winning = engine.winning;
        let peak = self.table.filled() as u64;
        let counts = Counts {
            nodes: engine.nodes,
            peak,
            hits: engine.hits,
            evaluations: 0,
            time: watch.meter.elapsed(),
        };
        Finding::new(numbers, engine.nodes, counts).unless(same)
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn winning(&self) -> Option<P::Move> {
        self.winning
    }
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>, R: Rule> Advisor<P> for TableSolver<P, E, R> {
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        strategy::advise(self, position, question)
    }
}
