//! The table of distances from home for all C(73, 6) = 170,230,452 ways to place six pieces.
//!
//! A move can be taken back by a move, so distances to home are distances from it: breadth first, layer by layer, with
//! a bit for every configuration seen. P. Nijssen and M. Winands evaluate positions by it (Search policies in
//! multi-player games, 2013). The whole table takes a byte a configuration and two bits while it is made.

use super::star::{FIELDS, Fields, Star};

/// Pieces of a player.
pub const PIECES: usize = 6;

/// Binomial coefficients.
const CHOOSE: [[u32; PIECES + 1]; FIELDS + 1] = {
    let mut out = [[0; PIECES + 1]; FIELDS + 1];
    let mut n = 0;
    while n <= FIELDS {
        out[n][0] = 1;
        let mut k = 1;
        while k <= PIECES && k <= n {
            out[n][k] = out[n - 1][k - 1] + if k < n { out[n - 1][k] } else { 0 };
            k += 1;
        }
        n += 1;
    }
    out
};

/// All configurations.
pub(super) const CONFIGURATIONS: u32 = CHOOSE[FIELDS][PIECES];

/// The number of a configuration (combinatorial number system).
pub(super) fn number(mut set: Fields) -> u32 {
    let (mut sum, mut i) = (0, 1);
    while set != 0 {
        sum += CHOOSE[set.trailing_zeros() as usize][i];
        set &= set - 1;
        i += 1;
    }
    sum
}

/// The configuration with this number.
pub(super) fn configuration(mut number: u32) -> Fields {
    let (mut set, mut field) = (0, FIELDS);
    for left in (1..=PIECES).rev() {
        field -= 1;
        while CHOOSE[field][left] > number {
            field -= 1;
        }
        number -= CHOOSE[field][left];
        set |= 1 << field;
    }
    set
}

/// The configurations at distance 0, 1, 2 and so on, one layer at a time.
#[derive(Clone, Debug)]
pub struct Layers {
    star: Star,
    seen: Vec<u64>,
    layer: Vec<u32>,
}

impl Default for Layers {
    fn default() -> Self {
        Self::new()
    }
}

impl Layers {
    /// Begins at home.
    pub fn new() -> Self {
        let star = Star::new();
        let home = number(star.home());
        let mut seen = vec![0_u64; (CHOOSE[FIELDS][PIECES] as usize).div_ceil(64)];
        seen[home as usize / 64] |= 1 << (home % 64);
        Self { star, seen, layer: vec![home] }
    }
}

impl Iterator for Layers {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        if self.layer.is_empty() {
            return None;
        }
        let mut next = Vec::new();
        for &at in &self.layer {
            self.star.moves(configuration(at), &mut |after| {
                let there = number(after);
                let (word, bit) = (&mut self.seen[there as usize / 64], 1 << (there % 64));
                if *word & bit == 0 {
                    *word |= bit;
                    next.push(there);
                }
            });
        }
        Some(std::mem::replace(&mut self.layer, next))
    }
}

/// The distance of every configuration.
#[derive(Clone, Debug)]
pub struct Table {
    moves: Vec<u8>,
}

impl Table {
    /// Computes it; `told` hears of each layer: its distance and how many configurations it has.
    pub fn new(mut told: impl FnMut(u8, usize)) -> Self {
        let mut moves = vec![u8::MAX; CHOOSE[FIELDS][PIECES] as usize];
        for (layer, distance) in Layers::new().zip(0..) {
            told(distance, layer.len());
            for &at in &layer {
                moves[at as usize] = distance;
            }
        }
        Self { moves }
    }

    /// The moves that a player alone needs from a configuration; none if it has not six pieces on the star.
    pub fn moves(&self, set: Fields) -> Option<u8> {
        let right = set >> FIELDS == 0 && set.count_ones() as usize == PIECES;
        right.then(|| self.moves[number(set) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Configurations by distance, computed independently; all distances are in the example of the same name.
    #[test]
    fn the_first_layers_are_as_large_as_known() {
        let known = [1, 10, 89, 608, 3445, 16109, 62915, 207_184, 586_831];
        let found: Vec<usize> = Layers::new().take(known.len()).map(|layer| layer.len()).collect();
        assert_eq!(found, known);
        assert_eq!(CHOOSE[FIELDS][PIECES], 170_230_452);
        let star = Star::new();
        let mut moves = 0;
        star.moves(star.start(), &mut |_| moves += 1);
        assert_eq!(moves, 10);
        for at in [0, 1, 77_777_777, 170_230_451] {
            assert_eq!(number(configuration(at)), at);
        }
    }
}
