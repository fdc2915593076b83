//! Solving a subspace backward, round by round, a *block* at a time: all positions with the same men of the side that has
//! more, that of the mover if both have as many.
//!
//! Within a block a position is a set of the points that are left, and a move of the other side leads to another set of the
//! same block. A move of the first side leads all sets of its block into one other block, each by the same change of
//! points. So where a move leads is worked out once for a whole block, and what is read and written lies close together.
//! A round asks of every block which of its positions have a move to what the round before decided: blocks only ever read
//! each other's news, so that threads share them out and none waits. Numbers that are wasted on images of a position are
//! solved along with it, which saves looking for the least image at every step.
//!
//! Where both sides have as many men, what a round decides in the block of the mover's men is told to the block of the
//! other's.

use super::orbits::{CHOOSE, Orbits, inverse, rank, squeezed, unrank};
use super::subspaces::{Subspace, Subspaces};
use endspiel_retro::{Cells, Job, Label, Metric, Stage, Stopped, Table};
use endspiel_rules::nine_mens_morris::FLYING;
use endspiel_rules::nine_mens_morris::points::{
    ALL, MILLS, NEIGHBOURS, Points, each, image, image_point, in_mill, milled,
};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicI16, AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

/// Blocks that a thread takes at a time.
const PIECE: usize = 16;
/// The bit of `left` that says that a position is decided.
const DECIDED: u8 = 0x80;
/// No move is known to leave the subspace.
const NOTHING: i16 = i16::MIN;
/// With so many sets to change it pays to make tables of the change.
const MANY: u32 = 200;
/// Points left by the smallest first side.
const LEFT: usize = 21;

/// Does this solver tell such tables?
pub fn serves(metric: Metric) -> bool {
    matches!(metric, Metric::End | Metric::Conversion | Metric::Value)
}

/// The bytes a position, in eighths: value, moves left, news of two rounds, and who waits.
pub const EIGHTHS: u64 = 16 + 8 + 2 + 1;

/// Solves a subspace.
pub fn solve(spaces: &Subspaces, job: &Job<'_, Subspaces>) -> Result<Table, Stopped> {
    let space = Space::new(spaces, job);
    let blocks = space.orbits.many() as usize;
    let size = (blocks * space.width * space.sides) as u64;
    let pieces = blocks.div_ceil(PIECE);
    let piece = |i: usize| i * PIECE..((i + 1) * PIECE).min(blocks);
    let stage = Stage { doing: "moves", pass: 1, changed: None };
    job.work.share(stage, pieces, size, |i| {
        let mut desk = Desk::default();
        for block in piece(i) {
            space.begin(block, &mut desk);
        }
    })?;
    let mut news = [News::new(&space), News::new(&space)];
    let (mut round, mut pass, mut changed) = (0, 0, None);
    loop {
        pass += 1;
        let stage = Stage { doing: "rounds", pass, changed };
        let [old, new] = &news;
        let counts = job.work.share(stage, pieces, size, |i| {
            let mut buffer = vec![0; space.words];
            piece(i).map(|block| space.round(round, block, old, new, &mut buffer)).sum::<u64>()
        })?;
        let count: u64 = counts.iter().sum();
        changed = Some(count);
        news.swap(0, 1);
        news[1].forget(space.words);
        round = if count > 0 {
            round + 1
        } else {
            // Nothing more is decided before somebody's waiting ends.
            match space.due.iter().map(|due| due.load(Relaxed)).min() {
                Some(u16::MAX) | None => break,
                Some(next) => next,
            }
        };
    }
    Ok(space.table())
}

/// A change of points: sets of those that one block leaves as sets of those that another one leaves.
struct Change {
    bits: [Points; LEFT],
    low: Vec<Points>,
    high: Vec<Points>,
}

const LOW: usize = 9;

impl Change {
    /// Every point has this set instead.
    fn new(bits: [Points; LEFT]) -> Self {
        Self { bits, low: Vec::new(), high: Vec::new() }
    }

