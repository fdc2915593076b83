use super::*;
use crate::counts;
use endspiel_game::conform::conform;
use endspiel_game::{Notation, Payoff, Player, Position, Rng, Symmetric, Turn, perft};

const BOTH: [GiveAwayChess; 2] = [GiveAwayChess { en_passant: false }, GiveAwayChess { en_passant: true }];

#[test]
fn both_games_keep_their_promises() {
    for game in BOTH {
        conform(&game, 40, 120, 3);
    }
}

#[test]
fn published_counts() {
    for (variant, depth, count) in counts::read(include_str!("counts.txt")) {
        let game = GiveAwayChess::from_variant(variant).unwrap();
        assert_eq!(perft(&game.start(), depth), count, "{variant} depth {depth}");
    }
}

/// A second generator that shares nothing with the first: a list of signs, square by square. Gives the moves in
/// UCI form, sorted.
fn naive(fen: &str, en_passant: bool) -> Vec<String> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut board = [[' '; 8]; 8];
    for (row, line) in fields[0].split('/').enumerate() {
        let mut file = 0;
        for c in line.chars() {
            if let Some(gap) = c.to_digit(10) {
                file += gap as usize;
            } else {
                board[7 - row][file] = c;
                file += 1;
            }
        }
    }
    let white = fields[1] == "w";
    let mine = |c: char| c != ' ' && c.is_ascii_uppercase() == white;
    let on = |f: i32, r: i32| (0..8).contains(&f) && (0..8).contains(&r);
    let name = |f: i32, r: i32| format!("{}{}", (b'a' + f as u8) as char, r + 1);
    let (mut quiet, mut captures) = (Vec::new(), Vec::new());
    for r in 0..8i32 {
        for f in 0..8i32 {
            let piece = board[r as usize][f as usize];
            if !mine(piece) {
                continue;
            }
            let mut add = |f1: i32, r1: i32, captured: bool| {
                let list = if captured { &mut captures } else { &mut quiet };
                let plain = name(f, r) + &name(f1, r1);
                if piece.eq_ignore_ascii_case(&'p') && (r1 == 0 || r1 == 7) {
                    list.extend("qrbnk".chars().map(|p| format!("{plain}{p}")));
                } else {
                    list.push(plain);
                }
            };
            let all: Vec<(i32, i32)> =
                (-2..=2).flat_map(|x| (-2..=2).map(move |y| (x, y))).filter(|&d| d != (0, 0)).collect();
            let near = |d: &&(i32, i32)| d.0.abs() <= 1 && d.1.abs() <= 1;
            let (steps, reach): (Vec<(i32, i32)>, i32) = match piece.to_ascii_lowercase() {
                'n' => (all.iter().filter(|d| d.0.abs() + d.1.abs() == 3).copied().collect(), 1),
                'k' => (all.iter().filter(near).copied().collect(), 1),
                'q' => (all.iter().filter(near).copied().collect(), 7),
                'r' => (all.iter().filter(near).filter(|d| d.0 * d.1 == 0).copied().collect(), 7),
                'b' => (all.iter().filter(near).filter(|d| d.0 * d.1 != 0).copied().collect(), 7),
                _ => {
                    let up = if white { 1 } else { -1 };
                    let free = |r1: i32| on(f, r1) && board[r1 as usize][f as usize] == ' ';
                    if free(r + up) {
                        add(f, r + up, false);
                        if r == (if white { 1 } else { 6 }) && free(r + 2 * up) {
                            add(f, r + 2 * up, false);
                        }
                    }
                    for f1 in [f - 1, f + 1] {
                        if on(f1, r + up) {
                            let there = board[(r + up) as usize][f1 as usize];
                            let in_passing = en_passant && fields[3] == name(f1, r + up);
                            if in_passing || there != ' ' && !mine(there) {
                                add(f1, r + up, true);
                            }
                        }
                    }
                    continue;
                }
            };
            for (x, y) in steps {
                for n in 1..=reach {
                    let (f1, r1) = (f + n * x, r + n * y);
                    if !on(f1, r1) {
                        break;
                    }
                    let there = board[r1 as usize][f1 as usize];
                    if there == ' ' {
                        add(f1, r1, false);
                        continue;
                    }
                    if !mine(there) {
                        add(f1, r1, true);
                    }
                    break;
                }
            }
        }
    }
    let mut moves = if captures.is_empty() { quiet } else { captures };
    moves.sort();
    moves
}

