//! The same slice job on many machines, on timely dataflow (D. Murray and others, Naiad, 2013).
//!
//! Every *worker*, a thread of some *process*, owns a run of the numbers of each slice. It looks at its positions, asks
//! the owners of the positions that they convert into, and then hears, rank by rank, which of their moves are decided;
//! what becomes final is told to the owners of its predecessors. Updates are exchanged as a stream that goes round, and
//! the engine tells when a rank is done everywhere. The table is the one that [`backward`](crate::backward) makes. Every
//! worker compresses its own blocks, and process 0 writes the file when all have come: what is not finished is never
//! seen, and whoever comes back begins with the slice that was lost. Before depths to zeroing come the outcomes of the slice
//! (see `cut`), which stay with the workers that own them.
//!
//! Memory of a worker: 4 bytes a position of its own and a byte or two for each one of the slices below, and of the outcomes;
//! 12 bytes a move more if the game cannot tell predecessors.

mod flow;
mod panics;
mod sockets;
mod worker;

use crate::cut::{Cut, Cutting, asks_itself};
use crate::derive::outcomes;
use crate::file::{BLOCK, Digest, Header};
use crate::streamed::Parts;
use crate::words::MOST_WORKERS;
use crate::{Error, Indexed, Metric, Pass, Plan, Store, Work};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, initialize_from};

/// Who works together: the same for all processes but for the number of this one.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Workers of each process.
    pub workers: usize,
    /// The number of this process.
    pub process: usize,
    /// Where the processes listen, in order: host and port. One process alone needs none.
    pub hosts: Vec<String>,
    /// How long to wait for the others at the start.
    pub patience: Duration,
}

/// What was sent between workers, those of one process among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Numbers of the slices that were built here.
    pub positions: u64,
    /// Questions for positions of other slices; each has an answer.
    pub asked: u64,
    /// Moves sent to where they lead, for games that cannot tell predecessors.
    pub moves: u64,
    /// News of final positions to their predecessors.
    pub told: u64,
}

impl Traffic {
    /// The bytes that went to other workers or to the own one: 16 for a question and 8 for its answer, 16 for a move,
    /// 8 for a piece of news.
    pub fn bytes(&self) -> u64 {
        24 * self.asked + 16 * self.moves + 8 * self.told
    }

    fn add(&mut self, other: Self) {
        self.positions += other.positions;
        self.asked += other.asked;
        self.moves += other.moves;
        self.told += other.told;
    }
}

/// A slice for workers, without the types of its game.
struct Task {
    cut: Box<dyn Cut>,
    name: String,
    size: u64,
    metric: Metric,
    /// The tasks that it converts into.
    below: Vec<usize>,
    /// A file is there.
    done: bool,
    /// Is a file made?
    is_saved: bool,
}

/// What workers tell the thread that waits for them.
enum Word {
    Pass(Pass),
    Saved(Header, Digest),
    Sent(Traffic),
    Failed(Error),
}

/// What all workers of a process know.
struct Common {
    tasks: Vec<Task>,
    store: Store,
    stop: endspiel_game::Stop,
    words: Sender<Word>,
}

/// Does what is planned together with the other processes; `told` hears of each finished slice in process 0. Gives what
/// the workers of this process sent.
///
/// While it runs, messages of panics in its threads are kept back: that is how the engine learns of a lost process, and
/// they come back as an error.
pub fn build_together<I: Indexed + 'static>(
    game: &Arc<I>,
    store: &Store,
    plan: &Plan<I::Slice>,
    cluster: &Cluster,
    work: &Work<'_>,
    told: &mut dyn FnMut(&Header, Digest),
) -> Result<Traffic, Error> {
    let processes = cluster.processes();
    let peers = processes.saturating_mul(cluster.workers);
    check(cluster, plan, peers)?;
    let tasks = tasks(game, store, plan);
    let _guard = if cluster.process == 0 { Some(store.lock()?) } else { None };
    let sockets = sockets::connect(cluster, fingerprint(store, &tasks, cluster), &work.stop)?;
    let (words, heard) = channel();
    let common = Arc::new(Common { tasks, store: store.clone(), stop: work.stop.clone(), words });
    panics::keep_back();
    let hooks = Hooks::default();
    let local = ProcessBuilder::new_typed_vector(cluster.workers, hooks.refill.clone(), hooks.spill.clone());
    let (builders, others): (Vec<AllocatorBuilder>, Box<dyn Any + Send>) = if processes == 1 {
        (local.into_iter().map(AllocatorBuilder::Process).collect(), Box::new(()))
    } else {
        let (process, workers) = (cluster.process, cluster.workers);
        let made = initialize_networking_from_sockets(local, sockets, process, workers, hooks);
        let (builders, guard) = made.map_err(|e| Error::cluster(e.to_string()))?;
        (builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Box::new(guard))
    };
    let guards = initialize_from(builders, others, move |allocator| worker::run(allocator, &common))
        .map_err(Error::cluster)?;
    let (mut traffic, mut failed) = (Traffic::default(), None);
    for word in heard {
        match word {
            Word::Pass(pass) => work.watch.pass(&pass),
            Word::Saved(header, digest) => told(&header, digest),
            Word::Sent(more) => traffic.add(more),
            Word::Failed(error) => failed = failed.or(Some(error)),
        }
    }
    let ended = catch_unwind(AssertUnwindSafe(|| guards.join()));
    let well = ended.is_ok_and(|all| all.iter().all(Result::is_ok));
    match failed {
        Some(error) => Err(error),
        None if well => Ok(traffic),
        None if work.stop.asked() => Err(Error::Stopped),
        None => {
            Err(Error::Lost { what: panics::take().unwrap_or_else(|| "it closed its connection".into()) })
        }
    }
}