    /// With tables, for many sets of so many points.
    fn with_tables(bits: [Points; LEFT], points: usize) -> Self {
        let sums = |bits: &[Points]| {
            let mut out = vec![0; 1 << bits.len()];
            for set in 1..out.len() {
                out[set] = out[set & (set - 1)] | bits[set.trailing_zeros() as usize];
            }
            out
        };
        let cut = LOW.min(points);
        Self { bits, low: sums(&bits[..cut]), high: sums(&bits[cut..points]) }
    }

    #[inline]
    fn slowly(&self, set: Points) -> Points {
        each(set).fold(0, |out, point| out | self.bits[point])
    }

    #[inline]
    fn of(&self, set: Points) -> Points {
        self.low[set as usize & ((1 << LOW) - 1)] | self.high[set as usize >> LOW]
    }
}

/// The points that a block leaves.
struct Free {
    /// In order.
    points: [u8; LEFT],
    many: usize,
    /// The number of each among them.
    at: [u8; 24],
}

impl Free {
    fn new(taken: Points) -> Self {
        let mut out = Self { points: [0; LEFT], many: 0, at: [0; 24] };
        for point in each(ALL & !taken).take(LEFT) {
            out.at[point] = out.many as u8;
            out.points[out.many] = point as u8;
            out.many += 1;
        }
        out
    }

    fn points(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.points[..self.many].iter().map(|&point| usize::from(point)).enumerate()
    }

    /// A set of the board as one of the points left.
    fn narrow(&self, set: Points) -> Points {
        self.points().filter(|(_, point)| set >> point & 1 != 0).fold(0, |out, (at, _)| out | 1 << at)
    }

    /// Every point left as the set of that point of the board.
    fn wide(&self) -> [Points; LEFT] {
        let mut out = [0; LEFT];
        self.points().for_each(|(at, point)| out[at] = 1 << point);
        out
    }
}

/// A move of the first side: the block it leads to, and how that block sees the board.
#[derive(Clone, Copy)]
struct Step {
    block: u32,
    symmetry: u8,
    from: u8,
}

/// What was decided in a round, a bit a position. First the blocks in which the first side is to move, then those of the
/// other; where both sides have as many men, only how the others' blocks see it.
struct News {
    rows: Vec<AtomicU64>,
    any: Vec<AtomicBool>,
}

impl News {
    fn new(space: &Space<'_>) -> Self {
        let blocks = space.orbits.many() as usize * space.sides;
        Self { rows: atomics(blocks * space.words), any: atomics(blocks) }
    }

    fn row(&self, block: usize, words: usize) -> &[AtomicU64] {
        &self.rows[block * words..(block + 1) * words]
    }

    /// The news of a block, if there are any.
    fn of(&self, block: usize, words: usize) -> Option<&[AtomicU64]> {
        self.any[block].load(Relaxed).then(|| self.row(block, words))
    }

    fn put(&self, block: usize, news: &[u64]) {
        self.any[block].store(true, Relaxed);
        self.row(block, news.len()).iter().zip(news).for_each(|(row, &news)| row.store(news, Relaxed));
    }

    fn add(&self, block: usize, words: usize, place: usize) {
        self.any[block].store(true, Relaxed);
        self.row(block, words)[place / 64].fetch_or(1 << (place % 64), Relaxed);
    }

    fn forget(&mut self, words: usize) {
        for (any, row) in self.any.iter_mut().zip(self.rows.chunks_mut(words)) {
            if std::mem::take(any.get_mut()) {
                for word in row {
                    *word.get_mut() = 0;
                }
            }
        }
    }
}

/// The places of the bits that are set.
fn places(row: &[AtomicU64]) -> impl Iterator<Item = usize> + '_ {
    let words = row.iter().map(|word| word.load(Relaxed)).enumerate().filter(|&(_, word)| word != 0);
    words.flat_map(|(i, mut word)| {
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
            word &= word - 1;
            Some(64 * i + bit)
        })
    })
}

fn atomics<T: Default>(many: usize) -> Vec<T> {
    std::iter::repeat_with(T::default).take(many).collect()
}

