//! Stones of two players on a rectangular board, put down in turn and never moved: what the games of lines
//! have in common.
//!
//! The hash is the exclusive or of a number a stone and one for the player to move; putting a stone down
//! changes two of them.

use crate::bits::Bits;
use crate::grid::{Cell, Direction, Grid, encode};
use endspiel_game::{Player, Rng, mix};

/// The longest side of a board.
pub const LONGEST: usize = 20;

/// Room for the parallel lines of one direction.
const PARALLEL: usize = 2 * LONGEST;

/// Both players' stones, who is to move, and the hash of it all. Boards have sides of at most [`LONGEST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stones<const WORDS: usize> {
    sets: [Bits<WORDS>; 2],
    key: u64,
    grid: Grid,
    mover: Player,
    empty: u16,
}

/// The places in a word from which at least `length` ones follow each other.
#[inline]
pub fn starts_of_runs(line: u32, length: usize) -> u32 {
    let (mut starts, mut so_far) = (line, 1);
    while so_far < length {
        let more = so_far.min(length - so_far);
        starts &= starts >> more;
        so_far += more;
    }
    starts
}

/// The part of the hash of a stone, by cell and player.
static STONE_KEYS: [[u64; 2]; LONGEST * LONGEST] = stone_keys();

const fn stone_keys() -> [[u64; 2]; LONGEST * LONGEST] {
    let mut keys = [[0; 2]; LONGEST * LONGEST];
    let mut cell = 0;
    while cell < keys.len() {
        keys[cell] = [mix(2 * cell as u64), mix(2 * cell as u64 + 1)];
        cell += 1;
    }
    keys
}

/// The part of the hash of the player to move.
const fn mover_key(player: Player) -> u64 {
    mix(1 << 32 | player.0 as u64)
}

const TURN_KEY: u64 = mover_key(Player::FIRST) ^ mover_key(Player::SECOND);

impl<const WORDS: usize> Stones<WORDS> {
    /// These stones on a board that has room for them.
    pub fn new(grid: Grid, sets: [Bits<WORDS>; 2], mover: Player) -> Self {
        let empty = (grid.cells() - (sets[0] | sets[1]).len()) as u16;
        let mut stones = Self { sets, key: 0, grid, mover, empty };
        stones.key = stones.image_keys()[0];
        stones
    }

