//! Lambda search: wins by threats of a given order (Thomsen, *Lambda-Search in Game Trees*, 2000).
//!
//! A win of order 0 is a move that reaches the goal. A move of order n is one after which, were the defender to pass,
//! a win of a lower order follows; the defender's replies that count are those that leave no win of a lower order. A
//! win of order n needs nothing but such moves. So checks and fours are moves of order 1, threes of order 2. What is
//! found is a proof, whether the game knows a pass or not: every reply was looked at. What is not found proves
//! nothing, so beside the orders runs a search of *all* moves, which ends in small games.
//!
//! Orders take turns, each with twice the nodes of the round before, and deepen by two plies. A table keeps wins for
//! ever and failures by depth. Cost: the moves of a node, each with a search of the order below. [`df_pn`] looks for the
//! same wins, led by proof numbers.
//!
//! ```
//! use endspiel_game::{Budget, Game, Goal, Outcome, Quiet, Rules, Task};
//! use endspiel_rules::qubic::Qubic;
//! use endspiel_search::lambda::{Options, Solver};
//!
//! // Three corners of a plane in which the other has no stone: a win by eleven plies of threats.
//! let root = Qubic.read("<0,3,12,17,33,50>").unwrap();
//! let budget = Budget::nodes(100_000);
//! let task = Task { root: &root, goal: Goal::Outcome, expertise: &Rules, budget: &budget, observer: &Quiet };
//! let mut solver = Solver::new(Options::default(), &budget);
//! assert_eq!(solver.solve(&task).bounds.outcome(), Some(Outcome::Win));
//! assert_eq!(solver.order(), Some(1));
//! ```

use endspiel_game::{
    Advisor, Answer, Bounds, Budget, Expertise, Meter, Outcome, Player, Progress, Question, Symmetric, Task,
    TwoPlayer,
};
use orders::ALL;
use std::collections::HashMap;

pub mod df_pn;
mod orders;
#[cfg(test)]
mod tests;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The highest order.
    pub most: u32,
    /// Are all moves searched beside the orders? Without it nothing is ever disproved.
    pub all: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { most: 3, all: true }
    }
}

/// Nobody looks further ahead, in plies.
const DEEPEST: u32 = 160;
/// Nodes of the first round.
const FIRST: u64 = 256;
/// What an entry of the table takes, with the empty ones.
const ENTRY_BYTES: usize = 64;

/// What a search of one order says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// A win.
    Yes,
    /// There is none, whatever is played: said by the search of all moves alone.
    No,
    /// There is none of this order, however deep one looks.
    Never,
    /// None was found so far.
    Open,
}

#[derive(Clone, Copy, Debug)]
enum Entry<M> {
    /// A win, with its first move.
    Won(M),
    /// None with so many plies.
    Failed(u32),
    /// None ever; for all moves, a disproof.
    Never,
}

