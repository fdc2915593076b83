//! Small files: what the moves of a position tell is left out, and worked out when it is asked for.
//!
//! Positions in which a piece must be taken were left out of the first databases of checkers (J. Schaeffer and others,
//! Building the Checkers 10-Piece Endgame Databases, 2003), and a whole side to move of those of chess (R. de Man,
//! Syzygy bases, 2013). The game says what may be left out; of the ways it offers the smallest file is kept. It is made of the
//! full file, which may go then: probes and methods take the small one where there is no other.
//!
//! Cost: a pass over the full file, a few MB of memory a thread, and a file on the disk a way, of which one stays. A probe of what is left out looks at all moves,
//! and at the moves of those that are left out there.

use crate::consistent::{check_counts, check_forced, falls};
use crate::derive::sources;
use crate::file::{Digest, Header, Partial, SMALL_BLOCK, Writer, compress_run};
use crate::probe::{derived, outside};
use crate::reader::Reader;
use crate::table::Width;
use crate::work::Stage;
use crate::{
    Cells, Error, Indexed, Job, Known, Metric, Omits, Plan, Probe, Step, Store, Table, Work, closure,
};
use endspiel_game::Position;
use std::sync::Arc;

/// These files are made once and kept small.
const LEVEL: i32 = 19;
/// Numbers that one thread takes at a time.
const PIECE: u64 = 4 * SMALL_BLOCK as u64;
/// One position in so many is checked without working out all that is left out.
const FEW: u64 = 8;
/// What is taken beside the threads' work, and what a compressor takes.
const FIXED: u64 = 2 << 20;
const COMPRESSOR: u64 = 4 << 20;

/// Plans to make small files of these slices and all that they convert into on so many threads in so much memory, out of the full
/// ones; who wins is told by depths, too. Good ones that are there stay. Fewer threads do it in less memory; one needs some.
pub fn plan_pack<I: Indexed>(
    game: &I,
    store: &Store,
    slices: &[I::Slice],
    metric: Metric,
    (threads, memory): (usize, u64),
) -> Result<Plan<I::Slice>, Error> {
    game.can_tell(metric)?;
    if !metric.is_told_by_moves() {
        return Err(Error::Whole { metric: metric.name() });
    }
    let (mut steps, mut disk, mut most) = (Vec::new(), 0, 0);
    for slice in closure(game, slices) {
        let (name, size) = (game.slice_name(slice), game.size(slice));
        let there =
            store.open_small(&name, metric, 0).and_then(|reader| reader.fitting(game, slice)?.check());
        let done = there.is_ok();
        let ways = 1 + game.omissions(slice).len() as u64;
        if !done {
            let full = match (there, full_of(game, store, slice, metric)) {
                // A damaged one without a full one can only be told of.
                (Err(damaged @ Error::Damaged { .. }), Err(Error::Missing { .. })) => return Err(damaged),
                (_, full) => full?,
            };
            // It tells less than the full one, and is compressed harder.
            let bytes = full.digest().bytes.min(size * width_of(metric)) + 4096;
            disk += bytes;
            most = most.max(bytes * (ways - 1));
        }
        let width = width_of(metric);
        let memory = memory_of(ways, width, at_once(ways, width, threads, memory));
        let in_memory = memory;
        steps.push(Step { slice, name, size, done, from: None, memory, in_memory, parts: None, scratch: 0 });
    }
    Ok(Plan { metric, steps, disk: disk + most, dir: store.dir().into(), limit: memory })
}

/// The bytes of a cell at most.
const fn width_of(metric: Metric) -> u64 {
    if matches!(metric, Metric::Value) { 1 } else { 2 }
}

/// How many threads work at once in so much memory: one at least.
fn at_once(ways: u64, width: u64, threads: usize, memory: u64) -> usize {
    (2..=threads).rev().find(|&threads| memory_of(ways, width, threads) <= memory).unwrap_or(1)
}

/// The memory that so many threads take: the cells of a piece as they are and each of the ways, before and after they are
/// compressed, and what the compressor takes.
fn memory_of(ways: u64, width: u64, threads: usize) -> u64 {
    FIXED + threads as u64 * (COMPRESSOR + (2 + 2 * ways) * width * PIECE)
}

