use super::*;
use crate::counts;
use endspiel_game::conform::conform;
use endspiel_game::{Notation, Payoff, Player, Position, Rng, Symmetric, Turn, TwoPlayer, perft};
use std::collections::HashMap;

fn game(variant: &str) -> Amazons {
    Amazons::from_variant(variant).unwrap()
}

#[test]
fn every_board_keeps_its_promises() {
    for (variant, games) in [("4", 20), ("5", 5), ("5x6", 3), ("6", 2), ("7x4", 5)] {
        assert_eq!(game(variant).variant(), variant);
        conform(&game(variant), games, 40, 1);
    }
    // On the large board the openings have too many moves to check them all: check the ends of games.
    conform(&game(""), 0, 0, 1);
}

#[test]
fn set_ups() {
    for (variant, text) in [
        ("4", ".bb./b..b/w..w/.ww. w"),
        ("6x5", ".b..b./b....b/....../w....w/.w..w. w"),
        ("8", "..b..b../......../b......b/......../......../w......w/......../..w..w.. w"),
        (
            "",
            "...b..b.../........../........../b........b/........../........../w........w/........../........../...w..w... w",
        ),
    ] {
        assert_eq!(game(variant).start().write(), text);
    }
}

#[test]
fn published_counts() {
    for (variant, depth, count) in counts::read(include_str!("counts.txt")) {
        assert_eq!(perft(&game(variant).start(), depth), count, "{variant} depth {depth}");
    }
}

/// The rules word by word on rows of signs; moves sorted.
fn naive(text: &str) -> Vec<String> {
    const STEPS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
    let (rows, mover) = text.split_once(' ').unwrap();
    let mut board: Vec<Vec<char>> = rows.split('/').rev().map(|row| row.chars().collect()).collect();
    let reach = |board: &[Vec<char>], from: (i32, i32)| {
        let at = |c: i32, r: i32| board.get(r as usize).and_then(|row| row.get(c as usize)).copied();
        let mut found = Vec::new();
        for (x, y) in STEPS {
            let (mut c, mut r) = (from.0 + x, from.1 + y);
            while c >= 0 && r >= 0 && at(c, r) == Some('.') {
                found.push((c, r));
                (c, r) = (c + x, r + y);
            }
        }
        found
    };
    let name = |(c, r): (i32, i32)| format!("{}{}", (b'a' + c as u8) as char, r + 1);
    let mut moves = Vec::new();
    let all = (0..board.len() as i32)
        .flat_map(|r| (0..board[0].len() as i32).map(move |c| (c, r)))
        .collect::<Vec<_>>();
    for &from in &all {
        if board[from.1 as usize][from.0 as usize] != mover.chars().next().unwrap() {
            continue;
        }
        for to in reach(&board, from) {
            board[from.1 as usize][from.0 as usize] = '.';
            moves.extend(
                reach(&board, to).into_iter().map(|a| format!("{}-{}/{}", name(from), name(to), name(a))),
            );
            board[from.1 as usize][from.0 as usize] = mover.chars().next().unwrap();
        }
    }
    moves.sort();
    moves
}

#[test]
fn moves_agree_with_a_naive_generator() {
    let mut rng = Rng::new(6);
    for (variant, games) in [("", 2), ("8", 3), ("9x4", 3), ("5", 10), ("4x7", 10)] {
        for _ in 0..games {
            let mut board = game(variant).start();
            loop {
                let list = board.move_list();
                let mut moves: Vec<String> = list.iter().map(|&m| board.write_move(m)).collect();
                moves.sort();
                assert_eq!(moves, naive(&board.write()), "{}", board.write());
                assert_eq!((board.count_moves(), board.turn().is_over()), (moves.len(), moves.is_empty()));
                for &m in list.iter().step_by(50) {
                    assert_eq!(board.read_move(&board.write_move(m)), Ok(m));
                }
                let back = game(variant).read(&board.write()).unwrap();
                assert_eq!((back.key(), &back), (board.key(), &board));
                for s in 0..board.symmetries() {
                    assert_eq!(board.image(s).canonical_key(), board.canonical_key());
                }
                let Some(m) = board.random_move(&mut rng) else { break };
                board.play(m);
            }
        }
    }
}

