//! One slice in one file: a header, blocks compressed each for itself, a table of them, and checksums.
//!
//! ```text
//! magic       8 bytes, "ENDSPDB" and the version 1
//! header      length (u32), JSON, xxh3 (u64) of the JSON
//! blocks      zstd frames of BLOCK cells each; the last may be shorter
//! table       for each block its length (u32) and the xxh3 (u64) of its bytes
//! trailer     where the table begins (u64), and the xxh3 (u64) of all bytes before this last number
//! ```
//! Numbers are little-endian. Where there is no position a block repeats the cell before: such cells cost
//! nothing and mean nothing. Writing is atomic: a file with the final name is complete.

use crate::table::plies;
use crate::{Cells, Error, Metric, Table};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

const MAGIC: &[u8; 8] = b"ENDSPDB\x01";
/// Cells of a block.
pub const BLOCK: usize = 1 << 14;
/// Bytes of a block's line in the table.
const LINE: usize = 12;
const TRAILER: usize = 16;
/// The compression level; higher ones gain a few per cent and cost several times the time.
const LEVEL: i32 = 6;
/// No header is longer.
const LONGEST_HEADER: usize = 1 << 16;

/// What a file says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The rule set, by its full name.
    pub game: String,
    /// The slice, in the game's words.
    pub slice: String,
    /// The metric's name.
    pub metric: String,
    /// What the numbers count.
    pub unit: String,
    /// How many numbers the slice has.
    pub size: u64,
    /// Bytes of a cell, 1 or 2.
    pub width: u8,
    /// Are plies counted as moves of the winner?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub moves: bool,
    /// Cells of a block.
    pub block: u32,
    /// Positions that the player to move wins.
    pub wins: u64,
    /// Positions that nobody wins.
    pub draws: u64,
    /// Positions that the player to move loses.
    pub losses: u64,
    /// Numbers that are no position.
    pub wasted: u64,
}

impl Header {
    /// The header of a table.
    pub fn of(game: &str, slice: &str, table: &Table) -> Self {
        let mut counts = [0_u64; 4];
        for value in table.values() {
            counts[value.map_or(3, |v| (1 - v.signum()) as usize)] += 1;
        }
        let [wins, draws, losses, wasted] = counts;
        Self {
            game: game.into(),
            slice: slice.into(),
            metric: table.metric.name().into(),
            unit: table.metric.unit().into(),
            size: table.len() as u64,
            width: if matches!(table.cells, Cells::Wide(_)) { 2 } else { 1 },
            moves: matches!(table.cells, Cells::Moves(_)),
            block: BLOCK as u32,
            wins,
            draws,
            losses,
            wasted,
        }
    }
}

/// What names a whole file: its length and its checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// Bytes of the file.
    pub bytes: u64,
    /// The xxh3 in its trailer.
    pub checksum: u64,
}

/// Writes through a checksum.
struct Summed<W> {
    to: W,
    sum: Xxh3Default,
    bytes: u64,
}

impl<W: Write> Summed<W> {
    fn put(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
        self.to.write_all(bytes)
    }
}

/// Writes a table to `path`, or leaves what was there untouched.
pub fn write(path: &Path, header: &Header, table: &Table) -> Result<Digest, Error> {
    let temporary = path.with_extension("partial");
    let failed = |e| Error::io(&temporary, e);
    let file = File::create(&temporary).map_err(failed)?;
    let mut out = Summed { to: BufWriter::new(file), sum: Xxh3Default::new(), bytes: 0 };
    let digest = put(&mut out, header, table).map_err(failed)?;
    let file = out.to.into_inner().map_err(|e| failed(e.into_error()))?;
    file.sync_all().map_err(failed)?;
    rename(&temporary, path)?;
    Ok(digest)
}

/// Gives a finished file its name, for good.
pub fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    std::fs::rename(from, to).map_err(|e| Error::io(to, e))?;
    // The name itself must reach the disk too, where directories can be opened as files.
    if let Some(Ok(dir)) = to.parent().map(File::open) {
        dir.sync_all().map_err(|e| Error::io(to, e))?;
    }
    Ok(())
}

