//! Winning by threats of the second order: moves after which, if the defender passes, threats of the first order win.
//!
//! A three of go-moku is such a move, and so is any other quiet move that prepares a sequence of fours. The
//! defender need only be asked about the cells that might upset that sequence (`threats` tells them), so the search
//! is one of a few replies a node and honours all rules: what it finds is a proof (lambda search of order 2, Thomsen
//! 2000; continuous threes). It deepens by one such move at a time and gives up after a number of nodes.
//!
//! With a win comes its *zone*: a stone more of the defender's outside it changes nothing. It holds all cells of the
//! proof, and every line on which the defender has, at some time of it, all but three of the stones: there one stone
//! more now and one later could make a threat. And with it comes how it is played: after a quiet move the replies after
//! which the threats of the first order no longer win, and what was done about threats that the defender put in between.

use super::geometry::Geometry;
use super::threats::{Fight, Threats};
use endspiel_game::{Counter, Plan};
use endspiel_rules::bits::Bits;
use std::collections::HashSet;

/// A win, how it is played and its zone.
#[derive(Clone, Debug)]
pub(super) struct Win<const C: usize> {
    pub plan: Plan<usize>,
    /// The defender's threats on the way, and in how many positions there were some.
    pub counters: Vec<Counter<usize>>,
    pub positions: usize,
    pub zone: Bits<C>,
    /// Is it by threats of the first order alone?
    pub is_direct: bool,
}

impl<const C: usize> Win<C> {
    /// A sequence of threats of the first order and their answers in turn; none without a move.
    pub fn direct<const W: usize, const P: usize>(
        geometry: &Geometry<C, W>,
        fight: &Fight<C, W, P>,
        line: &[usize],
        zone: Bits<C>,
    ) -> Option<Self> {
        let moves: Vec<_> = line.chunks(2).map(|pair| (pair[0], pair[1..].to_vec())).collect();
        let (mut now, mut counters) = (*fight, Vec::new());
        for (i, &cell) in line.iter().enumerate() {
            now = now.with(geometry, cell, i % 2);
            // Who answers may threaten by that, and the next threat meets it.
            if i % 2 == 1
                && !now.completing(geometry, 1).is_empty()
                && let Some(&answer) = line.get(i + 1)
            {
                counters.push(Counter { after: i, threat: cell, answer });
            }
        }
        let positions = counters.len();
        Some(Self { plan: Plan::of(moves)?, counters, positions, zone, is_direct: true })
    }

    /// A move of the second order, before replies are added.
    fn begin(attack: usize, zone: Bits<C>) -> Self {
        let plan = Plan { attack, then: Vec::new() };
        Self { plan, counters: Vec::new(), positions: 0, zone, is_direct: false }
    }

    /// Takes over what was seen after a reply.
    fn take<const W: usize, const P: usize>(
        &mut self,
        geometry: &Geometry<C, W>,
        after: &Fight<C, W, P>,
        reply: usize,
        next: &Self,
    ) {
        self.zone |= next.zone;
        self.zone.insert(reply);
        if !after.completing(geometry, 1).is_empty() {
            self.counters.push(Counter { after: 1, threat: reply, answer: next.plan.attack });
            self.positions += 1;
        }
        let later = |counter: &Counter<usize>| Counter { after: counter.after + 2, ..*counter };
        self.counters.extend(next.counters.iter().map(later));
        self.positions += next.positions;
    }
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
    failed: &'a mut Failed<C>,
}

/// Attacks that fail with so many moves of the second order.
pub(super) type Failed<const C: usize> = HashSet<(u32, [Bits<C>; 2])>;

impl<'a, const C: usize, const W: usize> Threes<'a, C, W> {
    /// A search on this board, which knows what failed before.
    pub fn new(
        geometry: &'a Geometry<C, W>,
        threats: &'a mut Threats<C>,
        effort: Effort,
        failed: &'a mut Failed<C>,
    ) -> Self {
        Self { geometry, threats, effort, left: effort.nodes, failed }
    }

    /// A win of side 0, to move, by threats of the second order; none if there is none or it is too far.
    pub fn win<const P: usize>(&mut self, fight: &Fight<C, W, P>) -> Option<Win<C>> {
        (0..=self.effort.depth).find_map(|depth| self.attack(fight, depth))
    }

