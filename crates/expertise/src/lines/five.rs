//! The desk of go-moku and renju: the general one, with wins by threats found on a board that is kept move by move.
//!
//! A position is laid by the stones that differ from the last one. Fours are searched in full within a limit, and then
//! sequences of fours and threes by dependency-based search, both by every rule. What is found is remembered while the
//! position lies there: methods ask for bounds first, then for candidates.

use super::desk::{Desk, Judge, Terms};
use super::geometry::Geometry;
use super::telling::{Found, Ground, tell};
use super::threats::Fight;
use super::threes::{Failed, Win};
use crate::gomoku::{Board, Cells, Checked, Fours, Limit, Sequences, Threes, Tree};
use endspiel_game::{Plan, Player, Sequence, Stop};
use endspiel_rules::bits::Bits;
use endspiel_rules::gomoku::{GomokuPosition, Rule};
use endspiel_rules::grid::Grid;

/// Nodes of a search for fours, and of one for sequences of threats.
const FOURS: u64 = 500;
const SEQUENCES: u64 = 40;
/// Who asks for an attack to look at it may wait so many times longer than a search.
const PATIENCE: u64 = 100;
/// Nodes of such a search for sequences, and of one for fours, where every reply is searched.
const PATIENT: u64 = 1000;
const PATIENT_FOURS: u64 = 10_000;
/// In renju, of one for fours and threes, and so many threes in a row.
const PATIENT_THREES: u64 = 1000;
const THREES: u32 = 6;
/// So many positions in which fours fail are remembered, as a power of two.
const REMEMBERED: u32 = 14;

/// What is found in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Urgent {
    /// The player to move wins, and begins here.
    Win(usize),
    /// He has to stop a five here; `lost` if that does not help.
    Block { cell: usize, lost: bool },
    /// Nothing.
    Quiet,
}

/// The desk for boards of up to 64 `C` cells and 64 `W` lines.
pub(super) struct Five<const C: usize, const W: usize> {
    desk: Desk<C, W, 3>,
    board: Board,
    mover: Player,
    fours: Fours,
    sequences: Sequences,
    patient: Sequences,
    /// What was found where, by the board's key and the player to move.
    found: Option<(u64, Player, Urgent)>,
}

impl<const C: usize, const W: usize> Five<C, W> {
    /// A desk on which an empty board lies.
    pub fn new(desk: Desk<C, W, 3>) -> Self {
        Self {
            desk,
            board: Board::new(Grid::new(15, 15), Rule::Free),
            mover: Player::FIRST,
            fours: Fours::new(REMEMBERED),
            sequences: Sequences::new(SEQUENCES),
            patient: Sequences::new(PATIENT),
            found: None,
        }
    }

    /// Lays a position there.
    pub fn lay(&mut self, position: &GomokuPosition<C>, terms: Terms, sets: [Bits<C>; 2]) -> &mut Self {
        let (stones, grid) = (position.stones(), position.stones().grid());
        if self.board.grid() != grid || self.board.rule() != position.rule() {
            self.board = Board::new(grid, position.rule());
            self.fours = Fours::new(REMEMBERED);
            self.found = None;
        }
        for player in [Player::FIRST, Player::SECOND] {
            let mut now = Cells::EMPTY;
            now.0[..C].copy_from_slice(&stones.of(player).0);
            let before = *self.board.stones(player);
            before.without(now).iter().for_each(|cell| self.board.remove(cell, player));
            now.without(before).iter().for_each(|cell| self.board.place(cell, player));
        }
        self.mover = stones.mover();
        self.desk.lay((grid.width, grid.height, 5), terms, sets, || Geometry::of_grid(grid, 5));
        self
    }

    fn urgent(&mut self) -> Urgent {
        let at = (self.board.key(), self.mover);
        if let Some((key, mover, urgent)) = self.found
            && (key, mover) == at
        {
            return urgent;
        }
        let urgent = self.look();
        self.found = Some((at.0, at.1, urgent));
        urgent
    }

    fn look(&mut self) -> Urgent {
        let Self { board, fours, sequences, mover, .. } = self;
        let (own, other) = (*mover, mover.other());
        if let Some(cell) = board.fives(own).lowest() {
            return Urgent::Win(cell);
        }
        let must = *board.fives(other);
        if let Some(cell) = must.lowest() {
            let mut lost = must.len() > 1 || !board.allows(own, cell);
            if !lost {
                board.place(cell, own);
                lost = fours.win(board, other, &mut Limit::nodes(FOURS)).is_some();
                board.remove(cell, own);
            }
            return Urgent::Block { cell, lost };
        }
        let by_fours = fours.win(board, own, &mut Limit::nodes(FOURS));
        by_fours.or_else(|| sequences.first_move(board, own)).map_or(Urgent::Quiet, Urgent::Win)
    }
}

impl<const C: usize, const W: usize> Judge for Five<C, W> {
    fn bounds(&mut self) -> (i32, i32) {
        match self.urgent() {
            Urgent::Win(_) => (1, 1),
            Urgent::Block { lost: true, .. } => (-1, -1),
            Urgent::Block { cell, .. } => self.desk.held_after(cell),
            Urgent::Quiet => self.desk.held(),
        }
    }

    fn candidates(&mut self, out: &mut Vec<usize>) {
        match self.urgent() {
            Urgent::Win(cell) | Urgent::Block { cell, .. } => return out.push(cell),
            Urgent::Quiet => {}
        }
        // Where the opponent would win by fours only what may upset them is worth a move. In renju a stone more may
        // change what is forbidden elsewhere.
        let Self { board, fours, mover, .. } = self;
        let attack = match board.rule() {
            Rule::Renju => None,
            _ => fours.attack(board, mover.other(), &mut Limit::nodes(FOURS)),
        };
        self.desk.worth_a_move(attack.map(|win| narrow(&win.zone)), out);
    }

