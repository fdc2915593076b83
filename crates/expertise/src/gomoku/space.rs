//! The space of threats of one player, searched by dependency: go-moku's own form of dependency-based search.
//!
//! The same key classes as [`endspiel_search::dependency`] finds by supports with joins of two nodes, for threats alone
//! (`operators`). A state is the lines of the board as words, so what applies through a stone is read off the words
//! around it, and whether two nodes agree is told by who fills which cell. Nothing is allocated once the lists have
//! grown.
//!
//! Cost: some 200 ns a node; a pair of nodes is looked at where their keys lie on one line within five cells, and given up
//! where the stones of both on that line leave no threat.

use super::board::{Board, Cells, Geometry, Place};
use super::operators::{Named, Step, steps_at, steps_on};
use super::shapes::{Kind, LOWER, shapes};
use endspiel_game::{Player, mix};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A node has at most so many threats.
pub(super) const LONGEST: usize = 12;
const NONE: u32 = u32::MAX;
const NOBODY: u8 = u8::MAX;

/// What is searched for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Want {
    /// Threats of higher categories are not made.
    pub category: u8,
    /// Does only a line of exactly five win? Threats on lines that a stone prolongs are then left out.
    pub exactly: bool,
    /// Sequences of at most so many threats.
    pub longest: usize,
    /// Taking one of these cells is as good as a five.
    pub goals: Cells,
    /// Is the first success enough?
    pub first: bool,
}

/// The threats of a node as numbers, in ascending order.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    steps: [u16; LONGEST],
    length: u8,
    /// A bit for each of them, by its number modulo 64.
    bits: u64,
    /// Their hash.
    key: u64,
}

impl Part {
    fn steps(&self) -> &[u16] {
        &self.steps[..self.length as usize]
    }

    #[inline]
    fn contains(&self, step: u16) -> bool {
        self.bits >> (step & 63) & 1 == 1 && self.steps().contains(&step)
    }

    /// With a threat more, by its number and its hash; there is room for it.
    #[inline]
    fn with(&self, step: u16, hash: u64) -> Self {
        let mut next = *self;
        let mut at = self.length as usize;
        while at > 0 && next.steps[at - 1] > step {
            next.steps[at] = next.steps[at - 1];
            at -= 1;
        }
        next.steps[at] = step;
        next.length += 1;
        next.bits |= 1 << (step & 63);
        next.key ^= hash;
        next
    }

    /// The threats of both, if there is room for so many.
    fn joined(&self, other: &Self, room: usize, filled: &[Filled]) -> Option<Self> {
        let mut all = *self;
        for &step in other.steps() {
            if !self.contains(step) {
                if all.length as usize >= room {
                    return None;
                }
                all = all.with(step, filled[step as usize].hash);
            }
        }
        Some(all)
    }
}

/// What a threat fills, by places: the attack first.
#[derive(Clone, Copy, Debug)]
struct Filled {
    /// The numbers of the lines through each cell, a byte each and two cells a word; no line has the number of a cell that
    /// is missing.
    numbers: [u64; 2],
    cells: [u16; 4],
    hash: u64,
}

impl Filled {
    fn new(geometry: &Geometry, step: &Step, number: u16) -> Self {
        let (mut numbers, mut cells) = ([u32::MAX; 4], [0; 4]);
        for (i, &cell) in step.filled().iter().enumerate() {
            (numbers[i], cells[i]) = (geometry.numbers[cell as usize], cell);
        }
        let word = |i: usize| u64::from(numbers[i]) | u64::from(numbers[i + 1]) << 32;
        Self { numbers: [word(0), word(2)], cells, hash: mix(u64::from(number)) }
    }

    /// Adds its stones to the four lines with these numbers.
    #[inline]
    fn add(&self, geometry: &Geometry, numbers: u32, attacker: u32, lines: &mut [u64; 4]) {
        const LOW: u64 = 0x0101_0101_0101_0101;
        let both = u64::from(numbers) | u64::from(numbers) << 32;
        for (word, theirs) in self.numbers.iter().enumerate() {
            // The bytes of the lines that both cells lie on are zero; the lowest of them is marked for certain.
            let apart = both ^ theirs;
            let mut common = apart.wrapping_sub(LOW) & !apart & (LOW << 7);
            while common != 0 {
                let byte = common.trailing_zeros() as usize / 8;
                common &= common - 1;
                if (apart >> (8 * byte)) as u8 == 0 {
                    let (i, d) = (2 * word + byte / 4, byte % 4);
                    let half = if i == 0 { attacker } else { 32 - attacker };
                    lines[d] |= 1 << (u32::from(geometry.places[self.cells[i] as usize][d].bit) + half);
                }
            }
        }
    }
}

