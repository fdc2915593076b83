//! The worked example of the source, the two theorems on Hex, and agreement with the formulas of `ask`.

use super::*;
use crate::ask::{Engine, Family, Formulas, Maker, ask};
use endspiel_game::{Game, Goal, Notation, Payoff, Position, Quiet, Rules, Turn};
use endspiel_rules::hex::Hex;
use endspiel_rules::mnk::Mnk;

/// Chess to the capture of the king: White with his king and two rooks, Black with his king alone. Squares are 8 times
/// the rank plus the file; a piece that is gone stands at 64.
#[derive(Clone, Copy, Debug)]
struct Rooks {
    /// King and rooks of White.
    white: [usize; 3],
    black: usize,
    mover: Player,
}

const GONE: usize = 64;

impl Rooks {
    /// The squares that a king or a rook reaches from a square, if these squares stop it.
    fn reach(from: usize, steps: usize, diagonal: bool, stops: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut out = Vec::new();
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            if !diagonal && dx * dy != 0 {
                continue;
            }
            let (mut x, mut y) = ((from % 8) as i32, (from / 8) as i32);
            for _ in 0..steps {
                (x, y) = (x + dx, y + dy);
                if !(0..8).contains(&x) || !(0..8).contains(&y) {
                    break;
                }
                let to = (8 * y + x) as usize;
                out.push(to);
                if stops(to) {
                    break;
                }
            }
        }
        out
    }
}

impl Position for Rooks {
    /// Who moves, and where to.
    type Move = (usize, usize);

    const CYCLIC: bool = true;

    fn turn(&self) -> Turn {
        if self.black == GONE || self.white[0] == GONE { Turn::Over } else { Turn::Player(self.mover) }
    }

    fn moves(&self, mut each: impl FnMut((usize, usize))) {
        if self.turn().is_over() {
            return;
        }
        let taken = |to: usize| to == self.black || self.white.contains(&to);
        if self.mover == Player::SECOND {
            return Self::reach(self.black, 1, true, taken).into_iter().for_each(|to| each((self.black, to)));
        }
        for (piece, &from) in self.white.iter().enumerate().filter(|(_, from)| **from != GONE) {
            let reached = if piece == 0 {
                Self::reach(from, 1, true, taken)
            } else {
                Self::reach(from, 7, false, taken)
            };
            reached.into_iter().filter(|to| !self.white.contains(to)).for_each(|to| each((from, to)));
        }
    }

    fn play(&mut self, (from, to): (usize, usize)) {
        if self.mover == Player::SECOND {
            self.white.iter_mut().filter(|piece| **piece == to).for_each(|piece| *piece = GONE);
            self.black = to;
        } else {
            self.white.iter_mut().filter(|piece| **piece == from).for_each(|piece| *piece = to);
            if self.black == to {
                self.black = GONE;
            }
        }
        self.mover = self.mover.other();
    }

    fn payoff(&self) -> Payoff {
        Payoff::win(if self.black == GONE { Player::FIRST } else { Player::SECOND })
    }

    fn key(&self) -> u64 {
        let [k, a, b] = self.white;
        [k, a, b, self.black, self.mover.index()].iter().fold(0, |key, &n| 65 * key + n as u64)
    }
}

impl TwoPlayer for Rooks {
    fn turned(&self) -> Option<Self> {
        Some(Self { mover: self.mover.other(), ..*self })
    }
}

impl Symmetric for Rooks {}

fn square(name: &str) -> usize {
    let [file, rank] = name.as_bytes() else { panic!("{name} is a square") };
    8 * (rank - b'1') as usize + (file - b'a') as usize
}

