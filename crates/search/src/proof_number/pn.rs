//! Proof-number search on an explicit tree (Allis, van der Meulen, van den Herik 1994).
//!
//! Again and again the *most-proving node*, which lies in a smallest proof set and in a smallest disproof
//! set, is developed, and the numbers above it are brought up to date. An ancestor whose numbers did not
//! change is the *current node*: updating stops and the next selection starts there. A node takes 26 bytes
//! and its move; solved subtrees are deleted. Repetition is judged on each path by itself, so a tree knows
//! no graph-history error.

use super::answer::{self, Watch};
use super::history::Path;
use super::leaf::{Initial, Leaf};
use super::numbers::{ENDLESS, Finding, Numbers};
use super::strategy::{self, Prover, Strategy, of_first};
use super::table::{Entry, Table, Value, key_of};
use super::tree::{NIL, State, Tree};
use endspiel_game::{
    Advisor, Answer, Budget, Counts, Expertise, Meter, Position, Question, Symmetric, Task, TwoPlayer,
};
use std::cell::RefCell;

/// When a node is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// When it is created.
    #[default]
    Immediate,
    /// When it is selected: worth it where branching varies much and evaluation is slow.
    Delayed,
}

/// Choices of pn-search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The first numbers of leaves.
    pub initial: Initial,
    /// When nodes are evaluated.
    pub evaluation: Evaluation,
    /// Are solved subtrees deleted?
    pub delete_solved: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { initial: Initial::Mobility, evaluation: Evaluation::Immediate, delete_solved: true }
    }
}

/// The share of the memory that keeps proven moves for certificates.
pub(crate) const KEPT_SHARE: usize = 8;

/// Pn-search with the tree and the proven moves it keeps.
pub struct Solver<P: TwoPlayer, E> {
    options: Options,
    budget: Budget,
    search: Search<P>,
    kept: RefCell<Table>,
    strategy: Strategy,
    expertise: Option<E>,
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Solver<P, E> {
    /// A solver whose tree and table stay within the budget's memory.
    pub fn new(options: Options, budget: &Budget) -> Self {
        let kept = budget.memory / KEPT_SHARE;
        let search = Search::new(options, (budget.memory - kept) / Tree::<P::Move>::NODE_BYTES);
        let (budget, strategy) = (budget.clone(), Strategy::default());
        Self { options, budget, search, kept: RefCell::new(Table::new(kept)), strategy, expertise: None }
    }

    /// Answers a question as far as the meter lets it.
    pub fn prove(&mut self, root: &P, question: Question, expertise: &E, meter: &Meter) -> Finding {
        self.ask(Path::none(), root, question, expertise, &Watch::quiet(meter))
    }

    /// Decides the task's goal by as many questions as it takes.
    pub fn solve(&mut self, task: &Task<'_, P, E>) -> Answer<P::Move> {
        answer::solve(self, task)
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
        let mut spent = 0;
        let stride = watch.meter.stride();
        let numbers = self.search.run(
            root,
            &leaf,
            &mut |position: &P, around: &Around<'_>| leaf.guess(position, around.depth),
            &self.kept,
            past,
            &mut |created| {
                created - spent >= stride && watch.spend(created - std::mem::replace(&mut spent, created))
            },
        );
        let created = self.search.created;
        watch.spend(created - spent);
        let peak = self.search.tree.peak() as u64;
        let counts = Counts {
            nodes: created,
            peak,
            evaluations: created,
            time: watch.meter.elapsed(),
            ..Counts::default()
        };
        Finding::new(numbers, self.search.developments, counts).unless(same)
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn winning(&self) -> Option<P::Move> {
        self.search.winning
    }
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Advisor<P> for Solver<P, E> {
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        strategy::advise(self, position, question)
    }
}

/// Where a leaf stands.
pub(crate) struct Around<'a> {
    pub depth: u32,
    /// Nodes in the tree now.
    pub live: usize,
    /// The positions above it, its parent included.
    pub path: &'a Path,
}

struct Step<P> {
    position: P,
    node: u32,
    key: u64,
}

/// The search itself: one tree and the path to the current node.
pub(crate) struct Search<P: Position> {
    pub tree: Tree<P::Move>,
    steps: Vec<Step<P>>,
    path: Path,
    options: Options,
    limit: usize,
    /// The depth of the root: positions above it are on the path too.
    base: u32,
    pub created: u64,
    pub developments: u64,
    /// The move that decided the root, if its mover wins the question.
    pub winning: Option<P::Move>,
    /// Start each selection at the root, not at the current node: the same nodes, more slowly.
    #[cfg(test)]
    pub from_root: bool,
    /// The keys of the nodes developed, in order.
    #[cfg(test)]
    pub developed: Vec<u64>,
}

impl<P: TwoPlayer + Symmetric> Search<P> {
    /// A search whose tree holds at most `limit` nodes.
    pub fn new(options: Options, limit: usize) -> Self {
        Self {
            tree: Tree::new(limit, options.delete_solved),
            steps: Vec::new(),
            path: Path::default(),
            options,
            limit,
            base: 0,
            created: 0,
            developments: 0,
            winning: None,
            #[cfg(test)]
            from_root: false,
            #[cfg(test)]
            developed: Vec::new(),
        }
    }

