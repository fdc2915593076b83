//! A board of go-moku on which stones are put and taken back, with all fives, fours and threes of both players kept
//! up to date.
//!
//! A stone changes the four lines through its cell; their shapes are found anew (`shapes`), and where a cell gains or
//! loses one, the sets of such cells are told. That is about a hundred operations a line.

use super::shapes::{Kind, LOWER, MARGIN, Shapes, shapes};
use endspiel_game::{Player, mix};
use endspiel_rules::bits::Bits;
use endspiel_rules::gomoku::{Rule, renju};
use endspiel_rules::grid::{Direction, Grid};
use std::sync::Arc;

/// Cells of a board of up to 20x20.
pub type Cells = Bits<7>;

/// A line: its cells as bits of both halves, the first cell and the difference to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub inside: u64,
    first: u16,
    step: u16,
}

impl Line {
    /// The cell at a bit of the lower half.
    #[inline]
    pub fn cell(&self, bit: usize) -> usize {
        self.first as usize + (bit - MARGIN) * self.step as usize
    }
}

/// Where a cell lies on a line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub line: u8,
    pub bit: u8,
}

/// What never changes: the lines, and those through each cell.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    pub lines: Vec<Line>,
    pub places: Vec<[Place; 4]>,
    /// The numbers of these lines, a byte each.
    pub numbers: Vec<u32>,
    exactly: u64,
}

/// Stones of both players, with the cells that make fives, fours and threes.
#[derive(Clone, Debug)]
pub struct Board {
    grid: Grid,
    rule: Rule,
    geometry: Arc<Geometry>,
    lines: Vec<u64>,
    shapes: Vec<Shapes>,
    /// For each cell and player, by kind, the directions in which a stone makes that shape.
    directions: Vec<[[u8; Kind::COUNT]; 2]>,
    sets: [[Cells; Kind::COUNT]; 2],
    stones: [Cells; 2],
    count: usize,
    key: u64,
}

impl Board {
    /// An empty board of 5 to 20 cells a side.
    pub fn new(grid: Grid, rule: Rule) -> Self {
        let geometry = Arc::new(Geometry::new(grid, rule));
        let lines = geometry.lines.len();
        Self {
            grid,
            rule,
            geometry,
            lines: vec![0; lines],
            shapes: vec![Shapes::default(); lines],
            directions: vec![[[0; Kind::COUNT]; 2]; grid.cells()],
            sets: [[Cells::EMPTY; Kind::COUNT]; 2],
            stones: [Cells::EMPTY; 2],
            count: 0,
            key: 0,
        }
    }

    /// The board's shape.
    #[inline]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The rule.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// A hash of the stones; whose turn it is does not count.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// How many stones there are.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The stones of a player.
    #[inline]
    pub fn stones(&self, player: Player) -> &Cells {
        &self.stones[player.index()]
    }

    /// Is there no stone?
    #[inline]
    pub fn is_empty(&self, cell: usize) -> bool {
        !self.stones[0].contains(cell) && !self.stones[1].contains(cell)
    }

    /// The empty cells.
    pub fn empty(&self) -> Cells {
        Cells::first(self.grid.cells()).without(self.stones[0] | self.stones[1])
    }

    /// The cells that complete a five of the player's.
    #[inline]
    pub fn fives(&self, player: Player) -> &Cells {
        &self.sets[player.index()][Kind::Five as usize]
    }

    /// The cells that make a four.
    #[inline]
    pub fn fours(&self, player: Player) -> &Cells {
        &self.sets[player.index()][Kind::Four as usize]
    }

    /// The cells that make a straight four; all of them make a four.
    #[inline]
    pub fn straights(&self, player: Player) -> &Cells {
        &self.sets[player.index()][Kind::Straight as usize]
    }

    /// The cells that make a three.
    #[inline]
    pub fn threes(&self, player: Player) -> &Cells {
        &self.sets[player.index()][Kind::Three as usize]
    }

    /// In how many directions a stone makes a four, and a three.
    #[inline]
    pub fn makes(&self, player: Player, cell: usize) -> (u32, u32) {
        let kinds = &self.directions[cell][player.index()];
        (kinds[Kind::Four as usize].count_ones(), kinds[Kind::Three as usize].count_ones())
    }