#[test]
fn two_rooks_mate_by_quiet_moves_of_the_second_order() {
    let mut solver = Solver::<Rooks, Rules>::new(Options::default(), &Budget::default());
    let name = |(from, to): (usize, usize)| {
        let square = |s: usize| format!("{}{}", (b'a' + (s % 8) as u8) as char, s / 8 + 1);
        square(from) + &square(to)
    };
    let mut moves = |position: &Rooks, order: u32| {
        let mut list: Vec<String> =
            solver.moves(position, Player::FIRST, order, 9, &Rules).into_iter().map(name).collect();
        list.sort_unstable();
        list
    };
    let root = Rooks { white: ["a1", "e2", "f2"].map(square), black: square("g6"), mover: Player::FIRST };
    assert_eq!(
        moves(&root, 2),
        ["e2e1", "e2e3", "e2e6", "f2f1", "f2f3", "f2f6", "f2g2"],
        "three checks, four quiet"
    );
    let quiet = root.after((square("e2"), square("e1")));
    assert_eq!(moves(&quiet, 2), ["g6h5"]);
    let next = quiet.after((square("g6"), square("h5")));
    assert_eq!(moves(&next, 2), ["e1e5", "e1g1", "e1h1", "f2f5", "f2g2", "f2h2"], "four checks, two quiet");
    for quiet in [("e1", "g1"), ("f2", "g2")] {
        assert!(moves(&next.after((square(quiet.0), square(quiet.1))), 2).is_empty(), "{quiet:?}");
    }
    assert!(!solver.wins(&root, Player::FIRST, 1, 31, &Rules));
    assert!(solver.wins(&root, Player::FIRST, 2, 9, &Rules));
    let budget = Budget::nodes(200_000);
    let mut by_numbers = df_pn::Solver::<Rooks, Rules>::new(Options::default(), &budget);
    assert_eq!(by_numbers.wins(&root, Player::FIRST, 1, &Rules, &budget), Some(false));
    assert_eq!(by_numbers.wins(&root, Player::FIRST, 2, &Rules, &budget), Some(true));
}

/// Nodes of a lambda tree of an order and a depth, if `wide` moves are legal and `narrow` of them are of the order.
fn tree(order: u32, depth: u32, narrow: f64, wide: f64) -> f64 {
    if order == 0 {
        return wide;
    }
    let plies = depth.saturating_sub(1).saturating_sub(2 * (order - 1));
    let level = |j: u32| {
        let nodes = narrow.powi(2 * j as i32) * (1.0 + narrow);
        nodes * wide * (0..order).map(|lower| tree(lower, depth - 2 - 2 * j, narrow, wide)).sum::<f64>()
    };
    (0..plies / 2).map(level).sum()
}

/// How many times fewer nodes than a tree of all moves, by order from 1 on and by depth: the source's tables, and those of
/// alpha-beta where the best of 40 moves comes after 10, 20 or 30 tries.
#[test]
fn the_published_savings_come_out() {
    let tables: [(f64, [&[f64]; 5]); 2] = [
        (
            4.0,
            [
                &[8.0],
                &[772.0, 65.0],
                &[76_942.0, 3_174.0, 482.0],
                &[7_692_425.0, 209_432.0, 16_192.0, 3_328.0],
                &[769_231_503.0, 15_625_505.0, 812_550.0, 88_201.0, 21_791.0],
            ],
        ),
        (
            8.0,
            [
                &[4.6],
                &[112.0, 20.0],
                &[2_804.0, 251.0, 76.0],
                &[70_112.0, 4_173.0, 666.0, 254.0],
                &[1_752_804.0, 78_158.0, 8_530.0, 1_810.0, 781.0],
            ],
        ),
    ];
    let whole = |depth: u32| (0..=depth).map(|ply| 40f64.powi(ply as i32)).sum::<f64>();
    let is_printed =
        |found: f64, printed: f64| (found - printed).abs() <= if printed.fract() == 0.0 { 0.5 } else { 0.05 };
    for (narrow, rows) in tables {
        for (row, depth) in rows.into_iter().zip((3..).step_by(2)) {
            for (&printed, order) in row.iter().zip(1..) {
                let found = whole(depth) / tree(order, depth, narrow, 40.0);
                assert!(is_printed(found, printed), "order {order}, depth {depth}, {narrow} of 40: {found}");
            }
        }
    }
    let rows = [
        (10.0, [15.0, 60.0, 238.0, 952.0, 3_810.0]),
        (20.0, [3.9, 7.8, 15.6, 31.2, 62.4]),
        (30.0, [1.8, 2.4, 3.1, 4.2, 5.6]),
    ];
    for (tries, row) in rows {
        for (printed, depth) in row.into_iter().zip((3..).step_by(2)) {
            // The attacker's moves are those of the odd plies.
            let some = |ply: u32| (0..ply).map(|i| if i % 2 == 0 { tries } else { 40.0 }).product::<f64>();
            let found = whole(depth) / (0..=depth).map(some).sum::<f64>();
            assert!(is_printed(found, printed), "{tries} tries, depth {depth}: {found}");
        }
    }
}

