//! The same slices by workers and processes that share the numbers: the same bytes as by one process alone, and a
//! process that is killed costs no more than the slice it was at.

use endspiel_expertise::awari::Levels;
use endspiel_expertise::{checkers, chess, nine_mens_morris, xiangqi};
use endspiel_retro::{Cluster, Error, Indexed, Metric, Store, Traffic, Work, build, build_together, plan};
use endspiel_rules::awari::Awari;
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const CHILD: &str = "ENDSPIEL_TEST_CLUSTER";

/// A game, slices in its words, and a metric.
type What = (&'static str, &'static str, Metric);

const AWARI: What = ("awari", "0-9", Metric::Score);
const LONGER: What = ("awari", "0-12", Metric::Score);
const PAWN: What = ("chess", "KPK", Metric::Zeroing);

fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("endspiel-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

fn make<I: Indexed + 'static>(
    game: I,
    dir: &Path,
    (name, slices, metric): What,
    cluster: Option<&Cluster>,
) -> Result<Traffic, Error> {
    let (game, store, work) = (Arc::new(game), Store::new(dir, name), Work::default());
    let plan = plan(&*game, &store, &game.read_slices(slices).unwrap(), metric)?;
    match cluster {
        Some(cluster) => build_together(&game, &store, &plan, cluster, &work, &mut |_, _| ()),
        None => build(&*game, &store, &plan, &work, &mut |_, _| ()).map(|()| Traffic::default()),
    }
}

fn make_named(dir: &Path, what: What, cluster: Option<&Cluster>) -> Result<Traffic, Error> {
    match what.0 {
        "awari" => make(Levels::new(Awari::default()), dir, what, cluster),
        "checkers" => make(checkers::Endings::new(), dir, what, cluster),
        "chess" => make(chess::Endings::new(), dir, what, cluster),
        "xiangqi" => make(xiangqi::Endings::new(), dir, what, cluster),
        _ => make(nine_mens_morris::Subspaces::new(), dir, what, cluster),
    }
}

/// All files but the lock and what is half written.
fn files(dir: &Path, what: What) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = std::fs::read_dir(dir.join(what.0)).into_iter().flatten().flatten();
    entries
        .map(|e| e.path())
        .filter(|path| path.extension().is_some_and(|e| e != "partial"))
        .map(|path| (path.file_name().unwrap().into(), std::fs::read(&path).unwrap()))
        .collect()
}

fn alone(workers: usize) -> Cluster {
    Cluster { workers, process: 0, hosts: Vec::new(), patience: Duration::from_secs(20) }
}

/// Addresses on this machine where nobody listens.
fn free_hosts(many: usize) -> Vec<String> {
    let held: Vec<_> = (0..many).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    held.iter().map(|listener| listener.local_addr().unwrap().to_string()).collect()
}

/// Does its work only when the tests below start it as a program of its own.
#[test]
fn a_process_of_a_cluster() {
    let Ok(text) = std::env::var(CHILD) else { return };
    let words: Vec<&str> = text.split('|').collect();
    let what = [AWARI, LONGER, PAWN].into_iter().find(|what| what.1 == words[1]).unwrap();
    let cluster = Cluster {
        process: words[2].parse().unwrap(),
        hosts: words[3].split(' ').map(Into::into).collect(),
        ..alone(1)
    };
    if let Err(error) = make_named(Path::new(words[0]), what, Some(&cluster)) {
        assert!(matches!(error, Error::Lost { .. }), "{error}");
        std::process::exit(3);
    }
}

fn start(dir: &Path, what: What, hosts: &[String]) -> Vec<Child> {
    (0..hosts.len())
        .map(|process| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "a_process_of_a_cluster"])
                .env(CHILD, format!("{}|{}|{process}|{}", dir.display(), what.1, hosts.join(" ")))
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect()
}

fn wait(children: Vec<Child>) -> Vec<Option<i32>> {
    children.into_iter().map(|mut child| child.wait().unwrap().code()).collect()
}

