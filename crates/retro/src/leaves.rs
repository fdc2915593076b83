//! Databases as what methods know of the ends: every file that is there, asked for bounds.
//!
//! Files that are none of the game's, by their names or by what they hold, are passed over. A file of the game that cannot be
//! read is, too, as long as nobody asks for its slice; who does so, with no other file of the slice there, finds a fault as in a
//! damaged block.

use crate::probe::derived;
use crate::reader::Reader;
use crate::{Checked, Error, Indexed, Metric, Store, closure, slice_named};
use endspiel_game::{Oracle, Source};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use xxhash_rust::xxh3::Xxh3Default;

/// The files of a rule set as an [`Oracle`].
pub struct Leaves<I: Indexed> {
    index: I,
    /// By the slice: the places in `files` and `sources`, that which tells most first.
    places: FxHashMap<I::Slice, Vec<usize>>,
    /// The slices that have damaged files alone, and what is wrong with these.
    damaged: FxHashMap<I::Slice, String>,
    files: Vec<Reader>,
    /// By the file: those that a small one rests on, itself among them. Its source has the checksum of all of them.
    rests: Vec<FxHashMap<I::Slice, usize>>,
    sources: Vec<Source>,
    dir: PathBuf,
    checksum: u64,
    passed_over: Vec<String>,
    /// The first thing that could not be read.
    fault: OnceLock<String>,
}

impl<I: Indexed> Leaves<I> {
    /// Opens the files of each slice in these metrics, of which the first that is there is asked; decoded blocks are kept up
    /// to `memory` bytes a file. It is an error if there are none, which says what there is instead.
    pub fn open(index: I, store: &Store, metrics: &[Metric], memory: u64) -> Result<Self, Error> {
        metrics.iter().try_for_each(|&metric| index.can_tell(metric))?;
        let Checked { full, small: packed, damage: mut unread } = store.list_each()?;
        let (mut places, mut sum) = (FxHashMap::default(), Xxh3Default::new());
        let mut files: Vec<Reader> = Vec::new();
        for &metric in metrics {
            for reader in full.iter().chain(&packed).filter(|reader| reader.metric() == metric) {
                let Some(slice) = fitting(&index, reader, &mut unread) else { continue };
                let of_slice: &mut Vec<usize> = places.entry(slice).or_default();
                if of_slice.is_empty() {
                    sum.update(&reader.digest().checksum.to_le_bytes());
                }
                of_slice.push(files.len());
                files.push(Reader::open(reader.path(), memory)?);
            }
        }
        let (mut rests, mut sources) = (Vec::new(), Vec::new());
        for (file, reader) in files.iter().enumerate() {
            let header = reader.header();
            let (rest, name, checksum) = if header.is_small() {
                let slice = slice_named(&index, &header.slice);
                let rest = rests_on(&index, (&places, &files), file, slice);
                let mut sum = Xxh3Default::new();
                for (_, file) in &rest {
                    sum.update(&files[*file].digest().checksum.to_le_bytes());
                }
                (rest, Store::small_name(&header.slice, reader.metric()), sum.digest())
            } else {
                (Vec::new(), format!("{}.{}", header.slice, header.metric), reader.digest().checksum)
            };
            rests.push(rest.into_iter().collect());
            sources.push(Source { name: format!("{}/{name}", store.game()), checksum });
        }
        if files.is_empty() {
            let useless = || useless(store, &full, &packed, metrics);
            let fault = unread.into_iter().next().filter(|_| full.is_empty() && packed.is_empty());
            return Err(fault.unwrap_or_else(useless));
        }
        let (mut damaged, mut passed_over) = (FxHashMap::default(), Vec::new());
        for error in unread {
            let slice = error.path().filter(|path| !store.is_foreign(path));
            let slice = slice.and_then(|path| of_name(&index, path, metrics));
            match slice.filter(|slice| !places.contains_key(slice)) {
                Some(slice) => {
                    let name = index.slice_name(slice);
                    passed_over.push(format!("{error}; nothing is answered that needs slice {name}"));
                    damaged.insert(slice, error.to_string());
                }
                None => passed_over.push(format!("{error}; it is passed over")),
            }
        }
        let (dir, checksum, fault) = (store.dir().into(), sum.digest(), OnceLock::new());
        Ok(Self { index, places, damaged, files, rests, sources, dir, checksum, passed_over, fault })
    }

    /// The files that could not be used, and why.
    pub fn passed_over(&self) -> &[String] {
        &self.passed_over
    }
}

