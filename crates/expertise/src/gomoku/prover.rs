//! Proves wins in go-moku by proof numbers over threats (Victoria: Allis 1994, section 5.4).
//!
//! At nodes of the attacker's (OR) a win by threats is a proof; otherwise only a few promising moves are tried, so what
//! is not proven is not known. At nodes of the defender's (AND) a win of his own by threats ends it. Where the attacker
//! would win by threats if the defender passed (an *implicit threat*), only replies after which he no longer does need a
//! node; the others are refuted by that very search. Each restriction can be switched off. By the free and the standard
//! rule; what comes out is a list of positions with a move each, and [`Prover::check`] goes through it against every
//! legal reply, trusting the searches for threats alone; there they may take longer.
//!
//! Two things let one proof help another. Positions that differ in one stone of the defender's often have the same
//! answer: moves of proofs are *hints* there and are tried alone at first. And of the attacker's moves a few are tried
//! before the others.
//!
//! Cost: a search for threats for each reply looked at, some 20 microseconds each.

use super::board::{Board, Cells};
use super::graph::{Edge, Graph};
use super::opening::{Progress, Tell};
use super::selection::{Evaluation, Selection};
use super::wins::{Plan, Wins};
use endspiel_game::{Player, Position, Symmetric, TwoPlayer, mix};
use endspiel_rules::gomoku::{GomokuPosition, Rule};
use endspiel_rules::grid::{Cell, Grid};
use std::collections::{HashMap, HashSet};

/// Moves by the key of the canonical position, as cells of it.
pub type Moves = HashMap<u64, u16>;

/// With fewer stones an implicit threat is not asked for where no move makes one.
const FEW: usize = 9;
/// So many moves of the attacker's are tried first, and then so many more each time.
const NARROW: usize = 3;
/// A point of promise counts for more than what a stone is worth otherwise.
const PROMISE: i32 = 1000;
/// A graph has at most so many nodes ...
const MOST: usize = 1 << 24;
/// ... each of which takes so many bytes at most, with its edges, its parents and its related squares.
const NODE: usize = 256;

/// Proves wins of the player to move.
#[derive(Debug)]
pub struct Prover {
    selection: Selection,
    pub(super) wins: Wins,
    graph: Graph,
    /// The related squares of nodes that are not expanded yet.
    zones: HashMap<u32, Cells>,
    /// Moves of proofs, by the hash of the stones without one of the defender's.
    pub(super) hints: HashMap<u64, u16>,
    /// The move of the opening that was proven last.
    pub(super) opened: Option<u16>,
    /// The board and the rule that all this is known of.
    known: Option<(Grid, Rule)>,
    /// The most nodes of a graph.
    pub(super) most: usize,
    /// How far it is, as is told.
    pub(super) progress: Progress,
    /// Nodes made so far.
    pub nodes: u64,
}

impl Prover {
    /// With these restrictions.
    pub fn new(selection: Selection) -> Self {
        Self {
            selection,
            wins: Wins::new(selection.evaluation),
            graph: Graph::default(),
            zones: HashMap::new(),
            hints: HashMap::new(),
            opened: None,
            known: None,
            most: MOST,
            progress: Progress::default(),
            nodes: 0,
        }
    }

    /// Lets the graph take so many bytes at most.
    pub fn stay_within(&mut self, memory: usize) {
        self.most = MOST.min(memory / NODE);
    }

    /// Searches for wins by threats so far.
    pub fn searched(&self) -> u64 {
        self.wins.searched
    }

