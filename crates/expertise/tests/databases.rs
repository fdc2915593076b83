//! Databases on the disk: the same bytes after any number of crashes, no flipped bit unnoticed, and methods that use them
//! find what others do.

use endspiel_expertise::awari::{Expert, Levels};
use endspiel_expertise::{checkers, chess, nine_mens_morris, xiangqi};
use endspiel_game::{
    Bounds, Budget, Expertise, Game, Goal, Informed, Notation, Oracle, Position, Quiet, Rng, Rules,
    Symmetric, Task, TwoPlayer,
};
use endspiel_proof::{Ground, Rejected, Statement, build_on, verify_on, write};
use endspiel_retro::{
    Cells, Checking, Error, Indexed, Job, Known, Leaves, Metric, Probe, Scheme, Store, Strategist, Table,
    Work, build, check_across, check_planned, check_values, iterate, pack, plan, plan_checks,
};
use endspiel_rules::awari::Awari;
use endspiel_rules::checkers::Checkers;
use endspiel_search::alphabeta;
use endspiel_search::proof_number::{df_pn, pn};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const CHILD: &str = "ENDSPIEL_TEST_BUILD_IN";
const IN_PARTS: &str = "ENDSPIEL_TEST_BUILD_IN_PARTS";
const CHESS: &str = "ENDSPIEL_TEST_BUILD_CHESS_IN";

fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("endspiel-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

fn build_levels(dir: &Path, most: u8) -> (Levels, Store) {
    let (levels, store) = (Levels::new(Awari::default()), Store::new(dir, "awari"));
    let plan = plan(&levels, &store, &(0..=most).collect::<Vec<_>>(), Metric::Score).unwrap();
    build(&levels, &store, &plan, &Work::default(), &mut |_, _| ()).unwrap();
    (levels, store)
}

/// Mates of king and pawn against king with what pawns promote to, and small files of who wins.
fn build_chess(dir: &Path) {
    let (game, store, work) = (chess::Endings::new(), Store::new(dir, "chess"), Work::default());
    let slices = game.read_slices("KPK").unwrap();
    let plan = plan(&game, &store, &slices, Metric::End).unwrap();
    build(&game, &store, &plan, &work, &mut |_, _| ()).unwrap();
    pack(&game, &store, &slices, Metric::Value, &work, &mut |_, _| ()).unwrap();
}

/// All files of awari but the lock and what a killed build left half written.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files_in(&dir.join("awari"))
}

fn files_in(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|e| e.path())
        .filter(|path| path.extension().is_some_and(|e| e != "partial"))
        .map(|path| (path.file_name().unwrap().into(), std::fs::read(&path).unwrap()))
        .collect()
}

/// Does its work only when the crash drill starts it as a program of its own.
#[test]
fn a_build_to_be_killed() {
    if let Some(dir) = std::env::var_os(CHILD) {
        build_levels(Path::new(&dir), 9);
    } else if let Some(dir) = std::env::var_os(IN_PARTS) {
        let (levels, store) = (Levels::new(Awari::default()), Store::new(Path::new(&dir), "awari"));
        let mut plan = plan(&levels, &store, &(0..=9).collect::<Vec<_>>(), Metric::Score).unwrap();
        plan.cut(1);
        build(&levels, &store, &plan, &Work::default(), &mut |_, _| ()).unwrap();
    } else if let Some(dir) = std::env::var_os(CHESS) {
        build_chess(Path::new(&dir));
    }
}

/// Starts it.
fn start(what: &str, dir: &Path) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_build_to_be_killed"])
        .env(what, dir)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// When a build is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// After so much time.
    After(Duration),
    /// While a table is written, before it has its name.
    Table,
    /// As soon as so many tables more have their names: about the renaming, and before the manifest.
    Renamed(usize),
    /// While the manifest is written.
    Manifest,
}

/// Waits for the moment; false if the child was done before.
fn wait_for(moment: Moment, folder: &Path, child: &mut std::process::Child) -> bool {
    let names = || -> Vec<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    };
    let is_table =
        |name: &&String| name.rsplit_once('.').is_some_and(|(_, end)| ["esdb", "small"].contains(&end));
    let tables = || names().iter().filter(is_table).count();
    let (begun, there) = (Instant::now(), tables());
    while child.try_wait().unwrap().is_none() {
        let now = match moment {
            Moment::After(time) => begun.elapsed() >= time,
            Moment::Table => {
                names().iter().any(|name| name.ends_with(".partial") && name != "manifest.partial")
            }
            Moment::Renamed(more) => tables() >= there + more,
            Moment::Manifest => names().iter().any(|name| name == "manifest.partial"),
        };
        if now {
            return true;
        }
        std::thread::yield_now();
    }
    false
}

