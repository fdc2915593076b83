//! Every value re-derived from its successors by the rules.
//!
//! With distances that is a proof: they fall along a win, and a draw has a move to a draw and none to a win.
//! With scores and outcomes it is none: play that goes round can carry other consistent values. So these are also solved anew
//! from the slices below and compared, if all of them are to be checked; a solution costs less than following every win to where
//! it is forced. Metrics of the fifty-move rule do not follow from one another; there a solution is all.

use crate::graph::{CHUNK, Node, Run, look, offer};
use crate::work::Stage;
use crate::{Error, Indexed, Job, Known, Label, Metric, Store, Table, Work};
use std::sync::Arc;

/// Checks the values of a slice against the rules and the slices it converts into: one position in `every`,
/// all of them with 1, which proves the slice if those are right. How many were checked.
pub fn check_values<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    metric: Metric,
    every: u64,
    work: &Work<'_>,
) -> Result<u64, Error> {
    let mut known = Known::default();
    for below in game.conversions(slice) {
        known.insert(below, Arc::new(store.open(&game.slice_name(below), metric, 0)?.table()?));
    }
    let reader = store.open(&game.slice_name(slice), metric, 0)?;
    let table = reader.table()?;
    let job = Job { slice, metric, known: &known, work };
    let (size, stakes) = (game.size(slice), game.stakes(slice));
    if table.len() as u64 != size {
        let path = store.path(&game.slice_name(slice), metric);
        return Err(Error::size(&path));
    }
    if metric.counts_from_a_zero() {
        return solve_anew(game, &job, &table, |slice, index, stored, derived| Error::Inconsistent {
            slice,
            index,
            stored,
            derived,
        });
    }
    let run = Run { start: 0, size: size as usize, solved: &[] };
    let stage = Stage { doing: "checks", pass: 1, changed: None };
    let counts = work.share(stage, (size as usize).div_ceil(CHUNK), size, |piece| {
        let mut inside = Vec::new();
        let mut counts = [0_u64; 3];
        let start = (piece * CHUNK) as u64;
        for index in (start..(start + CHUNK as u64).min(size)).filter(|i| i % every.max(1) == 0) {
            let Some(position) = game.position(slice, index) else { continue };
            inside.clear();
            let best = match look(game, &job, run, &position, &mut inside) {
                Node::Over(label) => label,
                Node::Open(sure, _) => inside
                    .iter()
                    .map(|&to| offer(metric, to, |to| metric.read(table.get(to as u64).unwrap_or(0), stakes)))
                    .fold(sure, Label::max),
                Node::Wasted => continue,
            };
            let derived = metric.write(best, stakes);
            let stored = table.get(index).unwrap_or(i32::MIN);
            if derived != stored {
                let slice = game.slice_name(slice);
                return Err(Error::Inconsistent { slice, index, stored, derived });
            }
            counts[(1 - stored.signum()) as usize] += 1;
        }
        Ok(counts)
    })?;
    let mut all = [0; 3];
    for counts in counts {
        all.iter_mut().zip(counts?).for_each(|(all, more)| *all += more);
    }
    let header = reader.header();
    if every <= 1 && all != [header.wins, header.draws, header.losses] {
        let path = store.path(&game.slice_name(slice), metric);
        return Err(Error::damaged(&path, "its header counts other wins, draws and losses than there are"));
    }
    let count = all.iter().sum();
    if every <= 1 && !metric.counts_plies() {
        solve_anew(game, &job, &table, |slice, index, stored, forced| Error::Unforced {
            slice,
            index,
            stored,
            forced,
        })?;
    }
    Ok(count)
}

/// Compares every value with that of another solution; `wrong` makes an error of slice, number, what is stored and what is found.
fn solve_anew<I: Indexed>(
    game: &I,
    job: &Job<'_, I>,
    table: &Table,
    wrong: impl Fn(String, u64, i32, i32) -> Error,
) -> Result<u64, Error> {
    let derived = game.solve(job)?;
    let mut count = 0;
    for (index, value) in (0..).zip(derived.values()).filter_map(|(i, value)| Some((i, value?))) {
        let stored = table.get(index).unwrap_or(i32::MIN);
        if stored != value {
            return Err(wrong(game.slice_name(job.slice), index, stored, value));
        }
        count += 1;
    }
    Ok(count)
}
