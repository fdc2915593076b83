//! Distances against a plain search, the terms of the paper, and play.

use super::*;
use crate::testing::{greedy_against_random, search_against_uct};
use endspiel_game::{Game, Position, Rng};
use endspiel_rules::amazons::Amazons;

fn game(variant: &str) -> Amazons {
    Amazons::from_variant(variant).expect("a variant")
}

#[test]
fn distances_are_those_of_a_plain_search() {
    let mut rng = Rng::new(5);
    let mut board = game("").start();
    for _ in 0..40 {
        let Some(m) = board.random_move(&mut rng) else { break };
        board.play(m);
        let amazons = board.amazons(board.side());
        let found = Distances::of(amazons, board.occupied());
        for longest in [1, 9] {
            let mut plain = [FAR; 100];
            let mut queue: Vec<(usize, u8)> = squares(amazons).map(|at| (at, 0)).collect();
            let mut next = 0;
            while let Some(&(from, moves)) = queue.get(next) {
                next += 1;
                for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
                    for steps in 1..=longest {
                        let (x, y) = ((from % 10) as i32 + steps * dx, (from / 10) as i32 + steps * dy);
                        if !(0..10).contains(&x) || !(0..10).contains(&y) {
                            break;
                        }
                        let at = (10 * y + x) as usize;
                        if board.occupied() >> at & 1 == 1 {
                            break;
                        }
                        if plain[at] == FAR {
                            plain[at] = moves + 1;
                            queue.push((at, moves + 1));
                        }
                    }
                }
            }
            assert_eq!(if longest == 1 { found.king } else { found.queen }, plain);
        }
    }
}

#[test]
fn the_terms_are_those_of_the_paper() {
    let c1 = |own, other| 2.0 * (share(own) - share(other));
    assert_eq!([c1(1, 2), c1(2, 3), c1(1, 3), c1(4, 4)], [0.5, 0.25, 0.75, 0.0]);
    assert_eq!([first([1, 2]), first([3, 2]), first([2, 2]), first([FAR, FAR])], [1.0, -1.0, TEMPO, 0.0]);
    // The sides are images of each other: only the move counts.
    let start = Expert.evaluate(&game("").start());
    assert!((0..(SQUARE * TEMPO * 100.0) as i32).contains(&start), "{start}");
}

#[test]
fn it_plays_better_than_chance_and_playouts() {
    assert!(greedy_against_random(&game("6"), &Expert, 10) >= 0.9);
    assert!(search_against_uct(&game("6"), &Expert, 6, (1000, 1000)) >= 0.6);
}
