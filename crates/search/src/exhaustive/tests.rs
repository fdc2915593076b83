//! The reference against slower truths and published figures.

use super::*;
use crate::testing::Walk;
use endspiel_game::{Game, Goal, Position, Quiet, Rng, Rules};
use endspiel_rules::connect_four::ConnectFour;
use endspiel_rules::mnk::Mnk;

#[test]
fn random_graphs_have_their_true_values() {
    let mut rng = Rng::new(7);
    for round in 0..400 {
        let walk = Walk::random(2 + rng.below(9) as u8, 1 + (round % 3), &mut rng);
        for root in walk.everywhere() {
            let solution = Solution::of(&root, &Budget::default()).expect("it is small");
            let own = if root.mover() == Player::FIRST { 1 } else { -1 };
            assert_eq!(solution.score(&root), Some(root.truth() * own), "{root:?}");
        }
    }
}

/// Follows the advice against every reply: each end must be a yes, and so must each cycle.
fn follow(solution: &Solution<Walk>, here: &Walk, question: Question, path: &mut Vec<u64>) {
    if here.turn().is_over() {
        assert!(question.is_met_by(here.payoff()), "{here:?} {question:?}");
    } else if path.contains(&here.key()) {
        assert!(question.is_met_by(here.repeated()), "{here:?} {question:?} goes round");
    } else {
        path.push(here.key());
        if here.mover() == question.player {
            let m = solution.advise(here, question).expect("advice");
            follow(solution, &here.after(m), question, path);
        } else {
            here.moves(|m| follow(solution, &here.after(m), question, path));
        }
        path.pop();
    }
}

#[test]
fn advice_keeps_a_yes_and_gets_somewhere() {
    let mut rng = Rng::new(8);
    for _ in 0..300 {
        let root = Walk::random(8, 3, &mut rng);
        let solution = Solution::of(&root, &Budget::default()).expect("it is small");
        for player in [Player::FIRST, Player::SECOND] {
            for at_least in -3..=3 {
                let question = Question { player, at_least };
                if solution.answers(&root, question) == Some(true) {
                    follow(&solution, &root, question, &mut Vec::new());
                }
            }
        }
    }
}

#[test]
fn too_little_memory_leaves_it_open() {
    let root = Walk::random(200, 1, &mut Rng::new(3));
    let budget = Budget::nodes(1_000_000).with_memory(1000);
    let task =
        Task { root: &root, goal: Goal::Outcome, expertise: &Rules, budget: &budget, observer: &Quiet };
    let answer = Solver::new(Options::default(), &budget).solve(&task);
    assert_eq!(answer.bounds, Bounds::open(&root));
}

fn solved<G: Game>(variant: &str, fold: bool) -> (Answer<<G::Position as Position>::Move>, usize)
where
    G::Position: TwoPlayer + Symmetric,
{
    let root = G::from_variant(variant).expect("a variant").start();
    let budget = Budget::default();
    let task = Task { root: &root, goal: Goal::Score, expertise: &Rules, budget: &budget, observer: &Quiet };
    let mut solver = Solver::new(Options { fold }, &budget);
    let answer = solver.solve(&task);
    (answer, solver.solution().map_or(0, Solution::len))
}

#[test]
fn small_games_have_their_published_counts_and_values() {
    let (answer, positions) = solved::<Mnk>("3,3,3", false);
    assert_eq!((answer.bounds, positions, answer.line.len()), (Bounds::exactly(0), 5478, 9));
    assert_eq!(solved::<Mnk>("3,3,3", true).1, 765);
    let (answer, _) = solved::<Mnk>("4,3,3", true);
    assert_eq!(answer.bounds, Bounds::exactly(1));
    assert_eq!(answer.distance.map(|d| d.plies as usize), Some(answer.line.len()));
    let (answer, positions) = solved::<ConnectFour>("4x4", false);
    assert_eq!((answer.bounds.outcome(), positions), (Some(Outcome::Draw), 161_029));
}
