//! A store of wins proven in go-moku, which later proofs use and which can be gone through again.
//!
//! A proof is a move for each position of the winner's that searches for threats alone do not win. The moves are kept by
//! the key of the canonical position, one table for each rule and size; a *claim* is a position said to be won, with what
//! was spent on it. Everything is written at once or not at all, every few seconds, so a run may be ended at any time.

use endspiel_expertise::gomoku::{Advice, Evaluation, Moves, Progress, Prover, Selection};
use endspiel_game::{
    Advisor, Budget, Game, Meter, Notation, Player, Position, Question, Quiet, TextError, Turn, TwoPlayer,
};
use endspiel_proof::Statement;
pub use endspiel_proof::try_path as try_certificate;
use endspiel_rules::gomoku::{Gomoku, GomokuPosition, Rule};
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
use serde::Serialize;
use std::io::Read;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// By variant and position: tries, nodes, milliseconds, moves of the proof, replies and how many of them are open, holes
/// mended, and the winner, 0 if none is proven.
const CLAIMS: TableDefinition<(&str, &str), Row> = TableDefinition::new("claims");
type Row = (u32, u64, u64, u64, u64, u64, u64, u8);
/// How the files of the database begin.
const MAGIC: &[u8; 9] = b"redb\x1a\x0a\xa9\x0d\x0a";
/// What is proven is kept so often.
const KEPT: Duration = Duration::from_secs(10);
/// A position, and what is known of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Claim {
    /// The variant of go-moku.
    pub variant: String,
    /// The position.
    pub position: String,
    /// The winner by name, if it was shown that he wins.
    pub winner: Option<&'static str>,
    /// How often it was tried.
    pub tries: u32,
    /// Nodes of all tries.
    pub nodes: u64,
    /// Time of all tries, in seconds.
    pub seconds: f64,
    /// Positions of the proof with a move, those left out that the store had already.
    pub moves: u64,
    /// Where it is proven reply by reply, the replies to the winner's move, up to symmetry.
    pub replies: u64,
    /// How many of them are not proven yet.
    pub open: u64,
    /// Holes that going through it found and that were mended.
    pub mended: u64,
    /// The winner's first move, if it is his turn and he was found to win.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// What runs before this one knew and spent, where that is told apart: it is not counted above then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Earlier>,
}

/// What was known of a position before a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Earlier {
    /// Was it proven then?
    pub proven: bool,
    /// Nodes of the tries before.
    pub nodes: u64,
    /// Time of the tries before, in seconds.
    pub seconds: f64,
}

impl Claim {
    fn player(&self) -> Option<Player> {
        [Player::FIRST, Player::SECOND].into_iter().find(|player| self.winner == Some(NAMES[player.index()]))
    }

    fn is_proven(&self) -> bool {
        self.winner.is_some()
    }

    /// The same with the nodes and the time spent since `before`.
    fn since(&self, before: &Self) -> Self {
        let (nodes, seconds) = (before.nodes, before.seconds);
        let earlier = Earlier { proven: before.is_proven(), nodes, seconds };
        Self {
            nodes: self.nodes - nodes,
            seconds: self.seconds - seconds,
            earlier: (before.tries > 0 || nodes > 0).then_some(earlier),
            ..self.clone()
        }
    }
}

/// Why the store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be read or written.
    #[error("cannot use {path} as a store of proofs: {source}")]
    Store {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<redb::Error>,
    },
    /// Somebody else has it open.
    #[error("another program is at work with the store of proofs {path}; wait for it, or take another file")]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// It is some other file.
    #[error(
        "{path} is no store of proofs; a file is expected that `solve --store` or `lab run gomoku-openings` has made"
    )]
    Other {
        /// The file.
        path: PathBuf,
    },
    /// What is in it does not fit together.
    #[error("the store of proofs {path} is damaged; put it aside and prove again, or take a copy of it")]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// There is no directory for it.
    #[error("cannot make the store of proofs {path}: there is no directory {directory}")]
    Directory {
        /// The file.
        path: PathBuf,
        /// The directory.
        directory: PathBuf,
    },
    /// The directory for it cannot be made.
    #[error("cannot make the directory {path}: {source}")]
    NoDirectory {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A claim is no position of go-moku.
    #[error("'{text}' of the store is no position: {error}")]
    Claim {
        /// The position.
        text: String,
        /// What is wrong with it.
        error: TextError,
    },
}

