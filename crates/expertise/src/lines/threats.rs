//! Winning by threats alone: every move of the attacker's threatens to complete a line, every reply is forced.
//!
//! A *threat* puts the last but one stone on an open line; the defender must fill its last cell. If that makes
//! a threat of the defender's, the attacker's next move must fill its last cell in turn. The search is complete
//! for such sequences (Allis 1994, chapter 4, treats them as single-agent search) and each of its findings is
//! exact, so a table of what was found for a pair of stone sets holds for ever.

use super::geometry::Geometry;
use super::tally::Tally;
use endspiel_game::mix;
use endspiel_rules::bits::Bits;

/// Stones of the attacker and the defender, with the counts of their lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fight<const C: usize, const W: usize, const P: usize> {
    pub sets: [Bits<C>; 2],
    pub tally: Tally<W, P>,
    /// Whose lines count only if they are not part of longer ones?
    pub exactly: [bool; 2],
}

impl<const C: usize, const W: usize, const P: usize> Fight<C, W, P> {
    /// The fight between these stones.
    pub fn new(geometry: &Geometry<C, W>, sets: [Bits<C>; 2], exactly: [bool; 2]) -> Self {
        Self { sets, tally: Tally::new(geometry, sets), exactly }
    }

    /// A stone more of `side`.
    #[must_use]
    #[inline]
    pub fn with(&self, geometry: &Geometry<C, W>, cell: usize, side: usize) -> Self {
        let mut next = *self;
        next.sets[side].insert(cell);
        next.tally.add(geometry.through[cell], side);
        next
    }

    /// The same, the opponent's side first.
    #[must_use]
    pub fn turned(&self) -> Self {
        let [own, other] = self.sets;
        Self { sets: [other, own], tally: self.tally.turned(), exactly: [self.exactly[1], self.exactly[0]] }
    }

    /// The open lines of `side` that lack so many stones and would count.
    #[inline]
    pub fn lacking(&self, geometry: &Geometry<C, W>, side: usize, missing: usize) -> Bits<W> {
        let mut lines = self.tally.with(geometry.all, side, geometry.length.saturating_sub(missing));
        if self.exactly[side] {
            for line in lines.iter() {
                if !(geometry.beyond[line] & self.sets[side]).is_empty() {
                    lines.remove(line);
                }
            }
        }
        lines
    }

    /// The cells that complete a line of `side`.
    #[inline]
    pub fn completing(&self, geometry: &Geometry<C, W>, side: usize) -> Bits<C> {
        let lines = self.lacking(geometry, side, 1);
        let mut cells = Bits::EMPTY;
        for line in lines.iter() {
            cells |= geometry.cells[line];
        }
        cells.without(self.sets[side])
    }
}

/// What is known of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry<const C: usize> {
    sets: [Bits<C>; 2],
    /// The winning move, `FAILS`, or `UNKNOWN`.
    found: u16,
    /// The search that found it; 0 for all that had no limit.
    stamp: u32,
}

const FAILS: u16 = u16::MAX;
const UNKNOWN: u16 = u16::MAX - 1;

/// Searches of so many nodes and fewer do without the table.
const SHORT: u64 = 64;

/// Searches for wins by threats and remembers what it found.
#[derive(Debug)]
pub(super) struct Threats<const C: usize> {
    table: Vec<Entry<C>>,
    /// Nodes that may still be spent on this search.
    left: u64,
    /// The number of this search; 0 without a limit.
    stamp: u32,
    /// How many searches had a limit.
    limited: u32,
    /// Is it worth remembering what this search finds?
    remembers: bool,
}

impl<const C: usize> Threats<C> {
    /// Room for `1 << bits` findings.
    pub fn new(bits: u32) -> Self {
        Self {
            table: vec![Entry { sets: [Bits::EMPTY; 2], found: UNKNOWN, stamp: 0 }; 1 << bits],
            left: 0,
            stamp: 0,
            limited: 0,
            remembers: true,
        }
    }

    /// Forgets everything: for another board.
    pub fn clear(&mut self) {
        self.table.iter_mut().for_each(|entry| entry.found = UNKNOWN);
    }

    fn place(&self, sets: &[Bits<C>; 2]) -> usize {
        let hash = sets.iter().flat_map(|set| set.0).fold(0, |hash, word| mix(hash ^ word));
        hash as usize & (self.table.len() - 1)
    }

