//! Certificates as files, each named after the digest in its header; no name from the network becomes a path.
//!
//! They take at most so many bytes together. A new one makes room for itself: those that were not used for longest
//! go first. Using one, by walking through it or fetching it, sets its file's time.

use crate::store::StoreError;
use endspiel_catalog::Label;
use serde::Serialize;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// How the names of files begin that are still being written.
const DRAFT: &str = "draft-";
/// How the names of certificates end.
const ENDING: &str = ".cert";

/// The certificates of one server.
#[derive(Debug)]
pub struct Certificates {
    directory: PathBuf,
    /// So many bytes are kept.
    most: u64,
    /// One at a time makes room.
    taking: Mutex<()>,
}

/// A certificate that is kept.
#[derive(Debug, Serialize)]
pub struct Kept {
    /// What it says of itself.
    #[serde(flatten)]
    pub label: Label,
    pub bytes: u64,
    /// When it was used last, in seconds since 1970.
    pub used: u64,
}

struct Entry {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

impl Entry {
    fn is_draft(&self) -> bool {
        self.path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(DRAFT))
    }

    fn is_certificate(&self) -> bool {
        self.path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(ENDING)) && !self.is_draft()
    }
}

impl Certificates {
    /// Those in a directory. Half-written ones are removed: there is no other server at work there.
    pub fn open(directory: PathBuf, most: u64) -> io::Result<Self> {
        fs::create_dir_all(&directory)?;
        let certificates = Self { directory, most, taking: Mutex::default() };
        for draft in certificates.entries()?.iter().filter(|entry| entry.is_draft()) {
            // A draft that stays behind is only a file too many.
            let _ = fs::remove_file(&draft.path);
        }
        Ok(certificates)
    }

    fn entries(&self) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for file in fs::read_dir(&self.directory)? {
            let file = file?;
            // One that has gone meanwhile takes no room.
            let Ok(about) = file.metadata() else { continue };
            let used = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            entries.push(Entry { path: file.path(), bytes: about.len(), used });
        }
        Ok(entries)
    }

    /// Where a certificate is written before its name is known.
    pub fn draft(&self, id: &str) -> PathBuf {
        self.directory.join(format!("{DRAFT}{id}"))
    }

    /// The bytes of a draft so far.
    pub fn written(&self, id: &str) -> u64 {
        fs::metadata(self.draft(id)).map_or(0, |about| about.len())
    }

    /// Gives a draft its name, the digest in its header, and makes room for it.
    pub fn publish(&self, draft: &Path) -> Result<String, StoreError> {
        let label =
            endspiel_catalog::label(draft).map_err(|error| StoreError::Certificate(error.to_string()))?;
        self.make_room(fs::metadata(draft)?.len(), draft)?;
        fs::rename(draft, self.path(&label.digest))?;
        Ok(label.digest)
    }

    /// Lets go of what was not used for longest until so many bytes more than those besides `draft` are allowed.
    pub fn make_room(&self, bytes: u64, draft: &Path) -> Result<(), StoreError> {
        if bytes > self.most {
            return Err(StoreError::Full("the certificate is larger than all that may be kept"));
        }
        let _one = self.taking.lock().unwrap_or_else(PoisonError::into_inner);
        let mut entries = self.entries()?;
        entries.retain(|entry| entry.path != draft);
        entries.sort_by_key(|entry| entry.used);
        let sum = |certificates: bool| -> u64 {
            entries.iter().filter(|e| e.is_certificate() == certificates).map(|e| e.bytes).sum()
        };
        let (drafts, mut total) = (sum(false), sum(true));
        if bytes + drafts > self.most {
            return Err(StoreError::Full("too many certificates are being written"));
        }
        for oldest in entries.iter().filter(|entry| entry.is_certificate()) {
            if bytes + drafts + total <= self.most {
                break;
            }
            fs::remove_file(&oldest.path)?;
            total -= oldest.bytes;
        }
        Ok(())
    }

    /// The file of a certificate, which is used now; none if the digest is none.
    pub fn find(&self, digest: &str) -> Option<PathBuf> {
        let good =
            digest.len() == 32 && digest.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        let path = self.path(digest);
        if !good || !path.is_file() {
            return None;
        }
        // Where times cannot be set, the oldest go first.
        let _ = File::options().append(true).open(&path).and_then(|f| f.set_modified(SystemTime::now()));
        Some(path)
    }

    /// Removes a certificate; was there one?
    pub fn remove(&self, digest: &str) -> io::Result<bool> {
        self.find(digest).map_or(Ok(false), |file| fs::remove_file(file).map(|()| true))
    }

    /// All of them, those used latest first, at most `most`.
    pub fn list(&self, most: usize) -> io::Result<Vec<Kept>> {
        let mut entries = self.entries()?;
        entries.retain(Entry::is_certificate);
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.used));
        let kept = |entry: Entry| {
            let used = entry.used.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |t| t.as_secs());
            Some(Kept { label: endspiel_catalog::label(&entry.path).ok()?, bytes: entry.bytes, used })
        };
        Ok(entries.into_iter().filter_map(kept).take(most).collect())
    }

    fn path(&self, digest: &str) -> PathBuf {
        self.directory.join(format!("{digest}{ENDING}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_newest_and_the_used_stay() {
        let directory = std::env::temp_dir().join(format!("endspiel-certificates-{}", std::process::id()));
        let kept = Certificates::open(directory.clone(), 100).expect("opened");
        let names = ["a", "b", "c"].map(|letter| letter.repeat(32));
        for (age, name) in (0..).zip(&names) {
            let file = File::create(kept.path(name)).expect("made");
            file.set_len(30).expect("written");
            let time = SystemTime::now() - Duration::from_secs(100 - age);
            file.set_modified(time).expect("set");
        }
        // The oldest is used, so the next oldest goes.
        assert!(kept.find(&names[0]).is_some());
        fs::write(kept.draft("d"), [0; 40]).expect("written");
        kept.make_room(40, &kept.draft("d")).expect("room");
        let there = names.each_ref().map(|name| kept.path(name).exists());
        assert_eq!(there, [true, false, true]);
        assert!(matches!(kept.make_room(101, Path::new("")), Err(StoreError::Full(_))));
        assert!(
            matches!(kept.make_room(61, Path::new("")), Err(StoreError::Full(_))),
            "a draft is in the way"
        );
        assert!(kept.path(&names[0]).exists(), "nothing goes in vain");
        assert!(!kept.remove(&names[1]).expect("looked"));
        for name in ["", "../endspiel.redb", "draft-d", &names[1]] {
            assert_eq!(kept.find(name), None);
        }
        let again = Certificates::open(directory.clone(), 100).expect("opened");
        assert_eq!(again.written("d"), 0, "nobody goes on with it");
        fs::remove_dir_all(directory).expect("removed");
    }
}
