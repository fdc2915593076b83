//! Winning by fours and threes: moves after which, if the defender passes, fours alone win.
//!
//! The defender's replies that might upset those fours are known (the zone of `fours`), and all of them are tried, so
//! what is found is a proof (lambda search of order 2, Thomsen 2000, with fours and threes for the attacker). In renju a
//! reply anywhere may change what is forbidden to Black; where that may matter the fours are played through after every
//! legal reply, and those after which they fail are tried. It deepens by one three at a time.

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
    pub(super) fours: Fours,
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

/// With less room than this in renju Black might have no move at all.
const ROOM: usize = 20;
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
        let Some(Replies { cells, line }) = self.replies(board, attacker, limit) else { return false };
        // Meeting a four costs no depth.
        let left = if line.is_empty() { depth } else { depth - 1 };
        let mut order: Vec<(i32, usize)> =
            cells.iter().map(|cell| (-board.worth(cell, defender), cell)).collect();
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

    /// Where the defender, to move, may upset the five or the fours that the attacker is about to make; none where he has none
    /// to make, or the defender wins.
    pub(super) fn replies(
        &mut self,
        board: &mut Board,
        attacker: Player,
        limit: &mut Limit,
    ) -> Option<Replies> {
        let defender = attacker.other();
        if !board.fives(defender).is_empty() {
            return None;
        }
        limit.spend()?;
        self.nodes += 1;
        let gaps = *board.fives(attacker);
        let likely = gaps.lowest().or_else(|| board.empty().lowest());
        if !likely.is_some_and(|cell| can_move(board, defender, cell)) {
            return None;
        }
        if !gaps.is_empty() {
            let cells = if gaps.len() == 1 { gaps } else { Cells::EMPTY };
            return Some(Replies { cells, line: Vec::new() });
        }
        let mut part = limit.part(FOURS);
        let Some(win) = self.fours.attack(board, attacker, &mut part) else {
            self.short += u64::from(part.is_reached());
            return None;
        };
        let cells = if far_matters(board, attacker, &win.line) {
            upsetting(board, attacker, &win.line)
        } else {
            win.zone
        };
        Some(Replies { cells, line: win.line })
    }
}

/// The replies that may upset what the attacker threatens.
pub(super) struct Replies {
    pub cells: Cells,
    /// The fours that he is about to make; none where he has made a four.
    pub line: Vec<usize>,
}

/// May a stone of the defender's that is far from a sequence of fours upset it? Only in renju: it may forbid one of Black's
/// moves, or allow Black to fill a gap that was forbidden.
fn far_matters(board: &mut Board, attacker: Player, line: &[usize]) -> bool {
    if board.rule() != Rule::Renju {
        return false;
    }
    let player = |i: usize| if i.is_multiple_of(2) { attacker } else { attacker.other() };
    let mut matters = board.empty().len() < ROOM;
    for (i, &cell) in line.iter().enumerate() {
        let wins = i + 1 == line.len() && board.fives(attacker).contains(cell);
        matters |= i % 2 == 0 && !wins && board.may_forbid(attacker, cell);
        board.place(cell, player(i));
        matters |= i + 1 == line.len() && !wins && board.fives(attacker).len() == 1;
    }
    for (i, &cell) in line.iter().enumerate().rev() {
        board.remove(cell, player(i));
    }
    matters
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

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::Rng;
    use endspiel_rules::grid::Grid;

    /// In renju no reply outside the zone upsets a sequence of fours, but where it was said that it may.
    #[test]
    fn far_replies_do_not_upset_fours() {
        let (mut rng, mut fours, mut found, mut far) = (Rng::new(8), Fours::new(10), [0; 2], 0);
        for round in 0..6000u32 {
            let mut board = Board::new(Grid::new(10, 10), Rule::Renju);
            for stone in 0..18 + rng.below(16) {
                let (cell, player) = (rng.below(100), Player((stone % 2) as u8));
                if board.is_empty(cell) && board.allows(player, cell) && !board.fives(player).contains(cell) {
                    board.place(cell, player);
                }
            }
            let attacker = Player((round % 2) as u8);
            let Some(win) = fours.attack(&mut board, attacker, &mut Limit::nodes(200)) else { continue };
            let upsets = upsetting(&mut board, attacker, &win.line).without(win.zone);
            if far_matters(&mut board, attacker, &win.line) {
                far += upsets.len();
            } else {
                found[attacker.index()] += 1;
                assert!(upsets.is_empty(), "{:?}: {:?} {upsets:?}", board.stones(attacker), win.line);
            }
        }
        assert!(found[0] > 500 && found[1] > 500 && far > 10, "{found:?} {far}");
    }
}
