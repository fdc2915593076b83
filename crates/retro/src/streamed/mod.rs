//! A slice that is larger than memory, solved part by part from files.
//!
//! The numbers are cut into *parts*, of which one is in memory at a time, with what is known of its positions (see
//! `state`). It is the way of the workers of a cluster, one after the other: a part looks at its positions and asks for
//! those that they convert into; then, rank by rank, it hears the news for it, closes what is final, and writes news
//! for the predecessors in other parts. Questions, answers and news wait in files of their part (see `spool`), so that
//! everything is read and written from end to end. A part for which there is no news at a rank is not touched. The
//! table has the bytes that [`backward`](crate::backward) and a game's own solver make.
//!
//! Depths to zeroing are solved in two steps (see `cut`): first who wins, into a table that comes and goes with the job, unless
//! a file of another metric tells it.

mod ended;
mod parts;
mod turned;

use crate::cut::{Cut, Cutting, Looked, asks_itself};
use crate::derive::outcomes;
use crate::file::{BLOCK, Digest, Header};
use crate::graph::Node;
use crate::spool::Spool;
use crate::state::{FINAL, State};
use crate::store::SCRATCH;
use crate::words::{self, Pair};
use crate::work::Stage;
use crate::{Error, Indexed, Label, Metric, Reader, Store, Table, Work};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

pub use parts::Parts;
use parts::scratch;
use parts::{IN_HAND, SPOOLS};

/// Positions that one thread takes at a time...
const PIECE: usize = 1 << 8;
/// ... and how many such pieces are done before their words are put away, at most.
const PIECES: usize = 64;

/// A slice to be solved.
struct Task<'a> {
    cut: &'a dyn Cut,
    /// The rule set.
    game: &'a str,
    name: String,
    size: u64,
    /// The slices that it converts into.
    below: Vec<Below>,
    metric: Metric,
    parts: Parts,
    work: &'a Work<'a>,
    /// Where its files come and go.
    dir: &'a Path,
}

/// A table from which questions are answered.
struct Below {
    store: Store,
    name: String,
    metric: Metric,
    size: u64,
}

/// Solves a slice of a game and writes its file.
pub fn solve<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    metric: Metric,
    parts: Parts,
    work: &Work<'_>,
) -> Result<(Header, Digest), Error> {
    let path = store.path(&game.slice_name(slice), metric);
    let told = asks_itself(game, slice, metric).then(|| outcomes(game, store, slice)).flatten();
    solve_with(game, store, slice, (metric, told), parts, work, |desk| desk.save(&path))
}

/// What a file tells and another solution does not: the number, what is stored and what is found.
type Wrong = Option<(u64, i32, i32)>;

/// Solves a slice of a game anew and compares every value with that of its file: the wins, draws and losses that were found,
/// and the first that is another.
pub fn compare<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    metric: Metric,
    parts: Parts,
    with: &Reader,
    work: &Work<'_>,
) -> Result<([u64; 3], Wrong), Error> {
    solve_with(game, store, slice, (metric, None), parts, work, |desk| desk.compare(with))
}

/// The bytes of files that come and go while a slice is solved in parts, its outcomes among them if it asks for them.
pub fn scratch_of<I: Indexed>(game: &I, slice: I::Slice, metric: Metric) -> u64 {
    let size = game.size(slice);
    let of = |metric| scratch(&Cutting::new(game, slice, metric, game.conversions(slice)), size);
    if asks_itself(game, slice, metric) {
        of(metric).max(of(Metric::Value)) + size + 4096
    } else {
        of(metric)
    }
}

/// The numbers that a slice asks for, one slice behind the other, each at the beginning of a block.
pub fn numbers_below<I: Indexed>(game: &I, slice: I::Slice, metric: Metric) -> u64 {
    let itself = asks_itself(game, slice, metric).then_some(slice);
    in_blocks(game.conversions(slice).into_iter().chain(itself).map(|slice| game.size(slice)))
}

/// Solves a slice, with the metric of the file that tells its outcomes, if they are asked for and there is one.
fn solve_with<I: Indexed, T>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    (metric, told): (Metric, Option<Metric>),
    parts: Parts,
    work: &Work<'_>,
    end: impl FnOnce(&mut Desk<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let dir = Scratch::new(store.dir())?;
    let table = |store: &Store, slice, metric| {
        let (name, size) = (game.slice_name(slice), game.size(slice));
        Below { store: store.clone(), name, metric, size }
    };
    let cut = |metric| Cutting::new(game, slice, metric, game.conversions(slice));
    let (last, first) = (cut(metric), cut(Metric::Value));
    let mut task = Task {
        cut: &last,
        game: store.game(),
        name: game.slice_name(slice),
        size: game.size(slice),
        below: game.conversions(slice).into_iter().map(|slice| table(store, slice, metric)).collect(),
        metric,
        parts,
        work,
        dir: &dir.0,
    };
    if let Some(told) = told {
        task.below.push(table(store, slice, told));
    } else if asks_itself(game, slice, metric) {
        let aside = Store::new(&dir.0, store.game());
        std::fs::create_dir_all(aside.dir()).map_err(|e| Error::io(aside.dir(), e))?;
        (task.cut, task.metric) = (&first, Metric::Value);
        solve_task(&task, |desk| desk.save(&aside.path(&desk.task.name, Metric::Value)))?;
        (task.cut, task.metric) = (&last, metric);
        task.below.push(table(&aside, slice, Metric::Value));
    }
    solve_task(&task, end)
}

