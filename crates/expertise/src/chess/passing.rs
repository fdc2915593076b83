//! Captures in passing: positions with the right to them, kept apart from the rows.
//!
//! Such a position has the moves of the one without the right, and the capture besides. It arises by one double step
//! from one position before; the rows leave these steps out, and they are made here, one by one.

use super::begin::Sure;
use super::endings::Endings;
use super::layout::{Layout, Men};
use super::rounds::Solver;
use super::rows::{Rows, steps};
use endspiel_game::{Player, Position};
use endspiel_retro::{Indexed, Job};
use endspiel_rules::chess::Kind;

/// A position after a double step beside an enemy pawn. Rows tell like pawns apart, so with two of them it is there twice, for
/// both orders of the position before.
#[derive(Clone)]
pub struct Passed {
    /// Its number among those of its side to move, if the capture is legal.
    pub number: Option<u64>,
    /// Who is to move.
    pub side: Player,
    /// Row and square of the same position without the right.
    pub plain: (usize, u8),
    /// Row and square of the position before, if that is legal.
    pub before: Option<(usize, u8)>,
    /// The layer of the position before.
    pub layer: u32,
    /// What the capture is worth.
    pub sure: Sure,
    /// Has the position without the right no move and no check?
    pub stuck: bool,
    /// Moves as tables have them, once it is decided.
    cell: Option<i8>,
    /// Is the position before kept from being lost by this, and by nothing else?
    holds: bool,
}

impl Passed {
    /// What is known of them, `worth` in the same order, as a table has it for one side to move; `none` stands where there is no
    /// position.
    pub fn cells<T: Copy>(list: &[Self], worth: &[T], layout: &Layout, side: Player, none: T) -> Vec<T> {
        let mut out = vec![none; layout.passing_half() as usize];
        for (passed, &worth) in list.iter().zip(worth).filter(|(passed, _)| passed.side == side) {
            if let Some(number) = passed.number {
                out[number as usize] = worth;
            }
        }
        out
    }

    /// The bytes of all of an ending.
    pub fn bytes(layout: &Layout) -> u64 {
        let orders = 1 + u64::from(Self::alike(layout).is_some());
        layout.passing_half() * 2 * orders * size_of::<Self>() as u64
    }

    /// Where the list of pieces has two like ones.
    fn alike(layout: &Layout) -> Option<usize> {
        layout.pieces.windows(2).position(|two| two[0] == two[1])
    }

    /// Finds all of an ending.
    pub fn all(endings: &Endings, rows: &Rows<'_>, job: &Job<'_, Endings>) -> Vec<Self> {
        let mut list = Vec::with_capacity((Self::bytes(rows.layout) / size_of::<Self>() as u64) as usize);
        for side in [Player::FIRST, Player::SECOND] {
            for number in 0..rows.layout.passing_half() {
                list.extend(Self::find(endings, rows, job, side, number).into_iter().flatten().flatten());
            }
        }
        list
    }

    /// The position with a number, and a second time if the one before has another order.
    pub fn find(
        endings: &Endings,
        rows: &Rows<'_>,
        job: &Job<'_, Endings>,
        side: Player,
        number: u64,
    ) -> Option<[Option<Self>; 2]> {
        let layout = rows.layout;
        let (men, square, index) = layout.passing_men(side, number);
        // With two pawns that may capture, the position has the number of one of them.
        if layout.passing_index(men, square) != Some(index) {
            return None;
        }
        let plain = layout.board(men, None)?;
        let (taken, origin) = (square ^ 8, if side == Player::FIRST { square + 8 } else { square - 8 });
        if plain.at(square.into()).is_some() || plain.at(origin.into()).is_some() {
            return None;
        }
        let pusher = men
            .pieces
            .iter()
            .zip(&layout.pieces)
            .position(|(&at, &piece)| at == taken && piece == (Kind::Pawn, side.other()))?;
        let mut earlier = Men { mover: side.other(), ..men };
        earlier.pieces[pusher] = origin;
        let board = layout.board(men, Some(square));
        let mut sure = Sure::NONE;
        if let Some(board) = &board {
            board.moves(|m| {
                if m.to == square && board.at(m.from.into()).is_some_and(|(kind, _)| kind == Kind::Pawn) {
                    let next = board.after(m);
                    let there = endings.place(&next).and_then(|(slice, index)| job.known.get(&slice, index));
                    sure = sure.max(Sure::before(job.metric, there.unwrap_or(0)));
                }
            });
        }
        let pawns = earlier.pieces.iter().zip(&layout.pieces).filter(|(_, piece)| piece.0 == Kind::Pawn);
        let layer = pawns.map(|(&square, piece)| steps(square, piece.1)).sum();
        let before = layout.board(earlier, None).map(|_| rows.find(earlier));
        let again = Self::alike(layout).zip(before).map(|(first, _)| {
            earlier.pieces.swap(first, first + 1);
            rows.find(earlier)
        });
        let passed = Self {
            number: board.map(|_| number),
            side,
            plain: rows.find(men),
            before,
            layer,
            sure,
            stuck: plain.count_moves() == 0 && !plain.in_check(),
            cell: None,
            holds: false,
        };
        let again = again.map(|before| Self { number: None, before: Some(before), ..passed.clone() });
        Some([Some(passed), again])
    }
}

