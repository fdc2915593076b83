//! The pieces of xiangqi and their moves. A piece stands in a list by point and in its side's set of points.
//!
//! Moves come by the point moved from, the lowest first. A move is legal if it leaves the own king unattacked, where
//! the enemy king attacks along an open file: pieces that could do so stand on few points, so little is looked at.

use super::points::{
    GUARD, GUARDS, KING, KINGS, KNIGHT, KNIGHT_BACK, Leap, MINISTER, MINISTERS, NEAR, PAWN, PAWN_BACK, PAWNS,
    POINTS, Point, between, each_point, lowest, mirrored, opposite,
};
use endspiel_game::{Payoff, Player, Position, Symmetric, Turn, TwoPlayer, mix};

/// The kinds of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// King, or general.
    King,
    /// Guard, adviser or mandarin.
    Guard,
    /// Minister, bishop or elephant.
    Minister,
    /// Rook or chariot.
    Rook,
    /// Knight or horse.
    Knight,
    /// Cannon.
    Cannon,
    /// Pawn or soldier.
    Pawn,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::King, Self::Guard, Self::Minister, Self::Rook, Self::Knight, Self::Cannon, Self::Pawn];

    /// Can it cross the river, and so mate?
    pub fn attacks(self) -> bool {
        self >= Self::Rook
    }

    /// The most of them that a side has.
    pub fn most(self) -> u32 {
        [1, 2, 2, 2, 2, 2, 5][self as usize]
    }

    /// The points on which a side's pieces of this kind can stand.
    pub fn points(self, player: Player) -> u128 {
        match self {
            Self::King => KINGS[player.index()],
            Self::Guard => GUARDS[player.index()],
            Self::Minister => MINISTERS[player.index()],
            Self::Pawn => PAWNS[player.index()],
            Self::Rook | Self::Knight | Self::Cannon => (1 << POINTS) - 1,
        }
    }
}

/// A move from a point to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The point moved from.
    pub from: Point,
    /// The point moved to.
    pub to: Point,
}

/// What stands on no point.
const EMPTY: u8 = 14;

static ZOBRIST: [[u64; POINTS]; EMPTY as usize] = {
    let (mut table, mut i) = ([[0; POINTS]; EMPTY as usize], 0);
    while i < POINTS * EMPTY as usize {
        table[i / POINTS][i % POINTS] = mix(0x5849 + i as u64);
        i += 1;
    }
    table
};
const BLACK_TO_MOVE: u64 = mix(0x5848);

/// A position of xiangqi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The points of Red's pieces, then of Black's.
    sides: [u128; 2],
    key: u64,
    /// What stands on each point: twice the kind, and one more for Black.
    cells: [u8; POINTS],
    kings: [Point; 2],
    /// Rooks, knights, cannons and pawns of both.
    attackers: u8,
    mover: Player,
}

impl Board {
    /// An empty board with Red to move: no position yet.
    pub(super) fn empty() -> Self {
        Self {
            sides: [0; 2],
            key: 0,
            cells: [EMPTY; POINTS],
            kings: [0; 2],
            attackers: 0,
            mover: Player::FIRST,
        }
    }

    pub(super) fn start() -> Self {
        let mut board = Self::empty();
        let back = [Kind::Rook, Kind::Knight, Kind::Minister, Kind::Guard, Kind::King];
        let mut both = |point: Point, kind| {
            board.put(point, kind, Player::FIRST);
            board.put(opposite(point), kind, Player::SECOND);
        };
        for (file, kind) in (0..).zip(back) {
            both(file, kind);
            if kind != Kind::King {
                both(8 - file, kind);
            }
        }
        for point in [19, 25] {
            both(point, Kind::Cannon);
        }
        for point in (27..36).step_by(2) {
            both(point, Kind::Pawn);
        }
        board
    }

    /// The position of these pieces; none if it is not legal: two on one point, not one king each, a piece where its
    /// kind never stands, or the player who is not to move in check, kings that face each other among that.
    pub fn of_pieces(pieces: &[(Point, Kind, Player)], mover: Player) -> Option<Self> {
        let mut board = Self::empty();
        let mut kings = [0; 2];
        for &(point, kind, player) in pieces {
            let room = kind.points(player) & !board.occupied();
            if usize::from(point) >= POINTS || room >> point & 1 == 0 {
                return None;
            }
            board.put(point, kind, player);
            kings[player.index()] += usize::from(kind == Kind::King);
        }
        if mover == Player::SECOND {
            board.pass_turn();
        }
        (kings == [1, 1] && board.is_legal()).then_some(board)
    }

    /// Puts a piece on an empty point.
    pub(super) fn put(&mut self, point: Point, kind: Kind, player: Player) {
        self.place(point, kind as u8 * 2 + player.0);
        self.attackers += u8::from(kind.attacks());
        if kind == Kind::King {
            self.kings[player.index()] = point;
        }
    }

