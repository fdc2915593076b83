use super::passing::Passed;
use super::rows::Rows;
use super::*;
use endspiel_game::{Game, Notation, Player, Position, Rng, mix};
use endspiel_retro::{
    Cells, Indexed, Job, Known, Metric, Scheme, Table, Tally, Work, backward, closure, iterate,
};
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

/// The solver of rows, plain value iteration with the rules' own moves, and backward analysis with moves taken back agree in
/// every position.
#[test]
fn all_solvers_agree() {
    let (endings, work) = (Endings::new(), Work::default());
    let same = |name: &str, known: &Known<Material>, metric: Metric, other: &Table| {
        let slice = endings.read_slices(name).unwrap()[0];
        let fast = known.table(&slice).unwrap();
        let differ = (0..).zip(other.values().zip(fast.values())).find(|(_, (a, b))| a != b);
        let board = differ.and_then(|(index, _)| endings.position(slice, index)).map(|board| board.write());
        assert_eq!(differ, None, "{name} {metric:?} {board:?}");
        assert_eq!(other.len(), fast.len());
    };
    for metric in [Metric::End, Metric::Conversion, Metric::Zeroing, Metric::ZEROING50, Metric::Value] {
        let known = solve(&endings, "KPK", metric);
        for name in ["KRK", "KQK", "KPK"] {
            let job =
                Job { slice: endings.read_slices(name).unwrap()[0], metric, known: &known, work: &work };
            same(name, &known, metric, &iterate(&endings, &job, Scheme::InPlace).unwrap().0);
            same(name, &known, metric, &backward(&endings, &job).unwrap());
        }
    }
    for (name, metric) in [("KBBK", Metric::End), ("KNNK", Metric::Zeroing)] {
        let known = solve(&endings, name, metric);
        let job = Job { slice: endings.read_slices(name).unwrap()[0], metric, known: &known, work: &work };
        same(name, &known, metric, &backward(&endings, &job).unwrap());
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
        (Metric::VALUE50, Metric::Value),
        (Metric::END50, Metric::End),
        (Metric::CONVERSION50, Metric::Conversion),
        (Metric::ZEROING50, Metric::Zeroing),
    ] {
        assert!(values(with) == values(without), "{with:?}");
    }
    let (rule, zeroing) = (values(Metric::Rule), values(Metric::Zeroing));
    let both = || rule.iter().flatten().zip(zeroing.iter().flatten());
    assert!(both().all(|(rule, zeroing)| rule.signum() == zeroing.signum() && rule.abs() >= zeroing.abs()));
    let longer = both().filter(|(rule, zeroing)| rule != zeroing).count();
    assert!(longer > 1000 && both().all(|(rule, _)| rule.abs() <= 21), "{longer}");
}

