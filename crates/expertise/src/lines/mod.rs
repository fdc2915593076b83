//! Games of lines: put down stones in turn, and win with a line of them. m,n,k, qubic and go-moku.
//!
//! What they share works on any set of lines. `geometry` has the lines, `tally` counts the stones on all of
//! them at once, `threats` finds wins by threats alone, `draws` sees when a side can be held, and `desk` puts
//! it together as bounds, candidates, order and evaluation; go-moku's desk, `five`, finds threats on a board of its own. `telling` tells a win in full. `games` says which desk a game works at.
//!
//! ```
//! use endspiel_expertise::lines::Expert;
//! use endspiel_game::{Budget, Game, Goal, Outcome, Quiet, Task};
//! use endspiel_rules::mnk::Mnk;
//! use endspiel_search::alphabeta::{Options, Solver};
//!
//! let root = Mnk::from_variant("6,5,4").unwrap().start();
//! let budget = Budget::default().with_memory(1 << 20);
//! let task = Task { root: &root, goal: Goal::Outcome, expertise: &Expert, budget: &budget, observer: &Quiet };
//! let answer = Solver::new(Options::default(), &budget).solve(&task);
//! assert_eq!(answer.bounds.outcome(), Some(Outcome::Win));
//! ```

mod desk;
mod draws;
mod five;
mod games;
mod geometry;
mod openings;
mod tally;
mod telling;
#[cfg(test)]
mod tests;
mod threats;
mod threes;

use desk::Judge;
use endspiel_game::{Attack, Expertise, Player, Question, Sequence, Stop, TwoPlayer};
use endspiel_rules::grid::Cell;

/// What is known of games of lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expert;

/// A game of lines: a position that can be laid on a desk of its thread's.
trait Lines: TwoPlayer<Move = Cell> {
    /// Are wins in it found best by proof numbers that begin with the effort? Where most games are drawn they are
    /// not.
    const GUIDES: bool = false;

    /// Lays the position, in which a player is to move, on the desk, and asks the judge there.
    fn judge<T>(&self, then: impl FnOnce(&mut dyn Judge) -> T) -> T;

    /// May the player to move take this empty cell?
    fn allows(&self, _cell: usize) -> bool {
        true
    }

    /// In an opening that has been studied: how much work it is to show that the attacker wins, and that he does
    /// not.
    fn opening(&self, _attacker: Player) -> Option<(u32, u32)> {
        None
    }
}

impl<P: Lines> Expertise<P> for Expert {
    const BOUNDS: bool = true;
    const EVALUATES: bool = true;
    const THREATS: bool = true;
    const EFFORT: bool = P::GUIDES;
    /// The first attack found is taken, not the shortest.
    const KEEPS_DISTANCE: bool = false;

    fn evaluate(&self, position: &P) -> i32 {
        if position.turn().is_over() {
            return 1000 * position.score_range_of(position.mover()).0;
        }
        position.judge(|judge| judge.evaluate())
    }

    fn bounds(&self, position: &P) -> (i32, i32) {
        if position.turn().is_over() {
            return position.score_range_of(position.mover());
        }
        position.judge(|judge| judge.bounds())
    }

    fn candidates(&self, position: &P, mut each: impl FnMut(Cell)) {
        if position.turn().is_over() {
            return;
        }
        let mut cells = Vec::new();
        position.judge(|judge| judge.candidates(&mut cells));
        if cells.iter().any(|&cell| position.allows(cell)) {
            for cell in cells {
                each(Cell(cell as u16));
            }
        } else {
            position.moves(each);
        }
    }

    fn promise(&self, position: &P, m: Cell) -> i32 {
        position.judge(|judge| judge.promise(m.index()))
    }

    fn attack(&self, position: &P, attacker: Player) -> Option<Attack<Cell>> {
        let mover = position.turn().player()?;
        let (line, must) = position.judge(|judge| judge.attack(attacker != mover))?;
        let cells = |list: Vec<usize>| list.into_iter().map(|cell| Cell(cell as u16)).collect();
        Some(Attack { line: cells(line), must: cells(must) })
    }

    fn sequence(&self, position: &P, attacker: Player, stop: &Stop) -> Option<Sequence<Cell>> {
        let mover = position.turn().player()?;
        let told = position.judge(|judge| judge.sequence(attacker != mover, stop))?;
        Some(told.map(&|cell| Cell(cell as u16)))
    }

    fn effort(&self, position: &P, question: Question) -> (u32, u32) {
        // Whether somebody gets a draw is whether the other one wins.
        let attack = if question.at_least > 0 { question } else { question.opposite() };
        let (win, hold) = position
            .opening(attack.player)
            .unwrap_or_else(|| position.judge(|judge| judge.effort(attack.player == position.mover())));
        if attack == question { (win, hold) } else { (hold, win) }
    }
}