    #[inline]
    fn place(&mut self, point: Point, piece: u8) {
        self.cells[usize::from(point)] = piece;
        self.sides[usize::from(piece & 1)] |= 1 << point;
        self.key ^= ZOBRIST[usize::from(piece)][usize::from(point)];
    }

    #[inline]
    fn clear(&mut self, point: Point) -> u8 {
        let piece = std::mem::replace(&mut self.cells[usize::from(point)], EMPTY);
        self.sides[usize::from(piece & 1)] &= !(1 << point);
        self.key ^= ZOBRIST[usize::from(piece)][usize::from(point)];
        piece
    }

    /// Moves a piece to an empty point.
    #[inline]
    fn shift(&mut self, from: Point, to: Point) {
        let piece = self.clear(from);
        self.place(to, piece);
        if piece < 2 {
            self.kings[usize::from(piece)] = to;
        }
    }

    pub(super) fn pass_turn(&mut self) {
        self.mover = self.mover.other();
        self.key ^= BLACK_TO_MOVE;
    }

    /// Is the player who is not to move safe?
    pub(super) fn is_legal(&self) -> bool {
        !self.is_exposed(self.mover.other(), self.kings[self.mover.other().index()], self.sides)
    }

    /// Who is to move, or would be if the game were not over.
    #[inline]
    pub fn side(&self) -> Player {
        self.mover
    }

    /// The points of a player's pieces.
    #[inline]
    pub fn pieces(&self, player: Player) -> u128 {
        self.sides[player.index()]
    }

    /// The piece on a point.
    #[inline]
    pub fn at(&self, point: Point) -> Option<(Kind, Player)> {
        let piece = *self.cells.get(usize::from(point))?;
        Kind::ALL.get(usize::from(piece / 2)).map(|&kind| (kind, Player(piece & 1)))
    }

    /// Is the player to move in check?
    pub fn in_check(&self) -> bool {
        self.is_exposed(self.mover, self.kings[self.mover.index()], self.sides)
    }

    /// The same position with the other player to move, if it is legal.
    pub fn after_pass(&self) -> Option<Self> {
        let mut other = self.clone();
        other.pass_turn();
        other.is_legal().then_some(other)
    }

    /// Is a pawn moved, or something taken?
    pub fn is_zeroing(&self, m: Move) -> bool {
        self.cells[usize::from(m.from)] / 2 == Kind::Pawn as u8 || self.cells[usize::from(m.to)] != EMPTY
    }

    /// The position on the other wing.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        self.mapped(mirrored, self.mover, 0)
    }

    /// The position as the other side sees it: ranks turned round and colours exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        self.mapped(opposite, self.mover.other(), 1)
    }

    fn mapped(&self, point: impl Fn(Point) -> Point, mover: Player, swap: u8) -> Self {
        let mut image = Self::empty();
        each_point(self.occupied(), |from| {
            if let Some((kind, player)) = self.at(from) {
                image.put(point(from), kind, Player(player.0 ^ swap));
            }
        });
        if mover == Player::SECOND {
            image.pass_turn();
        }
        image
    }

    #[inline]
    fn occupied(&self) -> u128 {
        self.sides[0] | self.sides[1]
    }

    /// Is this player attacked with the king here and the pieces of both there? What stands on the enemy's points
    /// is taken from the board as it is.
    #[inline]
    fn is_exposed(&self, player: Player, king: Point, sides: [u128; 2]) -> bool {
        let all = sides[0] | sides[1];
        let mut near = sides[player.other().index()] & NEAR[usize::from(king)];
        while near != 0 {
            let from = lowest(near);
            near &= near - 1;
            let (files, ranks) = ((from % 9).abs_diff(king % 9), (from / 9).abs_diff(king / 9));
            let in_line = files == 0 || ranks == 0;
            let attacks = match Kind::ALL[usize::from(self.cells[usize::from(from)] / 2)] {
                Kind::Rook | Kind::King => in_line && between(from, king) & all == 0,
                Kind::Cannon => in_line && (between(from, king) & all).is_power_of_two(),
                Kind::Knight => !in_line && all >> leg(from, king) & 1 == 0,
                Kind::Pawn => PAWN[player.other().index()][usize::from(from)] >> king & 1 != 0,
                Kind::Guard | Kind::Minister => false,
            };
            if attacks {
                return true;
            }
        }
        false
    }

    /// Does the mover's king stay safe after this move?
    #[inline]
    fn is_safe(&self, from: Point, to: Point) -> bool {
        let (own, enemy) = (self.mover.index(), self.mover.other().index());
        let mut sides = self.sides;
        sides[own] = sides[own] & !(1 << from) | 1 << to;
        sides[enemy] &= !(1 << to);
        let king = if self.kings[own] == from { to } else { self.kings[own] };
        !self.is_exposed(self.mover, king, sides)
    }

    /// The points that a piece can go to, whether or not that is legal.
    #[inline]
    fn targets(&self, from: Point) -> u128 {
        let (all, own) = (self.occupied(), self.sides[self.mover.index()]);
        let free = |leaps: &[Leap]| {
            let there = leaps.iter().take_while(|leap| leap.to != 255);
            there.filter(|leap| all >> leap.over & 1 == 0).fold(0, |set, leap| set | 1 << leap.to)
        };
        let at = usize::from(from);
        let targets = match Kind::ALL[usize::from(self.cells[at] / 2)] {
            Kind::King => KING[at],
            Kind::Guard => GUARD[at],
            Kind::Minister => free(&MINISTER[at]),
            Kind::Knight => free(&KNIGHT[at]),
            Kind::Pawn => PAWN[self.mover.index()][at],
            Kind::Rook => lines(from, all, false),
            Kind::Cannon => lines(from, all, true),
        };
        targets & !own
    }

    /// Calls `each` with every position from which one move that takes nothing leads here.
    pub fn before_moves(&self, each: &mut dyn FnMut(Self)) {
        let (all, last) = (self.occupied(), self.mover.other());
        let free = |leaps: &[Leap]| {
            let there = leaps.iter().take_while(|leap| leap.to != 255);
            there.filter(|leap| all >> leap.over & 1 == 0).fold(0, |set, leap| set | 1 << leap.to)
        };
        each_point(self.sides[last.index()], |at| {
            let i = usize::from(at);
            let origins = match Kind::ALL[usize::from(self.cells[i] / 2)] {
                Kind::King => KING[i],
                Kind::Guard => GUARD[i],
                Kind::Minister => free(&MINISTER[i]),
                Kind::Knight => free(&KNIGHT_BACK[i]),
                Kind::Pawn => PAWN_BACK[last.index()][i],
                Kind::Rook | Kind::Cannon => lines(at, all, false),
            };
            each_point(origins & !all, |from| {
                let mut before = self.clone();
                before.shift(at, from);
                before.pass_turn();
                if before.is_legal() {
                    each(before);
                }
            });
        });
    }

    fn can_move(&self) -> bool {
        let mut own = self.sides[self.mover.index()];
        while own != 0 {
            let from = lowest(own);
            own &= own - 1;
            let mut targets = self.targets(from);
            while targets != 0 {
                if self.is_safe(from, lowest(targets)) {
                    return true;
                }
                targets &= targets - 1;
            }
        }
        false
    }
}

