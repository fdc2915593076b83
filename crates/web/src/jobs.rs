//! Jobs: questions that take their time. A job waits in a queue, runs on one of a few workers within the
//! server's limits, and tells whoever watches. A job that nobody watches any more stops, unless it was asked
//! to be kept.

use crate::fault::Fault;
use crate::place::Where;
use crate::store::Store;
use axum::http::StatusCode;
use endspiel_catalog::{MoveReport, ProgressReport, Purpose, Request, Watcher};
use endspiel_game::{Budget, Goal, Stop};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What jobs may take of the machine.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many run at once.
    pub workers: usize,
    /// How many may wait; more are told that the server is busy.
    pub queue: usize,
    /// The longest time of one job.
    pub time: Duration,
    /// The memory of all running jobs together.
    pub memory: usize,
    /// The most threads of one job.
    pub threads: usize,
    /// The bytes of all certificates that are kept; new ones make room by letting go of old ones.
    pub certificates: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            workers,
            queue: 256,
            time: Duration::from_secs(300),
            memory: 512 << 20,
            threads: 1,
            certificates: 4 << 30,
        }
    }
}

/// A job that nobody watches or asks about for so long is stopped.
const LEASE: Duration = Duration::from_secs(10);
/// A job that has run for so much longer than any may is stopped: writing a certificate has no clock of its own.
const GRACE: Duration = Duration::from_secs(2);
/// So many finished jobs are kept at hand; older ones are in the store.
const AT_HAND: usize = 200;

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The value of the position: as `endspiel solve`.
    #[default]
    Solve,
    /// The moves, ranked in growing rounds: as `endspiel best`.
    Best,
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

    /// The request within the server's limits.
    pub fn request(&self, limits: &Limits, stop: Stop) -> Request {
        let time = self.time.and_then(|s| Duration::try_from_secs_f64(s).ok()).unwrap_or(limits.time);
        let memory = limits.memory / limits.workers.max(1);
        Request {
            method: if self.method.is_empty() { "auto".into() } else { self.method.clone() },
            purpose: if self.play { Purpose::Play } else { Purpose::Prove },
            goal: if self.score { Goal::Score } else { Goal::Outcome },
            budget: Budget {
                nodes: self.nodes,
                time: Some(time.min(limits.time)),
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
}

impl State {
    pub fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }
}

/// A job.
pub struct Job {
    pub id: String,
    pub ask: Ask,
    pub stop: Stop,
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
    pub result: Value,
    pub error: Option<String>,
    #[serde(skip)]
    pub version: u64,
}

/// A lock that a panicking thread left behind is taken all the same: what it guards is whole at every step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    fn new(id: String, ask: Ask) -> Self {
        let live = Live {
            state: State::Waiting,
            version: 1,
            begun: None,
            seconds: 0.0,
            progress: None,
            moves: BTreeMap::new(),
            outcome: Value::Null,
            error: None,
            watchers: 0,
            seen: Instant::now(),
        };
        Self { id, ask, stop: Stop::default(), live: Mutex::new(live) }
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
    fn cut(&self, limits: &Limits, written: u64) {
        let mut live = lock(&self.live);
        let late = live.begun.is_some_and(|begun| begun.elapsed() > limits.time + GRACE);
        let room = limits.certificates / limits.workers.max(1) as u64;
        let why = if late {
            format!("stopped: a job may take {} seconds here", limits.time.as_secs())
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
    fn is_abandoned(&self) -> bool {
        let live = lock(&self.live);
        !self.ask.keep && !live.state.is_over() && live.watchers == 0 && live.seen.elapsed() > LEASE
    }

    /// When a worker took it up.
    fn begun(&self) -> Option<Instant> {
        lock(&self.live).begun
    }

    /// What is new since version `since`, told to somebody who follows it.
    fn news(&self, since: u64) -> News {
        lock(&self.live).seen = Instant::now();
        self.told(since)
    }

    /// What is new since version `since`.
    fn told(&self, since: u64) -> News {
        let live = lock(&self.live);
        let running = live.begun.map_or(0.0, |t| t.elapsed().as_secs_f64());
        News {
            id: self.id.clone(),
            state: live.state,
            before: 0,
            seconds: if live.state.is_over() { live.seconds } else { running },
            progress: live.progress.clone(),
            moves: live.moves.values().filter(|(v, _)| *v > since).map(|(_, m)| m.clone()).collect(),
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

/// All jobs of the server.
pub struct Jobs {
    pub limits: Limits,
    pub store: Arc<Store>,
    known: Mutex<HashMap<String, Arc<Job>>>,
    over: Mutex<VecDeque<String>>,
    queue: Mutex<VecDeque<Arc<Job>>>,
    arrival: Condvar,
    closing: Stop,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

impl Jobs {
    pub fn new(limits: Limits, store: Arc<Store>) -> Arc<Self> {
        let jobs = Arc::new(Self {
            limits,
            store,
            known: Mutex::default(),
            over: Mutex::default(),
            queue: Mutex::default(),
            arrival: Condvar::new(),
            closing: Stop::default(),
            workers: Mutex::default(),
        });
        for _ in 0..limits.workers.max(1) {
            let at_work = jobs.clone();
            lock(&jobs.workers).push(std::thread::spawn(move || crate::worker::work(&at_work)));
        }
        jobs
    }

    /// Takes a job in, after a look at whether it makes sense.
    pub fn add(&self, ask: Ask, stop: &Stop) -> Result<Arc<Job>, Fault> {
        ask.place().find(stop)?;
        if !ask.method.is_empty() {
            endspiel_catalog::method(&ask.method)?;
        }
        if ask.time.is_some_and(|t| !t.is_finite() || t < 0.0) {
            return Err(Fault::bad("the time must be a number of seconds, 0 or more"));
        }
        let id = random_name()?;
        let job = Arc::new(Job::new(id, ask));
        self.clear();
        {
            let mut queue = lock(&self.queue);
            if queue.len() >= self.limits.queue {
                let message = format!("the server is busy: {} jobs wait; please try again soon", queue.len());
                return Err(Fault::busy(message));
            }
            // Known before a worker can take it up.
            lock(&self.known).insert(job.id.clone(), job.clone());
            queue.push_back(job.clone());
        }
        self.arrival.notify_one();
        Ok(job)
    }

    pub fn find(&self, id: &str) -> Option<Arc<Job>> {
        lock(&self.known).get(id).cloned()
    }

    /// What is new of a job since version `since`.
    pub fn news(&self, job: &Job, since: u64) -> News {
        let mut news = job.news(since);
        if news.state == State::Waiting {
            news.before = lock(&self.queue).iter().take_while(|other| other.id != job.id).count();
        }
        news
    }

    /// The next job for a worker; none when the server closes.
    pub fn next(&self) -> Option<Arc<Job>> {
        let mut queue = lock(&self.queue);
        loop {
            if self.closing.asked() {
                return None;
            }
            if let Some(job) = queue.pop_front() {
                return Some(job);
            }
            queue = self.arrival.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes jobs out of the queue that were cancelled while they waited.
    fn clear(&self) {
        let mut over = Vec::new();
        lock(&self.queue).retain(|job| {
            let waits = !job.state().is_over();
            if !waits {
                over.push(job.clone());
            }
            waits
        });
        for job in over {
            self.keep(&job);
        }
    }

    /// Keeps what a finished job found, and forgets the oldest ones at hand.
    pub fn keep(&self, job: &Job) {
        if job.state() == State::Done {
            // The moves are in the result; a list of jobs goes without them.
            let mut news = json!({"ask": job.ask, "job": job.told(u64::MAX)});
            let whole = news.to_string();
            if let Some(result) = news["job"]["result"].as_object_mut() {
                result.remove("moves");
            }
            // A full disk must not take the answer from who waits for it.
            let _ = self.store.put_job(&job.id, &whole, &news.to_string());
        }
        let mut over = lock(&self.over);
        over.push_back(job.id.clone());
        if over.len() > AT_HAND
            && let Some(oldest) = over.pop_front()
        {
            lock(&self.known).remove(&oldest);
        }
    }

    /// Stops jobs that nobody watches, and those that take too long.
    pub fn sweep(&self) {
        let known: Vec<_> = lock(&self.known).values().cloned().collect();
        for job in known {
            if job.is_abandoned() {
                job.cancel();
            }
            let written = if job.ask.certificate { self.store.certificates.written(&job.id) } else { 0 };
            job.cut(&self.limits, written);
        }
        self.clear();
    }

    /// The jobs that run, the longest first, and those that wait, in order: what was asked and how far each is.
    /// Looking at the list is not watching.
    pub fn open(&self) -> Vec<Value> {
        let known = lock(&self.known).values().cloned().collect::<Vec<_>>();
        let mut running: Vec<_> = known.into_iter().filter(|job| job.state() == State::Running).collect();
        running.sort_by_key(|job| job.begun());
        let mut waiting: Vec<_> = lock(&self.queue).iter().cloned().collect();
        waiting.retain(|job| job.state() == State::Waiting);
        let told = |(before, job): (usize, &Arc<Job>)| {
            let news = News { before: before.saturating_sub(running.len()), ..job.told(u64::MAX) };
            json!({"ask": job.ask, "job": news})
        };
        running.iter().chain(&waiting).enumerate().map(told).collect()
    }

    /// How many jobs run and wait.
    pub fn load(&self) -> Value {
        let running = lock(&self.known).values().filter(|job| job.state() == State::Running).count();
        json!({
            "running": running,
            "waiting": lock(&self.queue).iter().filter(|job| job.state() == State::Waiting).count(),
            "workers": self.limits.workers,
            "queue": self.limits.queue,
            "seconds": self.limits.time.as_secs_f64(),
            "memory": self.limits.memory,
            "threads": self.limits.threads,
        })
    }

    /// Stops everything, and waits until it has stopped, but no longer than `patience`.
    pub fn close(&self, patience: Duration) {
        let begun = Instant::now();
        self.closing.now();
        lock(&self.known).values().for_each(|job| job.cancel());
        // Under the queue's lock no worker is between its look at the flag and its sleep.
        drop(lock(&self.queue));
        self.arrival.notify_all();
        let workers = std::mem::take(&mut *lock(&self.workers));
        // A worker whose method does not listen goes with the process.
        while begun.elapsed() < patience && !workers.iter().all(JoinHandle::is_finished) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// A name that nobody can guess.
pub fn random_name() -> Result<String, Fault> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|e| Fault::new(StatusCode::INTERNAL_SERVER_ERROR, format!("no randomness: {e}")))?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_that_are_over_are_forgotten_and_late_ones_are_stopped() {
        let limits = Limits { workers: 1, time: Duration::ZERO, memory: 16 << 20, ..Limits::default() };
        let jobs = Jobs::new(limits, Arc::new(Store::open(None, 1 << 20).expect("a store")));
        let ask = |time: f64| Ask { game: "tic-tac-toe".into(), time: Some(time), ..Ask::default() };
        for _ in 0..AT_HAND + 50 {
            jobs.add(ask(1.0), &Stop::default()).expect("room").cancel();
        }
        jobs.clear();
        // The worker may hold one more.
        let known = lock(&jobs.known).len();
        assert!(known <= AT_HAND + 1, "{known} are known");
        assert_eq!(jobs.load()["waiting"], 0);

        let job = Job::new("late".into(), ask(1.0));
        assert!(job.begin());
        job.cut(&limits, 0);
        assert!(!job.stop.asked(), "it has a moment more");
        lock(&job.live).begun = Instant::now().checked_sub(GRACE * 2);
        job.cut(&limits, 0);
        job.end(Err("the certificate is not finished".into()));
        let told = job.told(0);
        assert!(told.state == State::Cancelled && told.error.is_some_and(|e| e.starts_with("stopped: ")));

        let job = Job::new("large".into(), ask(1.0));
        assert!(job.begin());
        job.cut(&limits, limits.certificates + 1);
        assert!(job.stop.asked() && job.told(0).error.is_some_and(|e| e.contains("bytes here")));
        jobs.close(Duration::from_secs(5));
    }
}
