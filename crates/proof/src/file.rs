//! Certificates as files: header, blocks, checksums. The format is described in `docs/certificates.md`.
//!
//! Reading trusts nothing: every length is bounded before memory is taken for it, every block is checked
//! before it is unpacked, and an error names the byte or the line. Writing is atomic: a file under its final
//! name is a whole one.

use crate::Strategy;
use crate::blocks::{RAW_LIMIT, compress, decompress, pack, unpack};
use crate::header::{Header, Summary};
use crate::records::{Codes, Records};
use crate::statement::Statement;
use endspiel_game::{Game, Notation, Source, TwoPlayer};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// No header is longer than this.
const HEADER_LIMIT: usize = 1 << 16;
/// Records may take this much memory ...
const FREE_MEMORY: u64 = 16 << 20;
/// ... and so many times the length of the file.
const MEMORY_FACTOR: u64 = 1024;

/// A file that is no certificate, or no whole one.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be opened or read.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// The first line is another's.
    #[error("not a certificate: the first line must begin with 'Endspiel certificate'")]
    NotACertificate,
    /// Written in a later format.
    #[error("the format is version {found}; this program reads version {known}")]
    Version {
        /// The version in the file.
        found: String,
        /// The version that can be read.
        known: u32,
    },
    /// Not a kind of certificate that can be checked.
    #[error(
        "a certificate of kind '{found}'; expected the kind 'strategy', or 'formula' where a question is answered"
    )]
    Kind {
        /// The kind in the file.
        found: String,
    },
    /// A line of the header is wrong.
    #[error("header, line {line}: expected {expected}")]
    Header {
        /// The line, from 1.
        line: usize,
        /// What would be right.
        expected: String,
    },
    /// The file ends too early.
    #[error("the file is cut off at byte {at}")]
    Truncated {
        /// How many bytes there are.
        at: u64,
    },
    /// A block of records is damaged.
    #[error("block at byte {at}: {what}")]
    Block {
        /// Where the block begins.
        at: u64,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The header announces more than a file of this length can hold.
    #[error(
        "the header announces {bytes} bytes of records, more than a file of {length} bytes may unpack to"
    )]
    TooLarge {
        /// The memory that the records would take.
        bytes: u64,
        /// The length of the file.
        length: u64,
    },
    /// The checksum of the whole file does not fit.
    #[error("the checksum of the file, at byte {at}, does not fit its contents")]
    Checksum {
        /// Where the checksum stands.
        at: u64,
    },
    /// Something follows the end.
    #[error("the certificate ends at byte {at}, but the file goes on")]
    Trailing {
        /// Where the end should be.
        at: u64,
    },
    /// The records are others than those that the header was written for.
    #[error("the digest of header and records is {found:032x}, but the header says {stated:032x}")]
    Digest {
        /// The digest in the header.
        stated: u128,
        /// The digest of what was read.
        found: u128,
    },
}

/// A certificate that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The disk refuses.
    #[error("cannot write {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The strategies are for other claims.
    #[error("the statement '{statement}' needs other strategies than those given")]
    Claims {
        /// What was to be stated.
        statement: Statement,
    },
    /// The root or the game cannot be named in a header.
    #[error("the header cannot be written: {0}")]
    Header(FileError),
    /// The file would be refused for the memory that its records take.
    #[error("the strategies compress too well: {0}")]
    TooRegular(FileError),
}

/// Reads the header of a certificate: what it says of itself, unchecked.
pub fn read_header(path: impl AsRef<Path>) -> Result<Header, FileError> {
    Ok(Reader::open(path.as_ref())?.header)
}

/// Writes a certificate that `strategies` prove `statement` of `root`. The file appears whole or not at
/// all, in place of any older one. What it says counts only once [`verify`](crate::verify) accepts it.
pub fn write<G: Game>(
    path: impl AsRef<Path>,
    game: &G,
    root: &G::Position,
    statement: Statement,
    strategies: &[Strategy],
) -> Result<Header, WriteError>
where
    G::Position: TwoPlayer + Notation,
{
    let header = make_header(game.full_name(), root.write(), statement, strategies)?;
    let Draft { path, part } = &Draft::of(path.as_ref())?;
    let io_error = |source| WriteError::Io { path: path.into(), source };
    let outcome = File::create(part).map_err(io_error).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 18, file);
        let records: Vec<&Records> = strategies.iter().map(|s| &s.records).collect();
        let length = encode(&mut out, &header, &records).map_err(io_error)?;
        header.check_size(length).map_err(WriteError::TooRegular)?;
        let file = out.into_inner().map_err(|e| io_error(e.into_error()))?;
        file.sync_all().map_err(io_error)?;
        fs::rename(part, path).map_err(io_error)?;
        sync_folder(path);
        Ok(header)
    });
    if outcome.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(part);
    }
    outcome
}

