//! A slice job and how it is worked on: threads that take pieces in turn, a stop, and who is told.

use crate::{Indexed, Known, Metric};
use endspiel_game::Stop;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The job: solve one slice.
pub struct Job<'a, I: Indexed> {
    /// The slice.
    pub slice: I::Slice,
    /// What is to be told of its positions.
    pub metric: Metric,
    /// The tables of the slices that it converts into.
    pub known: &'a Known<I::Slice>,
    /// With what.
    pub work: &'a Work<'a>,
}

/// With what a job is done.
pub struct Work<'a> {
    /// So many threads.
    pub threads: usize,
    /// Asks to stop.
    pub stop: Stop,
    /// Who is told of the progress.
    pub watch: &'a dyn Watch,
}

impl Default for Work<'_> {
    /// All cores, nobody is told.
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads, stop: Stop::default(), watch: &() }
    }
}

/// The job was asked to stop before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// A word on the way.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// What is being done.
    pub doing: &'static str,
    /// Which pass over the slice this is, from 1.
    pub pass: u32,
    /// Positions done in this pass.
    pub done: u64,
    /// Positions of this pass in all.
    pub of: u64,
    /// How many changed in the pass before.
    pub changed: Option<u64>,
    /// The time since this pass began.
    pub elapsed: Duration,
}

/// Who is told of the progress, a few times a second at most.
pub trait Watch: Sync {
    /// A pass begins, or a part of one.
    fn begun(&self, _stage: &Stage) {}

    /// Something was done.
    fn pass(&self, pass: &Pass);
}

/// Nobody is told.
impl Watch for () {
    fn pass(&self, _: &Pass) {}
}

/// One pass over a slice: what is told of it while its pieces are done.
#[derive(Clone, Copy)]
pub struct Stage {
    /// What is being done.
    pub doing: &'static str,
    /// Which pass, from 1.
    pub pass: u32,
    /// How many changed in the pass before.
    pub changed: Option<u64>,
}

impl Work<'_> {
    /// Calls `piece` with 0 to `pieces` - 1 on all threads, the next free thread taking the next piece, and
    /// gives the results in order. `of` positions are told to be in all pieces together, in equal shares.
    pub fn share<T: Send>(
        &self,
        stage: Stage,
        pieces: usize,
        of: u64,
        piece: impl Fn(usize) -> T + Sync,
    ) -> Result<Vec<T>, Stopped> {
        let (next, told) = (AtomicUsize::new(0), AtomicU64::new(0));
        let begun = Instant::now();
        // Many small pieces are done between two looks at the clock.
        let often = (pieces / 256).clamp(1, 16);
        self.watch.begun(&stage);
        let run = || {
            let mut out = Vec::new();
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= pieces || self.stop.asked() {
                    return out;
                }
                out.push((i, piece(i)));
                if i % often != 0 {
                    continue;
                }
                let elapsed = begun.elapsed();
                let tenths = elapsed.as_millis() as u64 / 100;
                if told.fetch_max(tenths, Ordering::Relaxed) < tenths {
                    self.watch.pass(&Pass {
                        doing: stage.doing,
                        pass: stage.pass,
                        done: of / pieces as u64 * i as u64,
                        of,
                        changed: stage.changed,
                        elapsed,
                    });
                }
            }
        };
        let results = Mutex::new(Vec::with_capacity(pieces));
        std::thread::scope(|scope| {
            let collect = || {
                let out = run();
                // A poisoned lock means that another piece panicked, and the scope passes that on.
                if let Ok(mut results) = results.lock() {
                    results.extend(out);
                }
            };
            for _ in 1..self.threads.min(pieces) {
                scope.spawn(collect);
            }
            collect();
        });
        let mut results = results.into_inner().unwrap_or_default();
        if results.len() < pieces {
            return Err(Stopped);
        }
        results.sort_unstable_by_key(|&(i, _)| i);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }
}