/// The files that a small file of a slice rests on, by the slices: others in its metric, small ones if there are both, or else
/// what tells most.
fn rests_on<I: Indexed>(
    index: &I,
    (places, files): (&FxHashMap<I::Slice, Vec<usize>>, &[Reader]),
    file: usize,
    slice: Option<I::Slice>,
) -> Vec<(I::Slice, usize)> {
    let metric = files[file].metric();
    let best = |of: I::Slice| {
        let there = places.get(&of)?;
        let like = there.iter().copied().filter(|&other| files[other].metric() == metric);
        let like = like.max_by_key(|&other| files[other].header().is_small());
        Some((of, if Some(of) == slice { file } else { like.or_else(|| there.first().copied())? }))
    };
    closure(index, slice.as_slice()).into_iter().filter_map(best).collect()
}

/// The slice of a file; what is wrong with one that can be of none is noted.
fn fitting<I: Indexed>(index: &I, reader: &Reader, unread: &mut Vec<Error>) -> Option<I::Slice> {
    match reader.slice_of(index) {
        Ok(slice) => Some(slice),
        Err(error) => {
            unread.push(error);
            None
        }
    }
}

/// The slice that a file holds by its name, if it is one of these metrics or a small one.
fn of_name<I: Indexed>(index: &I, path: &Path, metrics: &[Metric]) -> Option<I::Slice> {
    let (slice, metric) = Store::names(path)?;
    metrics.contains(&metric).then(|| slice_named(index, slice)).flatten()
}

/// Why no file of a directory can be used, and what to do about it.
fn useless(store: &Store, full: &[Reader], small: &[Reader], metrics: &[Metric]) -> Error {
    let dir = store.dir();
    let files: Vec<_> = full.iter().chain(small).collect();
    let (Some(largest), Some(best)) = (files.iter().max_by_key(|file| file.header().size), metrics.first())
    else {
        return Error::Empty { dir: dir.into() };
    };
    let there: BTreeSet<_> = files.iter().map(|file| file.metric().name()).collect();
    let there = there.into_iter().collect::<Vec<_>>().join(", ");
    let usable = metrics.iter().map(|metric| metric.name()).collect::<Vec<_>>().join(", ");
    let (slice, root) = (&largest.header().slice, dir.parent().unwrap_or(dir));
    let build = format!("{} {slice} --metric {} --dir {}", store.game(), best.name(), root.display());
    Error::Unusable { dir: dir.into(), there, usable, build }
}

impl<I: Indexed> Leaves<I> {
    #[inline]
    fn value(&self, position: &I::Position) -> Option<(Metric, i32)> {
        let (slice, number) = self.index.place(position)?;
        if let Some(places) = self.places.get(&slice) {
            // A small one may rest on files that are not there.
            return places.iter().find_map(|&file| self.ask(file, position, slice, number));
        }
        if let Some(what) = self.damaged.get(&slice) {
            let _ = self.fault.set(what.clone());
        }
        None
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
                let metric = self.files.get(file)?.metric();
                let rests = self.rests.get(file)?;
                let asked = |next: &I::Position| {
                    let (slice, number) = self.index.place(next)?;
                    match rests.get(&slice) {
                        Some(&file) => self.ask(file, next, slice, number),
                        None => self.value(next),
                    }
                };
                // Whatever goes wrong below is told there.
                let derive = |metric, number: &dyn Fn(Metric, i32) -> Option<i32>| {
                    let value = |next: &I::Position| Ok(asked(next).and_then(|(of, n)| number(of, n)));
                    Some((metric, derived(&self.index, metric, position, slice, value).ok()??))
                };
                let depths = derive(metric, &|of, number| (of == metric).then_some(number));
                // Where the files below tell something else, outcomes are all, and those of a rule do not tell these.
                depths.or_else(|| match metric.moves() {
                    None => {
                        derive(Metric::Value, &|of, number| of.moves().is_none().then(|| number.signum()))
                    }
                    Some(_) => None,
                })
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
        let files = if self.places.len() == 1 { "file" } else { "files" };
        format!("{} {files} in {}, {:016x} together", self.places.len(), self.dir.display(), self.checksum)
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
        let rests = self.rests.get(source).into_iter().flat_map(|rests| rests.values().copied());
        for file in rests.chain([source]).collect::<BTreeSet<_>>() {
            let file = self.files.get(file).ok_or_else(|| "it is not there".to_owned())?;
            file.check().map_err(|e| e.to_string())?;
        }
        Ok(())
    }
}
