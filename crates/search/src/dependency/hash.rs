//! Tables of attributes and operators by a short hash: their keys are small numbers of our own making, so a few
//! multiplications serve better than a hash that resists attacks.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map by the short hash.
pub(super) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Short>>;
/// A set by the short hash.
pub(super) type Set<K> = HashSet<K, BuildHasherDefault<Short>>;

/// Turns, adds and multiplies each word by a constant near the golden ratio of 2^64.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Short(u64);

impl Short {
    #[inline]
    fn word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for Short {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        bytes.chunks(8).for_each(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        });
    }

    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.word(u64::from(n));
    }

    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.word(u64::from(n));
    }

    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.word(u64::from(n));
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.word(n);
    }

    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.word(n as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        // The tables take the upper bits and the lower ones.
        self.0 ^ self.0 >> 32
    }
}
