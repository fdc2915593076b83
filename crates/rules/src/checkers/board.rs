//! Positions of checkers: sets of the 32 dark squares, a word each, and the moves by shifts of whole sets.
//!
//! Square i is number i + 1 of the notation; four to a row, the first row at Black's side. In even rows the squares
//! stand a column further right than in odd ones, so a diagonal step is a shift that depends on the row.

use endspiel_game::{Payoff, Player, Position, Symmetric, Turn, TwoPlayer, mix};

/// A move: where from, where to, and which squares lose their piece. Ways round that take the same pieces and end on
/// the same square are one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square moved from, 0 to 31.
    pub from: u8,
    /// The square moved to.
    pub to: u8,
    /// The squares of the pieces taken.
    pub taken: u32,
}

/// A position of checkers. The first player is Black, who moves down the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    pieces: [u32; 2],
    kings: u32,
    mover: Player,
    over: bool,
}

/// The rows 0, 2, 4 and 6.
const EVEN: u32 = 0x0f0f_0f0f;
/// The first and the last square of every row.
const FIRST: u32 = 0x1111_1111;
const LAST: u32 = 0x8888_8888;
/// Where the men of each player are crowned.
pub const CROWN: [u32; 2] = [0xf000_0000, 0x0000_000f];
/// The directions of each player's men: down left and down right, up left and up right.
const FORWARD: [[usize; 2]; 2] = [[0, 1], [2, 3]];

/// The squares one step away from those of a set.
#[inline]
pub const fn step(set: u32, direction: usize) -> u32 {
    let (even, odd) = (set & EVEN, set & !EVEN);
    match direction {
        0 => even << 4 | (odd & !FIRST) << 3,
        1 => (even & !LAST) << 5 | odd << 4,
        2 => even >> 4 | (odd & !FIRST) >> 5,
        _ => (even & !LAST) >> 3 | odd >> 4,
    }
}

/// The squares of a set, in order.
#[inline]
pub fn squares(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as u8;
            set &= set - 1;
            square
        })
    })
}

/// Calls `each` with every square of a set.
#[inline]
fn each_square(mut set: u32, mut each: impl FnMut(u8, u32)) {
    while set != 0 {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        each(bit.trailing_zeros() as u8, bit);
    }
}

impl Board {
    /// A position; men that stand where they would have been crowned are taken for kings.
    pub fn new(pieces: [u32; 2], kings: u32, mover: Player) -> Self {
        let crowned = pieces[0] & CROWN[0] | pieces[1] & CROWN[1];
        let kings = kings & (pieces[0] | pieces[1]) | crowned;
        let mut board = Self { pieces, kings, mover, over: false };
        board.settle();
        board
    }

    /// Sees whether the player to move can.
    #[inline]
    fn settle(&mut self) {
        self.over = !self.must_jump() && !self.can_step();
    }

    /// The pieces of a player.
    #[inline]
    pub const fn pieces(&self, player: Player) -> u32 {
        self.pieces[player.0 as usize]
    }

    /// The kings of both.
    #[inline]
    pub const fn kings(&self) -> u32 {
        self.kings
    }

    /// Who is to move, or would be if the game were not over.
    #[inline]
    pub const fn side(&self) -> Player {
        self.mover
    }

    /// The board turned round, the colours exchanged: the same game for the other player.
    #[must_use]
    #[inline]
    pub const fn swapped(&self) -> Self {
        Self {
            pieces: [self.pieces[1].reverse_bits(), self.pieces[0].reverse_bits()],
            kings: self.kings.reverse_bits(),
            mover: self.mover.other(),
            over: self.over,
        }
    }

    #[inline]
    fn empty(&self) -> u32 {
        !(self.pieces[0] | self.pieces[1])
    }

    /// The pieces of `player` that may go in this direction.
    #[inline]
    fn able(&self, player: Player, direction: usize) -> u32 {
        let own = self.pieces(player);
        if FORWARD[player.index()].contains(&direction) { own } else { own & self.kings }
    }

    /// Can the player to move take something, and so must?
    #[inline]
    pub fn must_jump(&self) -> bool {
        let (theirs, empty) = (self.pieces(self.mover.other()), self.empty());
        (0..4).any(|d| step(step(self.able(self.mover, d), d) & theirs, d) & empty != 0)
    }

    #[inline]
    fn can_step(&self) -> bool {
        (0..4).any(|d| step(self.able(self.mover, d), d) & self.empty() != 0)
    }

