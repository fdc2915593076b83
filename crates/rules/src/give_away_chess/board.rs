//! The board of give-away chess: men; sliders by the magic tables of `cozy-chess`.
//!
//! Moves come in a fixed order: by the square moved from, a1, b1, ... h8; then ray by ray in the order of
//! [`RAYS`], along a ray the nearest first; pawns one step before two, captures towards the a-file first;
//! promotions to queen, rook, bishop, knight, king. A list of moves costs one table look-up a piece.

use cozy_chess::{BitBoard, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves};
use endspiel_game::{Payoff, Player, Position, Rng, Symmetric, Turn, TwoPlayer};

use crate::bits::select;
use crate::chessmen::{
    BLACK_TO_MOVE, Kind, MOST_PIECES, Men, Move, NOT_A, NOT_H, ZOBRIST, passed_key, pawn_attacks, pawn_steps,
};
use std::ops::Deref;

/// What a pawn may become, in the order of moves.
const PROMOTIONS: [Kind; 5] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::King];

/// Steps of queen and king in the order of moves, as files and ranks.
const RAYS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// Steps of the knight in the order of moves.
const LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

const fn walk(square: usize, step: (i8, i8), far: bool) -> u64 {
    let (mut file, mut rank, mut set) = (square as i8 % 8 + step.0, square as i8 / 8 + step.1, 0);
    while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        set |= 1 << (rank * 8 + file);
        if !far {
            break;
        }
        (file, rank) = (file + step.0, rank + step.1);
    }
    set
}

const fn walks(steps: [(i8, i8); 8], far: bool) -> [[u64; 8]; 64] {
    let (mut table, mut square) = ([[0; 8]; 64], 0);
    while square < 64 {
        let mut d = 0;
        while d < 8 {
            table[square][d] = walk(square, steps[d], far);
            d += 1;
        }
        square += 1;
    }
    table
}

static ALONG_RAYS: [[u64; 8]; 64] = walks(RAYS, true);
static BY_LEAPS: [[u64; 8]; 64] = walks(LEAPS, false);

/// A position of give-away chess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    men: Men,
    en_passant: bool,
}

impl Deref for Board {
    type Target = Men;

    #[inline]
    fn deref(&self) -> &Men {
        &self.men
    }
}

/// Where each piece of the mover can go: captures only, if there are any.
struct Targets {
    from: [u8; MOST_PIECES],
    to: [u64; MOST_PIECES],
    len: usize,
}

impl Board {
    pub(super) fn of_men(men: Men, en_passant: bool) -> Self {
        Self { men, en_passant }
    }

    /// Notes that the pawn before `square` has just made a double step, if that lets a pawn of the player to
    /// move capture it; says whether it does.
    pub(super) fn set_passed(&mut self, square: u8) -> bool {
        let behind = pawn_attacks(1 << square, self.mover.other());
        let possible = self.en_passant && behind & self.pieces(Kind::Pawn, self.mover) != 0;
        if possible {
            self.men.note_passed(square);
        }
        possible
    }

    /// Can the player to move capture?
    pub fn must_capture(&self) -> bool {
        self.targets().1
    }

    /// Where the pieces can go, and whether that is by capturing.
    #[inline]
    fn targets(&self) -> (Targets, bool) {
        let (own, enemy) = (self.colours[self.mover.index()], self.colours[self.mover.other().index()]);
        let all = own | enemy;
        let passed = if self.passed == Men::NO_SQUARE { 0 } else { 1 << self.passed };
        let mut targets = Targets { from: [0; MOST_PIECES], to: [0; MOST_PIECES], len: 0 };
        let (mut captured, mut left) = (0, own);
        while left != 0 {
            let square = left.trailing_zeros() as usize;
            let bit = left & left.wrapping_neg();
            left ^= bit;
            let to = if self.kinds[Kind::Pawn as usize] & bit != 0 {
                pawn_attacks(bit, self.mover) & (enemy | passed) | pawn_steps(bit, self.mover, all)
            } else {
                self.attacks(square, bit, all) & !own
            };
            targets.from[targets.len] = square as u8;
            targets.to[targets.len] = to;
            targets.len += 1;
            let pawn_capture = if self.kinds[Kind::Pawn as usize] & bit != 0 { to & passed } else { 0 };
            captured |= to & enemy | pawn_capture;
        }
        if captured != 0 {
            for i in 0..targets.len {
                let pawn = self.kinds[Kind::Pawn as usize] >> targets.from[i] & 1 != 0;
                targets.to[i] &= if pawn { enemy | passed } else { enemy };
            }
        }
        (targets, captured != 0)
    }

