//! Building: a plan of what is to be done and what it takes, then slice by slice. What is finished stays.

use crate::cut::asks_itself;
use crate::derive::{derive, source};
use crate::file::{Digest, Header};
use crate::store::short_of;
use crate::streamed::{self, Parts};
use crate::{Cluster, Error, Indexed, Job, Known, Metric, Store, Work, closure};
use std::path::PathBuf;
use std::sync::Arc;

/// What is to be done for one slice.
#[derive(Clone, Debug)]
pub struct Step<S> {
    /// The slice.
    pub slice: S,
    /// Its name.
    pub name: String,
    /// How many numbers it has.
    pub size: u64,
    /// A good file is there already.
    pub done: bool,
    /// The metric out of whose file it is made; none if it is solved.
    pub from: Option<Metric>,
    /// The bytes of memory that solving it takes, with the tables it converts into.
    pub memory: u64,
    /// The bytes of memory that solving it takes where it is not cut.
    pub in_memory: u64,
    /// How it is cut where it is larger than memory; none if it is solved in memory.
    pub parts: Option<Parts>,
    /// The bytes of files that come and go while it is solved in parts.
    pub scratch: u64,
}

/// What is to be done, in order.
#[derive(Clone, Debug)]
pub struct Plan<S> {
    /// What the tables will tell.
    pub metric: Metric,
    /// The slices.
    pub steps: Vec<Step<S>>,
    /// Bytes on the disk that the new files need at most, with those that come and go.
    pub disk: u64,
    /// Where they go.
    pub dir: PathBuf,
    /// The memory that may be used.
    pub(crate) limit: u64,
}

impl<S: Copy> Plan<S> {
    /// The steps still to be done.
    pub fn open(&self) -> impl Iterator<Item = &Step<S>> {
        self.steps.iter().filter(|step| !step.done)
    }

    /// The most memory that a step needs.
    pub fn memory(&self) -> u64 {
        self.open().map(|step| step.memory).max().unwrap_or(0)
    }

    /// Counts the memory of each process where the work is shared: its workers hold four bytes for each of their
    /// positions, five more while they compress them, and their parts of the slices below, and of the outcomes of the slice
    /// itself if these are asked for. Where the game cannot tell predecessors every move takes 24 more while they are sorted,
    /// about twenty of them a position.
    pub fn share<I: Indexed<Slice = S>>(&mut self, game: &I, cluster: &Cluster) {
        let processes = cluster.hosts.len().max(1) as u64;
        for step in &mut self.steps {
            let itself = asks_itself(game, step.slice, self.metric).then_some(step.slice);
            let below: u64 =
                game.conversions(step.slice).into_iter().chain(itself).map(|s| game.size(s)).sum();
            let first = (0..step.size).find_map(|i| game.position(step.slice, i));
            let tells = first.is_some_and(|position| game.predecessors(&position, &mut |_| ()));
            let each = if tells { 9 } else { 9 + 24 * 20 };
            step.from = None;
            step.memory = (step.size * each + below * width(self.metric)) / processes + (1 << 20);
        }
    }

    /// Cuts what does not fit into so much memory, to be solved part by part from files.
    pub fn fit<I: Indexed<Slice = S>>(&mut self, game: &I, memory: u64) {
        self.limit = memory;
        let mut most = 0;
        for step in self.steps.iter_mut().filter(|step| !step.done && step.memory > memory) {
            if !Parts::serve(self.metric) {
                continue;
            }
            let below = streamed::numbers_below(game, step.slice, self.metric);
            step.parts = Parts::new(step.size, below, memory);
            step.from = None;
            // What would do, if this does not.
            let least = || Parts::least(step.size, below);
            step.memory = if step.parts.is_some() { memory } else { step.memory.min(least()) };
            step.scratch = streamed::scratch_of(game, step.slice, self.metric);
            most = most.max(step.scratch);
        }
        self.disk += most;
    }

    /// Cuts all slices into parts of so many blocks of a file, whatever memory there is, to compare what is solved in parts
    /// with what is solved in memory.
    pub fn cut(&mut self, blocks: u64) {
        for step in self.steps.iter_mut().filter(|step| !step.done) {
            step.parts = Parts::serve(self.metric).then(|| Parts::of_blocks(step.size, blocks));
            step.from = None;
        }
    }

    /// The memory in which nothing has to come and go on a disk with so much free, if it is less than what is needed there.
    fn instead(&self, free: u64) -> Option<u64> {
        let scratch = self.open().map(|step| step.scratch).max().filter(|&bytes| bytes > 0)?;
        let memory = self.open().map(|step| step.in_memory).max()?;
        (memory < self.disk && self.disk - scratch <= free).then_some(memory)
    }

