use super::*;
use crate::counts;
use endspiel_game::conform::conform;
use endspiel_game::picture::Shape;
use endspiel_game::{Notation, Payoff, Picture, Position, Rng, TwoPlayer, perft};
use std::collections::HashMap;

fn read(text: &str) -> Board {
    Checkers.read(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn moves(text: &str) -> Vec<String> {
    let board = read(text);
    let mut names: Vec<String> = board.move_list().iter().map(|&m| board.write_move(m)).collect();
    names.sort();
    names
}

#[test]
fn it_keeps_its_promises() {
    conform(&Checkers, 40, 150, 1);
}

#[test]
fn published_counts() {
    for (_, depth, count) in counts::read(include_str!("counts.txt")) {
        assert_eq!(perft(&Checkers.start(), depth), count, "depth {depth}");
    }
}

/// Who stands on each square, and whether as a king.
type Squares = Vec<Option<(Player, bool)>>;

/// The column and the row of a square.
fn place(n: usize) -> (i32, i32) {
    (2 * (n % 4) as i32 + (n as i32 / 4 + 1) % 2, n as i32 / 4)
}

/// The square a few columns and rows away.
fn away(n: usize, (x, y): (i32, i32)) -> Option<usize> {
    let (c, r) = (place(n).0 + x, place(n).1 + y);
    ((0..8).contains(&c) && (0..8).contains(&r)).then(|| (4 * r + c / 2) as usize)
}

/// The directions of a piece of `me`.
fn ways(me: Player, king: bool) -> impl Iterator<Item = (i32, i32)> {
    let forward = if me == Player::FIRST { 1 } else { -1 };
    [(-1, -1), (-1, 1), (1, -1), (1, 1)].into_iter().filter(move |&(_, y)| king || y == forward)
}

/// Every way to go on jumping with the piece that has come along `path`, which stands on no square of `at`.
fn jump(at: &Squares, me: Player, king: bool, path: &[usize], out: &mut Vec<Vec<usize>>) {
    let here = path[path.len() - 1];
    let last_row = if me == Player::FIRST { 7 } else { 0 };
    let mut last = true;
    for (x, y) in ways(me, king).filter(|_| king || place(here).1 != last_row) {
        let (Some(over), Some(to)) = (away(here, (x, y)), away(here, (2 * x, 2 * y))) else { continue };
        if at[over].is_some_and(|(p, _)| p != me) && at[to].is_none() {
            last = false;
            let mut next = at.clone();
            next[over] = None;
            jump(&next, me, king, &[path, &[to]].concat(), out);
        }
    }
    if last && path.len() > 1 {
        out.push(path.to_vec());
    }
}

/// The rules word by word on a list of squares; every way of jumping by its squares.
fn naive(board: &Board) -> Vec<Vec<usize>> {
    let me = board.side();
    let owner =
        |n: &usize| [Player::FIRST, Player::SECOND].into_iter().find(|p| board.pieces(*p) >> n & 1 != 0);
    let at: Squares = (0..32).map(|n| owner(&n).map(|p| (p, board.kings() >> n & 1 != 0))).collect();
    let (mut jumps, mut steps) = (Vec::new(), Vec::new());
    for n in 0..32 {
        let Some((_, king)) = at[n].filter(|(p, _)| *p == me) else { continue };
        let mut lifted = at.clone();
        lifted[n] = None;
        jump(&lifted, me, king, &[n], &mut jumps);
        let free = ways(me, king).filter_map(|way| away(n, way)).filter(|&to| at[to].is_none());
        steps.extend(free.map(|to| vec![n, to]));
    }
    if jumps.is_empty() { steps } else { jumps }
}

#[test]
fn moves_are_those_of_a_plain_reading_and_steps_can_be_taken_back() {
    let mut rng = Rng::new(7);
    for round in 0..20_000 {
        let (mut pieces, mut kings) = ([0_u32; 2], 0);
        for _ in 0..2 + round % 20 {
            let bit = 1 << rng.below(32);
            let who = rng.below(2);
            if (pieces[0] | pieces[1]) & bit == 0 && pieces[who].count_ones() < 12 {
                pieces[who] |= bit;
                kings |= if rng.below(2) == 0 { bit } else { bit & CROWN[who] };
            }
        }
        let board = Board::new(pieces, kings, Player(rng.below(2) as u8));
        let (text, naive) = (board.write(), naive(&board));
        assert_eq!(board.turn().is_over(), naive.is_empty(), "{text}");
        let mut reached = Vec::new();
        for way in &naive {
            let name: Vec<String> = way.iter().map(|n| (n + 1).to_string()).collect();
            reached.push(board.read_move(&name.join("x")).unwrap_or_else(|e| panic!("{text}: {e}")));
        }
        reached.sort();
        reached.dedup();
        let mut list = board.move_list();
        list.sort();
        assert_eq!(list, reached, "{text}");
        for m in list {
            let next = board.after(m);
            let crowned = next.kings().count_ones() > board.kings().count_ones();
            if m.taken == 0 && !crowned {
                let mut found = false;
                next.before_steps(|before| found |= before == board);
                assert!(found, "{} after {text}", board.write_move(m));
            }
        }
        board.before_steps(|before| {
            assert!(
                before.move_list().iter().any(|&m| before.after(m) == board),
                "{text} from {}",
                before.write()
            );
        });
        assert_eq!(board.swapped().swapped(), board);
        assert_eq!(board.swapped().count_moves(), board.count_moves());
    }
}

#[test]
fn jumps_are_written_in_full_and_read_in_short() {
    assert_eq!(moves("B:W18,26,27:B14,1"), ["14x23x30", "14x23x32"]);
    // A man that is crowned stops.
    assert_eq!(moves("W:W10,K20:B6,7,3"), ["10x1"]);
    // Two ways to the same square take different pieces.
    let board = read("B:W14,22,15,23:B10");
    assert!(board.read_move("10x26").unwrap_err().what.contains("2 ways"));
    assert_ne!(board.read_move("10x17x26"), board.read_move("10-19-26"));
    // A way round in either direction is one move.
    assert_eq!(moves("B:W14,15,22,23:BK10"), ["10x17x26x19x10"]);
}

#[test]
fn positions_are_read_with_care() {
    assert_eq!(Checkers.start(), read("B:W21-32:B1-12."));
    assert_eq!(read("w:bk1,2:w K30 , 31").write(), "W:WK30,31:BK1,2");
    assert_eq!(read("W:W:B5").payoff(), Payoff::win(Player::FIRST));
    for (text, what) in [
        ("", "names no player"),
        ("B", "a player is missing"),
        ("B:W1:B2", "a man cannot stand on 1"),
        ("B:W5:B5", "two pieces stand on 5"),
        ("B:W33:B5", "'33' is no square"),
        ("B:W5,5:B6", "5 comes twice"),
        ("B:W5:W6", "W comes twice"),
        ("B:W5:B6:B7", "'B7' is too much"),
        ("B:W:B6", "W has no pieces"),
        ("B:W9-6:B1", "empty range"),
        ("B:W5-17:B1", "13 pieces"),
    ] {
        let error = Checkers.read(text).unwrap_err();
        assert!(error.what.contains(what), "{text}: {error}");
    }
}

#[test]
fn who_cannot_move_loses() {
    let blocked = read("B:W8,11:B4");
    assert_eq!((blocked.turn().is_over(), blocked.payoff()), (true, Payoff::win(Player::SECOND)));
    assert_eq!(blocked.turned(), None);
}

#[test]
fn published_lines_are_legal_to_their_end() {
    for line in include_str!("lines.txt").lines().filter(|line| !line.starts_with('#')) {
        let (position, line) = line.split_once(" = ").unwrap();
        let (end, _) = read(position).read_line(line).unwrap();
        assert_eq!(end.payoff(), Payoff::win(Player::FIRST), "{position}");
        assert!(end.turn().is_over(), "{position}");
    }
}

/// All placements, square by square: how many there are with so many kings and men of Black and of White.
fn placed() -> HashMap<[usize; 4], u128> {
    let mut counts = HashMap::from([([0; 4], 1)]);
    for square in 0..32 {
        let bare = [[1 << square, 0], [0, 1 << square]].map(|pieces| Board::new(pieces, 0, Player::FIRST));
        let mut next = counts.clone();
        for (have, ways) in counts {
            for what in 0..4 {
                // Kings of Black and of White, then men; a man who would be crowned there is none.
                let is_piece = what < 2 || bare[what % 2].kings() == 0;
                let mut more = have;
                more[what] += 1;
                if is_piece && more[what % 2] + more[2 + what % 2] <= MOST {
                    *next.entry(more).or_insert(0) += ways;
                }
            }
        }
        counts = next;
    }
    counts
}

/// Every published number of placements, each counted square by square, not by the formula.
#[test]
fn placements_are_counted_as_published() {
    let placed = placed();
    assert_eq!(placed.len(), 91 * 91);
    for (&[black_kings, white_kings, black_men, white_men], &ways) in &placed {
        assert_eq!(placements_of((black_kings, black_men), (white_kings, white_men)), ways);
    }
    let sum = |of: &dyn Fn([usize; 2], [usize; 2]) -> bool| -> u128 {
        let all = placed.iter().filter(|(n, _)| n.iter().sum::<usize>() > 0);
        let chosen = all.filter(|(n, _)| of([n[0] + n[2], n[1] + n[3]], [n[0], n[1]]));
        chosen.map(|(_, ways)| ways).sum()
    };
    assert_eq!(sum(&|_, _| true), placements());
    let completed = |[a, b]: [usize; 2]| match a + b {
        1..=9 => true,
        10 => [0, 5, 10].contains(&a),
        _ => false,
    };
    let plausible = |[a, b]: [usize; 2], [c, d]: [usize; 2]| {
        let kings = match a + b {
            n @ ..=8 => n,
            9 | 10 => 6,
            11 | 12 => 4,
            13 | 14 => 2,
            _ => 0,
        };
        a.abs_diff(b) <= 1 && c.abs_diff(d) <= 2 && c + d <= kings
    };
    let lines = include_str!("placements.txt").lines().filter(|line| !line.starts_with('#'));
    let mut rows = 0;
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let numbers: Vec<usize> = words[1].split('-').filter_map(|word| word.parse().ok()).collect();
        let (low, high) = (*numbers.first().unwrap_or(&1), *numbers.last().unwrap_or(&24));
        let within = |[a, b]: [usize; 2]| (low..=high).contains(&(a + b));
        let found = match words[0] {
            "split" => sum(&|sides, _| sides == [low, high] || sides == [high, low]),
            "completed" => sum(&|sides, _| within(sides) && completed(sides)),
            "plausible" => sum(&|sides, kings| within(sides) && plausible(sides, kings)),
            _ => sum(&|sides, _| within(sides)),
        };
        assert_eq!(found.to_string(), words[2], "{line}");
        rows += 1;
    }
    assert_eq!(rows, 31 + 11 + 17 + 25);
}

#[test]
fn pictures_show_men_and_kings() {
    let board = read("B:W21,K22:B1,K5");
    assert!(
        board.text().starts_with(" 1    b   .   .   .   4\n 5  B   .   .   .     8\n"),
        "{}",
        board.text()
    );
    assert_eq!(board.scene().places.len(), 32);
}

/// The numbers of the squares stand beside the men, not under them.
#[test]
fn men_cover_no_number() {
    let scene = Checkers.start().scene();
    for shape in &scene.shapes {
        let Shape::Word(x, y, size, word, _) = shape else { continue };
        // The word's box: a digit is a little less than two thirds as wide as high, a capital three quarters.
        let (half_width, half_height) = (0.32 * size * word.len() as f32, 0.37 * size);
        for man in &scene.pieces {
            let (dx, dy) = ((x - man.x).abs() - half_width, (y - man.y).abs() - half_height);
            assert!(dx.max(0.0).hypot(dy.max(0.0)) > 0.33, "{word} and the man at {}, {}", man.x, man.y);
        }
    }
}
