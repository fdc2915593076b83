//! The material of an ending and its name: `2K1C-1K` is two kings and a man (a checker) against a king.

use endspiel_game::TextError;
use endspiel_game::notation::{shorten, words};
use std::fmt;

/// Pieces of a side at most.
pub const MOST_OF_SIDE: u8 = 5;
/// Pieces of both at most.
pub const MOST: u8 = 2 * MOST_OF_SIDE;

/// The pieces of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side {
    /// All pieces, kings among them: the more, the stronger.
    pub all: u8,
    /// Kings.
    pub kings: u8,
}

impl Side {
    /// Men.
    pub const fn men(self) -> u8 {
        self.all - self.kings
    }

    /// Every side with so many pieces.
    fn with(all: u8) -> impl Iterator<Item = Self> {
        (0..=all).map(move |kings| Self { all, kings })
    }

    /// Reads `2K1C`; a number that is left out is one.
    fn read(text: &str) -> Option<Self> {
        let mut counts = [None; 2];
        let mut digits = 0;
        for (at, letter) in text.char_indices() {
            let kind = match letter.to_ascii_uppercase() {
                'K' => 0,
                'C' => 1,
                digit if digit.is_ascii_digit() => continue,
                _ => return None,
            };
            let count = &text[digits..at];
            let count: u8 = if count.is_empty() { 1 } else { count.parse().ok()? };
            if counts[kind].replace(count).is_some() || kind == 0 && counts[1].is_some() {
                return None;
            }
            digits = at + 1;
        }
        let (kings, men) = (counts[0].unwrap_or(0), counts[1].unwrap_or(0));
        let all = kings.checked_add(men).filter(|all| (1..=MOST_OF_SIDE).contains(all))?;
        (digits == text.len()).then_some(Self { all, kings })
    }
}

/// The text of a side with what ends with its men put last.
fn kings_first(text: &str) -> String {
    let men = text.find(['C', 'c']).map_or(0, |at| at + 1);
    format!("{}{}", &text[men..], &text[..men])
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (count, letter) in [(self.kings, 'K'), (self.men(), 'C')] {
            if count > 0 {
                write!(f, "{count}{letter}")?;
            }
        }
        Ok(())
    }
}

/// The pieces of both sides, the stronger first; it is Black where a position is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material(pub [Side; 2]);

impl Material {
    /// The material of two sides, and whether they changed places.
    pub fn of(first: Side, second: Side) -> (Self, bool) {
        if first >= second { (Self([first, second]), false) } else { (Self([second, first]), true) }
    }

    /// Do both have the same?
    pub fn is_symmetric(self) -> bool {
        self.0[0] == self.0[1]
    }

    /// Every material with so many pieces.
    pub fn all(pieces: u8) -> impl Iterator<Item = Self> {
        (1..=pieces / 2)
            .filter(move |less| (1..=MOST_OF_SIDE).contains(&(pieces - less)))
            .flat_map(move |less| {
                Side::with(pieces - less).flat_map(move |a| Side::with(less).map(move |b| (a, b)))
            })
            .filter(|(a, b)| a >= b)
            .map(|(a, b)| Self([a, b]))
    }

    /// The material that one move may lead to: a capture, a crowning or both.
    pub fn conversions(self) -> Vec<Self> {
        let mut out = Vec::new();
        for mover in 0..2 {
            let (own, other) = (self.0[mover], self.0[1 - mover]);
            let crowned = (own.men() > 0).then(|| Side { kings: own.kings + 1, ..own });
            for kings in 0..=other.kings {
                for men in 0..=other.men() {
                    let left = Side { all: kings + men, kings };
                    let sides = [Some(own).filter(|_| left != other), crowned];
                    let reached = sides.into_iter().flatten().filter(|_| left.all > 0);
                    out.extend(reached.map(|own| Self::of(own, left).0));
                }
            }
        }
        out.sort();
        out.dedup();
        out
    }

    /// Reads materials, or all with so many pieces: `2K1C-1K`, `4`, `2-4`, and lists of them.
    pub fn read(text: &str) -> Result<Vec<Self>, TextError> {
        let mut out = Vec::new();
        for (at, word) in words(text) {
            let wrong = || {
                let expected = format!(
                    "pieces of both such as 2K1C-1K, at most {MOST_OF_SIDE} a side, or numbers of pieces from 2 to \
                     {MOST} such as 4 or 2-4"
                );
                TextError::new(at, format!("'{}' is no ending", shorten(word)), expected)
            };
            let (first, second) = word.split_once('-').unwrap_or((word, word));
            let count = |text: &str| text.parse::<u8>().ok().filter(|n| (2..=MOST).contains(n));
            match (count(first), count(second), Side::read(first), Side::read(second)) {
                (Some(low), Some(high), ..) if low <= high => out.extend((low..=high).flat_map(Self::all)),
                (_, _, Some(first), Some(second)) if word.contains('-') => {
                    out.push(Self::of(first, second).0);
                }
                _ => match (Side::read(&kings_first(first)), Side::read(&kings_first(second))) {
                    (Some(first), Some(second)) if word.contains('-') => {
                        let what = format!("'{}' names men before kings", shorten(word));
                        return Err(TextError::new(at, what, format!("kings first: {first}-{second}")));
                    }
                    _ => return Err(wrong()),
                },
            }
        }
        Ok(out)
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0[0], self.0[1])
    }
}
