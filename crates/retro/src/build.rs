//! Building: a plan of what is to be done and what it takes, then slice by slice. What is finished stays.

use crate::file::{Digest, Header};
use crate::store::free;
use crate::{Cluster, Error, Indexed, Job, Known, Metric, Store, Work, closure};
use std::collections::BTreeSet;
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
    /// The bytes of memory that solving it takes, with the tables it converts into.
    pub memory: u64,
}

/// What is to be done, in order.
#[derive(Clone, Debug)]
pub struct Plan<S> {
    /// What the tables will tell.
    pub metric: Metric,
    /// The slices.
    pub steps: Vec<Step<S>>,
    /// Bytes on the disk that the new files need at most.
    pub disk: u64,
    /// Where they go.
    pub dir: PathBuf,
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
    /// positions, five more while they compress them, and their parts of the slices below. Where the game cannot tell
    /// predecessors every move takes 24 more while they are sorted, about twenty of them a position.
    pub fn share<I: Indexed<Slice = S>>(&mut self, game: &I, cluster: &Cluster) {
        let processes = cluster.hosts.len().max(1) as u64;
        for step in &mut self.steps {
            let below: u64 = game.conversions(step.slice).iter().map(|&s| game.size(s)).sum();
            let first = (0..step.size).find_map(|i| game.position(step.slice, i));
            let tells = first.is_some_and(|position| game.predecessors(&position, &mut |_| ()));
            let each = if tells { 9 } else { 9 + 24 * 20 };
            step.memory = (step.size * each + below * width(self.metric)) / processes + (1 << 20);
        }
    }

    /// Says at once if memory or disk will not do.
    pub fn check(&self, memory: u64) -> Result<(), Error> {
        if let Some(step) = self.open().find(|step| step.memory > memory) {
            let slice = step.name.clone();
            return Err(Error::Memory { slice, needed: step.memory, allowed: memory });
        }
        match free(&self.dir) {
            Some(free) if free < self.disk => {
                Err(Error::Disk { dir: self.dir.clone(), needed: self.disk, free })
            }
            _ => Ok(()),
        }
    }
}

/// The bytes of a cell in memory.
fn width(metric: Metric) -> u64 {
    if metric.counts_plies() { 2 } else { 1 }
}

/// Plans to build the slices and all that they convert into. Files that are there are read and checked;
/// damaged ones are planned anew.
pub fn plan<I: Indexed>(
    game: &I,
    store: &Store,
    slices: &[I::Slice],
    metric: Metric,
) -> Result<Plan<I::Slice>, Error> {
    let mut steps = Vec::new();
    for slice in closure(game, slices) {
        let name = game.slice_name(slice);
        let found = store.open(&name, metric, 0).and_then(|reader| {
            reader.check()?;
            let fits = reader.header().size == game.size(slice);
            if fits { Ok(()) } else { Err(Error::size(&store.path(&name, metric))) }
        });
        let done = match found {
            Ok(()) => true,
            Err(Error::Missing { .. } | Error::Damaged { .. }) => false,
            Err(other) => return Err(other),
        };
        let below: u64 = game.conversions(slice).iter().map(|&s| game.size(s)).sum();
        let memory = game.solving_bytes(slice, metric) + below * width(metric);
        steps.push(Step { slice, name, size: game.size(slice), done, memory });
    }
    let disk = steps.iter().filter(|s| !s.done).map(|s| s.size * width(metric) + 4096).sum();
    Ok(Plan { metric, steps, disk, dir: store.dir().into() })
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
    let mut known = Known::default();
    let mut held: BTreeSet<I::Slice> = BTreeSet::new();
    let open: Vec<_> = plan.open().collect();
    for (at, step) in open.iter().enumerate() {
        for slice in game.conversions(step.slice) {
            if held.insert(slice) {
                let table = store.open(&game.slice_name(slice), plan.metric, 0)?.table()?;
                known.insert(slice, Arc::new(table));
            }
        }
        let job = Job { slice: step.slice, metric: plan.metric, known: &known, work };
        let table = game.solve(&job)?;
        let (header, digest) = store.save(&step.name, &table, work)?;
        told(&header, digest);
        known.insert(step.slice, Arc::new(table));
        held.insert(step.slice);
        // Only what later slices convert into stays.
        let later: BTreeSet<_> = open[at + 1..].iter().flat_map(|s| game.conversions(s.slice)).collect();
        held.retain(|slice| {
            let keep = later.contains(slice);
            if !keep {
                known.remove(slice);
            }
            keep
        });
    }
    // A build that was killed after a file and before its manifest leaves that to the next.
    if !plan.steps.is_empty() {
        store.write_manifest()?;
    }
    Ok(())
}
