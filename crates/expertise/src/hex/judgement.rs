//! What is known of one position: who wins it, if that can be told, and the moves that are worth a look.
//!
//! Dead and captured cells are filled in; then the connections of both players are built up together, the
//! smallest first, until one of them is found to win. Otherwise the player to move must play into every semi
//! connection of the opponent's sides (the *mustplay* region), on a cell that is not inferior; if there is no
//! such cell he has lost.

use super::connections::Connections;
use super::inferior::{fill_in, worth_playing};
use super::lattice::{Lattice, Stones, cells_of};
use endspiel_game::Player;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Judgement {
    /// Does the player to move win?
    pub wins: Option<bool>,
    /// Empty cells among which there is a best move: one of them if it is known who wins.
    pub moves: u64,
}

/// The connections of both players.
#[derive(Default)]
pub(super) struct Judge {
    own: Connections,
    other: Connections,
}

impl Judge {
    /// Judges a position in which nobody has connected the sides yet.
    pub fn judge(&mut self, lattice: &Lattice, stones: Stones, mover: Player) -> Judgement {
        let empty = lattice.cells() & !(stones[0] | stones[1]);
        let won = |own: u64, way: u64| Judgement {
            wins: Some(true),
            moves: next_on_way(lattice, mover, own, way & empty) & empty,
        };
        let lost = |some: u64| {
            let some = if some & empty == 0 { empty } else { some & empty };
            Judgement { wins: Some(false), moves: some & some.wrapping_neg() }
        };
        let filled = fill_in(lattice, stones, mover, empty);
        let (own, other) = (filled[mover.index()], filled[mover.other().index()]);
        if lattice.is_joined(mover, own) {
            return won(stones[mover.index()], own);
        }
        if lattice.is_joined(mover.other(), other) {
            return lost(other);
        }
        self.own.start(lattice, mover, own, other);
        self.other.start(lattice, mover.other(), other, own);
        let (mut more_own, mut more_other) = (true, true);
        for size in 0..Connections::LARGEST {
            more_own = more_own && self.own.advance(size);
            if let Some((_, key)) = self.own.threat() {
                return Judgement { wins: Some(true), moves: 1 << key };
            }
            if let Some(carrier) = self.own.won() {
                return won(own, carrier);
            }
            more_other = more_other && self.other.advance(size);
            if let Some(carrier) = self.other.won() {
                return lost(carrier);
            }
            if !more_own && !more_other {
                break;
            }
        }
        let moves = worth_playing(lattice, filled, mover) & self.other.mustplay();
        if moves == 0 { lost(empty) } else { Judgement { wins: None, moves } }
    }
}

/// The first cell of a shortest way between the player's sides over `own` stones and cells of `way`.
fn next_on_way(lattice: &Lattice, player: Player, own: u64, way: u64) -> u64 {
    let [home, goal] = lattice.sides(player);
    let (passable, mut steps) = (own | way, Vec::new());
    // Each set is what can be reached with one more new stone.
    let mut reached = lattice.flood(home, own);
    let mut frontier = (home | lattice.around(reached)) & way & !reached;
    while reached & goal == 0 && frontier != 0 {
        steps.push(frontier);
        reached |= frontier;
        reached |= lattice.flood(lattice.around(frontier) & own, own);
        frontier = lattice.around(reached) & passable & !reached;
    }
    // Back from the goal: a cell of each set that is next to what was chosen after it.
    let mut target = goal;
    let mut chosen = 0;
    let mut touching = target | lattice.around(lattice.flood(target, own));
    for set in steps.into_iter().rev() {
        let pick = set & touching;
        chosen = pick & pick.wrapping_neg();
        target = chosen;
        let near = lattice.around(target);
        touching = near | lattice.around(lattice.flood(near, own));
    }
    if chosen == 0 { cells_of(way).next().map_or(0, |cell| 1 << cell) } else { chosen }
}