impl StoreError {
    fn new(path: &Path, error: impl Into<redb::Error>) -> Self {
        use std::io::ErrorKind::{InvalidData, UnexpectedEof};
        let (path, error) = (path.to_path_buf(), error.into());
        match error {
            redb::Error::Io(ref io) if matches!(io.kind(), InvalidData | UnexpectedEof) => {
                Self::Other { path }
            }
            redb::Error::TableDoesNotExist(_) | redb::Error::TableTypeMismatch { .. } => Self::Other { path },
            redb::Error::DatabaseAlreadyOpen => Self::Busy { path },
            source => Self::Store { path, source: Box::new(source) },
        }
    }
}

/// Works with the database of a file. The database panics where a damaged file contradicts itself; that is told as damage, and
/// nothing is printed of it.
fn guarded<T>(file: &Path, work: impl FnOnce() -> Result<T, redb::Error>) -> Result<T, StoreError> {
    match quietly(work) {
        Ok(done) => done.map_err(|error| StoreError::new(file, error)),
        Err(_) => Err(StoreError::Damaged { path: file.into() }),
    }
}

/// Catches a panic, and lets nothing be printed of it.
pub fn quietly<T>(work: impl FnOnce() -> T) -> std::thread::Result<T> {
    // The hook is the whole process's: who takes another's for the usual one would leave it there.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let usual = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    panic::set_hook(usual);
    done
}

/// Does a file look like a store, whatever its name? One with the usual ending is taken for a store, unless it is a certificate.
pub fn is_store(file: &Path) -> bool {
    let mut magic = [0; MAGIC.len()];
    let read = std::fs::File::open(file).and_then(|mut file| file.read_exact(&mut magic)).is_ok();
    let is_named_so = file.extension().is_some_and(|ending| ending == "redb");
    read && magic == *MAGIC || is_named_so && !(read && b"Endspiel certificate".starts_with(&magic))
}

/// Reads what is left out, such as `top=5 related=off implicit=off evaluation=fours`.
pub fn selection(text: &str) -> Result<Selection, TextError> {
    let mut selection = Selection::default();
    let mut at = 0;
    for word in text.split(' ') {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let wrong = |expected: &str| TextError::new(at, format!("'{word}' is no switch"), expected);
        let switch = || match value {
            "on" => Ok(true),
            "off" => Ok(false),
            _ => Err(wrong("on or off")),
        };
        match name {
            "" if word.is_empty() => {}
            "top" if value == "all" => selection.top = None,
            "top" => {
                let count = value.parse().ok().filter(|&count: &usize| count > 0);
                selection.top = Some(count.ok_or_else(|| wrong("top=all or a number from 1 on"))?);
            }
            "related" => selection.related = switch()?,
            "implicit" => selection.implicit = switch()?,
            "evaluation" => {
                selection.evaluation = match value {
                    "all" => Evaluation::All,
                    "fours" => Evaluation::Fours,
                    "fives" => Evaluation::Fives,
                    _ => return Err(wrong("evaluation=all, fours or fives")),
                }
            }
            _ => return Err(wrong("top, related, implicit or evaluation, each with = and a value")),
        }
        at += word.len() + 1;
    }
    Ok(selection)
}

/// A store in a file.
#[derive(Debug)]
pub struct Store {
    file: PathBuf,
    database: Database,
    variant: String,
    /// The moves of the variant.
    pub moves: Moves,
    /// Those of the file.
    kept: Moves,
    /// What is proven is kept so often.
    pace: Duration,
}

