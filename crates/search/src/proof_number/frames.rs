//! The steps of depth-first proof-number search with a table; the loop that takes them is in `depth_first`.
//!
//! The path from the root is a stack of frames. A frame keeps its children's numbers while it is open, so the
//! search comes to an end however small the table is. It is left when its numbers reach their *limits*; which
//! limits a child gets is the [`Rule`] of the method. Nodes are counted as frames entered.
//!
//! On cyclic graphs: a child that stands on the path is a repetition and counts what endless play pays; results
//! that rest on one are told apart (see the module on history). Among unsolved children those first met no
//! deeper than their parent are *old* and not added up with the others (Kishimoto and Mueller 2003), since a
//! sum that runs round a cycle counts itself.

use super::history::{Path, signature, simulate};
use super::leaf::Leaf;
use super::numbers::{ENDLESS, FREE, INFINITE, LARGEST, Numbers, TRUST};
use super::table::{DEEPEST, Entry, Table, Value, key_of};
use endspiel_game::{Expertise, Position, Symmetric, TwoPlayer};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Numbers at which a node is left, or a node's own, as its mover sees them: what he takes the least of, and
/// what he adds up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    pub phi: u32,
    pub delta: u32,
}

impl Sides {
    #[inline]
    pub fn of(pn: u32, dn: u32, or: bool) -> Self {
        if or { Self { phi: pn, delta: dn } } else { Self { phi: dn, delta: pn } }
    }
}

/// How unsolved children are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counting {
    /// Their sum: exact in trees; where lines meet again it counts positions many times. On connect-four of
    /// 5 x 5 to 6 x 5 it still needs half to a third of the nodes of the other.
    #[default]
    Sum,
    /// The greatest, and one for each other (weak proof numbers; Ueda, Hashimoto, Hashimoto, Iida 2008).
    Weak,
}

/// What the children of a node say together.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    pub numbers: Numbers,
    /// The child to go to next, or the one that decided.
    pub chosen: usize,
    /// The least phi of the other children.
    pub second: u32,
    /// The delta of the node.
    pub total: u32,
    /// Unsolved children.
    pub open: u32,
    /// The depth at which the node counts as first met.
    met: u32,
}

/// When a node is left and with which limits a child is entered.
pub trait Rule: Copy + Send + Sync {
    /// Have the numbers reached the limits?
    fn is_reached(&self, now: Sides, limits: Sides) -> bool;

    /// The limits of the chosen child, whose numbers are `child` as its parent's mover sees them.
    fn child(&self, limits: Sides, child: Sides, counting: Counting, summary: &Summary) -> Sides;
}

/// So many nodes below a frame make it worth looking at what other threads have found; fewer where a node costs
/// an expert's judgement.
const fn look_again<P: TwoPlayer, E: Expertise<P>>() -> u64 {
    if E::EFFORT { 4 } else { 256 }
}

/// How many threads are at work below a position; keys that share a counter disturb each other a little.
pub(crate) struct Busy(Vec<AtomicU8>);

impl Busy {
    pub fn new() -> Self {
        Self(std::iter::repeat_with(AtomicU8::default).take(1 << 16).collect())
    }

    fn at(&self, key: u64) -> u32 {
        u32::from(self.0[key as u16 as usize].load(Relaxed))
    }

    fn enter(&self, key: u64) {
        self.0[key as u16 as usize].fetch_add(1, Relaxed);
    }

    fn leave(&self, key: u64) {
        self.0[key as u16 as usize].fetch_sub(1, Relaxed);
    }
}

fn sum_of(number: u32, more: u32, times: u32) -> u32 {
    number.saturating_add(more.saturating_mul(times)).min(LARGEST)
}

struct Child<M> {
    m: M,
    key: u64,
    numbers: Numbers,
    /// The least depth at which it was met.
    met: u32,
}

pub(crate) struct Frame<P> {
    position: P,
    key: u64,
    signature: u64,
    pub or: bool,
    pub limits: Sides,
    first_child: usize,
    chosen: usize,
    born: u64,
    /// The count of nodes when the children were last looked up.
    looked: u64,
    /// What the table knew of work and depth when the frame was entered.
    work: u32,
    met: u32,
}

