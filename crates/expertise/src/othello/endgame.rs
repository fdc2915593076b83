//! The last squares of an Othello game, searched to the end by null windows.
//!
//! *Parity*: whoever puts the last disc into a region keeps it, so squares in quarters of the board with an
//! odd number of empty squares come first. With more than [`BY_PARITY`] empty squares the moves that leave
//! the opponent the fewest replies come first (*fastest first*), below that looking for the replies costs
//! more than it saves. The last square is counted, not played. No table, no allocation.

use super::stable;
use endspiel_rules::othello::{Board, bits};

/// With so few empty squares they are tried by parity alone.
const BY_PARITY: u32 = 6;
/// Stable discs are counted where the question is so far from even that they may decide it.
const LOPSIDED: i32 = 8;

/// A search of what is left.
pub(super) struct Endgame {
    size: usize,
    /// All squares of the board.
    all: i32,
    discs_only: bool,
    pub nodes: u64,
}

/// Discs and squares of a position, for its player to move.
#[derive(Clone, Copy)]
struct Squares {
    own: u64,
    opponent: u64,
    empty: u64,
    /// The quarters of the board with an odd number of empty squares.
    odd: u64,
}

impl Squares {
    /// After a disc on the square of `bit` in `quarter` has turned `turned`.
    #[inline(always)]
    fn after(self, bit: u64, turned: u64, quarter: u64) -> Self {
        Self {
            own: self.opponent ^ turned,
            opponent: self.own | turned | bit,
            empty: self.empty ^ bit,
            odd: self.odd ^ quarter,
        }
    }

    #[inline(always)]
    fn passed(self) -> Self {
        Self { own: self.opponent, opponent: self.own, ..self }
    }
}

impl Endgame {
    pub fn new(board: &Board) -> Self {
        let size = board.game().size();
        Self { size, all: (size * size) as i32, discs_only: board.game().discs_only(), nodes: 0 }
    }

    /// A bound on what the player to move gets: at least `beta`, or below it.
    pub fn test(&mut self, board: &Board, beta: i32) -> i32 {
        let mut squares =
            Squares { own: board.own(), opponent: board.opponent(), empty: board.empty(), odd: 0 };
        let mut left = squares.empty;
        while left != 0 {
            squares.odd ^= QUARTERS[self.size / 2][left.trailing_zeros() as usize];
            left &= left - 1;
        }
        self.search(squares, beta, false)
    }

    fn search(&mut self, squares: Squares, beta: i32, passed: bool) -> i32 {
        if squares.empty.count_ones() <= BY_PARITY {
            return self.by_parity(squares, beta, passed);
        }
        self.nodes += 1;
        // 1. Discs that can never be turned may decide it.
        if beta > LOPSIDED {
            let kept = stable::discs(squares.opponent, squares.own, self.size).count_ones() as i32;
            if self.all - 2 * kept < beta {
                return self.all - 2 * kept;
            }
        }
        // 2. The moves, by the replies they leave.
        let mut legal = bits::legal(squares.own, squares.opponent, squares.empty);
        if legal == 0 {
            return if passed { self.score(squares) } else { -self.search(squares.passed(), 1 - beta, true) };
        }
        let quarters = &QUARTERS[self.size / 2];
        let corners = CORNERS[self.size / 2];
        let mut moves = [(0u32, squares); 32];
        let mut count = 0;
        while legal != 0 && count < moves.len() {
            let at = legal.trailing_zeros();
            let bit = legal & legal.wrapping_neg();
            legal ^= bit;
            let turned = bits::turned(squares.own, squares.opponent, at as u8);
            let next = squares.after(bit, turned, quarters[at as usize]);
            let replies = bits::legal(next.own, next.opponent, next.empty);
            let rank = 4 * (replies.count_ones() + (replies & corners).count_ones())
                + 2 * u32::from(bit & squares.odd == 0)
                + 12
                - 12 * u32::from(bit & corners != 0);
            let mut i = count;
            while i > 0 && moves[i - 1].0 > rank {
                moves[i] = moves[i - 1];
                i -= 1;
            }
            moves[i] = (rank, next);
            count += 1;
        }
        // 3. Search them.
        let mut best = i32::MIN;
        for &(_, next) in &moves[..count] {
            let value = -self.search(next, 1 - beta, false);
            best = best.max(value);
            if value >= beta {
                break;
            }
        }
        best
    }

