//! Published and recomputed figures of the levels, and the agreement of all ways to compute them.

use super::Levels;
use endspiel_game::{Budget, Game, Notation, Position};
use endspiel_retro::{
    Error, Indexed, Job, Known, Metric, Probe, Scheme, Store, Table, Work, backward, closure, iterate, plan,
};
use endspiel_rules::awari::{Awari, Board};
use endspiel_search::exhaustive::Solution;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

const VARIANTS: [&str; 5] = [
    "",
    "grand-slam=forbidden",
    "grand-slam=no-capture",
    "grand-slam=allowed",
    "grand-slam=rest-to-opponent",
];

fn levels(variant: &str) -> Levels {
    Levels::new(Awari::from_variant(variant).unwrap())
}

/// All levels up to `most`, by `solve`.
fn build(levels: &Levels, most: u8, solve: impl Fn(&Job<'_, Levels>) -> Table) -> Known<u8> {
    let (mut known, work) = (Known::default(), Work::default());
    for slice in closure(levels, &(0..=most).collect::<Vec<_>>()) {
        let table = solve(&Job { slice, metric: Metric::Score, known: &known, work: &work });
        known.insert(slice, Arc::new(table));
    }
    known
}

fn fast(levels: &Levels, most: u8) -> Known<u8> {
    build(levels, most, |job| levels.solve(job).unwrap())
}

fn histogram(table: &Table) -> BTreeMap<i32, u64> {
    let mut out = BTreeMap::new();
    table.values().flatten().for_each(|value| *out.entry(value).or_default() += 1);
    out
}

fn mean_and_deviation(table: &Table) -> (f64, f64) {
    let count = table.len() as f64;
    let sum = |f: fn(f64) -> f64| table.values().flatten().map(|v| f(v.into())).sum::<f64>() / count;
    let mean = sum(|v| v);
    (mean, (sum(|v| v * v) - mean * mean).sqrt())
}

#[test]
fn values_of_the_olympiad_rules() {
    let known = fast(&levels(""), 13);
    for line in include_str!("histograms.txt").lines().filter(|line| !line.starts_with('#')) {
        let (n, counts) = line.split_once(": ").unwrap();
        let expected: BTreeMap<i32, u64> = counts
            .split(' ')
            .map(|pair| pair.split_once(':').unwrap())
            .map(|(value, count)| (value.parse().unwrap(), count.parse().unwrap()))
            .collect();
        assert_eq!(histogram(known.table(&n.parse().unwrap()).unwrap()), expected, "{n} stones");
    }
    for (n, outcomes, mean, deviation) in [
        (10, [157_721, 93_743, 101_252], 1.11985, 5.22349),
        (11, [371_960, 92_787, 240_685], 1.28690, 5.37571),
        (12, [714_486, 197_894, 439_698], 1.29020, 4.78574),
        (13, [1_364_947, 312_251, 818_946], 1.34871, 4.68629),
    ] {
        let table = known.table(&n).unwrap();
        let count = |sign: i32| table.values().flatten().filter(|v| v.signum() == sign).count();
        assert_eq!([1, 0, -1].map(count), outcomes, "{n} stones");
        let found = mean_and_deviation(table);
        assert!((found.0 - mean).abs() < 6e-6 && (found.1 - deviation).abs() < 6e-6, "{n} stones: {found:?}");
    }
}

/// Mean and deviation tell the rules of the grand slam apart.
#[test]
fn values_of_the_other_rules() {
    for (variant, n, mean, deviation) in [
        ("grand-slam=no-capture", 10, 1.12375, 5.22753),
        ("grand-slam=no-capture", 12, 1.29287, 4.80434),
        ("grand-slam=allowed", 10, 1.17165, 5.26791),
        ("grand-slam=allowed", 12, 1.33773, 4.87374),
        ("grand-slam=rest-to-opponent", 10, 1.12669, 5.21350),
    ] {
        let found = mean_and_deviation(fast(&levels(variant), n).table(&n).unwrap());
        let near = (found.0 - mean).abs() < 6e-6 && (found.1 - deviation).abs() < 6e-6;
        assert!(near, "{variant} {n} {found:?}");
    }
}

/// J. van Rijswijck, Learning from Perfection (2000): how far features of the positions with ten stones explain the values.
/// His figures are over the positions in which an opponent's pit is empty, as the one just sown is.
#[test]
fn features_explain_as_much_as_published() {
    type Pits = [[u8; 6]; 2];
    let levels = levels("");
    let known = fast(&levels, 10);
    let set: Vec<(Pits, i32)> = (0..levels.size(10))
        .filter_map(|i| {
            let board = levels.position(10, i)?;
            let mover = levels.mover(&board);
            let pits = [mover, mover.other()].map(|player| board.pits(player));
            Some((pits, known.get(&10, i)?))
        })
        .filter(|(pits, _): &(Pits, i32)| pits[1].contains(&0))
        .collect();
    assert_eq!(set.len(), 351_351);
    let all = set.len() as f64;
    let mean = set.iter().map(|(_, v)| f64::from(*v)).sum::<f64>() / all;
    // What is left of the variance when every class of positions is judged by its mean.
    let left = |class: &dyn Fn(&Pits, i32) -> i32| {
        let mut classes: BTreeMap<i32, (f64, f64, f64)> = BTreeMap::new();
        for (pits, value) in &set {
            let (many, sum, squares) = classes.entry(class(pits, *value)).or_default();
            let value = f64::from(*value);
            (*many, *sum, *squares) = (*many + 1.0, *sum + value, *squares + value * value);
        }
        classes.values().map(|(many, sum, squares)| squares - sum * sum / many).sum::<f64>() / all
    };
    let variance = left(&|_, _| 0);
    let near = |found: f64, printed: f64, what: &str| {
        assert!((found - printed).abs() < 6e-6, "{what}: {found}");
    };
    near(mean, 1.14661, "mean");
    near(variance.sqrt(), 5.20733, "deviation");
    let explains = |what: &str, printed: f64, feature: &dyn Fn(&Pits, i32) -> bool| {
        near(1.0 - left(&|pits, value| i32::from(feature(pits, value))) / variance, printed, what);
    };
    explains("a=0", 0.09017, &|[own, _], _| own[0] == 0);
    explains("b=0", 0.07374, &|[own, _], _| own[1] == 0);
    explains("B=0", 0.05579, &|[_, other], _| other[1] == 0);
    explains("A=3", 0.04815, &|[_, other], _| other[0] == 3);
    explains("A>2", 0.09178, &|[_, other], _| other[0] > 2);
    explains("a>1", 0.06976, &|[own, _], _| own[0] > 1);
    explains("b>0 if a=0", 0.14977, &|[own, _], _| own[1] > 0 || own[0] != 0);
    explains("v>1", 0.61222, &|_, value| value > 1);
    explains("v>3", 0.61175, &|_, value| value > 3);
    let leaves = |what: &str, printed: f64, class: &dyn Fn(&Pits) -> i32| {
        near((left(&|pits, _| class(pits)) / variance).sqrt(), printed, what);
    };
    let mobility = |pits: &[u8; 6]| pits.iter().filter(|&&stones| stones > 0).count() as i32;
    let home = |pits: &[u8; 6]| pits.iter().map(|&stones| i32::from(stones)).sum::<i32>();
    let safety = |pits: &[u8; 6]| pits.iter().filter(|&&stones| stones > 2).count() as i32;
    leaves("balance", 0.90811, &|[own, other]| home(own) - home(other));
    leaves("safety", 0.97414, &|[own, other]| safety(own) - safety(other));
    leaves("opponent's mobility", 0.92840, &|[_, other]| mobility(other));
}

#[test]
fn all_solvers_agree_under_all_rules() {
    for variant in VARIANTS {
        let levels = levels(variant);
        let known = fast(&levels, 8);
        let back = build(&levels, 8, |job| backward(&levels, job).unwrap());
        let forward = build(&levels, 8, |job| iterate(&levels, job, Scheme::InPlace).unwrap().0);
        for n in 0..=8 {
            assert!(known.table(&n) == back.table(&n), "{variant}: {n} stones backward");
            assert!(known.table(&n) == forward.table(&n), "{variant}: {n} stones forward");
        }
    }
}

/// Who gets more from a position on, as plain enumeration of what can be played from there says, has a score above 0; with stones
/// captured on the way it has more than the other in all.
#[test]
fn scores_tell_who_wins() {
    let levels = levels("");
    let known = fast(&levels, 6);
    let (mut seen, mut compared) = (HashSet::new(), [0; 3]);
    let roots = (0..=6).rev().flat_map(|n| (0..levels.size(n)).map(move |i| (n, i)));
    for (n, i) in roots {
        let root = levels.position(n, i).unwrap();
        if seen.contains(&root.key()) {
            continue;
        }
        let solution = Solution::of(&root, &Budget::default()).expect("room enough");
        let mut open = vec![root];
        while let Some(board) = open.pop() {
            if board.turn().is_over() || !seen.insert(board.key()) {
                continue;
            }
            let (slice, index) = levels.place(&board).unwrap();
            let score = known.get(&slice, index).unwrap() + levels.lead(&board);
            assert_eq!(Some(score.signum()), solution.score(&board).map(i32::signum), "{}", board.write());
            compared[(score.signum() + 1) as usize] += 1;
            open.extend(board.move_list().into_iter().map(|m| board.after(m)));
        }
    }
    assert!(compared.iter().all(|&many| many > 1000), "{compared:?}");
}

/// The stones that the first move takes decide: without them South would lose.
#[test]
fn nothing_but_the_score_is_told() {
    let levels = levels("");
    let known = fast(&levels, 3);
    let board = levels.game().read("0 0 0 0 0 1|1 0 0 0 1 0 0-0 S").unwrap();
    let (slice, index) = levels.place(&board).unwrap();
    assert_eq!(known.get(&slice, index), Some(1));
    let store = Store::new(Path::new("nowhere"), "awari");
    for metric in Metric::ALL.into_iter().filter(|metric| *metric != Metric::Score) {
        let planned = plan(&levels, &store, &[3], metric);
        assert!(matches!(planned, Err(Error::Unscored { .. })), "{metric:?}");
        let opened = Probe::open(&levels, &store, &[3], metric, 0);
        assert!(matches!(opened, Err(Error::Unscored { .. })), "{metric:?}");
    }
    let said = plan(&levels, &store, &[3], Metric::Value).unwrap_err().to_string();
    assert!(said.contains("'wdl'") && said.contains("ask for score"), "{said}");
}

/// The passes of the two-buffer scheme do not depend on how the positions are numbered.
#[test]
fn passes_with_two_buffers_are_the_published_ones() {
    let levels = levels("");
    let known = fast(&levels, 9);
    let work = Work::default();
    for (slice, expected) in (0..).zip([1, 4, 12, 31, 41, 63, 65, 64, 63, 89, 70]) {
        let job = Job { slice, metric: Metric::Score, known: &known, work: &work };
        let (table, passes) = iterate(&levels, &job, Scheme::TwoBuffers).unwrap();
        assert_eq!(passes, expected, "{slice} stones");
        assert!(slice > 9 || Some(&table) == known.table(&slice).map(|t| &**t), "{slice} stones");
    }
}

/// Numbers of positions, with each number of stones and up to it; and in place about as many passes as published, which
/// depends on the order of the positions.
#[test]
fn positions_and_passes_in_place_are_those_published() {
    let levels = levels("");
    let known = fast(&levels, 8);
    let work = Work { threads: 1, ..Work::default() };
    let (mut all, mut compared) = (0, 0);
    for line in include_str!("positions.txt").lines().filter(|line| !line.starts_with('#')) {
        let numbers: Vec<u64> = line.split(' ').map(|n| n.parse().unwrap()).collect();
        let slice = numbers[0] as u8;
        all += levels.size(slice);
        assert_eq!([levels.size(slice), all], numbers[1..3], "{line}");
        if (5..=10).contains(&slice) {
            let job = Job { slice, metric: Metric::Score, known: &known, work: &work };
            let (_, passes) = iterate(&levels, &job, Scheme::InPlace).unwrap();
            let (found, published) = (f64::from(passes), numbers[3] as f64);
            assert!((found / published - 1.0).abs() <= 0.1, "{slice} stones: {passes} passes");
            compared += 1;
        }
    }
    assert_eq!(compared, 6);
}

/// By the rules alone, without slices: what the player to move can be sure of within so many plies, whatever the replies, is
/// the value of the tables from some number of plies on.
#[test]
fn every_value_is_forced_in_bounded_play() {
    let levels = levels("");
    let known = fast(&levels, 6);
    let first: Vec<usize> = (0..=7).map(|n| (0..n).map(|n| levels.size(n) as usize).sum()).collect();
    let place = |board: &Board| {
        let (slice, index) = levels.place(board).unwrap();
        first[usize::from(slice)] + index as usize
    };
    let all: Vec<Board> = (0..=6)
        .flat_map(|n| (0..levels.size(n)).map(move |i| (n, i)))
        .map(|(n, i)| levels.position(n, i).unwrap())
        .collect();
    // Where the game is over, what it gives; else the moves with the stones they take.
    let ends: Vec<Option<i32>> = all
        .iter()
        .map(|board| board.turn().is_over().then(|| board.payoff().of(levels.mover(board))))
        .collect();
    let moves: Vec<Vec<(i32, usize)>> = all
        .iter()
        .map(|board| {
            let after = |m| {
                let next = board.after(m);
                (-levels.lead(&next), place(&next))
            };
            board.move_list().into_iter().map(after).collect()
        })
        .collect();
    let mut sure = vec![0; all.len()];
    let mut last_change = 0;
    for plies in 1..=100 {
        let next: Vec<i32> = (0..all.len())
            .map(|i| match ends[i] {
                Some(score) => score,
                None => moves[i].iter().map(|&(gain, to)| gain - sure[to]).max().unwrap(),
            })
            .collect();
        last_change = if next == sure { last_change } else { plies };
        sure = next;
    }
    assert!(last_change < 100, "{last_change}");
    for (board, found) in all.iter().zip(sure) {
        let (slice, index) = levels.place(board).unwrap();
        assert_eq!(known.get(&slice, index), Some(found), "{slice} stones, {index}");
    }
}

/// Begun from captures instead of even shares, the iteration ends elsewhere with 11 stones for the first time.
#[test]
fn the_start_matters() {
    let levels = levels("");
    let known = fast(&levels, 11);
    let work = Work::default();
    for slice in [10, 11] {
        let job = Job { slice, metric: Metric::Score, known: &known, work: &work };
        let (wrong, _) = iterate(&levels, &job, Scheme::FromConversions).unwrap();
        let right = known.table(&slice).unwrap();
        assert_eq!(wrong == **right, slice == 10, "{slice} stones");
        if slice == 11 {
            assert!((mean_and_deviation(&wrong).0 - 1.28712).abs() < 6e-6);
        }
    }
}

/// Allis 1994, figure 2.8: South wins all three stones, with B1 and with E1.
#[test]
fn a_position_of_the_thesis() {
    let levels = levels("");
    let known = fast(&levels, 3);
    let value = |board| levels.place(&board).and_then(|(slice, index)| known.get(&slice, index));
    let board = levels.game().read("0 1 0 0 1 0|0 0 0 0 0 1 0-0 S").unwrap();
    assert_eq!(value(board), Some(3));
    assert_eq!(
        board.move_list().into_iter().map(|m| value(board.after(m))).collect::<Vec<_>>(),
        [Some(-3); 2]
    );
}

#[test]
fn levels_are_read_in_plain_words() {
    let levels = levels("");
    assert_eq!(levels.read_slices("0-3, 7").unwrap(), [0, 1, 2, 3, 7]);
    assert_eq!(levels.read_slices("12").unwrap(), [12]);
    let fault = levels.read_slices("0-49").unwrap_err();
    assert_eq!((fault.at, fault.what.as_str()), (2, "'49' is no level"));
    let turned = levels.read_slices("20-10").unwrap_err();
    assert_eq!(
        (turned.what.as_str(), turned.expected.as_str()),
        ("20 is more than 10", "the lower level first: 10-20")
    );
    assert!(levels.read_slices("KQKR").is_err() && levels.read_slices("9-").is_err());
}
