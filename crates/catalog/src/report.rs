//! What is asked of the catalog and what it answers, as plain data: the same types make the command
//! line's `--json` and whatever else talks to the outside.

use endspiel_game::{Answer, Bounds, Budget, Estimate, Goal, Outcome, TextError};
use serde::Serialize;
use std::path::PathBuf;

/// What stands for a method where databases alone answer.
pub(crate) const DATABASES: &str = "databases";

/// What a method is run for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// A proof.
    #[default]
    Prove,
    /// A good move in time, and a proof if one is found on the way.
    Play,
}

/// What is to be done with a position.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The method's name; `auto` chooses one.
    pub method: String,
    /// What for.
    pub purpose: Purpose,
    /// How much is to be found out.
    pub goal: Goal,
    /// What may be spent.
    pub budget: Budget,
    /// Where to write the certificate, if one is wanted.
    pub certificate: Option<PathBuf>,
}

/// How sure an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All that was asked is proven.
    Proven,
    /// Something is proven, not all.
    Bounded,
    /// Nothing is proven; there is a guess.
    Estimated,
    /// Nothing is known.
    Unknown,
}

/// The answer to [`Request`]; all values are for the player to move.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The game with its variant.
    pub game: String,
    /// The position in the game's notation.
    pub position: String,
    /// Whom the values are for: the player to move, or the first player when the game is over.
    pub player: &'static str,
    /// How sure it is.
    pub status: Status,
    /// What used up the budget, if not all that was asked is proven: `time`, `nodes`, `memory` or
    /// `stopped`; `method` if the method cannot do more.
    pub ended: Option<&'static str>,
    /// `win`, `draw` or `loss`, if proven.
    pub value: Option<&'static str>,
    /// The exact payoff of a scored game, if proven.
    pub score: Option<i32>,
    /// Proven bounds on the payoff.
    pub bounds: [i32; 2],
    /// A guess at the payoff, with its standard error where there is one.
    pub estimate: Option<EstimateReport>,
    /// Plies to the end of the game; in games with scores, where the score tells it.
    pub distance: Option<DistanceReport>,
    /// The best line found.
    pub line: Vec<String>,
    /// The method behind the estimate and the line, where the one that was asked has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guessed_by: Option<String>,
    /// The method that answered, or `databases`.
    pub method: String,
    /// Why `auto` chose it.
    pub why: Option<String>,
    /// Nodes, as the method counts them.
    pub nodes: u64,
    /// Time in seconds.
    pub seconds: f64,
    /// The certificate's file, if one was written; it has been checked.
    pub certificate: Option<CertificateReport>,
    /// Why there is no certificate, though one was wanted.
    pub uncertified: Option<String>,
    /// The databases that the answer rests on, with their checksum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rests_on: Option<String>,
}

impl Report {
    /// Takes everything back but `open`, which holds by the rules alone.
    pub(crate) fn withdraw(&mut self, open: Bounds) {
        (self.status, self.bounds) = (Status::Unknown, [open.low, open.high]);
        (self.value, self.score, self.estimate, self.distance) = (None, None, None, None);
        self.line.clear();
    }

    /// Adds what a short look thinks of the position. What it may have proven counts as thought only: nobody gave it the budget.
    pub(crate) fn take_guess(&mut self, look: Self) {
        let [low, high] = look.bounds.map(f64::from);
        let proven = EstimateReport { mean: f64::midpoint(low, high), spread: None };
        self.estimate = look.estimate.or_else(|| (look.status == Status::Proven).then_some(proven));
        (self.line, self.guessed_by) = (look.line, Some(look.method));
        if self.status == Status::Unknown && self.estimate.is_some() {
            self.status = Status::Estimated;
        }
    }

    /// No method had to look for the answer.
    pub(crate) fn found_in_databases(&mut self) {
        self.method = DATABASES.into();
        self.why = None;
    }

    /// A prover of the game's own found the answer.
    pub(crate) fn found_by(&mut self, (name, why): (&str, &str)) {
        (self.method, self.why) = (name.into(), Some(why.into()));
    }
}

/// A guess.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct EstimateReport {
    /// The guess, in payoff units.
    pub mean: f64,
    /// Its standard error.
    pub spread: Option<f64>,
}

impl From<Estimate> for EstimateReport {
    fn from(e: Estimate) -> Self {
        // No zero has a sign.
        Self { mean: e.mean + 0.0, spread: e.spread }
    }
}

/// How far the end is.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct DistanceReport {
    /// Half-moves.
    pub plies: u32,
    /// With best play of both; otherwise an upper bound for the winner.
    pub exact: bool,
}

/// A certificate that was written and checked.
#[derive(Clone, Debug, Serialize)]
pub struct CertificateReport {
    /// The file.
    pub file: PathBuf,
    /// Positions of the prover's that it answers.
    pub records: u64,
    /// Its size.
    pub bytes: u64,
}

/// One move of `best`, from the mover's view.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// How sure its value is.
    pub status: Status,
    /// What the mover gets by it, if proven.
    pub value: Option<&'static str>,
    /// The exact payoff, if proven.
    pub score: Option<i32>,
    /// Proven bounds on the mover's payoff.
    pub bounds: [i32; 2],
    /// A guess at the mover's payoff.
    pub estimate: Option<EstimateReport>,
    /// Plies to the end, this move among them.
    pub distance: Option<DistanceReport>,
    /// How play may go on, this move first.
    pub line: Vec<String>,
}

