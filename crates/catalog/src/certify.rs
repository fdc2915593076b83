//! From an answer to its certificate: a strategy out of what the method still knows, written, checked by the rules and by
//! the databases that it names if it rests on some, and only then given its name.

use crate::entry::{Listed, Seat};
use crate::methods::{self, Method, Persistent, Runner};
use crate::report::{CertificateReport, Purpose};
use endspiel_game::{Advisor, Bounds, Budget, Expertise, Game, Position, Symmetric, Task};
use endspiel_proof::{BuildError, Ground, Rejected, Statement, Strategy, build_on, verify_on, verify_with};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Why there is no certificate.
pub(crate) enum Failed {
    /// For want of memory, of time, of room on the disk, or of anything to certify. The answer stands.
    NotWritten(String),
    /// A strategy was found that does not do what is claimed: neither does the answer stand.
    NotProven(String),
}

impl From<BuildError> for Failed {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Illegal { .. } | BuildError::Hole(_) | BuildError::NoProgress { .. } => {
                Self::NotProven(error.to_string())
            }
            _ => Self::NotWritten(error.to_string()),
        }
    }
}

impl From<Rejected> for Failed {
    fn from(error: Rejected) -> Self {
        match error {
            Rejected::File(_) | Rejected::Stopped => Self::NotWritten(error.to_string()),
            _ => Self::NotProven(error.to_string()),
        }
    }
}

impl<G, E> Seat<G, E>
where
    G: Game<Position: Listed>,
    E: Expertise<G::Position> + Default,
{
    /// Certifies all that `bounds` says beyond what is plain, with a method that has proven it and the memory and time
    /// of the task's budget, an eighth of it for proving again what the method has forgotten.
    pub(crate) fn certify(
        &self,
        bounds: Bounds,
        (method, mut runner): (Method, Box<dyn Runner<G::Position, E>>),
        task: &Task<'_, G::Position, E>,
        file: &Path,
    ) -> Result<CertificateReport, Failed> {
        let begun = Instant::now();
        let Some(statement) = Statement::of_bounds(&self.position, bounds) else {
            return Err(Failed::NotWritten(
                "there is nothing to certify: the rules alone say as much".into(),
            ));
        };
        let left = || task.budget.time.map(|t| t.saturating_sub(begun.elapsed()));
        let spare = task.budget.memory / 8;
        let again = Budget { memory: spare, ..task.budget.clone() };
        let room = Budget { memory: task.budget.memory - spare, ..task.budget.clone() };
        let mut advisor = Persistent::new(&mut *runner, &self.expertise, &again);
        let mut strategies = self.strategies(statement, &mut advisor, &Task { budget: &room, ..*task });
        drop(advisor);
        // The check needs memory of its own.
        drop(runner);
        let may_go_round = G::Position::CYCLIC && method != Method::DfPn;
        if may_go_round && strategies.is_err() && !task.budget.stop.asked() {
            // What a table advises here and there may go round; df-pn knows how far it is to the end.
            let again = Budget { time: left(), ..again };
            let mut runner = methods::runner::<G::Position, E>(Method::DfPn, &again, Purpose::Prove);
            if runner.solve(&Task { budget: &again, ..*task }).bounds == bounds {
                let room = Budget { time: left(), ..room };
                strategies = self.strategies(statement, &mut *runner, &Task { budget: &room, ..*task });
            }
        }
        let draft = draft_of(file);
        let written = endspiel_proof::write(&draft, &*self.game, &self.position, statement, &strategies?);
        let io = |e: std::io::Error| Failed::NotWritten(format!("{}: {e}", file.display()));
        let checked = written.map_err(|e| Failed::NotWritten(e.to_string())).and_then(|_| {
            let budget = Budget { nodes: None, time: None, ..task.budget.clone() };
            let verified = match self.expertise.oracle() {
                Some(oracle) => verify_on(&*self.game, &draft, oracle, &budget, task.observer)?,
                None => verify_with(&*self.game, &draft, &budget, task.observer)?,
            };
            let bytes = std::fs::metadata(&draft).map_err(io)?.len();
            let name = std::fs::canonicalize(file).unwrap_or_else(|_| file.into());
            std::fs::rename(&draft, name).map_err(io)?;
            Ok(CertificateReport { file: file.into(), records: verified.records, bytes })
        });
        if checked.is_err() {
            // The first error is the one to tell.
            let _ = std::fs::remove_file(&draft);
        }
        checked
    }

    fn strategies(
        &self,
        statement: Statement,
        advisor: &mut dyn Advisor<G::Position>,
        task: &Task<'_, G::Position, E>,
    ) -> Result<Vec<Strategy>, Failed> {
        let begun = Instant::now();
        let folded = self.position.symmetries() > 1;
        let ground = self.expertise.oracle().map(Ground::all);
        let mut strategies = Vec::new();
        for claim in statement.claims() {
            // Nodes count for themselves: the search may have used up its own.
            let time = task.budget.time.map(|t| t.saturating_sub(begun.elapsed()));
            let held: usize = strategies.iter().map(Strategy::memory).sum();
            let memory = task.budget.memory.saturating_sub(held);
            let budget = Budget { nodes: None, time, memory, ..task.budget.clone() };
            let ground = ground.as_ref();
            strategies.push(build_on(
                &self.position,
                claim,
                folded,
                advisor,
                ground,
                &budget,
                task.observer,
            )?);
        }
        Ok(strategies)
    }
}

/// Where a certificate is until it is checked: beside its place, under a hidden name.
fn draft_of(file: &Path) -> PathBuf {
    let path = std::fs::canonicalize(file).unwrap_or_else(|_| file.into());
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(path.file_name().unwrap_or_default());
    hidden.push(format!(".{}.unchecked", std::process::id()));
    path.with_file_name(hidden)
}
