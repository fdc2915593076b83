//! The board of chess: men and the rights to castle; sliders by the magic tables of `cozy-chess`.
//!
//! Moves are legal as they come: a move must block or capture a single checker, pinned pieces stay on their
//! line, the king avoids attacked squares. They are ordered by the square moved from, then by the square moved
//! to, promotions to queen, rook, bishop, knight; castling last.

use cozy_chess::{
    BitBoard, Square, get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves, get_line_rays,
    get_rook_moves,
};
use endspiel_game::{Payoff, Player, Position, Symmetric, Turn, TwoPlayer, mix};

use crate::chessmen::{Kind, Men, Move, pawn_attacks, pawn_steps};
use std::ops::Deref;

/// What a pawn may become, in the order of moves.
const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];
const LAST_RANKS: u64 = 0xFF00_0000_0000_00FF;

/// A position of chess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    men: Men,
    /// The rooks that castling is still allowed with, on a1, h1, a8 and h8.
    castling: u64,
}

impl Deref for Board {
    type Target = Men;

    #[inline]
    fn deref(&self) -> &Men {
        &self.men
    }
}

/// What the legality of moves turns on.
struct Checks {
    king: u8,
    /// Where a piece other than the king must go: everywhere, or onto the checker or between; nowhere with two.
    targets: u64,
    /// Pieces that must stay on the line to their king.
    pinned: u64,
}

fn square(index: u8) -> Square {
    Square::index(index.into())
}

/// The bits of a set, the lowest first.
fn each_bit(mut set: u64, mut each: impl FnMut(u8)) {
    while set != 0 {
        each(set.trailing_zeros() as u8);
        set &= set - 1;
    }
}

impl Board {
    /// Men without castling.
    pub(super) fn of_men(men: Men) -> Self {
        Self { men, castling: 0 }
    }

    pub(super) fn start() -> Self {
        let mut board = Self::of_men(Men::start());
        board.allow_castling(0x8100_0000_0000_0081);
        board
    }

    /// The position with these pieces, without castling; none if it is not legal: each has one king, no piece is
    /// on another, no pawn on the last ranks, and who is not to move is not in check. `passed` is the square that
    /// a pawn has just passed by a double step; it must be capturable there.
    pub fn of_pieces(pieces: &[(u8, Kind, Player)], mover: Player, passed: Option<u8>) -> Option<Self> {
        let mut men = Men::none();
        for &(square, kind, colour) in pieces {
            if square > 63 || men.all() >> square & 1 != 0 {
                return None;
            }
            men.toggle(square.into(), kind, colour);
        }
        if mover == Player::SECOND {
            men.pass_turn();
        }
        let mut board = Self::of_men(men);
        if !board.is_legal() || passed.is_some_and(|square| !board.set_passed(square)) {
            return None;
        }
        Some(board)
    }

    /// Leaves castling with these rooks alone.
    pub(super) fn allow_castling(&mut self, rooks: u64) {
        if rooks != self.castling {
            let code = |set: u64| if set == 0 { 0 } else { mix(set ^ 0x5EED) };
            self.men.key ^= code(self.castling) ^ code(rooks);
            self.castling = rooks;
        }
    }

    /// Notes that a pawn has just passed this square by a double step, if it can legally be captured there; says
    /// whether it can.
    pub(super) fn set_passed(&mut self, square: u8) -> bool {
        if !self.stepped_over(square) {
            return false;
        }
        let mut possible = false;
        each_bit(self.passers(square), |from| possible |= self.may_pass(from, square));
        if possible {
            self.men.note_passed(square);
        }
        possible
    }

    /// The pawns of the player to move that attack a square.
    fn passers(&self, square: u8) -> u64 {
        pawn_attacks(1 << square, self.mover.other()) & self.pieces(Kind::Pawn, self.mover)
    }

    /// Does capturing in passing leave the own king safe? Both pawns leave their squares at once.
    fn may_pass(&self, from: u8, to: u8) -> bool {
        let taken = to ^ 8;
        let all = self.all() & !(1 << from | 1 << taken) | 1 << to;
        let enemy = self.colours[self.mover.other().index()] & !(1 << taken);
        self.attackers(self.king(self.mover), all) & enemy == 0
    }

    /// Is it a position of a game, apart from how it could arise?
    pub(super) fn is_legal(&self) -> bool {
        let kings = [Player::FIRST, Player::SECOND].map(|p| self.pieces(Kind::King, p).count_ones());
        kings == [1, 1]
            && self.kinds[Kind::Pawn as usize] & LAST_RANKS == 0
            && self.attackers(self.king(self.mover.other()), self.all()) & self.colours[self.mover.index()]
                == 0
    }

