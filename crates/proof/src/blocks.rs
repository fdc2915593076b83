//! How records become bytes: blocks of sorted records in columns, compressed with zstd.
//!
//! Neighbours in sorted order share long prefixes, so a code is stored as the length it shares with the one
//! before and the rest. The columns of a block: number of records; shared lengths; code lengths, if they
//! vary; the rests of the codes; moves; ranks, if there are any. Numbers are LEB128 (seven bits a byte). Only
//! the one shortest form of each is read.

use crate::records::{LONGEST_CODE, Records};

/// A block is closed when it holds so many records ...
pub(crate) const BLOCK_RECORDS: usize = 1 << 18;
/// ... or its codes so many bytes.
const BLOCK_CODES: usize = 4 << 20;
/// No block is larger than this before compression: 16 bytes for the numbers of each record at most.
pub(crate) const RAW_LIMIT: usize = BLOCK_CODES + LONGEST_CODE + 16 * BLOCK_RECORDS + 16;
/// zstd's effort: higher ones gain little and cost much.
const LEVEL: i32 = 12;

fn put(out: &mut Vec<u8>, mut n: u32) {
    while n >= 128 {
        out.push(n as u8 | 128);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Reads numbers and bytes off a decompressed block.
struct Cursor<'a> {
    bytes: &'a [u8],
}

impl<'a> Cursor<'a> {
    fn number(&mut self) -> Result<u32, &'static str> {
        let mut n = 0u64;
        for shift in (0..35).step_by(7) {
            let byte = self.take(1)?[0];
            n |= u64::from(byte & 127) << shift;
            if byte == 0 && shift > 0 {
                return Err("a number is longer than it needs to be");
            }
            if byte < 128 {
                return u32::try_from(n).map_err(|_| "a number is too large");
            }
        }
        Err("a number is too long")
    }

    fn numbers(&mut self, count: usize) -> Result<Vec<u32>, &'static str> {
        (0..count).map(|_| self.number()).collect()
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], &'static str> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or("it ends too early")?;
        self.bytes = rest;
        Ok(taken)
    }
}

fn shared(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

/// The records from `start` on, as many as one block takes: its bytes before compression, and where the
/// next block starts.
pub(crate) fn pack(records: &Records, start: usize) -> (Vec<u8>, usize) {
    let (mut heads, mut lengths, mut rests, mut tails) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut end = start;
    let mut before: &[u8] = &[];
    while end < records.len() && end - start < BLOCK_RECORDS && rests.len() < BLOCK_CODES {
        let code = records.codes.code(end);
        let same = shared(before, code);
        put(&mut heads, same as u32);
        if records.codes.layout().varied {
            put(&mut lengths, code.len() as u32);
        }
        rests.extend_from_slice(&code[same..]);
        before = code;
        end += 1;
    }
    records.moves[start..end].iter().for_each(|&m| put(&mut tails, u32::from(m)));
    records.ranks.iter().take(end).skip(start).for_each(|&r| put(&mut tails, r));
    let mut raw = Vec::with_capacity(heads.len() + lengths.len() + rests.len() + tails.len() + 5);
    put(&mut raw, (end - start) as u32);
    for column in [heads, lengths, rests, tails] {
        raw.extend_from_slice(&column);
    }
    (raw, end)
}

/// Adds the records of a block to `records`, whose layout says how to read them. At most `limit` more.
pub(crate) fn unpack(
    raw: &[u8],
    records: &mut Records,
    ranked: bool,
    limit: u64,
) -> Result<(), &'static str> {
    let mut cursor = Cursor { bytes: raw };
    let count = cursor.number()? as usize;
    if count == 0 || count > BLOCK_RECORDS || count as u64 > limit {
        return Err("it has more records than the header says, or none");
    }
    let layout = records.codes.layout();
    let heads = cursor.numbers(count)?;
    let lengths = if layout.varied { cursor.numbers(count)? } else { Vec::new() };
    let mut code = Vec::new();
    for (i, &head) in heads.iter().enumerate() {
        let length = lengths.get(i).map_or(layout.longest, |&n| n as usize);
        let head = head as usize;
        if length > layout.longest || head > length || head > code.len() || i == 0 && head > 0 {
            return Err("a code has an impossible length");
        }
        let rest = cursor.take(length - head)?;
        if rest.first().is_some_and(|b| code.get(head) == Some(b)) {
            return Err("a code shares more with the one before than it says");
        }
        code.truncate(head);
        code.extend_from_slice(rest);
        let number = records.len();
        if number > 0 && records.codes.code(number - 1) >= &code[..] {
            return Err("its codes are not in strictly rising order");
        }
        records.codes.push(&code);
    }
    for _ in 0..count {
        records.moves.push(u16::try_from(cursor.number()?).map_err(|_| "a move's number is too large")?);
    }
    for _ in 0..if ranked { count } else { 0 } {
        records.ranks.push(cursor.number()?);
    }
    if cursor.bytes.is_empty() { Ok(()) } else { Err("it has bytes left over") }
}

/// Compresses a block.
pub(crate) fn compress(raw: &[u8]) -> std::io::Result<Vec<u8>> {
    zstd::bulk::compress(raw, LEVEL)
}

/// Decompresses a block to exactly `length` bytes, at most [`RAW_LIMIT`].
pub(crate) fn decompress(stored: &[u8], length: usize) -> Result<Vec<u8>, &'static str> {
    if length > RAW_LIMIT {
        return Err("it is too large");
    }
    let raw = zstd::bulk::decompress(stored, length).map_err(|_| "it cannot be decompressed")?;
    if raw.len() == length { Ok(raw) } else { Err("it has another length than announced") }
}
