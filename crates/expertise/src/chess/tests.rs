use super::*;
use endspiel_game::{Game, Notation, Player, Position, Rng};
use endspiel_retro::{Indexed, Job, Known, Metric, Scheme, Work, backward, closure, iterate};
use endspiel_rules::chess::{Board, Chess, Kind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Solves endings and what they convert into.
fn solve(endings: &Endings, names: &str, metric: Metric) -> Known<Material> {
    let (mut known, work) = (Known::default(), Work::default());
    for slice in closure(endings, &endings.read_slices(names).unwrap()) {
        let job = Job { slice, metric, known: &known, work: &work };
        let table = endings.solve(&job).unwrap();
        known.insert(slice, Arc::new(table));
    }
    known
}

/// Every number is a position that has this number, or none.
#[test]
fn numbers_are_read_back() {
    let endings = Endings::new();
    for name in ["KRK", "KPK", "KQKQ", "KNNK", "KPKP", "KPPK", "KBPKP", "KPPKP", "KQQQK", "KPPPK"] {
        let slice = endings.read_slices(name).unwrap()[0];
        let size = endings.size(slice);
        for index in (0..size).step_by(1 + size as usize / 50_000) {
            if let Some(board) = endings.position(slice, index) {
                assert_eq!(endings.place(&board), Some((slice, index)), "{name} {index} {}", board.write());
            }
        }
    }
}

/// The solver of rows and plain value iteration with the rules' own moves agree in every position.
#[test]
fn both_solvers_agree() {
    let endings = Endings::new();
    let work = Work::default();
    for metric in [Metric::End, Metric::Zeroing50, Metric::Value] {
        let known = solve(&endings, "KPK", metric);
        let slice = endings.read_slices("KPK").unwrap()[0];
        let job = Job { slice, metric, known: &known, work: &work };
        let (table, _) = iterate(&endings, &job, Scheme::InPlace).unwrap();
        let fast = known.table(&slice).unwrap();
        let differ = (0..).zip(table.values().zip(fast.values())).find(|(_, (a, b))| a != b);
        let board = differ.and_then(|(index, _)| endings.position(slice, index)).map(|board| board.write());
        assert_eq!(differ, None, "{metric:?} {board:?}");
    }
}

/// In king and pawn against king no phase lasts fifty moves: the rule changes nothing, and the depth by the rule is the
/// longest of the phases, of which the first is one.
#[test]
fn metrics_under_the_rule() {
    let endings = Endings::new();
    let slice = endings.read_slices("KPK").unwrap()[0];
    let values = |metric: Metric| -> Vec<Option<i32>> {
        solve(&endings, "KPK", metric).table(&slice).unwrap().values().collect()
    };
    for (with, without) in [
        (Metric::Value50, Metric::Value),
        (Metric::End50, Metric::End),
        (Metric::Conversion50, Metric::Conversion),
        (Metric::Zeroing50, Metric::Zeroing),
    ] {
        assert!(values(with) == values(without), "{with:?}");
    }
    let (rule, zeroing) = (values(Metric::Rule), values(Metric::Zeroing));
    let both = || rule.iter().flatten().zip(zeroing.iter().flatten());
    assert!(both().all(|(rule, zeroing)| rule.signum() == zeroing.signum() && rule.abs() >= zeroing.abs()));
    let longer = both().filter(|(rule, zeroing)| rule != zeroing).count();
    assert!(longer > 1000 && both().all(|(rule, _)| rule.abs() <= 21), "{longer}");
}

/// Without pawns tables under the rule are made by rounds: as the engine's own solver has them, which keeps all moves.
#[test]
fn metrics_under_the_rule_without_pawns() {
    let (endings, work) = (Endings::new(), Work::default());
    for (name, metric) in [
        ("KRK", Metric::Rule),
        ("KRKR", Metric::Rule),
        ("KRK", Metric::Value50),
        ("KRK", Metric::Conversion50),
    ] {
        let known = solve(&endings, name, metric);
        let slice = endings.read_slices(name).unwrap()[0];
        let job = Job { slice, metric, known: &known, work: &work };
        let table = backward(&endings, &job).unwrap();
        let fast = known.table(&slice).unwrap();
        let differ = (0..).zip(table.values().zip(fast.values())).find(|(_, (a, b))| a != b);
        let board = differ.and_then(|(index, _)| endings.position(slice, index)).map(|board| board.write());
        assert_eq!(differ, None, "{name} {metric:?} {board:?}");
    }
}

/// In every position in which a pawn can be captured in passing, and in those before the double step, the value
/// follows from the moves of the rules.
fn check_captures_in_passing(endings: &Endings, known: &Known<Material>) {
    let slice = endings.read_slices("KPKP").unwrap()[0];
    let outcome = |board: &Board| {
        let found = endings.place(board).and_then(|(slice, index)| known.get(&slice, index));
        if board.turn().is_over() { board.payoff().of(board.side()) } else { found.unwrap().signum() }
    };
    let best = |board: &Board| board.move_list().into_iter().map(|m| -outcome(&board.after(m))).max();
    let mut checked = 0;
    for index in (0..endings.size(slice)).rev().take(1806 * 14) {
        let Some(board) = endings.position(slice, index) else { continue };
        assert_eq!(Some(outcome(&board)), best(&board), "{}", board.write());
        let passed = usize::from(board.passed_square().unwrap());
        let men = (0..64).filter_map(|s| board.at(s).map(|(kind, player)| (s, kind, player)));
        let back = |s: usize| if s + 8 == passed { passed + 8 } else { s } as u8;
        let men: Vec<_> = men.map(|(s, kind, player)| (back(s), kind, player)).collect();
        if let Some(before) = Board::of_pieces(&men, Player::SECOND, None) {
            assert_eq!(Some(outcome(&before)), best(&before), "{}", before.write());
            checked += 1;
        }
    }
    assert!(checked > 10_000, "{checked}");
}

/// Legal positions and draws, White to move and Black to move (in symmetric endings one of them).
fn check_positions_and_draws(endings: &Endings, known: &Known<Material>) {
    let expected = [
        ("KRK", vec![(22400, 0), (28644, 2847)]),
        ("KQK", vec![(18492, 0), (28644, 2953)]),
        ("KQKR", vec![(1145588, 9133), (1378636, 80430)]),
        ("KQKQ", vec![(1145588, 662096)]),
        ("KRKR", vec![(1378636, 968077)]),
        ("KRKN", vec![(1378636, 711483), (1603202, 1426802)]),
        ("KRKB", vec![(1378636, 893511), (1514236, 1465158)]),
        ("KQKN", vec![(1145588, 7491), (1603202, 313005)]),
        ("KQKB", vec![(1145588, 3507), (1514236, 350103)]),
        ("KBNK", vec![(1391681, 6886), (1747284, 316361)]),
        ("KBBK", vec![(650792, 330177), (873642, 513732)]),
    ];
    for (name, halves) in expected {
        let slice = endings.read_slices(name).unwrap()[0];
        let values: Vec<Option<i32>> = known.table(&slice).unwrap().values().collect();
        let found: Vec<(usize, usize)> = values
            .chunks(values.len() / halves.len())
            .map(|half| (half.iter().flatten().count(), half.iter().flatten().filter(|v| **v == 0).count()))
            .collect();
        assert_eq!(found, halves, "{name}");
    }
}

#[test]
fn published_depths() {
    let endings = Endings::new();
    let mut by_metric: BTreeMap<&str, Vec<Published>> = BTreeMap::new();
    published().for_each(|row| by_metric.entry(row.metric.name()).or_default().push(row));
    for (name, rows) in by_metric {
        let metric = rows[0].metric;
        let names: Vec<&str> = rows.iter().map(|row| row.ending).collect();
        let known = solve(&endings, &names.join(" "), metric);
        for row in rows {
            let slice = endings.read_slices(row.ending).unwrap()[0];
            let found = endings.depths(slice, known.table(&slice).unwrap());
            assert_eq!(found.to_string(), row.text, "{name} {}", row.ending);
            assert!(row.agrees(&found), "{row:?}");
        }
        if metric != Metric::End {
            check_captures_in_passing(&endings, &known);
        }
        if metric == Metric::Conversion {
            check_positions_and_draws(&endings, &known);
        }
    }
}

/// Positions at which the printed rules err, and random ones with the weak or the strong king in a corner: mate and mate at
/// once are told by the rules of chess, and no draw is either.
#[test]
fn two_knights_are_judged_at_a_glance() {
    let read = |text: &str| Chess.read(text).unwrap();
    for (text, seen) in [
        ("8/8/8/8/8/8/Nbk5/K2N4 w - -", Some(Glimpse::Draw)),
        ("8/8/8/8/8/1n6/N1k5/K1N5 w - -", Some(Glimpse::Draw)),
        ("8/8/8/8/8/2N5/1bK5/k3N3 w - -", None),
        ("8/8/8/8/8/2N5/1n6/k2KN3 w - -", None),
        ("8/8/8/8/8/2n5/1N1k4/NK6 w - -", None),
        ("8/8/8/3b4/8/3k4/8/K2NN3 b - -", Some(Glimpse::Draw)),
    ] {
        assert_eq!(glimpse(&read(text)), seen, "{text}");
    }
    let mut rng = Rng::new(12);
    let mut counts = [0; 4];
    while counts.iter().sum::<u32>() < 40_000 {
        let corner = [0, 7, 56, 63][rng.below(4)];
        let squares: [u8; 4] = std::array::from_fn(|_| (rng.below(4) + 8 * rng.below(4)) as u8 ^ corner);
        let minor = if rng.below(2) == 0 { Kind::Bishop } else { Kind::Knight };
        let (first, second) = if rng.below(2) == 0 { (corner, squares[0]) } else { (squares[0], corner) };
        let pieces = [
            (first, Kind::King, Player::FIRST),
            (second, Kind::King, Player::SECOND),
            (squares[1], Kind::Knight, Player::FIRST),
            (squares[2], Kind::Knight, Player::FIRST),
            (squares[3], minor, Player::SECOND),
        ];
        let mover = Player(rng.below(2) as u8);
        let Some(board) = Board::of_pieces(&pieces, mover, None) else { continue };
        let mate_at_once = board.move_list().iter().any(|&m| {
            let next = board.after(m);
            next.turn().is_over() && next.payoff().of(mover) > 0
        });
        let mated = board.turn().is_over() && board.payoff().of(mover) < 0;
        let truth = match glimpse(&board) {
            Some(Glimpse::Mates) => mate_at_once,
            Some(Glimpse::Mated) => mated,
            Some(Glimpse::Draw) => !mate_at_once && !mated,
            None => true,
        };
        assert!(truth, "{}: {:?}", board.write(), glimpse(&board));
        counts[glimpse(&board).map_or(3, |seen| seen as usize)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}
