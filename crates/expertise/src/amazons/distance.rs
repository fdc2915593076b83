//! How many queen moves and how many king moves the amazons of a side need to each square, by waves.

use endspiel_rules::amazons::reach::{queen, spread, squares};

/// Out of reach.
pub(super) const FAR: u8 = 100;

/// The distances from the nearest amazon of a side to every square.
pub(super) struct Distances {
    pub queen: [u8; 100],
    pub king: [u8; 100],
}

impl Distances {
    /// From `amazons`, over squares that are not `occupied`.
    pub fn of(amazons: u128, occupied: u128) -> Self {
        let by_queen = |wave: u128| squares(wave).fold(0, |next, at| next | queen(at, occupied));
        Self { queen: waves(amazons, occupied, by_queen), king: waves(amazons, occupied, spread) }
    }
}

fn waves(amazons: u128, occupied: u128, step: impl Fn(u128) -> u128) -> [u8; 100] {
    let mut distances = [FAR; 100];
    let (mut wave, mut open) = (amazons, !occupied);
    for moves in 1..FAR {
        wave = step(wave) & open;
        if wave == 0 {
            break;
        }
        open &= !wave;
        for at in squares(wave) {
            distances[at] = moves;
        }
    }
    distances
}
