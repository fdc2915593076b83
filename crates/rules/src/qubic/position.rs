//! A position of Qubic: two machine words, who is to move and who has won.

use super::lines::{LINES, THROUGH};
use super::symmetry::{MAPS, SYMMETRIES, image_of, least_image};
use crate::bits::{Bits, select};
use crate::grid::Cell;
use endspiel_game::{Payoff, Player, Position, Rng, Symmetric, TextError, Turn, TwoPlayer, mix};

/// A state of Qubic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QubicPosition {
    stones: [u64; 2],
    mover: Player,
    winner: Option<Player>,
}

impl QubicPosition {
    /// The empty board.
    pub(super) const START: Self = Self { stones: [0; 2], mover: Player::FIRST, winner: None };

    /// The position with these stones; at most one player has a line, and is not to move.
    pub fn new(stones: [u64; 2], mover: Player) -> Result<Self, TextError> {
        if stones[0] & stones[1] != 0 {
            let cube = (stones[0] & stones[1]).trailing_zeros();
            return Err(TextError::new(0, format!("cube {cube} is taken twice"), "one stone a cube"));
        }
        let has_line = |player: Player| line_in(stones[player.index()]).is_some();
        let winner = match (has_line(Player::FIRST), has_line(Player::SECOND)) {
            (true, true) => return Err(TextError::new(0, "both players have a line", "one line at most")),
            (true, _) => Some(Player::FIRST),
            (_, true) => Some(Player::SECOND),
            _ => None,
        };
        if winner == Some(mover) {
            let what = "who is to move has a line already";
            return Err(TextError::new(0, what, "the other player to move after a win"));
        }
        Ok(Self { stones, mover, winner })
    }

    /// The cubes of a player's stones: cube x + 4y + 16z is that bit.
    #[inline]
    pub fn stones(&self, player: Player) -> u64 {
        self.stones[player.index()]
    }

    /// The empty cubes.
    #[inline]
    pub fn empty(&self) -> u64 {
        !(self.stones[0] | self.stones[1])
    }

    /// Who is or would be to move, also after the end.
    pub(super) fn next(&self) -> Player {
        self.mover
    }

    /// The line of the winner, as a set of cubes.
    pub fn winning_line(&self) -> Option<u64> {
        self.winner.and_then(|player| line_in(self.stones[player.index()]))
    }

    /// The stones as the shared boards have them.
    pub(super) fn as_bits(&self) -> [Bits<1>; 2] {
        self.stones.map(|set| Bits([set]))
    }
}

fn line_in(stones: u64) -> Option<u64> {
    LINES.into_iter().find(|&line| stones & line == line)
}

/// The hash: without collisions between positions with the same black stones.
#[inline]
const fn hash(stones: [u64; 2], mover: Player) -> u64 {
    mix(stones[0] ^ mix(stones[1] ^ mix(mover.0 as u64)))
}

impl Position for QubicPosition {
    type Move = Cell;

    #[inline]
    fn turn(&self) -> Turn {
        if self.winner.is_some() || self.empty() == 0 { Turn::Over } else { Turn::Player(self.mover) }
    }

    #[inline]
    fn moves(&self, mut each: impl FnMut(Cell)) {
        if self.winner.is_none() {
            let mut rest = self.empty();
            while rest != 0 {
                each(Cell(rest.trailing_zeros() as u16));
                rest &= rest - 1;
            }
        }
    }

    #[inline]
    fn play(&mut self, m: Cell) {
        let own = &mut self.stones[self.mover.index()];
        *own |= 1 << m.0;
        let missing = !*own;
        if THROUGH[m.index()].iter().any(|line| line & missing == 0) {
            self.winner = Some(self.mover);
        }
        self.mover = self.mover.other();
    }

    #[inline]
    fn payoff(&self) -> Payoff {
        self.winner.map_or(Payoff::DRAW, Payoff::win)
    }

    #[inline]
    fn key(&self) -> u64 {
        hash(self.stones, self.mover)
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.winner.is_some() { 0 } else { self.empty().count_ones() as usize }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Cell> {
        let count = self.count_moves();
        (count > 0).then(|| Cell(select(self.empty(), rng.below(count)) as u16))
    }
}

impl TwoPlayer for QubicPosition {
    fn turned(&self) -> Option<Self> {
        self.turn().player().map(|mover| Self { mover: mover.other(), ..*self })
    }

    #[inline]
    fn score_range(&self) -> (i32, i32) {
        if self.turn().is_over() {
            let score = self.payoff().of(Player::FIRST);
            (score, score)
        } else {
            (-1, 1)
        }
    }

    #[inline]
    fn winning_move(&self, likely: Option<Cell>) -> Option<Cell> {
        if self.winner.is_some() {
            return None;
        }
        let (own, empty) = (self.stones[self.mover.index()], self.empty());
        if let Some(m) = likely.filter(|m| empty >> m.0 & 1 == 1) {
            let missing = !(own | 1 << m.0);
            if THROUGH[m.index()].iter().any(|line| line & missing == 0) {
                return likely;
            }
        }
        let mut found = 0;
        for line in LINES {
            let missing = line & !own;
            found |= if missing.is_power_of_two() { missing & empty } else { 0 };
        }
        (found != 0).then(|| Cell(found.trailing_zeros() as u16))
    }
}

impl Symmetric for QubicPosition {
    #[inline]
    fn symmetries(&self) -> usize {
        SYMMETRIES
    }

    fn image(&self, s: usize) -> Self {
        Self { stones: self.stones.map(|set| image_of(set, s)), ..*self }
    }

    #[inline]
    fn image_move(&self, m: Cell, s: usize) -> Cell {
        Cell(u16::from(MAPS[s][m.index()]))
    }

    fn canonical(&self) -> (Self, usize) {
        let (stones, s) = least_image(self.stones);
        (Self { stones, ..*self }, s)
    }

    #[inline]
    fn canonical_key(&self) -> u64 {
        hash(least_image(self.stones).0, self.mover)
    }
}