impl Store {
    /// Opens a store for a variant, a new one if there is none. Its directory must be there.
    pub fn open(file: &Path, variant: &str) -> Result<Self, StoreError> {
        if let Some(dir) = file.parent().filter(|dir| !dir.as_os_str().is_empty() && !dir.is_dir()) {
            return Err(StoreError::Directory { path: file.into(), directory: dir.into() });
        }
        guarded(file, || {
            let (moves, kept) = (Moves::new(), Moves::new());
            let database = Database::create(file)?;
            let (file, variant) = (file.into(), variant.into());
            let mut store = Self { file, database, variant, moves, kept, pace: KEPT };
            store.read()?;
            Ok(store)
        })
    }

    fn read(&mut self) -> Result<(), redb::Error> {
        let name = format!("moves {}", self.variant);
        let table: TableDefinition<'_, u64, u16> = TableDefinition::new(&name);
        let writing = self.database.begin_write()?;
        // Makes the tables of a new store.
        writing.open_table(CLAIMS)?;
        writing.open_table(table)?;
        writing.commit()?;
        for entry in self.database.begin_read()?.open_table(table)?.iter()? {
            let (key, cell) = entry?;
            self.moves.insert(key.value(), cell.value());
        }
        self.kept.clone_from(&self.moves);
        Ok(())
    }

    /// What is known of a position.
    pub fn claim(&self, position: &str) -> Result<Claim, StoreError> {
        guarded(&self.file, || self.look_up(position))
    }

    fn look_up(&self, position: &str) -> Result<Claim, redb::Error> {
        let table = self.database.begin_read()?.open_table(CLAIMS)?;
        let row = table.get((self.variant.as_str(), position))?.map(|row| row.value());
        Ok(claim(&self.variant, position, row.unwrap_or_default()))
    }

    /// All claims, of all variants.
    pub fn claims(file: &Path) -> Result<Vec<Claim>, StoreError> {
        guarded(file, || Self::all(file))
    }

    fn all(file: &Path) -> Result<Vec<Claim>, redb::Error> {
        let database = Database::open(file)?;
        let table = database.begin_read()?.open_table(CLAIMS)?;
        let mut claims = Vec::new();
        for entry in table.iter()? {
            let (key, row) = entry?;
            let (variant, position) = key.value();
            claims.push(claim(variant, position, row.value()));
        }
        Ok(claims)
    }

    /// Keeps a claim and all new moves.
    fn keep(&mut self, claim: &Claim) -> Result<(), StoreError> {
        let file = self.file.clone();
        guarded(&file, || self.write(claim))
    }

    fn write(&mut self, claim: &Claim) -> Result<(), redb::Error> {
        let name = format!("moves {}", self.variant);
        let writing = self.database.begin_write()?;
        {
            let table: TableDefinition<'_, u64, u16> = TableDefinition::new(&name);
            let mut table = writing.open_table(table)?;
            for (key, cell) in self.moves.iter().filter(|(key, cell)| self.kept.get(key) != Some(cell)) {
                table.insert(key, cell)?;
            }
            let Claim { tries, nodes, seconds, moves, replies, open, mended, winner, .. } = *claim;
            let winner = [None, Some(NAMES[0]), Some(NAMES[1])].iter().position(|&name| name == winner);
            let milliseconds = (seconds * 1000.0) as u64;
            let row = (tries, nodes, milliseconds, moves, replies, open, mended, winner.unwrap_or(0) as u8);
            writing.open_table(CLAIMS)?.insert((claim.variant.as_str(), claim.position.as_str()), row)?;
        }
        writing.commit()?;
        self.kept.extend(&self.moves);
        Ok(())
    }

