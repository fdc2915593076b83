//! Othello: which moves leave the opponent little, which discs stay, how the last squares go.
//!
//! Moves are ordered by the evaluation a few plies ahead, the more plies the more is left, and by the replies
//! they leave (*fastest first*). Bounds come from stable discs. Positions with at most ten empty squares
//! are finished by a search of their own, see `endgame`.
//!
//! ```
//! use endspiel_expertise::othello::Expert;
//! use endspiel_game::{Budget, Game, Goal, Quiet, Task};
//! use endspiel_rules::othello::Othello;
//! use endspiel_search::alphabeta::{Options, Solver};
//!
//! let root = Othello::from_variant("4,discs").unwrap().start();
//! let budget = Budget::default().with_memory(1 << 20);
//! let task = Task { root: &root, goal: Goal::Score, expertise: &Expert, budget: &budget, observer: &Quiet };
//! let answer = Solver::new(Options::default(), &budget).solve(&task);
//! assert_eq!((answer.bounds.low, answer.bounds.high), (-8, -8));
//! ```

mod endgame;
mod evaluation;
mod stable;
#[cfg(test)]
mod tests;

use endgame::Endgame;
use endspiel_game::{Expertise, Offer, Position, TwoPlayer};
use endspiel_rules::othello::{Board, Square};
use evaluation::{Squares, evaluate, look_ahead};
use std::ops::ControlFlow;

/// What is known of Othello.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expert;

/// With so few empty squares a position is finished at once.
const SMALL: u32 = 10;
/// With more empty squares moves are ordered by looking ahead: one ply, and one more for every two squares.
const AHEAD: u32 = 12;
const PLIES: u32 = 2;
/// At most so many plies, since the larger board has many more squares.
const MOST_PLIES: u32 = 6;
/// What a reply and a corner are worth when moves are ordered, in thousandths of a disc.
const REPLY: i32 = 2000;
const CORNER: i32 = 3000;
/// A value beyond all others.
const INFINITE: i32 = 1 << 30;

fn squares(board: &Board) -> Squares {
    Squares { own: board.own(), opponent: board.opponent(), empty: board.empty(), size: board.game().size() }
}

impl Expertise<Board> for Expert {
    const EVALUATES: bool = true;
    const BOUNDS: bool = true;

    fn evaluate(&self, board: &Board) -> i32 {
        let most = 1000 * (board.game().size() * board.game().size()) as i32;
        evaluate(squares(board)).clamp(-most, most)
    }

    /// The opponent keeps his stable discs, and the player to move his own.
    #[inline]
    fn bounds(&self, board: &Board) -> (i32, i32) {
        let range = board.score_range_of(board.mover());
        let size = board.game().size();
        // With a third of the board empty there are too few stable discs to matter.
        if range.0 == range.1 || 3 * board.empty().count_ones() as usize > size * size {
            return range;
        }
        let kept = |own, opponent| 2 * stable::discs(own, opponent, size).count_ones() as i32;
        (range.0 + kept(board.own(), board.opponent()), range.1 - kept(board.opponent(), board.own()))
    }

    fn promise(&self, board: &Board, m: Square) -> i32 {
        if m == Square::PASS {
            return 0;
        }
        let after = squares(board).after(m.number() as u32);
        CORNER * i32::from(m.bit() & after.corners() != 0) - REPLY * replies(after)
    }

    /// For proofs: where much is left, a better order is worth a look ahead.
    fn offers(&self, board: &Board, at_least: i32, mut each: impl FnMut(Offer<Board>) -> ControlFlow<()>) {
        let left = board.empty().count_ones();
        let mut flow = ControlFlow::Continue(());
        board.moves(|m| {
            if flow.is_break() {
                return;
            }
            let after = board.after(m);
            let (low, high) = if after.turn().is_over() {
                let score = after.payoff().of(board.mover());
                (score, score)
            } else {
                let (low, high) = self.bounds(&after);
                (-high, -low)
            };
            let mut offer = Offer { m, position: after, low, high, promise: 0 };
            if low < at_least && at_least <= high {
                offer.promise = self.promise(board, m);
                if left > AHEAD && m != Square::PASS {
                    let depth = (1 + (left - AHEAD - 1) / PLIES).min(MOST_PLIES);
                    offer.promise -= look_ahead(squares(&after), depth, -INFINITE, INFINITE);
                }
            }
            flow = each(offer);
        });
    }

    #[inline]
    fn is_small(&self, board: &Board) -> bool {
        board.empty().count_ones() <= SMALL
    }

    #[inline]
    fn finish(&self, board: &Board, at_least: i32, nodes: &mut u64) -> Option<i32> {
        if !self.is_small(board) {
            return None;
        }
        let mut endgame = Endgame::new(board);
        let bound = endgame.test(board, at_least);
        *nodes += endgame.nodes;
        Some(bound)
    }
}

/// How many replies there are; a corner counts twice.
#[inline]
fn replies(after: Squares) -> i32 {
    let legal = after.legal();
    (legal.count_ones() + (legal & after.corners()).count_ones()) as i32
}
