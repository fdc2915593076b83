//! Awari with one question: does this player win? Who asks wins or does not, and a draw counts as not.
//!
//! The game is over where that is known: by the rules, by the stones that are still to be had, or by databases. Nothing else ends it;
//! a position that comes back is searched as if it were new, so that all searchers know the same.

use endspiel_expertise::awari::{Expert, Levels};
use endspiel_game::{Expertise, Payoff, Player, Position, Question, Stop, Symmetric, Turn, TwoPlayer};
use endspiel_retro::{Indexed, Table};
use endspiel_rules::awari::{Board, Pit};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Awari's tables from no stone up to some.
pub(super) struct Endings {
    pub levels: Levels,
    pub tables: Vec<Table>,
}

impl Endings {
    /// What who is to move gets more in the end, where the tables hold the position.
    pub fn score(&self, board: &Board) -> Option<i32> {
        let table = self.tables.get(usize::from(board.on_board()))?;
        let (_, index) = self.levels.place(board)?;
        Some(table.get(index)? + self.levels.lead(board))
    }
}

/// The question, and what it has cost so far.
pub(super) struct Ask {
    asker: Player,
    endings: Arc<Endings>,
    /// Positions at the depth of the iteration that is under way: those of a depth that was not seen before, and those as deep.
    seen: AtomicU64,
    deepest: AtomicU32,
    /// So many are enough.
    most: u64,
    stop: Stop,
}

impl Ask {
    /// Does the asker win, if that is known?
    fn judge(&self, board: &Board) -> Option<bool> {
        if board.turn().is_over() {
            return Some(board.payoff().of(self.asker) > 0);
        }
        if board.score_range_of(self.asker).1 <= 0 {
            return Some(false);
        }
        let score = self.endings.score(board)?;
        Some(if board.mover() == self.asker { score > 0 } else { score < 0 })
    }

    /// Counts a leaf at this depth.
    fn count(&self, depth: u32) {
        if depth >= self.deepest.fetch_max(depth, Ordering::Relaxed)
            && self.seen.fetch_add(1, Ordering::Relaxed) + 1 >= self.most
        {
            self.stop.now();
        }
    }

    /// What an iterative search has cost, counted as Allis does: in every iteration the nodes at its full depth.
    pub fn cost(&self) -> u64 {
        self.seen.load(Ordering::Relaxed)
    }
}

/// A position of awari with the question.
#[derive(Clone)]
pub(super) struct Asked {
    board: Board,
    depth: u32,
    wins: Option<bool>,
    pub ask: Arc<Ask>,
}

impl Asked {
    /// Does who is to move win? `stop` is asked for when an iterative search has cost `most`.
    pub fn new(board: Board, endings: &Arc<Endings>, most: u64, stop: Stop) -> Self {
        let (seen, deepest) = (AtomicU64::new(0), AtomicU32::new(0));
        let ask = Ask { asker: board.mover(), endings: endings.clone(), seen, deepest, most, stop };
        Self { board, depth: 0, wins: ask.judge(&board), ask: Arc::new(ask) }
    }
}

impl Position for Asked {
    type Move = Pit;

    #[inline]
    fn turn(&self) -> Turn {
        if self.wins.is_some() { Turn::Over } else { self.board.turn() }
    }

    fn moves(&self, each: impl FnMut(Pit)) {
        if self.wins.is_none() {
            self.board.moves(each);
        }
    }

    fn play(&mut self, m: Pit) {
        self.board.play(m);
        self.depth += 1;
        self.wins = self.ask.judge(&self.board);
    }

    fn payoff(&self) -> Payoff {
        self.ask.count(self.depth);
        let asker = self.ask.asker;
        Payoff::win(if self.wins == Some(true) { asker } else { asker.other() })
    }

    fn key(&self) -> u64 {
        self.board.key()
    }
}

impl TwoPlayer for Asked {
    const DRAWS: bool = false;
}

impl Symmetric for Asked {}

/// What Lithidion's searchers know: leaves are worth the stones captured, great captures come first, and proof numbers may
/// begin with the stones that are still to be captured.
#[derive(Clone, Copy, Default)]
pub(super) struct Stones;

impl Expertise<Asked> for Stones {
    const EVALUATES: bool = true;

    fn evaluate(&self, position: &Asked) -> i32 {
        position.ask.count(position.depth);
        1000 * position.board.lead_of_mover().1
    }

    fn promise(&self, position: &Asked, m: Pit) -> i32 {
        Expert.promise(&position.board, m)
    }

    fn effort(&self, position: &Asked, question: Question) -> (u32, u32) {
        Expert.effort(&position.board, question)
    }
}
