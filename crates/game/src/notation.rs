//! Text in and out: moves and positions as the game's people write them, and errors that point at the
//! character.

use crate::Position;
use std::fmt;
use std::num::IntErrorKind;

/// A text that cannot be read: what is wrong, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// What is wrong, in the user's words.
    pub what: String,
    /// Where: the byte offset in the text that was read.
    pub at: usize,
    /// What would be right.
    pub expected: String,
}

impl TextError {
    /// An error at byte `at`.
    pub fn new(at: usize, what: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { what: what.into(), at, expected: expected.into() }
    }

    /// The same error in a longer text in which the part read began at `start`.
    #[must_use]
    pub fn shifted(mut self, start: usize) -> Self {
        self.at += start;
        self
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at character {}; expected {}", self.what, self.at + 1, self.expected)
    }
}

impl std::error::Error for TextError {}

/// The field's own text forms of a game's moves and positions.
pub trait Notation: Position {
    /// A legal move of this position, as people write it.
    fn write_move(&self, m: Self::Move) -> String;

    /// A legal move as records of games write it, where that is not [`Notation::write_move`]: SAN in chess.
    fn write_recorded(&self, m: Self::Move) -> String {
        self.write_move(m)
    }

    /// The position, as people write it; read back by [`Game::read`](crate::Game::read). Two different
    /// positions of the same rule set have different texts.
    fn write(&self) -> String;

    /// Reads a legal move; letter case does not matter unless two moves differ by it alone.
    fn read_move(&self, text: &str) -> Result<Self::Move, TextError> {
        let (mut exact, mut loose, mut some) = (None, None, Vec::new());
        self.moves(|m| {
            let name = self.write_move(m);
            if name == text {
                exact = Some(m);
            } else if name.eq_ignore_ascii_case(text) {
                loose = Some(m);
            }
            if some.len() < 8 {
                some.push(name);
            }
        });
        exact.or(loose).ok_or_else(|| {
            let expected = match some.len() {
                0 => "no move: the game is over".into(),
                n if n < 8 => format!("one of {}", some.join(" ")),
                _ => format!("a legal move such as {}", some.join(" ")),
            };
            TextError::new(0, format!("'{}' is not a legal move here", shorten(text)), expected)
        })
    }

    /// Cuts a list of moves into words with the byte offset of each. By default at white space and
    /// commas, leaving out move numbers such as `12.`; games with run-together lists cut those too.
    fn move_words<'a>(&self, text: &'a str) -> Vec<(usize, &'a str)> {
        words(text)
    }

    /// Plays a list of moves from here; a result may stand at its end.
    fn read_line(&self, text: &str) -> Result<(Self, Vec<Self::Move>), TextError> {
        let (mut position, mut line) = (self.clone(), Vec::new());
        let mut words = self.move_words(text);
        words.pop_if(|(_, word)| RESULTS.contains(word));
        for (at, word) in words {
            let m = position.read_move(word).map_err(|e| e.shifted(at))?;
            position.play(m);
            line.push(m);
        }
        Ok((position, line))
    }

    /// Writes a line of moves played from here, a word each.
    fn write_line(&self, line: &[Self::Move]) -> Vec<String> {
        let mut position = self.clone();
        line.iter()
            .map(|&m| {
                let name = position.write_move(m);
                position.play(m);
                name
            })
            .collect()
    }

    /// An exact code of the position for certificates: different positions of one rule set have different
    /// codes. The text by default; games that make large proofs give a short binary form.
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.write().as_bytes());
    }
}

/// How a game in text may end: its result.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Words separated by white space or commas, with offsets; move numbers such as `12.` or `3...` are left out.
pub fn words(text: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    let mut start = 0;
    for part in text.split(|c: char| c.is_whitespace() || c == ',') {
        let after_digits = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = after_digits.len() < part.len() && after_digits.starts_with('.');
        let word = if numbered { after_digits.trim_start_matches('.') } else { part };
        if !word.is_empty() {
            out.push((start + part.len() - word.len(), word));
        }
        start += part.len();
        start += text[start..].chars().next().map_or(0, char::len_utf8);
    }
    out
}

/// The text, cut to what fits in a message.
pub fn shorten(text: &str) -> String {
    let mut out: String = text.chars().take(40).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(40).is_some() {
        out.push('…');
    }
    out
}

/// Reads `text` as a whole number from `low` to `high`, named `what` in errors.
pub fn number(text: &str, what: &str, low: usize, high: usize) -> Result<usize, TextError> {
    let expected = || match high {
        _ if low == high => format!("{low} for the {what}"),
        _ => format!("a whole number from {low} to {high} for the {what}"),
    };
    match text.trim().parse::<usize>() {
        Ok(n) if (low..=high).contains(&n) => Ok(n),
        Ok(n) => Err(TextError::new(0, format!("{what} {n} is out of range"), expected())),
        Err(e) if *e.kind() == IntErrorKind::PosOverflow => {
            Err(TextError::new(0, format!("{what} {} is too large", shorten(text.trim())), expected()))
        }
        Err(_) => Err(TextError::new(0, format!("'{}' is not a whole number", shorten(text)), expected())),
    }
}
