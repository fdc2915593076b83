//! A player in the manner of Lithidion, the awari program of L. V. Allis (1994, section 2.4), for every game: an opening
//! book, databases, alpha-beta, and proof-number search as a guard.
//!
//! A position of the book is played by the book, and what the databases hold by them, at once. Elsewhere alpha-beta
//! chooses, and proof-number search tries to show that the move loses. If it does, the next best move is taken that is not
//! refuted, and the first choice again where all moves lose. An eighth of the budget is for each proof, the rest for the choice. What
//! it does in the opponent's time is in [`ponder`](crate::ponder).

use crate::entry::{AnyGame, AnyPosition};
use crate::report::{Error, Purpose, Report, Request, Watcher};
use endspiel_game::{Budget, Goal, Turn};
use std::collections::HashMap;

/// The name of this player beside those of methods.
pub const GUARDED: &str = "guarded";

/// A proof that a move loses takes one part in so many of the budget.
const GUARDING: u32 = 8;

/// Moves to be played in the opening, by position.
#[derive(Clone, Debug, Default)]
pub struct Book {
    moves: HashMap<String, String>,
}

impl Book {
    /// Reads lines of moves from the start of a game; what follows a `#` is a remark. Of several moves of one position the first
    /// counts. An error comes with its line, from 1.
    pub fn read(game: &dyn AnyGame, text: &str) -> Result<Self, (usize, Error)> {
        let mut book = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            let mut at = game.start();
            let (_, names) = at.play_line(line).map_err(|e| (number, e))?;
            for name in names {
                let next = at.play(&name).map_err(|e| (number, e))?;
                book.moves.entry(at.write()).or_insert(name);
                at = next;
            }
        }
        Ok(book)
    }

    /// Its move.
    pub fn hit(&self, position: &dyn AnyPosition) -> Option<&str> {
        self.moves.get(&position.write()).map(String::as_str)
    }
}

/// A move chosen.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The move; none if there is no legal one.
    pub name: Option<String>,
    /// What is thought of it, unless it comes from the book.
    pub report: Option<Report>,
    /// Moves that lose, proven by the guard.
    pub refuted: Vec<String>,
}

/// Chooses a move within the request's budget.
pub fn choose(
    position: &dyn AnyPosition,
    book: &Book,
    request: &Request,
    watcher: &dyn Watcher,
) -> Result<Chosen, Error> {
    if let Some(name) = book.hit(position) {
        return Ok(Chosen { name: Some(name.into()), report: None, refuted: Vec::new() });
    }
    let report = position.solve(&looking(request), watcher)?;
    let first = report.line.first().cloned().or_else(|| position.moves().into_iter().next());
    let (name, refuted) = match first {
        Some(first) if report.value.is_none() => {
            let (name, refuted) = guard(position, first, request, watcher)?;
            (Some(name), refuted)
        }
        first => (first, Vec::new()),
    };
    Ok(Chosen { name, report: Some(report), refuted })
}

/// All of the budget but an eighth is for alpha-beta.
fn looking(request: &Request) -> Request {
    Request {
        method: "alpha-beta".into(),
        purpose: Purpose::Play,
        budget: part(&request.budget, 7, GUARDING),
        certificate: None,
        ..request.clone()
    }
}

/// The first choice, or else the next best move that is not proven to lose; and the moves that are.
pub fn guard(
    position: &dyn AnyPosition,
    first: String,
    request: &Request,
    watcher: &dyn Watcher,
) -> Result<(String, Vec<String>), Error> {
    let proof = Request {
        method: "df-pn".into(),
        purpose: Purpose::Prove,
        goal: Goal::Outcome,
        budget: part(&request.budget, 1, GUARDING),
        certificate: None,
    };
    let loses = |name: &str| -> Result<bool, Error> {
        let after = position.play(name)?;
        // The value is that of who moves next, and that may be the same player again.
        let lost = if after.turn().player() == position.turn().player() { "loss" } else { "win" };
        Ok(after.turn() != Turn::Over && after.solve(&proof, watcher)?.value == Some(lost))
    };
    if !loses(&first)? {
        return Ok((first, Vec::new()));
    }
    let mut refuted = vec![first];
    for other in position.rank(&looking(request), watcher)?.moves {
        if refuted.contains(&other.name) {
            continue;
        }
        if request.budget.stop.asked() || !loses(&other.name)? {
            return Ok((other.name, refuted));
        }
        refuted.push(other.name);
    }
    Ok((refuted[0].clone(), refuted))
}

/// So many parts in so many of a budget.
pub(crate) fn part(budget: &Budget, parts: u32, of: u32) -> Budget {
    Budget {
        nodes: budget.nodes.map(|nodes| (nodes / u64::from(of) * u64::from(parts)).max(1)),
        time: budget.time.map(|time| time / of * parts),
        ..budget.clone()
    }
}