#[test]
fn workers_give_the_same_bytes_in_every_game() {
    for what in [
        AWARI,
        ("checkers", "2-3", Metric::Value),
        ("checkers", "2-3", Metric::Conversion),
        ("checkers", "2-3", Metric::End),
        ("checkers", "2-3", Metric::Zeroing),
        ("xiangqi", "KNKG", Metric::Conversion),
        ("xiangqi", "KPKG", Metric::Zeroing),
        ("nine-mens-morris", "3-3", Metric::End),
        ("chess", "KPK", Metric::End),
        ("chess", "KPK", Metric::Value),
        PAWN,
    ] {
        let (one, many) = (scratch("one-worker"), scratch("three-workers"));
        make_named(&one, what, None).unwrap();
        let sent = make_named(&many, what, Some(&alone(3))).unwrap();
        assert!(sent.told > 0 && sent.positions > 0, "{what:?}");
        let (one_files, many_files) = (files(&one, what), files(&many, what));
        assert!(one_files == many_files, "{what:?}");
        std::fs::remove_dir_all(one).unwrap();
        std::fs::remove_dir_all(many).unwrap();
    }
}

#[test]
fn four_processes_give_the_bytes_of_one() {
    let (one, four) = (scratch("one-process"), scratch("four-processes"));
    for what in [AWARI, PAWN] {
        make_named(&one, what, None).unwrap();
        assert_eq!(wait(start(&four, what, &free_hosts(4))), [Some(0); 4]);
        assert!(files(&one, what) == files(&four, what), "{what:?}");
    }
    std::fs::remove_dir_all(one).unwrap();
    std::fs::remove_dir_all(four).unwrap();
}

#[test]
fn a_killed_process_costs_its_slice_alone() {
    let (one, four) = (scratch("whole-cluster"), scratch("broken-cluster"));
    make_named(&one, LONGER, None).unwrap();
    let expected = files(&one, LONGER);
    let mut children = start(&four, LONGER, &free_hosts(4));
    // The later slices take by far the most time: the kill falls into one of them.
    let begun = Instant::now();
    while files(&four, LONGER).len() < 10 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    children[2].kill().unwrap();
    let ends = wait(children);
    assert_eq!([ends[0], ends[1], ends[3]], [Some(3); 3], "the others notice and say so");
    let left = files(&four, LONGER);
    let slices = || left.iter().filter(|(name, _)| !name.ends_with("manifest.json"));
    assert!((9..13).contains(&slices().count()), "{}", slices().count());
    assert!(slices().all(|(name, bytes)| expected[name] == *bytes), "what is there is complete");
    assert_eq!(wait(start(&four, LONGER, &free_hosts(4))), [Some(0); 4]);
    assert!(files(&four, LONGER) == expected);
    std::fs::remove_dir_all(one).unwrap();
    std::fs::remove_dir_all(four).unwrap();
}

#[test]
fn what_will_not_do_is_said_at_once() {
    let dir = scratch("no-cluster");
    let says = |what: What, cluster: &Cluster| make_named(&dir, what, Some(cluster)).unwrap_err().to_string();
    assert!(says(("chess", "KPK", Metric::ZEROING50), &alone(2)).contains("one process alone"));
    assert!(says(AWARI, &Cluster { process: 3, hosts: free_hosts(2), ..alone(1) }).contains("no process 3"));
    let nobody = Cluster { hosts: free_hosts(2), patience: Duration::from_millis(200), ..alone(1) };
    assert!(says(AWARI, &nobody).contains("process 1 at 127.0.0.1"));
    // Somebody who wants other slices is refused by both.
    let hosts = free_hosts(2);
    let pair = |process| Cluster { process, hosts: hosts.clone(), ..alone(1) };
    let other = pair(1);
    let there = dir.clone();
    let second =
        std::thread::spawn(move || make_named(&there, LONGER, Some(&other)).unwrap_err().to_string());
    assert!(says(AWARI, &pair(0)).contains("another game"));
    assert!(second.join().unwrap().contains("another game"));
    let _ = std::fs::remove_dir_all(dir);
}
