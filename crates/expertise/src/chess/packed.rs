//! From rows to the numbers of a table: one of the orders of like pieces is left, and no room for pawns on the last ranks.

use super::endings::Endings;
use super::rows::{Rows, each_bit};
use endspiel_retro::{Job, Stage, Stopped};
use std::sync::Mutex;

/// The cells of both sides as a table has them; `none` stands where there is no position.
pub fn packed<T: Copy + Send + Sync>(
    rows: &Rows<'_>,
    job: &Job<'_, Endings>,
    halves: [Vec<T>; 2],
    none: T,
) -> Result<Vec<T>, Stopped> {
    let layout = rows.layout;
    let mut out: Vec<T> = Vec::new();
    for cells in halves.into_iter().take(layout.halves() as usize) {
        if rows.is_dense() {
            if out.is_empty() { out = cells } else { out.extend(cells) }
        } else {
            let start = out.len();
            out.resize(start + layout.half as usize, none);
            pack(rows, job, &cells, &mut out[start..])?;
        }
    }
    Ok(out)
}

fn pack<T: Copy + Send + Sync>(
    rows: &Rows<'_>,
    job: &Job<'_, Endings>,
    cells: &[T],
    out: &mut [T],
) -> Result<(), Stopped> {
    let pairs = rows.layout.kings.pairs.len();
    let parts: Vec<Mutex<&mut [T]>> = out.chunks_mut(out.len() / pairs).map(Mutex::new).collect();
    let stage = Stage { doing: "packing", pass: 1, changed: None };
    job.work.share(stage, pairs, rows.count() as u64 * 64, |pair| {
        let Ok(mut part) = parts[pair].lock() else { return };
        let start = pair * part.len();
        for row in (0..rows.block).filter_map(|within| rows.row(pair, within)) {
            each_bit(rows.ordered(&row), |square| {
                let men = rows.men(&row, square as u8);
                if let Some(index) = rows.layout.index(men) {
                    part[index as usize - start] = cells[row.number * 64 + square];
                }
            });
        }
    })?;
    Ok(())
}