    /// The board.
    #[inline]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Who puts down the next stone.
    #[inline]
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// The same stones with the other player to move.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self { mover: self.mover.other(), key: self.key ^ TURN_KEY, ..*self }
    }

    /// The hash.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The cells of a player's stones.
    #[inline]
    pub fn of(&self, player: Player) -> &Bits<WORDS> {
        &self.sets[player.index()]
    }

    /// All cells with a stone.
    #[inline]
    pub fn taken(&self) -> Bits<WORDS> {
        self.sets[0] | self.sets[1]
    }

    /// The empty cells.
    #[inline]
    pub fn empty(&self) -> Bits<WORDS> {
        Bits::first(self.grid.cells()).without(self.taken())
    }

    /// How many empty cells there are.
    #[inline]
    pub fn empty_count(&self) -> usize {
        self.empty as usize
    }

    /// The player to move puts a stone on an empty cell.
    #[inline]
    pub fn place(&mut self, cell: usize) {
        self.sets[self.mover.index()].insert(cell);
        self.key ^= STONE_KEYS[cell][self.mover.index()] ^ TURN_KEY;
        self.mover = self.mover.other();
        self.empty -= 1;
    }

    /// Puts stones down at random, at most `limit` of them, until `has_line` says of a player's stones on a
    /// line through the last one that they win. Who won, if anybody.
    pub fn play_at_random(
        &mut self,
        rng: &mut Rng,
        limit: usize,
        has_line: impl Fn(Player, u32) -> bool,
    ) -> Option<Player> {
        let grid = self.grid;
        // Every line of the board as a word a player: rows, columns, and both kinds of diagonals.
        let mut lines = [[0u32; 4 * PARALLEL]; 2];
        let through = |cell: usize| {
            let (column, row) = grid.column_row(cell);
            let rising = column + grid.height as usize - 1 - row;
            let words = [row, column, rising, column + row];
            let bits = [column, row, column, column];
            std::array::from_fn::<_, 4, _>(|i| (i * PARALLEL + words[i], 1 << bits[i]))
        };
        for player in [Player::FIRST, Player::SECOND] {
            for cell in self.of(player).iter() {
                for (word, bit) in through(cell) {
                    lines[player.index()][word] |= bit;
                }
            }
        }
        let mut left = [0u16; LONGEST * LONGEST];
        self.empty().iter().zip(&mut left).for_each(|(cell, place)| *place = cell as u16);
        for count in (1..=self.empty_count()).rev().take(limit) {
            let pick = rng.below(count);
            let cell = left[pick] as usize;
            left[pick] = left[count - 1];
            let player = self.mover;
            self.place(cell);
            let mut wins = false;
            for (word, bit) in through(cell) {
                let line = &mut lines[player.index()][word];
                *line |= bit;
                wins |= has_line(player, *line);
            }
            if wins {
                return Some(player);
            }
        }
        None
    }

    /// An empty cell that completes, for the player to move, a row of `length` stones at least, if `accept` takes
    /// it; rows of one stone are not looked for.
    pub fn completing(&self, length: usize, accept: impl Fn(usize) -> bool) -> Option<usize> {
        let (grid, own, taken) = (self.grid, self.of(self.mover), self.taken());
        if own.len() + 1 < length {
            return None;
        }
        // The one empty cell of a row whose other cells are the player's.
        let gap = |first: usize, step: usize| {
            let mut gap = None;
            for cell in (0..length).map(|i| first + i * step).filter(|&cell| !own.contains(cell)) {
                if gap.is_some() || taken.contains(cell) {
                    return None;
                }
                gap = Some(cell);
            }
            gap.filter(|&cell| accept(cell))
        };
        // Such a row begins with a stone, or with the gap and then a stone.
        own.iter().find_map(|cell| {
            Direction::ALL.into_iter().find_map(|direction| {
                let (step, back, forth) = grid.reach(cell, direction);
                let here = if forth + 1 >= length { gap(cell, step) } else { None };
                here.or_else(|| if back > 0 && forth + 2 >= length { gap(cell - step, step) } else { None })
            })
        })
    }

    /// Where a symmetry of the board takes a cell.
    #[inline]
    pub fn image_cell(&self, cell: Cell, s: usize) -> Cell {
        Cell(self.grid.image(cell.index(), s) as u16)
    }

    /// The stones under a symmetry of the board.
    #[must_use]
    pub fn image(&self, s: usize) -> Self {
        let sets = self.sets.map(|set| set.iter().map(|cell| self.grid.image(cell, s)).collect());
        Self { sets, key: self.image_keys()[s], ..*self }
    }

    /// The hashes of the images under all symmetries of a square, without making the images. The last four
    /// have no meaning on other boards.
    fn image_keys(&self) -> [u64; 8] {
        let mut keys = [mover_key(self.mover); 8];
        let (right, top) = (self.grid.width as usize - 1, self.grid.height as usize - 1);
        let square = self.grid.width == self.grid.height;
        for player in [Player::FIRST, Player::SECOND] {
            for cell in self.of(player).iter() {
                let (column, row) = self.grid.column_row(cell);
                let (columns, rows) = ([column, right - column], [row, top - row]);
                // As in `Grid::image`.
                for (s, key) in keys.iter_mut().enumerate() {
                    let (column, row) = (columns[s & 1], rows[s >> 1 & 1]);
                    let image = match s & 4 {
                        0 => self.grid.cell(column, row),
                        _ if square => self.grid.cell(row, column),
                        _ => continue,
                    };
                    *key ^= STONE_KEYS[image][player.index()];
                }
            }
        }
        keys
    }

    /// The least hash of an image, and the symmetry that leads to it.
    pub fn least_image(&self) -> (u64, usize) {
        let keys = self.image_keys().into_iter().take(self.grid.symmetries());
        keys.enumerate().map(|(s, key)| (key, s)).fold((self.key, 0), Ord::min)
    }

    /// The rows from the top and the player to move.
    pub fn write(&self, signs: [char; 2]) -> String {
        self.grid.write(&self.sets, self.mover, signs)
    }

    /// The sign of what lies on a cell.
    pub fn sign(&self, cell: usize, signs: [char; 2]) -> char {
        crate::grid::sign(&self.sets, cell, signs)
    }

    /// Appends an exact code.
    pub fn encode(&self, out: &mut Vec<u8>) {
        encode(&self.sets, self.grid.cells(), self.mover, out);
    }
}
