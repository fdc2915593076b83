//! The figures of a table as the paper has them, and those that it published.

use super::endings::Endings;
use super::layout::{Layout, Piece};
use super::material::Material;
use endspiel_game::Player;
use endspiel_retro::Table;
use endspiel_rules::xiangqi::{Board, Kind};
use std::fmt;

/// The published figures, a line an ending.
pub const PUBLISHED: &str = include_str!("rows.txt");

/// The published lines: the ending and its figures, misprints mended.
pub fn published() -> impl Iterator<Item = (&'static str, Row)> {
    PUBLISHED.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let (name, rest) = line.split_once(' ')?;
        let mut words = rest.split(' ');
        let mut number = || words.next()?.parse().ok();
        let (size, placements, facing, red, black) = (number()?, number()?, number()?, number()?, number()?);
        let longest = words.next()?.parse().ok();
        Some((name, Row { size, placements, facing, draws: [red, black], longest }))
    })
}

/// [`Endings::distances`] of KNPKGM with the pawn on the last rank, Red and Black to move, as published.
pub fn published_pawn_nine() -> [Vec<(Option<u32>, u64)>; 2] {
    let mut lines = include_str!("pawn_nine.txt").lines().filter(|line| !line.starts_with('#'));
    let pair = |text: &str| {
        let (distance, many) = text.split_once(':')?;
        Some((distance.parse().ok(), many.parse().ok()?))
    };
    [(); 2].map(|()| lines.next().map(|line| line.split(' ').filter_map(pair).collect()).unwrap_or_default())
}

/// What the print has instead of the figures of an ending, where it is known to be wrong.
pub fn misprint(ending: &str) -> Option<&'static str> {
    let lines = PUBLISHED.lines().filter_map(|line| line.split_once(" printed "));
    lines.filter(|(line, _)| line.split(' ').next() == Some(ending)).map(|(_, printed)| printed).next()
}

/// The figures of an ending; mirror images count once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Numbers for one side to move.
    pub size: u64,
    /// Ways to place the men, legal or not.
    pub placements: u64,
    /// Ways in which the kings face each other.
    pub facing: u64,
    /// Draws with Red and with Black to move.
    pub draws: [u64; 2],
    /// The longest distance to mate in plies, if there is any mate.
    pub longest: Option<u32>,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, black] = self.draws;
        write!(f, "{} {} {} {red} {black} ", self.size, self.placements, self.facing)?;
        match self.longest {
            Some(longest) => write!(f, "{longest}"),
            None => write!(f, "-"),
        }
    }
}

/// The ways to place the men of an ending, mirror images once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// All of them, legal or not.
    pub placements: u64,
    /// Those in which the kings face each other.
    pub facing: u64,
    /// Those of the others in which Black's king stands in check, so that Red cannot be to move.
    pub checks: u64,
}

/// Do the kings face each other?
fn facing(pieces: &[Piece]) -> bool {
    let king = |of| pieces.iter().find(|&&(_, kind, player)| (kind, player) == (Kind::King, of));
    let (Some(&(red, ..)), Some(&(black, ..))) = (king(Player::FIRST), king(Player::SECOND)) else {
        return false;
    };
    let between = |point: u8| point % 9 == red % 9 && red < point && point < black;
    red % 9 == black % 9 && !pieces.iter().any(|&(point, ..)| between(point))
}

impl Endings {
    /// Counts the ways to place the men of an ending, those for which `of` holds.
    pub fn census(&self, material: Material, of: impl Fn(&[Piece]) -> bool) -> Census {
        let (mut census, mut pieces) = (Census::default(), Vec::new());
        let Some(layout) = self.layout(material) else { return census };
        for index in 0..layout.half {
            if layout.pieces(index, &mut pieces).is_some() && of(&pieces) {
                census.placements += 1;
                if facing(&pieces) {
                    census.facing += 1;
                } else {
                    census.checks += u64::from(Board::of_pieces(&pieces, Player::FIRST).is_none());
                }
            }
        }
        census
    }

    /// The figures of a table that counts plies to mate.
    pub fn row(&self, material: Material, table: &Table) -> Row {
        let half = self.layout(material).map_or(0, |layout| layout.half);
        let Census { placements, facing, .. } = self.census(material, |_| true);
        let mut row = Row { size: half, placements, facing, draws: [0; 2], longest: None };
        for (index, value) in (0..).zip(table.values()) {
            match value {
                Some(0) => row.draws[usize::from(index >= half)] += 1,
                Some(plies @ 1..) => row.longest = row.longest.max(Some(plies as u32)),
                Some(loss) => row.longest = row.longest.max(Some((-1 - loss) as u32)),
                None => {}
            }
        }
        row
    }

    /// How often each distance to mate in plies occurs where `of` holds, with Red to move and with Black; draws come
    /// as none.
    pub fn distances(
        &self,
        material: Material,
        table: &Table,
        of: impl Fn(&Board) -> bool,
    ) -> [Vec<(Option<u32>, u64)>; 2] {
        let half = self.layout(material).map_or(0, |layout| layout.half);
        let mut counts = [std::collections::BTreeMap::new(), std::collections::BTreeMap::new()];
        let known = (0..).zip(table.values()).filter_map(|(index, value)| Some((index, value?)));
        for (index, value) in known {
            if self
                .layout(material)
                .and_then(|layout: &Layout| layout.board(index))
                .is_some_and(|board| of(&board))
            {
                let distance = match value {
                    0 => None,
                    plies @ 1.. => Some(plies as u32),
                    loss => Some((-1 - loss) as u32),
                };
                *counts[usize::from(index >= half)].entry(distance).or_default() += 1;
            }
        }
        counts.map(|counts| counts.into_iter().collect())
    }
}
