//! Hex: virtual connections, mustplay regions, inferior cells, and circuits.
//!
//! On boards of up to 8 x 8 the bounds tell who wins wherever connections put together from smaller ones tell
//! it (`connections`), and candidates are what is left of the mustplay region without inferior cells
//! (`judgement`, `inferior`), ordered by the currents in two circuits (`resistance`), by which positions are estimated
//! too. A judgement costs some ten to some hundred microseconds, so the last ones are remembered, for all threads:
//! the hooks of one position are asked one after the other.
//!
//! ```
//! use endspiel_expertise::hex::Expert;
//! use endspiel_game::{Budget, Game, Goal, Outcome, Position, Quiet, Task};
//! use endspiel_rules::hex::Hex;
//! use endspiel_search::alphabeta::{Options, Solver};
//!
//! let root = Hex::from_variant("4").unwrap().start();
//! let budget = Budget::default().with_memory(1 << 20);
//! let task = Task { root: &root, goal: Goal::Outcome, expertise: &Expert, budget: &budget, observer: &Quiet };
//! let answer = Solver::new(Options::default(), &budget).solve(&task);
//! assert_eq!(answer.bounds.outcome(), Some(Outcome::Win));
//! ```

mod connections;
mod inferior;
mod judgement;
mod lattice;
mod resistance;
#[cfg(test)]
mod tests;

use endspiel_game::{Expertise, Player, Position, Question, TwoPlayer};
use endspiel_rules::grid::Cell;
use endspiel_rules::hex::{HexMove, HexPosition};
use judgement::{Judge, Judgement};
use lattice::{Lattice, Stones, cells_of};
use resistance::Circuit;
use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

/// What is known of Hex.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expert;

/// So many judgements are remembered, in shelves that are locked one by one.
const SHELVES: usize = 64;
const ON_A_SHELF: usize = 1 << 8;

/// Everything that decides a judgement.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Case {
    stones: Stones,
    mover: Player,
    size: usize,
}

impl Case {
    /// None on larger boards, where the swap is still to come, and when the game is over.
    fn of<const WORDS: usize>(position: &HexPosition<WORDS>) -> Option<(Self, &'static Lattice)> {
        let lattice = Lattice::of(position.board().size())?;
        let mover = position.turn().player().filter(|_| !position.swap_ahead())?;
        let stones = [Player::FIRST, Player::SECOND].map(|player| position.stones(player).0[0]);
        Some((Self { stones, mover, size: lattice.size() }, lattice))
    }

    /// Its shelf, and its place there.
    fn place(&self) -> (usize, usize) {
        let mixed = endspiel_game::mix(self.stones[0] ^ self.stones[1].rotate_left(29));
        let place = mixed as usize ^ self.mover.index();
        (place % SHELVES, place / SHELVES % ON_A_SHELF)
    }
}

thread_local! {
    /// Room for connections.
    static JUDGE: RefCell<Judge> = RefCell::default();
    /// How much depends on each cell in the case that was last asked about.
    static WEIGHED: RefCell<(Option<Case>, Vec<i32>)> = RefCell::default();
}

type Shelf = Vec<Option<(Case, Judgement)>>;

/// The last judgements of all threads.
static JUDGED: [Mutex<Shelf>; SHELVES] = [const { Mutex::new(Vec::new()) }; SHELVES];

/// What is known of the position; none where there is nothing to say.
fn judge<const WORDS: usize>(position: &HexPosition<WORDS>) -> Option<Judgement> {
    let (case, lattice) = Case::of(position)?;
    let (shelf, place) = case.place();
    let shelf = || JUDGED[shelf].lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&Some((known, judgement))) = shelf().get(place)
        && known == case
    {
        return Some(judgement);
    }
    let judgement = secured(position)
        .unwrap_or_else(|| JUDGE.with_borrow_mut(|judge| judge.judge(lattice, case.stones, case.mover)));
    let mut shelf = shelf();
    shelf.resize(ON_A_SHELF, None);
    shelf[place] = Some((case, judgement));
    Some(judgement)
}

