//! Awari: stones in hand, and a little for choice.
//!
//! Lithidion evaluates a leaf as if the stones on the board were shared evenly, so by the stones captured, and
//! tries the greatest captures first (Allis 1994, section 2.4). Here a legal move more is worth a twentieth of a
//! stone beside that. The rules themselves bound the score by what is captured and what is left on the board.

use endspiel_game::{Expertise, TwoPlayer};
use endspiel_rules::awari::{Board, Pit};

/// What is known of awari.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expert;

/// What a pit that can be sown is worth, in thousandths of a stone.
const CHOICE: i32 = 50;
/// How much sooner a capture is tried for every stone; pits sown last come next.
const CAPTURE: i32 = 8;

impl Expertise<Board> for Expert {
    const EVALUATES: bool = true;

    fn evaluate(&self, board: &Board) -> i32 {
        let mover = board.mover();
        let worth = |player| {
            let filled = board.pits(player).iter().filter(|&&stones| stones > 0).count() as i32;
            1000 * i32::from(board.captured(player)) + CHOICE * filled
        };
        worth(mover) - worth(mover.other())
    }

    #[inline]
    fn promise(&self, board: &Board, m: Pit) -> i32 {
        CAPTURE * i32::from(board.capture(m)) + m.index() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{greedy_against_random, search_against_uct};
    use endspiel_game::{Game, Notation, Position};
    use endspiel_rules::awari::Awari;

    #[test]
    fn captures_count_for_who_has_made_them() {
        let game = Awari::from_variant("").expect("the usual game");
        let mut board = game.start();
        assert_eq!(Expert.evaluate(&board), 0);
        for _ in 0..30 {
            let Some(m) = board.move_list().into_iter().max_by_key(|&m| Expert.promise(&board, m)) else {
                break;
            };
            let most = board.move_list().into_iter().map(|m| board.capture(m)).max();
            assert_eq!(Some(board.capture(m)), most, "the greatest capture comes first: {}", board.write());
            board.play(m);
        }
        let mover = board.mover();
        let lead = i32::from(board.captured(mover)) - i32::from(board.captured(mover.other()));
        assert!((Expert.evaluate(&board) - 1000 * lead).abs() <= 6 * CHOICE);
    }

    #[test]
    fn it_plays_better_than_chance_and_playouts() {
        let game = Awari::from_variant("").expect("the usual game");
        assert!(greedy_against_random(&game, &Expert, 20) >= 0.8);
        assert!(search_against_uct(&game, &Expert, 8, (500, 500)) >= 0.6);
    }
}
