//! The names of the endings of shogi: the pieces beside the kings, whoever has them, such as `G`, `PP` or `RS`.

use endspiel_game::TextError;
use endspiel_game::notation::{shorten, words};
use endspiel_rules::shogi::{Kind, Shape};

/// The letters in the order of [`Kind::IN_HAND`].
const LETTERS: [char; 7] = ['R', 'B', 'G', 'S', 'N', 'L', 'P'];

/// The pieces beside the kings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    /// How many there are of each kind, in the order of [`Kind::IN_HAND`].
    pub counts: [u8; 7],
}

impl Material {
    /// The most pieces of the slices of a board.
    pub fn most(shape: Shape) -> u8 {
        match shape {
            Shape::Standard => 2,
            Shape::Mini => 3,
        }
    }

    /// How many pieces there are.
    pub fn pieces(&self) -> u8 {
        self.counts.iter().sum()
    }

    /// Is there a slice of it?
    pub fn is_kept(&self, shape: Shape) -> bool {
        let there = Kind::IN_HAND.map(|kind| shape.pieces()[kind as usize]);
        (1..=Self::most(shape)).contains(&self.pieces())
            && self.counts.iter().zip(there).all(|(&n, most)| n <= most)
    }

    /// All slices of so many pieces.
    pub fn all(shape: Shape, pieces: u8) -> Vec<Self> {
        let mut out = vec![Self::default()];
        for kind in 0..7 {
            let more = |material: Self| {
                let left = pieces - material.pieces();
                (0..=left).map(move |n| {
                    let mut more = material;
                    more.counts[kind] = n;
                    more
                })
            };
            out = out.into_iter().flat_map(more).collect();
        }
        out.retain(|material| material.pieces() == pieces && material.is_kept(shape));
        out.sort_unstable_by(|a, b| b.cmp(a));
        out
    }

    /// Its name.
    pub fn name(&self) -> String {
        let letters = LETTERS.iter().zip(self.counts);
        letters.flat_map(|(&letter, count)| std::iter::repeat_n(letter, count.into())).collect()
    }

    /// Reads names, and numbers or ranges of pieces such as `1` or `1-2`.
    pub fn read(shape: Shape, text: &str) -> Result<Vec<Self>, TextError> {
        let mut out = Vec::new();
        for (at, word) in words(text) {
            out.extend(Self::read_word(shape, word).ok_or_else(|| {
                let most = Self::most(shape);
                let expected = format!(
                    "up to {most} pieces beside the kings, no more of a kind than there are, such as G, PP or RS, or how many, such as 1"
                );
                TextError::new(at, format!("'{}' is no ending", shorten(word)), expected)
            })?);
        }
        Ok(out)
    }

    fn read_word(shape: Shape, word: &str) -> Option<Vec<Self>> {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let (from, to) = word.split_once('-').unwrap_or((word, word));
            let (from, to): (u8, u8) = (from.parse().ok()?, to.parse().ok()?);
            let fits = 1 <= from && from <= to && to <= Self::most(shape);
            return fits.then(|| (from..=to).flat_map(|pieces| Self::all(shape, pieces)).collect());
        }
        let mut material = Self::default();
        for c in word.chars() {
            let kind = LETTERS.iter().position(|&letter| letter == c.to_ascii_uppercase())?;
            material.counts[kind] = material.counts[kind].checked_add(1)?;
        }
        material.is_kept(shape).then(|| vec![material])
    }
}
