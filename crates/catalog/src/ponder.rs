//! Thinking in the opponent's time, as Lithidion does (L. V. Allis 1994, section 2.4): proof-number search looks for a win after each
//! of the opponent's moves. If such a move is played, the proof is followed to the end, or to where databases tell the rest.
//!
//! All moves are tried with few nodes, then with four times as many, and so on, until somebody says stop. A proof is kept as a
//! certificate: its ranks fall, so that who follows it does not go round.

use crate::entry::{AnyGame, AnyPosition};
use crate::explore::AnyProof;
use crate::report::{DATABASES, Error, Purpose, Request};
use crate::scratch::Scratch;
use endspiel_game::{Budget, Goal, Turn};
use std::collections::HashSet;
use std::sync::Arc;

/// Nodes for a move in the first round, and how many times as many in the next.
const NODES: u64 = 4096;
const MORE: u64 = 4;
/// After so many nodes for one move it is left alone.
const MOST: u64 = 1 << 30;

/// A proven win, and how it is won.
pub struct Plan {
    /// The position that it begins with, the winner to move.
    root: String,
    proof: Box<dyn AnyProof>,
    claim: usize,
}

impl Plan {
    /// The position that it begins with.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// The winner's move after these moves from its root; none where they do not follow it, or where databases tell the rest.
    pub fn answer(&self, moves: &str) -> Option<String> {
        self.proof.walk(self.claim, moves).ok()?.answer
    }
}

/// What was found in one opponent's time.
#[derive(Default)]
pub struct Pondered {
    at: String,
    /// Moves of which nothing more is to be found out.
    settled: HashSet<String>,
    /// What each move gets in the round that comes next.
    nodes: u64,
    plans: Vec<Arc<Plan>>,
}

impl Pondered {
    /// The plan for a position, if there is one.
    pub fn plan(&self, position: &dyn AnyPosition) -> Option<Arc<Plan>> {
        let text = position.write();
        self.plans.iter().find(|plan| plan.root == text).cloned()
    }

    /// How many of the opponent's moves are known to lose.
    pub fn wins(&self) -> usize {
        self.plans.len()
    }

    /// Looks for wins of the other player after each move of who is to move at `position`, until the budget's owner says stop or
    /// nothing is left to find out; goes on where it was stopped at the same position. A move gets at most the budget's nodes; its
    /// time does not count.
    pub fn think(
        &mut self,
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
        budget: &Budget,
    ) -> Result<(), Error> {
        let Turn::Player(opponent) = position.turn() else { return Ok(()) };
        let most = budget.nodes.unwrap_or(MOST);
        if self.at != position.write() {
            *self = Self { at: position.write(), nodes: NODES.min(most), ..Self::default() };
        }
        while self.nodes <= most {
            let mut open = false;
            for name in position.moves() {
                if self.settled.contains(&name) {
                    continue;
                }
                let after = position.play(&name)?;
                // Whose turn is not ours cannot be followed.
                let ours = matches!(after.turn(), Turn::Player(player) if player != opponent);
                if ours {
                    let report = after.solve(&self.request(budget), &())?;
                    // What databases hold is played by them.
                    let wins = report.value == Some("win") && report.method != DATABASES;
                    let plan = if wins && !budget.stop.asked() {
                        self.plan_of(game, &*after, budget)?
                    } else {
                        None
                    };
                    if plan.is_none() && budget.stop.asked() {
                        return Ok(());
                    }
                    self.plans.extend(plan.map(Arc::new));
                    if report.value.is_none() {
                        open = true;
                        continue;
                    }
                }
                self.settled.insert(name);
            }
            if !open {
                return Ok(());
            }
            self.nodes *= MORE;
        }
        Ok(())
    }

    fn request(&self, budget: &Budget) -> Request {
        Request {
            method: "df-pn".into(),
            purpose: Purpose::Prove,
            goal: Goal::Outcome,
            budget: Budget { nodes: Some(self.nodes), time: None, ..budget.clone() },
            certificate: None,
        }
    }

    /// The certificate of a win that was proven a moment ago. None if it cannot be had: the win is then found again when it is needed.
    fn plan_of(
        &self,
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
        budget: &Budget,
    ) -> Result<Option<Plan>, Error> {
        let scratch = Scratch::new("ponder")?;
        let file = scratch.file("win.cert");
        let request = Request { certificate: Some(file.clone()), ..self.request(budget) };
        let report = position.solve(&request, &())?;
        let Some(winner) = position.mover().filter(|_| report.certificate.is_some()) else { return Ok(None) };
        let unhurried = Budget { nodes: None, time: None, ..budget.clone() };
        let Ok(proof) = game.open_proof(&file, &unhurried) else { return Ok(None) };
        let claim = proof.claims().iter().position(|claim| claim.prover == winner);
        Ok(claim.map(|claim| Plan { root: position.write(), proof, claim }))
    }
}