impl Cluster {
    /// Can workers share a slice in this metric?
    pub fn serves(metric: Metric) -> Result<(), Error> {
        if Parts::serve(metric) { Ok(()) } else { Err(Error::Unshared { metric: metric.name() }) }
    }

    /// How many processes there are.
    fn processes(&self) -> usize {
        self.hosts.len().max(1)
    }

    /// An error if there are too many workers, or this process is none of those on the list.
    pub fn check(&self) -> Result<(), Error> {
        let (peers, processes) = (self.processes().saturating_mul(self.workers), self.processes());
        if !(1..=MOST_WORKERS).contains(&peers) {
            return Err(Error::cluster(format!("{peers} workers; there may be 1 to {MOST_WORKERS}")));
        }
        if self.process >= processes {
            let what = match processes {
                1 => {
                    format!("there is no process {}: the list has one host, which is process 0", self.process)
                }
                _ => format!(
                    "there is no process {}: the list has {processes} hosts, which are processes 0 to {}",
                    self.process,
                    processes - 1
                ),
            };
            return Err(Error::cluster(what));
        }
        Ok(())
    }
}

/// Says at once what will not do.
fn check<S: Copy>(cluster: &Cluster, plan: &Plan<S>, peers: usize) -> Result<(), Error> {
    Cluster::serves(plan.metric)?;
    cluster.check()?;
    match plan.open().find(|step| share(step.size, peers) > u64::from(u32::MAX)) {
        Some(step) => Err(Error::cluster(format!("slice {} needs more workers than {peers}", step.name))),
        None => Ok(()),
    }
}

/// How many numbers of a slice each worker owns: whole blocks.
fn share(size: u64, peers: usize) -> u64 {
    size.div_ceil(peers as u64).next_multiple_of(BLOCK as u64).max(BLOCK as u64)
}

/// The slices of a plan, each behind those that it converts into and, if it asks for them, its own outcomes.
fn tasks<I: Indexed + 'static>(game: &Arc<I>, store: &Store, plan: &Plan<I::Slice>) -> Vec<Task> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut places = BTreeMap::new();
    for step in &plan.steps {
        let conversions = game.conversions(step.slice);
        let mut below: Vec<usize> = conversions.iter().filter_map(|s| places.get(s).copied()).collect();
        let mut add = |metric, below: &[usize], done, is_saved| {
            let cut = Box::new(Cutting::new(Arc::clone(game), step.slice, metric, conversions.clone()));
            let (name, size, below) = (step.name.clone(), step.size, below.to_vec());
            tasks.push(Task { cut, name, size, metric, below, done, is_saved });
            tasks.len() - 1
        };
        if !step.done && asks_itself(&**game, step.slice, plan.metric) {
            let told = outcomes(&**game, store, step.slice);
            let itself = add(told.unwrap_or(Metric::Value), &below, told.is_some(), false);
            below.push(itself);
        }
        places.insert(step.slice, add(plan.metric, &below, step.done, true));
    }
    tasks
}

/// Equal for processes that want the same and see the same files.
fn fingerprint(store: &Store, tasks: &[Task], cluster: &Cluster) -> u64 {
    let mut text = format!("{} {}", store.game(), cluster.workers);
    for host in &cluster.hosts {
        text.push_str(&format!(" {host}"));
    }
    for task in tasks {
        text.push_str(&format!(" {} {} {} {}", task.name, task.size, task.metric.name(), task.done));
    }
    xxhash_rust::xxh3::xxh3_64(text.as_bytes())
}

impl Cluster {
    /// Reads a list of hosts, one `HOST:PORT` a line; empty lines and what follows a `#` are left out.
    pub fn read_hosts(text: &str) -> Result<Vec<String>, endspiel_game::TextError> {
        let mut hosts = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let word = line.split('#').next().unwrap_or_default().trim();
            let port = word.rsplit_once(':').filter(|(host, _)| !host.is_empty());
            match port.map(|(_, port)| port.parse::<u16>()) {
                Some(Ok(1..)) if !word.contains(char::is_whitespace) => hosts.push(word.to_owned()),
                _ if word.is_empty() => {}
                _ => {
                    let what = format!("'{}' is no address", endspiel_game::notation::shorten(word));
                    return Err(endspiel_game::TextError::new(at, what, "HOST:PORT, such as node1:2101"));
                }
            }
            at += line.len();
        }
        if hosts.is_empty() {
            return Err(endspiel_game::TextError::new(0, "there are no hosts", "HOST:PORT, a line each"));
        }
        Ok(hosts)
    }
}

#[cfg(test)]
mod tests;
