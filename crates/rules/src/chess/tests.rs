use super::*;
use endspiel_game::conform::conform;
use endspiel_game::{Notation, Payoff, Player, Position, Rng, Symmetric, Turn, perft};

fn read(fen: &str) -> Board {
    Chess.read(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

#[test]
fn it_keeps_its_promises() {
    conform(&Chess, 15, 120, 5);
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

/// Symmetries of endings, where there are up to eight of them.
#[test]
fn endings_have_symmetries() {
    for (fen, symmetries) in [
        ("8/8/4k3/8/2R5/8/1K3n2/8 w - - 0 1", 8),
        ("8/2p5/4k3/8/2R5/8/1K3P2/8 b - - 0 1", 2),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1),
    ] {
        let board = read(fen);
        assert_eq!(board.symmetries(), symmetries, "{fen}");
        let mut rng = Rng::new(1);
        let mut at = board;
        for _ in 0..40 {
            for s in 0..at.symmetries() {
                let image = at.image(s);
                assert_eq!(image.canonical_key(), at.canonical_key(), "{}", at.write());
                let mut moves: Vec<Move> = at.move_list().iter().map(|&m| at.image_move(m, s)).collect();
                moves.sort_unstable();
                let mut there = image.move_list();
                there.sort_unstable();
                assert_eq!(moves, there, "{}", at.write());
            }
            let Some(m) = at.random_move(&mut rng) else { break };
            at.play(m);
        }
    }
}

#[test]
fn games_end_by_mate_stalemate_and_lack_of_material() {
    let end = |fen: &str| {
        let board = read(fen);
        (board.turn(), board.payoff())
    };
    let white = Payoff::win(Player::FIRST);
    assert_eq!(end("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), (Turn::Over, white));
    assert_eq!(end("7k/5Q2/8/6K1/8/8/8/8 b - - 0 1"), (Turn::Over, Payoff::DRAW));
    assert_eq!(end("8/8/8/8/8/5k2/8/5K1b w - - 0 1"), (Turn::Over, Payoff::DRAW));
    let open = read("8/8/8/5k2/8/6b1/8/5K1B w - - 0 1");
    assert_eq!(open.turn(), Turn::Player(Player::FIRST), "two bishops can still mate in a corner");
    let (mated, _) = Chess.start().read_line("f3 e5 g4 Qh4#").unwrap();
    assert_eq!((mated.turn(), mated.payoff()), (Turn::Over, Payoff::win(Player::SECOND)));
}

#[test]
fn castling_and_en_passant() {
    let (board, _) = Chess.start().read_line("e4 e5 Nf3 Nc6 Bb5 a6 O-O").unwrap();
    assert_eq!(board.write(), "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 0 1");
    let (board, _) = Chess.start().read_line("e4 h6 e5 d5").unwrap();
    assert_eq!(board.write(), "rnbqkbnr/ppp1ppp1/7p/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 1");
    let taken = board.after(board.read_move("exd6").unwrap());
    assert_eq!(taken.write(), "rnbqkbnr/ppp1ppp1/3P3p/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    // Both pawns would leave the rank of the king: the capture is illegal and the square forgotten.
    assert_eq!(read("8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1").write(), "8/8/8/8/k2Pp2R/8/8/4K3 b - - 0 1");
}

#[test]
fn errors_say_where() {
    let at = |fen: &str| Chess.read(fen).unwrap_err().at;
    assert_eq!(at("8/8/8/8/8/8/8/8 w - -"), 0);
    assert_eq!(at("8/8/8/8/8/8/8/kK6 w - -"), 18);
    assert_eq!(at("k7/8/8/8/8/8/8/R3K3 w - -"), 20);
    assert_eq!(at("7k/8/8/8/8/8/8/R3K3 w Qx -"), 23);
    assert_eq!(at("7k/8/8/8/8/8/8/R3K3 w K -"), 22);
    assert_eq!(at("7k/8/8/8/8/8/8/R3K3 w - e6"), 24);
    assert!(Chess::from_variant("960").is_err());
}

/// Moves as records write them: told apart by file, rank or both, with castling, promotion, check and mate.
#[test]
fn records_are_written_in_san() {
    for (fen, uci, san) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"),
        ("4k3/8/8/R7/8/8/4K3/R7 w - - 0 1", "a5a3", "R5a3"),
        ("1k6/8/8/8/Q6Q/8/4K3/7Q w - - 0 1", "h4e4", "Qh4e4"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
        ("3r2k1/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7d8q", "cxd8=Q+"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
    ] {
        let board = read(fen);
        let m = board.read_move(uci).unwrap_or_else(|e| panic!("{fen} {uci}: {e}"));
        assert_eq!(board.write_recorded(m), san, "{fen}");
    }
    let mut rng = Rng::new(7);
    for _ in 0..20 {
        let mut board = Chess.start();
        for _ in 0..80 {
            for m in board.move_list() {
                let san = board.write_recorded(m);
                assert_eq!(board.read_move(&san), Ok(m), "{san} in {}", board.write());
            }
            let Some(m) = board.random_move(&mut rng) else { break };
            board.play(m);
        }
    }
}