/// Lambda search with the table it keeps.
pub struct Solver<P: TwoPlayer, E> {
    options: Options,
    most_entries: usize,
    table: HashMap<(u64, u32, Question), Entry<P::Move>>,
    expertise: Option<E>,
    nodes: u64,
    hits: u64,
    order: Option<u32>,
    plies: Option<u32>,
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Solver<P, E> {
    /// A solver whose table stays within the budget's memory.
    pub fn new(options: Options, budget: &Budget) -> Self {
        let most_entries = budget.memory / ENTRY_BYTES;
        Self {
            options,
            most_entries,
            table: HashMap::new(),
            expertise: None,
            nodes: 0,
            hits: 0,
            order: None,
            plies: None,
        }
    }

    /// The order of the win found last; none if it took all moves.
    pub fn order(&self) -> Option<u32> {
        self.order
    }

    /// The plies within which it was found.
    pub fn plies(&self) -> Option<u32> {
        self.plies
    }

    /// Who wins, as far as threats or a search of all moves tell.
    pub fn solve(&mut self, task: &Task<'_, P, E>) -> Answer<P::Move> {
        let meter = task.budget.start();
        let (mover, mut answer) = (task.root.mover(), Answer::open(task.root));
        self.expertise = Some(task.expertise.clone());
        (self.nodes, self.hits, self.order, self.plies) = (0, 0, None, None);
        if task.root.turn().is_over() {
            answer.bounds = Bounds::exactly(task.root.payoff().of(mover));
            return answer;
        }
        let mut attacks: Vec<Attack> = [mover, mover.other()]
            .into_iter()
            .map(|player| Question { player, at_least: 1 })
            .flat_map(|question| {
                self.orders().into_iter().map(move |order| Attack { question, order, depth: 1, over: false })
            })
            .collect();
        let mut share = FIRST;
        while !meter.is_out() && attacks.iter().any(|attack| !attack.over) {
            for attack in attacks.iter_mut().filter(|attack| !attack.over) {
                if answer.bounds.outcome().is_some() {
                    break;
                }
                let said = format!("threats of the {}", attack.question.player);
                task.observer.progress(&Progress {
                    doing: &said,
                    nodes: meter.nodes(),
                    depth: Some(attack.depth),
                    share: None,
                    bounds: answer.bounds,
                    estimate: None,
                    line: &[],
                });
                self.attack(task.root, attack, share, &meter, &mut answer.bounds);
            }
            if answer.bounds.outcome().is_some() {
                break;
            }
            share *= 2;
        }
        answer.line = self.line(task.root, answer.bounds);
        answer.counts.nodes = self.nodes;
        answer.counts.hits = self.hits;
        answer.counts.peak = self.table.len() as u64;
        answer.counts.time = meter.elapsed();
        answer
    }

    /// The orders in turn, and all moves at the end.
    fn orders(&self) -> Vec<u32> {
        (1..=self.options.most).chain(self.options.all.then_some(ALL)).collect()
    }

    /// Goes on with one order until its share of nodes is used up.
    fn attack(&mut self, root: &P, attack: &mut Attack, share: u64, meter: &Meter, bounds: &mut Bounds) {
        let &mut Attack { question, order, .. } = attack;
        // What is known already need not be asked.
        let known = if question.player == root.mover() { bounds.high < 1 } else { bounds.low > -1 };
        attack.over |= known;
        let last = self.nodes + share;
        while !attack.over {
            let mut search = Search { solver: self, question, meter, last, unspent: 0, ended: false };
            let found = search.wins(root, order, attack.depth);
            let ended = search.finish();
            match found {
                Found::Yes | Found::No => {
                    *bounds = bounds.with(root.mover(), question, found == Found::Yes).without_draws::<P>();
                    if found == Found::Yes {
                        (self.order, self.plies) =
                            (Some(order).filter(|&order| order != ALL), Some(attack.depth));
                    }
                    attack.over = true;
                }
                _ if ended => return,
                Found::Never => attack.over = true,
                Found::Open => {
                    attack.depth += 2;
                    attack.over = attack.depth > DEEPEST;
                }
            }
        }
    }

    /// Does the attacker win by moves of this order, or of a lower one, within so many plies?
    pub fn wins(&mut self, position: &P, attacker: Player, order: u32, depth: u32, expertise: &E) -> bool {
        self.expertise = Some(expertise.clone());
        let (question, meter) = (Question { player: attacker, at_least: 1 }, Budget::default().start());
        let mut search =
            Search { solver: self, question, meter: &meter, last: u64::MAX, unspent: 0, ended: false };
        search.wins(position, order, depth) == Found::Yes
    }

    /// The moves of an order from 1 on, as deep as so many plies: of the attacker, those that threaten a win of a lower
    /// order; of the defender, those that leave none.
    pub fn moves(
        &mut self,
        position: &P,
        attacker: Player,
        order: u32,
        depth: u32,
        expertise: &E,
    ) -> Vec<P::Move> {
        let attacks = position.mover() == attacker;
        let mut counts = |m: P::Move| {
            let after = position.after(m);
            let seen = if attacks && !after.turn().is_over() { after.turned() } else { Some(after) };
            seen.is_some_and(|p| {
                self.wins(&p, attacker, order.saturating_sub(1), depth, expertise) == attacks
            })
        };
        position.move_list().into_iter().filter(|&m| counts(m)).collect()
    }

    /// The winner's moves that the table remembers, against the first replies that it knows answers to.
    fn line(&self, root: &P, bounds: Bounds) -> Vec<P::Move> {
        let winner = match bounds.outcome() {
            Some(Outcome::Win) => root.mover(),
            Some(Outcome::Loss) => root.mover().other(),
            _ => return Vec::new(),
        };
        let question = Question { player: winner, at_least: 1 };
        let (mut position, mut line) = (root.clone(), Vec::new());
        while let Some(player) = position.turn().player().filter(|_| line.len() < DEEPEST as usize) {
            let next = if player == winner {
                self.kept(&position, question)
            } else {
                position.move_list().into_iter().find(|&m| self.kept(&position.after(m), question).is_some())
            };
            let Some(m) = next else { break };
            position.play(m);
            line.push(m);
        }
        line
    }

    /// The first move of a win that the table remembers, or one that ends the game.
    fn kept(&self, position: &P, question: Question) -> Option<P::Move> {
        if position.turn().player()? != question.player {
            return None;
        }
        let kept = self.orders().into_iter().find_map(|order| {
            match self.table.get(&(position.key(), order, question)) {
                Some(Entry::Won(m)) => Some(*m),
                _ => None,
            }
        });
        kept.or_else(|| at_once(position, question))
    }
}

/// A move of the attacker's, who is to move, that ends the game as he wants it.
fn at_once<P: TwoPlayer>(position: &P, question: Question) -> Option<P::Move> {
    let mut found = position.winning_move(None);
    if found.is_none() {
        position.moves(|m| {
            if found.is_none() {
                let after = position.after(m);
                found = (after.turn().is_over() && question.is_met_by(after.payoff())).then_some(m);
            }
        });
    }
    found
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Advisor<P> for Solver<P, E> {
    /// In games with cycles moves kept at different depths may lead round: there is no advice.
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        if P::CYCLIC || question.at_least != 1 { None } else { self.kept(position, question) }
    }
}

/// An order, how deep it has come, and whether it is done with.
struct Attack {
    question: Question,
    order: u32,
    depth: u32,
    over: bool,
}

struct Search<'a, P: TwoPlayer, E> {
    solver: &'a mut Solver<P, E>,
    question: Question,
    meter: &'a Meter,
    /// The share ends at this node.
    last: u64,
    unspent: u64,
    ended: bool,
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Search<'_, P, E> {
    /// Tells the meter of what is left to tell; did the nodes end?
    fn finish(&mut self) -> bool {
        self.ended |= self.meter.spend(std::mem::take(&mut self.unspent));
        self.ended
    }

