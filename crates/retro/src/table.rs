//! Solved slices in memory.

use crate::file::Header;
use crate::{Label, Metric};
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

impl Cells {
    /// From here on there is no position with this number.
    pub(crate) fn blank(&mut self, number: usize) {
        match self {
            Self::Narrow(cells) | Self::Moves(cells) => cells[number] = i8::MIN,
            Self::Wide(cells) => cells[number] = i16::MIN,
        }
    }

    /// The number that a cell of one byte stands for.
    pub fn number(&self, byte: i8) -> i32 {
        if matches!(self, Self::Moves(_)) { plies(byte) } else { byte.into() }
    }
}

/// The number of plies, as [`Metric::write`] has it, of a cell that counts moves.
#[inline]
pub(crate) fn plies(moves: i8) -> i32 {
    2 * i32::from(moves) - i32::from(moves.signum())
}

/// The kinds of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Narrow,
    Moves,
    Wide,
}

impl Width {
    /// The cells of a file.
    pub const fn of(header: &Header) -> Self {
        match (header.width, header.moves) {
            (2, _) => Self::Wide,
            (_, true) => Self::Moves,
            _ => Self::Narrow,
        }
    }

    /// Writes a number, or that there is no position, as files do; false if it is no such cell.
    pub fn put(self, metric: Metric, number: Option<i32>, out: &mut Vec<u8>) -> bool {
        if self == Self::Wide {
            let number = number.map_or(Ok(i16::MIN), i16::try_from);
            out.extend(number.into_iter().flat_map(i16::to_le_bytes));
            return number.is_ok();
        }
        let byte = number.map_or(Some(i8::MIN), |number| self.byte(metric, number));
        out.extend(byte.map(|byte| byte as u8));
        byte.is_some()
    }

    /// Cells as files have them.
    pub fn read(self, bytes: Vec<u8>) -> Cells {
        let narrow = |bytes: Vec<u8>| bytes.into_iter().map(|byte| byte as i8).collect();
        match self {
            Self::Narrow => Cells::Narrow(narrow(bytes)),
            Self::Moves => Cells::Moves(narrow(bytes)),
            Self::Wide => {
                Cells::Wide(bytes.as_chunks().0.iter().map(|&two| i16::from_le_bytes(two)).collect())
            }
        }
    }

    /// In order: the first that holds all values is taken.
    pub const fn order(moves_first: bool) -> [Self; 3] {
        if moves_first {
            [Self::Moves, Self::Narrow, Self::Wide]
        } else {
            [Self::Narrow, Self::Moves, Self::Wide]
        }
    }

    /// A number as a cell of one byte.
    fn byte(self, metric: Metric, number: i32) -> Option<i8> {
        let whole = number == 0 || metric.counts_plies() && number % 2 != 0;
        let number = match self {
            Self::Moves if whole => number / 2 + number % 2,
            Self::Moves => return None,
            Self::Narrow | Self::Wide => number,
        };
        i8::try_from(number).ok().filter(|&n| n != i8::MIN)
    }

    /// Can such a cell hold this label?
    pub fn holds(self, metric: Metric, label: Label, stakes: u16) -> bool {
        self == Self::Wide || label == Label::NONE || self.byte(metric, metric.write(label, stakes)).is_some()
    }

    /// These labels as cells, which must hold them; [`Label::NONE`] is no position.
    pub fn cells(self, metric: Metric, labels: &[Label], stakes: u16) -> Cells {
        let number = |&label: &Label| (label != Label::NONE).then(|| metric.write(label, stakes));
        let byte = |label: &Label| number(label).and_then(|n| self.byte(metric, n)).unwrap_or(i8::MIN);
        match self {
            Self::Narrow => Cells::Narrow(labels.iter().map(byte).collect()),
            Self::Moves => Cells::Moves(labels.iter().map(byte).collect()),
            Self::Wide => {
                Cells::Wide(labels.iter().map(|l| number(l).map_or(i16::MIN, |n| n as i16)).collect())
            }
        }
    }
}

impl Table {
    /// The table of these numbers, as [`Metric::write`] has them, in the smallest cells that hold them all; the least number
    /// stands where there is no position.
    pub fn of_numbers(metric: Metric, numbers: Vec<i16>) -> Self {
        let byte = |width: Width, number: i16| match number {
            i16::MIN => Some(i8::MIN),
            _ => width.byte(metric, number.into()),
        };
        let holds_all = |width: &Width| numbers.iter().all(|&number| byte(*width, number).is_some());
        let bytes = |width| numbers.iter().map(|&number| byte(width, number).unwrap_or(i8::MIN)).collect();
        let cells = match [Width::Narrow, Width::Moves].into_iter().find(holds_all) {
            Some(Width::Narrow) => Cells::Narrow(bytes(Width::Narrow)),
            Some(Width::Moves) => Cells::Moves(bytes(Width::Moves)),
            _ => Cells::Wide(numbers),
        };
        Self { metric, cells }
    }

    /// How many numbers the slice has.
    pub fn len(&self) -> usize {
        match &self.cells {
            Cells::Narrow(cells) | Cells::Moves(cells) => cells.len(),
            Cells::Wide(cells) => cells.len(),
        }
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> u64 {
        self.len() as u64 * if matches!(self.cells, Cells::Wide(_)) { 2 } else { 1 }
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
