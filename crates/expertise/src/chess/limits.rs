//! The depth by the rule, 64 positions at a time (the metric is that of J. Tamplin and G. Haworth, Chess Endgames: Data and
//! Strategy, 2003): the least limit on the plies of a phase under which the outcome can still be forced.
//!
//! With so many plies of the phase left a position *needs* a limit: the greatest of those that its phase may end in need, where the
//! winner takes the least and the loser the greatest. The depth is the least over all numbers of plies of what is greater, the number
//! or the limit needed with it. The numbers are gone through once; what needs no more than the plies that are left already is
//! settled. Memory: six bytes and some bits a position.

use super::begin::Sure;
use super::endings::Endings;
use super::layout::Layout;
use super::packed::packed;
use super::passing::Passed;
use super::phases::{Half, Phases, WORDS, each_row};
use super::rounds::SIDES;
use super::rows::{Layer, Rows, each_bit};
use endspiel_retro::{Job, Metric, Stopped, Table};

/// The greatest depth.
const MOST: u8 = 254;

/// The bytes that solving takes.
pub fn bytes(layout: &Layout) -> u64 {
    let rows = Rows::new(layout).map_or(0, |rows| rows.count() as u64);
    rows * (64 * 2 * 6 + WORDS) + Passed::bytes(layout)
}

/// Solves an ending; none if its phases are too long for a byte.
pub fn solve(endings: &Endings, job: &Job<'_, Endings>) -> Result<Option<Table>, Stopped> {
    let Some(layout) = endings.layout(job.slice) else { return Ok(None) };
    let Some(rows) = Rows::new(layout) else { return Ok(None) };
    let mut limits = Limits {
        phases: Phases::new(endings, job, &rows)?,
        depths: [0, 1].map(|_| vec![i16::MIN; rows.count() * 64]),
    };
    let passed = Passed::all(endings, &rows, job);
    for (number, layer) in rows.layers() {
        for passed in passed.iter().filter(|passed| passed.layer == number) {
            let worth = Sure::before(Metric::Rule, limits.worth(passed).into());
            limits.phases.step_past(passed, worth);
        }
        let Limits { phases, depths } = &mut limits;
        for side in SIDES {
            let there = &depths[side.other().index()];
            let worth = |at: usize, _: &Half| Sure::before(Metric::Rule, there[at].into());
            phases.end_phases(side, &layer, worth, true)?;
        }
        if !limits.layer(&layer)? {
            return Ok(None);
        }
    }
    let worth: Vec<i16> = passed.iter().map(|passed| limits.worth(passed)).collect();
    let Limits { phases, depths } = limits;
    drop(phases);
    let mut out = packed(&rows, job, depths, i16::MIN)?;
    for side in SIDES.into_iter().take(layout.halves() as usize) {
        out.extend(Passed::cells(&passed, &worth, layout, side, i16::MIN));
    }
    Ok(Some(Table::of_numbers(job.metric, out)))
}

struct Limits<'a> {
    /// What positions need.
    phases: Phases<'a>,
    /// By the side to move, as tables have them.
    depths: [Vec<i16>; 2],
}

/// The limit that a position needs which is worth this.
fn needed(worth: Sure) -> Option<u8> {
    worth.wins().or(worth.loses())
}

/// The plies that it has taken with so many left: a win takes an odd number of them, a loss an even one.
fn taken(worth: Sure, left: u8) -> u8 {
    if worth > Sure::DRAW { left.saturating_sub(1) | 1 } else { left & !1 }
}

/// The depth of a position, as tables have it, from what it needs with so many plies left.
fn depth(worth: Sure, left: u8) -> i16 {
    let Some(limit) = needed(worth) else { return 0 };
    let depth = limit.max(taken(worth, left)).into();
    if worth > Sure::DRAW { depth } else { -1 - depth }
}

impl Limits<'_> {
    /// What a position after a double step needs, once its layer is done.
    fn worth(&self, passed: &Passed) -> i16 {
        let (row, square) = passed.plain;
        let plain = self.depths[passed.side.index()][row * 64 + usize::from(square)];
        let of_limit = |worth: Sure| match (worth.wins(), worth.loses()) {
            (Some(limit), _) => i16::from(limit).max(1),
            (_, Some(limit)) => -1 - i16::from(limit).max(1),
            _ => 0,
        };
        // A quicker win is better, a later loss too.
        let rank = |depth: i16| if depth == 0 { 0 } else { depth.signum() * (1000 - depth.abs()) };
        match of_limit(passed.sure) {
            _ if passed.sure == Sure::NONE => plain,
            capture if passed.stuck || rank(capture) > rank(plain) => capture,
            _ => plain,
        }
    }

    /// Solves a layer; false if a phase is too long.
    fn layer(&mut self, layer: &Layer) -> Result<bool, Stopped> {
        let Self { phases, depths } = self;
        phases.begin(layer);
        let mut fits = true;
        for (half, depths) in phases.halves.iter().zip(&mut *depths) {
            each_row(phases.rows, layer, |row, squares| {
                each_bit(squares & !half.begun.illegal[row], |square| {
                    let at = row * 64 + square;
                    depths[at] = depth(half.values[at], 0);
                    fits &= needed(half.begun.leaving[at]).is_none_or(|limit| limit <= MOST);
                });
            });
        }
        for left in 1..=MOST {
            let side = SIDES[usize::from(left % 2)];
            let settled = |worth| needed(worth).is_some_and(|limit| limit <= taken(worth, left));
            let changed = phases.look(side, layer, left <= 2, Sure::turned, settled)?;
            let (half, depths) = (&phases.halves[side.index()], &mut depths[side.index()]);
            note(phases.rows, half, depths, layer, left);
            if changed == 0 && left > 2 || !fits {
                return Ok(fits);
            }
        }
        Ok(false)
    }
}

/// Notes the depths of what has changed.
fn note(rows: &Rows<'_>, half: &Half, depths: &mut [i16], layer: &Layer, left: u8) {
    for pair in (0..half.now.len()).filter(|&pair| half.now[pair]) {
        for &(within, _) in &layer.rows {
            let row = pair * rows.block + within;
            each_bit(half.changed[row], |square| {
                let at = row * 64 + square;
                let found = depth(half.values[at], left);
                if depths[at] == 0 || found.abs() < depths[at].abs() {
                    depths[at] = found;
                }
            });
        }
    }
}
