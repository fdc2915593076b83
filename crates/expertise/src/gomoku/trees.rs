//! A win by fours and threes told as a tree, with every reply that upsets the fours to come; by any rule, renju too.
//!
//! [`Threes`] finds the attacker's moves; here its search is made again after every reply that it had to meet.

use super::board::Board;
use super::fours::Limit;
use super::threes::{Replies, Threes};
use endspiel_game::{Counter, Plan, Player};

/// A win, how it is played, and the defender's fours on the way.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub plan: Plan<usize>,
    pub counters: Vec<Counter<usize>>,
    /// In so many positions he made one.
    pub positions: usize,
}

impl Tree {
    /// A sequence of fours and their answers in turn; none without a move.
    pub fn direct(board: &mut Board, attacker: Player, line: &[usize]) -> Option<Self> {
        let moves: Vec<_> = line.chunks(2).map(|pair| (pair[0], pair[1..].to_vec())).collect();
        let counters = counters(board, attacker, line);
        let positions = counters.len();
        Some(Self { plan: Plan::of(moves)?, counters, positions })
    }

    /// Goes on so after a reply, which may have made a four.
    fn add(&mut self, board: &Board, defender: Player, reply: usize, next: Self) {
        if !board.fives(defender).is_empty() {
            self.counters.push(Counter { after: 1, threat: reply, answer: next.plan.attack });
            self.positions += 1;
        }
        let later = |counter: Counter<usize>| Counter { after: counter.after + 2, ..counter };
        self.counters.extend(next.counters.into_iter().map(later));
        self.positions += next.positions;
        self.plan.add(reply, next.plan);
    }
}

/// The answers to fours that make fours themselves, which the next ones of the attacker's meet.
fn counters(board: &mut Board, attacker: Player, line: &[usize]) -> Vec<Counter<usize>> {
    let mut found = Vec::new();
    let player = |i: usize| if i.is_multiple_of(2) { attacker } else { attacker.other() };
    for (i, &cell) in line.iter().enumerate() {
        board.place(cell, player(i));
        let threatens = i % 2 == 1 && !board.fives(attacker.other()).is_empty();
        if let Some(&answer) = line.get(i + 1).filter(|_| threatens) {
            found.push(Counter { after: i, threat: cell, answer });
        }
    }
    for (i, &cell) in line.iter().enumerate().rev() {
        board.remove(cell, player(i));
    }
    found
}

impl Threes {
    /// How the attacker, to move, wins by fours and at most `depth` threes in a row; none where there is no such win, or
    /// none is found with so many nodes for each position.
    pub(crate) fn tree(
        &mut self,
        board: &mut Board,
        attacker: Player,
        depth: u32,
        nodes: u64,
    ) -> Option<Tree> {
        let cell = self.win(board, attacker, depth, &mut Limit::nodes(nodes))?;
        if let Some(win) = self.fours.attack(board, attacker, &mut Limit::nodes(nodes)) {
            return Tree::direct(board, attacker, &win.line);
        }
        board.place(cell, attacker);
        let tree = self.told(board, attacker, cell, depth, nodes);
        board.remove(cell, attacker);
        tree
    }

    /// The same after this move of the attacker's.
    fn told(
        &mut self,
        board: &mut Board,
        attacker: Player,
        cell: usize,
        depth: u32,
        nodes: u64,
    ) -> Option<Tree> {
        let defender = attacker.other();
        let plan = Plan { attack: cell, then: Vec::new() };
        let mut tree = Tree { plan, counters: Vec::new(), positions: 0 };
        let Replies { cells, line } = self.replies(board, attacker, &mut Limit::nodes(nodes))?;
        let left = if line.is_empty() { depth } else { depth - 1 };
        for reply in cells.iter().filter(|&reply| board.allows(defender, reply)).collect::<Vec<_>>() {
            board.place(reply, defender);
            if let Some(next) = self.tree(board, attacker, left, nodes) {
                tree.add(board, defender, reply, next);
                board.remove(reply, defender);
            } else {
                board.remove(reply, defender);
                return None;
            }
        }
        // Nothing upsets the fours: one reply stands for all.
        if tree.plan.then.is_empty()
            && !line.is_empty()
            && let Some(reply) = board.empty().iter().find(|&reply| board.allows(defender, reply))
        {
            board.place(reply, defender);
            if let Some(next) = Tree::direct(board, attacker, &line) {
                tree.add(board, defender, reply, next);
            }
            board.remove(reply, defender);
        }
        Some(tree)
    }

    /// Does a plan that was made elsewhere win here, against every reply? What it does not foresee must be met by fours or by
    /// one of its continuations.
    pub(crate) fn follows(
        &mut self,
        board: &mut Board,
        attacker: Player,
        plan: &Plan<usize>,
        limit: &mut Limit,
    ) -> bool {
        let (cell, must) = (plan.attack, *board.fives(attacker.other()));
        if board.fives(attacker).contains(cell) {
            return true;
        }
        let free = must.is_empty() || must.len() == 1 && must.contains(cell);
        if !free || !board.is_empty(cell) || !board.allows(attacker, cell) || limit.spend().is_none() {
            return false;
        }
        board.place(cell, attacker);
        let replies = self.replies(board, attacker, limit);
        let wins = replies.is_some_and(|replies| {
            replies.cells.iter().all(|reply| self.meets(board, attacker, reply, plan, limit))
        });
        board.remove(cell, attacker);
        wins
    }

    /// Does a plan meet a reply, if that is allowed?
    fn meets(
        &mut self,
        board: &mut Board,
        attacker: Player,
        reply: usize,
        plan: &Plan<usize>,
        limit: &mut Limit,
    ) -> bool {
        let defender = attacker.other();
        if !board.allows(defender, reply) {
            return true;
        }
        board.place(reply, defender);
        let foreseen = plan.then.iter().find(|(replies, _)| replies.contains(&reply));
        let meets = foreseen.is_some_and(|(_, next)| self.follows(board, attacker, next, limit))
            || self.fours.win(board, attacker, limit).is_some()
            || plan.then.iter().any(|(_, next)| self.follows(board, attacker, next, limit));
        board.remove(reply, defender);
        meets
    }
}
