//! Sets of so many men, those that are images of each other under the sixteen symmetries taken as one *orbit*.

use endspiel_rules::nine_mens_morris::points::{Points, SYMMETRIES, image};

/// Binomial coefficients.
pub const CHOOSE: [[u32; 10]; 25] = {
    let mut out = [[0; 10]; 25];
    let mut n = 0;
    while n < 25 {
        out[n][0] = 1;
        let mut k = 1;
        while k < 10 && k <= n {
            out[n][k] = out[n - 1][k - 1] + if k < n { out[n - 1][k] } else { 0 };
            k += 1;
        }
        n += 1;
    }
    out
};

/// The number of a set among those with as many men (combinatorial number system).
#[inline]
pub fn rank(set: Points) -> u32 {
    let low = (set & 0xfff) as usize;
    let below = usize::from(COUNTS[low]);
    LOW[low] + HIGH[below][(set >> 12) as usize & 0xfff]
}

/// How many points a set of the first twelve has.
static COUNTS: [u8; 1 << 12] = {
    let mut out = [0; 1 << 12];
    let mut set = 1;
    while set < 1 << 12 {
        out[set] = out[set & (set - 1)] + 1;
        set += 1;
    }
    out
};

/// The number of a set of the first twelve points.
static LOW: [u32; 1 << 12] = sums(0, 0);

/// What a set of the last twelve points adds, by how many points there are below: sets have at most nine.
static HIGH: [[u32; 1 << 12]; 10] = {
    let mut out = [[0; 1 << 12]; 10];
    let mut below = 0;
    while below < 10 {
        out[below] = sums(12, below);
        below += 1;
    }
    out
};

/// By set of twelve points, the first of them `first`, the sum of what its points count when `below` are below them.
const fn sums(first: usize, below: usize) -> [u32; 1 << 12] {
    let mut out = [0; 1 << 12];
    let mut set: usize = 1;
    while set < 1 << 12 {
        // The highest point, and the rest of the set.
        let high = set.ilog2() as usize;
        let rest = set & !(1 << high);
        let count = below + rest.count_ones() as usize + 1;
        if count < 10 {
            out[set] = out[rest] + CHOOSE[first + high][count];
        }
        set += 1;
    }
    out
}

/// What is left of eight points, by the points taken out and the set: the others moved together.
static SQUEEZED: [[u8; 256]; 256] = {
    let mut out = [[0; 256]; 256];
    let mut taken = 0;
    while taken < 256 {
        let mut set = 1;
        while set < 256 {
            let high = (set as u32).ilog2();
            let gap = high - (taken & ((1 << high) - 1) as usize).count_ones();
            let here = if taken >> high & 1 == 0 { 1 << gap } else { 0 };
            out[taken][set] = out[taken][set & !(1 << high)] | here;
            set += 1;
        }
        taken += 1;
    }
    out
};

/// A set with some points that are not in it taken out of the board.
#[inline]
pub fn squeezed(set: Points, taken: Points) -> Points {
    let ring = |r: u32| {
        let byte = |word: Points| (word >> (8 * r)) as usize & 255;
        (Points::from(SQUEEZED[byte(taken)][byte(set)]), 8 - u32::from(COUNTS[byte(taken)]))
    };
    let ((outer, a), (middle, b), (inner, _)) = (ring(0), ring(1), ring(2));
    outer | middle << a | inner << (a + b)
}

/// The set of `men` men with this number.
#[inline]
pub fn unrank(mut number: u32, men: usize) -> Points {
    let (mut set, mut point) = (0, 24);
    for left in (1..=men).rev() {
        point -= 1;
        while CHOOSE[point][left] > number {
            point -= 1;
        }
        number -= CHOOSE[point][left];
        set |= 1 << point;
    }
    set
}

/// The sets of so many men.
#[derive(Debug)]
pub struct Orbits {
    /// By the number of a set: its orbit, and the symmetry that leads to the orbit's first set.
    of: Vec<u32>,
    /// The first set of each orbit, and the symmetries that keep it as it is.
    firsts: Vec<(Points, u16)>,
}

impl Orbits {
    /// The sets of so many men.
    pub fn new(men: usize) -> Self {
        const UNSEEN: u32 = u32::MAX;
        let mut of = vec![UNSEEN; CHOOSE[24][men] as usize];
        let mut firsts = Vec::new();
        for number in 0..of.len() {
            if of[number] != UNSEEN {
                continue;
            }
            let (set, orbit) = (unrank(number as u32, men), firsts.len() as u32);
            let mut keep = 0;
            for s in 0..SYMMETRIES {
                let other = image(set, s);
                if other == set {
                    keep |= 1 << s;
                }
                of[rank(other) as usize] = orbit << 4 | inverse(s) as u32;
            }
            firsts.push((set, keep));
        }
        Self { of, firsts }
    }

    /// How many orbits there are.
    pub fn many(&self) -> u64 {
        self.firsts.len() as u64
    }

    /// The orbit of a set, and the symmetry that leads to its first one.
    #[inline]
    pub fn orbit(&self, set: Points) -> (usize, usize) {
        let found = self.of[rank(set) as usize];
        ((found >> 4) as usize, (found & 15) as usize)
    }

    /// The first set of an orbit, and the symmetries that keep it.
    #[inline]
    pub fn first(&self, orbit: usize) -> (Points, u16) {
        self.firsts[orbit]
    }
}

/// The symmetry that takes another one back.
pub fn inverse(s: usize) -> usize {
    // Mirrors and the exchange of squares are their own; a turn is taken back by the rest of a full one.
    if s & 4 != 0 { s } else { s & !3 | (4 - (s & 3)) & 3 }
}
