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
    /// The best of the moves that leave the run, and the number of different positions that the others lead
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
    /// Where the moves of the chunk's position `i` lead within the run.
    #[inline]
    pub fn moves(&self, i: usize) -> &[u32] {
        let end = self.first.get(i + 1).map_or(self.to.len(), |&e| e as usize);
        &self.to[self.first[i] as usize..end]
    }
}

/// Numbers of a slice that are solved at once.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The first number.
    pub start: usize,
    /// How many there are, at most 2^31.
    pub size: usize,
    /// The labels of all numbers before the first.
    pub solved: &'a [Label],
}

/// Generates all moves of a run, in chunks. The moves within the run are kept if `keep` says so.
pub fn moves<I: Indexed>(
    game: &I,
    job: &Job<'_, I>,
    run: Run<'_>,
    keep: bool,
) -> Result<Vec<Chunk>, Stopped> {
    let size = run.size;
    let stage = Stage { doing: "moves", pass: 1, changed: None };
    job.work.share(stage, size.div_ceil(CHUNK), size as u64, |piece| {
        let mut chunk = Chunk::default();
        let mut inside = Vec::new();
        for index in piece * CHUNK..((piece + 1) * CHUNK).min(size) {
            inside.clear();
            let node = match game.position(job.slice, (run.start + index) as u64) {
                Some(position) => look(game, job, run, &position, &mut inside),
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

/// A move within the run: where it leads, counted from the first number, and this bit if it cannot be taken back.
pub const ZEROING: u32 = 1 << 31;

/// What a move within the run is worth to who makes it, where the numbers have these labels.
#[inline]
pub fn offer(metric: Metric, to: u32, label: impl FnOnce(usize) -> Label) -> Label {
    let there = label((to & !ZEROING) as usize);
    if to & ZEROING == 0 { metric.before(there) } else { metric.before_zeroing(there) }
}

/// Where a move of a position of the slice leads.
pub enum Leads<S> {
    /// To this number of the slice, with [`ZEROING`] if the move cannot be taken back and the metric heeds it.
    Within(u64, u32),
    /// Out of the slices; it is worth this to who makes it.
    Out(Label),
    /// To a number of another slice, with this gain at once.
    Converts(S, u64, i32),
}

/// Where a move leads. `lead` is what who makes it is ahead already.
#[inline]
pub fn leads<I: Indexed>(
    game: &I,
    (slice, metric): (I::Slice, Metric),
    position: &I::Position,
    m: <I::Position as endspiel_game::Position>::Move,
    lead: i32,
) -> Leads<I::Slice> {
    use endspiel_game::Position;
    let next = position.after(m);
    match game.place(&next) {
        Some((to, index)) if to == slice => {
            let zeroing = metric.knows_phases() && game.is_zeroing(position, m);
            Leads::Within(index, if zeroing { ZEROING } else { 0 })
        }
        _ if next.turn().is_over() => {
            let score = lead - next.payoff().of(game.mover(position));
            Leads::Out(metric.before(metric.ended(score, game.stakes(slice))))
        }
        Some((to, index)) => Leads::Converts(to, index, -game.lead(&next) - lead),
        None => Leads::Out(Label::DRAW),
    }
}

/// What the rules say of a position of the run; the moves within the run.
pub fn look<I: Indexed>(
    game: &I,
    job: &Job<'_, I>,
    run: Run<'_>,
    position: &I::Position,
    inside: &mut Vec<u32>,
) -> Node {
    use endspiel_game::Position;
    let stakes = game.stakes(job.slice);
    let lead = game.lead(position);
    if position.turn().is_over() {
        return Node::Over(job.metric.ended(position.payoff().of(game.mover(position)) - lead, stakes));
    }
    let mut sure = Label::NONE;
    position.moves(|m| {
        let worth = match leads(game, (job.slice, job.metric), position, m, lead) {
            Leads::Within(index, flag) if index as usize >= run.start => {
                inside.push((index as usize - run.start) as u32 | flag);
                return;
            }
            Leads::Within(index, flag) => offer(job.metric, flag, |_| run.solved[index as usize]),
            Leads::Out(label) => label,
            Leads::Converts(slice, index, gain) => match job.known.get(&slice, index) {
                Some(there) => job.metric.converted(gain, there, stakes),
                None => Label::DRAW,
            },
        };
        sure = sure.max(worth);
    });
    inside.sort_unstable();
    inside.dedup();
    Node::Open(sure, inside.len() as u16)
}

/// The moves within a run turned round.
pub struct Turned {
    /// Where the predecessors of each position begin, and the end of all.
    first: Vec<u32>,
    from: Vec<u32>,
}

impl Turned {
    /// Of these chunks, which kept their moves.
    pub fn new(chunks: &[Chunk]) -> Self {
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

    /// From where one move leads to this position.
    pub fn predecessors(&self, index: usize) -> &[u32] {
        &self.from[self.first[index] as usize..self.first[index + 1] as usize]
    }
}