/// Makes small files of these slices and all that they convert into, in whatever memory it takes; `told` hears of each.
pub fn pack<I: Indexed>(
    game: &I,
    store: &Store,
    slices: &[I::Slice],
    metric: Metric,
    work: &Work<'_>,
    told: &mut dyn FnMut(&Header, Digest),
) -> Result<(), Error> {
    pack_planned(game, store, &plan_pack(game, store, slices, metric, (work.threads, u64::MAX))?, work, told)
}

/// Makes the small files that are planned; `told` hears of each.
pub fn pack_planned<I: Indexed>(
    game: &I,
    store: &Store,
    plan: &Plan<I::Slice>,
    work: &Work<'_>,
    told: &mut dyn FnMut(&Header, Digest),
) -> Result<(), Error> {
    // Not before there is something to do it with: who locks leaves a file behind.
    let _guard = store.lock()?;
    for step in plan.open() {
        let full = full_of(game, store, step.slice, plan.metric)?;
        let ways = game.omissions(step.slice).into_iter().map(Some);
        let ways: Vec<_> = std::iter::once(None).chain(ways).collect();
        let threads = at_once(ways.len() as u64, width_of(plan.metric), work.threads, plan.limit);
        let work = Work { threads, stop: work.stop.clone(), watch: work.watch };
        let mut files = Vec::new();
        for (way, &omits) in ways.iter().enumerate() {
            // Who wins fits into a byte.
            let tells = plan.metric != Metric::Value;
            let header = Header {
                metric: plan.metric.name().into(),
                unit: plan.metric.unit().into(),
                width: if tells { full.header().width } else { 1 },
                moves: tells && full.header().moves,
                block: SMALL_BLOCK as u32,
                omits,
                ..full.header().clone()
            };
            let path = store.small_path(&step.name, plan.metric);
            let partial = Partial::called(&path, &format!("{way}.{}", Partial::ENDING));
            files.push((Writer::create_as(&path, &header, partial)?, header));
        }
        compress(game, (step.slice, plan.metric), &full, &ways, &mut files, &work)?;
        // Headers have different lengths: it is what they are made of that counts.
        let smallest = (0..files.len()).min_by_key(|&way| files[way].0.written()).unwrap_or(0);
        let (file, header) = files.swap_remove(smallest);
        told(&header, file.finish()?);
    }
    store.write_manifest()
}

/// A full file that tells this.
fn full_of<I: Indexed>(game: &I, store: &Store, slice: I::Slice, metric: Metric) -> Result<Reader, Error> {
    let name = game.slice_name(slice);
    let missing = match store.open(&name, metric, 0) {
        Err(missing @ Error::Missing { .. }) => missing,
        reader => return reader?.fitting(game, slice),
    };
    // Any depth tells who wins.
    let others = if metric == Metric::Value { sources(game, slice, metric) } else { Vec::new() };
    match others.into_iter().find(|&other| store.path(&name, other).exists()) {
        Some(other) => store.open(&name, other, 0)?.fitting(game, slice),
        None => Err(missing),
    }
}

/// Writes the blocks of a table without what is left out, each of the ways into a file of its own.
fn compress<I: Indexed>(
    game: &I,
    (slice, metric): (I::Slice, Metric),
    full: &Reader,
    ways: &[Option<Omits>],
    files: &mut [(Writer, Header)],
    work: &Work<'_>,
) -> Result<(), Error> {
    let size = full.header().size;
    let run = work.threads as u64 * PIECE;
    for (pass, first) in (1..).zip((0..size).step_by(run as usize)) {
        let many = run.min(size - first);
        let stage = Stage { doing: "packing", pass, changed: None };
        let pieces = work.share(stage, many.div_ceil(PIECE) as usize, many, |piece| {
            let start = first + piece as u64 * PIECE;
            let mut part = full.part(start..(start + PIECE).min(size))?;
            if metric == Metric::Value {
                let outcomes = part.values().map(|value| value.unwrap_or(0).signum() as i8);
                part = Table { metric, cells: Cells::Narrow(outcomes.collect()) };
            }
            let mut parts = vec![part; ways.len()];
            for number in 0..parts[0].len() {
                let position = game.position(slice, start + number as u64);
                for (part, way) in parts.iter_mut().zip(ways) {
                    let is_told = |position| way.is_some_and(|omits| game.leaves_out(omits, position));
                    if position.as_ref().is_none_or(is_told) {
                        part.cells.blank(number);
                    }
                }
            }
            let compress = |part: Table| -> Result<Vec<Vec<u8>>, Error> {
                let blocks = compress_run(&part, 0..part.len(), SMALL_BLOCK, LEVEL).into_iter();
                blocks.map(|block| block.map_err(|e| Error::io(full.path(), e))).collect()
            };
            parts.into_iter().map(compress).collect::<Result<Vec<_>, Error>>()
        })?;
        for piece in pieces {
            for ((file, _), blocks) in files.iter_mut().zip(piece?) {
                blocks.iter().try_for_each(|block| file.block(block))?;
            }
        }
    }
    Ok(())
}

