//! What outlives a restart: saved games and finished jobs in one embedded database, certificates as files beside it.

use crate::certificates::Certificates;
use crate::scratch::Scratch;
use endspiel_lab::proofs::quietly;
use redb::{
    Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition, WriteTransaction,
};
use std::fs;
use std::io::{
    self,
    ErrorKind::{InvalidData, UnexpectedEof},
};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

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
/// The last number that each kind of thing had: none comes back, or who has an old list deletes another's new game.
const LAST: TableDefinition<'_, &str, u64> = TableDefinition::new("last numbers");

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
    /// The place for it.
    #[error("the store cannot be in {}: {}", .0.display(), .1)]
    Directory(PathBuf, io::Error),
    /// The file of the database.
    #[error("the store {} cannot be used: {}", .0.display(), .1)]
    Unusable(PathBuf, redb::Error),
    /// What is in it does not fit together.
    #[error("the store {} is damaged; put the file aside to begin anew, or take a copy of it", .0.display())]
    Damaged(PathBuf),
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
    /// None if it could not be opened again after a failure.
    database: RwLock<Option<Database>>,
    /// Its file, where it has one.
    file: Option<PathBuf>,
    pub certificates: Certificates,
    /// What experiments go on from.
    pub laboratory: PathBuf,
    /// What is to go with the server.
    passing: Option<Scratch>,
}

impl Store {
    /// The store in a directory, or one that goes with the server; certificates have at most so many bytes.
    pub fn open(directory: Option<&Path>, certificates: u64) -> Result<Self, StoreError> {
        let file = directory.map(|directory| directory.join("endspiel.redb"));
        let (database, files, laboratory, passing) = if let Some((directory, file)) =
            directory.zip(file.as_ref())
        {
            fs::create_dir_all(directory).map_err(|error| StoreError::Directory(directory.into(), error))?;
            (whole(file)?, directory.join("certificates"), directory.join("lab"), None)
        } else {
            let backend = redb::backends::InMemoryBackend::new();
            let database = Database::builder().create_with_backend(backend).map_err(redb::Error::from)?;
            let scratch = Scratch::new(&std::env::temp_dir())?;
            let (files, laboratory) = (scratch.path().join("certificates"), scratch.path().join("lab"));
            (database, files, laboratory, Some(scratch))
        };
        // The database's lock says that there is no other server.
        let certificates = Certificates::open(files, certificates)?;
        let store = Self { database: RwLock::new(Some(database)), file, certificates, laboratory, passing };
        store.work(prepare)?;
        Ok(store)
    }

    /// Removes what goes with the server, even if a thread that has not come to its end still holds the store.
    pub fn close(&self) {
        if let Some(scratch) = &self.passing {
            scratch.remove();
        }
    }

    /// Works with the database. After a failure of the disk it refuses all work until it is opened anew; then it has all that was
    /// kept before.
    fn work<T>(&self, work: impl Fn(&Database) -> Result<T, redb::Error>) -> Result<T, redb::Error> {
        let work =
            |database: &Option<Database>| database.as_ref().map_or(Err(redb::Error::PreviousIo), &work);
        let done = work(&self.database.read().unwrap_or_else(PoisonError::into_inner));
        match (done, &self.file) {
            (Err(redb::Error::PreviousIo), Some(file)) => {
                let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
                // The old one lets go of the file first.
                *database = None;
                *database = Some(Database::create(file)?);
                work(&database)
            }
            (done, _) => done,
        }
    }

    /// Writes, and keeps all of it or nothing.
    fn write<T>(
        &self,
        write: impl Fn(&WriteTransaction) -> Result<T, redb::Error>,
    ) -> Result<T, redb::Error> {
        self.work(|database| {
            let mut begun = database.begin_write()?;
            begun.set_two_phase_commit(true);
            let written = write(&begun)?;
            begun.commit()?;
            Ok(written)
        })
    }

    /// Keeps an experiment's report in place of the last one.
    pub fn put_report(&self, name: &str, text: &str) -> Result<(), redb::Error> {
        self.write(|to| {
            to.open_table(REPORTS)?.insert(name, text)?;
            Ok(())
        })
    }

    /// The latest report of an experiment.
    pub fn report(&self, name: &str) -> Result<Option<String>, redb::Error> {
        self.work(|database| {
            let table = database.begin_read()?.open_table(REPORTS)?;
            Ok(table.get(name)?.map(|text| text.value().into()))
        })
    }

    /// Remembers a job that is to go on.
    pub fn put_open(&self, id: &str, text: &str) -> Result<(), redb::Error> {
        self.write(|to| {
            to.open_table(OPEN)?.insert(id, text)?;
            Ok(())
        })
    }

    /// It is over.
    pub fn remove_open(&self, id: &str) -> Result<(), redb::Error> {
        self.write(|to| {
            to.open_table(OPEN)?.remove(id)?;
            Ok(())
        })
    }

    /// The jobs that were to go on.
    pub fn open_jobs(&self) -> Result<Vec<(String, String)>, redb::Error> {
        self.work(|database| {
            let table = database.begin_read()?.open_table(OPEN)?;
            let mut all = Vec::new();
            for entry in table.iter()? {
                let (id, text) = entry?;
                all.push((id.value().into(), text.value().into()));
            }
            Ok(all)
        })
    }

    /// Keeps a finished job: all of it, and what lists show, if they show it.
    pub fn put_job(&self, id: &str, text: &str, short: Option<&str>) -> Result<(), redb::Error> {
        self.write(|to| {
            let mut jobs = to.open_table(JOBS)?;
            let (mut order, mut list) = (to.open_table(ORDER)?, to.open_table(SHORT)?);
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
            Ok(())
        })
    }

