//! What positions are worth with so many plies of their phase left, 64 positions at a time.
//!
//! A phase lasts until the ending is left or a pawn moves; pawn moves lead into a layer that is solved before. With no ply left a
//! position is a draw, unless it is mate. With one more it is worth the best of its moves, each what the next position is worth
//! with one less, or what ends the phase there. What one side has with so many plies left follows from what the other has with one
//! less, so the two sides take turns, in place. More plies only make a win surer and better: a position is looked at again only
//! if one that it leads to has changed. Memory: four bytes and six bits a position.

use super::begin::{Begun, Sure};
use super::endings::Endings;
use super::layout::Layout;
use super::packed::packed;
use super::passing::Passed;
use super::rounds::SIDES;
use super::rows::{Layer, Rows, Which, each_bit};
use endspiel_game::Player;
use endspiel_retro::{Job, Stage, Stopped, Table};
use std::sync::Mutex;

/// The bytes of the words that a row has on both sides.
const WORDS: u64 = 2 * 6 * 8;

/// What is known of the positions with one side to move.
#[derive(Default)]
pub struct Half {
    pub begun: Begun,
    /// Lost with no ply left: mated, or forced to end the phase where that costs no ply.
    pub mated: Vec<u64>,
    /// Not to be lost: a move that ends the phase draws or wins, or there is no move and no check.
    pub safe: Vec<u64>,
    /// In layers that are done, with all plies.
    pub values: Vec<Sure>,
    /// Won, or no position at all.
    pub won: Vec<u64>,
    pub lost: Vec<u64>,
    /// Changed when this side was last looked at.
    pub changed: Vec<u64>,
    /// By block: has something changed?
    pub now: Vec<bool>,
}

/// A block of one half, to be worked on.
struct Block<'a> {
    values: &'a mut [Sure],
    won: &'a mut [u64],
    lost: &'a mut [u64],
    changed: &'a mut [u64],
    now: &'a mut bool,
}

/// An ending whose phases are played backward.
pub struct Phases<'a> {
    pub rows: &'a Rows<'a>,
    pub job: &'a Job<'a, Endings>,
    /// By the side to move.
    pub halves: [Half; 2],
    pass: u32,
    changed: Option<u64>,
}

/// What a metric counts.
pub struct Counting {
    /// What a position is worth to who moves there, once its layer is done.
    pub seen: fn(Sure) -> Sure,
    /// Does the move by which a loser must end a phase cost no ply?
    pub free: bool,
    /// What tables have.
    pub number: fn(Sure) -> i16,
}

/// The bytes that solving takes, with so many for the value of a position.
pub fn bytes(layout: &Layout, value: u64) -> u64 {
    let rows = Rows::new(layout).map_or(0, |rows| rows.count() as u64);
    rows * (64 * 2 * value + WORDS) + Passed::bytes(layout)
}