    /// A move by which side 0, to move, begins a sequence of threats that wins; none if there is none, or if
    /// it takes more than `limit` nodes to tell. A search with a limit uses what it has found itself and nothing
    /// else, so that what it finds does not depend on what was asked before.
    pub fn win<const W: usize, const P: usize>(
        &mut self,
        geometry: &Geometry<C, W>,
        fight: &Fight<C, W, P>,
        limit: Option<u64>,
    ) -> Option<usize> {
        self.left = limit.unwrap_or(u64::MAX);
        self.remembers = self.left > SHORT;
        self.stamp = 0;
        if limit.is_some() && self.remembers {
            self.limited = self.limited.wrapping_add(1).max(1);
            self.stamp = self.limited;
        }
        self.search(geometry, fight)
    }

    /// A sequence of threats by which side 0 wins, its moves and the answers in turn, and where side 1 has to
    /// play, were it to move: any other cell leaves the sequence as it is. None if no sequence is found.
    ///
    /// A stone of the defender's upsets the sequence only on one of its cells, or on a line that, at some time
    /// of the sequence, lacks two of his stones: there it would make a threat that has to be answered first.
    pub fn attack<const W: usize, const P: usize>(
        &mut self,
        geometry: &Geometry<C, W>,
        fight: &Fight<C, W, P>,
        limit: Option<u64>,
    ) -> Option<(Vec<usize>, Bits<C>)> {
        let (mut now, mut zone, mut line) = (*fight, Bits::EMPTY, Vec::new());
        loop {
            for line in now.tally.with(geometry.all, 1, geometry.length.saturating_sub(2)).iter() {
                zone |= geometry.cells[line];
            }
            let attack = self.win(geometry, &now, limit)?;
            zone.insert(attack);
            line.push(attack);
            if now.completing(geometry, 0).contains(attack) {
                break;
            }
            now = now.with(geometry, attack, 0);
            let gaps = now.completing(geometry, 0);
            zone |= gaps;
            if gaps.len() > 1 {
                break;
            }
            let answer = gaps.lowest()?;
            line.push(answer);
            now = now.with(geometry, answer, 1);
        }
        Some((line, zone.without(fight.sets[0] | fight.sets[1])))
    }

    fn search<const W: usize, const P: usize>(
        &mut self,
        geometry: &Geometry<C, W>,
        fight: &Fight<C, W, P>,
    ) -> Option<usize> {
        // 1. A line that lacks one stone.
        if let Some(cell) = fight.completing(geometry, 0).lowest() {
            return Some(cell);
        }
        // 2. The defender's threat must be met, and two cannot be.
        let must = fight.completing(geometry, 1);
        let forced = must.lowest();
        if must.len() > 1 {
            return None;
        }
        // 3. Lines that lack two stones make threats. None, or none on the forced cell: no attack.
        let mut pairs = fight.lacking(geometry, 0, 2);
        if let Some(cell) = forced {
            pairs = pairs & geometry.through[cell];
        }
        if pairs.is_empty() {
            return None;
        }
        // 4. A cell on two of them with different partners makes two threats at once.
        let (mut once, mut twice) = (Bits::<C>::EMPTY, Bits::<C>::EMPTY);
        for line in pairs.iter() {
            let gaps = geometry.cells[line].without(fight.sets[0]);
            twice |= once & gaps;
            once |= gaps;
        }
        if let Some(cell) = forced {
            let one = [cell].into_iter().collect();
            twice = twice & one;
        }
        for cell in twice.iter() {
            let mut partners = Bits::EMPTY;
            for line in (pairs & geometry.through[cell]).iter() {
                partners |= geometry.cells[line].without(fight.sets[0]);
            }
            partners.remove(cell);
            if partners.len() > 1 {
                return Some(cell);
            }
        }
        // 5. What is remembered.
        let place = self.place(&fight.sets);
        let entry = &self.table[place];
        if entry.found != UNKNOWN && entry.stamp == self.stamp && self.remembers && entry.sets == fight.sets {
            return (entry.found != FAILS).then_some(entry.found as usize);
        }
        // 6. Every threat and its answer.
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let mut won = None;
        'lines: for line in pairs.iter() {
            let gaps = geometry.cells[line].without(fight.sets[0]);
            for attack in gaps.iter() {
                if forced.is_some_and(|cell| cell != attack) {
                    continue;
                }
                let mut rest = gaps;
                rest.remove(attack);
                let Some(answer) = rest.lowest() else { continue };
                let next = fight.with(geometry, attack, 0).with(geometry, answer, 1);
                if self.search(geometry, &next).is_some() {
                    won = Some(attack);
                    break 'lines;
                }
                if self.left == 0 {
                    return None;
                }
            }
        }
        if self.remembers {
            let found = won.map_or(FAILS, |cell| cell as u16);
            self.table[place] = Entry { sets: fight.sets, found, stamp: self.stamp };
        }
        won
    }
}