    /// Does a plan that was made elsewhere win here, against every reply? What it does not foresee must be met by one of
    /// its continuations or by threats of the first order.
    pub fn follows<const P: usize>(&mut self, fight: &Fight<C, W, P>, plan: &Plan<usize>) -> bool {
        let forced = fight.completing(self.geometry, 1);
        let attack = [plan.attack].into_iter().collect();
        if fight.completing(self.geometry, 0).contains(plan.attack) {
            return true;
        }
        let taken = fight.sets[0] | fight.sets[1];
        if self.left == 0 || taken.contains(plan.attack) || !forced.without(attack).is_empty() {
            return false;
        }
        self.left -= 1;
        let after = fight.with(self.geometry, plan.attack, 0);
        if !after.completing(self.geometry, 1).is_empty() {
            return false;
        }
        let gaps = after.completing(self.geometry, 0);
        let replies = match gaps.len() {
            0 => match self.fours(&after) {
                Some((_, must, _)) => must,
                None => return false,
            },
            1 => gaps,
            _ => return true,
        };
        replies.iter().all(|reply| {
            let next = after.with(self.geometry, reply, 1);
            let foreseen = plan.then.iter().find(|(replies, _)| replies.contains(&reply));
            foreseen.is_some_and(|(_, plan)| self.follows(&next, plan))
                || self.fours(&next).is_some()
                || plan.then.iter().any(|(_, plan)| self.follows(&next, plan))
        })
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

    /// A sequence of the first order, where the defender has to play to upset it, and the zone that holds also against a
    /// stone more and a reply more.
    fn fours<const P: usize>(&mut self, fight: &Fight<C, W, P>) -> Option<(Vec<usize>, Bits<C>, Bits<C>)> {
        let limit = Some(self.effort.fours);
        let (line, must) = self.threats.attack(self.geometry, fight, limit)?;
        let (mut now, mut zone) = (*fight, must | self.begun(fight));
        for (i, &cell) in line.iter().enumerate() {
            now = now.with(self.geometry, cell, i % 2);
            zone |= self.begun(&now);
        }
        Some((line, must, zone))
    }

    fn attack<const P: usize>(&mut self, fight: &Fight<C, W, P>, depth: u32) -> Option<Win<C>> {
        self.left = self.left.checked_sub(1)?;
        // 1. Threats of the first order alone.
        if let Some((line, _, zone)) = self.fours(fight) {
            return Win::direct(self.geometry, fight, &line, zone);
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
        for cell in self.promising(fight, cells) {
            let after = fight.with(self.geometry, cell, 0);
            if let Some(mut win) = self.holds(&after, cell, depth_there) {
                win.zone |= self.begun(fight);
                win.zone.insert(cell);
                return Some(win);
            }
        }
        // What was cut off is not known to fail.
        if self.left > 0 {
            self.failed.insert((depth, fight.sets));
        }
        None
    }

    /// Those on many lines that are begun first.
    fn promising<const P: usize>(&self, fight: &Fight<C, W, P>, cells: Bits<C>) -> Vec<usize> {
        let most = 3.min(self.geometry.length);
        let begun = (2..=most).fold(Bits::EMPTY, |lines, n| lines | fight.lacking(self.geometry, 0, n));
        let mut order: Vec<usize> = cells.iter().collect();
        order.sort_by_cached_key(|&cell| std::cmp::Reverse((begun & self.geometry.through[cell]).len()));
        order
    }

    /// The win of side 0, who has just moved here, against every reply of side 1.
    fn holds<const P: usize>(&mut self, fight: &Fight<C, W, P>, attack: usize, depth: u32) -> Option<Win<C>> {
        self.left = self.left.checked_sub(1)?;
        if !fight.completing(self.geometry, 1).is_empty() {
            return None;
        }
        // A four leaves one reply, and costs nothing of the depth.
        let gaps = fight.completing(self.geometry, 0);
        if let Some(reply) = gaps.lowest() {
            let mut win = Win::begin(attack, gaps | self.begun(fight));
            let after = fight.with(self.geometry, reply, 1);
            let next = self.attack(&after, depth)?;
            win.take(self.geometry, &after, reply, &next);
            if gaps.len() == 1 {
                win.plan.add(reply, next.plan);
            }
            return Some(win);
        }
        // Otherwise there must be a sequence of the first order to come, and none of the defender's.
        let (line, must, zone) = self.fours(fight)?;
        if self.threats.win(self.geometry, &fight.turned(), Some(self.effort.fours)).is_some() {
            return None;
        }
        let mut win = Win::begin(attack, zone | self.begun(fight));
        let mut met = Vec::new();
        // What takes a cell of the sequence upsets it most often.
        let on_it: Bits<C> = line.iter().copied().collect();
        for reply in (must & on_it).iter().chain(must.without(on_it).iter()) {
            let after = fight.with(self.geometry, reply, 1);
            let next = self.attack(&after, depth - 1)?;
            win.take(self.geometry, &after, reply, &next);
            if next.is_direct {
                met.push((reply, next.plan));
            } else {
                win.plan.add(reply, next.plan);
            }
        }
        // Where nothing stops that sequence, what changes it is told.
        if win.plan.then.is_empty() {
            let passed = Win::<C>::direct(self.geometry, fight, &line, Bits::EMPTY).map(|win| win.plan);
            for (reply, plan) in met.into_iter().filter(|(_, plan)| Some(plan) != passed.as_ref()) {
                win.plan.add(reply, plan);
            }
        }
        Some(win)
    }
}
