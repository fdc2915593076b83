//! Tables made out of the files of other metrics have the bytes of those that are solved.

use endspiel_expertise::{checkers, chess, xiangqi};
use endspiel_retro::{Cells, Indexed, Metric, Store, Work, build, closure, plan};
use std::path::{Path, PathBuf};

const ALL: [Metric; 4] = [Metric::Conversion, Metric::Zeroing, Metric::ZEROING50, Metric::Value];

fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("endspiel-derived-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

/// Builds slices; how many of them were made out of files of each metric.
fn make<I: Indexed>(game: &I, dir: &Path, slices: &str, metric: Metric) -> Vec<Option<Metric>> {
    let store = Store::new(dir, "game");
    let plan = plan(game, &store, &game.read_slices(slices).unwrap(), metric).unwrap();
    build(game, &store, &plan, &Work::default(), &mut |_, _| ()).unwrap();
    plan.open().map(|step| step.from).collect()
}

/// Makes all metrics in one folder and each in a folder of its own, compares the files, and gives what was made out of what.
fn compare<I: Indexed>(game: &I, name: &str, slices: &str, metrics: &[Metric]) -> Vec<Vec<Option<Metric>>> {
    let (together, alone) = (scratch(&format!("{name}-together")), scratch(&format!("{name}-alone")));
    let mut from = Vec::new();
    for &metric in metrics {
        from.push(make(game, &together, slices, metric));
        assert!(make(game, &alone, slices, metric).iter().all(Option::is_none));
        let read =
            |dir: &Path, slice: &str| std::fs::read(Store::new(dir, "game").path(slice, metric)).unwrap();
        for slice in closure(game, &game.read_slices(slices).unwrap()) {
            let name = game.slice_name(slice);
            assert!(read(&together, &name) == read(&alone, &name), "{name} {metric:?}");
        }
        std::fs::remove_dir_all(&alone).unwrap();
    }
    std::fs::remove_dir_all(together).unwrap();
    from
}

#[test]
fn derived_files_are_those_that_solving_gives() {
    let chess = chess::Endings::new();
    let (dtm, dtc, dtz) = (Some(Metric::End), Some(Metric::Conversion), Some(Metric::Zeroing));
    // KRK, KQK and KPK.
    let from = compare(&chess, "pawn", "KPK", &ALL);
    assert_eq!(from, [[None; 3], [dtc, dtc, None], [dtz; 3], [dtc; 3]]);
    let from = compare(&chess, "rooks", "KRK", &[Metric::Zeroing, Metric::Conversion, Metric::Value]);
    assert_eq!(from, [[None], [dtz], [dtc]]);
    let from =
        compare(&chess, "mates", "KRK", &[Metric::Conversion, Metric::End, Metric::ZEROING50, Metric::Value]);
    assert_eq!(from, [[None], [None], [dtc], [dtm]]);
    compare(&checkers::Endings::new(), "checkers", "2K-1K, 1K1C-1C", &ALL);
    let from = compare(&xiangqi::Endings::new(), "xiangqi", "KNKG, KPKM", &ALL);
    assert!(from[1].contains(&dtc) && from[1].contains(&None), "{from:?}");
}

/// Depths beyond a phase, in the slice or below it, have to be solved under the rule.
#[test]
fn what_the_rule_may_change_is_solved() {
    let (dir, chess) = (scratch("long"), chess::Endings::new());
    let store = Store::new(&dir, "game");
    let slices = chess.read_slices("KPK").unwrap();
    make(&chess, &dir, "KPK", Metric::Zeroing);
    let from = |metric| -> Vec<_> {
        plan(&chess, &store, &slices, metric).unwrap().steps.into_iter().map(|step| step.from).collect()
    };
    let dtz = Some(Metric::Zeroing);
    assert_eq!(from(Metric::ZEROING50), [dtz; 3]);
    // Fifty-one moves of the winner, somewhere in KQK.
    let mut table = store.open("KQK", Metric::Zeroing, 0).unwrap().table().unwrap();
    let Cells::Moves(cells) = &mut table.cells else { panic!("chess counts moves") };
    *cells.iter_mut().max().unwrap() = 51;
    store.save("KQK", &table, &Work::default()).unwrap();
    let names: Vec<_> = closure(&chess, &slices).into_iter().map(|slice| chess.slice_name(slice)).collect();
    let expected: Vec<_> = names.iter().map(|name| if name == "KRK" { dtz } else { None }).collect();
    assert_eq!(from(Metric::ZEROING50), expected, "KPK promotes to a queen");
    assert_eq!(from(Metric::Value), [dtz; 3]);
    // A damaged file is no source.
    let path = store.path("KRK", Metric::Zeroing);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(from(Metric::Value).iter().filter(|from| from.is_none()).count(), 1);
    std::fs::remove_dir_all(dir).unwrap();
}
