//! Playing checkers: men, kings, and a little for where they stand; jumps are played out.
//!
//! A king is worth a man and a half; a man the more the farther it is, and one at home guards against kings. The
//! weights are chosen by hand.

use crate::chances;
use endspiel_game::{Expertise, Player, Position};
use endspiel_rules::checkers::{Board, Move, squares};

/// About who stands better.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expert;

const KING: i32 = 150;
/// For a row that a man has advanced, for one that stands at home, and for a square in the middle eight.
const ROW: i32 = 3;
const HOME: i32 = 8;
const CENTRE: i32 = 5;
const MIDDLE: u32 = 0x0066_6600;
const MOVE: i32 = 4;
/// The rows from which the men of each start.
const BACK: [u32; 2] = [0x0000_000f, 0xf000_0000];

impl Expertise<Board> for Expert {
    const EVALUATES: bool = true;
    const UNSETTLED: bool = true;

    fn evaluate(&self, board: &Board) -> i32 {
        let mover = board.side();
        let (own, other) = (worth(board, mover), worth(board, mover.other()));
        // Whoever is ahead gains by every exchange.
        let men = (board.pieces(Player::FIRST) | board.pieces(Player::SECOND)).count_ones() as i32;
        let lead = own - other;
        chances(lead + lead * (24 - men) / 24 + MOVE)
    }

    #[inline]
    fn promise(&self, board: &Board, m: Move) -> i32 {
        let kings = (m.taken & board.kings()).count_ones();
        (2 * m.taken.count_ones() + kings) as i32
    }

    /// Jumps must be made.
    #[inline]
    fn unsettled(&self, board: &Board, each: impl FnMut(Move)) -> bool {
        let jump = board.must_jump();
        if jump {
            board.moves(each);
        }
        !jump
    }
}

fn worth(board: &Board, player: Player) -> i32 {
    let pieces = board.pieces(player);
    let kings = pieces & board.kings();
    let men = pieces & !kings;
    let rows: i32 = squares(men)
        .map(|at| i32::from(at) / 4)
        .map(|row| if player == Player::FIRST { row } else { 7 - row })
        .sum();
    let count = |set: u32| set.count_ones() as i32;
    100 * count(men)
        + KING * count(kings)
        + ROW * rows
        + HOME * count(men & BACK[player.index()])
        + CENTRE * count(pieces & MIDDLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::search_against_uct;
    use endspiel_game::Game;
    use endspiel_rules::checkers::Checkers;

    #[test]
    fn sides_are_judged_alike() {
        let mut board = Checkers.start();
        let mut rng = endspiel_game::Rng::new(3);
        while let Some(m) = board.random_move(&mut rng) {
            assert_eq!(Expert.evaluate(&board), Expert.evaluate(&board.swapped()));
            board.play(m);
        }
    }

    #[test]
    fn it_plays_better_than_random_games_judge() {
        let uct = search_against_uct(&Checkers, &Expert, 10, (20_000, 500));
        assert!(uct > 0.6, "{uct}");
    }
}
