//! How the solution of a subspace begins: what the rules and the subspaces below say of every position of a block.

use super::blocks::{Change, Free, LEFT, Lanes, Ranks, Seen, moves_of, sets};
use super::orbits::{Orbits, rank, squeezed};
use super::rounds::{NOTHING, Space};
use super::subspaces::{Subspace, Subspaces};
use endspiel_retro::{Cells, Job, Label, Metric, Table};
use endspiel_rules::nine_mens_morris::points::{Points, each, image, milled};
use std::sync::atomic::Ordering::Relaxed;

/// A subspace below: what a capture into it is worth to who captures.
pub struct Below<'a> {
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

impl<'a> Below<'a> {
    /// The subspace, its table seen in this metric; `later` says whether who has fewer men is to move. None if the table is not
    /// at hand.
    pub fn new(
        spaces: &'a Subspaces,
        job: &'a Job<'_, Subspaces>,
        slice: Subspace,
        metric: Metric,
        later: bool,
    ) -> Option<Self> {
        let table = job.known.table(&slice)?;
        let [more, fewer] = slice.men().map(usize::from);
        let orbits = spaces.orbits(more as u8);
        let sets = sets(24 - more, fewer);
        let (width, ranks) = (sets.len(), Ranks::new(&sets, 24 - more));
        let start = if later { orbits.many() as usize * width } else { 0 };
        let worth = (0..=u8::MAX).map(|byte| worth(metric, table.cells.number(byte as i8))).collect();
        Some(Self { table, start, width, orbits, ranks, worth, metric })
    }

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

/// What a thread works with.
#[derive(Default)]
pub struct Desk {
    best: Vec<Label>,
    left: Vec<u8>,
}

impl Space<'_> {
    /// What the rules and the subspaces below say of a block.
    pub fn begin(&self, block: usize, desk: &mut Desk) {
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
}

/// The number of a label, whatever the metric: plies.
fn written(label: Label) -> i16 {
    Metric::End.write(label, 1) as i16
}
