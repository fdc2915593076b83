//! Words on their way to parts of a slice that are not in memory: one file a part, written at its end, read once from
//! its beginning. What is still in memory goes to the file when so many words have come.

use crate::Error;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// The files of one kind of words.
pub struct Spool {
    dir: PathBuf,
    kind: &'static str,
    /// What is not written yet, by part.
    buffers: Vec<Vec<u64>>,
    /// Words in the files.
    written: Vec<u64>,
    /// Words of a buffer.
    room: usize,
}

impl Spool {
    /// For so many parts; all buffers together take at most `bytes`, if each may have a few words.
    pub fn new(dir: &Path, kind: &'static str, parts: usize, bytes: u64) -> Self {
        let room = (bytes as usize / 8 / parts.max(1)).clamp(LEAST, MOST);
        let buffers = std::iter::repeat_with(Vec::new).take(parts).collect();
        Self { dir: dir.into(), kind, buffers, written: vec![0; parts], room }
    }

    fn path(&self, part: usize, more: &str) -> PathBuf {
        self.dir.join(format!("{}{more}.{part}", self.kind))
    }

    /// Are there words for a part?
    pub fn waits(&self, part: usize) -> bool {
        self.written[part] > 0 || !self.buffers[part].is_empty()
    }

    /// Are there words for any part?
    pub fn any_waits(&self) -> bool {
        (0..self.written.len()).any(|part| self.waits(part))
    }

    /// Adds a word for a part.
    pub fn put(&mut self, part: usize, word: u64) -> Result<(), Error> {
        self.buffers[part].push(word);
        if self.buffers[part].len() >= self.room { self.write(part) } else { Ok(()) }
    }

    /// Adds two words that stay together.
    pub fn put_pair(&mut self, part: usize, (first, second): (u64, u64)) -> Result<(), Error> {
        self.buffers[part].push(first);
        self.put(part, second)
    }

    fn write(&mut self, part: usize) -> Result<(), Error> {
        let path = self.path(part, "");
        let failed = |e| Error::io(&path, e);
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        let bytes: Vec<u8> = self.buffers[part].iter().flat_map(|word| word.to_le_bytes()).collect();
        file.write_all(&bytes).map_err(failed)?;
        self.written[part] += self.buffers[part].len() as u64;
        self.buffers[part].clear();
        Ok(())
    }

    /// All words for a part, in order. What comes for it meanwhile waits for the next time.
    pub fn take(&mut self, part: usize) -> Result<Words, Error> {
        let path = self.path(part, "-read");
        let left = std::mem::take(&mut self.written[part]);
        let failed = |e| Error::io(&path, e);
        let file = if left > 0 {
            std::fs::rename(self.path(part, ""), &path).map_err(failed)?;
            Some(BufReader::with_capacity(1 << 16, File::open(&path).map_err(failed)?))
        } else {
            None
        };
        Ok(Words { path, file, left, rest: std::mem::take(&mut self.buffers[part]).into_iter() })
    }
}

/// A buffer has at least so many words...
pub const LEAST: usize = 64;
/// ... and at most so many.
const MOST: usize = 1 << 13;

/// Words that are read; their file goes when this does.
pub struct Words {
    path: PathBuf,
    file: Option<BufReader<File>>,
    left: u64,
    rest: std::vec::IntoIter<u64>,
}

impl Words {
    /// The next word.
    pub fn next(&mut self) -> Result<Option<u64>, Error> {
        match &mut self.file {
            Some(file) if self.left > 0 => {
                self.left -= 1;
                let mut bytes = [0; 8];
                file.read_exact(&mut bytes).map_err(|e| Error::io(&self.path, e))?;
                Ok(Some(u64::from_le_bytes(bytes)))
            }
            _ => Ok(self.rest.next()),
        }
    }

    /// The next two.
    pub fn next_pair(&mut self) -> Result<Option<(u64, u64)>, Error> {
        let Some(first) = self.next()? else { return Ok(None) };
        Ok(self.next()?.map(|second| (first, second)))
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if self.file.is_some() {
            // The whole folder goes in the end.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_in_order_part_by_part() {
        let dir = std::env::temp_dir().join(format!("endspiel-spool-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let mut spool = Spool::new(&dir, "words", 3, 0);
        for word in 0..1000 {
            spool.put(word as usize % 2, word).unwrap();
        }
        assert!(spool.waits(1) && !spool.waits(2));
        let mut words = spool.take(1).unwrap();
        spool.put(1, 7).unwrap();
        for word in (1..1000).step_by(2) {
            assert_eq!(words.next().unwrap(), Some(word));
        }
        assert_eq!(words.next().unwrap(), None);
        drop(words);
        assert_eq!(spool.take(1).unwrap().next().unwrap(), Some(7));
        assert_eq!(spool.take(0).unwrap().next_pair().unwrap(), Some((0, 2)));
        assert!(!spool.any_waits());
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0, "what was read is gone");
        std::fs::remove_dir_all(dir).unwrap();
    }
}
