//! The moves of a slice, generated once: what each position is sure of by conversions, and where it
//! can go within the slice.

use crate::work::Stage;
use crate::{Indexed, Job, Label, Metric, Stopped};

/// Positions of a chunk; chunks are the pieces that threads take.
pub const CHUNK: usize = 1 << 13;

/// What the rules say of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// No position.
    Wasted,
    /// The game is over.
    Over(Label),
    /// The best of the moves that leave the slice, and the number of different positions that the others lead
    /// to.
    Open(Label, u16),
}

/// A run of positions with their moves.
#[derive(Default)]
pub struct Chunk {
    /// The positions.
    pub nodes: Vec<Node>,
    /// Where the moves of each begin.
    first: Vec<u32>,
    /// Where the moves go, without repetitions.
    to: Vec<u32>,
}

impl Chunk {
    /// Where the moves of the chunk's position `i` lead within the slice.
    #[inline]
    pub fn moves(&self, i: usize) -> &[u32] {
        let end = self.first.get(i + 1).map_or(self.to.len(), |&e| e as usize);
        &self.to[self.first[i] as usize..end]
    }
}

/// Generates all moves of the slice, in chunks. The moves within the slice are kept if `keep` says so.
/// Slices hold at most 2^31 positions.
pub fn moves<I: Indexed>(game: &I, job: &Job<'_, I>, keep: bool) -> Result<Vec<Chunk>, Stopped> {
    let size = game.size(job.slice) as usize;
    let stage = Stage { doing: "moves", pass: 1, changed: None };
    job.work.share(stage, size.div_ceil(CHUNK), size as u64, |piece| {
        let mut chunk = Chunk::default();
        let mut inside = Vec::new();
        for index in piece * CHUNK..((piece + 1) * CHUNK).min(size) {
            inside.clear();
            let node = match game.position(job.slice, index as u64) {
                Some(position) => look(game, job, &position, &mut inside),
                None => Node::Wasted,
            };
            chunk.nodes.push(node);
            if keep {
                chunk.first.push(chunk.to.len() as u32);
                chunk.to.extend_from_slice(&inside);
            }
        }
        chunk
    })
}

/// A move within the slice: the number it leads to, and this bit if it cannot be taken back.
pub const ZEROING: u32 = 1 << 31;

/// What a move within the slice is worth to who makes it, where the numbers have these labels.
#[inline]
pub fn offer(metric: Metric, to: u32, label: impl FnOnce(usize) -> Label) -> Label {
    let there = label((to & !ZEROING) as usize);
    if to & ZEROING == 0 { metric.before(there) } else { metric.before_zeroing(there) }
}

/// What the rules say of a position of the job's slice; the moves within the slice.
pub fn look<I: Indexed>(game: &I, job: &Job<'_, I>, position: &I::Position, inside: &mut Vec<u32>) -> Node {
    use endspiel_game::Position;
    let stakes = game.stakes(job.slice);
    let (me, lead) = (game.mover(position), game.lead(position));
    if position.turn().is_over() {
        return Node::Over(job.metric.ended(position.payoff().of(me) - lead, stakes));
    }
    let mut sure = Label::NONE;
    position.moves(|m| {
        let next = position.after(m);
        let offer = match game.place(&next) {
            Some((slice, index)) if slice == job.slice => {
                let zeroing = job.metric.counts_phases() && game.is_zeroing(position, m);
                inside.push(index as u32 | if zeroing { ZEROING } else { 0 });
                return;
            }
            _ if next.turn().is_over() => {
                let score = lead - next.payoff().of(me);
                job.metric.before(job.metric.ended(score, stakes))
            }
            Some((slice, index)) => match job.known.get(&slice, index) {
                Some(there) => job.metric.converted(-game.lead(&next) - lead, there, stakes),
                None => Label::DRAW,
            },
            None => Label::DRAW,
        };
        sure = sure.max(offer);
    });
    inside.sort_unstable();
    inside.dedup();
    Node::Open(sure, inside.len() as u16)
}