/// A key class, or a join of two of them.
#[derive(Clone, Copy, Debug)]
struct Node {
    part: Part,
    /// The cells of the keys: of the one last threat, or of the two that are joined.
    keys: [u16; 2],
    /// The number of the last threat; none for a join.
    key: Option<u16>,
    is_goal: bool,
    /// The node linked before this one whose last threat has the same cell, and how many are linked before it at all.
    next: u32,
    rank: u32,
    /// The stones of its threats on the four lines through its first key.
    lines: [u64; 4],
}

/// Two nodes whose keys lie on one line: where the first of them lies there, the bit of the other, and the stones of
/// both on the line.
#[derive(Clone, Copy, Debug)]
struct Pair {
    nodes: [usize; 2],
    place: Place,
    bit: u8,
    stones: u64,
}

/// The space of a position's threats, as far as it was searched.
#[derive(Clone, Debug, Default)]
pub(super) struct Space {
    lines: Vec<u64>,
    attacker: u32,
    steps: Vec<Step>,
    /// What each of them fills.
    fills: Vec<Filled>,
    /// The numbers of the steps by those of their names.
    numbers: HashMap<u32, u16, BuildHasherDefault<Itself>>,
    nodes: Vec<Node>,
    /// By cell, the last node whose last threat is there.
    last: Vec<u32>,
    /// By line, the places of such cells.
    keyed: Vec<u64>,
    classes: HashSet<u64, BuildHasherDefault<Itself>>,
    filled: Vec<u8>,
    open: Vec<u32>,
    /// Pairs of nodes whose join is too long, and nodes as long as may be, which are not linked, for the next time.
    cut: Vec<Pair>,
    late: Vec<u32>,
    linked: u32,
    found: Vec<Named>,
    left: u64,
    ended: bool,
    /// Is it the whole space? Otherwise the nodes ended, a goal was enough, or nodes were too long.
    pub complete: bool,
    /// Did the nodes end?
    pub out: bool,
}

impl Space {
    /// Puts these stones, those of the attacker first, on the lines.
    pub fn lay(&mut self, geometry: &Geometry, stones: &[Cells; 2]) {
        self.lines.clear();
        self.lines.resize(geometry.lines.len(), 0);
        self.attacker = 0;
        for (side, cells) in stones.iter().enumerate() {
            for cell in cells.iter() {
                turn(&mut self.lines, geometry, cell as u16, 32 * side as u32);
            }
        }
    }

    /// Puts on the lines what a board keeps, with threats of this player.
    pub fn take(&mut self, board: &Board, attacker: Player) {
        self.lines.clear();
        self.lines.extend_from_slice(board.lines());
        self.attacker = 32 * u32::from(attacker.0);
    }

    /// The same with more stones: these are all of them, those of the attacker first.
    pub fn take_more(&mut self, board: &Board, attacker: Player, stones: &[Cells; 2]) {
        self.take(board, attacker);
        for (player, cells) in [attacker, attacker.other()].into_iter().zip(stones) {
            for cell in cells.without(*board.stones(player)).iter() {
                turn(&mut self.lines, board.geometry(), cell as u16, 32 * u32::from(player.0));
            }
        }
    }

    /// The lines with their stones.
    pub fn lines(&self) -> &[u64] {
        &self.lines
    }

    /// Has the attacker a five to complete, by the free rule?
    pub fn has_five(&self, geometry: &Geometry) -> bool {
        self.lines.iter().zip(&geometry.lines).any(|(&stones, line)| {
            let fives = || shapes(stones, line.inside, 0).cells[Kind::Five as usize];
            has_stones(stones >> self.attacker & LOWER, 4) && fives() >> self.attacker & LOWER != 0
        })
    }

