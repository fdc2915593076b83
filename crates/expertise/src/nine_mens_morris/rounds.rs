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

use super::begin::{Below, Desk};
use super::blocks::{Change, Free, LEFT, Lanes, Ranks, Step, sets, steps};
use super::orbits::{Orbits, inverse, rank, squeezed};
use super::subspaces::{Subspace, Subspaces};
use endspiel_retro::{Job, Metric, Stage, Stopped, Table};
use endspiel_rules::nine_mens_morris::points::{Points, each, image, image_point};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicI16, AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

/// Blocks that a thread takes at a time.
const PIECE: usize = 16;
/// The bit of `left` that says that a position is decided.
const DECIDED: u8 = 0x80;
/// No move is known to leave the subspace.
pub const NOTHING: i16 = i16::MIN;
/// With so many sets to change it pays to make tables of the change.
const MANY: u32 = 200;

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
    row.iter().enumerate().flat_map(|(i, word)| bits(word.load(Relaxed)).map(move |bit| 64 * i + bit))
}

/// The places of the bits of a word.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}

fn atomics<T: Default>(many: usize) -> Vec<T> {
    std::iter::repeat_with(T::default).take(many).collect()
}

pub struct Space<'a> {
    metric: Metric,
    pub orbits: &'a Orbits,
    pub men: [usize; 2],
    /// Sets of a block, and words of its bits.
    pub width: usize,
    pub words: usize,
    /// Tables of this subspace: by who is to move, or one.
    pub sides: usize,
    pub sets: Vec<Points>,
    ranks: Ranks,
    /// Moves of the first side that take nothing, block by block.
    steps: Vec<Vec<Step>>,
    /// The subspaces that captures of the first side and of the other lead to.
    pub below: [Option<Below<'a>>; 2],
    /// The value, as tables hold it, of what is decided; of others the best that a capture gives, or nothing.
    pub values: Vec<AtomicI16>,
    /// Moves that take nothing and are not known to lose, and [`DECIDED`].
    pub left: Vec<AtomicU8>,
    /// Positions whose capture decides them when its rank has come.
    pub waiting: Vec<AtomicU64>,
    /// The least rank that somebody of a block waits for.
    pub due: Vec<AtomicU16>,
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
        let below = [(first, true), (second, false)]
            .map(|(slice, later)| Below::new(spaces, job, slice?, metric, later));
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
    pub fn row(&self, block: usize, side: usize) -> usize {
        block + side * self.orbits.many() as usize
    }

    pub fn numbers(&self, row: usize) -> Range<usize> {
        row * self.width..(row + 1) * self.width
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
