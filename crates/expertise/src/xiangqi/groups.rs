//! Some pieces of an ending and their placements, numbered from 0: one attacker or two alike, or a king with its guards
//! and ministers.
//!
//! Of attackers there are also lists in which mirror images count once, for the one group of an ending that folds left
//! and right. How many placements there are is published: 50 and 90 for one piece, 2045 and 4005 for two, 31 and 55 for
//! a pawn, 765 and 1485 for two; a king alone has 9, with two guards and two ministers 1410 (6 and 714 if mirror images count once).

use endspiel_game::Player;
use endspiel_rules::xiangqi::{Kind, POINTS, Point, mirrored};
use std::sync::LazyLock;

/// No such placement.
const NONE: u16 = u16::MAX;

/// Placements of one or two like attackers.
#[derive(Debug)]
pub struct Attackers {
    /// The points by number, the lower first; the same point twice for a single piece.
    pub points: Vec<[Point; 2]>,
    /// The number of the mirror image, where it has one in the list.
    pub mirror: Vec<Option<u16>>,
    numbers: Vec<u16>,
}

impl Attackers {
    /// The placements of so many pieces of a kind; with mirror images counted once if they are folded.
    pub fn get(kind: Kind, count: u8, folded: bool) -> &'static Self {
        let at = usize::from(kind == Kind::Pawn) * 4 + usize::from(count > 1) * 2 + usize::from(folded);
        &ATTACKERS[at]
    }

    fn new(kind: Kind, count: u8, folded: bool) -> Self {
        let room = kind.points(Player::FIRST);
        let can = |point: &Point| room >> point & 1 != 0;
        let all = || (0..POINTS as Point).filter(can);
        let least = |pair: [Point; 2]| !folded || pair <= turned(pair);
        let pairs = all().flat_map(|a| all().map(move |b| [a, b]));
        let points: Vec<_> = pairs
            .filter(|&[a, b]| if count > 1 { a < b } else { a == b })
            .filter(|&pair| least(pair))
            .collect();
        let mut numbers = vec![NONE; POINTS * POINTS];
        for (number, &[a, b]) in (0..).zip(&points) {
            numbers[usize::from(a) * POINTS + usize::from(b)] = number;
        }
        let mut list = Self { points, mirror: Vec::new(), numbers };
        list.mirror = list.points.iter().map(|&pair| list.number(turned(pair))).collect();
        list
    }

    /// The number of these points, the lower first.
    #[inline]
    pub fn number(&self, [a, b]: [Point; 2]) -> Option<u16> {
        let number = self.numbers[usize::from(a) * POINTS + usize::from(b)];
        (number != NONE).then_some(number)
    }
}

/// Two points on the other wing, the lower first.
#[inline]
pub fn turned([a, b]: [Point; 2]) -> [Point; 2] {
    let (a, b) = (mirrored(a), mirrored(b));
    if a <= b { [a, b] } else { [b, a] }
}

static ATTACKERS: LazyLock<[Attackers; 8]> = LazyLock::new(|| {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|at| {
        let kind = if at & 4 == 0 { Kind::Rook } else { Kind::Pawn };
        Attackers::new(kind, 1 + (at >> 1 & 1), at & 1 != 0)
    })
});

/// A king with its guards and ministers, as its own side sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Court {
    /// The king, from 0 to 8 in the palace.
    king: u8,
    /// The guards as bits of their five points.
    guards: u8,
    /// The ministers as bits of their seven points.
    ministers: u8,
}

const KING_POINTS: [Point; 9] = [3, 4, 5, 12, 13, 14, 21, 22, 23];
const GUARD_POINTS: [Point; 5] = [3, 5, 13, 21, 23];
const MINISTER_POINTS: [Point; 7] = [2, 6, 18, 22, 26, 38, 42];

impl Court {
    /// Nobody yet.
    pub const EMPTY: Self = Self { king: 0, guards: 0, ministers: 0 };

    /// Adds a piece of the court.
    #[inline]
    pub fn add(&mut self, kind: Kind, point: Point) {
        let bit = 1 << PLACES[usize::from(point)][usize::from(kind == Kind::Guard)];
        match kind {
            Kind::King => self.king = point / 9 * 3 + (point % 9).saturating_sub(3),
            Kind::Guard => self.guards |= bit,
            _ => self.ministers |= bit,
        }
    }

