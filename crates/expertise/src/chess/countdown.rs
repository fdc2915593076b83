//! Distances under the fifty-move rule, or one of another number of moves, counted down: what positions are worth with so many plies of their phase left.
//!
//! With none left a position is a draw, unless it is mate. With one more it is worth the best of its moves, each what the next
//! position is worth with one less, or with all of them after a move that cannot be taken back: out of the ending, which its
//! tables tell, or of a pawn, into a layer that is solved before. What one side has with so many plies left follows from what
//! the other has with one less, so the two sides take turns, in place, and a countdown tells what that side has with all
//! plies left that ends it. More plies only make wins surer and sooner: a position is looked at again only if one that it leads to has changed,
//! and once nothing changes both sides have what they have with all plies; only if it does to the end, a second countdown is
//! made for the other side. Memory: five bytes and five bits a position, a byte less where one is enough.

use super::begin::{Begun, Sure};
use super::endings::Endings;
use super::layout::Layout;
use super::packed::packed;
use super::passing::Passed;
use super::rounds::SIDES;
use super::rows::{Layer, Rows, Which, each_bit};
use endspiel_game::Player;
use endspiel_retro::{Job, Metric, Stage, Stopped, Table};
use std::sync::Mutex;

/// The bytes that solving takes.
pub fn bytes(layout: &Layout) -> u64 {
    let rows = Rows::new(layout).map_or(0, |rows| rows.count() as u64);
    rows * (64 * 2 * 5 + 2 * 6 * 8) + layout.passing_half() * 2 * 48
}

/// What is known of the positions with one side to move.
#[derive(Default)]
struct Half {
    begun: Begun,
    mated: Vec<u64>,
    /// Not to be lost: a move that ends the phase draws or wins, or there is no move and no check.
    safe: Vec<u64>,
    /// With so many plies left as the countdown has come to; in layers that are done, with all of them.
    values: Vec<Sure>,
    /// Won, or no position at all.
    won: Vec<u64>,
    lost: Vec<u64>,
    /// Changed when this side was last looked at.
    changed: Vec<u64>,
    /// By block: has something?
    now: Vec<bool>,
}

/// A block of one half, to be worked on.
struct Block<'a> {
    values: &'a mut [Sure],
    won: &'a mut [u64],
    lost: &'a mut [u64],
    changed: &'a mut [u64],
    now: &'a mut bool,
}

struct Countdown<'a> {
    rows: &'a Rows<'a>,
    job: &'a Job<'a, Endings>,
    /// By the side to move.
    halves: [Half; 2],
    pass: u32,
    changed: Option<u64>,
}