/// All positions after double steps that allow a capture in passing, or would if it were legal.
pub struct Passing {
    /// Sorted by the position before.
    list: Vec<Passed>,
    /// Do pawn moves end phases?
    phases: bool,
}

impl Passing {
    /// Finds them. Unless pawn moves end phases, the position before is not to be lost until they are decided.
    pub fn new(endings: &Endings, solver: &mut Solver<'_>, phases: bool) -> Self {
        let mut list = Passed::all(endings, solver.rows, solver.job);
        list.sort_by_key(|p: &Passed| (p.side, p.before));
        for passed in list.iter_mut().filter(|_| !phases) {
            let Some((row, square)) = passed.before else { continue };
            let safe = &mut solver.halves[passed.side.other().index()].safe[row];
            let bit = 1 << square;
            passed.holds = *safe & bit == 0;
            *safe |= bit;
        }
        Self { list, phases }
    }

    /// After the wins of a round: who gets to a lost position by a double step wins too; and what is won is no
    /// longer in the way of losses.
    pub fn won(&mut self, solver: &mut Solver<'_>, n: u8, mut counts: [u64; 2]) -> [u64; 2] {
        let block = solver.rows.block;
        for passed in
            self.list.iter().filter(|passed| !self.phases && passed.cell.is_some_and(|cell| cell < 0))
        {
            let Some((row, square)) = passed.before else { continue };
            let mover = passed.side.other().index();
            let half = &mut solver.halves[mover];
            if (half.won[row] | half.lost[row]) >> square & 1 == 0 {
                half.won[row] |= 1 << square;
                half.cells[row * 64 + usize::from(square)] = n as i8;
                half.won_now[row / block] = true;
                counts[mover] += 1;
            }
        }
        for passed in self.list.iter_mut().filter(|passed| passed.cell.is_none()) {
            let ((row, square), half) = (passed.plain, &solver.halves[passed.side.index()]);
            let due = passed.sure.wins().is_some_and(|wins| wins <= n);
            if due || half.won[row] >> square & 1 != 0 {
                passed.cell = Some(n as i8);
                counts[passed.side.index()] += 1;
            }
        }
        for together in self.list.chunk_by_mut(|a, b| (a.side, a.before) == (b.side, b.before)) {
            let won = together.iter().all(|passed| passed.cell.is_some_and(|cell| cell > 0));
            let first = &mut together[0];
            if let Some((row, square)) = first.before.filter(|_| won && first.holds) {
                first.holds = false;
                solver.halves[first.side.other().index()].safe[row] &= !(1 << square);
                solver.halves[first.side.index()].won_now[row / block] = true;
            }
        }
        counts
    }

    /// After the losses of a round.
    pub fn lost(&mut self, solver: &Solver<'_>, n: u8, mut counts: [u64; 2]) -> [u64; 2] {
        for passed in self.list.iter_mut().filter(|passed| passed.cell.is_none()) {
            let ((row, square), half) = (passed.plain, &solver.halves[passed.side.index()]);
            let plain = half.lost[row] >> square & 1 != 0;
            let lost = match passed.sure.loses() {
                Some(moves) => moves <= n && (plain || passed.stuck),
                None => passed.sure == Sure::NONE && plain,
            };
            if lost {
                passed.cell = Some(-1 - n.min(126) as i8);
                counts[passed.side.index()] += 1;
            }
        }
        counts
    }

    /// Where pawn moves end phases: what the double steps of a layer are worth.
    pub fn end_phases(&self, solver: &mut Solver<'_>, layer: u32) {
        for passed in self.list.iter().filter(|passed| passed.layer == layer) {
            let worth = match passed.cell {
                None => Sure::DRAW,
                Some(1..) => Sure::loss(0),
                Some(_) => Sure::win(1),
            };
            if let Some(before) = passed.before {
                solver.note(passed.side.other(), before, worth);
            }
        }
    }

    /// The cells of the positions with this side to move.
    pub fn cells(&self, layout: &Layout, side: Player) -> Vec<i8> {
        let mut out = vec![i8::MIN; layout.passing_half() as usize];
        for passed in self.list.iter().filter(|passed| passed.side == side) {
            if let Some(number) = passed.number {
                out[number as usize] = passed.cell.unwrap_or(0);
            }
        }
        out
    }
}
