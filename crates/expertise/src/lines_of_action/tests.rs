//! The parts of the evaluation on hand-made positions, and play with it.

use super::*;
use crate::testing::{greedy_against_random, search_against_uct};
use endspiel_game::{Game, Position};
use endspiel_rules::lines_of_action::LinesOfAction;

#[test]
fn the_parts_are_what_the_paper_says() {
    // Ten stones: one at 0, eight at 1, one at 2.
    assert_eq!([1, 2, 9, 10, 12].map(least_distances), [0, 1, 8, 10, 14]);
    assert_eq!([0, 7, 9, 27, 63].map(|square| centrality(square, 8)), [0, 0, 2, 6, 0]);
    let start = LinesOfAction::from_variant("").expect("the usual game").start();
    assert_eq!(Expert.evaluate(&start), MOVE, "the sides are images of each other");
    let m = start.move_list().into_iter().max_by_key(|&m| Expert.promise(&start, m)).expect("a move");
    assert!(centrality(m.to.into(), 8) > centrality(m.from.into(), 8));
}

#[test]
fn it_plays_better_than_chance_and_playouts() {
    let game = LinesOfAction::from_variant("").expect("the usual game");
    assert!(greedy_against_random(&game, &Expert, 10) >= 0.9);
    assert!(search_against_uct(&game, &Expert, 6, (500, 500)) >= 0.6);
}
