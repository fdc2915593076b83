//! A board of at most 8 x 8 in one machine word: neighbours, sides, and the ring of six around every cell.
//!
//! Outside the board the rows belong to the first player and the columns to the second, so every cell has six
//! neighbours. A cell is *dead* if, however the empty cells of its ring are filled, the ring does not change
//! colour four times: then a stone on it joins nothing that was apart, and its colour does not matter.

use endspiel_game::Player;
use endspiel_rules::bits::Bits;
use endspiel_rules::hex::topology::{STEPS, Topology};
use std::sync::OnceLock;

/// The largest side of a board that fits.
pub(super) const LARGEST: usize = 8;

/// The place of a ring that belongs to the first or to the second player's side.
const SIDE: [u8; 2] = [64, 65];

/// The stones of both players.
pub(super) type Stones = [u64; 2];

/// What is next to what on a board of one size.
pub(super) struct Lattice {
    size: usize,
    cells: u64,
    neighbours: Vec<u64>,
    rings: Vec<[u8; 6]>,
    sides: [[u64; 2]; 2],
    /// By the places of a ring that may be the first player's and those that may be the second's: may it
    /// change colour four times?
    alternates: Vec<bool>,
}

impl Lattice {
    /// The board of `size` cells a side, if it fits.
    pub fn of(size: usize) -> Option<&'static Self> {
        static BOARDS: [OnceLock<Lattice>; LARGEST + 1] = [const { OnceLock::new() }; LARGEST + 1];
        (1..=LARGEST).contains(&size).then(|| BOARDS[size].get_or_init(|| Self::new(size)))
    }

    fn new(size: usize) -> Self {
        let board = Topology::of(size);
        let word = |set: Bits<1>| set.0[0];
        let ring = |cell: usize| {
            STEPS.map(|(c, r)| {
                let (column, row) = ((cell % size) as isize + c, (cell / size) as isize + r);
                let on = |i: isize| (0..size as isize).contains(&i);
                match (on(column), on(row)) {
                    (_, false) => SIDE[0],
                    (false, true) => SIDE[1],
                    (true, true) => (column + size as isize * row) as u8,
                }
            })
        };
        Self {
            size,
            cells: word(Bits::first(board.cells())),
            neighbours: (0..board.cells()).map(|cell| word(board.neighbours(cell))).collect(),
            rings: (0..board.cells()).map(ring).collect(),
            sides: [Player::FIRST, Player::SECOND].map(|p| [word(board.home(p)), word(board.goal(p))]),
            alternates: (0..1 << 12).map(|places| may_alternate(places & 63, places >> 6)).collect(),
        }
    }

    /// Cells a side.
    pub fn size(&self) -> usize {
        self.size
    }

    /// All cells.
    #[inline]
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// The cells next to a cell.
    #[inline]
    pub fn neighbours(&self, cell: usize) -> u64 {
        self.neighbours[cell]
    }

    /// The cells of a player's two sides.
    #[inline]
    pub fn sides(&self, player: Player) -> [u64; 2] {
        self.sides[player.index()]
    }

    /// The cells next to some of `set`, and perhaps cells of it.
    #[inline]
    pub fn around(&self, set: u64) -> u64 {
        cells_of(set).fold(0, |near, cell| near | self.neighbours[cell])
    }

    /// The cells of `among` that hang together with `from`.
    pub fn flood(&self, from: u64, among: u64) -> u64 {
        let mut reached = from & among;
        let mut edge = reached;
        while edge != 0 {
            edge = self.around(edge) & among & !reached;
            reached |= edge;
        }
        reached
    }

    /// Has the player connected the sides?
    pub fn is_joined(&self, player: Player, own: u64) -> bool {
        let [home, goal] = self.sides(player);
        self.flood(home, own) & goal != 0
    }

    /// Is an empty cell dead?
    #[inline]
    pub fn is_dead(&self, cell: usize, stones: Stones) -> bool {
        let taken = stones.map(u128::from);
        let taken = [taken[0] | 1 << SIDE[0], taken[1] | 1 << SIDE[1]];
        let mut places = 0;
        for (i, &at) in self.rings[cell].iter().enumerate() {
            places |= (!taken[1] >> at & 1) << i | (!taken[0] >> at & 1) << (6 + i);
        }
        !self.alternates[places as usize]
    }
}

/// May a ring change colour four times, if one colour may be at `first` and the other at `second`?
fn may_alternate(first: u32, second: u32) -> bool {
    (0..64u32).filter(|ring| ring & !first == 0 && !ring & 63 & !second == 0).any(|ring| {
        let turned = (ring >> 1 | ring << 5) & 63;
        (ring ^ turned).count_ones() >= 4
    })
}

/// The cells of a set, lowest first.
#[inline]
pub(super) fn cells_of(set: u64) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let cell = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (cell < 64).then_some(cell)
    })
}
