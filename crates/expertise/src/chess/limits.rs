//! The depth by the rule, 64 positions at a time (the metric is that of J. Tamplin and G. Haworth, Chess Endgames: Data and
//! Strategy, 2003): the least limit on the plies of a phase under which the outcome can still be forced.
//!
//! A phase lasts until the ending is left or a pawn moves; pawn moves lead into a layer that is solved before. A limit allows
//! the moves that end a phase and lead to what needs no higher one; between two limits at which that changes, a position is
//! decided by its distance to zeroing. So the rounds are made once for each of these limits, as far as the next. Memory: seven
//! bytes and some bits a position.

use super::begin::{Begun, Sure};
use super::endings::Endings;
use super::layout::Layout;
use super::packed::packed;
use super::passing::{Passed, Passing};
use super::rounds::{self, SIDES, Solver};
use super::rows::{Layer, Rows, each_bit};
use endspiel_game::Player;
use endspiel_retro::{Job, Metric, Stopped, Table};

/// The bytes that solving takes.
pub fn bytes(layout: &Layout) -> u64 {
    rounds::bytes(layout) + Rows::new(layout).map_or(0, |rows| rows.count() as u64 * 2 * (64 * 6 + 8))
}

/// Solves an ending; none if its phases are too long for a byte.
pub fn solve(endings: &Endings, job: &Job<'_, Endings>) -> Result<Option<Table>, Stopped> {
    let Some(layout) = endings.layout(job.slice) else { return Ok(None) };
    let Some(rows) = Rows::new(layout) else { return Ok(None) };
    let [white, black] = SIDES.map(|side| Begun::new(endings, job, &rows, side));
    let mut limits = Limits {
        solver: Solver::new(job, &rows),
        begun: [white?, black?],
        depths: [0, 1].map(|_| vec![i16::MIN; rows.count() * 64]),
    };
    let passed = Passed::all(endings, &rows, job);
    for (number, layer) in rows.layers() {
        for passed in passed.iter().filter(|passed| passed.layer == number) {
            limits.step_past(passed);
        }
        for side in SIDES {
            let [white, black] = &mut limits.begun;
            let (begun, other) = if side == Player::FIRST { (white, black) } else { (black, white) };
            let there = &limits.depths[side.other().index()];
            begun
                .step(job, &rows, (side, &layer), other, |at| Sure::before(Metric::Rule, there[at].into()))?;
        }
        if !limits.layer(&layer)? {
            return Ok(None);
        }
    }
    let worth: Vec<i16> = passed.iter().map(|passed| limits.worth(passed)).collect();
    let Limits { solver, depths, .. } = limits;
    drop(solver);
    let mut out = packed(&rows, job, depths, i16::MIN)?;
    for side in SIDES.into_iter().take(layout.halves() as usize) {
        out.extend(Passed::cells(&passed, &worth, layout, side, i16::MIN));
    }
    Ok(Some(Table::of_numbers(job.metric, out)))
}

struct Limits<'a> {
    solver: Solver<'a>,
    /// By the side to move.
    begun: [Begun; 2],
    /// As tables have them, in the layers that are done.
    depths: [Vec<i16>; 2],
}

/// The limit from which on ending the phase is worth this to who moves.
fn limit_of(worth: Sure) -> Option<u8> {
    worth.wins().or(worth.loses()).map(|limit| limit.max(1))
}

