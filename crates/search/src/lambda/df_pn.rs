//! Lambda df-pn: threats of all orders in one search, the order chosen by proof numbers (Yoshizoe, Kishimoto and Müller,
//! *Lambda Depth-First Proof Number Search*, 2007).
//!
//! [df-pn](crate::proof_number::df_pn) on the game of `orders`: at every node the orders and, above them, all moves stand
//! beside each other, and the one whose proof looks cheapest is searched first. A table holds them all, so what one order
//! has found serves the others. Both players attack in turn, each with twice the nodes of the round before.
//!
//! ```
//! use endspiel_game::{Budget, Game, Goal, Outcome, Quiet, Rules, Task};
//! use endspiel_rules::qubic::Qubic;
//! use endspiel_search::lambda::{Options, df_pn::Solver};
//!
//! let root = Qubic.read("<0,3,12,17,33,50>").unwrap();
//! let budget = Budget::nodes(100_000);
//! let task = Task { root: &root, goal: Goal::Outcome, expertise: &Rules, budget: &budget, observer: &Quiet };
//! let mut solver = Solver::new(Options::default(), &budget);
//! assert_eq!(solver.solve(&task).bounds.outcome(), Some(Outcome::Win));
//! assert_eq!(solver.order(), Some(1));
//! ```

use super::orders::{ALL, Knowing, Ordered, Step};
use super::{DEEPEST, Options, at_once};
use crate::proof_number::{Initial, Verdict, df_pn};
use endspiel_game::{
    Advisor, Answer, Bounds, Budget, Expertise, Outcome, Player, Progress, Question, Symmetric, Task,
    TwoPlayer,
};

/// Nodes of the first round, and at most of one, so that there is a word on the way.
const ROUND: [u64; 2] = [1 << 10, 1 << 17];

/// Lambda df-pn with the table it keeps.
pub struct Solver<P: TwoPlayer + Symmetric, E> {
    options: Options,
    inner: df_pn::Solver<Ordered<P>, Knowing<E>>,
    order: Option<u32>,
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Solver<P, E> {
    /// A solver whose table stays within the budget's memory.
    pub fn new(options: Options, budget: &Budget) -> Self {
        let inner = df_pn::Options { initial: Initial::Effort, ..df_pn::Options::default() };
        Self { options, inner: df_pn::Solver::new(inner, budget), order: None }
    }

    /// The order of the win found last; none if it took all moves.
    pub fn order(&self) -> Option<u32> {
        self.order
    }

    /// Does the attacker win by moves of this order, or of a lower one? None if the budget does not tell.
    pub fn wins(
        &mut self,
        position: &P,
        attacker: Player,
        order: u32,
        expertise: &E,
        budget: &Budget,
    ) -> Option<bool> {
        let root = Ordered::new(position.clone(), attacker, order, self.options.most);
        let question = Question { player: attacker, at_least: 1 };
        match self.inner.prove(&root, question, &Knowing(expertise.clone()), &budget.start()).verdict {
            Verdict::Yes => Some(true),
            Verdict::No => Some(false),
            Verdict::Unknown => None,
        }
    }

    /// Who wins, as far as threats or a search of all moves tell.
    pub fn solve(&mut self, task: &Task<'_, P, E>) -> Answer<P::Move> {
        let meter = task.budget.start();
        let (mover, mut answer) = (task.root.mover(), Answer::open(task.root));
        self.order = None;
        if task.root.turn().is_over() {
            answer.bounds = Bounds::exactly(task.root.payoff().of(mover));
            return answer;
        }
        let expertise = Knowing(task.expertise.clone());
        let mut open = vec![mover, mover.other()];
        let mut share = ROUND[0];
        while answer.bounds.outcome().is_none() && !open.is_empty() && !meter.spend(0) {
            open.retain(|&attacker| {
                let question = Question { player: attacker, at_least: 1 };
                let known = if attacker == mover { answer.bounds.high < 1 } else { answer.bounds.low > -1 };
                if known || answer.bounds.outcome().is_some() || meter.is_out() {
                    return !known;
                }
                let doing = format!("threats of the {attacker}");
                task.observer.progress(&Progress {
                    doing: &doing,
                    nodes: meter.nodes(),
                    depth: None,
                    share: None,
                    bounds: answer.bounds,
                    estimate: None,
                    line: &[],
                });
                let part = Budget {
                    nodes: Some(share.min(meter.left())),
                    time: task.budget.time.map(|time| time.saturating_sub(meter.elapsed())),
                    ..task.budget.clone()
                };
                let root = self.root(task.root, attacker);
                let found = self.inner.prove(&root, question, &expertise, &part.start());
                meter.spend(found.counts.nodes);
                answer.counts.nodes += found.counts.nodes;
                answer.counts.hits += found.counts.hits;
                answer.counts.peak = answer.counts.peak.max(found.counts.peak);
                let yes = match found.verdict {
                    Verdict::Yes => true,
                    // Without all moves it proves nothing that there is no win.
                    Verdict::No if self.options.all => false,
                    Verdict::No => return false,
                    Verdict::Unknown => return true,
                };
                answer.bounds = answer.bounds.with(mover, question, yes).without_draws::<P>();
                if yes {
                    self.order = self.next(task.root, question).map(|(order, _)| order).filter(|&o| o != ALL);
                }
                false
            });
            share = (2 * share).min(ROUND[1]);
        }
        answer.line = self.line(task.root, answer.bounds);
        answer.counts.time = meter.elapsed();
        answer
    }

    fn root(&self, position: &P, attacker: Player) -> Ordered<P> {
        let order = if self.options.all { ALL } else { self.options.most };
        Ordered::new(position.clone(), attacker, order, self.options.most)
    }

    /// The move of a win that the table knows, with its order.
    fn next(&mut self, position: &P, question: Question) -> Option<(u32, P::Move)> {
        if P::CYCLIC || position.turn().player()? != question.player {
            return None;
        }
        if let Some(m) = at_once(position, question) {
            return Some((0, m));
        }
        let mut state = self.root(position, question.player);
        loop {
            match self.inner.advise(&state, question)? {
                Step::Play(m) => return Some((state.order(), m)),
                Step::Lower => {
                    let order = if state.order() == ALL { self.options.most } else { state.order() - 1 };
                    state = Ordered::new(position.clone(), question.player, order, self.options.most);
                }
                Step::Pass | Step::Answer | Step::GiveUp => return None,
            }
        }
    }

    /// The winner's moves against replies that do not lose at once where there are such.
    fn line(&mut self, root: &P, bounds: Bounds) -> Vec<P::Move> {
        let winner = match bounds.outcome() {
            Some(Outcome::Win) => root.mover(),
            Some(Outcome::Loss) => root.mover().other(),
            _ => return Vec::new(),
        };
        let question = Question { player: winner, at_least: 1 };
        let (mut position, mut line) = (root.clone(), Vec::new());
        while let Some(player) = position.turn().player().filter(|_| line.len() < DEEPEST as usize) {
            let next = if player == winner {
                self.next(&position, question).map(|(_, m)| m)
            } else {
                let replies = position.move_list();
                let holds = |&&m: &&P::Move| {
                    let after = position.after(m);
                    after.turn().player() == Some(winner) && at_once(&after, question).is_none()
                };
                replies.iter().find(holds).or(replies.first()).copied()
            };
            let Some(m) = next else { break };
            position.play(m);
            line.push(m);
        }
        line
    }
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Advisor<P> for Solver<P, E> {
    /// In games with cycles moves of different orders may lead round: there is no advice.
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        if question.at_least == 1 { self.next(position, question).map(|(_, m)| m) } else { None }
    }
}
