//! Wins by threats as the prover asks for them: by fours, then by sequences, each position once.
//!
//! Searches end after few nodes, so a win may be missed; what is found is a win with its related squares, on which the
//! defender has to play if he is to move. Answers are kept in a table by the hash of the stones; an older one makes
//! room.

use super::board::{Board, Cells};
use super::fours::{Fours, Limit};
use super::operators::Step;
use super::selection::Evaluation;
use super::sequences::Sequences;
use super::threes::Threes;
use endspiel_game::Player;

/// Nodes of a search for fours, and of one for sequences.
const FOURS: u64 = 500;
const SEQUENCES: u64 = 100;
/// Nodes of a search for threes, and how many in a row.
const THREES: u64 = 1000;
const DEPTH: u32 = 5;
/// Nodes where there is patience.
const PATIENT: u64 = 4000;
/// `1 << BITS` answers are kept.
const BITS: u32 = 16;

/// A win by threats, move by move.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// Fours and their answers in turn.
    Fours(Vec<usize>),
    /// Threats with all their replies.
    Steps(Vec<Step>),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    found: Option<Cells>,
}

/// Searches for wins by threats, with a memory.
#[derive(Debug)]
pub(super) struct Wins {
    evaluation: Evaluation,
    fours: Fours,
    sequences: Sequences,
    patient: Sequences,
    threes: Threes,
    table: Vec<Entry>,
    latest: Option<Plan>,
    /// Positions searched so far.
    pub searched: u64,
}

impl Wins {
    pub fn new(evaluation: Evaluation) -> Self {
        Self {
            evaluation,
            fours: Fours::new(16),
            sequences: Sequences::new(SEQUENCES),
            patient: Sequences::new(PATIENT),
            threes: Threes::default(),
            table: vec![Entry { key: 0, found: None }; 1 << BITS],
            latest: None,
            searched: 0,
        }
    }

    /// The related squares of a win by threats of the player's, if he is to move: where a stone of the other's might have
    /// upset it.
    pub fn find(&mut self, board: &mut Board, player: Player) -> Option<Cells> {
        if !board.fives(player).is_empty() {
            let zone = if board.fives(player).len() == 1 { *board.fives(player) } else { Cells::EMPTY };
            return Some(zone | *board.fives(player.other()));
        }
        if self.evaluation == Evaluation::Fives {
            return None;
        }
        // An empty board has the key 0.
        let key = board.key().rotate_left(u32::from(player.0)).max(1);
        let place = key as usize & (self.table.len() - 1);
        if self.table[place].key != key {
            self.searched += 1;
            self.table[place] = Entry { key, found: self.search(board, player) };
        }
        self.table[place].found
    }

    fn search(&mut self, board: &mut Board, player: Player) -> Option<Cells> {
        let (plan, zone) = self.plan(board, player)?;
        self.latest = Some(plan);
        Some(zone)
    }

    /// How the win that was found last is played, if that was not asked for before.
    pub fn latest(&mut self) -> Option<Plan> {
        self.latest.take()
    }

    /// A win by fours, with the squares that might upset it.
    pub fn by_fours(&mut self, board: &mut Board, player: Player) -> Option<Cells> {
        if board.fours(player).is_empty() && board.fives(player).is_empty() {
            return None;
        }
        Some(self.fours.attack(board, player, &mut Limit::nodes(FOURS))?.zone)
    }

    /// The first move of a win by fours and threes against all replies, where the quick searches see none.
    pub fn by_threes(&mut self, board: &mut Board, player: Player) -> Option<usize> {
        if self.evaluation != Evaluation::All {
            return None;
        }
        self.threes.win(board, player, DEPTH, &mut Limit::nodes(THREES))
    }

    /// How the player wins by threats if he is to move, to be tried again after other replies, with its related squares.
    pub fn plan(&mut self, board: &mut Board, player: Player) -> Option<(Plan, Cells)> {
        if self.evaluation == Evaluation::Fives {
            return None;
        }
        if let Some(win) = self.fours.attack(board, player, &mut Limit::nodes(FOURS)) {
            return Some((Plan::Fours(win.line), win.zone));
        }
        if self.evaluation == Evaluation::Fours {
            return None;
        }
        self.sequences.steps(board, player).map(|(steps, zone)| (Plan::Steps(steps), zone))
    }

    /// Does a plan win here, whatever the other does?
    pub fn works(&mut self, board: &mut Board, player: Player, plan: &Plan) -> bool {
        match plan {
            Plan::Fours(line) => Fours::repeats(board, player, line),
            Plan::Steps(steps) => self.sequences.holds(board, player, steps),
        }
    }

    /// The first move of a win by searches that take longer.
    pub fn find_patiently(&mut self, board: &mut Board, player: Player) -> Option<usize> {
        let by_sequence = self.patient.first_move(board, player);
        by_sequence.or_else(|| self.threes.win(board, player, DEPTH, &mut Limit::nodes(PATIENT)))
    }
}
