//! Solves an ending: move by move of the winner, 64 positions at a time.
//!
//! Round n finds the positions won in n moves, those with a move to a position lost in n - 1, and then those lost in
//! n: every move leads to a position won in n at most, or out of the ending to such a one. Positions are looked at
//! again only while something changes in their block or the blocks next to it. Where metrics count phases, pawn
//! moves end a phase, and the ending is cut into layers by how far the pawns have come, the farthest first.
//! Memory: a byte and three bits a position, four where phases count, and half a byte more while the table is put together.

use super::begin::{Leaving, Sure};
use super::endings::Endings;
use super::layout::Layout;
use super::packed::packed;
use super::passing::{Passed, Passing};
use super::rows::{Layer, Rows, Which, each_bit};
use endspiel_game::Player;
use endspiel_retro::{Cells, Job, Metric, Stage, Stopped, Table};
use std::sync::Mutex;

/// The last round whose numbers fit in a cell.
const LAST_ROUND: u8 = 126;

/// What is known of the positions with one side to move.
#[derive(Default)]
pub(super) struct Half {
    /// Won, or no position at all.
    pub won: Vec<u64>,
    /// Lost.
    pub lost: Vec<u64>,
    /// Not to be lost: a move out of the ending draws or wins, or there is no move and no check.
    pub safe: Vec<u64>,
    /// Where decided, the moves as tables have them; otherwise what leaving the ending is worth.
    pub cells: Vec<i8>,
    /// The next round in which a move out of the ending wins in the row.
    pub next: Vec<u8>,
    /// By block: has something been won or lost in the round before?
    pub won_now: Vec<bool>,
    pub lost_now: Vec<bool>,
    /// By block: the last round in which leaving the ending decides.
    pub latest: Vec<u8>,
}

/// A block of one half, to be worked on.
struct Block<'a> {
    won: &'a mut [u64],
    lost: &'a mut [u64],
    safe: &'a mut [u64],
    cells: &'a mut [i8],
    next: &'a mut [u8],
    now: &'a mut bool,
    latest: &'a mut u8,
}

impl Half {
    pub fn new(rows: &Rows<'_>) -> Self {
        let (count, blocks) = (rows.count(), rows.layout.kings.pairs.len());
        Self {
            won: vec![0; count],
            lost: vec![0; count],
            safe: vec![0; count],
            cells: vec![0; count * 64],
            next: vec![u8::MAX; count],
            won_now: vec![true; blocks],
            lost_now: vec![true; blocks],
            latest: vec![0; blocks],
        }
    }

    /// The blocks, for who works on them; `winning` says which changes are noted.
    fn blocks(&mut self, size: usize, winning: bool) -> Vec<Mutex<Block<'_>>> {
        let now = if winning { &mut self.won_now } else { &mut self.lost_now };
        let words = self.won.chunks_mut(size).zip(self.lost.chunks_mut(size)).zip(self.safe.chunks_mut(size));
        let rest = self.cells.chunks_mut(size * 64).zip(self.next.chunks_mut(size));
        words
            .zip(rest)
            .zip(now.iter_mut().zip(&mut self.latest))
            .map(|((((won, lost), safe), (cells, next)), (now, latest))| {
                Mutex::new(Block { won, lost, safe, cells, next, now, latest })
            })
            .collect()
    }
}

/// The bytes that solving takes.
pub fn bytes(layout: &Layout) -> u64 {
    let Some(rows) = Rows::new(layout) else { return 0 };
    // With what is no position, where phases end with pawn moves; and three halves while the table is put together.
    let words = if layout.material.has_pawns() { 4 } else { 3 };
    rows.count() as u64 * (2 * (64 + words * 8 + 1)).max(3 * 64) + Passed::bytes(layout)
}

pub(super) struct Solver<'a> {
    pub rows: &'a Rows<'a>,
    pub job: &'a Job<'a, Endings>,
    /// By the side to move.
    pub halves: [Half; 2],
    /// What is no position, where phases need it.
    illegal: [Vec<u64>; 2],
    round: u8,
    changed: u64,
}

pub(super) const SIDES: [Player; 2] = [Player::FIRST, Player::SECOND];

