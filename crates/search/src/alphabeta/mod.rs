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
//! The loop of a proof is here, in `Worker::test`: does the player to move get at least `beta`? It returns a bound
//! that answers, often better than asked (fail-soft). The table keeps both bounds of a position, so that the
//! questions of one goal help each other. Order is the expertise's and the last cut's; a history of moves made
//! connect-four, m,n,k and Othello slower. Proofs with cycles loop in `cyclic`, looks to a horizon in `estimate`.
//!
//! [`Position::repeated`]: endspiel_game::Position::repeated

mod advice;
mod cyclic;
mod estimate;
mod known;
mod order;
mod value;
mod worker;

use crate::mtdf::mtdf;
use crate::question;
use crate::table::{Slot, Table, worth_of};
use endspiel_game::{
    Answer, Bounds, Budget, Counts, Distance, Expertise, Goal, Offer, Question, Stop, Symmetric, Task, Turn,
    TwoPlayer,
};
use known::Known;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64};
use worker::{Child, Shared, Worker, race};

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
#[expect(clippy::struct_excessive_bools, reason = "each may be chosen without the others")]
pub struct Options {
    /// What to search for.
    pub mode: Mode,
    /// Name positions by their canonical image in proofs, where the board has symmetries.
    pub fold: bool,
    /// Prove a score by MTD(f) instead of by questions around a guess.
    pub mtdf: bool,
    /// Search late moves less deep when estimating: farther and less exact.
    pub selective: bool,
    /// When estimating, deepen on after a decision until no sooner win is left to find.
    pub shortest: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { mode: Mode::Prove, fold: true, mtdf: false, selective: false, shortest: true }
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

const BUSY_PLACES: usize = 4096;

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

    /// The table, for the curious.
    pub fn table(&self) -> &Table {
        &self.table
    }
}

