//! The rules of go-moku and renju: promises, counts, wins, and the forbidden points by example and against
//! their definitions.

use super::renju::Forbidden;
use super::*;
use crate::counts;
use endspiel_game::conform::conform;
use endspiel_game::{Payoff, Player, Position, Rng, Symmetric, perft};
use std::collections::{BTreeSet, HashSet};

fn rules(variant: &str) -> Gomoku {
    Gomoku::from_variant(variant).expect("a good variant")
}

/// A position of a variant with black and white stones by name, Black to move.
fn stones(variant: &str, black: &str, white: &str) -> GomokuPosition<4> {
    let rules = rules(variant);
    let grid = notation::grid(rules.size as usize);
    let set = |names: &str| names.split_whitespace().filter_map(|name| grid.read_name(name).ok()).collect();
    GomokuPosition::new(grid, rules.rule, [set(black), set(white)], Player::FIRST).expect("a good position")
}

fn forbidden_at(position: &GomokuPosition<4>, name: &str) -> Option<Forbidden> {
    position.forbidden(position.stones().grid().read_name(name).expect("a cell"))
}

#[test]
fn promises_are_kept() {
    for (seed, variant) in ["free,5", "standard,6", "renju,7", "renju,9"].into_iter().enumerate() {
        conform(&rules(variant), 6, 100, seed as u64);
    }
    conform(&rules("renju"), 1, 120, 5);
    conform(&LargeGomoku::from_variant("standard,19").expect("a good variant"), 1, 60, 6);
}

#[test]
fn lines_of_play_are_counted() {
    for (variant, depth, count) in counts::read(include_str!("counts.txt")) {
        assert_eq!(perft(&rules(variant).start(), depth), count, "{variant} to depth {depth}");
    }
}

#[test]
fn playouts_end_as_the_rules_say() {
    let mut rng = Rng::new(23);
    for variant in ["free,7", "standard,7", "renju,7"] {
        let (start, mut sums) = (rules(variant).start(), [0; 2]);
        for _ in 0..4000 {
            let mut position = start;
            let payoff = position.playout(&mut rng, usize::MAX);
            let [black, white] =
                [Player::FIRST, Player::SECOND].map(|player| position.line_of(player).is_some());
            assert_eq!(payoff.of(Player::FIRST), i32::from(black) - i32::from(white), "{}", position.write());
            assert!(position.turn().is_over());
            sums[0] += payoff.of(Player::FIRST);
            let mut stepped = start;
            while let Some(m) = stepped.random_move(&mut rng) {
                stepped.play(m);
            }
            sums[1] += stepped.payoff().of(Player::FIRST);
        }
        assert!((sums[0] - sums[1]).abs() < 400, "{variant}: {sums:?}");
    }
    let mut cut = rules("").start();
    assert_eq!(cut.playout(&mut rng, 4), Payoff::DRAW);
    assert_eq!(cut.count_moves(), 221);
}

#[test]
fn white_has_35_distinct_answers_to_the_centre() {
    let (centre, _) = rules("").start().read_line("h8").expect("a legal move");
    let keys = centre.move_list().into_iter().map(|m| centre.after(m).canonical_key());
    assert_eq!(keys.collect::<HashSet<_>>().len(), 35);
}

#[test]
fn six_in_a_row_win_by_some_rules() {
    for (variant, black, white) in [("free", true, true), ("standard", false, false), ("renju", false, true)]
    {
        let six = stones(variant, "c3 d3 e3 g3 h3", "c9 d9 e9 g9 h9");
        let f3 = six.read_move("f3");
        match variant {
            "renju" => assert!(f3.is_err_and(|e| e.what.contains("overline")), "{variant}"),
            _ => assert_eq!(six.after(f3.expect("legal")).turn().is_over(), black, "{variant}"),
        }
        let (other, _) = six.read_line("a1 f9").expect("a legal line");
        assert_eq!(other.turn().is_over(), white, "{variant}");
        assert_eq!(other.payoff() == Payoff::win(Player::SECOND), white, "{variant}");
        let (five, _) = six.read_line("b1 j9 c1 j8 d1 j7 e1 i1 a1").expect("a legal line");
        assert_eq!((five.turn().is_over(), five.payoff()), (true, Payoff::win(Player::FIRST)), "{variant}");
    }
}

