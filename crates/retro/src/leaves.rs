//! Databases as what methods know of the ends: every file that is there, asked for bounds.

use crate::probe::derived;
use crate::reader::Reader;
use crate::{Error, Indexed, Metric, Store, closure};
use endspiel_game::{Oracle, Source};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::OnceLock;
use xxhash_rust::xxh3::Xxh3Default;

/// The files of a rule set as an [`Oracle`].
pub struct Leaves<I: Indexed> {
    index: I,
    /// By the slice: the places in `files` and `sources`, that which tells most first.
    places: FxHashMap<I::Slice, Vec<usize>>,
    /// The files that a small one rests on, itself among them: its source has the checksum of all of them.
    rests: FxHashMap<usize, Vec<usize>>,
    files: Vec<Reader>,
    sources: Vec<Source>,
    dir: PathBuf,
    checksum: u64,
    /// The first thing that could not be read.
    fault: OnceLock<String>,
}

impl<I: Indexed> Leaves<I> {
    /// Opens the files of each slice in these metrics, of which the first that is there is asked; decoded blocks are kept up
    /// to `memory` bytes a file. It is an error if there are none, which says what there is instead.
    pub fn open(index: I, store: &Store, metrics: &[Metric], memory: u64) -> Result<Self, Error> {
        metrics.iter().try_for_each(|&metric| index.can_tell(metric))?;
        let listed = store.list()?;
        let (mut places, mut sum) = (FxHashMap::default(), Xxh3Default::new());
        let (mut files, mut sources) = (Vec::new(), Vec::new());
        for &metric in metrics {
            for reader in listed.iter().filter(|reader| reader.metric() == metric) {
                let name = &reader.header().slice;
                let path = store.path(name, metric);
                let slice = index.read_slices(name).ok().and_then(|slices| slices.first().copied());
                let slice = slice.ok_or_else(|| Error::damaged(&path, "the game has no such slice"))?;
                if reader.header().size != index.size(slice) {
                    return Err(Error::size(&path));
                }
                let checksum = reader.digest().checksum;
                let of_slice: &mut Vec<usize> = places.entry(slice).or_default();
                if of_slice.is_empty() {
                    sum.update(&checksum.to_le_bytes());
                }
                of_slice.push(files.len());
                files.push(store.open(name, metric, memory)?);
                let name = format!("{}/{name}.{}", store.game(), metric.name());
                sources.push(Source { name, checksum });
            }
        }
        // Small files where there are no others.
        let mut small = Vec::new();
        for reader in store.list_small()? {
            let name = &reader.header().slice;
            let slice = index.read_slices(name).ok().and_then(|slices| slices.first().copied());
            let slice = slice.ok_or_else(|| Error::damaged(reader.path(), "the game has no such slice"))?;
            if reader.header().size != index.size(slice) {
                return Err(Error::size(reader.path()));
            }
            if metrics.contains(&Metric::Value) && !places.contains_key(&slice) {
                let checksum = reader.digest().checksum;
                sum.update(&checksum.to_le_bytes());
                places.insert(slice, vec![files.len()]);
                small.push((files.len(), slice));
                files.push(store.open_small(name, memory)?);
                sources.push(Source { name: format!("{}/{name}.small", store.game()), checksum });
            }
        }
        let mut rests = FxHashMap::default();
        for (file, slice) in small {
            let all = closure(&index, &[slice]);
            let all: Vec<usize> =
                all.iter().filter_map(|slice| places.get(slice)?.first().copied()).collect();
            let mut sum = Xxh3Default::new();
            for &file in &all {
                sum.update(&files[file].digest().checksum.to_le_bytes());
            }
            sources[file].checksum = sum.digest();
            rests.insert(file, all);
        }
        if files.is_empty() {
            return Err(useless(store, metrics)?);
        }
        let (dir, checksum) = (store.dir().into(), sum.digest());
        Ok(Self { index, places, rests, files, sources, dir, checksum, fault: OnceLock::new() })
    }
}

/// Why no file of a directory can be used, and what to do about it.
fn useless(store: &Store, metrics: &[Metric]) -> Result<Error, Error> {
    let dir = store.dir();
    let files: Vec<_> = store.list()?.into_iter().chain(store.list_small()?).collect();
    let (Some(largest), Some(best)) = (files.iter().max_by_key(|file| file.header().size), metrics.first())
    else {
        return Ok(Error::Empty { dir: dir.into() });
    };
    let there: BTreeSet<_> = files.iter().map(|file| file.metric().name()).collect();
    let there = there.into_iter().collect::<Vec<_>>().join(", ");
    let usable = metrics.iter().map(|metric| metric.name()).collect::<Vec<_>>().join(", ");
    let (slice, root) = (&largest.header().slice, dir.parent().unwrap_or(dir));
    let build = format!("{} {slice} --metric {} --dir {}", store.game(), best.name(), root.display());
    Ok(Error::Unusable { dir: dir.into(), there, usable, build })
}

impl<I: Indexed> Leaves<I> {
    #[inline]
    fn value(&self, position: &I::Position) -> Option<(Metric, i32)> {
        let (slice, number) = self.index.place(position)?;
        self.ask(*self.places.get(&slice)?.first()?, position, slice, number)
    }

    /// What a file tells of a position of its slice.
    #[inline]
    fn ask(
        &self,
        file: usize,
        position: &I::Position,
        slice: I::Slice,
        number: u64,
    ) -> Option<(Metric, i32)> {
        match self.files.get(file)?.header().omits {
            Some(omits) if self.index.leaves_out(omits, position) => {
                let value = |next: &I::Position| Ok(self.value(next).map(|(_, value)| value.signum()));
                // Whatever goes wrong below is told there.
                Some((Metric::Value, derived(&self.index, position, slice, value).ok()??))
            }
            _ => self.read(file, number),
        }
    }

    #[inline]
    fn read(&self, file: usize, number: u64) -> Option<(Metric, i32)> {
        let reader = self.files.get(file)?;
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

    fn score(&self, position: &I::Position) -> Option<i32> {
        let (metric, value) = self.value(position)?;
        (metric == Metric::Score).then(|| value + self.index.lead(position))
    }

    fn fault(&self) -> Option<String> {
        self.fault.get().cloned()
    }

    fn describe(&self) -> String {
        format!("{} files in {}, {:016x} together", self.places.len(), self.dir.display(), self.checksum)
    }

    fn sources(&self) -> Vec<Source> {
        self.sources.clone()
    }

    fn sources_of(&self, position: &I::Position) -> &[usize] {
        let found = self.index.place(position).and_then(|(slice, _)| self.places.get(&slice));
        found.map_or(&[], Vec::as_slice)
    }

    fn bounds_from(&self, position: &I::Position, source: usize) -> Option<(i32, i32)> {
        let (slice, number) = self.index.place(position)?;
        let (metric, value) = self.ask(source, position, slice, number)?;
        Some(self.index.proves(position, metric, value))
    }

    fn check_source(&self, source: usize) -> Result<(), String> {
        let alone = [source];
        for &file in self.rests.get(&source).map_or(&alone[..], Vec::as_slice) {
            let file = self.files.get(file).ok_or_else(|| "it is not there".to_owned())?;
            file.check().map_err(|e| e.to_string())?;
        }
        Ok(())
    }
}
