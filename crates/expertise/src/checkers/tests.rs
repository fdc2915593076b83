use super::*;
use endspiel_game::{Game, Notation, Player, Position, Rng};
use endspiel_retro::{Indexed, Job, Known, Metric, Scheme, Work, closure, iterate};
use endspiel_rules::checkers::{Board, Checkers, placements_of};
use std::sync::Arc;

fn read(text: &str) -> Board {
    Checkers.read(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn solve(endings: &Endings, slices: &str, metric: Metric) -> Known<Material> {
    let (mut known, work) = (Known::default(), Work::default());
    for slice in closure(endings, &endings.read_slices(slices).unwrap()) {
        let table = endings.solve(&Job { slice, metric, known: &known, work: &work }).unwrap();
        known.insert(slice, Arc::new(table));
    }
    known
}

fn value(endings: &Endings, known: &Known<Material>, board: &Board) -> i32 {
    let (slice, index) = endings.place(board).unwrap();
    known.get(&slice, index).unwrap()
}

#[test]
fn names_are_read_and_written() {
    let names = |text: &str| {
        Material::read(text).map(|list| list.iter().map(Material::to_string).collect::<Vec<_>>())
    };
    assert_eq!(names("k-2K1c, 1C-C").unwrap(), ["2K1C-1K", "1C-1C"]);
    assert_eq!(names("2").unwrap(), ["1C-1C", "1K-1C", "1K-1K"]);
    assert_eq!(names("2-4").unwrap().len(), 3 + 6 + 8 + 6);
    for wrong in ["", "1", "9", "4-2", "2K", "5K-1K", "K-", "CK-K", "KK-K", "0K-1K", "2X-1K", "300K-1K"] {
        assert!(names(wrong).unwrap_or_default().is_empty(), "{wrong}");
    }
}

/// Every number is a position, every position has its number, and there are as many as published.
#[test]
fn the_numbers_are_dense() {
    let endings = Endings::new();
    let mut rng = Rng::new(3);
    for material in (2..=7).flat_map(Material::all) {
        let [a, b] = material.0.map(|side| (usize::from(side.kings), usize::from(side.men())));
        let halves = if material.is_symmetric() { 1 } else { 2 };
        assert_eq!(u128::from(endings.size(material)), halves * placements_of(a, b), "{material}");
        let size = endings.size(material);
        let all = size < 40_000;
        for i in 0..size.min(if all { size } else { 500 }) {
            let index = if all { i } else { rng.below(size.min(u64::from(u32::MAX)) as usize) as u64 };
            let board = endings.position(material, index).unwrap();
            assert_eq!(endings.place(&board), Some((material, index)), "{material} {}", board.write());
            assert_eq!(endings.place(&board.swapped()), Some((material, index)), "{}", board.write());
        }
        assert_eq!(endings.position(material, size), None);
    }
}

/// Where every move of random positions leads: to an earlier or the same run, or to a slice that is announced.
#[test]
fn moves_keep_to_the_order_of_the_runs() {
    let endings = Endings::new();
    let mut rng = Rng::new(4);
    for material in (2..=5).flat_map(Material::all) {
        let (runs, conversions) = (endings.runs(material), endings.conversions(material));
        assert!(runs.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!((runs[0].start, runs[runs.len() - 1].end), (0, endings.size(material)));
        for _ in 0..300 {
            let index = rng.below(endings.size(material) as usize) as u64;
            let board = endings.position(material, index).unwrap();
            let run = runs.iter().find(|run| run.contains(&index)).unwrap();
            for m in board.move_list() {
                match endings.place(&board.after(m)) {
                    Some((slice, to)) if slice == material => assert!(to < run.end, "{}", board.write()),
                    Some((slice, _)) => assert!(conversions.contains(&slice), "{}", board.write()),
                    None => assert!(board.after(m).turn().is_over()),
                }
            }
        }
    }
}

#[test]
fn published_figures_of_two_and_three_pieces() {
    let endings = Endings::new();
    let known = solve(&endings, "2-3", Metric::End);
    let found: Vec<(String, Figures)> = (2..=3)
        .flat_map(Material::all)
        .flat_map(|slice| endings.figures(slice, known.table(&slice).unwrap()))
        .collect();
    assert_eq!(found.len(), 16);
    for (name, figures) in found {
        let rows: Vec<&str> = published().filter(|row| row.0 == name).map(|row| row.1).collect();
        assert!(rows.len() == 1 && figures.agree(rows[0]), "{name} {figures}: {rows:?}");
    }
    assert_eq!(published().count(), 49 + 53);
    // The shortest win is no conversion (figure 4).
    let board = read("B:WK31:BK18,25");
    assert_eq!(value(&endings, &known, &board), 3);
    assert_eq!(value(&endings, &known, &board.after(board.read_move("18-23").unwrap())), -3);
    for (text, plies) in
        [("B:WK29:BK4", 11), ("B:W20:BK32", 11), ("B:W30:B25", 13), ("B:W26:B3,4", 61), ("W:W29,30:B7", 61)]
    {
        assert_eq!(value(&endings, &known, &read(text)), plies, "{text}");
    }
    // Who wins is the same in every metric, and by value iteration.
    let values = solve(&endings, "2-3", Metric::Value);
    let work = Work::default();
    for slice in (2..=3).flat_map(Material::all) {
        let (plies, outcomes) = (known.table(&slice).unwrap(), values.table(&slice).unwrap());
        assert!(plies.values().zip(outcomes.values()).all(|(a, b)| a.map(i32::signum) == b), "{slice}");
        if slice.0[1].all + slice.0[0].all == 2 {
            let job = Job { slice, metric: Metric::End, known: &known, work: &work };
            assert_eq!(iterate(&endings, &job, Scheme::InPlace).unwrap().0, **plies, "{slice}");
        }
    }
}

/// Who is to move makes no difference to the numbers, but for who is Black.
#[test]
fn the_stronger_side_is_black() {
    let endings = Endings::new();
    for material in (2..=4).flat_map(Material::all) {
        for index in (0..endings.size(material)).step_by(997) {
            let board = endings.position(material, index).unwrap();
            let count = |player| board.pieces(player).count_ones();
            assert!(count(Player::FIRST) >= count(Player::SECOND));
        }
    }
}
