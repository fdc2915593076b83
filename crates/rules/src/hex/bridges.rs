//! Sides that answers alone connect: chains of groups that are one bridge apart.
//!
//! Two groups of a player's stones with two empty cells next to both cannot be kept apart: when the opponent takes one of the two, the
//! player takes the other (a *bridge*; van Rijswijck 2000 and many before). So a way from side to side over groups, with two cells for every
//! step and none of them used twice, wins whatever the opponent plays. Who is to move may take one step with a single cell: he
//! puts a stone there. Cost: a search over such ways, given up after [`STEPS`] steps; so a connection may be missed, never made up.

use super::topology::Topology;
use crate::bits::Bits;
use endspiel_game::Player;

/// The search takes so many steps and no more.
const STEPS: u32 = 256;

/// Is the player sure to connect the sides by answers alone? If he `moves` now, a single cell may serve once.
pub(super) fn connected<const WORDS: usize>(
    board: &Topology,
    player: Player,
    stones: Bits<WORDS>,
    empty: Bits<WORDS>,
    moves: bool,
) -> bool {
    let groups = groups(board, player, stones, empty);
    let mut search = Search { groups: &groups, met: Bits::EMPTY, left: STEPS };
    search.reaches(HOME, empty, moves)
}

/// The numbers of the two sides among the groups.
const HOME: usize = 0;
const GOAL: usize = 1;

/// The empty cells next to each side and to each group that touches neither. Stones that hang on a side are part of it.
fn groups<const WORDS: usize>(
    board: &Topology,
    player: Player,
    stones: Bits<WORDS>,
    empty: Bits<WORDS>,
) -> Vec<Bits<WORDS>> {
    let sides = [board.home(player), board.goal(player)];
    let mut left = stones;
    let mut groups = Vec::with_capacity(8);
    for side in sides {
        let (group, liberties) = flood(board, stones, empty, side & stones);
        left = left.without(group);
        groups.push(liberties | side & empty);
    }
    while let Some(stone) = left.lowest() {
        let (group, liberties) = flood(board, stones, empty, [stone].into_iter().collect());
        left = left.without(group);
        groups.push(liberties);
    }
    groups
}

/// All stones that hang on some, and the empty cells next to them.
fn flood<const WORDS: usize>(
    board: &Topology,
    stones: Bits<WORDS>,
    empty: Bits<WORDS>,
    mut open: Bits<WORDS>,
) -> (Bits<WORDS>, Bits<WORDS>) {
    let (mut group, mut near) = (Bits::EMPTY, Bits::EMPTY);
    while let Some(cell) = open.lowest() {
        open.remove(cell);
        group.insert(cell);
        let around = board.neighbours(cell);
        near |= around;
        open |= (around & stones).without(group);
    }
    (group, near & empty)
}

struct Search<'a, const WORDS: usize> {
    groups: &'a [Bits<WORDS>],
    /// The numbers of the groups on the way.
    met: Bits<WORDS>,
    left: u32,
}

impl<const WORDS: usize> Search<'_, WORDS> {
    /// Does a way lead from this group to the goal over `free` cells, and one step with a single cell if `spare`?
    fn reaches(&mut self, from: usize, free: Bits<WORDS>, spare: bool) -> bool {
        if from == GOAL {
            return true;
        }
        self.met.insert(from);
        let found =
            (1..self.groups.len()).any(|to| !self.met.contains(to) && self.steps(from, to, free, spare));
        self.met.remove(from);
        found
    }

    /// Does such a way begin with a step to that group?
    fn steps(&mut self, from: usize, to: usize, free: Bits<WORDS>, spare: bool) -> bool {
        let shared = self.groups[from] & self.groups[to] & free;
        let mut seconds = shared;
        for first in shared.iter() {
            seconds.remove(first);
            let mut rest = free;
            rest.remove(first);
            for second in seconds.iter() {
                let mut rest = rest;
                rest.remove(second);
                if self.spend() && self.reaches(to, rest, spare) {
                    return true;
                }
            }
            if spare && self.spend() && self.reaches(to, rest, false) {
                return true;
            }
        }
        false
    }

    /// Is there a step left?
    fn spend(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::wins;
    use super::super::{Hex, HexPosition};
    use endspiel_game::{Game, Player, Position, Rng, TwoPlayer};
    use std::collections::HashMap;

    /// What is secured must be won. How many players are secured?
    fn secured(position: &HexPosition<2>, known: &mut HashMap<u64, bool>) -> u32 {
        let mut count = 0;
        for player in [Player::FIRST, Player::SECOND] {
            if !position.turn().is_over() && position.secured(player, 1) {
                count += 1;
                assert_eq!(wins(position, known), position.mover() == player, "{position:?}");
            }
        }
        count
    }

    #[test]
    fn who_is_secured_wins() {
        // Every position of 3x3, also those with stones that alternate moves do not give.
        let game = Hex::from_variant("3").expect("a game");
        let (mut known, mut count) = (HashMap::new(), 0);
        for number in 0..3u32.pow(9) {
            let sign = |cell: u32| ['.', 'b', 'w'][(number / 3u32.pow(cell) % 3) as usize];
            let rows: Vec<String> = (0..3).map(|r| (0..3).map(|c| sign(3 * r + c)).collect()).collect();
            for mover in ['b', 'w'] {
                if let Ok(position) = game.read(&format!("{} {mover}", rows.join("/"))) {
                    count += secured(&position, &mut known);
                }
            }
        }
        assert_eq!(count, 20_924);
        // Random ones of 4x4.
        let game = Hex::from_variant("4").expect("a game");
        let (mut known, mut rng, mut count) = (HashMap::new(), Rng::new(7), 0);
        for _ in 0..3000 {
            let mut position = game.start();
            while let Some(m) = position.random_move(&mut rng) {
                position.play(m);
                count += secured(&position, &mut known);
            }
        }
        assert!(count > 10_000, "{count}");
    }

    #[test]
    fn bridges_that_share_a_cell_do_not_count_twice() {
        let read = |text: &str| Hex::from_variant("3").and_then(|game| game.read(text)).expect("a position");
        // One stone in the middle: a bridge to either side.
        let middle = read(".../.b./... w");
        assert!(middle.secured(Player::FIRST, 1) && !middle.secured(Player::SECOND, 1));
        // The lower bridge is broken: White stands on one of its cells; Black to move mends it.
        assert!(!read(".../.b./.w. w").secured(Player::FIRST, 1));
        assert!(read(".../.b./.w. b").secured(Player::FIRST, 1));
        // Before the swap nothing is sure.
        let swap = Hex::from_variant("3,swap").expect("a game");
        assert!(!swap.read(".../.b./... w").expect("a position").secured(Player::FIRST, 1));
    }
}
