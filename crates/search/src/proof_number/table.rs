//! The transposition table: 24 bytes an entry, sized from the memory given, shared by threads without locks.
//!
//! An entry is three words, the first of them xored with the other two, so that a torn write is seen as a
//! miss (Hyatt and Mann 2002). Four entries make a bucket; where a bucket is full, the entry with the least
//! work behind it goes. The full 64-bit key is compared. A table starts small and grows sixteenfold, in the end to
//! fifteen sixteenths of the memory, so that old and new together stay within it.

use bytemuck::allocation::try_zeroed_slice_box;
use endspiel_game::{Position, Question, Symmetric, mix};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

const BUCKET: usize = 4;
const ENTRY_BYTES: usize = 24;
/// The first size is at least this, if there is memory.
const START: usize = 1 << 12;
const GROWTH: usize = 16;
/// Depths above this are not told apart.
pub(crate) const DEEPEST: u32 = (1 << 13) - 1;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Not solved yet.
    Open { pn: u32, dn: u32 },
    /// Solved, however the position was reached.
    Solved { yes: bool, height: u32 },
    /// Solved on one path to the root, whose signature this is, by repeating a position of it.
    OnPath { yes: bool, signature: u64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub value: Value,
    /// The last bits of the key of the child that decides, or seems to.
    pub hint: u16,
    /// The least depth at which the position was met; `OnPath`: the depth of the position repeated.
    pub depth: u32,
    /// Nodes spent on it.
    pub work: u32,
}

/// The key of a position and its question; symmetric positions have the same.
#[inline]
pub(crate) fn key_of<P: Position + Symmetric>(position: &P, question: Question) -> u64 {
    // Positions hash small numbers by `mix` too: the question must come from elsewhere, or a stone more and
    // another question would give the same key.
    const QUESTIONS: u64 = 0xA5A5 << 48;
    let asked = u64::from(question.at_least as u32) << 1 | u64::from(question.player.0 & 1);
    mix(position.canonical_key() ^ mix(QUESTIONS | asked))
}

type Slot = [AtomicU64; 3];

/// The size to begin with: a sixteenth of a sixteenth and so on of the last one.
fn first_size(limit: usize) -> usize {
    let mut size = limit;
    while size >= START * GROWTH {
        size = size / GROWTH / BUCKET * BUCKET;
    }
    size
}

/// The size after this one.
fn next_size(size: usize, limit: usize) -> usize {
    let next = size.saturating_mul(GROWTH);
    // What is missing by rounding is not worth another move.
    if next > limit / 2 { limit } else { next }
}

pub(crate) struct Table {
    slots: Box<[Slot]>,
    filled: AtomicUsize,
    limit: usize,
}

impl Table {
    /// A table that takes at most `memory` bytes. It grows while [`Table::make_room`] is called.
    pub fn new(memory: usize) -> Self {
        let limit = (memory / 16 * 15 / ENTRY_BYTES / BUCKET).max(1) * BUCKET;
        Self { slots: empty(first_size(limit)), filled: AtomicUsize::new(0), limit }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots = empty(first_size(self.limit));
        self.filled = AtomicUsize::new(0);
    }

    /// Is it more than half full, and is memory left?
    pub fn is_crowded(&self) -> bool {
        self.filled() * 2 > self.slots.len() && self.slots.len() < self.limit
    }

    /// Grows if it is crowded.
    pub fn make_room(&mut self) {
        if self.is_crowded() {
            self.resize(next_size(self.slots.len(), self.limit));
        }
    }

    /// Takes all the memory it may have at once: while threads share the table it cannot grow.
    pub fn take_all_room(&mut self) {
        if self.slots.len() < self.limit {
            self.resize(self.limit);
        }
    }

    /// How many entries are in use.
    pub fn filled(&self) -> usize {
        self.filled.load(Relaxed)
    }