    /// Searches the threats of the attacker's, with so many nodes and attempts to join.
    pub fn search(&mut self, geometry: &Geometry, want: &Want, nodes: u64) {
        for node in &self.nodes {
            self.last[node.keys[0] as usize] = NONE;
        }
        self.last.resize(geometry.places.len(), NONE);
        self.keyed.clear();
        self.keyed.resize(geometry.lines.len(), 0);
        self.filled.resize(geometry.places.len(), NOBODY);
        self.steps.clear();
        self.fills.clear();
        self.numbers.clear();
        self.nodes.clear();
        self.classes.clear();
        self.cut.clear();
        self.late.clear();
        self.linked = 0;
        (self.left, self.ended, self.complete, self.out) = (nodes, false, true, false);
        let want = Want { longest: want.longest.min(LONGEST), ..*want };
        // 1. What applies at once.
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let least = if want.category >= 2 { 2 } else { 3 };
        for (number, &stones) in self.lines.iter().enumerate() {
            if has_stones(stones >> self.attacker & LOWER, least) {
                steps_on(geometry, number, stones, self.attacker, &want, &mut found);
            }
        }
        for step in &found {
            self.grow(geometry, Part::default(), *step, &want);
        }
        self.found = found;
        self.open.reverse();
        self.levels(geometry, &want, 0, &[], &[]);
    }

    /// Goes on with longer sequences where a search has ended that left out nothing else: what was too long then is
    /// open now. Has so many nodes and attempts to join again.
    pub fn deepen(&mut self, geometry: &Geometry, want: &Want, nodes: u64) {
        (self.left, self.ended, self.complete, self.out) = (nodes, false, true, false);
        let want = Want { longest: want.longest.min(LONGEST), ..*want };
        let (cut, late) = (std::mem::take(&mut self.cut), std::mem::take(&mut self.late));
        for &node in &late {
            self.link(geometry, node);
        }
        self.open.extend(late.iter().rev());
        self.levels(geometry, &want, self.nodes.len(), &cut, &late);
    }

    /// What depends on what is open, then joins with the nodes from `first` on and those that came too late before; from
    /// these the next level goes on.
    fn levels(&mut self, geometry: &Geometry, want: &Want, mut first: usize, cut: &[Pair], late: &[u32]) {
        let (mut pairs, mut nodes) = (cut.iter(), late.iter());
        loop {
            self.depend(geometry, want);
            let made = first..self.nodes.len();
            for pair in pairs.by_ref() {
                self.join(geometry, pair, want);
            }
            for &node in nodes.by_ref() {
                self.combine(geometry, node as usize, want);
            }
            for node in made.clone() {
                self.combine(geometry, node, want);
            }
            if self.ended || self.nodes.len() == made.end {
                break;
            }
            first = self.nodes.len();
            self.open.extend((made.end as u32..first as u32).rev());
        }
        self.open.clear();
    }

