//! One thread of a search: what it may use, what it has counted, and its scratch space.

use super::Options;
use super::cyclic::Notes;
use super::estimate::Found;
use super::known::Known;
use super::order::{History, Killers, Sizes};
use crate::table::{Slot, Table};
use endspiel_game::{Bounds, Expertise, Meter, Observer, Player, Progress, Rng, Symmetric, TwoPlayer};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What the threads of one search share.
pub(super) struct Shared<'a, P: TwoPlayer, E> {
    pub expertise: &'a E,
    pub table: &'a Table,
    pub meter: &'a Meter,
    pub options: Options,
    /// Name positions by their canonical image.
    pub fold: bool,
    /// The most notes a thread may keep in games with cycles.
    pub notes: usize,
    pub observer: &'a dyn Observer<P::Move>,
    /// Keys of positions that some thread is searching (see [`Worker::is_busy`]); empty for one thread.
    pub busy: &'a [AtomicU64],
    /// Set when one of the threads has the answer.
    pub done: &'a AtomicBool,
}

/// A move at a node and where it leads.
#[derive(Clone)]
pub(super) struct Child<P: TwoPlayer> {
    pub position: P,
    pub m: P::Move,
    pub slot: Slot,
    pub rank: i64,
    /// The place of the move in the history.
    pub place: u16,
    /// Its number in the order of generation.
    pub number: u8,
    /// Does the same player move again?
    pub again: bool,
}

/// One thread of a search.
pub(super) struct Worker<'a, P: TwoPlayer, E> {
    pub shared: &'a Shared<'a, P, E>,
    /// The thread's number; the first one reports.
    pub id: usize,
    pub nodes: u64,
    pub hits: u64,
    pub evaluations: u64,
    /// The budget is used up, or another thread is done: unwind, and believe nothing any more.
    pub out: bool,
    pub history: History,
    pub killers: Killers<P::Move>,
    pub sizes: Sizes,
    /// The children of all nodes on the path, one after the other: no allocation a node.
    pub stack: Vec<Child<P>>,
    /// The moves of all exchanges that are played out, with their promise.
    pub exchanges: Vec<(i32, P::Move)>,
    /// The upper part of the path of a proof that other threads share, with what is asked there.
    pub path: Vec<(Slot, i32)>,
    /// The ply on the path that another thread has answered for, and its bound.
    pub taken: Option<(u32, i32)>,
    /// What the search of a game with cycles has to remember beside the table.
    pub notes: Notes,
    /// The keys on the path of a search with a horizon.
    pub keys: Vec<u64>,
    /// The principal variation from each ply on.
    pub lines: Vec<Vec<P::Move>>,
    /// The last finished iteration of a search with a horizon.
    pub found: Option<Found<P::Move>>,
    /// What is known of the root, for the reports.
    pub bounds: Bounds,
    pub depth: Option<u32>,
    rng: Rng,
    stride: u64,
    unspent: u64,
    told: Instant,
}

/// Lines of thousands of plies need room; it is only reserved, and used as far as they go.
const STACK: usize = 512 << 20;

const BETWEEN_REPORTS: Duration = Duration::from_millis(250);

impl<'a, P: TwoPlayer + Symmetric, E: Expertise<P>> Worker<'a, P, E> {
    pub fn new(shared: &'a Shared<'a, P, E>, id: usize, seed: u64) -> Self {
        Self {
            shared,
            id,
            nodes: 0,
            hits: 0,
            evaluations: 0,
            out: shared.meter.is_out(),
            history: History::new(),
            killers: Killers::new(),
            sizes: Sizes::new(),
            stack: Vec::new(),
            exchanges: Vec::new(),
            path: Vec::new(),
            taken: None,
            notes: Notes::default(),
            keys: Vec::new(),
            lines: Vec::new(),
            found: None,
            bounds: Bounds { low: i32::MIN, high: i32::MAX },
            depth: None,
            rng: Rng::new(seed ^ id as u64),
            stride: 1,
            unspent: 0,
            told: Instant::now(),
        }
    }

    /// Counts a node, and now and then looks whether to stop and whether to report.
    #[inline]
    pub fn count(&mut self) {
        self.nodes += 1;
        self.unspent += 1;
        if self.unspent >= self.stride {
            self.spend();
        }
    }

    /// Counts what the expertise has searched.
    #[inline]
    pub fn count_more(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.unspent += nodes;
    }