    /// The squares of the rooks that castling is still allowed with.
    pub fn castling_rooks(&self) -> u64 {
        self.castling
    }

    /// Does the move capture, move a pawn, or both? Such a move never comes back.
    pub fn is_zeroing(&self, m: Move) -> bool {
        self.kinds[Kind::Pawn as usize] >> m.from & 1 != 0 || self.all() >> m.to & 1 != 0
    }

    /// The same position with the other player to move, if that is legal.
    #[must_use]
    pub fn after_pass(&self) -> Option<Self> {
        let mut next = self.clone();
        next.men.forget_passed();
        next.men.pass_turn();
        next.is_legal().then_some(next)
    }

    /// Is the player to move in check?
    pub fn in_check(&self) -> bool {
        self.attackers(self.king(self.mover), self.all()) & self.colours[self.mover.other().index()] != 0
    }

    #[inline]
    fn king(&self, player: Player) -> u8 {
        (self.pieces(Kind::King, player).trailing_zeros() & 63) as u8
    }

    /// The pieces of both colours that attack a square, with these squares occupied.
    #[inline]
    fn attackers(&self, target: u8, all: u64) -> u64 {
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds;
        let (place, blockers) = (square(target), BitBoard(all));
        pawn_attacks(1 << target, Player::FIRST) & pawns & self.colours[1]
            | pawn_attacks(1 << target, Player::SECOND) & pawns & self.colours[0]
            | get_knight_moves(place).0 & knights
            | get_king_moves(place).0 & kings
            | get_bishop_moves(place, blockers).0 & (bishops | queens)
            | get_rook_moves(place, blockers).0 & (rooks | queens)
    }

    fn checks(&self) -> Checks {
        let king = self.king(self.mover);
        let enemy = self.colours[self.mover.other().index()];
        let checkers = self.attackers(king, self.all()) & enemy;
        let targets = match checkers.count_ones() {
            0 => u64::MAX,
            1 => get_between_rays(square(king), square(checkers.trailing_zeros() as u8)).0 | checkers,
            _ => 0,
        };
        // Sliders that would see the king on a board without the own pieces, with a single one in between.
        let [_, _, bishops, rooks, queens, _] = self.kinds;
        let seen = get_bishop_moves(square(king), BitBoard(enemy)).0 & (bishops | queens)
            | get_rook_moves(square(king), BitBoard(enemy)).0 & (rooks | queens);
        let mut pinned = 0;
        each_bit(seen & enemy, |slider| {
            let between = get_between_rays(square(king), square(slider)).0 & self.all();
            if between.is_power_of_two() {
                pinned |= between;
            }
        });
        Checks { king, targets, pinned }
    }

    /// Where the piece on a square can go, apart from castling and capturing in passing.
    fn targets(&self, from: u8, checks: &Checks) -> u64 {
        let (own, enemy) = (self.colours[self.mover.index()], self.colours[self.mover.other().index()]);
        let (all, bit, place) = (own | enemy, 1 << from, square(from));
        let [pawns, knights, bishops, rooks, queens, _] = self.kinds;
        let reach = if pawns & bit != 0 {
            pawn_attacks(bit, self.mover) & enemy | pawn_steps(bit, self.mover, all)
        } else if knights & bit != 0 {
            get_knight_moves(place).0
        } else if bishops & bit != 0 {
            get_bishop_moves(place, BitBoard(all)).0
        } else if rooks & bit != 0 {
            get_rook_moves(place, BitBoard(all)).0
        } else if queens & bit != 0 {
            get_bishop_moves(place, BitBoard(all)).0 | get_rook_moves(place, BitBoard(all)).0
        } else {
            let mut safe = 0;
            each_bit(get_king_moves(place).0 & !own, |to| {
                if self.attackers(to, all & !bit) & enemy & !(1 << to) == 0 {
                    safe |= 1 << to;
                }
            });
            return safe;
        };
        let line =
            if checks.pinned & bit != 0 { get_line_rays(square(checks.king), place).0 } else { u64::MAX };
        reach & !own & checks.targets & line
    }

    /// The squares that castling takes the king to.
    fn castles(&self, checks: &Checks) -> u64 {
        let mut out = 0;
        let enemy = self.colours[self.mover.other().index()];
        each_bit(self.castling & self.colours[self.mover.index()], |rook| {
            let king = checks.king;
            let to = if rook > king { king + 2 } else { king - 2 };
            let free = get_between_rays(square(king), square(rook)).0 & self.all() == 0;
            let path = [king, u8::midpoint(king, to), to];
            if free && path.into_iter().all(|s| self.attackers(s, self.all()) & enemy == 0) {
                out |= 1 << to;
            }
        });
        out
    }