    fn resize(&mut self, size: usize) {
        let Ok(slots) = try_zeroed_slice_box(size) else {
            // The system has no more to give.
            self.limit = self.slots.len();
            return;
        };
        let old = std::mem::replace(&mut self.slots, slots);
        self.filled = AtomicUsize::new(0);
        for slot in &old {
            let [check, value, meta] = words(slot);
            if meta != 0 {
                self.write(check ^ value ^ meta, value, meta, |_, _| true);
            }
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        let buckets = (self.slots.len() / BUCKET) as u128;
        let first = ((u128::from(key) * buckets) >> 64) as usize * BUCKET;
        &self.slots[first..first + BUCKET]
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        for slot in self.bucket(key) {
            let [check, value, meta] = words(slot);
            if meta != 0 && check == key ^ value ^ meta {
                return Some(decode(value, meta));
            }
        }
        None
    }

    /// Keeps an entry, in place of a lesser one if need be. What is solved for good stays so.
    #[inline]
    pub fn store(&self, key: u64, entry: &Entry) {
        let (value, meta) = encode(entry);
        let solved = matches!(entry.value, Value::Solved { .. });
        self.write(key, value, meta, |value, meta| {
            solved || !matches!(decode(value, meta).value, Value::Solved { .. })
        });
    }

    fn write(&self, key: u64, value: u64, meta: u64, may_replace: impl Fn(u64, u64) -> bool) {
        let bucket = self.bucket(key);
        let (mut place, mut least) = (0, u64::MAX);
        for (i, slot) in bucket.iter().enumerate() {
            let [check, old_value, old_meta] = words(slot);
            if old_meta == 0 {
                if least != 0 {
                    (place, least) = (i, 0);
                }
            } else if check == key ^ old_value ^ old_meta {
                if !may_replace(old_value, old_meta) {
                    return;
                }
                (place, least) = (i, 1);
                break;
            } else if (old_meta >> 32) + 1 < least {
                (place, least) = (i, (old_meta >> 32) + 1);
            }
        }
        if least == 0 {
            self.filled.fetch_add(1, Relaxed);
        }
        let slot = &bucket[place];
        slot[0].store(key ^ value ^ meta, Relaxed);
        slot[1].store(value, Relaxed);
        slot[2].store(meta, Relaxed);
    }
}

/// Pages that the system zeroes when they are first used: room not needed costs nothing.
fn empty(size: usize) -> Box<[Slot]> {
    bytemuck::allocation::zeroed_slice_box(size)
}

#[inline]
fn words(slot: &Slot) -> [u64; 3] {
    [slot[0].load(Relaxed), slot[1].load(Relaxed), slot[2].load(Relaxed)]
}

// The meta word: kind (3 bits, never 0), depth (13), hint (16), work (32).
#[inline]
fn encode(entry: &Entry) -> (u64, u64) {
    let (kind, value) = match entry.value {
        Value::Open { pn, dn } => (1, u64::from(pn) | u64::from(dn) << 32),
        Value::Solved { yes, height } => (2 | u64::from(yes), u64::from(height)),
        Value::OnPath { yes, signature } => (4 | u64::from(yes), signature),
    };
    let depth = u64::from(entry.depth.min(DEEPEST)) << 3;
    (value, kind | depth | u64::from(entry.hint) << 16 | u64::from(entry.work) << 32)
}

#[inline]
fn decode(value: u64, meta: u64) -> Entry {
    let value = match meta & 7 {
        kind @ (2 | 3) => Value::Solved { yes: kind & 1 == 1, height: value as u32 },
        kind @ (4 | 5) => Value::OnPath { yes: kind & 1 == 1, signature: value },
        _ => Value::Open { pn: value as u32, dn: (value >> 32) as u32 },
    };
    let depth = (meta >> 3) as u32 & DEEPEST;
    Entry { value, hint: (meta >> 16) as u16, depth, work: (meta >> 32) as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_new_together_stay_within_the_memory() {
        for memory in [10_000, 1 << 20, 64 << 20, 100_000_000, 512 << 20, 3 << 30] {
            let limit = Table::new(memory).limit;
            let mut size = first_size(limit);
            while size < limit {
                let next = next_size(size, limit);
                assert!(next > size && (size + next) * ENTRY_BYTES <= memory, "{memory}: {size} to {next}");
                size = next;
            }
            assert!(size * ENTRY_BYTES * 100 >= memory * 90, "{memory}");
        }
    }

    #[test]
    fn entries_survive_growth_and_the_least_work_goes_first() {
        let entry = |n: u64| Entry {
            value: match n % 3 {
                0 => Value::Open { pn: n as u32, dn: 7 },
                1 => Value::Solved { yes: n.is_multiple_of(2), height: n as u32 },
                _ => Value::OnPath { yes: true, signature: mix(n) },
            },
            hint: n as u16,
            depth: n as u32 % DEEPEST,
            work: n as u32,
        };
        let mut table = Table::new(1 << 20);
        for n in 1..20_000 {
            table.store(mix(n), &entry(n));
            table.make_room();
        }
        for n in 1..20_000 {
            if let Some(found) = table.probe(mix(n)) {
                assert_eq!(found, entry(n));
            }
        }
        let kept = (1..20_000).filter(|&n| table.probe(mix(n)).is_some()).count();
        assert!(kept > 19_000, "{kept} kept");
        assert!(table.slots.len() * ENTRY_BYTES <= 1 << 20);

        let full = Table::new(BUCKET * ENTRY_BYTES);
        assert_eq!(full.slots.len(), BUCKET);
        for n in 1..=9 {
            full.store(n, &entry(n));
        }
        assert!((6..=9).filter(|&n| full.probe(n).is_some()).count() >= 1);
        assert_eq!(full.probe(9), Some(entry(9)), "the newest is always kept");
    }

    #[test]
    fn what_is_solved_stays_solved() {
        let table = Table::new(1 << 12);
        let solved = Entry { value: Value::Solved { yes: true, height: 3 }, hint: 1, depth: 2, work: 5 };
        table.store(42, &solved);
        table.store(42, &Entry { value: Value::Open { pn: 1, dn: 1 }, hint: 0, depth: 0, work: 9 });
        assert_eq!(table.probe(42), Some(solved));
    }
}