pub(crate) struct Engine<'a, P: Position, E, R> {
    pub leaf: Leaf<'a, E>,
    pub rule: R,
    pub counting: Counting,
    pub nodes: u64,
    pub hits: u64,
    /// Where the other threads are, if there are any.
    pub busy: Option<&'a Busy>,
    /// Take claims made on other paths on trust: whoever reads the root's numbers then has to check them.
    pub trusting: bool,
    /// The root's numbers, and its winning move, when the machine stands still.
    pub root: Numbers,
    pub winning: Option<P::Move>,
    path: Path,
    /// The depth of the root: positions above it are on the path too.
    base: u32,
    pub frames: Vec<Frame<P>>,
    children: Vec<Child<P::Move>>,
    /// Take results that rest on the path for results that hold everywhere: wrong, to show why.
    #[cfg(test)]
    pub naive: bool,
}

impl<'a, P: TwoPlayer + Symmetric, E: Expertise<P>, R: Rule> Engine<'a, P, E, R> {
    pub fn new(leaf: Leaf<'a, E>, rule: R, counting: Counting, (path, base): (Path, u32)) -> Self {
        Self {
            leaf,
            rule,
            counting,
            nodes: 0,
            hits: 0,
            busy: None,
            trusting: false,
            root: Numbers::open(1, 1),
            winning: None,
            path,
            base,
            frames: Vec::new(),
            children: Vec::new(),
            #[cfg(test)]
            naive: false,
        }
    }

    /// The depth of the next frame.
    #[inline]
    fn depth(&self) -> u32 {
        self.base + self.frames.len() as u32
    }

    /// Puts the root on the stack, with limits on its proof and disproof number.
    pub fn start(&mut self, root: &P, limits: (u32, u32), table: &Table) {
        if let Some(known) = self.leaf.known(root).filter(|_| root.turn().is_over()) {
            self.root = known;
        } else {
            let limits = Sides::of(limits.0, limits.1, self.leaf.is_or(root));
            let key = key_of(root, self.leaf.question);
            self.expand(root.clone(), key, limits, table.probe(key), table);
        }
    }

