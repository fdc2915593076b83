//! Value iteration with forward moves (R. van der Goot, Awari Retrograde Analysis, 2000).
//!
//! Every position starts as a draw and takes, pass by pass, the best of its moves, until nothing changes. The
//! start matters: from other values the iteration may end in another fixed point, one that promises what no
//! finite play gives. With the start at draws the order of the updates does not matter (see `label`).
//! All moves are kept in memory: 4 bytes a move and 6 a position; a slice with a faster way brings its own.

use crate::graph::{CHUNK, Chunk, Node, Run, moves, offer};
use crate::table::Width;
use crate::work::Stage;
use crate::{Indexed, Job, Label, Metric, Stopped, Table};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// How to iterate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// In place: a pass sees what it has changed already (Gauss-Seidel).
    #[default]
    InPlace,
    /// A pass sees the values of the pass before alone (Jacobi): twice the memory, about twice the passes, and
    /// their number does not depend on the order of the positions.
    TwoBuffers,
    /// In place, but begun from what each position is sure of by leaving the slice. It ends in a wrong fixed
    /// point where play can go round; kept to show it.
    FromConversions,
}

/// Solves a slice by value iteration. Gives the number of passes too, the last one, which changes nothing,
/// among them.
pub fn iterate<I: Indexed>(game: &I, job: &Job<'_, I>, scheme: Scheme) -> Result<(Table, u32), Stopped> {
    let mut passes = 0;
    let labels = by_runs(game, job, |run| {
        let (labels, more) = iterate_run(game, job, scheme, run)?;
        passes += more;
        Ok(labels)
    })?;
    Ok((table(game, job, &labels), passes))
}

/// Solves run after run, each with the labels of those before it.
pub(crate) fn by_runs<I: Indexed>(
    game: &I,
    job: &Job<'_, I>,
    mut solve: impl FnMut(Run<'_>) -> Result<Vec<Label>, Stopped>,
) -> Result<Vec<Label>, Stopped> {
    let mut labels = Vec::new();
    for run in game.runs(job.slice) {
        let size = (run.end - run.start) as usize;
        let mut more = solve(Run { start: run.start as usize, size, solved: &labels })?;
        // A slice of one run is not copied.
        if labels.is_empty() {
            labels = more;
        } else {
            labels.append(&mut more);
        }
    }
    Ok(labels)
}

fn iterate_run<I: Indexed>(
    game: &I,
    job: &Job<'_, I>,
    scheme: Scheme,
    run: Run<'_>,
) -> Result<(Vec<Label>, u32), Stopped> {
    let chunks = moves(game, job, run, true)?;
    let begin = |node: &Node| match *node {
        Node::Over(label) if scheme != Scheme::TwoBuffers => label,
        Node::Open(sure, _) if scheme == Scheme::FromConversions => sure.max(Label::loss(0)),
        Node::Over(_) | Node::Open(..) => Label::DRAW,
        Node::Wasted => Label::NONE,
    };
    let start = || chunks.iter().flat_map(|c| &c.nodes).map(|node| AtomicU16::new(begin(node).0)).collect();
    let mut values: Vec<AtomicU16> = start();
    let mut others: Vec<AtomicU16> = if scheme == Scheme::TwoBuffers { start() } else { Vec::new() };
    let (mut passes, mut changed) = (0, None);
    while changed != Some(0) {
        passes += 1;
        let stage = Stage { doing: "values", pass: passes, changed };
        let target = if scheme == Scheme::TwoBuffers { &others } else { &values };
        let size = values.len() as u64;
        let counts = job.work.share(stage, chunks.len(), size, |piece| {
            update(&chunks[piece], piece * CHUNK, &values, target, job.metric)
        })?;
        changed = Some(counts.iter().sum());
        if scheme == Scheme::TwoBuffers {
            std::mem::swap(&mut values, &mut others);
        }
    }
    Ok((values.into_iter().map(|value| Label(value.into_inner())).collect(), passes))
}

/// One pass over a chunk; the number of values that changed.
fn update(chunk: &Chunk, start: usize, values: &[AtomicU16], target: &[AtomicU16], metric: Metric) -> u64 {
    let mut changed = 0;
    for (i, node) in chunk.nodes.iter().enumerate() {
        let (Node::Open(sure, _) | Node::Over(sure)) = *node else { continue };
        let offers = chunk.moves(i).iter().map(|&to| offer(metric, to, |to| Label(values[to].load(Relaxed))));
        let best = match offers.fold(sure, Label::max) {
            Label::NONE => Label::DRAW,
            best => best,
        };
        changed += u64::from(values[start + i].load(Relaxed) != best.0);
        target[start + i].store(best.0, Relaxed);
    }
    changed
}

/// The table of these labels, in the smallest cells that hold them. [`Label::NONE`] is no position.
pub(crate) fn table<I: Indexed>(game: &I, job: &Job<'_, I>, labels: &[Label]) -> Table {
    let (metric, stakes) = (job.metric, game.stakes(job.slice));
    let holds_all = |width: &Width| labels.iter().all(|&label| width.holds(metric, label, stakes));
    let width = Width::order(game.counts_moves(metric)).into_iter().find(holds_all).unwrap_or(Width::Wide);
    Table { metric, cells: width.cells(metric, labels, stakes) }
}
