//! The depth by the rule of endings without pawns, 64 positions at a time (the metric is that of J. Tamplin and G. Haworth, Chess
//! Endgames: Data and Strategy, 2003): the least limit on the plies of a phase under which the outcome can still be forced.
//!
//! Without pawns a phase lasts until the ending is left. A limit allows the moves out of the ending that lead to what needs no
//! higher one; between two limits at which that changes, a position is decided by its distance to zeroing. So the rounds are
//! made once for each of these limits, as far as the next. Memory: four bytes and some bits a position.

use super::endings::Endings;
use super::layout::Layout;
use super::passing::Passing;
use super::rounds::{self, SIDES, Solver, each_bit};
use super::rows::Rows;
use endspiel_retro::{Job, Stopped, Table};

/// The bytes that solving takes.
pub fn bytes(layout: &Layout) -> u64 {
    rounds::bytes(layout) + Rows::new(layout).map_or(0, |rows| rows.count() as u64 * 2 * (64 * 3 + 16))
}

/// What a side has before the first limit.
struct Start {
    /// What leaving the ending is worth, and from which limit on.
    leaving: Vec<i8>,
    /// What is no position.
    illegal: Vec<u64>,
    /// Positions that a move out of the ending draws under every limit.
    drawn: Vec<u64>,
}

/// Solves an ending without pawns; none if its limits are too high for a byte.
pub fn solve(endings: &Endings, job: &Job<'_, Endings>) -> Result<Option<Table>, Stopped> {
    let Some(layout) = endings.layout(job.slice) else { return Ok(None) };
    let Some(rows) = Rows::new(layout) else { return Ok(None) };
    let mut solver = Solver::begun(endings, job, &rows)?;
    let mut passing = Passing::new(endings, &mut solver, false);
    let starts = solver.halves.each_ref().map(|half| Start {
        leaving: half.cells.clone(),
        illegal: half.won.clone(),
        drawn: half.safe.clone(),
    });
    let mut is_limit = [false; 256];
    is_limit[1] = true;
    for start in &starts {
        for &cell in start.leaving.iter().filter(|&&cell| cell != i8::MIN && cell != 0) {
            is_limit[usize::from(limit_of(cell))] = true;
        }
    }
    if is_limit[126..].contains(&true) {
        return Ok(None);
    }
    let limits: Vec<u16> = (1..126).filter(|&limit| is_limit[usize::from(limit)]).collect();
    let mut depths = starts.each_ref().map(|start| vec![0_i16; start.leaving.len()]);
    for (i, &limit) in limits.iter().enumerate() {
        for side in SIDES {
            allow(&mut solver, side.index(), &starts[side.index()], limit);
        }
        let last = limits.get(i + 1).map_or(u16::MAX, |next| next - 1);
        if !solver.rounds(None, &mut passing, last)? {
            return Ok(None);
        }
        for side in SIDES {
            decide(&solver, side.index(), &starts[side.index()], limit, &mut depths[side.index()]);
        }
    }
    for (depths, start) in depths.iter_mut().zip(&starts) {
        for (depths, &illegal) in depths.chunks_mut(64).zip(&start.illegal) {
            each_bit(illegal, |square| depths[square] = i16::MIN);
        }
    }
    solver.halves = Default::default();
    let depths = solver.packed(depths, i16::MIN)?;
    Ok(Some(Table::of_numbers(job.metric, depths)))
}

/// The limit from which on leaving the ending is worth what the cell says.
fn limit_of(cell: i8) -> u8 {
    if cell > 0 { cell as u8 } else { (-1 - cell).max(1) as u8 }
}

/// Begins anew under a limit: what needs a higher one is drawn.
fn allow(solver: &mut Solver<'_>, side: usize, start: &Start, limit: u16) {
    let half = &mut solver.halves[side];
    half.won.copy_from_slice(&start.illegal);
    half.lost.fill(0);
    half.next.fill(u8::MAX);
    half.latest.fill(1);
    for (row, leaving) in start.leaving.chunks(64).enumerate() {
        let mut safe = start.drawn[row];
        let cells = &mut half.cells[row * 64..row * 64 + 64];
        for (square, (cell, &worth)) in cells.iter_mut().zip(leaving).enumerate() {
            let allowed = worth != 0 && worth != i8::MIN && u16::from(limit_of(worth)) <= limit;
            *cell = if worth == i8::MIN {
                worth
            } else if allowed {
                worth.signum()
            } else {
                0
            };
            if *cell == 1 {
                half.next[row] = 1;
            }
            if *cell > 0 || worth != 0 && worth != i8::MIN && !allowed {
                safe |= 1 << square;
            } else if allowed {
                safe &= !(1 << square);
            }
        }
        half.safe[row] = safe;
    }
}

/// Notes what is decided for the first time.
fn decide(solver: &Solver<'_>, side: usize, start: &Start, limit: u16, depths: &mut [i16]) {
    let half = &solver.halves[side];
    for (row, depths) in depths.chunks_mut(64).enumerate() {
        each_bit((half.won[row] | half.lost[row]) & !start.illegal[row], |square| {
            let (cell, depth) = (i16::from(half.cells[row * 64 + square]), &mut depths[square]);
            if *depth != 0 {
                return;
            }
            *depth = match cell {
                1.. => (2 * cell - 1).max(limit as i16),
                // Mated already.
                -1 if start.leaving[row * 64 + square] == 0 => -1,
                _ => -1 - (2 * (-1 - cell)).max(limit as i16),
            };
        });
    }
}