/// All placements of stones that are not over, with Black to move.
fn placements(size: u32) -> Vec<<Hex as Game>::Position> {
    let game = Hex::from_variant(&size.to_string()).expect("a size");
    let cells = size * size;
    let texts = (0..3u32.pow(cells)).map(|code| {
        let sign = |i: u32| ['.', 'b', 'w'][(code / 3u32.pow(i) % 3) as usize];
        let rows: Vec<String> =
            (0..size).map(|row| (0..size).map(|column| sign(row * size + column)).collect()).collect();
        format!("{} b", rows.join("/"))
    });
    texts.filter_map(|text| game.read(&text).ok()).filter(|position| !position.turn().is_over()).collect()
}

/// The formula of order d asks for a win at once where this search has order 0: its orders are one higher.
#[test]
fn orders_are_those_of_the_formulas_and_enough_of_them_find_every_win() {
    let budget = Budget::default();
    let mut solver = Solver::new(Options::default(), &budget);
    let mut by_numbers = df_pn::Solver::new(Options::default(), &budget);
    let mut found = [0; 3];
    for position in placements(3).into_iter().step_by(4) {
        let empty = position.count_moves() as u32;
        let formula = |family, n| {
            let mut formulas = Formulas::default();
            let id = Maker::new(&mut formulas, Player::FIRST).make(family, n, true);
            ask(&position, &formulas, id, Engine::DepthFirst, &budget).holds.expect("the budget suffices")
        };
        for order in 0..3 {
            let wins = solver.wins(&position, Player::FIRST, order, 9, &Rules);
            assert_eq!(wins, formula(Family::Lambda(order + 1), 9), "{} order {order}", position.write());
            let same = by_numbers.wins(&position, Player::FIRST, order, &Rules, &budget);
            assert_eq!(same, Some(wins), "{} order {order} by proof numbers", position.write());
            found[order as usize] += usize::from(wins);
        }
        // A win in d plies is one of order (d - 1) / 2 (Thomsen's second theorem; Hex has no zugzwang).
        for plies in (1..=empty.min(7)).step_by(2) {
            // A table that knows a longer win would tell it.
            let mut fresh = Solver::new(Options::default(), &budget);
            let wins = fresh.wins(&position, Player::FIRST, (plies - 1) / 2, plies, &Rules);
            assert_eq!(wins, formula(Family::Wins, plies), "{} in {plies}", position.write());
        }
    }
    assert!(found[0] > 0 && found[0] < found[1] && found[1] < found[2], "{found:?}");
}

#[test]
fn small_games_are_decided_both_ways() {
    for (variant, outcome) in [("3,3,3", Outcome::Draw), ("4,3,3", Outcome::Win), ("4,4,3", Outcome::Win)] {
        let root = Mnk::from_variant(variant).expect("a variant").start();
        let budget = Budget::nodes(3_000_000);
        let task =
            Task { root: &root, goal: Goal::Outcome, expertise: &Rules, budget: &budget, observer: &Quiet };
        let mut solver = Solver::new(Options::default(), &budget);
        assert_eq!(solver.solve(&task).bounds.outcome(), Some(outcome), "{variant}");
        if outcome == Outcome::Win {
            let question = Question { player: Player::FIRST, at_least: 1 };
            let m = solver.advise(&root, question).expect("a first move");
            let after = root.after(m);
            let lost = Task { root: &after, ..task };
            assert_eq!(solver.solve(&lost).bounds.outcome(), Some(Outcome::Loss));
        }
        let mut by_numbers = df_pn::Solver::new(Options::default(), &budget);
        assert_eq!(by_numbers.solve(&task).bounds.outcome(), Some(outcome), "{variant} by proof numbers");
        if outcome == Outcome::Win {
            assert!(by_numbers.advise(&root, Question { player: Player::FIRST, at_least: 1 }).is_some());
        }
        let few = Budget::nodes(100);
        let task =
            Task { root: &root, goal: Goal::Outcome, expertise: &Rules, budget: &few, observer: &Quiet };
        assert!(Solver::new(Options::default(), &few).solve(&task).counts.nodes <= 400);
        assert!(df_pn::Solver::new(Options::default(), &few).solve(&task).counts.nodes <= 400);
    }
}