#[test]
fn renju_forbids_the_three_shapes() {
    let cases = [
        // Two open threes; a four and a three are allowed; a closed three is none.
        ("f8 g8 h6 h7", "", Some(Forbidden::DoubleThree)),
        ("f8 g8 h6 h9", "", Some(Forbidden::DoubleThree)),
        ("e8 f8 g8 h6 h7", "d8", None),
        ("f8 g8 h6 h7", "e8", None),
        ("f8 g8 h6 h7", "d8 j8", None),
        // Two fours that cross, and two on one line.
        ("e8 f8 g8 h5 h6 h7", "d8 h4", Some(Forbidden::DoubleFour)),
        ("e8 g8 i8 k8", "", Some(Forbidden::DoubleFour)),
        ("d8 e8 g8 j8 k8", "", Some(Forbidden::DoubleFour)),
        // A straight four is one four.
        ("e8 f8 g8", "", None),
        // Six in a row, with and without a five in another line.
        ("e8 f8 g8 i8 j8", "", Some(Forbidden::Overline)),
        ("e8 f8 g8 i8 j8 h4 h5 h6 h7", "", None),
        // A five that makes two threes and two fours as well.
        ("f8 g8 i7 j6 h4 h5 h6 h7", "", None),
    ];
    for (black, white, expected) in cases {
        assert_eq!(forbidden_at(&stones("renju", black, white), "h8"), expected, "{black} against {white}");
    }
    assert_eq!(forbidden_at(&stones("free", "f8 g8 h6 h7", ""), "h8"), None);
}

#[test]
fn a_three_must_be_able_to_become_a_straight_four() {
    let h8 = |black: &str, white: &str| forbidden_at(&stones("renju", black, white), "h8");
    // The row f8 g8 h8 would become an overline at either side, so the column is the only three.
    assert_eq!(h8("f8 g8 h6 h7 c8 k8", ""), None);
    assert_eq!(h8("f8 g8 h6 h7 c8", ""), Some(Forbidden::DoubleThree));
    // With l8 white, only g8 makes a straight four of h8 i8 j8. An overline, a double four and a double three
    // on g8 each forbid it, and then the row is no three.
    assert_eq!(h8("i8 j8 h6 h7", "l8"), Some(Forbidden::DoubleThree));
    assert_eq!(h8("i8 j8 h6 h7 g5 g6 g7 g9 g10", "l8"), None);
    assert_eq!(h8("i8 j8 h6 h7 g9 g10 g11", "l8 g12"), None);
    assert_eq!(h8("i8 j8 h9 h10 g9 g10 f9 e10", "l8"), None);
    // With g11 white the column g8 g9 g10 is no three: then g8 is allowed after all, and h8 is not.
    assert_eq!(h8("i8 j8 h9 h10 g9 g10 f9 e10", "l8 g11"), Some(Forbidden::DoubleThree));
    // A five on g8 makes no straight four, by the letter of the definition.
    assert_eq!(h8("i8 j8 h6 h7 g9 g10 g11 g12", "l8"), None);
}

#[test]
fn forbidden_points_are_no_moves_for_black_alone() {
    let position = stones("renju", "f8 g8 h6 h7", "a1 a3 a5");
    let error = position.read_move("h8").expect_err("a double three");
    assert_eq!(error.what, "h8 is forbidden to Black: it makes a double three");
    let grid = position.stones().grid();
    let h8 = crate::grid::Cell(grid.read_name("h8").expect("a cell") as u16);
    assert!(!position.move_list().contains(&h8));
    let (white, _) = position.read_line("o15").expect("a legal move");
    assert!(white.move_list().contains(&h8));
}

#[test]
fn black_without_an_allowed_point_draws() {
    // Only the corner e1 of a board of 7x7 is empty, and it makes six in a row.
    let full = "wbbwwbb/bwwbbww/wbbwwbb/bwwbbww/wbbwwbb/bwwbbww/bbbb.bb b";
    let position = rules("renju,7").read(full).expect("a good position");
    assert_eq!(forbidden_at(&position, "e1"), Some(Forbidden::Overline));
    assert_eq!((position.turn().is_over(), position.payoff()), (true, Payoff::DRAW));
    let other = rules("standard,7").read(full).expect("a good position");
    assert_eq!(other.count_moves(), 1);
}

#[test]
fn texts_and_errors() {
    let at = |text: &str| Gomoku::from_variant(text).map(|rules| rules.variant()).map_err(|e| e.at);
    assert_eq!(at("free"), Ok(String::new()));
    assert_eq!(at("renju,15"), Ok("renju".into()));
    assert_eq!(at(" standard, 9"), Ok("standard,9".into()));
    assert_eq!(
        [at("pro"), at("free,4"), at("free,17"), at("9"), at("renju,")],
        [Err(0), Err(5), Err(5), Err(0), Err(6)]
    );
    let listed = rules("").read("h8h9i10").expect("a list of moves");
    let (played, _) = rules("").start().read_line("1. H8 h9 2. i10").expect("a legal line");
    assert_eq!(listed.write(), played.write());
    assert!(rules("").read("h8h9h8").is_err_and(|e| e.at == 4 && e.what == "h8 is taken"));
    assert!(rules("free,5").read("bbbbb/wwwww/...../...../..... b").is_err_and(|e| e.what.contains("both")));
    assert!(rules("free,5").read("bbbbb/wwww./...../...../..... b").is_err());
    assert!(rules("free,5").read("bbbbb/wwww./...../...../..... w").is_ok_and(|p| p.turn().is_over()));
}

/// The forbidden shapes straight from their definitions, over the whole line and with sets of stones.
mod by_definition {
    use super::*;

