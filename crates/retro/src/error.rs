//! What can go wrong with databases.

use std::path::{Path, PathBuf};

/// Why a database cannot be built or asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{} cannot be trusted: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A slice is not there.
    #[error("{}", missing(slice, metric, there, dir))]
    Missing {
        /// The slice.
        slice: String,
        /// What it should tell: the names of metrics.
        metric: String,
        /// The metrics in which the slice is there.
        there: Vec<String>,
        /// Where it should be.
        dir: PathBuf,
    },
    /// No slice at all is there in a metric.
    #[error("{}", none(metric, there, build, dir))]
    Without {
        /// The metric.
        metric: &'static str,
        /// The metrics of the files that are there.
        there: Vec<&'static str>,
        /// What to build; nothing where no slice would help.
        build: String,
        /// Where they should be.
        dir: PathBuf,
    },
    /// Nothing is there.
    #[error("there are no databases in {}; build some first", dir.display())]
    Empty {
        /// Where they should be.
        dir: PathBuf,
    },
    /// What is there tells nothing that a search may use.
    #[error(
        "the databases in {} tell {there}; a search can use {usable}: `endspiel db build {build}` makes one that will do",
        dir.display()
    )]
    Unusable {
        /// Where they are.
        dir: PathBuf,
        /// The metrics that are there.
        there: String,
        /// Those that would do.
        usable: String,
        /// What to build.
        build: String,
    },
    /// The game's moves earn points, and the metric leaves them out.
    #[error(
        "'{metric}' cannot be told where captures count: who wins depends on what was captured before, so neither that \
         nor how soon follows from the stones on the board; build and ask for score, which tells who wins with what was captured"
    )]
    Unscored {
        /// The metric.
        metric: &'static str,
    },
    /// The players have different moves, or who cannot move does not lose.
    #[error(
        "'{metric}' cannot be told of this game: such values are those of games in which both players have the same moves and \
         who cannot move loses, such as virus and wythoff:nim"
    )]
    Partial {
        /// The metric.
        metric: &'static str,
    },
    /// A position is in no slice.
    #[error("no database holds such a position: {0}")]
    Outside(String),
    /// The plan needs more memory than allowed.
    #[error(
        "slice {slice} needs {} MiB of memory, {} MiB are allowed",
        grouped(mebibytes(*needed)),
        grouped(allowed >> 20)
    )]
    Memory {
        /// The slice.
        slice: String,
        /// What it needs.
        needed: u64,
        /// What it may have.
        allowed: u64,
    },
    /// The plan needs more room on the disk than there is.
    #[error("{}", full(dir, *needed, *free, *memory))]
    Disk {
        /// Where.
        dir: PathBuf,
        /// What they may need.
        needed: u64,
        /// What there is.
        free: u64,
        /// So much memory would do instead, without files that come and go.
        memory: Option<u64>,
    },
    /// Another build works there.
    #[error("another build is at work in {}", dir.display())]
    Busy {
        /// Where.
        dir: PathBuf,
    },
    /// A value contradicts the rules.
    #[error("slice {slice}, position {index}: the table says {stored}, its moves give {derived}")]
    Inconsistent {
        /// The slice.
        slice: String,
        /// The number of the position.
        index: u64,
        /// What the table says.
        stored: i32,
        /// What the moves give.
        derived: i32,
    },
    /// A value that follows from others, which follow from it: no play comes to it.
    #[error("slice {slice}, position {index}: the table says {stored}, and {forced} is what can be forced")]
    Unforced {
        /// The slice.
        slice: String,
        /// The number of the position.
        index: u64,
        /// What the table says.
        stored: i32,
        /// What can be forced.
        forced: i32,
    },
    /// Tables of a slice in two metrics contradict each other.
    #[error(
        "slice {slice}, position {index}: {} says {} and {} says {}, which cannot both be right",
        first.0, first.1, second.0, second.1
    )]
    Contradiction {
        /// The slice.
        slice: String,
        /// The number of the position.
        index: u64,
        /// A metric and what its table says.
        first: (&'static str, i32),
        /// Another one.
        second: (&'static str, i32),
    },
    /// The processes of a cluster cannot work together.
    #[error("the processes cannot work together: {what}")]
    Cluster {
        /// Why.
        what: String,
    },
    /// Workers cannot share a slice in this metric.
    #[error("{metric} is built by one process alone, without workers")]
    Unshared {
        /// What is asked.
        metric: &'static str,
    },
    /// There are no small files in this metric.
    #[error(
        "{metric} has no small files, since the moves of a position do not tell it; wdl, dtm, dtc and dtz have, and dtz by rules such as dtz50"
    )]
    Whole {
        /// What is asked.
        metric: &'static str,
    },
    /// A process of a cluster is gone.
    #[error("another process is gone ({what}); what is finished stays: start all processes again to go on")]
    Lost {
        /// What was noticed.
        what: String,
    },
    /// It was asked to stop.
    #[error("stopped; what is finished stays, and the next build goes on from there")]
    Stopped,
}

