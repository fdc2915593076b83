use super::*;
use endspiel_game::conform::conform;
use endspiel_game::picture::Shape as Drawn;
use endspiel_game::{Notation, Payoff, Picture, Player, Position, Rng, Turn, perft};

const LARGE: Shogi = Shogi { shape: Shape::Standard };
const SMALL: Shogi = Shogi { shape: Shape::Mini };

/// Reads a position of the board that it has room on.
fn read(sfen: &str) -> Board {
    let game = if sfen.matches('/').count() == 4 { SMALL } else { LARGE };
    game.read(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"))
}

fn names(board: &Board) -> Vec<String> {
    board.move_list().into_iter().map(|m| board.write_move(m)).collect()
}

#[test]
fn it_keeps_its_promises() {
    conform(&LARGE, 5, 120, 5);
    conform(&SMALL, 10, 120, 6);
}

#[test]
fn published_counts() {
    for line in include_str!("counts.txt").lines().filter(|line| !line.starts_with('#')) {
        let (sfen, counts) = line.split_once(';').expect("a position and counts");
        let board = read(sfen);
        for (depth, count) in (1..).zip(counts.split_whitespace()).filter(|(_, count)| *count != "-") {
            assert_eq!(perft(&board, depth).to_string(), count, "{sfen} depth {depth}");
        }
    }
}

#[test]
fn who_cannot_move_has_lost() {
    let end = |sfen: &str| {
        let board = read(sfen);
        (board.turn(), board.payoff())
    };
    let sente = Payoff::win(Player::FIRST);
    assert_eq!(end("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), (Turn::Over, sente));
    assert_eq!(end("8k/9/7GK/9/9/9/9/9/9 w - 1").0, Turn::Player(Player::SECOND));
    assert_eq!(end("8k/6G2/8K/9/9/9/9/9/9 w - 1"), (Turn::Over, sente), "no move and no check");
    assert_eq!(end("r1s1k/2b1g/5/r1G1B/KPS2 b p"), (Turn::Over, Payoff::win(Player::SECOND)));
}

#[test]
fn pawns_have_rules_of_their_own() {
    // No second pawn on a file, promoted ones not counted; none on the last rank.
    let board = read("k8/9/9/9/2P6/3+P5/9/9/K8 b P 1");
    let drops: Vec<_> = names(&board).into_iter().filter(|m| m.starts_with("P*")).collect();
    assert!(
        drops.contains(&"P*6e".into()) && !drops.iter().any(|m| m.starts_with("P*7") || m.ends_with('a'))
    );
    // A pawn that mates may step, and may not be dropped; one that can be taken may be dropped.
    assert!(!names(&read("7lk/9/7GK/9/9/9/9/9/9 b P 1")).contains(&"P*1b".into()));
    assert!(names(&read("7lk/9/6G2/9/9/9/9/9/K8 b P 1")).contains(&"P*1b".into()));
    assert!(names(&read("7gk/9/7GK/9/9/9/9/9/9 b P 1")).contains(&"P*1b".into()));
    assert!(names(&read("7lk/9/7GP/9/9/9/9/9/K8 b - 1")).contains(&"1c1b+".into()));
}

#[test]
fn promotion_is_a_choice_unless_the_piece_would_be_stuck() {
    let from = |sfen: &str, from: &str| {
        names(&read(sfen)).into_iter().filter(|m| m.starts_with(from)).collect::<Vec<_>>()
    };
    assert_eq!(from("k8/9/4P4/9/9/9/9/9/K8 b - 1", "5c"), ["5c5b+", "5c5b"]);
    assert_eq!(from("k8/4P4/9/9/9/9/9/9/K8 b - 1", "5b"), ["5b5a+"]);
    assert_eq!(from("k8/9/9/4N4/9/9/9/9/K8 b - 1", "5d"), ["5d4b+", "5d6b+"]);
    assert_eq!(from("k8/9/9/9/4N4/9/9/9/K8 b - 1", "5e"), ["5e4c+", "5e4c", "5e6c+", "5e6c"]);
    assert_eq!(from("k8/9/4S4/9/9/9/9/9/K8 b - 1", "5c4d"), ["5c4d+", "5c4d"], "on the way out, too");
    assert_eq!(from("k4/5/4P/5/K4 b - 1", "1c"), ["1c1b"]);
    assert_eq!(from("k4/4P/5/5/K4 b - 1", "1b"), ["1b1a+"]);
}

#[test]
fn captured_pieces_change_sides_and_forget_promotion() {
    let board = read("4k4/9/9/9/4+r4/4K4/9/9/9 b - 1");
    let m = board.read_move("5f5e").unwrap();
    assert_eq!(board.after(m).write(), "4k4/9/9/9/4K4/9/9/9/9 w R 1");
    assert_eq!(
        LARGE.start().read_line("7g7f 3c3d 8h2b+ 3a2b B*4e").unwrap().0.hand(Player::SECOND, Kind::Bishop),
        1
    );
}

#[test]
fn errors_say_where() {
    let at = |sfen: &str| LARGE.read(sfen).unwrap_err().at;
    assert_eq!(at("4k4/9/9/9/9/9/9/9/9 b - 1"), 0);
    assert_eq!(at("4k4/9/9/9/9/9/9/9/4K4 x - 1"), 22);
    assert_eq!(at("4k4/9/9/9/9/9/9/4K4 b - 1"), 19);
    assert_eq!(at("4k4/9/9/9/4+G4/9/9/9/4K4 b - 1"), 12);
    assert_eq!(at("P3k4/9/9/9/9/9/9/9/4K4 b - 1"), 0);
    assert_eq!(at("4k4/9/P8/P8/9/9/9/9/4K4 b - 1"), 9);
    assert_eq!(at("4k4/9/9/9/9/9/9/9/4K4 b 3R 1"), 25);
    assert_eq!(at("4k4/9/9/9/9/9/9/9/4K4 b 2 1"), 25);
    assert_eq!(at("4k4/9/9/9/9/9/9/9/4K4 b K 1"), 24);
    assert_eq!(at("4k4/9/9/9/9/9/9/9/4K4 b - 1 1"), 28);
    assert_eq!(at("4k4/4R4/9/9/9/9/9/9/4K4 b - 1"), 24);
    assert!(SMALL.read("4k/5/5/5/K4 b L 1").is_err());
    assert!(Shogi::from_variant("maxi").is_err());
}

#[test]
fn the_picture_needs_no_special_font_and_hands_are_places() {
    let board = read("4k4/9/4+P4/9/9/9/9/9/4K4 b GPp 1");
    let scene = board.scene();
    let words = scene.shapes.iter().filter_map(|shape| match shape {
        Drawn::Word(_, _, _, word, _) => Some(word.as_str()),
        _ => None,
    });
    assert!(words.clone().all(str::is_ascii) && words.clone().any(|word| word == "+P"));
    let standing = |name: &str| scene.places.iter().find(|p| p.name == name).and_then(|p| scene.standing(p));
    assert_eq!(
        ["5a", "5c", "5e", "G*"].map(standing),
        [Some("gote king"), Some("sente tokin"), None, Some("1 gold in sente's hand")]
    );
    for m in names(&board) {
        let path = &scene.paths(&[&m])[0];
        let way: Vec<_> = path.iter().map(|&i| scene.places[i].name.as_str()).collect();
        assert_eq!(way, [&m[..2], &m[2..4]], "{m}");
    }
    assert!(board.text().contains("+P") && board.text().contains("Sente's hand: GP"));
}

/// Taking a move back leads to the positions from which it can be made, and to no other.
#[test]
fn moves_are_taken_back() {
    let mut rng = Rng::new(4);
    for sfen in [
        "4k4/9/9/9/9/9/9/9/4K4 b RNLPbgsp 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "rbsgk/4p/5/P4/KGSBR b - 1",
        "4k/5/2K2/5/5 b 2P 1",
    ] {
        let mut at = read(sfen);
        for _ in 0..150 {
            let mut before = Vec::new();
            at.before_moves(&mut |board| before.push(board));
            for board in &before {
                let sfen = board.write();
                assert_eq!(read(&sfen), *board, "{sfen}");
                assert!(board.move_list().iter().any(|&m| board.after(m) == at), "{sfen} to {}", at.write());
            }
            let Some(m) = at.random_move(&mut rng) else { break };
            let next = at.after(m);
            let mut found = false;
            next.before_moves(&mut |board| found |= board == at);
            assert!(found, "{} from {}", next.write(), at.write());
            assert_eq!(next.swapped().swapped(), next);
            assert_eq!(next.swapped().count_moves(), next.count_moves());
            at = next;
        }
    }
    // A pawn that mates was not dropped.
    let mut before = 0;
    read("7nk/8P/7K1/9/9/9/9/9/9 w - 1").before_moves(&mut |board| {
        assert_eq!(board.hand(Player::FIRST, Kind::Pawn), 0);
        before += 1;
    });
    assert!(before > 0);
}
