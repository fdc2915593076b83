//! Distances under the fifty-move rule, or one of another number of moves, counted down: what positions are worth with so many plies of their phase left.
//!
//! A countdown tells what that side has with all plies left that ends it. Once nothing changes both sides have what they have
//! with all plies; only if it does to the end, a second countdown is made for the other side. Memory: five bytes and six
//! bits a position, a byte less where one is enough.

use super::begin::Sure;
use super::endings::Endings;
use super::layout::Layout;
use super::packed::packed;
use super::passing::Passed;
use super::phases::{Phases, WORDS};
use super::rounds::SIDES;
use super::rows::{Layer, Rows};
use endspiel_game::Player;
use endspiel_retro::{Job, Metric, Stopped, Table};

/// The bytes that solving takes.
pub fn bytes(layout: &Layout) -> u64 {
    let rows = Rows::new(layout).map_or(0, |rows| rows.count() as u64);
    rows * (64 * 2 * 5 + WORDS) + Passed::bytes(layout)
}

/// Solves an ending for [`Metric::EndWithin`], [`Metric::ConversionWithin`] or [`Metric::ValueWithin`], with so many plies a phase.
pub fn solve(endings: &Endings, job: &Job<'_, Endings>, plies: u16) -> Result<Option<Table>, Stopped> {
    let Some(layout) = endings.layout(job.slice) else { return Ok(None) };
    let Some(rows) = Rows::new(layout) else { return Ok(None) };
    let mut phases = Phases::new(endings, job, &rows)?;
    let passed = Passed::all(endings, &rows, job);
    let mut spare = Vec::new();
    for (number, layer) in rows.layers() {
        for passed in passed.iter().filter(|passed| passed.layer == number) {
            let worth = worth(&phases, passed).seen_before();
            phases.step_past(passed, worth);
        }
        for side in SIDES {
            phases.end_phases(side, &layer, |at, other| other.values[at].seen_before(), false)?;
        }
        if !count(&mut phases, Player::FIRST, &layer, plies)? {
            // The second player's countdown takes the first one's values for its own, so these are put aside.
            let first = Player::FIRST.index();
            spare.resize(rows.count() * 64, Sure::NONE);
            std::mem::swap(&mut phases.halves[first].values, &mut spare);
            count(&mut phases, Player::SECOND, &layer, plies)?;
            std::mem::swap(&mut phases.halves[first].values, &mut spare);
        }
    }
    drop(spare);
    let worth: Vec<_> = passed.iter().map(|passed| worth(&phases, passed)).collect();
    let halves = std::mem::take(&mut phases.halves).map(|half| half.values);
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

/// What a position after a double step is worth, once its layer is done.
fn worth(phases: &Phases<'_>, passed: &Passed) -> Sure {
    let (row, square) = passed.plain;
    let plain = phases.halves[passed.side.index()].values[row * 64 + usize::from(square)];
    if passed.stuck && passed.sure != Sure::NONE { passed.sure } else { plain.max(passed.sure) }
}

/// The whole countdown of a layer, backward from no ply left to all of them, with which `last` is to move. True if it
/// came to where more plies change nothing, so that the values of both sides are those with all of them.
fn count(phases: &mut Phases<'_>, last: Player, layer: &Layer, plies: u16) -> Result<bool, Stopped> {
    phases.begin(layer);
    for left in 1..=plies {
        let side = if (plies - left).is_multiple_of(2) { last } else { last.other() };
        let changed = phases.look(side, layer, left <= 2, Sure::seen_before, |_| false)?;
        if changed == 0 && left > 2 {
            return Ok(true);
        }
    }
    Ok(false)
}