    /// Tries once to prove that one of the players wins, each in turn, or the one that is given, and goes through the
    /// proof against every legal reply; tells `each` how far it is every few seconds.
    pub fn prove(
        &mut self,
        prover: &mut Prover,
        root: &GomokuPosition<4>,
        attacker: Option<Player>,
        meter: &Meter,
        mut each: impl FnMut(&Claim) -> bool,
    ) -> Result<Claim, StoreError> {
        let mut claim = self.claim(&root.write())?;
        if claim.is_proven() || root.turn().is_over() {
            return Ok(claim);
        }
        let mut clock = Clock { last: Instant::now(), nodes: prover.nodes, moves: self.moves.len() };
        let (mut spent, mut ended, mut result) = (prover.nodes, false, Ok(()));
        let attackers = attacker.map_or_else(|| vec![root.mover(), root.mover().other()], |one| vec![one]);
        let mut moves = std::mem::take(&mut self.moves);
        for attacker in attackers {
            // What is proven is kept now and then.
            let tries = claim.tries;
            let mut tell = |progress: &Progress, moves: &Moves| {
                (claim.replies, claim.open) = (progress.replies as u64, progress.open as u64);
                ended |= meter.spend(progress.nodes - spent);
                spent = progress.nodes;
                if !ended && clock.last.elapsed() > self.pace {
                    clock.charge(&mut claim, progress.nodes, moves.len());
                    self.moves.clone_from(moves);
                    result = self.keep(&claim);
                    ended |= !each(&claim) || result.is_err();
                }
                !ended
            };
            if let Some(mended) = prover.prove_whole(root, attacker, tries, &mut moves, &mut tell) {
                claim.mended += mended;
                claim.winner = Some(NAMES[attacker.index()]);
            }
            if claim.is_proven() || ended {
                break;
            }
        }
        self.moves = moves;
        result?;
        // A try that was cut short does not count.
        claim.tries += u32::from(!meter.spend(prover.nodes - spent) && !ended);
        clock.charge(&mut claim, prover.nodes, self.moves.len());
        self.keep(&claim)?;
        Ok(claim)
    }
}

/// What was spent since a claim was charged.
struct Clock {
    last: Instant,
    nodes: u64,
    moves: usize,
}

impl Clock {
    fn charge(&mut self, claim: &mut Claim, nodes: u64, moves: usize) {
        claim.nodes += nodes - self.nodes;
        claim.seconds += self.last.elapsed().as_secs_f64();
        claim.moves += (moves - self.moves) as u64;
        *self = Self { last: Instant::now(), nodes, moves };
    }
}

const NAMES: [&str; 2] = Gomoku::ABOUT.players;

fn claim(variant: &str, position: &str, row: Row) -> Claim {
    let (tries, nodes, milliseconds, moves, replies, open, mended, winner) = row;
    Claim {
        variant: variant.into(),
        position: position.into(),
        winner: usize::from(winner).checked_sub(1).and_then(|i| NAMES.get(i).copied()),
        tries,
        nodes,
        seconds: milliseconds as f64 / 1000.0,
        moves,
        replies,
        open,
        mended,
        line: Vec::new(),
        earlier: None,
    }
}

/// Tries to prove who wins, with more and more nodes until the budget ends; tells `each` how far it is. What earlier runs
/// have spent is told apart.
pub fn solve(
    file: &Path,
    variant: &str,
    root: &GomokuPosition<4>,
    selection: Selection,
    budget: &Budget,
    mut each: impl FnMut(&Claim) -> bool,
) -> Result<Claim, StoreError> {
    let (mut store, meter) = (Store::open(file, variant)?, budget.start());
    let (mut prover, before) = (Prover::new(selection), store.claim(&root.write())?);
    prover.stay_within(budget.memory);
    // A file may have been altered: what it says is proven is gone through, and proven anew where it does not hold.
    if let Some(winner) = before.player() {
        let hole = prover.hole(root, winner, &store.moves, &mut || meter.spend(0));
        let open = Claim { winner: None, ..before.clone() };
        if meter.spend(0) {
            return Ok(open.since(&before));
        }
        if hole.is_some() {
            store.keep(&open)?;
        }
    }
    loop {
        let mut goes_on = true;
        let claim = store.prove(&mut prover, root, None, &meter, |claim| {
            goes_on = each(&claim.since(&before));
            goes_on
        })?;
        if claim.is_proven() || root.turn().is_over() || !goes_on || meter.spend(0) {
            let line = first_move(&claim, root, &mut prover, &store.moves);
            return Ok(Claim { line, ..claim.since(&before) });
        }
    }
}