    pub type Point = (i32, i32);

    pub struct Board {
        pub size: i32,
        pub black: BTreeSet<Point>,
        pub white: BTreeSet<Point>,
    }

    const DIRECTIONS: [Point; 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

    fn along(p: Point, d: Point, i: i32) -> Point {
        (p.0 + i * d.0, p.1 + i * d.1)
    }

    impl Board {
        fn is_empty(&self, p: Point) -> bool {
            let inside = |x: i32| (0..self.size).contains(&x);
            inside(p.0) && inside(p.1) && !self.black.contains(&p) && !self.white.contains(&p)
        }

        /// The unbroken line of black stones through a black stone.
        fn line(&self, p: Point, d: Point) -> BTreeSet<Point> {
            let mut line = BTreeSet::from([p]);
            for sign in [1, -1] {
                let steps = (1..).map(|i| along(p, d, sign * i));
                line.extend(steps.take_while(|q| self.black.contains(q)));
            }
            line
        }

        fn with(&self, p: Point) -> Self {
            let mut black = self.black.clone();
            black.insert(p);
            Self { size: self.size, black, white: self.white.clone() }
        }

        fn has_five(&self, p: Point) -> bool {
            DIRECTIONS.iter().any(|&d| self.line(p, d).len() == 5)
        }

        /// The sets of four stones with `p` that one more stone makes a five.
        fn fours(&self, p: Point, d: Point) -> HashSet<BTreeSet<Point>> {
            let places = (-4..=4).map(|i| along(p, d, i)).filter(|&q| self.is_empty(q));
            let fives = places.map(|q| (q, self.with(q).line(q, d)));
            let fives = fives.filter(|(_, line)| line.len() == 5 && line.contains(&p));
            fives.map(|(q, line)| line.into_iter().filter(|&r| r != q).collect()).collect()
        }

        /// The sets of three stones with `p` that one more allowed stone makes a straight four.
        fn threes(&self, p: Point, d: Point) -> HashSet<BTreeSet<Point>> {
            let places = (-3..=3).map(|i| along(p, d, i)).filter(|&q| self.is_empty(q));
            let straight = places.filter_map(|q| {
                let next = self.with(q);
                let line = next.line(q, d);
                let ways = (-5..=5).map(|i| along(q, d, i)).filter(|&r| {
                    next.is_empty(r)
                        && next.with(r).line(r, d).is_superset(&line)
                        && next.with(r).line(r, d).len() == 5
                });
                let straight = line.len() == 4 && line.contains(&p) && ways.count() == 2;
                let allowed = straight && !next.has_five(q) && self.forbidden(q).is_none();
                allowed.then(|| line.into_iter().filter(|&r| r != q).collect())
            });
            straight.collect()
        }

        pub fn forbidden(&self, p: Point) -> Option<Forbidden> {
            let next = self.with(p);
            if next.has_five(p) {
                return None;
            }
            if DIRECTIONS.iter().any(|&d| next.line(p, d).len() > 5) {
                return Some(Forbidden::Overline);
            }
            if DIRECTIONS.iter().map(|&d| next.fours(p, d).len()).sum::<usize>() > 1 {
                return Some(Forbidden::DoubleFour);
            }
            let threes = DIRECTIONS.iter().map(|&d| next.threes(p, d).len()).sum::<usize>();
            (threes > 1).then_some(Forbidden::DoubleThree)
        }
    }
}

#[test]
fn forbidden_points_agree_with_the_definitions() {
    let (mut rng, mut seen) = (Rng::new(17), [0; 3]);
    for round in 0..250 {
        let size = 9 + round % 5;
        let grid = notation::grid(size);
        let mut board =
            by_definition::Board { size: size as i32, black: BTreeSet::new(), white: BTreeSet::new() };
        let mut sets = [Bits::<4>::EMPTY; 2];
        for cell in 0..grid.cells() {
            let player = match rng.below(100) {
                0..26 => 0,
                26..32 => 1,
                _ => continue,
            };
            let (column, row) = grid.column_row(cell);
            sets[player].insert(cell);
            let points = if player == 0 { &mut board.black } else { &mut board.white };
            points.insert((column as i32, row as i32));
        }
        let all = renju::all_forbidden(grid, &sets[0], &sets[1]);
        for cell in (0..grid.cells()).filter(|&cell| !(sets[0] | sets[1]).contains(cell)) {
            let (column, row) = grid.column_row(cell);
            let expected = board.forbidden((column as i32, row as i32));
            let found = renju::forbidden(grid, &sets[0], &sets[1], cell);
            let text = || grid.write(&sets, Player::FIRST, notation::SIGNS);
            assert_eq!(found, expected, "{} at {}", grid.name(cell), text());
            assert_eq!(all.contains(cell), expected.is_some(), "{} at {}", grid.name(cell), text());
            if let Some(shape) = expected {
                seen[shape as usize] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "each shape is met often: {seen:?}");
}
