//! Threats of go-moku as operators for dependency-based search (Allis 1994, section 5.3).
//!
//! An attribute says what is on a cell: a stone of the attacker's, one of the defender's, or none. An operator is a
//! threat with *all* its replies at once: a stone of the attacker's, and a stone of the defender's on each cell that
//! would meet the threat. Stones more never harm the defender, so one sequence stands for a whole tree. Six kinds, on
//! the lines of 5, 6 and 7 cells:
//!
//! | | line | before | replies | category |
//! |---|---|---|---|---|
//! | five | 5 | four stones | none | 0 |
//! | straight four | 6 | three of the inner four, ends empty | none | 1 |
//! | four | 5 | three stones | the cell left | 1 |
//! | broken three | 6 | two of the inner four, an inner one of them stays open | it and both ends | 2 |
//! | three on seven | 7 | two of the inner three | the cells next to them | 2 |
//! | three on six | 6 | two of the inner four, an outer one of them stays open | it and both ends | 2 |
//!
//! The *category* is the number of moves until the threat wins: only threats of a lower one can be put in between.

use super::board::{Geometry, Place};
use super::shapes::LOWER;
use super::space::Want;
use endspiel_rules::grid::{Direction, Grid};

/// A threat of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threat {
    /// Where the attacker plays.
    pub attack: usize,
    /// Where the defender may reply.
    pub replies: Vec<usize>,
    /// All cells of its line, in order.
    pub line: Vec<usize>,
    /// In how many moves it wins.
    pub category: u8,
}

impl Threat {
    /// The threat of a step.
    pub(super) fn new(step: &Step) -> Self {
        let cells = |list: &[u16]| list.iter().map(|&cell| cell as usize).collect::<Vec<_>>();
        let mut line = [cells(step.stones()), cells(step.empty())].concat();
        line.sort_unstable();
        Self { attack: step.attack() as usize, replies: cells(step.replies()), line, category: step.category }
    }
}

/// A threat by its place: the line, the first of its cells and how many, which of them is the attack and which are
/// replies. That says all: what is left of its inner cells are stones of the attacker's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named(u32);

impl Named {
    #[inline]
    fn new(line: usize, start: u32, length: u32, attack: u64, replies: u64) -> Self {
        Self((line as u32) << 24 | start << 18 | length << 14 | attack.trailing_zeros() << 8 | replies as u32)
    }

    /// A number that tells it from all others on the board.
    #[inline]
    pub fn number(self) -> u32 {
        self.0
    }

    /// With all its cells.
    pub fn step(self, geometry: &Geometry) -> Step {
        let (start, length, attack) = (self.0 >> 18 & 63, self.0 >> 14 & 15, 1u32 << (self.0 >> 8 & 63));
        let (line, replies) = (&geometry.lines[self.0 as usize >> 24], self.0 & 0xFF);
        let (outer, category) = match (length, replies) {
            (5, 0) => (0, 0),
            (5, _) => (0, 1),
            (6, 0) => (0b100001, 1),
            (6, _) => (0b100001, 2),
            _ => (0b1100011, 2),
        };
        let mut step = Step {
            category,
            stones: [0; 4],
            stone_count: 0,
            empty: [0; 5],
            empty_count: 0,
            filled: [line.cell((start + attack.trailing_zeros()) as usize) as u16, 0, 0, 0],
            filled_count: 1,
        };
        for place in 0..length {
            let cell = line.cell((start + place) as usize) as u16;
            if (attack | replies | outer) >> place & 1 == 0 {
                step.stones[step.stone_count as usize] = cell;
                step.stone_count += 1;
            } else {
                step.empty[step.empty_count as usize] = cell;
                step.empty_count += 1;
            }
            if replies >> place & 1 == 1 {
                step.filled[step.filled_count as usize] = cell;
                step.filled_count += 1;
            }
        }
        step
    }
}

/// An operator as the search uses it: where the attacker has stones, where there must be none, and what is filled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// In how many moves it wins.
    pub category: u8,
    stones: [u16; 4],
    stone_count: u8,
    empty: [u16; 5],
    empty_count: u8,
    /// The attack first, then the replies.
    filled: [u16; 4],
    filled_count: u8,
}

impl Step {
    /// Where the attacker plays.
    #[inline]
    pub fn attack(&self) -> u16 {
        self.filled[0]
    }

    /// Where the defender may reply.
    #[inline]
    pub fn replies(&self) -> &[u16] {
        &self.filled[1..self.filled_count as usize]
    }

    /// The attack and the replies.
    #[inline]
    pub fn filled(&self) -> &[u16] {
        &self.filled[..self.filled_count as usize]
    }

    /// Where the attacker has stones before.
    #[inline]
    pub fn stones(&self) -> &[u16] {
        &self.stones[..self.stone_count as usize]
    }

    /// What must be empty before.
    #[inline]
    pub fn empty(&self) -> &[u16] {
        &self.empty[..self.empty_count as usize]
    }
}

/// A line as it is seen by the attacker: his stones, what is empty, and which threats count.
struct View<'a> {
    number: usize,
    own: u64,
    free: u64,
    want: &'a Want,
}

