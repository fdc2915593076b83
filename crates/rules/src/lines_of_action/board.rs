//! Positions of lines of action: two sets of stones, the codes of all lines, and the numbers of moves, kept up to date
//! move by move. Counting moves costs nothing, a random move a walk over the lines, playing one 8 to 12 line codes
//! and a flood.

use super::lines::{Lines, MOST_LINES};
use crate::bits::Bits;
use crate::grid::Grid;
use endspiel_game::{Payoff, Player, Position, Rng, Symmetric, Turn, TwoPlayer, mix};

/// A move from a square to a square, numbered row by row from a1; equal squares mean a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square moved from.
    pub from: u8,
    /// The square moved to.
    pub to: u8,
}

impl Move {
    /// The move of a player who has no other.
    pub const PASS: Self = Self { from: 0, to: 0 };

    /// Is it a pass?
    #[inline]
    pub const fn is_pass(self) -> bool {
        self.from == self.to
    }
}

/// How the game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    On,
    Over(Payoff),
}

/// A position of lines of action. The first player has the black stones.
#[derive(Clone)]
pub struct Board {
    stones: [u64; 2],
    key: u64,
    lines: &'static Lines,
    codes: [u16; MOST_LINES],
    /// How many moves each colour has, were it to move.
    mobility: [u16; 2],
    size: u8,
    mover: Player,
    mover_wins: bool,
    state: State,
}

const WHITE_TO_MOVE: u64 = mix(128);

/// The left-most and the right-most columns of boards by size, and all their squares.
const EDGES: [[u64; 3]; 9] = {
    let (mut table, mut n) = ([[0; 3]; 9], 1);
    while n <= 8 {
        let mut row = 0;
        while row < n {
            table[n][0] |= 1 << (row * n);
            table[n][1] |= 1 << (row * n + n - 1);
            row += 1;
        }
        table[n][2] = if n == 8 { u64::MAX } else { (1 << (n * n)) - 1 };
        n += 1;
    }
    table
};

/// The squares of `set` and all their neighbours on a board of `n` x `n`.
#[inline]
fn spread(set: u64, n: usize) -> u64 {
    let [left, right, all] = EDGES[n];
    let row = set | (set & !right) << 1 | (set & !left) >> 1;
    (row | row << n | row >> n) & all
}

/// Do the stones form one group? A stone without a neighbour decides most cases at once.
#[inline]
pub(super) fn is_connected(stones: u64, n: usize) -> bool {
    if stones & stones.wrapping_sub(1) == 0 {
        return true;
    }
    let [left, right, _] = EDGES[n];
    let beside = (stones & !right) << 1 | (stones & !left) >> 1;
    let row = beside | stones;
    if stones & !(beside | row << n | row >> n) != 0 {
        return false;
    }
    let mut group = stones & stones.wrapping_neg();
    loop {
        let wider = spread(group, n) & stones;
        if wider == group {
            return group == stones;
        }
        group = wider;
    }
}

impl Board {
    /// An empty board with Black to move; [`Board::settle`] it after the stones are set.
    pub(super) fn empty(size: u8, mover_wins: bool) -> Self {
        let lines = Lines::of(usize::from(size));
        Self {
            stones: [0; 2],
            key: 0,
            lines,
            codes: lines.empty,
            mobility: [0; 2],
            size,
            mover: Player::FIRST,
            mover_wins,
            state: State::On,
        }
    }

    /// Puts a stone on an empty square.
    pub(super) fn put(&mut self, square: usize, colour: usize) {
        self.stones[colour] |= 1 << square;
        self.key ^= mix((2 * square + colour) as u64);
        self.recode(square, |code, worth| code + (colour as u16 + 1) * worth);
    }

    fn remove(&mut self, square: usize, colour: usize) {
        self.stones[colour] &= !(1 << square);
        self.key ^= mix((2 * square + colour) as u64);
        self.recode(square, |code, worth| code - (colour as u16 + 1) * worth);
    }

    #[inline]
    fn recode(&mut self, square: usize, change: impl Fn(u16, u16) -> u16) {
        for (line, worth) in self.lines.through[square] {
            let old = self.codes[usize::from(line)];
            let new = change(old, worth);
            self.codes[usize::from(line)] = new;
            let (had, has) = (self.lines.counts[usize::from(old)], self.lines.counts[usize::from(new)]);
            for colour in 0..2 {
                self.mobility[colour] =
                    self.mobility[colour] + u16::from(has[colour]) - u16::from(had[colour]);
            }
        }
    }

    pub(super) fn pass_turn(&mut self) {
        self.mover = self.mover.other();
        self.key ^= WHITE_TO_MOVE;
    }

