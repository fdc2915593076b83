//! Draws by perpetual check. Tables call endless play a draw; by the rules of tournaments a player who gives check with every
//! move of it loses. So wins and losses of a table stand, since nothing comes back on the way to them, and a draw stands if its
//! holder need not check for ever.
//!
//! With one piece beside the kings only the *holder*, who has it, can give check. The holder is *free* where a move that keeps the
//! draw gives no check, or where checks that keep it lead to such a position whatever the king does; a king that takes the piece
//! frees its former holder. If all drawn positions are free, none of the draws rests on perpetual check.

use super::{Endings, Material};
use endspiel_game::{Player, Position};
use endspiel_retro::{Indexed, Table};
use endspiel_rules::shogi::{Board, Kind};

/// Has this player a piece beside the king?
fn holds(board: &Board, player: Player) -> bool {
    board.pieces(player).count_ones() > 1 || Kind::IN_HAND.iter().any(|&kind| board.hand(player, kind) > 0)
}

impl Endings {
    /// How many drawn positions of a slice with one piece are drawn by perpetual check alone; none for other slices.
    pub fn held_by_checks(&self, slice: Material, table: &Table) -> Option<u64> {
        if slice.pieces() != 1 {
            return None;
        }
        let values: Vec<Option<i32>> = table.values().collect();
        let drawn = |index: u64| values[index as usize] == Some(0);
        let real = |&index: &u64| drawn(index) && self.position(slice, index).is_some();
        let mut open: Vec<u64> = (0..self.size(slice)).filter(real).collect();
        let mut free = vec![false; values.len()];
        loop {
            let before = open.len();
            open.retain(|&index| {
                let Some(board) = self.position(slice, index) else { return false };
                let mover = board.side();
                let holder = holds(&board, mover);
                let (mut any, mut all) = (false, true);
                board.moves(|m| {
                    let next = board.after(m);
                    let Some((_, there)) = self.place(&next).filter(|&(_, there)| drawn(there)) else {
                        return;
                    };
                    let frees =
                        free[there as usize] || if holder { !next.in_check() } else { holds(&next, mover) };
                    any |= frees;
                    all &= frees;
                });
                let now = if holder { any } else { all };
                free[index as usize] |= now;
                !now
            });
            if open.len() == before {
                return Some(before as u64);
            }
        }
    }
}