    /// Tries to prove that the attacker wins, with so many nodes and as long as `tell` goes on; true if he does. Positions
    /// of the proof that no search for threats wins are added to `moves`, and what is there already is used.
    pub fn prove<const C: usize>(
        &mut self,
        root: &GomokuPosition<C>,
        attacker: Player,
        nodes: usize,
        moves: &mut Moves,
        tell: Tell<'_>,
    ) -> bool {
        let (mut board, nodes) = (self.begin(root), nodes.min(self.most));
        self.graph.clear();
        self.zones.clear();
        self.graph.enter(board.key(), root.mover() == attacker, [1, 1]);
        if self.is_won(root, &mut board, attacker, moves) {
            self.graph.decide(0, true);
        }
        let mut path = vec![(0, 0u16, *root)];
        while self.graph.node(0).pn != 0 && self.graph.node(0).dn != 0 && self.graph.len() < nodes {
            self.progress.nodes = self.nodes + self.graph.len() as u64;
            if !tell(&self.progress, moves) {
                break;
            }
            // 1. To the most-proving node.
            while let Some(&(node, _, position)) = path.last()
                && let Some(edge) = self.graph.best(node)
            {
                board.place(edge.cell as usize, position.mover());
                path.push((edge.node, edge.cell, position.after(Cell(edge.cell))));
            }
            // 2. Its children, and up again.
            if let Some(&(node, _, position)) = path.last() {
                let depth = path.len() as u32;
                self.expand(node, depth, &position, &mut board, attacker, moves);
                self.graph.update(node);
            }
            while path.len() > 1
                && let Some((_, cell, position)) = path.pop()
            {
                board.remove(cell as usize, position.mover().other());
            }
        }
        self.nodes += self.graph.len() as u64;
        self.progress.nodes = self.nodes;
        let proven = self.graph.node(0).pn == 0;
        if proven {
            self.collect(root, attacker, moves);
        }
        proven
    }

    /// Lays a position on a board. What is known of another board, or by another rule, does not hold here.
    pub(super) fn begin<const C: usize>(&mut self, root: &GomokuPosition<C>) -> Board {
        let about = (root.stones().grid(), root.rule());
        if self.known.replace(about).is_some_and(|known| known != about) {
            self.wins = Wins::new(self.selection.evaluation);
            self.hints.clear();
            self.opened = None;
        }
        lay(root)
    }

    /// Does the attacker, if it is his turn, win by threats or by a move that is known?
    fn is_won<const C: usize>(
        &mut self,
        position: &GomokuPosition<C>,
        board: &mut Board,
        attacker: Player,
        moves: &Moves,
    ) -> bool {
        position.mover() == attacker
            && !position.turn().is_over()
            && (self.wins.find(board, attacker).is_some() || kept(position, moves).is_some())
    }

    fn expand<const C: usize>(
        &mut self,
        node: u32,
        depth: u32,
        position: &GomokuPosition<C>,
        board: &mut Board,
        attacker: Player,
        moves: &Moves,
    ) {
        if position.turn().is_over() {
            let won = position.payoff().of(attacker) > 0;
            return self.graph.decide(node, won);
        }
        self.graph.node_mut(node).expanded = true;
        // Deep lines of forced moves are not better than broad ones.
        let number = 1 + depth / 2;
        let mut edges = Vec::new();
        if position.mover() == attacker {
            if self.graph.edges(node).is_empty() && self.wins.by_threes(board, attacker).is_some() {
                return self.graph.decide(node, true);
            }
            let (cells, more) = self.attacks(node, board, attacker);
            self.graph.node_mut(node).more = more;
            for (cell, zone, penalty) in cells {
                let key = board.key() ^ mix((2 * cell as usize + attacker.index()) as u64);
                let child = self.graph.enter(key, false, [number + penalty, number]);
                if let Some(zone) = zone.filter(|_| !self.graph.node(child).expanded) {
                    self.zones.insert(child, zone);
                }
                edges.push(Edge { cell, node: child });
            }
        } else {
            let zone = self.zones.remove(&node);
            let Some(cells) = self.defences(position, board, attacker, zone, moves) else {
                return self.graph.decide(node, false);
            };
            for cell in cells {
                let key = board.key() ^ mix((2 * cell as usize + attacker.other().index()) as u64);
                edges.push(Edge { cell, node: self.graph.enter(key, true, [number, number]) });
            }
            // Nothing that helps.
            if edges.is_empty() {
                return self.graph.decide(node, true);
            }
        }
        self.graph.link(node, &edges);
        if self.graph.edges(node).is_empty() {
            self.graph.decide(node, false);
        }
    }

