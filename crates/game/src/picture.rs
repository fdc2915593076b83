//! Pictures: a board as text for the terminal, and as a scene of simple shapes for SVG and the page.
//!
//! Colours are names ([`Paint`]); the style sheet in the SVG gives them light and dark values, so a picture
//! fits the page it is shown on.

use crate::Position;
use std::collections::HashMap;
use std::fmt::Write;

/// Draws a position.
pub trait Picture: Position {
    /// The board as lines of text, with coordinates, for a terminal of 80 columns where it fits.
    fn text(&self) -> String;

    /// The board as shapes.
    fn scene(&self) -> Scene;

    /// Boards that lie above one another, seen at an angle; none where [`Picture::scene`] shows it all.
    fn relief(&self) -> Option<Scene> {
        None
    }
}

/// What a shape is painted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Nothing.
    None,
    /// The board's ground.
    Board,
    /// Every other square, or a field that is set off.
    Shade,
    /// Lines and borders.
    Ink,
    /// Dark pieces or sides: Black's, or the first player's where they have no colour.
    First,
    /// Light ones: White's, or the second player's.
    Second,
    /// A blocked square.
    Block,
    /// Marks: the last move, a winning line.
    Mark,
}

impl Paint {
    fn class(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Board => "board",
            Self::Shade => "shade",
            Self::Ink => "ink",
            Self::First => "first",
            Self::Second => "second",
            Self::Block => "block",
            Self::Mark => "mark",
        }
    }
}

/// A shape; coordinates in units of one cell, x to the right, y down.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A closed polygon.
    Polygon(Vec<(f32, f32)>, Paint),
    /// A disc: centre, radius.
    Disc(f32, f32, f32, Paint),
    /// A line from one point to another.
    Line((f32, f32), (f32, f32), Paint),
    /// A word centred on a point, in a size, in a paint.
    Word(f32, f32, f32, String, Paint),
}

/// A place that moves speak of, such as `e4`: where it lies in the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its name, as in moves.
    pub name: String,
    /// Its centre.
    pub x: f32,
    /// Its centre.
    pub y: f32,
    /// Where a judgement of it is written, if on the place itself it would cover what must be read.
    pub note: Option<(f32, f32)>,
}

/// A picture made of shapes, and the places on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Width in cells.
    pub width: f32,
    /// Height in cells.
    pub height: f32,
    /// The shapes, the lowest first.
    pub shapes: Vec<Shape>,
    /// The places.
    pub places: Vec<Place>,
    /// What stands where, in words such as `white knight`, for those who hear the picture rather than see it.
    pub pieces: Vec<Place>,
}

const STYLE: &str = ".board{fill:#e9cf9f;stroke:#6b5636;stroke-width:.03}.shade{fill:#d3b37c;stroke:#6b5636;stroke-width:.03}\
.ink{fill:#3b2f1e;stroke:#3b2f1e;stroke-width:.03}.first{fill:#1d1d1f;stroke:#000;stroke-width:.03}\
.second{fill:#fafafa;stroke:#333;stroke-width:.03}.block{fill:#8a5a2b;stroke:#5b3a1b;stroke-width:.03}\
.mark{fill:#d43d2a;stroke:#d43d2a;stroke-width:.06}.none{fill:none;stroke:none}\
text{font-family:sans-serif;text-anchor:middle;stroke:none!important}text.mark{fill:#a3231a}\
@media(prefers-color-scheme:dark){.board{fill:#6f5f42;stroke:#3d3323}.shade{fill:#5a4c33;stroke:#3d3323}\
.ink{fill:#f1e7d0;stroke:#c9b994}.first{stroke:#c9b994}.block{fill:#2f2618;stroke:#1f180e}.mark{fill:#ff7a66;stroke:#ff7a66}text.mark{fill:#a3231a}}";

impl Scene {
    /// An empty scene of so many cells.
    pub fn new(width: f32, height: f32) -> Self {
        Self { width, height, ..Self::default() }
    }

    /// Adds a shape.
    pub fn draw(&mut self, shape: Shape) -> &mut Self {
        self.shapes.push(shape);
        self
    }

    /// Paints all of it as board: for pictures that would lie on the page's own ground.
    pub fn ground(&mut self) -> &mut Self {
        let (w, h) = (self.width, self.height);
        self.draw(Shape::Polygon(vec![(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)], Paint::Board))
    }

    /// Adds a named place.
    pub fn place(&mut self, name: impl Into<String>, x: f32, y: f32) -> &mut Self {
        self.places.push(Place { name: name.into(), x, y, note: None });
        self
    }

