//! Captures in passing, in a slice that is solved in memory, part by part from files, and by workers that share it: the same bytes. King and
//! pawn against king and pawn is the smallest ending with such captures; its pawn moves zero the count of moves and stay in the slice.

use endspiel_expertise::chess;
use endspiel_retro::{Cluster, Indexed, Metric, Store, Work, build, build_together, closure, plan};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Puts the files of a folder into another one.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for file in std::fs::read_dir(from).unwrap().flatten() {
        std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

#[test]
fn captures_in_passing_are_the_same_in_memory_in_parts_and_by_workers() {
    let dir = std::env::temp_dir().join(format!("endspiel-passing-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let (game, metric, work) = (Arc::new(chess::Endings::new()), Metric::Zeroing, Work::default());
    let pawns = game.read_slices("KPKP").unwrap();
    let mut below = closure(&*game, &pawns);
    below.retain(|slice| !pawns.contains(slice));
    let store_of = |name: &str| Store::new(&dir.join(name), "chess");
    let file = |name: &str| -> PathBuf { dir.join(name).join("chess/KPKP.dtz.esdb") };
    let first = store_of("in-memory");
    let planned = plan(&*game, &first, &below, metric).unwrap();
    build(&*game, &first, &planned, &work, &mut |_, _| ()).unwrap();
    for name in ["in-parts", "by-workers"] {
        copy(first.dir(), store_of(name).dir());
    }

    let planned = plan(&*game, &first, &pawns, metric).unwrap();
    build(&*game, &first, &planned, &work, &mut |_, _| ()).unwrap();
    let bytes = std::fs::read(file("in-memory")).unwrap();

    let parts = store_of("in-parts");
    let mut planned = plan(&*game, &parts, &pawns, metric).unwrap();
    planned.fit(&*game, 24 << 20);
    assert!(planned.open().all(|step| step.parts.is_some_and(|parts| parts.count > 2)));
    build(&*game, &parts, &planned, &work, &mut |_, _| ()).unwrap();
    assert!(std::fs::read(file("in-parts")).unwrap() == bytes);

    let shared = store_of("by-workers");
    let planned = plan(&*game, &shared, &pawns, metric).unwrap();
    let two = Cluster { workers: 2, process: 0, hosts: Vec::new(), patience: Duration::from_secs(20) };
    build_together(&game, &shared, &planned, &two, &work, &mut |_, _| ()).unwrap();
    assert!(std::fs::read(file("by-workers")).unwrap() == bytes);
    std::fs::remove_dir_all(dir).unwrap();
}
