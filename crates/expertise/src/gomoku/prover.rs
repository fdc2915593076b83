//! Proves wins in go-moku by proof numbers over threats (Victoria: Allis 1994, section 5.4).
//!
//! At nodes of the attacker's (OR) a win by threats is a proof; otherwise only a few promising moves are tried, so what
//! is not proven is not known. At nodes of the defender's (AND) a win of his own by threats ends it. Where the attacker
//! would win by threats if the defender passed (an *implicit threat*), only replies after which he no longer does need a
//! node; the others are refuted by that very search. Each restriction can be switched off. By the free and the standard
//! rule; what comes out is a list of positions with a move each, and [`Prover::check`] goes through it against every
//! legal reply, trusting the searches for threats alone; there they may take longer.
//!
//! Cost: up to a few hundred searches for threats an expansion, some 20 microseconds each.

use super::board::{Board, Cells};
use super::fours::{Fours, Limit};
use super::selection::{Evaluation, Selection};
use super::sequences::Sequences;
use super::threes::Threes;
use endspiel_game::{Player, Position, Symmetric, TwoPlayer};
use endspiel_rules::gomoku::{GomokuPosition, Rule};
use endspiel_rules::grid::Cell;
use std::collections::{HashMap, HashSet};

/// Moves by the key of the canonical position, as cells of it.
pub type Moves = HashMap<u64, u16>;

/// Nodes of a search for fours, and of one for sequences.
const FOURS: u64 = 500;
const SEQUENCES: u64 = 200;
/// Nodes of the same where there is patience, and of a search for threes.
const PATIENT: u64 = 4000;
const THREES: u64 = 2000;
/// With fewer stones an implicit threat is not asked for where no move makes one.
const FEW: usize = 9;
const NIL: u32 = u32::MAX;
const INFINITE: u32 = 1 << 30;

#[derive(Clone, Copy, Debug)]
struct Node {
    child: u32,
    count: u16,
    cell: u16,
    pn: u32,
    dn: u32,
    depth: u16,
}

/// Proves wins of the player to move.
#[derive(Debug)]
pub struct Prover {
    selection: Selection,
    fours: Fours,
    sequences: Sequences,
    /// For what the usual searches miss, where nothing else will do.
    patient: Sequences,
    threes: Threes,
    tree: Vec<Node>,
    /// Nodes made so far.
    pub nodes: u64,
}

impl Prover {
    /// With these restrictions.
    pub fn new(selection: Selection) -> Self {
        Self {
            selection,
            fours: Fours::new(16),
            sequences: Sequences::new(SEQUENCES),
            patient: Sequences::new(PATIENT),
            threes: Threes::default(),
            tree: Vec::new(),
            nodes: 0,
        }
    }

    /// Tries to prove that the attacker wins, with so many nodes and until `stop` says so; true if he does. Positions of
    /// the proof that no search for threats wins are added to `moves`, and what is there already is used.
    pub fn prove<const C: usize>(
        &mut self,
        root: &GomokuPosition<C>,
        attacker: Player,
        nodes: usize,
        stop: &dyn Fn() -> bool,
        moves: &mut Moves,
    ) -> bool {
        let mut board = lay(root);
        self.tree.clear();
        self.tree.push(Node { child: NIL, count: 0, cell: 0, pn: 1, dn: 1, depth: 0 });
        let mut path = vec![(0, *root)];
        while self.tree[0].pn != 0 && self.tree[0].dn != 0 && self.tree.len() < nodes && !stop() {
            // 1. To the most-proving node.
            while let Some(&(node, position)) = path.last().filter(|(node, _)| self.tree[*node].child != NIL)
            {
                let next = self.select(node, position.mover() == attacker);
                let cell = self.tree[next].cell;
                board.place(cell as usize, position.mover());
                path.push((next, position.after(Cell(cell))));
            }
            // 2. Its children.
            if let Some(&(node, position)) = path.last() {
                self.expand(node, &position, &mut board, attacker, moves);
            }
            // 3. Up again, as far as numbers change.
            while let Some(&(node, position)) = path.last() {
                if !self.update(node, position.mover() == attacker) && path.len() > 1 || path.len() == 1 {
                    break;
                }
                board.remove(self.tree[node].cell as usize, position.mover().other());
                path.pop();
            }
        }
        self.nodes += self.tree.len() as u64;
        let proven = self.tree[0].pn == 0;
        if proven {
            self.collect(root, attacker, moves);
        }
        proven
    }

