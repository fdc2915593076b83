use super::*;
use endspiel_game::{Budget, Game, Notation, Position, Rng};
use endspiel_retro::{Indexed, Job, Known, Metric, Scheme, Table, Work, backward, iterate};
use endspiel_rules::shogi::{Shape, Shogi};
use endspiel_search::exhaustive::Solution;

fn solve(endings: &Endings, slice: Material) -> Table {
    let (known, work) = (Known::default(), Work::default());
    endings.solve(&Job { slice, metric: Metric::End, known: &known, work: &work }).unwrap()
}

fn one(endings: &Endings, name: &str) -> Material {
    endings.read_slices(name).unwrap()[0]
}

#[test]
fn names_are_read_and_written() {
    let names = |shape, text: &str| {
        Material::read(shape, text).map(|list| list.iter().map(Material::name).collect::<Vec<_>>())
    };
    assert_eq!(names(Shape::Standard, "g sr, PP").unwrap(), ["G", "RS", "PP"]);
    assert_eq!(names(Shape::Standard, "1").unwrap(), ["R", "B", "G", "S", "N", "L", "P"]);
    assert_eq!(names(Shape::Standard, "1-2").unwrap().len(), 7 + 28);
    assert_eq!(names(Shape::Mini, "3").unwrap().len(), 30);
    for (wrong, at) in [("G K", 2), ("GGG", 0), ("3", 0), ("0", 0), ("2-1", 0), ("G-S", 0), ("PPP", 0)] {
        assert_eq!(names(Shape::Standard, wrong).unwrap_err().at, at, "{wrong}");
    }
    assert!(names(Shape::Mini, "L").is_err() && names(Shape::Mini, "PPP").is_err());
}

/// Every number that is a position is that position's, and that of its images; no move leaves the slice.
#[test]
fn numbers_are_found_again() {
    let mut rng = Rng::new(7);
    for shape in Shape::ALL {
        let endings = Endings::new(shape);
        for material in (1..=Material::most(shape)).flat_map(|n| Material::all(shape, n)) {
            for _ in 0..60 {
                let index = rng.below(endings.size(material) as usize) as u64;
                let Some(board) = endings.position(material, index) else { continue };
                for image in [&board, &board.mirrored(), &board.swapped(), &board.swapped().mirrored()] {
                    assert_eq!(endings.place(image), Some((material, index)), "{}", board.write());
                }
                board.moves(|m| {
                    let (to, there) = endings.place(&board.after(m)).expect("a number");
                    assert!(to == material && endings.position(to, there).is_some(), "{}", board.write());
                });
            }
        }
        assert_eq!(endings.place(&Shogi { shape }.start()), None);
    }
}

/// On the small board: backward analysis with moves taken back, and value iteration without.
#[test]
fn two_solvers_agree() {
    let endings = Endings::new(Shape::Mini);
    let (known, work) = (Known::default(), Work::default());
    for material in
        Material::all(Shape::Mini, 1).into_iter().chain([one(&endings, "PP"), one(&endings, "GG")])
    {
        for metric in [Metric::End, Metric::Value, Metric::Conversion] {
            let job = Job { slice: material, metric, known: &known, work: &work };
            let (other, _) = iterate(&endings, &job, Scheme::InPlace).unwrap();
            assert!(backward(&endings, &job).unwrap() == other, "{} {metric:?}", material.name());
        }
    }
}

/// What the tables say is what enumeration by the rules alone finds from a position: outcome and distance.
#[test]
fn tables_say_what_enumeration_finds() {
    let endings = Endings::new(Shape::Mini);
    let budget = Budget::default();
    for (name, sfen) in
        [("P", "4k/5/2K2/5/5 b P 1"), ("G", "4k/5/2K2/5/5 b G 1"), ("R", "4k/5/2K2/5/5 b R 1")]
    {
        let (slice, root) = (one(&endings, name), Shogi { shape: Shape::Mini }.read(sfen).unwrap());
        let table = solve(&endings, slice);
        let cells: Vec<Option<i32>> = table.values().collect();
        let solution = Solution::of(&root, &budget).expect("room enough");
        let mut compared = 0;
        for index in 0..endings.size(slice) {
            let Some(board) = endings.position(slice, index) else { continue };
            let Some(score) = solution.score(&board) else { continue };
            let value = cells[index as usize].unwrap();
            assert_eq!(value.signum(), score, "{}", board.write());
            if value != 0 {
                let plies = if value > 0 { value } else { -1 - value };
                assert_eq!(solution.distance(&board), Some(plies as u32), "{}", board.write());
            }
            compared += 1;
        }
        assert!(compared > 5000, "{name}: {compared}");
    }
}

/// With one piece no draw of the small board rests on perpetual check.
#[test]
fn nobody_has_to_check_for_ever() {
    let endings = Endings::new(Shape::Mini);
    for material in Material::all(Shape::Mini, 1) {
        let table = solve(&endings, material);
        assert_eq!(endings.held_by_checks(material, &table), Some(0), "{}", material.name());
    }
}
