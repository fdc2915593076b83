//! The transposition table that the threads of a search share without locks.
//!
//! An entry is two words of 64 bits: the data, and the whole key exclusive-or the data (Hyatt and Mann 2002):
//! halves that two threads have mixed up do not match any key, and two positions are only taken for each
//! other if their keys are equal. Four entries make a bucket, one cache line; the one of the least *worth*
//! (work, depth) gives way.
//! The pages are zero and untouched until used: a large table costs nothing in a small search.

use std::sync::atomic::{AtomicU64, Ordering};

/// Words in a bucket: a cache line.
const BUCKET: usize = 8;
/// The uppermost bits of the data hold the worth.
const WORTH_SHIFT: u32 = 56;

/// Data by key, within a given number of bytes.
pub struct Table {
    words: Box<[AtomicU64]>,
    /// The first word on a cache line's border.
    start: usize,
    buckets: u64,
}

/// Where the data of a key is or would be.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    key: u64,
    bucket: usize,
}

impl Slot {
    /// The key it was made from.
    #[inline]
    pub fn key(self) -> u64 {
        self.key
    }
}

impl Table {
    /// Data must fit into so many bits.
    pub const DATA_BITS: u32 = WORTH_SHIFT;

    /// A table of at most `bytes`, and at least one bucket.
    pub fn new(bytes: usize) -> Self {
        let buckets = (bytes / (8 * BUCKET)).saturating_sub(1).max(1);
        let words = bytemuck::allocation::zeroed_slice_box::<AtomicU64>((buckets + 1) * BUCKET);
        let start = words.as_ptr().align_offset(8 * BUCKET).min(BUCKET);
        Self { words, start, buckets: buckets as u64 }
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// How many entries it holds at most.
    pub fn capacity(&self) -> u64 {
        self.buckets * BUCKET as u64 / 2
    }

    /// How many entries are in use, judged by a sample.
    pub fn used(&self) -> u64 {
        let sample = self.buckets.min(1024);
        let words = &self.words[self.start..self.start + sample as usize * BUCKET];
        let used = words.iter().skip(1).step_by(2).filter(|w| w.load(Ordering::Relaxed) != 0).count() as u64;
        used * self.buckets / sample
    }

    /// Where to look for `key`.
    #[inline]
    pub fn slot(&self, key: u64) -> Slot {
        // One multiplication spreads keys that are small numbers, a second one scales to any size.
        let spread = (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let bucket = ((u128::from(spread) * u128::from(self.buckets)) >> 64) as usize;
        Slot { key, bucket: self.start + bucket * BUCKET }
    }

    #[inline]
    fn bucket(&self, slot: Slot) -> &[AtomicU64] {
        &self.words[slot.bucket..slot.bucket + BUCKET]
    }

    /// The data kept for a key.
    #[inline]
    pub fn probe(&self, slot: Slot) -> Option<u64> {
        for entry in self.bucket(slot).chunks_exact(2) {
            let data = entry[1].load(Ordering::Relaxed);
            if entry[0].load(Ordering::Relaxed) ^ data == slot.key && data != 0 {
                return Some(data & ((1 << WORTH_SHIFT) - 1));
            }
        }
        None
    }

    /// Keeps `data` of at most [`Table::DATA_BITS`] bits. More `worth`, from 1 to 255, keeps it longer.
    #[inline]
    pub fn store(&self, slot: Slot, data: u64, worth: u8) {
        let new = data | u64::from(worth.max(1)) << WORTH_SHIFT;
        let bucket = self.bucket(slot);
        let (mut least, mut victim) = (u64::MAX, &bucket[..2]);
        for entry in bucket.chunks_exact(2) {
            let old = entry[1].load(Ordering::Relaxed);
            if old == 0 || entry[0].load(Ordering::Relaxed) ^ old == slot.key {
                victim = entry;
                break;
            }
            if old >> WORTH_SHIFT < least {
                (least, victim) = (old >> WORTH_SHIFT, entry);
            }
        }
        write(victim, slot.key, new);
    }
}

#[inline]
fn write(entry: &[AtomicU64], key: u64, data: u64) {
    entry[0].store(key ^ data, Ordering::Relaxed);
    entry[1].store(data, Ordering::Relaxed);
}

/// How much work a search of so many nodes was, as a worth: the binary logarithm.
#[inline]
pub fn worth_of(nodes: u64) -> u8 {
    (64 - nodes.leading_zeros()) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::{Rng, mix};

    #[test]
    fn it_takes_the_memory_it_is_given() {
        for bytes in [4096, 100_000, 1 << 20, 50_000_000] {
            let table = Table::new(bytes);
            assert!(table.bytes() <= bytes && table.bytes() >= bytes / 100 * 95, "{bytes}");
        }
        assert_eq!(Table::new(0).capacity(), 4);
    }

    #[test]
    fn it_never_gives_the_data_of_another_key() {
        let table = Table::new(1 << 12);
        let mut rng = Rng::new(1);
        let data = |key: u64| mix(key) >> 8;
        let mut found = 0;
        for _ in 0..100_000 {
            let key = rng.bits() % 1000;
            let slot = table.slot(key);
            if let Some(kept) = table.probe(slot) {
                assert_eq!(kept, data(key));
                found += 1;
            }
            table.store(slot, data(key), (key % 40) as u8);
        }
        assert!(found > 10_000 && table.used() > table.capacity() / 2);
    }

    #[test]
    fn the_least_worth_gives_way() {
        let table = Table::new(1);
        let keep = |key, worth| table.store(table.slot(key), key, worth);
        (1..=4).for_each(|key| keep(key, 9 + key as u8));
        (10..20).for_each(|key| keep(key, 1));
        let held: Vec<u64> = (1..20).filter(|&key| table.probe(table.slot(key)).is_some()).collect();
        assert_eq!(held, [2, 3, 4, 19]);
    }
}
