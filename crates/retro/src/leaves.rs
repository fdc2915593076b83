//! Databases as what methods know of the ends: every file that is there, asked for bounds.

use crate::reader::Reader;
use crate::{Error, Indexed, Metric, Store};
use endspiel_game::Oracle;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::path::PathBuf;
use std::sync::OnceLock;
use xxhash_rust::xxh3::Xxh3Default;

/// The files of a rule set as an [`Oracle`].
pub struct Leaves<I: Indexed> {
    index: I,
    files: FxHashMap<I::Slice, Reader>,
    dir: PathBuf,
    checksum: u64,
    /// The first thing that could not be read.
    fault: OnceLock<String>,
}

impl<I: Indexed> Leaves<I> {
    /// Opens the file of each slice in the first of these metrics that it has one in; decoded blocks are kept up to
    /// `memory` bytes a file. It is an error if there are none.
    pub fn open(index: I, store: &Store, metrics: &[Metric], memory: u64) -> Result<Self, Error> {
        let listed = store.list()?;
        let (mut files, mut sum) = (FxHashMap::default(), Xxh3Default::new());
        for &metric in metrics {
            for reader in listed.iter().filter(|reader| reader.metric() == metric) {
                let name = &reader.header().slice;
                let path = store.path(name, metric);
                let slice = index.read_slices(name).ok().and_then(|slices| slices.first().copied());
                let slice = slice.ok_or_else(|| Error::damaged(&path, "the game has no such slice"))?;
                if reader.header().size != index.size(slice) {
                    return Err(Error::size(&path));
                }
                if let Entry::Vacant(place) = files.entry(slice) {
                    sum.update(&reader.digest().checksum.to_le_bytes());
                    place.insert(store.open(name, metric, memory)?);
                }
            }
        }
        if files.is_empty() {
            return Err(Error::Empty { dir: store.dir().into() });
        }
        Ok(Self { index, files, dir: store.dir().into(), checksum: sum.digest(), fault: OnceLock::new() })
    }
}

impl<I: Indexed> Leaves<I> {
    #[inline]
    fn value(&self, position: &I::Position) -> Option<(Metric, i32)> {
        let (slice, number) = self.index.place(position)?;
        let reader = self.files.get(&slice)?;
        match reader.get(number) {
            Ok(value) => Some((reader.metric(), value)),
            Err(error) => {
                let _ = self.fault.set(error.to_string());
                None
            }
        }
    }
}

impl<I: Indexed> Oracle<I::Position> for Leaves<I> {
    #[inline]
    fn bounds(&self, position: &I::Position) -> Option<(i32, i32)> {
        let (metric, value) = self.value(position)?;
        Some(self.index.proves(position, metric, value))
    }

    fn plies(&self, position: &I::Position) -> Option<u32> {
        let (metric, value) = self.value(position)?;
        match value {
            _ if metric != Metric::End => None,
            0 => None,
            1.. => Some(value.unsigned_abs()),
            _ => Some(value.unsigned_abs() - 1),
        }
    }

    fn fault(&self) -> Option<String> {
        self.fault.get().cloned()
    }

    fn describe(&self) -> String {
        format!("{} files in {}, {:016x} together", self.files.len(), self.dir.display(), self.checksum)
    }
}
