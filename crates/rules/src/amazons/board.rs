//! Positions of Amazons: two sets of amazons and everything occupied. Making a move costs a few instructions, a list
//! of moves one [`queen`] for every square an amazon can reach.

use super::reach::{STRIDE, nth, queen, spread, squares};
use crate::grid::Grid;
use endspiel_game::{Payoff, Player, Position, Rng, Symmetric, Turn, TwoPlayer, mix};

/// An amazon goes from a square to a square and shoots an arrow at a third. Squares are numbered ten a row on every
/// board: a1 is 0, b1 is 1, a2 is 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the amazon stands.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
    /// Which square its arrow blocks.
    pub arrow: u8,
}

/// A position of Amazons. The first player has the white amazons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    amazons: [u128; 2],
    /// Amazons, arrows and everything off the board.
    occupied: u128,
    key: u64,
    width: u8,
    height: u8,
    mover: Player,
}

/// Hash numbers of white amazons, black amazons and arrows.
static ZOBRIST: [[u64; 100]; 3] = {
    let (mut table, mut i) = ([[0; 100]; 3], 0);
    while i < 300 {
        table[i % 3][i / 3] = mix(i as u64);
        i += 1;
    }
    table
};
const BLACK_TO_MOVE: u64 = mix(300);
pub(super) const ARROW: usize = 2;

impl Board {
    /// A board without pieces, White to move.
    pub(super) fn empty(width: u8, height: u8) -> Self {
        let row = (1u128 << width) - 1;
        let board = (0..usize::from(height)).fold(0, |set, r| set | row << (STRIDE * r));
        Self { amazons: [0; 2], occupied: !board, key: 0, width, height, mover: Player::FIRST }
    }

    /// Puts an amazon of a player (0, 1) or an [`ARROW`] on an empty square.
    pub(super) fn put(&mut self, square: usize, kind: usize) {
        if kind != ARROW {
            self.amazons[kind] |= 1 << square;
        }
        self.occupied |= 1 << square;
        self.key ^= ZOBRIST[kind][square];
    }

    pub(super) fn pass_turn(&mut self) {
        self.mover = self.mover.other();
        self.key ^= BLACK_TO_MOVE;
    }

    /// The shape of the board.
    pub fn grid(&self) -> Grid {
        Grid::new(self.width, self.height)
    }

    /// Who is to move, even when the game is over.
    pub fn side(&self) -> Player {
        self.mover
    }

    /// The squares of a player's amazons.
    #[inline]
    pub fn amazons(&self, player: Player) -> u128 {
        self.amazons[player.index()]
    }

    /// Amazons, arrows and everything off the board.
    #[inline]
    pub fn occupied(&self) -> u128 {
        self.occupied
    }

    /// The empty squares.
    #[inline]
    pub fn empties(&self) -> u128 {
        !self.occupied
    }

    /// The squares blocked by arrows.
    pub fn arrows(&self) -> u128 {
        let off = Self::empty(self.width, self.height).occupied;
        self.occupied & !off & !self.amazons[0] & !self.amazons[1]
    }

    /// Where an amazon at `from` can shoot from `to`.
    #[inline]
    pub fn shots(&self, from: usize, to: usize) -> u128 {
        queen(to, self.occupied ^ 1 << from)
    }

    /// The amazons of a player that can move, were it to. Whoever can step can shoot back.
    #[inline]
    pub fn movable(&self, player: Player) -> u128 {
        self.amazons[player.index()] & spread(self.empties())
    }

    /// Can a player move, were it to?
    #[inline]
    pub fn can_move(&self, player: Player) -> bool {
        self.movable(player) != 0
    }
}

impl Position for Board {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Turn {
        if self.can_move(self.mover) { Turn::Player(self.mover) } else { Turn::Over }
    }

