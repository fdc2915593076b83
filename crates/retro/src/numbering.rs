//! Giving numbers to the positions of an impartial game with cycles: algorithm GSG of A. Fraenkel, Virus Versus Mankind (2000).
//!
//! Numbers are given one after the other, from 0. A position gets the number if none of its moves leads to it, and every move to
//! a position without a smaller number is answered by one that does. What has no number then and does not reach this one is infinite.
//! Each position has two counts: of its followers without a number, and of those among them that do not reach the number at hand. A
//! position whose second count is zero is ready, whatever others get the number at the same time: all its followers have smaller
//! numbers or reach this one, and so never get it. So threads can work side by side, and what they find does not depend on their order.
//!
//! Cost: every move once for each number that the position it leads to reaches. Memory: 13 bytes a position, and the moves.

use crate::graph::{Chunk, Node, Run, Turned, moves};
use crate::work::Stage;
use crate::{Grundy, Indexed, Job, Label, Stopped, Table, Work};
use std::sync::atomic::{
    AtomicBool, AtomicU32, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed, Ordering::Release,
};

/// Positions of a piece that a thread takes.
const PIECE: usize = 1 << 10;

/// The bytes a position that [`number_slice`] works with, beside the moves; the table among them.
pub const NUMBERING_BYTES: u64 = 15;

/// The moves of an impartial game, from where they lead to where they come from. Positions are numbers.
pub trait Arcs: Sync {
    /// How many numbers there are.
    fn positions(&self) -> usize;

    /// How many different positions the moves of this one lead to; none where the number is no position.
    fn many(&self, number: usize) -> Option<u32>;

    /// Calls `each` once with every position from which a move leads to this one.
    fn before(&self, number: usize, each: impl FnMut(usize));
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// It is no position.
    Wasted,
    /// Nothing yet.
    Open,
    /// Its value is infinite; does a move reach 0?
    Infinite(bool),
    /// Its value.
    Number(u32),
}

impl Mark {
    const WASTED: u32 = u32::MAX;
    const OPEN: u32 = u32::MAX - 1;
    const DRAWN: u32 = u32::MAX - 2;
    const WON: u32 = u32::MAX - 3;

    fn read(word: u32) -> Self {
        match word {
            Self::WASTED => Self::Wasted,
            Self::OPEN => Self::Open,
            Self::DRAWN => Self::Infinite(false),
            Self::WON => Self::Infinite(true),
            number => Self::Number(number),
        }
    }

    const fn is_number(word: u32) -> bool {
        word < Self::WON
    }
}

/// Positions on their way to their values.
pub(crate) struct Numbering<'a, A> {
    arcs: &'a A,
    marks: Vec<AtomicU32>,
    /// The followers without a number.
    unnumbered: Vec<AtomicU32>,
    /// Those of them that were there when the number at hand was begun and do not reach it yet.
    unanswered: Vec<AtomicU32>,
    /// Does a move lead to the number at hand?
    reaches: Vec<AtomicBool>,
    /// May something of a piece be ready?
    ready: Vec<AtomicBool>,
}

fn words(many: usize) -> Vec<AtomicU32> {
    std::iter::repeat_with(AtomicU32::default).take(many).collect()
}

fn flags(many: usize) -> Vec<AtomicBool> {
    std::iter::repeat_with(AtomicBool::default).take(many).collect()
}

impl<'a, A: Arcs> Numbering<'a, A> {
    /// Counts the moves of all positions.
    pub fn new(arcs: &'a A, work: &Work<'_>) -> Result<Self, Stopped> {
        let size = arcs.positions();
        let new = Self {
            arcs,
            marks: words(size),
            unnumbered: words(size),
            unanswered: words(size),
            reaches: flags(size),
            ready: flags(size.div_ceil(PIECE)),
        };
        let stage = Stage { doing: "moves", pass: 1, changed: None };
        work.share(stage, new.ready.len(), size as u64, |piece| {
            for at in new.piece(piece) {
                let many = arcs.many(at);
                new.marks[at].store(if many.is_some() { Mark::OPEN } else { Mark::WASTED }, Relaxed);
                new.unnumbered[at].store(many.unwrap_or(0), Relaxed);
            }
        })?;
        Ok(new)
    }

    fn piece(&self, piece: usize) -> std::ops::Range<usize> {
        piece * PIECE..((piece + 1) * PIECE).min(self.marks.len())
    }

    /// Gives one number, `changed` having got the one before; how many get it, and how many are open still.
    pub fn give(&self, number: u32, changed: Option<u64>, work: &Work<'_>) -> Result<(u64, u64), Stopped> {
        assert!(Mark::is_number(number), "there are no marks for larger numbers");
        let (pieces, of) = (self.ready.len(), self.marks.len() as u64);
        let stage = Stage { doing: "numbers", pass: number + 1, changed };
        work.share(stage, pieces, of, |piece| self.begin(piece))?;
        let (mut given, mut more) = (0, 1);
        while more > 0 {
            more = work.share(stage, pieces, of, |piece| self.advance(piece, number))?.iter().sum();
            given += more;
        }
        let open = work.share(stage, pieces, of, |piece| self.end(piece, number))?.iter().sum();
        Ok((given, open))
    }

