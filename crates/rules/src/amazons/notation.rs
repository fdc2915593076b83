//! Text and pictures of Amazons.

use super::board::{Board, Move};
use super::reach::{STRIDE, queen, squares};
use crate::grid::{Grid, cell_words};
use endspiel_game::notation::shorten;
use endspiel_game::picture::{Paint, Shape, letters, squares_text};
use endspiel_game::{Notation, Picture, Player, Position, Scene, TextError};

/// White amazons, black amazons, arrows.
const SIGNS: [char; 3] = ['w', 'b', '#'];

/// A position is read back as it is written: rows from the top, then the player to move.
pub(super) fn read(text: &str, grid: Grid) -> Result<Board, TextError> {
    let (width, height) = (usize::from(grid.width), usize::from(grid.height));
    let mut board = Board::empty(grid.width, grid.height);
    let (rows, side) = text.trim_end().split_once(' ').ok_or_else(|| {
        TextError::new(text.len(), "the player to move is missing", "a space and w or b after the board")
    })?;
    let (mut row, mut column) = (height - 1, 0);
    for (at, c) in rows.char_indices() {
        let error = |what: String, expected: String| Err(TextError::new(at, what, expected));
        match c.to_ascii_lowercase() {
            '/' if column < width => {
                return error(
                    format!("row {} has {column} squares", row + 1),
                    format!("{width} squares a row"),
                );
            }
            '/' if row == 0 => return error("there are too many rows".into(), format!("{height} rows")),
            '/' => (row, column) = (row - 1, 0),
            _ if column == width => {
                return error(format!("row {} is too long", row + 1), format!("{width} squares a row"));
            }
            '.' => column += 1,
            sign => {
                let Some(kind) = SIGNS.iter().position(|&s| s == sign) else {
                    let what = format!("'{}' is no square", shorten(&c.to_string()));
                    return error(what, "w, b, # for an arrow, or . for an empty square".into());
                };
                board.put(row * STRIDE + column, kind);
                column += 1;
            }
        }
    }
    if (row, column) != (0, width) {
        let what = format!("the board ends in row {} after {column} squares", row + 1);
        return Err(TextError::new(rows.len(), what, format!("{height} rows of {width} squares")));
    }
    match side.trim() {
        "w" | "W" => {}
        "b" | "B" => board.pass_turn(),
        other => {
            let what = format!("'{}' is no player to move", shorten(other));
            return Err(TextError::new(rows.len() + 1, what, "w or b"));
        }
    }
    Ok(board)
}

impl Board {
    fn name(&self, square: u8) -> String {
        let square = usize::from(square);
        self.grid().name(self.grid().cell(square % STRIDE, square / STRIDE))
    }

    fn sign(&self, square: usize) -> char {
        let sets = [self.amazons(Player::FIRST), self.amazons(Player::SECOND), self.arrows()];
        sets.iter().position(|set| set >> square & 1 != 0).map_or('.', |kind| SIGNS[kind])
    }

    /// The square named by a word of a move.
    fn read_square(&self, (at, word): (usize, &str)) -> Result<usize, TextError> {
        let (column, row) = self.grid().column_row(self.grid().read_name(word).map_err(|e| e.shifted(at))?);
        Ok(row * STRIDE + column)
    }
}

impl Notation for Board {
    fn write_move(&self, m: Move) -> String {
        format!("{}-{}/{}", self.name(m.from), self.name(m.to), self.name(m.arrow))
    }

    fn write(&self) -> String {
        let rows: Vec<String> = (0..usize::from(self.grid().height))
            .rev()
            .map(|row| {
                (0..usize::from(self.grid().width)).map(|column| self.sign(row * STRIDE + column)).collect()
            })
            .collect();
        format!("{} {}", rows.join("/"), SIGNS[self.side().index()])
    }

    /// Reads three squares with anything of `-`, `/`, `x` and parentheses between them: `d1-d4/d7`, `D1-D4xD7`,
    /// `d1-d4(d7)`.
    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        if self.turn().is_over() {
            return Err(TextError::new(0, "the game is over", "no move"));
        }
        let plain = text.replace(['-', '/', 'x', 'X', '(', ')'], " ");
        let words = cell_words(&plain);
        let [first, second, third] = words[..] else {
            let expected = "three squares: an amazon's, where it goes, where it shoots, such as d1-d4/d7";
            return Err(TextError::new(0, format!("'{}' is not a move", shorten(text)), expected));
        };
        let wrong = |(at, word): (usize, &str), what: &str, set: u128| {
            let names: Vec<String> = squares(set).take(10).map(|square| self.name(square as u8)).collect();
            Err(TextError::new(at, format!("{word} {what}"), format!("one of {}", names.join(" "))))
        };
        let own = self.amazons(self.side());
        let from = self.read_square(first)?;
        if own >> from & 1 == 0 {
            return wrong(first, "is not an amazon of the player to move", own);
        }
        let (to, reached) = (self.read_square(second)?, queen(from, self.occupied()));
        if reached >> to & 1 == 0 {
            return wrong(second, "cannot be reached", reached);
        }
        let (arrow, shots) = (self.read_square(third)?, self.shots(from, to));
        if shots >> arrow & 1 == 0 {
            return wrong(third, "cannot be shot at", shots);
        }
        Ok(Move { from: from as u8, to: to as u8, arrow: arrow as u8 })
    }

    /// The turn and the number of white amazons, the squares of all amazons, a bit a square for what is occupied.
    fn encode(&self, out: &mut Vec<u8>) {
        let white = self.amazons(Player::FIRST);
        out.push(white.count_ones() as u8 * 2 + self.side().0);
        out.extend(squares(white).chain(squares(self.amazons(Player::SECOND))).map(|square| square as u8));
        let bytes = (usize::from(self.grid().height) * STRIDE).div_ceil(8);
        out.extend(&self.occupied().to_le_bytes()[..bytes]);
    }
}

impl Picture for Board {
    fn text(&self) -> String {
        let (width, height) = (usize::from(self.grid().width), usize::from(self.grid().height));
        squares_text(width, height, letters, |r| (r + 1).to_string(), |c, r| self.sign(r * STRIDE + c))
    }

    fn scene(&self) -> Scene {
        let (width, height) = (usize::from(self.grid().width), usize::from(self.grid().height));
        let mut scene = Scene::squares(width, height, true, letters, |r| (r + 1).to_string());
        for square in (0..height).flat_map(|r| (0..width).map(move |c| r * STRIDE + c)) {
            let (x, y) = Scene::square(height, square % STRIDE, square / STRIDE);
            match self.sign(square) {
                '#' => scene
                    .draw(Shape::Polygon(
                        vec![(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)],
                        Paint::Block,
                    ))
                    .piece("arrow", x, y),
                'w' => piece(&mut scene, (x, y), Paint::Second, Paint::First).piece("white amazon", x, y),
                'b' => piece(&mut scene, (x, y), Paint::First, Paint::Second).piece("black amazon", x, y),
                _ => continue,
            };
        }
        scene
    }
}

/// White is drawn light though it moves first.
fn piece(scene: &mut Scene, (x, y): (f32, f32), disc: Paint, figure: Paint) -> &mut Scene {
    scene.draw(Shape::Disc(x, y, 0.4, disc)).draw(Shape::Word(x, y, 0.6, "♛".into(), figure))
}
