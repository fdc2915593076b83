//! Awari: stones in hand, and a little for choice.
//!
//! Lithidion evaluates a leaf as if the stones on the board were shared evenly, so by the stones captured, and
//! tries the greatest captures first (Allis 1994, section 2.4). Here a legal move more is worth a twentieth of a
//! stone beside that. The rules themselves bound the score by what is captured and what is left on the board. Its `stones pn`
//! begins the proof numbers of a leaf with the stones that each side still has to capture.

use endspiel_game::{Expertise, Question, TwoPlayer};
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

    /// The stones that who asks needs for a yes, and those that the other needs for a no. To win the usual game that is 25
    /// and 24 at the start.
    fn effort(&self, board: &Board, question: Question) -> (u32, u32) {
        let (asker, other) = (question.player, question.player.other());
        let captured = |player| i32::from(board.captured(player));
        let all = captured(asker) + captured(other) + i32::from(board.on_board());
        let enough = (all + question.at_least + 1).div_euclid(2);
        let left = |needed: i32| needed.max(1) as u32;
        (left(enough - captured(asker)), left(all - enough + 1 - captured(other)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{greedy_against_random, search_against_uct};
    use endspiel_game::{Game, Notation, Player, Position};
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

    /// "Does South win?" and "does South get at least a draw?", from the start and later.
    #[test]
    fn stones_to_capture_are_those_of_the_thesis() {
        let game = Awari::from_variant("").expect("the usual game");
        let effort =
            |board: &Board, at_least| Expert.effort(board, Question { player: Player::FIRST, at_least });
        let start = game.start();
        assert_eq!((effort(&start, 1), effort(&start, 0)), ((25, 24), (24, 25)));
        let later = game.read("0 1 0 0 1 0|0 0 0 0 0 1 20-25 S").expect("a position");
        assert!(later.turn().is_over());
        let later = game.read("0 1 0 0 1 2|2 0 0 0 0 1 20-21 S").expect("a position");
        assert_eq!((effort(&later, 1), effort(&later, 0)), ((5, 3), (4, 4)));
        // What one needs to reach a goal, the other needs not to let it happen.
        for at_least in -20..=20 {
            let question = Question { player: Player::FIRST, at_least };
            let (proof, disproof) = Expert.effort(&later, question);
            assert_eq!(Expert.effort(&later, question.opposite()), (disproof, proof));
        }
    }

    /// Proof-number search that begins with stones proves the same as that which begins with ones, with fewer nodes.
    #[test]
    fn stones_prove_what_ones_prove() {
        use endspiel_game::{Budget, Goal, Quiet, Rng, Task};
        use endspiel_search::proof_number::{Initial, pn};
        let game = Awari::from_variant("").expect("the usual game");
        let (mut rng, budget) = (Rng::new(20), Budget::nodes(20_000));
        let (mut solved, mut nodes) = (0, [0, 0]);
        while solved < 20 {
            let mut board = game.start();
            while board.on_board() > 9 {
                let Some(m) = board.random_move(&mut rng) else { break };
                board.play(m);
            }
            if board.turn().is_over() {
                continue;
            }
            let answers = [Initial::Standard, Initial::Effort].map(|initial| {
                let task = Task {
                    root: &board,
                    goal: Goal::Outcome,
                    expertise: &Expert,
                    budget: &budget,
                    observer: &Quiet,
                };
                let options = pn::Options { initial, ..pn::Options::default() };
                pn::Solver::new(options, &budget).solve(&task)
            });
            if let [Some(ones), Some(stones)] = answers.each_ref().map(|answer| answer.bounds.outcome()) {
                assert_eq!(ones, stones, "{}", board.write());
                solved += 1;
                answers.iter().zip(&mut nodes).for_each(|(answer, sum)| *sum += answer.counts.nodes);
            }
        }
        assert!(nodes[1] <= nodes[0], "{nodes:?}");
    }

    #[test]
    fn it_plays_better_than_chance_and_playouts() {
        let game = Awari::from_variant("").expect("the usual game");
        assert!(greedy_against_random(&game, &Expert, 20) >= 0.8);
        assert!(search_against_uct(&game, &Expert, 8, (500, 500)) >= 0.6);
    }
}
