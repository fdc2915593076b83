//! How a slice is cut for the disk: what fits into the memory given, and what files it takes.

use crate::Metric;
use crate::cut::{Cut, Looked};
use crate::file::BLOCK;
use crate::spool;
use crate::words::MOST_WORKERS;

/// What is taken beside parts, tables below and buffers: pieces on their way, and what the reading of files takes.
const FIXED: u64 = 4 << 20;
/// What a position of the part in memory takes: its state, and its place in a list of what is final now.
const EACH: u64 = 8;
/// Spools that are filled at the same time.
pub(super) const SPOOLS: u64 = 2;
/// Words that are on their way at once, but for what a few positions have.
pub(super) const IN_HAND: usize = FIXED as usize / 4 / 8;

/// How a slice is cut for the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Numbers of a part.
    pub share: u64,
    /// How many parts there are.
    pub count: u64,
    /// Bytes of tables below, and of buffers, in memory at once.
    pub(super) quarter: u64,
}

impl Parts {
    /// The parts of a slice with so many numbers in so much memory, where those that it converts into have `below`; none if
    /// it is too little. Half of it is for a part, a quarter for the slices below, a quarter for what is on its way.
    pub fn new(size: u64, below: u64, memory: u64) -> Option<Self> {
        let room = memory.checked_sub(FIXED)?;
        let block = BLOCK as u64;
        let share = (room / 2 / EACH / block * block).min(u64::from(u32::MAX) / block * block);
        let count = size.checked_div(share)? + 1;
        let parts = Self { share, count, quarter: room / 4 };
        // A part and a bucket have a buffer of a spool each.
        let most = count.max(below.div_ceil(parts.bucket()));
        let buffers = most * SPOOLS * spool::LEAST as u64 * 8;
        (most <= MOST_WORKERS as u64 && buffers <= parts.quarter).then_some(parts)
    }

    /// Parts of so many blocks, whatever memory there is: small slices are cut so in tests.
    pub(crate) fn of_blocks(size: u64, blocks: u64) -> Self {
        let share = blocks.max(1) * BLOCK as u64;
        Self { share, count: size / share + 1, quarter: 1 << 18 }
    }

    /// A few parts of a small slice, four or more if it has as many blocks, with as much room for what is on its way.
    pub(crate) fn of_small(self, size: u64) -> Self {
        Self { quarter: self.quarter, ..Self::of_blocks(size, (size / 4 / BLOCK as u64).min(4)) }
    }

    /// The least memory in which a slice can be cut, in whole mebibytes.
    pub fn least(size: u64, below: u64) -> u64 {
        (1..1 << 24).map(|m| m << 20).find(|&m| Self::new(size, below, m).is_some()).unwrap_or(u64::MAX)
    }

    /// How many numbers of the slices below are asked for at once: cells have at most two bytes.
    pub(super) fn bucket(&self) -> u64 {
        let block = BLOCK as u64;
        (self.quarter / 2 / block * block).max(block)
    }

    /// Can a metric be made in parts, or by workers that share a slice? Those of the fifty-move rule and the depth by the rule
    /// go through a slice in another way.
    pub fn serve(metric: Metric) -> bool {
        use Metric::{Conversion, End, Score, Value, Zeroing};
        matches!(metric, Score | Value | End | Conversion | Zeroing)
    }
}

/// The bytes of files that solving a slice takes beside its table, from the moves of some of its positions.
pub fn scratch(cut: &dyn Cut, size: u64) -> u64 {
    const SAMPLE: u64 = 512;
    let (mut looked, mut away, mut inside) = (Looked::default(), 0, 0);
    let step = (size / SAMPLE).max(1);
    let sample = size.div_ceil(step).max(1);
    for number in (0..size).step_by(step as usize) {
        cut.look(number, &mut looked);
        away += looked.away.len() as u64;
        inside += looked.inside.len() as u64;
    }
    // Questions and answers; later the news; the moves and, turned round, once more with where those of each place begin. A
    // quarter more for luck.
    let kept = if cut.tells() { 0 } else { 24 * inside + 8 * sample };
    let each = 4 * sample + (24 * away).max(8 * inside) + kept;
    (u128::from(size) * u128::from(each) * 5 / 4 / u128::from(sample)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fit_into_the_memory_they_are_given() {
        for size in [1, 100_000, 400_000_000, 280_000_000_000] {
            for below in [0, size, 40 * size] {
                let least = Parts::least(size, below);
                assert_eq!(Parts::new(size, below, least - (1 << 20)), None);
                for memory in [least, 2 * least, 1 << 36] {
                    let parts = Parts::new(size, below, memory).unwrap();
                    assert!(parts.share * parts.count > size - 1 && parts.share.is_multiple_of(BLOCK as u64));
                    assert!(parts.share * EACH + 2 * parts.quarter + FIXED <= memory);
                    // What a word tells apart.
                    assert!(below.div_ceil(parts.bucket()) <= MOST_WORKERS as u64);
                }
            }
        }
        assert!(Parts::least(100_000, 100_000) <= 8 << 20);
    }

    #[test]
    fn a_small_slice_is_cut_into_a_few_parts() {
        let large = Parts::new(4_000_000, 0, 8 << 20).unwrap();
        for (size, count) in [(40_000, 3), (100_000, 7), (200_000, 5), (400_000, 7)] {
            let cut = large.of_small(size);
            assert_eq!((cut.count, cut.quarter), (count, large.quarter), "{size}");
            assert!(cut.share * cut.count >= size);
        }
    }
}
