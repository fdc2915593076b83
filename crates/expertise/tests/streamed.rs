//! Slices that are larger than memory: solved part by part from files they have the bytes of those solved in memory,
//! and the process stays near the memory it is given.

use endspiel_expertise::awari::Levels;
use endspiel_expertise::{checkers, chess, nine_mens_morris, xiangqi};
use endspiel_retro::{Error, Indexed, Metric, Store, Work, build, forecast, plan, plan_check};
use endspiel_rules::awari::Awari;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const CHILD: &str = "ENDSPIEL_TEST_STREAMED";

fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("endspiel-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

/// What the program holds beside the tables, in MiB: blocks on their way through compressors, and what the system's allocator keeps.
const BESIDE: u64 = 12;

/// Builds slices in so much memory; how many of them in more than one part.
fn make<I: Indexed>(game: &I, dir: &Path, slices: &str, metric: Metric, memory: u64) -> Result<usize, Error> {
    let (store, work) = (Store::new(dir, "game"), Work { threads: 2, ..Work::default() });
    let mut plan = plan(game, &store, &game.read_slices(slices).unwrap(), metric)?;
    plan.fit(game, memory);
    plan.check(memory)?;
    build(game, &store, &plan, &work, &mut |_, _| ())?;
    Ok(plan.steps.iter().filter(|step| step.parts.is_some_and(|parts| parts.count > 1)).count())
}

fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = std::fs::read_dir(dir.join("game")).unwrap().flatten();
    entries.map(|e| (e.file_name().into(), std::fs::read(e.path()).unwrap())).collect()
}

/// Builds slices in memory, and in the least memory that will do.
fn compare<I: Indexed>(game: &I, slices: &str, metric: Metric) {
    let (whole, parts) = (scratch("in-memory"), scratch("in-parts"));
    let Err(Error::Memory { needed: memory, .. }) = make(game, &parts, slices, metric, 1 << 16) else {
        panic!("{slices}: some memory is needed")
    };
    assert_eq!(make(game, &whole, slices, metric, 1 << 40).unwrap(), 0);
    let cut = make(game, &parts, slices, metric, memory).unwrap();
    assert!(cut > 0, "{slices}: nothing was cut");
    assert!(files(&whole) == files(&parts), "{slices} {metric:?}");
    // Who checks them needs no more, if all is checked; of the others some are tables of their own.
    let store = Store::new(&whole, "game");
    let slice = game.read_slices(slices).unwrap()[0];
    let planned = |every, memory| plan_check(game, &store, slice, metric, (every, memory));
    let Err(Error::Memory { needed, .. }) = planned(1, 1 << 16) else { panic!("some memory is needed") };
    // Of plies the tables are enough.
    assert!(needed <= memory);
    assert_eq!(planned(1, memory).unwrap().is_cut(), !metric.counts_plies());
    assert!(!planned(1, 1 << 40).unwrap().is_cut());
    let Err(Error::Memory { needed, .. }) = planned(2, 1 << 16) else { panic!("tables are in memory") };
    assert!(!planned(2, needed).unwrap().is_cut());
    std::fs::remove_dir_all(whole).unwrap();
    std::fs::remove_dir_all(parts).unwrap();
}

#[test]
fn parts_give_the_same_bytes() {
    let awari = Levels::new(Awari::default());
    compare(&awari, "13", Metric::Score);
}

/// Builds slices in memory, and every one of them in parts of one block; how many parts the largest has.
fn compare_blocks<I: Indexed>(game: &I, slices: &str, metric: Metric) -> u64 {
    let name = |how: &str| format!("{how}-{}-{}", slices.replace(' ', "-"), metric.name());
    let (whole, parts) = (scratch(&name("whole")), scratch(&name("blocks")));
    make(game, &whole, slices, metric, 1 << 40).unwrap();
    let store = Store::new(&parts, "game");
    let mut plan = plan(game, &store, &game.read_slices(slices).unwrap(), metric).unwrap();
    plan.cut(1);
    build(game, &store, &plan, &Work::default(), &mut |_, _| ()).unwrap();
    assert!(files(&whole) == files(&parts), "{slices} {metric:?}");
    std::fs::remove_dir_all(whole).unwrap();
    std::fs::remove_dir_all(parts).unwrap();
    plan.steps.iter().map(|step| step.parts.unwrap().count).max().unwrap()
}

/// Chess tells no predecessors and keeps its moves in files; the others do.
#[test]
fn parts_give_the_same_bytes_in_every_game() {
    for metric in [Metric::End, Metric::Conversion, Metric::Zeroing, Metric::Value] {
        let many = [
            compare_blocks(&chess::Endings::new(), "KPK KRK", metric),
            compare_blocks(&checkers::Endings::new(), "1K1C-1K", metric),
            compare_blocks(&xiangqi::Endings::new(), "KRKG KPKG", metric),
        ];
        assert!(many.iter().all(|&parts| parts > 2), "{many:?}");
    }
    assert!(compare_blocks(&nine_mens_morris::Subspaces::new(), "3-3", Metric::End) > 10);
    // Pawns go to and fro, and men of both sides forward.
    assert!(compare_blocks(&xiangqi::Endings::new(), "KPPKG", Metric::Zeroing) > 10);
    assert!(compare_blocks(&checkers::Endings::new(), "1K1C-1K1C", Metric::Zeroing) > 10);
}

