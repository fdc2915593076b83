use super::board::is_connected;
use super::*;
use crate::counts;
use endspiel_game::conform::conform;
use endspiel_game::{Notation, Payoff, Player, Position, Rng, Symmetric, Turn, perft};

fn game(variant: &str) -> LinesOfAction {
    LinesOfAction::from_variant(variant).unwrap()
}

#[test]
fn every_size_keeps_its_promises() {
    for variant in ["", "7", "6,mover-wins", "5", "4", "mover-wins"] {
        assert_eq!(game(variant).variant(), variant);
        conform(&game(variant), 5, 80, 1);
    }
}

#[test]
fn published_counts() {
    for (variant, depth, count) in counts::read(include_str!("counts.txt")) {
        assert_eq!(perft(&game(variant).start(), depth), count, "{variant} depth {depth}");
    }
}

/// The rules word by word on rows of signs; moves as text without `-` and `x`, sorted.
fn naive(text: &str) -> Vec<String> {
    let (rows, mover) = text.split_once(' ').unwrap();
    let board: Vec<Vec<char>> = rows.split('/').rev().map(|row| row.chars().collect()).collect();
    let n = board.len() as i32;
    let at = |c: i32, r: i32| {
        if (0..n).contains(&c) && (0..n).contains(&r) { board[r as usize][c as usize] } else { '#' }
    };
    let own = mover.chars().next().unwrap();
    let mut moves = Vec::new();
    for r in 0..n {
        for c in 0..n {
            if at(c, r) != own {
                continue;
            }
            for (x, y) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
                let stones = (-n..=n).filter(|k| "xo".contains(at(c + k * x, r + k * y))).count() as i32;
                let jumps = (1..stones).any(|k| ![own, '.'].contains(&at(c + k * x, r + k * y)));
                let (c1, r1) = (c + stones * x, r + stones * y);
                if !jumps && at(c1, r1) != '#' && at(c1, r1) != own {
                    let letter = |c: i32| (b'a' + c as u8) as char;
                    moves.push(format!("{}{}{}{}", letter(c), r + 1, letter(c1), r1 + 1));
                }
            }
        }
    }
    if moves.is_empty() {
        moves.push("pass".into());
    }
    moves.sort();
    moves
}

/// Groups counted by walking from stone to stone.
fn naive_connected(stones: u64, n: usize) -> bool {
    let cells: Vec<usize> = (0..n * n).filter(|&c| stones >> c & 1 != 0).collect();
    let mut reached = vec![cells[0]];
    let mut i = 0;
    while i < reached.len() {
        let (x, y) = (reached[i] % n, reached[i] / n);
        for &c in &cells {
            if x.abs_diff(c % n) <= 1 && y.abs_diff(c / n) <= 1 && !reached.contains(&c) {
                reached.push(c);
            }
        }
        i += 1;
    }
    reached.len() == cells.len()
}

fn check(board: &Board) {
    let (text, n) = (board.write(), usize::from(board.grid().width));
    let connected = [Player::FIRST, Player::SECOND].map(|p| naive_connected(board.stones(p), n));
    assert_eq!(board.turn().is_over(), connected != [false, false], "{text}");
    if !board.turn().is_over() {
        let list = board.move_list();
        let mut names: Vec<String> =
            list.iter().map(|&m| board.write_move(m).replace(['-', 'x'], "")).collect();
        names.sort();
        assert_eq!(names, naive(&text), "{text}");
    }
}

#[test]
fn moves_and_groups_agree_with_naive_ones() {
    let mut rng = Rng::new(2);
    for variant in ["", "7", "6", "5", "4"] {
        for _ in 0..30 {
            let mut board = game(variant).start();
            for _ in 0..100 {
                check(&board);
                let Some(m) = board.random_move(&mut rng) else { break };
                board.play(m);
            }
        }
    }
    // Passes are too rare in random games: set up random boards, too.
    let mut passes = 0;
    for _ in 0..20_000 {
        let mut board = Board::empty(4, false);
        for square in 0..16 {
            let colour = rng.below(4);
            if colour < 2 {
                board.put(square, colour);
            }
        }
        if [Player::FIRST, Player::SECOND].iter().all(|&p| board.stones(p) != 0) {
            board.settle();
            check(&board);
            passes += usize::from(board.move_list() == [Move::PASS]);
        }
    }
    assert!(passes > 0);
    for n in 4..=8 {
        for _ in 0..20_000 {
            let all = if n == 8 { u64::MAX } else { (1 << (n * n)) - 1 };
            let stones = rng.bits() & all & if rng.below(2) == 0 { rng.bits() } else { u64::MAX };
            if stones != 0 {
                assert_eq!(is_connected(stones, n), naive_connected(stones, n), "{n} {stones:x}");
            }
        }
    }
}

#[test]
fn random_moves_are_even() {
    let board = game("").start();
    let moves = board.move_list();
    let (mut rng, mut seen) = (Rng::new(4), vec![0; moves.len()]);
    for _ in 0..36_000 {
        let m = board.random_move(&mut rng).unwrap();
        seen[moves.iter().position(|&other| other == m).unwrap()] += 1;
    }
    assert!(seen.iter().all(|n| (850..1150).contains(n)), "{seen:?}");
}

#[test]
fn ends_of_the_game() {
    let after =
        |variant: &str, text: &str, m: &str| game(variant).read(text).unwrap().read_line(m).unwrap().0;
    let both = "oo../..../.x.o/...x x";
    for (variant, payoff) in [("4", Payoff::DRAW), ("4,mover-wins", Payoff::win(Player::FIRST))] {
        let end = after(variant, both, "b2xd2");
        assert_eq!((end.turn(), end.payoff()), (Turn::Over, payoff), "{variant}");
        assert_eq!(game(variant).read(&end.write()).unwrap().payoff(), payoff, "{variant}");
    }
    let gift = after("4", "oo.x/..../.x.o/.... x", "b2xd2");
    assert_eq!(
        (gift.turn(), gift.payoff()),
        (Turn::Over, Payoff::win(Player::SECOND)),
        "connects the enemy alone"
    );
    let single = game("4").read("x..o/..../..../...x o").unwrap();
    assert_eq!(single.payoff(), Payoff::win(Player::SECOND), "one stone is a group");
}

#[test]
fn texts_and_errors() {
    let start = game("").start();
    assert_eq!(start.write(), ".xxxxxx./o......o/o......o/o......o/o......o/o......o/o......o/.xxxxxx. x");
    for name in ["b1-b3", "B1B3", "b1xb3"] {
        assert_eq!(start.read_move(name), Ok(Move { from: 1, to: 17 }), "{name}");
    }
    assert!(start.read_move("b1-b4").is_err());
    let at = |text: &str| LinesOfAction::from_variant(text).unwrap_err().at;
    assert_eq!((at("9"), at("6,loser"), at("6,")), (0, 2, 2));
    assert!(game("4").read("..../..../..../.... x").is_err());
    assert_eq!(game("6x6").variant(), "6");
    assert_eq!(start.canonical().0.canonical_key(), start.image(3).canonical_key());
}
