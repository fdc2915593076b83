//! Proves positions with few stones: the attacker's move is chosen by trials, then one reply after the other is proven.
//!
//! With so few stones there are no threats yet and every reply counts, some two hundred. One graph for all of them would
//! look a little into each; one reply after the other lets the moves of earlier proofs help. The candidates are the cells
//! around the attacker's stones. What won last comes first; the others are tried against the replies that hurt them most,
//! with few nodes, and taken by how they do. Replies that are not proven are tried again with four times the nodes; when
//! too many are spent on one candidate, the next takes its place.

use super::prover::{Moves, Prover, keep, kept, lay};
use endspiel_game::{Player, Position, Symmetric, TwoPlayer};
use endspiel_rules::gomoku::GomokuPosition;
use endspiel_rules::grid::Cell;
use std::collections::HashSet;

/// Positions with fewer stones are proven reply by reply.
const FEW: usize = 4;
/// Replies of a trial, and nodes for each of them.
const HARDEST: usize = 6;
const TRIAL: usize = 1000;
/// Candidates that are tried, and how many of them are then taken one after the other.
const TRIED: usize = 8;
const TAKEN: usize = 4;
/// Nodes for each reply, from round to round, and how many may be left then.
const ROUNDS: [(usize, usize); 4] = [(4_000, 80), (16_000, 24), (64_000, 8), (256_000, 0)];

/// How far a proof has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// The defender's replies that differ by more than a symmetry, where one after the other is proven.
    pub replies: usize,
    /// How many of them are not proven yet.
    pub open: usize,
    /// The nodes of the prover so far.
    pub nodes: u64,
}

/// Is told at every node how far it is and what is proven so far; false ends it, and is the answer from then on.
pub type Tell<'a> = &'a mut dyn FnMut(&Progress, &Moves) -> bool;

impl Prover {
    /// Proves that the attacker wins: as [`Prover::prove`], but reply by reply where there are few stones. With each degree
    /// of `effort` twice the nodes are spent.
    pub fn prove_opening<const C: usize>(
        &mut self,
        root: &GomokuPosition<C>,
        attacker: Player,
        effort: u32,
        moves: &mut Moves,
        tell: Tell<'_>,
    ) -> bool {
        self.begin(root);
        if root.stones().taken().len() + 1 >= FEW {
            let mut nodes = ROUNDS.iter().map(|(nodes, _)| nodes << effort.min(20));
            return nodes.any(|nodes| self.prove(root, attacker, nodes, moves, tell));
        }
        if root.mover() != attacker {
            return self.prove_replies(root, attacker, effort, moves, tell) == Some(true);
        }
        let mut order: Vec<u16> = kept(root, moves).into_iter().chain(self.opened).collect();
        if root.stones().taken().is_empty() {
            let grid = root.stones().grid();
            order.push(grid.cell(grid.width as usize / 2, grid.height as usize / 2) as u16);
        }
        order.retain(|&cell| !root.stones().taken().contains(cell as usize));
        let (mut taken, mut tried) = (0, false);
        while taken < TAKEN && tell(&self.progress, moves) {
            if taken == order.len() {
                if tried {
                    break;
                }
                tried = true;
                let fresh = self.candidates(root, attacker, moves, tell);
                order.extend(fresh.into_iter().filter(|cell| !order.contains(cell)).collect::<Vec<_>>());
                continue;
            }
            let cell = order[taken];
            taken += 1;
            match self.prove_replies(&root.after(Cell(cell)), attacker, effort, moves, tell) {
                Some(true) => {
                    keep(root, moves, cell);
                    self.opened = Some(cell);
                    return true;
                }
                Some(false) => {}
                None => return false,
            }
        }
        false
    }

    /// Proves all replies to a move; those that are left are tried again, unless there are too many of them. None if it
    /// was ended.
    fn prove_replies<const C: usize>(
        &mut self,
        position: &GomokuPosition<C>,
        attacker: Player,
        effort: u32,
        moves: &mut Moves,
        tell: Tell<'_>,
    ) -> Option<bool> {
        let mut open = replies(position, attacker);
        let mut progress = Progress { replies: open.len(), open: open.len(), nodes: self.nodes };
        for (nodes, most) in ROUNDS {
            for reply in std::mem::take(&mut open) {
                let next = position.after(Cell(reply));
                self.progress = Progress { nodes: self.nodes, ..progress };
                let proven = if next.stones().taken().len() + 1 < FEW {
                    self.prove_opening(&next, attacker, effort, moves, tell)
                } else {
                    self.prove(&next, attacker, nodes << effort.min(20), moves, tell)
                };
                if proven {
                    progress.open -= 1;
                } else {
                    open.push(reply);
                }
                self.progress = Progress { nodes: self.nodes, ..progress };
                if !tell(&self.progress, moves) {
                    return None;
                }
            }
            if open.is_empty() || open.len() > most << effort.min(20) {
                break;
            }
        }
        Some(open.is_empty())
    }

    /// The cells to try, those first that do well in trials.
    fn candidates<const C: usize>(
        &mut self,
        root: &GomokuPosition<C>,
        attacker: Player,
        moves: &mut Moves,
        tell: Tell<'_>,
    ) -> Vec<u16> {
        let board = lay(root);
        let mut seen = HashSet::new();
        let mut cells: Vec<(i32, u16)> = root
            .move_list()
            .into_iter()
            .filter(|&m| seen.insert(root.after(m).canonical_key()))
            .map(|m| (-1000 * board.promise(m.index(), attacker) - board.worth(m.index(), attacker), m.0))
            .collect();
        cells.sort_unstable();
        let mut tried = Vec::new();
        for (_, cell) in cells.into_iter().take(TRIED) {
            let next = root.after(Cell(cell));
            let (mut failed, before) = (0, self.nodes);
            for reply in replies(&next, attacker).into_iter().take(HARDEST) {
                failed += u32::from(!self.prove(&next.after(Cell(reply)), attacker, TRIAL, moves, tell));
            }
            tried.push((failed, self.nodes - before, cell));
        }
        tried.sort_unstable();
        tried.into_iter().map(|(_, _, cell)| cell).collect()
    }
}

/// The replies that differ by more than a symmetry, those first that are worth most to the defender.
fn replies<const C: usize>(position: &GomokuPosition<C>, attacker: Player) -> Vec<u16> {
    let (board, mut seen) = (lay(position), HashSet::new());
    let mut cells: Vec<(i32, u16)> = position
        .move_list()
        .into_iter()
        .filter(|&m| seen.insert(position.after(m).canonical_key()))
        .map(|m| (-board.worth(m.index(), attacker.other()), m.0))
        .collect();
    cells.sort_unstable();
    cells.into_iter().map(|(_, cell)| cell).collect()
}
