//! A worker: takes one job after the other. A method that panics fails its job, not the server.

use crate::job::{Job, Kind};
use crate::jobs::Jobs;
use crate::laboratory;
use endspiel_catalog::{AnyPosition, Error};
use serde::Serialize;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Works until the server closes, on experiments or on all else.
pub fn work(jobs: &Jobs, experiments: bool) {
    while let Some(job) = jobs.next(experiments) {
        if job.begin() {
            let outcome = catch_unwind(AssertUnwindSafe(|| run(jobs, &job)));
            if job.ask.certificate {
                // A draft that was not accepted, not taken, or did not come to be.
                let _ = std::fs::remove_file(jobs.store.certificates.draft(&job.id));
            }
            job.end(outcome.unwrap_or_else(|_| Err("the method failed; this is a bug".into())));
        }
        jobs.keep(&job);
    }
}

fn run(jobs: &Jobs, job: &Job) -> Result<Value, String> {
    let request = job.ask.request(&jobs.limits, job.stop.clone());
    if job.ask.kind == Kind::Lab {
        return laboratory::run(&job.ask.experiment, &jobs.store.laboratory, &request.budget, job);
    }
    let found = job.ask.place().find(&job.stop).map_err(|fault| fault.message().to_string())?;
    let position = &*found.position;
    // A certificate holds without files beside it.
    if job.ask.certificate {
        return certify(jobs, job, position);
    }
    // A game without databases is searched as it is, and so is one with unreadable ones if they are needed.
    let informed = jobs.databases.as_deref().and_then(|root| found.game.informed(root).ok());
    let known = informed.and_then(|game| game.read(&position.write()).ok());
    let found = match (&known, job.ask.kind) {
        (Some(known), Kind::Best) => told(known.rank(&request, job)),
        (Some(known), _) => told(known.solve(&request, job)),
        (None, _) => None,
    };
    match (found, job.ask.kind) {
        (Some(found), _) => found,
        (None, Kind::Best) => value(position.rank(&request, job)),
        (None, _) => value(position.solve(&request, job)),
    }
}

/// An answer by databases; none if one that was needed cannot be read.
fn told(report: Result<impl Serialize, Error>) -> Option<Result<Value, String>> {
    (!matches!(report, Err(Error::Damaged(_)))).then(|| value(report))
}

/// Solves the position and keeps the certificate.
fn certify(jobs: &Jobs, job: &Job, position: &dyn AnyPosition) -> Result<Value, String> {
    let certificates = &jobs.store.certificates;
    let mut request = job.ask.request(&jobs.limits, job.stop.clone());
    if let Some(result) = position.result() {
        // Nothing is left to prove, and a certificate would hold nothing.
        let mut solved = position.solve(&request, job).map_err(|e| e.to_string())?;
        solved.uncertified = Some(format!("the game is over: {result}"));
        return value(Ok(solved));
    }
    let draft = certificates.draft(&job.id);
    request.certificate = Some(draft.clone());
    let mut solved = position.solve(&request, job);
    if let Ok(report) = &mut solved
        && let Some(certificate) = &mut report.certificate
    {
        match certificates.publish(&draft) {
            Ok(name) => certificate.file = name.into(),
            // What is proven is told all the same.
            Err(error) => {
                report.certificate = None;
                report.uncertified = Some(error.to_string());
            }
        }
    }
    value(solved)
}

fn value(report: Result<impl Serialize, Error>) -> Result<Value, String> {
    serde_json::to_value(report.map_err(|e| e.to_string())?).map_err(|e| e.to_string())
}
