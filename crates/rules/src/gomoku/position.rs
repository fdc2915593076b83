//! A position of go-moku or renju: the stones, the rule, and whether it is over.

use super::renju::{Forbidden, all_forbidden, forbidden};
use crate::bits::Bits;
use crate::grid::{Cell, Direction, Grid};
use crate::stones::{Stones, starts_of_runs};
use endspiel_game::{Payoff, Player, Position, Rng, Symmetric, TextError, Turn, TwoPlayer};

/// Which lines win, and what is forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more win.
    Free,
    /// Exactly five win.
    Standard,
    /// Exactly five win for Black, five or more for White; overlines, double fours and double threes are
    /// forbidden to Black.
    Renju,
}

impl Rule {
    /// Does an unbroken line of so many stones win for `player`?
    #[inline]
    pub fn wins(self, player: Player, length: usize) -> bool {
        match (self, player) {
            (Self::Free, _) | (Self::Renju, Player::SECOND) => length >= 5,
            (Self::Standard | Self::Renju, _) => length == 5,
        }
    }
}

/// A state of go-moku or renju.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GomokuPosition<const WORDS: usize> {
    stones: Stones<WORDS>,
    rule: Rule,
    winner: Option<Player>,
    /// Is Black to move and every empty cell forbidden?
    stuck: bool,
}

impl<const WORDS: usize> GomokuPosition<WORDS> {
    pub(super) fn start(grid: Grid, rule: Rule) -> Self {
        Self { stones: Stones::new(grid, [Bits::EMPTY; 2], Player::FIRST), rule, winner: None, stuck: false }
    }

    /// The position with these stones: not both players have won, and who has is not to move.
    pub(super) fn new(
        grid: Grid,
        rule: Rule,
        sets: [Bits<WORDS>; 2],
        mover: Player,
    ) -> Result<Self, TextError> {
        let mut position = Self { stones: Stones::new(grid, sets, mover), rule, winner: None, stuck: false };
        let has_line = |player: Player| position.line_of(player).is_some();
        position.winner = match (has_line(Player::FIRST), has_line(Player::SECOND)) {
            (true, true) => return Err(TextError::new(0, "both players have a line", "one line at most")),
            (true, _) => Some(Player::FIRST),
            (_, true) => Some(Player::SECOND),
            _ => None,
        };
        if position.winner == Some(mover) {
            let what = "who is to move has a line already";
            return Err(TextError::new(0, what, "the other player to move after a win"));
        }
        position.stuck = position.is_stuck();
        Ok(position)
    }

    /// The stones on the board.
    #[inline]
    pub fn stones(&self) -> &Stones<WORDS> {
        &self.stones
    }

    /// The rule.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The ends of a winning line of `player`, if there is one.
    pub fn line_of(&self, player: Player) -> Option<(usize, usize)> {
        let (grid, stones) = (self.stones.grid(), self.stones.of(player));
        stones.iter().find_map(|cell| {
            Direction::ALL.iter().find_map(|&direction| {
                let (first, last, length) = grid.run(stones, cell, direction);
                self.rule.wins(player, length).then_some((first, last))
            })
        })
    }

    /// Why the empty `cell` is forbidden to Black, if it is.
    pub fn forbidden(&self, cell: usize) -> Option<Forbidden> {
        if self.rule != Rule::Renju {
            return None;
        }
        forbidden(self.stones.grid(), self.stones.of(Player::FIRST), self.stones.of(Player::SECOND), cell)
    }

    /// The empty cells that are forbidden to Black, whoever is to move.
    pub fn all_forbidden(&self) -> Bits<WORDS> {
        if self.rule != Rule::Renju {
            return Bits::EMPTY;
        }
        all_forbidden(self.stones.grid(), self.stones.of(Player::FIRST), self.stones.of(Player::SECOND))
    }

    /// Do the rules keep the player to move from some empty cells?
    #[inline]
    pub(super) fn is_restricted(&self) -> bool {
        self.rule == Rule::Renju && self.stones.mover() == Player::FIRST
    }

    fn is_stuck(&self) -> bool {
        self.is_restricted()
            && self.winner.is_none()
            && self.stones.empty_count() > 0
            && self.stones.empty().iter().all(|cell| self.forbidden(cell).is_some())
    }

    /// The cells on which the player to move may put a stone, if the game goes on.
    fn allowed(&self) -> Bits<WORDS> {
        let empty = self.stones.empty();
        if self.is_restricted() { empty.without(self.all_forbidden()) } else { empty }
    }
}