/// The winner's move, if it is his turn.
fn first_move(claim: &Claim, root: &GomokuPosition<4>, prover: &mut Prover, moves: &Moves) -> Vec<String> {
    let question = claim.player().map(|player| Question { player, at_least: 1 });
    let question = question.filter(|question| root.turn() == Turn::Player(question.player));
    let m = question.and_then(|question| Advice::new(prover, moves).advise(root, question));
    m.map(|m| root.write_move(m)).into_iter().collect()
}

/// Writes an ordinary certificate of a proven claim, in which every line goes on to its end by the rules; gives the number of
/// its records. That is far larger than the list of moves, and `budget` may be too small for it; so may be the patience
/// of the searches for threats, which have to win again after every reply.
pub fn certify(
    store: &Path,
    claim: &Claim,
    root: &GomokuPosition<4>,
    certificate: &Path,
    budget: &Budget,
) -> Result<u64, CertificateError> {
    let number = NAMES.iter().position(|&name| Some(name) == claim.winner);
    let winner = number.map(|number| if number == 0 { Player::FIRST } else { Player::SECOND });
    let (winner, store) = (winner.ok_or(CertificateError::Unproven)?, Store::open(store, &claim.variant)?);
    let game = Gomoku::from_variant(&claim.variant).map_err(|e| CertificateError::Other(e.to_string()))?;
    let (statement, mut prover) = (Statement::at_least(winner, 1), Prover::new(Selection::default()));
    let (mut advice, mut strategies) = (Advice::new(&mut prover, &store.moves), Vec::new());
    let other = |what: &dyn std::fmt::Display| CertificateError::Other(what.to_string());
    for question in statement.claims() {
        let strategy = endspiel_proof::build(root, question, true, &mut advice, budget, &Quiet);
        strategies.push(strategy.map_err(|e| other(&e))?);
    }
    endspiel_proof::write(certificate, &game, root, statement, &strategies).map_err(|e| other(&e))?;
    let verified = endspiel_proof::verify(&game, certificate, 1);
    if verified.is_err() {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(certificate);
    }
    Ok(verified.map_err(|e| other(&e))?.records)
}

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// Nothing is proven.
    #[error("nothing is proven")]
    Unproven,
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It cannot be built, written or verified.
    #[error("{0}")]
    Other(String),
}

/// The variant by its own name and the position that texts speak of, for rules and sizes that the prover knows.
pub fn root(
    variant: &str,
    position: Option<&str>,
    moves: Option<&str>,
) -> Result<(String, GomokuPosition<4>), TextError> {
    let game = Gomoku::from_variant(variant)?;
    let start = position.map_or_else(|| Ok(game.start()), |text| game.read(text))?;
    if start.rule() == Rule::Renju {
        let what = "proofs over threats are not kept for renju";
        return Err(TextError::new(0, what, "free or standard"));
    }
    let root = moves.map_or(Ok(start), |moves| Ok(start.read_line(moves)?.0))?;
    Ok((game.variant(), root))
}

/// What going through a claim has shown.
#[derive(Clone, Debug, Serialize)]
pub struct Verified {
    /// The claim.
    #[serde(flatten)]
    pub claim: Claim,
    /// A position of the winner's without a move that wins, if there is one.
    pub hole: Option<String>,
}

