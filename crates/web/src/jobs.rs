//! Jobs: questions that take their time. A job waits in a queue, runs on one of a few workers within the
//! server's limits, and tells whoever watches. A job that nobody watches any more stops, unless it was asked
//! to be kept. Experiments, which may take hours, have a worker of their own, so that questions need not wait for them.
//! Kept jobs that are not over when the server stops, or is killed, are taken up again by the next one.
//!
//! No client fills the queue: of the jobs that wait, one address has at most half, and of those that go on when nobody
//! watches an eighth.

use crate::fault::Fault;
use crate::job::{Ask, Job, Kind, News, State, lock};
use crate::store::Store;
use axum::http::StatusCode;
use endspiel_game::Stop;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What jobs may take of the machine.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many run at once.
    pub workers: usize,
    /// How many may wait; more are told that the server is busy. One client has at most half of them.
    pub queue: usize,
    /// The longest time of one job.
    pub time: Duration,
    /// The longest time of one experiment.
    pub laboratory: Duration,
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
            laboratory: Duration::from_secs(24 * 3600),
            memory: 512 << 20,
            threads: 1,
            certificates: 4 << 30,
        }
    }
}

impl Limits {
    /// The longest time of a job of this kind.
    pub fn time_of(&self, kind: Kind) -> Duration {
        if kind == Kind::Lab { self.laboratory } else { self.time }
    }

    /// How many jobs of one client may wait; of those that are kept, if `kept`.
    fn waiting(&self, kept: bool) -> usize {
        self.queue.div_ceil(if kept { 8 } else { 2 })
    }

    /// The memory of one job: the workers and the laboratory have the same.
    pub fn share(&self) -> usize {
        self.memory / (self.workers.max(1) + 1)
    }
}

/// A kept job is begun so often; one that every time ends with its server may be why.
const TRIES: u32 = 3;
/// So many finished jobs are kept at hand; older ones are in the store.
const AT_HAND: usize = 200;

/// A kept job in the store.
#[derive(Deserialize, Serialize)]
struct Kept {
    ask: Ask,
    /// How many servers have had it.
    tries: u32,
    /// Its place in the order of arrival.
    came: u64,
}

/// All jobs of the server.
pub struct Jobs {
    pub limits: Limits,
    pub store: Arc<Store>,
    /// Where endgame databases are, which methods ask.
    pub databases: Option<PathBuf>,
    /// How many kept jobs have come, with those of servers before.
    came: AtomicU64,
    known: Mutex<HashMap<String, Arc<Job>>>,
    over: Mutex<VecDeque<String>>,
    queue: Mutex<VecDeque<Arc<Job>>>,
    arrival: Condvar,
    closing: Stop,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

impl Jobs {
    pub fn new(limits: Limits, store: Arc<Store>, databases: Option<PathBuf>) -> Arc<Self> {
        let jobs = Arc::new(Self {
            limits,
            store,
            databases,
            came: AtomicU64::new(0),
            known: Mutex::default(),
            over: Mutex::default(),
            queue: Mutex::default(),
            arrival: Condvar::new(),
            closing: Stop::default(),
            workers: Mutex::default(),
        });
        jobs.take_up();
        for worker in 0..=limits.workers.max(1) {
            let at_work = jobs.clone();
            let experiments = worker == 0;
            let work = move || crate::worker::work(&at_work, experiments);
            lock(&jobs.workers).push(std::thread::spawn(work));
        }
        jobs
    }

    /// Queues the jobs that the last server did not finish.
    fn take_up(&self) {
        // A store that cannot be read has said so when it was opened.
        let open = self.store.open_jobs().unwrap_or_default();
        let read = |(id, text): (String, String)| Some((id, serde_json::from_str::<Kept>(&text).ok()?));
        let mut open: Vec<_> = open.into_iter().filter_map(read).collect();
        open.sort_by_key(|(_, kept)| kept.came);
        for (id, kept) in open {
            self.came.store(kept.came.saturating_add(1), Ordering::Relaxed);
            let job = Arc::new(Job::new(id, kept.ask.clone()));
            if kept.tries >= TRIES {
                let why = format!("interrupted: the server stopped {TRIES} times before it was done");
                job.give_up(why);
                self.keep(&job);
                continue;
            }
            self.remember(&job.id, &Kept { tries: kept.tries + 1, ..kept });
            lock(&self.known).insert(job.id.clone(), job.clone());
            lock(&self.queue).push_back(job);
        }
    }