/// Solves an ending for [`Metric::EndWithin`], [`Metric::ConversionWithin`] or [`Metric::ValueWithin`], with so many plies a phase.
pub fn solve(endings: &Endings, job: &Job<'_, Endings>, plies: u16) -> Result<Option<Table>, Stopped> {
    let Some(layout) = endings.layout(job.slice) else { return Ok(None) };
    let Some(rows) = Rows::new(layout) else { return Ok(None) };
    let [white, black] = SIDES.map(|side| Begun::new(endings, job, &rows, side));
    let halves = [Half::new(&rows, white?), Half::new(&rows, black?)];
    let mut countdown = Countdown { rows: &rows, job, halves, pass: 0, changed: None };
    let passed = Passed::all(endings, &rows, job);
    let mut spare = Vec::new();
    for (number, layer) in rows.layers() {
        for passed in passed.iter().filter(|passed| passed.layer == number) {
            countdown.step_past(passed);
        }
        for side in SIDES {
            countdown.end_phases(side, &layer)?;
        }
        if !countdown.count(Player::FIRST, &layer, plies)? {
            // The second player's countdown takes the first one's values for its own, so these are put aside.
            let first = Player::FIRST.index();
            spare.resize(rows.count() * 64, Sure::NONE);
            std::mem::swap(&mut countdown.halves[first].values, &mut spare);
            countdown.count(Player::SECOND, &layer, plies)?;
            std::mem::swap(&mut countdown.halves[first].values, &mut spare);
        }
    }
    drop(spare);
    let worth: Vec<_> = passed.iter().map(|passed| countdown.worth(passed)).collect();
    let halves = std::mem::take(&mut countdown.halves).map(|half| half.values);
    let mut out = packed(&rows, job, halves, Sure::NONE)?;
    for side in SIDES.into_iter().take(layout.halves() as usize) {
        out.extend(Passed::cells(&passed, &worth, layout, side, Sure::NONE));
    }
    let number = |sure: Sure| match (sure, job.metric) {
        (Sure::NONE, _) => i16::MIN,
        (_, Metric::ValueWithin(_)) => sure.plies().signum(),
        _ => sure.plies(),
    };
    Ok(Some(Table::of_numbers(job.metric, out.into_iter().map(number).collect())))
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

impl Countdown<'_> {
    fn stage(&mut self, doing: &'static str) -> Stage {
        self.pass += 1;
        Stage { doing, pass: self.pass, changed: self.changed }
    }

    fn size(&self) -> u64 {
        self.rows.count() as u64 * 64
    }

    /// What a position after a double step is worth, once its layer is done.
    fn worth(&self, passed: &Passed) -> Sure {
        let (row, square) = passed.plain;
        let plain = self.halves[passed.side.index()].values[row * 64 + usize::from(square)];
        if passed.stuck && passed.sure != Sure::NONE { passed.sure } else { plain.max(passed.sure) }
    }

    /// Notes what a double step is worth that allows a capture in passing, or would if it were legal.
    fn step_past(&mut self, passed: &Passed) {
        let Some((row, square)) = passed.before else { return };
        let worth = self.worth(passed).seen_before();
        let leaving =
            &mut self.halves[passed.side.other().index()].begun.leaving[row * 64 + usize::from(square)];
        *leaving = (*leaving).max(worth);
    }

    /// Who has no move, and who need not lose.
    fn end_phases(&mut self, side: Player, layer: &Layer) -> Result<(), Stopped> {
        let (rows, job, stage, size) = (self.rows, self.job, self.stage("moves"), self.size());
        let mut half = std::mem::take(&mut self.halves[side.index()]);
        let other = &self.halves[side.other().index()].begun;
        half.begun.step(job, rows, (side, layer), other, |at| {
            self.halves[side.other().index()].values[at].seen_before()
        })?;
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
                let stuck = here & !rows.reach(&row, side, |i| !other.illegal[i], here, Which::Pieces);
                // Who is not in check could pass.
                let check = other.illegal[row.number];
                each_bit(stuck, |square| match leaving[square] {
                    Sure::NONE if check >> square & 1 != 0 => mated[within] |= 1 << square,
                    Sure::NONE => leaving[square] = Sure::DRAW,
                    _ => {}
                });
                each_bit(here, |square| safe[within] |= u64::from(leaving[square] >= Sure::DRAW) << square);
            }
        })?;
        drop(blocks);
        self.halves[side.index()] = half;
        Ok(())
    }

    /// The whole countdown of a layer, backward from no ply left to all of them, with which `last` is to move. True if it
    /// came to where more plies change nothing, so that the values of both sides are those with all of them.
    fn count(&mut self, last: Player, layer: &Layer, plies: u16) -> Result<bool, Stopped> {
        for half in &mut self.halves {
            half.now.fill(true);
            for pair in 0..half.now.len() {
                for &(within, squares) in &layer.rows {
                    let row = pair * self.rows.block + within;
                    let (illegal, mated) = (half.begun.illegal[row], half.mated[row]);
                    half.won[row] = half.won[row] & !squares | illegal & squares;
                    half.lost[row] = half.lost[row] & !squares | mated & squares;
                    half.changed[row] = 0;
                    each_bit(squares & !illegal, |square| {
                        let lost = mated >> square & 1 != 0;
                        half.values[row * 64 + square] = if lost { Sure::loss(0) } else { Sure::DRAW };
                    });
                }
            }
        }
        for left in 1..=plies {
            let side = if (plies - left).is_multiple_of(2) { last } else { last.other() };
            let changed = self.look(side, layer, left <= 2)?;
            self.changed = Some(changed);
            if changed == 0 && left > 2 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// One ply more: what one side's positions are worth now, from what the other side has. The first time all of them are
    /// looked at. How many changed.
    fn look(&mut self, side: Player, layer: &Layer, all: bool) -> Result<u64, Stopped> {
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
                let hot = here & if all { !0 } else { rows.reach(&row, side, news, here, Which::Pieces) };
                if hot == 0 {
                    continue;
                }
                let leaving = &leaving[row.number * 64..row.number * 64 + 64];
                let values = &mut block.values[within * 64..within * 64 + 64];
                let mut new = 0;
                let mut note = |square: usize, worth: Sure| {
                    let value = &mut values[square];
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
                    best[square] = best[square].max(other.values[row * 64 + to].seen_before());
                });
                each_bit(hot, |square| {
                    if best[square] > Sure::DRAW {
                        block.won[within] |= 1 << square;
                        note(square, best[square]);
                    }
                });
                let open = hot & !(block.won[within] | safe[row.number]);
                let caught = open & !rows.reach(&row, side, |i| !other.won[i], open, Which::Pieces);
                if caught != 0 {
                    let mut worst = [Sure::NONE; 64];
                    worst.copy_from_slice(leaving);
                    let won = |i: usize| other.won[i] & !other.begun.illegal[i];
                    rows.successors(&row, side, won, caught, Which::Pieces, |square, row, to| {
                        worst[square] = worst[square].max(other.values[row * 64 + to].seen_before());
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
        Ok(counts.iter().sum())
    }
}
