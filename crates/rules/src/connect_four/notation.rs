//! Connect-four in text and pictures: columns by number, rows from the top in x (Black), o (White) and `.`.

use super::{Board, Column, ConnectFour, bits};
use endspiel_game::notation::{shorten, words};
use endspiel_game::picture::{Paint, Shape, squares_text};
use endspiel_game::{Game, Notation, Picture, Position, Scene, TextError};

/// Reads rows from the top, separated by `/`, and optionally the player to move.
pub fn read(game: ConnectFour, text: &str) -> Result<Board, TextError> {
    let (width, height) = (game.width(), game.height());
    let start = game.start();
    let (rows, mover) = match text.trim_end().rsplit_once(' ') {
        Some((rows, mover)) => (rows.trim_end(), Some((text.trim_end().len() - mover.len(), mover))),
        None => (text.trim_end(), None),
    };
    let (mut first, mut second) = (0u64, 0u64);
    let mut at = text.len() - text.trim_start().len();
    let (mut c, mut r) = (0, height - 1);
    for sign in rows.trim_start().chars() {
        let full_row = || TextError::new(at, format!("row {} is not {width} wide", r + 1), full(game));
        let bit = 1u64 << (c * (height + 1) + r).min(63);
        match sign {
            'x' | 'X' | 'o' | 'O' | '.' if c == width => return Err(full_row()),
            'x' | 'X' => first |= bit,
            'o' | 'O' => second |= bit,
            '/' if c < width => return Err(full_row()),
            '/' if r == 0 => {
                return Err(TextError::new(at, format!("more than {height} rows"), full(game)));
            }
            '.' | '/' => {}
            _ => {
                let what = format!("'{}' is no sign of a cell", sign.escape_default());
                return Err(TextError::new(at, what, "x, o, . or / between rows"));
            }
        }
        (c, r) = if sign == '/' { (0, r - 1) } else { (c + 1, r) };
        at += sign.len_utf8();
    }
    if r > 0 || c < width {
        return Err(TextError::new(at, format!("{} of {height} rows", height - r), full(game)));
    }
    let (firsts, seconds) = (first.count_ones(), second.count_ones());
    let own = match firsts.wrapping_sub(seconds) {
        0 => first,
        1 => second,
        _ => {
            let what = format!("{firsts} x and {seconds} o");
            return Err(TextError::new(0, what, "as many x as o, or one x more"));
        }
    };
    let to_move = if own == first { "x" } else { "o" };
    if let Some((at, sign)) = mover
        && !sign.eq_ignore_ascii_case(to_move)
    {
        let what = format!("'{}' is not to move", shorten(sign));
        return Err(TextError::new(at, what, format!("{to_move} by the number of stones")));
    }
    start.with_stones(own, first | second).map_err(|what| {
        let expected = "stones at rest, and at most one winner, who moved last";
        TextError::new(0, what, expected)
    })
}

fn full(game: ConnectFour) -> String {
    format!("{} rows of {} signs from the top, separated by /", game.height(), game.width())
}

impl Board {
    fn sign(&self, column: usize, row: usize) -> char {
        let bit = 1 << (column * (self.height() + 1) + row);
        match (self.mask() & bit != 0, (self.own() & bit != 0) == (self.stones().is_multiple_of(2))) {
            (false, _) => '.',
            (true, true) => 'x',
            (true, false) => 'o',
        }
    }
}

impl Notation for Board {
    fn write_move(&self, m: Column) -> String {
        (m.0 + 1).to_string()
    }

    fn write(&self) -> String {
        let rows: Vec<String> =
            (0..self.height()).rev().map(|r| (0..self.width()).map(|c| self.sign(c, r)).collect()).collect();
        format!("{} {}", rows.join("/"), if self.stones().is_multiple_of(2) { 'x' } else { 'o' })
    }

    fn read_move(&self, text: &str) -> Result<Column, TextError> {
        let open: Vec<String> = self.move_list().into_iter().map(|m| self.write_move(m)).collect();
        let fault = |what: String| {
            let expected = match &open[..] {
                [] => "no move: the game is over".into(),
                open => format!("one of {}", open.join(" ")),
            };
            Err(TextError::new(0, what, expected))
        };
        match text.parse::<usize>() {
            _ if !text.bytes().all(|b| b.is_ascii_digit()) => {
                fault(format!("'{}' is not the number of a column", shorten(text)))
            }
            Ok(n) if (1..=self.width()).contains(&n) => {
                if open.contains(&n.to_string()) {
                    Ok(Column(n as u8 - 1))
                } else if self.turn().is_over() {
                    fault("a move after the end".into())
                } else {
                    fault(format!("column {n} is full"))
                }
            }
            _ => fault(format!("there is no column '{}'", shorten(text))),
        }
    }

    /// Digits may run together where no column has two of them.
    fn move_words<'a>(&self, text: &'a str) -> Vec<(usize, &'a str)> {
        let mut out = Vec::new();
        for (at, word) in words(text) {
            if self.width() <= 9 && word.bytes().all(|b| b.is_ascii_digit()) {
                out.extend((0..word.len()).map(|i| (at + i, &word[i..=i])));
            } else {
                out.push((at, word));
            }
        }
        out
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let bytes = (self.width() * (self.height() + 1)).div_ceil(8);
        out.extend_from_slice(&self.exact_code().to_le_bytes()[..bytes]);
    }
}

impl Picture for Board {
    fn text(&self) -> String {
        squares_text(
            self.width(),
            self.height(),
            |c| (c + 1).to_string(),
            |_| String::new(),
            |c, r| self.sign(c, r),
        ) + "x: Black, o: White\n"
    }

    fn scene(&self) -> Scene {
        let number = |c: usize| (c + 1).to_string();
        let mut scene = Scene::squares(self.width(), self.height(), false, number, |_| String::new());
        let fours = bits::fours(self.other(), self.stride(), self.width() as u32);
        for c in 0..self.width() {
            for r in 0..self.height() {
                let (x, y) = Scene::square(self.height(), c, r);
                match self.sign(c, r) {
                    'x' => scene.draw(Shape::Disc(x, y, 0.42, Paint::First)).piece("black disc", x, y),
                    'o' => scene.draw(Shape::Disc(x, y, 0.42, Paint::Second)).piece("white disc", x, y),
                    _ => continue,
                };
                if fours >> (c * (self.height() + 1) + r) & 1 == 1 {
                    scene.draw(Shape::Disc(x, y, 0.12, Paint::Mark));
                }
            }
        }
        scene
    }
}