fn put<W: Write>(out: &mut Summed<W>, header: &Header, table: &Table) -> std::io::Result<Digest> {
    out.put(MAGIC)?;
    let json = serde_json::to_vec(header)?;
    out.put(&(json.len() as u32).to_le_bytes())?;
    out.put(&json)?;
    out.put(&xxh3_64(&json).to_le_bytes())?;
    let mut lines = Vec::new();
    let mut cells = Vec::new();
    for start in (0..table.len()).step_by(BLOCK) {
        cells.clear();
        spread(table, start..(start + BLOCK).min(table.len()), &mut cells);
        let block = zstd::bulk::compress(&cells, LEVEL)?;
        out.put(&block)?;
        lines.extend((block.len() as u32).to_le_bytes());
        lines.extend(xxh3_64(&block).to_le_bytes());
    }
    let begin = out.bytes;
    out.put(&lines)?;
    out.put(&begin.to_le_bytes())?;
    let checksum = out.sum.digest();
    out.put(&checksum.to_le_bytes())?;
    Ok(Digest { bytes: out.bytes, checksum })
}

/// The bytes of some cells, wasted ones like those before them.
fn spread(table: &Table, range: std::ops::Range<usize>, out: &mut Vec<u8>) {
    match &table.cells {
        Cells::Narrow(cells) | Cells::Moves(cells) => {
            let mut last = 0;
            out.extend(cells[range].iter().map(|&cell| {
                last = if cell == i8::MIN { last } else { cell };
                last as u8
            }));
        }
        Cells::Wide(cells) => {
            let mut last = 0;
            for &cell in &cells[range] {
                last = if cell == i16::MIN { last } else { cell };
                out.extend(last.to_le_bytes());
            }
        }
    }
}

/// A file opened for probing. Blocks are decoded when they are first asked for and kept up to the memory
/// given; a probe into a kept block takes no lock.
pub struct Reader {
    path: PathBuf,
    header: Header,
    metric: Metric,
    digest: Digest,
    file: Mutex<File>,
    /// Where each block begins, and the end of the last.
    starts: Vec<u64>,
    sums: Vec<u64>,
    kept: Vec<OnceLock<Box<[u8]>>>,
    room: AtomicU64,
}

impl Reader {
    /// Opens a file; keeps decoded blocks up to `memory` bytes.
    pub fn open(path: &Path, memory: u64) -> Result<Self, Error> {
        let failed = |e| Error::io(path, e);
        let wrong = |what: &str| Error::damaged(path, what);
        let mut file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let mut start = [0; 12];
        let begin = 12 + 8 + TRAILER as u64;
        if length < begin {
            return Err(wrong("it is cut short"));
        }
        file.read_exact(&mut start).map_err(failed)?;
        if start[..8] != MAGIC[..] {
            return Err(wrong("it does not begin as a database of version 1 does"));
        }
        let header_length = u64::from(u32::from_le_bytes([start[8], start[9], start[10], start[11]]));
        if header_length > (LONGEST_HEADER as u64).min(length - begin) {
            return Err(wrong("the header's length is impossible"));
        }
        let mut json = vec![0; header_length as usize + 8];
        file.read_exact(&mut json).map_err(failed)?;
        let sum = number(&json.split_off(header_length as usize));
        if sum != xxh3_64(&json) {
            return Err(wrong("the header's checksum is wrong"));
        }
        let header: Header =
            serde_json::from_slice(&json).map_err(|e| wrong(&format!("the header cannot be read: {e}")))?;
        let metric = Metric::ALL.into_iter().find(|m| m.name() == header.metric);
        let metric = metric.ok_or_else(|| wrong("its metric is unknown"))?;
        if !matches!((header.width, header.moves), (1, _) | (2, false)) || header.block as usize != BLOCK {
            return Err(wrong("its cells or blocks have an unknown size"));
        }
        let mut trailer = [0; TRAILER];
        file.seek(SeekFrom::End(-(TRAILER as i64))).map_err(failed)?;
        file.read_exact(&mut trailer).map_err(failed)?;
        let (table, checksum) = (number(&trailer[..8]), number(&trailer[8..]));
        let blocks = header.size.div_ceil(BLOCK as u64);
        let first = 12 + header_length + 8;
        let fits = blocks
            .checked_mul(LINE as u64)
            .and_then(|lines| table.checked_add(lines + TRAILER as u64))
            .is_some_and(|end| end == length && table >= first);
        if !fits {
            return Err(wrong("the table of blocks does not fit"));
        }
        file.seek(SeekFrom::Start(table)).map_err(failed)?;
        let mut lines = vec![0; blocks as usize * LINE];
        file.read_exact(&mut lines).map_err(failed)?;
        let (mut starts, mut sums) = (vec![first], Vec::new());
        let mut at = first;
        for line in lines.chunks_exact(LINE) {
            at += u64::from(u32::from_le_bytes([line[0], line[1], line[2], line[3]]));
            starts.push(at);
            sums.push(number(&line[4..]));
        }
        if at != table {
            return Err(wrong("the blocks do not fill the file"));
        }
        let kept = std::iter::repeat_with(OnceLock::new).take(blocks as usize).collect();
        Ok(Self {
            path: path.into(),
            header,
            metric,
            digest: Digest { bytes: length, checksum },
            file: Mutex::new(file),
            starts,
            sums,
            kept,
            room: AtomicU64::new(memory),
        })
    }

