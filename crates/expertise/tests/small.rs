//! Small files tell what the full ones do, of every position, and are smaller by far.

use endspiel_expertise::{checkers, chess, xiangqi};
use endspiel_game::{Game, Notation, Oracle, Position};
use endspiel_retro::{
    Error, Indexed, Leaves, Metric, Probe, Store, Work, build, check_planned, check_small, closure, pack,
    pack_planned, plan, plan_check, plan_pack, whole,
};
use endspiel_rules::chess::{Board, Chess};
use std::collections::HashSet;
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("endspiel-small-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

/// Packs these slices and all below, compares every position and its images with the full files, and gives the folder with
/// full and small files, how many times smaller these are, which ways were taken and the share of what is worked out.
fn compare<I: Indexed>(
    name: &str,
    index: fn() -> I,
    (slices, metric): (&str, Metric),
    images: impl Fn(I::Position) -> Vec<I::Position>,
) -> (PathBuf, f64, HashSet<String>, f64) {
    let dir = folder(&format!("{name}-{}", metric.name()));
    let (full, small) = (Store::new(&dir.join("full"), name), Store::new(&dir.join("small"), name));
    let (game, work) = (index(), Work::default());
    let slices = game.read_slices(slices).unwrap();
    let nothing = pack(&game, &full, &slices, metric, &work, &mut |_, _| ());
    assert!(matches!(nothing, Err(Error::Missing { .. })), "{nothing:?}");
    build(&game, &full, &plan(&game, &full, &slices, metric).unwrap(), &work, &mut |_, _| ()).unwrap();
    let (mut bytes, mut ways) = ([0; 2], HashSet::new());
    pack(&game, &full, &slices, metric, &work, &mut |header, digest| {
        ways.insert(format!("{:?}", header.omits));
        bytes[1] += digest.bytes;
    })
    .unwrap();
    pack(&game, &full, &slices, metric, &work, &mut |_, _| panic!("they are there")).unwrap();
    // The small ones alone.
    std::fs::create_dir_all(small.dir()).unwrap();
    for slice in closure(&game, &slices) {
        let name = game.slice_name(slice);
        bytes[0] += full.open(&name, metric, 0).unwrap().digest().bytes;
        std::fs::rename(full.small_path(&name, metric), small.small_path(&name, metric)).unwrap();
    }
    let probes = [&full, &small].map(|store| Probe::open(&game, store, &slices, metric, 1 << 24).unwrap());
    let leaves = Leaves::open(index(), &small, &[metric], 1 << 24).unwrap();
    let (mut derived, mut told) = (0, 0);
    for slice in closure(&game, &slices) {
        let omits = small.open_small(&game.slice_name(slice), metric, 0).unwrap().header().omits;
        for number in 0..game.size(slice) {
            let Some(position) = game.position(slice, number) else { continue };
            for position in images(position) {
                let [value, same] = [0, 1].map(|i| probes[i].value(&position).unwrap());
                assert_eq!(value, same, "{} {number}", game.slice_name(slice));
                if !position.turn().is_over() {
                    let bounds = value.map(|value| (value.signum(), value.signum()));
                    assert_eq!(leaves.bounds(&position), bounds, "{} {number}", game.slice_name(slice));
                    if let (Some(value), Metric::End) = (value, metric) {
                        let plies = (value != 0).then(|| value.unsigned_abs() - u32::from(value < 0));
                        assert_eq!(leaves.plies(&position), plies, "{} {number}", game.slice_name(slice));
                    }
                }
                let is_left_out = omits.is_some_and(|omits| game.leaves_out(omits, &position));
                derived += usize::from(is_left_out);
                told += 1;
            }
        }
        let check = |memory| check_small(&game, &small, (slice, metric), (1, memory), &work);
        let checked = check(1 << 30).unwrap();
        assert!(checked > 0 || game.size(slice) < 100);
        // With too little memory to expand it, or to solve it anew, where that is needed.
        if game.size(slice) <= 5_000 {
            let less = check(1 << 16);
            assert!(matches!(less, Err(Error::Memory { .. })) || less.unwrap() == checked);
        }
        // The table is that of the full file.
        let [table, same] = [&full, &small].map(|store| whole(&game, store, slice, metric, &work).unwrap());
        assert!(table == same, "{}", game.slice_name(slice));
    }
    (dir, bytes[0] as f64 / bytes[1] as f64, ways, f64::from(derived as u32) / f64::from(told))
}

/// One thread in the least memory makes the same files; less is refused with what would do.
#[test]
fn files_are_packed_in_little_memory() {
    let dir = folder("little");
    let (game, store, work) = (checkers::Endings::new(), Store::new(&dir, "checkers"), Work::default());
    let slices = game.read_slices("1K1C-1K").unwrap();
    build(&game, &store, &plan(&game, &store, &slices, Metric::Value).unwrap(), &work, &mut |_, _| ())
        .unwrap();
    let packed = |memory: u64| {
        let plan = plan_pack(&game, &store, &slices, Metric::Value, (8, memory)).unwrap();
        plan.check(memory)?;
        pack_planned(&game, &store, &plan, &Work { threads: 8, ..Work::default() }, &mut |_, _| ())?;
        let paths =
            closure(&game, &slices).into_iter().map(|s| store.small_path(&game.slice_name(s), Metric::Value));
        let take = |path: PathBuf| (std::fs::read(&path).unwrap(), std::fs::remove_file(&path).unwrap()).0;
        Ok::<_, Error>((plan.memory(), paths.map(take).collect::<Vec<_>>()))
    };
    let refused = packed(1 << 20);
    let Err(Error::Memory { needed, allowed: 1_048_576, .. }) = refused else { panic!("{refused:?}") };
    let (most, whole) = packed(u64::MAX).unwrap();
    let (least, same) = packed(needed).unwrap();
    assert!(least == needed && most > 4 * needed, "{least} {most}");
    assert!(whole == same && whole.len() > 3);
    assert!(packed(needed - 1).is_err());
    let left = std::fs::read_dir(store.dir()).unwrap().flatten();
    assert!(left.into_iter().all(|entry| entry.path().extension().is_none_or(|e| e != "partial")));
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn checkers_leaves_out_what_is_forced_and_a_player() {
    let index = checkers::Endings::new;
    let (dir, times, ways, derived) =
        compare("checkers", index, ("2-3, 2K-2K, 1K1C-1K1C", Metric::Value), |board| {
            vec![board, board.swapped()]
        });
    assert!(ways.contains("Some(Forced)") && ways.len() > 1, "{ways:?}");
    assert!(times > 2.0 && derived > 0.3, "{times} {derived}");
    let (full, small) =
        (Store::new(&dir.join("full"), "checkers"), Store::new(&dir.join("small"), "checkers"));
    let leaves = Leaves::open(index(), &small, &[Metric::Value], 1 << 24).unwrap();
    // A source stands for all files that it rests on.
    let name = "checkers/2K-2K.small";
    let place = |leaves: &Leaves<checkers::Endings>| {
        leaves.sources().iter().position(|source| source.name == name).unwrap()
    };
    assert_eq!(leaves.check_source(place(&leaves)), Ok(()));
    let (below, kept) = (
        small.small_path("2K-1K", Metric::Value),
        std::fs::read(small.small_path("2K-1K", Metric::Value)).unwrap(),
    );
    std::fs::write(&below, &kept[..kept.len() / 2]).unwrap();
    assert!(leaves.check_source(place(&leaves)).is_err());
    std::fs::remove_file(&below).unwrap();
    let less = Leaves::open(index(), &small, &[Metric::Value], 0).unwrap();
    let checksum = |leaves: &Leaves<_>| leaves.sources()[place(leaves)].checksum;
    assert_ne!(checksum(&less), checksum(&leaves));
    std::fs::write(&below, kept).unwrap();
    // By the name of a full file it is refused.
    let disguised = full.path("2K-2K", Metric::Value);
    std::fs::copy(small.small_path("2K-2K", Metric::Value), &disguised).unwrap();
    assert!(matches!(full.open("2K-2K", Metric::Value, 0), Err(Error::Damaged { .. })));
    assert_eq!(full.list_each().unwrap().damage.len(), 1);
    // A flipped bit is seen.
    let path = small.small_path("2K-2K", Metric::Value);
    let mut altered = std::fs::read(&path).unwrap();
    let middle = altered.len() / 2;
    altered[middle] ^= 4;
    std::fs::write(&path, altered).unwrap();
    let slice = index().read_slices("2K-2K").unwrap()[0];
    assert!(check_small(&index(), &small, (slice, Metric::Value), (1, 1 << 20), &Work::default()).is_err());
    std::fs::remove_dir_all(dir).unwrap();
}

/// The same with the colours exchanged.
fn exchanged(board: &Board) -> Board {
    let text = board.write();
    let (men, rest) = text.split_once(' ').unwrap();
    let swap = |c: char| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    let men: Vec<String> = men.rsplit('/').map(|row| row.chars().map(swap).collect()).collect();
    let mover = if rest.starts_with('w') { 'b' } else { 'w' };
    Chess.read(&format!("{} {mover} - - 0 1", men.join("/"))).unwrap()
}

#[test]
fn chess_and_xiangqi_leave_out_a_player() {
    let (dir, times, ways, derived) =
        compare("chess", chess::Endings::new, ("KPK", Metric::Value), |board| vec![exchanged(&board), board]);
    assert!(ways.contains("Some(First)") || ways.contains("Some(Second)"), "{ways:?}");
    assert!(times > 2.0 && derived > 0.3, "{times} {derived}");
    std::fs::remove_dir_all(dir).unwrap();
    let (dir, times, ways, derived) =
        compare("xiangqi", xiangqi::Endings::new, ("KNKG", Metric::Value), |board| {
            vec![board.swapped(), board]
        });
    assert!(ways.contains("Some(First)") || ways.contains("Some(Second)"), "{ways:?}");
    assert!(times > 1.2 && derived > 0.3, "{times} {derived}");
    std::fs::remove_dir_all(dir).unwrap();
}

/// Depths are left out too, and worked out move by move.
#[test]
fn depths_are_left_out() {
    let mut all = Vec::new();
    for metric in [Metric::End, Metric::Conversion, Metric::Zeroing, Metric::ZeroingWithin(6)] {
        all.push(compare("chess", chess::Endings::new, ("KPK", metric), |board| vec![board]));
    }
    let slices = ("2K-1K, 1K1C-1C", Metric::End);
    all.push(compare("checkers", checkers::Endings::new, slices, |board| vec![board]));
    for metric in [Metric::Conversion, Metric::Zeroing] {
        all.push(compare("xiangqi", xiangqi::Endings::new, ("KPKG", metric), |board| vec![board]));
    }
    for (dir, times, ways, derived) in all {
        assert!(!ways.contains("None"), "{ways:?} {}", dir.display());
        assert!(times > 1.4 && derived > 0.3, "{times} {derived} {}", dir.display());
        std::fs::remove_dir_all(dir).unwrap();
    }
}

/// What the moves do not tell is not left out.
#[test]
fn what_moves_do_not_tell_has_no_small_files() {
    let dir = folder("untold");
    let (game, store) = (chess::Endings::new(), Store::new(&dir, "chess"));
    let slices = game.read_slices("KQK").unwrap();
    for metric in [Metric::Rule, Metric::EndWithin(50), Metric::ValueWithin(50), Metric::ConversionWithin(50)]
    {
        let refused = plan_pack(&game, &store, &slices, metric, (1, u64::MAX)).map(|plan| plan.disk);
        assert!(matches!(refused, Err(Error::Whole { .. })), "{refused:?}");
    }
}

/// Small files and full ones stand beside each other, in one folder and in several metrics.
#[test]
fn small_and_full_files_are_mixed() {
    let dir = folder("mixed");
    let (game, store, work) = (chess::Endings::new(), Store::new(&dir, "chess"), Work::default());
    let slices = game.read_slices("KPK").unwrap();
    let made = |metric| {
        let plan = plan(&game, &store, &slices, metric).unwrap();
        build(&game, &store, &plan, &work, &mut |_, _| ()).unwrap();
    };
    made(Metric::End);
    pack(&game, &store, &slices, Metric::End, &work, &mut |_, _| ()).unwrap();
    let position = Chess.read("4k3/8/4K3/4P3/8/8/8/8 w - -").unwrap();
    let open =
        || Leaves::open(chess::Endings::new(), &store, &[Metric::End, Metric::Value], 1 << 20).unwrap();
    let full = open();
    for slice in closure(&game, &slices) {
        let name = game.slice_name(slice);
        let (path, small) = (store.path(&name, Metric::End), (slice, Metric::End));
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        // This one is small alone, the others are full, too.
        assert!(check_small(&game, &store, small, (1, 1 << 26), &work).unwrap() > 10_000);
        assert_eq!(open().plies(&position), full.plies(&position));
        std::fs::write(&path, bytes).unwrap();
    }
    let below: Vec<String> = game.conversions(slices[0]).into_iter().map(|s| game.slice_name(s)).collect();
    // A small one on full ones.
    let taken: Vec<_> = below.iter().map(|name| store.small_path(name, Metric::End)).collect();
    let taken: Vec<_> = taken.into_iter().map(|path| (std::fs::read(&path).unwrap(), path)).collect();
    for (_, path) in &taken {
        std::fs::remove_file(path).unwrap();
    }
    assert!(check_small(&game, &store, (slices[0], Metric::End), (1, 1 << 26), &work).unwrap() > 50_000);
    for (bytes, path) in taken {
        std::fs::write(path, bytes).unwrap();
    }
    for name in &below {
        std::fs::remove_file(store.path(name, Metric::End)).unwrap();
    }
    // A full one on small ones.
    let how = plan_check(&game, &store, slices[0], Metric::End, (1, 1 << 30)).unwrap();
    assert!(check_planned(&game, &store, slices[0], Metric::End, &how, &work).unwrap() > 100_000);
    // Files in another metric change neither what a small one tells nor what it rests on.
    std::fs::remove_file(store.path("KPK", Metric::End)).unwrap();
    let alone = open();
    made(Metric::Value);
    let beside = open();
    let of = |leaves: &Leaves<chess::Endings>| {
        let sources = leaves.sources();
        sources.into_iter().find(|source| source.name == "chess/KPK.dtm.small").map(|source| source.checksum)
    };
    assert!(of(&alone).is_some() && of(&alone) == of(&beside));
    assert_eq!(beside.plies(&position), full.plies(&position));
    assert!(beside.plies(&position).is_some());
    // A small one that rests on what is not there leaves the answer to the next.
    for name in &below {
        std::fs::remove_file(store.path(name, Metric::Value)).unwrap();
        std::fs::remove_file(store.small_path(name, Metric::End)).unwrap();
    }
    let lone = open();
    let both =
        ["8/8/8/8/4k3/8/3P4/K7 w - -", "8/8/8/8/4k3/8/3P4/K7 b - -"].map(|text| Chess.read(text).unwrap());
    assert!(both.iter().any(|position| lone.plies(position).is_none()), "one of them is left out");
    for position in &both {
        assert!(lone.bounds(position).is_some());
        assert_eq!(lone.bounds(position), full.bounds(position));
    }
    std::fs::remove_dir_all(dir).unwrap();
}
