//! A position of an m,n,k game: the stones and who has won.
//!
//! A move on a large board costs a look along the four lines through its cell. On one word it is quicker to
//! shift the whole board onto itself.

use super::LARGEST;
use crate::bits::Bits;
use crate::grid::{Cell, Direction, Grid, cell_words};
use crate::holding::{OpenLine, by_pairs, by_weights};
use crate::stones::{Stones, starts_of_runs};
use endspiel_game::{
    Notation, Payoff, Player, Position, Rng, Symmetric, TextError, Turn, TwoPlayer, notation::shorten,
};

/// The signs of the players in texts.
pub(super) const SIGNS: [char; 2] = ['x', 'o'];

/// A state of an m,n,k game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MnkPosition<const WORDS: usize> {
    stones: Stones<WORDS>,
    line: u8,
    winner: Option<Player>,
}

/// The cells of the columns before the given one, by the width of the board.
const COLUMNS_BEFORE: [[u64; LARGEST + 1]; LARGEST + 1] = columns_before();

const fn columns_before() -> [[u64; LARGEST + 1]; LARGEST + 1] {
    let mut sets = [[0; LARGEST + 1]; LARGEST + 1];
    let mut width = 1;
    while width <= LARGEST {
        let mut cell = 0;
        while cell < 64 {
            let mut column = cell % width + 1;
            while column <= width {
                sets[width][column] |= 1 << cell;
                column += 1;
            }
            cell += 1;
        }
        width += 1;
    }
    sets
}

/// Is there a line of at least `line` stones on a board of one word?
#[inline]
fn has_line(stones: u64, width: usize, line: usize) -> bool {
    // The cells from which `line` stones follow each other at the same distance.
    let starts = |distance: usize| {
        let (mut found, mut length) = (stones, 1);
        while length < line {
            let more = length.min(line - length);
            found &= found.checked_shr((more * distance) as u32).unwrap_or(0);
            length += more;
        }
        found
    };
    // Lines that go to the right must not run over the edge, nor those that go to the left.
    let right = COLUMNS_BEFORE[width][(width + 1).saturating_sub(line)];
    let left = if line <= width { !COLUMNS_BEFORE[width][line - 1] } else { 0 };
    (starts(1) | starts(width + 1)) & right | starts(width - 1) & left | starts(width) != 0
}

impl<const WORDS: usize> MnkPosition<WORDS> {
    /// The empty board.
    pub(super) fn start(grid: Grid, line: u8) -> Self {
        Self { stones: Stones::new(grid, [Bits::EMPTY; 2], Player::FIRST), line, winner: None }
    }

    pub(super) fn read(grid: Grid, line: u8, text: &str) -> Result<Self, TextError> {
        let (sets, mover) = grid.read(text, SIGNS)?;
        let mut position = Self { stones: Stones::new(grid, sets, mover), line, winner: None };
        let has_line = |player: Player| position.line_of(player).is_some();
        position.winner = match (has_line(Player::FIRST), has_line(Player::SECOND)) {
            (true, true) => return Err(TextError::new(0, "both players have a line", "one line at most")),
            (true, _) => Some(Player::FIRST),
            (_, true) => Some(Player::SECOND),
            _ => None,
        };
        if position.winner == Some(mover) {
            let [won, lost] = [mover, mover.other()].map(|player| SIGNS[player.index()]);
            let what = format!("{won} has a line and is to move");
            return Err(TextError::new(
                text.trim_end().len() - 1,
                what,
                format!("{lost} to move after a win"),
            ));
        }
        Ok(position)
    }

    /// The stones on the board.
    #[inline]
    pub fn stones(&self) -> &Stones<WORDS> {
        &self.stones
    }

    /// How long a winning line is.
    pub fn line(&self) -> usize {
        self.line as usize
    }

    /// The ends of a winning line of `player`, if there is one.
    pub fn line_of(&self, player: Player) -> Option<(usize, usize)> {
        let (grid, stones) = (self.stones.grid(), self.stones.of(player));
        stones.iter().find_map(|cell| {
            Direction::ALL.iter().find_map(|&direction| {
                let (first, last, length) = grid.run(stones, cell, direction);
                (length >= self.line as usize).then_some((first, last))
            })
        })
    }
}

impl<const WORDS: usize> Position for MnkPosition<WORDS> {
    type Move = Cell;

    #[inline]
    fn turn(&self) -> Turn {
        if self.winner.is_some() || self.stones.empty_count() == 0 {
            Turn::Over
        } else {
            Turn::Player(self.stones.mover())
        }
    }

    #[inline]
    fn moves(&self, mut each: impl FnMut(Cell)) {
        if self.winner.is_none() {
            self.stones.empty().iter().for_each(|cell| each(Cell(cell as u16)));
        }
    }

