//! The directory of a server that keeps nothing: in the system's place for such things, for its owner alone. It goes
//! with the server. A lock in it tells that its server lives, so that the next one can clear what was left behind by
//! a server that was killed.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How its name begins; sixteen hexadecimal digits follow.
const PREFIX: &str = "endspiel-";
/// The file that is locked while the server lives.
const LOCK: &str = "lock";
/// A directory without a lock may be about to get one; after this time it is not.
const UNFINISHED: Duration = Duration::from_secs(600);

/// A directory that is removed when this is dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    _lock: File,
}

impl Scratch {
    /// Makes a directory in `parent`, and clears it of those whose servers are gone.
    pub fn new(parent: &Path) -> io::Result<Self> {
        clear(parent);
        let mut name = [0; 8];
        getrandom::fill(&mut name).map_err(io::Error::other)?;
        let path = parent.join(format!("{PREFIX}{:016x}", u64::from_le_bytes(name)));
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path)?;
        let lock = File::create_new(path.join(LOCK))?;
        lock.lock()?;
        Ok(Self { path, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it, whoever may still be at work there.
    pub fn remove(&self) {
        // What cannot be removed now is left to the next server.
        let _ = fs::remove_dir_all(&self.path);
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.remove();
    }
}

fn clear(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(PREFIX)).unwrap_or_default();
        let ours = number.len() == 16 && number.bytes().all(|b| b.is_ascii_hexdigit());
        // A link is no directory here, whatever it leads to.
        if ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_abandoned(&entry.path()) {
            // It may be somebody else's.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_abandoned(path: &Path) -> bool {
    let lock = path.join(LOCK);
    match fs::symlink_metadata(&lock) {
        Ok(found) => found.is_file() && File::open(lock).is_ok_and(|lock| lock.try_lock().is_ok()),
        Err(_) => fs::metadata(path)
            .and_then(|found| found.modified())
            .is_ok_and(|made| made.elapsed().is_ok_and(|age| age > UNFINISHED)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_with_its_server_and_what_was_left_behind_goes_with_the_next() {
        let parent = std::env::temp_dir().join(format!("endspiel-scratch-{}", std::process::id()));
        fs::create_dir_all(&parent).expect("made");
        let left = parent.join("endspiel-0123456789abcdef");
        let (other, young) = (parent.join("endspiel-games"), parent.join("endspiel-fedcba9876543210"));
        for directory in [&left, &other, &young] {
            fs::create_dir(directory).expect("made");
        }
        fs::write(left.join(LOCK), "").expect("written");
        fs::write(left.join("draft"), "half").expect("written");
        fs::write(other.join(LOCK), "").expect("written");

        let first = Scratch::new(&parent).expect("made");
        fs::write(first.path().join("file"), "kept").expect("written");
        let second = Scratch::new(&parent).expect("made");
        assert!(!left.exists(), "nobody holds its lock");
        assert!(other.exists() && young.exists(), "not ours, and about to be locked");
        assert!(first.path().join("file").exists(), "its server lives");
        let path = first.path().to_path_buf();
        drop(first);
        assert!(!path.exists() && second.path().exists());
        drop(second);
        fs::remove_dir_all(parent).expect("removed");
    }
}
