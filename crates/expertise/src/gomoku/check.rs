//! Goes through a list of moves that is said to win, against every legal reply.
//!
//! Nothing is left out on the word of the prover: a reply counts as met if a search for threats wins after it or the
//! list has a move that does. Wins by threats after other replies, or after none, are tried first; each is gone through
//! anew in every position, and that is quicker than a search. What is missing may be proven then.

use super::board::Board;
use super::opening::{Progress, Tell};
use super::prover::{Moves, Prover, keep, kept, remember};
use super::selection::Selection;
use super::wins::Plan;
use endspiel_game::{Player, Position, Symmetric, TwoPlayer};
use endspiel_rules::gomoku::GomokuPosition;
use endspiel_rules::grid::Cell;
use std::collections::HashSet;

/// So many holes are mended, each with so many nodes.
const HOLES: u64 = 100;
const MENDING: usize = 200_000;
/// So often is a list gone through, until a pass adds nothing to it.
const PASSES: u32 = 30;
/// So often is looked for a win by threats before a position is called a hole.
const LOOKS: u32 = 3;

/// What a list of moves is gone through with.
struct Walk<'a> {
    attacker: Player,
    moves: &'a mut Moves,
    tell: Tell<'a>,
    /// So many holes may be mended yet.
    holes: u64,
    /// Has the list got another move?
    changed: bool,
    seen: HashSet<u64>,
}

impl Prover {
    /// Proves that the attacker wins as [`Prover::prove_opening`] does, goes through the proof against every legal reply and
    /// proves what is missing. Gives how many holes were mended, if the proof holds in the end.
    pub fn prove_whole<const C: usize>(
        &mut self,
        root: &GomokuPosition<C>,
        attacker: Player,
        effort: u32,
        moves: &mut Moves,
        tell: Tell<'_>,
    ) -> Option<u64> {
        if !self.prove_opening(root, attacker, effort, moves, tell) {
            return None;
        }
        let mut holes = HOLES;
        for _ in 0..PASSES {
            // What is remembered here may have been of help: who goes through the list later has nothing but the list.
            let mut fresh = Self::new(Selection::default());
            (fresh.nodes, fresh.most, fresh.progress) = (self.nodes, self.most, self.progress);
            let mut board = fresh.begin(root);
            let mut walk = Walk { attacker, moves, tell, holes, changed: false, seen: HashSet::new() };
            let hole = fresh.walk(root, &mut board, &mut walk);
            let changed = walk.changed;
            holes = walk.holes;
            (self.nodes, self.progress) = (fresh.nodes, fresh.progress);
            if hole.is_some() {
                return None;
            }
            if !changed {
                return Some(HOLES - holes);
            }
        }
        None
    }

    /// Goes through a list of moves against every legal reply: true if the attacker wins by it, with the searches for
    /// threats where it has no move.
    pub fn check<const C: usize>(
        &mut self,
        root: &GomokuPosition<C>,
        attacker: Player,
        moves: &Moves,
        stop: &mut dyn FnMut() -> bool,
    ) -> bool {
        self.hole(root, attacker, moves, stop).is_none()
    }

    /// The first position in which the list has no move and no search for threats wins; or the one in which it was
    /// stopped.
    pub fn hole<const C: usize>(
        &mut self,
        root: &GomokuPosition<C>,
        attacker: Player,
        moves: &Moves,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<GomokuPosition<C>> {
        let (mut board, mut moves) = (self.begin(root), moves.clone());
        let tell = &mut |_: &Progress, _: &Moves| !stop();
        let mut walk =
            Walk { attacker, moves: &mut moves, tell, holes: 0, changed: false, seen: HashSet::new() };
        self.walk(root, &mut board, &mut walk)
    }

    fn walk<const C: usize>(
        &mut self,
        root: &GomokuPosition<C>,
        board: &mut Board,
        walk: &mut Walk<'_>,
    ) -> Option<GomokuPosition<C>> {
        if root.mover() == walk.attacker {
            self.follows(root, board, walk)
        } else {
            self.answers(root, board, walk)
        }
    }

    /// Does the attacker, to move, win by the list?
    fn follows<const C: usize>(
        &mut self,
        position: &GomokuPosition<C>,
        board: &mut Board,
        walk: &mut Walk<'_>,
    ) -> Option<GomokuPosition<C>> {
        let attacker = walk.attacker;
        if position.turn().is_over() || !(walk.tell)(&self.progress, walk.moves) {
            return Some(*position);
        }
        if walk.seen.contains(&position.canonical_key()) || self.wins.find(board, attacker).is_some() {
            return None;
        }
        let mut hole = Some(*position);
        let known = kept(position, walk.moves);
        if let Some(cell) = known {
            board.place(cell as usize, attacker);
            hole = self.answers(&position.after(Cell(cell)), board, walk);
            board.remove(cell as usize, attacker);
            remember(&mut self.hints, position, attacker.other(), cell);
        }
        // The move may have been meant for a longer way.
        if hole.is_some() && self.wins.by_threes(board, attacker).is_some() {
            hole = None;
        }
        if hole.is_some()
            && let Some(cell) = self.patient(board, attacker)
        {
            hole = None;
            // Who goes through the list next need not look so long.
            walk.changed |= known != Some(cell as u16);
            keep(position, walk.moves, cell as u16);
        }
        if hole.is_some() && known.is_none() && walk.holes > 0 {
            walk.holes -= 1;
            self.prove(position, attacker, MENDING, walk.moves, walk.tell);
            if kept(position, walk.moves).is_some() {
                walk.changed = true;
                hole = self.follows(position, board, walk);
            }
        }
        if hole.is_none() {
            walk.seen.insert(position.canonical_key());
        }
        hole
    }

    /// The first move of a win by searches for threats that take their time. What they remember lets them come further each time.
    fn patient(&mut self, board: &mut Board, attacker: Player) -> Option<usize> {
        (0..LOOKS).find_map(|_| self.wins.find_patiently(board, attacker))
    }

    /// Does he win against every reply of the defender's, who is to move?
    fn answers<const C: usize>(
        &mut self,
        position: &GomokuPosition<C>,
        board: &mut Board,
        walk: &mut Walk<'_>,
    ) -> Option<GomokuPosition<C>> {
        let defender = walk.attacker.other();
        if position.turn().is_over() {
            return (position.payoff().of(walk.attacker) <= 0).then_some(*position);
        }
        if !board.fives(defender).is_empty() {
            return Some(*position);
        }
        let mut plans: Vec<Plan> =
            self.wins.plan(board, walk.attacker).into_iter().map(|(plan, _)| plan).collect();
        position.move_list().into_iter().find_map(|reply| {
            board.place(reply.index(), defender);
            let works = plans.iter().rev().any(|plan| self.wins.works(board, walk.attacker, plan));
            self.wins.latest();
            let hole = if works { None } else { self.follows(&position.after(reply), board, walk) };
            plans.extend(self.wins.latest());
            board.remove(reply.index(), defender);
            hole
        })
    }
}
