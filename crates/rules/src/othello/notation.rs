//! Othello in text and pictures: squares from a1 at the top left, positions in the OBF form.

use super::{Board, Othello, Square, State, bits};
use endspiel_game::notation::{shorten, words};
use endspiel_game::picture::{Paint, Shape, letters, squares_text};
use endspiel_game::{Notation, Picture, Player, Position, Scene, TextError};

/// Reads the squares row by row from a1, then the player to move; the `;` that ends a line of an OBF file
/// is passed over.
pub fn read(game: Othello, text: &str) -> Result<Board, TextError> {
    let cells = game.size() * game.size();
    let form = || format!("{cells} squares row by row in X, O and -, then the player to move, X or O");
    let (mut black, mut white, mut count, mut mover) = (0u64, 0u64, 0, None);
    let body = text.trim_end().trim_end_matches(';');
    for (at, sign) in body.char_indices().filter(|(_, sign)| !sign.is_whitespace()) {
        let side = match sign {
            'X' | 'x' | '*' => Some(Player::FIRST),
            'O' | 'o' => Some(Player::SECOND),
            '-' | '.' if count < cells => None,
            _ if count < cells => {
                let what = format!("'{}' is no sign of a square", sign.escape_default());
                return Err(TextError::new(at, what, "X for Black, O for White or - for an empty square"));
            }
            _ => return Err(TextError::new(at, "this is no player to move", "X or O")),
        };
        let bit = 1u64 << (count / game.size() * 8 + count % game.size()).min(63);
        match side {
            _ if count > cells => return Err(TextError::new(at, "there is more than a position", form())),
            _ if count == cells => mover = side,
            Some(Player::FIRST) => black |= bit,
            Some(_) => white |= bit,
            None => {}
        }
        count += 1;
    }
    let Some(mover) = mover else {
        let what = match count {
            n if n < cells => format!("{n} of {cells} squares"),
            _ => "nobody is to move".into(),
        };
        return Err(TextError::new(body.len(), what, form()));
    };
    let all = black | white;
    if game.centre().iter().any(|square| all & square == 0) {
        return Err(TextError::new(0, "a square in the middle is empty", "discs on the four of the start"));
    }
    if !bits::connected(all) {
        return Err(TextError::new(0, "some discs lie apart", "discs that touch, by sides or corners"));
    }
    let (own, opponent) = if mover == Player::FIRST { (black, white) } else { (white, black) };
    Ok(Board::new(game, mover, own, opponent))
}

impl Board {
    fn sign(&self, column: usize, row: usize) -> char {
        let (black, white) = self.black_and_white();
        let bit = Square::at(column, row).bit();
        match (black & bit != 0, white & bit != 0) {
            (true, _) => 'X',
            (_, true) => 'O',
            _ => '-',
        }
    }

    fn signs(&self) -> impl Iterator<Item = char> {
        let size = self.game.size();
        (0..size * size).map(move |i| self.sign(i % size, i / size))
    }
}

impl Notation for Board {
    fn write_move(&self, m: Square) -> String {
        if m == Square::PASS { "--".into() } else { format!("{}{}", letters(m.0 as usize % 8), m.0 / 8 + 1) }
    }

    fn write(&self) -> String {
        let mover = if self.mover == Player::FIRST { 'X' } else { 'O' };
        self.signs().chain([' ', mover]).collect()
    }

    /// A pass may also be written `pass`, `pa` or `ps`.
    fn read_move(&self, text: &str) -> Result<Square, TextError> {
        let open: Vec<String> = self.move_list().into_iter().map(|m| self.write_move(m)).collect();
        let fault = |what: String| {
            let expected = match self.state {
                State::Put => format!("one of {}", open.join(" ")),
                State::Pass => "a pass: --".into(),
                State::Over => "no move: the game is over".into(),
            };
            Err(TextError::new(0, what, expected))
        };
        if ["--", "pass", "pa", "ps"].iter().any(|pass| text.eq_ignore_ascii_case(pass)) {
            return if self.state == State::Pass {
                Ok(Square::PASS)
            } else {
                fault("a pass where there is a move".into())
            };
        }
        let size = self.game.size();
        let square = match text.as_bytes() {
            [c, r] => {
                Some((c.to_ascii_lowercase().wrapping_sub(b'a') as usize, r.wrapping_sub(b'1') as usize))
            }
            _ => None,
        };
        match square.filter(|&(c, r)| c < size && r < size) {
            None => fault(format!("'{}' is no square of this board", shorten(text))),
            Some((c, r)) if self.legal & Square::at(c, r).bit() != 0 => Ok(Square::at(c, r)),
            Some((c, r)) if self.empty() & Square::at(c, r).bit() == 0 => fault(format!("{text} is taken")),
            Some(_) => fault(format!("{text} turns no disc")),
        }
    }

    /// Squares may run together: f5d6c3.
    fn move_words<'a>(&self, text: &'a str) -> Vec<(usize, &'a str)> {
        let mut out = Vec::new();
        for (mut at, mut word) in words(text) {
            while word.is_ascii() && word.len() > 2 {
                let length = if word.len() >= 4 && word[..4].eq_ignore_ascii_case("pass") { 4 } else { 2 };
                out.push((at, &word[..length]));
                (at, word) = (at + length, &word[length..]);
            }
            if !word.is_empty() {
                out.push((at, word));
            }
        }
        out
    }

    /// The player to move and the squares in base 3, five to a byte: 13 bytes on 8x8.
    fn encode(&self, out: &mut Vec<u8>) {
        let mover = self.mover.0;
        let digits: Vec<u8> = std::iter::once(mover)
            .chain(self.signs().map(|sign| match sign {
                'X' => 1,
                'O' => 2,
                _ => 0,
            }))
            .collect();
        out.extend(digits.chunks(5).map(|five| five.iter().fold(0, |byte, digit| byte * 3 + digit)));
    }
}

impl Picture for Board {
    fn text(&self) -> String {
        let size = self.game.size();
        squares_text(size, size, letters, |r| (size - r).to_string(), |c, r| self.sign(c, size - 1 - r))
            + "X: Black, O: White\n"
    }

    fn scene(&self) -> Scene {
        let size = self.game.size();
        let mut scene = Scene::squares(size, size, false, letters, |r| (size - r).to_string());
        for c in 0..size {
            for r in 0..size {
                let (x, y) = Scene::square(size, c, size - 1 - r);
                match self.sign(c, r) {
                    'X' => scene.draw(Shape::Disc(x, y, 0.42, Paint::First)).piece("black disc", x, y),
                    'O' => scene.draw(Shape::Disc(x, y, 0.42, Paint::Second)).piece("white disc", x, y),
                    _ if self.legal & Square::at(c, r).bit() != 0 => {
                        scene.draw(Shape::Disc(x, y, 0.08, Paint::Ink))
                    }
                    _ => continue,
                };
            }
        }
        scene
    }
}
