//! Winning by threats of the second order: moves after which, if the defender passes, threats of the first order win.
//!
//! A three of go-moku is such a move, and so is any other quiet move that prepares a sequence of fours. The
//! defender need only be asked about the cells that might upset that sequence (`threats` tells them), so the search
//! is one of a few replies a node and honours all rules: what it finds is a proof (lambda search of order 2, Thomsen
//! 2000; continuous threes). It deepens by one such move at a time and gives up after a number of nodes.
//!
//! With a win comes its *zone*: a stone more of the defender's outside it changes nothing. It holds all cells of the
//! proof, and every line on which the defender has, at some time of it, all but three of the stones: there one stone
//! more now and one later could make a threat.

use super::geometry::Geometry;
use super::threats::{Fight, Threats};
use endspiel_rules::bits::Bits;
use std::collections::HashSet;

/// A winning move, and the zone of the win.
#[derive(Clone, Copy, Debug)]
pub(super) struct Win<const C: usize> {
    pub cell: usize,
    pub zone: Bits<C>,
}

/// How much is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// So many moves of the second order in a row.
    pub depth: u32,
    /// So many nodes in all.
    pub nodes: u64,
    /// So many nodes for each search of the first order.
    pub fours: u64,
}

/// Searches for wins of the second order.
pub(super) struct Threes<'a, const C: usize, const W: usize> {
    geometry: &'a Geometry<C, W>,
    threats: &'a mut Threats<C>,
    effort: Effort,
    left: u64,
    /// Attacks that fail with so many moves of the second order.
    failed: HashSet<(u32, [Bits<C>; 2])>,
}

impl<'a, const C: usize, const W: usize> Threes<'a, C, W> {
    /// A search on this board.
    pub fn new(geometry: &'a Geometry<C, W>, threats: &'a mut Threats<C>, effort: Effort) -> Self {
        Self { geometry, threats, effort, left: effort.nodes, failed: HashSet::new() }
    }

    /// A win of side 0, to move, by threats of the second order; none if there is none or it is too far.
    pub fn win<const P: usize>(&mut self, fight: &Fight<C, W, P>) -> Option<Win<C>> {
        (0..=self.effort.depth).find_map(|depth| self.attack(fight, depth))
    }

    /// The cells of the lines on which the defender lacks three stones at most.
    fn begun<const P: usize>(&self, fight: &Fight<C, W, P>) -> Bits<C> {
        let mut cells = Bits::EMPTY;
        for missing in 1..=3.min(self.geometry.length) {
            let lines = fight.tally.with(self.geometry.all, 1, self.geometry.length - missing);
            lines.iter().for_each(|line| cells |= self.geometry.cells[line]);
        }
        cells
    }

    /// A sequence of the first order, with the zone that holds also against a stone more and a reply more.
    fn fours<const P: usize>(&mut self, fight: &Fight<C, W, P>) -> Option<(usize, Bits<C>, Bits<C>)> {
        let limit = Some(self.effort.fours);
        let (line, must) = self.threats.attack(self.geometry, fight, limit)?;
        let (mut now, mut zone) = (*fight, must | self.begun(fight));
        for (i, &cell) in line.iter().enumerate() {
            now = now.with(self.geometry, cell, i % 2);
            zone |= self.begun(&now);
        }
        Some((*line.first()?, must, zone))
    }

    fn attack<const P: usize>(&mut self, fight: &Fight<C, W, P>, depth: u32) -> Option<Win<C>> {
        self.left = self.left.checked_sub(1)?;
        // 1. Threats of the first order alone.
        if let Some((cell, _, zone)) = self.fours(fight) {
            return Some(Win { cell, zone });
        }
        let forced = fight.completing(self.geometry, 1);
        if depth == 0 || forced.len() > 1 || self.failed.contains(&(depth, fight.sets)) {
            return None;
        }
        // 2. Cells on open lines that lack two or three stones; a threat of the defender's leaves one.
        let mut cells = Bits::EMPTY;
        for missing in 2..=3.min(self.geometry.length) {
            let lines = fight.lacking(self.geometry, 0, missing);
            lines.iter().for_each(|line| cells |= self.geometry.cells[line]);
        }
        cells = cells.without(fight.sets[0] | fight.sets[1]);
        // To meet a threat costs nothing of the depth.
        let mut depth_there = depth;
        if let Some(cell) = forced.lowest() {
            cells = [cell].into_iter().collect();
            depth_there += 1;
        }
        for cell in cells.iter() {
            let after = fight.with(self.geometry, cell, 0);
            if let Some(zone) = self.holds(&after, depth_there) {
                let mut zone = zone | self.begun(fight);
                zone.insert(cell);
                return Some(Win { cell, zone });
            }
        }
        // What was cut off is not known to fail.
        if self.left > 0 {
            self.failed.insert((depth, fight.sets));
        }
        None
    }

    /// The zone of a win of side 0 against every reply of side 1, which is to move.
    fn holds<const P: usize>(&mut self, fight: &Fight<C, W, P>, depth: u32) -> Option<Bits<C>> {
        self.left = self.left.checked_sub(1)?;
        if !fight.completing(self.geometry, 1).is_empty() {
            return None;
        }
        // A four leaves one reply, and costs nothing of the depth.
        let gaps = fight.completing(self.geometry, 0);
        if let Some(reply) = gaps.lowest() {
            let next = fight.with(self.geometry, reply, 1);
            let Win { zone, .. } = self.attack(&next, depth)?;
            return Some(zone | gaps | self.begun(fight));
        }
        // Otherwise there must be a sequence of the first order to come, and none of the defender's.
        let (_, must, mut zone) = self.fours(fight)?;
        if self.threats.win(self.geometry, &fight.turned(), Some(self.effort.fours)).is_some() {
            return None;
        }
        zone |= self.begun(fight);
        for reply in must.iter() {
            zone |= self.attack(&fight.with(self.geometry, reply, 1), depth - 1)?.zone;
            zone.insert(reply);
        }
        Some(zone)
    }
}
