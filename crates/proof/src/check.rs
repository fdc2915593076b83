//! The checker: accepts a certificate or names the first hole. It knows the rules and nothing else.
//!
//! Starting at the root, each position in which the prover is to move must have a record. The record's move
//! is played, the opponent answers with *every* legal reply, and so on; where the game is over the payoff
//! must meet the claim. Each record is followed once, and in the end every record must have been used, so
//! that none can be changed, added or left out unnoticed.
//!
//! In games with cycles each record has a *rank* that must fall from each record to the next, or at least
//! not rise where coming back for ever is good enough by the rules (each position of the step has a
//! [`repeated`](endspiel_game::Position::repeated) payoff that meets the claim). So endless play, whose rank
//! must stop falling one day, goes through such positions only.
//!
//! Cost: one expansion a record, an explicit stack of depth times branching, records in flat arrays.

use crate::file::{FileError, Reader};
use crate::ground::Ground;
use crate::hole::{Fault, Hole};
use crate::records::{Codes, Records};
use crate::statement::Statement;
use crate::step::Step;
use crate::work::Pool;
use endspiel_game::{
    Bounds, Budget, Game, Meter, Notation, Observer, Oracle, Position, Progress, Question, Quiet, Source,
    Symmetric, TextError, TwoPlayer,
};
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// More threads than this are not started, whatever the budget says.
const MOST_THREADS: usize = 256;

/// What a certificate proves, as the checker found it.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The rule set.
    pub game: String,
    /// The position.
    pub root: String,
    /// What is proven of it.
    pub statement: Statement,
    /// Were the game's symmetries used?
    pub folded: bool,
    /// Positions with an answer, in all strategies together.
    pub records: u64,
    /// Replies of the opponent's that led to one of them.
    pub replies: u64,
    /// The databases that it rests on beside the rules.
    pub rests: Vec<Source>,
    /// The certificate's name, to compare with a published one.
    pub digest: u128,
    /// How long checking took.
    pub time: Duration,
}