    /// Adds a named place whose judgements are written at another point.
    pub fn place_noted(
        &mut self,
        name: impl Into<String>,
        (x, y): (f32, f32),
        note: (f32, f32),
    ) -> &mut Self {
        self.places.push(Place { name: name.into(), x, y, note: Some(note) });
        self
    }

    /// Says in words what stands at a point.
    pub fn piece(&mut self, name: impl Into<String>, x: f32, y: f32) -> &mut Self {
        self.pieces.push(Place { name: name.into(), x, y, note: None });
        self
    }

    /// What stands on a place, in words; none if it is empty.
    pub fn standing(&self, place: &Place) -> Option<&str> {
        let near = |piece: &&Place| (piece.x - place.x).hypot(piece.y - place.y) < 0.1;
        self.pieces.iter().find(near).map(|piece| piece.name.as_str())
    }

    /// A board of `columns` x `rows` squares with a margin of one cell for the coordinates. `column` and
    /// `row` name them, rows counted from the bottom. [`Scene::square`] is where a square's centre lies.
    pub fn squares(
        columns: usize,
        rows: usize,
        chequered: bool,
        column: impl Fn(usize) -> String,
        row: impl Fn(usize) -> String,
    ) -> Self {
        let mut scene = Self::new(columns as f32 + 1.5, rows as f32 + 1.5);
        for r in 0..rows {
            for c in 0..columns {
                let (x, y) = Self::square(rows, c, r);
                let paint = if chequered && (r + c) % 2 == 0 { Paint::Shade } else { Paint::Board };
                let corners =
                    vec![(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)];
                scene.draw(Shape::Polygon(corners, paint));
                scene.place(format!("{}{}", column(c), row(r)), x, y);
            }
        }
        // A large board is drawn small where there is little room.
        let size = if columns.max(rows) > 10 { 0.5 } else { 0.4 };
        for c in 0..columns {
            let x = Self::square(rows, c, 0).0;
            scene.draw(Shape::Word(x, rows as f32 + 1.0, size, column(c), Paint::Ink));
        }
        for r in 0..rows {
            let y = Self::square(rows, 0, r).1;
            scene.draw(Shape::Word(0.5, y, size, row(r), Paint::Ink));
        }
        scene
    }

    /// The centre of a square of [`Scene::squares`]: column from the left, row from the bottom, from 0.
    pub fn square(rows: usize, column: usize, row: usize) -> (f32, f32) {
        (column as f32 + 1.5, (rows - 1 - row) as f32 + 1.0)
    }