/// Can a certificate be written there? To be asked before the work, not after it.
pub fn try_path(path: impl AsRef<Path>) -> Result<(), WriteError> {
    let Draft { path, part } = Draft::of(path.as_ref())?;
    let tried = File::create(&part).and_then(|_| fs::remove_file(&part));
    tried.map_err(|source| WriteError::Io { path, source })
}

/// Where a file is to appear, and where it is written until it is whole.
struct Draft {
    path: PathBuf,
    part: PathBuf,
}

impl Draft {
    fn of(path: &Path) -> Result<Self, WriteError> {
        // A link stays one; what is no file, a device say, must not become one.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.into());
        let io_error = |source| WriteError::Io { path: path.clone(), source };
        if fs::metadata(&path).is_ok_and(|data| !data.is_file()) {
            return Err(io_error(io::Error::other("it is there and is not a file")));
        }
        let name = path.file_name().ok_or_else(|| io_error(io::ErrorKind::InvalidFilename.into()))?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.part", std::process::id()));
        let part = path.with_file_name(hidden);
        Ok(Self { path, part })
    }
}

/// Makes the new name last through a power cut, where the system can do that.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// The header that belongs to these strategies.
pub(crate) fn make_header(
    game: String,
    root: String,
    statement: Statement,
    strategies: &[Strategy],
) -> Result<Header, WriteError> {
    let summaries = strategies.iter().map(|s| s.records.summary(s.claim)).collect();
    let folded = strategies.iter().any(|s| s.folded);
    let rests: BTreeSet<Source> = strategies.iter().flat_map(|s| s.rests.iter().cloned()).collect();
    let rests = rests.into_iter().collect();
    let mut header = Header { game, root, statement, folded, rests, strategies: summaries, digest: 0 };
    let claims: Vec<_> = strategies.iter().map(|s| s.claim).collect();
    if claims != statement.claims() || strategies.iter().any(|s| s.folded != folded) {
        return Err(WriteError::Claims { statement });
    }
    let records: Vec<&Records> = strategies.iter().map(|s| &s.records).collect();
    header.digest = digest(&header, &records);
    let text = header.render();
    match Header::parse(text.as_bytes()) {
        Ok(back) if back == header && text.len() <= HEADER_LIMIT => Ok(header),
        Ok(_) => Err(WriteError::Header(FileError::Header { line: 4, expected: "a shorter line".into() })),
        Err(error) => Err(WriteError::Header(error)),
    }
}

impl Header {
    /// The bytes of memory that the records take once they are read.
    pub fn memory(&self) -> u64 {
        let of = |s: &Summary| s.records.saturating_mul(s.layout.stride() as u64 + 16);
        self.strategies.iter().fold(0u64, |sum, s| sum.saturating_add(of(s)))
    }

    /// May a file of this length announce so many records?
    fn check_size(&self, length: u64) -> Result<(), FileError> {
        let bytes = self.memory();
        let allowed = length.saturating_mul(MEMORY_FACTOR).saturating_add(FREE_MEMORY);
        if bytes <= allowed { Ok(()) } else { Err(FileError::TooLarge { bytes, length }) }
    }
}

impl Records {
    pub fn summary(&self, claim: endspiel_game::Question) -> Summary {
        let ranked = !self.ranks.is_empty();
        Summary { claim, records: self.len() as u64, ranked, layout: self.codes.layout() }
    }

    /// Takes the records from number `start` on into a digest.
    fn digest_from(&self, start: usize, digest: &mut Xxh3) {
        for i in start..self.len() {
            digest.update(self.codes.key(i));
            digest.update(&self.moves[i].to_le_bytes());
            digest.update(&self.rank(i).to_le_bytes());
        }
    }
}

/// The digest of a header (but for its line of the digest) and of all records.
pub(crate) fn digest(header: &Header, records: &[&Records]) -> u128 {
    let mut digest = Xxh3::new();
    digest.update(header.render_body().as_bytes());
    for records in records {
        records.digest_from(0, &mut digest);
    }
    digest.digest128()
}