/// Solves an ending; none if its wins are too long for a byte.
pub fn solve(endings: &Endings, job: &Job<'_, Endings>) -> Result<Option<Table>, Stopped> {
    let Some(layout) = endings.layout(job.slice) else { return Ok(None) };
    let Some(rows) = Rows::new(layout) else { return Ok(None) };
    let mut solver = Solver::new(job, &rows);
    for side in SIDES {
        solver.begin(endings, side)?;
    }
    let limit = job.metric.phase().unwrap_or(u16::MAX);
    let phases = job.metric.counts_phases() && layout.material.has_pawns();
    let mut passing = Passing::new(endings, &mut solver, phases);
    let finished = if phases {
        solver.illegal = [0, 1].map(|side| solver.halves[side].won.clone());
        for (number, layer) in rows.layers() {
            for side in SIDES {
                solver.end_phases(side, &layer)?;
            }
            passing.end_phases(&mut solver, number);
            if !solver.rounds(&layer, &mut passing, limit)? {
                return Ok(None);
            }
        }
        true
    } else {
        solver.rounds(&rows.whole(), &mut passing, limit)?
    };
    if finished { solver.table(&passing).map(Some) } else { Ok(None) }
}

impl<'a> Solver<'a> {
    /// Nothing is known yet.
    pub fn new(job: &'a Job<'a, Endings>, rows: &'a Rows<'a>) -> Self {
        let halves = [Half::new(rows), Half::new(rows)];
        Self { rows, job, halves, illegal: Default::default(), round: 0, changed: 0 }
    }
}