    /// Hands the nodes counted to the meter.
    #[cold]
    pub fn spend(&mut self) {
        self.out |= self.shared.meter.spend(self.unspent) || self.shared.done.load(Ordering::Relaxed);
        self.unspent = 0;
        // The first nodes may be slow: the clock is looked at often, then more and more seldom.
        self.stride = (2 * self.stride).min(self.shared.meter.stride());
        if !self.out {
            self.look_at_path();
        }
        if self.id == 0 && self.told.elapsed() > BETWEEN_REPORTS {
            self.told = Instant::now();
            self.shared.observer.progress(&Progress {
                doing: "searching",
                nodes: self.shared.meter.nodes(),
                depth: self.depth,
                share: None,
                bounds: self.bounds,
                estimate: self.found.as_ref().map(|f| f.value.estimated()),
                line: self.found.as_ref().map_or(&[], |f| &f.line),
            });
        }
    }

    /// Where the table keeps what is known of a position.
    #[inline]
    pub fn slot(&self, position: &P) -> Slot {
        let key = if self.shared.fold { position.canonical_key() } else { position.key() };
        self.shared.table.slot(key)
    }

    /// Sound bounds for the player to move; the score itself for `player` when the game is over.
    #[inline]
    pub fn static_bounds(&self, position: &P, mover: Option<Player>, player: Player) -> (i32, i32) {
        match mover {
            None => {
                let score = position.payoff().of(player);
                (score, score)
            }
            Some(mover) => {
                let (low, high) = self.shared.expertise.bounds(position);
                if mover == player { (low, high) } else { (-high, -low) }
            }
        }
    }

    /// A little disorder for all threads but the first, so that they go different ways.
    #[inline]
    pub fn noise(&mut self) -> i64 {
        if self.id == 0 { 0 } else { self.rng.below(1 << 6) as i64 }
    }

    /// Sorts the children from `base` on, the greatest rank first; equal ranks stay as they are.
    #[inline]
    pub fn sort_children(&mut self, base: usize) {
        let children = &mut self.stack[base..];
        for i in 1..children.len() {
            let mut j = i;
            while j > 0 && children[j - 1].rank < children[j].rank {
                children.swap(j - 1, j);
                j -= 1;
            }
        }
    }

    /// Is another thread searching this position? Then it is better left for later.
    #[inline]
    pub fn is_busy(&self, key: u64) -> bool {
        !self.shared.busy.is_empty() && self.busy_place(key).load(Ordering::Relaxed) == key
    }

    /// Says that this thread searches a position (`key`), or no longer does (0).
    #[inline]
    pub fn mark_busy(&self, key: u64, mark: u64) {
        if !self.shared.busy.is_empty() {
            self.busy_place(key).store(mark, Ordering::Relaxed);
        }
    }

    fn busy_place(&self, key: u64) -> &AtomicU64 {
        let spread = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        &self.shared.busy[spread as usize % self.shared.busy.len()]
    }

    /// Has another thread answered for a position on the path? Then what is below it need not be searched: the
    /// search unwinds to it.
    pub fn look_at_path(&mut self) {
        let table = self.shared.table;
        let decided = self.path.iter().enumerate().find_map(|(ply, &(slot, beta))| {
            let known = Known::unpack(table.probe(table.slot(slot.key()))?);
            let bound = if known.low >= beta { known.low } else { known.high };
            (known.low >= beta || known.high < beta).then_some((ply as u32, bound))
        });
        if decided.is_some() {
            (self.taken, self.out) = (decided, true);
        }
    }

    /// The answer of another thread that this one has unwound for, if it was for this ply.
    #[cold]
    pub fn take_over(&mut self, ply: u32) -> Option<i32> {
        let (_, bound) = self.taken.take_if(|taken| taken.0 == ply)?;
        self.out = false;
        Some(bound)
    }
}

/// Lets all workers search the same; the first to have an answer stops the others. None if the budget ran
/// out before.
pub(super) fn race<P, E, T>(
    workers: &mut [Worker<P, E>],
    search: impl Fn(&mut Worker<P, E>) -> T + Sync,
) -> Option<T>
where
    P: TwoPlayer + Symmetric,
    E: Expertise<P>,
    T: Send,
{
    let search = &search;
    std::thread::scope(|scope| {
        let runs: Vec<_> = workers
            .iter_mut()
            .filter_map(|worker| {
                worker.shared.done.store(false, Ordering::Relaxed);
                worker.out = worker.shared.meter.is_out();
                let run = move || {
                    let found = search(worker);
                    let finished = !worker.out;
                    if finished {
                        worker.shared.done.store(true, Ordering::Relaxed);
                    }
                    worker.spend();
                    finished.then_some(found)
                };
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).ok()
            })
            .collect();
        let mut found = None;
        for run in runs {
            match run.join() {
                Ok(one) => found = found.or(one),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        found
    })
}
