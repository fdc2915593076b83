//! Databases as what methods know of the ends: every file that is there, asked for bounds.

use crate::reader::Reader;
use crate::{Error, Indexed, Metric, Store};
use endspiel_game::Oracle;
use std::collections::HashMap;
use std::path::PathBuf;
use xxhash_rust::xxh3::Xxh3Default;

/// The files of a rule set as an [`Oracle`].
pub struct Leaves<I: Indexed> {
    index: I,
    files: HashMap<I::Slice, Reader>,
    dir: PathBuf,
    checksum: u64,
}

impl<I: Indexed> Leaves<I> {
    /// Opens all files in the first of these metrics that has any; decoded blocks are kept up to `memory` bytes a
    /// file. It is an error if there are none.
    pub fn open(index: I, store: &Store, metrics: &[Metric], memory: u64) -> Result<Self, Error> {
        let listed = store.list()?;
        let has = |metric: &&Metric| listed.iter().any(|reader| reader.metric() == **metric);
        let Some(&metric) = metrics.iter().find(has) else {
            return Err(Error::Empty { dir: store.dir().into() });
        };
        let (mut files, mut sum) = (HashMap::new(), Xxh3Default::new());
        for reader in listed.iter().filter(|reader| reader.metric() == metric) {
            let name = &reader.header().slice;
            let path = store.path(name, metric);
            let slice = index.read_slices(name).ok().and_then(|slices| slices.first().copied());
            let slice = slice.ok_or_else(|| Error::damaged(&path, "the game has no such slice"))?;
            if reader.header().size != index.size(slice) {
                return Err(Error::size(&path));
            }
            sum.update(&reader.digest().checksum.to_le_bytes());
            files.insert(slice, store.open(name, metric, memory)?);
        }
        Ok(Self { index, files, dir: store.dir().into(), checksum: sum.digest() })
    }
}

impl<I: Indexed> Oracle<I::Position> for Leaves<I> {
    #[inline]
    fn bounds(&self, position: &I::Position) -> Option<(i32, i32)> {
        let (slice, number) = self.index.place(position)?;
        let reader = self.files.get(&slice)?;
        // A damaged block tells nothing.
        let value = reader.get(number).ok()?;
        Some(self.index.proves(position, reader.metric(), value))
    }

    fn describe(&self) -> String {
        format!("{} files in {}, {:016x} together", self.files.len(), self.dir.display(), self.checksum)
    }
}
