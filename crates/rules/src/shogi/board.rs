//! The pieces of shogi and their moves: sets of squares by kind and by side, and a list by square.
//!
//! Moves are legal as they come: a piece must block or capture a single checker, a pinned one stays on its line, the king
//! avoids attacked squares. They are ordered by the square moved from, then by the square moved to, promotions first; then
//! drops by kind. Whether a pawn dropped before the king mates is looked at on that one square.

use super::squares::{
    FORWARD, LINES, OBLIQUE, SQUARES, STEPS, STRAIGHT, Shape, Square, each_square, files_of, line, lowest,
    ray, rays, way_from,
};
use endspiel_game::{Payoff, Player, Position, Symmetric, Turn, TwoPlayer, mix};

/// The kinds of pieces, in the order of hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// King.
    King,
    /// Rook; promoted a dragon.
    Rook,
    /// Bishop; promoted a horse.
    Bishop,
    /// Gold general.
    Gold,
    /// Silver general.
    Silver,
    /// Knight.
    Knight,
    /// Lance.
    Lance,
    /// Pawn; promoted a tokin.
    Pawn,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::King,
        Self::Rook,
        Self::Bishop,
        Self::Gold,
        Self::Silver,
        Self::Knight,
        Self::Lance,
        Self::Pawn,
    ];

    /// Those that can be in a hand.
    pub const IN_HAND: [Self; 7] =
        [Self::Rook, Self::Bishop, Self::Gold, Self::Silver, Self::Knight, Self::Lance, Self::Pawn];

    /// Can it promote?
    #[inline]
    pub fn promotes(self) -> bool {
        !matches!(self, Self::King | Self::Gold)
    }

    /// The squares on which it can go on, unpromoted.
    #[inline]
    pub fn room(self, player: Player, shape: Shape) -> u128 {
        match self {
            Self::Pawn | Self::Lance => shape.before_last(player, 1),
            Self::Knight => shape.before_last(player, 2),
            _ => shape.field(),
        }
    }
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// What it was at first.
    pub kind: Kind,
    /// Has it promoted?
    pub promoted: bool,
    /// Whose it is.
    pub player: Player,
}

impl Piece {
    /// Sente's king.
    pub const KING: Self = Self { kind: Kind::King, promoted: false, player: Player::FIRST };

    /// Twice the kind, one more if promoted: the rows of [`STEPS`].
    #[inline]
    fn row(self) -> usize {
        self.kind as usize * 2 + usize::from(self.promoted)
    }

    #[inline]
    fn code(self) -> u8 {
        self.row() as u8 * 2 + self.player.0
    }

    #[inline]
    fn of_code(code: u8) -> Option<Self> {
        let kind = *Kind::ALL.get(usize::from(code / 4))?;
        Some(Self { kind, promoted: code & 2 != 0, player: Player(code & 1) })
    }

    /// Where it can go from a square; what it could capture of its own is among that.
    #[inline]
    pub(super) fn reach(self, from: Square, all: u128) -> u128 {
        let steps = STEPS[self.player.index()][self.row()][usize::from(from)];
        match self.kind {
            Kind::Rook => steps | rays(STRAIGHT, from, all),
            Kind::Bishop => steps | rays(OBLIQUE, from, all),
            Kind::Lance if !self.promoted => ray(FORWARD[self.player.index()], from, all),
            _ => steps,
        }
    }
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A piece goes on the board.
    Go {
        /// The square moved from.
        from: Square,
        /// The square moved to.
        to: Square,
        /// Does it promote?
        promotes: bool,
    },
    /// A piece comes from the hand.
    Drop {
        /// What is dropped.
        kind: Kind,
        /// The square it comes to.
        to: Square,
    },
}

impl Move {
    /// The square moved to.
    #[inline]
    pub fn to(self) -> Square {
        match self {
            Self::Go { to, .. } | Self::Drop { to, .. } => to,
        }
    }
}

/// What stands on no square.
const EMPTY: u8 = 32;
/// The most of a kind that a hand can hold.
const MOST: usize = 18;

static ZOBRIST: [[u64; SQUARES]; EMPTY as usize] = {
    let (mut table, mut i) = ([[0; SQUARES]; EMPTY as usize], 0);
    while i < SQUARES * EMPTY as usize {
        table[i / SQUARES][i % SQUARES] = mix(0x5348_4F00 + i as u64);
        i += 1;
    }
    table
};
static IN_HAND: [[[u64; MOST + 1]; 8]; 2] = {
    let (mut table, mut i) = ([[[0; MOST + 1]; 8]; 2], 0);
    while i < 16 * (MOST + 1) {
        // Nothing in hand changes nothing.
        if i % (MOST + 1) > 0 {
            table[i / (MOST + 1) / 8][i / (MOST + 1) % 8][i % (MOST + 1)] = mix(0x4841_4E44_0000 + i as u64);
        }
        i += 1;
    }
    table
};
const GOTE_TO_MOVE: u64 = mix(0x5348);

