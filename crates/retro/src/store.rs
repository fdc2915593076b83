//! A directory of databases of one rule set: a file a slice and metric, and a manifest of them all.
//!
//! The manifest says nothing that the files do not say; it is there so that a missing or exchanged file is
//! noticed, and is written anew after every change and whenever a build finds it missing or damaged.

use crate::file::{self, Digest, Header, Partial};
use crate::reader::Reader;
use crate::{Error, Metric, Table, Work};
use serde_json::{Value, json};
use std::fs::File;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

const MANIFEST: &str = "manifest.json";
const EXTENSION: &str = "esdb";

/// The folder of what comes and goes with a job.
pub(crate) const SCRATCH: &str = "scratch";
/// The folder of a build that is tried, and in it that of its rule set.
pub(crate) const TRIAL: &str = "trial";
const SMALL: &str = "small";
/// What mends a manifest.
const ANEW: &str = "`db build` and `db pack` write it anew";
/// The bytes of the longest name of a folder; file systems have room for 255.
const LONGEST_FOLDER: usize = 200;
/// No manifest is longer: a line has some 150 bytes.
const LONGEST_MANIFEST: u64 = 64 << 20;

/// The databases of one rule set.
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
    game: String,
}

/// What a look at files found.
pub struct Checked {
    /// The good ones, the smallest slice first.
    pub full: Vec<Reader>,
    /// The good small ones.
    pub small: Vec<Reader>,
    /// What is wrong with others, or with the manifest.
    pub damage: Vec<Error>,
}

