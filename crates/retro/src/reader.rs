//! Reading a file: blocks are decoded when they are first asked for, after their checksums are compared, and kept
//! up to the memory given. Asking for what is kept takes no lock.

use crate::cache::Cache;
use crate::file::{BLOCK, Digest, Header, LINE, LONGEST_HEADER, MAGIC, SMALL_BLOCK, TRAILER};
use crate::table::plies;
use crate::{Cells, Error, Indexed, Metric, Table, slice_named};
use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

thread_local! {
    /// Making one takes longer than decoding a block with it.
    static DECODER: RefCell<std::io::Result<zstd::bulk::Decompressor<'static>>> =
        RefCell::new(zstd::bulk::Decompressor::new());
}

/// A file opened for probing.
pub struct Reader {
    path: PathBuf,
    header: Header,
    metric: Metric,
    digest: Digest,
    /// The logarithm of the cells of a block.
    shift: u32,
    file: Mutex<File>,
    /// Where each block begins, and the end of the last.
    starts: Vec<u64>,
    sums: Vec<u64>,
    kept: Cache,
}

impl Reader {
    /// Opens a file; keeps decoded blocks up to `memory` bytes.
    pub fn open(path: &Path, memory: u64) -> Result<Self, Error> {
        let failed = |e| Error::io(path, e);
        let wrong = |what: &str| Error::damaged(path, what);
        // Opening a pipe would wait for ever.
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(wrong("it is no file"));
        }
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
            let long = header_length > LONGEST_HEADER as u64;
            return Err(wrong(if long { "the header's length is impossible" } else { "it is cut short" }));
        }
        let mut json = vec![0; header_length as usize + 8];
        file.read_exact(&mut json).map_err(failed)?;
        let sum = number(&json.split_off(header_length as usize));
        if sum != xxh3_64(&json) {
            return Err(wrong("the header's checksum is wrong"));
        }
        let header: Header =
            serde_json::from_slice(&json).map_err(|e| wrong(&format!("the header cannot be read: {e}")))?;
        let metric = Metric::named(&header.metric);
        let metric = metric.ok_or_else(|| wrong("its metric is unknown"))?;
        if header.unit != metric.unit() {
            return Err(wrong("its unit is not that of its metric"));
        }
        let is_known = [BLOCK, SMALL_BLOCK].contains(&(header.block as usize));
        if !matches!((header.width, header.moves), (1, _) | (2, false)) || !is_known {
            return Err(wrong("its cells or blocks have an unknown size"));
        }
        let counts = [header.wins, header.draws, header.losses, header.wasted];
        let sum = counts.into_iter().try_fold(0_u64, u64::checked_add);
        if sum != Some(header.size) {
            return Err(wrong("its header counts another number of positions than there are"));
        }
        let mut trailer = [0; TRAILER];
        file.seek(SeekFrom::End(-(TRAILER as i64))).map_err(failed)?;
        file.read_exact(&mut trailer).map_err(failed)?;
        let (table, checksum) = (number(&trailer[..8]), number(&trailer[8..]));
        let blocks = header.size.div_ceil(u64::from(header.block));
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
        let kept = Cache::new(blocks as usize, header.size * u64::from(header.width), memory);
        Ok(Self {
            path: path.into(),
            shift: header.block.trailing_zeros(),
            header,
            metric,
            digest: Digest { bytes: length, checksum },
            file: Mutex::new(file),
            starts,
            sums,
            kept,
        })
    }

    /// Can it be a file of this slice of the game? It has as many numbers then, and leaves out what may be left out there.
    pub(crate) fn fits<I: Indexed>(&self, game: &I, slice: I::Slice) -> Result<(), Error> {
        self.has_size(game.size(slice))?;
        if self.header.omits.is_some_and(|omits| !game.omissions(slice).contains(&omits)) {
            return Err(Error::damaged(&self.path, "it leaves out what may not be left out of this slice"));
        }
        Ok(())
    }

    /// The slice of the game that it is of, if it can be of one.
    pub fn slice_of<I: Indexed>(&self, game: &I) -> Result<I::Slice, Error> {
        let slice = slice_named(game, &self.header.slice);
        let slice = slice.ok_or_else(|| Error::damaged(&self.path, "the game has no such slice"))?;
        self.fits(game, slice).map(|()| slice)
    }

    /// The file, if it can be one of this slice.
    pub(crate) fn fitting<I: Indexed>(self, game: &I, slice: I::Slice) -> Result<Self, Error> {
        self.fits(game, slice).map(|()| self)
    }

    /// Has it so many numbers?
    pub(crate) fn has_size(&self, size: u64) -> Result<(), Error> {
        if self.header.size == size {
            Ok(())
        } else {
            Err(Error::damaged(&self.path, "it has another number of positions than the slice"))
        }
    }

    /// What the file says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
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
        let block = (index >> self.shift) as usize;
        let within = index as usize - (block << self.shift);
        match self.kept.get(block, |cells| self.cell(cells, within)) {
            Some(cell) => Ok(cell),
            None => self.fetch(block, within),
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

    /// A cell of a block that is decoded and kept.
    #[cold]
    fn fetch(&self, block: usize, within: usize) -> Result<i32, Error> {
        let cells = self.decode(block)?;
        let cell = self.cell(&cells, within);
        self.kept.put(block, cells);
        Ok(cell)
    }

    /// The blocks as the file has them, after their checksums are compared.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = Result<Vec<u8>, Error>> + '_ {
        (0..self.kept.blocks()).map(|block| self.compressed(block))
    }

    fn wrong(&self, block: usize) -> Error {
        Error::damaged(&self.path, &format!("block {block} is damaged"))
    }

    fn compressed(&self, block: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; (self.starts[block + 1] - self.starts[block]) as usize];
        {
            let mut file = self.file.lock().map_err(|_| Error::damaged(&self.path, "reading it failed"))?;
            file.seek(SeekFrom::Start(self.starts[block])).map_err(|e| Error::io(&self.path, e))?;
            file.read_exact(&mut bytes).map_err(|e| Error::io(&self.path, e))?;
        }
        if xxh3_64(&bytes) == self.sums[block] { Ok(bytes) } else { Err(self.wrong(block)) }
    }

    fn decode(&self, block: usize) -> Result<Box<[u8]>, Error> {
        let bytes = self.compressed(block)?;
        let first = (block as u64) << self.shift;
        let count = u64::from(self.header.block).min(self.header.size - first) as usize;
        let count = count * usize::from(self.header.width);
        let cells = DECODER.with_borrow_mut(|decoder| match decoder {
            Ok(decoder) => decoder.decompress(&bytes, count).map_err(|_| self.wrong(block)),
            Err(e) => Err(Error::io(&self.path, std::io::Error::new(e.kind(), e.to_string()))),
        })?;
        // The least number stands for no value, and files have none.
        let has_none = match self.header.width {
            1 => cells.contains(&(i8::MIN as u8)),
            _ => cells.chunks_exact(2).any(|cell| cell == i16::MIN.to_le_bytes()),
        };
        if cells.len() == count && !has_none { Ok(cells.into()) } else { Err(self.wrong(block)) }
    }

    /// The whole table.
    pub fn table(&self) -> Result<Table, Error> {
        self.part(0..self.header.size)
    }

    /// The cells with these numbers, which begin where a block does.
    pub(crate) fn part(&self, numbers: Range<u64>) -> Result<Table, Error> {
        let size = (numbers.end - numbers.start) as usize;
        let blocks =
            numbers.start as usize >> self.shift..numbers.end.div_ceil(u64::from(self.header.block)) as usize;
        let cells = if self.header.width == 1 {
            let mut cells = Vec::with_capacity(size);
            for block in blocks {
                cells.extend(self.decode(block)?.iter().map(|&cell| cell as i8));
            }
            if self.header.moves { Cells::Moves(cells) } else { Cells::Narrow(cells) }
        } else {
            let mut cells = Vec::with_capacity(size);
            for block in blocks {
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
        (0..self.kept.blocks()).try_for_each(|block| self.decode(block).map(|_| ()))
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |n, &byte| n << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Work;
    use crate::file::write;

    #[test]
    fn headers_that_count_other_positions_are_refused() {
        let dir = std::env::temp_dir().join(format!("endspiel-reader-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let table = Table { metric: Metric::Value, cells: Cells::Narrow(vec![1, 0, -1]) };
        let (path, header) = (dir.join("3.wdl.esdb"), Header::of("heaps", "3", &table));
        let opened = |header: Header| {
            write(&path, &header, &table, &Work::default()).unwrap();
            Reader::open(&path, 0).map(|reader| reader.header().clone())
        };
        assert_eq!(opened(header.clone()).unwrap(), header);
        for wrong in [
            Header { wasted: 4, ..header.clone() },
            Header { wins: u64::MAX, draws: 3, wasted: 1, ..header.clone() },
            Header { losses: 0, ..header },
        ] {
            let refused = opened(wrong).unwrap_err().to_string();
            assert!(refused.contains("another number of positions"), "{refused}");
        }
        assert!(matches!(Reader::open(&dir, 0), Err(Error::Damaged { .. })), "a folder is no file");
        std::fs::remove_dir_all(dir).unwrap();
    }
}
