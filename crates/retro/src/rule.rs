//! The depth by the rule (J. Tamplin and G. Haworth, Chess Endgames: Data and Strategy, 2003): the least limit on the
//! plies of a phase under which a position's outcome can still be forced, through all later phases.
//!
//! For one limit, who wins is what distances to zeroing tell when longer phases are draws. The limit is raised ply by
//! ply; what is decided stays decided, so each limit begins from the values of the one before, and a position's depth is
//! the limit at which it is decided first. A conversion counts from the limit that the position it leads to needs. All
//! moves are kept in memory: 4 bytes a move and 14 a position.

use crate::graph::{CHUNK, Chunk, Node, Run, ZEROING, moves};
use crate::iterate::table;
use crate::work::Stage;
use crate::{Indexed, Job, Label, Metric, Stopped, Table};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// Solves a slice for [`Metric::Rule`].
pub(crate) fn rule<I: Indexed>(game: &I, job: &Job<'_, I>) -> Result<Table, Stopped> {
    let size = game.size(job.slice) as usize;
    let chunks = moves(game, job, Run { start: 0, size, solved: &[] }, true)?;
    let nodes = || chunks.iter().flat_map(|chunk| &chunk.nodes);
    let values: Vec<AtomicU16> = nodes()
        .map(|node| match *node {
            Node::Wasted => Label::NONE,
            Node::Over(label) => label,
            Node::Open(..) => Label::DRAW,
        })
        .map(|label| AtomicU16::new(label.0))
        .collect();
    let mut depths: Vec<Label> = values.iter().map(|value| Label(value.load(Relaxed))).collect();
    // Conversions may need any limit; at least so far it is raised.
    let farthest = nodes()
        .filter_map(|node| if let Node::Open(sure, _) = node { sure.rank() } else { None })
        .max()
        .unwrap_or(0);
    let mut pass = 0;
    for limit in 1..=Label::MAX_RANK {
        let mut changed = None;
        while changed != Some(0) {
            pass += 1;
            let stage = Stage { doing: "values", pass, changed };
            let counts = job.work.share(stage, chunks.len(), size as u64, |piece| {
                update(&chunks[piece], piece * CHUNK, &values, limit)
            })?;
            changed = Some(counts.iter().sum());
        }
        let mut longest = 0;
        for (depth, value) in depths.iter_mut().zip(&values) {
            let value = Label(value.load(Relaxed));
            longest = longest.max(value.rank().unwrap_or(0));
            if *depth == Label::DRAW && value.rank().is_some() {
                *depth = if value > Label::DRAW { Label::win(limit) } else { Label::loss(limit) };
            }
        }
        // No phase comes near the limit, and no conversion waits for a higher one.
        if longest < limit && limit >= farthest {
            break;
        }
    }
    Ok(table(game, job, &depths))
}

/// One pass over a chunk; the number of values that changed.
fn update(chunk: &Chunk, start: usize, values: &[AtomicU16], limit: u16) -> u64 {
    let within = |label: Label| match label.rank() {
        Some(rank) if rank > limit => Label::DRAW,
        _ => label,
    };
    let mut changed = 0;
    for (i, node) in chunk.nodes.iter().enumerate() {
        let Node::Open(sure, _) = *node else { continue };
        let leaving = match within(sure) {
            label if label > Label::DRAW => Label::win(1),
            label if label.loss_rank().is_some() => Label::loss(0),
            other => other,
        };
        let offers = chunk.moves(i).iter().map(|&to| {
            let there = Label(values[(to & !ZEROING) as usize].load(Relaxed));
            let zeroing = to & ZEROING != 0;
            if zeroing { Metric::Zeroing.before_zeroing(there) } else { within(there.seen_before(1)) }
        });
        let best = match offers.fold(leaving, Label::max) {
            Label::NONE => Label::DRAW,
            best => best,
        };
        changed += u64::from(values[start + i].swap(best.0, Relaxed) != best.0);
    }
    changed
}