/// A subspace below: what a capture into it is worth to who captures.
struct Below<'a> {
    table: &'a Table,
    /// Where the block of the first orbit begins, with the right side to move.
    start: usize,
    width: usize,
    orbits: &'a Orbits,
    ranks: Ranks,
    /// By the cell of a byte.
    worth: Vec<Label>,
    metric: Metric,
}

/// What a capture that leads to this number is worth.
fn worth(metric: Metric, there: i32) -> Label {
    let far = metric == Metric::End;
    match there {
        0 => Label::DRAW,
        1.. => Label::loss(if far { there as u16 + 1 } else { 0 }),
        _ => Label::win(if far { -there as u16 } else { 1 }),
    }
}

impl Below<'_> {
    #[inline]
    fn get(&self, block: usize, place: usize) -> Label {
        let index = self.start + block * self.width + place;
        match &self.table.cells {
            Cells::Narrow(cells) | Cells::Moves(cells) => self.worth[cells[index] as u8 as usize],
            Cells::Wide(cells) => worth(self.metric, cells[index].into()),
        }
    }

    /// The place of a set in a block: the least of its images, where a symmetry keeps the block.
    #[inline]
    fn place(&self, seen: &Seen, set: Points) -> usize {
        if seen.keep == 1 {
            return self.ranks.of(set);
        }
        let board = each(set).fold(0, |out, at| out | 1 << seen.free.points[at]);
        let ranked = |s: usize| rank(squeezed(image(board, s), seen.first)) as usize;
        each(Points::from(seen.keep)).map(ranked).min().unwrap_or(0)
    }
}

/// The number of each set of so many of the points left.
struct Ranks(Vec<u16>);

impl Ranks {
    fn new(sets: &[Points], points: usize) -> Self {
        let mut out = vec![0; 1 << points];
        for (number, &set) in sets.iter().enumerate() {
            out[set as usize] = number as u16;
        }
        Self(out)
    }

    #[inline]
    fn of(&self, set: Points) -> usize {
        usize::from(self.0[set as usize])
    }
}

/// All sets of so many of so many points, by number.
fn sets(points: usize, men: usize) -> Vec<Points> {
    (0..CHOOSE[points][men]).map(|number| unrank(number, men)).collect()
}

/// How a block sees a set of the first side's men.
struct Seen {
    block: usize,
    symmetry: usize,
    first: Points,
    keep: u16,
    free: Free,
}

impl Seen {
    fn new(orbits: &Orbits, men: Points) -> Self {
        let (block, symmetry) = orbits.orbit(men);
        let (first, keep) = orbits.first(block);
        Self { block, symmetry, first, keep, free: Free::new(first) }
    }

    /// The points that another block leaves, as this one sees them; what it does not leave is nothing.
    fn change(&self, from: &Free) -> [Points; LEFT] {
        let mut out = [0; LEFT];
        for (at, point) in from.points() {
            let point = image_point(point, self.symmetry);
            if self.first >> point & 1 == 0 {
                out[at] = 1 << self.free.at[point];
            }
        }
        out
    }
}

/// What a thread works with.
#[derive(Default)]
struct Desk {
    best: Vec<Label>,
    left: Vec<u8>,
}

struct Space<'a> {
    metric: Metric,
    orbits: &'a Orbits,
    men: [usize; 2],
    /// Sets of a block, and words of its bits.
    width: usize,
    words: usize,
    /// Tables of this subspace: by who is to move, or one.
    sides: usize,
    sets: Vec<Points>,
    ranks: Ranks,
    /// Moves of the first side that take nothing, block by block.
    steps: Vec<Vec<Step>>,
    /// The subspaces that captures of the first side and of the other lead to.
    below: [Option<Below<'a>>; 2],
    /// The value, as tables hold it, of what is decided; of others the best that a capture gives, or nothing.
    values: Vec<AtomicI16>,
    /// Moves that take nothing and are not known to lose, and [`DECIDED`].
    left: Vec<AtomicU8>,
    /// Positions whose capture decides them when its rank has come.
    waiting: Vec<AtomicU64>,
    /// The least rank that somebody of a block waits for.
    due: Vec<AtomicU16>,
}

