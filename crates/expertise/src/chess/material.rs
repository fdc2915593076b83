//! The pieces beside the kings: what a slice of chess is called by, such as `KQKR`.
//!
//! White has more men, or, with equal numbers, the stronger ones (queen, rook, bishop, knight, pawn); positions
//! with colours the other way round are turned round.

use crate::men::read_endings;
use endspiel_game::TextError;
use endspiel_game::notation::shorten;
use endspiel_rules::chess::Kind;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

/// The most men, kings among them, that slices have.
pub const MOST_MEN: usize = 5;

/// How many of each kind both sides have, pawns first, kings left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Material {
    /// White's, then Black's.
    pub sides: [[u8; 5]; 2],
}

/// In one word: every probe asks for it.
impl Hash for Material {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.sides.as_flattened().iter().fold(0, |word, &n| word << 4 | u64::from(n)));
    }
}

impl Material {
    /// How many men there are, kings among them.
    pub fn men(&self) -> usize {
        2 + self.sides.iter().flatten().map(|&n| usize::from(n)).sum::<usize>()
    }

    /// Have both sides the same?
    #[inline]
    pub fn is_symmetric(&self) -> bool {
        self.sides[0] == self.sides[1]
    }

    /// Has anybody pawns?
    pub fn has_pawns(&self) -> bool {
        self.sides[0][0] + self.sides[1][0] > 0
    }

    /// No play can mate: such endings are over by the rules.
    pub fn is_dead(&self) -> bool {
        let [pawns, knights, bishops, rooks, queens] =
            [0, 1, 2, 3, 4].map(|k| self.sides[0][k] + self.sides[1][k]);
        pawns + rooks + queens == 0 && knights + bishops <= 1
    }

    /// The stronger side first, and whether the colours were exchanged for that.
    #[must_use]
    #[inline]
    pub fn normal(self) -> (Self, bool) {
        let weight = |side: [u8; 5]| {
            let [p, n, b, r, q] = side;
            (side.iter().sum::<u8>(), [q, r, b, n, p])
        };
        let exchanged = weight(self.sides[1]) > weight(self.sides[0]);
        let [white, black] = self.sides;
        (if exchanged { Self { sides: [black, white] } } else { self }, exchanged)
    }

    /// Its name.
    pub fn name(&self) -> String {
        let mut out = String::new();
        for side in self.sides {
            out.push('K');
            for kind in [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn] {
                let letter = kind.letter().to_ascii_uppercase();
                out.extend(std::iter::repeat_n(letter, side[kind as usize].into()));
            }
        }
        out
    }

    /// What a single capture, promotion or both can leave.
    pub fn conversions(&self) -> BTreeSet<Self> {
        let mut grown = vec![*self];
        for side in 0..2 {
            if self.sides[side][0] > 0 {
                for kind in 1..5 {
                    let mut after = *self;
                    after.sides[side][0] -= 1;
                    after.sides[side][kind] += 1;
                    grown.push(after);
                }
            }
        }
        let mut out: BTreeSet<Self> = grown.iter().skip(1).copied().collect();
        for before in grown {
            // Who promotes by a capture takes from the other; that both sides are tried here adds nothing that
            // cannot arise, since a promoted piece that is taken leaves what taking the pawn leaves.
            for (side, kind) in (0..2).flat_map(|side| (0..5).map(move |kind| (side, kind))) {
                let taken = before.sides[side][kind] > 0;
                if taken && (before == *self || before.sides[side] == self.sides[side]) {
                    let mut after = before;
                    after.sides[side][kind] -= 1;
                    out.insert(after);
                }
            }
        }
        out.into_iter().map(|m| m.normal().0).filter(|m| !m.is_dead() && m != self).collect()
    }

    /// All slices with so many men.
    pub fn all(men: usize) -> BTreeSet<Self> {
        let mut out = BTreeSet::from([Self::default()]);
        for _ in 2..men {
            out = out
                .iter()
                .flat_map(|m| {
                    (0..2).flat_map(move |side| {
                        (0..5).map(move |kind| {
                            let mut more = *m;
                            more.sides[side][kind] += 1;
                            more.normal().0
                        })
                    })
                })
                .collect();
        }
        out.into_iter().filter(|m| !m.is_dead()).collect()
    }

    /// Reads slices: names such as `KQKR` or `KQvKR`, or numbers of men such as `4` or `3-4`.
    pub fn read(text: &str) -> Result<Vec<Self>, TextError> {
        read_endings(text, 3..=MOST_MEN as u8, |men| Self::all(men.into()), Self::read_one)
    }

    fn read_one(word: &str) -> Result<Self, TextError> {
        let mut material = Self::default();
        let mut kings = 0;
        for (at, c) in word.char_indices() {
            match Kind::of_letter(c.to_ascii_lowercase()) {
                Some(Kind::King) if kings < 2 => kings += 1,
                Some(kind) if kings > 0 && kind != Kind::King => {
                    material.sides[kings - 1][kind as usize] += 1;
                }
                None if c == 'v' && kings == 1 => {}
                _ => {
                    let what = format!("'{}' is no ending", shorten(word));
                    return Err(TextError::new(at, what, "both sides with their kings first, such as KQKR"));
                }
            }
            if material.men() > MOST_MEN {
                let what = format!("'{}' has more than {MOST_MEN} men", shorten(word));
                return Err(TextError::new(at, what, format!("at most {MOST_MEN}, kings among them")));
            }
        }
        if kings != 2 {
            let what = format!("'{}' has not two kings", shorten(word));
            return Err(TextError::new(0, what, "both sides with their kings first, such as KQKR"));
        }
        if material.is_dead() {
            let what = format!("'{}' is a draw by the rules", shorten(word));
            return Err(TextError::new(0, what, "an ending in which somebody can be mated"));
        }
        Ok(material.normal().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_145_endings_with_five_men_at_most() {
        // 5 + 30 + 110, without the two that nobody can win.
        assert_eq!([3, 4, 5].map(|men| Material::all(men).len()), [3, 30, 110]);
    }

    #[test]
    fn names_are_read_in_any_order() {
        let read =
            |text: &str| Material::read(text).map(|list| list.iter().map(Material::name).collect::<Vec<_>>());
        assert_eq!(read("KRKQ, kqvkr KNPKB").unwrap(), ["KQKR", "KQKR", "KNPKB"]);
        assert_eq!(read("KBKBN").unwrap(), ["KBNKB"]);
        assert_eq!(read("3").unwrap().len(), 3);
        assert_eq!(read("KQKR KXK").unwrap_err().at, 6);
        for wrong in ["KQQQQKR", "KQ", "QKR", "KBK", "2", "3-9", "4-3", "KQKRK"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn conversions_are_captures_and_promotions() {
        let to = |name: &str| {
            Material::read(name).unwrap()[0]
                .conversions()
                .iter()
                .map(Material::name)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(to("KQK"), "");
        let mut kpkp: Vec<String> = to("KPKP").split(' ').map(Into::into).collect();
        kpkp.sort();
        assert_eq!(kpkp, ["KBKP", "KNKP", "KPK", "KQK", "KQKP", "KRK", "KRKP"]);
    }
}
