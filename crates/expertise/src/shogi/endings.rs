//! The endings of shogi for the database engine.
//!
//! A number is that of the two kings, then that of the *places* of the pieces, kind by kind. The player to move is taken as
//! Sente: a position with Gote to move has the number of the board turned round with the players exchanged. Kings that
//! are mirror images have one number, those next to each other none. A piece's place is its owner, whether it has promoted
//! and its square, or one of the two hands; like pieces have no order. Where both kings are on the middle file, a position
//! has the lesser number of itself and its mirror image.

use super::material::Material;
use endspiel_game::{Player, TextError};
use endspiel_retro::{Indexed, Metric};
use endspiel_rules::shogi::{Board, Kind, Piece, SQUARES, Shape, Square};

/// The most pieces of any slice.
const MOST: usize = 3;
/// Kings that have no number.
const NONE: u16 = u16::MAX;

/// All endings of a board with a few pieces beside the kings.
#[derive(Clone, Debug)]
pub struct Endings {
    shape: Shape,
    /// Numbers of kings: the mover's, the other's.
    kings: Vec<(Square, Square)>,
    /// By the kings: their number, and whether it is that of their mirror image.
    number: Vec<(u16, bool)>,
}

/// How many ways there are to choose `k` of `n`, for small `k`.
#[inline]
fn choose(n: u64, k: u64) -> u64 {
    match k {
        0 => 1,
        1 => n,
        2 => n * n.saturating_sub(1) / 2,
        _ => n * n.saturating_sub(1) * n.saturating_sub(2) / 6,
    }
}

/// The number of places in rising order, which may be the same, among all such lists.
#[inline]
fn rank(places: &[u16]) -> u64 {
    (0..).zip(places).map(|(i, &place)| choose(u64::from(place) + i, i + 1)).sum()
}

/// The places with this number.
#[inline]
fn unrank(mut number: u64, places: &mut [u16], most: u16) {
    for i in (0..places.len()).rev() {
        let fits = |place: u16| choose(u64::from(place) + i as u64, i as u64 + 1) <= number;
        let (mut low, mut high) = (0, most);
        while low + 1 < high {
            let middle = u16::midpoint(low, high);
            if fits(middle) { low = middle } else { high = middle }
        }
        places[i] = low;
        number -= choose(u64::from(low) + i as u64, i as u64 + 1);
    }
}

impl Endings {
    /// The endings of a board.
    pub fn new(shape: Shape) -> Self {
        let mut endings = Self { shape, kings: Vec::new(), number: vec![(NONE, false); SQUARES * SQUARES] };
        let squares = || (0..SQUARES as Square).filter(|&square| shape.field() >> square & 1 != 0);
        for (own, other) in squares().flat_map(|own| squares().map(move |other| (own, other))) {
            let apart = (own / 9).abs_diff(other / 9).max((own % 9).abs_diff(other % 9));
            let slot = |own: Square, other: Square| usize::from(own) * SQUARES + usize::from(other);
            if apart > 1 && endings.number[slot(own, other)].0 == NONE {
                let found = endings.kings.len() as u16;
                endings.number[slot(shape.mirrored(own), shape.mirrored(other))] = (found, true);
                endings.number[slot(own, other)] = (found, false);
                endings.kings.push((own, other));
            }
        }
        endings
    }

    /// How many places a piece of a kind has.
    #[inline]
    fn places(&self, kind: Kind) -> u16 {
        let squares = (self.shape.side() * self.shape.side()) as u16;
        squares * if kind.promotes() { 4 } else { 2 } + 2
    }

    /// How many numbers the pieces of a kind take.
    #[inline]
    fn span(&self, kind: Kind, count: u8) -> u64 {
        choose(u64::from(self.places(kind)) + u64::from(count) - 1, count.into())
    }

    /// The place of a piece of the mover's (or of the other) on the board.
    #[inline]
    fn place_on(&self, square: Square, piece: Piece, others: bool) -> u16 {
        let side = self.shape.side() as u16;
        let state = if piece.kind.promotes() {
            u16::from(others) * 2 + u16::from(piece.promoted)
        } else {
            u16::from(others)
        };
        state * side * side + u16::from(square / 9) * side + u16::from(square % 9)
    }

    /// What a place is: a piece on a square, or a hand.
    fn at_place(&self, kind: Kind, place: u16) -> (Option<Square>, Piece) {
        let side = self.shape.side() as u16;
        let (state, square) = (place / (side * side), place % (side * side));
        let states = if kind.promotes() { 4 } else { 2 };
        if state == states {
            return (None, Piece { kind, promoted: false, player: Player(square as u8) });
        }
        let (others, promoted) = if kind.promotes() { (state / 2, state % 2 == 1) } else { (state, false) };
        let square = (square / side * 9 + square % side) as Square;
        (Some(square), Piece { kind, promoted, player: Player(others as u8) })
    }

