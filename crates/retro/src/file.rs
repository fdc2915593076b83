//! One slice in one file: a header, blocks compressed each for itself, a table of them, and checksums.
//!
//! ```text
//! magic       8 bytes, "ENDSPDB" and the version 1
//! header      length (u32), JSON, xxh3 (u64) of the JSON
//! blocks      zstd frames of as many cells as the header says; the last may be shorter
//! table       for each block its length (u32) and the xxh3 (u64) of its bytes
//! trailer     where the table begins (u64), and the xxh3 (u64) of all bytes before this last number
//! ```
//! Numbers are little-endian. Where there is no position, and where a small file (`small`) leaves one out, a block repeats the
//! cell before: such cells cost nothing and mean nothing. Writing is atomic: a file with the final name is complete.

use crate::work::Stage;
use crate::{Cells, Error, Omits, Table, Work};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

pub(crate) const MAGIC: &[u8; 8] = b"ENDSPDB\x01";

/// Does a file begin as a database of another version does?
pub(crate) fn is_of_another_version(path: &Path) -> bool {
    let mut begin = [0; MAGIC.len()];
    let is_file = std::fs::metadata(path).is_ok_and(|data| data.is_file());
    let is_read = is_file && File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok();
    is_read && begin[..7] == MAGIC[..7] && begin[7] != MAGIC[7]
}

/// Cells of a block, but for small files.
pub const BLOCK: usize = 1 << 14;
/// Cells of a block of a small file.
pub(crate) const SMALL_BLOCK: usize = 1 << 16;
/// Bytes of a block's line in the table.
pub(crate) const LINE: usize = 12;
pub(crate) const TRAILER: usize = 16;
/// The compression level. From 6 to 13 distances shrink by a tenth and outcomes by a fifth, for some six times the time of
/// compression; 19 would gain two to seven per cent more for three times that.
pub(crate) const LEVEL: i32 = 13;
/// No header is longer.
pub(crate) const LONGEST_HEADER: usize = 1 << 16;

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
    /// What the file leaves out, since the moves there tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omits: Option<Omits>,
}

impl Header {
    /// The header of a table.
    pub fn of(game: &str, slice: &str, table: &Table) -> Self {
        Self::counted(game, slice, table, count(table))
    }

    /// Is this a file that may leave positions out?
    pub fn is_small(&self) -> bool {
        self.block as usize == SMALL_BLOCK || self.omits.is_some()
    }

    /// The header of a table of which this is a part; it has so many wins, draws, losses and wasted numbers.
    pub(crate) fn counted(game: &str, slice: &str, table: &Table, counts: [u64; 4]) -> Self {
        let [wins, draws, losses, wasted] = counts;
        Self {
            game: game.into(),
            slice: slice.into(),
            metric: table.metric.name().into(),
            unit: table.metric.unit().into(),
            size: counts.iter().sum(),
            width: if matches!(table.cells, Cells::Wide(_)) { 2 } else { 1 },
            moves: matches!(table.cells, Cells::Moves(_)),
            block: BLOCK as u32,
            wins,
            draws,
            losses,
            wasted,
            omits: None,
        }
    }
}