    fn moves(&self, mut each: impl FnMut(Move)) {
        for from in squares(self.amazons[self.mover.index()]) {
            for to in squares(queen(from, self.occupied)) {
                for arrow in squares(self.shots(from, to)) {
                    each(Move { from: from as u8, to: to as u8, arrow: arrow as u8 });
                }
            }
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let player = self.mover.index();
        let (from, to, arrow) = (usize::from(m.from), usize::from(m.to), usize::from(m.arrow));
        self.amazons[player] ^= 1 << from | 1 << to;
        self.occupied = (self.occupied ^ 1 << from) | 1 << to | 1 << arrow;
        self.key ^= ZOBRIST[player][from] ^ ZOBRIST[player][to] ^ ZOBRIST[ARROW][arrow];
        self.pass_turn();
    }

    /// The player to move cannot, and has lost.
    fn payoff(&self) -> Payoff {
        Payoff::win(self.mover.other())
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn count_moves(&self) -> usize {
        let mut count = 0;
        for from in squares(self.amazons[self.mover.index()]) {
            for to in squares(queen(from, self.occupied)) {
                count += self.shots(from, to).count_ones() as usize;
            }
        }
        count
    }

    /// One pass over the squares that can be reached: each takes the place of the one kept so far with the chance
    /// that its share of the moves seen gives it.
    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        let (mut seen, mut kept) = (0, None);
        for from in squares(self.amazons[self.mover.index()]) {
            for to in squares(queen(from, self.occupied)) {
                let shots = self.shots(from, to);
                let count = shots.count_ones() as usize;
                seen += count;
                if rng.below(seen) < count {
                    kept = Some((from, to, shots, count));
                }
            }
        }
        kept.map(|(from, to, shots, count)| {
            let arrow = nth(shots, rng.below(count));
            Move { from: from as u8, to: to as u8, arrow: arrow as u8 }
        })
    }

    /// Not every move has the same chance here: an amazon that can move is drawn, then one of its squares, then one
    /// of the shots from there. That is many times faster than drawing from all moves.
    fn playout(&mut self, rng: &mut Rng, limit: usize) -> Payoff {
        for _ in 0..limit {
            let movable = self.movable(self.mover);
            if movable == 0 {
                return self.payoff();
            }
            let from = nth(movable, rng.below(movable.count_ones() as usize));
            let reached = queen(from, self.occupied);
            let to = nth(reached, rng.below(reached.count_ones() as usize));
            let shots = self.shots(from, to);
            let arrow = nth(shots, rng.below(shots.count_ones() as usize));
            self.play(Move { from: from as u8, to: to as u8, arrow: arrow as u8 });
        }
        if self.can_move(self.mover) { self.repeated() } else { self.payoff() }
    }
}

impl TwoPlayer for Board {
    const DRAWS: bool = false;
}

impl Board {
    /// Where symmetry `s` takes a square: bit 0 mirrors the columns, bit 1 the rows, bit 2 then exchanges them.
    fn image_of(&self, square: usize, s: usize) -> usize {
        let (mut column, mut row) = (square % STRIDE, square / STRIDE);
        if s & 1 != 0 {
            column = usize::from(self.width) - 1 - column;
        }
        if s & 2 != 0 {
            row = usize::from(self.height) - 1 - row;
        }
        if s & 4 == 0 { row * STRIDE + column } else { column * STRIDE + row }
    }

    /// The key of an image, without making the image.
    fn image_key(&self, s: usize) -> u64 {
        let mut key = if self.mover == Player::FIRST { 0 } else { BLACK_TO_MOVE };
        for (kind, set) in [self.amazons[0], self.amazons[1], self.arrows()].into_iter().enumerate() {
            squares(set).for_each(|square| key ^= ZOBRIST[kind][self.image_of(square, s)]);
        }
        key
    }
}

/// Rotations and reflections: 8 of a square board, 4 of another.
impl Symmetric for Board {
    fn symmetries(&self) -> usize {
        self.grid().symmetries()
    }

    fn image(&self, s: usize) -> Self {
        let mut image = Self::empty(self.width, self.height);
        for (kind, set) in [self.amazons[0], self.amazons[1], self.arrows()].into_iter().enumerate() {
            squares(set).for_each(|square| image.put(self.image_of(square, s), kind));
        }
        if self.mover == Player::SECOND {
            image.pass_turn();
        }
        image
    }

    fn image_move(&self, m: Move, s: usize) -> Move {
        let image = |square: u8| self.image_of(usize::from(square), s) as u8;
        Move { from: image(m.from), to: image(m.to), arrow: image(m.arrow) }
    }

    fn canonical(&self) -> (Self, usize) {
        let s = (0..self.symmetries()).min_by_key(|&s| self.image_key(s)).unwrap_or(0);
        (self.image(s), s)
    }

    fn canonical_key(&self) -> u64 {
        (1..self.symmetries()).map(|s| self.image_key(s)).fold(self.key, u64::min)
    }
}
