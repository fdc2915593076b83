//! Bounds and finishing against plain negamax, certificates of solved positions, and play.

use super::*;
use crate::testing::{greedy_against_random, search_against_uct};
use endspiel_game::{Budget, Game, Goal, Position, Quiet, Rng, Task};
use endspiel_proof::{Statement, build, verify, write};
use endspiel_rules::othello::Othello;
use endspiel_search::alphabeta::{Options, Solver};
use std::collections::HashMap;

fn game(variant: &str) -> Othello {
    Othello::from_variant(variant).expect("a variant")
}

/// Plain negamax that checks the expert wherever it comes.
fn value(board: &Board, seen: &mut HashMap<u64, i32>) -> i32 {
    if board.turn().is_over() {
        return board.margin();
    }
    if let Some(&known) = seen.get(&board.key()) {
        return known;
    }
    let mut best = i32::MIN;
    board.moves(|m| best = best.max(-value(&board.after(m), seen)));
    let (low, high) = Expert.bounds(board);
    assert!(low <= best && best <= high, "{low}..={high} for {best}: {board:?}");
    for beta in [best - 3, best, best + 1, best + 4, -9, 2] {
        if let Some(bound) = Expert.finish(board, beta, &mut 0) {
            assert!(
                if best >= beta { beta <= bound && bound <= best } else { best <= bound && bound < beta },
                "{bound} for {best} asked for {beta}: {board:?}"
            );
        }
    }
    seen.insert(board.key(), best);
    best
}

#[test]
fn every_bound_and_every_finish_is_right() {
    assert_eq!(value(&game("4,discs").start(), &mut HashMap::new()), -8);
    assert_eq!(value(&game("4").start(), &mut HashMap::new()), -10);
    let mut rng = Rng::new(3);
    let mut judged = 0;
    for (variant, left, games) in [("6", 7, 40), ("6,discs", 8, 20), ("8", 7, 20), ("discs", 7, 20)] {
        for _ in 0..games {
            let mut board = game(variant).start();
            while board.empty().count_ones() > left {
                let Some(m) = board.random_move(&mut rng) else { break };
                board.play(m);
            }
            let mut seen = HashMap::new();
            value(&board, &mut seen);
            judged += seen.len();
        }
    }
    assert!(judged > 10_000, "{judged}");
}

/// Solves a position and has the certificate of its value checked.
fn certify(game: Othello, root: &Board) -> i32 {
    let budget = Budget::default().with_memory(32 << 20);
    let task = Task { root, goal: Goal::Score, expertise: &Expert, budget: &budget, observer: &Quiet };
    let mut solver = Solver::new(Options::default(), &budget);
    let bounds = solver.solve(&task).bounds;
    assert_eq!(bounds.low, bounds.high);
    let statement = Statement::exactly(root.mover(), bounds.low);
    let strategies: Vec<_> = statement
        .claims()
        .into_iter()
        .map(|claim| build(root, claim, true, &mut solver, &Budget::default(), &Quiet).expect("a strategy"))
        .collect();
    let path = std::env::temp_dir().join(format!("othello-{}-{}.cert", root.key(), std::process::id()));
    write(&path, &game, root, statement, &strategies).expect("room for a file");
    let verified = verify(&game, &path, 1);
    std::fs::remove_file(&path).expect("the file is there");
    assert_eq!(verified.expect("it holds").statement, statement);
    bounds.low
}

#[test]
fn what_is_solved_is_certified() {
    assert_eq!(certify(game("4,discs"), &game("4,discs").start()), -8);
    let board = game("6,discs").read("X--O---XXO--OOOOOOXXXOX---XO-X--X--- X").expect("a position");
    assert_eq!(certify(game("6,discs"), &board), 6);
}

#[test]
fn it_plays_better_than_chance_and_playouts() {
    assert!(greedy_against_random(&game(""), &Expert, 20) >= 0.8);
    assert!(search_against_uct(&game("6"), &Expert, 10, (1000, 1000)) >= 0.6);
}
