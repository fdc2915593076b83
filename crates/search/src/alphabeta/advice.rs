//! Guesses before a proof, lines after it, and moves for certificates, out of the table; where the table has forgotten, the search is run again.
//!
//! Without cycles any move that keeps the yes will do. With cycles it must also get somewhere: where endless
//! play is not enough, a whole strategy is worked out at once, each of its positions with the plies in which
//! it ends at the latest, and kept. Later strategies stop where earlier ones begin, so the plies always fall.

use super::Solver;
use super::known::Known;
use super::worker::{Shared, Worker};
use crate::table::Table;
use endspiel_game::{
    Advisor, Bounds, Budget, Expertise, Goal, Meter, Question, Quiet, Symmetric, Task, TwoPlayer,
};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// What a guess before a proof may cost.
const GUESS_NODES: u64 = 50_000;
/// What a line after a proof may cost.
const LINE_NODES: u64 = 200_000;

/// A move whose result is a yes by static bounds or by the table alone.
pub(super) fn quick<P: TwoPlayer + Symmetric, E: Expertise<P>>(
    solver: &Solver<P, E>,
    expertise: &E,
    position: &P,
    question: Question,
) -> Option<P::Move> {
    let fold = solver.options.fold && position.symmetries() > 1;
    let mut found = None;
    expertise.candidates(position, |m| {
        if found.is_none() && is_yes(&solver.table, fold, expertise, &position.after(m), question) {
            found = Some(m);
        }
    });
    found
}