    fn attack(&mut self, by_opponent: bool) -> Option<(Vec<usize>, Vec<usize>)> {
        if self.board.rule() != Rule::Renju {
            return self.desk.attack(by_opponent);
        }
        // By fours alone; and since a stone more may change what is forbidden, every reply is tried.
        let Self { board, fours, mover, .. } = self;
        let attacker = if by_opponent { mover.other() } else { *mover };
        let line = fours.attack(board, attacker, &mut Limit::nodes(PATIENCE * FOURS))?.line;
        let defender = attacker.other();
        let completes = *board.fives(defender);
        let must = board.empty().iter().filter(|&cell| board.allows(defender, cell)).collect::<Vec<_>>();
        let upsets = |cell: &usize| {
            board.place(*cell, defender);
            let wins = fours.win(board, attacker, &mut Limit::nodes(PATIENCE * FOURS)).is_some();
            board.remove(*cell, defender);
            completes.contains(*cell) || !wins
        };
        Some((line, must.into_iter().filter(upsets).collect()))
    }

    fn sequence(&mut self, by_opponent: bool, stop: &Stop) -> Option<Sequence<usize>> {
        let attacker = if by_opponent { self.mover.other() } else { self.mover };
        let (failed, threes) = (Failed::default(), Threes::default());
        tell(&mut Field { five: self, attacker, failed, threes }, stop)
    }

    fn promise(&self, cell: usize) -> i32 {
        self.desk.promise(cell)
    }

    fn evaluate(&mut self) -> i32 {
        self.desk.evaluate()
    }

    fn effort(&mut self, attacker_moves: bool) -> (u32, u32) {
        self.desk.effort(attacker_moves)
    }
}

/// The board, with the attacker to move, before and after a reply.
struct Field<'a, const C: usize, const W: usize> {
    five: &'a mut Five<C, W>,
    attacker: Player,
    failed: Failed<C>,
    /// In renju.
    threes: Threes,
}

/// How a win was found.
enum How {
    /// Fours and their answers in turn.
    Fours(Vec<usize>),
    /// By dependency-based search.
    Steps(Checked),
    /// By threats of the second order.
    Tree(Plan<usize>),
}

impl<const C: usize, const W: usize> Ground for Field<'_, C, W> {
    type How = How;

    fn find(&mut self) -> Option<Found<Self::How>> {
        let attacker = self.attacker;
        let Five { board, fours, patient, desk, .. } = &mut *self.five;
        // 1. Fours; in renju also fours and threes as a tree, for a stone anywhere may matter.
        if let Some(win) = fours.attack(board, attacker, &mut Limit::nodes(PATIENT_FOURS)) {
            let Tree { plan, counters, positions } = Tree::direct(board, attacker, &win.line)?;
            return Some(Found { plan, counters, positions, how: How::Fours(win.line) });
        }
        if board.rule() == Rule::Renju {
            let Tree { plan, counters, positions } =
                self.threes.tree(board, attacker, THREES, PATIENT_THREES)?;
            return Some(Found { how: How::Tree(plan.clone()), plan, counters, positions });
        }
        // 2. A sequence of fours and threes that one continuation wins.
        if let Some(checked) = patient.checked(board, attacker) {
            let (plan, counters) = (Plan::of(checked.moves().collect::<Vec<_>>())?, checked.tried.clone());
            let positions = checked.positions;
            return Some(Found { plan, counters, positions, how: How::Steps(checked) });
        }
        // 3. A tree of threats of the second order.
        let fight = fight(desk, board, attacker);
        let Win { plan, counters, positions, .. } = desk.win_by_threes(&fight, &mut self.failed)?;
        Some(Found { how: How::Tree(plan.clone()), plan, counters, positions })
    }

    fn stands(&mut self, how: &Self::How) -> bool {
        let Five { board, patient, desk, .. } = &mut *self.five;
        match how {
            How::Fours(line) => Fours::repeats(board, self.attacker, line),
            How::Steps(checked) => patient.stands(board, self.attacker, checked),
            How::Tree(plan) if board.rule() == Rule::Renju => {
                self.threes.follows(board, self.attacker, plan, &mut Limit::nodes(PATIENT_THREES))
            }
            How::Tree(plan) => desk.follows(&fight(desk, board, self.attacker), plan),
        }
    }

    fn replies(&self) -> (Vec<usize>, Vec<usize>) {
        let (board, defender) = (&self.five.board, self.attacker.other());
        let allowed = board.empty().iter().filter(|&cell| board.allows(defender, cell)).collect();
        (allowed, board.fives(defender).iter().collect())
    }

    fn put(&mut self, reply: usize) {
        self.five.board.place(reply, self.attacker.other());
    }

    fn take_back(&mut self, reply: usize) {
        self.five.board.remove(reply, self.attacker.other());
    }
}

/// The stones on the board, not in renju, as the general desk sees them.
fn fight<const C: usize, const W: usize>(
    desk: &Desk<C, W, 3>,
    board: &Board,
    attacker: Player,
) -> Fight<C, W, 3> {
    let sets = [attacker, attacker.other()].map(|player| narrow(board.stones(player)));
    desk.fight_of(sets, [board.rule() == Rule::Standard; 2])
}

/// The same cells in fewer words.
fn narrow<const C: usize>(cells: &Cells) -> Bits<C> {
    let mut words = [0; C];
    words.copy_from_slice(&cells.0[..C]);
    Bits(words)
}