impl<'a> Space<'a> {
    fn new(spaces: &'a Subspaces, job: &'a Job<'_, Subspaces>) -> Self {
        let men = job.slice.men().map(usize::from);
        let [more, fewer] = men;
        let orbits = spaces.orbits(more as u8);
        let blocks = orbits.many() as usize;
        let sets = sets(24 - more, fewer);
        let (width, words) = (sets.len(), sets.len().div_ceil(64));
        let sides = if more == fewer { 1 } else { 2 };
        let metric = if job.metric == Metric::Value { Metric::Conversion } else { job.metric };
        // Captures of the first side leave the other to move, which is the second half.
        let first = Subspace::of(more as u8, fewer as u8 - 1);
        let second = Subspace::of(more as u8 - 1, fewer as u8).filter(|_| sides == 2);
        let below = [(first, true), (second, false)].map(|(slice, later)| {
            let slice = slice?;
            let table = job.known.table(&slice)?;
            let [more, fewer] = slice.men().map(usize::from);
            let orbits = spaces.orbits(more as u8);
            let sets = self::sets(24 - more, fewer);
            let width = sets.len();
            let start = if later { orbits.many() as usize * width } else { 0 };
            let worth = (0..=u8::MAX).map(|byte| worth(metric, table.cells.number(byte as i8))).collect();
            let ranks = Ranks::new(&sets, 24 - more);
            Some(Below { table, start, width, orbits, ranks, worth, metric })
        });
        let steps = (0..blocks).map(|block| steps(orbits, block)).collect();
        let size = blocks * width * sides;
        Self {
            metric: job.metric,
            orbits,
            men,
            width,
            words,
            sides,
            ranks: Ranks::new(&sets, 24 - more),
            sets,
            steps,
            below,
            values: atomics(size),
            left: atomics(size),
            waiting: atomics(blocks * sides * words),
            due: std::iter::repeat_with(|| AtomicU16::new(u16::MAX)).take(blocks * sides).collect(),
        }
    }

    /// The number of a block among all, those with the other side to move behind the rest.
    fn row(&self, block: usize, side: usize) -> usize {
        block + side * self.orbits.many() as usize
    }

    fn numbers(&self, row: usize) -> Range<usize> {
        row * self.width..(row + 1) * self.width
    }

    /// What the rules and the subspaces below say of a block.
    fn begin(&self, block: usize, desk: &mut Desk) {
        for side in 0..self.sides {
            desk.best.clear();
            desk.best.resize(self.width, Label::NONE);
            desk.left.clear();
            desk.left.resize(self.width, 0);
            if side == 0 {
                self.begin_first(block, desk);
            } else {
                self.begin_second(block, desk);
            }
            let row = self.row(block, side);
            let (numbers, mut due) = (self.numbers(row), u16::MAX);
            let waiting = &self.waiting[row * self.words..(row + 1) * self.words];
            for place in 0..self.width {
                let (mut best, left) = (desk.best[place], desk.left[place]);
                if best == Label::NONE && left == 0 {
                    // Who cannot move has lost.
                    best = Label::loss(0);
                }
                let value = if best == Label::NONE { NOTHING } else { written(best) };
                self.values[numbers.start + place].store(value, Relaxed);
                self.left[numbers.start + place].store(left, Relaxed);
                if let Some(rank) = best.win_rank().or(best.loss_rank().filter(|_| left == 0)) {
                    due = due.min(rank);
                    let word = &waiting[place / 64];
                    word.store(word.load(Relaxed) | 1 << (place % 64), Relaxed);
                }
            }
            self.due[row].store(due, Relaxed);
        }
    }

