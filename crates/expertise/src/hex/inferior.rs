//! Cells that need not be played: dead, captured, vulnerable and dominated ones.
//!
//! A pair of neighbours is *captured* by a player if either of the two is dead once he has the other: he
//! answers one with the other, so both count as his. Dead and captured cells are *filled in*: that changes
//! the value of no position that arises by playing elsewhere. A cell is *vulnerable* for the player to move
//! if a reply makes his stone there dead. Whoever wins by such a move wins a position with both cells the
//! opponent's, and so by a move that is not vulnerable: all of them can be left out together. A cell is
//! *dominated* by another if the other one fills it in for the same player. (Hayward and van Rijswijck 2006;
//! side triangles of Hayward and others 2003 are the case of two cells captured at a side.)

use super::lattice::{Lattice, Stones, cells_of};
use endspiel_game::Player;

/// The stones with dead and captured cells filled in, looked for among `near` and around what is filled. Dead
/// cells are given to `player`.
pub(super) fn fill_in(lattice: &Lattice, mut stones: Stones, player: Player, mut near: u64) -> Stones {
    loop {
        let empty = lattice.cells() & !(stones[0] | stones[1]);
        near &= empty;
        if near == 0 {
            return stones;
        }
        let cell = near.trailing_zeros() as usize;
        near &= near - 1;
        let filled = if lattice.is_dead(cell, stones) {
            stones[player.index()] |= 1 << cell;
            1 << cell
        } else {
            captured_with(lattice, &mut stones, cell, empty)
        };
        near |= lattice.around(filled);
    }
}

/// Fills a captured pair that `cell` belongs to: the cells of it.
fn captured_with(lattice: &Lattice, stones: &mut Stones, cell: usize, empty: u64) -> u64 {
    for player in 0..2 {
        let mut with_cell = *stones;
        with_cell[player] |= 1 << cell;
        for other in cells_of(lattice.neighbours(cell) & empty) {
            if lattice.is_dead(other, with_cell) {
                let mut with_other = *stones;
                with_other[player] |= 1 << other;
                if lattice.is_dead(cell, with_other) {
                    let pair = 1 << cell | 1 << other;
                    stones[player] |= pair;
                    return pair;
                }
            }
        }
    }
    0
}

/// Empty cells of a filled-in board among which there is a winning move if there is one.
pub(super) fn worth_playing(lattice: &Lattice, stones: Stones, mover: Player) -> u64 {
    let empty = lattice.cells() & !(stones[0] | stones[1]);
    let (own, other) = (mover.index(), mover.other().index());
    let mut good = empty;
    let mut fills = [0; 64];
    for cell in cells_of(empty) {
        let near = lattice.neighbours(cell) & empty;
        let mut killed = stones;
        killed[other] |= 1 << cell;
        for victim in cells_of(near & good) {
            if lattice.is_dead(victim, killed) {
                good &= !(1 << victim);
            }
        }
        let mut moved = stones;
        moved[own] |= 1 << cell;
        fills[cell] = fill_in(lattice, moved, mover, near)[own] & !moved[own];
    }
    for cell in cells_of(good) {
        if good >> cell & 1 != 0 {
            good &= !fills[cell];
        }
    }
    good
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stone_on_the_second_row_captures_the_two_cells_below_it() {
        let lattice = Lattice::of(5).expect("it fits");
        // c4 of the first player, whose sides are the rows: b5 and c5.
        let filled = fill_in(lattice, [1 << 17, 0], Player::FIRST, lattice.cells());
        let pair = 1 << 21 | 1 << 22;
        assert_eq!((filled[0] & pair, filled[1]), (pair, 0));
        // Empty boards have neither dead nor captured cells, but b5 and c5 are worse than c4.
        let empty = fill_in(lattice, [0, 0], Player::FIRST, lattice.cells());
        assert_eq!(empty, [0, 0]);
        let good = worth_playing(lattice, empty, Player::FIRST);
        assert_eq!(good & (1 << 21 | 1 << 22 | 1 << 1 | 1 << 2), 0);
        assert_ne!(good & 1 << 17, 0);
    }
}