/// A move after which bridges alone connect the sides, which is quickly found.
fn secured<const WORDS: usize>(position: &HexPosition<WORDS>) -> Option<Judgement> {
    let wins = |&cell: &usize| {
        let after = position.after(HexMove::Place(Cell(cell as u16)));
        after.turn().is_over() || after.secured(position.mover(), 1)
    };
    let cell = position.empty().iter().find(wins)?;
    Some(Judgement { wins: Some(true), moves: 1 << cell })
}

/// The circuits of the player to move and of the opponent.
fn circuits<const WORDS: usize>(position: &HexPosition<WORDS>) -> [Circuit; 2] {
    let owner = |cell| {
        let players = [Player::FIRST, Player::SECOND];
        players.into_iter().find(|&player| position.stones(player).contains(cell))
    };
    let mover = position.mover();
    [mover, mover.other()].map(|player| Circuit::new(position.board(), player, owner))
}

/// How much depends on a cell, in thousandths of the currents.
fn weight(circuits: &[Circuit; 2], cell: usize) -> i32 {
    (1000.0 * (circuits[0].share(cell) + circuits[1].share(cell))) as i32
}

impl<const WORDS: usize> Expertise<HexPosition<WORDS>> for Expert {
    const EVALUATES: bool = true;
    const BOUNDS: bool = true;
    const EFFORT: bool = true;
    const KEEPS_DISTANCE: bool = false;

    fn evaluate(&self, position: &HexPosition<WORDS>) -> i32 {
        let [own, other] = circuits(position).map(|circuit| circuit.conductance.sqrt());
        (990.0 * (own - other) / (own + other)) as i32
    }

    /// On larger boards circuits without connections judge worse than random games.
    fn judges(&self, position: &HexPosition<WORDS>) -> bool {
        Lattice::of(position.board().size()).is_some()
    }

    fn bounds(&self, position: &HexPosition<WORDS>) -> (i32, i32) {
        match judge(position).and_then(|judgement| judgement.wins) {
            Some(true) => (1, 1),
            Some(false) => (-1, -1),
            None => position.score_range_of(position.mover()),
        }
    }

    /// Those on which most depends first.
    fn candidates(&self, position: &HexPosition<WORDS>, mut each: impl FnMut(HexMove)) {
        let Some(judgement) = judge(position) else { return position.moves(each) };
        let place = |cell: usize| HexMove::Place(Cell(cell as u16));
        if judgement.moves.is_power_of_two() {
            return cells_of(judgement.moves).for_each(|cell| each(place(cell)));
        }
        let circuits = circuits(position);
        let mut cells: Vec<usize> = cells_of(judgement.moves).collect();
        cells.sort_by_key(|&cell| std::cmp::Reverse(weight(&circuits, cell)));
        for cell in cells {
            each(place(cell));
        }
    }

    /// The current on a small board. On a large one it would cost more than it is worth, and the middle is what most
    /// depends on.
    fn promise(&self, position: &HexPosition<WORDS>, m: HexMove) -> i32 {
        let HexMove::Place(cell) = m else { return 0 };
        let Some((case, _)) = Case::of(position) else {
            let size = position.board().size();
            let off = |line: usize| (2 * line as i32 + 1 - size as i32).abs();
            return -off(cell.index() / size).max(off(cell.index() % size));
        };
        // The moves of one position are asked about one after the other.
        WEIGHED.with_borrow_mut(|(last, weights)| {
            if *last != Some(case) {
                let circuits = circuits(position);
                weights.clear();
                weights.extend((0..position.board().cells()).map(|cell| weight(&circuits, cell)));
                *last = Some(case);
            }
            weights[cell.index()]
        })
    }

    fn effort(&self, position: &HexPosition<WORDS>, question: Question) -> (u32, u32) {
        let moves = judge(position).map_or(position.count_moves() as u32, |j| j.moves.count_ones());
        if position.mover() == question.player { (1, moves) } else { (moves, 1) }
    }
}