    /// The first side is to move: its moves are the same for all sets of the block.
    fn begin_first(&self, block: usize, desk: &mut Desk) {
        let (base, _) = self.orbits.first(block);
        let free = Free::new(base);
        let mut quiet = [0_u8; LEFT];
        let mut closing = Vec::new();
        moves_of(base, |from, to, closes| {
            if closes {
                closing.push((from, to));
            } else {
                quiet[usize::from(free.at[to])] += 1;
            }
        });
        let all: u8 = quiet.iter().sum();
        for (&set, left) in self.sets.iter().zip(&mut desk.left) {
            *left = all - each(set).map(|at| quiet[at]).sum::<u8>();
        }
        if closing.is_empty() {
            return;
        }
        // Men that may be taken, of each set.
        let wide = Change::with_tables(free.wide(), free.many);
        let open: Vec<Points> = self
            .sets
            .iter()
            .map(|&set| {
                let in_mills = milled(wide.of(set));
                match if in_mills == 0 { set } else { set & !free.narrow(in_mills) } {
                    0 => set,
                    open => open,
                }
            })
            .collect();
        for (from, to) in closing {
            let at = free.at[to];
            let Some(below) = &self.below[0] else {
                // With two men the other side has lost.
                let able = self.sets.iter().zip(&mut desk.best).filter(|(set, _)| *set >> at & 1 == 0);
                able.for_each(|(_, best)| *best = Label::win(1));
                continue;
            };
            let seen = Seen::new(below.orbits, base & !(1 << from) | 1 << to);
            let change = Change::with_tables(seen.change(&free), free.many);
            for ((&set, &open), best) in self.sets.iter().zip(&open).zip(&mut desk.best) {
                if set >> at & 1 != 0 {
                    continue;
                }
                let there = change.of(set);
                for man in each(open) {
                    let place = below.place(&seen, there & !change.bits[man]);
                    *best = (*best).max(below.get(seen.block, place));
                }
            }
        }
    }

    /// The other side is to move.
    fn begin_second(&self, block: usize, desk: &mut Desk) {
        let (base, _) = self.orbits.first(block);
        let lanes = Lanes::new(base, self.men[1]);
        let Some(below) = &self.below[1] else { return };
        let open = match base & !milled(base) {
            0 => base,
            open => open,
        };
        let taken: Vec<(Seen, Change)> = each(open)
            .map(|man| {
                let seen = Seen::new(below.orbits, base & !(1 << man));
                let change = seen.change(&lanes.free);
                (seen, Change::with_tables(change, lanes.free.many))
            })
            .collect();
        let places = self.sets.iter().zip(&mut desk.left).zip(&mut desk.best);
        for ((&set, left), best) in places {
            for from in each(set) {
                let stays = set & !(1 << from);
                for to in each(lanes.reach[from] & !set) {
                    if !lanes.in_mill(stays, to) {
                        *left += 1;
                        continue;
                    }
                    for (seen, change) in &taken {
                        let place = below.place(seen, change.of(stays | 1 << to));
                        *best = (*best).max(below.get(seen.block, place));
                    }
                }
            }
        }
    }

    /// What a round decides in the blocks of the same men; how many positions that are.
    fn round(&self, round: u16, block: usize, old: &News, new: &News, buffer: &mut [u64]) -> u64 {
        let mut count = 0;
        for side in 0..self.sides {
            let row = self.row(block, side);
            buffer.fill(0);
            let mut asked = Asked { space: self, row, round, news: buffer, count: 0 };
            if side == 0 {
                self.hear_first(block, old, &mut asked);
            } else {
                self.hear_second(block, old, &mut asked);
            }
            asked.wait();
            if asked.count > 0 {
                count += asked.count;
                if self.sides == 2 { new.put(row, buffer) } else { self.turn(block, buffer, new) }
            }
        }
        count
    }