    /// Finds out whether the game is over. The player who is not to move has made the last move.
    pub(super) fn settle(&mut self) {
        let n = usize::from(self.size);
        let last = self.mover.other();
        self.state = match [0, 1].map(|colour| is_connected(self.stones[colour], n)) {
            [false, false] => State::On,
            [true, false] => State::Over(Payoff::win(Player::FIRST)),
            [false, true] => State::Over(Payoff::win(Player::SECOND)),
            [true, true] if self.mover_wins => State::Over(Payoff::win(last)),
            [true, true] => State::Over(Payoff::DRAW),
        };
    }

    /// The key of an image, without making the image.
    fn image_key(&self, s: usize) -> u64 {
        let mut key = if self.mover == Player::FIRST { 0 } else { WHITE_TO_MOVE };
        for colour in 0..2 {
            for square in Bits([self.stones[colour]]).iter() {
                key ^= mix(2 * u64::from(self.lines.images[square][s]) + colour as u64);
            }
        }
        key
    }

    /// The shape of the board.
    pub fn grid(&self) -> Grid {
        Grid::new(self.size, self.size)
    }

    /// The stones of a player, a1 the lowest bit, row by row.
    #[inline]
    pub fn stones(&self, player: Player) -> u64 {
        self.stones[player.index()]
    }

    /// Both players' stones, the first player's first.
    pub fn both(&self) -> [Bits<1>; 2] {
        self.stones.map(|set| Bits([set]))
    }

    /// Who is to move, even when the game is over.
    pub fn side(&self) -> Player {
        self.mover
    }

    /// How many moves a player has or would have, passes not counted.
    #[inline]
    pub fn mobility(&self, player: Player) -> usize {
        usize::from(self.mobility[player.index()])
    }

    /// Are all stones of a player in one group?
    pub fn is_connected(&self, player: Player) -> bool {
        is_connected(self.stones(player), usize::from(self.size))
    }
}

impl Position for Board {
    type Move = Move;

    const CYCLIC: bool = true;

    #[inline]
    fn turn(&self) -> Turn {
        if self.state == State::On { Turn::Player(self.mover) } else { Turn::Over }
    }

    fn moves(&self, mut each: impl FnMut(Move)) {
        if self.state != State::On {
            return;
        }
        let colour = self.mover.index();
        if self.mobility[colour] == 0 {
            return each(Move::PASS);
        }
        for (squares, &code) in self.lines.squares.iter().zip(&self.codes) {
            for step in self.lines.steps(code, colour) {
                each(Move { from: squares[usize::from(step.from)], to: squares[usize::from(step.to)] });
            }
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        if !m.is_pass() {
            let (from, to) = (usize::from(m.from), usize::from(m.to));
            let (own, enemy) = (self.mover.index(), self.mover.other().index());
            if self.stones[enemy] >> to & 1 != 0 {
                self.remove(to, enemy);
            }
            self.remove(from, own);
            self.put(to, own);
        }
        self.pass_turn();
        self.settle();
    }

    fn payoff(&self) -> Payoff {
        match self.state {
            State::On => Payoff::DRAW,
            State::Over(payoff) => payoff,
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.state == State::On { self.mobility(self.mover).max(1) } else { 0 }
    }

    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        if self.state != State::On {
            return None;
        }
        let colour = self.mover.index();
        let mut pick = rng.below(usize::from(self.mobility[colour]));
        for (squares, &code) in self.lines.squares.iter().zip(&self.codes) {
            let count = usize::from(self.lines.counts[usize::from(code)][colour]);
            if pick < count {
                let step = self.lines.steps(code, colour)[pick];
                return Some(Move {
                    from: squares[usize::from(step.from)],
                    to: squares[usize::from(step.to)],
                });
            }
            pick -= count;
        }
        Some(Move::PASS)
    }
}

impl TwoPlayer for Board {}

/// All eight symmetries of the square: the rules know no direction.
impl Symmetric for Board {
    fn symmetries(&self) -> usize {
        8
    }

    fn image(&self, s: usize) -> Self {
        let mut image = Self::empty(self.size, self.mover_wins);
        for colour in 0..2 {
            for square in Bits([self.stones[colour]]).iter() {
                image.put(usize::from(self.lines.images[square][s]), colour);
            }
        }
        if self.mover == Player::SECOND {
            image.pass_turn();
        }
        image.state = self.state;
        image
    }

    fn image_move(&self, m: Move, s: usize) -> Move {
        if m.is_pass() {
            return m;
        }
        let image = |square: u8| self.lines.images[usize::from(square)][s];
        Move { from: image(m.from), to: image(m.to) }
    }

    fn canonical(&self) -> (Self, usize) {
        let s = (0..8).min_by_key(|&s| self.image_key(s)).unwrap_or(0);
        (self.image(s), s)
    }

    fn canonical_key(&self) -> u64 {
        (1..8).map(|s| self.image_key(s)).fold(self.key, u64::min)
    }
}
