//! Turns a goal into questions with two answers, and the answers into bounds.
//!
//! Win, draw or loss takes two questions at most, one if the first hits the side of the value that can be
//! decided alone. A score is closed in from a guess: first at the guess, then in steps that double, then by
//! bisection. All bounds are those of the player to move at the root.

use endspiel_game::{Bounds, Goal, Player, Question};

/// Asks until `goal` is decided or `prove` gives up with none. `guess` is what the player to move is
/// expected to get.
pub fn decide(
    mover: Player,
    mut bounds: Bounds,
    goal: Goal,
    guess: i32,
    mut prove: impl FnMut(Question) -> Option<bool>,
) -> Bounds {
    while let Some(question) = next(mover, bounds, goal, guess) {
        match prove(question) {
            Some(yes) => bounds = bounds.with(mover, question, yes),
            None => break,
        }
    }
    bounds
}

/// What to ask next; none when the bounds decide the goal. The player to move is always the one who asks.
pub fn next(mover: Player, bounds: Bounds, goal: Goal, guess: i32) -> Option<Question> {
    if bounds.decide(goal) || bounds.low >= bounds.high {
        return None;
    }
    let at_least = match goal {
        // Expecting a loss, ask for the draw first: a no settles it.
        Goal::Outcome if bounds.low < 0 && (guess < 0 || bounds.high <= 0) => 0,
        Goal::Outcome => 1,
        Goal::Score => threshold(bounds, guess),
    };
    Some(Question { player: mover, at_least: at_least.clamp(bounds.low + 1, bounds.high) })
}

/// The next score to try: around the guess while it is inside, beyond it in steps as wide as the known
/// bound is from it, never past the middle of what is left.
fn threshold(Bounds { low, high }: Bounds, guess: i32) -> i32 {
    let middle = low + (high - low + 1) / 2;
    if low < guess && guess <= high {
        guess
    } else if low >= guess {
        (low + 1 + (low - guess)).min(middle.max(low + 1))
    } else {
        (high - (guess - 1 - high)).max(middle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(bounds: Bounds, goal: Goal, guess: i32, truth: i32) -> (Bounds, u32) {
        let mut asked = 0;
        let found = decide(Player::SECOND, bounds, goal, guess, |q| {
            asked += 1;
            assert!(q.player == Player::SECOND && bounds.low < q.at_least && q.at_least <= bounds.high);
            Some(truth >= q.at_least)
        });
        (found, asked)
    }

    #[test]
    fn every_value_is_found_in_few_questions() {
        let wide = Bounds { low: -64, high: 64 };
        for truth in -64..=64 {
            for guess in [-70, -64, -9, 0, 1, 33, 64] {
                let (found, asked) = count(wide, Goal::Score, guess, truth);
                assert_eq!(found, Bounds::exactly(truth));
                assert!(asked <= 15, "{asked} questions for {truth} from {guess}");
                let (found, asked) = count(wide, Goal::Outcome, guess, truth);
                assert_eq!(found.outcome(), Bounds::exactly(truth).outcome());
                assert!(asked <= 2);
            }
            assert!(count(wide, Goal::Score, truth, truth).1 <= 2, "a right guess needs two questions");
        }
        let narrow = Bounds { low: -1, high: 1 };
        assert_eq!(count(narrow, Goal::Outcome, -1, -1).1, 1);
        assert_eq!(count(narrow, Goal::Outcome, 1, 1).1, 1);
        assert_eq!(count(Bounds { low: 0, high: 1 }, Goal::Outcome, -1, 0).1, 1);
        assert_eq!(count(Bounds { low: 2, high: 9 }, Goal::Outcome, -1, 5).1, 0);
    }

    #[test]
    fn giving_up_keeps_what_is_known() {
        let mut answers = vec![None, Some(false)];
        let open = Bounds { low: -1, high: 1 };
        let found = decide(Player::FIRST, open, Goal::Outcome, 0, |_| answers.pop().flatten());
        assert_eq!(found, Bounds { low: -1, high: 0 });
    }
}
