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
    /// By row of a block: where the standing pieces are, as a set too; all squares if two are on one.
    stands: Vec<([u8; MOST], u64)>,
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

/// Positions that moves which can be taken back do not leave: what a phase is played in.
pub struct Layer {
    /// The rows of each block that have some, and with which squares of the last piece.
    pub rows: Vec<(usize, u64)>,
    /// The moves that stay in it.
    pub which: Which,
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

/// Calls `each` with the bits of a set.
#[inline]
pub fn each_bit(mut set: u64, mut each: impl FnMut(usize)) {
    while set != 0 {
        each(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

/// The steps that a pawn has come.
pub fn steps(square: u8, player: Player) -> u32 {
    u32::from(if player == Player::FIRST { square / 8 - 1 } else { 6 - square / 8 })
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
        let stands = (0..block).map(|within| {
            let (mut squares, mut occupied) = ([0; MOST], 0_u64);
            for ((square, piece), stride) in squares.iter_mut().zip(standing).zip(stride) {
                let (lowest, many) = if piece.0 == Kind::Pawn { (8, 48) } else { (0, 64) };
                *square = (within / stride % many) as u8 + lowest;
                occupied |= 1 << *square;
            }
            let apart = occupied.count_ones() as usize == standing.len();
            (squares, if apart { occupied } else { !0 })
        });
        let stands = stands.collect();
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
        Some(Self { layout, last, standing, stride, block, stands, steps, both_pawns })
    }

    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.layout.kings.pairs.len() * self.block
    }

    /// A row of a pair of kings; none if men stand on each other.
    #[inline]
    pub fn row(&self, pair: usize, within: usize) -> Option<Row> {
        let (white, black) = self.layout.kings.pairs[pair];
        let (squares, occupied) = self.stands[within];
        let kings = 1 << white | 1 << black;
        (occupied & kings == 0).then_some(Row {
            number: pair * self.block + within,
            pair,
            kings: [white, black],
            squares,
            occupied: occupied | kings,
        })
    }

    /// The number within a block of a row with the standing pieces on these squares.
    #[inline]
    pub fn within(&self, squares: [u8; MOST]) -> usize {
        let digit = |i: usize| usize::from(squares[i]) - if self.standing[i].0 == Kind::Pawn { 8 } else { 0 };
        (0..self.standing.len()).map(|i| digit(i) * self.stride[i]).sum()
    }

    /// All positions, and all moves that stay in the ending.
    pub fn whole(&self) -> Layer {
        Layer { rows: (0..self.block).map(|within| (within, !0)).collect(), which: Which::All }
    }

    /// Where pawn moves end phases they cut the ending into layers, by the steps that the pawns have come in all; the farthest
    /// first.
    pub fn layers(&self) -> impl Iterator<Item = (u32, Layer)> + '_ {
        let pawns = self.layout.pieces.iter().filter(|piece| piece.0 == Kind::Pawn).count() as u32;
        (0..=5 * pawns).rev().map(|number| {
            let squares = |within: usize| {
                // Where pieces stand in a row does not depend on the kings, but these may be in their way.
                let mut row = (0..self.layout.kings.pairs.len()).filter_map(|pair| self.row(pair, within));
                row.next().map_or(0, |row| self.squares(&row, number))
            };
            let rows = (0..self.block).map(|within| (within, squares(within)));
            (number, Layer { rows: rows.filter(|row| row.1 != 0).collect(), which: Which::Pieces })
        })
    }

    /// The squares of the last piece with which the pawns have come so many steps.
    fn squares(&self, row: &Row, number: u32) -> u64 {
        let pawns = self.standing.iter().zip(row.squares).filter(|(piece, _)| piece.0 == Kind::Pawn);
        let here: u32 = pawns.map(|(piece, square)| steps(square, piece.1)).sum();
        let (kind, player) = self.last;
        match number.checked_sub(here) {
            Some(rest) if kind == Kind::Pawn && rest < 6 => {
                0xFF << (8 * if player == Player::FIRST { rest + 1 } else { 6 - rest })
            }
            Some(0) if kind != Kind::Pawn => !0,
            _ => 0,
        }
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
                    self.pawn_steps(row, side, from, |to, lasts| out |= word(to) & lasts);
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

    /// The moves from the positions of the row in `want`, `side` to move, into a set, given row by row: calls `each` with the
    /// square of the last piece before the move, and the row and its square after it. As [`Rows::reach`], one by one.
    #[inline]
    pub fn successors(
        &self,
        row: &Row,
        side: Player,
        set: impl Fn(usize) -> u64,
        want: u64,
        which: Which,
        mut each: impl FnMut(usize, usize, usize),
    ) {
        self.last_successors(row, side, set(row.number) & !row.occupied, want, which, &mut each);
        for step in self.steps[side.index()][row.pair].iter().filter(|_| which != Which::Pawns) {
            if row.occupied >> step.to & 1 != 0 {
                continue;
            }
            let (target, turn) = (self.step_row(row, step), usize::from(step.turn));
            each_bit(want & turned_back(set(target), turn), |square| {
                each(square, target, usize::from(turned(square as u8, turn)));
            });
        }
        for (i, &piece) in self.standing.iter().enumerate().filter(|(_, piece)| piece.1 == side) {
            let from = row.squares[i];
            let base = row.number.wrapping_sub(usize::from(from) * self.stride[i]);
            let mut move_to = |to: u8, lasts: u64| {
                let target = base.wrapping_add(usize::from(to) * self.stride[i]);
                each_bit(want & lasts & set(target), |square| each(square, target, square));
            };
            if piece.0 == Kind::Pawn {
                if which != Which::Pieces {
                    self.pawn_steps(row, side, from, move_to);
                }
            } else if which != Which::Pawns {
                let free = attacks(piece, from, row.occupied) & !row.occupied;
                each_bit(free, |to| move_to(to as u8, !between(from, to as u8)));
            }
        }
    }

    /// The moves of the last piece within the row.
    #[inline]
    fn last_successors(
        &self,
        row: &Row,
        side: Player,
        set: u64,
        want: u64,
        which: Which,
        each: &mut impl FnMut(usize, usize, usize),
    ) {
        let is_pawn = self.last.0 == Kind::Pawn;
        let meant = which == Which::All || is_pawn == (which == Which::Pawns);
        if self.last.1 != side || set == 0 || !meant {
            return;
        }
        if !is_pawn {
            each_bit(want, |from| {
                let to = attacks(self.last, from as u8, row.occupied) & set;
                each_bit(to, |to| each(from, row.number, to));
            });
            return;
        }
        let calm = self.calm(row, side);
        each_bit(want & !LAST_RANKS, |from| {
            let (one, two, start) = if side == Player::FIRST {
                (from + 8, from + 16, 1)
            } else {
                (from - 8, from.wrapping_sub(16), 6)
            };
            if row.occupied >> one & 1 == 0 {
                if set >> one & 1 != 0 {
                    each(from, row.number, one);
                }
                if from / 8 == start && set & calm & 1 << (two & 63) != 0 {
                    each(from, row.number, two);
                }
            }
        });
    }

    /// The row that a king's step leads to.
    #[inline]
    fn step_row(&self, row: &Row, step: &Step) -> usize {
        let start = step.block as usize * self.block;
        if step.turn == 0 {
            return start + row.number - row.pair * self.block;
        }
        start + self.within(row.squares.map(|square| turned(square, step.turn.into())))
    }

    /// Where a king's step leads, seen from the row it leaves.
    #[inline]
    fn stepped(&self, row: &Row, step: &Step, set: impl Fn(usize) -> u64) -> u64 {
        let word = set(self.step_row(row, step));
        if step.turn == 0 { word } else { turned_back(word, step.turn.into()) }
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
                let (free, calm) = (!row.occupied, self.calm(row, side));
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

    /// Where a double step of the last piece is told: next to a pawn that could capture in passing it is told apart.
    fn calm(&self, row: &Row, side: Player) -> u64 {
        if self.both_pawns { !beside(self.standing_pawns(row, side.other())) } else { !0 }
    }

    fn standing_pawns(&self, row: &Row, colour: Player) -> u64 {
        let pawns =
            self.standing.iter().zip(row.squares).filter(|(piece, _)| **piece == (Kind::Pawn, colour));
        pawns.fold(0, |set, (_, square)| set | 1 << square)
    }

    /// Calls `each` with where a standing pawn steps, and with which squares of the last piece.
    #[inline]
    fn pawn_steps(&self, row: &Row, side: Player, from: u8, mut each: impl FnMut(u8, u64)) {
        let ahead = |square: u8| if side == Player::FIRST { square + 8 } else { square - 8 };
        let start = if side == Player::FIRST { 1 } else { 6 };
        let one = ahead(from);
        if (1 << one) & (LAST_RANKS | row.occupied) != 0 {
            return;
        }
        each(one, !0);
        if from / 8 == start {
            let two = ahead(one);
            let (enemy, sides) = (side.other(), beside(1 << two));
            let told_apart = self.both_pawns && sides & self.standing_pawns(row, enemy) != 0;
            if row.occupied >> two & 1 == 0 && !told_apart {
                let takers = if self.both_pawns && self.last == (Kind::Pawn, enemy) { sides } else { 0 };
                each(two, !(1 << one) & !takers);
            }
        }
    }

    /// The squares of the last piece with which there is no position, `side` to move.
    pub fn illegal(&self, row: &Row, side: Player) -> u64 {
        let ranks = if self.last.0 == Kind::Pawn { LAST_RANKS } else { 0 };
        self.attacked(row, side.other()) | row.occupied | ranks
    }

    /// The squares of the last piece with which this side's king is attacked.
    #[inline]
    fn attacked(&self, row: &Row, king_of: Player) -> u64 {
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