    /// Goes through a list of moves against every legal reply: true if the attacker wins by it, with the searches for
    /// threats where it has no move.
    pub fn check<const C: usize>(
        &mut self,
        root: &GomokuPosition<C>,
        attacker: Player,
        moves: &Moves,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        let mut board = lay(root);
        let mut walk = Walk { attacker, moves, stop, seen: HashSet::new() };
        if root.mover() == attacker {
            self.follows(root, &mut board, &mut walk)
        } else {
            self.answers(root, &mut board, &mut walk)
        }
    }

    /// Does the attacker, to move, win by the list?
    fn follows<const C: usize>(
        &mut self,
        position: &GomokuPosition<C>,
        board: &mut Board,
        walk: &mut Walk<'_>,
    ) -> bool {
        let attacker = walk.attacker;
        if self.wins(board, attacker) || walk.seen.contains(&position.canonical_key()) {
            return true;
        }
        let cell = kept(position, walk.moves).filter(|&cell| position.move_list().contains(&Cell(cell)));
        let holds = match cell {
            _ if (walk.stop)() => return false,
            Some(cell) => {
                board.place(cell as usize, attacker);
                let holds = self.answers(&position.after(Cell(cell)), board, walk);
                board.remove(cell as usize, attacker);
                holds
            }
            None => self.win_patiently(board, attacker).is_some(),
        };
        if holds {
            walk.seen.insert(position.canonical_key());
        }
        holds
    }

    /// Does he win against every reply of the defender's, who is to move?
    fn answers<const C: usize>(
        &mut self,
        position: &GomokuPosition<C>,
        board: &mut Board,
        walk: &mut Walk<'_>,
    ) -> bool {
        let defender = walk.attacker.other();
        board.fives(defender).is_empty()
            && !position.turn().is_over()
            && position.move_list().into_iter().all(|reply| {
                let next = position.after(reply);
                board.place(reply.index(), defender);
                let holds = !next.turn().is_over() && self.follows(&next, board, walk);
                board.remove(reply.index(), defender);
                holds
            })
    }

    /// Does the player win by threats if he is to move?
    fn wins(&mut self, board: &mut Board, player: Player) -> bool {
        self.win(board, player).is_some()
    }

    /// The first move of a win by threats, as far as they are evaluated.
    pub(super) fn win(&mut self, board: &mut Board, player: Player) -> Option<usize> {
        let by_fours =
            |fours: &mut Fours, board: &mut Board| fours.win(board, player, &mut Limit::nodes(FOURS));
        match self.selection.evaluation {
            Evaluation::All => {
                by_fours(&mut self.fours, board).or_else(|| self.sequences.first_move(board, player))
            }
            Evaluation::Fours => by_fours(&mut self.fours, board),
            Evaluation::Fives => board.fives(player).lowest(),
        }
    }

    /// The same by searches that take longer.
    pub(super) fn win_patiently(&mut self, board: &mut Board, player: Player) -> Option<usize> {
        let by_sequence = self.patient.first_move(board, player);
        by_sequence.or_else(|| self.threes.win(board, player, 4, &mut Limit::nodes(THREES)))
    }

    fn select(&self, node: usize, or: bool) -> usize {
        let Node { child, count, .. } = self.tree[node];
        let children = child as usize..child as usize + count as usize;
        let number = |&node: &usize| if or { self.tree[node].pn } else { self.tree[node].dn };
        children.min_by_key(number).unwrap_or(node)
    }

