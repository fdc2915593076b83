//! Sixty-four positions at once: the last piece's squares are the bits of a word, and a *row* is what stands still,
//! the kings and the other pieces.
//!
//! The predecessors of a set of positions are found word by word: a move of a standing piece leads from row to row,
//! with the squares of the last piece that are in its way masked out; a move of the last piece fills the word along
//! its lines; a king's move may fold the board, then the word is turned. Like pieces are told apart here. Rows of one
//! pair of kings form a *block*, small enough for the cache.

use super::kings::turned_back;
use super::layout::{Layout, MOST, Men};
use cozy_chess::{
    BitBoard, Square, get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};
use endspiel_game::Player;
use endspiel_rules::chess::{Kind, turned};

const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
/// Where pawns cannot be.
pub const LAST_RANKS: u64 = 0xFF00_0000_0000_00FF;

/// Which moves are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// All that stay in the slice.
    All,
    /// Those of pieces, which can be taken back.
    Pieces,
    /// Those of pawns.
    Pawns,
}

/// A king's step: where to, and the block and symmetry it leads to.
struct Step {
    to: u8,
    block: u32,
    turn: u8,
}

/// The rows of an ending.
pub struct Rows<'a> {
    /// The ending.
    pub layout: &'a Layout,
    /// The last piece.
    pub last: (Kind, Player),
    /// The others.
    pub standing: &'a [(Kind, Player)],
    /// What one square more of a standing piece adds to the number of the row.
    stride: [usize; MOST],
    /// Rows of a block.
    pub block: usize,
    steps: [Vec<Vec<Step>>; 2],
    /// Are there pawns on both sides, so that double steps may allow captures in passing?
    both_pawns: bool,
}

/// One row: its men.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its number in all.
    pub number: usize,
    /// The pair of kings.
    pub pair: usize,
    /// The kings' squares.
    pub kings: [u8; 2],
    /// The squares of the standing pieces.
    pub squares: [u8; MOST],
    /// All these squares.
    pub occupied: u64,
}

pub fn place(index: u8) -> Square {
    Square::index(index.into())
}

/// The squares strictly between two on a line.
#[inline]
pub fn between(a: u8, b: u8) -> u64 {
    get_between_rays(place(a), place(b)).0
}

/// The squares that pawns of a colour attack.
#[inline]
pub fn pawn_attacks(pawns: u64, colour: Player) -> u64 {
    let sides = pawns << 1 & NOT_A | pawns >> 1 & NOT_H;
    if colour == Player::FIRST { sides << 8 } else { sides >> 8 }
}

/// The squares beside.
#[inline]
pub fn beside(set: u64) -> u64 {
    set << 1 & NOT_A | set >> 1 & NOT_H
}

/// The squares that a piece attacks.
#[inline]
pub fn attacks((kind, colour): (Kind, Player), from: u8, occupied: u64) -> u64 {
    let (square, occupied) = (place(from), BitBoard(occupied));
    match kind {
        Kind::Pawn => pawn_attacks(1 << from, colour),
        Kind::Knight => get_knight_moves(square).0,
        Kind::Bishop => get_bishop_moves(square, occupied).0,
        Kind::Rook => get_rook_moves(square, occupied).0,
        Kind::Queen => get_bishop_moves(square, occupied).0 | get_rook_moves(square, occupied).0,
        Kind::King => get_king_moves(square).0,
    }
}

/// The squares from which a piece attacks a square.
#[inline]
pub fn attacked_from((kind, colour): (Kind, Player), target: u8, occupied: u64) -> u64 {
    attacks((kind, colour.other()), target, occupied)
}

/// Has a piece lines that others can stand in?
pub fn slides(kind: Kind) -> bool {
    matches!(kind, Kind::Bishop | Kind::Rook | Kind::Queen)
}

/// The squares from which a slider gets into the set: along each line through what is free, and one step more.
#[inline]
fn fill(kind: Kind, set: u64, free: u64) -> u64 {
    let mut out = 0;
    let mut line = |shift: u32, mask: u64| {
        // To the left: bits come from the right, `mask` cuts what wraps round.
        let (mut set_up, mut free_up) = (set, free & mask);
        for n in [shift, 2 * shift, 4 * shift] {
            set_up |= free_up & set_up << n;
            free_up &= free_up << n;
        }
        out |= set_up << shift & mask;
        let back = mask >> shift;
        let (mut set_down, mut free_down) = (set, free & back);
        for n in [shift, 2 * shift, 4 * shift] {
            set_down |= free_down & set_down >> n;
            free_down &= free_down >> n;
        }
        out |= set_down >> shift & back;
    };
    if kind != Kind::Bishop {
        line(8, !0 << 8);
        line(1, NOT_A);
    }
    if kind != Kind::Rook {
        line(9, NOT_A << 8);
        line(7, NOT_H << 8);
    }
    out
}