    /// Which positions with the first side to move lead to the news of other blocks?
    fn hear_first(&self, block: usize, old: &News, asked: &mut Asked<'_>) {
        let (base, _) = self.orbits.first(block);
        let mut free = None;
        for step in &self.steps[block] {
            // Where both sides have as many men, the news are kept by the men of who has just moved.
            let Some(news) = old.of(self.row(step.block as usize, self.sides - 1), self.words) else {
                continue;
            };
            let free = free.get_or_insert_with(|| Free::new(base));
            let (first, _) = self.orbits.first(step.block as usize);
            let there = Free::new(first);
            let back = inverse(step.symmetry.into());
            let (mut bits, mut left) = ([0; LEFT], 0);
            for (at, point) in there.points() {
                match image_point(point, back) {
                    // Where the man came from nobody else stands.
                    point if point == usize::from(step.from) => left = 1 << at,
                    point => bits[at] = 1 << free.at[point],
                }
            }
            let many: u32 = news.iter().map(|word| word.load(Relaxed).count_ones()).sum();
            let sets = places(news).map(|place| self.sets[place]).filter(|set| set & left == 0);
            if many < MANY {
                let change = Change::new(bits);
                sets.for_each(|set| asked.hear(self.ranks.of(change.slowly(set))));
            } else {
                let change = Change::with_tables(bits, there.many);
                sets.for_each(|set| asked.hear(self.ranks.of(change.of(set))));
            }
        }
    }

    /// Which positions with the other side to move lead to the news of the block?
    fn hear_second(&self, block: usize, old: &News, asked: &mut Asked<'_>) {
        let Some(news) = old.of(block, self.words) else { return };
        let (base, _) = self.orbits.first(block);
        let lanes = Lanes::new(base, self.men[1]);
        for set in places(news).map(|place| self.sets[place]) {
            for to in each(set) {
                // Who closes a mill takes a man.
                let stays = set & !(1 << to);
                if lanes.in_mill(stays, to) {
                    continue;
                }
                for from in each(lanes.reach[to] & !set) {
                    asked.hear(self.ranks.of(stays | 1 << from));
                }
            }
        }
    }

    /// Tells the news of a block of the mover's men to those of the other's.
    fn turn(&self, block: usize, buffer: &[u64], new: &News) {
        let (base, _) = self.orbits.first(block);
        let wide = Change::new(Free::new(base).wide());
        for (i, &word) in buffer.iter().enumerate() {
            for bit in bits(word) {
                let (other, s) = self.orbits.orbit(wide.slowly(self.sets[64 * i + bit]));
                let (first, keep) = self.orbits.first(other);
                let mover = image(base, s);
                for s in each(keep.into()) {
                    let place = rank(squeezed(image(mover, s), first));
                    new.add(other, self.words, place as usize);
                }
            }
        }
    }

    /// The table: what was never decided is a draw, and an image of another position is none.
    fn table(self) -> Table {
        let Self { metric, orbits, width, sides, sets, values, left, waiting, steps, .. } = self;
        drop((waiting, steps));
        let mut values: Vec<i16> = values.into_iter().map(AtomicI16::into_inner).collect();
        for (value, left) in values.iter_mut().zip(left) {
            if left.into_inner() & DECIDED == 0 {
                *value = 0;
            } else if metric == Metric::Value {
                *value = value.signum();
            }
        }
        let blocks = orbits.many() as usize;
        for block in 0..blocks {
            let (base, keep) = orbits.first(block);
            if keep == 1 {
                continue;
            }
            let wide = Change::new(Free::new(base).wide());
            for (place, &set) in sets.iter().enumerate() {
                let board = wide.slowly(set);
                let ranked = |s: usize| rank(squeezed(image(board, s), base)) as usize;
                if each(keep.into()).any(|s| ranked(s) < place) {
                    for side in 0..sides {
                        values[(block + side * blocks) * width + place] = NOTHING;
                    }
                }
            }
        }
        Table::of_numbers(metric, values)
    }
}

/// A block that is asked in a round what its positions hear.
struct Asked<'a> {
    space: &'a Space<'a>,
    row: usize,
    round: u16,
    news: &'a mut [u64],
    count: u64,
}

