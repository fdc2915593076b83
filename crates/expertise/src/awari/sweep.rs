//! Value iteration for a level of awari in one byte a position.
//!
//! The method is that of `endspiel_retro::iterate`: values start at 0 and become the best of the moves, in
//! place, until nothing changes. A value only ever moves away from 0, which saves the second byte for what a
//! position is sure of by captures: a sure gain is the value from the start and can only be surpassed, a sure
//! loss matters only when all other moves have become worse, and is then looked up again. The lowest bit of a
//! cell says that the value is known to be the sure one and cannot fall.
//!
//! The work of a pass is cut into runs of rows of the player not to move. Within a run, each row of the mover
//! fixes for each of its pits a row that stays behind and what is added to the opponent's row; the successors
//! of the whole run then lie close together, and where each lies is the same for all rows of the mover.

use super::levels::{Levels, pits};
use super::rank::{Level, rank, row, rows};
use endspiel_game::{Player, Position};
use endspiel_retro::{Cells, Indexed, Job, Metric, Stage, Stopped, Table};
use endspiel_rules::awari::sowing::{STONES, Sowing, stones, stones_in};
use endspiel_rules::awari::{Board, GrandSlam};
use std::sync::atomic::{AtomicI8, Ordering::Relaxed};

/// Rows of the opponent in a run.
const RUN: usize = 256;
/// Rows of the mover done together: a line of the cache.
const TILE: usize = 64;
/// The move captures, or is illegal: no successor in the level.
const ELSEWHERE: u32 = u32::MAX;
/// No successor at all, in the coding of cells.
const NOWHERE: i8 = i8::MAX;

/// The bytes of the lists of rows for a level.
pub fn table_bytes(n: usize) -> u64 {
    (0..=n).map(|s| rows(s) as u64 * 8).sum::<u64>() + (2 << 20)
}

/// A run of positions: the opponent's rows with `other` stones and ranks from `from` to `to`.
struct Run {
    other: usize,
    from: usize,
    to: usize,
}

/// What a move may add to the opponent's row and where the chain of captures ends: few different ones.
struct Patterns {
    list: Vec<Sowing>,
    /// By pit and stones.
    of: [[u8; STONES + 1]; 6],
}

impl Patterns {
    fn new(most: usize) -> Self {
        let mut patterns = Self { list: Vec::new(), of: [[0; STONES + 1]; 6] };
        for pit in 0..6 {
            for hand in 1..=most {
                let sowing = Sowing { own: 0, ..Sowing::of(pit, hand as u8) };
                let known = patterns.list.iter().position(|p| *p == sowing);
                let number = known.unwrap_or(patterns.list.len());
                if known.is_none() {
                    patterns.list.push(sowing);
                }
                patterns.of[usize::from(pit)][hand] = number as u8;
            }
        }
        patterns
    }
}

struct Sweep<'a> {
    levels: &'a Levels,
    level: &'a Level,
    n: usize,
    known: Vec<Option<&'a Table>>,
    /// All rows with so many stones, by rank.
    rows: Vec<Vec<u64>>,
    patterns: Patterns,
    cells: Vec<AtomicI8>,
}

/// Solves a level.
pub fn solve(levels: &Levels, job: &Job<'_, Levels>) -> Result<Table, Stopped> {
    let n = usize::from(job.slice);
    let level = levels.level(n);
    let size = level.size() as usize;
    let sweep = Sweep {
        levels,
        level,
        n,
        known: (0..job.slice).map(|stones| job.known.table(&stones).map(|t| &**t)).collect(),
        rows: (0..=n).map(|s| (0..rows(s) as u32).map(|r| row(s, r)).collect()).collect(),
        patterns: Patterns::new(n),
        cells: std::iter::repeat_with(|| AtomicI8::new(0)).take(size).collect(),
    };
    let mut runs: Vec<Run> = Vec::new();
    for other in 0..=n {
        for from in (0..rows(other)).step_by(RUN) {
            runs.push(Run { other, from, to: (from + RUN).min(rows(other)) });
        }
    }
    let stage = Stage { doing: "captures", pass: 1, changed: None };
    job.work.share(stage, runs.len(), size as u64, |piece| sweep.begin(&runs[piece]))?;
    let (mut pass, mut changed) = (1, None);
    while changed != Some(0) {
        pass += 1;
        let stage = Stage { doing: "values", pass, changed };
        let counts = job.work.share(stage, runs.len(), size as u64, |piece| sweep.pass(&runs[piece]))?;
        changed = Some(counts.iter().sum());
    }
    let cells = sweep.cells.into_iter().map(|cell| cell.into_inner() >> 1).collect();
    Ok(Table { metric: Metric::Score, cells: Cells::Narrow(cells) })
}

