//! What workers say to each other, packed into words of 64 bits.
//!
//! A *seat* is where a number of a slice lives: a worker (16 bits) and the place within its run (32 bits). News of a
//! position are its seat and a label (16 bits). A question has two words: the seat that is asked with the slice, by its
//! place among the conversions, and the seat that asks with the gain of the move. A move has two: the seat where it
//! leads and the one where it begins.

use crate::Label;

/// The most workers that a seat can tell apart.
pub const MOST_WORKERS: usize = 1 << 16;

/// Two words.
pub type Pair = (u64, u64);

/// Puts a worker, 16 more bits and a place into a word.
#[inline]
pub fn pack(worker: usize, more: u16, place: u32) -> u64 {
    (worker as u64) << 48 | u64::from(more) << 32 | u64::from(place)
}

/// The worker of a word.
#[inline]
pub fn worker(word: u64) -> u64 {
    word >> 48
}

/// The further bits of a word.
#[inline]
pub fn more(word: u64) -> u16 {
    (word >> 32) as u16
}

/// The place of a word.
#[inline]
pub fn place(word: u64) -> usize {
    (word & 0xffff_ffff) as usize
}

/// The label of a piece of news.
#[inline]
pub fn label(word: u64) -> Label {
    Label(more(word))
}

/// The same seat with other bits.
#[inline]
pub fn with(word: u64, more: u16) -> u64 {
    word & !(0xffff << 32) | u64::from(more) << 32
}
