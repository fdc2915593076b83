//! Winning by fours alone: every move of the attacker's makes a four, every reply is forced.
//!
//! The search is complete for such sequences and each of its findings is exact, in renju too as far as the sequence
//! goes: Black makes no four where he may not play, and where Black may not fill the gap but has another move White has
//! won. Positions that
//! failed are remembered by their hash; a false match could lose a win, never invent one.
//!
//! Cost: two stones put and two taken back a node.

use super::board::{Board, Cells};
use endspiel_game::{Player, Stop};
use endspiel_rules::gomoku::Rule;
use std::time::Instant;

/// When a search has to end: after so many nodes, at a time, or when asked.
#[derive(Clone, Debug)]
pub struct Limit {
    left: u64,
    deadline: Option<Instant>,
    stop: Stop,
    /// Nodes until the clock is looked at again.
    unseen: u32,
}

impl Limit {
    /// After so many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { left: nodes, deadline: None, stop: Stop::default(), unseen: 0 }
    }

    /// Also at a time, and when asked to.
    #[must_use]
    pub fn until(self, deadline: Option<Instant>, stop: &Stop) -> Self {
        Self { deadline, stop: stop.clone(), ..self }
    }

    /// Takes a node; none if the limit is reached.
    #[inline]
    pub fn spend(&mut self) -> Option<()> {
        if self.unseen == 0 {
            self.unseen = 128;
            if self.stop.asked() || self.deadline.is_some_and(|at| Instant::now() >= at) {
                self.left = 0;
            }
        }
        self.unseen -= 1;
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    /// Is it reached?
    pub fn is_reached(&self) -> bool {
        self.left == 0
    }

    /// How many nodes are left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// At most so many nodes of these.
    #[must_use]
    pub fn part(&self, nodes: u64) -> Self {
        Self { left: self.left.min(nodes), ..self.clone() }
    }
}

/// A win by fours: the attacker's moves and the replies in turn, and where the defender had to play before it began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// Attack, reply, attack, and so on, up to the five or to a four that cannot be met.
    pub line: Vec<usize>,
    /// The empty cells on which a stone of the defender's could upset it: those of the sequence, and those on which
    /// he would, at some time of it, make a four.
    pub zone: Cells,
}

/// Searches for wins by fours.
#[derive(Clone, Debug)]
pub struct Fours {
    failed: Vec<u64>,
    line: Vec<u16>,
    /// Fours made so far.
    pub nodes: u64,
}

impl Fours {
    /// Room for `1 << bits` positions that failed.
    pub fn new(bits: u32) -> Self {
        Self { failed: vec![0; 1 << bits], line: Vec::new(), nodes: 0 }
    }

    /// Does the attacker, to move, win by fours? None where it is not so or not found within the limit.
    pub fn win(&mut self, board: &mut Board, attacker: Player, limit: &mut Limit) -> Option<usize> {
        self.line.clear();
        if self.search(board, attacker, limit) { self.line.last().map(|&cell| cell as usize) } else { None }
    }

    /// The same with the whole sequence and its zone.
    pub fn attack(&mut self, board: &mut Board, attacker: Player, limit: &mut Limit) -> Option<Win> {
        self.win(board, attacker, limit)?;
        let line: Vec<usize> = self.line.iter().rev().map(|&cell| cell as usize).collect();
        let (defender, mut zone) = (attacker.other(), Cells::EMPTY);
        for (i, &cell) in line.iter().enumerate() {
            if i % 2 == 0 {
                zone |= *board.fours(defender);
            }
            zone.insert(cell);
            board.place(cell, if i % 2 == 0 { attacker } else { defender });
            zone |= *board.fives(attacker);
        }
        for (i, &cell) in line.iter().enumerate().rev() {
            board.remove(cell, if i % 2 == 0 { attacker } else { defender });
        }
        let taken = *board.stones(attacker) | *board.stones(defender);
        Some(Win { line, zone: zone.without(taken) })
    }

    /// Does a sequence of fours win here too, move by move? What was found in one position is so tried in another.
    pub fn repeats(board: &mut Board, attacker: Player, line: &[usize]) -> bool {
        let [cell, rest @ ..] = line else { return false };
        let (cell, defender) = (*cell, attacker.other());
        if board.fives(attacker).contains(cell) {
            return true;
        }
        let must = *board.fives(defender);
        let free = must.is_empty() || must.len() == 1 && must.contains(cell);
        if !free || !board.is_empty(cell) || !board.allows(attacker, cell) {
            return false;
        }
        board.place(cell, attacker);
        let gaps = *board.fives(attacker);
        let wins = match gaps.lowest() {
            None => false,
            Some(gap) if gaps.len() > 1 || !board.allows(defender, gap) => can_move(board, defender, gap),
            Some(gap) => {
                board.place(gap, defender);
                let wins = rest.first() == Some(&gap) && Self::repeats(board, attacker, &rest[1..]);
                board.remove(gap, defender);
                wins
            }
        };
        board.remove(cell, attacker);
        wins
    }

    fn search(&mut self, board: &mut Board, attacker: Player, limit: &mut Limit) -> bool {
        let defender = attacker.other();
        // 1. A five; it is never forbidden.
        if let Some(cell) = board.fives(attacker).lowest() {
            self.line.push(cell as u16);
            return true;
        }
        // 2. The defender's four must be met, and two cannot be.
        let mut cells = *board.fours(attacker);
        let must = *board.fives(defender);
        if let Some(cell) = must.lowest() {
            cells = if must.len() == 1 { cells & must } else { Cells::EMPTY };
            debug_assert!(board.is_empty(cell));
        }
        if cells.is_empty() || limit.spend().is_none() {
            return false;
        }
        // 3. What failed before.
        let key = board.key() ^ u64::from(attacker.0);
        let place = key as usize & (self.failed.len() - 1);
        if self.failed[place] == key {
            return false;
        }
        // 4. Fours that win at once first, then every four and its answer.
        let straight = cells & *board.straights(attacker);
        for cell in straight.iter().chain(cells.without(straight).iter()) {
            if !board.allows(attacker, cell) {
                continue;
            }
            self.nodes += 1;
            board.place(cell, attacker);
            let gaps = *board.fives(attacker);
            let won = match gaps.lowest() {
                // An attacker who needs exactly five may have spoilt another line, but this one stands.
                None => false,
                Some(gap) if gaps.len() > 1 || !board.allows(defender, gap) => can_move(board, defender, gap),
                Some(gap) => {
                    board.place(gap, defender);
                    let won = self.search(board, attacker, limit);
                    board.remove(gap, defender);
                    if won {
                        self.line.push(gap as u16);
                    }
                    won
                }
            };
            board.remove(cell, attacker);
            if won {
                self.line.push(cell as u16);
                return true;
            }
            if limit.is_reached() {
                return false;
            }
        }
        self.failed[place] = key;
        false
    }
}

/// Has a player who is about to lose a move at all? In renju Black has a draw where every cell is forbidden.
pub(super) fn can_move(board: &Board, player: Player, likely: usize) -> bool {
    board.rule() != Rule::Renju
        || board.allows(player, likely)
        || board.empty().iter().any(|cell| board.allows(player, cell))
}