/// The numbers of slices that are put one behind the other, each at the beginning of a block.
fn in_blocks(sizes: impl Iterator<Item = u64>) -> u64 {
    sizes.map(|size| size.next_multiple_of(BLOCK as u64)).sum()
}

fn solve_task<T>(task: &Task<'_>, end: impl FnOnce(&mut Desk<'_>) -> Result<T, Error>) -> Result<T, Error> {
    // Another within that of the job: what one step leaves is nothing to the next.
    let dir = Scratch::new(task.dir)?;
    let count = task.parts.count as usize;
    let mut desk = Desk {
        task,
        dir: &dir.0,
        tells: task.cut.tells(),
        due: vec![BTreeSet::new(); count],
        news: Spool::new(&dir.0, "news", count, task.parts.quarter / SPOOLS),
    };
    desk.open()?;
    desk.go_round()?;
    end(&mut desk)
}

/// A folder for the files of a job; it goes with the job, or when the next one takes the lock.
struct Scratch(PathBuf);

impl Scratch {
    fn new(store: &Path) -> Result<Self, Error> {
        let dir = store.join(SCRATCH);
        // Files go on where they end, so none may be left.
        match std::fs::remove_dir_all(&dir) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(&dir, e)),
            _ => {}
        }
        std::fs::create_dir_all(&dir).map_err(|e| Error::io(&dir, e))?;
        Ok(Self(dir))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

struct Desk<'a> {
    task: &'a Task<'a>,
    dir: &'a Path,
    /// Does the game tell predecessors?
    tells: bool,
    /// For each part, the ranks at which positions become final.
    due: Vec<BTreeSet<u16>>,
    news: Spool,
}

/// What a piece of positions has to tell.
#[derive(Default)]
struct Seen {
    known: Vec<(u16, u16)>,
    asked: Vec<Pair>,
    moves: Vec<Pair>,
}

/// How many positions are taken at once, so that their words fit into what is for them; learned from those before.
struct Batch(usize);

impl Batch {
    fn learn(&mut self, positions: usize, words: usize) {
        let fit = IN_HAND.saturating_mul(positions.max(1)) / words.max(1);
        self.0 = fit.clamp(PIECE, PIECE * PIECES) / PIECE * PIECE;
    }
}

