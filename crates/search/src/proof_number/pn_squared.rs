//! PN²-search: pn-search whose leaves are evaluated by a second pn-search (Allis 1994, section 2.3.2).
//!
//! The second search of a leaf may be as large as the first tree is at that moment and is then thrown away, so
//! a first tree of n nodes stands for about n²/2 nodes searched, and never more than about 2n are held. Breuker (1998) lets the second search start small and grow
//! with a logistic share of the first tree.

use super::answer::{self, Watch};
use super::history::Path;
use super::leaf::{Initial, Leaf};
use super::numbers::Finding;
use super::pn::{self, Around, KEPT_SHARE, Search};
use super::strategy::{self, Prover, Strategy, of_first};
use super::table::Table;
use super::tree::Tree;
use endspiel_game::{
    Advisor, Answer, Budget, Counts, Expertise, Meter, Question, Symmetric, Task, TwoPlayer,
};
use std::cell::RefCell;

/// How large a second search may become, as a share of the first tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Share {
    /// As large as the first tree.
    Whole,
    /// 1 / (1 + e^((middle - n) / width)) of a first tree of n nodes.
    Logistic {
        /// Where the share is one half.
        middle: f64,
        /// How gently it rises.
        width: f64,
    },
}

impl Share {
    /// The most nodes of a second search when the first tree has `first`.
    fn of(self, first: usize) -> usize {
        match self {
            Self::Whole => first,
            Self::Logistic { middle, width } => {
                let n = first as f64;
                (n / (1.0 + ((middle - n) / width).exp())).ceil() as usize
            }
        }
    }
}

/// Choices of PN²-search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The first numbers of leaves of the second search.
    pub initial: Initial,
    /// How large a second search may become.
    pub share: Share,
}

impl Default for Options {
    fn default() -> Self {
        Self { initial: Initial::Mobility, share: Share::Whole }
    }
}

/// Children are created all at once: room for them beyond a limit.
const SLACK: usize = 4096;

/// PN²-search with both trees and the proven moves it keeps.
pub struct Solver<P: TwoPlayer, E> {
    options: Options,
    budget: Budget,
    first: Search<P>,
    second: Search<P>,
    kept: RefCell<Table>,
    strategy: Strategy,
    expertise: Option<E>,
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Solver<P, E> {
    /// A solver whose trees and table stay within the budget's memory.
    pub fn new(options: Options, budget: &Budget) -> Self {
        let kept = budget.memory / KEPT_SHARE;
        let nodes = (budget.memory - kept) / Tree::<P::Move>::NODE_BYTES;
        let tree = pn::Options { initial: options.initial, ..pn::Options::default() };
        Self {
            options,
            budget: budget.clone(),
            first: Search::new(tree, nodes.saturating_sub(SLACK) / 2),
            second: Search::new(tree, 0),
            kept: RefCell::new(Table::new(kept)),
            strategy: Strategy::default(),
            expertise: None,
        }
    }

    /// Answers a question as far as the meter lets it. Nodes of both levels are counted; the peak is the most
    /// nodes both trees held together.
    pub fn prove(&mut self, root: &P, question: Question, expertise: &E, meter: &Meter) -> Finding {
        self.ask(Path::none(), root, question, expertise, &Watch::quiet(meter))
    }

    /// Decides the task's goal by as many questions as it takes.
    pub fn solve(&mut self, task: &Task<'_, P, E>) -> Answer<P::Move> {
        answer::solve(self, task)
    }

    /// Nodes of the first level in the last search.
    pub fn first_level(&self) -> u64 {
        self.first.created
    }
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Prover<P> for Solver<P, E> {
    type Expertise = E;

    fn parts(&mut self) -> Option<(&mut Table, &mut Strategy, &E)> {
        Some((self.kept.get_mut(), &mut self.strategy, self.expertise.as_ref()?))
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
        let leaf = Leaf { question, initial: self.options.initial, expertise };
        let (second, kept, share) = (&mut self.second, &self.kept, self.options.share);
        let (mut below, mut developments, mut peak) = (0, 0, 0);
        let mut evaluate = |position: &P, around: &Around<'_>| {
            if watch.meter.is_out() {
                return leaf.guess(position, around.depth);
            }
            let limit = share.of(around.live);
            second.set_limit(limit + SLACK);
            let path = if P::CYCLIC { around.path.clone() } else { Path::default() };
            let guess = &mut |position: &P, around: &Around<'_>| leaf.guess(position, around.depth);
            let (mut spent, stride) = (0, watch.meter.stride());
            let found = second.run(position, &leaf, guess, kept, (path, around.depth), &mut |created| {
                let due = created - spent >= stride;
                created >= limit as u64
                    || due && watch.spend(created - std::mem::replace(&mut spent, created))
            });
            watch.spend(second.created - spent);
            below += second.created;
            developments += second.developments;
            peak = peak.max(around.live + second.tree.peak());
            found
        };
        let numbers = self.first.run(root, &leaf, &mut evaluate, kept, past, &mut |_| watch.meter.is_out());
        let counts = Counts {
            nodes: below + self.first.created,
            peak: peak as u64,
            evaluations: self.first.created,
            time: watch.meter.elapsed(),
            hits: 0,
        };
        Finding::new(numbers, developments + self.first.developments, counts).unless(same)
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn winning(&self) -> Option<P::Move> {
        self.first.winning
    }
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Advisor<P> for Solver<P, E> {
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        strategy::advise(self, position, question)
    }
}