    /// The nodes that reach a goal, in the order in which they were found.
    pub fn solutions(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&node| self.nodes[node].is_goal)
    }

    /// All key classes.
    pub fn key_classes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&node| self.nodes[node].key.is_some())
    }

    /// How many threats a node has.
    pub fn length(&self, node: usize) -> usize {
        self.nodes[node].part.length as usize
    }

    /// How many nodes there are.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The threats of a node, in any order.
    pub fn steps(&self, node: usize) -> impl Iterator<Item = &Step> + '_ {
        self.nodes[node].part.steps().iter().map(|&step| &self.steps[step as usize])
    }

    /// The threats of a node in an order in which they apply one after the other.
    pub fn path(&mut self, node: usize) -> Vec<Step> {
        let part = self.nodes[node].part;
        let order = self.order(&part).unwrap_or_default();
        order[..part.length as usize].iter().map(|&i| self.steps[part.steps[i as usize] as usize]).collect()
    }

    /// Adds all that depends on the open nodes, depth first.
    fn depend(&mut self, geometry: &Geometry, want: &Want) {
        let mut found = std::mem::take(&mut self.found);
        while let Some(node) = self.open.pop() {
            if self.ended {
                break;
            }
            let Node { part, keys, key, lines, .. } = self.nodes[node as usize];
            let [places, others] = keys.map(|cell| geometry.places[cell as usize]);
            found.clear();
            for (direction, place) in places.into_iter().enumerate() {
                // After a join only what depends on both keys is new.
                let other = others[direction];
                if key.is_some() || place.line == other.line {
                    let stones = self.lines[place.line as usize] | lines[direction];
                    if !has_company(stones >> self.attacker, place.bit, want.category) {
                        continue;
                    }
                    steps_at(geometry, (place, other.bit), stones, self.attacker, want, &mut found);
                }
            }
            let before = self.open.len();
            for step in &found {
                self.grow(geometry, part, *step, want);
            }
            self.open[before..].reverse();
        }
        self.found = found;
    }

    /// A new key class, unless it is known.
    fn grow(&mut self, geometry: &Geometry, part: Part, named: Named, want: &Want) {
        if self.ended || part.length as usize >= want.longest {
            self.complete = false;
            return;
        }
        let number = *self.numbers.entry(named.number()).or_insert(self.steps.len() as u16);
        if number as usize == self.steps.len() {
            let step = named.step(geometry);
            self.steps.push(step);
            self.fills.push(Filled::new(geometry, &step, number));
        }
        let fills = &self.fills[number as usize];
        if !self.classes.insert(part.key ^ fills.hash) {
            return;
        }
        let part = part.with(number, fills.hash);
        let step = &self.steps[number as usize];
        let cell = step.attack();
        let is_goal = step.replies().is_empty() || want.goals.contains(cell as usize);
        let (key, node) = (Some(number), self.nodes.len() as u32);
        self.nodes.push(Node { part, keys: [cell; 2], key, is_goal, next: NONE, rank: 0, lines: [0; 4] });
        // What is an end is no part of anything else; what may come after the longest is left for later.
        if !is_goal && (part.length as usize) < want.longest {
            self.link(geometry, node);
            self.open.push(node);
        } else if !is_goal {
            self.late.push(node);
            self.complete = false;
        }
        self.ended |= is_goal && want.first;
        self.spend();
    }

    /// Makes a key class known to those that it may be joined with.
    fn link(&mut self, geometry: &Geometry, node: u32) {
        let Node { part, keys: [cell, _], .. } = &self.nodes[node as usize];
        let (cell, lines) = (*cell, self.added(geometry, part, *cell));
        for place in geometry.places[cell as usize] {
            self.keyed[place.line as usize] |= 1 << place.bit;
        }
        let next = std::mem::replace(&mut self.last[cell as usize], node);
        let linked = &mut self.nodes[node as usize];
        (linked.next, linked.rank, linked.lines) = (next, self.linked, lines);
        self.linked += 1;
    }

    fn spend(&mut self) {
        self.left = self.left.saturating_sub(1);
        self.out |= self.left == 0;
        self.ended |= self.out;
        self.complete &= !self.ended;
    }

    /// Joins a node with those before it wherever a threat depends on both.
    fn combine(&mut self, geometry: &Geometry, node: usize, want: &Want) {
        let Node { part, keys: [cell, _], key: Some(key), is_goal: false, lines, rank, .. } =
            self.nodes[node]
        else {
            return;
        };
        if part.length as usize >= want.longest {
            return;
        }
        let (own, other_half) = (self.attacker, 32 - self.attacker);
        for (direction, place) in geometry.places[cell as usize].into_iter().enumerate() {
            let line = &geometry.lines[place.line as usize];
            let stones = self.lines[place.line as usize] | lines[direction];
            let near = 0b111101111 << (place.bit - 4);
            let mut bits = self.keyed[place.line as usize] & near & !(stones >> other_half);
            while bits != 0 {
                let bit = bits.trailing_zeros() as u8;
                bits &= bits - 1;
                let mut other = self.last[line.cell(bit as usize)];
                while other != NONE && !self.ended {
                    let Node { part: second, key: other_key, next, rank: before, lines: more, .. } =
                        &self.nodes[other as usize];
                    let (at, both) = (other as usize, stones | more[direction]);
                    other = *next;
                    // 1. The stones of both on the line leave room for a five through both keys.
                    let (stones, closed) = (both >> own & LOWER, both >> other_half & LOWER);
                    let is_known = *before >= rank;
                    if is_known || stones & closed != 0 || !has_room(line.inside & !closed, place.bit, bit) {
                        continue;
                    }
                    // 2. Neither has the key of the other.
                    if other_key.is_none_or(|k| part.contains(k)) || second.contains(key) {
                        continue;
                    }
                    self.join(geometry, &Pair { nodes: [node, at], place, bit, stones: both }, want);
                }
            }
        }
    }

    /// Keeps the join of two nodes if they agree and a threat depends on both of their keys.
    fn join(&mut self, geometry: &Geometry, pair: &Pair, want: &Want) {
        let Pair { nodes, place, bit, stones } = *pair;
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        steps_at(geometry, (place, bit), stones, self.attacker, want, &mut found);
        let depends = !found.is_empty();
        self.found = found;
        if !depends || self.ended {
            return;
        }
        // Where longer ones were left out already, it does not matter whether these agree.
        let room = if self.complete { LONGEST } else { want.longest - 1 };
        let all = self.nodes[nodes[0]].part.joined(&self.nodes[nodes[1]].part, room, &self.fills);
        let Some(all) = all.filter(|all| (all.length as usize) < want.longest) else {
            if all.is_none_or(|all| self.order(&all).is_some()) {
                self.complete = false;
                self.cut.push(*pair);
            }
            return;
        };
        self.spend();
        if self.ended || self.order(&all).is_none() {
            return;
        }
        let keys = nodes.map(|node| self.nodes[node].keys[0]);
        let lines = self.added(geometry, &all, keys[0]);
        self.nodes.push(Node { part: all, keys, key: None, is_goal: false, next: NONE, rank: 0, lines });
        self.spend();
    }

    /// The places of a node's threats in an order in which they apply: each after those that give it a stone and after
    /// those that need empty what it fills. None if there is no such order.
    fn order(&mut self, part: &Part) -> Option<[u8; LONGEST]> {
        let Self { steps, filled, .. } = self;
        let threats = || part.steps().iter().map(|&step| &steps[step as usize]).enumerate();
        let mut agrees = true;
        for (i, step) in threats() {
            for &cell in step.filled() {
                agrees &= filled[cell as usize] == NOBODY;
                filled[cell as usize] = i as u8;
            }
        }
        let mut before = [0u16; LONGEST];
        for (i, step) in threats() {
            for &cell in step.stones() {
                let giver = filled[cell as usize] as usize;
                if giver != NOBODY as usize {
                    agrees &= steps[part.steps[giver] as usize].attack() == cell;
                    before[i] |= 1 << giver;
                }
            }
            for &cell in step.empty() {
                let filler = filled[cell as usize] as usize;
                if filler != NOBODY as usize && filler != i {
                    before[filler] |= 1 << i;
                }
            }
        }
        for (_, step) in threats() {
            step.filled().iter().for_each(|&cell| filled[cell as usize] = NOBODY);
        }
        let (mut order, mut done) = ([0; LONGEST], 0u16);
        for place in order.iter_mut().take(part.length as usize) {
            let next = (0..part.length as usize).find(|&i| done >> i & 1 == 0 && before[i] & !done == 0);
            let next = next.filter(|_| agrees)?;
            *place = next as u8;
            done |= 1 << next;
        }
        Some(order)
    }

    /// The stones of threats on the four lines through a cell.
    #[inline]
    fn added(&self, geometry: &Geometry, part: &Part, cell: u16) -> [u64; 4] {
        let (numbers, mut lines) = (geometry.numbers[cell as usize], [0; 4]);
        for &step in part.steps() {
            self.fills[step as usize].add(geometry, numbers, self.attacker, &mut lines);
        }
        lines
    }
}

