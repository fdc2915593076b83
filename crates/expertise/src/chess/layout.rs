//! How the positions of an ending are numbered.
//!
//! `half * ((kings * group) * group ...) + ...`: who is to move, the pair of kings, then the squares of like pieces
//! as a set, the last varying fastest. Pawns have 48 squares, others 64. With equal material on both sides White is
//! always to move. Behind that come, in endings with pawns on both sides, the positions in which a pawn can be
//! captured in passing: kings, the two pawns (14 ways), and the square of the fifth man if there is one.

use super::kings::Kings;
use super::material::Material;
use endspiel_game::Player;
use endspiel_rules::chess::{Board, Kind, turned};

/// Most pieces beside the kings.
pub const MOST: usize = 3;

/// Like pieces.
#[derive(Clone, Copy, Debug)]
struct Group {
    pawns: bool,
    /// The first of them in the list of pieces, and how many they are.
    first: usize,
    count: usize,
}

impl Group {
    fn squares(self) -> u64 {
        if self.pawns { 48 } else { 64 }
    }

    fn size(self) -> u64 {
        let n = self.squares();
        match self.count {
            1 => n,
            2 => n * (n - 1) / 2,
            _ => n * (n - 1) * (n - 2) / 6,
        }
    }

    /// The number of a set of squares.
    #[inline]
    fn rank(self, squares: [u8; MOST]) -> u64 {
        let digit = |i: usize| u64::from(squares[self.first + i]) - if self.pawns { 8 } else { 0 };
        if self.count == 1 {
            return digit(0);
        }
        let (mut a, mut b) = (digit(0), digit(1));
        if a > b {
            (a, b) = (b, a);
        }
        if self.count == 2 {
            return b * (b - 1) / 2 + a;
        }
        let mut c = digit(2);
        if b > c {
            (b, c) = (c, b);
        }
        if a > b {
            (a, b) = (b, a);
        }
        c * (c - 1) * c.saturating_sub(2) / 6 + b * b.saturating_sub(1) / 2 + a
    }

    /// The set of squares with a number.
    fn unrank(self, mut number: u64, squares: &mut [u8; MOST]) {
        let choose = |n: u64, k: usize| match k {
            1 => n,
            2 => n * n.saturating_sub(1) / 2,
            _ => n * n.saturating_sub(1) * n.saturating_sub(2) / 6,
        };
        for k in (1..=self.count).rev() {
            let top = (0..self.squares()).rev().find(|&n| choose(n, k) <= number).unwrap_or(0);
            number -= choose(top, k);
            squares[self.first + k - 1] = top as u8 + if self.pawns { 8 } else { 0 };
        }
    }
}

/// The men of a position, the pieces in the order of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Men {
    /// White's king and Black's.
    pub kings: [u8; 2],
    /// The others.
    pub pieces: [u8; MOST],
    /// Who is to move.
    pub mover: Player,
}

/// How an ending is numbered.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The ending.
    pub material: Material,
    /// The pieces beside the kings: pawns, then those that come more than once, then single ones.
    pub pieces: Vec<(Kind, Player)>,
    /// The pairs of kings.
    pub kings: &'static Kings,
    groups: Vec<Group>,
    /// Numbers for one side to move.
    pub half: u64,
    /// The men that can be captured in passing and capture so, and the third, by who captures: places in the
    /// list of pieces.
    passing: Option<[[usize; MOST]; 2]>,
}

impl Layout {
    /// The layout of an ending.
    pub fn new(material: Material) -> Self {
        let mut found = Vec::new();
        for (side, counts) in material.sides.iter().enumerate() {
            for (&kind, &count) in Kind::ALL.iter().zip(counts).filter(|(_, count)| **count > 0) {
                found.push((kind != Kind::Pawn, count == 1, std::cmp::Reverse(kind), side, count));
            }
        }
        found.sort_unstable();
        let (mut pieces, mut groups) = (Vec::new(), Vec::new());
        for (_, _, std::cmp::Reverse(kind), side, count) in found {
            let count = usize::from(count);
            groups.push(Group { pawns: kind == Kind::Pawn, first: pieces.len(), count });
            pieces.extend(std::iter::repeat_n((kind, Player(side as u8)), count));
        }
        let kings = Kings::get(material.has_pawns());
        let half = groups.iter().map(|g| g.size()).product::<u64>() * kings.pairs.len() as u64;
        let pawn = |player| pieces.iter().position(|&piece| piece == (Kind::Pawn, player));
        let passing = pawn(Player::FIRST).zip(pawn(Player::SECOND)).map(|(white, black)| {
            let third = 3 - white - black;
            [[black, white, third], [white, black, third]]
        });
        Self { material, pieces, kings, groups, half, passing }
    }

    /// How many sides to move are numbered.
    pub fn halves(&self) -> u64 {
        if self.material.is_symmetric() { 1 } else { 2 }
    }

    /// Squares of the third man beside two pawns.
    fn third(&self) -> u64 {
        match self.pieces.get(self.passing.map_or(0, |p| p[0][2])) {
            None => 1,
            Some((Kind::Pawn, _)) => 48,
            Some(_) => 64,
        }
    }

    /// Numbers of positions in which this one side can capture in passing.
    pub fn passing_half(&self) -> u64 {
        if self.passing.is_some() { self.kings.pairs.len() as u64 * 14 * self.third() } else { 0 }
    }