/// The answer of `best`: the position's own report, and all moves ranked.
#[derive(Clone, Debug, Serialize)]
pub struct Ranking {
    /// The position as a whole, as far as its moves tell.
    #[serde(flatten)]
    pub report: Report,
    /// The moves, the best first.
    pub moves: Vec<MoveReport>,
}

/// A certificate that was accepted.
#[derive(Clone, Debug, Serialize)]
pub struct Accepted {
    /// The game with its variant.
    pub game: String,
    /// The position it is about.
    pub position: String,
    /// What is proven of it, in the game's words.
    pub statement: String,
    /// The proven bounds on the payoff of the player to move; null is what the rules leave. None of a question's answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[Option<i32>; 2]>,
    /// Positions of the prover's, each with its answer.
    pub records: u64,
    /// The databases that it rests on beside the rules, with their checksums.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<String>,
    /// Files beside these databases that cannot be used, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<String>,
    /// The certificate's name, to compare with a published one.
    pub digest: String,
    /// How long checking took.
    pub seconds: f64,
}

/// Progress in words and numbers.
#[derive(Clone, Debug, Serialize)]
pub struct ProgressReport {
    /// What is being done.
    pub doing: String,
    /// Nodes so far.
    pub nodes: u64,
    /// Depth reached.
    pub depth: Option<u32>,
    /// Share of the work done.
    pub share: Option<f64>,
    /// Proven bounds so far.
    pub bounds: [i32; 2],
    /// The guess so far.
    pub estimate: Option<EstimateReport>,
    /// The best line so far.
    pub line: Vec<String>,
}

/// Who is told of the progress.
pub trait Watcher: Sync {
    /// Something happened.
    fn progress(&self, progress: &ProgressReport);

    /// More is known of a move that is being ranked.
    fn judged(&self, _judged: &MoveReport) {}
}

/// Nobody is told.
impl Watcher for () {
    fn progress(&self, _: &ProgressReport) {}
}

/// What can go wrong between a request and its answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No game of that name.
    #[error("no game is called '{0}'; {1}")]
    UnknownGame(String, String),
    /// No method of that name.
    #[error("no method is called '{0}'; the methods are {1}")]
    UnknownMethod(String, String),
    /// No job of that name.
    #[error("no job is called '{0}'; the jobs are {1}")]
    UnknownJob(String, String),
    /// Tables of the game do not tell that.
    #[error("'{0}' is no metric of {1}, which has {2}")]
    UnknownMetric(String, &'static str, String),
    /// The game has no tables, or they cannot serve for what is asked; what would.
    #[error("{0}")]
    Unfit(String),
    /// A game whose values do not add up.
    #[error(
        "{0} is not impartial: the players have different moves, or who cannot move does not lose; \
         sums are of games such as wythoff:nim and virus"
    )]
    Partial(String),
    /// The budget is spent.
    #[error("{0}")]
    Spent(String),
    /// A text that cannot be read.
    #[error("{0}")]
    Text(#[from] TextError),
    /// A move that a proof does not make.
    #[error("{0}")]
    Strayed(String),
    /// The certificate could not be built, written or read, or does not hold.
    #[error("{0}")]
    Certificate(String),
    /// A database that an answer needed cannot be read.
    #[error("{0}; `endspiel db verify` tells more, and `endspiel db build` makes a removed file anew")]
    Damaged(String),
    /// A database cannot be built or asked.
    #[error("{0}")]
    Database(#[from] endspiel_retro::Error),
}

impl Error {
    /// Is it only that a database has not been built?
    pub fn is_missing(&self) -> bool {
        use endspiel_retro::Error::{Empty, Missing};
        matches!(self, Self::Database(Empty { .. } | Missing { .. }))
    }
}

pub(crate) fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

/// How sure an answer is, seen from what was asked.
pub(crate) fn status<M>(answer: &Answer<M>, open: Bounds, goal: Goal) -> Status {
    if answer.bounds.decide(goal) {
        Status::Proven
    } else if answer.bounds != open {
        Status::Bounded
    } else if answer.estimate.is_some() {
        Status::Estimated
    } else {
        Status::Unknown
    }
}

/// The answer to a question.
#[derive(Clone, Debug, Serialize)]
pub struct Asked {
    /// The rule set.
    pub game: String,
    /// The position asked about.
    pub position: String,
    /// The question, with all players named.
    pub question: String,
    /// Does it hold? None if the budget was used up before.
    pub holds: Option<bool>,
    /// How it was searched.
    pub engine: &'static str,
    /// How many different formulas the question is made of.
    pub formulas: usize,
    /// Positions whose moves were looked at, or nodes of the tree.
    pub nodes: u64,
    /// Time spent.
    pub seconds: f64,
    /// The file that shows it, if one was wanted; it has been checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<CertificateReport>,
    /// Why there is none, though one was wanted and the answer is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncertified: Option<String>,
}