/// A slice that is not there, with what is there of it.
fn missing(slice: &str, metric: &str, there: &[String], dir: &Path) -> String {
    let dir = dir.display();
    let Some(first) = there.first().and_then(|first| first.split(' ').next()) else {
        return format!("there is no database of slice {slice} in {metric} in {dir}; build it first");
    };
    let there = there.join(", ");
    format!(
        "slice {slice} was not built in {metric}; in {dir} it is there in {there}: build it first, or ask for what is there, such as with \
         `--metric {first}`"
    )
}

/// A metric in which nothing is there.
fn none(metric: &str, there: &[&str], build: &str, dir: &Path) -> String {
    let others = if there.is_empty() { String::new() } else { format!(", only in {}", there.join(", ")) };
    let would_do = if build.is_empty() {
        "no position of this game is in a slice that could be built".into()
    } else {
        format!("`endspiel db build {build}` makes one that will do")
    };
    format!("there are no databases in {metric} in {}{others}; {would_do}", dir.display())
}

/// Too little room on the disk, with the memory that would do instead.
fn full(dir: &Path, needed: u64, free: u64, memory: Option<u64>) -> String {
    let what = format!(
        "the files may need {} MiB on the disk, {} has {} MiB",
        grouped(mebibytes(needed)),
        dir.display(),
        grouped(free >> 20)
    );
    match memory.map(mebibytes) {
        Some(memory) => format!("{what}; `--memory {memory}M` would do without those that come and go"),
        None => what,
    }
}

/// Whole mebibytes, rounded up, so that what is told would do.
fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// A number in groups of three digits: 12,345,678.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

impl Error {
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }

    pub(crate) fn cluster(what: impl Into<String>) -> Self {
        Self::Cluster { what: what.into() }
    }

    /// The file that it is about, where it is about one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Io { path, .. } | Self::Damaged { path, .. } => Some(path),
            _ => None,
        }
    }

    /// What it says to those who are not to know where files are.
    pub fn without_paths(&self) -> String {
        match self {
            Self::Io { source, .. } => format!("a database cannot be read: {source}"),
            Self::Damaged { what, .. } => format!("a database cannot be trusted: {what}"),
            Self::Missing { slice, metric, .. } => {
                format!("there is no database of slice {slice} in {metric}")
            }
            Self::Without { metric, .. } => format!("there are no databases in {metric}"),
            Self::Empty { .. } => "there are no databases".into(),
            Self::Unusable { there, usable, .. } => {
                format!("the databases tell {there}; a search can use {usable}")
            }
            Self::Disk { .. } => "there is too little room on the disk".into(),
            Self::Busy { .. } => "another build is at work".into(),
            other => other.to_string(),
        }
    }

    /// Is it about what the files hold? Others are about the work, which cannot go on then.
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            Self::Io { .. }
                | Self::Damaged { .. }
                | Self::Missing { .. }
                | Self::Inconsistent { .. }
                | Self::Unforced { .. }
                | Self::Contradiction { .. }
        )
    }

    pub(crate) fn damaged(path: &Path, what: &str) -> Self {
        Self::Damaged { path: path.into(), what: what.into() }
    }
}

impl From<crate::Stopped> for Error {
    fn from(_: crate::Stopped) -> Self {
        Self::Stopped
    }
}