#[test]
fn moves_agree_with_a_naive_generator() {
    for game in BOTH {
        let mut rng = Rng::new(11);
        let (mut positions, mut passed) = (0, 0);
        for _ in 0..150 {
            let mut board = game.start();
            for _ in 0..150 {
                let mut moves: Vec<String> = board.move_list().iter().map(|&m| board.write_move(m)).collect();
                moves.sort();
                assert_eq!(moves, naive(&board.write(), game.en_passant), "{}", board.write());
                assert_eq!(board.turn().is_over(), moves.is_empty(), "{}", board.write());
                positions += 1;
                passed += usize::from(board.passed_square().is_some());
                let Some(m) = board.random_move(&mut rng) else { break };
                board.play(m);
            }
        }
        assert!(positions > 5000, "{positions}");
        assert_eq!(passed > 0, game.en_passant);
    }
}

fn read(game: GiveAwayChess, fen: &str) -> Board {
    game.read(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

#[test]
fn who_cannot_move_wins() {
    let bare = read(BOTH[0], "8/8/8/8/8/8/8/k7 w - - 0 1");
    assert_eq!((bare.turn(), bare.payoff()), (Turn::Over, Payoff::win(Player::FIRST)));
    let blocked = read(BOTH[0], "8/8/8/8/8/p7/P7/8 w - - 0 1");
    assert_eq!((blocked.turn(), blocked.payoff()), (Turn::Over, Payoff::win(Player::FIRST)));
    let last = read(BOTH[0], "8/8/8/8/8/1p6/P7/8 w - - 0 1");
    assert_eq!(last.after(last.read_move("axb3").unwrap()).payoff(), Payoff::win(Player::SECOND));
}

#[test]
fn order_of_moves() {
    let order = |fen: &str| {
        let board = read(BOTH[1], fen);
        board.move_list().iter().map(|&m| board.write_move(m)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        order("8/8/8/8/8/8/1P6/R7 w - - 0 1"),
        "a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 a1a8 a1b1 a1c1 a1d1 a1e1 a1f1 a1g1 a1h1 b2b3 b2b4"
    );
    assert_eq!(order("8/p7/8/8/8/3N4/8/8 b - - 0 1"), "a7a6 a7a5");
    assert_eq!(order("8/8/2p5/1P1P4/8/8/8/8 b - - 0 1"), "c6b5 c6d5");
    assert_eq!(order("8/P7/8/8/8/8/8/8 w - - 0 1"), "a7a8q a7a8r a7a8b a7a8n a7a8k");
    assert_eq!(order("8/8/8/8/3N4/8/8/8 w - - 0 1"), "d4e6 d4f5 d4f3 d4e2 d4c2 d4b3 d4b5 d4c6");
    assert_eq!(order("8/8/8/8/3K4/8/8/8 w - - 0 1"), "d4d5 d4e5 d4e4 d4e3 d4d3 d4c3 d4c4 d4c5");
}

#[test]
fn en_passant_is_compulsory_in_antichess_alone() {
    let line = "e4 h6 e5 d5";
    let with = BOTH[1].start().read_line(line).unwrap().0;
    assert_eq!(with.write(), "rnbqkbnr/ppp1ppp1/7p/3pP3/8/8/PPPP1PPP/RNBQKBNR w - d6 0 1");
    let capture = with.read_move("exd6").unwrap();
    assert!(with.move_list().contains(&capture) && with.must_capture());
    assert_eq!(with.after(capture).write(), "rnbqkbnr/ppp1ppp1/3P3p/8/8/8/PPPP1PPP/RNBQKBNR b - - 0 1");
    let without = BOTH[0].start().read_line(line).unwrap().0;
    assert!(without.read_move("exd6").is_err());
    assert!(BOTH[0].read(&with.write()).is_err());
}

#[test]
fn keys_do_not_depend_on_the_way() {
    for game in BOTH {
        let a = game.start().read_line("Nf3 Nf6 Ng1 Ng8").unwrap().0;
        assert_eq!((a.key(), &a), (game.start().key(), &game.start()));
        assert_eq!(game.start().image(1).write(), "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1");
    }
}

#[test]
fn algebraic_moves_are_read() {
    let board = read(BOTH[0], "8/8/8/8/8/2N5/P7/N6N w - - 0 1");
    for (san, uci) in
        [("a4", "a2a4"), ("Nb3", "a1b3"), ("Nhg3", "h1g3"), ("Nc3-e4", "c3e4"), ("A2A3", "a2a3")]
    {
        assert_eq!(board.read_move(san).map(|m| board.write_move(m)), Ok(uci.into()), "{san}");
    }
    let two = read(BOTH[0], "8/8/8/8/8/8/8/N3N3 w - - 0 1");
    assert!(two.read_move("Nc2").unwrap_err().what.contains("ambiguous"));
    assert_eq!(two.read_move("Nac2").map(|m| m.from), Ok(0));
    assert_eq!(two.read_move("N1c2").unwrap_err().what, "'N1c2' is ambiguous");
    let promotion = read(BOTH[0], "1r6/P7/8/8/8/8/8/8 w - - 0 1");
    assert!(promotion.read_move("axb8").is_err(), "the piece is missing");
    assert_eq!(promotion.read_move("axb8=K+").map(|m| m.promotion), Ok(Some(Kind::King)));
    assert_eq!(promotion.read_move("a7b8N").map(|m| m.promotion), Ok(Some(Kind::Knight)));
    assert!(promotion.read_move("a8=Q").unwrap_err().expected.contains("compulsory"));
}

#[test]
fn errors_say_where() {
    let at = |fen: &str| BOTH[1].read(fen).unwrap_err().at;
    assert_eq!(at(""), 0);
    assert_eq!(at("8/8/8/8/8/8/8/8"), 15);
    assert_eq!(at("8/8/8/8/8/8/8/9 w - -"), 14);
    assert_eq!(at("8/8/8/8/8/8/8/P7 w - -"), 14);
    assert_eq!(at("8/8/8/8/7/8/8/8 w - -"), 9);
    assert_eq!(at("8/8/8/8/8/8/8/8/8 w - -"), 15);
    assert_eq!(at("8/8/8/8/8/8/8/8 x - -"), 16);
    assert_eq!(at("8/8/8/8/8/8/8/8 w KQkq -"), 18);
    assert_eq!(at("8/8/8/8/8/8/8/8 w - e6"), 20);
    assert_eq!(at("8/8/8/8/8/8/8/8 w - - x"), 22);
    assert_eq!(at("8/8/8/8/8/8/8/8 w - - 0 1 2"), 26);
    assert_eq!(at("QQQQQQQQ/QQQQQQQQ/Q7/8/8/8/8/8 w - -"), 18);
    assert!(GiveAwayChess::from_variant("atomic").is_err());
}

#[test]
fn what_records_write_is_read_back() {
    let mut rng = Rng::new(3);
    for _ in 0..20 {
        let mut board = GiveAwayChess { en_passant: true }.start();
        while let Some(m) = board.random_move(&mut rng) {
            for m in board.move_list() {
                let san = board.write_recorded(m);
                assert_eq!(board.read_move(&san), Ok(m), "{san} in {}", board.write());
            }
            board.play(m);
        }
    }
}
