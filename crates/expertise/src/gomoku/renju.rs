//! Sequences of threats by the rules of renju: played out against every legal reply.
//!
//! Where cells are forbidden to Black a stone more may hurt its owner, and a stone anywhere may forbid a cell or allow it
//! (a three counts only where the stone that makes it a straight four is itself allowed). So replies cannot be put all at
//! once, nor left out because they are far away. What dependency-based search finds is a plan here: the attacker follows
//! it, completes fives, and goes on by fours where they win; every cell that the defender may take is tried.
//!
//! Cost: a search for fours for each reply to a three, about a millisecond a three.

use super::board::{Board, Cells};
use super::fours::{Fours, Limit, can_move};
use super::operators::Step;
use endspiel_game::Player;

/// Nodes of a search for fours, and replies tried for a sequence.
const FOURS: u64 = 200;
const REPLIES: u64 = 5000;

/// Plays sequences out.
#[derive(Clone, Debug)]
pub(super) struct Followed {
    fours: Fours,
}

impl Default for Followed {
    fn default() -> Self {
        Self { fours: Fours::new(10) }
    }
}

impl Followed {
    /// Does the attacker, to move, win by this sequence against every reply?
    pub fn wins(&mut self, board: &Board, attacker: Player, steps: &[Step]) -> bool {
        let plan: Vec<usize> = steps.iter().map(|step| step.attack() as usize).collect();
        self.attack(&mut board.clone(), attacker, &plan, &mut Limit::nodes(REPLIES))
    }

    fn attack(&mut self, board: &mut Board, attacker: Player, plan: &[usize], limit: &mut Limit) -> bool {
        if limit.spend().is_none() {
            return false;
        }
        // 1. Fives and fours; this also meets a four of the defender's where that makes one.
        if self.fours.win(board, attacker, &mut Limit::nodes(FOURS)).is_some() {
            return true;
        }
        // 2. A four of the defender's has to be met, and two cannot be.
        let must = *board.fives(attacker.other());
        if let Some(cell) = must.lowest() {
            return must.len() == 1 && self.holds(board, attacker, cell, plan, limit);
        }
        // 3. The plan.
        let [cell, rest @ ..] = plan else { return false };
        self.holds(board, attacker, *cell, rest, limit)
    }

    /// The same after this move of the attacker's, if he may make it.
    fn holds(
        &mut self,
        board: &mut Board,
        attacker: Player,
        cell: usize,
        plan: &[usize],
        limit: &mut Limit,
    ) -> bool {
        let defender = attacker.other();
        if !board.is_empty(cell) || !board.allows(attacker, cell) {
            return false;
        }
        board.place(cell, attacker);
        let (gaps, empty) = (*board.fives(attacker), board.empty());
        let holds = board.fives(defender).is_empty()
            && match gaps.lowest() {
                Some(gap) if gaps.len() > 1 || !board.allows(defender, gap) => can_move(board, defender, gap),
                Some(_) => self.all(board, attacker, &gaps, plan, limit),
                None => self.all(board, attacker, &empty, plan, limit),
            };
        board.remove(cell, attacker);
        holds
    }

    /// Is there a reply, and does none of them help?
    fn all(
        &mut self,
        board: &mut Board,
        attacker: Player,
        replies: &Cells,
        plan: &[usize],
        limit: &mut Limit,
    ) -> bool {
        let defender = attacker.other();
        let mut any = false;
        for reply in replies.iter() {
            if !board.allows(defender, reply) {
                continue;
            }
            any = true;
            board.place(reply, defender);
            let wins = self.attack(board, attacker, plan, limit);
            board.remove(reply, defender);
            if !wins {
                return false;
            }
        }
        any
    }
}