#[test]
fn random_moves_are_even() {
    let board = game("4").start();
    let moves = board.move_list();
    let (mut rng, mut seen) = (Rng::new(4), HashMap::new());
    for _ in 0..1000 * moves.len() {
        *seen.entry(board.random_move(&mut rng).unwrap()).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), moves.len());
    assert!(seen.values().all(|n| (850..1150).contains(n)), "{seen:?}");
}

#[test]
fn playouts_end_by_the_rules() {
    let mut rng = Rng::new(8);
    let mut wins = 0;
    for _ in 0..200 {
        let mut board = game("").start();
        let payoff = board.playout(&mut rng, usize::MAX);
        assert!(board.turn().is_over() && board.move_list().is_empty());
        assert_eq!(payoff, Payoff::win(board.side().other()));
        wins += usize::from(payoff == Payoff::win(Player::FIRST));
        let mut cut = game("").start();
        assert_eq!(cut.playout(&mut rng, 5), Payoff::DRAW);
        assert_eq!(cut.arrows().count_ones(), 5);
    }
    assert!((60..140).contains(&wins), "{wins}");
}

/// Does the player to move win? A depth-first search over positions up to symmetry.
fn wins(board: &Board, known: &mut HashMap<u64, bool>) -> bool {
    let key = board.canonical_key();
    if let Some(&known) = known.get(&key) {
        return known;
    }
    let won = board.move_list().into_iter().any(|m| {
        let next = board.after(m);
        !next.can_move(next.side()) || !wins(&next, known)
    });
    known.insert(key, won);
    won
}

#[test]
fn the_second_player_wins_on_4x4() {
    assert!(!wins(&game("4").start(), &mut HashMap::new()));
}

#[test]
fn ends_of_the_game() {
    let stuck = game("4").read("w#../##../..../...b w").unwrap();
    assert_eq!(
        (stuck.turn(), stuck.payoff(), stuck.mover()),
        (Turn::Over, Payoff::win(Player::SECOND), Player::FIRST)
    );
    let back = game("4").read("w.../##../..../...b w").unwrap();
    assert_eq!(
        back.after(back.read_move("a4-b4/a4").unwrap()).write(),
        "#w../##../..../...b b",
        "shoots where it was"
    );
}

#[test]
fn texts_and_errors() {
    let start = game("").start();
    for name in ["d1-d4/d7", "D1-D4xD7", "d1-d4(d7)", "d1d4d7"] {
        assert_eq!(start.read_move(name), Ok(Move { from: 3, to: 33, arrow: 63 }), "{name}");
    }
    let at = |name: &str| start.read_move(name).unwrap_err().at;
    assert_eq!(
        (at("d1-d4"), at("e1-d4/d7"), at("d1-e3/d7"), at("d1-d4/c7"), at("d1-k4/d7")),
        (0, 0, 3, 6, 3)
    );
    let at = |variant: &str| Amazons::from_variant(variant).unwrap_err().at;
    assert_eq!((at("3"), at("11"), at("5x"), at("5x99"), at("ten")), (0, 0, 2, 2, 0));
    let at = |text: &str| game("4").read(text).unwrap_err().at;
    assert_eq!(at("..../..../..../...."), 19);
    assert_eq!(at("..../..../..../..... w"), 19);
    assert_eq!(at("..../.../..../.... w"), 8);
    assert_eq!(at("..../..../..../.... x"), 20);
    assert_eq!(at("..../.y../..../.... w"), 6);
    assert_eq!(at("..../..../..../..../ w"), 19);
    assert_eq!(at("..../.... w"), 9);
}