/// Keeps other builds away while it lives.
pub struct Guard(#[expect(dead_code, reason = "the lock goes with the file")] File);

impl Store {
    /// The databases of the rule set called `game`, in a folder of its own under `root`. Of a name that is too long for a
    /// folder, as graphs may be, it has the beginning and a checksum.
    pub fn new(root: &Path, game: &str) -> Self {
        let mut folder = game.replace([':', '/', '\\'], ",");
        if folder.len() > LONGEST_FOLDER {
            let begins: String = folder.chars().take(LONGEST_FOLDER / 2).collect();
            folder = format!("{begins},{:016x}", xxh3_64(game.as_bytes()));
        }
        Self { dir: root.join(folder), game: game.into() }
    }

    /// The rule sets that have a folder under `root`, as their manifests or their files name them.
    pub fn games(root: &Path) -> Vec<String> {
        let folders = std::fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path());
        let named = |dir: &Path| -> Option<String> {
            // A manifest may be damaged, or a file be one of another game.
            let is_its = |game: &String| Self::new(root, game).dir == dir;
            let manifest = read_text(&dir.join(MANIFEST)).ok();
            let manifest: Option<Value> = manifest.and_then(|text| serde_json::from_slice(&text).ok());
            let told = manifest.and_then(|manifest| manifest["game"].as_str().map(str::to_string));
            told.filter(is_its).or_else(|| {
                let files = std::fs::read_dir(dir).ok()?.flatten().map(|entry| entry.path());
                let files =
                    files.filter(|file| file.extension().is_some_and(|e| e == EXTENSION || e == SMALL));
                let mut games =
                    files.filter_map(|file| Some(Reader::open(&file, 0).ok()?.header().game.clone()));
                games.find(is_its)
            })
        };
        let mut games: Vec<String> = folders.filter_map(|dir| named(&dir)).collect();
        games.sort_unstable();
        games
    }

    /// The rule set.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Where the files are.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The file of a slice.
    pub fn path(&self, slice: &str, metric: Metric) -> PathBuf {
        self.dir.join(format!("{slice}.{}.{EXTENSION}", metric.name()))
    }

    /// The small file of a slice.
    pub fn small_path(&self, slice: &str, metric: Metric) -> PathBuf {
        self.dir.join(Self::small_name(slice, metric))
    }

    /// The name of a small file; that of who wins does without the metric.
    pub(crate) fn small_name(slice: &str, metric: Metric) -> String {
        match metric {
            Metric::Value => format!("{slice}.{SMALL}"),
            _ => format!("{slice}.{}.{SMALL}", metric.name()),
        }
    }

    /// Opens the small file of a slice; decoded blocks are kept up to `memory` bytes.
    pub fn open_small(&self, slice: &str, metric: Metric, memory: u64) -> Result<Reader, Error> {
        let path = self.small_path(slice, metric);
        if !path.exists() {
            return Err(self.missing(slice, "a small file"));
        }
        let reader = Reader::open(&path, memory)?;
        let header = reader.header();
        if header.game != self.game || header.slice != slice || reader.metric() != metric {
            let what = format!("it holds {} of slice {} of {}", header.metric, header.slice, header.game);
            return Err(Error::damaged(&path, &what));
        }
        Ok(reader)
    }

    /// The small files, the smallest slice first; what cannot be read goes to `unread`.
    fn readable_small(&self, unread: &mut Vec<Error>) -> Result<Vec<Reader>, Error> {
        let mut readers = Vec::new();
        for path in self.with_extension(SMALL)? {
            match self.read_listed(&path, &|slice, metric| self.small_path(slice, metric)) {
                Ok(reader) => readers.push(reader),
                Err(error) => unread.push(error),
            }
        }
        readers.sort_by_cached_key(order);
        Ok(readers)
    }

    /// Opens the file of a slice; decoded blocks are kept up to `memory` bytes.
    pub fn open(&self, slice: &str, metric: Metric, memory: u64) -> Result<Reader, Error> {
        let path = self.path(slice, metric);
        if !path.exists() {
            return Err(self.missing(slice, metric.name()));
        }
        let reader = Reader::open(&path, memory)?;
        let header = reader.header();
        if header.game != self.game || header.slice != slice || header.metric != metric.name() {
            let what = format!("it holds {} of slice {} of {}", header.metric, header.slice, header.game);
            return Err(Error::damaged(&path, &what));
        }
        refuse_small(&path, header)?;
        Ok(reader)
    }

    /// Opens the file of a slice, the small one if there is no other.
    pub fn open_any(&self, slice: &str, metric: Metric, memory: u64) -> Result<Reader, Error> {
        match self.open(slice, metric, memory) {
            Err(missing @ Error::Missing { .. }) => match self.open_small(slice, metric, memory) {
                Err(Error::Missing { .. }) => Err(missing),
                reader => reader,
            },
            reader => reader,
        }
    }

    /// The same, the small one if there are both.
    pub(crate) fn open_smallest(&self, slice: &str, metric: Metric, memory: u64) -> Result<Reader, Error> {
        match self.open_small(slice, metric, memory) {
            Err(Error::Missing { .. }) => self.open(slice, metric, memory),
            reader => reader,
        }
    }

    /// A slice that is not there in what is asked for, by name.
    pub(crate) fn missing(&self, slice: &str, metric: &str) -> Error {
        // What cannot be read has no other metric either.
        let metrics = self.metrics_of(slice).unwrap_or_default();
        let names = |ending: &str, has: &dyn Fn(Metric) -> bool| -> Vec<String> {
            let there = metrics.iter().filter(|metric| has(**metric));
            there.map(|metric| format!("{}{ending}", metric.name())).collect()
        };
        let mut there = names("", &|metric| self.path(slice, metric).exists());
        there.extend(names(" (small)", &|metric| self.small_path(slice, metric).exists()));
        Error::Missing { slice: slice.into(), metric: metric.into(), there, dir: self.dir.clone() }
    }

    /// The slice and the metric that a file holds by its name, if it has the name of a database.
    pub(crate) fn names(path: &Path) -> Option<(&str, Metric)> {
        let name = path.file_stem()?.to_str()?;
        match path.extension()?.to_str()? {
            EXTENSION => {
                let (slice, metric) = name.rsplit_once('.')?;
                Some((slice, Metric::named(metric)?))
            }
            SMALL => {
                let of_depths = name.rsplit_once('.').and_then(|(slice, m)| Some((slice, Metric::named(m)?)));
                Some(of_depths.unwrap_or((name, Metric::Value)))
            }
            _ => None,
        }
    }

    /// Is a file that cannot be used one of another game or of another version, and no damaged one?
    pub(crate) fn is_foreign(&self, path: &Path) -> bool {
        Reader::open(path, 0)
            .map_or_else(|_| file::is_of_another_version(path), |reader| reader.header().game != self.game)
    }

    /// The metrics of the files that are there, whole or not.
    pub fn metrics(&self) -> Result<Vec<Metric>, Error> {
        let files = self.with_extension(EXTENSION)?.into_iter().chain(self.with_extension(SMALL)?);
        let mut there: Vec<Metric> = files.filter_map(|file| Some(Self::names(&file)?.1)).collect();
        there.sort_by_key(|m| (Metric::ALL.iter().position(|usual| *usual == m.usual()), m.moves()));
        there.dedup();
        Ok(there)
    }

    /// The metrics in which a slice is there, full or small, whole or not.
    pub fn metrics_of(&self, slice: &str) -> Result<Vec<Metric>, Error> {
        let is_there = |metric| self.path(slice, metric).exists() || self.small_path(slice, metric).exists();
        let mut there = self.metrics()?;
        there.retain(|&metric| is_there(metric));
        Ok(there)
    }

    /// Writes the file of a slice, and the manifest.
    pub fn save(&self, slice: &str, table: &Table, work: &Work<'_>) -> Result<(Header, Digest), Error> {
        std::fs::create_dir_all(&self.dir).map_err(|e| Error::io(&self.dir, e))?;
        let header = Header::of(&self.game, slice, table);
        let digest = file::write(&self.path(slice, table.metric), &header, table, work)?;
        self.write_manifest()?;
        Ok((header, digest))
    }

    /// Writes the file of a slice whose blocks are compressed already, and the manifest.
    pub(crate) fn save_blocks(
        &self,
        header: &Header,
        metric: Metric,
        blocks: &[Vec<u8>],
    ) -> Result<Digest, Error> {
        std::fs::create_dir_all(&self.dir).map_err(|e| Error::io(&self.dir, e))?;
        let digest = file::write_blocks(&self.path(&header.slice, metric), header, blocks)?;
        self.write_manifest()?;
        Ok(digest)
    }

    /// Keeps other builds away, and removes what killed ones left.
    pub fn lock(&self) -> Result<Guard, Error> {
        lock(&self.dir)
    }

    /// The full files, the smallest slice first; what cannot be read goes to `unread`.
    fn readable(&self, unread: &mut Vec<Error>) -> Result<Vec<Reader>, Error> {
        let mut readers = Vec::new();
        for path in self.with_extension(EXTENSION)? {
            let reader = self.read_listed(&path, &|slice, metric| self.path(slice, metric));
            match reader.and_then(|reader| refuse_small(&path, reader.header()).map(|()| reader)) {
                Ok(reader) => readers.push(reader),
                Err(error) => unread.push(error),
            }
        }
        readers.sort_by_cached_key(order);
        Ok(readers)
    }

    /// The files with this ending.
    fn with_extension(&self, ending: &str) -> Result<Vec<PathBuf>, Error> {
        let entries = match std::fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(Error::io(&self.dir, e)),
        };
        let paths = entries.map(|entry| Ok(entry.map_err(|e| Error::io(&self.dir, e))?.path()));
        let is_one = |path: &Result<PathBuf, Error>| {
            path.as_ref().map_or(true, |path| path.extension().is_some_and(|e| e == ending))
        };
        paths.filter(is_one).collect()
    }

    /// Opens a file of a list, which `called` says what it should be called.
    fn read_listed(&self, path: &Path, called: &dyn Fn(&str, Metric) -> PathBuf) -> Result<Reader, Error> {
        let reader = Reader::open(path, 0)?;
        if reader.header().game != self.game || called(&reader.header().slice, reader.metric()) != path {
            return Err(Error::damaged(path, "its name is not that of its contents"));
        }
        Ok(reader)
    }

    fn manifest(&self) -> Result<Vec<u8>, Error> {
        // Damaged files are left out until they are built anew; a check refuses them.
        let Checked { full, small, .. } = self.list_each()?;
        let lines: Vec<_> = full
            .iter()
            .chain(&small)
            .map(|reader| {
                let (header, digest) = (reader.header(), reader.digest());
                let mut line = json!({
                    "slice": header.slice,
                    "metric": header.metric,
                    "positions": header.size.saturating_sub(header.wasted),
                    "bytes": digest.bytes,
                    "xxh3": format!("{:016x}", digest.checksum),
                });
                if header.is_small() {
                    line["small"] = json!(true);
                }
                line
            })
            .collect();
        self.manifest_of(&json!(lines))
    }

    /// The text of a manifest with these files.
    fn manifest_of(&self, files: &Value) -> Result<Vec<u8>, Error> {
        let manifest = json!({"game": self.game, "files": files});
        let mut text = serde_json::to_vec_pretty(&manifest).map_err(|e| Error::io(&self.dir, e.into()))?;
        text.push(b'\n');
        Ok(text)
    }

    /// Writes the manifest of the files as they are, unless it is there.
    pub fn write_manifest(&self) -> Result<(), Error> {
        let path = self.dir.join(MANIFEST);
        let text = self.manifest()?;
        if read_text(&path).is_ok_and(|there| there == text) {
            return Ok(());
        }
        let mut partial = Partial::of(&path);
        let mut file = partial.create()?;
        std::io::Write::write_all(&mut file, &text).map_err(|e| partial.failed(e))?;
        file.sync_all().map_err(|e| partial.failed(e))?;
        partial.rename(&path)
    }

    /// Reads every byte of every file and compares all checksums and the manifest. How many files there are.
    pub fn check_files(&self) -> Result<usize, Error> {
        let Checked { full, small, damage } = self.check_each(None)?;
        damage.into_iter().next().map_or(Ok(full.len() + small.len()), Err)
    }

    /// All files that can be opened, and what is wrong with the others.
    pub fn list_each(&self) -> Result<Checked, Error> {
        let mut damage = Vec::new();
        let (full, small) = (self.readable(&mut damage)?, self.readable_small(&mut damage)?);
        damage.sort_by_cached_key(ToString::to_string);
        Ok(Checked { full, small, damage })
    }

    /// Reads every byte of the files of these slices, or of all, compares all checksums, and goes on where something is wrong.
    /// The manifest is looked at too, for what it says of them.
    pub fn check_each(&self, slices: Option<&[String]>) -> Result<Checked, Error> {
        let Checked { full, small, mut damage } = self.list_each()?;
        if full.is_empty() && small.is_empty() && damage.is_empty() {
            return Err(Error::Empty { dir: self.dir.clone() });
        }
        let is_asked = |slice: &str| slices.is_none_or(|asked| asked.iter().any(|name| name == slice));
        damage.retain(|error| {
            let name = error.path().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
            name.is_none_or(|name| is_asked(name.split('.').next().unwrap_or_default()))
        });
        let mut good = |readers: Vec<Reader>| -> Vec<Reader> {
            let asked = readers.into_iter().filter(|reader| is_asked(&reader.header().slice));
            asked.filter(|reader| reader.check().map_err(|e| damage.push(e)).is_ok()).collect()
        };
        let (full, small) = (good(full), good(small));
        // What is wrong with a file is told once.
        let told: Vec<PathBuf> = damage.iter().filter_map(|e| e.path().map(Into::into)).collect();
        let is_open = |slice: &str, path: &Path| is_asked(slice) && !told.iter().any(|other| other == path);
        damage.extend(self.check_manifest(is_open).err());
        damage.sort_by_cached_key(ToString::to_string);
        Ok(Checked { full, small, damage })
    }

    /// Compares the manifest with the files, as far as `is_open` says of a slice and its file.
    fn check_manifest(&self, is_open: impl Fn(&str, &Path) -> bool) -> Result<(), Error> {
        let path = self.dir.join(MANIFEST);
        let wrong = |what: &str| Error::damaged(&path, &format!("{what}; {ANEW}"));
        let manifest = match read_text(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(wrong("it is missing")),
            Err(e) if e.kind() == std::io::ErrorKind::InvalidData => {
                return Err(wrong("it is damaged, for it is none"));
            }
            other => other.map_err(|e| Error::io(&path, e))?,
        };
        // Who has packed a slice may throw its full files away.
        let lines = |text: &[u8]| -> Result<Vec<Value>, Error> {
            let manifest: Value = serde_json::from_slice(text)
                .map_err(|e| wrong(&format!("it is damaged, for it is no JSON: {e}")))?;
            let is_kept = |line: &Value| {
                let (slice, metric) = (line["slice"].as_str()?, line["metric"].as_str()?);
                let small = self.small_path(slice, Metric::named(metric)?);
                let is_small = line["small"] == true;
                let file = self.dir.join(format!("{slice}.{metric}.{EXTENSION}"));
                // Small files of who wins are made of those of depths to the end, too.
                let outcomes = self.small_path(slice, Metric::Value);
                let is_packed = small.exists() || metric == Metric::End.name() && outcomes.exists();
                let is_cleared = is_packed && !file.exists();
                let file = if is_small { small } else { file };
                Some(is_open(slice, &file) && (is_small || !is_cleared))
            };
            let files = manifest["files"].as_array();
            let kept = files.and_then(|files| {
                let kept: Option<Vec<bool>> = files.iter().map(is_kept).collect();
                Some(
                    files.iter().zip(kept?).filter(|(_, kept)| *kept).map(|(line, _)| line.clone()).collect(),
                )
            });
            match kept {
                _ if manifest["game"] != self.game.as_str() => {
                    Err(wrong(&format!("it is damaged, for it is not one of {}", self.game)))
                }
                Some(kept) => Ok(kept),
                None => Err(wrong("it is damaged, for it has no list of files")),
            }
        };
        let (listed, now) = (lines(&manifest)?, lines(&self.manifest()?)?);
        if listed != now {
            let small = |line: &Value| if line["small"] == true { " (small)" } else { "" };
            let name = |line: &Value| {
                format!("{}{} of {}", line["metric"], small(line), line["slice"]).replace('"', "")
            };
            let lone = |of: &[Value], other: &[Value]| of.iter().find(|line| !other.contains(line)).map(name);
            let which = match (lone(&listed, &now), lone(&now, &listed)) {
                (Some(gone), None) => format!("it lists {gone}, and no such file is there"),
                (_, Some(new)) => format!("it does not list {new} as it is there; a build may be at work"),
                (None, None) => "it does not list the files in their order".into(),
            };
            return Err(wrong(&which));
        }
        // Byte by byte, it is what would be written of the files it lists.
        let files = serde_json::from_slice::<Value>(&manifest).map(|mut manifest| manifest["files"].take());
        if self.manifest_of(&files.unwrap_or_default())? != manifest {
            return Err(wrong("it is damaged, for it is not written as a build writes it"));
        }
        Ok(())
    }
}