impl<const WORDS: usize> Position for GomokuPosition<WORDS> {
    type Move = Cell;

    #[inline]
    fn turn(&self) -> Turn {
        if self.winner.is_some() || self.stuck || self.stones.empty_count() == 0 {
            Turn::Over
        } else {
            Turn::Player(self.stones.mover())
        }
    }

    #[inline]
    fn moves(&self, mut each: impl FnMut(Cell)) {
        if self.winner.is_none() && !self.stuck {
            self.allowed().iter().for_each(|cell| each(Cell(cell as u16)));
        }
    }

    #[inline]
    fn play(&mut self, m: Cell) {
        let player = self.stones.mover();
        self.stones.place(m.index());
        let (grid, rule, stones) = (self.stones.grid(), self.rule, self.stones.of(player));
        if Direction::ALL.iter().any(|&d| rule.wins(player, grid.run(stones, m.index(), d).2)) {
            self.winner = Some(player);
        }
        if rule == Rule::Renju {
            self.stuck = self.is_stuck();
        }
    }

    #[inline]
    fn payoff(&self) -> Payoff {
        self.winner.map_or(Payoff::DRAW, Payoff::win)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.stones.key()
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.winner.is_some() || self.stuck {
            0
        } else if self.is_restricted() {
            self.allowed().len()
        } else {
            self.stones.empty_count()
        }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Cell> {
        if self.turn().is_over() {
            return None;
        }
        let empty = self.stones.empty();
        // A forbidden cell is thrown away and another one drawn; few cells are. All are looked at only if
        // chance hits them again and again.
        for _ in 0..16 {
            let cell = empty.nth(rng.below(self.stones.empty_count()))?;
            if !self.is_restricted() || self.forbidden(cell).is_none() {
                return Some(Cell(cell as u16));
            }
        }
        let allowed = self.allowed();
        allowed.nth(rng.below(allowed.len())).map(|cell| Cell(cell as u16))
    }

    #[inline]
    fn playout(&mut self, rng: &mut Rng, limit: usize) -> Payoff {
        if self.rule != Rule::Renju && self.winner.is_none() {
            let exactly = self.rule == Rule::Standard;
            self.winner = self.stones.play_at_random(rng, limit, |_, line| {
                let fives = starts_of_runs(line, 5);
                // A line of exactly five has one start of a five, a longer one has neighbouring starts.
                let longer = if exactly { fives << 1 | fives >> 1 } else { 0 };
                fives & !longer != 0
            });
            return self.payoff();
        }
        for _ in 0..limit {
            match self.random_move(rng) {
                Some(m) => self.play(m),
                None => break,
            }
        }
        self.payoff()
    }
}

impl<const WORDS: usize> TwoPlayer for GomokuPosition<WORDS> {
    fn turned(&self) -> Option<Self> {
        self.turn().player()?;
        let mut turned = Self { stones: self.stones.turned(), ..*self };
        turned.stuck = turned.is_stuck();
        Some(turned)
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

    fn winning_move(&self, likely: Option<Cell>) -> Option<Cell> {
        if self.winner.is_some() {
            return None;
        }
        let (grid, player) = (self.stones.grid(), self.stones.mover());
        let wins = |cell: usize| {
            let length = |direction| grid.run(self.stones.of(player), cell, direction).2;
            Direction::ALL.into_iter().any(|direction| self.rule.wins(player, length(direction)))
                && !(self.is_restricted() && self.forbidden(cell).is_some())
        };
        let is_empty = |m: &Cell| self.stones.empty().contains(m.index());
        if likely.as_ref().is_some_and(|m| is_empty(m) && wins(m.index())) {
            return likely;
        }
        self.stones.completing(5, wins).map(|cell| Cell(cell as u16))
    }
}

impl<const WORDS: usize> Symmetric for GomokuPosition<WORDS> {
    #[inline]
    fn symmetries(&self) -> usize {
        self.stones.grid().symmetries()
    }

    fn image(&self, s: usize) -> Self {
        Self { stones: self.stones.image(s), ..*self }
    }

    #[inline]
    fn image_move(&self, m: Cell, s: usize) -> Cell {
        self.stones.image_cell(m, s)
    }

    fn canonical(&self) -> (Self, usize) {
        let (_, s) = self.stones.least_image();
        (self.image(s), s)
    }

    #[inline]
    fn canonical_key(&self) -> u64 {
        self.stones.least_image().0
    }
}