impl Asked<'_> {
    fn number(&self, place: usize) -> usize {
        self.row * self.space.width + place
    }

    fn decide(&mut self, place: usize, value: i16) {
        let number = self.number(place);
        self.space.values[number].store(value, Relaxed);
        self.space.left[number].store(DECIDED, Relaxed);
        self.news[place / 64] |= 1 << (place % 64);
        self.count += 1;
    }

    fn waiting(&self, place: usize) -> &AtomicU64 {
        &self.space.waiting[self.row * self.space.words + place / 64]
    }

    /// A move of this position leads to what the last round decided: to a loss in odd rounds, to a win in even ones.
    #[inline]
    fn hear(&mut self, place: usize) {
        let number = self.number(place);
        let left = self.space.left[number].load(Relaxed);
        if left & DECIDED != 0 {
            return;
        }
        let round = self.round as i16;
        if round % 2 == 1 {
            self.decide(place, round);
            return;
        }
        self.space.left[number].store(left - 1, Relaxed);
        if left > 1 {
            return;
        }
        match self.space.values[number].load(Relaxed) {
            // A capture that takes longer to lose.
            value if value < 0 && value != NOTHING && -1 - value > round => {
                let word = self.waiting(place);
                word.store(word.load(Relaxed) | 1 << (place % 64), Relaxed);
                self.space.due[self.row].fetch_min((-1 - value) as u16, Relaxed);
            }
            value if value < 0 => self.decide(place, -1 - round),
            _ => {}
        }
    }

    /// Decides who has waited for this round.
    fn wait(&mut self) {
        let due = &self.space.due[self.row];
        if due.load(Relaxed) > self.round {
            return;
        }
        let (mut next, round) = (u16::MAX, self.round as i16);
        for i in 0..self.space.words {
            let word = &self.space.waiting[self.row * self.space.words + i];
            let mut still = word.load(Relaxed);
            for bit in bits(still) {
                let place = 64 * i + bit;
                let number = self.number(place);
                let value = self.space.values[number].load(Relaxed);
                let rank = if value > 0 { value } else { -1 - value };
                let decided = self.space.left[number].load(Relaxed) & DECIDED != 0;
                if !decided && rank > round {
                    next = next.min(rank as u16);
                    continue;
                }
                still &= !(1 << bit);
                if !decided {
                    self.decide(place, value);
                }
            }
            word.store(still, Relaxed);
        }
        due.store(next, Relaxed);
    }
}

/// The number of a label, whatever the metric: plies.
fn written(label: Label) -> i16 {
    Metric::End.write(label, 1) as i16
}

/// The places of the bits of a word.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}

/// The points that a block leaves to the other side: where men go, and mills.
struct Lanes {
    free: Free,
    reach: [Points; LEFT],
    mills: [[Points; 2]; LEFT],
}

impl Lanes {
    /// For so many men of the other side.
    fn new(base: Points, men: usize) -> Self {
        /// No mill: no set has all points.
        const NEVER: Points = Points::MAX;
        let free = Free::new(base);
        let (mut reach, mut mills) = ([0; LEFT], [[NEVER; 2]; LEFT]);
        for (at, point) in free.points() {
            let flies = men == FLYING as usize;
            reach[at] = free.narrow(if flies { ALL } else { NEIGHBOURS[point] });
            mills[at] = MILLS[point].map(|mill| if mill & base == 0 { free.narrow(mill) } else { NEVER });
        }
        Self { free, reach, mills }
    }

    #[inline]
    fn in_mill(&self, men: Points, at: usize) -> bool {
        let [a, b] = self.mills[at];
        men & a == a || men & b == b
    }
}

/// Calls `found` with where a man of these comes from, where it goes if nobody is in its way, and whether that closes a mill.
fn moves_of(base: Points, mut found: impl FnMut(usize, usize, bool)) {
    let flies = base.count_ones() == FLYING;
    for from in each(base) {
        let stays = base & !(1 << from);
        for to in each(if flies { ALL } else { NEIGHBOURS[from] } & !base) {
            found(from, to, in_mill(stays, to));
        }
    }
}

/// The moves of a block's first side that take nothing.
fn steps(orbits: &Orbits, block: usize) -> Vec<Step> {
    let (base, _) = orbits.first(block);
    let mut out = Vec::new();
    moves_of(base, |from, to, closes| {
        if !closes {
            let (there, symmetry) = orbits.orbit(base & !(1 << from) | 1 << to);
            let (block, symmetry) = (there as u32, symmetry as u8);
            out.push(Step { block, symmetry, from: from as u8 });
        }
    });
    out
}