    /// Changes how many nodes the tree may hold from the next run on.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Searches until the root is solved, the tree is full, or `stop` says so after so many nodes created.
    ///
    /// `guess` gives the numbers of a leaf that neither the rules nor sound bounds decide. Proven moves that
    /// hold on every path go to `kept`. `path` holds the positions that led to the root, which stands at depth
    /// `base`; none of them is the root.
    pub fn run<E: Expertise<P>>(
        &mut self,
        root: &P,
        leaf: &Leaf<'_, E>,
        guess: &mut impl FnMut(&P, &Around<'_>) -> Numbers,
        kept: &RefCell<Table>,
        (path, base): (Path, u32),
        stop: &mut impl FnMut(u64) -> bool,
    ) -> Numbers {
        (self.created, self.developments, self.winning) = (1, 0, None);
        (self.path, self.base) = (path, base);
        self.steps.clear();
        let mut first = None;
        root.moves(|m| first = first.or(Some(m)));
        let Some(any) = first else {
            return leaf.known(root).unwrap_or(Numbers::open(1, 1));
        };
        let or = leaf.is_or(root);
        let node = self.tree.reset(self.limit, any, or, Numbers::open(1, 1));
        if node == NIL {
            return Numbers::open(1, 1);
        }
        self.enter(root.clone(), node, leaf);
        while !self.tree.numbers(node).is_solved() && !stop(self.created) {
            self.select(leaf);
            if !self.develop(leaf, guess) {
                break;
            }
            self.update(leaf, kept);
        }
        self.tree.numbers(node)
    }

    /// The depth of the next step.
    fn depth(&self) -> u32 {
        self.base + self.steps.len() as u32
    }

    fn enter<E: Expertise<P>>(&mut self, position: P, node: u32, leaf: &Leaf<'_, E>) {
        let key = if P::CYCLIC { key_of(&position, leaf.question) } else { 0 };
        if P::CYCLIC {
            self.path.push(key, self.depth());
        }
        self.steps.push(Step { position, node, key });
    }

    /// Walks down from the current node to the most-proving node.
    fn select<E: Expertise<P>>(&mut self, leaf: &Leaf<'_, E>) {
        #[cfg(test)]
        while self.from_root && self.steps.len() > 1 {
            self.leave();
        }
        while let Some(top) = self.steps.last() {
            if self.tree.node(top.node).state != State::Expanded {
                break;
            }
            let child = self.tree.select(top.node);
            let position = top.position.after(self.tree.node(child).m);
            self.enter(position, child, leaf);
        }
    }

    fn leave(&mut self) {
        if let Some(step) = self.steps.pop()
            && P::CYCLIC
        {
            self.path.pop(step.key, self.depth());
        }
    }

    /// Evaluates the node at the end of the path if that is still to be done, and gives it its children.
    /// False if there is no room for them.
    fn develop<E: Expertise<P>>(
        &mut self,
        leaf: &Leaf<'_, E>,
        guess: &mut impl FnMut(&P, &Around<'_>) -> Numbers,
    ) -> bool {
        let Some(top) = self.steps.last() else { return false };
        let (parent, depth) = (top.node, self.depth());
        if self.tree.node(parent).state == State::Unseen {
            self.tree.node_mut(parent).state = State::Leaf;
            if let Some(known) = self.judge(&top.position, depth - 1, leaf) {
                self.tree.set(parent, known);
                return true;
            }
        }
        self.developments += 1;
        #[cfg(test)]
        self.developed.push(top.position.key());
        self.tree.expand(parent);
        let (mut last, mut room) = (NIL, true);
        let position = top.position.clone();
        leaf.expertise.candidates(&position, |m| {
            if !room {
                return;
            }
            let child = position.after(m);
            let or = leaf.is_or(&child);
            let (state, numbers) = match self.options.evaluation {
                Evaluation::Delayed => (State::Unseen, Numbers::open(1, 1)),
                Evaluation::Immediate => {
                    let around = Around { depth, live: self.tree.live(), path: &self.path };
                    let known = self.judge(&child, depth, leaf);
                    (State::Leaf, known.unwrap_or_else(|| guess(&child, &around)))
                }
            };
            self.created += 1;
            match self.tree.add(m, or, state, numbers) {
                None => room = false,
                Some(node) if last == NIL => (self.tree.node_mut(parent).child, last) = (node, node),
                Some(node) => (self.tree.node_mut(last).sibling, last) = (node, node),
            }
        });
        room
    }

    /// Decided by the end of the game, by sound bounds, or by a repetition of a position less deep.
    fn judge<E: Expertise<P>>(&self, position: &P, depth: u32, leaf: &Leaf<'_, E>) -> Option<Numbers> {
        let known = leaf.known(position);
        if !P::CYCLIC || known.is_some() {
            return known;
        }
        let before = self.path.depth_of(key_of(position, leaf.question)).filter(|&d| d < depth)?;
        Some(Numbers::solved(leaf.repeated(position), ENDLESS, before))
    }

    /// Brings the numbers up to date from the end of the path up to the first node that does not change.
    fn update<E: Expertise<P>>(&mut self, leaf: &Leaf<'_, E>, kept: &RefCell<Table>) {
        while let Some(top) = self.steps.last() {
            let (node, depth) = (top.node, self.depth() - 1);
            let before = (self.tree.node(node).pn, self.tree.node(node).dn);
            let mut changed = true;
            if self.tree.node(node).state == State::Expanded {
                let winning = self.tree.update(node);
                let after = self.tree.numbers(node);
                changed = before != (after.pn, after.dn);
                if let Some(m) = winning {
                    if depth == self.base {
                        self.winning = Some(m);
                    }
                    if after.rests_on >= depth {
                        keep(kept, leaf, &top.position, m, after);
                    }
                }
            }
            if !changed || depth == self.base {
                return;
            }
            self.leave();
        }
    }
}

/// Remembers a proven move of the winner.
fn keep<P, E>(kept: &RefCell<Table>, leaf: &Leaf<'_, E>, position: &P, m: P::Move, numbers: Numbers)
where
    P: TwoPlayer + Symmetric,
    E: Expertise<P>,
{
    let value = Value::Solved { yes: numbers.pn == 0, height: numbers.height };
    let hint = key_of(&position.after(m), leaf.question) as u16;
    let mut kept = kept.borrow_mut();
    kept.store(key_of(position, leaf.question), &Entry { value, hint, depth: 0, work: numbers.height });
    kept.make_room();
}
