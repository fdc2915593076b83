//! Distances under the fifty-move rule, or one of another number of moves, counted down: what positions are worth with so many plies of their phase left.
//!
//! A countdown tells what that side has with all plies left that ends it. Once nothing changes both sides have what they have
//! with all plies; only if it does to the end, a second countdown is made for the other side. Memory: five bytes and six
//! bits a position, a byte less where one is enough.

use super::begin::Sure;
use super::endings::Endings;
use super::layout::Layout;
use super::phases::{self, Counting, Phases};
use super::rows::Layer;
use endspiel_game::Player;
use endspiel_retro::{Job, Metric, Stopped, Table};

/// The bytes that solving takes.
pub fn bytes(layout: &Layout) -> u64 {
    phases::bytes(layout, 5)
}

/// Solves an ending for [`Metric::EndWithin`], [`Metric::ConversionWithin`] or [`Metric::ValueWithin`], with so many plies a phase.
pub fn solve(endings: &Endings, job: &Job<'_, Endings>, plies: u16) -> Result<Option<Table>, Stopped> {
    let outcomes = matches!(job.metric, Metric::ValueWithin(_));
    let number = if outcomes { |sure: Sure| sure.plies().signum() } else { Sure::plies };
    let counting = Counting { seen: Sure::seen_before, free: false, number };
    let mut spare = Vec::new();
    phases::solve(endings, job, &counting, move |phases, layer| {
        if !count(phases, Player::FIRST, layer, plies)? {
            // The second player's countdown takes the first one's values for its own, so these are put aside.
            let first = Player::FIRST.index();
            spare.resize(phases.rows.count() * 64, Sure::NONE);
            std::mem::swap(&mut phases.halves[first].values, &mut spare);
            count(phases, Player::SECOND, layer, plies)?;
            std::mem::swap(&mut phases.halves[first].values, &mut spare);
        }
        Ok(true)
    })
}

/// The whole countdown of a layer, backward from no ply left to all of them, with which `last` is to move. True if it
/// came to where more plies change nothing, so that the values of both sides are those with all of them.
fn count(phases: &mut Phases<'_>, last: Player, layer: &Layer, plies: u16) -> Result<bool, Stopped> {
    phases.begin(layer);
    for left in 1..=plies {
        let side = if (plies - left).is_multiple_of(2) { last } else { last.other() };
        let changed = phases.look(side, layer, left <= 2, Sure::seen_before, None)?;
        if changed == 0 && left > 2 {
            return Ok(true);
        }
    }
    Ok(false)
}