/// Writes a whole certificate and says how long it is.
pub(crate) fn encode(out: &mut impl Write, header: &Header, records: &[&Records]) -> io::Result<u64> {
    let mut sum = Xxh3::new();
    let mut length = 0;
    let mut put = |bytes: &[u8]| {
        sum.update(bytes);
        length += bytes.len() as u64;
        out.write_all(bytes)?;
        io::Result::Ok(sum.digest())
    };
    put(header.render().as_bytes())?;
    for records in records {
        let mut start = 0;
        while start < records.len() {
            let (raw, end) = pack(records, start);
            let stored = compress(&raw)?;
            put(&(stored.len() as u32).to_le_bytes())?;
            put(&(raw.len() as u32).to_le_bytes())?;
            put(&xxh3_64(&stored).to_le_bytes())?;
            put(&stored)?;
            start = end;
        }
    }
    let total = put(&[0; 8])?;
    put(&total.to_le_bytes())?;
    Ok(length)
}

/// Reads a certificate from its beginning: the header, each strategy in turn, the end.
pub(crate) struct Reader<R> {
    pub header: Header,
    source: BufReader<R>,
    length: u64,
    at: u64,
    sum: Xxh3,
    digest: Xxh3,
}

impl Reader<File> {
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Self::new(file, length)
    }
}

impl<R: Read> Reader<R> {
    /// Reads the header of a certificate of `length` bytes.
    pub fn new(source: R, length: u64) -> Result<Self, FileError> {
        let mut source = BufReader::with_capacity(1 << 18, source);
        let mut text = Vec::new();
        while !text.ends_with(b"\n\n") {
            let room = (HEADER_LIMIT - text.len()) as u64;
            let read = source.by_ref().take(room).read_until(b'\n', &mut text)?;
            Header::check_magic(&text)?;
            if read == 0 && room > 0 {
                return Err(FileError::Truncated { at: text.len() as u64 });
            } else if read == 0 {
                let expected = format!("a header of at most {HEADER_LIMIT} bytes");
                return Err(FileError::Header { line: 1, expected });
            }
        }
        let header = Header::parse(&text)?;
        header.check_size(length)?;
        let (mut sum, mut digest) = (Xxh3::new(), Xxh3::new());
        sum.update(&text);
        digest.update(header.render_body().as_bytes());
        Ok(Self { header, source, length, at: text.len() as u64, sum, digest })
    }

    /// The next `count` bytes.
    fn take(&mut self, count: usize) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::new();
        self.source.by_ref().take(count as u64).read_to_end(&mut bytes)?;
        self.at += bytes.len() as u64;
        if bytes.len() < count {
            return Err(FileError::Truncated { at: self.at });
        }
        Ok(bytes)
    }

    fn take_u64(&mut self) -> Result<u64, FileError> {
        let bytes = self.take(8)?;
        Ok(bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)))
    }

    /// The next eight bytes, two lengths.
    fn take_lengths(&mut self) -> Result<(usize, usize), FileError> {
        let both = self.take_u64()?;
        self.sum.update(&both.to_le_bytes());
        Ok((both as u32 as usize, (both >> 32) as usize))
    }

    /// Reads the records of one strategy of the header; to be called for each in turn.
    pub fn strategy(&mut self, summary: &Summary) -> Result<Records, FileError> {
        let mut records = Records { codes: Codes::with_layout(summary.layout), ..Records::default() };
        while (records.len() as u64) < summary.records {
            let at = self.at;
            let fail = |what| FileError::Block { at, what };
            let (stored, raw) = self.take_lengths()?;
            if stored == 0 {
                return Err(fail("the end, though the header promises more records"));
            }
            if raw > RAW_LIMIT || stored > RAW_LIMIT + RAW_LIMIT / 8 {
                return Err(fail("it is too large"));
            }
            let check = self.take_u64()?;
            self.sum.update(&check.to_le_bytes());
            let stored = self.take(stored)?;
            self.sum.update(&stored);
            if xxh3_64(&stored) != check {
                return Err(fail("its checksum does not fit its contents"));
            }
            let start = records.len();
            let left = summary.records - start as u64;
            let raw = decompress(&stored, raw).map_err(fail)?;
            unpack(&raw, &mut records, summary.ranked, left).map_err(fail)?;
            records.digest_from(start, &mut self.digest);
        }
        Ok(records)
    }

    /// Reads the end, after the last strategy: checksum, digest, and nothing more.
    pub fn finish(mut self) -> Result<(), FileError> {
        let at = self.at;
        if self.take_lengths()? != (0, 0) {
            return Err(FileError::Block { at, what: "it has more records than the header says" });
        }
        let (at, total) = (self.at, self.sum.digest());
        if self.take_u64()? != total {
            return Err(FileError::Checksum { at });
        }
        if self.at != self.length || self.source.read(&mut [0])? > 0 {
            return Err(FileError::Trailing { at: self.at });
        }
        let found = self.digest.digest128();
        if found == self.header.digest {
            Ok(())
        } else {
            Err(FileError::Digest { stated: self.header.digest, found })
        }
    }
}