    /// With few empty squares: those of odd quarters first.
    fn by_parity(&mut self, squares: Squares, beta: i32, passed: bool) -> i32 {
        if squares.empty & squares.empty.wrapping_sub(1) == 0 {
            return self.last(squares);
        }
        self.nodes += 1;
        let quarters = &QUARTERS[self.size / 2];
        let mut best = i32::MIN;
        for mut left in [squares.empty & squares.odd, squares.empty & !squares.odd] {
            while left != 0 {
                let at = left.trailing_zeros() as usize;
                let bit = left & left.wrapping_neg();
                left ^= bit;
                if NEIGHBOURS[at] & squares.opponent == 0 {
                    continue;
                }
                let turned = bits::turned(squares.own, squares.opponent, at as u8);
                if turned == 0 {
                    continue;
                }
                let value = -self.by_parity(squares.after(bit, turned, quarters[at]), 1 - beta, false);
                if value >= beta {
                    return value;
                }
                best = best.max(value);
            }
        }
        if best > i32::MIN {
            best
        } else if passed {
            self.score(squares)
        } else {
            -self.by_parity(squares.passed(), 1 - beta, true)
        }
    }

    /// One square is empty, or none.
    #[inline(always)]
    fn last(&mut self, squares: Squares) -> i32 {
        self.nodes += 1;
        if squares.empty == 0 {
            return 2 * squares.own.count_ones() as i32 - self.all;
        }
        let at = squares.empty.trailing_zeros() as u8;
        let turned = bits::turned(squares.own, squares.opponent, at).count_ones() as i32;
        let margin = 2 * squares.own.count_ones() as i32 + 1 - self.all;
        if turned > 0 {
            return margin + 2 * turned + 1;
        }
        let turned = bits::turned(squares.opponent, squares.own, at).count_ones() as i32;
        if turned > 0 { margin - 2 * turned - 1 } else { self.with_empties(margin, 1) }
    }

    /// Neither can move.
    fn score(&self, squares: Squares) -> i32 {
        let [own, opponent] = [squares.own, squares.opponent].map(|discs| discs.count_ones() as i32);
        self.with_empties(own - opponent, self.all - own - opponent)
    }

    fn with_empties(&self, margin: i32, empties: i32) -> i32 {
        if self.discs_only { margin } else { margin + empties * margin.signum() }
    }
}

/// The squares around each.
static NEIGHBOURS: [u64; 64] = {
    let mut out = [0; 64];
    let mut at = 0;
    while at < 64 {
        let mut to = 0;
        while to < 64 {
            let (dx, dy) = ((at % 8) as i32 - (to % 8) as i32, (at / 8) as i32 - (to / 8) as i32);
            if to != at && dx.abs() <= 1 && dy.abs() <= 1 {
                out[at] |= 1 << to;
            }
            to += 1;
        }
        at += 1;
    }
    out
};

/// By half the size of the board: the quarter of each square.
static QUARTERS: [[u64; 64]; 5] = {
    let mut out = [[0; 64]; 5];
    let mut half = 1;
    while half < 5 {
        let mut at = 0;
        while at < 64 {
            let mut to = 0;
            while to < 64 {
                let same_side = (at % 8 < half) == (to % 8 < half) && (at / 8 < half) == (to / 8 < half);
                if same_side && to % 8 < 2 * half && to / 8 < 2 * half {
                    out[half][at] |= 1 << to;
                }
                to += 1;
            }
            at += 1;
        }
        half += 1;
    }
    out
};

/// By half the size of the board: its corners.
static CORNERS: [u64; 5] = {
    let mut out = [0; 5];
    let mut half = 1;
    while half < 5 {
        let far = 2 * half - 1;
        out[half] = 1 | 1 << far | 1 << (8 * far) | 1 << (9 * far);
        half += 1;
    }
    out
};
