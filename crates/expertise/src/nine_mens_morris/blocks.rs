//! How a *block*, all positions with the same men of the first side, sees the board: the points that are left, numbered, with sets of
//! them as words; and how sets of one block's points become those of another.

use super::orbits::{CHOOSE, Orbits, unrank};
use endspiel_rules::nine_mens_morris::FLYING;
use endspiel_rules::nine_mens_morris::points::{ALL, MILLS, NEIGHBOURS, Points, each, image_point, in_mill};

/// Points left by the smallest first side.
pub const LEFT: usize = 21;
/// Points whose sets are looked up at once.
const LOW: usize = 9;

/// A change of points: sets of those that one block leaves as sets of those that another one leaves.
pub struct Change {
    pub bits: [Points; LEFT],
    low: Vec<Points>,
    high: Vec<Points>,
}

impl Change {
    /// Every point has this set instead.
    pub fn new(bits: [Points; LEFT]) -> Self {
        Self { bits, low: Vec::new(), high: Vec::new() }
    }

    /// With tables, for many sets of so many points.
    pub fn with_tables(bits: [Points; LEFT], points: usize) -> Self {
        let sums = |bits: &[Points]| {
            let mut out = vec![0; 1 << bits.len()];
            for set in 1..out.len() {
                out[set] = out[set & (set - 1)] | bits[set.trailing_zeros() as usize];
            }
            out
        };
        let cut = LOW.min(points);
        Self { bits, low: sums(&bits[..cut]), high: sums(&bits[cut..points]) }
    }

    #[inline]
    pub fn slowly(&self, set: Points) -> Points {
        each(set).fold(0, |out, point| out | self.bits[point])
    }

    #[inline]
    pub fn of(&self, set: Points) -> Points {
        self.low[set as usize & ((1 << LOW) - 1)] | self.high[set as usize >> LOW]
    }
}

/// The points that a block leaves.
pub struct Free {
    /// In order.
    pub points: [u8; LEFT],
    pub many: usize,
    /// The number of each among them.
    pub at: [u8; 24],
}

impl Free {
    pub fn new(taken: Points) -> Self {
        let mut out = Self { points: [0; LEFT], many: 0, at: [0; 24] };
        for point in each(ALL & !taken).take(LEFT) {
            out.at[point] = out.many as u8;
            out.points[out.many] = point as u8;
            out.many += 1;
        }
        out
    }

    pub fn points(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.points[..self.many].iter().map(|&point| usize::from(point)).enumerate()
    }

    /// A set of the board as one of the points left.
    pub fn narrow(&self, set: Points) -> Points {
        self.points().filter(|(_, point)| set >> point & 1 != 0).fold(0, |out, (at, _)| out | 1 << at)
    }

    /// Every point left as the set of that point of the board.
    pub fn wide(&self) -> [Points; LEFT] {
        let mut out = [0; LEFT];
        self.points().for_each(|(at, point)| out[at] = 1 << point);
        out
    }
}

/// A move of the first side: the block it leads to, and how that block sees the board.
#[derive(Clone, Copy)]
pub struct Step {
    pub block: u32,
    pub symmetry: u8,
    pub from: u8,
}

/// The number of each set of so many of the points left.
pub struct Ranks(Vec<u16>);

impl Ranks {
    pub fn new(sets: &[Points], points: usize) -> Self {
        let mut out = vec![0; 1 << points];
        for (number, &set) in sets.iter().enumerate() {
            out[set as usize] = number as u16;
        }
        Self(out)
    }

    #[inline]
    pub fn of(&self, set: Points) -> usize {
        usize::from(self.0[set as usize])
    }
}

/// All sets of so many of so many points, by number.
pub fn sets(points: usize, men: usize) -> Vec<Points> {
    (0..CHOOSE[points][men]).map(|number| unrank(number, men)).collect()
}

/// How a block sees a set of the first side's men.
pub struct Seen {
    pub block: usize,
    pub symmetry: usize,
    pub first: Points,
    pub keep: u16,
    pub free: Free,
}

impl Seen {
    pub fn new(orbits: &Orbits, men: Points) -> Self {
        let (block, symmetry) = orbits.orbit(men);
        let (first, keep) = orbits.first(block);
        Self { block, symmetry, first, keep, free: Free::new(first) }
    }

    /// The points that another block leaves, as this one sees them; what it does not leave is nothing.
    pub fn change(&self, from: &Free) -> [Points; LEFT] {
        let mut out = [0; LEFT];
        for (at, point) in from.points() {
            let point = image_point(point, self.symmetry);
            if self.first >> point & 1 == 0 {
                out[at] = 1 << self.free.at[point];
            }
        }
        out
    }
}

/// The points that a block leaves to the other side: where men go, and mills.
pub struct Lanes {
    pub free: Free,
    pub reach: [Points; LEFT],
    mills: [[Points; 2]; LEFT],
}

impl Lanes {
    /// For so many men of the other side.
    pub fn new(base: Points, men: usize) -> Self {
        /// No mill: no set has all points.
        const NEVER: Points = Points::MAX;
        let free = Free::new(base);
        let (mut reach, mut mills) = ([0; LEFT], [[NEVER; 2]; LEFT]);
        for (at, point) in free.points() {
            let flies = men == FLYING as usize;
            reach[at] = free.narrow(if flies { ALL } else { NEIGHBOURS[point] });
            mills[at] = MILLS[point].map(|mill| if mill & base == 0 { free.narrow(mill) } else { NEVER });
        }
        Self { free, reach, mills }
    }

    #[inline]
    pub fn in_mill(&self, men: Points, at: usize) -> bool {
        let [a, b] = self.mills[at];
        men & a == a || men & b == b
    }
}

/// Calls `found` with where a man of these comes from, where it goes if nobody is in its way, and whether that closes a mill.
pub fn moves_of(base: Points, mut found: impl FnMut(usize, usize, bool)) {
    let flies = base.count_ones() == FLYING;
    for from in each(base) {
        let stays = base & !(1 << from);
        for to in each(if flies { ALL } else { NEIGHBOURS[from] } & !base) {
            found(from, to, in_mill(stays, to));
        }
    }
}

/// The moves of a block's first side that take nothing.
pub fn steps(orbits: &Orbits, block: usize) -> Vec<Step> {
    let (base, _) = orbits.first(block);
    let mut out = Vec::new();
    moves_of(base, |from, to, closes| {
        if !closes {
            let (there, symmetry) = orbits.orbit(base & !(1 << from) | 1 << to);
            let (block, symmetry) = (there as u32, symmetry as u8);
            out.push(Step { block, symmetry, from: from as u8 });
        }
    });
    out
}