    /// The scene seen from the other side: turned by half, the words upright.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let turn = |(x, y): (f32, f32)| (self.width - x, self.height - y);
        let mut scene = Self::new(self.width, self.height);
        for shape in &self.shapes {
            scene.draw(match shape.clone() {
                Shape::Polygon(points, paint) => {
                    Shape::Polygon(points.into_iter().map(turn).collect(), paint)
                }
                Shape::Disc(x, y, r, paint) => Shape::Disc(turn((x, y)).0, turn((x, y)).1, r, paint),
                Shape::Line(a, b, paint) => Shape::Line(turn(a), turn(b), paint),
                Shape::Word(x, y, size, word, paint) => {
                    Shape::Word(turn((x, y)).0, turn((x, y)).1, size, word, paint)
                }
            });
        }
        for place in &self.places {
            let (x, y) = turn((place.x, place.y));
            scene.places.push(Place { name: place.name.clone(), x, y, note: place.note.map(turn) });
        }
        for piece in &self.pieces {
            let (x, y) = turn((piece.x, piece.y));
            scene.piece(piece.name.clone(), x, y);
        }
        scene
    }

    /// The places that each move's text names, in order, as numbers of [`Scene::places`]: `d1-d4/d7` names
    /// three. Of places that share a name (the squares of a column) it is the first.
    ///
    /// ```
    /// use endspiel_game::Scene;
    ///
    /// let mut scene = Scene::new(3.0, 1.0);
    /// scene.place("a1", 0.5, 0.5).place("a10", 1.5, 0.5).place("b2", 2.5, 0.5);
    /// assert_eq!(scene.paths(&["a10xb2", "pass"]), [vec![1, 2], vec![]]);
    /// // A number is one word: neither a1 nor a10 is meant here.
    /// assert_eq!(scene.paths(&["a12", "b20-a1"]), [vec![], vec![0]]);
    /// ```
    pub fn paths(&self, moves: &[impl AsRef<str>]) -> Vec<Vec<usize>> {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for (i, place) in self.places.iter().enumerate() {
            numbers.entry(&place.name).or_insert(i);
        }
        let longest = self.places.iter().map(|place| place.name.len()).max().unwrap_or(0);
        let digit = |text: &str, at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        let inside = |text: &str, at: usize| at > 0 && digit(text, at - 1) && digit(text, at);
        let path = |text: &str| {
            let mut path = Vec::new();
            let mut at = 0;
            while let Some(next) = text[at..].chars().next() {
                let named = (1..=longest.min(text.len() - at))
                    .rev()
                    .filter(|n| !inside(text, at) && !inside(text, at + n))
                    .find_map(|n| numbers.get(text.get(at..at + n)?).map(|&number| (number, n)));
                path.extend(named.map(|(number, _)| number));
                at += named.map_or(next.len_utf8(), |(_, n)| n);
            }
            path
        };
        moves.iter().map(|text| path(text.as_ref())).collect()
    }

    /// The shapes that differ from those of `other`, such as the position before a move.
    pub fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a Shape> {
        self.shapes.iter().filter(|shape| !other.shapes.contains(shape))
    }

    /// The scene as an SVG document that scales to where it is put.
    pub fn svg(&self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\"><style>{STYLE}</style>{}</svg>\n",
            self.width,
            self.height,
            self.width * 40.0,
            self.height * 40.0,
            self.svg_shapes()
        )
    }

    /// The shapes as SVG elements, for a page with a style sheet of its own.
    pub fn svg_shapes(&self) -> String {
        let mut out = String::new();
        for shape in &self.shapes {
            // Writing to a string cannot fail.
            let _ = match shape {
                Shape::Polygon(points, paint) => {
                    let list: Vec<String> = points.iter().map(|(x, y)| format!("{x:.3},{y:.3}")).collect();
                    write!(out, "<polygon class=\"{}\" points=\"{}\"/>", paint.class(), list.join(" "))
                }
                Shape::Disc(x, y, r, paint) => {
                    write!(out, "<circle class=\"{}\" cx=\"{x:.3}\" cy=\"{y:.3}\" r=\"{r}\"/>", paint.class())
                }
                Shape::Line(a, b, paint) => write!(
                    out,
                    "<line class=\"{}\" x1=\"{:.3}\" y1=\"{:.3}\" x2=\"{:.3}\" y2=\"{:.3}\"/>",
                    paint.class(),
                    a.0,
                    a.1,
                    b.0,
                    b.1
                ),
                Shape::Word(x, y, size, word, paint) => write!(
                    out,
                    // Half the height of a capital below the middle: not every reader knows other ways to centre.
                    "<text class=\"{}\" x=\"{x:.3}\" y=\"{y:.3}\" dy=\".35em\" font-size=\"{size}\">{}</text>",
                    paint.class(),
                    word.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
                ),
            };
        }
        out
    }
}

/// A board of squares as text: `cell` gives the sign of a square, `column` and `row` the coordinates.
pub fn squares_text(
    columns: usize,
    rows: usize,
    column: impl Fn(usize) -> String,
    row: impl Fn(usize) -> String,
    cell: impl Fn(usize, usize) -> char,
) -> String {
    let wide = (0..columns).map(|c| column(c).len()).max().unwrap_or(1);
    let margin = (0..rows).map(|r| row(r).len()).max().unwrap_or(1);
    let mut out = String::new();
    for r in (0..rows).rev() {
        let _ = write!(out, "{:>margin$}", row(r));
        for c in 0..columns {
            let _ = write!(out, " {:>wide$}", cell(c, r));
        }
        out.push('\n');
    }
    let _ = write!(out, "{:margin$}", "");
    for c in 0..columns {
        let _ = write!(out, " {:>wide$}", column(c));
    }
    out.push('\n');
    out
}

/// The letters of columns: a, b, ... z, aa, ab, ...
pub fn letters(column: usize) -> String {
    let last = char::from(b'a' + (column % 26) as u8);
    if column < 26 { last.to_string() } else { format!("{}{last}", letters(column / 26 - 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flipped_scene_flips_back_and_keeps_its_names() {
        let mut scene = Scene::squares(3, 2, true, letters, |r| (r + 1).to_string());
        scene.draw(Shape::Disc(1.5, 1.0, 0.4, Paint::First)).piece("black stone", 1.5, 1.0);
        scene.place_noted("pit", (0.5, 0.5), (0.5, 1.0));
        let flipped = scene.flipped();
        assert_eq!(flipped.flipped(), scene);
        assert_eq!((flipped.places[0].x, flipped.places[0].y), (3.0, 1.5));
        let standing =
            |scene: &Scene| scene.places.iter().map(|p| scene.standing(p).is_some()).collect::<Vec<_>>();
        assert_eq!(standing(&scene), [false, false, false, true, false, false, false]);
        assert_eq!(standing(&flipped), standing(&scene));
        assert_eq!(scene.paths(&["a1-c2"]), flipped.paths(&["a1-c2"]));
        assert!(scene.svg().contains(&scene.svg_shapes()));
    }
}