/// The whole table of a slice of which there is a small file, as the full one would have it; `missing` if there is none.
pub(crate) fn unpacked<I: Indexed>(
    game: &I,
    store: &Store,
    (slice, metric): (I::Slice, Metric),
    missing: Error,
    work: &Work<'_>,
) -> Result<Table, Error> {
    if !store.small_path(&game.slice_name(slice), metric).exists() {
        return Err(missing);
    }
    let files = closure(game, &[slice]).len() as u64;
    let table = Probe::open(game, store, &[slice], metric, (64 << 20) / files)?.table(slice, work)?;
    table.ok_or(missing)
}

/// A table with the values that `value` tells of all positions, in cells as those of a small file.
pub(crate) fn fill<I: Indexed>(
    game: &I,
    slice: I::Slice,
    small: &Reader,
    work: &Work<'_>,
    value: impl Fn(&I::Position, u64) -> Result<Option<i32>, Error> + Sync,
) -> Result<Table, Error> {
    let (size, metric, width) = (game.size(slice), small.metric(), Width::of(small.header()));
    let stage = Stage { doing: "reading", pass: 1, changed: None };
    let pieces = work.share(stage, size.div_ceil(PIECE) as usize, size, |piece| {
        let (start, mut cells) = (piece as u64 * PIECE, Vec::new());
        for number in start..(start + PIECE).min(size) {
            let value = match game.position(slice, number) {
                None => None,
                Some(position) => match value(&position, number)? {
                    None => return Err(outside(game, &position)),
                    value => value,
                },
            };
            if !width.put(metric, value, &mut cells) {
                return Err(Error::damaged(small.path(), "what it leaves out is beyond its cells"));
            }
        }
        Ok(cells)
    })?;
    let mut cells = Vec::with_capacity(size as usize * usize::from(small.header().width));
    for piece in pieces {
        cells.extend(piece?);
    }
    Ok(Table { metric, cells: width.read(cells) })
}

/// Tells the value of a position, if it is known.
type Teller<'a, P> = &'a (dyn Fn(&P) -> Result<Option<i32>, Error> + Sync);

/// The cells of a small file in memory.
struct Kept<'a, I: Indexed> {
    game: &'a I,
    slice: I::Slice,
    cells: Table,
    omits: Option<Omits>,
    /// The values where conversions lead.
    leaving: Teller<'a, I::Position>,
}

impl<I: Indexed> Kept<'_, I> {
    fn value(&self, position: &I::Position) -> Result<Option<i32>, Error> {
        match self.game.place(position) {
            Some((slice, number)) if slice == self.slice => self.told(position, number),
            _ => (self.leaving)(position),
        }
    }

    /// The value of a position of the slice, by its cell or by its moves.
    fn told(&self, position: &I::Position, number: u64) -> Result<Option<i32>, Error> {
        if self.omits.is_some_and(|omits| self.game.leaves_out(omits, position)) {
            derived(self.game, self.cells.metric, position, self.slice, |next| self.value(next))
        } else {
            Ok(self.cells.get(number))
        }
    }
}

/// The bytes that a slice and those that it converts into take when they are expanded; the largest is there twice more.
fn expanded_bytes<I: Indexed>(game: &I, slice: I::Slice, metric: Metric) -> u64 {
    let slices = game.conversions(slice).into_iter().chain([slice]);
    let sizes: Vec<u64> = slices.map(|slice| game.size(slice) * width_of(metric)).collect();
    sizes.iter().sum::<u64>() + 2 * sizes.iter().max().unwrap_or(&0)
}

