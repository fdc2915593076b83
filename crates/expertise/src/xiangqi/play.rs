//! Playing xiangqi: material, pawns across the river, and room for the pieces that reach far; captures are played out.
//!
//! The worths are round numbers chosen by hand: a rook nine pawns, a cannon four and a half, a knight four, guards and
//! ministers two.

use crate::{chances, unsettled};
use endspiel_game::{Expertise, Player};
use endspiel_rules::xiangqi::{Board, Kind, Move};

/// About who stands better.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expert;

/// King, guard, minister, rook, knight, cannon, pawn, in hundredths of a pawn.
const WORTH: [i32; 7] = [0, 200, 200, 900, 400, 450, 100];
/// For a pawn across the river.
const ACROSS: i32 = 100;
/// For a file nearer to the middle.
const FILE: [i32; 7] = [0, 0, 2, 3, 6, 5, 8];
/// For a rook or a knight that has left the back rank.
const OUT: i32 = 15;
const MOVE: i32 = 10;

impl Expertise<Board> for Expert {
    const EVALUATES: bool = true;
    const UNSETTLED: bool = true;

    fn evaluate(&self, board: &Board) -> i32 {
        let mover = board.side();
        chances(worth(board, mover) - worth(board, mover.other()) + MOVE)
    }

    /// Captures of much by little first.
    #[inline]
    fn promise(&self, board: &Board, m: Move) -> i32 {
        let worth = |point| board.at(point).map_or(0, |(kind, _)| WORTH[kind as usize]);
        match worth(m.to) {
            0 => 0,
            taken => 10 * taken - worth(m.from),
        }
    }

    /// Captures; every way out of check, which nobody may ignore.
    #[inline]
    fn unsettled(&self, board: &Board, each: impl FnMut(Move)) -> bool {
        let prey = board.pieces(board.side().other());
        unsettled(board, board.in_check(), |m| prey >> m.to & 1 != 0, each)
    }
}

fn worth(board: &Board, player: Player) -> i32 {
    let mut left = board.pieces(player);
    let mut sum = 0;
    while left != 0 {
        let point = left.trailing_zeros() as u8;
        left &= left - 1;
        let Some((kind, _)) = board.at(point) else { continue };
        let (file, rank) = (i32::from(point % 9), i32::from(point / 9));
        let rank = if player == Player::FIRST { rank } else { 9 - rank };
        sum += WORTH[kind as usize] + FILE[kind as usize] * file.min(8 - file);
        sum += match kind {
            // On the last rank it can only go sideways.
            Kind::Pawn if rank == 9 => ACROSS / 2,
            Kind::Pawn if rank > 4 => ACROSS,
            Kind::Rook | Kind::Knight if rank > 0 => OUT,
            _ => 0,
        };
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::greedy_against_random;
    use endspiel_game::{Game, Position, Rng};
    use endspiel_rules::xiangqi::Xiangqi;

    #[test]
    fn sides_are_judged_alike() {
        let mut board = Xiangqi.start();
        let mut rng = Rng::new(3);
        for _ in 0..60 {
            let Some(m) = board.random_move(&mut rng) else { break };
            assert_eq!(Expert.evaluate(&board), Expert.evaluate(&board.swapped()));
            assert_eq!(Expert.evaluate(&board), Expert.evaluate(&board.mirrored()));
            board.play(m);
        }
    }

    #[test]
    fn it_plays_better_than_chance() {
        assert!(greedy_against_random(&Xiangqi, &Expert, 20) > 0.6);
    }
}