    /// What a piece that is no pawn attacks.
    #[inline]
    fn attacks(&self, square: usize, bit: u64, all: u64) -> u64 {
        let [_, knights, bishops, rooks, queens, _] = self.kinds;
        let (place, all) = (Square::index(square), BitBoard(all));
        if knights & bit != 0 {
            get_knight_moves(place).0
        } else if bishops & bit != 0 {
            get_bishop_moves(place, all).0
        } else if rooks & bit != 0 {
            get_rook_moves(place, all).0
        } else if queens & bit != 0 {
            get_bishop_moves(place, all).0 | get_rook_moves(place, all).0
        } else {
            get_king_moves(place).0
        }
    }

    /// Does a pawn moving from here promote?
    #[inline]
    fn promotes(&self, from: u8) -> bool {
        let seventh: u64 = if self.mover == Player::FIRST { 0xFF << 48 } else { 0xFF << 8 };
        self.kinds[Kind::Pawn as usize] & seventh & 1 << from != 0
    }

    /// Has the player to move a legal move? All pieces at once: a slider can move exactly if it can step.
    fn can_move(&self) -> bool {
        let own = self.colours[self.mover.index()];
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds.map(|k| k & own);
        let enemy = self.colours[self.mover.other().index()];
        let straight = rooks | queens | kings;
        let sideways = straight << 1 & NOT_A | straight >> 1 & NOT_H;
        let diagonal = bishops | queens | kings;
        let (east, west) = (diagonal << 1 & NOT_A, diagonal >> 1 & NOT_H);
        let steps = sideways | straight << 8 | straight >> 8 | (east | west) << 8 | (east | west) >> 8;
        if steps & !own != 0 || pawn_steps(pawns, self.mover, own | enemy) != 0 {
            return true;
        }
        let (one_east, one_west) = (knights << 1 & NOT_A, knights >> 1 & NOT_H);
        let (two_east, two_west) = (one_east << 1 & NOT_A, one_west >> 1 & NOT_H);
        let (far, near) = (one_east | one_west, two_east | two_west);
        let leaps = far << 16 | far >> 16 | near << 8 | near >> 8;
        let passed = if self.passed == Men::NO_SQUARE { 0 } else { 1 << self.passed };
        leaps & !own != 0 || pawn_attacks(pawns, self.mover) & (enemy | passed) != 0
    }

    fn random_target(&self, rng: &mut Rng) -> Option<Move> {
        let (targets, _) = self.targets();
        let weight = |i: usize| {
            let choices = targets.to[i].count_ones() as usize;
            if self.promotes(targets.from[i]) { 5 * choices } else { choices }
        };
        let total: usize = (0..targets.len).map(weight).sum();
        let mut pick = rng.below(total);
        for i in 0..targets.len {
            let (from, choices) = (targets.from[i], weight(i));
            if pick < choices {
                let squares = targets.to[i].count_ones() as usize;
                let to = select(targets.to[i], pick % squares) as u8;
                let promotion = self.promotes(from).then(|| PROMOTIONS[pick / squares]);
                return Some(Move { from, to, promotion });
            }
            pick -= choices;
        }
        None
    }
}

