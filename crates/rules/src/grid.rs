//! Rectangular boards of cells that two players fill with stones: coordinates, runs of stones, symmetries,
//! and the text of a position.
//!
//! Cells are numbered row by row. Their names are a letter for the column and a number for the row, such
//! as `c4`. A position is written as its rows from the top, `/` between them, a sign a cell, then a space
//! and the sign of the player to move: `x../.o./... x`. Any numbers of stones are read: composed positions
//! are as welcome as played ones.

use crate::bits::Bits;
use endspiel_game::notation::{shorten, words};
use endspiel_game::picture::letters;
use endspiel_game::{Player, TextError};

/// A cell of a board, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u16);

impl Cell {
    /// The number as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The four directions in which lines run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Along a row.
    Row,
    /// Along a column.
    Column,
    /// To the next column and the next row.
    Rising,
    /// To the column before and the next row.
    Falling,
}

impl Direction {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Row, Self::Column, Self::Rising, Self::Falling];
}

/// The shape of a board: at most 255 cells a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Is row 1 the top one? In hex it is; elsewhere it is the bottom one.
    pub down: bool,
}

impl Grid {
    /// A board with row 1 at the bottom.
    pub const fn new(width: u8, height: u8) -> Self {
        Self { width, height, down: false }
    }

    /// How many cells.
    #[inline]
    pub const fn cells(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The cell in a column and a row, both from 0.
    #[inline]
    pub const fn cell(self, column: usize, row: usize) -> usize {
        row * self.width as usize + column
    }

    /// Column and row of a cell.
    #[inline]
    pub const fn column_row(self, cell: usize) -> (usize, usize) {
        let (cell, width) = (cell as u32, self.width as u32);
        ((cell % width) as usize, (cell / width) as usize)
    }

    /// From a cell in a direction: the difference of cell numbers, and how many steps there are on the
    /// board backwards and forwards.
    #[inline]
    pub fn reach(self, cell: usize, direction: Direction) -> (usize, usize, usize) {
        let width = self.width as usize;
        let (left, down) = self.column_row(cell);
        let (right, up) = (width - 1 - left, self.height as usize - 1 - down);
        match direction {
            Direction::Row => (1, left, right),
            Direction::Column => (width, down, up),
            Direction::Rising => (width + 1, left.min(down), right.min(up)),
            Direction::Falling => (width - 1, right.min(down), left.min(up)),
        }
    }

    /// The first and the last cell of the unbroken run of `stones` through `cell`, which counts as one of
    /// them, and its length.
    #[inline]
    pub fn run<const WORDS: usize>(
        self,
        stones: &Bits<WORDS>,
        cell: usize,
        direction: Direction,
    ) -> (usize, usize, usize) {
        let (step, back, forth) = self.reach(cell, direction);
        let (mut first, mut last, mut length) = (cell, cell, 1);
        for _ in 0..back {
            if !stones.contains(first - step) {
                break;
            }
            first -= step;
            length += 1;
        }
        for _ in 0..forth {
            if !stones.contains(last + step) {
                break;
            }
            last += step;
            length += 1;
        }
        (first, last, length)
    }

    /// All lines of `length` cells in the four directions: the first cell and the difference to the next.
    pub fn lines(self, length: usize) -> Vec<(usize, usize)> {
        let mut lines = Vec::new();
        for direction in Direction::ALL {
            for cell in 0..self.cells() {
                let (step, _, forth) = self.reach(cell, direction);
                if forth + 1 >= length {
                    lines.push((cell, step));
                }
            }
        }
        lines
    }

    /// Rotations and reflections that keep the board: 8 of a square, 4 of another rectangle.
    #[inline]
    pub const fn symmetries(self) -> usize {
        if self.width == self.height { 8 } else { 4 }
    }

    /// Where symmetry `s` takes a cell: bit 0 mirrors the columns, bit 1 the rows, bit 2 then exchanges
    /// columns and rows.
    #[inline]
    pub const fn image(self, cell: usize, s: usize) -> usize {
        let (mut column, mut row) = self.column_row(cell);
        if s & 1 != 0 {
            column = self.width as usize - 1 - column;
        }
        if s & 2 != 0 {
            row = self.height as usize - 1 - row;
        }
        if s & 4 == 0 { self.cell(column, row) } else { self.cell(row, column) }
    }

    /// The name of a cell, such as `c4`.
    pub fn name(self, cell: usize) -> String {
        let (column, row) = self.column_row(cell);
        format!("{}{}", letters(column), row + 1)
    }

    /// Reads the name of a cell, in letters of either case.
    pub fn read_name(self, text: &str) -> Result<usize, TextError> {
        let last = self.name(self.cells() - 1);
        let wrong = |at, what: String| Err(TextError::new(at, what, format!("a cell from a1 to {last}")));
        let (letter, digits) = match text.as_bytes() {
            [letter, digits @ ..] if letter.is_ascii_alphabetic() => (letter, digits),
            _ => return wrong(0, format!("'{}' is not the name of a cell", shorten(text))),
        };
        let column = (letter.to_ascii_lowercase() - b'a') as usize;
        let plain =
            (1..=3).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit) && digits[0] != b'0';
        if !plain {
            return wrong(1, format!("'{}' is not the name of a cell", shorten(text)));
        }
        let row = digits.iter().fold(0, |row, digit| 10 * row + (digit - b'0') as usize) - 1;
        if column >= self.width as usize || row >= self.height as usize {
            return wrong(0, format!("'{}' is off the board", shorten(text)));
        }
        Ok(self.cell(column, row))
    }