/// A position of shogi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The squares of Sente's pieces, then of Gote's.
    sides: [u128; 2],
    /// The squares of each kind, promoted or not.
    kinds: [u128; 8],
    promoted: u128,
    key: u64,
    cells: [u8; SQUARES],
    hands: [[u8; 8]; 2],
    kings: [Square; 2],
    mover: Player,
    shape: Shape,
}

impl Board {
    /// An empty board with Sente to move: no position yet.
    pub(super) fn empty(shape: Shape) -> Self {
        Self {
            sides: [0; 2],
            kinds: [0; 8],
            promoted: 0,
            key: 0,
            cells: [EMPTY; SQUARES],
            hands: [[0; 8]; 2],
            kings: [0; 2],
            mover: Player::FIRST,
            shape,
        }
    }

    /// The position of these pieces and hands; none if it is not legal: two on one square, not one king each, a piece that
    /// could never move again, two pawns of a player on a file, or the player who is not to move in check.
    pub fn of_pieces(
        shape: Shape,
        pieces: &[(Square, Piece)],
        in_hand: &[(Kind, Player)],
        mover: Player,
    ) -> Option<Self> {
        let mut board = Self::empty(shape);
        let mut kings = [0; 2];
        for &(square, piece) in pieces {
            if !board.has_room(square, piece) {
                return None;
            }
            board.put(square, piece);
            kings[piece.player.index()] += usize::from(piece.kind == Kind::King);
        }
        for &(kind, player) in in_hand {
            if kind == Kind::King || board.hand(player, kind) as usize == MOST {
                return None;
            }
            board.set_hand(player, kind, board.hand(player, kind) + 1);
        }
        if mover == Player::SECOND {
            board.pass_turn();
        }
        (kings == [1, 1] && board.is_legal()).then_some(board)
    }

