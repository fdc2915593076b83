//! How the positions of an ending are numbered.
//!
//! `half * ((first * second) * red) * black`: who is to move, the placements of the first kind of attackers with mirror
//! images counted once, those of the second kind if there is one, then the two courts. Where the first attackers are
//! their own mirror image a position and its image have a number each; the lower one counts, the other is wasted.

use super::groups::{Attackers, Court, turned};
use super::material::Material;
use endspiel_game::Player;
use endspiel_rules::xiangqi::{Board, Kind, Point};

const KINDS: [Kind; 4] = [Kind::Rook, Kind::Knight, Kind::Cannon, Kind::Pawn];
/// The most men.
const MOST: usize = 8;

/// The men of a position; Red is the side with attackers, and each court is seen from its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Men {
    /// The points of the first and of the second kind of attackers, the lower first; a single piece twice.
    pub attackers: [[Point; 2]; 2],
    /// The courts of Red and of Black.
    pub courts: [Court; 2],
    /// Who is to move.
    pub mover: Player,
}

/// A piece on a point.
pub type Piece = (Point, Kind, Player);

/// How an ending is numbered.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The kinds of attackers and how many there are.
    kinds: [Option<(Kind, u8)>; 2],
    first: &'static Attackers,
    second: Option<&'static Attackers>,
    courts: [&'static [Court]; 2],
    /// Numbers for one side to move.
    pub half: u64,
}

impl Layout {
    /// The layout of an ending; none if it has no attackers.
    pub fn new(material: Material) -> Option<Self> {
        let mut there = KINDS.into_iter().zip(material.attackers).filter(|&(_, count)| count > 0);
        let kinds = [there.next(), there.next()];
        let first = kinds[0].map(|(kind, count)| Attackers::get(kind, count, true))?;
        let second = kinds[1].map(|(kind, count)| Attackers::get(kind, count, false));
        let courts = material.defenders.map(|[guards, ministers]| Court::list(guards, ministers));
        let attackers = first.points.len() * second.map_or(1, |list| list.points.len());
        let half = (attackers * courts[0].len() * courts[1].len()) as u64;
        Some(Self { kinds, first, second, courts, half })
    }

    /// The number of a position: the least of its images.
    #[inline]
    pub fn index(&self, men: &Men) -> Option<u64> {
        let [red, black] = men.courts.map(Court::numbers);
        let number = |first: u16, second: [Point; 2], red: u16, black: u16| {
            let second = match self.second {
                Some(list) => u64::from(first) * list.points.len() as u64 + u64::from(list.number(second)?),
                None => first.into(),
            };
            let red = second * self.courts[0].len() as u64 + u64::from(red);
            Some(red * self.courts[1].len() as u64 + u64::from(black))
        };
        let plain = match self.first.number(men.attackers[0]) {
            Some(first) => Some((first, number(first, men.attackers[1], red.0, black.0)?)),
            None => None,
        };
        // An image on the other wing is needed where this one has no number or may have a greater one.
        let index = match plain {
            Some((first, index)) if self.first.mirror[usize::from(first)] != Some(first) => index,
            _ => {
                let first = self.first.number(turned(men.attackers[0]))?;
                let image = number(first, turned(men.attackers[1]), red.1, black.1)?;
                plain.map_or(image, |(_, index)| index.min(image))
            }
        };
        Some(index + if men.mover == Player::FIRST { 0 } else { self.half })
    }

    /// The men of a number.
    fn men(&self, index: u64) -> Men {
        let mut rest = index % self.half;
        let mut digit = |size: usize| {
            let digit = rest % size as u64;
            rest /= size as u64;
            digit as usize
        };
        let black = self.courts[1][digit(self.courts[1].len())];
        let red = self.courts[0][digit(self.courts[0].len())];
        let second = self.second.map_or([0; 2], |list| list.points[digit(list.points.len())]);
        let first = self.first.points[digit(self.first.points.len())];
        Men { attackers: [first, second], courts: [red, black], mover: Player((index / self.half) as u8) }
    }

    /// The pieces with a number and who is to move; none if two stand on one point or an image has a lower number.
    /// Whether they may stand so is another question.
    pub fn pieces(&self, index: u64, out: &mut Vec<Piece>) -> Option<Player> {
        let men = self.men(index);
        out.clear();
        for (kind, points) in self.kinds.iter().zip(men.attackers) {
            if let Some((kind, count)) = *kind {
                out.extend(points.iter().take(count.into()).map(|&point| (point, kind, Player::FIRST)));
            }
        }
        let [red, black] = men.courts;
        out.extend(red.pieces().map(|(kind, point)| (point, kind, Player::FIRST)));
        out.extend(black.pieces().map(|(kind, point)| (opposite(point), kind, Player::SECOND)));
        let set = out.iter().fold(0_u128, |set, (point, ..)| set | 1 << point);
        let apart = set.count_ones() as usize == out.len();
        (apart && self.index(&men) == Some(index)).then_some(men.mover)
    }

    /// The position with a number, if it is legal.
    pub fn board(&self, index: u64) -> Option<Board> {
        let mut pieces = Vec::with_capacity(MOST);
        let mover = self.pieces(index, &mut pieces)?;
        Board::of_pieces(&pieces, mover)
    }
}

/// The point as the other side sees it.
#[inline]
pub fn opposite(point: Point) -> Point {
    (9 - point / 9) * 9 + point % 9
}