    /// The number of what is on the board as these maps see it, if the kings have one.
    #[inline]
    fn number(&self, kings: u16, pieces: &mut [(Kind, u16)]) -> u64 {
        pieces.sort_unstable();
        let mut number = u64::from(kings);
        for alike in pieces.chunk_by(|a, b| a.0 == b.0) {
            let mut places = [0; MOST];
            for (slot, &(_, place)) in places.iter_mut().zip(alike) {
                *slot = place;
            }
            number = number * self.span(alike[0].0, alike.len() as u8) + rank(&places[..alike.len()]);
        }
        number
    }
}

impl Indexed for Endings {
    type Position = Board;
    type Slice = Material;

    fn slice_name(&self, material: Material) -> String {
        material.name()
    }

    fn read_slices(&self, text: &str) -> Result<Vec<Material>, TextError> {
        Material::read(self.shape, text)
    }

    fn size(&self, material: Material) -> u64 {
        let spans = Kind::IN_HAND.iter().zip(material.counts).filter(|(_, n)| *n > 0);
        spans.fold(self.kings.len() as u64, |all, (&kind, n)| all * self.span(kind, n))
    }

    /// Pieces change sides and never leave.
    fn conversions(&self, _: Material) -> Vec<Material> {
        Vec::new()
    }

    fn position(&self, material: Material, index: u64) -> Option<Board> {
        let (mut pieces, mut many) = ([(0, Piece::KING); MOST + 2], 2);
        let (mut hands, mut held) = ([(Kind::King, Player::FIRST); MOST], 0);
        let mut rest = index;
        for (&kind, n) in Kind::IN_HAND.iter().zip(material.counts).rev().filter(|(_, n)| *n > 0) {
            let span = self.span(kind, n);
            let mut places = [0; MOST];
            let places = &mut places[..usize::from(n)];
            unrank(rest % span, places, self.places(kind));
            rest /= span;
            for &place in &*places {
                match self.at_place(kind, place) {
                    (Some(square), piece) => {
                        pieces[many] = (square, piece);
                        many += 1;
                    }
                    (None, piece) => {
                        hands[held] = (kind, piece.player);
                        held += 1;
                    }
                }
            }
        }
        let &(own, other) = self.kings.get(rest as usize)?;
        pieces[0] = (own, Piece::KING);
        pieces[1] = (other, Piece { player: Player::SECOND, ..Piece::KING });
        let board = Board::of_pieces(self.shape, &pieces[..many], &hands[..held], Player::FIRST)?;
        let middle = self.shape.mirrored(own) == own && self.shape.mirrored(other) == other;
        // Of a position and its mirror image the lesser number is meant.
        (!middle || self.place(&board) == Some((material, index))).then_some(board)
    }

    #[inline]
    fn place(&self, board: &Board) -> Option<(Material, u64)> {
        let (shape, mover) = (self.shape, board.side());
        let seen = |square| if mover == Player::FIRST { square } else { shape.turned(square) };
        let (own, other) = (seen(board.king(mover)), seen(board.king(mover.other())));
        let (kings, mirrored) = *self.number.get(usize::from(own) * SQUARES + usize::from(other))?;
        let mut material = Material::default();
        let (mut pieces, mut many) = ([(Kind::King, 0); MOST], 0);
        let mut images = pieces;
        for others in [false, true] {
            let player = if others { mover.other() } else { mover };
            let mut left = board.pieces(player) & !(1 << board.king(player));
            while left != 0 {
                let at = left.trailing_zeros() as Square;
                left &= left - 1;
                let piece = board.at(at)?;
                let square = if mirrored { shape.mirrored(seen(at)) } else { seen(at) };
                *pieces.get_mut(many)? = (piece.kind, self.place_on(square, piece, others));
                images[many] = (piece.kind, self.place_on(shape.mirrored(square), piece, others));
                material.counts[piece.kind as usize - 1] += 1;
                many += 1;
            }
            for (i, &kind) in Kind::IN_HAND.iter().enumerate() {
                for _ in 0..board.hand(player, kind) {
                    let place = self.places(kind) - 2 + u16::from(others);
                    *pieces.get_mut(many)? = (kind, place);
                    images[many] = (kind, place);
                    material.counts[i] += 1;
                    many += 1;
                }
            }
        }
        if kings == NONE || board.shape() != shape || !material.is_kept(shape) {
            return None;
        }
        let mut number = self.number(kings, &mut pieces[..many]);
        if shape.mirrored(own) == own && shape.mirrored(other) == other {
            number = number.min(self.number(kings, &mut images[..many]));
        }
        Some((material, number))
    }

    fn outside(&self, _: &Board) -> String {
        format!("there are more than {MOST} pieces beside the kings")
    }

    fn mover(&self, board: &Board) -> Player {
        board.side()
    }

    /// A position that is its own mirror image stands for itself alone.
    fn weight(&self, board: &Board) -> f64 {
        if board.mirrored() == *board { 0.5 } else { 1.0 }
    }

    fn after_pass(&self, board: &Board) -> Option<Board> {
        board.after_pass()
    }

    fn predecessors(&self, board: &Board, each: &mut dyn FnMut(Board)) -> bool {
        board.before_moves(each);
        true
    }

    /// Metrics that count phases keep all moves.
    fn solving_bytes(&self, material: Material, metric: Metric) -> u64 {
        self.size(material) * if metric.knows_phases() { 256 } else { 16 }
    }
}