impl View<'_> {
    /// Does a stone of the attacker's prolong a window, where that spoils it?
    #[inline]
    fn is_prolonged(&self, start: u32, length: u32) -> bool {
        self.want.exactly && (self.own >> (start - 1) | self.own >> (start + length)) & 1 == 1
    }

    /// The threats on the windows of five, six and seven cells that begin at these bits.
    #[inline]
    fn threats(&self, [fives, sixes, sevens]: [u64; 3], out: &mut Vec<Named>) {
        let mut starts = fives | sixes | sevens;
        while starts != 0 {
            let start = starts.trailing_zeros();
            starts &= starts - 1;
            if fives >> start & 1 == 1 && !self.is_prolonged(start, 5) {
                self.five(start, out);
            }
            if sixes >> start & 1 == 1 && !self.is_prolonged(start, 6) {
                self.six(start, out);
            }
            if sevens >> start & 1 == 1 && !self.is_prolonged(start, 7) {
                out.push(Named::new(self.number, start, 7, self.free >> start & 0b0011100, 0b0100010));
            }
        }
    }

    /// The threats on five cells: a five, or two fours.
    fn five(&self, start: u32, out: &mut Vec<Named>) {
        let free = self.free >> start & 31;
        let one = free & free.wrapping_neg();
        out.push(Named::new(self.number, start, 5, one, free ^ one));
        if free != one {
            out.push(Named::new(self.number, start, 5, free ^ one, one));
        }
    }

    /// The threats on six cells: a straight four, or two threes.
    fn six(&self, start: u32, out: &mut Vec<Named>) {
        let inner = self.free >> start & 0b011110;
        let one = inner & inner.wrapping_neg();
        if inner == one {
            return out.push(Named::new(self.number, start, 6, inner, 0));
        }
        for (attack, open) in [(one, inner ^ one), (inner ^ one, one)] {
            // Where a three on seven cells applies, that on six of them leaves the defender more replies.
            let is_three_on_seven = open == 0b10 && self.free >> (start + 6) & 1 == 1
                || open == 0b10000 && self.free >> (start - 1) & 1 == 1;
            if !is_three_on_seven {
                out.push(Named::new(self.number, start, 6, attack, open | 0b100001));
            }
        }
    }
}

/// The first bits of the windows of five, six and seven cells that hold threats, for all of a line at once: counting
/// stones is adding shifted copies of the line bit by bit, as in `shapes`.
#[inline]
fn windows(own: u64, free: u64, category: u8) -> [u64; 3] {
    let usable = own | free;
    let pairs = usable & usable >> 1;
    let open4 = pairs & pairs >> 2;
    let (a, b, c, d, e) = (own, own >> 1, own >> 2, own >> 3, own >> 4);
    let (low, high) = (a ^ b ^ c, a & b | c & (a ^ b));
    let (ones4, carry4) = (low ^ d, low & d);
    let (twos4, fours4) = (high ^ carry4, high & carry4);
    let (ones5, carry5) = (ones4 ^ e, ones4 & e);
    let (twos5, fours5) = (twos4 ^ carry5, fours4 | twos4 & carry5);
    let (fives, ends) = (open4 & usable >> 4, free & free >> 5);
    match category {
        0 => [fives & fours5 & !ones5, 0, 0],
        1 => [fives & (fours5 & !ones5 | ones5 & twos5), ends & (open4 & ones4 & twos4) >> 1, 0],
        _ => [
            fives & (fours5 & !ones5 | ones5 & twos5),
            ends & (open4 & twos4 & !fours4) >> 1,
            ends & free >> 1 & free >> 6 & (pairs & usable >> 2 & high & !low) >> 2,
        ],
    }
}

/// The threats that need the attacker's stones at a place of a line with these stones and at another bit of it, or the
/// same.
#[inline]
pub(super) fn steps_at(
    geometry: &Geometry,
    (place, other): (Place, u8),
    stones: u64,
    attacker: u32,
    want: &Want,
    out: &mut Vec<Named>,
) {
    let own = stones >> attacker & LOWER;
    let (low, high) = (place.bit.min(other), place.bit.max(other));
    let number = place.line as usize;
    let free = geometry.lines[number].inside & LOWER & !(stones | stones >> 32);
    // The windows of five with both; longer ones that begin there and have both have them in the middle.
    let both = (31 >> (high - low)) << (high - 4);
    let starts = windows(own, free, want.category).map(|starts| starts & both);
    View { number, own, free, want }.threats(starts, out);
}

/// All threats on a line with these stones.
#[inline]
pub(super) fn steps_on(
    geometry: &Geometry,
    number: usize,
    stones: u64,
    attacker: u32,
    want: &Want,
    out: &mut Vec<Named>,
) {
    let own = stones >> attacker & LOWER;
    let free = geometry.lines[number].inside & LOWER & !(stones | stones >> 32);
    View { number, own, free, want }.threats(windows(own, free, want.category), out);
}

/// The cells that prolong a line of neighbours.
pub(super) fn beyond(grid: Grid, line: &[usize]) -> impl Iterator<Item = usize> {
    let (first, last) = (line[0], line[line.len() - 1]);
    let step = line[1] - first;
    let direction = Direction::ALL.into_iter().find(|&d| grid.reach(first, d).0 == step);
    let ends = direction.map(|d| (grid.reach(first, d).1 > 0, grid.reach(last, d).2 > 0));
    let (before, behind) = ends.unwrap_or((false, false));
    before.then(|| first - step).into_iter().chain(behind.then(|| last + step))
}