/// The bits of a set, from the lowest or from the highest.
fn each_bit(mut set: u64, upwards: bool, mut each: impl FnMut(u8)) {
    while set != 0 {
        let bit = if upwards { set.trailing_zeros() } else { set.ilog2() };
        set ^= 1 << bit;
        each(bit as u8);
    }
}

impl Position for Board {
    type Move = Move;

    const CYCLIC: bool = true;

    #[inline]
    fn turn(&self) -> Turn {
        if self.can_move() { Turn::Player(self.mover) } else { Turn::Over }
    }

    fn moves(&self, mut each: impl FnMut(Move)) {
        let (targets, captures) = self.targets();
        for i in 0..targets.len {
            let (from, to) = (targets.from[i], targets.to[i]);
            if to == 0 {
                continue;
            }
            let mut plain = |to: u8| each(Move { from, to, promotion: None });
            match self.kind_at(from) {
                Kind::Pawn if self.promotes(from) => each_bit(to, true, |to| {
                    PROMOTIONS.map(Some).into_iter().for_each(|promotion| each(Move { from, to, promotion }));
                }),
                Kind::Pawn => each_bit(to, captures || self.mover == Player::FIRST, plain),
                Kind::Knight => {
                    BY_LEAPS[usize::from(from)]
                        .into_iter()
                        .for_each(|leap| each_bit(to & leap, true, &mut plain));
                }
                _ => {
                    for (ray, step) in ALONG_RAYS[usize::from(from)].into_iter().zip(RAYS) {
                        each_bit(to & ray, step.1 * 8 + step.0 > 0, &mut plain);
                    }
                }
            }
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let double = self.kind_at(m.from) == Kind::Pawn && m.from.abs_diff(m.to) == 16;
        self.men.step(m);
        if self.en_passant && double {
            self.set_passed(u8::midpoint(m.from, m.to));
        }
    }

    /// The player to move has no move, and wins.
    fn payoff(&self) -> Payoff {
        Payoff::win(self.mover)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn count_moves(&self) -> usize {
        let (targets, _) = self.targets();
        (0..targets.len)
            .map(|i| {
                let choices = targets.to[i].count_ones() as usize;
                if self.promotes(targets.from[i]) { 5 * choices } else { choices }
            })
            .sum()
    }

    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        self.random_target(rng)
    }

    fn playout(&mut self, rng: &mut Rng, limit: usize) -> Payoff {
        for _ in 0..limit {
            match self.random_target(rng) {
                Some(m) => self.play(m),
                None => return self.payoff(),
            }
        }
        if self.can_move() { self.repeated() } else { self.payoff() }
    }
}

impl TwoPlayer for Board {}

/// Left and right can be exchanged, as there is no castling.
impl Symmetric for Board {
    fn symmetries(&self) -> usize {
        2
    }

    fn image(&self, s: usize) -> Self {
        if s == 0 {
            return self.clone();
        }
        let mut image = Self::of_men(self.men.turned(|square| square ^ 7), self.en_passant);
        if let Some(square) = self.passed_square() {
            image.set_passed(square ^ 7);
        }
        image
    }

    fn image_move(&self, m: Move, s: usize) -> Move {
        if s == 0 { m } else { Move { from: m.from ^ 7, to: m.to ^ 7, ..m } }
    }

    fn canonical_key(&self) -> u64 {
        let mut mirrored = if self.mover == Player::FIRST { 0 } else { BLACK_TO_MOVE };
        for (colour, own) in self.colours.into_iter().enumerate() {
            for (kind, set) in self.kinds.into_iter().enumerate() {
                each_bit(set & own, true, |square| {
                    mirrored ^= ZOBRIST[colour][kind][usize::from(square ^ 7)];
                });
            }
        }
        if let Some(square) = self.passed_square() {
            mirrored ^= passed_key(square ^ 7);
        }
        self.key.min(mirrored)
    }
}