    /// The next moves of the attacker's to try, where he does not win by threats at once, with their related squares
    /// and what is added to their proof numbers; and whether there are more.
    fn attacks(
        &mut self,
        node: u32,
        board: &mut Board,
        attacker: Player,
    ) -> (Vec<(u16, Option<Cells>, u32)>, bool) {
        let defender = attacker.other();
        let must = *board.fives(defender);
        if let Some(cell) = must.lowest() {
            let meets = must.len() == 1 && board.allows(attacker, cell);
            let zone = if meets { self.threat(board, attacker, cell) } else { None };
            return (if meets { vec![(cell as u16, zone, 0)] } else { Vec::new() }, false);
        }
        let known: Vec<u16> = self.graph.edges(node).iter().map(|edge| edge.cell).collect();
        let implicit = self.selection.implicit && self.selection.evaluation != Evaluation::Fives;
        // What must be met.
        let mut cells = board.empty();
        if implicit && let Some(zone) = self.wins.by_fours(board, defender) {
            cells = cells & (zone | *board.fours(attacker));
        }
        let mut order: Vec<(i32, u16)> = cells
            .iter()
            .filter(|&cell| !known.contains(&(cell as u16)) && board.allows(attacker, cell))
            .map(|cell| (-self.score(board, cell, attacker), cell as u16))
            .collect();
        order.sort_unstable();
        let top = self.selection.top.unwrap_or(usize::MAX);
        let mut kept = Vec::new();
        // 1. What won in a position like this one.
        if known.is_empty() {
            for cell in self.hinted(board, defender) {
                if !order.iter().any(|&(_, other)| other == cell) {
                    continue;
                }
                let zone = self.threat(board, attacker, cell as usize);
                if zone.is_some() || !implicit || board.count() < FEW {
                    kept.push((cell, zone, 0));
                }
            }
            if !kept.is_empty() {
                return (kept, true);
            }
        }
        // 2. The most promising.
        let room = NARROW.min(top.saturating_sub(known.len()));
        let mut rest = order.iter();
        while kept.len() < room {
            let Some(&(_, cell)) = rest.next() else { break };
            let zone = self.threat(board, attacker, cell as usize);
            if zone.is_some() || !implicit {
                kept.push((cell, zone, kept.len() as u32 / 2));
            }
        }
        if kept.is_empty() && known.is_empty() && board.count() < FEW {
            kept.extend(order.iter().take(top).map(|&(_, cell)| (cell, None, 0)));
            return (kept, false);
        }
        let more = !kept.is_empty() && known.len() + kept.len() < top && rest.len() > 0;
        (kept, more)
    }

    /// What a move of the attacker's promises; where nothing but fives is seen, fours count too.
    fn score(&self, board: &Board, cell: usize, attacker: Player) -> i32 {
        let promise = match self.selection.evaluation {
            Evaluation::Fives => 0,
            _ => board.promise(cell, attacker),
        };
        PROMISE * promise + board.worth(cell, attacker)
    }

    /// The related squares of the threat that a move leaves.
    fn threat(&mut self, board: &mut Board, attacker: Player, cell: usize) -> Option<Cells> {
        board.place(cell, attacker);
        let found = self.wins.find(board, attacker);
        board.remove(cell, attacker);
        found
    }

    /// Moves of proofs in positions that differ in one stone of the defender's.
    fn hinted(&self, board: &Board, defender: Player) -> Vec<u16> {
        let mut cells = Vec::new();
        for stone in board.stones(defender).iter() {
            let key = board.key() ^ mix((2 * stone + defender.index()) as u64);
            if let Some(&cell) = self.hints.get(&key)
                && board.is_empty(cell as usize)
                && !cells.contains(&cell)
            {
                cells.push(cell);
            }
        }
        cells
    }