    #[inline]
    fn code(self) -> usize {
        (usize::from(self.king) * 32 + usize::from(self.guards)) * 128 + usize::from(self.ministers)
    }

    /// The number among placements of the same pieces, and that of the mirror image.
    #[inline]
    pub fn numbers(self) -> (u16, u16) {
        COURTS.numbers[self.code()]
    }

    /// The placements of so many guards and ministers.
    pub fn list(guards: u8, ministers: u8) -> &'static [Self] {
        &COURTS.lists[usize::from(guards)][usize::from(ministers)]
    }

    /// The pieces, the king first.
    pub fn pieces(self) -> impl Iterator<Item = (Kind, Point)> {
        let bits = |set: u8, points: &'static [Point]| {
            points.iter().enumerate().filter(move |(i, _)| set >> i & 1 != 0).map(|(_, &point)| point)
        };
        std::iter::once((Kind::King, KING_POINTS[usize::from(self.king)]))
            .chain(bits(self.guards, &GUARD_POINTS).map(|point| (Kind::Guard, point)))
            .chain(bits(self.ministers, &MINISTER_POINTS).map(|point| (Kind::Minister, point)))
    }

    fn mirrored(self) -> Self {
        let mut image = Self::EMPTY;
        self.pieces().for_each(|(kind, point)| image.add(kind, mirrored(point)));
        image
    }

    /// Does nobody stand on another?
    fn is_apart(self) -> bool {
        let set = self.pieces().fold(0_u128, |set, (_, point)| set | 1 << point);
        set.count_ones() as usize == self.pieces().count()
    }
}

/// The bit of a minister and of a guard on each point.
static PLACES: [[u8; 2]; POINTS] = {
    let (mut table, mut i) = ([[0; 2]; POINTS], 0);
    while i < MINISTER_POINTS.len() {
        table[MINISTER_POINTS[i] as usize][0] = i as u8;
        if i < GUARD_POINTS.len() {
            table[GUARD_POINTS[i] as usize][1] = i as u8;
        }
        i += 1;
    }
    table
};

struct Courts {
    lists: [[Vec<Court>; 3]; 3],
    /// By [`Court::code`].
    numbers: Vec<(u16, u16)>,
}

static COURTS: LazyLock<Courts> = LazyLock::new(|| {
    let mut lists: [[Vec<Court>; 3]; 3] = Default::default();
    for code in 0..9 * 32 * 128 {
        let court =
            Court { king: (code >> 12) as u8, guards: (code >> 7 & 31) as u8, ministers: (code & 127) as u8 };
        let (guards, ministers) = (court.guards.count_ones(), court.ministers.count_ones());
        if guards <= 2 && ministers <= 2 && court.is_apart() {
            lists[guards as usize][ministers as usize].push(court);
        }
    }
    let mut single = vec![NONE; 9 * 32 * 128];
    for list in lists.as_flattened() {
        for (number, court) in (0..).zip(list) {
            single[court.code()] = number;
        }
    }
    let mut numbers = vec![(NONE, NONE); 9 * 32 * 128];
    for court in lists.as_flattened().iter().flatten() {
        numbers[court.code()] = (single[court.code()], single[court.mirrored().code()]);
    }
    Courts { lists, numbers }
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_number_as_published() {
        let size = |kind, count, folded| Attackers::get(kind, count, folded).points.len();
        assert_eq!((size(Kind::Cannon, 1, true), size(Kind::Knight, 1, false)), (50, 90));
        assert_eq!((size(Kind::Rook, 2, true), size(Kind::Cannon, 2, false)), (2045, 4005));
        assert_eq!((size(Kind::Pawn, 1, true), size(Kind::Pawn, 1, false)), (31, 55));
        assert_eq!((size(Kind::Pawn, 2, true), size(Kind::Pawn, 2, false)), (765, 1485));
        let courts = |ministers| [0, 1, 2].map(|guards| Court::list(guards, ministers).len());
        assert_eq!([0, 1, 2].map(courts), [[9, 40, 70], [62, 275, 480], [183, 810, 1410]]);
        // Mirror images counted once.
        let folded = |ministers| {
            [0, 1, 2].map(|guards| {
                let numbers = Court::list(guards, ministers).iter().map(|court| court.numbers());
                numbers.filter(|(number, mirrored)| number <= mirrored).count()
            })
        };
        assert_eq!([0, 1, 2].map(folded), [[6, 21, 38], [32, 138, 242], [96, 408, 714]]);
    }
}
