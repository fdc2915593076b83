//! Decoded blocks of a file, up to so many bytes: asked without a lock, the least used thrown out first.
//!
//! Where there is room for all of them, a block is set once and stays: asking is one load. Otherwise each block has
//! a slot that is read and replaced atomically. A block that is asked for is marked; when room is needed a hand goes
//! round, takes the marks away, and throws out the first block without one (the clock, or second-chance, algorithm).

use arc_swap::ArcSwapOption;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};

/// Decoded blocks.
pub enum Cache {
    /// There is room for all.
    Whole(Vec<OnceLock<Box<[u8]>>>),
    /// There is not.
    Part(Clocked),
}

/// Decoded blocks, the least used thrown out first.
pub struct Clocked {
    slots: Vec<Slot>,
    limit: u64,
    clock: Mutex<Clock>,
}

#[derive(Default)]
struct Slot {
    cells: ArcSwapOption<Box<[u8]>>,
    asked: AtomicBool,
}

#[derive(Default)]
struct Clock {
    hand: usize,
    bytes: u64,
}

impl Cache {
    /// Room for `limit` bytes of so many blocks that have so many bytes together.
    pub fn new(blocks: usize, bytes: u64, limit: u64) -> Self {
        if bytes <= limit {
            return Self::Whole(std::iter::repeat_with(OnceLock::new).take(blocks).collect());
        }
        let slots = std::iter::repeat_with(Slot::default).take(blocks).collect();
        Self::Part(Clocked { slots, limit, clock: Mutex::default() })
    }

    /// How many blocks there are, decoded or not.
    pub fn blocks(&self) -> usize {
        match self {
            Self::Whole(slots) => slots.len(),
            Self::Part(part) => part.slots.len(),
        }
    }

    /// What `read` makes of a block, if it is here.
    #[inline]
    pub fn get<T>(&self, block: usize, read: impl FnOnce(&[u8]) -> T) -> Option<T> {
        match self {
            Self::Whole(slots) => slots[block].get().map(|cells| read(cells)),
            Self::Part(part) => part.get(block, read),
        }
    }

    /// Keeps a block if it fits at all.
    pub fn put(&self, block: usize, cells: Box<[u8]>) {
        match self {
            // Another thread may have been faster, with the same bytes.
            Self::Whole(slots) => drop(slots[block].set(cells)),
            Self::Part(part) => part.put(block, cells),
        }
    }
}

impl Clocked {
    #[inline]
    fn get<T>(&self, block: usize, read: impl FnOnce(&[u8]) -> T) -> Option<T> {
        let slot = &self.slots[block];
        let found = slot.cells.load();
        let cells = found.as_ref()?;
        if !slot.asked.load(Relaxed) {
            slot.asked.store(true, Relaxed);
        }
        Some(read(cells))
    }

    fn put(&self, block: usize, cells: Box<[u8]>) {
        let bytes = cells.len() as u64;
        let Ok(mut clock) = self.clock.lock() else { return };
        if bytes > self.limit || self.slots[block].cells.load().is_some() {
            return;
        }
        // Twice round: the first time may only take marks away.
        let mut left = 2 * self.slots.len();
        while clock.bytes + bytes > self.limit && left > 0 {
            let slot = &self.slots[clock.hand];
            clock.hand = (clock.hand + 1) % self.slots.len();
            left -= 1;
            if !slot.asked.swap(false, Relaxed)
                && let Some(gone) = slot.cells.swap(None)
            {
                clock.bytes -= gone.len() as u64;
            }
        }
        if clock.bytes + bytes <= self.limit {
            clock.bytes += bytes;
            self.slots[block].cells.store(Some(Arc::new(cells)));
        }
    }

    /// The bytes kept.
    #[cfg(test)]
    fn bytes(&self) -> u64 {
        self.slots.iter().filter_map(|slot| slot.cells.load().as_ref().map(|cells| cells.len() as u64)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_used_goes_and_the_limit_holds() {
        let Cache::Part(cache) = Cache::new(100, 10_000, 1000) else { panic!("there is room for a tenth") };
        let put = |block: usize| cache.put(block, vec![block as u8; 100].into());
        let first = |block: usize| cache.get(block, |cells| cells[0]);
        (0..10).for_each(put);
        assert_eq!(first(3), Some(3));
        (10..19).for_each(put);
        assert_eq!((cache.bytes(), first(3), first(4), first(18)), (1000, Some(3), None, Some(18)));
        cache.put(50, vec![0; 1001].into());
        assert_eq!(first(50), None);
        std::thread::scope(|scope| {
            for start in 0..4 {
                let (cache, put) = (&cache, &put);
                scope.spawn(move || {
                    for i in 0..5000 {
                        let block = (start * 7 + i * 13) % 100;
                        if let Some(value) = cache.get(block, |cells| cells[99]) {
                            assert_eq!(value, block as u8);
                        } else {
                            put(block);
                        }
                    }
                });
            }
        });
        assert!(cache.bytes() <= 1000);
    }

    #[test]
    fn where_there_is_room_everything_stays() {
        let cache = Cache::new(3, 300, 300);
        assert_eq!((cache.blocks(), cache.get(1, |cells| cells[0])), (3, None));
        cache.put(1, vec![7; 100].into());
        cache.put(1, vec![7; 100].into());
        assert_eq!(cache.get(1, |cells| cells[99]), Some(7));
    }
}
