//! The transposition table that the threads of a search share without locks.
//!
//! An entry is two words of 64 bits: the data, and the whole key exclusive-or the data (Hyatt and Mann 2002):
//! halves that two threads have mixed up do not match any key, and two positions are only taken for each
//! other if their keys are equal. Four entries make a bucket, one cache line; the one of the least *worth*
//! (work, depth) gives way.
//!
//! The table begins small and doubles when the work lost to replacement says that it pays (linear hashing,
//! Litwin 1980): fresh pages and far memory cost time, so that a small search in a large table is as fast as
//! in a small one. A table is a number of equal blocks, of which the first 1, 2, 4 ... are in use; a key has
//! its place in a block and the number of its block, of which as many bits count as blocks are in use.

use bytemuck::allocation::try_zeroed_slice_box;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words in a bucket: a cache line.
const BUCKET: usize = 8;
/// The uppermost bits of the data hold the worth.
const WORTH_SHIFT: u32 = 56;
/// A block has at least so many buckets (2 MiB), if the table has.
const LEAST_BLOCK: usize = 1 << 15;
/// One bucket in so many counts what is lost in it.
const SAMPLE: u64 = 64;
/// The table grows when so many nodes of work are lost for each of its entries.
const LOST_PER_ENTRY: u64 = 8;

/// Data by key, within a given number of bytes.
pub struct Table {
    words: Box<[AtomicU64]>,
    /// The first word on a cache line's border.
    start: usize,
    /// Buckets in a block.
    block: u64,
    /// The number of blocks less one: a power of two less one.
    most: u64,
    /// The number of blocks in use less one.
    mask: AtomicU64,
    /// Work lost in the buckets of the sample since the table has grown.
    lost: AtomicU64,
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
        let blocks = 1 << (buckets / LEAST_BLOCK).max(1).ilog2();
        let block = buckets / blocks;
        let words = try_zeroed_slice_box::<AtomicU64>((block * blocks + 1) * BUCKET);
        // Where the system has less to give, less must do.
        let Ok(words) = words else { return Self::new(bytes / 2) };
        let start = words.as_ptr().align_offset(8 * BUCKET).min(BUCKET);
        let (mask, lost) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { words, start, block: block as u64, most: blocks as u64 - 1, mask, lost }
    }

    /// How many bytes it takes at most.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// How many entries it holds at most.
    pub fn capacity(&self) -> u64 {
        entries(self.block * (self.most + 1))
    }

    /// How many entries are in use, judged by a sample.
    pub fn used(&self) -> u64 {
        let sample = self.block.min(1024);
        let words = &self.words[self.start..self.start + sample as usize * BUCKET];
        let used = words.iter().skip(1).step_by(2).filter(|w| w.load(Ordering::Relaxed) != 0).count() as u64;
        used * self.block * (self.mask.load(Ordering::Relaxed) + 1) / sample
    }

    /// Where to look for `key`.
    #[inline]
    pub fn slot(&self, key: u64) -> Slot {
        let spread = spread(key);
        // The upper bits scale to any size, the lower ones number the block.
        let place = ((u128::from(spread) * u128::from(self.block)) >> 64) as u64;
        let bucket = place + self.block * (spread & self.mask.load(Ordering::Relaxed));
        Slot { key, bucket: self.start + bucket as usize * BUCKET }
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

    /// Keeps `data` of at most [`Table::DATA_BITS`] bits. More `worth`, from 1 to 255, keeps it longer: the
    /// binary logarithm of the work, or a depth.
    #[inline]
    pub fn store(&self, slot: Slot, data: u64, worth: u8) {
        // The table may have grown since the slot was made.
        let slot = self.slot(slot.key);
        let lost = self.put(slot, data | u64::from(worth.max(1)) << WORTH_SHIFT);
        if lost > 0 && ((slot.bucket / BUCKET) as u64).is_multiple_of(SAMPLE) {
            self.note_loss(lost);
        }
    }

    /// Writes an entry over the same key, an empty place or the least worth, and says what was lost by it.
    #[inline]
    fn put(&self, slot: Slot, data: u64) -> u64 {
        let bucket = self.bucket(slot);
        let (mut least, mut victim) = (u64::MAX, &bucket[..2]);
        for entry in bucket.chunks_exact(2) {
            let old = entry[1].load(Ordering::Relaxed);
            if old == 0 || entry[0].load(Ordering::Relaxed) ^ old == slot.key {
                (least, victim) = (0, entry);
                break;
            }
            if old >> WORTH_SHIFT < least {
                (least, victim) = (old >> WORTH_SHIFT, entry);
            }
        }
        write(victim, slot.key, data);
        least
    }

    /// Counts work that was lost, and grows the table when it is too much.
    #[cold]
    fn note_loss(&self, worth: u64) {
        let mask = self.mask.load(Ordering::Relaxed);
        let lost = self.lost.fetch_add(1 << worth.min(20) >> 1, Ordering::Relaxed) * SAMPLE;
        if mask == self.most || lost < LOST_PER_ENTRY * entries(self.block * (mask + 1)) {
            return;
        }
        // The thread that succeeds moves the entries; until then the others miss some, which does no harm.
        let grown = 2 * mask + 1;
        if self.mask.compare_exchange(mask, grown, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            self.lost.store(0, Ordering::Relaxed);
            let words = self.start..self.start + (self.block * (mask + 1)) as usize * BUCKET;
            for entry in self.words[words].chunks_exact(2) {
                let data = entry[1].load(Ordering::Relaxed);
                let key = entry[0].load(Ordering::Relaxed) ^ data;
                if data != 0 && spread(key) & (mask + 1) != 0 {
                    write(entry, 0, 0);
                    self.put(self.slot(key), data);
                }
            }
        }
    }
}

/// One multiplication spreads keys that are small numbers.
#[inline]
fn spread(key: u64) -> u64 {
    (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn entries(buckets: u64) -> u64 {
    buckets * (BUCKET as u64 / 2)
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
    fn it_grows_when_work_is_lost_and_keeps_what_it_has() {
        let table = Table::new(16 << 20);
        assert_eq!((table.most, table.mask.load(Ordering::Relaxed)), (3, 0));
        let keep = |keys: std::ops::Range<u64>, worth| {
            keys.map(mix).for_each(|key| table.store(table.slot(key), key >> 9, worth));
        };
        keep(0..100_000, 3);
        assert_eq!(table.mask.load(Ordering::Relaxed), 0, "nothing is lost yet");
        let held =
            || (0..100_000).map(mix).filter(|&key| table.probe(table.slot(key)) == Some(key >> 9)).count();
        let before = held();
        assert!(before > 95_000);
        std::thread::scope(|scope| {
            scope.spawn(|| keep(1_000_000..4_000_000, 2));
            scope.spawn(|| keep(4_000_000..7_000_000, 2));
        });
        assert!(table.mask.load(Ordering::Relaxed) > 1, "much is lost");
        assert!(held() > before * 9 / 10, "{before} {}", held());
        let (used, all) = (table.used(), table.capacity());
        assert!(used <= all && used > all / 4, "{used} of {all}");
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