    /// Reads the name of an empty cell.
    pub fn read_empty<const WORDS: usize>(self, text: &str, taken: &Bits<WORDS>) -> Result<Cell, TextError> {
        let cell = self.read_name(text)?;
        if taken.contains(cell) {
            return Err(TextError::new(0, format!("{} is taken", self.name(cell)), "an empty cell"));
        }
        Ok(Cell(cell as u16))
    }

    /// Row `r` from the top, as a row number from 0.
    fn row_below_top(self, r: usize) -> usize {
        if self.down { r } else { self.height as usize - 1 - r }
    }

    /// Writes a position: the rows from the top, then the player to move.
    pub fn write<const WORDS: usize>(
        self,
        stones: &[Bits<WORDS>; 2],
        mover: Player,
        signs: [char; 2],
    ) -> String {
        let mut out = String::with_capacity(self.cells() + self.height as usize + 2);
        for r in 0..self.height as usize {
            if r > 0 {
                out.push('/');
            }
            for column in 0..self.width as usize {
                out.push(sign(stones, self.cell(column, self.row_below_top(r)), signs));
            }
        }
        out.push(' ');
        out.push(signs[mover.index()]);
        out
    }

    /// Reads what [`Grid::write`] writes, in letters of either case.
    pub fn read<const WORDS: usize>(
        self,
        text: &str,
        signs: [char; 2],
    ) -> Result<([Bits<WORDS>; 2], Player), TextError> {
        let [first, second] = signs;
        let (width, height) = (self.width as usize, self.height as usize);
        let start = text.len() - text.trim_start().len();
        let text = text.trim_end();
        let mut stones = [Bits::EMPTY; 2];
        let (mut row, mut column, mut end) = (0, 0, None);
        for (at, c) in text.char_indices().skip_while(|&(at, _)| at < start) {
            match c.to_ascii_lowercase() {
                ' ' => {
                    end = Some(at);
                    break;
                }
                '/' if column < width => {
                    let what = format!("row {} from the top has {column} cells", row + 1);
                    return Err(TextError::new(at, what, format!("{width} cells in a row")));
                }
                '/' if row + 1 < height => (row, column) = (row + 1, 0),
                '/' => return Err(TextError::new(at, "there are too many rows", format!("{height} rows"))),
                c if c == '.' || c == first || c == second => {
                    if column == width {
                        let what = format!("row {} from the top is too long", row + 1);
                        return Err(TextError::new(at, what, format!("{width} cells in a row")));
                    }
                    if c != '.' {
                        stones[usize::from(c == second)].insert(self.cell(column, self.row_below_top(row)));
                    }
                    column += 1;
                }
                _ => {
                    let what = format!("'{}' is no cell", shorten(&c.to_string()));
                    return Err(TextError::new(at, what, format!("{first}, {second} or . for a cell")));
                }
            }
        }
        let here = end.unwrap_or(text.len());
        if (row + 1, column) != (height, width) {
            let what = format!("the board ends in row {} after {column} cells", row + 1);
            return Err(TextError::new(here, what, format!("{height} rows of {width} cells")));
        }
        let rest = text[here..].trim_start();
        let at = text.len() - rest.len();
        match rest.to_ascii_lowercase() {
            r if r == first.to_string() => Ok((stones, Player::FIRST)),
            r if r == second.to_string() => Ok((stones, Player::SECOND)),
            _ => Err(TextError::new(
                at,
                format!("'{}' is no player to move", shorten(rest)),
                format!("a space and {first} or {second}, who is to move, after the board"),
            )),
        }
    }
}

