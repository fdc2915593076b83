//! A game's own prover, and the method for any game beside it: in turn, each round with twice the nodes of the last.

use crate::entry::Listed;
use crate::methods::Runner;
use endspiel_expertise::gomoku;
use endspiel_game::{Advisor, Answer, Budget, Expertise, Observer, Progress, Question, Task};
use endspiel_rules::gomoku::GomokuPosition;
use std::time::Instant;

/// Makes a game's own prover for a position; none where it does not know the rules.
pub(crate) type Specialist<P, E> = fn(&P) -> Option<Box<dyn Runner<P, E>>>;

/// The other method begins with so many nodes.
const FIRST: u64 = 1_000;
/// A node of the own prover takes a tenth of the time of another method's or less, so it gets so many times the nodes.
const MORE: u64 = 16;
/// What is said of a proof by the game's own prover.
pub(crate) const OWN: (&str, &str) =
    ("threats", "proof numbers over wins by threats, gone through against every legal reply");

/// The prover of go-moku.
pub(crate) fn threats<E: Expertise<GomokuPosition<4>>>(
    root: &GomokuPosition<4>,
) -> Option<Box<dyn Runner<GomokuPosition<4>, E>>> {
    gomoku::Solver::knows(root.rule()).then(|| Box::<gomoku::Solver>::default() as _)
}

/// A game's own prover, and another method beside it.
pub(crate) struct Beside<P: Listed, E: Expertise<P>> {
    own: Box<dyn Runner<P, E>>,
    other: Box<dyn Runner<P, E>>,
    found: bool,
}

impl<P: Listed, E: Expertise<P>> Beside<P, E> {
    /// Of the memory the own prover takes a quarter; `other` makes the other method, with the rest.
    pub(crate) fn new(
        own: Box<dyn Runner<P, E>>,
        budget: &Budget,
        other: impl FnOnce(&Budget) -> Box<dyn Runner<P, E>>,
    ) -> Self {
        let rest = Budget { memory: budget.memory - budget.memory / 4, ..budget.clone() };
        Self { own, other: other(&rest), found: false }
    }
}

impl<P: Listed, E: Expertise<P>> Runner<P, E> for Beside<P, E> {
    fn solve(&mut self, task: &Task<'_, P, E>) -> Answer<P::Move> {
        let (begun, budget) = (Instant::now(), task.budget);
        let mut answer = Answer::open(task.root);
        // Who ends before the nodes do has nothing more to try.
        let mut done = [false; 2];
        for nodes in (0..).map(|round| FIRST << round.min(40)) {
            for (i, share) in [(0, 2), (1, 1)] {
                let spent = answer.counts.nodes;
                let time = budget.time.map(|t| t.saturating_sub(begun.elapsed()));
                let left = budget.nodes.map(|n| n.saturating_sub(spent));
                let out = time.is_some_and(|t| t.is_zero()) || left == Some(0) || budget.stop.asked();
                if out || done == [true; 2] {
                    return answer;
                }
                if done[i] {
                    continue;
                }
                let nodes = if i == 0 { nodes * MORE } else { nodes };
                let part = left.map_or(nodes, |left| nodes.min(left.div_ceil(share)));
                let memory = if i == 0 { budget.memory / 4 } else { budget.memory - budget.memory / 4 };
                let time = time.map(|t| t / share as u32);
                let round = Budget { nodes: Some(part), time, memory, ..budget.clone() };
                let observer = Onward { to: task.observer, spent };
                let (runner, started) =
                    (if i == 0 { &mut self.own } else { &mut self.other }, Instant::now());
                let found = runner.solve(&Task { budget: &round, observer: &observer, ..*task });
                let is_late = time.is_some_and(|t| started.elapsed() >= t);
                done[i] = found.counts.nodes < part / 2 && !is_late;
                let bounds = answer.bounds.and(found.bounds);
                let mut counts = found.counts;
                counts.nodes += spent;
                counts.time = begun.elapsed();
                answer = Answer { bounds, counts, ..found };
                if bounds.decide(task.goal) {
                    self.found = i == 0;
                    return answer;
                }
            }
        }
        answer
    }

    fn is_specialist(&self) -> bool {
        self.found
    }
}

impl<P: Listed, E: Expertise<P>> Advisor<P> for Beside<P, E> {
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        if self.found { self.own.advise(position, question) } else { self.other.advise(position, question) }
    }
}

/// Adds what was spent before.
struct Onward<'a, M> {
    to: &'a dyn Observer<M>,
    spent: u64,
}

impl<M: Clone + Sync> Observer<M> for Onward<'_, M> {
    fn progress(&self, progress: &Progress<'_, M>) {
        self.to.progress(&Progress { nodes: progress.nodes + self.spent, ..progress.clone() });
    }
}
