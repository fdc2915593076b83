//! From questions to an answer: the driver that all solvers of this module share.

use super::history::{Keys, Path};
use super::numbers::{Finding, Verdict};
use super::strategy::{Prover, kept_move, of_first};
use super::table::{Value, key_of};
use crate::question;
use endspiel_game::{
    Answer, Bounds, Distance, Expertise, Meter, Outcome, Player, Progress, Question, Symmetric, Task,
    TwoPlayer,
};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// The meter of a search, and who is told of its progress.
pub(crate) struct Watch<'a> {
    pub meter: &'a Meter,
    report: Option<&'a dyn Fn()>,
    last: Cell<Instant>,
}

impl<'a> Watch<'a> {
    /// Nobody is told.
    pub fn quiet(meter: &'a Meter) -> Self {
        Self { meter, report: None, last: Cell::new(Instant::now()) }
    }

    /// Spends nodes; says whether the budget is used up. Reports a few times a second.
    pub fn spend(&self, nodes: u64) -> bool {
        if let Some(report) = self.report
            && self.last.get().elapsed() >= Duration::from_millis(250)
        {
            self.last.set(Instant::now());
            report();
        }
        self.meter.spend(nodes)
    }
}

/// Asks until the goal is decided or the budget is used up.
pub(crate) fn solve<P, E, S>(solver: &mut S, task: &Task<'_, P, E>) -> Answer<P::Move>
where
    P: TwoPlayer + Symmetric,
    E: Expertise<P>,
    S: Prover<P, Expertise = E>,
{
    let meter = task.budget.start();
    let mut answer = Answer::open(task.root);
    let mover = task.root.mover();
    let guess = if E::EVALUATES { task.expertise.evaluate(task.root) / 1000 } else { 0 };
    let mut bounds = answer.bounds;
    if task.root.turn().is_over() {
        bounds = Bounds::exactly(task.root.payoff().of(mover));
    }
    while let Some(question) = question::next(mover, bounds, task.goal, guess) {
        let doing = format!("does the {} get at least {}?", question.player, question.at_least);
        let report = || {
            let (nodes, line) = (meter.nodes(), &[][..]);
            let doing = doing.as_str();
            task.observer.progress(&Progress {
                doing,
                nodes,
                depth: None,
                share: None,
                bounds,
                estimate: None,
                line,
            });
        };
        let watch = Watch { report: Some(&report), ..Watch::quiet(&meter) };
        let found = solver.ask(Path::none(), task.root, question, task.expertise, &watch);
        answer.counts.peak = answer.counts.peak.max(found.counts.peak);
        answer.counts.hits += found.counts.hits;
        answer.counts.evaluations += found.counts.evaluations;
        answer.counts.nodes += found.counts.nodes;
        let yes = match found.verdict {
            Verdict::Yes => true,
            Verdict::No => false,
            Verdict::Unknown => break,
        };
        bounds = bounds.with(mover, question, yes).without_draws::<P>();
        if S::Expertise::KEEPS_DISTANCE {
            answer.distance = distance(question, yes, &found).or(answer.distance);
        }
    }
    answer.bounds = bounds;
    answer.line = line(solver, task.root, bounds);
    answer.counts.time = meter.elapsed();
    answer
}

/// A proof that somebody wins says how long that takes at most.
fn distance(question: Question, yes: bool, found: &Finding) -> Option<Distance> {
    let somebody_wins = if yes { question.at_least >= 1 } else { question.at_least <= 0 };
    let plies = found.height.filter(|_| somebody_wins)?;
    Some(Distance { plies, exact: false })
}

/// The line of play that the table remembers: moves that keep what is proven; where the loser moves, the
/// reply with the longest proof.
fn line<P, S>(solver: &mut S, root: &P, bounds: Bounds) -> Vec<P::Move>
where
    P: TwoPlayer + Symmetric,
    S: Prover<P>,
{
    let mover = root.mover();
    let share = match bounds.outcome() {
        Some(_) if bounds.low == bounds.high => bounds.low,
        Some(Outcome::Win) => bounds.low.max(1),
        Some(Outcome::Loss) => bounds.high.min(-1),
        _ => return Vec::new(),
    };
    let mut position = root.clone();
    let mut seen = Keys::default();
    let mut line = Vec::new();
    while let Some(player) = position.turn().player() {
        if !seen.insert(position.key()) {
            break;
        }
        let hopes =
            |player: Player| Question { player, at_least: if player == mover { share } else { -share } };
        let (question, yes) = of_first::<P>(hopes(player));
        let kept = kept_move(solver, &position, question, yes, false);
        // Who has something to keep and does not remember how plays nothing.
        let least = hopes(player).at_least;
        let loses = least <= position.score_range_of(player).0 || bounds.low < bounds.high && least < 0;
        let resisting = || loses.then(|| resist(solver, &position, hopes(player.other()))).flatten();
        let Some(m) = kept.or_else(resisting) else { break };
        position.play(m);
        line.push(m);
    }
    line
}

/// The move after which the other side's proof is the longest.
fn resist<P, S>(solver: &mut S, position: &P, question: Question) -> Option<P::Move>
where
    P: TwoPlayer + Symmetric,
    S: Prover<P>,
{
    let (question, yes) = of_first::<P>(question);
    let (table, ..) = solver.parts()?;
    let height = |m: P::Move| {
        let child = position.after(m);
        if child.turn().is_over() {
            return Some(0);
        }
        match table.probe(key_of(&child, question))?.value {
            Value::Solved { yes: there, height } if there == yes => Some(height),
            _ => None,
        }
    };
    let known = position.move_list().into_iter().filter_map(|m| Some((height(m)?, m)));
    known.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, m)| m)
}