/// The sign of what lies on a cell.
#[inline]
pub fn sign<const WORDS: usize>(stones: &[Bits<WORDS>; 2], cell: usize, signs: [char; 2]) -> char {
    match (stones[0].contains(cell), stones[1].contains(cell)) {
        (true, _) => signs[0],
        (_, true) => signs[1],
        _ => '.',
    }
}

/// Appends an exact code of a position: the player to move and the cells, five digits to the base 3 a byte.
pub fn encode<const WORDS: usize>(stones: &[Bits<WORDS>; 2], cells: usize, mover: Player, out: &mut Vec<u8>) {
    let (mut byte, mut digits) = (mover.0, 1);
    for cell in 0..cells {
        if digits == 5 {
            out.push(byte);
            (byte, digits) = (0, 0);
        }
        byte = 3 * byte + u8::from(stones[0].contains(cell)) + 2 * u8::from(stones[1].contains(cell));
        digits += 1;
    }
    out.push(byte);
}

/// Cuts a list of cells into words, also where they are run together as in `h8h9i10`.
pub fn cell_words(text: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    for (start, word) in words(text) {
        let bytes = word.as_bytes();
        let mut from = 0;
        for i in 1..bytes.len() {
            if bytes[i - 1].is_ascii_digit() && bytes[i].is_ascii_alphabetic() {
                out.push((start + from, &word[from..i]));
                from = i;
            }
        }
        out.push((start + from, &word[from..]));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_form_a_group() {
        for grid in [Grid::new(5, 5), Grid::new(4, 3), Grid::new(1, 2)] {
            let map = |s: usize| (0..grid.cells()).map(|c| grid.image(c, s)).collect::<Vec<_>>();
            let maps: Vec<_> = (0..grid.symmetries()).map(map).collect();
            assert_eq!(maps[0], (0..grid.cells()).collect::<Vec<_>>());
            for f in &maps {
                for g in &maps {
                    let both: Vec<_> = f.iter().map(|&c| g[c]).collect();
                    assert!(maps.contains(&both), "closed under composition");
                }
            }
        }
    }

    #[test]
    fn lines_are_counted() {
        // Allis 1994, chapter 5: the lines of five, six and seven squares on 15x15.
        let grid = Grid::new(15, 15);
        assert_eq!([5, 6, 7].map(|length| grid.lines(length).len()), [572, 500, 432]);
        assert_eq!(Grid::new(3, 3).lines(3).len(), 8);
        assert_eq!(Grid::new(4, 3).lines(4).len(), 3);
    }

    #[test]
    fn runs_stop_at_gaps_and_edges() {
        let grid = Grid::new(4, 3);
        // A row that ends at the edge must not go on in the next row.
        let stones: Bits<1> = [2, 3, 4, 5].into_iter().collect();
        assert_eq!(grid.run(&stones, 3, Direction::Row), (2, 3, 2));
        let stones: Bits<1> = [3, 6, 9].into_iter().collect();
        assert_eq!(grid.run(&stones, 6, Direction::Falling), (3, 9, 3));
        assert_eq!(grid.run(&stones, 6, Direction::Rising), (6, 6, 1));
    }

    #[test]
    fn texts_are_read_back_and_errors_point_at_the_place() {
        let grid = Grid::new(3, 2);
        let (stones, mover) = grid.read::<1>("x.o/.X. o", ['x', 'o']).expect("a good text");
        assert_eq!(grid.write(&stones, mover, ['x', 'o']), "x.o/.x. o");
        let at = |text: &str| grid.read::<1>(text, ['x', 'o']).map_err(|e| e.at);
        assert_eq!(at("x.o/.y. o"), Err(5));
        assert_eq!(at("x.o/.x.. o"), Err(7));
        assert_eq!(at("x./.x. o"), Err(2));
        assert_eq!(at("x.o/... "), Err(7));
        assert_eq!(at("x.o/.../... x"), Err(7));
        assert_eq!(at("x.o/... z"), Err(8));
        assert_eq!(at("x.o/..é x"), Err(6));
    }

    #[test]
    fn names_are_read_back() {
        let grid = Grid::new(15, 15);
        for cell in 0..grid.cells() {
            assert_eq!(grid.read_name(&grid.name(cell)), Ok(cell));
        }
        assert_eq!(grid.read_name("O15"), Ok(224));
        for bad in ["", "a", "7", "a0", "a01", "p1", "a16", "aa1", "a1x", "é1", "a9999999999999999999999"] {
            assert!(grid.read_name(bad).is_err(), "{bad}");
        }
        assert_eq!(cell_words("h8h9i10, 4. j1"), [(0, "h8"), (2, "h9"), (4, "i10"), (12, "j1")]);
        assert_eq!(cell_words("é1é"), [(0, "é1é")]);
    }
}