/// The squares from which a knight gets into the set.
#[inline]
fn leaps(set: u64) -> u64 {
    let (one_east, one_west) = (set << 1 & NOT_A, set >> 1 & NOT_H);
    let (two_east, two_west) = (one_east << 1 & NOT_A, one_west >> 1 & NOT_H);
    let (far, near) = (one_east | one_west, two_east | two_west);
    far << 16 | far >> 16 | near << 8 | near >> 8
}

impl<'a> Rows<'a> {
    /// The rows of a layout; none if there is no piece.
    pub fn new(layout: &'a Layout) -> Option<Self> {
        let (&last, standing) = layout.pieces.split_last()?;
        let (mut stride, mut block) = ([0; MOST], 1);
        for (i, piece) in standing.iter().enumerate().rev() {
            stride[i] = block;
            block *= if piece.0 == Kind::Pawn { 48 } else { 64 };
        }
        let steps = [0, 1].map(|side| {
            let pair = |&(white, black): &(u8, u8)| {
                let from = if side == 0 { white } else { black };
                let mut out = Vec::new();
                for to in get_king_moves(place(from)) {
                    let to = to as u8;
                    let found =
                        if side == 0 { layout.kings.place(to, black) } else { layout.kings.place(white, to) };
                    out.extend(found.map(|(block, turn)| Step { to, block: block as u32, turn: turn as u8 }));
                }
                out
            };
            layout.kings.pairs.iter().map(pair).collect()
        });
        let pawns = |player| layout.pieces.contains(&(Kind::Pawn, player));
        let both_pawns = pawns(Player::FIRST) && pawns(Player::SECOND);
        Some(Self { layout, last, standing, stride, block, steps, both_pawns })
    }

    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.layout.kings.pairs.len() * self.block
    }

    /// A row of a pair of kings; none if men stand on each other.
    #[inline]
    pub fn row(&self, pair: usize, within: usize) -> Option<Row> {
        let (white, black) = self.layout.kings.pairs[pair];
        let mut row = Row {
            number: pair * self.block + within,
            pair,
            kings: [white, black],
            squares: [0; MOST],
            occupied: 1 << white | 1 << black,
        };
        for (i, &(kind, _)) in self.standing.iter().enumerate() {
            let pawn = kind == Kind::Pawn;
            let digit = within / self.stride[i] % if pawn { 48 } else { 64 };
            let square = digit as u8 + if pawn { 8 } else { 0 };
            if row.occupied >> square & 1 != 0 {
                return None;
            }
            row.occupied |= 1 << square;
            row.squares[i] = square;
        }
        Some(row)
    }

    /// The number within a block of a row with the standing pieces on these squares.
    #[inline]
    pub fn within(&self, squares: [u8; MOST]) -> usize {
        let digit = |i: usize| usize::from(squares[i]) - if self.standing[i].0 == Kind::Pawn { 8 } else { 0 };
        (0..self.standing.len()).map(|i| digit(i) * self.stride[i]).sum()
    }

    /// Are rows and squares, in order, the numbers of the layout?
    pub fn is_dense(&self) -> bool {
        let pieces = &self.layout.pieces;
        self.last.0 != Kind::Pawn && pieces.windows(2).all(|two| two[0] != two[1])
    }

    /// The squares of the last piece with which like pieces are in order.
    pub fn ordered(&self, row: &Row) -> u64 {
        let mut last = !row.occupied & if self.last.0 == Kind::Pawn { !LAST_RANKS } else { !0 };
        for (i, &piece) in self.standing.iter().enumerate() {
            match self.standing.get(i + 1) {
                Some(&next) if next == piece && row.squares[i] > row.squares[i + 1] => return 0,
                None if piece == self.last => last &= !1 << row.squares[i],
                _ => {}
            }
        }
        last
    }

    /// The row and the square of the last piece for men whose kings stand as in a block.
    pub fn find(&self, men: Men) -> (usize, u8) {
        let pair = self.layout.kings.place(men.kings[0], men.kings[1]).map_or(0, |(pair, _)| pair);
        (pair * self.block + self.within(men.pieces), men.pieces[self.standing.len()])
    }

    /// The men of a position, White to move.
    pub fn men(&self, row: &Row, last: u8) -> Men {
        let mut pieces = row.squares;
        pieces[self.standing.len()] = last;
        Men { kings: row.kings, pieces, mover: Player::FIRST }
    }

    /// The pairs of kings that a step of this side's king leads to.
    pub fn neighbours(&self, side: Player, pair: usize) -> impl Iterator<Item = usize> + '_ {
        self.steps[side.index()][pair].iter().map(|step| step.block as usize)
    }

    /// The positions of the row, `side` to move, from which a move leads into a set, given row by row, the other
    /// side to move. Only what is in `want` matters.
    #[inline]
    pub fn reach(&self, row: &Row, side: Player, set: impl Fn(usize) -> u64, want: u64, which: Which) -> u64 {
        let mut out = self.last_reach(row, side, set(row.number), which);
        if which != Which::Pawns {
            for step in &self.steps[side.index()][row.pair] {
                if want & !out == 0 {
                    return out;
                }
                if row.occupied >> step.to & 1 == 0 {
                    out |= self.stepped(row, step, &set);
                }
            }
        }
        for (i, &piece) in self.standing.iter().enumerate() {
            if piece.1 != side {
                continue;
            }
            if want & !out == 0 {
                return out;
            }
            let from = row.squares[i];
            let base = row.number.wrapping_sub(usize::from(from) * self.stride[i]);
            let word = |to: u8| set(base.wrapping_add(usize::from(to) * self.stride[i]));
            if piece.0 == Kind::Pawn {
                if which != Which::Pieces {
                    out |= self.pawn_reach(row, side, from, word);
                }
            } else if which != Which::Pawns {
                let mut left = attacks(piece, from, row.occupied) & !row.occupied;
                while left != 0 {
                    let to = left.trailing_zeros() as u8;
                    left &= left - 1;
                    // Nothing is between where a piece does not slide.
                    out |= word(to) & !between(from, to);
                }
            }
        }
        out
    }

    /// Where a king's step leads, seen from the row it leaves.
    #[inline]
    fn stepped(&self, row: &Row, step: &Step, set: impl Fn(usize) -> u64) -> u64 {
        let start = step.block as usize * self.block;
        if step.turn == 0 {
            return set(start + row.number - row.pair * self.block);
        }
        let turn = usize::from(step.turn);
        let within = self.within(row.squares.map(|square| turned(square, turn)));
        turned_back(set(start + within), turn)
    }

    /// The squares of the last piece from which it moves into the set.
    #[inline]
    fn last_reach(&self, row: &Row, side: Player, set: u64, which: Which) -> u64 {
        let (kind, owner) = self.last;
        if owner != side
            || set == 0
            || (kind == Kind::Pawn) == (which == Which::Pieces) && which != Which::All
        {
            return 0;
        }
        match kind {
            Kind::Pawn => {
                let free = !row.occupied;
                // Double steps next to a pawn that could capture in passing are told apart.
                let calm = if self.both_pawns { !beside(self.standing_pawns(row, side.other())) } else { !0 };
                if side == Player::FIRST {
                    set >> 8 | (set & calm) >> 16 & 0xFF00 & free >> 8
                } else {
                    set << 8 | (set & calm) << 16 & 0xFF << 48 & free << 8
                }
            }
            Kind::Knight => leaps(set),
            _ => fill(kind, set, !row.occupied),
        }
    }

    fn standing_pawns(&self, row: &Row, colour: Player) -> u64 {
        let pawns =
            self.standing.iter().zip(row.squares).filter(|(piece, _)| **piece == (Kind::Pawn, colour));
        pawns.fold(0, |set, (_, square)| set | 1 << square)
    }

    #[inline]
    fn pawn_reach(&self, row: &Row, side: Player, from: u8, word: impl Fn(u8) -> u64) -> u64 {
        let ahead = |square: u8| if side == Player::FIRST { square + 8 } else { square - 8 };
        let start = if side == Player::FIRST { 1 } else { 6 };
        let one = ahead(from);
        if (1 << one) & (LAST_RANKS | row.occupied) != 0 {
            return 0;
        }
        let mut out = word(one);
        if from / 8 == start {
            let two = ahead(one);
            let (enemy, sides) = (side.other(), beside(1 << two));
            let told_apart = self.both_pawns && sides & self.standing_pawns(row, enemy) != 0;
            if row.occupied >> two & 1 == 0 && !told_apart {
                let takers = if self.both_pawns && self.last == (Kind::Pawn, enemy) { sides } else { 0 };
                out |= word(two) & !(1 << one) & !takers;
            }
        }
        out
    }

    /// The squares of the last piece with which this side's king is attacked.
    #[inline]
    pub fn attacked(&self, row: &Row, king_of: Player) -> u64 {
        let king = row.kings[king_of.index()];
        let by = king_of.other();
        let mut out = if self.last.1 == by { attacked_from(self.last, king, row.occupied) } else { 0 };
        for (&piece, &square) in self.standing.iter().zip(&row.squares) {
            if piece.1 == by && attacks(piece, square, row.occupied) >> king & 1 != 0 {
                out |= if slides(piece.0) { !between(square, king) } else { !0 };
            }
        }
        out
    }
}
