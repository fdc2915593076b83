use super::{Board, Othello, Square};
use crate::counts;
use endspiel_game::conform::conform;
use endspiel_game::{Game, Notation, Payoff, Position, Rng, Symmetric, Turn, TwoPlayer, perft};
use std::collections::HashMap;

fn game(variant: &str) -> Othello {
    Othello::from_variant(variant).unwrap()
}

#[test]
fn keeps_the_promises_of_a_game() {
    for variant in ["", "4", "6", "discs", "4,discs", "6,discs"] {
        conform(&game(variant), 20, 80, 5);
    }
}

#[test]
fn counts_of_lines_are_the_published_ones() {
    for (variant, depth, count) in counts::read(include_str!("perft.txt")) {
        assert_eq!(perft(&game(variant).start(), depth), count, "depth {depth}");
    }
}

/// Squares and turned discs found by walking from square to square.
#[test]
fn bitboards_agree_with_walking() {
    let mut rng = Rng::new(3);
    for variant in ["", "4", "6"] {
        let size = game(variant).size() as i32;
        for _ in 0..40 {
            let mut board = game(variant).start();
            while let Some(m) = board.random_move(&mut rng) {
                let mut legal = 0;
                for (x, y) in (0..size).flat_map(|x| (0..size).map(move |y| (x, y))) {
                    let bit = |x: i32, y: i32| Square::at(x as usize, y as usize).bit();
                    let inside = |x: i32, y: i32| (0..size).contains(&x) && (0..size).contains(&y);
                    let mut turned = 0;
                    for (dx, dy) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
                        let (mut run, mut i) = (0, 1);
                        while inside(x + i * dx, y + i * dy)
                            && board.opponent() & bit(x + i * dx, y + i * dy) != 0
                        {
                            run |= bit(x + i * dx, y + i * dy);
                            i += 1;
                        }
                        if inside(x + i * dx, y + i * dy) && board.own() & bit(x + i * dx, y + i * dy) != 0 {
                            turned |= run;
                        }
                    }
                    if board.empty() & bit(x, y) != 0 {
                        assert_eq!(board.turned(Square::at(x as usize, y as usize)), turned);
                        legal |= if turned == 0 { 0 } else { bit(x, y) };
                    }
                }
                assert_eq!(board.legal(), legal, "{}", board.write());
                board.play(m);
            }
        }
    }
}

fn value(board: &Board, seen: &mut HashMap<u64, i32>) -> i32 {
    let turn = board.turn();
    if turn.is_over() {
        return board.margin();
    }
    if let Some(&known) = seen.get(&board.key()) {
        return known;
    }
    let mut best = i32::MIN;
    board.moves(|m| {
        let next = board.after(m);
        // The margin of a finished position is told for the player whose turn it would be.
        best = best.max(-value(&next, seen));
    });
    seen.insert(board.key(), best);
    best
}

/// On 4x4 the second player wins by 3 discs to 11. Two squares stay empty: counted for the winner they
/// make the margin 10.
#[test]
fn the_value_of_the_smallest_board() {
    assert_eq!(value(&game("4,discs").start(), &mut HashMap::new()), -8);
    assert_eq!(value(&game("4").start(), &mut HashMap::new()), -10);
}

#[test]
fn passes_and_wipe_outs() {
    // The shortest way to be wiped out.
    let start = Othello::STANDARD.start();
    let (end, line) = start.read_line("e6f4e3f6g5d6e7f5c5").unwrap();
    assert_eq!((line.len(), end.turn(), end.payoff()), (9, Turn::Over, Payoff::zero_sum(64)));
    let (end, _) = game("discs").start().read_line("e6 f4 e3 f6 g5 d6 e7 f5 c5").unwrap();
    assert_eq!((end.payoff(), end.score_range()), (Payoff::zero_sum(13), (13, 13)));
    // Passes are met in play, and are the only move where they are.
    let (mut rng, mut passes) = (Rng::new(1), 0);
    for _ in 0..50 {
        let mut board = start;
        while let Some(m) = board.random_move(&mut rng) {
            if m == Square::PASS {
                passes += 1;
                assert_eq!(board.move_list(), [m]);
                assert_eq!(board.read_line("pass").unwrap().1, board.read_line("--").unwrap().1);
                assert_ne!(board.after(m).legal(), 0);
                assert_eq!(board.after(m).turn(), Turn::Player(board.mover().other()));
            }
            board.play(m);
        }
    }
    assert!(passes > 10, "{passes}");
}

#[test]
fn the_start_has_four_symmetries() {
    let start = Othello::STANDARD.start();
    let fixed = (0..8).filter(|&s| start.image(s).write() == start.write()).count();
    assert_eq!(fixed, 4);
    assert_eq!(start.write_line(&start.move_list()[..1]), ["d3"]);
}

#[test]
fn errors_name_the_place() {
    let start = Othello::STANDARD.start();
    let error = |text: &str| start.read_line(text).unwrap_err();
    assert_eq!((error("f5d6d6").at, error("f5d6d6").what.as_str()), (4, "d6 is taken"));
    assert_eq!(error("a1").what, "a1 turns no disc");
    assert_eq!(error("f5 i9").what, "'i9' is no square of this board");
    assert_eq!(error("pass").what, "a pass where there is a move");
    assert_eq!(error("--").expected, "one of d3 c4 f5 e6");
    assert_eq!(Othello::from_variant("6,7").unwrap_err().at, 2);
    let fault = |text: &str| game("4").read(text).unwrap_err();
    assert_eq!(fault("-----OX--XO---?- X").at, 14);
    assert_eq!(fault("-----OX--XO-----").what, "nobody is to move");
    assert_eq!(fault("-----OX--XO---").what, "14 of 16 squares");
    assert_eq!(fault("-----OX--XO----- -").at, 17);
    assert_eq!(fault("-----OX--XO----- XX").what, "there is more than a position");
    assert_eq!(fault("-----O---XO----- X").what, "a square in the middle is empty");
    assert_eq!(
        game("6").read("X-------------OX----XO-------------- X").unwrap_err().what,
        "some discs lie apart"
    );
    assert_eq!(game("4").read("-----ox..XO-----X;").unwrap().write(), game("4").start().write());
}
