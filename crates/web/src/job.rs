//! A job: what was asked, how far it is, and what is told of it to whoever watches.

use crate::jobs::Limits;
use crate::place::Where;
use endspiel_catalog::{MoveReport, ProgressReport, Purpose, Request, Watcher};
use endspiel_game::{Budget, Goal, Stop};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A job that nobody watches or asks about for so long is stopped.
const LEASE: Duration = Duration::from_secs(10);
/// A job that has run for so much longer than any may is stopped: writing a certificate has no clock of its own.
const GRACE: Duration = Duration::from_secs(2);
/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The value of the position: as `endspiel solve`.
    #[default]
    Solve,
    /// The moves, ranked in growing rounds: as `endspiel best`.
    Best,
    /// An experiment: as `endspiel lab run`.
    Lab,
}

/// A job as it is asked for.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // They are the switches of a form.
pub struct Ask {
    pub kind: Kind,
    pub game: String,
    pub position: String,
    pub moves: String,
    /// The method, or `auto`.
    pub method: String,
    /// A good move in time, rather than a proof?
    pub play: bool,
    /// The exact score, not only who wins?
    pub score: bool,
    /// Seconds.
    pub time: Option<f64>,
    pub nodes: Option<u64>,
    /// Bytes.
    pub memory: Option<usize>,
    pub threads: Option<usize>,
    pub seed: Option<u64>,
    /// Write a certificate of what is proven?
    pub certificate: bool,
    /// Go on when nobody watches?
    pub keep: bool,
    /// The experiment's name.
    pub experiment: String,
}

impl Ask {
    pub fn place(&self) -> Where {
        Where {
            game: self.game.clone(),
            position: self.position.clone(),
            moves: self.moves.clone(),
            ..Where::default()
        }
    }

    /// A hint, a method's move or a look at a position of the game: something on the way, that nobody asks for later.
    pub fn is_passing(&self) -> bool {
        self.kind == Kind::Solve && self.play && !self.keep
    }

    /// The request within the server's limits.
    pub fn request(&self, limits: &Limits, stop: Stop) -> Request {
        let time = self.time.and_then(|s| Duration::try_from_secs_f64(s).ok()).unwrap_or(Duration::MAX);
        let memory = limits.share();
        Request {
            method: if self.method.is_empty() { "auto".into() } else { self.method.clone() },
            purpose: if self.play { Purpose::Play } else { Purpose::Prove },
            goal: if self.score { Goal::Score } else { Goal::Outcome },
            budget: Budget {
                nodes: self.nodes,
                time: Some(time.min(limits.time_of(self.kind))),
                memory: self.memory.unwrap_or(memory).clamp((1 << 20).min(memory), memory),
                threads: self.threads.unwrap_or(1).clamp(1, limits.threads.max(1)),
                seed: self.seed.unwrap_or(1),
                stop,
            },
            certificate: None,
        }
    }
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Waiting,
    Running,
    Done,
    Failed,
    Cancelled,
    /// The server stopped too often while it ran.
    Interrupted,
}

impl State {
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Waiting | Self::Running)
    }
}

/// A job.
pub struct Job {
    pub id: String,
    pub ask: Ask,
    pub stop: Stop,
    /// Where it came from, if somebody asked for it over the network.
    pub client: Option<IpAddr>,
    live: Mutex<Live>,
}

struct Live {
    state: State,
    /// Counts what happened.
    version: u64,
    begun: Option<Instant>,
    seconds: f64,
    progress: Option<ProgressReport>,
    /// The moves judged so far, each with the version at which it last changed.
    moves: BTreeMap<String, (u64, MoveReport)>,
    /// The rows of an experiment so far, each with the version at which it came.
    rows: Vec<(u64, Value)>,
    outcome: Value,
    error: Option<String>,
    watchers: usize,
    seen: Instant,
}

/// What a watcher is told: all that is new since the last time.
#[derive(Clone, Debug, Serialize)]
pub struct News {
    pub id: String,
    pub state: State,
    /// Jobs that wait before this one.
    pub before: usize,
    pub seconds: f64,
    pub progress: Option<ProgressReport>,
    pub moves: Vec<MoveReport>,
    pub rows: Vec<Value>,
    pub result: Value,
    pub error: Option<String>,
    #[serde(skip)]
    pub version: u64,
}