    /// Brings the numbers of a node up to date; did they change?
    fn update(&mut self, node: usize, or: bool) -> bool {
        let Node { child, count, pn, dn, .. } = self.tree[node];
        if child == NIL {
            return true;
        }
        let children = &self.tree[child as usize..child as usize + count as usize];
        let sum = |number: fn(&Node) -> u32| {
            children.iter().map(number).fold(0, |sum: u32, n| sum.saturating_add(n).min(INFINITE))
        };
        let least = |number: fn(&Node) -> u32| children.iter().map(number).min().unwrap_or(INFINITE);
        let (new_pn, new_dn) =
            if or { (least(|n| n.pn), sum(|n| n.dn)) } else { (sum(|n| n.pn), least(|n| n.dn)) };
        let node = &mut self.tree[node];
        (node.pn, node.dn) = (new_pn, new_dn);
        (pn, dn) != (new_pn, new_dn)
    }

    fn solve(&mut self, node: usize, won: bool) {
        let node = &mut self.tree[node];
        (node.pn, node.dn) = if won { (0, INFINITE) } else { (INFINITE, 0) };
    }

    fn add(&mut self, node: usize, cells: &[u16]) {
        let depth = self.tree[node].depth + 1;
        // Deep lines of forced moves are not better than broad ones.
        let number = 1 + u32::from(depth) / 2;
        (self.tree[node].child, self.tree[node].count) = (self.tree.len() as u32, cells.len() as u16);
        let leaf = |&cell: &u16| Node { child: NIL, count: 0, cell, pn: number, dn: number, depth };
        self.tree.extend(cells.iter().map(leaf));
    }

    fn expand<const C: usize>(
        &mut self,
        node: usize,
        position: &GomokuPosition<C>,
        board: &mut Board,
        attacker: Player,
        moves: &Moves,
    ) {
        if position.turn().is_over() {
            return self.solve(node, position.payoff().of(attacker) > 0);
        }
        let cells = if position.mover() == attacker {
            if self.wins(board, attacker) || kept(position, moves).is_some() {
                return self.solve(node, true);
            }
            self.attacks(board, attacker)
        } else {
            match self.defences(board, attacker) {
                Some(cells) => cells,
                None => return self.solve(node, false),
            }
        };
        match (cells.is_empty(), position.mover() == attacker) {
            // Nothing to try; or nothing that helps.
            (true, attacks) => self.solve(node, !attacks),
            (false, _) => self.add(node, &cells),
        }
    }

    /// The attacker's moves that are tried where he does not win by threats at once.
    fn attacks(&mut self, board: &mut Board, attacker: Player) -> Vec<u16> {
        let must = *board.fives(attacker.other());
        if let Some(cell) = must.lowest() {
            let meets = must.len() == 1 && board.allows(attacker, cell);
            return if meets { vec![cell as u16] } else { Vec::new() };
        }
        let allowed = board.empty().iter().filter(|&cell| board.allows(attacker, cell));
        let mut cells: Vec<u16> = allowed.map(|cell| cell as u16).collect();
        cells.sort_by_cached_key(|&cell| -board.worth(cell as usize, attacker));
        let top = self.selection.top.unwrap_or(cells.len());
        if !self.selection.implicit || self.selection.evaluation == Evaluation::Fives {
            cells.truncate(top);
            return cells;
        }
        let mut kept = Vec::new();
        for &cell in &cells {
            if kept.len() >= top {
                break;
            }
            board.place(cell as usize, attacker);
            if !board.fives(attacker).is_empty() || self.wins(board, attacker) {
                kept.push(cell);
            }
            board.remove(cell as usize, attacker);
        }
        if kept.is_empty() && board.count() < FEW {
            cells.truncate(top);
            return cells;
        }
        kept
    }

