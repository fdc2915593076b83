//! Small files of who wins: what the moves of a position tell is left out, and worked out when it is asked for.
//!
//! Positions in which a piece must be taken were left out of the first databases of checkers (J. Schaeffer and others,
//! Building the Checkers 10-Piece Endgame Databases, 2003), and a whole side to move of those of chess (R. de Man,
//! Syzygy bases, 2013). The game says what may be left out; of the ways it offers the smallest file is kept. It is made of the
//! full file, which may go then: probes and methods take the small one where there is no other.
//!
//! Cost: a probe of what is left out looks at all moves, and at the moves of those that are left out there.

use crate::file::{BLOCK, Digest, Header, compress_run, count, write_blocks};
use crate::probe::derived;
use crate::work::Stage;
use crate::{Cells, Error, Indexed, Metric, Omits, Probe, Store, Table, Work, closure, whole};
use endspiel_game::Position;

/// These files are made once and kept small.
const LEVEL: i32 = 19;
/// Numbers that one thread takes at a time.
const PIECE: usize = 16 * BLOCK;

/// Makes small files of these slices and all that they convert into, out of those of `wdl` or `dtm`; `told` hears of each.
/// Good ones that are there stay.
pub fn pack<I: Indexed>(
    game: &I,
    store: &Store,
    slices: &[I::Slice],
    work: &Work<'_>,
    told: &mut dyn FnMut(&Header, Digest),
) -> Result<(), Error> {
    let _guard = store.lock()?;
    for slice in closure(game, slices) {
        let name = game.slice_name(slice);
        let there = store.open_small(&name, 0).and_then(|reader| reader.check().map(|()| reader));
        if there.is_ok_and(|reader| reader.header().size == game.size(slice)) {
            continue;
        }
        let table = outcomes(game, store, slice, work)?;
        let header = Header::counted(store.game(), &name, &table, count(&table));
        let mut smallest: Option<(usize, Header, Vec<Vec<u8>>)> = None;
        let ways = game.omissions(slice).into_iter().map(Some);
        for omits in std::iter::once(None).chain(ways) {
            let blocks = compressed(game, slice, &table, omits, work)?;
            let blocks = blocks.map_err(|e| Error::io(&store.small_path(&name), e))?;
            let bytes = blocks.iter().map(Vec::len).sum();
            if smallest.as_ref().is_none_or(|(least, ..)| bytes < *least) {
                smallest = Some((bytes, Header { omits, ..header.clone() }, blocks));
            }
        }
        if let Some((_, header, blocks)) = smallest {
            told(&header, write_blocks(&store.small_path(&name), &header, &blocks)?);
        }
    }
    Ok(())
}

/// Who wins, of the whole slice.
fn outcomes<I: Indexed>(game: &I, store: &Store, slice: I::Slice, work: &Work<'_>) -> Result<Table, Error> {
    match whole(game, store, slice, Metric::Value, work) {
        Err(Error::Missing { .. }) => {}
        table => return table,
    }
    let there = whole(game, store, slice, Metric::End, work)?;
    let sign = |value: Option<i32>| value.map_or(i8::MIN, |value| value.signum() as i8);
    Ok(Table { metric: Metric::Value, cells: Cells::Narrow(there.values().map(sign).collect()) })
}

/// The blocks of a table without what is left out.
fn compressed<I: Indexed>(
    game: &I,
    slice: I::Slice,
    table: &Table,
    omits: Option<Omits>,
    work: &Work<'_>,
) -> Result<std::io::Result<Vec<Vec<u8>>>, Error> {
    let size = table.len();
    let stage = Stage { doing: "packing", pass: 1, changed: None };
    let pieces = work.share(stage, size.div_ceil(PIECE), size as u64, |piece| {
        let numbers = piece * PIECE..(piece * PIECE + PIECE).min(size);
        let cells = numbers.clone().map(|number| {
            let value = table.get(number as u64);
            let is_left_out = || {
                omits.is_some_and(|omits| {
                    let position = game.position(slice, number as u64);
                    position.is_some_and(|position| game.leaves_out(omits, &position))
                })
            };
            value.filter(|_| !is_left_out()).map_or(i8::MIN, |value| value as i8)
        });
        let part = Table { metric: Metric::Value, cells: Cells::Narrow(cells.collect()) };
        compress_run(&part, 0..numbers.len(), LEVEL)
    })?;
    Ok(pieces.into_iter().flatten().collect())
}

/// Checks the checksums of a small file, and that what it holds follows from the moves, in one position of `every`. How many
/// were checked.
pub fn check_small<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    every: u64,
    work: &Work<'_>,
) -> Result<u64, Error> {
    let name = game.slice_name(slice);
    let reader = store.open_small(&name, 0)?;
    reader.check()?;
    let probe = Probe::of_small(game, store, slice, 64 << 20)?;
    let size = game.size(slice);
    let stage = Stage { doing: "checks", pass: 1, changed: None };
    let counts = work.share(stage, (size as usize).div_ceil(PIECE), size, |piece| {
        let (start, mut count) = ((piece * PIECE) as u64, 0);
        for index in (start..(start + PIECE as u64).min(size)).filter(|i| i % every.max(1) == 0) {
            let Some(position) = game.position(slice, index) else { continue };
            let is_left_out = |omits| game.leaves_out(omits, &position);
            if position.turn().is_over() || reader.header().omits.is_some_and(is_left_out) {
                continue;
            }
            let stored = probe.value(&position)?.unwrap_or(0);
            let value = |next: &I::Position| probe.value(next);
            let derived = derived(game, &position, slice, value)?.ok_or(Error::Outside)?;
            if derived != stored {
                let slice = name.clone();
                return Err(Error::Inconsistent { slice, index, stored, derived });
            }
            count += 1;
        }
        Ok(count)
    })?;
    counts.into_iter().sum()
}
