//! Retrograde analysis proper: from the ends and conversions back to their predecessors, rank by rank.
//!
//! Each position holds its best label so far and the number of its moves not yet known to lose. In round r
//! the wins of rank r, and the losses of rank r whose moves are all known, are final; their predecessors hear
//! of it. What is never final is a draw. The source is H. Fang, T. Hsu and S. Hsu, Construction of Chinese
//! Chess Endgame Databases (2000); with ranks by score it is the method of Bal and Allis for awari.
//! Memory: 12 bytes a position of a run and 2 of the slice; 4 bytes a move more if the game cannot tell predecessors, so that the moves
//! must be kept and turned round. Metrics that count phases are not for it: there a late discovery may have a low
//! rank, so they are left to value iteration or to a solver of the game's own; those under the fifty-move rule have theirs.

use crate::fifty::fifty;
use crate::graph::{CHUNK, Chunk, Node, Run, moves};
use crate::iterate::{Scheme, by_runs, iterate, table};
use crate::rule::rule;
use crate::work::Stage;
use crate::{Indexed, Job, Label, Metric, Stopped, Table};
use std::sync::atomic::{AtomicU16, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed};

/// The bit of `left` that says that a position is final.
const FINAL: u16 = 0x8000;

/// Solves a slice backward.
pub fn backward<I: Indexed>(game: &I, job: &Job<'_, I>) -> Result<Table, Stopped> {
    if job.metric == Metric::Rule {
        return rule(game, job);
    }
    if job.metric.counts_from_a_zero() {
        return fifty(game, job);
    }
    if job.metric.counts_phases() {
        return iterate(game, job, Scheme::InPlace).map(|(table, _)| table);
    }
    let tells = (0..game.size(job.slice))
        .find_map(|i| game.position(job.slice, i))
        .is_some_and(|position| game.predecessors(&position, &mut |_| ()));
    let labels = by_runs(game, job, |run| backward_run(game, job, run, tells))?;
    Ok(table(game, job, &labels))
}

/// Solves a run; `tells` says whether the game can tell predecessors.
fn backward_run<I: Indexed>(
    game: &I,
    job: &Job<'_, I>,
    run: Run<'_>,
    tells: bool,
) -> Result<Vec<Label>, Stopped> {
    let chunks = moves(game, job, run, !tells)?;
    let turned = if tells { None } else { Some(Turned::new(&chunks)) };
    let nodes = || chunks.iter().flat_map(|c| &c.nodes);
    let best: Vec<AtomicU16> = nodes()
        .map(|node| match *node {
            Node::Wasted => 0,
            Node::Over(label) | Node::Open(label, _) => label.0,
        })
        .map(AtomicU16::new)
        .collect();
    let left: Vec<AtomicU16> = nodes()
        .map(|node| match *node {
            Node::Wasted => FINAL,
            Node::Over(_) => 0,
            Node::Open(_, count) => count,
        })
        .map(AtomicU16::new)
        .collect();
    // Conversions may have any rank; at least so many rounds are needed.
    let farthest = best.iter().map(|b| Label(b.load(Relaxed))).filter_map(Label::rank).max().unwrap_or(0);
    let cost = job.metric.cost();
    let tell = |index: usize, label: Label| {
        let offer = job.metric.before(label);
        let hear = |before: usize| {
            best[before].fetch_max(offer.0, AcqRel);
            // Only afterwards: who sees that no move is left sees the best of all.
            left[before].fetch_sub(1, AcqRel);
        };
        if let Some(turned) = &turned {
            for &before in turned.predecessors(index) {
                hear(before as usize);
            }
            return;
        }
        let mut list = Vec::new();
        if let Some(position) = game.position(job.slice, (run.start + index) as u64) {
            game.predecessors(&position, &mut |before| {
                let place = game.place(&before).filter(|&(slice, _)| slice == job.slice);
                // Later runs look at this one when they are begun.
                let within = place.and_then(|(_, i)| (i as usize).checked_sub(run.start));
                list.extend(within.filter(|&i| i < run.size));
            });
        }
        list.sort_unstable();
        list.dedup();
        list.into_iter().for_each(hear);
    };
    let (mut rank, mut round, mut changed) = (0, 0, None);
    while rank <= Label::MAX_RANK {
        round += 1;
        let stage = Stage { doing: "rounds", pass: round, changed };
        let (win, loss) = (Label::win(rank), Label::loss(rank));
        let counts = job.work.share(stage, chunks.len(), best.len() as u64, |piece| {
            let mut count = 0_u64;
            for index in piece * CHUNK..((piece + 1) * CHUNK).min(best.len()) {
                let open = left[index].load(Acquire);
                if open & FINAL != 0 {
                    continue;
                }
                let label = Label(best[index].load(Acquire));
                if label == win || label == loss && open == 0 {
                    left[index].fetch_or(FINAL, AcqRel);
                    count += 1;
                    tell(index, label);
                }
            }
            count
        })?;
        let count: u64 = counts.iter().sum();
        changed = Some(count);
        // Where moves cost nothing the same rank goes on until it is exhausted.
        if cost > 0 || count == 0 {
            if count == 0 && rank >= farthest {
                break;
            }
            rank += 1;
        }
    }
    let labels = nodes().zip(best).zip(left).map(|((node, best), left)| match *node {
        Node::Wasted => Label::NONE,
        _ if left.into_inner() & FINAL != 0 => Label(best.into_inner()),
        _ => Label::DRAW,
    });
    Ok(labels.collect())
}

/// The moves turned round.
struct Turned {
    /// Where the predecessors of each position begin, and the end of all.
    first: Vec<u32>,
    from: Vec<u32>,
}

impl Turned {
    fn new(chunks: &[Chunk]) -> Self {
        let size: usize = chunks.iter().map(|c| c.nodes.len()).sum();
        let mut first = vec![0_u32; size + 1];
        let each = |f: &mut dyn FnMut(u32, u32)| {
            for (c, chunk) in chunks.iter().enumerate() {
                for i in 0..chunk.nodes.len() {
                    chunk.moves(i).iter().for_each(|&to| f((c * CHUNK + i) as u32, to));
                }
            }
        };
        each(&mut |_, to| first[to as usize + 1] += 1);
        for i in 0..size {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut from = vec![0; *first.last().unwrap_or(&0) as usize];
        each(&mut |source, to| {
            from[next[to as usize] as usize] = source;
            next[to as usize] += 1;
        });
        Self { first, from }
    }

    fn predecessors(&self, index: usize) -> &[u32] {
        &self.from[self.first[index] as usize..self.first[index + 1] as usize]
    }
}