    /// May the player put a stone on this empty cell?
    #[inline]
    pub fn allows(&self, player: Player, cell: usize) -> bool {
        self.rule != Rule::Renju
            || player != Player::FIRST
            || renju::forbidden(self.grid, &self.stones[0], &self.stones[1], cell).is_none()
    }

    /// May a cell that the player is allowed to take be forbidden by a stone of the other's elsewhere?
    pub fn may_forbid(&self, player: Player, cell: usize) -> bool {
        self.rule == Rule::Renju
            && player == Player::FIRST
            && renju::may_be_forbidden(self.grid, &self.stones[0], &self.stones[1], cell)
    }

    /// Puts a stone on an empty cell.
    #[inline]
    pub fn place(&mut self, cell: usize, player: Player) {
        self.stones[player.index()].insert(cell);
        self.count += 1;
        self.change(cell, player);
    }

    /// Takes a stone back.
    #[inline]
    pub fn remove(&mut self, cell: usize, player: Player) {
        self.stones[player.index()].remove(cell);
        self.count -= 1;
        self.change(cell, player);
    }

    fn change(&mut self, cell: usize, player: Player) {
        let Self { geometry, lines, shapes: all, directions, sets, .. } = self;
        self.key ^= mix((2 * cell + player.index()) as u64);
        for (direction, place) in geometry.places[cell].iter().enumerate() {
            let (line, old) = (&geometry.lines[place.line as usize], &mut all[place.line as usize]);
            let stones = &mut lines[place.line as usize];
            *stones ^= 1 << (u32::from(place.bit) + 32 * u32::from(player.0));
            let new = shapes(*stones, line.inside, geometry.exactly);
            for kind in 0..Kind::COUNT {
                let mut changed = old.cells[kind] ^ new.cells[kind];
                while changed != 0 {
                    let bit = changed.trailing_zeros() as usize;
                    changed &= changed - 1;
                    let (side, cell) = (bit / 32, line.cell(bit % 32));
                    let known = &mut directions[cell][side][kind];
                    *known ^= 1 << direction;
                    if *known == 0 {
                        sets[side][kind].remove(cell);
                    } else {
                        sets[side][kind].insert(cell);
                    }
                }
            }
            *old = new;
        }
    }

    /// The lines of the board.
    pub(super) fn geometry(&self) -> &Arc<Geometry> {
        &self.geometry
    }

    /// The stones on each line.
    pub(super) fn lines(&self) -> &[u64] {
        &self.lines
    }

    /// The stones of Black and of White on the eight cells around a cell in a direction, four on either side and from
    /// one end to the other; cells off the board are stones of both.
    #[inline]
    pub(super) fn around(&self, cell: usize, direction: usize) -> [u8; 2] {
        let place = self.geometry.places[cell][direction];
        let (line, shift) = (self.lines[place.line as usize], place.bit - 4);
        let outside = !self.geometry.lines[place.line as usize].inside & LOWER;
        let cut = |half: u64| {
            let nine = (half | outside) >> shift;
            (nine & 15 | nine >> 1 & 0xF0) as u8
        };
        [cut(line & LOWER), cut(line >> 32)]
    }
}

impl Geometry {
    fn new(grid: Grid, rule: Rule) -> Self {
        let exactly = match rule {
            Rule::Free => 0,
            Rule::Standard => u64::MAX,
            Rule::Renju => LOWER,
        };
        let mut lines = Vec::new();
        let mut places = vec![[Place::default(); 4]; grid.cells()];
        for (d, direction) in Direction::ALL.into_iter().enumerate() {
            for first in 0..grid.cells() {
                let (step, back, forth) = grid.reach(first, direction);
                if back > 0 {
                    continue;
                }
                for i in 0..=forth {
                    places[first + i * step][d] = Place { line: lines.len() as u8, bit: (MARGIN + i) as u8 };
                }
                let half = ((1u64 << (forth + 1)) - 1) << MARGIN;
                lines.push(Line { inside: half | half << 32, first: first as u16, step: step as u16 });
            }
        }
        let numbers =
            places.iter().map(|places| u32::from_le_bytes(places.map(|place| place.line))).collect();
        Self { lines, places, numbers, exactly }
    }
}
