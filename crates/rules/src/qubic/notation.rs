//! Cubes by number, positions by levels or by lists of stones, and pictures of the four levels.

use super::position::QubicPosition;
use crate::bits::Bits;
use crate::grid::{Cell, encode, sign};
use endspiel_game::notation::{number, shorten};
use endspiel_game::picture::{Paint, Shape};
use endspiel_game::{Notation, Picture, Player, Position, Scene, TextError};
use std::fmt::Write;

/// The signs of the players in texts.
const SIGNS: [char; 2] = ['w', 'b'];

impl Notation for QubicPosition {
    fn write_move(&self, m: Cell) -> String {
        m.0.to_string()
    }

    fn write(&self) -> String {
        let stones = self.as_bits();
        let mut out = String::with_capacity(81);
        for cube in 0..64 {
            match cube % 16 {
                0 if cube > 0 => out.push('|'),
                4 | 8 | 12 => out.push('/'),
                _ => (),
            }
            out.push(sign(&stones, cube, SIGNS));
        }
        out.push(' ');
        out.push(SIGNS[self.next().index()]);
        out
    }

    fn read_move(&self, text: &str) -> Result<Cell, TextError> {
        if self.turn().is_over() {
            let what = format!("the game is over before '{}'", shorten(text));
            return Err(TextError::new(0, what, "no more moves"));
        }
        let cube = number(text, "cube", 0, 63)?;
        if self.empty() >> cube & 1 == 0 {
            return Err(TextError::new(0, format!("cube {cube} is taken"), "an empty cube"));
        }
        Ok(Cell(cube as u16))
    }

    fn encode(&self, out: &mut Vec<u8>) {
        encode(&self.as_bits(), 64, self.next(), out);
    }
}

/// Reads a position: the four levels, or a list of stones such as `<0,3,12>`.
pub(super) fn read(text: &str) -> Result<QubicPosition, TextError> {
    let start = text.len() - text.trim_start().len();
    let inner = text.trim();
    let listed = if inner.starts_with('<') { read_list(inner) } else { read_levels(inner) };
    listed.map_err(|e| e.shifted(start))
}

/// `<w1,w2,b1>`: White's stones and then Black's, who has as many or one less; who moves follows from that.
fn read_list(text: &str) -> Result<QubicPosition, TextError> {
    let Some(list) = text[1..].strip_suffix('>') else {
        return Err(TextError::new(text.len(), "the list of stones has no end", "> after the last stone"));
    };
    let parts: Vec<&str> = if list.trim().is_empty() { Vec::new() } else { list.split(',').collect() };
    let white = parts.len().div_ceil(2);
    let (mut stones, mut at) = ([0u64; 2], 1);
    for (i, part) in parts.iter().enumerate() {
        let cube = number(part, "cube", 0, 63).map_err(|e| e.shifted(at))?;
        if (stones[0] | stones[1]) >> cube & 1 == 1 {
            return Err(TextError::new(at, format!("cube {cube} is named twice"), "an empty cube"));
        }
        stones[usize::from(i >= white)] |= 1 << cube;
        at += part.len() + 1;
    }
    QubicPosition::new(stones, Player((parts.len() % 2) as u8))
}

/// 64 signs in order of the cubes, `/` between rows and `|` between levels, then who is to move.
fn read_levels(text: &str) -> Result<QubicPosition, TextError> {
    let mut stones = [Bits::<1>::EMPTY; 2];
    let mut signs = text.char_indices();
    let mut next = || signs.next().map_or((text.len(), '\0'), |(at, c)| (at, c.to_ascii_lowercase()));
    for cube in 0..64 {
        let between = match cube % 16 {
            0 if cube > 0 => Some(('|', "| after the fourth row of a level")),
            4 | 8 | 12 => Some(('/', "/ after the fourth cube of a row")),
            _ => None,
        };
        if let Some((separator, expected)) = between {
            let (at, c) = next();
            if c != separator {
                return Err(TextError::new(at, wrong_sign(c), expected));
            }
        }
        match next() {
            (_, '.') => (),
            (_, 'w') => stones[0].insert(cube),
            (_, 'b') => stones[1].insert(cube),
            (at, c) => {
                let what = wrong_sign(c);
                return Err(TextError::new(at, what, format!("w, b or . for cube {cube}")));
            }
        }
    }
    let at = next().0;
    let rest = text.get(at..).unwrap_or_default();
    let mover = match rest.trim() {
        "w" | "W" if rest.starts_with(' ') => Player::FIRST,
        "b" | "B" if rest.starts_with(' ') => Player::SECOND,
        _ => {
            let what = format!("'{}' is no player to move", shorten(rest.trim()));
            return Err(TextError::new(at, what, "a space and w or b, who is to move, after the cubes"));
        }
    };
    QubicPosition::new(stones.map(|set| set.0[0]), mover)
}

