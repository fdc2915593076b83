//! All positions that can be reached from a root, as a graph of indices.
//!
//! Positions are told apart by their key alone; only the frontier of the breadth-first enumeration keeps
//! whole positions. Cost: about 20 bytes a position for the index, 8 a position and 8 a move for the graph.

use endspiel_game::{Meter, Player, Symmetric, Turn, TwoPlayer};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Keys are hashes already; one multiplication spreads those that are small numbers.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {}
    fn write_u64(&mut self, key: u64) {
        self.0 = (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// Where to find a position by its key.
pub(super) type Index = HashMap<u64, u32, BuildHasherDefault<KeyHasher>>;

/// Who moves at a position of the graph; finished positions have nobody.
pub(super) type Mover = Option<Player>;

/// The reachable positions, numbered in breadth-first order, and the moves between them.
pub(super) struct Graph {
    pub index: Index,
    pub movers: Vec<Mover>,
    /// What the first player gets: at finished positions at the end, elsewhere by endless play.
    pub payoffs: Vec<i32>,
    /// `successors[first_successor[i]..first_successor[i + 1]]` can be reached from `i` by one move.
    pub first_successor: Vec<u32>,
    pub successors: Vec<u32>,
    /// How many positions are first reached after 0, 1, 2 ... plies.
    pub by_ply: Vec<u64>,
}

/// How a position is named: by itself, or by the least of its images.
pub(super) fn key_of<P: Symmetric>(position: &P, fold: bool) -> u64 {
    if fold { position.canonical_key() } else { position.key() }
}

impl Graph {
    /// Bytes that the analysis after the enumeration needs: values, ranks, distances, the low-link walk
    /// and the moves backwards.
    const LATER_A_POSITION: usize = 48;
    const LATER_A_MOVE: usize = 4;
    /// After so many moves the clock and the memory are looked at.
    const MOVES_A_LOOK: usize = 100_000;

    /// Enumerates everything below `root`; none if the memory or the meter runs out first.
    pub fn explore<P: TwoPlayer + Symmetric>(
        root: &P,
        fold: bool,
        memory: usize,
        meter: &Meter,
    ) -> Option<Self> {
        let mut graph = Self {
            index: Index::default(),
            movers: Vec::new(),
            payoffs: Vec::new(),
            first_successor: vec![0],
            successors: Vec::new(),
            by_ply: Vec::new(),
        };
        graph.number(root, key_of(root, fold));
        let mut frontier = vec![root.clone()];
        let stride = meter.stride();
        let (mut unspent, mut looked) = (0, 0);
        while !frontier.is_empty() {
            graph.by_ply.push(frontier.len() as u64);
            let mut next = Vec::new();
            for position in &frontier {
                unspent += 1;
                // Positions with thousands of moves take as long as many others.
                if unspent >= stride || graph.successors.len() - looked > Self::MOVES_A_LOOK {
                    looked = graph.successors.len();
                    let fronts = (frontier.capacity() + next.capacity()) * size_of::<P>();
                    if meter.spend(unspent) || graph.bytes() + fronts > memory {
                        return None;
                    }
                    unspent = 0;
                }
                position.moves(|m| {
                    let child = position.after(m);
                    let key = key_of(&child, fold);
                    let number = graph.index.get(&key).copied().unwrap_or_else(|| {
                        let number = graph.number(&child, key);
                        next.push(child);
                        number
                    });
                    graph.successors.push(number);
                });
                graph.first_successor.push(u32::try_from(graph.successors.len()).ok()?);
            }
            frontier = next;
        }
        meter.spend(unspent);
        (graph.bytes() <= memory).then_some(graph)
    }

    fn number<P: TwoPlayer>(&mut self, position: &P, key: u64) -> u32 {
        let number = self.movers.len() as u32;
        self.index.insert(key, number);
        let turn = position.turn();
        let payoff = match turn {
            Turn::Over => position.payoff(),
            _ if P::CYCLIC => position.repeated(),
            _ => endspiel_game::Payoff::DRAW,
        };
        self.movers.push(turn.player());
        self.payoffs.push(payoff.of(Player::FIRST));
        number
    }

    /// What it holds now, and what the analysis of it will need.
    fn bytes(&self) -> usize {
        let positions = self.movers.capacity() * (size_of::<Mover>() + 8);
        let moves = self.successors.capacity() * 4;
        // The index keeps a byte of its own for each bucket and is at most seven eighths full.
        let index = self.index.capacity() * 8 / 7 * (size_of::<(u64, u32)>() + 1);
        let later = self.len() * Self::LATER_A_POSITION + self.successors.len() * Self::LATER_A_MOVE;
        positions + moves + index + later
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.movers.len()
    }

    /// The positions one move on from `i`.
    pub fn after(&self, i: u32) -> &[u32] {
        let i = i as usize;
        &self.successors[self.first_successor[i] as usize..self.first_successor[i + 1] as usize]
    }

    /// The moves backwards.
    pub fn backwards(&self) -> Backwards {
        let mut first = vec![0u32; self.len() + 1];
        for &to in &self.successors {
            first[to as usize + 1] += 1;
        }
        for i in 0..self.len() {
            first[i + 1] += first[i];
        }
        let mut predecessors = vec![0u32; self.successors.len()];
        let mut fill = first.clone();
        for from in 0..self.len() as u32 {
            for &to in self.after(from) {
                predecessors[fill[to as usize] as usize] = from;
                fill[to as usize] += 1;
            }
        }
        Backwards { first, predecessors }
    }
}

/// The moves of a graph, seen from where they lead.
pub(super) struct Backwards {
    first: Vec<u32>,
    predecessors: Vec<u32>,
}

impl Backwards {
    /// The positions from which one move leads to `i`; twice where two moves do.
    pub fn before(&self, i: u32) -> &[u32] {
        &self.predecessors[self.first[i as usize] as usize..self.first[i as usize + 1] as usize]
    }
}
