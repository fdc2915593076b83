//! A whole table from its file. Files do not tell which numbers are no position: the game does.

use crate::small::unpacked;
use crate::work::Stage;
use crate::{Error, Indexed, Metric, Store, Table, Work};

/// Numbers that one thread takes at a time, and how many such pieces are marked at once.
const PIECE: usize = 1 << 14;
const PIECES: usize = 64;

/// Reads the table of a slice as its file has it: numbers that are no position have the cell of another. Where there is a small
/// file alone, what it leaves out is worked out.
pub fn cells<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    metric: Metric,
    work: &Work<'_>,
) -> Result<Table, Error> {
    game.can_tell(metric)?;
    match store.open(&game.slice_name(slice), metric, 0) {
        Err(missing @ Error::Missing { .. }) => unpacked(game, store, (slice, metric), missing, work),
        reader => reader?.fitting(game, slice)?.table(),
    }
}

/// The same with the numbers marked that are no position.
pub fn whole<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    metric: Metric,
    work: &Work<'_>,
) -> Result<Table, Error> {
    game.can_tell(metric)?;
    let name = game.slice_name(slice);
    let reader = match store.open(&name, metric, 0) {
        Err(missing @ Error::Missing { .. }) => {
            return unpacked(game, store, (slice, metric), missing, work);
        }
        reader => reader?.fitting(game, slice)?,
    };
    let mut table = reader.table()?;
    if reader.header().wasted == 0 {
        return Ok(table);
    }
    let size = table.len();
    for first in (0..size).step_by(PIECE * PIECES) {
        let many = (size - first).min(PIECE * PIECES);
        let stage = Stage { doing: "reading", pass: (first / (PIECE * PIECES)) as u32 + 1, changed: None };
        let wasted = work.share(stage, many.div_ceil(PIECE), many as u64, |piece| {
            let start = first + piece * PIECE;
            let numbers = start..(start + PIECE).min(first + many);
            numbers.filter(|&number| game.position(slice, number as u64).is_none()).collect::<Vec<_>>()
        })?;
        for number in wasted.into_iter().flatten() {
            table.cells.blank(number);
        }
    }
    Ok(table)
}
