//! The one table of all games and the one table of all methods: static types inside, one erased interface
//! outside. The command line, and whatever else talks to the outside, goes through here.
//!
//! ```
//! use endspiel_catalog::{Request, game};
//!
//! let game = game("tic-tac-toe").unwrap();
//! let position = game.start().play("b2 a2").unwrap();
//! let report = position.solve(&Request::default(), &()).unwrap();
//! assert_eq!(report.value, Some("win"));
//! ```

mod ask;
pub mod bench;
mod certify;
pub mod complexity;
mod database_check;
mod database_reports;
mod database_stats;
pub mod databases;
mod entry;
mod explore;
mod export;
mod fallible;
mod games;
mod glance;
pub mod guarded;
mod guess;
pub mod jobs;
mod known;
mod methods;
mod numbers;
pub mod ponder;
mod prefer;
mod progress;
mod rank;
mod report;
mod scratch;
mod slips;
mod specialist;
pub mod sum;
mod threats;

pub use entry::{AnyGame, AnyPosition, Entry};
pub use explore::{AnyProof, ClaimReport, ReplyReport, Station};
pub use games::{GAMES, game};
pub use glance::Glance;
pub use guess::guess;
pub use methods::{AboutMethod, METHODS, matrix, method};
pub use report::{
    Accepted, Asked, CertificateReport, DistanceReport, Error, EstimateReport, MoveReport, ProgressReport,
    Purpose, Ranking, Report, Request, Status, Watcher,
};

pub use threats::{CounterPlay, CounterThreat, ThreatReport, ThreatStep, ThreatVariation};

use scratch::Scratch;
use std::path::Path;

/// Checks a certificate of any game by the rules alone.
pub fn verify(file: &Path, threads: usize) -> Result<Accepted, Error> {
    verify_on(file, threads, None)
}

/// Checks a certificate of any game. Where it rests on databases, those must be in the folder.
pub fn verify_on(file: &Path, threads: usize, databases: Option<&Path>) -> Result<Accepted, Error> {
    if std::fs::metadata(file).is_ok_and(|data| !data.is_file()) {
        let what = "it is not a file; a certificate is read more than once, so save it first".into();
        return Err(Error::Certificate(what));
    }
    if let Some(answered) = ask::answered(file)? {
        return game(&answered.game)?.verify(file, threads);
    }
    let header = endspiel_proof::read_header(file).map_err(|e| Error::Certificate(e.to_string()))?;
    match databases.filter(|_| !header.rests.is_empty()) {
        Some(root) => {
            let game = game(&header.game)?.informed(root)?;
            let passed_over = game.passed_over().to_vec();
            match game.verify(file, threads) {
                Ok(accepted) => Ok(Accepted { passed_over, ..accepted }),
                // One of them may be what was missed.
                Err(refused) if !passed_over.is_empty() => {
                    Err(Error::Certificate(format!("{refused}; {}", passed_over.join("; "))))
                }
                refused => refused,
            }
        }
        None => game(&header.game)?.verify(file, threads),
    }
}

/// Checks a certificate of any game within the budget, and keeps it to be walked through.
pub fn open_proof(file: &Path, budget: &endspiel_game::Budget) -> Result<Box<dyn AnyProof>, Error> {
    let header = endspiel_proof::read_header(file).map_err(|e| Error::Certificate(e.to_string()))?;
    if header.memory() > budget.memory as u64 {
        let (needed, allowed) = (header.memory(), budget.memory);
        return Err(Error::Certificate(format!("its records take {needed} bytes, more than {allowed}")));
    }
    game(&header.game)?.open_proof(file, budget)
}

/// What a certificate says of itself; nothing of it is checked.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Label {
    /// The name to compare with a published one.
    pub digest: String,
    /// The game with its variant.
    pub game: String,
    /// The position it is about.
    pub position: String,
    /// Positions that have an answer.
    pub records: u64,
}

/// Reads the header of a certificate.
pub fn label(file: &Path) -> Result<Label, Error> {
    let header = endspiel_proof::read_header(file).map_err(|e| Error::Certificate(e.to_string()))?;
    Ok(Label {
        digest: format!("{:032x}", header.digest),
        records: header.strategies.iter().map(|s| s.records).sum(),
        game: header.game,
        position: header.root,
    })
}

/// The examples of the contributor's guide are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
struct Contributing;
