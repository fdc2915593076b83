//! An answer even where a proof was not in reach: the best move so far and an honest estimate.
//!
//! A prover that ran out of its budget may know nothing worth telling. A short look by the method that would play the position
//! then says what it would do; nothing that it thinks counts as proven.

use crate::entry::AnyPosition;
use crate::report::{Error, Purpose, Report, Request, Status};
use endspiel_game::{Budget, Stop};
use std::time::Duration;

/// A look takes so many nodes or simulations at most: few enough to be there at once, and the same ones every time ...
const NODES: u64 = 5_000;
/// ... so much time, where a node takes long ...
const LONGEST: Duration = Duration::from_secs(5);
/// ... and so much of the memory, which the prover has given back.
const MEMORY: usize = 16 << 20;

/// Adds a move and an estimate to the report of a proof that ended undecided without one. The look comes after the budget, so it is short:
/// so many nodes, and of a budget of time an eighth more.
pub fn guess(position: &dyn AnyPosition, request: &Request, report: &mut Report) -> Result<(), Error> {
    let undecided = matches!(report.status, Status::Unknown | Status::Bounded);
    if !undecided || !report.line.is_empty() || position.mover().is_none() {
        return Ok(());
    }
    let look = Request {
        method: "auto".into(),
        purpose: Purpose::Play,
        budget: Budget {
            nodes: Some(NODES),
            time: Some(request.budget.time.map_or(LONGEST, |time| time / 8).min(LONGEST)),
            memory: request.budget.memory.min(MEMORY),
            threads: 1,
            // What stopped the proof does not stop the look.
            stop: Stop::default(),
            ..request.budget
        },
        certificate: None,
        ..*request
    };
    report.take_guess(position.solve(&look, &())?);
    Ok(())
}