#[test]
fn what_would_do_is_told() {
    let dir = scratch("too-little");
    let awari = Levels::new(Awari::default());
    let Err(Error::Memory { needed, .. }) = make(&awari, &dir, "13", Metric::Score, 1 << 20) else {
        panic!("a mebibyte cannot do")
    };
    assert!(needed < 6 << 20);
    assert!(make(&awari, &dir, "13", Metric::Score, needed).unwrap() > 0);
    // Depths to zeroing ask for the outcomes of the slice itself, in memory and on the disk.
    let chess = chess::Endings::new();
    let planned = |metric, memory| {
        let mut plan = plan(&chess, &Store::new(&dir, "game"), &chess.read_slices("KRKP").unwrap(), metric)?;
        plan.fit(&chess, memory);
        plan.check(memory).map(|()| (plan.disk, plan.memory()))
    };
    let least = |metric| match planned(metric, 1 << 16) {
        Err(Error::Memory { needed, .. }) => needed,
        _ => panic!("64 KiB cannot do"),
    };
    let (dtc, dtz) = (least(Metric::Conversion), least(Metric::Zeroing));
    assert!(dtc <= dtz && dtz < 16 << 20, "{dtc} {dtz}");
    let [dtc, dtz] = [Metric::Conversion, Metric::Zeroing].map(|metric| planned(metric, dtz).unwrap());
    assert!(dtz.0 > dtc.0 && dtz.1 == dtc.1, "{dtc:?} {dtz:?}");
    // Metrics of the fifty-move rule are solved in memory alone.
    let slice = chess.read_slices("KRKP").unwrap()[0];
    assert!(least(Metric::ZEROING50) > chess.solving_bytes(slice, Metric::ZEROING50));
    std::fs::remove_dir_all(dir).unwrap();
}

/// A trial foretells the time roughly, in memory and in parts, and leaves nothing behind.
#[test]
fn the_time_is_foretold() {
    let (dir, game) = (scratch("foretold"), Levels::new(Awari::default()));
    let (store, work) = (Store::new(&dir, "game"), Work::default());
    let foretell = |slices: &str, memory| {
        let mut plan = plan(&game, &store, &game.read_slices(slices).unwrap(), Metric::Score).unwrap();
        plan.fit(&game, memory);
        forecast(&game, &plan, &work).unwrap().unwrap()
    };
    let (small, large, parts) =
        (foretell("0-12", 1 << 30), foretell("0-20", 1 << 30), foretell("0-20", 8 << 20));
    // There are eighty times as many positions. How much slower parts are depends on what else the machine does.
    assert!(small.seconds > 0.0 && large.seconds > small.seconds, "{small:?} {large:?}");
    assert!(parts.seconds > small.seconds && large.passes > 2, "{parts:?} {large:?}");
    assert!(!dir.join("game").exists() || std::fs::read_dir(dir.join("game")).unwrap().count() == 0);
    let _ = std::fs::remove_dir_all(dir);
}

/// Does its work only when the test below starts it as a program of its own.
#[test]
fn a_build_in_little_memory() {
    let Ok(text) = std::env::var(CHILD) else { return };
    let (dir, memory) = text.split_once('|').unwrap();
    let awari = Levels::new(Awari::default());
    let (before, store) = (peak(), Store::new(Path::new(dir), "game"));
    let planned = plan(&awari, &store, &awari.read_slices("14").unwrap(), Metric::Score).unwrap();
    println!("planned {}", planned.memory());
    make(&awari, Path::new(dir), "14", Metric::Score, memory.parse().unwrap()).unwrap();
    println!("peak {}", peak() - before);
}

/// The most memory that this process ever had, in bytes; 0 where the system does not tell.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()).map_or(0, |kb| kb << 10)
}

#[test]
#[cfg(target_os = "linux")]
fn the_process_stays_near_the_memory_it_is_given() {
    let run = |memory: u64| {
        let dir = scratch(&format!("near-{memory}"));
        let out = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_build_in_little_memory", "--nocapture"])
            .env(CHILD, format!("{}|{memory}", dir.display()))
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        let told = |word| text.lines().find_map(|line| line.split(word).nth(1)?.parse::<u64>().ok()).unwrap();
        let all = files(&dir);
        std::fs::remove_dir_all(dir).unwrap();
        (told("peak "), all, told("planned "))
    };
    // Level 14 has 4,457,400 positions, a byte each in memory, as have the 2,704,156 below.
    let (whole, parts) = (run(1 << 30), run(8 << 20));
    assert!(whole.1 == parts.1);
    println!("{} bytes at most in 8 MiB, {} in memory", parts.0, whole.0);
    assert!(parts.0 < 10 << 20 && whole.0 > 12 << 20, "{} and {} bytes", parts.0, whole.0);
    assert!(whole.0 < whole.2 + (BESIDE << 20), "{} bytes, {} are planned", whole.0, whole.2);
}
