//! The records of a strategy in flat arrays: position codes, moves, ranks, and a hash index over the codes.
//!
//! A *code* is the exact text or binary form of a position ([`Notation::encode`](endspiel_game::Notation)).
//! All codes of a strategy lie in one array, padded with zeros to the longest; where their lengths differ,
//! two bytes of length follow. So keys compare as codes do, and a record of a 7-byte code costs 9 bytes, 13
//! with a rank, and 5 to 11 more for the index while it is needed.

use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

/// No code is longer than this.
pub(crate) const LONGEST_CODE: usize = 4096;

/// An index slot that is free.
const FREE: u32 = u32::MAX;

/// How the codes lie in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Bytes of the longest code.
    pub longest: usize,
    /// Are some shorter?
    pub varied: bool,
}

impl Layout {
    /// Bytes from one key to the next.
    pub const fn stride(self) -> usize {
        self.longest + if self.varied { 2 } else { 0 }
    }
}

/// Distinct codes, numbered as they come, and found again by their hash.
#[derive(Clone, Default)]
pub(crate) struct Codes {
    layout: Layout,
    keys: Vec<u8>,
    count: u32,
    slots: Vec<u32>,
}

impl Codes {
    pub fn with_layout(layout: Layout) -> Self {
        Self { layout, ..Self::default() }
    }

    pub fn len(&self) -> usize {
        self.count as usize
    }

    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.keys.capacity() + self.slots.capacity() * 4
    }

    /// The padded code of record `i`.
    #[inline]
    pub fn key(&self, i: usize) -> &[u8] {
        let stride = self.layout.stride();
        &self.keys[i * stride..][..stride]
    }

    /// The code of record `i`.
    #[inline]
    pub fn code(&self, i: usize) -> &[u8] {
        let key = self.key(i);
        let Layout { longest, varied } = self.layout;
        let length =
            if varied { usize::from(u16::from_be_bytes([key[longest], key[longest + 1]])) } else { longest };
        &key[..length]
    }

    /// The hash that [`Codes::find`] asks for.
    #[inline]
    pub fn hash(code: &[u8]) -> u64 {
        xxh3_64(code)
    }

    /// The number of a code, if it is there.
    #[inline]
    pub fn find(&self, hash: u64, code: &[u8]) -> Option<u32> {
        self.probe(hash, code).ok()
    }

    /// The number of a code, or the free slot where it belongs.
    #[inline]
    fn probe(&self, hash: u64, code: &[u8]) -> Result<u32, usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = hash as usize & mask;
        while let Some(&i) = self.slots.get(slot) {
            if i == FREE {
                return Err(slot);
            }
            if self.code(i as usize) == code {
                return Ok(i);
            }
            slot = (slot + 1) & mask;
        }
        Err(0)
    }

    /// The number of a code, and whether it is new. None if there is no room for another or it is too long.
    pub fn insert(&mut self, code: &[u8]) -> Option<(u32, bool)> {
        if code.len() > LONGEST_CODE || self.count == FREE {
            return None;
        }
        if self.count as usize * 4 >= self.slots.len() * 3 {
            self.index((self.slots.len() * 2).max(64));
        }
        match self.probe(Self::hash(code), code) {
            Ok(i) => Some((i, false)),
            Err(slot) => {
                self.slots[slot] = self.count;
                self.push(code);
                Some((self.count - 1, true))
            }
        }
    }

    /// Adds a code that is known to be new, without putting it in the index.
    pub fn push(&mut self, code: &[u8]) {
        let Layout { longest, varied } = self.layout;
        if code.len() != longest && !varied || code.len() > longest {
            self.widen(code.len());
        }
        self.keys.extend_from_slice(code);
        if self.layout.varied {
            self.keys.resize(self.keys.len() + self.layout.longest - code.len(), 0);
            self.keys.extend_from_slice(&(code.len() as u16).to_be_bytes());
        }
        self.count += 1;
    }

    /// Makes room for codes of another length.
    fn widen(&mut self, length: usize) {
        let layout = if self.count == 0 {
            Layout { longest: length, varied: false }
        } else {
            Layout { longest: length.max(self.layout.longest), varied: true }
        };
        let mut wider = Self::with_layout(layout);
        wider.keys.reserve(layout.stride() * (self.len() + 1));
        for i in 0..self.len() {
            wider.push(self.code(i));
        }
        (self.layout, self.keys) = (layout, wider.keys);
    }

    /// Builds the index anew with at least so many slots and at least a quarter of them free.
    pub fn index(&mut self, slots: usize) {
        let size = slots.max(self.len() * 4 / 3 + 1).next_power_of_two();
        let mask = size - 1;
        let mut fresh = vec![FREE; size];
        for i in 0..self.len() {
            let mut slot = Self::hash(self.code(i)) as usize & mask;
            while fresh[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            fresh[slot] = i as u32;
        }
        self.slots = fresh;
    }
}