    /// Nobody reaches the number yet.
    fn begin(&self, piece: usize) {
        let mut ready = false;
        for at in self.piece(piece) {
            let left = self.unnumbered[at].load(Relaxed);
            self.unanswered[at].store(left, Relaxed);
            self.reaches[at].store(false, Relaxed);
            ready |= left == 0 && self.marks[at].load(Relaxed) == Mark::OPEN;
        }
        self.ready[piece].store(ready, Release);
    }

    /// Gives the number to what is ready in a piece; to how many.
    fn advance(&self, piece: usize, number: u32) -> u64 {
        let mut given = 0;
        // Whoever gets ready from here on is noted anew.
        while self.ready[piece].swap(false, AcqRel) {
            for at in self.piece(piece) {
                if self.unanswered[at].load(Acquire) == 0 && self.marks[at].load(Relaxed) == Mark::OPEN {
                    self.marks[at].store(number, Relaxed);
                    self.tell(at);
                    given += 1;
                }
            }
        }
        given
    }

    /// Tells those before a position that it has the number, and those before them that they reach it.
    fn tell(&self, at: usize) {
        self.arcs.before(at, |p| {
            self.unnumbered[p].fetch_sub(1, Relaxed);
            if self.reaches[p].swap(true, Relaxed) || Mark::is_number(self.marks[p].load(Relaxed)) {
                return;
            }
            self.arcs.before(p, |q| {
                if self.unanswered[q].fetch_sub(1, AcqRel) == 1 {
                    // Others may have told of this piece: whoever looks must see what all of them did.
                    self.ready[q / PIECE].swap(true, AcqRel);
                }
            });
        });
    }

    /// What is open and does not reach the number is infinite; how many are open still.
    fn end(&self, piece: usize, number: u32) -> u64 {
        let mut open = 0;
        for at in self.piece(piece).filter(|&at| self.marks[at].load(Relaxed) == Mark::OPEN) {
            if self.reaches[at].load(Relaxed) {
                open += 1;
            } else {
                // All that is open reaches the numbers before this one.
                let mark = if number > 0 { Mark::WON } else { Mark::DRAWN };
                self.marks[at].store(mark, Relaxed);
            }
        }
        open
    }

    /// What is known of all positions.
    pub fn marks(self) -> impl Iterator<Item = Mark> {
        self.marks.into_iter().map(|mark| Mark::read(mark.into_inner()))
    }
}

/// Solves a slice of an impartial game for [`Metric::Grundy`](crate::Metric::Grundy), its moves being these. Cells have room for
/// numbers up to 32,766: it panics where a larger one occurs, which takes a position with more moves than that.
pub fn number_slice<I: Indexed>(job: &Job<'_, I>, arcs: &impl Arcs) -> Result<Table, Stopped> {
    let numbering = Numbering::new(arcs, job.work)?;
    let mut changed = None;
    for number in 0.. {
        let (given, open) = numbering.give(number, changed, job.work)?;
        changed = Some(given);
        if open == 0 {
            break;
        }
    }
    let cell = |mark| match mark {
        Mark::Wasted => i16::MIN,
        Mark::Infinite(reaches_zero) => i16::from(reaches_zero),
        Mark::Open => 0,
        Mark::Number(number) => Grundy::cell_of(number).expect("cells have room for the number"),
    };
    Ok(Table::of_numbers(job.metric, numbering.marks().map(cell).collect()))
}

/// The same where the game tells nothing but its moves: all of them are kept, in 8 bytes each and 16 more a position.
pub(crate) fn numbering<I: Indexed>(game: &I, job: &Job<'_, I>) -> Result<Table, Stopped> {
    let size = game.size(job.slice) as usize;
    let chunks = moves(game, job, Run { start: 0, size, solved: &[] }, true)?;
    let turned = Turned::new(&chunks);
    let count = |chunk: &Chunk, at: usize| match chunk.nodes[at] {
        Node::Wasted => None,
        Node::Open(leaving, _) if leaving != Label::NONE => {
            panic!("a move of an impartial game leaves its slice")
        }
        Node::Over(_) | Node::Open(..) => Some(chunk.moves(at).len() as u32),
    };
    let counts =
        chunks.iter().flat_map(|chunk| (0..chunk.nodes.len()).map(move |at| count(chunk, at))).collect();
    drop(chunks);
    number_slice(job, &Kept { counts, turned })
}

/// Moves in memory.
struct Kept {
    counts: Vec<Option<u32>>,
    turned: Turned,
}

impl Arcs for Kept {
    fn positions(&self) -> usize {
        self.counts.len()
    }

    fn many(&self, number: usize) -> Option<u32> {
        self.counts[number]
    }

    fn before(&self, number: usize, mut each: impl FnMut(usize)) {
        self.turned.predecessors(number).iter().for_each(|&p| each(p as usize));
    }
}
