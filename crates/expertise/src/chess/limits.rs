//! The depth by the rule, 64 positions at a time (the metric is that of J. Tamplin and G. Haworth, Chess Endgames: Data and
//! Strategy, 2003): the least limit on the plies of a phase under which the outcome can still be forced.
//!
//! With so many plies of the phase left a position *needs* a limit: the greatest of those that its phase may end in need, where the
//! winner takes the least and the loser the greatest, and no less than the plies that are taken. More plies lower what the rest
//! needs; once that is no more than the plies taken, the depth is found, and the position is settled. So the numbers are gone
//! through once. Memory: four bytes and six bits a position.

use super::begin::Sure;
use super::endings::Endings;
use super::layout::Layout;
use super::phases::{self, Counting, Phases};
use super::rounds::SIDES;
use super::rows::Layer;
use endspiel_retro::{Job, Stopped, Table};

/// The greatest depth.
const MOST: u8 = 254;

/// The bytes that solving takes.
pub fn bytes(layout: &Layout) -> u64 {
    phases::bytes(layout, 4)
}

/// Solves an ending; none if its phases are too long for a byte.
pub fn solve(endings: &Endings, job: &Job<'_, Endings>) -> Result<Option<Table>, Stopped> {
    // No win takes less than a ply.
    let seen = |worth: Sure| worth.turned().min(Sure::win(1));
    let counting = Counting { seen, free: true, number: depth };
    phases::solve(endings, job, &counting, play)
}

/// The depth as tables have it.
fn depth(worth: Sure) -> i16 {
    match (worth.wins(), worth.loses()) {
        (Some(limit), _) => limit.into(),
        (_, Some(limit)) => -1 - i16::from(limit),
        _ => 0,
    }
}

/// Plays the phases of a layer; false if one is too long.
fn play(phases: &mut Phases<'_>, layer: &Layer) -> Result<bool, Stopped> {
    phases.begin(layer);
    if !phases.leaving(layer).all(|worth| worth.wins().or(worth.loses()).is_none_or(|limit| limit <= MOST)) {
        return Ok(false);
    }
    for left in 1..=MOST {
        // A win takes an odd number of plies, a loss an even one.
        let settled = [Sure::loss(left & !1), Sure::win((left - 1) | 1)];
        let side = SIDES[usize::from(left % 2)];
        let changed = phases.look(side, layer, left <= 2, Sure::turned, Some(settled))?;
        if changed == 0 && left > 2 {
            return Ok(true);
        }
    }
    Ok(false)
}