    /// May this piece stand here: on an empty square, able to go on, no second pawn on its file?
    #[inline]
    pub(super) fn has_room(&self, square: Square, piece: Piece) -> bool {
        let mut room = !self.all();
        if !piece.promoted {
            room &= piece.kind.room(piece.player, self.shape);
            if piece.kind == Kind::Pawn {
                room &= !files_of(self.pawns(piece.player));
            }
        }
        usize::from(square) < SQUARES && room >> square & 1 != 0 && (!piece.promoted || piece.kind.promotes())
    }

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.place(square, piece);
        if piece.kind == Kind::King {
            self.kings[piece.player.index()] = square;
        }
    }

    #[inline]
    fn place(&mut self, square: Square, piece: Piece) {
        let bit = 1 << square;
        self.cells[usize::from(square)] = piece.code();
        self.sides[piece.player.index()] |= bit;
        self.kinds[piece.kind as usize] |= bit;
        if piece.promoted {
            self.promoted |= bit;
        }
        self.key ^= ZOBRIST[usize::from(piece.code())][usize::from(square)];
    }

    /// Takes a piece off the board.
    #[inline]
    pub(super) fn clear(&mut self, square: Square) -> Option<Piece> {
        let code = std::mem::replace(&mut self.cells[usize::from(square)], EMPTY);
        let piece = Piece::of_code(code)?;
        let others = !(1 << square);
        self.sides[piece.player.index()] &= others;
        self.kinds[piece.kind as usize] &= others;
        self.promoted &= others;
        self.key ^= ZOBRIST[usize::from(code)][usize::from(square)];
        Some(piece)
    }

    #[inline]
    pub(super) fn set_hand(&mut self, player: Player, kind: Kind, many: u8) {
        let keys = &IN_HAND[player.index()][kind as usize];
        let count = &mut self.hands[player.index()][kind as usize];
        self.key ^= keys[usize::from(*count)] ^ keys[usize::from(many)];
        *count = many;
    }

    #[inline]
    pub(super) fn pass_turn(&mut self) {
        self.mover = self.mover.other();
        self.key ^= GOTE_TO_MOVE;
    }

    /// Is the player who is not to move safe?
    #[inline]
    pub(super) fn is_legal(&self) -> bool {
        self.attackers(self.kings[self.mover.other().index()], self.mover, self.all()) == 0
    }

    /// Which board it is.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Who is to move, or would be if the game were not over.
    #[inline]
    pub fn side(&self) -> Player {
        self.mover
    }

    /// The squares of a player's pieces.
    #[inline]
    pub fn pieces(&self, player: Player) -> u128 {
        self.sides[player.index()]
    }

    /// The square of a player's king.
    #[inline]
    pub fn king(&self, player: Player) -> Square {
        self.kings[player.index()]
    }

    /// The piece on a square.
    #[inline]
    pub fn at(&self, square: Square) -> Option<Piece> {
        Piece::of_code(*self.cells.get(usize::from(square))?)
    }

    /// How many of a kind a player has in hand.
    #[inline]
    pub fn hand(&self, player: Player, kind: Kind) -> u8 {
        self.hands[player.index()][kind as usize]
    }

    /// How many of a kind are on the board.
    #[inline]
    pub(super) fn many(&self, kind: Kind) -> u32 {
        self.kinds[kind as usize].count_ones()
    }

    /// Is the player to move in check?
    pub fn in_check(&self) -> bool {
        self.attackers(self.kings[self.mover.index()], self.mover.other(), self.all()) != 0
    }

    /// The same position with the other player to move, if it is legal.
    pub fn after_pass(&self) -> Option<Self> {
        let mut other = self.clone();
        other.pass_turn();
        other.is_legal().then_some(other)
    }

    /// The position on the other wing.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        self.mapped(|square| self.shape.mirrored(square), 0)
    }

    /// The position as the other side sees it: the board turned and the players exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        self.mapped(|square| self.shape.turned(square), 1)
    }

    fn mapped(&self, place: impl Fn(Square) -> Square, swap: u8) -> Self {
        let mut image = Self::empty(self.shape);
        for from in each_square(self.sides[0] | self.sides[1]) {
            if let Some(piece) = self.at(from) {
                image.put(place(from), Piece { player: Player(piece.player.0 ^ swap), ..piece });
            }
        }
        for player in [Player::FIRST, Player::SECOND] {
            for kind in Kind::IN_HAND {
                image.set_hand(Player(player.0 ^ swap), kind, self.hand(player, kind));
            }
        }
        if Player(self.mover.0 ^ swap) == Player::SECOND {
            image.pass_turn();
        }
        image
    }

    /// All that is in the way: pieces, and what is beyond a small board.
    #[inline]
    pub(super) fn all(&self) -> u128 {
        self.sides[0] | self.sides[1] | !self.shape.field()
    }

    /// A player's pawns that have not promoted.
    #[inline]
    fn pawns(&self, player: Player) -> u128 {
        self.sides[player.index()] & self.kinds[Kind::Pawn as usize] & !self.promoted
    }

    /// The pieces of a player that attack a square, with these squares in the way.
    #[inline]
    fn attackers(&self, square: Square, by: Player, all: u128) -> u128 {
        let own = self.sides[by.index()];
        // From where a player's piece attacks a square, the other's would attack back.
        let back = &STEPS[by.other().index()];
        let [kings, rooks, bishops, golds, silvers, knights, lances, pawns] = self.kinds;
        let (raw, at) = (own & !self.promoted, usize::from(square));
        let as_gold = golds | self.promoted & (silvers | knights | lances | pawns);
        let as_king = kings | self.promoted & (rooks | bishops);
        let mut found = own & (back[0][at] & as_king | back[6][at] & as_gold)
            | raw & (back[8][at] & silvers | back[10][at] & knights | back[14][at] & pawns);
        let straight = own & rooks & LINES[0][at];
        if straight != 0 {
            found |= straight & rays(STRAIGHT, square, all);
        }
        let oblique = own & bishops & LINES[1][at];
        if oblique != 0 {
            found |= oblique & rays(OBLIQUE, square, all);
        }
        let way = FORWARD[by.other().index()];
        let ahead = raw & lances & way_from(way, square);
        if ahead != 0 {
            found |= ahead & ray(way, square, all);
        }
        found
    }

    /// The mover's pieces that must stay on a line with their king.
    #[inline]
    fn pinned(&self, king: Square, all: u128) -> u128 {
        let (own, enemy) = (self.sides[self.mover.index()], self.sides[self.mover.other().index()]);
        let [_, rooks, bishops, _, _, _, lances, _] = self.kinds;
        let at = usize::from(king);
        let ahead = way_from(FORWARD[self.mover.index()], king);
        let snipers =
            enemy & (rooks & LINES[0][at] | bishops & LINES[1][at] | lances & !self.promoted & ahead);
        let mut pinned = 0;
        for sniper in each_square(snipers) {
            let between = line(king, sniper).1 & all;
            if between.is_power_of_two() {
                pinned |= between & own;
            }
        }
        pinned
    }

    /// Would a pawn of the player to move, dropped on the square before the enemy king, mate?
    fn is_mate_by_pawn(&self, square: Square, all: u128) -> bool {
        let (us, them) = (self.mover, self.mover.other());
        let king = self.kings[them.index()];
        let full = all | 1 << square;
        for taker in each_square(self.attackers(square, them, all) & !(1 << king)) {
            if self.attackers(king, us, full & !(1 << taker)) == 0 {
                return false;
            }
        }
        let steps = STEPS[0][0][usize::from(king)] & self.shape.field() & !self.sides[them.index()];
        each_square(steps).all(|to| self.attackers(to, us, full & !(1 << king)) != 0)
    }

    /// Calls `each` with every legal move until it says that it has enough; says whether it did.
    #[inline]
    fn visit(&self, mut each: impl FnMut(Move) -> bool) -> bool {
        let (us, them) = (self.mover, self.mover.other());
        let (all, own, field) = (self.all(), self.sides[us.index()], self.shape.field());
        let king = self.kings[us.index()];
        let checkers = self.attackers(king, them, all);
        // Where a piece other than the king must go: everywhere, or onto the checker or between; nowhere with two.
        let targets = match checkers {
            0 => field & !own,
            one if one.is_power_of_two() => one | line(king, lowest(one)).1,
            _ => 0,
        };
        let pinned = self.pinned(king, all);
        let zone = self.shape.zone(us);
        for from in each_square(own) {
            if from == king {
                for to in each_square(STEPS[0][0][usize::from(king)] & field & !own) {
                    if self.attackers(to, them, all & !(1 << king)) == 0
                        && each(Move::Go { from, to, promotes: false })
                    {
                        return true;
                    }
                }
                continue;
            }
            let Some(piece) = self.at(from) else { continue };
            let mut to_squares = piece.reach(from, all) & targets;
            if pinned >> from & 1 != 0 {
                to_squares &= line(king, from).0;
            }
            let may = if piece.promoted || !piece.kind.promotes() {
                0
            } else if zone >> from & 1 != 0 {
                to_squares
            } else {
                to_squares & zone
            };
            let stays =
                if piece.promoted { to_squares } else { to_squares & piece.kind.room(us, self.shape) };
            for to in each_square(to_squares) {
                if may >> to & 1 != 0 && each(Move::Go { from, to, promotes: true })
                    || stays >> to & 1 != 0 && each(Move::Go { from, to, promotes: false })
                {
                    return true;
                }
            }
        }
        let open = targets & !all;
        if open == 0 {
            return false;
        }
        for kind in Kind::IN_HAND {
            if self.hands[us.index()][kind as usize] == 0 {
                continue;
            }
            let mut squares = open & kind.room(us, self.shape);
            if kind == Kind::Pawn {
                squares &= !files_of(self.pawns(us));
                let before = STEPS[them.index()][14][usize::from(self.kings[them.index()])];
                if squares & before != 0 && self.is_mate_by_pawn(lowest(before), all) {
                    squares &= !before;
                }
            }
            for to in each_square(squares) {
                if each(Move::Drop { kind, to }) {
                    return true;
                }
            }
        }
        false
    }
}

