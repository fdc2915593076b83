//! Which move first: the history of what has cut elsewhere, and the killers of a ply.
//!
//! Moves have no numbers of their own, so they are hashed into a small table; two moves that share a place
//! share their history, which costs order and never truth.

use endspiel_game::Player;
use std::hash::{Hash, Hasher};

const PLACES: usize = 1024;

/// The small place of a move in tables of moves.
#[inline]
pub(super) fn place_of<M: Hash>(m: M) -> usize {
    let mut hasher = MoveHasher(0);
    m.hash(&mut hasher);
    (hasher.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54) as usize
}

/// Moves are a few small fields: one multiplication for each will do.
struct MoveHasher(u64);

impl Hasher for MoveHasher {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }
    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.write_u64(u64::from(n));
    }
    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }
    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(7) ^ n).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    }
}

/// How often a player's move was better than those tried before it.
pub(super) struct History(Box<[[i32; PLACES]; 2]>);

impl History {
    const MOST: i32 = 1 << 20;

    pub fn new() -> Self {
        Self(Box::new([[0; PLACES]; 2]))
    }

    /// The greater, the earlier.
    #[inline]
    pub fn of(&self, player: Player, place: usize) -> i32 {
        self.0[player.index() & 1][place]
    }

    /// The move at `place` cut by so much more than expected; negative: it did not.
    #[inline]
    pub fn add(&mut self, player: Player, place: usize, credit: i32) {
        let value = &mut self.0[player.index() & 1][place];
        *value = (*value + credit).clamp(-Self::MOST, Self::MOST);
    }
}

/// The last two moves that cut at each ply.
pub(super) struct Killers<M>(Vec<[Option<M>; 2]>);

impl<M: Copy + Eq> Killers<M> {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    /// Remembers that `m` cut at `ply`.
    pub fn add(&mut self, ply: usize, m: M) {
        if self.0.len() <= ply {
            self.0.resize(ply + 1, [None; 2]);
        }
        if self.0[ply][0] != Some(m) {
            self.0[ply][1] = self.0[ply][0];
            self.0[ply][0] = Some(m);
        }
    }

    /// Is it one of them? 2 for the latest, 1 for the one before, 0 for any other move.
    #[inline]
    pub fn rank(&self, ply: usize, m: M) -> i64 {
        match self.0.get(ply) {
            Some([latest, _]) if *latest == Some(m) => 2,
            Some([_, before]) if *before == Some(m) => 1,
            _ => 0,
        }
    }
}

/// How large the trees below each ply are: the running mean of their binary logarithms. Where they are small
/// it does not pay to look at the table for every child first.
pub(super) struct Sizes([u32; Sizes::PLIES]);

impl Sizes {
    const PLIES: usize = 256;
    /// Fractions of a unit, and the weight of the past.
    const SHIFT: u32 = 8;
    /// Trees of so many nodes, as a binary logarithm and in fractions, are large.
    const LARGE: u32 = 3 << Self::SHIFT;
    /// And of so many, worth dividing among threads: a mark that others read costs as much as some nodes.
    const SHARED: u32 = 6 << Self::SHIFT;

    pub fn new() -> Self {
        Self([64 << Self::SHIFT; Self::PLIES])
    }

    /// A tree at `ply` took this much work.
    #[inline]
    pub fn add(&mut self, ply: u32, worth: u8) {
        let mean = &mut self.0[ply as usize % Self::PLIES];
        *mean = *mean - (*mean >> Self::SHIFT) + u32::from(worth);
    }

    /// Are the trees below this ply worth some care?
    #[inline]
    pub fn is_large(&self, ply: u32) -> bool {
        self.0[ply as usize % Self::PLIES] >= Self::LARGE
    }

    /// Are they worth leaving to another thread that is at them?
    #[inline]
    pub fn is_shared(&self, ply: u32) -> bool {
        self.0[ply as usize % Self::PLIES] >= Self::SHARED
    }
}
