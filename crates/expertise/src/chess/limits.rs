//! The depth by the rule, 64 positions at a time (the metric is that of J. Tamplin and G. Haworth, Chess Endgames: Data and
//! Strategy, 2003): the least limit on the plies of a phase under which the outcome can still be forced.
//!
//! A phase lasts until the ending is left or a pawn moves; pawn moves lead into a layer that is solved before. A limit allows
//! the moves that end a phase and lead to what needs no higher one; between two limits at which that changes, a position is
//! decided by its distance to zeroing. So the rounds are made once for each of these limits, as far as the next. Memory: eight
//! bytes and some bits a position.

use super::begin::{Begun, Sure};
use super::endings::Endings;
use super::layout::Layout;
use super::packed::packed;
use super::passing::{Passed, Passing};
use super::rounds::{self, Half, SIDES, Solver};
use super::rows::{Layer, Rows, each_bit};
use endspiel_game::Player;
use endspiel_retro::{Job, Metric, Stopped, Table};

/// The bytes that solving takes.
pub fn bytes(layout: &Layout) -> u64 {
    rounds::bytes(layout) + Rows::new(layout).map_or(0, |rows| rows.count() as u64 * 2 * (64 * 7 + 4 * 8 + 2))
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
        allowed: [0, 1].map(|_| Allowed::new(&rows)),
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
    allowed: [Allowed; 2],
}

/// How the rounds begin under a limit, for one side to move.
struct Allowed {
    /// By position: 1 where a move wins that ends the phase, -1 where the best one loses.
    cells: Vec<i8>,
    /// By row, and so are the others: not to be lost by the best of these moves. What needs a higher limit draws.
    safe: Vec<u64>,
    /// The least limit by which more is allowed.
    needs: Vec<u8>,
    /// 1 where a move wins that ends the phase.
    next: Vec<u8>,
    /// Decided under this limit or a lower one.
    decided: Vec<u64>,
}

/// A limit that is none.
const NEVER: u8 = u8::MAX;
/// A limit that stands for all that are greater.
const TOO_LONG: u8 = u8::MAX - 1;

/// The limit from which on ending the phase is worth this to who moves.
fn limit_of(worth: Sure) -> Option<u8> {
    worth.wins().or(worth.loses()).map(|limit| limit.clamp(1, TOO_LONG))
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
        let Self { solver, begun, depths, allowed } = self;
        let (rows, mut limit) = (solver.rows, 1);
        for ((begun, depths), allowed) in begun.iter().zip(&mut *depths).zip(&mut *allowed) {
            each_row(rows, layer, |row, squares| {
                each_bit(squares & !begun.illegal[row], |square| {
                    depths[row * 64 + square] = 0;
                    let worth = begun.leaving[row * 64 + square];
                    allowed.safe[row] |= u64::from(worth != Sure::NONE) << square;
                });
                allowed.needs[row] = limit;
            });
        }
        loop {
            let mut more = NEVER;
            for (side, allowed) in allowed.iter_mut().enumerate() {
                let (half, begun) = (&mut solver.halves[side], &begun[side]);
                half.latest.fill(1);
                each_row(rows, layer, |row, squares| {
                    if allowed.needs[row] == limit {
                        allowed.raise(begun, row, squares, limit);
                    }
                    more = more.min(allowed.needs[row]);
                    allowed.start(half, begun, row, squares);
                });
            }
            let last = if more == NEVER { u16::MAX } else { u16::from(more) - 1 };
            if more == TOO_LONG || !solver.rounds(layer, &mut Passing::none(), last)? {
                return Ok(false);
            }
            for (side, allowed) in allowed.iter_mut().enumerate() {
                let (half, begun, depths) = (&solver.halves[side], &begun[side], &mut depths[side]);
                each_row(rows, layer, |row, squares| {
                    let known = (half.won[row] | half.lost[row]) & squares & !begun.illegal[row];
                    each_bit(known & !allowed.decided[row], |square| {
                        let at = row * 64 + square;
                        let mated = begun.leaving[at] == Sure::NONE;
                        depths[at] = match i16::from(half.cells[at]) {
                            moves @ 1.. => (2 * moves - 1).max(limit.into()),
                            -1 if mated => -1,
                            cell => -1 - (2 * (-1 - cell)).max(limit.into()),
                        };
                    });
                    allowed.decided[row] |= known;
                });
            }
            if more == NEVER {
                return Ok(true);
            }
            limit = more;
        }
    }
}

/// Calls `each` with the rows of a layer, and the squares of these.
fn each_row(rows: &Rows<'_>, layer: &Layer, mut each: impl FnMut(usize, u64)) {
    for pair in 0..rows.layout.kings.pairs.len() {
        layer.rows.iter().for_each(|&(within, squares)| each(pair * rows.block + within, squares));
    }
}

impl Allowed {
    fn new(rows: &Rows<'_>) -> Self {
        let (count, never) = (rows.count(), || vec![NEVER; rows.count()]);
        let words = || vec![0; count];
        Self { cells: vec![0; count * 64], safe: words(), needs: never(), next: never(), decided: words() }
    }

    /// Allows what needs this limit, or a lower one.
    fn raise(&mut self, begun: &Begun, row: usize, squares: u64, limit: u8) {
        self.needs[row] = NEVER;
        each_bit(squares & !begun.illegal[row], |square| {
            let worth = begun.leaving[row * 64 + square];
            match limit_of(worth) {
                Some(needed) if needed > limit => self.needs[row] = self.needs[row].min(needed),
                Some(_) if worth > Sure::DRAW => {
                    self.cells[row * 64 + square] = 1;
                    self.next[row] = 1;
                }
                Some(_) => {
                    self.cells[row * 64 + square] = -1;
                    self.safe[row] &= !(1 << square);
                }
                None => {}
            }
        });
    }

    /// Begins the rounds anew.
    fn start(&self, half: &mut Half, begun: &Begun, row: usize, squares: u64) {
        half.won[row] = half.won[row] & !squares | begun.illegal[row] & squares;
        half.lost[row] &= !squares;
        half.safe[row] = half.safe[row] & !squares | self.safe[row] & squares;
        half.next[row] = self.next[row];
        let cells = row * 64..row * 64 + 64;
        half.cells[cells.clone()].copy_from_slice(&self.cells[cells]);
    }
}