/// On these plies a thread leaves to another what it is at, and looks whether another has answered for it.
/// Before them it joins: to guess that a move there will not cut costs too much where it does.
const BUSY_PLIES: Range<u32> = 4..24;

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Worker<'_, P, E> {
    /// A bound on what the player to move gets that answers `question`.
    pub fn prove(&mut self, root: &P, question: Question) -> i32 {
        let (own, beta) = match root.turn().player() {
            None => return root.payoff().of(root.mover()),
            Some(mover) if mover == question.player => (true, question.at_least),
            Some(_) => (false, 1 - question.at_least),
        };
        if P::CYCLIC {
            let yes = self.decide(root, question);
            if yes == own { beta } else { beta - 1 }
        } else {
            self.test_root(root, beta)
        }
    }

    /// Is the answer to `question` yes?
    pub fn holds(&mut self, position: &P, question: Question) -> bool {
        let bound = self.prove(position, question);
        if question.player == position.mover() {
            bound >= question.at_least
        } else {
            -bound >= question.at_least
        }
    }

    /// The answer for a root: its static bounds are looked at first.
    fn test_root(&mut self, root: &P, beta: i32) -> i32 {
        self.path.clear();
        self.taken = None;
        let Some(mover) = root.turn().player() else { return root.payoff().of(root.mover()) };
        let (low, high) = self.static_bounds(root, Some(mover), mover);
        if low >= beta {
            return low;
        }
        if high < beta {
            return high;
        }
        self.test(root, self.slot(root), beta, 0)
    }

    /// Leaves a small position to the expertise.
    #[inline]
    fn finish(&mut self, position: &P, beta: i32) -> Option<i32> {
        let mut nodes = 0;
        let bound = self.shared.expertise.finish(position, beta, &mut nodes);
        self.count_more(nodes);
        bound
    }

    /// Does the player to move get at least `beta`? The game is not over, and its static bounds do not tell.
    fn test(&mut self, position: &P, slot: Slot, beta: i32, ply: u32) -> i32 {
        // 1. Count; a search that is out of budget unwinds with a value nobody reads.
        self.count();
        if self.out {
            return beta - 1;
        }
        if let Some(bound) = self.finish(position, beta) {
            return bound;
        }
        let begun = self.nodes;
        // 2. What the table knows.
        let table = self.shared.table;
        let mut known = Known::NOTHING;
        if let Some(data) = table.probe(slot) {
            known = Known::unpack(data);
            if known.low >= beta {
                self.hits += 1;
                return known.low;
            }
            if known.high < beta {
                self.hits += 1;
                return known.high;
            }
        }
        // 3. The children: those that static bounds decide cut, or count and go.
        let base = self.stack.len();
        let mover = position.mover();
        let mut best = i32::MIN;
        let mut number = 0u8;
        let mut all_small = true;
        let expertise = self.shared.expertise;
        expertise.offers(position, beta, |offer| {
            if offer.low >= beta {
                best = offer.low;
                return ControlFlow::Break(());
            }
            if offer.high < beta {
                best = best.max(offer.high);
            } else {
                let again = offer.position.turn() == Turn::Player(mover);
                all_small &= expertise.is_small(&offer.position);
                let slot = self.slot(&offer.position);
                let hint = i64::from(number == known.cut) << 60;
                let rank = hint + (i64::from(offer.promise) << 24);
                let Offer { position, m, .. } = offer;
                self.stack.push(Child { position, m, slot, rank, place: 0, number, again });
            }
            number = number.saturating_add(1);
            ControlFlow::Continue(())
        });
        if best >= beta {
            self.stack.truncate(base);
            return best;
        }
        // 4. Enhanced transposition cut-off: does the table decide one of the children?
        if self.stack.len() > base + 1 && !all_small && self.sizes.is_large(ply) {
            let mut i = base;
            while i < self.stack.len() {
                let child = &self.stack[i];
                let there = table.probe(child.slot).map_or(Known::NOTHING, Known::unpack);
                let (low, high) = if child.again {
                    (there.low, there.high)
                } else {
                    (there.high.saturating_neg(), there.low.saturating_neg())
                };
                if low >= beta {
                    self.hits += 1;
                    self.stack.truncate(base);
                    return low;
                }
                if high < beta {
                    best = best.max(high);
                    self.stack.remove(i);
                } else {
                    i += 1;
                }
            }
        }
        // 5. The promising ones first.
        self.sort_children(base);
        // 6. Search; leave what another thread is at for a second round.
        let end = self.stack.len();
        let together = ply < BUSY_PLIES.end && !self.shared.busy.is_empty();
        let share = together && ply >= BUSY_PLIES.start && self.sizes.is_shared(ply);
        let mut cut = Known::NO_CUT;
        let mut left: u64 = 0;
        'rounds: for round in 0..2 {
            for i in base..end {
                let bit = 1u64 << (i - base).min(63);
                if round == 1 && left & bit == 0 {
                    continue;
                }
                if share && round == 0 && i > base && i - base < 63 && self.is_busy(self.stack[i].slot.key())
                {
                    left |= bit;
                    continue;
                }
                let child = self.stack[i].clone();
                if share {
                    self.mark_busy(child.slot.key(), child.slot.key());
                }
                if together {
                    self.path.truncate(ply as usize);
                    self.path.push((slot, beta));
                }
                let value = if child.again {
                    self.test(&child.position, child.slot, beta, ply + 1)
                } else {
                    -self.test(&child.position, child.slot, 1 - beta, ply + 1)
                };
                if share {
                    self.mark_busy(child.slot.key(), 0);
                }
                if self.out {
                    self.stack.truncate(base);
                    return self.take_over(ply).unwrap_or(beta - 1);
                }
                best = best.max(value);
                if value >= beta {
                    cut = child.number;
                    break 'rounds;
                }
            }
            if left == 0 {
                break;
            }
        }
        self.stack.truncate(base);
        // 7. Keep the better bound.
        if best >= beta {
            known = Known { low: known.low.max(best), cut, ..known };
        } else {
            known.high = known.high.min(best);
        }
        let worth = worth_of(self.nodes - begun + 1);
        self.sizes.add(ply, worth);
        table.store(slot, known.pack(), worth);
        best
    }
}

#[cfg(test)]
mod tests;
