//! The pieces of an ending and its name: `KNPKGM` is king, knight and pawn against king, guard and minister.

use crate::men::read_endings;
use endspiel_game::TextError;
use endspiel_game::notation::shorten;
use std::hash::{Hash, Hasher};

/// The most attackers.
pub const MOST_ATTACKERS: u8 = 2;
/// The most defenders of both sides.
pub const MOST_DEFENDERS: u8 = 4;
/// The most men, kings among them.
const MOST_MEN: u8 = 2 + MOST_ATTACKERS + MOST_DEFENDERS;

/// The letters of attackers and defenders.
const ATTACKERS: [char; 4] = ['R', 'N', 'C', 'P'];
const DEFENDERS: [char; 2] = ['G', 'M'];

/// What both sides have beside the kings. Red is the side with attackers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Material {
    /// Rooks, knights, cannons and pawns.
    pub attackers: [u8; 4],
    /// Guards and ministers of Red, then of Black.
    pub defenders: [[u8; 2]; 2],
}

/// In one word: every probe asks for it.
impl Hash for Material {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let all = self.attackers.iter().chain(self.defenders.as_flattened());
        state.write_u64(all.fold(0, |word, &n| word << 4 | u64::from(n)));
    }
}

impl Material {
    /// How many men there are, kings among them.
    pub fn men(&self) -> u8 {
        2 + self.attackers.iter().chain(self.defenders.as_flattened()).sum::<u8>()
    }

    /// Are there slices of it?
    pub fn is_kept(&self) -> bool {
        let attackers: u8 = self.attackers.iter().sum();
        let defenders = self.defenders.as_flattened();
        (1..=MOST_ATTACKERS).contains(&attackers)
            && defenders.iter().all(|&n| n <= 2)
            && defenders.iter().sum::<u8>() <= MOST_DEFENDERS
    }

    /// Its name.
    pub fn name(&self) -> String {
        let mut out = String::from("K");
        let mut add = |letters: &[char], counts: &[u8]| {
            for (&letter, &count) in letters.iter().zip(counts) {
                out.extend(std::iter::repeat_n(letter, count.into()));
            }
        };
        add(&ATTACKERS, &self.attackers);
        add(&DEFENDERS, &self.defenders[0]);
        add(&['K'], &[1]);
        add(&DEFENDERS, &self.defenders[1]);
        out
    }

    /// What a single capture can leave: Black takes attackers, Red takes Black's defenders. Red's own stay at home,
    /// where nobody comes to take them.
    pub fn conversions(&self) -> Vec<Self> {
        let mut out = Vec::new();
        for kind in (0..4).filter(|&kind| self.attackers[kind] > 0) {
            let mut after = *self;
            after.attackers[kind] -= 1;
            out.push(after);
        }
        for kind in (0..2).filter(|&kind| self.defenders[1][kind] > 0) {
            let mut after = *self;
            after.defenders[1][kind] -= 1;
            out.push(after);
        }
        out.retain(Self::is_kept);
        out
    }

    /// All slices with so many men.
    pub fn all(men: u8) -> Vec<Self> {
        let mut out = Vec::new();
        for code in 0..3_usize.pow(8) {
            let digit = |i: u32| (code / 3_usize.pow(i) % 3) as u8;
            let material = Self {
                attackers: [digit(7), digit(6), digit(5), digit(4)],
                defenders: [[digit(3), digit(2)], [digit(1), digit(0)]],
            };
            if material.is_kept() && material.men() == men {
                out.push(material);
            }
        }
        out
    }

    /// Reads slices: names such as `KNPKGM` or `KRvKGG`, or numbers of men such as `3` or `3-5`.
    pub fn read(text: &str) -> Result<Vec<Self>, TextError> {
        read_endings(text, 3..=MOST_MEN, Self::all, Self::read_one)
    }

    fn read_one(word: &str) -> Result<Self, TextError> {
        const EXPECTED: &str = "both sides with their kings first, such as KNPKGM";
        let wrong = |at, what: &str, expected: &str| {
            Err(TextError::new(at, format!("'{}' {what}", shorten(word)), expected))
        };
        let (mut attackers, mut defenders) = ([[0_u8; 4]; 2], [[0_u8; 2]; 2]);
        let mut kings = 0;
        for (at, c) in word.char_indices() {
            let letter = match c.to_ascii_uppercase() {
                'H' => 'N',
                'A' => 'G',
                'B' | 'E' => 'M',
                other => other,
            };
            let attacker = ATTACKERS.iter().position(|&l| l == letter);
            let defender = DEFENDERS.iter().position(|&l| l == letter);
            match (letter, attacker, defender) {
                ('K', ..) if kings < 2 => kings += 1,
                ('V', ..) if kings == 1 => {}
                (_, Some(kind), _) if kings > 0 => attackers[kings - 1][kind] += 1,
                (_, _, Some(kind)) if kings > 0 => defenders[kings - 1][kind] += 1,
                _ => return wrong(at, "is no ending", EXPECTED),
            }
            if at > 16 {
                return wrong(at, "is too long", EXPECTED);
            }
        }
        if kings != 2 {
            return wrong(0, "has not two kings", EXPECTED);
        }
        let [first, second] = attackers.map(|side| side.iter().sum::<u8>() > 0);
        if first && second {
            return wrong(
                0,
                "has attackers on both sides",
                "rooks, knights, cannons and pawns on one side alone",
            );
        }
        if second {
            attackers.swap(0, 1);
            defenders.swap(0, 1);
        }
        let material = Self { attackers: attackers[0], defenders };
        if material.is_kept() {
            return Ok(material);
        }
        let expected = format!(
            "1 or {MOST_ATTACKERS} rooks, knights, cannons and pawns, and at most {MOST_DEFENDERS} guards and \
             ministers, two of a kind on each side"
        );
        wrong(0, "has no table", &expected)
    }
}