    #[inline]
    fn play(&mut self, m: Cell) {
        let player = self.stones.mover();
        self.stones.place(m.index());
        let (grid, line, stones) = (self.stones.grid(), self.line as usize, self.stones.of(player));
        let wins = match stones.0[..] {
            [word] => has_line(word, grid.width as usize, line),
            _ => Direction::ALL.iter().any(|&d| grid.run(stones, m.index(), d).2 >= line),
        };
        if wins {
            self.winner = Some(player);
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
        if self.winner.is_some() { 0 } else { self.stones.empty_count() }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Cell> {
        let pick = rng.below(self.count_moves());
        if self.winner.is_some() { None } else { self.stones.empty().nth(pick).map(|cell| Cell(cell as u16)) }
    }

    #[inline]
    fn playout(&mut self, rng: &mut Rng, limit: usize) -> Payoff {
        if self.winner.is_none() {
            let length = self.line as usize;
            self.winner = self.stones.play_at_random(rng, limit, |_, line| starts_of_runs(line, length) != 0);
        }
        self.payoff()
    }
}

impl<const WORDS: usize> TwoPlayer for MnkPosition<WORDS> {
    fn turned(&self) -> Option<Self> {
        let stones = self.stones.turned();
        self.turn().player().map(|_| Self { stones, ..*self })
    }

    #[inline]
    fn score_range(&self) -> (i32, i32) {
        if self.turn().is_over() {
            let score = self.payoff().of(Player::FIRST);
            return (score, score);
        }
        // On one word it is quickly seen whether a player could still make a line if all empty cells were theirs.
        let (width, line) = (self.stones.grid().width as usize, self.line as usize);
        let can_win = |player: Player| match (*self.stones.of(player) | self.stones.empty()).0[..] {
            [word] => has_line(word, width, line),
            _ => true,
        };
        (-i32::from(can_win(Player::SECOND)), i32::from(can_win(Player::FIRST)))
    }

    /// Can the other player be kept from completing a line, by pairs of cells or by the weight of his lines? Images
    /// of a position are told alike.
    fn secured(&self, player: Player, at_least: i32) -> bool {
        if at_least > 0 || self.turn().is_over() {
            return false;
        }
        let stones = self.canonical().0.stones;
        let (grid, attacker, empty) = (stones.grid(), player.other(), stones.empty());
        let attacker_moves = stones.mover() == attacker;
        let moves = if attacker_moves { empty.len().div_ceil(2) } else { empty.len() / 2 };
        let mut lines = Vec::new();
        let mut run = 0;
        for direction in Direction::ALL {
            for first in 0..grid.cells() {
                let (step, back, forth) = grid.reach(first, direction);
                if back > 0 {
                    continue;
                }
                run += 1;
                for skipped in 0..(forth + 2).saturating_sub(self.line()) {
                    let cells: Bits<WORDS> =
                        (skipped..).take(self.line()).map(|i| first + i * step).collect();
                    let line = OpenLine { run: run - 1, empty: cells & empty };
                    if (cells & *stones.of(player)).is_empty() && line.empty.len() <= moves {
                        lines.push(line);
                    }
                }
            }
        }
        by_weights(&lines, self.line(), attacker_moves) || by_pairs(lines.into_iter(), empty.len())
    }

    fn how_secured(player: &str, other: &str) -> String {
        format!(
            "{player} has an answer to each stone of {other}'s so that no line of {other}'s is ever completed"
        )
    }

    fn winning_move(&self, likely: Option<Cell>) -> Option<Cell> {
        if self.winner.is_some() {
            return None;
        }
        let (grid, own) = (self.stones.grid(), self.stones.of(self.stones.mover()));
        let wins = |m: &Cell| {
            let length = |direction| grid.run(own, m.index(), direction).2;
            self.stones.empty().contains(m.index())
                && Direction::ALL.into_iter().any(|direction| length(direction) >= self.line as usize)
        };
        if likely.as_ref().is_some_and(wins) {
            return likely;
        }
        self.stones.completing(self.line as usize, |_| true).map(|cell| Cell(cell as u16))
    }
}

impl<const WORDS: usize> Notation for MnkPosition<WORDS> {
    fn write_move(&self, m: Cell) -> String {
        self.stones.grid().name(m.index())
    }

    fn write(&self) -> String {
        self.stones.write(SIGNS)
    }

    fn read_move(&self, text: &str) -> Result<Cell, TextError> {
        if self.turn().is_over() {
            let what = format!("the game is over before '{}'", shorten(text));
            return Err(TextError::new(0, what, "no more moves"));
        }
        self.stones.grid().read_empty(text, &self.stones.taken())
    }

    fn move_words<'a>(&self, text: &'a str) -> Vec<(usize, &'a str)> {
        cell_words(text)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.stones.encode(out);
    }
}

impl<const WORDS: usize> Symmetric for MnkPosition<WORDS> {
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
