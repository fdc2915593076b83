//! What need not be solved: tables that follow, cell by cell, from the file of another metric of the same slice.
//!
//! Who wins is the sign of any depth, and of any value of an impartial game. Where only conversions zero the count of moves,
//! depths to zeroing and to conversion are the same. Under a rule of so many moves depths to zeroing are what they are without it where none is beyond a phase and
//! the slices below have the same outcomes with the rule and without: then no phase that is played well is cut off. The
//! bytes are those that solving gives.

use crate::file::{self, Digest, Header, Writer};
use crate::reader::Reader;
use crate::{Cells, Error, Indexed, Metric, Store, Table, Work};

/// Numbers that are looked at in a piece.
const PIECE: u64 = 1 << 20;

/// The metrics whose files tell what this one does, the best first.
fn sources<I: Indexed>(game: &I, slice: I::Slice, metric: Metric) -> Vec<Metric> {
    let zeroes = game.has_zeroing(slice);
    match metric {
        Metric::Value => vec![Metric::End, Metric::Conversion, Metric::Zeroing, Metric::Grundy],
        Metric::Conversion if !zeroes => vec![Metric::Zeroing],
        Metric::Zeroing if !zeroes => vec![Metric::Conversion],
        Metric::ZeroingWithin(_) if !zeroes => vec![Metric::Zeroing, Metric::Conversion],
        Metric::ZeroingWithin(_) => vec![Metric::Zeroing],
        _ => Vec::new(),
    }
}

/// The metric of a good file of the slice that tells who wins.
pub(crate) fn outcomes<I: Indexed>(game: &I, store: &Store, slice: I::Slice) -> Option<Metric> {
    let mut metrics = std::iter::once(Metric::Value).chain(sources(game, slice, Metric::Value));
    metrics.find(|&metric| good(game, store, slice, metric).is_some())
}

/// A good file of the slice.
fn good<I: Indexed>(game: &I, store: &Store, slice: I::Slice, metric: Metric) -> Option<Reader> {
    let reader = store.open(&game.slice_name(slice), metric, 0).ok()?;
    (reader.header().size == game.size(slice) && reader.check().is_ok()).then_some(reader)
}

/// The metric out of whose file a table can be made; `below` tells of a slice below whether its table under the
/// rule will be made out of the one without.
pub(crate) fn source<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    metric: Metric,
    below: impl Fn(I::Slice) -> bool,
) -> Option<Metric> {
    let serves = |from: &Metric| {
        let Some(reader) = good(game, store, slice, *from) else { return false };
        metric.phase().is_none_or(|phase| {
            is_short(&reader, phase.into())
                && game.conversions(slice).into_iter().all(|s| below(s) || is_same(game, store, s, metric))
        })
    };
    sources(game, slice, metric).into_iter().find(serves)
}

/// Is no depth beyond a phase?
fn is_short(reader: &Reader, phase: i32) -> bool {
    let size = reader.header().size;
    (0..size).step_by(PIECE as usize).all(|first| {
        let part = reader.part(first..(first + PIECE).min(size));
        // A loss in n plies is -1 - n.
        part.is_ok_and(|part| part.values().flatten().all(|n| (-1 - phase..=phase).contains(&n)))
    })
}

/// Are the outcomes of a slice with files of both the same with the rule and without? The rule only makes draws,
/// so to count them will do.
fn is_same<I: Indexed>(game: &I, store: &Store, slice: I::Slice, ruled: Metric) -> bool {
    let draws = |metric| good(game, store, slice, metric).map(|reader| reader.header().draws);
    let with = draws(ruled);
    with.is_some() && sources(game, slice, ruled).into_iter().any(|metric| draws(metric) == with)
}

/// Makes the file of a slice out of that of another metric: its blocks as they are, or the signs of its cells. Numbers that are
/// no position have the cell before them in both.
pub(crate) fn derive<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    (from, metric): (Metric, Metric),
    work: &Work<'_>,
) -> Result<(Header, Digest), Error> {
    let there = store.open(&game.slice_name(slice), from, 0)?;
    let (name, unit) = (metric.name().into(), metric.unit().into());
    let same = Header { metric: name, unit, ..there.header().clone() };
    let path = store.path(&same.slice, metric);
    let (header, digest) = if metric.counts_plies() {
        let mut out = Writer::create(&path, &same)?;
        there.blocks().try_for_each(|block| out.block(&block?))?;
        (same, out.finish()?)
    } else {
        let header = Header { width: 1, moves: false, ..same };
        let signs = there.table()?.values().map(|value| value.unwrap_or(0).signum() as i8).collect();
        let table = Table { metric, cells: Cells::Narrow(signs) };
        let digest = file::write(&path, &header, &table, work)?;
        (header, digest)
    };
    store.write_manifest()?;
    Ok((header, digest))
}
