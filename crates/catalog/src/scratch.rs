//! A directory for files that are not to stay.

use crate::report::Error;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// A new directory that goes away with this value.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Result<Self, Error> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("endspiel-{name}-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&dir).map_err(|e| Error::Certificate(format!("{}: {e}", dir.display())))?;
        Ok(Self(dir))
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own cleaning.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
