//! H-search: virtual connections of one player, put together from smaller ones (Anshelevich 2002).
//!
//! Ends are empty cells, chains, and the two sides with the chains on them. A *full* connection holds even if
//! the opponent moves first, a *semi* connection if its owner does, on its *key*; all of it happens on its
//! *carrier*, a set of empty cells without the ends. Neighbours are connected with an empty carrier. AND: two
//! full connections with a common end and nothing else in common make a full one if that end is a chain, a
//! semi one with that key if it is empty. OR: semi connections of the same ends without a common cell
//! make a full one. Where a full connection joins the sides, its owner wins.
//!
//! Connections are taken up in the order of their size. Neither rule makes anything smaller than what it is
//! made from, so what is taken up once is never superseded, and the smallest wins are found first. Lists are
//! short: what does not fit is forgotten, which costs strength and never truth.

use super::lattice::{Lattice, cells_of};
use endspiel_game::Player;

/// So many full connections are kept for two ends.
const FULLS: usize = 6;
/// So many semi connections.
const SEMIS: usize = 16;
/// So many semi connections make a full one at most.
const DEEPEST_OR: u32 = 4;
/// Between two empty cells no connection larger than this is looked for.
const LARGEST_INNER: u32 = 5;

#[derive(Clone, Copy)]
struct Link {
    to: u8,
    carrier: u64,
}

#[derive(Clone, Copy)]
struct Connection {
    ends: (u8, u8),
    carrier: u64,
    /// The key of a semi connection.
    key: Option<u8>,
}

/// The connections of one player on one board.
#[derive(Default)]
pub(super) struct Connections {
    /// The cell of each end as a set; nothing for chains. The first two ends are the sides.
    cells: Vec<u64>,
    /// The full connections of each end.
    links: Vec<Vec<Link>>,
    /// The carriers of each pair of ends.
    fulls: Vec<List<FULLS>>,
    semis: Vec<List<SEMIS>>,
    /// What is still to be taken up, by size.
    pending: Vec<Vec<Connection>>,
    /// A full connection of the sides.
    won: Option<u64>,
    /// The smallest semi connection of the sides, and its key.
    threat: Option<(u64, u8)>,
}

#[derive(Clone)]
struct List<const ROOM: usize> {
    count: u8,
    /// The cells that all of them have in common, also of those forgotten.
    common: u64,
    carriers: [u64; ROOM],
}

impl<const ROOM: usize> Default for List<ROOM> {
    fn default() -> Self {
        Self { count: 0, common: u64::MAX, carriers: [0; ROOM] }
    }
}

impl<const ROOM: usize> List<ROOM> {
    fn carriers(&self) -> &[u64] {
        &self.carriers[..self.count as usize]
    }

    /// Is one of them part of `carrier`?
    #[inline]
    fn has_part_of(&self, carrier: u64) -> bool {
        self.carriers().iter().any(|part| part & !carrier == 0)
    }

    fn keep(&mut self, carrier: u64) -> bool {
        self.common &= carrier;
        let room = (self.count as usize) < ROOM;
        if room {
            self.carriers[self.count as usize] = carrier;
            self.count += 1;
        }
        room
    }
}

impl Connections {
    /// The largest carrier there may be.
    pub const LARGEST: usize = 64;

    /// Starts anew with the neighbours on a board.
    pub fn start(&mut self, lattice: &Lattice, player: Player, own: u64, other: u64) {
        self.pending.resize_with(Self::LARGEST + 1, Vec::new);
        self.pending.iter_mut().for_each(Vec::clear);
        self.cells.clear();
        (self.won, self.threat) = (None, None);
        let empty = lattice.cells() & !(own | other);
        let mut near = Vec::with_capacity(8);
        let mut chains = own;
        for side in lattice.sides(player) {
            let chain = lattice.flood(side, own);
            chains &= !chain;
            near.push((side | lattice.around(chain)) & empty);
        }
        while chains != 0 {
            let chain = lattice.flood(chains & chains.wrapping_neg(), own);
            chains &= !chain;
            near.push(lattice.around(chain) & empty);
        }
        let first_cell = near.len();
        self.cells.resize(first_cell, 0);
        self.cells.extend(cells_of(empty).map(|cell| 1 << cell));
        let count = self.cells.len();
        self.links.resize_with(self.links.len().max(count), Vec::new);
        self.links.iter_mut().for_each(Vec::clear);
        self.fulls.clear();
        self.fulls.resize(count * count, List::default());
        self.semis.clear();
        self.semis.resize(count * count, List::default());
        let end_of = |cell: usize| (first_cell + (empty & ((1 << cell) - 1)).count_ones() as usize) as u8;
        let neighbours = &mut self.pending[0];
        for (chain, &cells) in near.iter().enumerate() {
            let ends = |cell| (chain as u8, end_of(cell));
            let all = cells_of(cells).map(|cell| Connection { ends: ends(cell), carrier: 0, key: None });
            neighbours.extend(all);
        }
        for cell in cells_of(empty) {
            for next in cells_of(lattice.neighbours(cell) & empty & (u64::MAX << cell)) {
                let ends = (end_of(cell), end_of(next));
                neighbours.push(Connection { ends, carrier: 0, key: None });
            }
        }
    }