    /// A finished job.
    pub fn job(&self, id: &str) -> Result<Option<String>, redb::Error> {
        self.work(|database| {
            let table = database.begin_read()?.open_table(JOBS)?;
            Ok(table.get(id)?.map(|text| text.value().into()))
        })
    }

    /// The latest finished jobs in short, the newest first, at most `most`.
    pub fn jobs(&self, most: usize) -> Result<Vec<String>, redb::Error> {
        self.work(|database| {
            let list = database.begin_read()?.open_table(SHORT)?;
            list.iter()?.rev().take(most).map(|entry| Ok(entry?.1.value().to_string())).collect()
        })
    }

    /// Saves a game and gives its number.
    pub fn put_record(&self, text: &str) -> Result<u64, StoreError> {
        let number = self.write(|to| {
            let (mut records, mut last) = (to.open_table(RECORDS)?, to.open_table(LAST)?);
            if records.len()? >= MOST_RECORDS {
                return Ok(None);
            }
            let had = last.get("records")?.map_or(0, |number| number.value());
            let number = records.last()?.map_or(0, |(number, _)| number.value()).max(had) + 1;
            records.insert(number, text)?;
            last.insert("records", number)?;
            Ok(Some(number))
        })?;
        number.ok_or(StoreError::Full("too many saved games"))
    }

    /// All saved games, the newest first, at most `most`.
    pub fn records(&self, most: usize) -> Result<Vec<(u64, String)>, redb::Error> {
        self.work(|database| {
            let table = database.begin_read()?.open_table(RECORDS)?;
            let mut all = Vec::new();
            for entry in table.iter()?.rev().take(most) {
                let (number, text) = entry?;
                all.push((number.value(), text.value().into()));
            }
            Ok(all)
        })
    }

    /// A saved game.
    pub fn record(&self, number: u64) -> Result<Option<String>, redb::Error> {
        self.work(|database| {
            let table = database.begin_read()?.open_table(RECORDS)?;
            Ok(table.get(number)?.map(|text| text.value().into()))
        })
    }

    /// Forgets a saved game; was there one?
    pub fn remove_record(&self, number: u64) -> Result<bool, redb::Error> {
        self.write(|to| Ok(to.open_table(RECORDS)?.remove(number)?.is_some()))
    }
}

/// Makes the tables of a new store.
fn prepare(database: &Database) -> Result<(), redb::Error> {
    let mut write = database.begin_write()?;
    write.set_two_phase_commit(true);
    write.open_table(JOBS)?;
    write.open_table(ORDER)?;
    write.open_table(SHORT)?;
    write.open_table(RECORDS)?;
    write.open_table(LAST)?;
    write.open_table(OPEN)?;
    write.open_table(REPORTS)?;
    write.commit()?;
    Ok(())
}

/// The database of a file, all of which has been checked. It panics where a damaged file contradicts itself.
fn whole(file: &Path) -> Result<Database, StoreError> {
    let open = || -> Result<Database, redb::Error> {
        let mut database = Database::create(file)?;
        // What it mends is its own list of free pages: damage is an error where all was committed in two phases.
        database.check_integrity()?;
        Ok(database)
    };
    match quietly(open) {
        Ok(Ok(database)) => Ok(database),
        Ok(Err(redb::Error::Io(error))) if !matches!(error.kind(), InvalidData | UnexpectedEof) => {
            Err(StoreError::Unusable(file.into(), error.into()))
        }
        Ok(Err(error @ redb::Error::DatabaseAlreadyOpen)) => Err(StoreError::Unusable(file.into(), error)),
        _ => Err(StoreError::Damaged(file.into())),
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
        assert!(store.remove_record(number).expect("written"));
        assert_eq!(store.put_record("three").expect("kept"), number + 1, "numbers do not come back");
        drop(store);
        fs::remove_dir_all(&directory).expect("removed");
    }

    #[test]
    fn a_damaged_store_is_told_of() {
        let directory = std::env::temp_dir().join(format!("endspiel-damage-{}", std::process::id()));
        let file = directory.join("endspiel.redb");
        let text = "1. e4 e5 ".repeat(400);
        let kept = Store::open(Some(&directory), 1 << 20).and_then(|store| store.put_record(&text));
        assert_eq!(kept.expect("kept"), 1);
        let good = fs::read(&file).expect("read");
        let mut told = 0;
        for step in 0..60 {
            let mut bad = good.clone();
            let at = step * 104_729 % bad.len();
            bad[at] ^= 0x5a;
            fs::write(&file, &bad).expect("written");
            match Store::open(Some(&directory), 1 << 20) {
                Ok(store) => assert_eq!(store.record(1).expect("read").as_deref(), Some(&*text), "byte {at}"),
                Err(error) => {
                    told += 1;
                    assert!(error.to_string().contains("endspiel.redb is damaged"), "byte {at}: {error}");
                }
            }
        }
        assert!(told > 0, "a byte of what is kept was changed");
        fs::write(&file, &good[..good.len() / 2]).expect("written");
        let error = Store::open(Some(&directory), 1 << 20).expect_err("half of it");
        assert!(error.to_string().contains("damaged"), "{error}");
        fs::write(&file, &good).expect("written");
        let store = Store::open(Some(&directory), 1 << 20).expect("as it was");
        assert_eq!(store.record(1).expect("read").as_deref(), Some(&*text));
        drop(store);
        fs::remove_dir_all(&directory).expect("removed");
    }
}