    /// The defender's replies that are not refuted by threats; none if he wins, or has nothing to fear.
    fn defences(&mut self, board: &mut Board, attacker: Player) -> Option<Vec<u16>> {
        let defender = attacker.other();
        if !board.fives(defender).is_empty() {
            return None;
        }
        let gaps = *board.fives(attacker);
        if let Some(gap) = gaps.lowest() {
            let meets = gaps.len() == 1 && board.allows(defender, gap);
            return Some(if meets { vec![gap as u16] } else { Vec::new() });
        }
        if self.wins(board, defender) {
            return None;
        }
        let zone = self.zone(board, attacker);
        let implicit = self.selection.implicit && self.selection.evaluation != Evaluation::Fives;
        if zone.is_none() && implicit && board.count() >= FEW {
            return None;
        }
        // In renju a stone anywhere may change what is forbidden.
        let related = self.selection.related && board.rule() != Rule::Renju;
        let mut left = match zone {
            Some(zone) if related => zone & board.empty(),
            _ => board.empty(),
        };
        let mut cells = Vec::new();
        while let Some(cell) = left.lowest() {
            left.remove(cell);
            if !board.allows(defender, cell) {
                continue;
            }
            board.place(cell, defender);
            match self.zone(board, attacker) {
                None => cells.push(cell as u16),
                // What does not touch this win either is refuted by it: without the stone here it wins all the more.
                Some(zone) if related && board.fives(defender).is_empty() => {
                    left = left & zone;
                }
                Some(_) => {}
            }
            board.remove(cell, defender);
        }
        Some(cells)
    }

    /// Where the defender has to play, were it his turn, against a win by threats of the attacker's; none without one.
    fn zone(&mut self, board: &mut Board, attacker: Player) -> Option<Cells> {
        if self.selection.evaluation == Evaluation::Fives {
            return None;
        }
        if let Some(win) = self.fours.attack(board, attacker, &mut Limit::nodes(FOURS)) {
            return Some(win.zone);
        }
        if self.selection.evaluation == Evaluation::Fours {
            return None;
        }
        self.sequences.find_related(board, attacker).map(|(_, zone)| zone)
    }

    /// The attacker's moves of the proof at the nodes that no search for threats wins.
    fn collect<const C: usize>(&self, root: &GomokuPosition<C>, attacker: Player, moves: &mut Moves) {
        let mut open = vec![(0usize, *root)];
        while let Some((node, position)) = open.pop() {
            let Node { child, count, .. } = self.tree[node];
            if child == NIL {
                continue;
            }
            for next in child as usize..child as usize + count as usize {
                let or = position.mover() == attacker;
                if or && self.tree[next].pn != 0 {
                    continue;
                }
                let cell = self.tree[next].cell;
                if or {
                    let (_, s) = position.canonical();
                    moves.insert(position.canonical_key(), position.image_move(Cell(cell), s).0);
                }
                open.push((next, position.after(Cell(cell))));
                if or {
                    break;
                }
            }
        }
    }
}

/// What a list of moves is gone through with.
struct Walk<'a> {
    attacker: Player,
    moves: &'a Moves,
    stop: &'a dyn Fn() -> bool,
    seen: HashSet<u64>,
}

/// The same stones on a board that knows its threats.
pub(super) fn lay<const C: usize>(position: &GomokuPosition<C>) -> Board {
    let mut board = Board::new(position.stones().grid(), position.rule());
    for player in [Player::FIRST, Player::SECOND] {
        position.stones().of(player).iter().for_each(|cell| board.place(cell, player));
    }
    board
}

/// The move for a position, or for an image of it.
pub(super) fn kept<const C: usize>(position: &GomokuPosition<C>, moves: &Moves) -> Option<u16> {
    let cell = *moves.get(&position.canonical_key())?;
    let (_, s) = position.canonical();
    let is_it = |m: &Cell| position.image_move(*m, s).0 == cell;
    position.move_list().into_iter().find(is_it).map(|m| m.0)
}