impl Limits<'_> {
    /// What a position after a double step needs, once its layer is done.
    fn worth(&self, passed: &Passed) -> i16 {
        let (row, square) = passed.plain;
        let plain = self.depths[passed.side.index()][row * 64 + usize::from(square)];
        let of_limit = |worth: Sure| match (worth.wins(), worth.loses()) {
            (Some(limit), _) => i16::from(limit).max(1),
            (_, Some(limit)) => -1 - i16::from(limit).max(1),
            _ => 0,
        };
        // A quicker win is better, a later loss too.
        let rank = |depth: i16| if depth == 0 { 0 } else { depth.signum() * (1000 - depth.abs()) };
        match of_limit(passed.sure) {
            _ if passed.sure == Sure::NONE => plain,
            capture if passed.stuck || rank(capture) > rank(plain) => capture,
            _ => plain,
        }
    }

    /// Notes what a double step is worth that allows a capture in passing, or would if it were legal.
    fn step_past(&mut self, passed: &Passed) {
        let Some((row, square)) = passed.before else { return };
        let worth = Sure::before(Metric::Rule, self.worth(passed).into());
        let leaving = &mut self.begun[passed.side.other().index()].leaving[row * 64 + usize::from(square)];
        *leaving = (*leaving).max(worth);
    }

    /// Solves a layer; false if a phase is too long.
    fn layer(&mut self, layer: &Layer) -> Result<bool, Stopped> {
        let mut is_limit = [false; 256];
        is_limit[1] = true;
        self.each_row(layer, |limits, side, row, squares| {
            let begun = &limits.begun[side];
            each_bit(squares & !begun.illegal[row], |square| {
                limits.depths[side][row * 64 + square] = 0;
                if let Some(limit) = limit_of(begun.leaving[row * 64 + square]) {
                    is_limit[usize::from(limit)] = true;
                }
            });
        });
        if is_limit[255] {
            return Ok(false);
        }
        let limits: Vec<u16> = (1..255).filter(|&limit| is_limit[usize::from(limit)]).collect();
        for (i, &limit) in limits.iter().enumerate() {
            for half in &mut self.solver.halves {
                half.next.fill(u8::MAX);
                half.latest.fill(1);
            }
            self.each_row(layer, |limits, side, row, squares| limits.allow(side, row, squares, limit));
            let last = limits.get(i + 1).map_or(u16::MAX, |next| next - 1);
            if !self.solver.rounds(layer, &mut Passing::none(), last)? {
                return Ok(false);
            }
            self.each_row(layer, |limits, side, row, squares| limits.decide(side, row, squares, limit));
        }
        Ok(true)
    }

    /// Calls `each` with the sides, the rows of a layer, and the squares of these.
    fn each_row(&mut self, layer: &Layer, mut each: impl FnMut(&mut Self, usize, usize, u64)) {
        let (pairs, block) = (self.solver.rows.layout.kings.pairs.len(), self.solver.rows.block);
        for side in 0..2 {
            for pair in 0..pairs {
                for &(within, squares) in &layer.rows {
                    each(self, side, pair * block + within, squares);
                }
            }
        }
    }

    /// Begins anew under a limit: what needs a higher one is drawn.
    fn allow(&mut self, side: usize, row: usize, squares: u64, limit: u16) {
        let (half, begun) = (&mut self.solver.halves[side], &self.begun[side]);
        let illegal = begun.illegal[row];
        half.won[row] = half.won[row] & !squares | illegal & squares;
        half.lost[row] &= !squares;
        half.safe[row] &= !squares;
        let cells = &mut half.cells[row * 64..row * 64 + 64];
        each_bit(squares & !illegal, |square| {
            let worth = begun.leaving[row * 64 + square];
            let allowed = limit_of(worth).is_none_or(|needed| u16::from(needed) <= limit);
            cells[square] = match worth {
                _ if !allowed => 0,
                _ if worth > Sure::DRAW => 1,
                _ if worth < Sure::DRAW && worth != Sure::NONE => -1,
                _ => 0,
            };
            if cells[square] == 1 {
                half.next[row] = 1;
            }
            if !allowed || worth >= Sure::DRAW {
                half.safe[row] |= 1 << square;
            }
        });
    }

    /// Notes what is decided for the first time.
    fn decide(&mut self, side: usize, row: usize, squares: u64, limit: u16) {
        let (half, begun) = (&self.solver.halves[side], &self.begun[side]);
        each_bit((half.won[row] | half.lost[row]) & squares & !begun.illegal[row], |square| {
            let at = row * 64 + square;
            let (cell, depth) = (i16::from(half.cells[at]), &mut self.depths[side][at]);
            if *depth != 0 {
                return;
            }
            *depth = match cell {
                1.. => (2 * cell - 1).max(limit as i16),
                // Mated already.
                -1 if begun.leaving[at] == Sure::NONE => -1,
                _ => -1 - (2 * (-1 - cell)).max(limit as i16),
            };
        });
    }
}
