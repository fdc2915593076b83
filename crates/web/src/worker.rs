//! A worker: takes one job after the other. A method that panics fails its job, not the server.

use crate::jobs::{Job, Jobs, Kind};
use serde::Serialize;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Works until the server closes.
pub fn work(jobs: &Jobs) {
    while let Some(job) = jobs.next() {
        if job.begin() {
            let outcome = catch_unwind(AssertUnwindSafe(|| run(jobs, &job)));
            job.end(outcome.unwrap_or_else(|_| Err("the method failed; this is a bug".into())));
        }
        jobs.keep(&job);
    }
}

fn run(jobs: &Jobs, job: &Job) -> Result<Value, String> {
    let found = job.ask.place().find(&job.stop).map_err(|fault| fault.message().to_string())?;
    let mut request = job.ask.request(&jobs.limits, job.stop.clone());
    let position = &*found.position;
    match job.ask.kind {
        Kind::Best => value(position.rank(&request, job)),
        Kind::Solve => {
            let draft = job.ask.certificate.then(|| jobs.store.draft(&job.id));
            request.certificate.clone_from(&draft);
            let report = position.solve(&request, job);
            let mut report = match (report, &draft) {
                (Ok(report), _) => report,
                (Err(error), Some(draft)) => {
                    // The draft may not have come to be.
                    let _ = std::fs::remove_file(draft);
                    return Err(error.to_string());
                }
                (Err(error), None) => return Err(error.to_string()),
            };
            if let (Some(draft), Some(certificate)) = (draft, &mut report.certificate) {
                let name = jobs.store.publish(&draft).map_err(|e| e.to_string())?;
                certificate.file = name.into();
            } else if let Some(draft) = job.ask.certificate.then(|| jobs.store.draft(&job.id)) {
                // One that was not accepted, or did not come to be.
                let _ = std::fs::remove_file(draft);
            }
            value(Ok(report))
        }
    }
}

fn value(report: Result<impl Serialize, endspiel_catalog::Error>) -> Result<Value, String> {
    serde_json::to_value(report.map_err(|e| e.to_string())?).map_err(|e| e.to_string())
}
