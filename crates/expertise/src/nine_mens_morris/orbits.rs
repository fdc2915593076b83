//! Sets of so many men, those that are images of each other under the sixteen symmetries taken as one *orbit*.

use endspiel_rules::nine_mens_morris::points::{Points, SYMMETRIES, each, image};

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
    each(set).enumerate().map(|(i, point)| CHOOSE[point][i + 1]).sum()
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
fn inverse(s: usize) -> usize {
    // Mirrors and the exchange of squares are their own; a turn is taken back by the rest of a full one.
    if s & 4 != 0 { s } else { s & !3 | (4 - (s & 3)) & 3 }
}