    #[inline]
    fn steps(&self, mut each: impl FnMut(Move)) {
        let empty = self.empty();
        each_square(self.pieces(self.mover), |from, bit| {
            let king = self.kings & bit != 0;
            for d in 0..4 {
                let to = step(bit, d) & empty;
                if to != 0 && (king || FORWARD[self.mover.index()].contains(&d)) {
                    each(Move { from, to: to.trailing_zeros() as u8, taken: 0 });
                }
            }
        });
    }

    #[inline]
    fn jumps(&self, mut each: impl FnMut(Move)) {
        each_square(self.pieces(self.mover), |from, bit| {
            // Only a way round four pieces and more can be gone in two orders.
            let mut rounds = Vec::new();
            self.ways(bit, &mut |path: &[u32], taken| {
                let to = path[path.len() - 1].trailing_zeros() as u8;
                let m = Move { from, to, taken };
                if path.len() > 4 {
                    if rounds.contains(&m) {
                        return;
                    }
                    rounds.push(m);
                }
                each(m);
            });
        });
    }

    /// Calls `each` with every complete way of taking by the piece on the square `from`: the squares it comes to,
    /// the first one among them, and the pieces taken.
    pub(super) fn ways(&self, from: u32, each: &mut impl FnMut(&[u32], u32)) {
        let mut path = [0; 14];
        path[0] = from;
        self.go_on(&mut path, 1, 0, each);
    }

    fn go_on(&self, path: &mut [u32; 14], length: usize, taken: u32, each: &mut impl FnMut(&[u32], u32)) {
        let (from, at) = (path[0], path[length - 1]);
        let theirs = self.pieces(self.mover.other()) & !taken;
        let empty = self.empty() | from;
        let king = self.kings & from != 0;
        let mut last = true;
        // A man that comes to the last row stays there.
        if king || at & CROWN[self.mover.index()] == 0 {
            for d in 0..4 {
                if !king && !FORWARD[self.mover.index()].contains(&d) {
                    continue;
                }
                let over = step(at, d) & theirs;
                let to = step(over, d) & empty;
                if to != 0 && length < path.len() {
                    last = false;
                    path[length] = to;
                    self.go_on(path, length + 1, taken | over, each);
                }
            }
        }
        if last && length > 1 {
            each(&path[..length], taken);
        }
    }

    /// Calls `each` with every position from which a move that takes nothing and crowns nobody leads here.
    #[inline]
    pub fn before_steps(&self, mut each: impl FnMut(Self)) {
        let (who, empty) = (self.mover.other(), self.empty());
        each_square(self.pieces(who), |_, bit| {
            let king = self.kings & bit;
            for d in 0..4 {
                // A man came from behind.
                let from = step(bit, d) & empty;
                if from == 0 || king == 0 && FORWARD[who.index()].contains(&d) {
                    continue;
                }
                let mut before = *self;
                before.pieces[who.index()] ^= bit | from;
                if king != 0 {
                    before.kings ^= bit | from;
                }
                before.mover = who;
                before.over = false;
                if !before.must_jump() {
                    each(before);
                }
            }
        });
    }
}

impl Position for Board {
    type Move = Move;

    const CYCLIC: bool = true;

    #[inline]
    fn turn(&self) -> Turn {
        if self.over { Turn::Over } else { Turn::Player(self.mover) }
    }

    #[inline]
    fn moves(&self, each: impl FnMut(Move)) {
        if self.over {
        } else if self.must_jump() {
            self.jumps(each);
        } else {
            self.steps(each);
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let (me, from, to) = (self.mover.index(), 1 << m.from, 1 << m.to);
        let king = if self.kings & from != 0 { to } else { to & CROWN[me] };
        self.pieces[me] = self.pieces[me] & !from | to;
        self.pieces[1 - me] &= !m.taken;
        self.kings = self.kings & !from & !m.taken | king;
        self.mover = self.mover.other();
        self.settle();
    }

    #[inline]
    fn payoff(&self) -> Payoff {
        Payoff::win(self.mover.other())
    }

    #[inline]
    fn key(&self) -> u64 {
        let pieces = u64::from(self.pieces[0]) | u64::from(self.pieces[1]) << 32;
        mix(mix(pieces) ^ (u64::from(self.kings) | u64::from(self.mover.0) << 32))
    }
}

impl TwoPlayer for Board {
    #[inline]
    fn score_range(&self) -> (i32, i32) {
        if self.over {
            let score = self.payoff().of(Player::FIRST);
            (score, score)
        } else {
            (-1, 1)
        }
    }

    fn turned(&self) -> Option<Self> {
        (!self.over).then(|| Self::new(self.pieces, self.kings, self.mover.other()))
    }
}

/// The board has no symmetry that keeps the colours.
impl Symmetric for Board {}
