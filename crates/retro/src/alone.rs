//! Tables of games for one player: for every position how many moves, or how many rolls of dice on the average, it takes
//! to be done. They have the files of other databases, one slice a table, and are checked in the same way.

use crate::file::{Digest, Header};
use crate::work::Stage;
use crate::{Error, Metric, Reader, Stopped, Store, Table, Work};
use endspiel_game::TextError;

/// A game for one player, all of whose positions are in one table.
pub trait Alone: Sync {
    /// How it is called.
    fn name(&self) -> &'static str;
    /// What the table tells, in a line.
    fn summary(&self) -> &'static str;
    /// How its only slice is called.
    fn slice(&self) -> &'static str;
    /// What is told of a position.
    fn metric(&self) -> Metric;
    /// How many positions there are.
    fn size(&self) -> u64;
    /// The bytes of memory that solving takes.
    fn solving_bytes(&self) -> u64;
    /// Reads a position; its number.
    fn read(&self, text: &str) -> Result<u64, TextError>;
    /// Writes the position with this number.
    fn write(&self, number: u64) -> String;
    /// Solves all positions.
    fn solve(&self, work: &Work<'_>) -> Result<Table, Stopped>;
    /// What can follow, a move or a roll of the dice played best, with what is told of the position after it.
    fn next(&self, number: u64, told: &Told<'_>) -> Result<Vec<(String, i32)>, Error>;
    /// What the positions after it make of a position.
    fn derive(&self, number: u64, told: &Told<'_>) -> Result<i32, Error>;
    /// Cuts a text into a position and the one that it races against, where the game has races.
    fn rivals<'a>(&self, text: &'a str) -> Result<(&'a str, Option<&'a str>), TextError> {
        Ok((text, None))
    }
    /// The chances of dice: to be done, and to win the race against another position that rolls next.
    fn chances(&self, _number: u64, _against: Option<u64>) -> Option<Chances> {
        None
    }
    /// A picture of a position in letters, where numbers alone are hard to read.
    fn picture(&self, _number: u64) -> Option<String> {
        None
    }
    /// A value and what is derived may differ by so much, where cells are rounded.
    fn rounding(&self) -> i32 {
        0
    }
}

/// What dice may bring.
#[derive(Clone, Debug, PartialEq)]
pub struct Chances {
    /// To be done within one roll, two, and so on, until it is all but sure; nothing where no roll is needed.
    pub done: Vec<f64>,
    /// To be done before the other.
    pub wins: Option<f64>,
}

/// What a table tells of a number.
pub type Told<'a> = dyn Fn(u64) -> Result<i32, Error> + 'a;

/// Opens the table of a game, if it is there and has as many positions as the game.
pub fn open_alone(game: &dyn Alone, store: &Store, memory: u64) -> Result<Reader, Error> {
    let reader = store.open(game.slice(), game.metric(), memory)?;
    reader.has_size(game.size()).map(|()| reader)
}

/// Is a good file there already?
pub fn is_built_alone(game: &dyn Alone, store: &Store) -> Result<bool, Error> {
    match open_alone(game, store, 0).and_then(|reader| reader.check()) {
        Ok(()) => Ok(true),
        Err(Error::Missing { .. } | Error::Damaged { .. }) => Ok(false),
        Err(other) => Err(other),
    }
}

/// Says at once if memory or disk will not do.
pub fn check_room_alone(game: &dyn Alone, store: &Store, memory: u64) -> Result<(), Error> {
    let (needed, slice) = (game.solving_bytes(), game.slice().to_owned());
    if needed > memory {
        return Err(Error::Memory { slice, needed, allowed: memory });
    }
    let (disk, dir) = (2 * game.size() + 4096, store.dir().to_owned());
    match crate::store::short_of(disk, &dir) {
        Some(free) => Err(Error::Disk { dir, needed: disk, free, memory: None }),
        None => Ok(()),
    }
}

/// Solves a game and writes its table.
pub fn build_alone(game: &dyn Alone, store: &Store, work: &Work<'_>) -> Result<(Header, Digest), Error> {
    let _guard = store.lock()?;
    let table = game.solve(work)?;
    store.save(game.slice(), &table, work)
}

/// Reads every byte of the table, and re-derives one value in `every`, in so much memory; how many.
pub fn verify_alone(
    game: &dyn Alone,
    store: &Store,
    (every, memory): (u64, u64),
    work: &Work<'_>,
) -> Result<u64, Error> {
    const PIECE: usize = 1 << 12;
    if let Ok(reader) = open_alone(game, store, 0) {
        let needed = reader.header().size * u64::from(reader.header().width);
        if needed > memory {
            return Err(Error::Memory { slice: game.slice().into(), needed, allowed: memory });
        }
    }
    store.check_files()?;
    let table = open_alone(game, store, 0)?.table()?;
    let told = |number: u64| Ok(table.get(number).unwrap_or(0));
    let every = every.max(1) as usize;
    let many = table.len().div_ceil(every);
    let stage = Stage { doing: "checks", pass: 1, changed: None };
    let counts = work.share(stage, many.div_ceil(PIECE), many as u64, |piece| {
        let mut count = 0;
        for index in (piece * PIECE..((piece + 1) * PIECE).min(many)).map(|i| (i * every) as u64) {
            let (stored, derived) = (told(index)?, game.derive(index, &told)?);
            if stored.abs_diff(derived) > game.rounding().unsigned_abs() {
                let slice = game.slice().into();
                return Err(Error::Inconsistent { slice, index, stored, derived });
            }
            count += 1;
        }
        Ok(count)
    })?;
    counts.into_iter().sum()
}