/// Expands a slice and those that it converts into.
fn expand<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    probe: &Probe<'_, I>,
    work: &Work<'_>,
) -> Result<Known<I::Slice>, Error> {
    let mut known = Known::default();
    for slice in game.conversions(slice).into_iter().chain([slice]) {
        let reader = store.open_smallest(&game.slice_name(slice), probe.metric, 0)?.fitting(game, slice)?;
        let leaving = |next: &I::Position| match game.place(next) {
            Some((to, number)) if known.table(&to).is_some() => Ok(known.get(&to, number)),
            _ => probe.value(next),
        };
        let (cells, omits) = (reader.table()?, reader.header().omits);
        let kept = Kept { game, slice, cells, omits, leaving: &leaving };
        let table = fill(game, slice, &reader, work, |position, number| kept.told(position, number))?;
        known.insert(slice, Arc::new(table));
    }
    Ok(known)
}

/// The memory that a check takes where the slice is solved anew from the expanded ones below.
fn anew_bytes<I: Indexed>(game: &I, slice: I::Slice, metric: Metric) -> u64 {
    expanded_bytes(game, slice, metric) + game.solving_bytes(slice, metric)
}

/// Says at once if so much memory will not do to check a small file.
pub fn plan_small<I: Indexed>(
    game: &I,
    (slice, metric): (I::Slice, Metric),
    (every, memory): (u64, u64),
) -> Result<(), Error> {
    let needed = anew_bytes(game, slice, metric);
    if every > 1 || falls(game, slice, metric) || needed <= memory {
        return Ok(());
    }
    Err(Error::Memory { slice: game.slice_name(slice), needed, allowed: memory })
}

/// Checks the checksums of a small file, and that what it holds follows from the moves, in one position of `every`; of all
/// positions, that its header counts them right, and, where values that follow may be wrong all the same, another solution. How
/// many were checked. Where many are, what is left out is worked out once, if that fits into half of `memory` bytes; the rest is
/// for decoded blocks.
pub fn check_small<I: Indexed>(
    game: &I,
    store: &Store,
    (slice, metric): (I::Slice, Metric),
    (every, memory): (u64, u64),
    work: &Work<'_>,
) -> Result<u64, Error> {
    plan_small(game, (slice, metric), (every, memory))?;
    let name = game.slice_name(slice);
    let reader = store.open_small(&name, metric, 0)?.fitting(game, slice)?;
    reader.check()?;
    let files = closure(game, &[slice]).len() as u64;
    let is_solved = every <= 1 && !falls(game, slice, metric);
    let expands = is_solved || every < FEW && expanded_bytes(game, slice, metric) <= memory / 2;
    let room = match (is_solved, expands) {
        (true, _) => memory - anew_bytes(game, slice, metric),
        (_, true) => memory / 2,
        _ => memory,
    };
    let probe = Probe::of_small(game, store, slice, metric, (room / files).min(64 << 20))?;
    let known = if expands { Some(expand(game, store, slice, &probe, work)?) } else { None };
    let value = |next: &I::Position| match (&known, game.place(next)) {
        (Some(known), Some((to, number))) => Ok(known.get(&to, number)),
        _ => probe.value(next),
    };
    let size = game.size(slice);
    let stage = Stage { doing: "checks", pass: 1, changed: None };
    let pieces = work.share(stage, size.div_ceil(PIECE) as usize, size, |piece| {
        let (start, mut checked, mut counts) = (piece as u64 * PIECE, 0, [0; 3]);
        for index in (start..(start + PIECE).min(size)).filter(|i| i % every.max(1) == 0) {
            let Some(position) = game.position(slice, index) else { continue };
            let is_left_out = reader.header().omits.is_some_and(|omits| game.leaves_out(omits, &position));
            if is_left_out && every > 1 {
                continue;
            }
            let stored = value(&position)?.unwrap_or(0);
            counts[(1 - stored.signum()) as usize] += 1;
            if position.turn().is_over() || is_left_out {
                continue;
            }
            let derived =
                derived(game, metric, &position, slice, value)?.ok_or_else(|| outside(game, &position))?;
            if derived != stored {
                let slice = name.clone();
                return Err(Error::Inconsistent { slice, index, stored, derived });
            }
            checked += 1;
        }
        Ok((checked, counts))
    })?;
    let (mut checked, mut all) = (0, [0; 3]);
    for piece in pieces {
        let (more, counts) = piece?;
        checked += more;
        all.iter_mut().zip(counts).for_each(|(all, more)| *all += more);
    }
    if every <= 1 {
        check_counts(&reader, all)?;
    }
    if is_solved
        && let Some(mut known) = known
        && let Some(table) = known.table(&slice).cloned()
    {
        known.remove(&slice);
        check_forced(game, &Job { slice, metric, known: &known, work }, &table)?;
    }
    Ok(checked)
}