/// Twenty kills of builds in memory and in parts, at random and at the tender moments, each five followed by a build to
/// the end.
#[test]
fn a_killed_build_resumes_to_the_same_bytes() {
    let (whole, broken) = (scratch("whole"), scratch("broken"));
    let begun = Instant::now();
    build_levels(&whole, 9);
    let usual = begun.elapsed().max(Duration::from_millis(50));
    let expected = files(&whole);
    assert_eq!(expected.len(), 11, "ten levels and the manifest");
    let mut rng = Rng::new(5);
    let (mut round, mut late) = (0, 0);
    while round < 20 {
        assert!(late < 60, "{late} builds were done before they could be killed");
        let moment = match round % 4 {
            0 => Moment::After(usual * rng.below(1000) as u32 / 1000),
            1 => Moment::Table,
            2 => Moment::Renamed(1 + rng.below(2)),
            _ => Moment::Manifest,
        };
        if round % 5 == 0 {
            let _ = std::fs::remove_dir_all(&broken);
        }
        let mut child = start(if round % 10 < 5 { CHILD } else { IN_PARTS }, &broken);
        let killed = wait_for(moment, &broken.join("awari"), &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        if !killed {
            // It went too fast: once more, from the beginning if nothing was left to do.
            late += 1;
            if files(&broken).len() == expected.len() {
                let _ = std::fs::remove_dir_all(&broken);
            }
            continue;
        }
        // Whatever is there under its final name is complete.
        for (name, bytes) in files(&broken).iter().filter(|(name, _)| !name.ends_with("manifest.json")) {
            assert!(expected[name] == *bytes, "round {round}: {}", name.display());
        }
        if round % 5 == 4 {
            let (_, store) = build_levels(&broken, 9);
            assert!(files(&broken) == expected, "round {round}, {moment:?}");
            assert_eq!(store.check_files().unwrap(), 10);
        }
        round += 1;
    }
    std::fs::remove_dir_all(whole).unwrap();
    std::fs::remove_dir_all(broken).unwrap();
}

/// The same of chess, where small files are made after the full ones: six kills, and a build to the end.
#[test]
fn a_killed_build_of_chess_and_a_killed_pack_resume_to_the_same_bytes() {
    let (whole, broken) = (scratch("chess-whole"), scratch("chess-broken"));
    build_chess(&whole);
    let expected = files_in(&whole.join("chess"));
    assert_eq!(expected.len(), 7, "three tables, three small files and the manifest");
    let folder = broken.join("chess");
    let (mut kills, mut late) = (0, 0);
    while kills < 6 {
        assert!(late < 60, "{late} builds were done before they could be killed");
        let moment = [Moment::Table, Moment::Renamed(1), Moment::Manifest][(kills + late) % 3];
        let mut child = start(CHESS, &broken);
        let killed = wait_for(moment, &folder, &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        for (name, bytes) in files_in(&folder).iter().filter(|(name, _)| !name.ends_with("manifest.json")) {
            assert!(expected[name] == *bytes, "{moment:?}: {}", name.display());
        }
        if killed {
            kills += 1;
        } else {
            late += 1;
            let _ = std::fs::remove_dir_all(&broken);
        }
    }
    build_chess(&broken);
    assert!(files_in(&folder) == expected);
    assert_eq!(Store::new(&broken, "chess").check_files().unwrap(), 6);
    std::fs::remove_dir_all(whole).unwrap();
    std::fs::remove_dir_all(broken).unwrap();
}

/// The table of a file, full or small; none of the manifest.
fn table_of(store: &Store, name: &Path) -> Option<Result<Table, Error>> {
    let name = name.to_str()?;
    let reader = if let Some(slice) = name.strip_suffix(".small") {
        store.open_small(slice, Metric::Value, 0)
    } else {
        let (slice, metric) = name.strip_suffix(".esdb")?.rsplit_once('.')?;
        store.open(slice, Metric::named(metric)?, 0)
    };
    Some(reader.and_then(|reader| reader.table()))
}

/// Flips bytes of every file in turn, so that small ones and the manifest are hit often: each is noticed, and whatever can
/// still be read is right.
fn flip(store: &Store, rounds: usize, seed: u64) {
    let all = files_in(store.dir());
    let paths: Vec<(&PathBuf, &Vec<u8>)> = all.iter().collect();
    let tables: Vec<_> = paths.iter().map(|(name, _)| table_of(store, name).map(Result::unwrap)).collect();
    let mut rng = Rng::new(seed);
    for round in 0..rounds {
        let (name, good) = paths[round % paths.len()];
        let path = store.dir().join(name);
        let mut bad = good.clone();
        let at = rng.below(bad.len());
        bad[at] ^= 1 + rng.below(255) as u8;
        std::fs::write(&path, &bad).unwrap();
        assert!(store.check_files().is_err(), "byte {at} of {}", name.display());
        match table_of(store, name) {
            Some(Err(error)) => assert!(matches!(error, Error::Damaged { .. }), "{error}"),
            table => {
                let right = &tables[round % paths.len()];
                assert!(table.map(Result::unwrap) == *right, "byte {at} of {}", name.display());
            }
        }
        std::fs::write(&path, good).unwrap();
    }
    assert!(files_in(store.dir()) == all && store.check_files().is_ok());
}

#[test]
fn every_flipped_byte_is_noticed() {
    let dir = scratch("flips");
    let (levels, store) = build_levels(&dir, 6);
    assert_eq!(store.check_files().unwrap(), 7);
    flip(&store, 1000, 6);
    let all = files(&dir);
    // A probe into a damaged block gives no answer, and a new build mends it.
    let path = store.path("6", Metric::Score);
    let good = std::fs::read(&path).unwrap();
    let mut bad = good.clone();
    let middle = bad.len() / 2;
    bad[middle] ^= 1;
    std::fs::write(&path, &bad).unwrap();
    let board = levels.position(6, 5000).unwrap();
    let probe = Probe::open(&levels, &store, &[6], Metric::Score, 1 << 20).unwrap();
    assert!(matches!(probe.value(&board), Err(Error::Damaged { .. })));
    for cut in [0, 7, 19, 100, good.len() - 1] {
        std::fs::write(&path, &good[..cut]).unwrap();
        assert!(store.check_files().is_err(), "cut to {cut} bytes");
    }
    build_levels(&dir, 6);
    assert!(files(&dir) == all);
    std::fs::remove_dir_all(dir).unwrap();
}

/// Where the blocks of a file are, as its own table of them says.
fn blocks_of(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let number = |at: usize, len: usize| {
        bytes[at..at + len].iter().rev().fold(0_usize, |sum, &byte| sum << 8 | usize::from(byte))
    };
    let (mut begins, table) = (8 + 4 + number(8, 4) + 8, number(bytes.len() - 16, 8));
    let lines = (table..bytes.len() - 16).step_by(12);
    let blocks = lines.map(|line| {
        let begun = begins;
        begins += number(line, 4);
        begun..begins
    });
    let blocks: Vec<_> = blocks.collect();
    assert_eq!(begins, table);
    blocks
}

/// Files of many blocks, and small ones: every flipped byte is noticed, and a damaged block silences none beside it.
#[test]
fn a_damaged_block_leaves_those_beside_it() {
    let dir = scratch("blocks");
    build_chess(&dir);
    let (game, store) = (chess::Endings::new(), Store::new(&dir, "chess"));
    flip(&store, 700, 16);
    let slice = game.read_slices("KPK").unwrap()[0];
    let mut rng = Rng::new(17);
    for (path, metric, least) in [
        (store.path("KPK", Metric::End), Metric::End, 10),
        (store.small_path("KPK", Metric::Value), Metric::Value, 2),
    ] {
        let good = std::fs::read(&path).unwrap();
        let blocks = blocks_of(&good);
        let open = || Probe::open(&game, &store, &[slice], metric, 1 << 20).unwrap();
        let header = store.open_any("KPK", metric, 0).unwrap().header().clone();
        let (whole, mut hurt) = (open(), 0);
        let samples = (0..3000).map(|_| rng.below(header.size as usize) as u64);
        let boards = samples.filter_map(|index| Some((index, game.position(slice, index)?)));
        let boards: Vec<_> = boards.map(|(i, board)| (i, whole.value(&board).unwrap(), board)).collect();
        for (number, block) in blocks.iter().enumerate() {
            let mut bad = good.clone();
            bad[block.start + rng.below(block.len())] ^= 1 + rng.below(255) as u8;
            std::fs::write(&path, &bad).unwrap();
            let probe = open();
            let (mut told, mut silent) = (0, 0);
            for (index, right, board) in &boards {
                let is_hit = index / u64::from(header.block) == number as u64;
                // What a small file leaves out comes from elsewhere.
                let is_there = header.omits.is_none_or(|omits| !game.leaves_out(omits, board));
                match probe.value(board) {
                    Ok(value) => {
                        assert!(!is_hit || !is_there, "{} of block {number}", board.write());
                        assert_eq!(value, *right, "{}", board.write());
                        told += 1;
                    }
                    Err(Error::Damaged { .. }) => {
                        assert!(is_hit || !is_there, "{} beside block {number}", board.write());
                        silent += 1;
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            assert!(told > 0, "block {number}");
            hurt += usize::from(silent > 0);
        }
        // All blocks of a small file may be left out but some.
        assert!(hurt >= least && (hurt == blocks.len() || header.omits.is_some()), "{hurt} of {metric:?}");
        std::fs::write(&path, &good).unwrap();
    }
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn probes_give_the_values_of_the_tables() {
    let dir = scratch("probes");
    let (levels, store) = build_levels(&dir, 8);
    for slice in 0..=8 {
        let count = check_values(&levels, &store, slice, Metric::Score, 1, &Work::default()).unwrap();
        assert_eq!(count, levels.size(slice));
    }
    let probe = Probe::open(&levels, &store, &[8, 7], Metric::Score, 1 << 20).unwrap();
    let mut rng = Rng::new(7);
    for _ in 0..2000 {
        let slice = 7 + rng.below(2) as u8;
        let index = rng.below(levels.size(slice) as usize) as u64;
        let board = levels.position(slice, index).unwrap();
        let value = probe.value(&board).unwrap().unwrap();
        let moves = probe.moves(&board).unwrap();
        assert!(moves.is_sorted_by_key(|&(_, v)| std::cmp::Reverse(v)));
        assert!(board.turn().is_over() || moves[0].1 == value);
    }
    // With captured stones the table's value comes on top of the lead.
    let board = levels.game().read("0 1 0 0 1 0|0 0 0 0 0 1 20-25 S").unwrap();
    assert_eq!((probe.value(&board).unwrap(), levels.lead(&board)), (Some(3), -5));
    let strategist = Strategist::open(&levels, &store, &[3], [Metric::Score], 1 << 20).unwrap();
    let line = strategist.line(&board, [None; 2], Metric::Score, 0, 50).unwrap().moves;
    assert!(line.iter().enumerate().all(|(ply, made)| made.value == if ply % 2 == 0 { 3 } else { -3 }));
    std::fs::remove_dir_all(dir).unwrap();
}

/// A table of eleven stones that follows from itself, move by move, and promises what no play gives.
#[test]
fn a_consistent_table_that_is_wrong_is_refused() {
    let dir = scratch("wrong");
    let (levels, store) = build_levels(&dir, 9);
    let (mut known, work) = (Known::default(), Work::default());
    for slice in 0..=9 {
        let table = store.open(&slice.to_string(), Metric::Score, 0).unwrap().table().unwrap();
        known.insert(slice, Arc::new(table));
    }
    let job = Job { slice: 11, metric: Metric::Score, known: &known, work: &work };
    let (wrong, _) = iterate(&levels, &job, Scheme::FromConversions).unwrap();
    store.save("11", &wrong, &work).unwrap();
    // Some positions in a hundred show nothing: each is the best of its moves.
    assert!(check_values(&levels, &store, 11, Metric::Score, 100, &work).is_ok());
    let refused = check_values(&levels, &store, 11, Metric::Score, 1, &work).unwrap_err();
    let Error::Unforced { index, stored, forced, .. } = refused else { panic!("{refused}") };
    let right = levels.solve(&job).unwrap();
    assert_eq!((wrong.get(index), right.get(index)), (Some(stored), Some(forced)));
    assert_ne!(stored, forced);
    // Solved anew in parts it is refused for the same.
    let parts = Checking::cut(levels.size(11), 4);
    match check_planned(&levels, &store, 11, Metric::Score, &parts, &work) {
        Err(Error::Unforced { index: at, stored: there, forced: found, .. }) => {
            assert_eq!((at, there, found), (index, stored, forced));
        }
        other => panic!("{other:?}"),
    }
    store.save("11", &right, &work).unwrap();
    assert_eq!(check_values(&levels, &store, 11, Metric::Score, 1, &work).unwrap(), levels.size(11));
    // Of several slices the one is told that needs most.
    let slices: Vec<_> = (0..=9).chain([11]).map(|slice| (slice, Metric::Score)).collect();
    let planned = |memory| plan_checks(&levels, &store, &slices, (1, memory));
    let refused = planned(1 << 16);
    let Err(Error::Memory { slice, needed, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!((slice.as_str(), planned(needed).unwrap().len()), ("11", 11));
    assert!(planned(needed - 1).is_err());
    let checked = check_planned(&levels, &store, 11, Metric::Score, &parts, &work).unwrap();
    assert_eq!(checked, levels.size(11));
    std::fs::remove_dir_all(dir).unwrap();
}

/// Who wins is read off the distances, with the bytes that solving gives.
#[test]
fn outcomes_come_out_of_the_job_that_counts_plies() {
    fn make<I: Indexed>(game: &I, dir: &Path, slices: &str, metrics: &[Metric]) {
        let store = Store::new(dir, "game");
        let slices = game.read_slices(slices).unwrap();
        for &metric in metrics {
            let plan = plan(game, &store, &slices, metric).unwrap();
            build(game, &store, &plan, &Work::default(), &mut |_, _| ()).unwrap();
        }
    }
    let (both, alone) = (scratch("both"), scratch("outcomes"));
    let (checkers, chess) = (checkers::Endings::new(), chess::Endings::new());
    for metrics in [&[Metric::End, Metric::Value][..], &[Metric::Value]] {
        let dir = if metrics.len() == 2 { &both } else { &alone };
        make(&checkers, dir, "2K-1C", metrics);
        make(&chess, dir, "KPK", metrics);
    }
    for name in ["2K-1C", "KPK", "KQK", "1K-1K"] {
        let read = |dir: &Path| std::fs::read(Store::new(dir, "game").path(name, Metric::Value)).unwrap();
        assert!(read(&both) == read(&alone), "{name}");
    }
    std::fs::remove_dir_all(both).unwrap();
    std::fs::remove_dir_all(alone).unwrap();
}

#[test]
fn what_cannot_be_done_is_said_before() {
    let dir = scratch("plans");
    let (levels, store) = (Levels::new(Awari::default()), Store::new(&dir, "awari"));
    let plan = plan(&levels, &store, &[20], Metric::Score).unwrap();
    assert_eq!(plan.open().count(), 20, "all smaller levels but 19, which captures cannot reach");
    assert!(plan.memory() < 84_672_315 * 13 / 10 + 141_120_525, "1.3 bytes a position and the smaller ones");
    assert!(matches!(plan.check(100 << 20), Err(Error::Memory { .. })));
    assert!(plan.check(1 << 30).is_ok());
    let huge = endspiel_retro::plan(&levels, &store, &[48], Metric::Score).unwrap();
    assert!(matches!(huge.check(u64::MAX), Err(Error::Disk { .. })));
    let guard = store.lock().unwrap();
    assert!(matches!(store.lock().map(|_| ()), Err(Error::Busy { .. })));
    drop(guard);
    std::fs::remove_dir_all(dir).unwrap();
}

/// The manifest says nothing that the files do not: a build makes it anew, and a file of another size is no file.
#[test]
fn a_build_mends_the_manifest_and_replaces_what_does_not_fit() {
    let dir = scratch("mends");
    let (_, store) = build_levels(&dir, 4);
    let all = files(&dir);
    let manifest = dir.join("awari/manifest.json");
    let good = std::fs::read_to_string(&manifest).unwrap();
    // White space alone is damage, too, and so is what is told twice or besides.
    let spaces = [
        good.replacen('\n', " ", 1),
        good.replacen("  ", "\t", 1),
        good.trim_end().into(),
        good.clone() + "\n",
    ];
    let more = [good.replacen('{', "{\"game\": \"awari\",", 1), good.replacen('{', "{\"more\": 1,", 1)];
    let damages = spaces.into_iter().chain(more).chain(["{}".into()]).map(Some);
    for damage in damages.chain([None]) {
        match damage {
            Some(bytes) => std::fs::write(&manifest, bytes).unwrap(),
            None => std::fs::remove_file(&manifest).unwrap(),
        }
        assert!(matches!(store.check_files(), Err(Error::Damaged { .. })));
        build_levels(&dir, 4);
        assert!(files(&dir) == all);
    }
    let levels = Levels::new(Awari::default());
    let other = store.open("3", Metric::Score, 0).unwrap().table().unwrap();
    store.save("4", &other, &Work::default()).unwrap();
    assert_eq!(plan(&levels, &store, &[4], Metric::Score).unwrap().open().count(), 1);
    // Searches go on as long as they do not need it.
    let leaves = Leaves::open(levels, &store, &[Metric::Score], 0).unwrap();
    assert!(leaves.passed_over()[0].contains("4.score.esdb") && leaves.passed_over().len() == 1);
    let ask = |text: &str| leaves.bounds(&Awari::default().read(text).unwrap());
    assert!(ask("0 1 0 0 1 0|0 0 0 0 0 1").is_some() && leaves.fault().is_none());
    assert!(ask("0 1 0 0 1 0|0 0 0 0 1 1").is_none());
    assert!(leaves.fault().is_some_and(|what| what.contains("4.score.esdb cannot be trusted")));
    build_levels(&dir, 4);
    assert!(files(&dir) == all);
    std::fs::remove_dir_all(&dir).unwrap();
    assert!(matches!(store.check_files(), Err(Error::Empty { .. })));
}

/// What three methods prove of a position, each with this expert.
fn proven<P: TwoPlayer + Symmetric, E: Expertise<P>>(root: &P, goal: Goal, expertise: &E) -> [Bounds; 3] {
    let budget = Budget::nodes(4_000).with_memory(1 << 18);
    let task = Task { root, goal, expertise, budget: &budget, observer: &Quiet };
    [
        df_pn::Solver::<P, E>::new(df_pn::Options::of::<P, E>(), &budget).solve(&task).bounds,
        alphabeta::Solver::<P, E>::new(alphabeta::Options::default(), &budget).solve(&task).bounds,
        pn::Solver::<P, E>::new(pn::Options::default(), &budget).solve(&task).bounds,
    ]
}

/// How often something was decided.
#[derive(Debug, Default)]
struct Counts {
    /// Positions on which at least one method decides with databases and without.
    positions: u32,
    /// Decisions of methods within the budget: with databases and without, with them alone, without them alone.
    both: u32,
    with: u32,
    without: u32,
}

/// Compares what is proven with databases and without on one position: they never contradict each other.
fn agree<P: TwoPlayer + Symmetric + Notation, E: Expertise<P> + Default>(
    root: &P,
    goal: Goal,
    oracle: &Arc<dyn Oracle<P>>,
    counts: &mut Counts,
) {
    let before = counts.both;
    let mut informed = Informed::<P, E>::default();
    assert!(informed.inform(Arc::clone(oracle)) && informed.oracle().is_some());
    let plain = proven(root, goal, &E::default());
    for (method, (with, without)) in proven(root, goal, &informed).into_iter().zip(plain).enumerate() {
        let place = format!("method {method} at {}: {with:?} and {without:?}", root.write());
        assert!(with.low <= without.high && without.low <= with.high, "{place}");
        match (with.decide(goal), without.decide(goal)) {
            (true, true) => {
                assert_eq!(with.outcome(), without.outcome(), "{place}");
                assert!(goal == Goal::Outcome || with == without, "{place}");
                counts.both += 1;
            }
            (true, false) => counts.with += 1,
            (false, true) => counts.without += 1,
            (false, false) => {}
        }
    }
    counts.positions += u32::from(counts.both > before);
}

#[test]
fn searches_with_databases_of_awari_agree_with_searches_without() {
    let dir = scratch("agree");
    let (_, store) = build_levels(&dir, 4);
    let mut rng = Rng::new(8);
    let mut counts = Counts::default();
    for (variant, goal) in [("", Goal::Outcome), ("", Goal::Score), ("end=last-stone", Goal::Score)] {
        let game = Awari::from_variant(variant).unwrap();
        let levels = Levels::new(game);
        let oracle: Arc<dyn Oracle<_>> =
            Arc::new(Leaves::open(levels, &store, &[Metric::Score], 1 << 20).unwrap());
        for _ in 0..900 {
            let mut pits = [0; 12];
            (0..2 + rng.below(5)).for_each(|_| pits[rng.below(12)] += 1);
            let row = |pits: &[u8]| pits.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
            let captured = (rng.below(6), rng.below(6));
            let text = format!("{}|{} {}-{} S", row(&pits[..6]), row(&pits[6..]), captured.0, captured.1);
            let board = game.read(&text).unwrap();
            if !board.turn().is_over() {
                agree::<_, Expert>(&board, goal, &oracle, &mut counts);
            }
        }
    }
    assert!(counts.positions > 1700, "{counts:?}");
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn searches_with_databases_of_checkers_agree_with_searches_without() {
    let dir = scratch("checkers");
    let (endings, store) = (checkers::Endings::new(), Store::new(&dir, "checkers"));
    let slices = endings.read_slices("2").unwrap();
    let plan = plan(&endings, &store, &slices, Metric::Value).unwrap();
    build(&endings, &store, &plan, &Work::default(), &mut |_, _| ()).unwrap();
    let oracle: Arc<dyn Oracle<_>> = Arc::new(
        Leaves::open(checkers::Endings::new(), &store, &[Metric::Score, Metric::Value], 1 << 20).unwrap(),
    );
    let mut rng = Rng::new(9);
    let mut counts = Counts::default();
    let three = endings.read_slices("2K-1C, 2C-1C").unwrap();
    for i in 0..400 {
        let slice = three[i % 2];
        let index = rng.below(endings.size(slice) as usize) as u64;
        let board = endings.position(slice, index).unwrap();
        if !board.turn().is_over() {
            agree::<_, Rules>(&board, Goal::Outcome, &oracle, &mut counts);
        }
    }
    assert!(counts.positions > 200, "{counts:?}");
    assert_eq!(oracle.bounds(&Checkers.start()), None);
    std::fs::remove_dir_all(dir).unwrap();
}

/// Near the end of the game searches by the rules alone find what tables say.
fn compare_near_the_end<I>(index: fn() -> I, name: &str, slices: &str, (plies, every): (i32, usize)) -> Counts
where
    I: Indexed<Position: Symmetric + Notation> + 'static,
{
    let (dir, game, work) = (scratch(&format!("near-{name}")), index(), Work::default());
    let (store, slices) = (Store::new(&dir, name), game.read_slices(slices).unwrap());
    build(&game, &store, &plan(&game, &store, &slices, Metric::End).unwrap(), &work, &mut |_, _| ()).unwrap();
    let oracle: Arc<dyn Oracle<_>> =
        Arc::new(Leaves::open(index(), &store, &[Metric::End], 1 << 20).unwrap());
    let mut counts = Counts::default();
    for slice in slices {
        let table = store.open(&game.slice_name(slice), Metric::End, 0).unwrap().table().unwrap();
        let is_near = |&(_, value): &(u64, Option<i32>)| value.is_some_and(|v| v != 0 && v.abs() <= plies);
        for (number, _) in (0..).zip(table.values()).filter(is_near).step_by(every) {
            let Some(position) = game.position(slice, number) else { continue };
            if !position.turn().is_over() {
                agree::<_, Rules>(&position, Goal::Outcome, &oracle, &mut counts);
            }
        }
    }
    std::fs::remove_dir_all(dir).unwrap();
    counts
}

#[test]
fn searches_near_the_end_of_chess_xiangqi_and_morris_find_what_tables_say() {
    let counts = [
        compare_near_the_end(chess::Endings::new, "chess", "KRK, KPK", (5, 13)),
        compare_near_the_end(xiangqi::Endings::new, "xiangqi", "KRK, KNK", (4, 11)),
        compare_near_the_end(nine_mens_morris::Subspaces::new, "morris", "3-3", (3, 997)),
    ];
    for (counts, least) in counts.iter().zip([150, 300, 100]) {
        assert!(counts.positions >= least && counts.without == 0, "{counts:?}");
    }
}

/// A certificate of a position above the databases rests on those that it needs: without them, with one flipped byte or
/// with another table in their place it is refused.
#[test]
fn certificates_rest_on_databases_by_their_checksums() {
    let dir = scratch("rests");
    let (_, store) = build_levels(&dir, 5);
    let game = Awari::default();
    let open = || Leaves::open(Levels::new(game), &store, &[Metric::Score], 1 << 20).unwrap();
    let oracle = Arc::new(open());
    let mut informed = Informed::<_, Expert>::default();
    informed.inform(Arc::clone(&oracle) as Arc<dyn Oracle<_>>);
    let root = game.read("0 2 0 0 0 1|0 1 0 2 0 1 9-8 S").unwrap();
    let budget = Budget::default().with_memory(1 << 24);
    let task =
        Task { root: &root, goal: Goal::Outcome, expertise: &informed, budget: &budget, observer: &Quiet };
    let mut solver = df_pn::Solver::new(df_pn::Options::of::<_, Informed<_, Expert>>(), &budget);
    let bounds = solver.solve(&task).bounds;
    assert!(bounds.outcome().is_some());
    let statement = Statement::of_bounds(&root, bounds).unwrap();
    let ground = Ground::all(&*oracle);
    let strategies: Vec<_> = statement
        .claims()
        .into_iter()
        .map(|claim| {
            build_on(&root, claim, false, &mut solver, Some(&ground), &Budget::default(), &Quiet).unwrap()
        })
        .collect();
    let path = dir.join("rests.cert");
    let header = write(&path, &game, &root, statement, &strategies).unwrap();
    assert!(!header.rests.is_empty() && header.rests.iter().all(|s| s.name.contains(".score")));
    let check = || verify_on(&game, &path, &open(), &Budget::default(), &Quiet);
    assert_eq!(check().unwrap().rests, header.rests);
    assert!(matches!(endspiel_proof::verify(&game, &path, 1), Err(Rejected::Databases { .. })));
    // Each file that is named: a flipped byte, and the table with one value changed, well written.
    for source in &header.rests {
        let slice = source.name.trim_start_matches("awari/").trim_end_matches(".score");
        let file = store.path(slice, Metric::Score);
        let good = std::fs::read(&file).unwrap();
        let mut bad = good.clone();
        let place = good.len() - 40;
        bad[place] ^= 4;
        std::fs::write(&file, &bad).unwrap();
        assert!(Leaves::open(Levels::new(game), &store, &[Metric::Score], 0).is_err() || check().is_err());
        std::fs::write(&file, &good).unwrap();
        let mut table = store.open(slice, Metric::Score, 0).unwrap().table().unwrap();
        if let Cells::Narrow(cells) = &mut table.cells {
            cells[0] += 1;
        }
        store.save(slice, &table, &Work::default()).unwrap();
        assert!(matches!(check(), Err(Rejected::Database { .. })), "{slice}");
        std::fs::write(&file, &good).unwrap();
    }
    assert!(check().is_ok());
    std::fs::remove_dir_all(dir).unwrap();
}

/// Mate is no nearer than a conversion, nor that than a move that zeroes the count, with three men; and a table that says
/// otherwise is found, though its file is well written.
#[test]
fn metrics_of_a_slice_are_compared() {
    let dir = scratch("across");
    let (game, store, work) = (chess::Endings::new(), Store::new(&dir, "chess"), Work::default());
    let slices = game.read_slices("3").unwrap();
    let metrics = [Metric::Value, Metric::End, Metric::Conversion, Metric::Zeroing, Metric::ZEROING50];
    for metric in metrics {
        build(&game, &store, &plan(&game, &store, &slices, metric).unwrap(), &work, &mut |_, _| ()).unwrap();
    }
    let across = |slice| check_across(&game, &store, slice, &metrics, 1, &work);
    for &slice in &slices {
        assert!(across(slice).unwrap() > 10_000, "{}", slice.name());
    }
    let slice = game.read_slices("KPK").unwrap()[0];
    let mut table = store.open("KPK", Metric::Conversion, 0).unwrap().table().unwrap();
    let won = (0..table.len() as u64).find(|&i| table.get(i).is_some_and(|cell| cell > 0)).unwrap();
    match &mut table.cells {
        Cells::Narrow(cells) | Cells::Moves(cells) => cells[won as usize] = 100,
        Cells::Wide(cells) => cells[won as usize] = 199,
    }
    store.save("KPK", &table, &work).unwrap();
    match across(slice) {
        Err(Error::Contradiction { index, first: ("dtm", _), second: ("dtc", _), .. }) => {
            assert_eq!(index, won);
        }
        other => panic!("{other:?}"),
    }
    std::fs::remove_dir_all(dir).unwrap();
}
