//! The laboratory: experiments and long computations with a published result, run as jobs. The latest report of each is
//! kept, so that the published figures stand beside those of this machine.

use crate::fault::Fault;
use crate::job::Job;
use axum::http::StatusCode;
use endspiel_catalog::jobs::JOBS;
use endspiel_game::Budget;
use endspiel_game::notation::shorten;
use endspiel_lab::EXPERIMENTS;
use serde_json::{Value, json};
use std::path::Path;

/// What there is: each with what was published, where, and what to expect.
pub fn list() -> Vec<Value> {
    let computations = JOBS.iter().map(|job| {
        json!({
            "name": job.name, "about": format!("{} solved and certified", job.game),
            "published": job.published.to_string(), "source": job.source, "effort": job.effort,
        })
    });
    let experiments = EXPERIMENTS.iter().map(|one| {
        json!({
            "name": one.name, "about": one.summary, "published": one.published, "source": one.source,
            // As the server's option is called.
            "effort": one.effort.replace("--time", "--lab-time"),
        })
    });
    experiments.chain(computations).collect()
}

/// Is there an experiment of this name?
pub fn check(name: &str) -> Result<(), Fault> {
    if JOBS.iter().any(|job| job.name == name) || endspiel_lab::experiment(name).is_some() {
        return Ok(());
    }
    let message = format!("no experiment is called '{}'; /api/lab lists them", shorten(name));
    Err(Fault::new(StatusCode::NOT_FOUND, message))
}

/// Runs one; the job is told of every row. What an experiment goes on from later is kept in `state`.
pub fn run(name: &str, state: &Path, budget: &Budget, job: &Job) -> Result<Value, String> {
    let mut rows: Vec<Value> = Vec::new();
    let mut tell = |row: Value| {
        job.row(&row);
        rows.push(row);
    };
    let found = if let Some(computation) = JOBS.iter().find(|job| job.name == name) {
        let (mut all, mut agreeing, mut certified) = (0, 0, 0);
        let done = computation.run(budget, None, job, |case| {
            all += 1;
            agreeing += usize::from(case.agrees == Some(true));
            certified += usize::from(case.records.is_some());
            tell(json!(case));
            Ok(())
        });
        done.map_err(|error| error.to_string())?;
        format!("{agreeing} of {all} as published, {certified} certified")
    } else {
        let each = &mut |row| {
            tell(row);
            !budget.stop.asked()
        };
        let done = endspiel_lab::run(name, state, budget, each).ok_or("there is no such experiment")?;
        done.map_err(|error| error.to_string())?
    };
    Ok(json!({"experiment": name, "found": found, "count": rows.len(), "rows": rows}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart_and_found_again() {
        let mut names: Vec<_> = list().iter().map(|one| one["name"].as_str().map(str::to_string)).collect();
        assert!(names.iter().flatten().all(|name| check(name).is_ok()));
        assert!(check("alchemy").is_err());
        let count = names.len();
        names.sort();
        names.dedup();
        assert!(names.len() == count && count > 5);
    }
}