/// Solves an ending layer by layer: `play` plays the phases of one, and says whether their values could be told.
pub fn solve(
    endings: &Endings,
    job: &Job<'_, Endings>,
    counting: &Counting,
    mut play: impl FnMut(&mut Phases<'_>, &Layer) -> Result<bool, Stopped>,
) -> Result<Option<Table>, Stopped> {
    let Some(layout) = endings.layout(job.slice) else { return Ok(None) };
    let Some(rows) = Rows::new(layout) else { return Ok(None) };
    let mut phases = Phases::new(endings, job, &rows)?;
    let passed = Passed::all(endings, &rows, job);
    for (number, layer) in rows.layers() {
        for passed in passed.iter().filter(|passed| passed.layer == number) {
            let worth = (counting.seen)(phases.worth(passed));
            phases.step_past(passed, worth);
        }
        for side in SIDES {
            phases.end_phases(side, &layer, |at, other| (counting.seen)(other.values[at]), counting.free)?;
        }
        if !play(&mut phases, &layer)? {
            return Ok(None);
        }
    }
    drop(play);
    let worth: Vec<_> = passed.iter().map(|passed| phases.worth(passed)).collect();
    let halves = std::mem::take(&mut phases.halves).map(|half| half.values);
    let mut out = packed(&rows, job, halves, Sure::NONE)?;
    for side in SIDES.into_iter().take(layout.halves() as usize) {
        out.extend(Passed::cells(&passed, &worth, layout, side, Sure::NONE));
    }
    let number = |sure: Sure| if sure == Sure::NONE { i16::MIN } else { (counting.number)(sure) };
    Ok(Some(Table::of_numbers(job.metric, out.into_iter().map(number).collect())))
}

/// Calls `each` with the rows of a layer, and the squares of these.
fn each_row(rows: &Rows<'_>, layer: &Layer, mut each: impl FnMut(usize, u64)) {
    for pair in 0..rows.layout.kings.pairs.len() {
        layer.rows.iter().for_each(|&(within, squares)| each(pair * rows.block + within, squares));
    }
}

/// The squares of a row whose values are such.
#[inline]
fn squares_where(values: &[Sure], such: impl Fn(Sure) -> bool) -> u64 {
    let mut bytes = [0; 64];
    for (byte, &value) in bytes.iter_mut().zip(values) {
        *byte = such(value).into();
    }
    // Eight bytes, each 0 or 1, become the bits of one by a multiplication.
    let bits = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    bytes.as_chunks().0.iter().zip(0..).fold(0, |set, (eight, i)| set | bits(eight) << (8 * i))
}

impl Half {
    fn new(rows: &Rows<'_>, begun: Begun) -> Self {
        let (count, blocks) = (rows.count(), rows.layout.kings.pairs.len());
        let words = || vec![0; count];
        Self {
            begun,
            mated: words(),
            safe: words(),
            values: vec![Sure::NONE; count * 64],
            won: words(),
            lost: words(),
            changed: words(),
            now: vec![false; blocks],
        }
    }
}

impl<'a> Phases<'a> {
    /// What moves out of the ending tell, and nothing else.
    fn new(endings: &Endings, job: &'a Job<'a, Endings>, rows: &'a Rows<'a>) -> Result<Self, Stopped> {
        let [white, black] = SIDES.map(|side| Begun::new(endings, job, rows, side));
        let halves = [Half::new(rows, white?), Half::new(rows, black?)];
        Ok(Self { rows, job, halves, pass: 0, changed: None })
    }

    /// What a position after a double step is worth, once its layer is done.
    fn worth(&self, passed: &Passed) -> Sure {
        let (row, square) = passed.plain;
        let plain = self.halves[passed.side.index()].values[row * 64 + usize::from(square)];
        if passed.stuck && passed.sure != Sure::NONE { passed.sure } else { plain.max(passed.sure) }
    }

    /// What ends the phases of a layer.
    pub fn leaving(&self, layer: &Layer) -> impl Iterator<Item = Sure> {
        let blocks = self.halves.iter().flat_map(|half| half.begun.leaving.chunks(self.rows.block * 64));
        let rows = |(within, _)| within * 64..within * 64 + 64;
        blocks
            .flat_map(move |block| layer.rows.iter().copied().flat_map(move |row| &block[rows(row)]))
            .copied()
    }

    fn stage(&mut self, doing: &'static str) -> Stage {
        self.pass += 1;
        Stage { doing, pass: self.pass, changed: self.changed }
    }

    fn size(&self) -> u64 {
        self.rows.count() as u64 * 64
    }

    /// Notes what a double step is worth that allows a capture in passing, or would if it were legal.
    fn step_past(&mut self, passed: &Passed, worth: Sure) {
        let Some((row, square)) = passed.before else { return };
        let leaving =
            &mut self.halves[passed.side.other().index()].begun.leaving[row * 64 + usize::from(square)];
        *leaving = (*leaving).max(worth);
    }

    /// Who has no move, and who need not lose; `there` tells of the positions after pawn moves, for who makes them. Is a move
    /// free by which a loser must end the phase, it is lost with no ply left.
    fn end_phases(
        &mut self,
        side: Player,
        layer: &Layer,
        there: impl Fn(usize, &Half) -> Sure + Sync,
        free: bool,
    ) -> Result<(), Stopped> {
        let (rows, job, stage, size) = (self.rows, self.job, self.stage("moves"), self.size());
        let mut half = std::mem::take(&mut self.halves[side.index()]);
        let other = &self.halves[side.other().index()];
        half.begun.step(job, rows, (side, layer), &other.begun, |at| there(at, other))?;
        let Half { begun: Begun { illegal, leaving }, mated, safe, .. } = &mut half;
        let words = mated.chunks_mut(rows.block).zip(safe.chunks_mut(rows.block));
        let blocks: Vec<_> = words.zip(leaving.chunks_mut(rows.block * 64)).map(Mutex::new).collect();
        job.work.share(stage, blocks.len(), size, |pair| {
            let Ok(mut block) = blocks[pair].lock() else { return };
            let ((mated, safe), leaving) = &mut *block;
            for &(within, squares) in &layer.rows {
                let Some(row) = rows.row(pair, within) else { continue };
                let here = squares & !illegal[row.number];
                let leaving = &mut leaving[within * 64..within * 64 + 64];
                let legal = |i: usize| !other.begun.illegal[i];
                let stuck = here & !rows.reach(&row, side, legal, here, Which::Pieces);
                // Who is not in check could pass.
                let check = other.begun.illegal[row.number];
                each_bit(stuck, |square| match leaving[square] {
                    Sure::NONE if check >> square & 1 != 0 => mated[within] |= 1 << square,
                    Sure::NONE => leaving[square] = Sure::DRAW,
                    worth if free && worth < Sure::DRAW => mated[within] |= 1 << square,
                    _ => {}
                });
                each_bit(here, |square| safe[within] |= u64::from(leaving[square] >= Sure::DRAW) << square);
            }
        })?;
        drop(blocks);
        self.halves[side.index()] = half;
        Ok(())
    }

    /// Begins a layer, or begins it anew: no ply is left.
    pub fn begin(&mut self, layer: &Layer) {
        for half in &mut self.halves {
            half.now.fill(true);
            each_row(self.rows, layer, |row, squares| {
                let (illegal, mated) = (half.begun.illegal[row], half.mated[row]);
                half.won[row] = half.won[row] & !squares | illegal & squares;
                half.lost[row] = half.lost[row] & !squares | mated & squares;
                half.changed[row] = 0;
                each_bit(squares & !illegal, |square| {
                    let at = row * 64 + square;
                    half.values[at] = match half.begun.leaving[at] {
                        _ if mated >> square & 1 == 0 => Sure::DRAW,
                        Sure::NONE => Sure::loss(0),
                        leaving => leaving,
                    };
                });
            });
        }
    }

    /// One ply more: what one side's positions are worth now, from what the other side has; `seen` is what the other's values are
    /// worth to who moves there. All of them are looked at, or where something has changed. Values are from the first of `settled`
    /// to the second, and what has come to one of these stays as it is. How many changed.
    pub fn look(
        &mut self,
        side: Player,
        layer: &Layer,
        all: bool,
        seen: impl Fn(Sure) -> Sure + Sync,
        settled: Option<[Sure; 2]>,
    ) -> Result<u64, Stopped> {
        let (rows, job, stage, size) = (self.rows, self.job, self.stage("values"), self.size());
        let mut half = std::mem::take(&mut self.halves[side.index()]);
        let other = &self.halves[side.other().index()];
        let Half { begun: Begun { illegal, leaving }, mated, safe, values, won, lost, changed, now } =
            &mut half;
        let words = won.chunks_mut(rows.block).zip(lost.chunks_mut(rows.block));
        let words = words.zip(changed.chunks_mut(rows.block)).zip(now.iter_mut());
        let blocks =
            words.zip(values.chunks_mut(rows.block * 64)).map(|((((won, lost), changed), now), values)| {
                Mutex::new(Block { values, won, lost, changed, now })
            });
        let blocks: Vec<_> = blocks.collect();
        let counts = job.work.share(stage, blocks.len(), size, |pair| {
            let Ok(mut block) = blocks[pair].lock() else { return 0 };
            let block = &mut *block;
            if std::mem::take(block.now) {
                layer.rows.iter().for_each(|&(within, _)| block.changed[within] = 0);
            }
            if !(all || other.now[pair] || rows.neighbours(side, pair).any(|next| other.now[next])) {
                return 0;
            }
            let mut count = 0;
            for &(within, squares) in &layer.rows {
                let Some(row) = rows.row(pair, within) else { continue };
                let here = squares & !(illegal[row.number] | mated[row.number]);
                let news = |i: usize| if all { !0 } else { other.changed[i] };
                let mut hot = here & if all { !0 } else { rows.reach(&row, side, news, here, Which::Pieces) };
                if hot == 0 {
                    continue;
                }
                let leaving = &leaving[row.number * 64..row.number * 64 + 64];
                let values = &mut block.values[within * 64..within * 64 + 64];
                if let Some([lost, won]) = settled {
                    hot &= squares_where(values, |value| lost < value && value < won);
                }
                if hot == 0 {
                    continue;
                }
                let mut new = 0;
                let mut note = |square: usize, worth: Sure| {
                    let value = &mut values[square];
                    let worth = settled.map_or(worth, |[lost, won]| worth.clamp(lost, won));
                    // A win that takes longer with fewer plies left may stay better than what is news.
                    if *value <= Sure::DRAW || worth > *value {
                        new |= u64::from(*value != worth) << square;
                        *value = worth;
                    }
                };
                let mut best = [Sure::DRAW; 64];
                if all {
                    best.copy_from_slice(leaving);
                }
                let lost = |i: usize| other.lost[i] & news(i);
                rows.successors(&row, side, lost, hot, Which::Pieces, |square, row, to| {
                    best[square] = best[square].max(seen(other.values[row * 64 + to]));
                });
                each_bit(hot, |square| {
                    if best[square] > Sure::DRAW {
                        block.won[within] |= 1 << square;
                        note(square, best[square]);
                    }
                });
                // Who has lost with fewer plies left has no way out with more.
                let mut caught = hot & block.lost[within];
                let open = hot & !(block.won[within] | block.lost[within] | safe[row.number]);
                if open != 0 {
                    caught |= open & !rows.reach(&row, side, |i| !other.won[i], open, Which::Pieces);
                }
                if caught != 0 {
                    let mut worst = [Sure::NONE; 64];
                    worst.copy_from_slice(leaving);
                    let won = |i: usize| other.won[i] & !other.begun.illegal[i];
                    rows.successors(&row, side, won, caught, Which::Pieces, |square, row, to| {
                        worst[square] = worst[square].max(seen(other.values[row * 64 + to]));
                    });
                    each_bit(caught, |square| note(square, worst[square]));
                    block.lost[within] |= caught;
                }
                block.changed[within] = new;
                count += u64::from(new.count_ones());
            }
            *block.now = count > 0;
            count
        })?;
        drop(blocks);
        self.halves[side.index()] = half;
        let changed = counts.iter().sum();
        self.changed = Some(changed);
        Ok(changed)
    }
}