/// Are there at least so many stones?
#[inline]
fn has_stones(mut stones: u64, count: u32) -> bool {
    for _ in 1..count {
        stones &= stones.wrapping_sub(1);
    }
    stones != 0
}

/// Are there stones enough around one of the attacker's for a threat through it?
#[inline]
fn has_company(own: u64, bit: u8, category: u8) -> bool {
    let near = own >> (bit - 4) & 0b111101111;
    // A four needs two more, a three one.
    near & (near - u64::from(near != 0)) != 0 || near != 0 && category >= 2
}

/// Are there five usable cells in a row with both of these?
#[inline]
fn has_room(usable: u64, a: u8, b: u8) -> bool {
    let (low, high) = (a.min(b), a.max(b));
    let cells = usable >> (high - 4);
    let pairs = cells & cells >> 1;
    let starts = (1u64 << (5 - (high - low))) - 1;
    pairs & pairs >> 2 & cells >> 4 & starts != 0
}

/// Puts a stone on its four lines, in the half from this bit on, or takes it away.
#[inline]
fn turn(lines: &mut [u64], geometry: &Geometry, cell: u16, half: u32) {
    for place in geometry.places[cell as usize] {
        lines[place.line as usize] ^= 1 << (u32::from(place.bit) + half);
    }
}

/// Keys that are hashes already.
#[derive(Clone, Copy, Debug, Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }

    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.0 = mix(u64::from(n));
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
