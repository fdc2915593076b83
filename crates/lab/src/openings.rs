//! White's 35 second moves in go-moku after a first stone in the middle, proven one after the other.
//!
//! Victoria proved all of them in 1992 with moves chosen by hand that were never printed (Allis 1994, section 5.5); here
//! proof numbers choose. What is proven is kept in a store that later runs go on from: a move for each position of a
//! proof that searches for threats alone do not win, by the key of its canonical image, and for each opening what was
//! spent on it. An opening counts as proven when its moves have been gone through against every legal reply. Openings
//! that fail are tried again with twice the nodes.

use endspiel_expertise::gomoku::{Moves, Prover, Selection};
use endspiel_game::{Budget, Game, Notation, Position, Symmetric, TwoPlayer};
use endspiel_rules::gomoku::{Gomoku, GomokuPosition};
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

/// By opening: tries, nodes, milliseconds, moves of the proof, and whether it is proven.
const OPENINGS: TableDefinition<&str, (u32, u64, u64, u64, bool)> = TableDefinition::new("openings");
/// Moves by the key of the canonical position.
const MOVES: TableDefinition<u64, u16> = TableDefinition::new("moves");
/// Nodes of the first try.
const FIRST: usize = 20_000;

/// A second move of White's, and what is known of it.
#[derive(Clone, Debug, Serialize)]
pub struct Opening {
    /// The move.
    pub opening: String,
    /// Was it shown that Black wins?
    pub proven: bool,
    /// How often it was tried.
    pub tries: u32,
    /// Nodes of all tries.
    pub nodes: u64,
    /// Time of all tries, in seconds.
    pub seconds: f64,
    /// Positions of the proof with a move, those shared with other openings left out.
    pub moves: u64,
}

/// Why the store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be read or written.
    #[error("the store of openings: {0}")]
    Store(#[source] Box<redb::Error>),
    /// There is no directory for it.
    #[error("cannot make the directory {path}: {source}")]
    Directory {
        /// The directory.
        path: String,
        /// Why.
        source: std::io::Error,
    },
}

impl From<redb::Error> for StoreError {
    fn from(error: redb::Error) -> Self {
        Self::Store(Box::new(error))
    }
}

/// White's second moves that differ by more than a symmetry, with the position after each.
pub fn second_moves() -> Vec<(String, GomokuPosition<4>)> {
    let first = Gomoku::from_variant("").and_then(|game| game.start().read_line("h8"));
    let Ok((start, _)) = first else { return Vec::new() };
    let mut seen = HashSet::new();
    let fresh = start.move_list().into_iter().filter(|&m| seen.insert(start.after(m).canonical_key()));
    fresh.map(|m| (start.write_move(m), start.after(m))).collect()
}

/// The store of proven moves in a directory.
struct Store(Database);

impl Store {
    fn open(dir: &Path) -> Result<Self, StoreError> {
        let directory = |source| StoreError::Directory { path: dir.display().to_string(), source };
        std::fs::create_dir_all(dir).map_err(directory)?;
        Ok(Self(Database::create(dir.join("gomoku-openings.redb")).map_err(redb::Error::from)?))
    }

    fn read(&self) -> Result<(Vec<Opening>, Moves), redb::Error> {
        let writing = self.0.begin_write()?;
        // Makes the tables of a new store.
        writing.open_table(OPENINGS)?;
        writing.open_table(MOVES)?;
        writing.commit()?;
        let reading = self.0.begin_read()?;
        let table = reading.open_table(OPENINGS)?;
        let mut openings = Vec::new();
        for (name, _) in second_moves() {
            let known = table.get(name.as_str())?.map(|value| value.value());
            let (tries, nodes, milliseconds, moves, proven) = known.unwrap_or_default();
            let seconds = milliseconds as f64 / 1000.0;
            openings.push(Opening { opening: name, proven, tries, nodes, seconds, moves });
        }
        let mut moves = Moves::new();
        for entry in reading.open_table(MOVES)?.iter()? {
            let (key, cell) = entry?;
            moves.insert(key.value(), cell.value());
        }
        Ok((openings, moves))
    }

    /// Keeps what a try has found; all of it or nothing.
    fn keep(&self, opening: &Opening, moves: &Moves, known: &HashSet<u64>) -> Result<(), redb::Error> {
        let writing = self.0.begin_write()?;
        {
            let mut table = writing.open_table(MOVES)?;
            for (key, cell) in moves.iter().filter(|(key, _)| !known.contains(key)) {
                table.insert(key, cell)?;
            }
            let mut table = writing.open_table(OPENINGS)?;
            let Opening { tries, nodes, seconds, moves, proven, .. } = *opening;
            let value = (tries, nodes, (seconds * 1000.0) as u64, moves, proven);
            table.insert(opening.opening.as_str(), value)?;
        }
        Ok(writing.commit()?)
    }
}

/// What is known of all openings.
pub fn known(dir: &Path) -> Result<Vec<Opening>, StoreError> {
    Ok(Store::open(dir)?.read()?.0)
}

/// What is known, in words.
pub fn found(known: &[Opening]) -> String {
    let proven: Vec<&str> =
        known.iter().filter(|opening| opening.proven).map(|opening| opening.opening.as_str()).collect();
    format!("{} of {}: {}", proven.len(), known.len(), proven.join(" "))
}

/// Tries the openings that are not proven yet, those with the fewest tries first, until the budget ends; tells `each` of
/// every try. Gives what is known in the end.
pub fn run(
    dir: &Path,
    budget: &Budget,
    mut each: impl FnMut(&Opening) -> bool,
) -> Result<Vec<Opening>, StoreError> {
    let store = Store::open(dir)?;
    let (mut openings, mut moves) = store.read()?;
    let positions = second_moves();
    let meter = budget.start();
    let mut prover = Prover::new(Selection::default());
    while !meter.spend(0) {
        let next = (0..openings.len()).filter(|&i| !openings[i].proven).min_by_key(|&i| openings[i].tries);
        let Some(next) = next else { break };
        let (opening, root) = (&mut openings[next], positions[next].1);
        let (begun, before) = (Instant::now(), prover.nodes);
        let known: HashSet<u64> = moves.keys().copied().collect();
        let nodes = (FIRST << opening.tries.min(12)).min(usize::try_from(meter.left()).unwrap_or(usize::MAX));
        let stop = || meter.spend(0);
        let found = prover.prove(&root, root.mover(), nodes, &stop, &mut moves);
        opening.proven = found && prover.check(&root, root.mover(), &moves, &stop);
        // A try that was cut short does not count.
        opening.tries += u32::from(!meter.spend(prover.nodes - before));
        opening.nodes += prover.nodes - before;
        opening.seconds += begun.elapsed().as_secs_f64();
        opening.moves += (moves.len() - known.len()) as u64;
        store.keep(opening, &moves, &known)?;
        if !each(opening) {
            break;
        }
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_35_second_moves_and_the_store_goes_on() {
        assert_eq!(second_moves().len(), 35);
        let dir = std::env::temp_dir().join(format!("endspiel-openings-{}", std::process::id()));
        let budget = Budget::nodes(300);
        let mut told = 0;
        let first = run(&dir, &budget, |_| {
            told += 1;
            true
        });
        let first = first.expect("a store");
        assert!(told >= 1 && first.iter().map(|opening| opening.nodes).sum::<u64>() >= 300);
        let second = known(&dir).expect("the store");
        assert_eq!(first.len(), second.len());
        assert!(first.iter().zip(&second).all(|(a, b)| (a.nodes, a.tries) == (b.nodes, b.tries)));
        std::fs::remove_dir_all(&dir).expect("the store is there");
    }
}
