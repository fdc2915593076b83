//! Cells such as `h8`, positions as rows of signs or as lists of moves, and pictures with stones on lines.

use super::position::GomokuPosition;
use crate::grid::{Cell, Grid, cell_words};
use endspiel_game::notation::shorten;
use endspiel_game::picture::{Paint, Shape, letters, squares_text};
use endspiel_game::{Notation, Picture, Player, Position, Scene, TextError};

/// The signs of the players in texts.
pub(super) const SIGNS: [char; 2] = ['b', 'w'];

impl<const WORDS: usize> Notation for GomokuPosition<WORDS> {
    fn write_move(&self, m: Cell) -> String {
        self.stones().grid().name(m.index())
    }

    fn write(&self) -> String {
        self.stones().write(SIGNS)
    }

    fn read_move(&self, text: &str) -> Result<Cell, TextError> {
        if self.turn().is_over() {
            let what = format!("the game is over before '{}'", shorten(text));
            return Err(TextError::new(0, what, "no more moves"));
        }
        let cell = self.stones().grid().read_empty(text, &self.stones().taken())?;
        match self.forbidden(cell.index()) {
            Some(shape) if self.is_restricted() => {
                let what = format!("{} is forbidden to Black: it makes {shape}", self.write_move(cell));
                Err(TextError::new(0, what, "an empty cell that renju allows"))
            }
            _ => Ok(cell),
        }
    }

    fn move_words<'a>(&self, text: &'a str) -> Vec<(usize, &'a str)> {
        cell_words(text)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.stones().encode(out);
    }
}

impl<const WORDS: usize> Picture for GomokuPosition<WORDS> {
    fn text(&self) -> String {
        let grid = self.stones().grid();
        squares_text(
            grid.width as usize,
            grid.height as usize,
            letters,
            |row| (row + 1).to_string(),
            |column, row| self.stones().sign(grid.cell(column, row), SIGNS),
        )
    }

    fn scene(&self) -> Scene {
        let grid = self.stones().grid();
        let size = grid.height as usize;
        let mut scene = Scene::new(size as f32 + 1.5, size as f32 + 1.5);
        let at = |column: usize, row: usize| Scene::square(size, column, row);
        let ((left, bottom), (right, top)) = (at(0, 0), at(size - 1, size - 1));
        let (low, high) = ((left - 0.5, bottom + 0.5), (right + 0.5, top - 0.5));
        let ground = vec![low, (low.0, high.1), high, (high.0, low.1)];
        scene.draw(Shape::Polygon(ground, Paint::Board));
        for i in 0..size {
            scene.draw(Shape::Line(at(i, 0), at(i, size - 1), Paint::Ink));
            scene.draw(Shape::Line(at(0, i), at(size - 1, i), Paint::Ink));
            scene.draw(Shape::Word(at(i, 0).0, size as f32 + 1.0, 0.5, letters(i), Paint::Ink));
            scene.draw(Shape::Word(0.5, at(0, i).1, 0.5, (i + 1).to_string(), Paint::Ink));
        }
        for (column, row) in star_points(size) {
            let (x, y) = at(column, row);
            scene.draw(Shape::Disc(x, y, 0.08, Paint::Ink));
        }
        let centre = |cell: usize| {
            let (column, row) = grid.column_row(cell);
            at(column, row)
        };
        for cell in 0..grid.cells() {
            let (x, y) = centre(cell);
            scene.place(grid.name(cell), x, y);
        }
        let sides =
            [(Player::FIRST, Paint::First, "black stone"), (Player::SECOND, Paint::Second, "white stone")];
        for (player, paint, name) in sides {
            for cell in self.stones().of(player).iter() {
                let (x, y) = centre(cell);
                scene.draw(Shape::Disc(x, y, 0.45, paint)).piece(name, x, y);
            }
        }
        for cell in self.all_forbidden().iter() {
            let (x, y) = centre(cell);
            scene.draw(Shape::Line((x - 0.2, y - 0.2), (x + 0.2, y + 0.2), Paint::Mark));
            scene.draw(Shape::Line((x - 0.2, y + 0.2), (x + 0.2, y - 0.2), Paint::Mark));
            scene.piece("forbidden to Black", x, y);
        }
        for player in [Player::FIRST, Player::SECOND] {
            if let Some((first, last)) = self.line_of(player) {
                scene.draw(Shape::Line(centre(first), centre(last), Paint::Mark));
            }
        }
        scene
    }
}

/// The marked points of a board: the centre, and on larger boards four more, the fourth from the edges.
fn star_points(size: usize) -> Vec<(usize, usize)> {
    let mut points = Vec::new();
    if size % 2 == 1 {
        points.push((size / 2, size / 2));
    }
    if size >= 13 {
        let (low, high) = (3, size - 4);
        points.extend([(low, low), (low, high), (high, low), (high, high)]);
    }
    points
}

/// Is it a list of moves rather than rows? Rows have no digits.
pub(super) fn is_move_list(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// The board of `size` lines each way.
pub(super) const fn grid(size: usize) -> Grid {
    Grid::new(size as u8, size as u8)
}