/// A strategy's records: where the prover is to move, what to play, and, in games with cycles, a rank.
#[derive(Clone, Default)]
pub(crate) struct Records {
    pub codes: Codes,
    /// The number of the move in the order of generation.
    pub moves: Vec<u16>,
    /// Empty in games without cycles.
    pub ranks: Vec<u32>,
}

impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} records", self.len())
    }
}

impl Records {
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.codes.memory() + self.moves.capacity() * 2 + self.ranks.capacity() * 4
    }

    /// Bytes a record while [`Records::sorted`] works: it twice, and its place in the order.
    pub const fn sorting(layout: Layout, ranked: bool) -> usize {
        2 * (layout.stride() + if ranked { 6 } else { 2 }) + size_of::<(u64, u32)>()
    }

    /// The rank of a record; 0 where there are none.
    #[inline]
    pub fn rank(&self, i: usize) -> u32 {
        self.ranks.get(i).copied().unwrap_or(0)
    }

    /// Those records that `keep` asks for, in the order of their codes, without an index.
    pub fn sorted(self, keep: impl Fn(usize) -> bool) -> Self {
        let mut codes = self.codes;
        codes.slots = Vec::new();
        // The first eight bytes decide nearly always; they are copied to spare the cache.
        let head = |i: usize| {
            let mut bytes = [0; 8];
            let key = codes.key(i);
            let n = key.len().min(8);
            bytes[..n].copy_from_slice(&key[..n]);
            u64::from_be_bytes(bytes)
        };
        let mut order: Vec<(u64, u32)> =
            (0..codes.len()).filter(|&i| keep(i)).map(|i| (head(i), i as u32)).collect();
        order.sort_unstable_by(|a, b| {
            a.0.cmp(&b.0).then_with(|| codes.key(a.1 as usize).cmp(codes.key(b.1 as usize)))
        });
        let order: Vec<usize> = order.into_iter().map(|(_, i)| i as usize).collect();
        let mut sorted = Self {
            codes: Codes::with_layout(codes.layout),
            moves: order.iter().map(|&i| self.moves[i]).collect(),
            ranks: order.iter().filter_map(|&i| self.ranks.get(i).copied()).collect(),
        };
        sorted.codes.keys.reserve_exact(order.len() * codes.layout.stride());
        for i in order {
            sorted.codes.keys.extend_from_slice(codes.key(i));
            sorted.codes.count += 1;
        }
        sorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_many_lengths_keep_their_numbers_and_sort_as_bytes() {
        let mut codes = Codes::default();
        assert_eq!(codes.find(Codes::hash(b"x"), b"x"), None);
        let mut rng = endspiel_game::Rng::new(3);
        let mut all: Vec<Vec<u8>> = Vec::new();
        for _ in 0..3000 {
            let code: Vec<u8> = (0..rng.below(9)).map(|_| rng.below(3) as u8).collect();
            let known = all.iter().position(|c| *c == code);
            let number = known.unwrap_or(all.len()) as u32;
            assert_eq!(codes.insert(&code), Some((number, known.is_none())));
            if known.is_none() {
                all.push(code);
            }
        }
        for (i, code) in all.iter().enumerate() {
            assert_eq!(codes.find(Codes::hash(code), code), Some(i as u32));
            assert_eq!(codes.code(i), &code[..]);
        }
        assert_eq!(codes.find(Codes::hash(&[9]), &[9]), None);
        assert_eq!(codes.insert(&[0; LONGEST_CODE + 1]), None);
        let records = Records { moves: (0..all.len() as u16).collect(), ranks: Vec::new(), codes };
        let sorted = records.sorted(|i| i != 5);
        let mut kept: Vec<_> = all.iter().enumerate().filter(|(i, _)| *i != 5).collect();
        kept.sort_by_key(|(_, code)| (*code).clone());
        assert_eq!(sorted.len(), kept.len());
        for (i, (number, code)) in kept.into_iter().enumerate() {
            assert_eq!((sorted.codes.code(i), sorted.moves[i] as usize), (&code[..], number));
        }
    }
}