    fn spend(&mut self) {
        self.solver.nodes += 1;
        self.unspent += 1;
        self.ended |= self.solver.nodes >= self.last;
        if self.unspent >= self.meter.stride() {
            self.finish();
        }
    }

    /// Does the attacker win by moves of this order within so many plies, whoever is to move?
    fn wins(&mut self, position: &P, order: u32, depth: u32) -> Found {
        let Some(mover) = position.turn().player() else {
            return if self.question.is_met_by(position.payoff()) { Found::Yes } else { Found::No };
        };
        if let Some(expertise) = &self.solver.expertise {
            let (low, high) = expertise.bounds(position);
            let (low, high) = if mover == self.question.player { (low, high) } else { (-high, -low) };
            if low >= self.question.at_least || high < self.question.at_least {
                return if low >= self.question.at_least { Found::Yes } else { Found::No };
            }
        }
        if depth == 0 || self.ended {
            return Found::Open;
        }
        if mover == self.question.player {
            self.attack(position, order, depth)
        } else {
            self.hold(position, order, depth)
        }
    }

    /// The attacker is to move.
    fn attack(&mut self, position: &P, order: u32, depth: u32) -> Found {
        let key = (position.key(), order, self.question);
        match self.solver.table.get(&key) {
            Some(Entry::Won(_)) => {
                self.solver.hits += 1;
                return Found::Yes;
            }
            Some(Entry::Never) => {
                self.solver.hits += 1;
                return if order == ALL { Found::No } else { Found::Never };
            }
            Some(&Entry::Failed(plies)) if plies >= depth => {
                self.solver.hits += 1;
                return Found::Open;
            }
            _ => {}
        }
        self.spend();
        // 1. A move that reaches the goal.
        if let Some(m) = at_once(position, self.question) {
            if order > 0 {
                self.keep(key, Entry::Won(m));
            }
            return Found::Yes;
        }
        if order == 0 {
            return Found::Never;
        }
        // 2. Lower orders, the lowest first.
        let mut never = true;
        if order != ALL && order > 1 {
            match self.wins(position, order - 1, depth) {
                Found::Yes => {
                    let first = self.solver.table.get(&(key.0, order - 1, key.2)).copied();
                    if let Some(Entry::Won(m)) = first {
                        self.keep(key, Entry::Won(m));
                    }
                    return Found::Yes;
                }
                Found::No => return Found::No,
                found => never &= found == Found::Never,
            }
        }
        // 3. Moves of this order, each against all replies.
        for m in self.candidates(position) {
            let found = self.threat(&position.after(m), order, depth);
            if found == Found::Yes {
                self.keep(key, Entry::Won(m));
                return Found::Yes;
            }
            never &= found != Found::Open;
            if self.ended {
                return Found::Open;
            }
        }
        self.keep(key, if never { Entry::Never } else { Entry::Failed(depth) });
        match (never, order) {
            (true, ALL) => Found::No,
            (true, _) => Found::Never,
            _ => Found::Open,
        }
    }

