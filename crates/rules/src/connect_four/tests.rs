use super::{Board, ConnectFour, bits};
use crate::counts;
use endspiel_game::conform::conform;
use endspiel_game::{Game, Notation, Payoff, Player, Position, Rng, Symmetric, Turn, TwoPlayer, perft};
use std::collections::HashSet;

fn game(variant: &str) -> ConnectFour {
    ConnectFour::from_variant(variant).unwrap()
}

fn line(variant: &str, moves: &str) -> Board {
    game(variant).start().read_line(moves).unwrap().0
}

#[test]
fn keeps_the_promises_of_a_game() {
    for variant in [
        "",
        "1x1",
        "1x63",
        "2x31",
        "3x20",
        "4x4",
        "8x7",
        "9x6",
        "12x4",
        "16x3",
        "32x1",
        "fastest",
        "5x4,fastest",
    ] {
        conform(&game(variant), 20, 64, 4);
    }
}

/// All different positions after each ply.
fn plies(game: ConnectFour) -> impl Iterator<Item = u64> {
    let mut layer = HashSet::from([game.start().exact_code()]);
    std::iter::from_fn(move || {
        let count = layer.len() as u64;
        let mut next = HashSet::new();
        for &code in &layer {
            let board = Board::from_exact_code(game, code).expect("a reachable code");
            board.moves(|m| {
                next.insert(board.after(m).exact_code());
            });
        }
        layer = next;
        (count > 0).then_some(count)
    })
}

#[test]
fn counts_of_positions_are_the_published_ones() {
    let found: Vec<u64> = plies(ConnectFour::STANDARD).take(10).collect();
    for (_, ply, count) in counts::read(include_str!("positions.txt")) {
        assert_eq!(found[ply as usize], count, "after {ply} plies");
    }
    for (variant, depth, count) in counts::read(include_str!("perft.txt")) {
        assert_eq!(perft(&game(variant).start(), depth), count, "depth {depth}");
    }
    for (variant, _, count) in counts::read(include_str!("reachable.txt")) {
        assert_eq!(plies(game(variant)).sum::<u64>(), count, "{variant}");
    }
}

/// Fours, threats and safe moves found cell by cell.
#[test]
fn bitboards_agree_with_looking_at_every_line() {
    let has_line = |board: &Board, of: char| {
        let rows: Vec<Vec<char>> = board.write().split(['/', ' ']).map(|row| row.chars().collect()).collect();
        let (w, h) = (board.width() as i32, board.height() as i32);
        let at =
            |x: i32, y: i32| (0..w).contains(&x) && (0..h).contains(&y) && rows[y as usize][x as usize] == of;
        (0..w).any(|x| {
            (0..h).any(|y| {
                [(1, 0), (0, 1), (1, 1), (1, -1)]
                    .iter()
                    .any(|(dx, dy)| (0..4).all(|i| at(x + i * dx, y + i * dy)))
            })
        })
    };
    let mut rng = Rng::new(7);
    for variant in ["", "4x5", "3x9", "9x6", "8x7", "6x6"] {
        for _ in 0..60 {
            let mut board = game(variant).start();
            while let Some(m) = board.random_move(&mut rng) {
                let (mut winning, mut safe) = (Vec::new(), Vec::new());
                board.moves(|m| {
                    let next = board.after(m);
                    let mut lost = false;
                    next.moves(|reply| lost |= next.after(reply).is_won());
                    if next.is_won() {
                        winning.push(m);
                    }
                    if !next.is_won() && !lost {
                        safe.push(m);
                    }
                });
                let columns = |mut cells: u64| {
                    let mut out = Vec::new();
                    while cells != 0 {
                        out.push(board.column_of(cells & cells.wrapping_neg()));
                        cells &= cells - 1;
                    }
                    out
                };
                assert_eq!(columns(board.possible()), board.move_list(), "{}", board.write());
                assert_eq!(columns(board.winning_moves()), winning, "{}", board.write());
                if winning.is_empty() {
                    assert_eq!(columns(board.non_losing()), safe, "{}", board.write());
                }
                let sign = if board.turn() == Turn::Player(Player::FIRST) { 'x' } else { 'o' };
                board.play(m);
                assert_eq!(board.is_won(), has_line(&board, sign), "{}", board.write());
                let marked = bits::fours(board.other(), board.stride(), board.width() as u32);
                assert_eq!(marked.count_ones() >= 4, board.is_won());
                assert_eq!(Board::from_exact_code(game(variant), board.exact_code()), Some(board));
                assert_eq!(board.image(1).exact_code(), board.mirrored_code());
            }
        }
    }
}