impl Desk<'_> {
    /// The numbers of a part.
    fn numbers(&self, part: usize) -> Range<u64> {
        let Parts { share, .. } = self.task.parts;
        let start = (share * part as u64).min(self.task.size);
        start..(start + share).min(self.task.size)
    }

    fn seat(&self, number: u64, more: u16) -> u64 {
        let Parts { share, .. } = self.task.parts;
        words::pack((number / share) as usize, more, (number % share) as u32)
    }

    /// Where each slice below begins when they are put one behind the other.
    fn offsets(&self) -> Vec<u64> {
        let sizes = |many| self.task.below.iter().take(many).map(|below| below.size);
        (0..self.task.below.len()).map(|many| in_blocks(sizes(many))).collect()
    }

    /// Says if a stop was asked for.
    fn go_on(&self) -> Result<(), Error> {
        if self.task.work.stop.asked() { Err(Error::Stopped) } else { Ok(()) }
    }

    /// Looks at all positions, and asks for what they convert into.
    fn open(&mut self) -> Result<(), Error> {
        let Task { cut, parts, work, .. } = *self.task;
        let (offsets, bucket) = (self.offsets(), parts.bucket());
        let buckets = in_blocks(self.task.below.iter().map(|below| below.size)).div_ceil(bucket) as usize;
        let buffers = parts.quarter / SPOOLS;
        let mut questions = Spool::new(self.dir, "questions", buckets, buffers);
        let mut moves = Spool::new(self.dir, "moves", parts.count as usize, buffers);
        let mut batch = Batch(PIECE);
        for part in 0..parts.count as usize {
            let numbers = self.numbers(part);
            let mut state = State::new((numbers.end - numbers.start) as usize);
            let stage = Stage { doing: "moves", pass: part as u32 + 1, changed: None };
            let mut first = numbers.start;
            while first < numbers.end {
                let many = (numbers.end - first).min(batch.0 as u64);
                let seen = work.share(stage, many.div_ceil(PIECE as u64) as usize, many, |piece| {
                    let start = first + (piece * PIECE) as u64;
                    let mut seen = Seen::default();
                    let mut looked = Looked::default();
                    for number in start..(start + PIECE as u64).min(first + many) {
                        seen.known.push(match cut.look(number, &mut looked) {
                            Node::Wasted => (0, FINAL),
                            Node::Over(label) => (label.0, 0),
                            Node::Open(label, many) => (label.0, many),
                        });
                        seen.asked.extend(looked.away.iter().map(|&(slice, index, gain)| {
                            let at = offsets[usize::from(slice)] + index;
                            let to = words::pack((at / bucket) as usize, 0, (at % bucket) as u32);
                            (to, self.seat(number, gain as u16))
                        }));
                        if !self.tells {
                            let from = self.seat(number, 0);
                            seen.moves.extend(looked.inside.iter().map(|&to| (self.seat(to, 0), from)));
                        }
                    }
                    seen
                })?;
                let mut place = (first - numbers.start) as usize;
                let words = seen.iter().map(|seen| 2 * (seen.asked.len() + seen.moves.len())).sum();
                batch.learn(many as usize, words);
                first += many;
                for seen in seen {
                    for (best, left) in seen.known {
                        (state.best[place], state.left[place]) = (best, left);
                        place += 1;
                    }
                    for pair in seen.asked {
                        questions.put_pair(words::worker(pair.0) as usize, pair)?;
                    }
                    for pair in seen.moves {
                        moves.put_pair(words::worker(pair.0) as usize, pair)?;
                    }
                }
            }
            self.put_away(part, &state)?;
        }
        if !self.tells {
            (0..parts.count as usize).try_for_each(|part| self.turn(part, &mut moves))?;
        }
        drop(moves);
        let mut answers = Spool::new(self.dir, "answers", parts.count as usize, buffers);
        for number in 0..buckets {
            self.answer(number, bucket, &offsets, &mut questions, &mut answers)?;
        }
        for part in 0..parts.count as usize {
            let mut state = self.take_out(part)?;
            let mut heard = answers.take(part)?;
            while let Some(word) = heard.next()? {
                state.raise(word);
            }
            self.due[part] = (0..state.best.len()).filter_map(|p| state.ripe(p)?.rank()).collect();
            self.put_away(part, &state)?;
        }
        Ok(())
    }

    /// Answers the questions for some positions of slices below.
    fn answer(
        &self,
        number: usize,
        bucket: u64,
        offsets: &[u64],
        questions: &mut Spool,
        answers: &mut Spool,
    ) -> Result<(), Error> {
        let Task { metric, cut, .. } = *self.task;
        self.go_on()?;
        if !questions.waits(number) {
            return Ok(());
        }
        let all = number as u64 * bucket..(number as u64 + 1) * bucket;
        // Where the cells of each slice begin in the bucket.
        let mut tables: Vec<(u64, Table)> = Vec::new();
        for (below, &start) in self.task.below.iter().zip(offsets) {
            let (from, to) = (all.start.max(start), all.end.min(start + below.size));
            if from < to {
                let reader = below.store.open(&below.name, below.metric, 0)?;
                reader.has_size(below.size)?;
                tables.push((from - all.start, reader.part(from - start..to - start)?));
            }
        }
        let stakes = cut.stakes();
        let mut heard = questions.take(number)?;
        while let Some((to, from)) = heard.next_pair()? {
            let place = words::place(to) as u64;
            let table = tables.partition_point(|(start, _)| *start <= place).checked_sub(1);
            let there = table.and_then(|t| tables[t].1.get(place - tables[t].0));
            let gain = i32::from(words::more(from) as i16);
            let worth = there.map_or(Label::DRAW, |n| metric.converted(gain, n, stakes));
            answers.put(words::worker(from) as usize, words::with(from, worth.0))?;
        }
        Ok(())
    }

    /// Rank by rank, what is final is told to its predecessors.
    fn go_round(&mut self) -> Result<(), Error> {
        let count = self.task.parts.count as usize;
        let costs = self.task.metric.cost() > 0;
        let (mut last, mut sweep) = (None, 0);
        loop {
            let next = self.due.iter().filter_map(|due| due.first().copied()).min();
            // Where moves cost a ply, news of a rank make others final one rank later.
            let rank = match (next, last) {
                (_, Some(last)) if costs && self.news.any_waits() => last + 1,
                (Some(next), _) => next,
                (None, _) => return Ok(()),
            };
            if rank > Label::MAX_RANK {
                return Ok(());
            }
            loop {
                sweep += 1;
                let mut closed = 0;
                for part in 0..count {
                    if self.due[part].contains(&rank) || self.news.waits(part) {
                        closed += self.visit(part, rank, sweep)?;
                    }
                }
                // Where moves cost nothing the same rank goes on until it is exhausted.
                if costs || closed == 0 && !self.news.any_waits() {
                    break;
                }
            }
            last = Some(rank);
        }
    }

    /// A part hears its news, closes what is final at this rank and tells it; how many that are.
    fn visit(&mut self, part: usize, rank: u16, sweep: u32) -> Result<u64, Error> {
        self.go_on()?;
        let mut state = self.take_out(part)?;
        let mut queue: Vec<u32> = Vec::new();
        let mut heard = self.news.take(part)?;
        while let Some(word) = heard.next()? {
            hear(&mut state, word, rank, &mut queue, &mut self.due[part]);
        }
        drop(heard);
        if self.due[part].remove(&rank) {
            for place in 0..state.best.len() {
                if state.ripe(place).is_some_and(|label| label.rank() == Some(rank)) {
                    state.close(place);
                    queue.push(place as u32);
                }
            }
        }
        // Moves turned round are read from end to end.
        queue.sort_unstable_by_key(|&place| std::cmp::Reverse(place));
        let (mut closed, mut batch) = (0, Batch(PIECE));
        while !queue.is_empty() {
            let mut places = queue.split_off(queue.len().saturating_sub(batch.0));
            places.sort_unstable();
            closed += places.len() as u64;
            let words = self.spread(part, &places, &state, sweep)?;
            batch.learn(places.len(), words.len());
            for word in words {
                if words::worker(word) == part as u64 {
                    hear(&mut state, word, rank, &mut queue, &mut self.due[part]);
                } else {
                    self.news.put(words::worker(word) as usize, word)?;
                }
            }
        }
        self.put_away(part, &state)?;
        Ok(closed)
    }

    /// The news of final positions to their predecessors.
    fn spread(&self, part: usize, places: &[u32], state: &State, sweep: u32) -> Result<Vec<u64>, Error> {
        let Task { cut, metric, work, .. } = *self.task;
        let start = self.numbers(part).start;
        let offer = |place: u32| metric.before(Label(state.best[place as usize])).0;
        if !self.tells {
            return self.read_turned(part, places, offer);
        }
        let stage = Stage { doing: "rounds", pass: sweep, changed: None };
        let news = work.share(stage, places.len().div_ceil(PIECE), places.len() as u64, |piece| {
            let (mut list, mut out) = (Vec::new(), Vec::new());
            for &place in &places[piece * PIECE..((piece + 1) * PIECE).min(places.len())] {
                cut.before(start + u64::from(place), &mut list);
                out.extend(list.iter().map(|&number| self.seat(number, offer(place))));
            }
            out
        })?;
        Ok(news.into_iter().flatten().collect())
    }

    fn file(&self, kind: &str, part: usize) -> PathBuf {
        self.dir.join(format!("{kind}.{part}"))
    }

    /// Writes what is known of a part to its file.
    fn put_away(&self, part: usize, state: &State) -> Result<(), Error> {
        let path = self.file("state", part);
        let write = || -> std::io::Result<()> {
            let mut out = BufWriter::with_capacity(1 << 16, File::create(&path)?);
            state.best.iter().chain(&state.left).try_for_each(|word| out.write_all(&word.to_le_bytes()))?;
            out.flush()
        };
        write().map_err(|e| Error::io(&path, e))
    }

    /// Reads what is known of a part.
    fn take_out(&self, part: usize) -> Result<State, Error> {
        let path = self.file("state", part);
        let size = (self.numbers(part).end - self.numbers(part).start) as usize;
        let read = || -> std::io::Result<State> {
            let mut file = BufReader::with_capacity(1 << 16, File::open(&path)?);
            let mut words = || -> std::io::Result<Vec<u16>> {
                let mut out = Vec::with_capacity(size);
                let mut bytes = [0; 2];
                for _ in 0..size {
                    file.read_exact(&mut bytes)?;
                    out.push(u16::from_le_bytes(bytes));
                }
                Ok(out)
            };
            Ok(State { best: words()?, left: words()? })
        };
        read().map_err(|e| Error::io(&path, e))
    }
}

/// Hears a piece of news; what becomes final now is queued, what does later is due then.
fn hear(state: &mut State, word: u64, rank: u16, queue: &mut Vec<u32>, due: &mut BTreeSet<u16>) {
    let place = words::place(word);
    if state.hear(word, rank).is_some() {
        queue.push(place as u32);
    } else if let Some(later) = state.ripe(place).and_then(Label::rank) {
        due.insert(later);
    }
}
