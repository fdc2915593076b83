//! What a worker does: slice after slice it looks at its positions, goes through the ranks, and sends its blocks.

use super::flow::{Council, Field, Gathering, Opening, Rounds, Turned, Vote};
use super::{Common, Task, Traffic, Word, share};
use crate::cut::Looked;
use crate::file::{BLOCK, Header, LEVEL, compress_run};
use crate::graph::Node;
use crate::state::{FINAL, State};
use crate::{Error, Label, Pass, Table};
use std::cell::RefCell;
use std::ops::Range;
use std::panic::resume_unwind;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use timely::WorkerConfig;
use timely::communication::Allocator;
use timely::order::Product;
use timely::worker::Worker;

/// Positions that are looked at before the news of others are heard.
const BATCH: usize = 1 << 12;
const PARK: Duration = Duration::from_millis(20);

/// Works until all is done. Who fails ends the others with it.
pub fn run(allocator: Allocator, common: &Arc<Common>) {
    let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
    let council = Council::new(&mut worker);
    let parts = common.tasks.iter().map(|_| None).collect();
    let traffic = Traffic::default();
    let mut clerk =
        Clerk { worker: &mut worker, common, council, time: 0, parts, traffic, told: Instant::now() };
    let ended = clerk.all();
    drop(clerk);
    // Who waits may be gone; then nobody wants to know.
    if let Err(error) = ended {
        let _ = common.words.send(Word::Failed(error));
        resume_unwind(Box::new(()));
    }
    while worker.has_dataflows() {
        worker.step_or_park(Some(PARK));
    }
}

struct Clerk<'a> {
    worker: &'a mut Worker,
    common: &'a Arc<Common>,
    council: Council,
    /// How often was voted.
    time: u64,
    /// The own parts of the slices that later ones convert into.
    parts: Vec<Option<Rc<Table>>>,
    traffic: Traffic,
    /// When something was told last.
    told: Instant,
}