/// Why a certificate is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum Rejected {
    /// The file is damaged, or no certificate.
    #[error(transparent)]
    File(#[from] FileError),
    /// The certificate is about another rule set.
    #[error("the certificate is about '{named}', not about '{asked}'")]
    Game {
        /// The game in the header.
        named: String,
        /// The game it was checked for.
        asked: String,
    },
    /// The root is not a position of the game.
    #[error("the root cannot be read: {0}")]
    Root(TextError),
    /// The root is written in another form than the game's own.
    #[error("the root is to be written '{right}'")]
    RootForm {
        /// The right form.
        right: String,
    },
    /// The statement is not about the player to move at the root, or its claims have other strategies.
    #[error("the statement '{statement}' does not fit the root or the strategies")]
    Statement {
        /// What the header states.
        statement: Statement,
    },
    /// Records have ranks exactly in games with cycles.
    #[error("the records must carry ranks if and only if positions of the game can come back")]
    Ranks,
    /// It rests on databases, and none were given.
    #[error("it rests on databases ({named}); give the folder that holds them")]
    Databases {
        /// Their names.
        named: String,
    },
    /// A database that it rests on is missing or another one.
    #[error("it rests on the database {name} with the checksum {checksum}: {what}")]
    Database {
        /// Its name.
        name: String,
        /// The checksum that is named.
        checksum: String,
        /// What is wrong.
        what: String,
    },
    /// A database could not be read.
    #[error("a database could not be read: {fault}")]
    Fault {
        /// Why.
        fault: String,
    },
    /// It names databases that it does not need.
    #[error("it names the databases {named} and needs {needed}")]
    Needless {
        /// Those it names.
        named: String,
        /// Those it needs.
        needed: String,
    },
    /// The strategy fails.
    #[error(transparent)]
    Hole(#[from] Box<Hole>),
    /// Records that play never reaches.
    #[error("{count} of {records} records are never reached, the first with code {code}")]
    Unused {
        /// How many.
        count: u64,
        /// Of so many.
        records: u64,
        /// The code of the first, in hexadecimal.
        code: String,
    },
    /// The budget was used up, or a stop asked for.
    #[error("stopped before the end")]
    Stopped,
}

fn names(sources: &[Source]) -> String {
    let names: Vec<&str> = sources.iter().map(|source| &*source.name).collect();
    names.join(", ")
}

/// Checks a certificate by the rules of `game`, on so many threads.
pub fn verify<G: Game>(game: &G, path: impl AsRef<Path>, threads: usize) -> Result<Verified, Rejected>
where
    G::Position: TwoPlayer + Notation + Symmetric,
{
    let budget = Budget { threads, ..Budget::default() };
    verify_with(game, path, &budget, &Quiet)
}

/// Checks a certificate by the rules of `game`. Of the budget, the nodes (here records), the time, the
/// threads and the stop are obeyed; the memory is what the records take.
pub fn verify_with<G: Game>(
    game: &G,
    path: impl AsRef<Path>,
    budget: &Budget,
    observer: &dyn Observer<<G::Position as Position>::Move>,
) -> Result<Verified, Rejected>
where
    G::Position: TwoPlayer + Notation + Symmetric,
{
    verify_from(game, Reader::open(path.as_ref())?, None, budget, observer, |_, _| ())
}

/// Checks a certificate that may rest on databases, by the rules of `game` and what these tell: those it names must be
/// there with the checksums it names.
pub fn verify_on<G: Game>(
    game: &G,
    path: impl AsRef<Path>,
    databases: &dyn Oracle<G::Position>,
    budget: &Budget,
    observer: &dyn Observer<<G::Position as Position>::Move>,
) -> Result<Verified, Rejected>
where
    G::Position: TwoPlayer + Notation + Symmetric,
{
    verify_from(game, Reader::open(path.as_ref())?, Some(databases), budget, observer, |_, _| ())
}

/// Checks the certificate that `reader` gives; each strategy that holds is handed to `keep`.
pub(crate) fn verify_from<G: Game, R: Read>(
    game: &G,
    mut reader: Reader<R>,
    databases: Option<&dyn Oracle<G::Position>>,
    budget: &Budget,
    observer: &dyn Observer<<G::Position as Position>::Move>,
    mut keep: impl FnMut(Question, Records),
) -> Result<Verified, Rejected>
where
    G::Position: TwoPlayer + Notation + Symmetric,
{
    let meter = budget.start();
    let header = reader.header.clone();
    if header.game != game.full_name() {
        return Err(Rejected::Game { named: header.game, asked: game.full_name() });
    }
    let root = game.read(&header.root).map_err(Rejected::Root)?;
    if root.write() != header.root {
        return Err(Rejected::RootForm { right: root.write() });
    }
    let statement = header.statement;
    let claims = statement.claims();
    if statement.player() != root.mover() || !claims.iter().eq(header.strategies.iter().map(|s| &s.claim)) {
        return Err(Rejected::Statement { statement });
    }
    let ground = match databases {
        _ if header.rests.is_empty() => None,
        None => return Err(Rejected::Databases { named: names(&header.rests) }),
        Some(oracle) => Some(Ground::named(oracle, &header.rests).map_err(|(source, what)| {
            Rejected::Database { name: source.name, checksum: format!("{:016x}", source.checksum), what }
        })?),
    };
    let (mut count, mut replies) = (0, 0);
    for summary in &header.strategies {
        if summary.ranked != G::Position::CYCLIC && summary.records > 0 {
            return Err(Rejected::Ranks);
        }
        let mut records = reader.strategy(summary)?;
        records.codes.index(records.len() * 2);
        let used: Vec<_> = (0..records.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let job = Job {
            root: &root,
            claim: summary.claim,
            folded: header.folded,
            records: &records,
            used: &used,
            meter: &meter,
            ground: ground.as_ref(),
            observer,
        };
        replies += check(&job, budget.threads.clamp(1, MOST_THREADS))?;
        count += summary.records;
        keep(summary.claim, records);
    }
    reader.finish()?;
    if let Some(fault) = databases.and_then(Oracle::fault) {
        return Err(Rejected::Fault { fault });
    }
    if let Some(ground) = ground
        && ground.needed() != header.rests
    {
        return Err(Rejected::Needless { named: names(&header.rests), needed: names(&ground.needed()) });
    }
    Ok(Verified {
        game: header.game,
        root: header.root,
        statement,
        folded: header.folded,
        records: count,
        replies,
        rests: header.rests,
        digest: header.digest,
        time: meter.elapsed(),
    })
}

/// What the threads share while they check one strategy.
struct Job<'a, P: TwoPlayer> {
    root: &'a P,
    claim: Question,
    folded: bool,
    records: &'a Records,
    used: &'a [AtomicU64],
    meter: &'a Meter,
    ground: Option<&'a Ground<'a, P>>,
    observer: &'a dyn Observer<P::Move>,
}

/// Checks one strategy and counts the replies that led to its records.
fn check<P: TwoPlayer + Notation + Symmetric>(job: &Job<'_, P>, threads: usize) -> Result<u64, Rejected> {
    let mut first = Walker::new(job);
    first.begin()?;
    let mut replies = first.replies;
    let pool = Pool::new(threads, first.stack);
    let run = |leads: bool| {
        let mut walker = Walker::new(job);
        walker.run(&pool, leads).map(|()| walker.replies)
    };
    let found: Result<u64, Rejected> = std::thread::scope(|scope| {
        let start = |_| {
            let started = std::thread::Builder::new().spawn_scoped(scope, || run(false)).ok();
            if started.is_none() {
                pool.miss_one();
            }
            started
        };
        let others: Vec<_> = (1..threads).filter_map(start).collect();
        let mine = run(true);
        // A thread that panics has no answer; it panicked in the rules, and so shall this one.
        others.into_iter().fold(mine, |sum, thread| match (sum, thread.join()) {
            (Err(first), Ok(_)) => Err(first),
            (Ok(a), Ok(b)) => b.map(|b| a + b),
            (_, Err(panic)) => std::panic::resume_unwind(panic),
        })
    });
    replies += found?;
    let unused = |i: &usize| job.used[i / 64].load(Ordering::Relaxed) >> (i % 64) & 1 == 0;
    let records = job.records.len();
    if let Some(i) = (0..records).find(unused) {
        let count = (0..records).filter(unused).count() as u64;
        let code = job.records.codes.code(i).iter().fold(String::new(), |text, b| format!("{text}{b:02x}"));
        return Err(Rejected::Unused { count, records: records as u64, code });
    }
    Ok(replies)
}

/// One thread's way through the records.
struct Walker<'a, P: TwoPlayer> {
    job: &'a Job<'a, P>,
    step: Step<'a, P>,
    /// Positions whose record is marked, but not followed yet.
    stack: Vec<(P, u32)>,
    codes: Vec<u8>,
    ends: Vec<(usize, u64)>,
    replies: u64,
}