/// The smallest slice first.
fn order(reader: &Reader) -> (u64, String, String) {
    let header = reader.header();
    (header.size, header.slice.clone(), header.metric.clone())
}

/// Reads a manifest; what is no file, which might never end, or too long for one holds none.
fn read_text(path: &Path) -> std::io::Result<Vec<u8>> {
    let about = std::fs::metadata(path)?;
    if !about.is_file() || about.len() > LONGEST_MANIFEST {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    std::fs::read(path)
}

/// What a small file leaves out means nothing to who wants every cell, whatever its name is.
fn refuse_small(path: &Path, header: &Header) -> Result<(), Error> {
    if header.is_small() {
        return Err(Error::damaged(path, "it is a small file, which leaves positions out, by another name"));
    }
    Ok(())
}

/// The bytes free on the disk that holds `dir` or will hold it, if they are fewer than `needed`. What a killed build has left there
/// does not count: it goes first.
pub(crate) fn short_of(needed: u64, dir: &Path) -> Option<u64> {
    let short = || free(dir).filter(|&free| free < needed);
    if short().is_some() && dir.is_dir() {
        // Who has the lock is at work: then it stays.
        drop(lock(dir));
    }
    short()
}

/// Keeps other builds away, and removes what killed ones left.
fn lock(dir: &Path) -> Result<Guard, Error> {
    std::fs::create_dir_all(dir).map_err(|e| Error::io(dir, e))?;
    let path = dir.join("lock");
    let file = File::create(&path).map_err(|e| Error::io(&path, e))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(std::fs::TryLockError::WouldBlock) => return Err(Error::Busy { dir: dir.into() }),
        Err(std::fs::TryLockError::Error(e)) => return Err(Error::io(&path, e)),
    }
    let _ = std::fs::remove_dir_all(dir.join(SCRATCH));
    for path in std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if is_partial(&path) {
            let _ = std::fs::remove_file(path);
        }
    }
    let (trial, there) = (dir.join(TRIAL), dir.join(TRIAL).join(TRIAL));
    if let Some(_guard) = there.is_dir().then(|| lock(&there).ok()).flatten() {
        let _ = std::fs::remove_dir_all(trial);
    }
    Ok(Guard(file))
}

