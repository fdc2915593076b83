//! Retrograde analysis proper: from the ends and conversions back to their predecessors, rank by rank.
//!
//! Each position holds its best label so far and the number of its moves not yet known to lose. In round r
//! the wins of rank r, and the losses of rank r whose moves are all known, are final; their predecessors hear
//! of it. What is never final is a draw. The source is H. Fang, T. Hsu and S. Hsu, Construction of Chinese
//! Chess Endgame Databases (2000); with ranks by score it is the method of Bal and Allis for awari.
//! Memory: 4 bytes a position of a run and 4 of those before it, or 4 of the slice when the table is made; if the game cannot tell
//! predecessors, 10 bytes a position and 8 a move more, since the moves must be kept and turned round. Metrics that count phases are not for it: there a late discovery may have a low
//! rank, so they are left to value iteration or to a solver of the game's own; those under the fifty-move rule have theirs, and so have values of
//! impartial games.

use crate::fifty::fifty;
use crate::graph::{CHUNK, Node, Run, Turned, look, moves};
use crate::iterate::{Scheme, by_runs, iterate, table};
use crate::numbering::numbering;
use crate::rule::rule;
use crate::work::Stage;
use crate::{Indexed, Job, Label, Metric, Stopped, Table};
use std::sync::atomic::{AtomicU16, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed};

/// The bit of `left` that says that a position is final.
const FINAL: u16 = 0x8000;

/// The bytes a position that [`backward`] works with in a game that tells predecessors, the metrics that know phases apart.
pub const SOLVING_BYTES: u64 = 6;

/// Solves a slice backward.
pub fn backward<I: Indexed>(game: &I, job: &Job<'_, I>) -> Result<Table, Stopped> {
    if job.metric == Metric::Rule {
        return rule(game, job);
    }
    if job.metric == Metric::Grundy {
        return numbering(game, job);
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
    let (begun, turned) = if tells {
        (look_at_all(game, job, run)?, None)
    } else {
        let chunks = moves(game, job, run, true)?;
        let begun = chunks.iter().flat_map(|chunk| &chunk.nodes).copied().map(Known::of).collect();
        (begun, Some(Turned::new(&chunks)))
    };
    let chunks = run.size.div_ceil(CHUNK);
    // The least rank at which something of a chunk may become final; others need not be looked at.
    let soonest: Vec<AtomicU16> = std::iter::repeat_with(|| AtomicU16::new(0)).take(chunks).collect();
    // Conversions may have any rank; at least so many rounds are needed.
    let ranks = begun.iter().filter_map(|known| known.best().rank());
    let farthest = ranks.max().unwrap_or(0);
    let cost = job.metric.cost();
    let tell = |index: usize, label: Label, list: &mut Vec<usize>| {
        let offer = job.metric.before(label);
        let heard = offer.rank().unwrap_or(Label::MAX_RANK);
        let hear = |before: usize| {
            begun[before].hear(offer);
            soonest[before / CHUNK].fetch_min(heard, AcqRel);
        };
        if let Some(turned) = &turned {
            for &before in turned.predecessors(index) {
                hear(before as usize);
            }
            return;
        }
        list.clear();
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
        list.iter().copied().for_each(hear);
    };
    let (mut rank, mut round, mut changed) = (0, 0, None);
    while rank <= Label::MAX_RANK {
        round += 1;
        let stage = Stage { doing: "rounds", pass: round, changed };
        let (win, loss) = (Label::win(rank), Label::loss(rank));
        let counts = job.work.share(stage, chunks, run.size as u64, |piece| {
            // Whoever is heard of from here on is noted for the next time.
            if soonest[piece].load(Acquire) > rank || soonest[piece].swap(u16::MAX, AcqRel) > rank {
                return 0;
            }
            let (mut count, mut next, mut list) = (0_u64, u16::MAX, Vec::new());
            let first = piece * CHUNK;
            let chunk = &begun[first..(first + CHUNK).min(run.size)];
            for (index, known) in (first..).zip(chunk) {
                let Some(label) = known.settled() else { continue };
                if label == win || label == loss {
                    known.finish();
                    count += 1;
                    tell(index, label, &mut list);
                } else {
                    next = next.min(label.rank().unwrap_or(u16::MAX));
                }
            }
            soonest[piece].fetch_min(next, AcqRel);
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
    Ok(begun.into_iter().map(Known::label).collect())
}

/// What is known of a position: its best label so far, and how many of its moves are open.
struct Known {
    best: AtomicU16,
    left: AtomicU16,
}

impl Known {
    fn of(node: Node) -> Self {
        let (best, left) = match node {
            Node::Wasted => (Label::NONE.0, FINAL),
            Node::Over(label) => (label.0, 0),
            Node::Open(label, count) => (label.0, count),
        };
        Self { best: AtomicU16::new(best), left: AtomicU16::new(left) }
    }

    fn best(&self) -> Label {
        Label(self.best.load(Acquire))
    }

    /// A move is decided; it is worth this.
    #[inline]
    fn hear(&self, offer: Label) {
        self.best.fetch_max(offer.0, AcqRel);
        // Only afterwards: who sees that no move is left sees the best of all.
        self.left.fetch_sub(1, AcqRel);
    }

    /// The label if it will be final at its rank: a win, or a loss by whatever move.
    #[inline]
    fn settled(&self) -> Option<Label> {
        let open = self.left.load(Acquire);
        if open & FINAL != 0 {
            return None;
        }
        let label = self.best();
        (label > Label::DRAW || open == 0 && label != Label::DRAW).then_some(label)
    }

    fn finish(&self) {
        self.left.fetch_or(FINAL, AcqRel);
    }

    /// What is never final is a draw.
    fn label(self) -> Label {
        if self.left.into_inner() & FINAL != 0 { Label(self.best.into_inner()) } else { Label::DRAW }
    }
}

/// What the rules say of every position of a run.
fn look_at_all<I: Indexed>(game: &I, job: &Job<'_, I>, run: Run<'_>) -> Result<Vec<Known>, Stopped> {
    let begun: Vec<Known> = std::iter::repeat_with(|| Known::of(Node::Wasted)).take(run.size).collect();
    let stage = Stage { doing: "moves", pass: 1, changed: None };
    job.work.share(stage, run.size.div_ceil(CHUNK), run.size as u64, |piece| {
        let mut inside = Vec::new();
        let first = piece * CHUNK;
        for (index, known) in (first..).zip(&begun[first..(first + CHUNK).min(run.size)]) {
            inside.clear();
            if let Some(position) = game.position(job.slice, (run.start + index) as u64) {
                let Known { best, left } = Known::of(look(game, job, run, &position, &mut inside));
                known.best.store(best.into_inner(), Relaxed);
                known.left.store(left.into_inner(), Relaxed);
            }
        }
    })?;
    Ok(begun)
}
