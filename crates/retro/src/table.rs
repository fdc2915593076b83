//! Solved slices in memory.

use crate::Metric;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::Arc;

/// The values of a slice, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What the values mean.
    pub metric: Metric,
    /// The values; see [`Metric::write`].
    pub cells: Cells,
}

/// Signed numbers in one or two bytes. The least number stands where there is no position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cells {
    /// One byte each.
    Narrow(Vec<i8>),
    /// Two bytes each.
    Wide(Vec<i16>),
    /// Plies counted as moves of the winner, one byte each, for games in which the winner makes the last move: n
    /// is a win in 2n - 1 plies, -n a loss in 2n - 2.
    Moves(Vec<i8>),
}

/// The number of plies, as [`Metric::write`] has it, of a cell that counts moves.
#[inline]
pub(crate) fn plies(moves: i8) -> i32 {
    2 * i32::from(moves) - i32::from(moves.signum())
}

impl Table {
    /// How many numbers the slice has.
    pub fn len(&self) -> usize {
        match &self.cells {
            Cells::Narrow(cells) | Cells::Moves(cells) => cells.len(),
            Cells::Wide(cells) => cells.len(),
        }
    }

    /// Is it a slice without positions?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value with this number; none where there is no position.
    #[inline]
    pub fn get(&self, index: u64) -> Option<i32> {
        let index = index as usize;
        match &self.cells {
            Cells::Narrow(cells) => cells.get(index).filter(|&&v| v != i8::MIN).map(|&v| v.into()),
            Cells::Wide(cells) => cells.get(index).filter(|&&v| v != i16::MIN).map(|&v| v.into()),
            Cells::Moves(cells) => cells.get(index).filter(|&&v| v != i8::MIN).map(|&v| plies(v)),
        }
    }

    /// All values, in order.
    pub fn values(&self) -> impl Iterator<Item = Option<i32>> + '_ {
        (0..self.len() as u64).map(|i| self.get(i))
    }
}

/// The tables at hand.
#[derive(Clone, Debug)]
pub struct Known<S> {
    tables: FxHashMap<S, Arc<Table>>,
}

impl<S> Default for Known<S> {
    fn default() -> Self {
        Self { tables: FxHashMap::default() }
    }
}

impl<S: Eq + Hash> Known<S> {
    /// Adds a table.
    pub fn insert(&mut self, slice: S, table: Arc<Table>) {
        self.tables.insert(slice, table);
    }

    /// Forgets a table.
    pub fn remove(&mut self, slice: &S) {
        self.tables.remove(slice);
    }

    /// The table of a slice.
    pub fn table(&self, slice: &S) -> Option<&Arc<Table>> {
        self.tables.get(slice)
    }

    /// The value of a position.
    #[inline]
    pub fn get(&self, slice: &S, index: u64) -> Option<i32> {
        self.tables.get(slice)?.get(index)
    }
}
