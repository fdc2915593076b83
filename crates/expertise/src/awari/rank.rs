//! Numbers for awari positions: two rows of six pits, each with a rank among the rows of as many stones.
//!
//! A row with s stones is a choice of five bars among s + 5 places (stars and bars), ranked in the
//! combinatorial number system: the sum of C(p_i + i - 1, i), where p_i is the sum of the first i pits. The
//! number of a position lists the rows of the player *not* to move by stones and rank, and with each all rows
//! of the player to move: so the successors of a fixed row of the mover lie in runs.

use endspiel_rules::awari::sowing::{STONES, stones};

/// `CHOOSE[i][p]` = C(p + i - 1, i).
static CHOOSE: [[u32; STONES + 2]; 6] = choose();

const fn choose() -> [[u32; STONES + 2]; 6] {
    let mut out = [[0; STONES + 2]; 6];
    let mut p = 0;
    while p < STONES + 2 {
        out[0][p] = 1;
        let mut i = 1;
        while i < 6 {
            // C(p + i - 1, i) = C(p + i - 2, i) + C(p + i - 2, i - 1)
            out[i][p] = if p == 0 { 0 } else { out[i][p - 1] + out[i - 1][p] };
            i += 1;
        }
        p += 1;
    }
    out
}

/// How many rows hold so many stones: C(s + 5, 5).
#[inline]
pub fn rows(stones: usize) -> usize {
    CHOOSE[5][stones + 1] as usize
}

/// The rank of a row among those with as many stones.
#[inline]
pub fn rank(row: u64) -> u32 {
    // The bytes of this product are the sums of the pits up to each.
    let sums = row.wrapping_mul(0x0101_0101_0101);
    let at = |i: usize| CHOOSE[i][(sums >> (8 * (i - 1))) as usize & 0xff];
    at(1) + at(2) + at(3) + at(4) + at(5)
}

/// The row with this rank among those with so many stones.
pub fn row(stones: usize, rank: u32) -> u64 {
    let (mut left, mut above, mut row) = (rank, stones, 0_u64);
    for i in (1..6).rev() {
        // The largest sum of the first i pits whose share of the rank is not too much.
        let sum = CHOOSE[i][..=above].partition_point(|&share| share <= left) - 1;
        left -= CHOOSE[i][sum];
        row |= ((above - sum) as u64) << (8 * i);
        above = sum;
    }
    row | above as u64
}

/// Where the positions of a level lie, by the stones of the player not to move.
#[derive(Clone, Debug)]
pub struct Level {
    stones: usize,
    first: [u64; STONES + 2],
}

impl Level {
    /// The level with so many stones on the board, at most 48.
    pub fn new(stones: usize) -> Self {
        let mut first = [0; STONES + 2];
        for other in 0..=stones {
            first[other + 1] = first[other] + (rows(other) * rows(stones - other)) as u64;
        }
        Self { stones, first }
    }

    /// How many positions there are: C(n + 11, 11).
    pub fn size(&self) -> u64 {
        self.first[self.stones + 1]
    }

    /// The number of the first position where the player not to move has the row `other`; the rows of the
    /// player to move follow by rank.
    #[inline]
    pub fn run(&self, other_stones: usize, other_rank: u32) -> u64 {
        self.first[other_stones] + u64::from(other_rank) * rows(self.stones - other_stones) as u64
    }

    /// The number of a position.
    #[inline]
    pub fn index(&self, own: u64, other: u64) -> u64 {
        self.run(stones(other).into(), rank(other)) + u64::from(rank(own))
    }

    /// The rows of the player to move and of the other.
    pub fn rows(&self, index: u64) -> (u64, u64) {
        let other = self.first[..=self.stones].partition_point(|&first| first <= index) - 1;
        let own = self.stones - other;
        let within = index - self.first[other];
        let width = rows(own) as u64;
        (row(own, (within % width) as u32), row(other, (within / width) as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_a_position_and_back() {
        for n in 0..=7 {
            let level = Level::new(n);
            for index in 0..level.size() {
                let (own, other) = level.rows(index);
                assert_eq!(usize::from(stones(own) + stones(other)), n);
                assert_eq!(level.index(own, other), index);
            }
        }
    }

    /// C(n + 11, 11), and the sum 1,171,666,558,335 over all levels but 47, which play cannot reach.
    #[test]
    fn levels_have_the_published_sizes() {
        let size = |n| Level::new(n).size();
        assert_eq!([1, 12, 78, 364, 1365], [0, 1, 2, 3, 4].map(size));
        assert_eq!((size(20), size(35), size(48)), (84_672_315, 13_340_783_196, 279_871_768_995));
        assert_eq!((0..=48).filter(|&n| n != 47).map(size).sum::<u64>(), 1_171_666_558_335);
        for index in (0..Level::new(48).size()).step_by(9_876_543_211) {
            let (own, other) = Level::new(48).rows(index);
            assert_eq!(Level::new(48).index(own, other), index);
        }
    }
}
