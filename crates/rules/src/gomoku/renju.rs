//! The cells that renju forbids to Black.
//!
//! After the rules of the Renju International Federation (articles 9.1 to 9.3). A *five* is an unbroken
//! line of exactly five black stones, an *overline* one of six or more. A *four* is a set of four stones in
//! a line that one stone makes a five; a *straight four* an unbroken four that a stone at either end makes a
//! five. A *three* is a set of three stones that one stone makes a straight four, where that stone makes no
//! five and is itself allowed; so the definition goes round through [`forbidden`], with a stone more each
//! time. Forbidden is a move that makes an overline, two fours or two threes, unless it makes a five.
//!
//! All this happens within five cells of the move on a line, so each of the four directions is looked at as
//! a `Window` of eleven cells. Most cells fail a count of the stones around them and cost no more than it.

use crate::bits::Bits;
use crate::grid::{Direction, Grid};
use std::fmt;

/// Why a cell is forbidden to Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// Six or more stones in an unbroken line.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two threes at once.
    DoubleThree,
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overline => "an overline",
            Self::DoubleFour => "a double four",
            Self::DoubleThree => "a double three",
        })
    }
}

/// Fewer black stones than this around a cell cannot make a forbidden shape with it: two threes need four.
const LEAST_AROUND: usize = 4;

/// How far from a move its shapes reach.
const REACH: usize = 5;

/// Eleven cells of a line around the cell of a move, which is bit 5 and counts as a black stone. Cells off
/// the board are neither black nor empty.
#[derive(Clone, Copy)]
struct Window {
    black: u16,
    empty: u16,
}

impl Window {
    /// The cell of the move.
    const CENTRE: usize = REACH;

    fn new<const WORDS: usize>(
        grid: Grid,
        black: &Bits<WORDS>,
        white: &Bits<WORDS>,
        cell: usize,
        direction: Direction,
    ) -> Self {
        let (step, back, forth) = grid.reach(cell, direction);
        let mut window = Self { black: 1 << Self::CENTRE, empty: 0 };
        let mut look = |cell: usize, bit: usize| {
            if black.contains(cell) {
                window.black |= 1 << bit;
            } else if !white.contains(cell) {
                window.empty |= 1 << bit;
            }
        };
        (1..=back.min(REACH)).for_each(|i| look(cell - i * step, Self::CENTRE - i));
        (1..=forth.min(REACH)).for_each(|i| look(cell + i * step, Self::CENTRE + i));
        window
    }

    fn is_black(self, bit: usize) -> bool {
        self.black >> bit & 1 != 0
    }

    fn is_empty(self, bit: usize) -> bool {
        self.empty >> bit & 1 != 0
    }

    /// The window with one more black stone.
    fn with(self, bit: usize) -> Self {
        Self { black: self.black | 1 << bit, empty: self.empty & !(1 << bit) }
    }

    /// The first and the last bit of the unbroken line through the centre.
    fn run(self) -> (usize, usize) {
        let below = (self.black << (15 - Self::CENTRE)).leading_ones() as usize;
        let above = (self.black >> Self::CENTRE).trailing_ones() as usize;
        (Self::CENTRE + 1 - below, Self::CENTRE + above - 1)
    }

    /// The length of the unbroken line through the centre; 6 stands for more, too.
    fn length(self) -> usize {
        let (first, last) = self.run();
        (last - first + 1).min(6)
    }

    /// How many fours the centre is part of.
    fn fours(self) -> usize {
        if self.black.count_ones() < 4 {
            return 0;
        }
        let fives = (1..2 * REACH).filter(|&bit| self.is_empty(bit) && self.with(bit).length() == 5).count();
        // Two stones that complete the same unbroken four are one straight four.
        if self.length() == 4 { fives.min(1) } else { fives }
    }

    /// The places that make a straight four of the centre and two more stones.
    fn straight_fours(self) -> impl Iterator<Item = usize> {
        let enough = self.black.count_ones() >= 3;
        (2..=2 * REACH - 2).filter(move |&bit| {
            enough && self.is_empty(bit) && {
                let next = self.with(bit);
                let (first, last) = next.run();
                last - first + 1 == 4
                    && (first..=last).contains(&bit)
                    && next.is_empty(first - 1)
                    && next.is_empty(last + 1)
                    && !next.is_black(first - 2)
                    && !next.is_black(last + 2)
            }
        })
    }

