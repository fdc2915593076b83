//! Moves turned round, in files, for games that cannot tell the predecessors of a position.

use super::Desk;
use crate::spool::Spool;
use crate::{Error, words};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

impl Desk<'_> {
    /// Sorts the moves that lead to a part by where they lead: a file of where the predecessors of each place begin, and
    /// one of the predecessors. The moves are read once for each window of places whose predecessors fit in memory.
    pub(super) fn turn(&self, part: usize, moves: &mut Spool) -> Result<(), Error> {
        self.go_on()?;
        let size = (self.numbers(part).end - self.numbers(part).start) as usize;
        // How many predecessors a place has; then, in its window, where the next one goes.
        let mut next = vec![0_u32; size];
        let mut pairs = moves.take(part)?;
        // A small buffer would be written most of the time.
        let mut kept = Spool::new(self.dir, "turning", 1, 1 << 16);
        while let Some((to, from)) = pairs.next_pair()? {
            next[words::place(to)] += 1;
            kept.put_pair(0, (to, from))?;
        }
        drop(pairs);
        let (path, list) = (self.file("first", part), self.file("before", part));
        let failed = |e| Error::io(&path, e);
        let create = |path: &Path| File::create(path).map(BufWriter::new).map_err(|e| Error::io(path, e));
        let (mut firsts, mut out) = (create(&path)?, create(&list)?);
        let room = (self.task.parts.quarter / 8).min(u64::from(u32::MAX) / 2) as usize;
        let (mut start, mut first) = (0, 0_u64);
        while start < size {
            let (mut end, mut many) = (start, 0);
            while end < size && (end == start || many + next[end] as usize <= room) {
                firsts.write_all(&(first + many as u64).to_le_bytes()).map_err(failed)?;
                many += std::mem::replace(&mut next[end], many as u32) as usize;
                end += 1;
            }
            let mut from = vec![0; many];
            let mut pairs = kept.take(0)?;
            let last = end == size;
            while let Some((to, before)) = pairs.next_pair()? {
                let place = words::place(to);
                if (start..end).contains(&place) {
                    from[next[place] as usize] = before;
                    next[place] += 1;
                } else if !last && place >= end {
                    kept.put_pair(0, (to, before))?;
                }
            }
            for before in from {
                out.write_all(&u64::to_le_bytes(before)).map_err(|e| Error::io(&list, e))?;
            }
            first += many as u64;
            start = end;
        }
        firsts.write_all(&first.to_le_bytes()).map_err(failed)?;
        firsts.flush().map_err(failed)?;
        out.flush().map_err(|e| Error::io(&list, e))
    }

    /// The news of final positions to their predecessors; places rise.
    pub(super) fn read_turned(
        &self,
        part: usize,
        places: &[u32],
        offer: impl Fn(u32) -> u16,
    ) -> Result<Vec<u64>, Error> {
        self.go_on()?;
        let (mut firsts, mut list) =
            (Ahead::open(self.file("first", part))?, Ahead::open(self.file("before", part))?);
        let mut news = Vec::new();
        for &place in places {
            firsts.seek(u64::from(place))?;
            let (first, end) = (firsts.next()?, firsts.next()?);
            list.seek(first)?;
            for _ in first..end {
                news.push(words::with(list.next()?, offer(place)));
            }
        }
        Ok(news)
    }
}

/// A file of words that is read forward, with leaps.
struct Ahead {
    path: PathBuf,
    file: BufReader<File>,
    /// The next word.
    at: u64,
}

impl Ahead {
    fn open(path: PathBuf) -> Result<Self, Error> {
        let file = File::open(&path).map_err(|e| Error::io(&path, e))?;
        Ok(Self { file: BufReader::with_capacity(1 << 14, file), path, at: 0 })
    }

    fn seek(&mut self, word: u64) -> Result<(), Error> {
        let leap = (word as i64 - self.at as i64) * 8;
        self.at = word;
        self.file.seek_relative(leap).map_err(|e| Error::io(&self.path, e))
    }

    fn next(&mut self) -> Result<u64, Error> {
        let mut bytes = [0; 8];
        self.file.read_exact(&mut bytes).map_err(|e| Error::io(&self.path, e))?;
        self.at += 1;
        Ok(u64::from_le_bytes(bytes))
    }
}