/// A lock that a panicking thread left behind is taken all the same: what it guards is whole at every step.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    pub fn new(id: String, ask: Ask) -> Self {
        let live = Live {
            state: State::Waiting,
            version: 1,
            begun: None,
            seconds: 0.0,
            progress: None,
            moves: BTreeMap::new(),
            rows: Vec::new(),
            outcome: Value::Null,
            error: None,
            watchers: 0,
            seen: Instant::now(),
        };
        Self { id, ask, stop: Stop::default(), client: None, live: Mutex::new(live) }
    }

    /// The same job of a client's.
    pub fn of(self, client: Option<IpAddr>) -> Self {
        Self { client, ..self }
    }

    pub fn state(&self) -> State {
        lock(&self.live).state
    }

    /// A worker takes it up; no, if it was cancelled while it waited.
    pub fn begin(&self) -> bool {
        let mut live = lock(&self.live);
        if live.state != State::Waiting {
            return false;
        }
        live.state = State::Running;
        live.begun = Some(Instant::now());
        live.version += 1;
        true
    }

    /// An experiment has one more row.
    pub fn row(&self, row: &Value) {
        let mut live = lock(&self.live);
        live.version += 1;
        let version = live.version;
        live.rows.push((version, row.clone()));
    }

    /// It is not begun any more.
    pub fn give_up(&self, why: String) {
        let mut live = lock(&self.live);
        (live.state, live.error) = (State::Interrupted, Some(why));
    }

    /// It is over.
    pub fn end(&self, outcome: Result<Value, String>) {
        let mut live = lock(&self.live);
        live.seconds = live.begun.map_or(0.0, |t| t.elapsed().as_secs_f64());
        live.version += 1;
        match outcome {
            Ok(value) => {
                live.state = if self.stop.asked() { State::Cancelled } else { State::Done };
                live.outcome = value;
            }
            // Why it was cut short says more than what came of that.
            Err(_) if live.error.is_some() => live.state = State::Cancelled,
            Err(error) => {
                live.state = State::Failed;
                live.error = Some(error);
            }
        }
    }

    /// Stops it soon if it runs, and at once if it waits.
    pub fn cancel(&self) {
        self.stop.now();
        let mut live = lock(&self.live);
        if live.state == State::Waiting {
            live.state = State::Cancelled;
            live.version += 1;
        }
    }

    /// Stops it if it has run for longer than any may, or its certificate, with `written` bytes, has become too large.
    pub fn cut(&self, limits: &Limits, written: u64) {
        let mut live = lock(&self.live);
        let most = limits.time_of(self.ask.kind);
        let late = live.begun.is_some_and(|begun| begun.elapsed() > most.saturating_add(GRACE));
        let room = limits.certificates / limits.workers.max(1) as u64;
        let why = if late {
            format!("stopped: a job may take {} seconds here", most.as_secs())
        } else if written > room {
            format!("stopped: a job's certificate may have {room} bytes here")
        } else {
            return;
        };
        if live.state == State::Running && live.error.is_none() {
            live.error = Some(why);
            self.stop.now();
        }
    }

    /// Somebody watches from now on, until the guard is dropped.
    pub fn watch(self: &Arc<Self>) -> Watch {
        lock(&self.live).watchers += 1;
        Watch(self.clone())
    }

    /// Nobody has been there for a while.
    pub fn is_abandoned(&self) -> bool {
        let live = lock(&self.live);
        !self.ask.keep && !live.state.is_over() && live.watchers == 0 && live.seen.elapsed() > LEASE
    }

    /// When a worker took it up.
    pub fn begun(&self) -> Option<Instant> {
        lock(&self.live).begun
    }

    /// What is new since version `since`, told to somebody who follows it.
    pub fn news(&self, since: u64) -> News {
        lock(&self.live).seen = Instant::now();
        self.told(since)
    }

    /// What is new since version `since`.
    pub fn told(&self, since: u64) -> News {
        let live = lock(&self.live);
        let running = live.begun.map_or(0.0, |t| t.elapsed().as_secs_f64());
        News {
            id: self.id.clone(),
            state: live.state,
            before: 0,
            seconds: if live.state.is_over() { live.seconds } else { running },
            progress: live.progress.clone(),
            moves: live.moves.values().filter(|(v, _)| *v > since).map(|(_, m)| m.clone()).collect(),
            rows: live.rows.iter().filter(|(v, _)| *v > since).map(|(_, row)| row.clone()).collect(),
            result: if live.state.is_over() { live.outcome.clone() } else { Value::Null },
            error: live.error.clone(),
            version: live.version,
        }
    }
}

impl Watcher for Job {
    fn progress(&self, progress: &ProgressReport) {
        let mut live = lock(&self.live);
        live.version += 1;
        live.progress = Some(progress.clone());
    }

    fn judged(&self, judged: &MoveReport) {
        let mut live = lock(&self.live);
        live.version += 1;
        let version = live.version;
        live.moves.insert(judged.name.clone(), (version, judged.clone()));
    }
}

/// Somebody watches a job; when the last one goes, it stops.
pub struct Watch(Arc<Job>);

impl Drop for Watch {
    fn drop(&mut self) {
        let mut live = lock(&self.0.live);
        live.watchers -= 1;
        live.seen = Instant::now();
        let alone = live.watchers == 0 && !live.state.is_over();
        drop(live);
        if alone && !self.0.ask.keep {
            self.0.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_jobs_and_those_with_large_certificates_are_stopped() {
        let limits = Limits { time: Duration::ZERO, ..Limits::default() };
        let ask = |time: f64| Ask { game: "tic-tac-toe".into(), time: Some(time), ..Ask::default() };
        let job = Job::new("late".into(), ask(1.0));
        assert!(job.begin());
        job.cut(&limits, 0);
        assert!(!job.stop.asked(), "it has a moment more");
        lock(&job.live).begun = Instant::now().checked_sub(GRACE * 2);
        job.cut(&limits, 0);
        job.end(Err("the certificate is not finished".into()));
        let told = job.told(0);
        assert!(told.state == State::Cancelled && told.error.is_some_and(|e| e.starts_with("stopped: ")));

        let experiment = Ask { kind: Kind::Lab, ..ask(1.0) };
        assert_eq!(experiment.request(&limits, Stop::default()).budget.time, Some(Duration::from_secs(1)));
        let hours = Ask { time: None, ..experiment.clone() }.request(&limits, Stop::default());
        assert_eq!(hours.budget.time, Some(limits.laboratory), "experiments have a limit of their own");
        let job = Job::new("experiment".into(), experiment);
        assert!(job.begin());
        lock(&job.live).begun = Instant::now().checked_sub(GRACE * 2);
        job.cut(&limits, 0);
        assert!(!job.stop.asked());

        let job = Job::new("large".into(), ask(1.0));
        assert!(job.begin());
        job.cut(&limits, limits.certificates + 1);
        assert!(job.stop.asked() && job.told(0).error.is_some_and(|e| e.contains("bytes here")));
    }
}