fn wrong_sign(c: char) -> String {
    if c == '\0' {
        "the position ends too early".into()
    } else {
        format!("'{}' is out of place", shorten(&c.to_string()))
    }
}

impl Picture for QubicPosition {
    fn text(&self) -> String {
        let stones = self.as_bits();
        let mut out = String::from("level  0           16          32          48\n");
        for row in 0..4 {
            let _ = write!(out, "{:>5} ", 4 * row);
            for level in 0..4 {
                for column in 0..4 {
                    let _ = write!(out, " {}", sign(&stones, 16 * level + 4 * row + column, SIGNS));
                }
                out.push_str(if level < 3 { "    " } else { "\n" });
            }
        }
        out.push_str("       0 1 2 3     0 1 2 3     0 1 2 3     0 1 2 3\n");
        out.push_str("A cube's number is the sum of its level, row and column.\n");
        out
    }

    /// The levels side by side, each with the numbers of its cubes. White's stones are drawn light.
    fn scene(&self) -> Scene {
        let mut scene = Scene::new(9.6, 9.6);
        let line = self.winning_line().unwrap_or(0);
        for cube in 0..64 {
            let (column, row, level) = coordinates(cube);
            // The four levels lie two by two, so that they fit a narrow screen too.
            let (x, y) = (column + 4.6 * (level % 2.0) + 1.0, row + 4.6 * (level / 2.0).floor() + 1.0);
            let corners =
                vec![(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)];
            scene.draw(Shape::Polygon(corners, Paint::Board));
            self.draw_cube(&mut scene, cube, (x, y), 0.4);
            if line >> cube & 1 == 1 {
                scene.draw(Shape::Disc(x, y, 0.12, Paint::Mark));
            }
        }
        scene
    }

    /// The levels above one another, seen from the front and a little from above.
    fn relief(&self) -> Option<Scene> {
        let mut scene = Scene::new(8.2, 4.0 * LEVEL + 0.3);
        // Where a point lies: rows go back to front, each a little further to the left.
        let at = |column: f32, row: f32, level: f32| {
            (column + SLANT * (3.0 - row) + 1.2, ROW * row + LEVEL * level + 0.75)
        };
        let corners = [(-0.5, -0.5), (3.5, -0.5), (3.5, 3.5), (-0.5, 3.5)];
        for (column, row) in corners {
            scene.draw(Shape::Line(at(column, row, 0.0), at(column, row, 3.0), Paint::Ink));
        }
        for cube in 0..64 {
            let (column, row, level) = coordinates(cube);
            let half = |(dx, dy): (f32, f32)| at(column + dx, row + dy, level);
            let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(half).to_vec();
            scene.draw(Shape::Polygon(corners, Paint::Board));
            self.draw_cube(&mut scene, cube, at(column, row, level), 0.28);
        }
        if let Some(line) = self.winning_line() {
            let ends = [line.trailing_zeros(), line.ilog2()].map(|cube| {
                let (column, row, level) = coordinates(cube as usize);
                at(column, row, level)
            });
            scene.draw(Shape::Line(ends[0], ends[1], Paint::Mark));
        }
        Some(scene)
    }
}

/// In the picture at an angle: the height of a row, its shift against the next one, and the height of a level.
const ROW: f32 = 0.6;
const SLANT: f32 = 0.6;
const LEVEL: f32 = 2.75;

/// Column, row and level of a cube.
fn coordinates(cube: usize) -> (f32, f32, f32) {
    ((cube % 4) as f32, (cube / 4 % 4) as f32, (cube / 16) as f32)
}

impl QubicPosition {
    /// A cube's stone or its number, and its place.
    fn draw_cube(&self, scene: &mut Scene, cube: usize, (x, y): (f32, f32), radius: f32) {
        scene.place(cube.to_string(), x, y);
        let holds = |player| self.stones(player) >> cube & 1 == 1;
        if holds(Player::FIRST) {
            scene.draw(Shape::Disc(x, y, radius, Paint::Second)).piece("white stone", x, y);
        } else if holds(Player::SECOND) {
            scene.draw(Shape::Disc(x, y, radius, Paint::First)).piece("black stone", x, y);
        } else {
            scene.draw(Shape::Word(x, y, 0.3, cube.to_string(), Paint::Ink));
        }
    }
}
