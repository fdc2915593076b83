//! Winning by fours and threes: moves after which, if the defender passes, fours alone win.
//!
//! The defender's replies that might upset those fours are known (the zone of `fours`), and all of them are tried, so
//! what is found is a proof (lambda search of order 2, Thomsen 2000, with fours and threes for the attacker). In renju a
//! reply anywhere may change what is forbidden to Black; there the fours are played through after every legal reply, and
//! those after which they fail are tried. It deepens by one three at a time.

use super::board::{Board, Cells};
use super::fours::{Fours, Limit, can_move};
use endspiel_game::Player;
use endspiel_rules::gomoku::Rule;
use std::collections::HashSet;

/// Nodes for each search for fours.
const FOURS: u64 = 200;

/// Searches for wins by fours and threes.
#[derive(Debug)]
pub struct Threes {
    fours: Fours,
    /// Positions that fail with so many threes; not those that a limit cut short.
    failed: HashSet<(u64, u32)>,
    /// Searches for fours that ran short of their limit.
    short: u64,
    /// Nodes searched so far.
    pub nodes: u64,
}

impl Default for Threes {
    fn default() -> Self {
        Self { fours: Fours::new(14), failed: HashSet::new(), short: 0, nodes: 0 }
    }
}

/// More failed positions than this are forgotten.
const REMEMBERED: usize = 200_000;

impl Threes {
    /// A move by which the attacker, to move, wins by fours and at most `depth` threes in a row; none where there
    /// is none or the limit is reached.
    pub fn win(
        &mut self,
        board: &mut Board,
        attacker: Player,
        depth: u32,
        limit: &mut Limit,
    ) -> Option<usize> {
        if self.failed.len() > REMEMBERED {
            self.failed.clear();
        }
        (0..=depth).find_map(|depth| self.attack(board, attacker, depth, limit))
    }

    fn attack(
        &mut self,
        board: &mut Board,
        attacker: Player,
        depth: u32,
        limit: &mut Limit,
    ) -> Option<usize> {
        limit.spend()?;
        self.nodes += 1;
        let short = self.short;
        // 1. Fours alone.
        let mut part = limit.part(FOURS);
        if let Some(cell) = self.fours.win(board, attacker, &mut part) {
            return Some(cell);
        }
        self.short += u64::from(part.is_reached());
        let entry = (board.key() ^ u64::from(attacker.0), depth);
        if depth == 0 || self.failed.contains(&entry) {
            return None;
        }
        // 2. Fours and threes; a four of the defender's leaves one cell.
        let must = *board.fives(attacker.other());
        if must.len() > 1 {
            return None;
        }
        let cells = if must.is_empty() { *board.fours(attacker) | *board.threes(attacker) } else { must };
        let mut order: Vec<(i32, usize)> =
            cells.iter().map(|cell| (-board.worth(cell, attacker), cell)).collect();
        order.sort_unstable();
        for (_, cell) in order {
            if !board.allows(attacker, cell) {
                continue;
            }
            board.place(cell, attacker);
            let holds = self.holds(board, attacker, depth, limit);
            board.remove(cell, attacker);
            if holds {
                return Some(cell);
            }
        }
        if !limit.is_reached() && self.short == short {
            self.failed.insert(entry);
        }
        None
    }

    /// Does the attack win against every reply of the defender's, who is to move?
    fn holds(&mut self, board: &mut Board, attacker: Player, depth: u32, limit: &mut Limit) -> bool {
        let defender = attacker.other();
        if !board.fives(defender).is_empty() || limit.spend().is_none() {
            return false;
        }
        self.nodes += 1;
        let gaps = *board.fives(attacker);
        let likely = gaps.lowest().or_else(|| board.empty().lowest());
        if !likely.is_some_and(|cell| can_move(board, defender, cell)) {
            return false;
        }
        let mut part = limit.part(FOURS);
        let replies: Cells = match gaps.len() {
            0 => match self.fours.attack(board, attacker, &mut part) {
                Some(win) if board.rule() == Rule::Renju => upsetting(board, attacker, &win.line),
                Some(win) => win.zone,
                None => {
                    self.short += u64::from(part.is_reached());
                    return false;
                }
            },
            1 => gaps,
            _ => return true,
        };
        // Meeting a four costs no depth.
        let left = if gaps.is_empty() { depth - 1 } else { depth };
        let mut order: Vec<(i32, usize)> =
            replies.iter().map(|cell| (-board.worth(cell, defender), cell)).collect();
        order.sort_unstable();
        for (_, cell) in order {
            if !board.allows(defender, cell) {
                continue;
            }
            board.place(cell, defender);
            let wins = self.attack(board, attacker, left, limit).is_some();
            board.remove(cell, defender);
            if !wins {
                return false;
            }
        }
        true
    }
}

/// The replies after which a sequence of fours no longer wins as it is.
fn upsetting(board: &mut Board, attacker: Player, line: &[usize]) -> Cells {
    let defender = attacker.other();
    let empty: Vec<usize> = board.empty().iter().collect();
    let upsets = |&cell: &usize| {
        if !board.allows(defender, cell) {
            return false;
        }
        board.place(cell, defender);
        let wins = Fours::repeats(board, attacker, line);
        board.remove(cell, defender);
        !wins
    };
    empty.into_iter().filter(upsets).collect()
}