impl Clerk<'_> {
    fn all(&mut self) -> Result<(), Error> {
        for task in 0..self.common.tasks.len() {
            if !self.common.tasks[task].done {
                self.slice(task)?;
            }
        }
        let _ = self.common.words.send(Word::Sent(self.traffic));
        Ok(())
    }

    /// The numbers that this worker owns of a slice.
    fn own(&self, task: usize) -> Range<u64> {
        let size = self.common.tasks[task].size;
        let share = share(size, self.worker.peers());
        let start = (share * self.worker.index() as u64).min(size);
        start..(start + share).min(size)
    }

    fn step(&mut self) -> Result<(), Error> {
        if self.common.stop.asked() {
            return Err(Error::Stopped);
        }
        self.worker.step_or_park(Some(PARK));
        Ok(())
    }

    /// Votes, and hears the votes of all.
    fn vote(&mut self, vote: Vote) -> Result<Vec<Vote>, Error> {
        self.council.votes.send(vote);
        self.time += 1;
        self.council.votes.advance_to(self.time);
        while self.council.probe.less_than(&self.time) {
            self.step()?;
        }
        Ok(self.council.heard.borrow_mut().remove(&(self.time - 1)).unwrap_or_default())
    }

    fn tell(&mut self, doing: &'static str, pass: u32, (done, of): (u64, u64), begun: Instant) {
        if self.worker.index() == 0 && self.told.elapsed() > Duration::from_millis(100) {
            self.told = Instant::now();
            let peers = self.worker.peers() as u64;
            let (done, of) = (done * peers, of * peers);
            let pass = Pass { doing, pass, done, of, changed: None, elapsed: begun.elapsed() };
            let _ = self.common.words.send(Word::Pass(pass));
        }
    }

    fn slice(&mut self, task: usize) -> Result<(), Error> {
        let own = self.own(task);
        let field = Field {
            common: Arc::clone(self.common),
            task,
            share: share(self.common.tasks[task].size, self.worker.peers()),
            start: own.start,
            state: Rc::new(RefCell::new(State::new((own.end - own.start) as usize))),
            turned: Rc::new(RefCell::new(Turned::default())),
            tells: self.common.tasks[task].cut.tells(),
        };
        self.open(&field)?;
        self.go_round(&field)?;
        let state = field.state.borrow();
        let labels: Vec<Label> = (0..state.best.len()).map(|place| state.settled(place)).collect();
        drop(state);
        drop(field);
        let table = self.save(task, &labels)?;
        if self.common.tasks[task].is_saved {
            self.traffic.positions += own.end - own.start;
        }
        self.parts[task] = Some(Rc::new(table));
        // Only what later slices convert into stays.
        let tasks = &self.common.tasks;
        for (i, part) in self.parts.iter_mut().enumerate() {
            if !tasks[task + 1..].iter().any(|later| !later.done && later.below.contains(&i)) {
                *part = None;
            }
        }
        Ok(())
    }

    /// The own part of a slice below.
    fn part(&mut self, below: usize) -> Result<Rc<Table>, Error> {
        if let Some(part) = &self.parts[below] {
            return Ok(Rc::clone(part));
        }
        let (common, own) = (Arc::clone(self.common), self.own(below));
        let task = &common.tasks[below];
        let reader = common.store.open(&task.name, task.metric, 0)?;
        reader.has_size(task.size)?;
        let part = Rc::new(reader.part(own)?);
        self.parts[below] = Some(Rc::clone(&part));
        Ok(part)
    }

    /// Looks at all own positions: what they are sure of, and how many moves they have within the slice.
    fn open(&mut self, field: &Field) -> Result<(), Error> {
        let common = Arc::clone(self.common);
        let task = &common.tasks[field.task];
        let below = task.below.iter().map(|&b| self.part(b)).collect::<Result<Vec<_>, _>>()?;
        let Opening { mut questions, mut moves, probe } = Opening::new(self.worker, field, below);
        let shares: Vec<u64> =
            task.below.iter().map(|&b| share(common.tasks[b].size, self.worker.peers())).collect();
        let (begun, size) = (Instant::now(), field.state.borrow().best.len());
        let mut looked = Looked::default();
        for (time, first) in (0..size).step_by(BATCH).enumerate() {
            let mut state = field.state.borrow_mut();
            for place in first..(first + BATCH).min(size) {
                let number = field.start + place as u64;
                let (label, left) = match task.cut.look(number, &mut looked) {
                    Node::Wasted => (0, FINAL),
                    Node::Over(label) => (label.0, 0),
                    Node::Open(label, many) => (label.0, many),
                };
                (state.best[place], state.left[place]) = (label, left);
                for &(slice, index, gain) in &looked.away {
                    let share = shares[usize::from(slice)];
                    let to = crate::words::pack((index / share) as usize, slice, (index % share) as u32);
                    questions.send((to, field.seat(number, gain as u16)));
                }
                self.traffic.asked += looked.away.len() as u64;
                if !field.tells {
                    for &index in &looked.inside {
                        moves.send((field.seat(index, 0), field.seat(number, 0)));
                    }
                    self.traffic.moves += looked.inside.len() as u64;
                }
            }
            drop(state);
            questions.advance_to(time as u64 + 1);
            moves.advance_to(time as u64 + 1);
            // One batch is on the way while the next is made.
            while probe.less_than(&(time as u64)) {
                self.step()?;
            }
            self.tell("moves", 1, (first as u64, size as u64), begun);
        }
        questions.close();
        moves.close();
        while !probe.done() {
            self.step()?;
        }
        if !field.tells {
            field.turned.borrow_mut().sort(size);
        }
        Ok(())
    }

    /// Rank by rank, what is final is told to its predecessors.
    fn go_round(&mut self, field: &Field) -> Result<(), Error> {
        let sent = Rc::new(RefCell::new(0));
        let Rounds { mut news, probe } = Rounds::new(self.worker, field, Rc::clone(&sent));
        let mut list = Vec::new();
        let begun = Instant::now();
        loop {
            let (next, due) = due(&field.state.borrow());
            let votes = self.vote([next, 0, 0, 0, 0])?;
            let rank = votes.iter().map(|vote| vote[0]).min().unwrap_or(NEVER);
            if rank == NEVER {
                break;
            }
            news.advance_to(rank);
            for (i, &place) in due.iter().enumerate().filter(|_| next == rank) {
                let place = place as usize;
                // It may have been found on the way.
                let ripe = field.state.borrow().ripe(place);
                if let Some(label) = ripe {
                    field.state.borrow_mut().close(place);
                    let many = field.spread(place, label, &mut list, |word| news.send(word));
                    *sent.borrow_mut() += many;
                }
                if i % BATCH == BATCH - 1 {
                    news.flush();
                    self.step()?;
                }
            }
            news.advance_to(rank + 1);
            while probe.less_equal(&Product::new(rank, u32::MAX)) {
                self.step()?;
            }
            self.tell("rounds", rank as u32 + 1, (1, 1), begun);
        }
        news.close();
        while !probe.done() {
            self.step()?;
        }
        self.traffic.told += *sent.borrow();
        Ok(())
    }

    /// Agrees with the others on the width of a cell, and sends the own blocks to the file, if there is to be one.
    fn save(&mut self, task: usize, labels: &[Label]) -> Result<Table, Error> {
        let common = Arc::clone(self.common);
        let Task { cut, name, metric, is_saved, .. } = &common.tasks[task];
        let (metric, stakes, widths) = (*metric, cut.stakes(), cut.widths());
        let holds = widths.map(|width| labels.iter().all(|&l| width.holds(metric, l, stakes)));
        let mut counts = [0_u64; 4];
        for &label in labels {
            counts[label.kind()] += 1;
        }
        let mask = holds.iter().rev().fold(0, |mask, &holds| mask << 1 | u64::from(holds));
        let [wins, draws, losses, wasted] = counts;
        let votes = self.vote([mask, wins, draws, losses, wasted])?;
        let mask = votes.iter().fold(u64::MAX, |mask, vote| mask & vote[0]);
        let width = widths[(mask.trailing_zeros() as usize).min(2)];
        let table = Table { metric, cells: width.cells(metric, labels, stakes) };
        if !is_saved {
            return Ok(table);
        }
        let Gathering { mut blocks, probe, come } = Gathering::new(self.worker);
        let path = common.store.path(name, metric);
        let first = self.own(task).start / BLOCK as u64;
        for (number, block) in (first..).zip(compress_run(&table, 0..table.len(), BLOCK, LEVEL)) {
            blocks.send((number, block.map_err(|e| Error::io(&path, e))?));
        }
        blocks.close();
        while !probe.done() {
            self.step()?;
        }
        if self.worker.index() == 0 {
            let mut come = std::mem::take(&mut *come.borrow_mut());
            come.sort_unstable_by_key(|(number, _)| *number);
            let blocks: Vec<Vec<u8>> = come.into_iter().map(|(_, block)| block).collect();
            let counts = [1, 2, 3, 4].map(|i| votes.iter().map(|vote| vote[i]).sum());
            let header = Header::counted(common.store.game(), name, &table, counts);
            let digest = common.store.save_blocks(&header, metric, &blocks)?;
            let _ = common.words.send(Word::Saved(header, digest));
        }
        Ok(table)
    }
}

/// No position will become final.
const NEVER: u64 = u64::MAX;

/// The least rank at which own positions become final, and those.
fn due(state: &State) -> (u64, Vec<u32>) {
    let (mut next, mut due) = (NEVER, Vec::new());
    for place in 0..state.best.len() {
        let Some(label) = state.ripe(place) else { continue };
        let rank = label.rank().map_or(NEVER, u64::from);
        if rank < next {
            due.clear();
            next = rank;
        }
        if rank == next {
            due.push(place as u32);
        }
    }
    (next, due)
}