/// The leg of a knight on its way.
#[inline]
fn leg(from: Point, to: Point) -> Point {
    match i16::from(to) - i16::from(from) {
        17.. => from + 9,
        ..=-17 => from - 9,
        11 | -7 => from + 1,
        _ => from - 1,
    }
}

/// Where lines lead: to all that is empty and what stands behind it; for a cannon to what is empty and to the second
/// piece that stands in the way.
#[inline]
fn lines(from: Point, all: u128, cannon: bool) -> u128 {
    let (file, rank) = (from % 9, from / 9);
    let mut targets = 0;
    for (step, steps) in [(1, 8 - file), (-1, file), (9, 9 - rank), (-9, rank)] {
        let (mut at, mut screen) = (i16::from(from), false);
        for _ in 0..steps {
            at += step;
            let bit = 1 << at;
            if all & bit == 0 {
                targets |= if screen { 0 } else { bit };
            } else if cannon && !screen {
                screen = true;
            } else {
                targets |= bit;
                break;
            }
        }
    }
    targets
}

impl Position for Board {
    type Move = Move;

    const CYCLIC: bool = true;

    #[inline]
    fn turn(&self) -> Turn {
        if self.attackers == 0 || !self.can_move() { Turn::Over } else { Turn::Player(self.mover) }
    }

    fn moves(&self, mut each: impl FnMut(Move)) {
        if self.attackers == 0 {
            return;
        }
        each_point(self.sides[self.mover.index()], |from| {
            each_point(self.targets(from), |to| {
                if self.is_safe(from, to) {
                    each(Move { from, to });
                }
            });
        });
    }

    fn play(&mut self, m: Move) {
        if self.cells[usize::from(m.to)] != EMPTY {
            let taken = self.clear(m.to);
            self.attackers -= u8::from(taken / 2 >= Kind::Rook as u8);
        }
        self.shift(m.from, m.to);
        self.pass_turn();
    }

    /// Who cannot move has lost; without attackers it is a draw.
    fn payoff(&self) -> Payoff {
        if self.attackers == 0 { Payoff::DRAW } else { Payoff::win(self.mover.other()) }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }
}

impl TwoPlayer for Board {}

/// Left and right are the same.
impl Symmetric for Board {
    fn symmetries(&self) -> usize {
        2
    }

    fn image(&self, s: usize) -> Self {
        if s == 0 { self.clone() } else { self.mirrored() }
    }

    fn image_move(&self, m: Move, s: usize) -> Move {
        if s == 0 { m } else { Move { from: mirrored(m.from), to: mirrored(m.to) } }
    }
}