    /// Takes in what other threads have found of the last frame's children, or of a position above it; true if
    /// anything was solved. Looked for only after some work, since it costs as much as an expansion.
    pub fn catch_up(&mut self, table: &Table) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        if self.nodes - frame.looked < look_again::<P, E>() {
            return false;
        }
        frame.looked = self.nodes;
        let mut news = false;
        for child in self.children[frame.first_child..].iter_mut().filter(|c| !c.numbers.is_solved()) {
            match table.probe(child.key).map(|entry| entry.value) {
                Some(Value::Solved { yes, height }) => {
                    child.numbers = Numbers::solved(yes, height, FREE);
                    news = true;
                }
                Some(Value::Open { pn, dn }) => child.numbers = Numbers::open(pn, dn),
                _ => {}
            }
        }
        let solved = |frame: &Frame<P>| {
            matches!(table.probe(frame.key), Some(Entry { value: Value::Solved { .. }, .. }))
        };
        // The root is left when its children say so, or when the thread that solved it says that all is done.
        if let Some(above) = self.frames.iter().skip(1).position(solved) {
            while self.frames.len() > above + 1 {
                let summary = self.summary();
                self.retire(&summary, table);
            }
            if let Some(frame) = self.frames.last_mut() {
                frame.looked = 0;
            }
            news = true;
        }
        news
    }

    /// Takes the whole path back, keeping what is known of it.
    pub fn unwind(&mut self, table: &Table) {
        while !self.frames.is_empty() {
            let summary = self.summary();
            self.retire(&summary, table);
        }
    }

    /// The numbers of the last frame from its children's.
    pub fn summary(&self) -> Summary {
        let Some(frame) = self.frames.last() else {
            return Summary { numbers: self.root, chosen: 0, second: 0, total: 0, open: 0, met: 0 };
        };
        let depth = self.depth() - 1;
        let mut won: Option<(usize, Numbers)> = None;
        let (mut chosen, mut least, mut cheapest, mut second) = (0, INFINITE, INFINITE, INFINITE);
        let (mut sum, mut greatest, mut open) = (0u32, 0, 0);
        let (mut oldest, mut greatest_old, mut open_old) = (u32::MAX, 0, 0);
        let (mut height, mut rests_on) = (0, FREE);
        for (i, child) in self.children[frame.first_child..].iter().enumerate() {
            let Sides { phi, delta } = Sides::of(child.numbers.pn, child.numbers.dn, frame.or);
            if phi == 0 {
                let better = won.is_none_or(|(_, best)| {
                    let rank = |n: &Numbers| (n.rests_on < depth, n.height);
                    rank(&child.numbers) < rank(&best)
                });
                if better {
                    won = Some((i, child.numbers));
                }
            } else if delta == 0 {
                height = height.max(child.numbers.height.saturating_add(1));
                rests_on = rests_on.min(child.numbers.rests_on);
            } else {
                least = least.min(phi);
                // Another thread at work makes a child look dearer, so that threads part.
                let price = self.busy.map_or(phi, |busy| sum_of(phi, phi / 4 + 1, busy.at(child.key)));
                if price < cheapest {
                    (second, cheapest, chosen) = (cheapest, price, i);
                } else {
                    second = second.min(price);
                }
                if P::CYCLIC && child.met <= depth {
                    oldest = oldest.min(child.met);
                    greatest_old = greatest_old.max(delta);
                    open_old += 1;
                } else {
                    sum = sum.saturating_add(delta).min(LARGEST);
                    greatest = greatest.max(delta);
                    open += 1;
                }
            }
        }
        let mut met = frame.met;
        if let Some((i, best)) = won {
            let numbers = Numbers::solved(frame.or, best.height.saturating_add(1), best.rests_on);
            return Summary { numbers, chosen: i, second, total: INFINITE, open, met };
        }
        if open + open_old == 0 {
            let numbers = Numbers::solved(!frame.or, height, rests_on);
            return Summary { numbers, chosen, second, total: 0, open: 0, met };
        }
        let total = match (open, self.counting) {
            (0, _) => {
                met = met.min(oldest);
                greatest_old
            }
            (_, Counting::Sum) => sum,
            (_, Counting::Weak) => greatest.saturating_add(open - 1).min(LARGEST),
        };
        let (pn, dn) = if frame.or { (least, total) } else { (total, least) };
        Summary { numbers: Numbers::open(pn, dn), chosen, second, total, open, met }
    }

    /// Leaves the last frame: its numbers go to the table and to its parent.
    pub fn retire(&mut self, summary: &Summary, table: &Table) {
        let Some(frame) = self.frames.pop() else { return };
        let depth = self.depth();
        let mut numbers = summary.numbers;
        // The positions that rested on this one now hold everywhere, as it does.
        let closes = numbers.is_solved() && numbers.rests_on == depth;
        if numbers.rests_on >= depth {
            numbers.rests_on = FREE;
        }
        #[cfg(test)]
        if self.naive {
            numbers.rests_on = FREE;
        }
        if P::CYCLIC {
            self.path.pop(frame.key, depth);
        }
        if let Some(busy) = self.busy {
            busy.leave(frame.key);
        }
        let chosen = &self.children[frame.first_child + summary.chosen];
        if self.frames.is_empty() {
            self.root = numbers;
            let mover_wins = if frame.or { numbers.pn == 0 } else { numbers.dn == 0 };
            self.winning = mover_wins.then_some(chosen.m);
        }
        let yes = numbers.pn == 0;
        let value = match (numbers.is_solved(), numbers.rests_on) {
            (false, _) => Value::Open { pn: numbers.pn, dn: numbers.dn },
            (true, FREE) => Value::Solved { yes, height: numbers.height },
            (true, _) => Value::OnPath { yes, signature: frame.signature },
        };
        let entry_depth = if matches!(value, Value::OnPath { .. }) { numbers.rests_on } else { summary.met };
        let work = frame.work.saturating_add(u32::try_from(self.nodes - frame.born).unwrap_or(u32::MAX));
        let entry = Entry { value, hint: chosen.key as u16, depth: entry_depth, work };
        if closes {
            let claim = Entry { value: Value::OnPath { yes, signature: 0 }, ..entry };
            table.store(frame.key, &claim);
            let limit = u64::from(work);
            self.nodes += simulate(table, &self.leaf, &self.path, &frame.position, yes, limit).1;
        }
        // A repetition too deep to be told from others is kept in the frame alone.
        if !matches!(value, Value::OnPath { .. }) || entry_depth < DEEPEST {
            table.store(frame.key, &entry);
        }
        self.children.truncate(frame.first_child);
        if let Some(parent) = self.frames.last() {
            let child = &mut self.children[parent.first_child + parent.chosen];
            (child.numbers, child.met) = (numbers, summary.met);
        }
    }

    /// Enters the chosen child, unless the table answers for it.
    pub fn descend(&mut self, summary: &Summary, limits: Sides, table: &Table) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.chosen = summary.chosen;
        let child = &mut self.children[frame.first_child + summary.chosen];
        let now = Sides::of(child.numbers.pn, child.numbers.dn, frame.or);
        let limits = self.rule.child(limits, now, self.counting, summary);
        let key = child.key;
        let found = table.probe(key);
        let position = frame.position.after(child.m);
        let numbers = match found.map(|entry| entry.value) {
            Some(Value::OnPath { yes, .. }) if self.trusting => Some(Numbers::solved(yes, ENDLESS, TRUST)),
            Some(Value::Solved { yes, height }) => Some(Numbers::solved(yes, height, FREE)),
            Some(Value::Open { pn, dn }) => {
                let numbers = Numbers::open(pn, dn);
                self.rule.is_reached(Sides::of(pn, dn, frame.or), limits).then_some(numbers)
            }
            Some(Value::OnPath { yes, .. }) => {
                // A replay costs no more than finding the result did, and counts as nodes.
                let limit = found.map_or(0, |entry| u64::from(entry.work));
                let (rests_on, steps) = simulate(table, &self.leaf, &self.path, &position, yes, limit);
                self.nodes += steps;
                rests_on.map(|rests_on| {
                    if rests_on != FREE
                        && let Some(entry) = found
                    {
                        let value = Value::OnPath { yes, signature: signature(frame.signature, key) };
                        table.store(key, &Entry { value, depth: rests_on, ..entry });
                    }
                    Numbers::solved(yes, ENDLESS, rests_on)
                })
            }
            None => None,
        };
        if let Some(numbers) = numbers {
            self.hits += 1;
            child.numbers = numbers;
            return;
        }
        let found = found.filter(|entry| !matches!(entry.value, Value::OnPath { .. }));
        // A child sees its own limits: as those of its own mover.
        let (pn, dn) = if frame.or { (limits.phi, limits.delta) } else { (limits.delta, limits.phi) };
        let limits = Sides::of(pn, dn, self.leaf.is_or(&position));
        self.expand(position, key, limits, found, table);
    }

    /// Puts a frame on the stack, with what is known of its children.
    fn expand(&mut self, position: P, key: u64, limits: Sides, found: Option<Entry>, table: &Table) {
        self.nodes += 1;
        let depth = self.depth();
        let above = self.frames.last().map_or(u64::from(self.base), |frame| frame.signature);
        let signature_here = signature(above, key);
        if P::CYCLIC {
            self.path.push(key, depth);
        }
        if let Some(busy) = self.busy {
            busy.enter(key);
        }
        let first_child = self.children.len();
        let or = self.leaf.is_or(&position);
        let many = position.symmetries() > 1;
        let (children, leaf, path, trusting) = (&mut self.children, &self.leaf, &self.path, self.trusting);
        let (mut won, mut hits) = (false, 0);
        leaf.expertise.candidates(&position, |m| {
            // One winning child is enough.
            if won {
                return;
            }
            let child = position.after(m);
            let mut met = depth + 1;
            let known = leaf.known(&child);
            let child_key = key_of(&child, leaf.question);
            if many && children[first_child..].iter().any(|c| c.key == child_key) {
                return;
            }
            let repeated = || path.depth_of(child_key).filter(|_| P::CYCLIC);
            let numbers = known.or_else(|| {
                let depth = repeated()?;
                Some(Numbers::solved(leaf.repeated(&child), ENDLESS, depth))
            });
            let numbers = numbers.unwrap_or_else(|| match table.probe(child_key) {
                Some(Entry { value: Value::Solved { yes, height }, .. }) => {
                    hits += 1;
                    Numbers::solved(yes, height, FREE)
                }
                Some(Entry { value: Value::Open { pn, dn }, depth, .. }) => {
                    met = met.min(depth);
                    Numbers::open(pn, dn)
                }
                Some(Entry { value: Value::OnPath { yes, signature: there }, depth, .. })
                    if depth != TRUST && there == signature(signature_here, child_key) =>
                {
                    Numbers::solved(yes, ENDLESS, depth)
                }
                Some(Entry { value: Value::OnPath { yes, .. }, .. }) if trusting => {
                    hits += 1;
                    Numbers::solved(yes, ENDLESS, TRUST)
                }
                _ => leaf.guess(&child, depth + 1),
            });
            won = if or { numbers.pn == 0 } else { numbers.dn == 0 } && numbers.rests_on == FREE;
            children.push(Child { m, key: child_key, numbers, met });
        });
        self.hits += hits;
        let (work, met) = found.map_or((0, depth), |entry| (entry.work, entry.depth.min(depth)));
        self.frames.push(Frame {
            position,
            key,
            signature: signature_here,
            or,
            limits,
            first_child,
            chosen: 0,
            born: self.nodes,
            looked: self.nodes,
            work,
            met,
        });
    }
}
