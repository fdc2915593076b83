//! Which desk each game of lines works at.
//!
//! Renju's forbidden cells make a stone more a burden at times, and so does the rule that only lines of exactly
//! five win. There no move is left out for another one on more lines; and in renju Black, who may not be able to play
//! where a plan says, does not hold White by weights.

use super::Lines;
use super::desk::{Desk, Judge, Terms};
use super::five::Five;
use super::geometry::Geometry;
use super::openings;
use endspiel_game::{Player, TwoPlayer};
use endspiel_rules::bits::Bits;
use endspiel_rules::gomoku::{GomokuPosition, Rule};
use endspiel_rules::mnk::MnkPosition;
use endspiel_rules::qubic::{QubicPosition, lines::LINES};
use endspiel_rules::stones::Stones;
use std::cell::RefCell;

/// So many attacks are remembered on boards of one word, as a power of two.
const REMEMBERED: u32 = 16;
/// So many nodes a search for threats may take on larger boards, where only the search itself remembers what it
/// found: as a power of two, so much.
const NODES: Option<u64> = Some(500);
const BRIEFLY: u32 = 10;

thread_local! {
    static FOUR: RefCell<Desk<1, 2, 2>> = RefCell::new(Desk::new(REMEMBERED, None).with_pairs());
    static SMALL: RefCell<Desk<1, 4, 5>> = RefCell::new(Desk::new(REMEMBERED, None).with_pairs());
    static LARGE: RefCell<Desk<6, 21, 5>> = RefCell::new(Desk::new(BRIEFLY, NODES).with_pairs());
    static CUBE: RefCell<Desk<1, 2, 2>> = RefCell::new(Desk::new(REMEMBERED, None));
    static FIVE: RefCell<Five<4, 11>> = RefCell::new(Five::new(Desk::new(BRIEFLY, NODES)));
    static LARGE_FIVE: RefCell<Five<7, 18>> = RefCell::new(Five::new(Desk::new(BRIEFLY, NODES)));
}

/// The stones of the player to move and of the opponent.
fn sets<const C: usize>(stones: &Stones<C>) -> [Bits<C>; 2] {
    [*stones.of(stones.mover()), *stones.of(stones.mover().other())]
}

impl Lines for MnkPosition<1> {
    fn judge<T>(&self, then: impl FnOnce(&mut dyn Judge) -> T) -> T {
        let (grid, length, sets) = (self.stones().grid(), self.line(), sets(self.stones()));
        let shape = (grid.width, grid.height, length as u8);
        // 64 cells have at most 4 * 64 lines; with 32 they fit in half the room.
        if length <= 4 && grid.cells() <= 32 {
            let geometry = || Geometry::of_grid(grid, length);
            FOUR.with_borrow_mut(|desk| then(desk.lay(shape, Terms::PLAIN, sets, geometry)))
        } else {
            let geometry = || Geometry::of_grid(grid, length);
            SMALL.with_borrow_mut(|desk| then(desk.lay(shape, Terms::PLAIN, sets, geometry)))
        }
    }
}

impl Lines for MnkPosition<6> {
    fn judge<T>(&self, then: impl FnOnce(&mut dyn Judge) -> T) -> T {
        let (grid, length) = (self.stones().grid(), self.line());
        let shape = (grid.width, grid.height, length as u8);
        let geometry = || Geometry::of_grid(grid, length);
        LARGE.with_borrow_mut(|desk| then(desk.lay(shape, Terms::PLAIN, sets(self.stones()), geometry)))
    }
}

impl Lines for QubicPosition {
    const GUIDES: bool = true;

    fn judge<T>(&self, then: impl FnOnce(&mut dyn Judge) -> T) -> T {
        let mover = self.mover();
        let sets = [mover, mover.other()].map(|player| Bits([self.stones(player)]));
        let lines = LINES.iter().enumerate().map(|(run, &line)| (run, Bits([line]), Bits::EMPTY));
        let geometry = || Geometry::new(64, 4, lines);
        CUBE.with_borrow_mut(|desk| then(desk.lay((4, 4, 4), Terms::PLAIN, sets, geometry)))
    }

    fn opening(&self, attacker: Player) -> Option<(u32, u32)> {
        openings::qubic(self, attacker)
    }
}

/// What a rule of go-moku says of the player to move and of the opponent.
fn terms(rule: Rule, mover: Player) -> Terms {
    let black = [mover, mover.other()].map(|player| player == Player::FIRST);
    match rule {
        Rule::Free => Terms::PLAIN,
        Rule::Standard => Terms { exactly: [true; 2], barred: [false; 2] },
        Rule::Renju => Terms { exactly: black, barred: black },
    }
}

macro_rules! five_in_a_row {
    ($($words:literal $desk:ident)*) => {$(
        impl Lines for GomokuPosition<$words> {
            fn judge<T>(&self, then: impl FnOnce(&mut dyn Judge) -> T) -> T {
                let terms = terms(self.rule(), self.stones().mover());
                $desk.with_borrow_mut(|desk| then(desk.lay(self, terms, sets(self.stones()))))
            }

            fn allows(&self, cell: usize) -> bool {
                self.stones().mover() != Player::FIRST || self.forbidden(cell).is_none()
            }
        }
    )*};
}

five_in_a_row! { 4 FIVE 7 LARGE_FIVE }
