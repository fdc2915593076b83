//! The lines of a board, both ways round: the cells of each line, and the lines through each cell as a set.
//!
//! A set of lines is a set of bits like a set of cells, so that what a stone does to all lines through its
//! cell is a few operations on words.

use endspiel_rules::bits::Bits;
use endspiel_rules::grid::{Direction, Grid};

/// The lines of a board of up to 64 `C` cells and 64 `W` lines.
#[derive(Clone, Debug)]
pub(super) struct Geometry<const C: usize, const W: usize> {
    /// The lines through each cell.
    pub through: Vec<Bits<W>>,
    /// The cells of each line.
    pub cells: Vec<Bits<C>>,
    /// The cells next to each line's ends, in its direction: with a stone of the same player there the line is
    /// part of a longer one.
    pub beyond: Vec<Bits<C>>,
    /// The run of the board that each line lies on.
    pub runs: Vec<usize>,
    /// All lines.
    pub all: Bits<W>,
    /// How many stones win.
    pub length: usize,
}

impl<const C: usize, const W: usize> Geometry<C, W> {
    /// A board of so many cells with these lines, of `length` cells each: the run of each, its cells, and the cells beyond its ends.
    pub fn new(count: usize, length: usize, lines: impl Iterator<Item = (usize, Bits<C>, Bits<C>)>) -> Self {
        let (mut runs, mut cells, mut beyond) = (Vec::new(), Vec::<Bits<C>>::new(), Vec::new());
        let mut through = vec![Bits::EMPTY; count];
        for (run, line, ends) in lines {
            line.iter().for_each(|cell| through[cell].insert(cells.len()));
            runs.push(run);
            cells.push(line);
            beyond.push(ends);
        }
        Self { through, all: Bits::first(cells.len()), cells, beyond, runs, length }
    }

    /// The lines of a rectangular board: all rows of `length` cells along the four directions.
    pub fn of_grid(grid: Grid, length: usize) -> Self {
        let mut runs = Vec::new();
        let begins = (0..grid.cells()).flat_map(|cell| Direction::ALL.map(|direction| (cell, direction)));
        let lines = begins.filter_map(|(cell, direction)| {
            let (step, back, forth) = grid.reach(cell, direction);
            (forth + 1 >= length).then(|| {
                let before = (back > 0).then(|| cell - step);
                let behind = (forth >= length).then(|| cell + length * step);
                let line = (0..length).map(|i| cell + i * step).collect();
                let run = (cell - back * step, step);
                let known = runs.iter().position(|&known| known == run).unwrap_or(runs.len());
                if known == runs.len() {
                    runs.push(run);
                }
                (known, line, before.into_iter().chain(behind).collect())
            })
        });
        Self::new(grid.cells(), length, lines)
    }
}
