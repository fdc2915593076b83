use super::*;
use endspiel_game::{Notation, Rng, Symmetric};
use endspiel_retro::{Indexed, Job, Known, Metric, Scheme, Table, Work, backward, iterate};
use endspiel_rules::nine_mens_morris::points::{MILL_SYMMETRIES, image};
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
    let job = Job { slice, metric: Metric::End, known: &known, work: &work };
    assert_eq!(iterate(&spaces, &job, Scheme::InPlace).unwrap().0, table);
    let count = |sign: i32| table.values().flatten().filter(|v| v.signum() == sign).count();
    assert_eq!((count(1), count(0), count(-1)), (140_621, 269, 28_736));
}
