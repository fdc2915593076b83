use super::theory::{Pair, brute_force, cold, failures, grundy, leads, winning_move};
use super::*;
use endspiel_game::conform::conform;

fn constraint(text: &str) -> Constraint {
    Constraint::read(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Games that meet the conditions of the theorem.
const REGULAR: [&str; 9] = [
    "wythoff",
    "t=3",
    "g1",
    "g2",
    "g3",
    "f=x1-(x1+1)/x0+2",
    "f=x0-x1+2",
    "f=(-1)^y1-(-1)^x1+3",
    "f=x1*(1+(-1)^x1)+1",
];

#[test]
fn every_game_keeps_its_promises() {
    for variant in ["", "nim", "g1", "g2,start=15,15", "t=3", "misere", "f=x0-x1+2,start=12,12,misere"] {
        let game = Wythoff::from_variant(variant).unwrap();
        assert_eq!(game.variant(), variant);
        conform(&game, 20, 50, 1);
    }
}

#[test]
fn positions_with_too_many_moves_are_refused() {
    for variant in ["t=1000,start=1000,999", "g1,start=500,500", "f=x0-x1+2,start=1000,60"] {
        let refused = Wythoff::from_variant(variant).map(|g| g.full_name());
        assert!(refused.is_err_and(|e| e.what.contains("joint moves")), "{variant}");
    }
    for variant in ["nim,start=1000,1000", "start=1000,1000", "t=25,start=1000,1000", "g1,start=200,250"] {
        let game = Wythoff::from_variant(variant).unwrap();
        assert!(game.start().count_moves() <= 52_000, "{variant}");
        assert!(game.read("1000,1000").is_ok() != variant.starts_with('g'));
    }
}

#[test]
fn published_sequences() {
    let lines: Vec<&str> = include_str!("published.txt").lines().filter(|l| !l.starts_with('#')).collect();
    assert_eq!(lines.len(), 30);
    for game in lines.chunks(3) {
        let numbers = |line: &str| -> Vec<i64> { line.split(' ').map(|n| n.parse().unwrap()).collect() };
        let (a, b): (Vec<i64>, Vec<i64>) = cold(&constraint(game[0]), 17).into_iter().unzip();
        assert_eq!((a, b), (numbers(game[1]), numbers(game[2])), "{}", game[0]);
    }
    let ex4: Vec<i64> = cold(&constraint("f=x1*(1+(-1)^x1)+1"), 25).into_iter().map(|p| p.1).collect();
    assert_eq!(ex4[17..], [218, 220, 266, 268, 318, 320, 374, 376]);
    let classic =
        [(0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13), (9, 15), (11, 18), (12, 20), (14, 23), (16, 26)];
    assert_eq!(cold(&constraint("wythoff"), 11), classic);
}

#[test]
fn the_theorem_agrees_with_brute_force() {
    for text in REGULAR {
        let f = constraint(text);
        assert!(failures(&f, 30, 60).none(), "{text}");
        let theorem: Vec<Pair> = cold(&f, 120).into_iter().filter(|p| p.1 < 120).collect();
        assert_eq!(brute_force(&f, false, 120), theorem, "{text}");
    }
}

/// The paper's three examples in which one condition fails.
#[test]
fn each_condition_alone_can_fail() {
    let square = constraint("f=(x0-x1)^2");
    let found = failures(&square, 20, 20);
    assert_eq!((found.positivity, found.monotonicity), (None, None));
    assert!(found.semi_additivity.is_some() && leads(&square, (4, 10), (0, 0)));
    let truth = [(0, 0), (1, 2), (3, 12), (4, 20), (5, 30), (6, 42), (7, 56), (8, 72), (9, 90), (10, 110)];
    assert_eq!(brute_force(&square, false, 111)[..10], truth);

    let falling = constraint("f=(x1+1)/x0+1");
    let found = failures(&falling, 20, 20);
    assert_eq!((found.positivity, found.semi_additivity), (None, None));
    assert!(found.monotonicity.is_some());
    assert!(!cold(&falling, 20).iter().any(|&to| to == (4, 7) || leads(&falling, (4, 7), to)));
    let truth = [(0, 0), (1, 3), (2, 6), (4, 5), (7, 10), (8, 13), (9, 16), (11, 17), (12, 20), (14, 23)];
    assert_eq!(brute_force(&falling, false, 30)[..10], truth);

    // The paper calls this one a counter-example, since (10, 29) could not move into S; it can, to (8, 21), and
    // S is the set of cold positions as far as brute force sees.
    let vanishing = constraint("f=(1+(-1)^(y1+1))*x1/2");
    let found = failures(&vanishing, 20, 20);
    assert_eq!((found.monotonicity, found.semi_additivity), (None, None));
    assert!(found.positivity.is_some() && leads(&vanishing, (10, 29), (8, 21)));
    let pairs: Vec<Pair> = cold(&vanishing, 260).into_iter().filter(|p| p.1 < 260).collect();
    assert_eq!(brute_force(&vanishing, false, 260), pairs);
}

#[test]
fn winning_moves_lead_to_cold_positions() {
    for text in REGULAR {
        let f = constraint(text);
        let pairs = cold(&f, 80);
        for y in 0..60 {
            for x in 0..=y {
                match winning_move(&f, (x, y)) {
                    Some(to) => assert!(pairs.contains(&to) && leads(&f, (x, y), to), "{text} {x},{y}"),
                    None => assert!(pairs.contains(&(x, y)), "{text} {x},{y}"),
                }
            }
        }
    }
    assert_eq!(winning_move(&constraint("g3"), (19, 65555)), Some((19, 65554)));
}

#[test]
fn moves_are_those_of_the_definition() {
    let g1 = constraint("g1");
    for (to, legal) in [((3, 4), true), ((2, 4), true), ((2, 3), false), ((0, 3), false)] {
        assert_eq!(leads(&g1, (11, 15), to), legal, "{to:?}");
    }
    // Amounts from named piles and sorted positions are two wordings of one rule.
    for text in ["nim", "wythoff", "t=4", "g1", "g2", "g3", "f=(x1+1)/x0+1", "f=1/x1"] {
        let game = Wythoff::new(constraint(text), false);
        for (a, b) in [(0, 7), (5, 5), (4, 9), (9, 4), (8, 11)] {
            let from = game.piles([a, b], Player::FIRST);
            let mut reached: Vec<Pair> = from.move_list().iter().map(|&m| from.after(m).sorted()).collect();
            reached.sort_unstable();
            reached.dedup();
            let all = (0..12).flat_map(|x| (x..12).map(move |y| (x, y)));
            let expected: Vec<Pair> = all.filter(|&to| leads(game.constraint(), from.sorted(), to)).collect();
            assert_eq!(reached, expected, "{text} {a},{b}");
        }
    }
}

/// Negamax over the rules themselves.
fn mover_wins(position: &Piles, known: &mut std::collections::HashMap<u64, bool>) -> bool {
    if let Turn::Player(mover) = position.turn() {
        if let Some(&wins) = known.get(&position.key()) {
            return wins;
        }
        let wins = position.move_list().iter().any(|&m| {
            let next = position.after(m);
            if next.turn().is_over() { next.payoff().of(mover) > 0 } else { !mover_wins(&next, known) }
        });
        known.insert(position.key(), wins);
        wins
    } else {
        unreachable!("asked only of positions with a player to move")
    }
}

#[test]
fn rules_and_brute_force_agree_in_normal_and_misere_play() {
    for (text, misere) in [("nim", false), ("nim", true), ("wythoff", true), ("g1", true), ("g2", false)] {
        let f = constraint(text);
        let lost = brute_force(&f, misere, 16);
        let game = Wythoff::new(f, misere);
        let mut known = std::collections::HashMap::new();
        for a in 0..16 {
            for b in 0..16 {
                let position = game.piles([a, b], Player::FIRST);
                if !position.turn().is_over() {
                    let cold = lost.contains(&position.sorted());
                    assert_eq!(mover_wins(&position, &mut known), !cold, "{text} {misere} {a},{b}");
                }
            }
        }
    }
    // Misère Wythoff differs from the normal game in the smallest positions only.
    assert_eq!(brute_force(&constraint("wythoff"), true, 11), [(0, 1), (2, 2), (3, 5), (4, 7), (6, 10)]);
}

#[test]
fn grundy_values() {
    let nim = grundy(&constraint("nim"), 16);
    assert!((0..256).all(|i| nim[i] as usize == (i / 16) ^ (i % 16)), "the value of Nim is the nim-sum");
    // The corner of the table of Wythoff's game (Blass and Fraenkel 1990).
    let wythoff = grundy(&constraint("wythoff"), 6);
    let corner = [
        [0, 1, 2, 3, 4, 5],
        [1, 2, 0, 4, 5, 3],
        [2, 0, 1, 5, 3, 4],
        [3, 4, 5, 6, 2, 0],
        [4, 5, 3, 2, 7, 6],
        [5, 3, 4, 0, 6, 8],
    ];
    assert_eq!(wythoff, corner.concat());
    // The band of a constant f gives what the whole rectangle does, and zeros are the cold positions.
    for (text, spelt_out) in [("t=3", "f=3"), ("wythoff", "f=1"), ("nim", "f=0")] {
        let table = grundy(&constraint(text), 24);
        assert_eq!(table, grundy(&constraint(spelt_out), 24));
        let zeros: Vec<Pair> = (0..24 * 24)
            .map(|i| (i / 24, i % 24))
            .filter(|&(x, y)| x <= y && table[x * 24 + y] == 0)
            .map(|(x, y)| (x as i64, y as i64))
            .collect();
        assert_eq!(zeros, brute_force(&constraint(text), false, 24));
    }
}

#[test]
fn closed_forms() {
    let even_zeros = |n: i64| n.trailing_zeros().is_multiple_of(2);
    for (n, (a, b)) in cold(&constraint("g2"), 200).into_iter().enumerate().skip(1) {
        assert!(b == 2 * a && even_zeros(a) && !even_zeros(b), "n = {n}");
    }
    for (n, (a, b)) in cold(&constraint("g3"), 40).into_iter().enumerate() {
        assert_eq!(b, a + (1 << n) - 1);
    }
    let hofstadter: Vec<i64> = cold(&constraint("g1"), 10).into_iter().map(|p| p.1 + 1).collect();
    assert_eq!(hofstadter, [1, 3, 7, 12, 18, 26, 35, 45, 56, 69]);
    // f = x0 - x1 + 2: in the numeration system with bases 1, 4, 14, 50, ... (u[n] = 3 u[n-1] + 2 u[n-2]), A has
    // an even number of zeros at the end and B is A with one more.
    let mut bases = vec![1, 4];
    while bases.len() < 8 {
        bases.push(3 * bases[bases.len() - 1] + 2 * bases[bases.len() - 2]);
    }
    let digits = |mut n: i64| -> Vec<i64> {
        let mut out: Vec<i64> = bases
            .iter()
            .rev()
            .map(|u| {
                let d = n / u;
                n %= u;
                d
            })
            .collect();
        out.drain(..out.iter().take_while(|&&d| d == 0).count());
        out
    };
    assert_eq!((digits(6), digits(22)), (vec![1, 2], vec![1, 2, 0]));
    for (a, b) in cold(&constraint("f=x0-x1+2"), 300).into_iter().skip(1) {
        let (mut a, b) = (digits(a), digits(b));
        assert_eq!(a.iter().rev().take_while(|&&d| d == 0).count() % 2, 0);
        a.push(0);
        assert_eq!(a, b);
    }
}

#[test]
fn errors_say_where() {
    let at = |text: &str| Wythoff::from_variant(text).unwrap_err().at;
    assert_eq!(at("g9"), 0);
    assert_eq!(at("g1,start=5"), 3);
    assert_eq!(at("g1,start=5,5000"), 11);
    assert_eq!(at("misere,f=x1+"), 12);
    assert_eq!(at("g1,g2"), 3);
    let game = Wythoff::from_variant("").unwrap();
    assert_eq!(game.read("12").unwrap_err().at, 2);
    assert_eq!(game.read("12,x").unwrap_err().at, 3);
    assert_eq!(game.read("12,20 third").unwrap_err().at, 5);
    assert!(game.start().read_move("a2b3").is_err(), "unequal numbers are not Wythoff's");
    assert_eq!(game.start().read_line("a2b2 B5").unwrap().0.write(), "10,13");
}