fn is_yes<P: TwoPlayer + Symmetric, E: Expertise<P>>(
    table: &Table,
    fold: bool,
    expertise: &E,
    position: &P,
    question: Question,
) -> bool {
    let Some(mover) = position.turn().player() else { return question.is_met_by(position.payoff()) };
    let own = mover == question.player;
    let yes = if P::CYCLIC {
        expertise.told(position, question) == Some(true)
    } else {
        let (low, high) = expertise.bounds(position);
        if own { low >= question.at_least } else { -high >= question.at_least }
    };
    yes || {
        let key = if fold { position.canonical_key() } else { position.key() };
        let known = table.probe(table.slot(key)).map_or(Known::NOTHING, Known::unpack);
        if own { known.low >= question.at_least } else { known.high.saturating_neg() >= question.at_least }
    }
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Solver<P, E> {
    /// About what the player to move gets: the first questions are asked around it. Where there are many scores,
    /// a shallow search pays for itself.
    pub(super) fn guess(&self, task: &Task<P, E>) -> i32 {
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

    /// A line in which both sides keep what is proven, as far as the table or a short search can tell.
    pub(super) fn line(&self, task: &Task<P, E>, bounds: Bounds) -> Vec<P::Move> {
        let root = task.root;
        let budget = Budget { stop: task.budget.stop.clone(), ..Budget::nodes(LINE_NODES) };
        self.with_worker(root, task.expertise, &budget.start(), |worker| {
            let mut position = root.clone();
            let (mut line, mut seen) = (Vec::new(), Vec::new());
            while let Some(player) = position.turn().player() {
                let at_least = if player == root.mover() { bounds.low } else { -bounds.high };
                let question = Question { player, at_least };
                seen.push(position.key());
                let found = quick(self, task.expertise, &position, question);
                let Some(m) = found.or_else(|| worker.advise(&position, question)) else { break };
                if worker.out {
                    break;
                }
                position.play(m);
                line.push(m);
                // What was computed before tells no move, so the line could go round there.
                let known = task.expertise.oracle().and_then(|oracle| oracle.bounds(&position));
                if P::CYCLIC && (known.is_some() || seen.contains(&position.key())) {
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

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Advisor<P> for Solver<P, E> {
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        let expertise = self.expertise.take()?;
        let quick = if P::CYCLIC { None } else { quick(self, &expertise, position, question) };
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

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Worker<'_, P, E> {
    /// A move that keeps a yes, found by searching.
    pub fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        let mut moves = Vec::new();
        let expertise = self.shared.expertise;
        expertise.candidates(position, |m| moves.push(m));
        moves.sort_by_key(|&m| std::cmp::Reverse(expertise.promise(position, m)));
        moves.into_iter().find(|&m| self.holds(&position.after(m), question))
    }
}

/// How to win a question by force in a game with cycles: for positions of the asking player a move and the
/// plies in which the end comes at the latest.
pub(super) struct Strategy<M> {
    question: Option<Question>,
    moves: HashMap<u64, (M, u32)>,
}

impl<M> Default for Strategy<M> {
    fn default() -> Self {
        Self { question: None, moves: HashMap::new() }
    }
}

/// What a search for a strategy has found out: for every position, in how many plies it can be forced, or
/// how deep it was searched in vain.
struct Force<M> {
    forced: HashMap<u64, (Option<M>, u32)>,
    failed: HashMap<u64, u32>,
    /// How many of both there is room for; without room for what is forced there is no advice.
    room: usize,
    full: bool,
}

impl<M: Copy> Strategy<M> {
    /// A move at a position of the asking player where the answer is yes.
    pub fn advise<P, E>(&mut self, worker: &mut Worker<P, E>, position: &P, question: Question) -> Option<M>
    where
        P: TwoPlayer<Move = M> + Symmetric,
        E: Expertise<P>,
    {
        if self.question != Some(question) {
            *self = Self { question: Some(question), moves: HashMap::new() };
        }
        if is_settled(position, question) {
            return position.move_list().first().copied();
        }
        if question.is_met_by(position.repeated()) {
            // Staying is enough: no need to get anywhere.
            let shared = worker.shared;
            let mut found = None;
            position.moves(|m| {
                let after = position.after(m);
                if found.is_none() && is_yes(shared.table, shared.fold, shared.expertise, &after, question) {
                    found = Some(m);
                }
            });
            return found.or_else(|| worker.advise(position, question));
        }
        let key = position.key();
        if !self.moves.contains_key(&key) && worker.holds(position, question) {
            // The notes of the search are gone by now: their memory is free for this.
            let room = worker.shared.notes.saturating_sub(self.moves.len());
            let mut force = Force { forced: HashMap::new(), failed: HashMap::new(), room, full: false };
            let mut depth = 1;
            while self.force(worker, &mut force, position, question, depth).is_none() {
                if force.full {
                    return None;
                }
                depth += 1;
            }
            self.adopt(&force, position, question);
        }
        self.moves.get(&key).map(|&(m, _)| m)
    }

    /// In how many plies the asking player can force the end he wants, looking `depth` plies ahead.
    fn force<P, E>(
        &self,
        worker: &mut Worker<P, E>,
        force: &mut Force<M>,
        position: &P,
        question: Question,
        depth: u32,
    ) -> Option<u32>
    where
        P: TwoPlayer<Move = M> + Symmetric,
        E: Expertise<P>,
    {
        if is_settled(position, question) || worker.shared.expertise.told(position, question) == Some(true) {
            return Some(0);
        }
        let own = position.turn().player()? == question.player;
        if question.is_met_by(position.repeated()) {
            // A part of the game in which staying is enough: getting there is all.
            return worker.holds(position, question).then_some(0);
        }
        let key = position.key();
        if let Some(&(_, plies)) = self.moves.get(&key) {
            return Some(plies);
        }
        if let Some(&(_, plies)) = force.forced.get(&key) {
            return Some(plies);
        }
        if force.full || depth == 0 || force.failed.get(&key).is_some_and(|&failed| failed >= depth) {
            return None;
        }
        if worker.is_no(position, question) {
            return None;
        }
        let mut best: Option<(Option<M>, u32)> = None;
        let mut missed = false;
        for m in position.move_list() {
            let after = position.after(m);
            match self.force(worker, force, &after, question, depth - 1) {
                Some(plies) if own => {
                    best = Some((Some(m), plies + 1));
                    break;
                }
                Some(plies) => best = Some((None, best.map_or(0, |(_, b)| b).max(plies + 1))),
                None if own => {}
                None => {
                    missed = true;
                    break;
                }
            }
        }
        match best {
            Some(found) if !missed => {
                force.full |= force.forced.len() >= force.room;
                force.forced.insert(key, found);
                (!force.full).then_some(found.1)
            }
            _ => {
                // What failed is only remembered to save time.
                if force.forced.len() + force.failed.len() < force.room {
                    force.failed.insert(key, depth);
                }
                None
            }
        }
    }

    /// Takes the part of what was found that answers every reply below `position`.
    fn adopt<P: TwoPlayer<Move = M>>(&mut self, force: &Force<M>, position: &P, question: Question) {
        let key = position.key();
        if is_settled(position, question) || self.moves.contains_key(&key) {
            return;
        }
        match force.forced.get(&key) {
            Some(&(Some(m), plies)) => {
                self.moves.insert(key, (m, plies));
                self.adopt(force, &position.after(m), question);
            }
            Some((None, _)) => {
                for m in position.move_list() {
                    self.adopt(force, &position.after(m), question);
                }
            }
            None => {}
        }
    }
}

/// Whatever is played from here on, the answer is yes.
fn is_settled<P: TwoPlayer>(position: &P, question: Question) -> bool {
    if position.turn().is_over() {
        question.is_met_by(position.payoff())
    } else {
        position.score_range_of(question.player).0 >= question.at_least
    }
}
