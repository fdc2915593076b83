use super::orbits::Orbits;
use super::*;
use endspiel_game::{Game, Notation, Rng, Symmetric};
use endspiel_retro::{Indexed, Job, Known, Metric, Scheme, Table, Work, backward, iterate, outside};
use endspiel_rules::nine_mens_morris::points::{ALL, MILL_SYMMETRIES, Points, each, image, milled};
use endspiel_rules::nine_mens_morris::{MEN, NineMensMorris};
use std::collections::HashSet;

/// The range of numbers of all subspaces, and positions of the smallest counted by Burnside's lemma.
#[test]
fn all_subspaces_are_numbered() {
    let spaces = Subspaces::new();
    assert_eq!(Subspace::all().count(), 28);
    assert_eq!(Subspace::all().map(|s| spaces.size(s)).sum::<u64>(), 9_074_932_579);
    let three = Subspace::of(3, 3).unwrap();
    let real = (0..spaces.size(three)).filter(|&i| spaces.position(three, i).is_some());
    assert_eq!(real.count(), 169_626);
    // Where all fly the three squares are alike, too.
    let boards: HashSet<_> = (0..spaces.size(three))
        .filter_map(|i| spaces.position(three, i))
        .map(|board| {
            let men = |s| (image(board.men(board.side()), s), image(board.men(board.side().other()), s));
            (0..MILL_SYMMETRIES).map(men).min()
        })
        .collect();
    assert_eq!(boards.len(), 56_922);
}

/// Why a position is in no slice.
#[test]
fn men_in_hand_are_told() {
    let (game, spaces) = (NineMensMorris, Subspaces::new());
    let begun = game.read("x.o/.../.../....../.../.../... x 8-8").unwrap();
    for (board, many) in [(game.start(), 18), (begun, 16)] {
        assert_eq!(spaces.place(&board), None);
        let why = format!("databases begin when all men are placed, and {many} are still in hand");
        assert!(outside(&spaces, &board).to_string().ends_with(&why));
    }
}

/// How many sets of so many of these points a symmetry keeps: those made of whole cycles.
fn kept(free: Points, men: usize, s: usize) -> u64 {
    let (mut ways, mut left) = (vec![0; men + 1], free);
    ways[0] = 1;
    while left != 0 {
        let (first, mut cycle) = (left & left.wrapping_neg(), 0);
        while cycle & first == 0 || image(cycle, s) != cycle {
            cycle |= if cycle == 0 { first } else { image(cycle, s) };
        }
        left &= !cycle;
        let length = cycle.count_ones() as usize;
        for men in (length..=men).rev() {
            ways[men] += ways[men - length];
        }
    }
    ways[men]
}

/// How many orbits of pairs of sets of so many men there are: one orbit of second sets after the other, and of first sets under
/// the symmetries that keep the second (Burnside's lemma). With nine men in the first set the second may have no mill if `heed` says
/// so: who has closed one has taken a man.
fn pairs(slice: Subspace, heed: bool) -> u64 {
    let [more, fewer] = slice.men();
    let orbits = Orbits::new(fewer.into());
    let bases = (0..orbits.many() as usize).map(|orbit| orbits.first(orbit));
    let passing = bases.filter(|(base, _)| !heed || more < MEN || milled(*base) == 0);
    let ways = passing.map(|(base, keep)| {
        let fixed: u64 = each(keep.into()).map(|s| kept(ALL & !base, more.into(), s)).sum();
        fixed / u64::from(keep.count_ones())
    });
    ways.sum::<u64>() * if more == fewer { 1 } else { 2 }
}

/// Positions up to symmetry, wasted numbers left out, are as many as published for the smallest subspaces. Of all but nine against
/// nine, those in which one side has nine men and the other a mill cannot come about.
#[test]
fn positions_are_as_many_as_published() {
    let spaces = Subspaces::new();
    for (name, published) in [("4-3", 1_520_796), ("4-4", 3_225_597)] {
        let slice = spaces.read_slices(name).unwrap()[0];
        let real = (0..spaces.size(slice)).filter(|&i| spaces.position(slice, i).is_some()).count() as u64;
        assert_eq!((real, pairs(slice, true)), (published, published), "{name}");
    }
    assert_eq!(Subspace::all().map(|slice| pairs(slice, false)).sum::<u64>(), 8_904_593_601);
    let other = |slice: &Subspace| slice.men() != [MEN; 2];
    let impossible = Subspace::all().filter(other).map(|slice| pairs(slice, false) - pairs(slice, true));
    assert_eq!(impossible.sum::<u64>(), 858_642_806);
}

#[test]
fn numbers_are_positions_and_back() {
    let spaces = Subspaces::new();
    let mut rng = Rng::new(3);
    for slice in Subspace::all() {
        let size = spaces.size(slice);
        for _ in 0..300 {
            let index = rng.below(size as usize) as u64;
            let Some(board) = spaces.position(slice, index) else { continue };
            assert_eq!(spaces.place(&board), Some((slice, index)), "{}", board.write());
            let s = rng.below(board.symmetries());
            assert_eq!(spaces.place(&board.image(s)), Some((slice, index)), "{}", board.write());
        }
    }
    for wrong in ["2-3", "10-3", "3", "x", "4-3-3"] {
        assert!(spaces.read_slices(wrong).is_err(), "{wrong}");
    }
    assert_eq!(spaces.read_slices("all").unwrap().len(), 28);
}

fn solve(spaces: &Subspaces, slice: Subspace, known: &Known<Subspace>) -> Table {
    let work = Work::default();
    backward(spaces, &Job { slice, metric: Metric::End, known, work: &work }).unwrap()
}

/// Three men against three: both solvers agree. Who is to move wins five in six.
#[test]
fn three_men_a_side_are_solved_in_two_ways() {
    let (spaces, work) = (Subspaces::new(), Work::default());
    let slice = Subspace::of(3, 3).unwrap();
    let known = Known::default();
    let table = solve(&spaces, slice, &known);
    for metric in [Metric::End, Metric::Value, Metric::Conversion] {
        let job = Job { slice, metric, known: &known, work: &work };
        let other = iterate(&spaces, &job, Scheme::InPlace).unwrap().0;
        assert!(
            other == backward(&spaces, &job).unwrap() && (metric != Metric::End || other == table),
            "{metric:?}"
        );
    }
    let count = |sign: i32| table.values().flatten().filter(|v| v.signum() == sign).count();
    assert_eq!((count(1), count(0), count(-1)), (140_621, 269, 28_736));
}

/// Block by block a subspace gets the table that the engine's own solver makes, in all three metrics: with both sides flying,
/// one, and none.
#[test]
fn blocks_give_the_tables_of_the_engine() {
    let (spaces, work) = (Subspaces::new(), Work::default());
    for (metric, names) in [
        (Metric::End, &["3-3", "4-3", "4-4"][..]),
        (Metric::Conversion, &["3-3", "4-3"]),
        (Metric::Value, &["3-3", "4-3"]),
    ] {
        let mut known = Known::default();
        for name in names {
            let slice = spaces.read_slices(name).unwrap()[0];
            let job = Job { slice, metric, known: &known, work: &work };
            let table = spaces.solve(&job).unwrap();
            assert_eq!(table, backward(&spaces, &job).unwrap(), "{name} {}", metric.name());
            known.insert(slice, table.into());
        }
    }
}