    /// Bare kings, or one knight or bishop besides: no play can mate.
    fn is_dead(&self) -> bool {
        let [pawns, knights, bishops, rooks, queens, _] = self.kinds;
        pawns | rooks | queens == 0 && (knights | bishops).count_ones() <= 1
    }

    fn can_move(&self) -> bool {
        let checks = self.checks();
        let mut left = self.colours[self.mover.index()];
        while left != 0 {
            if self.targets(left.trailing_zeros() as u8, &checks) != 0 {
                return true;
            }
            left &= left - 1;
        }
        // Castling is never the only move; capturing in passing may be, and is noted only when it is legal.
        self.passed != Men::NO_SQUARE
    }
}

impl Position for Board {
    type Move = Move;

    const CYCLIC: bool = true;

    #[inline]
    fn turn(&self) -> Turn {
        if self.is_dead() || !self.can_move() { Turn::Over } else { Turn::Player(self.mover) }
    }

    fn moves(&self, mut each: impl FnMut(Move)) {
        if self.is_dead() {
            return;
        }
        let checks = self.checks();
        let own = self.colours[self.mover.index()];
        let seventh: u64 = if self.mover == Player::FIRST { 0xFF << 48 } else { 0xFF << 8 };
        let (promoting, passers) = (
            self.pieces(Kind::Pawn, self.mover) & seventh,
            if self.passed == Men::NO_SQUARE { 0 } else { self.passers(self.passed) },
        );
        each_bit(own, |from| {
            let mut targets = self.targets(from, &checks);
            if passers >> from & 1 != 0 && self.may_pass(from, self.passed) {
                targets |= 1 << self.passed;
            }
            if promoting >> from & 1 != 0 {
                each_bit(targets, |to| {
                    for kind in PROMOTIONS {
                        each(Move { from, to, promotion: Some(kind) });
                    }
                });
            } else {
                each_bit(targets, |to| each(Move { from, to, promotion: None }));
            }
        });
        if self.castling & own != 0 && checks.targets == u64::MAX {
            each_bit(self.castles(&checks), |to| each(Move { from: checks.king, to, promotion: None }));
        }
    }

    fn play(&mut self, m: Move) {
        let (from, to) = (usize::from(m.from), usize::from(m.to));
        let kind = self.kind_at(m.from);
        if kind == Kind::King && from.abs_diff(to) == 2 {
            let (rook, beside) = if to > from { (from + 3, from + 1) } else { (from - 4, from - 1) };
            let mover = self.mover;
            self.men.toggle(rook, Kind::Rook, mover);
            self.men.toggle(beside, Kind::Rook, mover);
        }
        if self.castling != 0 {
            let lost = if kind == Kind::King { self.castling & 0xFF << (from & 0x38) } else { 0 };
            self.allow_castling(self.castling & !(1 << from | 1 << to | lost));
        }
        self.men.step(m);
        if kind == Kind::Pawn && from.abs_diff(to) == 16 {
            self.set_passed(usize::midpoint(from, to) as u8);
        }
    }

    fn payoff(&self) -> Payoff {
        let mated = !self.is_dead() && self.in_check();
        if mated { Payoff::win(self.mover.other()) } else { Payoff::DRAW }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }
}

impl TwoPlayer for Board {}

/// Left and right can be exchanged once nobody may castle; without pawns all eight symmetries of the square hold.
/// Bit 0 of a symmetry exchanges left and right, bit 1 top and bottom, bit 2, done last, files and ranks.
impl Symmetric for Board {
    fn symmetries(&self) -> usize {
        match (self.castling, self.kinds[Kind::Pawn as usize]) {
            (0, 0) => 8,
            (0, _) => 2,
            _ => 1,
        }
    }

    fn image(&self, s: usize) -> Self {
        if s == 0 {
            return self.clone();
        }
        let mut image = Self::of_men(self.men.turned(|square| turned(square, s)));
        if let Some(square) = self.passed_square() {
            image.set_passed(turned(square, s));
        }
        image
    }

    fn image_move(&self, m: Move, s: usize) -> Move {
        Move { from: turned(m.from, s), to: turned(m.to, s), ..m }
    }
}

/// Where a symmetry of the board takes a square; see [`Symmetric`] of [`Board`].
pub fn turned(square: u8, s: usize) -> u8 {
    let square = square ^ if s & 1 != 0 { 7 } else { 0 } ^ if s & 2 != 0 { 56 } else { 0 };
    if s & 4 != 0 { square % 8 * 8 + square / 8 } else { square }
}
