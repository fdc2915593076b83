//! Counting the lines of play of a given length: how rules are compared with published figures.

use crate::Position;

/// The number of lines of exactly `depth` moves. The last ply is counted, not played.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves() as u64,
        // Without this case the next one would do, with a call for every count.
        2 => {
            let mut total = 0;
            position.moves(|m| total += position.after(m).count_moves() as u64);
            total
        }
        _ => {
            let mut total = 0;
            position.moves(|m| total += perft(&position.after(m), depth - 1));
            total
        }
    }
}