    /// Writes down that a kept job is to be done.
    fn remember(&self, id: &str, kept: &Kept) {
        if let Ok(text) = serde_json::to_string(kept) {
            // A full disk must not take the job from who asks for it.
            let _ = self.store.put_open(id, &text);
        }
    }

    /// Takes a job of a client's in, after a look at whether it makes sense.
    pub fn add(&self, ask: Ask, client: Option<IpAddr>, stop: &Stop) -> Result<Arc<Job>, Fault> {
        if ask.kind == Kind::Lab {
            crate::laboratory::check(&ask.experiment)?;
        } else {
            ask.place().find(stop)?;
        }
        if !ask.method.is_empty() {
            endspiel_catalog::method(&ask.method)?;
        }
        if ask.time.is_some_and(|t| !t.is_finite() || t < 0.0) {
            return Err(Fault::bad("the time must be a number of seconds, 0 or more"));
        }
        let id = random_name()?;
        let job = Arc::new(Job::new(id, ask).of(client.map(site)));
        self.clear();
        {
            let mut queue = lock(&self.queue);
            if queue.len() >= self.limits.queue {
                let message = format!("the server is busy: {} jobs wait; please try again soon", queue.len());
                return Err(Fault::busy(message));
            }
            let same = |other: &&Arc<Job>| job.client.is_some() && other.client == job.client;
            let kept = |other: &&Arc<Job>| other.ask.keep;
            let most = self.limits.waiting(false);
            if queue.iter().filter(same).count() >= most {
                let message = format!("the server is busy: {most} jobs of yours wait; please try again soon");
                return Err(Fault::busy(message));
            }
            let most = self.limits.waiting(true);
            if job.ask.keep && queue.iter().filter(same).filter(kept).count() >= most {
                let message = format!(
                    "the server is busy: {most} jobs of yours wait that are to be kept; please try again later"
                );
                return Err(Fault::busy(message));
            }
            // Written down and known before a worker can take it up.
            if job.ask.keep {
                let came = self.came.fetch_add(1, Ordering::Relaxed);
                self.remember(&job.id, &Kept { ask: job.ask.clone(), tries: 1, came });
            }
            lock(&self.known).insert(job.id.clone(), job.clone());
            queue.push_back(job.clone());
        }
        // Not everyone who waits takes every job.
        self.arrival.notify_all();
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

    /// Does the server close? Then jobs end that nobody has stopped.
    pub fn closes(&self) -> bool {
        self.closing.asked()
    }

    /// The next job for a worker, an experiment or not; none when the server closes.
    pub fn next(&self, experiments: bool) -> Option<Arc<Job>> {
        let mut queue = lock(&self.queue);
        loop {
            if self.closing.asked() {
                return None;
            }
            let fitting = queue.iter().position(|job| (job.ask.kind == Kind::Lab) == experiments);
            if let Some(job) = fitting.and_then(|at| queue.remove(at)) {
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
        let state = job.state();
        // What was to be kept is listed although somebody stopped it; the server's own end does not stop it for good.
        let stopped = state == State::Cancelled && job.ask.keep && !self.closing.asked();
        if stopped || matches!(state, State::Done | State::Interrupted) {
            // The moves are in the result; a list of jobs goes without them.
            let mut news = json!({"ask": job.ask, "job": job.told(u64::MAX)});
            let whole = news.to_string();
            if let Some(result) = news["job"]["result"].as_object_mut() {
                result.remove("moves");
                result.remove("rows");
            }
            // A full disk must not take the answer from who waits for it.
            let short = (!job.ask.is_passing()).then(|| news.to_string());
            let _ = self.store.put_job(&job.id, &whole, short.as_deref());
        }
        let told = job.told(u64::MAX);
        if job.ask.kind == Kind::Lab && told.result["count"].as_u64().is_some_and(|rows| rows > 0) {
            // What was found before it was stopped is worth reading too.
            let report = json!({"ask": job.ask, "job": told}).to_string();
            let _ = self.store.put_report(&job.ask.experiment, &report);
        }
        // What was cut short by the server's own end is taken up by the next one.
        if job.ask.keep && !(state == State::Cancelled && self.closing.asked()) {
            let _ = self.store.remove_open(&job.id);
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

    /// The jobs that run, the longest first, and those that wait, in order: what was asked and how far each is; and how
    /// many hints and moves of methods are not among them. Looking at the list is not watching.
    pub fn open(&self) -> (Vec<Value>, usize) {
        let known = lock(&self.known).values().cloned().collect::<Vec<_>>();
        let mut running: Vec<_> = known.into_iter().filter(|job| job.state() == State::Running).collect();
        running.sort_by_key(|job| job.begun());
        let mut waiting: Vec<_> = lock(&self.queue).iter().cloned().collect();
        waiting.retain(|job| job.state() == State::Waiting);
        let told = |(before, job): (usize, &Arc<Job>)| {
            let news = News { before: before.saturating_sub(running.len()), ..job.told(u64::MAX) };
            json!({"ask": job.ask, "job": news})
        };
        let all = running.iter().chain(&waiting).enumerate();
        let (passing, asked): (Vec<_>, Vec<_>) = all.partition(|(_, job)| job.ask.is_passing());
        (asked.into_iter().map(told).collect(), passing.len())
    }

    /// The job of an experiment that runs or waits.
    pub fn experimenting(&self, name: &str) -> Option<String> {
        let known = lock(&self.known);
        let open = |job: &&Arc<Job>| {
            job.ask.kind == Kind::Lab && job.ask.experiment == name && !job.state().is_over()
        };
        known.values().find(open).map(|job| job.id.clone())
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
            "laboratory": self.limits.laboratory.as_secs_f64(),
            "share": self.limits.share(),
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

/// Where a client is: its address, or the network of it where one has as many addresses as it likes.
fn site(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(six) => Ipv6Addr::from_bits(six.to_bits() >> 64 << 64).into(),
        four @ IpAddr::V4(_) => four,
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
    fn jobs_that_are_over_are_forgotten() {
        let limits = Limits { workers: 1, time: Duration::ZERO, memory: 16 << 20, ..Limits::default() };
        let jobs = Jobs::new(limits, Arc::new(Store::open(None, 1 << 20).expect("a store")), None);
        let ask = |time: f64| Ask { game: "tic-tac-toe".into(), time: Some(time), ..Ask::default() };
        for _ in 0..AT_HAND + 50 {
            jobs.add(ask(1.0), None, &Stop::default()).expect("room").cancel();
        }
        jobs.clear();
        // The worker may hold one more.
        let known = lock(&jobs.known).len();
        assert!(known <= AT_HAND + 1, "{known} are known");
        assert_eq!(jobs.load()["waiting"], 0);
        jobs.close(Duration::from_secs(5));
    }

    #[test]
    fn one_client_leaves_room_for_others() {
        let limits = Limits { workers: 1, queue: 16, memory: 16 << 20, ..Limits::default() };
        let jobs = Jobs::new(limits, Arc::new(Store::open(None, 1 << 20).expect("a store")), None);
        let long = Ask {
            game: "hex:11".into(),
            method: "df-pn".into(),
            time: Some(200.0),
            keep: true,
            ..Ask::default()
        };
        let passing = Ask { keep: false, ..long.clone() };
        let add = |ask: &Ask, client: &str| {
            jobs.add(ask.clone(), client.parse().ok(), &Stop::default()).map_err(|f| f.message().to_string())
        };
        // The worker has something to do, so that all others wait.
        let running = add(&long, "192.0.2.1").expect("room");
        while running.state() == State::Waiting {
            std::thread::sleep(Duration::from_millis(1));
        }
        let taken = |ask: &Ask, client: &str| (0..99).take_while(|_| add(ask, client).is_ok()).count();
        assert_eq!(taken(&long, "192.0.2.2"), 2, "kept ones");
        assert!(
            add(&long, "192.0.2.2").is_err_and(|e| e.contains("2 jobs of yours wait that are to be kept"))
        );
        assert_eq!(taken(&passing, "192.0.2.2"), 6);
        assert!(add(&passing, "192.0.2.2").is_err_and(|e| e.contains("busy: 8 jobs of yours wait")));
        // Whoever has a network of addresses is one client; the others have the rest of the queue.
        assert_eq!(taken(&passing, "2001:db8::1") + taken(&passing, "2001:db8::2"), 8);
        assert!(add(&passing, "192.0.2.3").is_err_and(|e| e.contains("busy: 16 jobs wait")));
        jobs.close(Duration::from_secs(5));
    }
}
