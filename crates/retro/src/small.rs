//! Small files of who wins: what the moves of a position tell is left out, and worked out when it is asked for.
//!
//! Positions in which a piece must be taken were left out of the first databases of checkers (J. Schaeffer and others,
//! Building the Checkers 10-Piece Endgame Databases, 2003), and a whole side to move of those of chess (R. de Man,
//! Syzygy bases, 2013). The game says what may be left out; of the ways it offers the smallest file is kept. It is made of the
//! full file, which may go then: probes and methods take the small one where there is no other.
//!
//! Cost: a pass over the full file, in the memory that small ones take, one a way. A probe of what is left out looks at all moves,
//! and at the moves of those that are left out there.

use crate::file::{Digest, Header, SMALL_BLOCK, compress_run, write_blocks};
use crate::probe::derived;
use crate::reader::Reader;
use crate::work::Stage;
use crate::{Cells, Error, Indexed, Metric, Omits, Probe, Store, Table, Work, closure};
use endspiel_game::Position;

/// These files are made once and kept small.
const LEVEL: i32 = 19;
/// Numbers that one thread takes at a time.
const PIECE: u64 = 4 * SMALL_BLOCK as u64;

/// Makes small files of these slices and all that they convert into, out of those of `wdl` or `dtm`; `told` hears of each.
/// Good ones that are there stay.
pub fn pack<I: Indexed>(
    game: &I,
    store: &Store,
    slices: &[I::Slice],
    work: &Work<'_>,
    told: &mut dyn FnMut(&Header, Digest),
) -> Result<(), Error> {
    let mut left = Vec::new();
    for slice in closure(game, slices) {
        let there =
            store.open_small(&game.slice_name(slice), 0).and_then(|reader| reader.check().map(|()| reader));
        match there {
            Ok(reader) if reader.header().size == game.size(slice) => continue,
            // A damaged one without a full one can only be told of.
            Err(damaged @ Error::Damaged { .. }) => match outcomes(game, store, slice) {
                Err(Error::Missing { .. }) => return Err(damaged),
                full => full.map(drop)?,
            },
            _ => outcomes(game, store, slice).map(drop)?,
        }
        left.push(slice);
    }
    // Not before there is something to do it with: who locks leaves a file behind.
    let _guard = store.lock()?;
    for slice in left {
        let name = game.slice_name(slice);
        let full = outcomes(game, store, slice)?;
        let ways: Vec<_> = std::iter::once(None).chain(game.omissions(slice).into_iter().map(Some)).collect();
        let mut made = compressed(game, slice, &full, &ways, work)?;
        let bytes = |blocks: &[Vec<u8>]| blocks.iter().map(Vec::len).sum::<usize>();
        let smallest = (0..ways.len()).min_by_key(|&way| bytes(&made[way])).unwrap_or(0);
        let of = full.header().clone();
        let header = Header {
            metric: Metric::Value.name().into(),
            unit: Metric::Value.unit().into(),
            width: 1,
            moves: false,
            block: SMALL_BLOCK as u32,
            omits: ways[smallest],
            ..of
        };
        let blocks = made.swap_remove(smallest);
        told(&header, write_blocks(&store.small_path(&name), &header, &blocks)?);
    }
    store.write_manifest()
}

/// A full file that tells who wins.
fn outcomes<I: Indexed>(game: &I, store: &Store, slice: I::Slice) -> Result<Reader, Error> {
    let name = game.slice_name(slice);
    let reader = match store.open(&name, Metric::Value, 0) {
        Err(Error::Missing { dir, .. }) => match store.open(&name, Metric::End, 0) {
            Err(Error::Missing { .. }) => {
                return Err(Error::Missing { slice: format!("{name} in wdl or dtm"), dir });
            }
            reader => reader?,
        },
        reader => reader?,
    };
    if reader.header().size == game.size(slice) { Ok(reader) } else { Err(Error::size(reader.path())) }
}

/// The blocks of a table without what is left out, each of the ways.
fn compressed<I: Indexed>(
    game: &I,
    slice: I::Slice,
    full: &Reader,
    ways: &[Option<Omits>],
    work: &Work<'_>,
) -> Result<Vec<Vec<Vec<u8>>>, Error> {
    let size = full.header().size;
    let stage = Stage { doing: "packing", pass: 1, changed: None };
    let pieces = work.share(stage, size.div_ceil(PIECE) as usize, size, |piece| {
        let start = piece as u64 * PIECE;
        let part = full.part(start..(start + PIECE).min(size))?;
        let mut cells = vec![vec![i8::MIN; part.len()]; ways.len()];
        for (i, value) in part.values().enumerate() {
            let Some(position) = game.position(slice, start + i as u64) else { continue };
            for (cells, way) in cells.iter_mut().zip(ways) {
                if !way.is_some_and(|omits| game.leaves_out(omits, &position)) {
                    cells[i] = value.unwrap_or(0).signum() as i8;
                }
            }
        }
        let compress = |cells: Vec<i8>| -> Result<Vec<Vec<u8>>, Error> {
            let part = Table { metric: Metric::Value, cells: Cells::Narrow(cells) };
            let blocks = compress_run(&part, 0..part.len(), SMALL_BLOCK, LEVEL).into_iter();
            blocks.map(|block| block.map_err(|e| Error::io(full.path(), e))).collect()
        };
        cells.into_iter().map(compress).collect::<Result<Vec<_>, Error>>()
    })?;
    let mut out = vec![Vec::new(); ways.len()];
    for piece in pieces {
        for (blocks, more) in out.iter_mut().zip(piece?) {
            blocks.extend(more);
        }
    }
    Ok(out)
}

/// Who wins, of every number of a slice of which there is a small file.
pub(crate) fn unpacked<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    work: &Work<'_>,
) -> Result<Table, Error> {
    let probe = Probe::open(game, store, &[slice], Metric::Value, 64 << 20)?;
    let size = game.size(slice);
    let stage = Stage { doing: "reading", pass: 1, changed: None };
    let pieces = work.share(stage, size.div_ceil(PIECE) as usize, size, |piece| {
        let start = piece as u64 * PIECE;
        let cell = |number| match game.position(slice, number) {
            Some(position) => Ok(probe.value(&position)?.unwrap_or(0) as i8),
            None => Ok(i8::MIN),
        };
        (start..(start + PIECE).min(size)).map(cell).collect::<Result<Vec<_>, Error>>()
    })?;
    let mut cells = Vec::with_capacity(size as usize);
    for piece in pieces {
        cells.extend(piece?);
    }
    Ok(Table { metric: Metric::Value, cells: Cells::Narrow(cells) })
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
    let counts = work.share(stage, size.div_ceil(PIECE) as usize, size, |piece| {
        let (start, mut count) = (piece as u64 * PIECE, 0);
        for index in (start..(start + PIECE).min(size)).filter(|i| i % every.max(1) == 0) {
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