    /// All numbers.
    pub fn size(&self) -> u64 {
        self.halves() * (self.half + self.passing_half())
    }

    /// The number of a position, apart from captures in passing; none where kings touch. In symmetric endings White
    /// must be to move.
    #[inline]
    pub fn index(&self, men: Men) -> Option<u64> {
        let (kings, s) = self.kings.place(men.kings[0], men.kings[1])?;
        let pieces = if s == 0 { men.pieces } else { men.pieces.map(|square| turned(square & 63, s)) };
        let within =
            self.groups.iter().fold(kings as u64, |index, group| index * group.size() + group.rank(pieces));
        Some(within + if men.mover == Player::FIRST { 0 } else { self.half })
    }

    /// The men of a number, and the square that a pawn has just passed; whether they can stand so is another
    /// question.
    pub fn men(&self, index: u64) -> (Men, Option<u8>) {
        let plain = self.halves() * self.half;
        if index >= plain {
            let number = index - plain;
            let mover = Player((number / self.passing_half().max(1)) as u8);
            let (men, passed, _) = self.passing_men(mover, number % self.passing_half().max(1));
            return (men, Some(passed));
        }
        let (mut rest, mut pieces) = (index % self.half, [0; MOST]);
        for group in self.groups.iter().rev() {
            group.unrank(rest % group.size(), &mut pieces);
            rest /= group.size();
        }
        let (white, black) = self.kings.pairs[rest as usize];
        (Men { kings: [white, black], pieces, mover: Player((index / self.half) as u8) }, None)
    }

    /// The number of a position in which the pawn that has just passed `passed` can be captured.
    pub fn passing_index(&self, men: Men, passed: u8) -> Option<u64> {
        let [taken, taker, third] = self.passing?[men.mover.index()];
        let (kings, s) = self.kings.place(men.kings[0], men.kings[1])?;
        let pieces = men.pieces.map(|square| turned(square & 63, s));
        let file = usize::from(turned(passed, s) % 8);
        let rank = if men.mover == Player::FIRST { 4 } else { 3 };
        // Of two like pawns either may be the one in question: sets have no order.
        let alike = |a: usize, b: usize| self.pieces.get(a) == self.pieces.get(b);
        let third_as = |role: usize| alike(role, third) && third < self.pieces.len();
        let at = |square: Option<usize>, role: usize| {
            let place = (rank * 8 + square?) as u8;
            if pieces[role] == place {
                Some(false)
            } else {
                (third_as(role) && pieces[third] == place).then_some(true)
            }
        };
        let (west, east) = (file.checked_sub(1), (file < 7).then_some(file + 1));
        let taken_swapped = at(Some(file), taken)?;
        let (way, taker_swapped) = match (at(west, taker), at(east, taker)) {
            (Some(swapped), _) => (2 * file - 1, swapped),
            (None, Some(swapped)) => (2 * file, swapped),
            (None, None) => return None,
        };
        let other = match (taken_swapped, taker_swapped) {
            (true, _) => pieces[taken],
            (_, true) => pieces[taker],
            _ => pieces[third.min(MOST - 1)],
        };
        let digit = match self.third() {
            1 => 0,
            48 => u64::from(other) - 8,
            _ => u64::from(other),
        };
        let within = (kings as u64 * 14 + way as u64) * self.third() + digit;
        let mover = if men.mover == Player::FIRST { 0 } else { self.passing_half() };
        Some(self.halves() * self.half + mover + within)
    }

    /// The men with this number among those of a side that can capture in passing, the square passed, and the
    /// number among all.
    pub fn passing_men(&self, mover: Player, within: u64) -> (Men, u8, u64) {
        let index = self.halves() * self.half + u64::from(mover.0) * self.passing_half() + within;
        let digit = (within % self.third()) as u8;
        let way = (within / self.third() % 14) as u8;
        let (white, black) = self.kings.pairs[(within / self.third() / 14) as usize];
        let (file, beside) = if way % 2 == 1 { (way / 2 + 1, way / 2) } else { (way / 2, way / 2 + 1) };
        let (rank, passed) = if mover == Player::FIRST { (4, 5) } else { (3, 2) };
        let mut pieces = [0; MOST];
        if let Some([taken, taker, third]) = self.passing.map(|p| p[mover.index()]) {
            pieces[taken] = rank * 8 + file;
            pieces[taker] = rank * 8 + beside;
            if third < self.pieces.len() {
                pieces[third] = digit + if self.third() == 48 { 8 } else { 0 };
            }
        }
        (Men { kings: [white, black], pieces, mover }, passed * 8 + file, index)
    }

    /// The position of these men, if it is one.
    pub fn board(&self, men: Men, passed: Option<u8>) -> Option<Board> {
        let mut list = [(0, Kind::King, Player::FIRST); MOST + 2];
        list[0].0 = men.kings[0];
        list[1] = (men.kings[1], Kind::King, Player::SECOND);
        for (slot, (&square, &(kind, player))) in
            list[2..].iter_mut().zip(men.pieces.iter().zip(&self.pieces))
        {
            *slot = (square, kind, player);
        }
        Board::of_pieces(&list[..2 + self.pieces.len()], men.mover, passed)
    }
}