/// Wins, draws, losses and wasted numbers.
pub(crate) fn count(table: &Table) -> [u64; 4] {
    let mut counts = [0_u64; 4];
    for value in table.values() {
        counts[value.map_or(3, |v| (1 - v.signum()) as usize)] += 1;
    }
    counts
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
pub fn write(path: &Path, header: &Header, table: &Table, work: &Work<'_>) -> Result<Digest, Error> {
    let mut out = Writer::create(path, header)?;
    out.table(table, work, 1)?;
    out.finish()
}

/// Writes compressed blocks to `path`, or leaves what was there untouched.
pub fn write_blocks(path: &Path, header: &Header, blocks: &[Vec<u8>]) -> Result<Digest, Error> {
    let mut out = Writer::create(path, header)?;
    blocks.iter().try_for_each(|block| out.block(block))?;
    out.finish()
}

/// The name of a file on its way. What has it when writing ends was not finished, and goes: a full disk has no room for it.
pub struct Partial {
    path: PathBuf,
    /// Is there something to go? Once it has its name, whatever has this one is another's.
    unfinished: bool,
}

impl Partial {
    /// How its name ends.
    pub const ENDING: &str = "partial";

    /// Of the file that is to be at `path`.
    pub fn of(path: &Path) -> Self {
        Self::called(path, Self::ENDING)
    }

    /// The same with another ending, where several are on their way to one name.
    pub fn called(path: &Path, ending: &str) -> Self {
        Self { path: path.with_extension(ending), unfinished: true }
    }

    /// Begins the file.
    pub fn create(&self) -> Result<File, Error> {
        File::create(&self.path).map_err(|e| self.failed(e))
    }

    /// It cannot be written.
    pub fn failed(&self, why: std::io::Error) -> Error {
        Error::io(&self.path, why)
    }

    /// Gives the finished file its name, for good.
    pub fn rename(&mut self, to: &Path) -> Result<(), Error> {
        std::fs::rename(&self.path, to).map_err(|e| Error::io(to, e))?;
        self.unfinished = false;
        // The name itself must reach the disk too, where directories can be opened as files.
        if let Some(Ok(dir)) = to.parent().map(File::open) {
            dir.sync_all().map_err(|e| Error::io(to, e))?;
        }
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if self.unfinished {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// A file on its way: it has its final name when it is finished.
pub struct Writer {
    path: PathBuf,
    out: Summed<BufWriter<File>>,
    // Behind the open file, which goes first.
    partial: Partial,
    /// The table of the blocks so far.
    lines: Vec<u8>,
    /// Their bytes.
    blocks: u64,
}

impl Writer {
    /// Begins a file that is to be at `path`.
    pub fn create(path: &Path, header: &Header) -> Result<Self, Error> {
        Self::create_as(path, header, Partial::of(path))
    }

    /// The same under another name on its way.
    pub fn create_as(path: &Path, header: &Header, partial: Partial) -> Result<Self, Error> {
        let to = BufWriter::new(partial.create()?);
        let mut out = Summed { to, sum: Xxh3Default::new(), bytes: 0 };
        let json = serde_json::to_vec(header).map_err(|e| partial.failed(e.into()))?;
        let parts = [&MAGIC[..], &(json.len() as u32).to_le_bytes(), &json, &xxh3_64(&json).to_le_bytes()];
        parts.into_iter().try_for_each(|part| out.put(part)).map_err(|e| partial.failed(e))?;
        Ok(Self { path: path.into(), out, partial, lines: Vec::new(), blocks: 0 })
    }

    /// The next block.
    pub fn block(&mut self, block: &[u8]) -> Result<(), Error> {
        self.out.put(block).map_err(|e| self.partial.failed(e))?;
        self.blocks += block.len() as u64;
        self.lines.extend((block.len() as u32).to_le_bytes());
        self.lines.extend(xxh3_64(block).to_le_bytes());
        Ok(())
    }

    /// The next cells, a table that ends where a block does or where the whole does; compressed on all threads, some
    /// blocks at a time. It is told as this pass.
    pub fn table(&mut self, table: &Table, work: &Work<'_>, pass: u32) -> Result<(), Error> {
        const RUN: usize = 16 * BLOCK;
        const AT_ONCE: usize = 64 * RUN;
        let stage = Stage { doing: "compression", pass, changed: None };
        for first in (0..table.len()).step_by(AT_ONCE) {
            let end = (first + AT_ONCE).min(table.len());
            let cells = end - first;
            let runs = work.share(stage, cells.div_ceil(RUN), cells as u64, |piece| {
                let start = first + piece * RUN;
                compress_run(table, start..(start + RUN).min(end), BLOCK, LEVEL)
            })?;
            for block in runs.into_iter().flatten() {
                self.block(&block.map_err(|e| self.partial.failed(e))?)?;
            }
        }
        Ok(())
    }

    /// The bytes of the blocks so far.
    pub fn written(&self) -> u64 {
        self.blocks
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<Digest, Error> {
        let Self { path, mut out, mut partial, lines, .. } = self;
        let failed = |e| partial.failed(e);
        let begin = out.bytes;
        out.put(&lines).map_err(failed)?;
        out.put(&begin.to_le_bytes()).map_err(failed)?;
        let checksum = out.sum.digest();
        out.put(&checksum.to_le_bytes()).map_err(failed)?;
        let bytes = out.bytes;
        let file = out.to.into_inner().map_err(|e| failed(e.into_error()))?;
        file.sync_all().map_err(failed)?;
        drop(file);
        partial.rename(&path)?;
        Ok(Digest { bytes, checksum })
    }
}

/// The blocks of a run of cells that begins where a block does.
pub(crate) fn compress_run(
    table: &Table,
    run: std::ops::Range<usize>,
    block: usize,
    level: i32,
) -> Vec<std::io::Result<Vec<u8>>> {
    let mut cells = Vec::new();
    run.clone()
        .step_by(block)
        .map(|start| {
            cells.clear();
            spread(table, start..(start + block).min(run.end), &mut cells);
            zstd::bulk::compress(&cells, level)
        })
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Metric;

    #[test]
    fn what_is_not_finished_goes() {
        let dir = std::env::temp_dir().join(format!("endspiel-file-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let names = || -> Vec<_> {
            std::fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect()
        };
        let table = Table { metric: Metric::Value, cells: Cells::Narrow(vec![1, 0, -1]) };
        let (path, header) = (dir.join("3.wdl.esdb"), Header::of("heaps", "3", &table));
        let mut out = Writer::create(&path, &header).unwrap();
        out.table(&table, &Work::default(), 1).unwrap();
        assert_eq!(names(), ["3.wdl.partial"]);
        drop(out);
        assert!(names().is_empty());
        write(&path, &header, &table, &Work::default()).unwrap();
        assert_eq!(names(), ["3.wdl.esdb"]);
        // Who has finished takes nothing away that another begins under the same name.
        let mut partial = Partial::of(&path);
        partial.create().unwrap();
        partial.rename(&path).unwrap();
        let other = Partial::of(&path);
        other.create().unwrap();
        drop(partial);
        assert_eq!(names().len(), 2);
        drop(other);
        assert_eq!(names(), ["3.wdl.esdb"]);
        std::fs::remove_dir_all(dir).unwrap();
    }
}