impl Position for Board {
    type Move = Move;

    const CYCLIC: bool = true;

    #[inline]
    fn turn(&self) -> Turn {
        if self.visit(|_| true) { Turn::Player(self.mover) } else { Turn::Over }
    }

    fn moves(&self, mut each: impl FnMut(Move)) {
        self.visit(|m| {
            each(m);
            false
        });
    }

    fn play(&mut self, m: Move) {
        let us = self.mover;
        match m {
            Move::Go { from, to, promotes } => {
                if let Some(taken) = self.clear(to) {
                    self.set_hand(us, taken.kind, self.hand(us, taken.kind) + 1);
                }
                if let Some(piece) = self.clear(from) {
                    self.put(to, Piece { promoted: piece.promoted | promotes, ..piece });
                }
            }
            Move::Drop { kind, to } => {
                self.set_hand(us, kind, self.hand(us, kind) - 1);
                self.place(to, Piece { kind, promoted: false, player: us });
            }
        }
        self.pass_turn();
    }

    /// Who cannot move has lost, in check or not.
    fn payoff(&self) -> Payoff {
        Payoff::win(self.mover.other())
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
        let image = |square| self.shape.mirrored(square);
        match m {
            _ if s == 0 => m,
            Move::Go { from, to, promotes } => Move::Go { from: image(from), to: image(to), promotes },
            Move::Drop { kind, to } => Move::Drop { kind, to: image(to) },
        }
    }
}
