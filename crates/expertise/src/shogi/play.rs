//! Playing shogi: material on the board and in hand, and generals near the own king; captures are played out.
//!
//! The worths are those that Koji Tanigawa taught: a pawn 1, lance 3, knight 4, silver 5, gold 6, bishop 8, rook 10, tokin 7,
//! other promoted pieces that go like golds 6, horse 10, dragon 12. A hand is worth a little more than the board.

use crate::{chances, unsettled};
use endspiel_game::{Expertise, Player};
use endspiel_rules::shogi::{Board, Kind, Move};

/// About who stands better.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expert;

/// King, rook, bishop, gold, silver, knight, lance, pawn, each promoted behind.
const WORTH: [[i32; 2]; 8] = [[0, 0], [10, 12], [8, 10], [6, 6], [5, 6], [4, 6], [3, 6], [1, 7]];
/// What a point of [`WORTH`] counts, on the board and in hand.
const POINT: i32 = 18;
const POINT_IN_HAND: i32 = 20;
/// For a gold or silver within two steps of the own king.
const GUARD: i32 = 6;
/// For a piece other than a king within two steps of the enemy king.
const SIEGE: i32 = 8;
const MOVE: i32 = 6;

impl Expertise<Board> for Expert {
    const EVALUATES: bool = true;
    const UNSETTLED: bool = true;

    fn evaluate(&self, board: &Board) -> i32 {
        let mover = board.side();
        chances(worth(board, mover) - worth(board, mover.other()) + MOVE)
    }

    /// Captures of much by little first, then promotions.
    #[inline]
    fn promise(&self, board: &Board, m: Move) -> i32 {
        let Move::Go { from, to, promotes } = m else { return 0 };
        let worth = |square| board.at(square).map_or(0, |p| WORTH[p.kind as usize][usize::from(p.promoted)]);
        let gain = board.at(from).filter(|_| promotes).map_or(0, |p| {
            let [raw, promoted] = WORTH[p.kind as usize];
            promoted - raw
        });
        match worth(to) {
            0 => 10 * gain,
            taken => 100 * taken - worth(from) + 10 * gain,
        }
    }

    /// Captures; every way out of check, which nobody may ignore.
    #[inline]
    fn unsettled(&self, board: &Board, each: impl FnMut(Move)) -> bool {
        let prey = board.pieces(board.side().other());
        unsettled(board, board.in_check(), |m| prey >> m.to() & 1 != 0, each)
    }
}

fn worth(board: &Board, player: Player) -> i32 {
    let near = |a: u8, b: u8| (a / 9).abs_diff(b / 9).max((a % 9).abs_diff(b % 9)) <= 2;
    let (own, enemy) = (board.king(player), board.king(player.other()));
    let mut left = board.pieces(player);
    let mut sum = 0;
    while left != 0 {
        let square = left.trailing_zeros() as u8;
        left &= left - 1;
        let Some(piece) = board.at(square).filter(|piece| piece.kind != Kind::King) else { continue };
        sum += POINT * WORTH[piece.kind as usize][usize::from(piece.promoted)];
        if matches!(piece.kind, Kind::Gold | Kind::Silver) && near(square, own) {
            sum += GUARD;
        }
        if near(square, enemy) {
            sum += SIEGE;
        }
    }
    let held =
        Kind::IN_HAND.iter().map(|&kind| i32::from(board.hand(player, kind)) * WORTH[kind as usize][0]);
    sum + POINT_IN_HAND * held.sum::<i32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::greedy_against_random;
    use endspiel_game::{Game, Position, Rng};
    use endspiel_rules::shogi::{Shape, Shogi};

    #[test]
    fn sides_are_judged_alike() {
        for shape in Shape::ALL {
            let mut board = Shogi { shape }.start();
            let mut rng = Rng::new(3);
            for _ in 0..60 {
                let Some(m) = board.random_move(&mut rng) else { break };
                assert_eq!(Expert.evaluate(&board), Expert.evaluate(&board.swapped()));
                assert_eq!(Expert.evaluate(&board), Expert.evaluate(&board.mirrored()));
                board.play(m);
            }
        }
    }

    #[test]
    fn it_plays_better_than_chance() {
        for shape in Shape::ALL {
            let points = greedy_against_random(&Shogi { shape }, &Expert, 20);
            assert!(points > 0.6, "{shape:?}: {points}");
        }
    }
}
