use super::*;
use endspiel_game::conform::conform;
use endspiel_game::picture::Shape;
use endspiel_game::{Notation, Payoff, Picture, Player, Position, Rng, Turn, perft};

fn read(fen: &str) -> Board {
    Xiangqi.read(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

#[test]
fn it_keeps_its_promises() {
    conform(&Xiangqi, 10, 120, 5);
}

#[test]
fn published_counts() {
    for line in include_str!("counts.txt").lines().filter(|line| !line.starts_with('#')) {
        let (fen, counts) = line.split_once(';').expect("a position and counts");
        let board = read(fen);
        for (depth, count) in (1..).zip(counts.split_whitespace()) {
            assert_eq!(perft(&board, depth).to_string(), count, "{fen} depth {depth}");
        }
    }
}

#[test]
fn games_end_by_mate_stalemate_and_lack_of_attackers() {
    let end = |fen: &str| {
        let board = read(fen);
        (board.turn(), board.payoff())
    };
    let red = Payoff::win(Player::FIRST);
    assert_eq!(end("3k5/9/9/9/9/3R5/9/9/9/4K4 b"), (Turn::Over, red));
    assert_eq!(end("3k5/9/4P4/9/9/9/9/9/9/4K4 b"), (Turn::Player(Player::SECOND), red));
    assert_eq!(end("3k5/4P4/9/9/9/9/9/9/9/4K4 b"), (Turn::Over, red), "no move and no check");
    assert_eq!(end("3k2b2/9/4b4/9/9/9/9/9/9/4KA3 w"), (Turn::Over, Payoff::DRAW));
}

/// Taking a move back leads to the positions from which it can be made, and to no other.
#[test]
fn moves_are_taken_back() {
    let mut rng = Rng::new(4);
    for fen in ["2bakab2/9/9/9/9/9/2N1P4/1C2B4/4A4/3AK1BR1 w", "4k4/4a4/2P1b4/9/9/9/9/9/4p4/3KCc1rN w"] {
        let mut at = read(fen);
        for _ in 0..200 {
            let mut before = Vec::new();
            at.before_moves(&mut |board| before.push(board));
            for board in &before {
                assert!(
                    board.move_list().iter().any(|&m| board.after(m) == at),
                    "{} to {}",
                    board.write(),
                    at.write()
                );
            }
            let Some(m) = at.random_move(&mut rng) else { break };
            let next = at.after(m);
            if at.at(m.to).is_none() {
                let mut found = false;
                next.before_moves(&mut |board| found |= board == at);
                assert!(found, "{} from {}", next.write(), at.write());
            }
            assert_eq!(next.swapped().swapped(), next);
            assert_eq!(next.swapped().count_moves(), next.count_moves());
            at = next;
        }
    }
}

#[test]
fn moves_are_read_in_three_notations() {
    let start = Xiangqi.start();
    for (text, points) in [
        ("H2-E2", "h2e2"),
        ("C2=5", "h2e2"),
        ("c2.5", "h2e2"),
        ("N2+3", "h0g2"),
        ("h8+7", "b0c2"),
        ("E3+5", "g0e2"),
        ("A4+5", "f0e1"),
        ("P5+1", "e3e4"),
        ("R9+2", "a0a2"),
    ] {
        let m = start.read_move(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(start.write_move(m), points, "{text}");
    }
    // Black counts from the own right; of two cannons on a file the one farther on is the front one.
    let board = read("4k4/9/9/9/1c7/9/1c7/9/9/3K5 b");
    for (text, points) in [("C+=5", "b3e3"), ("-C=5", "b5e5"), ("C--1", "b5b6"), ("C++2", "b3b1")] {
        let m = board.read_move(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(board.write_move(m), points, "{text}");
    }
    assert!(start.read_move("C2=2").is_err());
}

#[test]
fn errors_say_where() {
    let at = |fen: &str| Xiangqi.read(fen).unwrap_err().at;
    assert_eq!(at("4k4/9/9/9/9/9/9/9/9/9 w"), 0);
    assert_eq!(at("4k4/9/9/9/9/9/9/9/9/4K4 w"), 24);
    assert_eq!(at("4k4/9/9/9/9/9/9/9/9/3K5 x"), 24);
    assert_eq!(at("4k4/9/9/9/9/9/9/9/9/2K6 w"), 21);
    assert_eq!(at("4k4/9/9/9/9/9/9/9/1P7/3K5 w"), 19);
    assert_eq!(at("4k4/9/9/9/9/9/9/9/3K5 w"), 21);
    assert_eq!(at("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 9"), 34);
    assert_eq!(at("4k3R/9/9/9/9/9/9/9/9/3K5 w"), 25);
    assert!(Xiangqi::from_variant("blind").is_err());
}

#[test]
fn the_picture_needs_no_special_font() {
    let scene = Board::start().scene();
    let words = scene.shapes.iter().filter_map(|shape| match shape {
        Shape::Word(_, _, _, word, _) => Some(word.as_str()),
        _ => None,
    });
    assert!(words.clone().all(str::is_ascii) && words.clone().any(|word| word == "C"));
    let standing = |name: &str| scene.places.iter().find(|p| p.name == name).and_then(|p| scene.standing(p));
    assert_eq!(["e0", "b7", "e4"].map(standing), [Some("red king"), Some("black cannon"), None]);
}
