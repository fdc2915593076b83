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
use super::shapes::{LOWER, shapes};
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

    /// The threats on the window of five cells from a bit on.
    #[inline]
    fn five(&self, start: u32, out: &mut Vec<Named>) {
        let (own, free) = (self.own >> start & 31, self.free >> start & 31);
        if own | free != 31 || self.is_prolonged(start, 5) {
            return;
        }
        match own.count_ones() {
            4 => out.push(Named::new(self.number, start, 5, free, 0)),
            3 if self.want.category >= 1 => {
                let one = free & free.wrapping_neg();
                out.push(Named::new(self.number, start, 5, one, free ^ one));
                out.push(Named::new(self.number, start, 5, free ^ one, one));
            }
            _ => {}
        }
    }

    /// The threats on six cells.
    #[inline]
    fn six(&self, start: u32, out: &mut Vec<Named>) {
        let (own, free) = (self.own >> start & 63, self.free >> start & 63);
        if own | free != 63 || own & 0b100001 != 0 || self.is_prolonged(start, 6) {
            return;
        }
        let inner = free & 0b011110;
        match inner.count_ones() {
            1 if self.want.category >= 1 => out.push(Named::new(self.number, start, 6, inner, 0)),
            2 if self.want.category >= 2 => {
                let one = inner & inner.wrapping_neg();
                for (attack, open) in [(one, inner ^ one), (inner ^ one, one)] {
                    // Where a three on seven cells applies, that on six of them leaves the defender more replies.
                    let is_three_on_seven = open == 0b10 && self.free >> (start + 6) & 1 == 1
                        || open == 0b10000 && self.free >> (start - 1) & 1 == 1;
                    if !is_three_on_seven {
                        out.push(Named::new(self.number, start, 6, attack, open | 0b100001));
                    }
                }
            }
            _ => {}
        }
    }

    /// The threats on seven cells.
    #[inline]
    fn seven(&self, start: u32, out: &mut Vec<Named>) {
        let (own, free) = (self.own >> start & 127, self.free >> start & 127);
        let is_open = own | free == 127 && own & 0b1100011 == 0 && own.count_ones() == 2;
        if is_open && self.want.category >= 2 && !self.is_prolonged(start, 7) {
            out.push(Named::new(self.number, start, 7, free & 0b0011100, 0b0100010));
        }
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
    let (low, high) = (u32::from(place.bit.min(other)), u32::from(place.bit.max(other)));
    // A second stone within four cells, or there is no threat.
    if (own >> (high - 4) & 0x1FF).count_ones() < 2 {
        return;
    }
    let number = place.line as usize;
    let free = geometry.lines[number].inside & LOWER & !(stones | stones >> 32);
    let view = View { number, own, free, want };
    // The windows of five that are open and have both: without one of them nothing is.
    let usable = own | free;
    let pairs = usable & usable >> 1;
    let mut open = pairs & pairs >> 2 & usable >> 4 & (31 >> (high - low)) << (high - 4);
    while open != 0 {
        let start = open.trailing_zeros();
        open &= open - 1;
        view.five(start, out);
        if start < low && want.category >= 1 {
            view.six(start, out);
        }
        if start + 1 < low && want.category >= 2 {
            view.seven(start, out);
        }
    }
}

/// All threats on a line with these stones.
pub(super) fn steps_on(
    geometry: &Geometry,
    number: usize,
    stones: u64,
    attacker: u32,
    want: &Want,
    out: &mut Vec<Named>,
) {
    let inside = geometry.lines[number].inside;
    let exactly = if want.exactly { u64::MAX } else { 0 };
    let offered = shapes(stones, inside, exactly).cells.into_iter().fold(0, |all, cells| all | cells);
    if offered >> attacker & LOWER == 0 {
        return;
    }
    let free = inside & LOWER & !(stones | stones >> 32);
    let view = View { number, own: stones >> attacker & LOWER, free, want };
    let (first, last) = (free.trailing_zeros().min(view.own.trailing_zeros()), (inside & LOWER).ilog2());
    for start in first..last.saturating_sub(3) {
        view.five(start, out);
        if start + 5 <= last {
            view.six(start, out);
        }
        if start + 6 <= last {
            view.seven(start, out);
        }
    }
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
