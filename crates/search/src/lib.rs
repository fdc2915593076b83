//! Methods that look ahead: one module a method.
//!
//! A method takes a task (root, goal, expertise, budget, who watches) and gives an answer: proven bounds, and an
//! estimate where they do not meet.
//!
//! ```
//! use endspiel_game::{Budget, Game, Goal, Outcome, Quiet, Rules, Task};
//! use endspiel_rules::mnk::Mnk;
//! use endspiel_search::proof_number::df_pn::{Options, Solver};
//!
//! let root = Mnk::from_variant("4,3,3").unwrap().start();
//! let budget = Budget::default().with_memory(1 << 20);
//! let task = Task { root: &root, goal: Goal::Outcome, expertise: &Rules, budget: &budget, observer: &Quiet };
//! let answer = Solver::new(Options::default(), &budget).solve(&task);
//! assert_eq!(answer.bounds.outcome(), Some(Outcome::Win));
//! ```

mod advice;
pub mod alphabeta;
pub mod ask;
pub mod bestfirst;
pub mod dependency;
pub mod exhaustive;
pub mod lambda;
pub mod montecarlo;
pub mod mtdf;
pub mod proof_number;
pub mod question;
pub mod table;
mod units;

#[cfg(test)]
mod testing;
