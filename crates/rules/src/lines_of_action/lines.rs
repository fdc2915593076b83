//! Line tables (Billings and Björnsson, Search and knowledge in Lines of Action, 2003): every row, column and
//! diagonal is one number to the base 3, and a table tells its moves.
//!
//! A board of N x N has 6N - 2 lines. The code of a line with L squares is an index into one table: an offset for L
//! plus the sum of `s[i] * 3^i`, where `s[i]` is 0 on an empty square, 1 on a black stone, 2 on a white one. A change of
//! one square changes the codes of four lines by a constant each.

use crate::grid::Grid;
use std::sync::OnceLock;

/// Lines on the largest board.
pub const MOST_LINES: usize = 46;
const LARGEST: usize = 8;
const SMALLEST: usize = 4;

/// A move within a line: from a place to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Place moved from, 0 at the line's first square.
    pub from: u8,
    /// Place moved to.
    pub to: u8,
}

/// Everything that depends on the size of the board alone.
pub struct Lines {
    /// The squares of each line.
    pub squares: Vec<Vec<u8>>,
    /// The code of each line when it is empty.
    pub empty: [u16; MOST_LINES],
    /// For each square its four lines, with the worth of a black stone there: 3^i.
    pub through: Vec<[(u8, u16); 4]>,
    /// Where each of the eight symmetries takes a square.
    pub images: Vec<[u8; 8]>,
    /// How many moves a line of this code has, for each colour.
    pub counts: Vec<[u8; 2]>,
    /// Where in `steps` they are.
    starts: Vec<[u32; 2]>,
    steps: Vec<Step>,
}

impl Lines {
    /// The tables for a board of `n` x `n`, 4 to 8; made once.
    pub fn of(n: usize) -> &'static Self {
        static TABLES: [OnceLock<Lines>; LARGEST - SMALLEST + 1] = [const { OnceLock::new() }; 5];
        TABLES[n - SMALLEST].get_or_init(|| Self::new(n))
    }

    /// The moves of one colour in a line of this code.
    #[inline]
    pub fn steps(&self, code: u16, colour: usize) -> &[Step] {
        let start = self.starts[usize::from(code)][colour] as usize;
        &self.steps[start..start + usize::from(self.counts[usize::from(code)][colour])]
    }

    fn new(n: usize) -> Self {
        let grid = Grid::new(n as u8, n as u8);
        let mut squares: Vec<Vec<u8>> = Vec::new();
        let cell = |column: usize, row: usize| grid.cell(column, row) as u8;
        squares.extend((0..n).map(|row| (0..n).map(|column| cell(column, row)).collect()));
        squares.extend((0..n).map(|column| (0..n).map(|row| cell(column, row)).collect()));
        for sum in 0..2 * n - 1 {
            let columns = sum.saturating_sub(n - 1)..n.min(sum + 1);
            squares.push(columns.clone().map(|column| cell(column, sum - column)).collect());
            squares.push(columns.map(|column| cell(column, n - 1 - (sum - column))).collect());
        }
        // Codes of length L follow those of all shorter ones.
        let offset = |length: usize| (0..length).map(|l| 3u16.pow(l as u32)).sum::<u16>();
        let mut empty = [0; MOST_LINES];
        let mut through = vec![Vec::new(); grid.cells()];
        for (line, places) in squares.iter().enumerate() {
            empty[line] = offset(places.len());
            for (i, &square) in places.iter().enumerate() {
                through[usize::from(square)].push((line as u8, 3u16.pow(i as u32)));
            }
        }
        let through = through.into_iter().map(|four| std::array::from_fn(|i| four[i])).collect();
        let images = (0..grid.cells()).map(|c| std::array::from_fn(|s| grid.image(c, s) as u8)).collect();
        let (mut counts, mut starts, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for length in 0..=n {
            for code in 0..3usize.pow(length as u32) {
                let line: Vec<usize> = (0..length).map(|i| code / 3usize.pow(i as u32) % 3).collect();
                let (mut count, mut start) = ([0; 2], [0; 2]);
                for colour in 0..2 {
                    start[colour] = steps.len() as u32;
                    steps.extend(moves_in_line(&line, colour + 1));
                    count[colour] = (steps.len() as u32 - start[colour]) as u8;
                }
                counts.push(count);
                starts.push(start);
            }
        }
        Self { squares, empty, through, images, counts, starts, steps }
    }
}

/// The moves of `own` stones in a line: exactly as far as there are stones in the line, not over an enemy stone,
/// not onto an own one.
fn moves_in_line(line: &[usize], own: usize) -> Vec<Step> {
    let distance = line.iter().filter(|&&s| s != 0).count();
    let mut found = Vec::new();
    for (from, _) in line.iter().enumerate().filter(|&(_, &s)| s == own) {
        let forth = Some(from + distance).filter(|&to| to < line.len());
        for to in [from.checked_sub(distance), forth].into_iter().flatten() {
            let (low, high) = (from.min(to), from.max(to));
            let free = line[low + 1..high].iter().all(|&s| s == 0 || s == own);
            if free && line[to] != own {
                found.push(Step { from: from as u8, to: to as u8 });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cover_every_square_four_times() {
        for n in SMALLEST..=LARGEST {
            let lines = Lines::of(n);
            assert_eq!(lines.squares.len(), 6 * n - 2);
            let mut seen = vec![0; n * n];
            lines.squares.iter().flatten().for_each(|&s| seen[usize::from(s)] += 1);
            assert_eq!(seen, vec![4; n * n]);
        }
    }

    #[test]
    fn steps_go_as_far_as_there_are_stones() {
        let steps = |line: [usize; 8], own| {
            moves_in_line(&line, own).iter().map(|s| (s.from, s.to)).collect::<Vec<_>>()
        };
        assert_eq!(steps([0, 1, 0, 0, 0, 0, 0, 0], 1), [(1, 0), (1, 2)]);
        assert_eq!(steps([1, 1, 0, 0, 0, 0, 0, 0], 1), [(0, 2), (1, 3)], "over an own stone");
        assert_eq!(steps([1, 2, 0, 0, 0, 0, 0, 0], 1), [], "not over an enemy");
        assert_eq!(steps([1, 0, 2, 0, 0, 0, 0, 0], 1), [(0, 2)], "a capture");
        assert_eq!(steps([1, 0, 1, 0, 0, 0, 0, 0], 1), [(2, 4)], "not onto an own stone");
    }
}