impl Solver<'_> {
    fn stage(&self, doing: &'static str) -> Stage {
        Stage { doing, pass: u32::from(self.round) + 1, changed: Some(self.changed) }
    }

    /// Which positions are legal, and what leaving the ending is worth.
    fn begin(&mut self, endings: &Endings, side: Player) -> Result<(), Stopped> {
        let (rows, job) = (self.rows, self.job);
        let leaving = Leaving::new(endings, job, rows, side);
        let stage = self.stage("conversions");
        let blocks = self.halves[side.index()].blocks(rows.block, true);
        job.work.share(stage, blocks.len(), rows.count() as u64 * 64, |pair| {
            let Ok(mut block) = blocks[pair].lock() else { return };
            for within in 0..rows.block {
                let cells = within * 64..within * 64 + 64;
                let Some(row) = rows.row(pair, within) else {
                    block.won[within] = !0;
                    block.cells[cells].fill(i8::MIN);
                    continue;
                };
                let illegal = rows.illegal(&row, side);
                let mut sure = [Sure::NONE; 64];
                leaving.row(&row, !illegal, &mut sure);
                block.won[within] = illegal;
                each_bit(illegal, |square| block.cells[within * 64 + square] = i8::MIN);
                each_bit(!illegal, |square| block.note(within, square, sure[square]));
            }
        })?;
        Ok(())
    }

    /// Notes what a single move that ends the phase is worth, if it is the best.
    pub fn note(&mut self, side: Player, (row, square): (usize, u8), worth: Sure) {
        let (size, half) = (self.rows.block, &mut self.halves[side.index()]);
        let (pair, within) = (row / size, row % size);
        let (from, to) = (pair * size, (pair + 1) * size);
        let mut block = Block {
            won: &mut half.won[from..to],
            lost: &mut half.lost[from..to],
            safe: &mut half.safe[from..to],
            cells: &mut half.cells[from * 64..to * 64],
            next: &mut half.next[from..to],
            now: &mut half.won_now[pair],
            latest: &mut half.latest[pair],
        };
        let best = block.sure(within, square.into()).max(worth);
        block.note(within, square.into(), best);
    }

    /// What pawn moves are worth in a layer, where they end the phase.
    fn end_phases(&mut self, side: Player, layer: &Layer) -> Result<(), Stopped> {
        let mut half = std::mem::take(&mut self.halves[side.index()]);
        let (rows, job, stage) = (self.rows, self.job, self.stage("pawn moves"));
        let (other, illegal) = (&self.halves[side.other().index()], &self.illegal[side.other().index()]);
        let blocks = half.blocks(rows.block, true);
        job.work.share(stage, blocks.len(), rows.count() as u64 * 64, |pair| {
            let Ok(mut block) = blocks[pair].lock() else { return };
            for &(within, squares) in &layer.rows {
                let Some(row) = rows.row(pair, within) else { continue };
                let here = squares & !block.won[within];
                if here == 0 {
                    continue;
                }
                let wins = here & rows.reach(&row, side, |i| other.lost[i], here, Which::Pawns);
                let draws = rows.reach(&row, side, |i| !(other.won[i] | other.lost[i]), here, Which::Pawns);
                let loses = rows.reach(&row, side, |i| other.won[i] & !illegal[i], here, Which::Pawns);
                block.next[within] = u8::MAX;
                each_bit(here, |square| {
                    let bit = 1 << square;
                    let best = block.sure(within, square).max(if wins & bit != 0 {
                        Sure::win(1)
                    } else if draws & bit != 0 {
                        Sure::DRAW
                    } else if loses & bit != 0 {
                        Sure::loss(0)
                    } else {
                        Sure::NONE
                    });
                    block.note(within, square, best);
                });
            }
        })?;
        drop(blocks);
        self.halves[side.index()] = half;
        Ok(())
    }

    /// All rounds of a layer, or of the whole, as far as phases have no more plies than the limit; false if a win does not
    /// fit.
    pub fn rounds(&mut self, layer: &Layer, passing: &mut Passing, limit: u16) -> Result<bool, Stopped> {
        let last = limit.div_ceil(2).min(u16::from(LAST_ROUND) + 1) as u8;
        let mut lost = [0; 2];
        for side in SIDES {
            self.halves[side.index()].won_now.fill(true);
            lost[side.index()] = self.lose(side, 0, layer)?;
        }
        lost = passing.lost(self, 0, lost);
        for n in 1..=last {
            self.round = n;
            let latest = [0, 1].map(|side| self.halves[side].latest.iter().copied().max().unwrap_or(0));
            let mut won = [0; 2];
            for side in SIDES {
                let due = lost[side.other().index()] > 0 || n <= latest[side.index()];
                won[side.index()] = if due { self.win(side, n, layer)? } else { 0 };
            }
            won = passing.won(self, n, won);
            if 2 * u16::from(n) > limit {
                break;
            }
            for side in SIDES {
                let due = won[side.other().index()] > 0 || n <= latest[side.index()];
                lost[side.index()] = if due { self.lose(side, n, layer)? } else { 0 };
            }
            lost = passing.lost(self, n, lost);
            self.changed = won.iter().chain(&lost).sum();
            if self.changed == 0 && n > latest[0].max(latest[1]) {
                return Ok(true);
            }
        }
        Ok(last <= LAST_ROUND || lost == [0; 2])
    }

    /// The positions won in `n` moves; how many.
    fn win(&mut self, side: Player, n: u8, layer: &Layer) -> Result<u64, Stopped> {
        let mut half = std::mem::take(&mut self.halves[side.index()]);
        let (rows, job, which) = (self.rows, self.job, layer.which);
        let other = &self.halves[side.other().index()];
        let blocks = half.blocks(rows.block, true);
        let counts = job.work.share(self.stage("wins"), blocks.len(), rows.count() as u64 * 64, |pair| {
            let Ok(mut block) = blocks[pair].lock() else { return 0 };
            let mut count = 0;
            let near = other.lost_now[pair] || rows.neighbours(side, pair).any(|next| other.lost_now[next]);
            let due = near || n <= *block.latest;
            for &(within, squares) in layer.rows.iter().filter(|_| due) {
                let todo = squares & !(block.won[within] | block.lost[within]);
                if todo == 0 {
                    continue;
                }
                let Some(row) = rows.row(pair, within) else { continue };
                let mut new = 0;
                if block.next[within] <= n {
                    new = block.leave(within, todo, n);
                }
                if near {
                    new |= todo & rows.reach(&row, side, |i| other.lost[i], todo & !new, which);
                }
                block.won[within] |= new;
                each_bit(new, |square| block.cells[within * 64 + square] = n as i8);
                count += u64::from(new.count_ones());
            }
            *block.now = count > 0;
            count
        })?;
        drop(blocks);
        self.halves[side.index()] = half;
        Ok(counts.iter().sum())
    }

    /// The positions lost in `n` moves; how many. Round 0 finds mates, and stalemates too.
    fn lose(&mut self, side: Player, n: u8, layer: &Layer) -> Result<u64, Stopped> {
        let mut half = std::mem::take(&mut self.halves[side.index()]);
        let (rows, job, which) = (self.rows, self.job, layer.which);
        let other = &self.halves[side.other().index()];
        let blocks = half.blocks(rows.block, false);
        let counts =
            job.work.share(self.stage("losses"), blocks.len(), rows.count() as u64 * 64, |pair| {
                let Ok(mut block) = blocks[pair].lock() else { return 0 };
                let mut count = 0;
                let near = other.won_now[pair] || rows.neighbours(side, pair).any(|next| other.won_now[next]);
                let due = n == 0 || near || n <= *block.latest;
                for &(within, squares) in layer.rows.iter().filter(|_| due) {
                    let todo = squares & !(block.won[within] | block.lost[within] | block.safe[within]);
                    if todo == 0 {
                        continue;
                    }
                    let Some(row) = rows.row(pair, within) else { continue };
                    let caught = todo & !rows.reach(&row, side, |i| !other.won[i], todo, which);
                    each_bit(caught, |square| {
                        let cell = &mut block.cells[within * 64 + square];
                        if n == 0 && *cell == 0 && other.won[row.number] >> square & 1 == 0 {
                            block.safe[within] |= 1 << square;
                        } else if *cell == 0 || -1 - *cell <= n as i8 {
                            *cell = -1 - n.min(LAST_ROUND) as i8;
                            block.lost[within] |= 1 << square;
                            count += 1;
                        }
                    });
                }
                *block.now = count > 0;
                count
            })?;
        drop(blocks);
        self.halves[side.index()] = half;
        Ok(counts.iter().sum())
    }

    /// The table: what is not decided is drawn.
    fn table(mut self, passing: &Passing) -> Result<Table, Stopped> {
        let halves = std::mem::take(&mut self.halves).map(|half| {
            let Half { won, lost, mut cells, .. } = half;
            for (cells, decided) in cells.chunks_mut(64).zip(won.iter().zip(&lost).map(|(w, l)| w | l)) {
                each_bit(!decided, |square| cells[square] = 0);
            }
            cells
        });
        self.illegal = Default::default();
        let layout = self.rows.layout;
        let mut out = packed(self.rows, self.job, halves, i8::MIN)?;
        for side in SIDES.into_iter().take(layout.halves() as usize) {
            out.extend(passing.cells(layout, side));
        }
        let metric = self.job.metric;
        let cells = match metric {
            Metric::Value => {
                let real = out.iter_mut().filter(|cell| **cell != i8::MIN);
                real.for_each(|cell| *cell = cell.signum());
                Cells::Narrow(out)
            }
            _ => Cells::Moves(out),
        };
        Ok(Table { metric, cells })
    }
}