    /// What the file says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What its numbers mean.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The length and the checksum of the whole, as its trailer has it.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The cell with this number.
    #[inline]
    pub fn get(&self, index: u64) -> Result<i32, Error> {
        if index >= self.header.size {
            return Err(Error::damaged(&self.path, "it has no such position"));
        }
        let (block, within) = (index as usize / BLOCK, index as usize % BLOCK);
        match self.kept[block].get() {
            Some(cells) => Ok(self.cell(cells, within)),
            None => self.fetch(block).map(|cells| self.cell(&cells, within)),
        }
    }

    #[inline]
    fn cell(&self, cells: &[u8], within: usize) -> i32 {
        if self.header.moves {
            plies(cells[within] as i8)
        } else if self.header.width == 1 {
            i32::from(cells[within] as i8)
        } else {
            i32::from(i16::from_le_bytes([cells[2 * within], cells[2 * within + 1]]))
        }
    }

    /// Decodes a block, and keeps it if there is room.
    #[cold]
    fn fetch(&self, block: usize) -> Result<Box<[u8]>, Error> {
        let cells = self.decode(block)?;
        let bytes = cells.len() as u64;
        let take = |room: u64| room.checked_sub(bytes);
        if self.room.fetch_update(Relaxed, Relaxed, take).is_ok() {
            let _ = self.kept[block].set(cells.clone());
        }
        Ok(cells)
    }

    fn decode(&self, block: usize) -> Result<Box<[u8]>, Error> {
        let mut bytes = vec![0; (self.starts[block + 1] - self.starts[block]) as usize];
        {
            let mut file = self.file.lock().map_err(|_| Error::damaged(&self.path, "reading it failed"))?;
            file.seek(SeekFrom::Start(self.starts[block])).map_err(|e| Error::io(&self.path, e))?;
            file.read_exact(&mut bytes).map_err(|e| Error::io(&self.path, e))?;
        }
        let wrong = || Error::damaged(&self.path, &format!("block {block} is damaged"));
        if xxh3_64(&bytes) != self.sums[block] {
            return Err(wrong());
        }
        let count = BLOCK.min(self.header.size as usize - block * BLOCK) * usize::from(self.header.width);
        let cells = zstd::bulk::decompress(&bytes, count).map_err(|_| wrong())?;
        if cells.len() == count { Ok(cells.into()) } else { Err(wrong()) }
    }

    /// The whole table.
    pub fn table(&self) -> Result<Table, Error> {
        let size = self.header.size as usize;
        let cells = if self.header.width == 1 {
            let mut cells = Vec::with_capacity(size);
            for block in 0..self.kept.len() {
                cells.extend(self.decode(block)?.iter().map(|&cell| cell as i8));
            }
            if self.header.moves { Cells::Moves(cells) } else { Cells::Narrow(cells) }
        } else {
            let mut cells = Vec::with_capacity(size);
            for block in 0..self.kept.len() {
                cells.extend(self.decode(block)?.chunks_exact(2).map(|c| i16::from_le_bytes([c[0], c[1]])));
            }
            Cells::Wide(cells)
        };
        Ok(Table { metric: self.metric, cells })
    }

    /// Reads the file from end to end and compares all checksums.
    pub fn check(&self) -> Result<(), Error> {
        let failed = |e| Error::io(&self.path, e);
        let mut file = File::open(&self.path).map_err(failed)?;
        let (mut sum, mut left) = (Xxh3Default::new(), self.digest.bytes - 8);
        let mut buffer = vec![0; 1 << 20];
        while left > 0 {
            let part = (buffer.len() as u64).min(left) as usize;
            file.read_exact(&mut buffer[..part]).map_err(failed)?;
            sum.update(&buffer[..part]);
            left -= part as u64;
        }
        if sum.digest() != self.digest.checksum {
            return Err(Error::damaged(&self.path, "the checksum of the whole is wrong"));
        }
        (0..self.kept.len()).try_for_each(|block| self.decode(block).map(|_| ()))
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |n, &byte| n << 8 | u64::from(byte))
}