    /// Says at once if memory or disk will not do.
    pub fn check(&self, memory: u64) -> Result<(), Error> {
        let greatest = self.open().max_by_key(|step| step.memory);
        if let Some(step) = greatest.filter(|step| step.memory > memory) {
            let slice = step.name.clone();
            return Err(Error::Memory { slice, needed: step.memory, allowed: memory });
        }
        match short_of(self.disk, &self.dir) {
            Some(free) => {
                let memory = self.instead(free);
                Err(Error::Disk { dir: self.dir.clone(), needed: self.disk, free, memory })
            }
            None => Ok(()),
        }
    }
}

/// The bytes of a cell in memory.
fn width(metric: Metric) -> u64 {
    if metric.counts_plies() || metric == Metric::Grundy { 2 } else { 1 }
}

/// Plans to build the slices and all that they convert into, each in memory, out of the files of another metric where these
/// tell it. Files that are there are read and checked; damaged ones are planned anew.
pub fn plan<I: Indexed>(
    game: &I,
    store: &Store,
    slices: &[I::Slice],
    metric: Metric,
) -> Result<Plan<I::Slice>, Error> {
    game.can_tell(metric)?;
    // What counts moves fits in a byte.
    let bytes = if game.counts_moves(metric) { 1 } else { width(metric) };
    let mut steps: Vec<Step<I::Slice>> = Vec::new();
    for slice in closure(game, slices) {
        let name = game.slice_name(slice);
        let found = store.open(&name, metric, 0).and_then(|reader| reader.fitting(game, slice)?.check());
        let done = match found {
            Ok(()) => true,
            Err(Error::Missing { .. } | Error::Damaged { .. }) => false,
            Err(other) => return Err(other),
        };
        let is_derived = |below| steps.iter().any(|step| step.slice == below && step.from.is_some());
        let from = if done { None } else { source(game, store, slice, metric, is_derived) };
        let below: u64 = game.conversions(slice).iter().map(|&s| game.size(s)).sum();
        let size = game.size(slice);
        let memory = match from {
            Some(from) => size * (width(from) + width(metric)),
            None => game.solving_bytes(slice, metric) + below * bytes,
        };
        let in_memory = memory;
        steps.push(Step { slice, name, size, done, from, memory, in_memory, parts: None, scratch: 0 });
    }
    let disk = steps.iter().filter(|s| !s.done).map(|s| s.size * bytes + 4096).sum();
    Ok(Plan { metric, steps, disk, dir: store.dir().into(), limit: u64::MAX })
}

/// Does what is planned; `told` hears of each finished slice.
pub fn build<I: Indexed>(
    game: &I,
    store: &Store,
    plan: &Plan<I::Slice>,
    work: &Work<'_>,
    told: &mut dyn FnMut(&Header, Digest),
) -> Result<(), Error> {
    let _guard = store.lock()?;
    let mut held = Held::default();
    let most = plan.memory();
    let open: Vec<_> = plan.open().collect();
    for (at, step) in open.iter().enumerate() {
        if let Some(parts) = step.parts {
            held = Held::default();
            let (header, digest) = streamed::solve(game, store, step.slice, plan.metric, parts, work)?;
            store.write_manifest()?;
            told(&header, digest);
            continue;
        }
        // What this step does not need makes room if there is too little.
        let below = if step.from.is_some() { Vec::new() } else { game.conversions(step.slice) };
        held.keep(|slice| below.contains(&slice), most - step.memory);
        if let Some(from) = step.from {
            let (header, digest) = derive(game, store, step.slice, (from, plan.metric), work)?;
            told(&header, digest);
            continue;
        }
        for slice in below {
            if held.known.table(&slice).is_none() {
                let table = store.open(&game.slice_name(slice), plan.metric, 0)?.table()?;
                held.known.insert(slice, Arc::new(table));
                held.slices.push(slice);
            }
        }
        let job = Job { slice: step.slice, metric: plan.metric, known: &held.known, work };
        let table = game.solve(&job)?;
        let (header, digest) = store.save(&step.name, &table, work)?;
        told(&header, digest);
        held.known.insert(step.slice, Arc::new(table));
        held.slices.push(step.slice);
        // Only what later slices convert into stays.
        let later = |slice| {
            let mut later = open[at + 1..].iter().filter(|s| s.parts.is_none());
            later.any(|s| game.conversions(s.slice).contains(&slice))
        };
        held.keep(later, 0);
    }
    // A build that was killed after a file and before its manifest leaves that to the next.
    if !plan.steps.is_empty() {
        store.write_manifest()?;
    }
    Ok(())
}

/// The tables in memory.
struct Held<S> {
    known: Known<S>,
    slices: Vec<S>,
}

impl<S> Default for Held<S> {
    fn default() -> Self {
        Self { known: Known::default(), slices: Vec::new() }
    }
}