impl Block<'_> {
    /// What leaving the ending is worth in an undecided position.
    fn sure(&self, within: usize, square: usize) -> Sure {
        match self.cells[within * 64 + square] {
            0 if self.safe[within] >> square & 1 != 0 => Sure::DRAW,
            0 => Sure::NONE,
            n @ 1.. => Sure::win(n as u8),
            n => Sure::loss((-1 - n) as u8),
        }
    }

    /// Notes what leaving the ending is worth.
    fn note(&mut self, within: usize, square: usize, sure: Sure) {
        let cell = &mut self.cells[within * 64 + square];
        if let Some(n) = sure.loses() {
            *cell = -1 - n.min(LAST_ROUND) as i8;
            *self.latest = (*self.latest).max(n);
        } else if sure >= Sure::DRAW {
            self.safe[within] |= 1 << square;
            *cell = sure.wins().map_or(0, |n| n.min(LAST_ROUND) as i8);
            if let Some(n) = sure.wins() {
                self.next[within] = self.next[within].min(n);
                *self.latest = (*self.latest).max(n);
            }
        }
    }

    /// The open positions that win in `n` by leaving the ending; notes when the next will.
    fn leave(&mut self, within: usize, todo: u64, n: u8) -> u64 {
        let (mut new, mut next) = (0, u8::MAX);
        each_bit(todo & self.safe[within], |square| match self.cells[within * 64 + square] {
            cell @ 1.. if cell as u8 <= n => new |= 1 << square,
            cell @ 1.. => next = next.min(cell as u8),
            _ => {}
        });
        self.next[within] = next;
        new
    }
}