impl<'a, P: TwoPlayer + Notation + Symmetric> Walker<'a, P> {
    fn new(job: &'a Job<'a, P>) -> Self {
        let step = Step::new(job.claim, job.ground);
        Self { job, step, stack: Vec::new(), codes: Vec::new(), ends: Vec::new(), replies: 0 }
    }

    /// Follows records until there are no more.
    fn run(&mut self, pool: &Pool<(P, u32)>, leads: bool) -> Result<(), Rejected> {
        let _member = pool.join();
        let stride = self.job.meter.stride();
        let (mut followed, mut told) = (0, Instant::now());
        while let Some((position, record)) = pool.next(&mut self.stack) {
            self.follow(&position, record)?;
            followed += 1;
            if followed == stride {
                if self.job.meter.spend(followed) {
                    return Err(Rejected::Stopped);
                }
                followed = 0;
                if leads && told.elapsed() > Duration::from_millis(200) {
                    told = Instant::now();
                    self.tell();
                }
            }
        }
        self.job.meter.spend(followed);
        Ok(())
    }

    fn tell(&self) {
        let done = |word: &AtomicU64| u64::from(word.load(Ordering::Relaxed).count_ones());
        let nodes: u64 = self.job.used.iter().map(done).sum();
        self.job.observer.progress(&Progress {
            doing: "checking the strategy",
            nodes,
            depth: None,
            share: Some(nodes as f64 / self.job.records.len().max(1) as f64),
            bounds: Bounds::open(self.job.root),
            estimate: None,
            line: &[],
        });
    }