    /// Does a move that led here win, as one of this order?
    fn threat(&mut self, after: &P, order: u32, depth: u32) -> Found {
        if after.turn().is_over() || order == ALL {
            return self.wins(after, order, depth - 1);
        }
        if after.turn().player() != Some(self.question.player) {
            // If the defender passes, a win of a lower order follows.
            let Some(passed) = after.turned() else { return Found::Never };
            match self.wins(&passed, order - 1, depth.saturating_sub(2)) {
                Found::Yes => {}
                Found::No => return Found::Never,
                found => return found,
            }
        }
        self.wins(after, order, depth - 1)
    }

    /// The defender is to move: does the attacker win against every reply?
    fn hold(&mut self, position: &P, order: u32, depth: u32) -> Found {
        self.spend();
        let mut worst = Found::Yes;
        for reply in self.candidates(position) {
            match self.wins(&position.after(reply), order, depth - 1) {
                Found::Yes => {}
                Found::Open => worst = Found::Open,
                found => return found,
            }
            // What was not looked at may refute it. Of all moves a later reply may disprove it; of an order one is enough.
            if self.ended || worst == Found::Open && order != ALL {
                return Found::Open;
            }
        }
        worst
    }

    fn candidates(&self, position: &P) -> Vec<P::Move> {
        let mut moves = Vec::new();
        match &self.solver.expertise {
            Some(expertise) => expertise.candidates(position, |m| moves.push(m)),
            None => position.moves(|m| moves.push(m)),
        }
        moves
    }

    fn keep(&mut self, key: (u64, u32, Question), entry: Entry<P::Move>) {
        let table = &mut self.solver.table;
        if table.len() < self.solver.most_entries || table.contains_key(&key) {
            table.insert(key, entry);
        }
    }
}
