//! What outlives a restart: saved games and finished jobs in one embedded database, certificates as files beside it.

use crate::certificates::Certificates;
use crate::scratch::Scratch;
use redb::{Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const JOBS: TableDefinition<'_, &str, &str> = TableDefinition::new("jobs");
/// The order of jobs' arrival, to let the oldest go.
const ORDER: TableDefinition<'_, u64, &str> = TableDefinition::new("jobs in order");
/// What lists of jobs show of each, by the same numbers.
const SHORT: TableDefinition<'_, u64, &str> = TableDefinition::new("jobs in short");
/// Jobs that go on when nobody watches and are not over, by their names: a server that starts takes them up again.
const OPEN: TableDefinition<'_, &str, &str> = TableDefinition::new("open jobs");
/// The latest report of each experiment.
const REPORTS: TableDefinition<'_, &str, &str> = TableDefinition::new("reports");
const RECORDS: TableDefinition<'_, u64, &str> = TableDefinition::new("records");

/// So many finished jobs are kept.
const MOST_JOBS: u64 = 10_000;
/// So many saved games are taken.
const MOST_RECORDS: u64 = 10_000;

/// The store cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database.
    #[error("the store: {0}")]
    Database(#[from] redb::Error),
    /// A file.
    #[error("the store: {0}")]
    File(#[from] io::Error),
    /// There is no room.
    #[error("the store is full: {0}")]
    Full(&'static str),
    /// No certificate.
    #[error("{0}")]
    Certificate(String),
}

/// The store of one server.
#[derive(Debug)]
pub struct Store {
    database: Database,
    pub certificates: Certificates,
    /// What experiments go on from.
    pub laboratory: PathBuf,
    /// What is to go with the server.
    passing: Option<Scratch>,
}

impl Store {
    /// The store in a directory, or one that goes with the server; certificates have at most so many bytes.
    pub fn open(directory: Option<&Path>, certificates: u64) -> Result<Self, StoreError> {
        let (database, files, laboratory, passing) = if let Some(directory) = directory {
            fs::create_dir_all(directory)?;
            let database = Database::create(directory.join("endspiel.redb")).map_err(redb::Error::from)?;
            (database, directory.join("certificates"), directory.join("lab"), None)
        } else {
            let backend = redb::backends::InMemoryBackend::new();
            let database = Database::builder().create_with_backend(backend).map_err(redb::Error::from)?;
            let scratch = Scratch::new(&std::env::temp_dir())?;
            let (files, laboratory) = (scratch.path().join("certificates"), scratch.path().join("lab"));
            (database, files, laboratory, Some(scratch))
        };
        // The database's lock says that there is no other server.
        let certificates = Certificates::open(files, certificates)?;
        let store = Self { database, certificates, laboratory, passing };
        store.prepare()?;
        Ok(store)
    }

    /// Removes what goes with the server, even if a thread that has not come to its end still holds the store.
    pub fn close(&self) {
        if let Some(scratch) = &self.passing {
            scratch.remove();
        }
    }

    fn prepare(&self) -> Result<(), redb::Error> {
        let write = self.database.begin_write()?;
        write.open_table(JOBS)?;
        write.open_table(ORDER)?;
        write.open_table(SHORT)?;
        write.open_table(RECORDS)?;
        write.open_table(OPEN)?;
        write.open_table(REPORTS)?;
        write.commit()?;
        Ok(())
    }

    /// Keeps an experiment's report in place of the last one.
    pub fn put_report(&self, name: &str, text: &str) -> Result<(), redb::Error> {
        let write = self.database.begin_write()?;
        write.open_table(REPORTS)?.insert(name, text)?;
        write.commit()?;
        Ok(())
    }

    /// The latest report of an experiment.
    pub fn report(&self, name: &str) -> Result<Option<String>, redb::Error> {
        let table = self.database.begin_read()?.open_table(REPORTS)?;
        Ok(table.get(name)?.map(|text| text.value().into()))
    }

    /// Remembers a job that is to go on.
    pub fn put_open(&self, id: &str, text: &str) -> Result<(), redb::Error> {
        let write = self.database.begin_write()?;
        write.open_table(OPEN)?.insert(id, text)?;
        write.commit()?;
        Ok(())
    }

    /// It is over.
    pub fn remove_open(&self, id: &str) -> Result<(), redb::Error> {
        let write = self.database.begin_write()?;
        write.open_table(OPEN)?.remove(id)?;
        write.commit()?;
        Ok(())
    }

    /// The jobs that were to go on.
    pub fn open_jobs(&self) -> Result<Vec<(String, String)>, redb::Error> {
        let table = self.database.begin_read()?.open_table(OPEN)?;
        let mut all = Vec::new();
        for entry in table.iter()? {
            let (id, text) = entry?;
            all.push((id.value().into(), text.value().into()));
        }
        Ok(all)
    }

    /// Keeps a finished job: all of it, and what lists show, if they show it.
    pub fn put_job(&self, id: &str, text: &str, short: Option<&str>) -> Result<(), redb::Error> {
        let write = self.database.begin_write()?;
        {
            let mut jobs = write.open_table(JOBS)?;
            let (mut order, mut list) = (write.open_table(ORDER)?, write.open_table(SHORT)?);
            jobs.insert(id, text)?;
            let number = order.last()?.map_or(0, |(number, _)| number.value() + 1);
            order.insert(number, id)?;
            if let Some(short) = short {
                list.insert(number, short)?;
            }
            if order.len()? > MOST_JOBS
                && let Some((number, oldest)) = order.pop_first()?
            {
                list.remove(number.value())?;
                jobs.remove(oldest.value())?;
            }
        }
        write.commit()?;
        Ok(())
    }

    /// A finished job.
    pub fn job(&self, id: &str) -> Result<Option<String>, redb::Error> {
        let table = self.database.begin_read()?.open_table(JOBS)?;
        Ok(table.get(id)?.map(|text| text.value().into()))
    }

    /// The latest finished jobs in short, the newest first, at most `most`.
    pub fn jobs(&self, most: usize) -> Result<Vec<String>, redb::Error> {
        let list = self.database.begin_read()?.open_table(SHORT)?;
        list.iter()?.rev().take(most).map(|entry| Ok(entry?.1.value().to_string())).collect()
    }

    /// Saves a game and gives its number.
    pub fn put_record(&self, text: &str) -> Result<u64, StoreError> {
        let put = || -> Result<Option<u64>, redb::Error> {
            let write = self.database.begin_write()?;
            let number = {
                let mut records = write.open_table(RECORDS)?;
                if records.len()? >= MOST_RECORDS {
                    return Ok(None);
                }
                let number = records.last()?.map_or(1, |(number, _)| number.value() + 1);
                records.insert(number, text)?;
                number
            };
            write.commit()?;
            Ok(Some(number))
        };
        put()?.ok_or(StoreError::Full("too many saved games"))
    }

    /// All saved games, the newest first, at most `most`.
    pub fn records(&self, most: usize) -> Result<Vec<(u64, String)>, redb::Error> {
        let table = self.database.begin_read()?.open_table(RECORDS)?;
        let mut all = Vec::new();
        for entry in table.iter()?.rev().take(most) {
            let (number, text) = entry?;
            all.push((number.value(), text.value().into()));
        }
        Ok(all)
    }

    /// A saved game.
    pub fn record(&self, number: u64) -> Result<Option<String>, redb::Error> {
        let table = self.database.begin_read()?.open_table(RECORDS)?;
        Ok(table.get(number)?.map(|text| text.value().into()))
    }

    /// Forgets a saved game; was there one?
    pub fn remove_record(&self, number: u64) -> Result<bool, redb::Error> {
        let write = self.database.begin_write()?;
        let there = write.open_table(RECORDS)?.remove(number)?.is_some();
        write.commit()?;
        Ok(there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_there_after_a_restart() {
        let directory = std::env::temp_dir().join(format!("endspiel-store-{}", std::process::id()));
        let number = {
            let store = Store::open(Some(&directory), 1 << 20).expect("a store");
            store.put_job("a", "{}", Some("short")).expect("kept");
            store.put_job("hint", "{}", None).expect("kept");
            fs::write(store.certificates.draft("b"), "half").expect("written");
            store.put_record("one").expect("kept");
            store.put_record("two").expect("kept")
        };
        let store = Store::open(Some(&directory), 1 << 20).expect("a store");
        assert_eq!(store.certificates.written("b"), 0, "nobody goes on with it");
        assert_eq!(store.job("a").expect("read").as_deref(), Some("{}"));
        assert_eq!(store.job("b").expect("read"), None);
        assert_eq!(store.jobs(9).expect("read"), ["short"]);
        assert_eq!(store.records(9).expect("read"), [(number, "two".into()), (1, "one".into())]);
        assert!(store.remove_record(1).expect("written") && !store.remove_record(1).expect("written"));
        drop(store);
        fs::remove_dir_all(&directory).expect("removed");
    }
}
