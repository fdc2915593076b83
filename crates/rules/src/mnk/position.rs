//! A position of an m,n,k game: two sets of cells, the hash, and who has won.
//!
//! A move on a large board costs a look along the four lines through its cell. On one word it is quicker to
//! shift the whole board onto itself.

use super::LARGEST;
use crate::bits::Bits;
use crate::grid::{Cell, Direction, Grid, cell_words, encode};
use endspiel_game::{
    Notation, Payoff, Player, Position, Rng, Symmetric, TextError, Turn, TwoPlayer, mix, notation::shorten,
};

/// The signs of the players in texts.
pub(super) const SIGNS: [char; 2] = ['x', 'o'];

/// A state of an m,n,k game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MnkPosition<const WORDS: usize> {
    stones: [Bits<WORDS>; 2],
    key: u64,
    grid: Grid,
    line: u8,
    mover: Player,
    winner: Option<Player>,
    empty: u16,
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

/// The part of the hash of a stone.
#[inline]
const fn stone_key(cell: usize, player: Player) -> u64 {
    mix(2 * cell as u64 + player.0 as u64)
}

/// The part of the hash of the player to move.
const fn mover_key(player: Player) -> u64 {
    mix(1 << 32 | player.0 as u64)
}

const TURN_KEY: u64 = mover_key(Player::FIRST) ^ mover_key(Player::SECOND);

impl<const WORDS: usize> MnkPosition<WORDS> {
    /// A position with no line on the board.
    pub(super) fn new(grid: Grid, line: u8, stones: [Bits<WORDS>; 2], mover: Player) -> Self {
        let mut key = mover_key(mover);
        for player in [Player::FIRST, Player::SECOND] {
            stones[player.index()].iter().for_each(|cell| key ^= stone_key(cell, player));
        }
        let empty = (grid.cells() - (stones[0] | stones[1]).len()) as u16;
        Self { stones, key, grid, line, mover, winner: None, empty }
    }

    pub(super) fn read(grid: Grid, line: u8, text: &str) -> Result<Self, TextError> {
        let (stones, mover) = grid.read(text, SIGNS)?;
        let mut position = Self::new(grid, line, stones, mover);
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

    /// The board.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// How long a winning line is.
    pub fn line(&self) -> usize {
        self.line as usize
    }

    /// The cells of a player's stones.
    #[inline]
    pub fn stones(&self, player: Player) -> Bits<WORDS> {
        self.stones[player.index()]
    }

    /// The empty cells.
    #[inline]
    pub fn empty(&self) -> Bits<WORDS> {
        Bits::first(self.grid.cells()).without(self.stones[0] | self.stones[1])
    }

    /// The ends of a winning line of `player`, if there is one.
    pub fn line_of(&self, player: Player) -> Option<(usize, usize)> {
        let stones = &self.stones[player.index()];
        stones.iter().find_map(|cell| {
            Direction::ALL.iter().find_map(|&direction| {
                let (first, last, length) = self.grid.run(stones, cell, direction);
                (length >= self.line as usize).then_some((first, last))
            })
        })
    }

    /// The hash of the image under a symmetry, without making the image.
    fn image_key(&self, s: usize) -> u64 {
        let mut key = mover_key(self.mover);
        for player in [Player::FIRST, Player::SECOND] {
            for cell in self.stones[player.index()].iter() {
                key ^= stone_key(self.grid.image(cell, s), player);
            }
        }
        key
    }

    /// The symmetry whose image has the least hash, and that hash.
    fn least_image(&self) -> (u64, usize) {
        let rest = (1..self.symmetries()).map(|s| (self.image_key(s), s));
        rest.fold((self.key, 0), Ord::min)
    }
}

impl<const WORDS: usize> Position for MnkPosition<WORDS> {
    type Move = Cell;

    #[inline]
    fn turn(&self) -> Turn {
        if self.winner.is_some() || self.empty == 0 { Turn::Over } else { Turn::Player(self.mover) }
    }

    #[inline]
    fn moves(&self, mut each: impl FnMut(Cell)) {
        if self.winner.is_none() {
            self.empty().iter().for_each(|cell| each(Cell(cell as u16)));
        }
    }

    #[inline]
    fn play(&mut self, m: Cell) {
        let cell = m.index();
        let stones = &mut self.stones[self.mover.index()];
        stones.insert(cell);
        let line = self.line as usize;
        let wins = match stones.0[..] {
            [word] => has_line(word, self.grid.width as usize, line),
            _ => Direction::ALL.iter().any(|&d| self.grid.run(stones, cell, d).2 >= line),
        };
        if wins {
            self.winner = Some(self.mover);
        }
        self.key ^= stone_key(cell, self.mover) ^ TURN_KEY;
        self.mover = self.mover.other();
        self.empty -= 1;
    }

    #[inline]
    fn payoff(&self) -> Payoff {
        self.winner.map_or(Payoff::DRAW, Payoff::win)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.winner.is_some() { 0 } else { self.empty as usize }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Cell> {
        let pick = rng.below(self.count_moves());
        if self.winner.is_some() { None } else { self.empty().nth(pick).map(|cell| Cell(cell as u16)) }
    }
}

impl<const WORDS: usize> TwoPlayer for MnkPosition<WORDS> {
    #[inline]
    fn score_range(&self) -> (i32, i32) {
        if self.turn().is_over() {
            let score = self.payoff().of(Player::FIRST);
            (score, score)
        } else {
            (-1, 1)
        }
    }
}

impl<const WORDS: usize> Notation for MnkPosition<WORDS> {
    fn write_move(&self, m: Cell) -> String {
        self.grid.name(m.index())
    }

    fn write(&self) -> String {
        self.grid.write(&self.stones, self.mover, SIGNS)
    }

    fn read_move(&self, text: &str) -> Result<Cell, TextError> {
        if self.turn().is_over() {
            let what = format!("the game is over before '{}'", shorten(text));
            return Err(TextError::new(0, what, "no more moves"));
        }
        self.grid.read_empty(text, &(self.stones[0] | self.stones[1]))
    }

    fn move_words<'a>(&self, text: &'a str) -> Vec<(usize, &'a str)> {
        cell_words(text)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        encode(&self.stones, self.grid.cells(), self.mover, out);
    }
}

impl<const WORDS: usize> Symmetric for MnkPosition<WORDS> {
    #[inline]
    fn symmetries(&self) -> usize {
        self.grid.symmetries()
    }

    fn image(&self, s: usize) -> Self {
        let stones = self.stones.map(|set| set.iter().map(|cell| self.grid.image(cell, s)).collect());
        Self { stones, key: self.image_key(s), ..*self }
    }

    #[inline]
    fn image_move(&self, m: Cell, s: usize) -> Cell {
        Cell(self.grid.image(m.index(), s) as u16)
    }

    fn canonical(&self) -> (Self, usize) {
        let (_, s) = self.least_image();
        (self.image(s), s)
    }

    #[inline]
    fn canonical_key(&self) -> u64 {
        self.least_image().0
    }
}