    /// The step from the root to the first positions of the prover's: the root itself, or what the
    /// opponent makes of it.
    fn begin(&mut self) -> Result<(), Rejected> {
        let root = self.job.root;
        self.expand(root, None)?;
        self.arrive(root, None, None)
    }

    /// Plays the move of a record and takes all that can follow.
    fn follow(&mut self, position: &P, record: u32) -> Result<(), Rejected> {
        let number = self.job.records.moves[record as usize];
        let (mut chosen, mut legal) = (None, 0);
        position.moves(|m| {
            if legal == usize::from(number) {
                chosen = Some(m);
            }
            legal += 1;
        });
        let Some(chosen) = chosen else {
            return Err(self.hole(position, None, Fault::NoSuchMove { number, legal }, None));
        };
        self.expand(position, Some(chosen))?;
        self.arrive(position, Some(chosen), Some(record))
    }

    fn expand(&mut self, from: &P, played: Option<P::Move>) -> Result<(), Rejected> {
        let begin = played.map_or_else(|| from.clone(), |m| from.after(m));
        self.step.expand(begin).map_err(|flaw| {
            let (fault, end) = flaw.fault(self.job.claim);
            self.hole(from, played, fault, Some(end))
        })
    }

    /// Finds the records of the positions at which a step arrives, compares the ranks, and puts those that
    /// are met for the first time on the stack.
    fn arrive(&mut self, from: &P, played: Option<P::Move>, record: Option<u32>) -> Result<(), Rejected> {
        let job = self.job;
        let may_stay = P::CYCLIC && self.step.may_repeat && job.claim.is_met_by(from.repeated());
        // First all codes, then all look-ups: so the memory can serve several at once.
        self.codes.clear();
        self.ends.clear();
        for position in &mut self.step.arrivals {
            if job.folded {
                *position = position.canonical().0;
            }
            let start = self.codes.len();
            position.encode(&mut self.codes);
            self.ends.push((self.codes.len(), Codes::hash(&self.codes[start..])));
        }
        let mut start = 0;
        for i in 0..self.ends.len() {
            let (end, hash) = self.ends[i];
            let found = job.records.codes.find(hash, &self.codes[start..end]);
            start = end;
            let Some(next) = found else {
                return Err(self.fault_at(i, from, played, Fault::NoRecord));
            };
            if let Some(record) = record.filter(|_| P::CYCLIC) {
                let (from_rank, to) = (job.records.rank(record as usize), job.records.rank(next as usize));
                if to > from_rank || to == from_rank && !may_stay {
                    let fault = Fault::Rank { from: from_rank, to, may_stay };
                    return Err(self.fault_at(i, from, played, fault));
                }
            }
            let (word, bit) = (&job.used[next as usize / 64], 1 << (next % 64));
            if word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0 {
                self.stack.push((self.step.arrivals[i].clone(), next));
            }
        }
        self.replies += self.ends.len() as u64;
        Ok(())
    }

    /// The hole at arrival `i` of the step, told of the position as it is reached, not of its image.
    #[cold]
    fn fault_at(&mut self, i: usize, from: &P, played: Option<P::Move>, fault: Fault) -> Rejected {
        match self.expand(from, played) {
            Ok(()) => self.hole(from, played, fault, self.step.arrivals.get(i)),
            Err(other) => other,
        }
    }

    #[cold]
    fn hole(&self, from: &P, played: Option<P::Move>, fault: Fault, end: Option<&P>) -> Rejected {
        Rejected::Hole(Box::new(Hole::new(self.job.claim, from, played, fault, end)))
    }
}