    /// Takes up all connections of a size; sizes must come in order, from 0 on. False if there is nothing left.
    pub fn advance(&mut self, size: usize) -> bool {
        let mut i = 0;
        while let Some(&connection) = self.pending[size].get(i) {
            i += 1;
            match connection.key {
                Some(key) => self.take_semi(connection, key),
                None => self.take_full(connection),
            }
            if self.won.is_some() {
                break;
            }
        }
        self.pending[size + 1..].iter().any(|more| !more.is_empty())
    }

    /// The carrier of a full connection of the sides.
    pub fn won(&self) -> Option<u64> {
        self.won
    }

    /// The smallest semi connection of the sides, and its key.
    pub fn threat(&self) -> Option<(u64, u8)> {
        self.threat
    }

    /// The cells that all semi connections of the sides have in common: whoever is to move against them must
    /// play there.
    pub fn mustplay(&self) -> u64 {
        self.semis[self.pair(0, 1)].common
    }

    #[inline]
    fn pair(&self, x: u8, y: u8) -> usize {
        usize::from(x.min(y)) * self.cells.len() + usize::from(x.max(y))
    }

    fn take_full(&mut self, Connection { ends: (x, y), carrier, .. }: Connection) {
        let pair = self.pair(x, y);
        if self.fulls[pair].has_part_of(carrier) || !self.fulls[pair].keep(carrier) {
            return;
        }
        if pair == self.pair(0, 1) {
            self.won = Some(carrier);
            return;
        }
        for (from, through) in [(x, y), (y, x)] {
            let links = std::mem::take(&mut self.links[through as usize]);
            let (start, middle) = (self.cells[from as usize], self.cells[through as usize]);
            for link in &links {
                let end = self.cells[link.to as usize];
                if link.to != from
                    && (carrier | start) & (link.carrier | end) == 0
                    && start & link.carrier == 0
                {
                    let key = (middle != 0).then_some(through);
                    self.propose((from, link.to), carrier | link.carrier | middle, key);
                }
            }
            self.links[through as usize] = links;
        }
        self.links[x as usize].push(Link { to: y, carrier });
        self.links[y as usize].push(Link { to: x, carrier });
    }

    fn take_semi(&mut self, Connection { ends: (x, y), carrier, .. }: Connection, key: u8) {
        let pair = self.pair(x, y);
        if self.fulls[pair].has_part_of(carrier) || self.semis[pair].has_part_of(carrier) {
            return;
        }
        if pair == self.pair(0, 1) && self.threat.is_none() {
            self.threat = Some((carrier, self.cells[key as usize].trailing_zeros() as u8));
        }
        if self.semis[pair].common & carrier == 0 {
            let others = self.semis[pair].clone();
            self.unite((x, y), others.carriers(), carrier, carrier, DEEPEST_OR - 1);
        }
        self.semis[pair].keep(carrier);
    }

    /// OR: proposes unions with some of `others` that leave nothing in common.
    fn unite(&mut self, ends: (u8, u8), others: &[u64], common: u64, union: u64, deeper: u32) {
        for (i, other) in others.iter().enumerate() {
            match common & other {
                0 => self.propose(ends, union | other, None),
                less if less != common && deeper > 1 => {
                    self.unite(ends, &others[i + 1..], less, union | other, deeper - 1);
                }
                _ => {}
            }
        }
    }

    /// Puts a connection among those to be taken up, unless it is known to be of no use.
    #[inline]
    fn propose(&mut self, ends: (u8, u8), carrier: u64, key: Option<u8>) {
        let size = carrier.count_ones();
        let inner = self.cells[ends.0 as usize] != 0 && self.cells[ends.1 as usize] != 0;
        if inner && size > LARGEST_INNER {
            return;
        }
        let pair = self.pair(ends.0, ends.1);
        if self.fulls[pair].has_part_of(carrier) || key.is_some() && self.semis[pair].has_part_of(carrier) {
            return;
        }
        self.pending[size as usize].push(Connection { ends, carrier, key });
    }
}
