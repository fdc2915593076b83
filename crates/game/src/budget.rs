//! What a method may spend, and the meter that holds it to that.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a method may spend. The default is one thread, 256 MiB and no limit on time.
#[derive(Clone, Debug)]
pub struct Budget {
    /// At most so many nodes, by the method's own count.
    pub nodes: Option<u64>,
    /// At most so much time.
    pub time: Option<Duration>,
    /// At most so many bytes for tables and trees.
    pub memory: usize,
    /// So many threads. With one, the same seed gives the same bits.
    pub threads: usize,
    /// The seed of all randomness.
    pub seed: u64,
    /// Set from outside to stop soon with the best answer so far.
    pub stop: Stop,
}

impl Default for Budget {
    fn default() -> Self {
        Self { nodes: None, time: None, memory: 256 << 20, threads: 1, seed: 1, stop: Stop::default() }
    }
}

impl Budget {
    /// A budget of so many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// The same budget with so many bytes for tables and trees.
    #[must_use]
    pub fn with_memory(self, memory: usize) -> Self {
        Self { memory, ..self }
    }

    /// Starts the clock.
    pub fn start(&self) -> Meter {
        Meter {
            nodes: AtomicU64::new(0),
            limit: self.nodes.unwrap_or(u64::MAX),
            begun: Instant::now(),
            deadline: self.time.and_then(|t| Instant::now().checked_add(t)),
            stop: self.stop.clone(),
            out: AtomicBool::new(false),
        }
    }
}

/// A flag that asks a running method to stop; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks for the stop.
    pub fn now(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Was it asked for?
    #[inline]
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counts what is spent of a [`Budget`]; shared by the threads of one method.
///
/// A thread counts its nodes itself and calls [`Meter::spend`] every thousand or so.
#[derive(Debug)]
pub struct Meter {
    nodes: AtomicU64,
    limit: u64,
    begun: Instant,
    deadline: Option<Instant>,
    stop: Stop,
    out: AtomicBool,
}

impl Meter {
    /// Adds `nodes` to the count, looks at the clock, and says whether the budget is used up.
    pub fn spend(&self, nodes: u64) -> bool {
        let total = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        if total >= self.limit || self.stop.asked() || self.deadline.is_some_and(|d| Instant::now() >= d) {
            self.out.store(true, Ordering::Relaxed);
        }
        self.is_out()
    }

    /// Is the budget used up, as far as known?
    #[inline]
    pub fn is_out(&self) -> bool {
        self.out.load(Ordering::Relaxed)
    }

    /// How many nodes a thread may count by itself before it must [`Meter::spend`] them so that the limit
    /// is not passed by much: 1 to 1024, and to 32 where there is a clock to look at, since nodes may be slow.
    pub fn stride(&self) -> u64 {
        (self.limit / 64).clamp(1, if self.deadline.is_some() { 32 } else { 1024 })
    }

    /// The nodes spent so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// How many nodes are left.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.nodes())
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}
