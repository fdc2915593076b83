//! The long computations: the small ones are run, the others begin where they say.

use endspiel_catalog::game;
use endspiel_catalog::jobs::{JOBS, job};
use endspiel_game::Budget;

#[test]
fn small_jobs_give_the_published_values_with_certificates() {
    let small = [
        "tic-tac-toe",
        "othello-4",
        "hex-4",
        "hex-5",
        "connect-four-6x5",
        "connect-four-6x6",
        "connect-four-7x5",
        "mnk-5-5-4",
        "mnk-6-6-5",
        "mnk-7-7-5",
        "mnk-6-5-4",
    ];
    for name in small {
        let (mut cases, mut nodes) = (0, 0);
        let told = job(name).expect("a job").run(&Budget::default(), None, &(), |case| {
            assert_eq!(case.agrees, Some(true), "{name}: {case:?}");
            assert!(case.records.is_some(), "{name}: {case:?}");
            cases += 1;
            nodes += case.nodes;
            Ok(())
        });
        told.expect("it runs");
        let openings = [("hex-4", 16), ("hex-5", 26)].into_iter().find(|(job, _)| *job == name);
        assert_eq!(cases, openings.map_or(1, |(_, count)| count));
        assert!(nodes > 0);
    }
    assert!(job("go-19").is_err());
}

#[test]
fn every_job_begins_at_positions_of_its_game() {
    for job in JOBS {
        let game = game(job.game).expect("a rule set");
        for case in job.cases() {
            assert!(["win", "draw", "loss"].contains(&case.value));
            if let Some(position) = case.position {
                assert!(!game.read(&position).expect("a position").moves().is_empty());
            }
        }
    }
}

#[test]
fn a_job_goes_on_from_the_certificates_of_an_earlier_run() {
    let directory = std::env::temp_dir().join(format!("endspiel-jobs-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let run = || {
        let mut kept = Vec::new();
        let job = job("hex-4").expect("a job");
        let told = job.run(&Budget::default(), Some(&directory), &(), |case| {
            assert_eq!((case.agrees, case.records.is_some()), (Some(true), true), "{case:?}");
            kept.push(case.kept);
            Ok(())
        });
        told.expect("it runs");
        kept
    };
    assert_eq!(run(), [false; 16]);
    // One is lost, one damaged, and one is about another position.
    let mut files: Vec<_> =
        std::fs::read_dir(&directory).expect("there").map(|file| file.expect("a file").path()).collect();
    files.sort();
    std::fs::remove_file(&files[0]).expect("removed");
    let mut bytes = std::fs::read(&files[1]).expect("read");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&files[1], bytes).expect("written");
    std::fs::copy(&files[3], &files[2]).expect("copied");
    assert_eq!(run().iter().filter(|&&kept| kept).count(), 13);
    assert_eq!(run(), [true; 16]);
    std::fs::remove_dir_all(directory).expect("removed");
}