impl Sweep<'_> {
    /// The first pass: what each position is sure of.
    fn begin(&self, run: &Run) {
        for from in run.from..run.to {
            let other = self.rows[run.other][from];
            let start = self.level.run(run.other, from as u32) as usize;
            for (i, &own) in self.rows[self.n - run.other].iter().enumerate() {
                let (sure, inside) = self.sure(own, other);
                let cell = match sure {
                    None => 0,
                    Some(gain) if gain > 0 => 2 * gain,
                    Some(loss) if loss < 0 && inside => 0,
                    Some(floor) => 2 * floor + 1,
                };
                self.cells[start + i].store(cell, Relaxed);
            }
        }
    }

    /// The best that the player to move gets by capturing or by ending the game, and whether there are other
    /// moves.
    fn sure(&self, own: u64, other: u64) -> (Option<i8>, bool) {
        let board = Board::of_rows(self.levels.game(), own, other);
        if board.turn().is_over() {
            return (Some(board.payoff().of(Player::FIRST) as i8), false);
        }
        let (mut best, mut inside) = (None, false);
        board.moves(|m| {
            let next = board.after(m);
            let left = next.on_board();
            let value = if next.turn().is_over() {
                next.payoff().of(Player::FIRST)
            } else if usize::from(left) < self.n {
                let there = self.levels.place(&next).map(|(_, index)| index);
                let table = self.known[usize::from(left)];
                let value = table.zip(there).and_then(|(table, index)| table.get(index)).unwrap_or(0);
                self.n as i32 - i32::from(left) - value
            } else {
                inside = true;
                return;
            };
            best = best.max(Some(value as i8));
        });
        (best, inside)
    }

    /// One pass over a run; how many values changed.
    fn pass(&self, run: &Run) -> u64 {
        let width = run.to - run.from;
        let others = &self.rows[run.other][run.from..run.to];
        let owns = &self.rows[self.n - run.other];
        let targets: Vec<[u32; RUN]> = self.patterns.list.iter().map(|p| self.targets(*p, others)).collect();
        let mut least = vec![[NOWHERE; RUN]; TILE];
        let mut changed = 0;
        for (tile, owns) in owns.chunks(TILE).enumerate() {
            for (&own, least) in owns.iter().zip(&mut least) {
                least[..width].fill(NOWHERE);
                for pit in pits(own) {
                    let hand = stones_in(own, pit);
                    let stays = (own & !(0xff << (8 * u32::from(pit)))) + Sowing::of(pit, hand).own;
                    let there = usize::from(stones(stays));
                    let start = self.level.run(there, rank(stays)) as usize;
                    let cells = &self.cells[start..start + rows(self.n - there)];
                    let target = &targets[usize::from(self.patterns.of[usize::from(pit)][usize::from(hand)])];
                    for (least, &to) in least[..width].iter_mut().zip(target) {
                        if let Some(cell) = cells.get(to as usize) {
                            *least = (*least).min(cell.load(Relaxed));
                        }
                    }
                }
            }
            for (j, &other) in others.iter().enumerate() {
                let start = self.level.run(run.other, (run.from + j) as u32) as usize + tile * TILE;
                let cells = &self.cells[start..start + owns.len()];
                for ((cell, least), &own) in cells.iter().zip(&least).zip(owns) {
                    changed += u64::from(self.update(cell, least[j], own, other));
                }
            }
        }
        changed
    }

    /// Takes in what the moves within the level give: the least cell of the successors.
    #[inline(always)]
    fn update(&self, cell: &AtomicI8, least: i8, own: u64, other: u64) -> bool {
        let old = cell.load(Relaxed);
        let (value, offer) = (old >> 1, -(least >> 1));
        if offer > value {
            cell.store(2 * offer, Relaxed);
            true
        } else if offer < value && value <= 0 && old & 1 == 0 {
            self.fall(cell, offer, own, other)
        } else {
            false
        }
    }

    /// All moves within the level have become worse than the value: a capture may stop its fall.
    #[cold]
    fn fall(&self, cell: &AtomicI8, offer: i8, own: u64, other: u64) -> bool {
        let (sure, _) = self.sure(own, other);
        let new = match sure {
            Some(sure) if sure >= offer => 2 * sure + 1,
            _ => 2 * offer,
        };
        cell.swap(new, Relaxed) >> 1 != new >> 1
    }

    /// Where a move that adds this to the opponent's row leads, for each of the rows: the rank of the row.
    fn targets(&self, sowing: Sowing, others: &[u64]) -> [u32; RUN] {
        let mut out = [ELSEWHERE; RUN];
        for (out, &other) in out.iter_mut().zip(others) {
            let after = other + sowing.opponent;
            if usize::from(stones(after)) > self.n || after == 0 {
                continue;
            }
            let caught = sowing.caught(after);
            let slam = caught == after && self.levels.game().grand_slam == GrandSlam::NoCapture;
            if caught == 0 || slam {
                *out = rank(after);
            }
        }
        out
    }
}
