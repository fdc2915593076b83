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
        "connect-four-6x5",
        "connect-four-6x6",
        "connect-four-7x5",
        "mnk-5-5-4",
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
        assert_eq!(cases, if name == "hex-4" { 16 } else { 1 });
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