#[test]
fn lines_end_as_they_should() {
    assert_eq!(line("", "4453 55").turn(), Turn::Player(Player::FIRST));
    assert_eq!(line("", "4453 5566 7").payoff(), Payoff::win(Player::FIRST));
    let won = line("", "1. 4 4 2. 5 5 3. 6 6 4. 7");
    assert_eq!((won.turn(), won.payoff()), (Turn::Over, Payoff::win(Player::FIRST)));
    assert_eq!(line("2x2", "1122").payoff(), Payoff::DRAW);
    assert_eq!(line("12x4", "12 1 11").stones(), 3);
    let column = line("1x8", "1111 1111");
    assert_eq!((column.turn(), column.payoff()), (Turn::Over, Payoff::DRAW));
}

/// The solvers' usual convention: a win with the last stone pays 1, with the one before it 2, and so on.
#[test]
fn sooner_wins_pay_more() {
    let fast = |moves| line("fastest", moves);
    assert_eq!(fast("4455667").payoff(), Payoff::zero_sum(18));
    assert_eq!(fast("12121731").turn(), Turn::Player(Player::FIRST));
    assert_eq!(fast("12123242").payoff(), Payoff::zero_sum(-18));
    assert_eq!(
        (game("7x6,fastest").variant(), game("6x5,fastest").variant()),
        ("fastest".into(), "6x5,fastest".into())
    );
    assert!(ConnectFour::from_variant(",fastest").is_err() && ConnectFour::from_variant("6x5,").is_err());
    let mut rng = Rng::new(3);
    for round in 0..500 {
        let mut board = game(["fastest", "5x5,fastest", "4x3,fastest"][round % 3]).start();
        let mut path = vec![board];
        while let Some(m) = board.random_move(&mut rng) {
            board.play(m);
            path.push(board);
        }
        for here in &path {
            let mover = Player(here.stones() as u8 % 2);
            let score = board.payoff().of(mover);
            let plies = (score != 0).then_some(board.stones() - here.stones());
            assert_eq!(here.plies_left(score), plies, "{here:?}");
            let (low, high) = here.score_range();
            assert!((low..=high).contains(&board.payoff().of(Player::FIRST)), "{here:?}");
        }
    }
}

#[test]
fn errors_name_the_place() {
    let start = ConnectFour::STANDARD.start();
    let error = |text: &str| start.read_line(text).unwrap_err();
    assert_eq!((error("448").at, error("448").what.as_str()), (2, "there is no column '8'"));
    assert_eq!((error("4444 444").at, error("4444 444").what.as_str()), (7, "column 4 is full"));
    assert_eq!(error("12121213").what, "a move after the end");
    let size = ConnectFour::from_variant("8x8").unwrap_err();
    assert_eq!((size.at, size.expected.as_str()), (2, "a height of at most 7 for this width"));
    let small = game("4x2");
    let fault = |text: &str| small.read(text).unwrap_err();
    assert_eq!(fault("..../...").at, 8);
    assert_eq!(fault("....x/....").at, 4);
    assert_eq!(fault("..../..../....").at, 9);
    assert_eq!(fault("..?./....").at, 2);
    assert_eq!(fault("x.../....").what, "a stone hangs in the air");
    assert_eq!(fault("..../xx..").what, "2 x and 0 o");
    assert_eq!(fault("..../x... x").expected, "o by the number of stones");
    assert!(game("4x4").read("..../..../oooo/xxxx").is_err(), "two winners");
    assert!(game("5x4").read("...../...../oooo./xxxxo").is_err(), "the winner did not move last");
    assert!(game("").read("xxxx.../oooxo../xxxx.../ooxoo../xxoxo../ooxoo..").is_err(), "two last stones");
    assert_eq!(game("4x4").read(" ..../..../ooo./XXXx o ").unwrap().payoff(), Payoff::win(Player::FIRST));
    assert_eq!(game("4x4").read("..../..../ooo./xxx.").unwrap().mover_sign(), 'x');
}

impl Board {
    fn mover_sign(&self) -> char {
        self.write().chars().last().unwrap()
    }
}
