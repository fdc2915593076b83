//! One driver for the best-first methods: grow, count, report, conclude.

use super::store::Store;
use crate::advice::Advice;
use endspiel_game::{
    Advisor, Answer, Budget, Counts, Distance, Estimate, Expertise, Progress, Question, Task, TwoPlayer,
};
use std::marker::PhantomData;
use std::time::Duration;

/// A best-first method: how its tree begins, which leaf it grows, and what it concludes.
pub trait Method<P: TwoPlayer, E: Expertise<P>>: Sized {
    /// How it behaves.
    type Options: Clone;
    /// What it keeps of a node.
    type Data: Clone;

    /// A tree of the root alone.
    fn plant(options: &Self::Options, task: &Task<'_, P, E>, memory: usize) -> Self;

    /// Grows the leaf that matters most and says how many nodes that made. None when the goal is reached or
    /// there is no room.
    fn grow(&mut self, expertise: &E) -> Option<usize>;

    /// Its tree.
    fn store(&self) -> &Store<P, Self::Data>;

    /// The child that its player would choose; none below a leaf.
    fn choice(&self, node: usize) -> Option<usize>;

    /// What is proven of the root: bounds of the first player, in units of the goal.
    fn bounds(&self) -> (i32, i32) {
        (self.store().nodes[0].low, self.store().nodes[0].high)
    }

    /// What is guessed of the root beyond that, for the player to move.
    fn estimate(&self) -> Option<Estimate> {
        None
    }

    /// How far the end is, where that is known.
    fn distance(&self) -> Option<Distance> {
        None
    }
}

/// The child that its player would choose, but a proven win is not given up for the hope of a higher one.
fn chosen<P: TwoPlayer, E: Expertise<P>, S: Method<P, E>>(search: &S, node: usize) -> Option<usize> {
    let nodes = &search.store().nodes;
    let sure = |child: &usize| if nodes[node].maximise { nodes[*child].low } else { -nodes[*child].high };
    let choice = search.choice(node)?;
    let safest = nodes[node].children().rev().max_by_key(sure)?;
    Some(if sure(&safest) > 0 && sure(&choice) <= 0 { safest } else { choice })
}

/// A method with its options and the tree of its last search.
pub struct Solver<P: TwoPlayer, E: Expertise<P>, S: Method<P, E>> {
    options: S::Options,
    memory: usize,
    last: Option<S>,
    advice: Option<Advice<P::Move>>,
    expertise: PhantomData<E>,
}

impl<P: TwoPlayer, E: Expertise<P>, S: Method<P, E>> Solver<P, E, S> {
    /// A solver whose tree takes at most the memory of `budget`.
    pub fn new(options: S::Options, budget: &Budget) -> Self {
        Self { options, memory: budget.memory, last: None, advice: None, expertise: PhantomData }
    }

    /// Grows the tree until the method's goal is reached or the budget is used up. Nodes are those made.
    pub fn solve(&mut self, task: &Task<'_, P, E>) -> Answer<P::Move> {
        const PAUSE: Duration = Duration::from_millis(250);
        let meter = task.budget.start();
        let mover = task.root.mover();
        self.advice = None;
        let search = self.last.insert(S::plant(&self.options, task, self.memory));
        let (mut made, mut next) = (0, PAUSE);
        if !task.root.turn().is_over() {
            while let Some(count) = search.grow(task.expertise) {
                made += count as u64;
                if made < meter.stride() {
                    continue;
                }
                if meter.spend(std::mem::take(&mut made)) {
                    break;
                }
                if meter.elapsed() >= next {
                    next = meter.elapsed() + PAUSE;
                    let store = search.store();
                    task.observer.progress(&Progress {
                        doing: "growing the tree",
                        nodes: meter.nodes(),
                        depth: None,
                        share: None,
                        bounds: store.units.payoffs(mover, search.bounds()),
                        estimate: search.estimate(),
                        line: &store.line(|node| chosen(search, node)),
                    });
                }
            }
        }
        meter.spend(made);
        let store = search.store();
        let mut answer = Answer::open(task.root);
        answer.bounds = store.units.payoffs(mover, search.bounds());
        answer.estimate = search.estimate().filter(|_| answer.bounds.low < answer.bounds.high);
        answer.distance = search.distance();
        answer.line = store.line(|node| chosen(search, node));
        answer.counts = Counts {
            nodes: meter.nodes(),
            peak: store.nodes.len() as u64,
            time: meter.elapsed(),
            ..Counts::default()
        };
        answer
    }

    /// The tree of the last search.
    pub(super) fn search(&self) -> Option<&S> {
        self.last.as_ref()
    }
}

impl<P: TwoPlayer, E: Expertise<P>, S: Method<P, E>> Advisor<P> for Solver<P, E, S> {
    /// Looks into the tree of the last search; in games with cycles it does not tell, since its proofs hold
    /// for the path they were found on.
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        let store = self.last.as_ref()?.store();
        let advice = self.advice.get_or_insert_with(|| {
            let mut advice = Advice::new(store.units);
            advice.gather(store.root(), |node, each| {
                for child in store.nodes[node].children() {
                    let n = &store.nodes[child];
                    if let Some(m) = n.m {
                        each(child, m, (n.low, n.high));
                    }
                }
            });
            advice
        });
        advice.advise(position, question)
    }
}