impl<S: Copy + Eq + std::hash::Hash> Held<S> {
    /// Forgets the tables that are not needed, as many as do not fit into `room` bytes.
    fn keep(&mut self, needed: impl Fn(S) -> bool, mut room: u64) {
        let known = &mut self.known;
        self.slices.retain(|&slice| {
            let bytes = known.table(&slice).map_or(0, |table| table.bytes());
            let keep = needed(slice) || bytes <= room;
            if !keep {
                known.remove(&slice);
            } else if !needed(slice) {
                room -= bytes;
            }
            keep
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cells, Stopped, Table};
    use endspiel_game::{Payoff, Player, Position, TextError, Turn, TwoPlayer};
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Lost;

    impl Position for Lost {
        type Move = ();
        fn turn(&self) -> Turn {
            Turn::Over
        }
        fn moves(&self, _: impl FnMut(())) {}
        fn play(&mut self, (): ()) {}
        fn payoff(&self) -> Payoff {
            Payoff::win(Player::SECOND)
        }
        fn key(&self) -> u64 {
            0
        }
    }
    impl TwoPlayer for Lost {}

    /// Eight large slices, and sixteen small ones that convert into them, the first eight into one each and so the second eight.
    /// Keeps count of the most that was in memory.
    struct Shelf {
        most: AtomicU64,
    }

    impl Indexed for Shelf {
        type Position = Lost;
        type Slice = u8;
        fn slice_name(&self, slice: u8) -> String {
            slice.to_string()
        }
        fn read_slices(&self, _: &str) -> Result<Vec<u8>, TextError> {
            Ok((8..24).collect())
        }
        fn size(&self, slice: u8) -> u64 {
            if slice < 8 { 1000 } else { 10 }
        }
        fn conversions(&self, slice: u8) -> Vec<u8> {
            if slice < 8 { Vec::new() } else { vec![slice % 8] }
        }
        fn position(&self, _: u8, _: u64) -> Option<Lost> {
            Some(Lost)
        }
        fn place(&self, _: &Lost) -> Option<(u8, u64)> {
            None
        }
        fn mover(&self, _: &Lost) -> Player {
            Player::FIRST
        }
        fn solving_bytes(&self, slice: u8, _: Metric) -> u64 {
            self.size(slice)
        }
        fn solve(&self, job: &Job<'_, Self>) -> Result<Table, Stopped> {
            let held = (0..24).filter_map(|slice| job.known.table(&slice)).map(|table| table.bytes());
            self.most.fetch_max(held.sum::<u64>() + self.size(job.slice), Relaxed);
            Ok(Table { metric: job.metric, cells: Cells::Narrow(vec![-1; self.size(job.slice) as usize]) })
        }
    }

    #[test]
    fn what_waits_for_later_slices_stays_within_the_plan() {
        let dir = std::env::temp_dir().join(format!("endspiel-shelf-{}", std::process::id()));
        let (store, shelf) = (Store::new(&dir, "shelf"), Shelf { most: AtomicU64::new(0) });
        let plan = plan(&shelf, &store, &shelf.read_slices("").unwrap(), Metric::Value).unwrap();
        build(&shelf, &store, &plan, &Work::default(), &mut |_, _| ()).unwrap();
        assert_eq!((plan.memory(), shelf.most.into_inner()), (1010, 1010));
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn memory_is_told_in_place_of_the_disk() {
        let step = |in_memory, scratch| Step {
            slice: 0,
            name: "0".into(),
            size: 9,
            done: false,
            from: None,
            memory: 5,
            in_memory,
            parts: None,
            scratch,
        };
        let plan = |steps, disk| Plan { metric: Metric::End, steps, disk, dir: "x".into(), limit: 0 };
        assert_eq!(plan(vec![step(40, 100), step(30, 0)], 120).instead(20), Some(40));
        assert_eq!(plan(vec![step(40, 100)], 120).instead(19), None, "the files themselves do not fit");
        assert_eq!(plan(vec![step(140, 100)], 120).instead(20), None, "more than the disk would need");
        assert_eq!(plan(vec![step(40, 0)], 120).instead(20), None, "nothing comes and goes");
        let error = Error::Disk { dir: "x".into(), needed: 1 << 30, free: 0, memory: Some(3 << 20) };
        assert_eq!(
            error.to_string(),
            "the files may need 1,024 MiB on the disk, x has 0 MiB; `--memory 3M` would do without those that come and go"
        );
        // What is needed is rounded up, what there is is rounded down.
        let error = Error::Memory { slice: "9".into(), needed: (4 << 20) + 1, allowed: (5 << 20) - 1 };
        assert_eq!(error.to_string(), "slice 9 needs 5 MiB of memory, 4 MiB are allowed");
    }
}