/// Goes through every proven claim of a store against every legal reply. The ends of lines are solved again by searches
/// for threats, not by the rules alone. Tells `each` of every claim; gives whether all hold, none if it was stopped.
pub fn verify(
    file: &Path,
    budget: &Budget,
    mut each: impl FnMut(&Verified),
) -> Result<Option<bool>, StoreError> {
    let (meter, mut whole) = (budget.start(), true);
    for claim in Store::claims(file)? {
        let Some(winner) = claim.player() else { continue };
        let wrong = |error| StoreError::Claim { text: claim.position.clone(), error };
        let root = Gomoku::from_variant(&claim.variant).and_then(|game| game.read(&claim.position));
        let (root, store) = (root.map_err(wrong)?, Store::open(file, &claim.variant)?);
        let mut prover = Prover::new(Selection::default());
        let hole = prover.hole(&root, winner, &store.moves, &mut || meter.spend(0));
        if meter.spend(0) {
            return Ok(None);
        }
        whole &= hole.is_none();
        each(&Verified { claim, hole: hole.map(|position| position.write()) });
    }
    Ok(Some(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_used_again_and_gone_through() {
        let dir = std::env::temp_dir().join(format!("endspiel-proofs-{}", std::process::id()));
        let file = dir.join("gomoku.redb");
        let error = Store::open(&file, "").expect_err("no directory").to_string();
        assert!(error.ends_with(&format!("there is no directory {}", dir.display())), "{error}");
        std::fs::create_dir(&dir).expect("a directory");
        let game = Gomoku::from_variant("").expect("the usual game");
        let (root, _) = game.start().read_line("h8 a1 i9 b3").expect("moves");
        let mut store = Store::open(&file, "").expect("a store");
        let meter = Budget::nodes(100_000).start();
        let claim = store
            .prove(&mut Prover::new(Selection::default()), &root, None, &meter, |_| true)
            .expect("a store");
        assert_eq!((claim.winner, claim.tries), (Some("Black"), 1));
        assert!(claim.nodes > 10 && claim.moves > 0);
        drop(store);
        // The store answers, and White's move before it is answered by it too.
        let mut store = Store::open(&file, "").expect("the store");
        let mut prover = Prover::new(Selection::default());
        let again = store.prove(&mut prover, &root, None, &meter, |_| true).expect("the store");
        assert_eq!((again.nodes, prover.nodes), (claim.nodes, 0));
        // A move that takes the place of another is kept, too.
        let (&key, &cell) = store.moves.iter().next().expect("a move");
        for other in [cell + 1, cell] {
            store.moves.insert(key, other);
            store.keep(&again).expect("kept");
            drop(store);
            store = Store::open(&file, "").expect("the store");
            assert_eq!(store.moves[&key], other);
        }
        drop(store);
        // A run of its own says that it had nothing to do.
        let budget = Budget::default();
        let third = solve(&file, "", &root, Selection::default(), &budget, |_| true).expect("the store");
        assert_eq!((third.winner, third.nodes, third.seconds), (Some("Black"), 0, 0.0));
        assert_eq!(third.line.len(), 1);
        let earlier = Earlier { proven: true, nodes: claim.nodes, seconds: again.seconds };
        assert_eq!(third.earlier, Some(earlier));
        let mut told = Vec::new();
        let whole = verify(&file, &Budget::default(), |one| told.push(one.hole.clone())).expect("the store");
        assert_eq!((whole, told), (Some(true), vec![None]));
        // Without one of its moves there is a hole.
        let database = Database::open(&file).expect("the store");
        let writing = database.begin_write().expect("a change");
        let table: TableDefinition<'_, u64, u16> = TableDefinition::new("moves ");
        let key = endspiel_game::Symmetric::canonical_key(&root);
        writing.open_table(table).expect("moves").remove(key).expect("the first move");
        writing.commit().expect("a change");
        drop(database);
        assert_eq!(verify(&file, &Budget::default(), |_| ()).expect("the store"), Some(false));
        // Nobody takes its word for that: it is proven anew.
        let anew = solve(&file, "", &root, Selection::default(), &budget, |_| true).expect("the store");
        assert!(anew.winner == Some("Black") && anew.nodes > 0, "{anew:?}");
        assert_eq!(verify(&file, &Budget::default(), |_| ()).expect("the store"), Some(true));
        // A part of a store, or one with a page of nothing in it, is no reason to panic.
        let bytes = std::fs::read(&file).expect("the store");
        assert!(is_store(&file));
        let mut damaged = 0;
        for part in 1..24 {
            std::fs::write(&file, &bytes[..bytes.len() * part / 24]).expect("a file");
            let error = verify(&file, &Budget::default(), |_| ()).err();
            damaged += usize::from(matches!(error, Some(StoreError::Damaged { .. })));
            let mut blank = bytes.clone();
            blank[bytes.len() * part / 24..].iter_mut().take(4096).for_each(|byte| *byte = 0);
            std::fs::write(&file, blank).expect("a file");
            let error = Store::open(&file, "").and_then(|store| store.claim("")).err();
            damaged += usize::from(matches!(error, Some(StoreError::Damaged { .. })));
        }
        assert!(damaged > 0, "the database panics on some of them");
        // What is no store says so by its name.
        std::fs::write(&file, "no store").expect("a file");
        let error = verify(&file, &Budget::default(), |_| ()).expect_err("no store").to_string();
        assert!(error.contains("gomoku.redb is no store of proofs"), "{error}");
        std::fs::remove_dir_all(&dir).expect("the store is there");
    }

    /// A list of moves becomes a certificate that holds by the rules alone.
    #[test]
    fn a_small_proof_becomes_a_certificate() {
        let dir = std::env::temp_dir().join(format!("endspiel-certified-{}", std::process::id()));
        let (file, certificate) = (dir.join("gomoku.redb"), dir.join("gomoku.cert"));
        std::fs::create_dir(&dir).expect("a directory");
        let line = "g7 f6 h7 f7 e8 j9 f8 g10 g9 h10";
        let (variant, root) = root("free", None, Some(line)).expect("moves");
        let budget = Budget::default().with_memory(1 << 30);
        let claim = solve(&file, &variant, &root, Selection::default(), &budget, |_| true).expect("a store");
        assert_eq!(claim.winner, Some("Black"));
        let records = certify(&file, &claim, &root, &certificate, &budget).expect("a certificate");
        assert!(records > 10 && certificate.is_file(), "{records}");
        std::fs::remove_dir_all(&dir).expect("the store is there");
    }

    /// However long one search takes, what is proven is kept now and then, and the nodes hold.
    #[test]
    fn a_long_search_is_kept_on_the_way() {
        let dir = std::env::temp_dir().join(format!("endspiel-kept-{}", std::process::id()));
        std::fs::create_dir(&dir).expect("a directory");
        let (variant, root) = root("free", None, Some("h8 i9 g7 i7")).expect("moves");
        let mut store = Store::open(&dir.join("gomoku.redb"), &variant).expect("a store");
        store.pace = Duration::ZERO;
        let (meter, mut told) = (Budget::nodes(500).start(), Vec::new());
        let claim = store.prove(&mut Prover::new(Selection::default()), &root, None, &meter, |claim| {
            told.push(claim.nodes);
            true
        });
        let claim = claim.expect("a store");
        assert!(claim.winner.is_none() && (500..1000).contains(&claim.nodes), "{}", claim.nodes);
        assert!(told.len() > 3 && told.windows(2).all(|pair| pair[0] <= pair[1]), "{told:?}");
        std::fs::remove_dir_all(&dir).expect("the store is there");
    }

    #[test]
    fn switches_are_read_and_errors_point() {
        let chosen = selection("top=5 related=off evaluation=fours").expect("switches");
        assert_eq!((chosen.top, chosen.related, chosen.implicit), (Some(5), false, true));
        assert_eq!(chosen.evaluation, Evaluation::Fours);
        assert_eq!(selection("top=5 implicit=maybe").expect_err("no switch").at, 6);
        assert_eq!(selection("").expect("nothing"), Selection::default());
    }
}