/// Has a file the name of one on its way here? Others end so, too.
fn is_partial(path: &Path) -> bool {
    let ends = |path: &Path| path.extension().and_then(|ending| ending.to_str()).map(str::to_string);
    let named = path.with_extension("");
    let of_slice = |ending: String| Metric::named(&ending).is_some() || ending.parse::<u8>().is_ok();
    ends(path).is_some_and(|ending| ending == Partial::ENDING)
        && (named.ends_with("manifest") || ends(&named).is_some_and(of_slice))
}

/// The bytes free on the disk that holds `dir` or will hold it; none if the system does not tell.
fn free(dir: &Path) -> Option<u64> {
    // The last of a relative path's ancestors is empty: it means the working directory.
    let here = |d: &Path| if d.as_os_str().is_empty() { PathBuf::from(".") } else { d.into() };
    let there = dir.ancestors().map(here).find(|d| d.exists())?;
    #[cfg(unix)]
    {
        let disk = rustix::fs::statvfs(&there).ok()?;
        Some(disk.f_bavail.saturating_mul(disk.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = there;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_takes_the_lock_clears_what_killed_builds_left() {
        let dir = std::env::temp_dir().join(format!("endspiel-left-{}", std::process::id()));
        let names = |dir: &Path| {
            let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
            names.sort();
            names
        };
        let store = Store::new(&dir, "game");
        let put = |name: &str| {
            let path = store.dir().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "left").unwrap();
        };
        let ours =
            ["scratch/scratch/news-1", "trial/trial/scratch/news-2", "2K-2C.3.partial", "KRK.dtm50.partial"];
        let others = ["KRK.dtm.esdb.1a2b3c4d.partial", "KRK.dtm.esdb", "notes.partial"];
        ours.iter().chain(&others).chain(&["manifest.partial"]).for_each(|name| put(name));
        // A trial that is going on stays, and nothing goes while somebody has the lock.
        let trial = lock(&store.dir().join("trial/trial")).unwrap();
        put("trial/trial/here");
        drop(store.lock().unwrap());
        assert_eq!(names(store.dir()), [others[1], others[0], "lock", others[2], "trial"]);
        drop(trial);
        let guard = store.lock().unwrap();
        assert_eq!(names(store.dir()), [others[1], others[0], "lock", others[2]]);
        put(ours[2]);
        assert!(matches!(store.lock(), Err(Error::Busy { .. })));
        // Where room is short, what was left is no reason.
        assert!(short_of(u64::MAX, store.dir()).is_some() && names(store.dir()).contains(&ours[2].into()));
        drop(guard);
        assert!(short_of(u64::MAX, store.dir()).is_some() && !names(store.dir()).contains(&ours[2].into()));
        std::fs::remove_dir_all(dir).unwrap();
    }
}