/// Tables under the rule are as the engine's own solver has them, which keeps all moves.
#[test]
fn metrics_under_the_rule_by_the_engines_own_solver() {
    let (endings, work) = (Endings::new(), Work::default());
    for (name, metric) in [
        ("KRK", Metric::Rule),
        ("KRK", Metric::VALUE50),
        ("KRK", Metric::CONVERSION50),
        ("KRK", Metric::END50),
        ("KPK", Metric::Rule),
        ("KPK", Metric::VALUE50),
        ("KPK", Metric::CONVERSION50),
        ("KPK", Metric::END50),
        // Rules that matter there.
        ("KRK", Metric::ValueWithin(9)),
        ("KRK", Metric::ZeroingWithin(9)),
        ("KPK", Metric::EndWithin(6)),
        ("KPK", Metric::ConversionWithin(6)),
        ("KPK", Metric::ZeroingWithin(6)),
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

/// Whatever number of moves a rule allows, those positions are decided under it whose depth by the rule is no more; and where
/// one allows more than another, more is decided, and no later.
#[test]
fn rules_of_all_lengths() {
    let endings = Endings::new();
    for (name, most) in [("KRK", 17), ("KPK", 11), ("KBNK", 34)] {
        let slice = endings.read_slices(name).unwrap()[0];
        let values = |metric: Metric| -> Vec<Option<i32>> {
            solve(&endings, name, metric).table(&slice).unwrap().values().collect()
        };
        let (rule, free) = (values(Metric::Rule), values(Metric::Zeroing));
        let depth = |value: i32| if value < 0 { -1 - value } else { value };
        let mut last: Option<Vec<Option<i32>>> = None;
        for moves in [1, 2, 5, 8, 10, 13, most] {
            let found = values(Metric::ZeroingWithin(moves));
            let (mut decided, mut drawn) = (0, 0);
            for (index, (value, rule)) in found.iter().zip(&rule).enumerate() {
                let (Some(value), Some(rule)) = (*value, *rule) else { continue };
                let within = rule != 0 && depth(rule) <= 2 * i32::from(moves);
                assert_eq!(value.signum(), if within { rule.signum() } else { 0 }, "{name} {moves} {index}");
                decided += u32::from(within);
                drawn += u32::from(rule != 0 && !within);
                let before = last.as_ref().and_then(|last| last[index]).unwrap_or(0);
                assert!(before == 0 || before.signum() == value.signum() && before.abs() >= value.abs());
            }
            assert!(decided > 0 && (drawn > 0) == (moves < most - 1), "{name} {moves}: {decided}, {drawn}");
            last = Some(found);
        }
        assert!(last == Some(free), "{name}");
    }
}

/// With so many plies a phase those positions are decided whose depth by the rule is no more, whatever the endings below are
/// worth: they are made up here. Depths by the rule do not count the move by which a loser must end a phase, where a countdown
/// needs a ply for it.
#[test]
fn limits_and_countdowns_agree() {
    let (endings, work) = (Endings::new(), Work::default());
    for (name, limit, metric) in
        [("KQKR", 9, Metric::CONVERSION50), ("KPKP", 5, Metric::VALUE50), ("KBPK", 14, Metric::CONVERSION50)]
    {
        let slice = endings.read_slices(name).unwrap()[0];
        let (mut rule, mut within) = (Known::default(), Known::default());
        for below in endings.conversions(slice) {
            let made_up = |index: u64| {
                let mut rng = Rng::new(index);
                (rng.below(5) as i16 - 2, 1 + rng.below(20) as i16)
            };
            let all = || (0..endings.size(below)).map(made_up);
            let depths = all().map(|(side, needed)| match side {
                -2..=-1 => -1 - needed,
                0 => 0,
                _ => needed,
            });
            rule.insert(below, Arc::new(Table::of_numbers(Metric::Rule, depths.collect())));
            let outcomes = all().map(|(side, needed)| if needed <= limit { side.signum() } else { 0 });
            within.insert(below, Arc::new(Table::of_numbers(metric, outcomes.collect())));
        }
        let job = |metric, known| Job { slice, metric, known, work: &work };
        let depths = endings.solve(&job(Metric::Rule, &rule)).unwrap();
        let found = countdown::solve(&endings, &job(metric, &within), limit as u16).unwrap().unwrap();
        let (mut decided, mut open, mut forced) = (0, 0, 0);
        for (index, (found, depth)) in (0..).zip(found.values().zip(depths.values())) {
            let (Some(found), Some(depth)) = (found, depth) else {
                assert_eq!(found, depth);
                continue;
            };
            let needed = if depth < 0 { -1 - depth } else { depth };
            let told = |limit: i16| if needed <= limit.into() { depth.signum() } else { 0 };
            if found.signum() != told(limit) {
                let board = endings.position(slice, index).unwrap().write();
                assert_eq!((found, told(limit - 1)), (0, 0), "{depth} {board}");
                forced += 1;
            }
            decided += u32::from(found != 0);
            open += u32::from(found == 0 && depth != 0);
        }
        assert!(decided > 100_000 && open > 10_000 && forced < open / 2, "{name} {decided} {open} {forced}");
    }
}

/// What rows tell in words they tell move by move too.
#[test]
fn rows_reach_where_moves_lead() {
    use super::rows::{Rows, Which};
    let (endings, mut rng) = (Endings::new(), Rng::new(5));
    for name in ["KQRKR", "KBPKP", "KPPKP", "KNPK"] {
        let slice = endings.read_slices(name).unwrap()[0];
        let rows = Rows::new(endings.layout(slice).unwrap()).unwrap();
        let (mut checked, mut moves) = (0, 0);
        while checked < 2_000 {
            let Some(row) = rows.row(rng.below(rows.layout.kings.pairs.len()), rng.below(rows.block)) else {
                continue;
            };
            let seed = rng.below(1 << 20);
            // Where the other player is to move, that is legal.
            let set = |side: Player, i: usize| {
                let legal =
                    rows.row(i / rows.block, i % rows.block).map(|row| !rows.illegal(&row, side.other()));
                mix((seed + i) as u64) & mix((seed ^ i) as u64) & legal.unwrap_or(0)
            };
            for (side, which) in [Player::FIRST, Player::SECOND]
                .into_iter()
                .flat_map(|side| [Which::All, Which::Pieces, Which::Pawns].map(|which| (side, which)))
            {
                let (mut found, set, want) = (0, |i| set(side, i), !rows.illegal(&row, side));
                rows.successors(&row, side, set, want, which, |square, to, last| {
                    assert!(want >> square & 1 == 1 && set(to) >> last & 1 == 1);
                    found |= 1_u64 << square;
                    moves += 1;
                });
                assert_eq!(found, want & rows.reach(&row, side, set, !0, which), "{name} {row:?} {which:?}");
            }
            checked += 1;
        }
        assert!(moves > 10_000, "{name} {moves}");
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

/// The share of White's wins with White to move and how many moves they take to conversion on the average.
fn check_bishop_and_knight(endings: &Endings, known: &Known<Material>) {
    let slice = endings.read_slices("KBNK").unwrap()[0];
    let half = endings.layout(slice).unwrap().half as usize;
    let mut tally = Tally::default();
    let values = known.table(&slice).unwrap().values().take(half);
    values.flatten().for_each(|cell| tally.note(Metric::Conversion, cell));
    let share = 100.0 * tally.wins as f64 / tally.positions() as f64;
    let average = tally.mean_win().unwrap();
    assert!((share - 99.5052).abs() < 5e-5 && (average - 24.6797).abs() < 5e-5, "{share} {average}");
    let presence = tally.presence().unwrap();
    assert!((presence - 0.995_052 * 24.6797).abs() < 1e-4, "{presence}");
}

/// The end is never nearer than a conversion, nor that than a move that zeroes the count; all three agree on who wins.
#[test]
fn mate_is_no_nearer_than_conversion_and_zeroing() {
    let endings = Endings::new();
    let metrics = [Metric::End, Metric::Conversion, Metric::Zeroing];
    let known = metrics.map(|metric| solve(&endings, "KNKP", metric));
    for name in ["KPK", "KNKP"] {
        let slice = endings.read_slices(name).unwrap()[0];
        let (mut longer, mut checked) = ([0; 2], 0);
        for index in 0..endings.size(slice) {
            let [end, conversion, zeroing] =
                known.each_ref().map(|known| known.get(&slice, index).unwrap_or(i32::MIN));
            if end == i32::MIN {
                continue;
            }
            let one = end.signum() == conversion.signum() && end.signum() == zeroing.signum();
            let order = end.abs() >= conversion.abs() && conversion.abs() >= zeroing.abs();
            assert!(one && order, "{name} {index}: {end} {conversion} {zeroing}");
            longer[0] += i32::from(end != conversion);
            longer[1] += i32::from(conversion != zeroing);
            checked += 1;
        }
        assert!(checked > 100_000 && longer.iter().all(|&many| many > 10_000), "{name} {checked} {longer:?}");
    }
}

/// Wins with White and with Black to move, drawn or delayed as tables say.
#[test]
fn the_rule_draws_and_delays() {
    let endings = Endings::new();
    let slice = endings.read_slices("KNKN").unwrap()[0];
    let known = solve(&endings, "KNKN", Metric::Conversion);
    let table = known.table(&slice).unwrap();
    let none = Impact { won: [5, 1], ..Impact::default() };
    let turned = |impact: Impact| {
        let both = |[white, black]: [u64; 2]| [black, white];
        Impact { won: both(impact.won), drawn: both(impact.drawn), delayed: both(impact.delayed) }
    };
    assert_eq!(endings.impact(slice, table, table), [none, turned(none)]);
    // All mates at once become draws, all who are mated take two plies longer.
    let changed = table.values().map(|value| match value {
        None => i8::MIN,
        Some(value) if value > 0 => 0,
        Some(value) => value as i8 + 2 * value.signum() as i8,
    });
    let changed = Table { metric: Metric::ZEROING50, cells: Cells::Narrow(changed.collect()) };
    let some = Impact { won: [5, 1], drawn: [5, 0], delayed: [0, 1] };
    assert_eq!(endings.impact(slice, table, &changed), [some, turned(some)]);
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
            check_bishop_and_knight(&endings, &known);
        }
    }
}

/// Who wins how often with a queen against a rook, and White's wins with White to move by their depth to conversion in moves.
#[test]
fn a_queen_against_a_rook() {
    let endings = Endings::new();
    let slice = endings.read_slices("KQKR").unwrap()[0];
    let known = solve(&endings, "KQKR", Metric::Conversion);
    let half = endings.layout(slice).unwrap().half as usize;
    let values: Vec<Option<i32>> = known.table(&slice).unwrap().values().collect();
    let count = |half: &[Option<i32>], sign| half.iter().flatten().filter(|v| v.signum() == sign).count();
    let found: Vec<[usize; 3]> =
        values.chunks(half).map(|half| [1, 0, -1].map(|sign| count(half, sign))).collect();
    assert_eq!(found, [[1_134_276, 9_133, 2_179], [395_019, 80_430, 903_187]]);
    let mut depths = [0; 31];
    for &plies in values[..half].iter().flatten().filter(|plies| **plies > 0) {
        depths[(plies as usize).div_ceil(2) - 1] += 1;
    }
    let published = [
        455910, 186446, 44236, 27389, 23193, 16114, 10623, 8026, 6454, 6405, 7225, 8843, 10052, 11465, 13110,
        15788, 18635, 21473, 24717, 29059, 33479, 34879, 35136, 31196, 24221, 15844, 8993, 4058, 1180, 125,
        2,
    ];
    assert_eq!(depths, published);
}

/// Positions at which the printed rules err, and random ones with the weak or the strong king in a corner: mate and mate at
/// once are told by the rules of chess, and no draw is either.
#[test]
fn two_knights_are_judged_at_a_glance() {
    // What is seen, whether the player to move is mated, and what the printed rules see.
    let mut printed = [
        Some(Glimpse::Mated),
        Some(Glimpse::Mated),
        Some(Glimpse::Mates),
        Some(Glimpse::Draw),
        Some(Glimpse::Draw),
        Some(Glimpse::Mates),
        Some(Glimpse::MatesNext),
        Some(Glimpse::Draw),
        Some(Glimpse::Draw),
        Some(Glimpse::Draw),
    ]
    .into_iter();
    for (text, seen, mated) in [
        // A knight takes the piece that would mate, or its own king stands where it would mate.
        ("8/8/8/8/8/8/Nbk5/K2N4 w - -", Some(Glimpse::Draw), false),
        ("8/8/8/8/8/1n6/N1k5/K1N5 w - -", Some(Glimpse::Draw), false),
        ("8/8/8/8/8/8/N1k5/KN2n3 b - -", Some(Glimpse::Draw), false),
        // The weak king is in check, and even mated.
        ("8/8/8/8/8/4N3/N2b4/K1k5 b - -", None, true),
        ("8/8/8/8/8/4N3/N2n4/K1k5 b - -", None, true),
        // The strong king stands where a knight would give mate, or is attacked itself.
        ("8/8/8/8/8/2N5/1bK5/k3N3 w - -", None, false),
        ("8/8/8/8/8/2N5/1n6/k2KN3 w - -", None, false),
        // Hemmed in by its own knights at the edge, the strong king is mated.
        ("8/8/8/8/8/2n5/1N1k4/NK6 w - -", None, true),
        ("8/8/8/8/8/3n4/2N1k3/1NK5 w - -", None, true),
        ("8/8/8/3b4/8/3k4/8/K2NN3 b - -", Some(Glimpse::Draw), false),
    ] {
        let board = Chess.read(text).unwrap();
        assert_eq!((glimpse(&board), board.turn().is_over()), (seen, mated), "{text}");
        assert_eq!(Some(glimpse_as_printed(&board)), printed.next(), "{text}");
        assert_eq!(board.turn().is_over() && board.payoff().of(board.side()) < 0, mated, "{text}");
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
            Some(Glimpse::MatesNext) => false,
            None => true,
        };
        assert!(truth, "{}: {:?}", board.write(), glimpse(&board));
        counts[glimpse(&board).map_or(3, |seen| seen as usize)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

/// Rows tell like pawns apart, and a table is read off rows with these in order: each double step beside an enemy pawn is noted there,
/// whichever of the pawns may capture or has moved.
#[test]
fn double_steps_are_noted_for_every_order_of_like_pawns() {
    let (endings, work, known) = (Endings::new(), Work::default(), Known::default());
    for name in ["KPPKP", "KRPKP"] {
        let slice = endings.read_slices(name).unwrap()[0];
        let layout = endings.layout(slice).unwrap();
        let rows = Rows::new(layout).unwrap();
        let job = Job { slice, metric: Metric::End, known: &known, work: &work };
        let (plain, half) = (layout.halves() * layout.half, layout.passing_half());
        let (mut rng, mut noted) = (Rng::new(5), [0; 2]);
        while noted.iter().sum::<u32>() < 2000 {
            let index = u64::from(rng.below(plain as usize) as u32);
            let Some(board) = endings.position(slice, index) else { continue };
            let here = rows.find(layout.men(index).0);
            board.moves(|m| {
                let next = board.after(m);
                if let Some((_, after)) =
                    endings.place(&next).filter(|&(there, after)| there == slice && after >= plain)
                {
                    let side = Player(((after - plain) / half) as u8);
                    let found = Passed::find(&endings, &rows, &job, side, (after - plain) % half).unwrap();
                    let mut before = found.iter().flatten().map(|passed| passed.before);
                    assert!(before.any(|before| before == Some(here)), "{name} {}", board.write());
                    noted[side.index()] += 1;
                }
            });
        }
        assert!(noted[0] > 300 && noted[1] > 300, "{name} {noted:?}");
    }
}

/// A countdown from plies without end tells what the rounds do; the endings below are made up.
#[test]
fn countdowns_without_a_limit_agree_with_rounds() {
    let (endings, work) = (Endings::new(), Work::default());
    for name in ["KPKP", "KQKR"] {
        let slice = endings.read_slices(name).unwrap()[0];
        let mut known = Known::default();
        for below in endings.conversions(slice) {
            let made_up = |index: u64| {
                let mut rng = Rng::new(index);
                let moves = 1 + rng.below(20) as i16;
                [-1 - 2 * moves, 0, 2 * moves - 1][rng.below(3)]
            };
            let numbers = (0..endings.size(below)).map(made_up).collect();
            known.insert(below, Arc::new(Table::of_numbers(Metric::End, numbers)));
        }
        let job = Job { slice, metric: Metric::End, known: &known, work: &work };
        let rounds = endings.solve(&job).unwrap();
        let counted = countdown::solve(&endings, &job, u16::MAX).unwrap().unwrap();
        assert!(rounds.values().eq(counted.values()), "{name}");
    }
}
