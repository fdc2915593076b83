//! An answer even where a proof was not in reach: the best move so far and an honest estimate.
//!
//! A prover that ran out of its budget may know nothing worth telling. A short look by the method that would play the position
//! then says what it would do; nothing that it thinks counts as proven.

use crate::entry::AnyPosition;
use crate::report::{Error, Purpose, Report, Request, Status, Watcher};
use endspiel_game::{Budget, Stop};

/// A look takes so many nodes or simulations at most: few enough to be there at once, and the same ones every time ...
const NODES: u64 = 5_000;
/// ... and so much of the memory, which the prover has given back.
const MEMORY: usize = 16 << 20;

/// Solves the position. If that ends undecided and without a move, a short look adds one, with an estimate.
pub fn solve_or_guess(
    position: &dyn AnyPosition,
    request: &Request,
    watcher: &dyn Watcher,
) -> Result<Report, Error> {
    let mut report = position.solve(request, watcher)?;
    let undecided = matches!(report.status, Status::Unknown | Status::Bounded);
    if undecided && report.line.is_empty() && position.mover().is_some() {
        let look = Request {
            method: "auto".into(),
            purpose: Purpose::Play,
            budget: Budget {
                nodes: Some(NODES),
                time: None,
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
    }
    Ok(report)
}
