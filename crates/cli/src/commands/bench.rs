//! `endspiel bench`: how fast this machine is, and long computations beside their published results.

use super::{open, stop_on_interrupt};
use crate::args::Spend;
use crate::screen::{Ink, Live, grouped, short};
use crate::{End, Failure};
use endspiel_catalog::bench::{What, speed};
use endspiel_catalog::jobs::{CaseReport, JOBS, Published, job};
use endspiel_catalog::{Error, GAMES};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Time for a rate where no budget is given.
const USUAL: Duration = Duration::from_millis(300);

/// Measures rates: of one game or of all, of some things or of all.
pub fn rates(
    game: Option<&str>,
    what: &[String],
    spend: &Spend,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let names: Vec<&str> = What::ALL.iter().map(|w| w.name()).collect();
    let mut chosen = Vec::new();
    for word in what {
        let Some(&found) = What::ALL.iter().find(|w| w.name() == word) else {
            let message = format!("'{word}' cannot be measured; expected some of {}", names.join(","));
            return Err(Failure::Input(message));
        };
        chosen.push(found);
    }
    if chosen.is_empty() {
        chosen = What::ALL.into();
    }
    let games = if let Some(name) = game {
        vec![open(name)?]
    } else {
        GAMES.iter().map(|entry| entry.open("")).collect::<Result<Vec<_>, Error>>()?
    };
    let time = spend.time.unwrap_or(USUAL);
    let ink = Ink::for_output();
    let wide = games.iter().map(|g| g.full_name().len()).max().unwrap_or(0).max("a second".len());
    if !as_json {
        let heads: Vec<String> = chosen.iter().map(|w| format!("{:>12}", w.name())).collect();
        let units: Vec<String> = chosen.iter().map(|w| format!("{:>12}", w.unit())).collect();
        writeln!(out, "{:wide$}{}", "", ink.bold(&heads.concat()))?;
        writeln!(out, "{}", ink.faint(&format!("{:wide$}{}", "a second", units.concat())))?;
    }
    for game in &games {
        if !as_json {
            write!(out, "{:wide$}", game.full_name())?;
        }
        for &what in &chosen {
            let measured = speed(&**game, what, time, spend.seed)?;
            if as_json {
                let mut line = serde_json::to_value(&measured).map_err(std::io::Error::from)?;
                if measured.is_none() {
                    line = json!({"what": what.name(), "unit": what.unit(), "rate": null});
                }
                line["game"] = json!(game.full_name());
                writeln!(out, "{line}")?;
            } else {
                write!(out, "{:>12}", measured.map_or_else(|| "-".into(), |m| short(m.rate)))?;
            }
            out.flush()?;
        }
        if !as_json {
            writeln!(out)?;
        }
    }
    Ok(End::Decided)
}

/// Lists the long computations.
pub fn list(as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let ink = Ink::for_output();
    let wide = JOBS.iter().map(|job| job.name.len()).max().unwrap_or(0);
    for job in JOBS {
        let published = match job.published {
            Published::Value(value, None) => value.to_string(),
            Published::Value(value, Some(score)) => format!("{value} by {}", score.abs()),
            Published::Openings(map) => format!("first moves {map}"),
        };
        if as_json {
            let line =
                json!({"name": job.name, "game": job.game, "published": published, "source": job.source});
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{}  {}: {published}", ink.bold(&format!("{:wide$}", job.name)), job.game)?;
            writeln!(out, "{:wide$}  {}", "", ink.faint(&format!("{}; {}", job.source, job.effort)))?;
        }
    }
    Ok(End::Decided)
}

/// Runs one of them: 0 if all is decided and agrees, 1 if something is undecided.
pub fn run(
    name: &str,
    keep: Option<&Path>,
    spend: &Spend,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let job = job(name)?;
    if let Some(dir) = keep.filter(|dir| !dir.is_dir()) {
        return Err(Failure::Input(format!("{} is no directory to keep certificates in", dir.display())));
    }
    let budget = spend.budget(None);
    stop_on_interrupt(&budget.stop);
    let live = Live::new(as_json);
    let mut cases: Vec<CaseReport> = Vec::new();
    let mut broken = None;
    if !as_json {
        writeln!(out, "{}: {} ({})", job.name, job.game, job.source)?;
    }
    job.run(&budget, keep, &live, |case| {
        let told = if as_json { line(case, out) } else { tell(case, out) };
        if let Err(error) = told.and_then(|()| out.flush()) {
            budget.stop.now();
            broken = Some(error);
        }
        cases.push(case.clone());
        Ok(())
    })?;
    live.done();
    if let Some(error) = broken {
        return Err(error.into());
    }
    let agreeing = cases.iter().filter(|case| case.agrees == Some(true)).count();
    let certified = cases.iter().filter(|case| case.records.is_some()).count();
    let nodes = cases.iter().map(|case| case.nodes).sum::<u64>();
    let seconds = cases.iter().map(|case| case.seconds).sum::<f64>();
    if !as_json && cases.len() > 1 {
        writeln!(
            out,
            "{agreeing} of {} as published, {certified} certified; {} nodes, {seconds:.2} s",
            cases.len(),
            grouped(nodes)
        )?;
    }
    if cases.iter().any(|case| case.agrees == Some(false)) {
        return Err(Failure::Input(format!("{name} does not give what was published")));
    }
    let whole = agreeing == cases.len() && cases.iter().all(|case| case.uncertified.is_none());
    Ok(if whole && !cases.is_empty() { End::Decided } else { End::Undecided })
}

fn line(case: &CaseReport, out: &mut impl Write) -> std::io::Result<()> {
    let line = serde_json::to_string(case)?;
    writeln!(out, "{line}")
}

fn tell(case: &CaseReport, out: &mut impl Write) -> std::io::Result<()> {
    let found = case.found.as_deref().unwrap_or("undecided");
    let agrees = match case.agrees {
        Some(false) => " (they differ)",
        _ => "",
    };
    write!(out, "{:8}  published {}, found {found}{agrees}", case.case, case.published)?;
    match (case.records, case.certificate_seconds) {
        (Some(records), Some(took)) => write!(
            out,
            ", certificate of {} records accepted; {} nodes, {:.2} s and {took:.2} s for the certificate",
            grouped(records),
            grouped(case.nodes),
            case.seconds
        )?,
        _ => write!(out, "; {} nodes, {:.2} s", grouped(case.nodes), case.seconds)?,
    }
    if let Some(what) = &case.uncertified {
        write!(out, "; no certificate: {what}")?;
    }
    writeln!(out)
}