    /// The defender's replies that are not refuted by threats; none if he wins, or has nothing to fear.
    fn defences<const C: usize>(
        &mut self,
        position: &GomokuPosition<C>,
        board: &mut Board,
        attacker: Player,
        zone: Option<Cells>,
        moves: &Moves,
    ) -> Option<Vec<u16>> {
        let defender = attacker.other();
        if !board.fives(defender).is_empty() {
            return None;
        }
        let gaps = *board.fives(attacker);
        if let Some(gap) = gaps.lowest() {
            let meets = gaps.len() == 1 && board.allows(defender, gap);
            return Some(if meets {
                self.unanswered(position, board, attacker, gap, moves).0
            } else {
                Vec::new()
            });
        }
        if self.wins.find(board, defender).is_some() {
            return None;
        }
        let zone = zone.or_else(|| self.wins.find(board, attacker));
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
        let (mut cells, mut plans) = (Vec::new(), Vec::new());
        while let Some(cell) = left.lowest() {
            left.remove(cell);
            if !board.allows(defender, cell) || self.is_met(board, attacker, cell, &plans) {
                continue;
            }
            self.wins.latest();
            let (reply, zone) = self.unanswered(position, board, attacker, cell, moves);
            plans.extend(self.wins.latest());
            cells.extend(reply);
            // What does not touch this win either is refuted by it: without the stone here it wins all the more.
            if let Some(zone) = zone.filter(|_| related) {
                left = left & zone;
            }
        }
        Some(cells)
    }

    /// Does a win that was found after another reply meet this one?
    fn is_met(&mut self, board: &mut Board, attacker: Player, cell: usize, plans: &[Plan]) -> bool {
        board.place(cell, attacker.other());
        let met = plans.iter().rev().any(|plan| self.wins.works(board, attacker, plan));
        board.remove(cell, attacker.other());
        met
    }

    /// A reply, if no win by threats and no move that is known answers it; or the related squares of such a win.
    fn unanswered<const C: usize>(
        &mut self,
        position: &GomokuPosition<C>,
        board: &mut Board,
        attacker: Player,
        cell: usize,
        moves: &Moves,
    ) -> (Vec<u16>, Option<Cells>) {
        let defender = attacker.other();
        board.place(cell, defender);
        let found = self.wins.find(board, attacker);
        let answer = match found {
            Some(zone) => (Vec::new(), board.fives(defender).is_empty().then_some(zone)),
            None if kept(&position.after(Cell(cell as u16)), moves).is_some() => (Vec::new(), None),
            None => (vec![cell as u16], None),
        };
        board.remove(cell, defender);
        answer
    }

    /// The attacker's moves of the proof at the nodes that no search for threats wins.
    fn collect<const C: usize>(&mut self, root: &GomokuPosition<C>, attacker: Player, moves: &mut Moves) {
        let (mut open, mut seen) = (vec![(0u32, *root)], HashSet::new());
        while let Some((node, position)) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            let or = position.mover() == attacker;
            for &Edge { cell, node: next } in self.graph.edges(node) {
                if or && self.graph.node(next).pn != 0 {
                    continue;
                }
                open.push((next, position.after(Cell(cell))));
                if or {
                    keep(&position, moves, cell);
                    remember(&mut self.hints, &position, attacker.other(), cell);
                    break;
                }
            }
        }
    }
}

/// The same stones on a board that knows its threats.
pub(super) fn lay<const C: usize>(position: &GomokuPosition<C>) -> Board {
    let mut board = Board::new(position.stones().grid(), position.rule());
    for player in [Player::FIRST, Player::SECOND] {
        position.stones().of(player).iter().for_each(|cell| board.place(cell, player));
    }
    board
}

/// Makes a move that wins a hint for all positions that differ in one stone of the defender's.
pub(super) fn remember<const C: usize>(
    hints: &mut HashMap<u64, u16>,
    position: &GomokuPosition<C>,
    defender: Player,
    cell: u16,
) {
    let key = lay(position).key();
    for stone in position.stones().of(defender).iter() {
        hints.insert(key ^ mix((2 * stone + defender.index()) as u64), cell);
    }
}

/// Keeps the move for a position and all its images.
pub(super) fn keep<const C: usize>(position: &GomokuPosition<C>, moves: &mut Moves, cell: u16) {
    let (_, s) = position.canonical();
    moves.insert(position.canonical_key(), position.image_move(Cell(cell), s).0);
}

/// The move for a position, or for an image of it.
pub(super) fn kept<const C: usize>(position: &GomokuPosition<C>, moves: &Moves) -> Option<u16> {
    let cell = *moves.get(&position.canonical_key())?;
    let (_, s) = position.canonical();
    let is_it = |m: &Cell| position.image_move(*m, s).0 == cell;
    position.move_list().into_iter().find(is_it).map(|m| m.0)
}
