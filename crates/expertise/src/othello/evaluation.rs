//! What an Othello position looks like before its end is in sight.
//!
//! A sum of features, each own minus opponent: *mobility* (legal squares), *frontier* (empty squares that the
//! other side's discs touch), corners, discs diagonally (X) and sidewise (C) next to an empty corner, stable
//! discs, corners that may be taken, other edge discs, and the move. The weights are a least-squares fit to
//! the exact values of 6000 positions of 6x6 with 10 to 16 empty squares, rounded; its error is 7 to 8 discs
//! where the values spread by 25. Cost: two move generations and two sets of stable discs.

use super::stable;
use endspiel_rules::othello::bits;

/// Thousandths of a disc for each feature.
const MOBILITY: i32 = 1000;
const FRONTIER: i32 = 100;
const CORNER: i32 = 3500;
const X_SQUARE: i32 = -2300;
const C_SQUARE: i32 = -2800;
const STABLE: i32 = 2000;
const CORNER_MOVE: i32 = 2000;
const EDGE: i32 = -700;
const MOVE: i32 = 1000;

/// Discs and empty squares, for the player to move.
#[derive(Clone, Copy)]
pub(super) struct Squares {
    pub own: u64,
    pub opponent: u64,
    pub empty: u64,
    /// The number of columns and of rows.
    pub size: usize,
}

impl Squares {
    /// The squares where the player to move may put a disc.
    #[inline]
    pub fn legal(self) -> u64 {
        bits::legal(self.own, self.opponent, self.empty)
    }

    /// After a disc on the square with this number.
    #[inline]
    #[must_use]
    pub fn after(self, at: u32) -> Self {
        let (bit, turned) = (1 << at, bits::turned(self.own, self.opponent, at as u8));
        Self {
            own: self.opponent ^ turned,
            opponent: self.own | turned | bit,
            empty: self.empty ^ bit,
            ..self
        }
    }

    /// After a pass.
    #[inline]
    #[must_use]
    pub fn passed(self) -> Self {
        Self { own: self.opponent, opponent: self.own, ..self }
    }

    /// The squares in the corners.
    #[inline]
    pub fn corners(self) -> u64 {
        let far = self.size - 1;
        1 | 1 << far | 1 << (8 * far) | 1 << (9 * far)
    }

    fn edges(self) -> u64 {
        let far = self.size - 1;
        let row = (1u64 << self.size) - 1;
        let column = 0x0101_0101_0101_0101 & bits::squares(self.size as u8);
        row | row << (8 * far) | column | column << far
    }
}

/// About what the player to move will get, in thousandths of a disc.
pub(super) fn evaluate(squares: Squares) -> i32 {
    let Squares { own, opponent, empty, size } = squares;
    let difference = |own: u64, opponent: u64| own.count_ones() as i32 - opponent.count_ones() as i32;
    let on = |set: u64| difference(own & set, opponent & set);
    let corners = squares.corners();
    let free = corners & empty;
    let c_squares = beside(free) | free << 8 | free >> 8;
    let x_squares = around(free) & !free & !c_squares;
    let edges = squares.edges() & !corners & !c_squares;
    let (moves, replies) = (squares.legal(), squares.passed().legal());
    MOBILITY * difference(moves, replies)
        + FRONTIER * difference(around(opponent) & empty, around(own) & empty)
        + CORNER * on(corners)
        + X_SQUARE * on(x_squares)
        + C_SQUARE * on(c_squares)
        + STABLE * difference(stable::discs(own, opponent, size), stable::discs(opponent, own, size))
        + CORNER_MOVE * difference(moves & corners, replies & corners)
        + EDGE * on(edges)
        + MOVE
}

/// The evaluation `depth` plies ahead by alpha-beta, the fewest replies first.
pub(super) fn look_ahead(squares: Squares, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    if depth == 0 {
        return evaluate(squares);
    }
    let mut legal = squares.legal();
    if legal == 0 {
        if squares.passed().legal() == 0 {
            let margin = squares.own.count_ones() as i32 - squares.opponent.count_ones() as i32;
            return 1000 * margin;
        }
        return -look_ahead(squares.passed(), depth - 1, -beta, -alpha);
    }
    let mut moves = [(0, 0); 64];
    let mut count = 0;
    while legal != 0 && count < moves.len() {
        let at = legal.trailing_zeros();
        legal &= legal - 1;
        let replies = if depth > 1 { squares.after(at).legal().count_ones() } else { 0 };
        moves[count] = (replies, at);
        count += 1;
    }
    if depth > 1 {
        moves[..count].sort_unstable();
    }
    let mut best = i32::MIN;
    for &(_, at) in &moves[..count] {
        let value = -look_ahead(squares.after(at), depth - 1, -beta, -alpha);
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// The squares left and right of `squares`.
#[inline]
fn beside(squares: u64) -> u64 {
    (squares & !0x0101_0101_0101_0101) >> 1 | (squares & !0x8080_8080_8080_8080) << 1
}

/// The squares, and those around them.
#[inline]
fn around(squares: u64) -> u64 {
    let rows = squares | beside(squares);
    rows | rows << 8 | rows >> 8
}