    /// The cell of a bit.
    fn cell(grid: Grid, centre: usize, direction: Direction, bit: usize) -> usize {
        let (step, ..) = grid.reach(centre, direction);
        if bit >= Self::CENTRE {
            centre + (bit - Self::CENTRE) * step
        } else {
            centre - (Self::CENTRE - bit) * step
        }
    }
}

/// Why a black stone on the empty `cell` is forbidden, if it is.
pub fn forbidden<const WORDS: usize>(
    grid: Grid,
    black: &Bits<WORDS>,
    white: &Bits<WORDS>,
    cell: usize,
) -> Option<Forbidden> {
    let windows = Direction::ALL.map(|direction| Window::new(grid, black, white, cell, direction));
    let around: u32 = windows.iter().map(|window| window.black.count_ones() - 1).sum();
    if (around as usize) < LEAST_AROUND || windows.iter().any(|window| window.length() == 5) {
        return None;
    }
    if windows.iter().any(|window| window.length() > 5) {
        return Some(Forbidden::Overline);
    }
    let fours = windows.map(Window::fours);
    if fours.iter().sum::<usize>() >= 2 {
        return Some(Forbidden::DoubleFour);
    }
    let mut with_cell = *black;
    with_cell.insert(cell);
    let mut threes = 0;
    for (i, direction) in Direction::ALL.into_iter().enumerate() {
        let is_three = || {
            windows[i].straight_fours().any(|bit| {
                let place = Window::cell(grid, cell, direction, bit);
                !makes_five(grid, &with_cell, place) && forbidden(grid, &with_cell, white, place).is_none()
            })
        };
        if fours[i] == 0 && is_three() {
            threes += 1;
            if threes == 2 {
                return Some(Forbidden::DoubleThree);
            }
        }
    }
    None
}

/// May a black stone on the empty and allowed `cell` become forbidden by white stones elsewhere? They take fours and overlines
/// away, but a three that did not count may count after one: there must be two directions with threes, whether
/// they count or not.
pub fn may_be_forbidden<const WORDS: usize>(
    grid: Grid,
    black: &Bits<WORDS>,
    white: &Bits<WORDS>,
    cell: usize,
) -> bool {
    let has_three = |direction: &Direction| {
        Window::new(grid, black, white, cell, *direction).straight_fours().next().is_some()
    };
    Direction::ALL.iter().filter(|&direction| has_three(direction)).count() > 1
}

/// Does a black stone on `cell` make a line of exactly five?
fn makes_five<const WORDS: usize>(grid: Grid, black: &Bits<WORDS>, cell: usize) -> bool {
    Direction::ALL.iter().any(|&direction| grid.run(black, cell, direction).2 == 5)
}

/// The empty cells that are forbidden to Black. The stones are gone through once to find the cells that have
/// enough of them around; only those are looked at closely.
pub fn all_forbidden<const WORDS: usize>(
    grid: Grid,
    black: &Bits<WORDS>,
    white: &Bits<WORDS>,
) -> Bits<WORDS> {
    let mut found = Bits::EMPTY;
    if black.len() < LEAST_AROUND {
        return found;
    }
    let mut around = [0u8; 512];
    for stone in black.iter() {
        for direction in Direction::ALL {
            let (step, back, forth) = grid.reach(stone, direction);
            (1..=back.min(REACH)).for_each(|i| around[stone - i * step] += 1);
            (1..=forth.min(REACH)).for_each(|i| around[stone + i * step] += 1);
        }
    }
    for (cell, &count) in around[..grid.cells()].iter().enumerate() {
        let suspect = count as usize >= LEAST_AROUND && !black.contains(cell) && !white.contains(cell);
        if suspect && forbidden(grid, black, white, cell).is_some() {
            found.insert(cell);
        }
    }
    found
}
