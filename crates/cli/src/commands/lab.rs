//! `endspiel lab`: experiments and long computations, run again beside their published figures.

use super::passes::Passes;
use super::{db, stop_on_interrupt};
use crate::screen::{Ink, Live, grouped};
use crate::spend::Spend;
use crate::{End, Failure};
use endspiel_catalog::jobs::{CaseReport, JOBS, job};
use endspiel_catalog::{ProgressReport, Watcher};
use endspiel_lab::certainty;
use endspiel_lab::confirm::{self, ENGINES};
use endspiel_lab::openings::{self, Opening};
use endspiel_lab::proofs::StoreError;
use endspiel_lab::savings::{self as lab, Spent};
use endspiel_lab::shortest;
use endspiel_lab::tables;
use endspiel_lab::{EXPERIMENTS, Experiment};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Lists the experiments and the long computations.
pub fn list(as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let ink = Ink::for_output();
    let names = JOBS.iter().map(|job| job.name).chain(EXPERIMENTS.iter().map(|one| one.name));
    let wide = names.map(str::len).max().unwrap_or(0);
    for job in JOBS {
        let published = job.published.to_string();
        if as_json {
            let line =
                json!({"name": job.name, "game": job.game, "published": published, "source": job.source});
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{}  {}: {published}", ink.bold(&format!("{:wide$}", job.name)), job.game)?;
            writeln!(out, "{:wide$}  {}", "", ink.faint(&format!("{}; {}", job.source, job.effort)))?;
        }
    }
    for &Experiment { name, summary, published, source, effort } in EXPERIMENTS {
        if as_json {
            let line = json!({"name": name, "about": summary, "published": published, "source": source});
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{}  {summary}", ink.bold(&format!("{name:wide$}")))?;
            writeln!(out, "{:wide$}  {}", "", ink.faint(&format!("{published}: {source}; {effort}")))?;
        }
    }
    Ok(End::Decided)
}

/// Where things are kept.
pub struct Dirs<'a> {
    /// Certificates of a computation, or curves of an experiment.
    pub keep: Option<&'a Path>,
    /// What an experiment has found so far.
    pub state: Option<&'a Path>,
    /// The endings that are looked at.
    pub only: Option<&'a str>,
}

/// Runs one of them: 0 if all is decided and agrees, 1 if something is undecided.
pub fn run(
    name: &str,
    dirs: &Dirs,
    spend: &Spend,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let is_known = EXPERIMENTS.iter().any(|one| one.name == name) || job(name).is_ok();
    if dirs.only.is_some() && is_known && !tables::OF_ENDINGS.contains(&name) {
        let others = tables::OF_ENDINGS.join(", ");
        return Err(Failure::Input(format!(
            "{name} has no endings to choose from; --only goes with {others}"
        )));
    }
    match name {
        "lambda-savings" => return savings(spend, as_json, out),
        "least-certainty" => return certainty(spend, as_json, out),
        "gomoku-openings" => return openings(dirs.state, spend, as_json, out),
        "threat-confirmation" => return confirmation(spend, as_json, out),
        "qubic-shortest" => return shortest(dirs.state, spend, as_json, out),
        name if tables::NAMES.contains(&name) => return databases(name, dirs, spend, as_json, out),
        _ => {}
    }
    let keep = dirs.keep;
    let job = job(name).map_err(|error| {
        let names: Vec<&str> = EXPERIMENTS.iter().map(|one| one.name).collect();
        Failure::Input(format!("{error}, {}", names.join(", ")))
    })?;
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
        (Some(records), Some(took)) if case.kept => write!(
            out,
            ", certificate of {} records of an earlier run accepted in {took:.2} s",
            grouped(records)
        )?,
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

/// The table of what lambda search saves.
fn savings(spend: &Spend, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let mut budget = spend.budget(None);
    budget.nodes = budget.nodes.or(Some(lab::NODES));
    stop_on_interrupt(&budget.stop);
    let ink = Ink::for_output();
    if !as_json {
        let heads = format!(
            "{:14}{:>6}{:>6}{:>12}{:>13}{:>13}",
            "game", "order", "plies", "lambda", "alpha-beta", "pn"
        );
        writeln!(out, "{}", ink.bold(&heads))?;
    }
    let count = |spent: Spent| format!("{}{}", if spent.solved { "" } else { ">" }, grouped(spent.nodes));
    let (mut rows, mut broken) = (Vec::new(), None);
    lab::run(lab::POSITIONS, &budget, |row| {
        let line = if as_json {
            serde_json::to_string(row).unwrap_or_default()
        } else {
            let [lambda, alpha_beta, pn] = [row.lambda, row.alpha_beta, row.pn].map(count);
            format!("{:14}{:>6}{:>6}{lambda:>12}{alpha_beta:>13}{pn:>13}", row.game, row.order, row.plies)
        };
        rows.push(row.clone());
        broken = writeln!(out, "{line}").and_then(|()| out.flush()).err();
        broken.is_none()
    });
    if let Some(error) = broken {
        return Err(error.into());
    }
    if !as_json {
        writeln!(out, "published     at least 10 times fewer nodes than alpha-beta from 7 plies on")?;
        writeln!(out, "found         {}", lab::found(&rows))?;
    }
    Ok(if rows.len() == 2 * lab::POSITIONS { End::Decided } else { End::Undecided })
}

/// Who beats whom on random trees.
fn certainty(spend: &Spend, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let budget = spend.budget(None);
    stop_on_interrupt(&budget.stop);
    if !as_json {
        let heads = format!(
            "{:>5}{:>9}{:>9}{:>10}{:>13}{:>10}{:>10}",
            "width", "time", "games", "lcf-ab", "lcf-planned", "bfmm-ab", "lcf-bfmm"
        );
        writeln!(out, "{}", Ink::for_output().bold(&heads))?;
    }
    let (mut rows, mut broken) = (Vec::new(), None);
    certainty::run(&budget, |row| {
        let line = if as_json {
            serde_json::to_string(row).unwrap_or_default()
        } else {
            format!(
                "{:>5}{:>9}{:>9}{:>10}{:>13}{:>10}{:>10}",
                row.width,
                grouped(row.time),
                row.games,
                row.certainty,
                row.certainty_planned,
                row.best_first,
                row.between
            )
        };
        rows.push(row.clone());
        broken = writeln!(out, "{line}").and_then(|()| out.flush()).err();
        broken.is_none()
    });
    if let Some(error) = broken {
        return Err(error.into());
    }
    if !as_json {
        writeln!(out, "published     200 of 200 against alpha-beta but with the least time")?;
        writeln!(out, "found         {}", certainty::found(&rows))?;
    }
    Ok(End::Decided)
}

/// Go-moku's openings, one after the other; what was proven before counts.
fn openings(dir: Option<&Path>, spend: &Spend, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let usual = db::usual_dir().with_file_name("lab");
    let dir = dir.unwrap_or(&usual);
    let budget = spend.budget(Some(Duration::from_secs(60)));
    stop_on_interrupt(&budget.stop);
    let refuse = |error: StoreError| Failure::Input(error.to_string());
    let tell = |opening: &Opening, out: &mut dyn Write| {
        if as_json {
            return writeln!(out, "{}", serde_json::to_string(opening)?);
        }
        let verdict = if opening.proven { "proven" } else { "open" };
        let claim = &opening.claim;
        writeln!(
            out,
            "{:5}{verdict:8}{:>12} nodes{:>9} moves{:>5} tries, {} of {} replies open, {:.1} s",
            opening.opening,
            grouped(claim.nodes),
            grouped(claim.moves),
            claim.tries,
            claim.open,
            claim.replies,
            claim.seconds
        )
    };
    let mut broken = None;
    let known = openings::run(dir, &budget, |opening| {
        broken = tell(opening, out).and_then(|()| out.flush()).err();
        broken.is_none()
    });
    let known = known.map_err(refuse)?;
    if let Some(error) = broken {
        return Err(error.into());
    }
    if !as_json {
        writeln!(out, "published  Black wins against all 35")?;
        writeln!(out, "found      {}", openings::found(&known))?;
    }
    Ok(if known.iter().all(|opening| opening.proven) { End::Decided } else { End::Undecided })
}

/// Every claim of a win by threats against all defences.
fn confirmation(spend: &Spend, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let budget = spend.budget(None);
    stop_on_interrupt(&budget.stop);
    let live = Live::new(as_json);
    let mut whole = 0;
    let all = confirm::confirm(&budget, |(counts, share)| {
        whole += usize::from(share >= 1.0);
        live.progress(&ProgressReport {
            doing: format!("positions of {}", counts.game),
            nodes: counts.positions as u64,
            depth: None,
            share: Some(share),
            bounds: [-1, 1],
            estimate: None,
            line: Vec::new(),
        });
    });
    live.done();
    let mut done = whole == all.len();
    for counts in &all {
        done &= counts.refused.is_empty();
        if as_json {
            writeln!(out, "{}", serde_json::to_string(counts).map_err(std::io::Error::from)?)?;
            continue;
        }
        writeln!(out, "{}: {} positions", counts.game, grouped(counts.positions as u64))?;
        for (engine, (claims, confirmed)) in ENGINES
            .iter()
            .zip(counts.claims.iter().zip(counts.confirmed))
            .filter(|(_, (claims, _))| **claims > 0)
        {
            let (claims, confirmed) = (grouped(*claims as u64), grouped(confirmed as u64));
            write!(out, "  {engine:10}{claims:>7} wins claimed, {confirmed:>7} confirmed")?;
            let sampled = *engine == "lines" && counts.lines_asked < counts.positions;
            match counts.lines_asked as u64 {
                asked if sampled => writeln!(out, ", of {} positions asked about", grouped(asked))?,
                _ => writeln!(out)?,
            }
        }
        writeln!(
            out,
            "  of {} positions about which lambda search was asked too",
            grouped(counts.asked as u64)
        )?;
        for (who, count) in counts.agreement.iter().enumerate().filter(|(_, count)| **count > 0) {
            // Of qubic by the expertise of games of lines.
            let threes = if counts.game == "qubic" { "lines" } else { "threes" };
            let finders = ["db-search", threes, "lambda"];
            let names: Vec<&str> = (0..3).filter(|i| who >> i & 1 == 1).map(|i| finders[i]).collect();
            let names = if names.is_empty() { "none of them".to_string() } else { names.join(", ") };
            writeln!(out, "  {:>9}  {names}", grouped(*count as u64))?;
        }
        for refused in &counts.refused {
            writeln!(out, "  not confirmed: {refused}")?;
        }
    }
    Ok(if done { End::Decided } else { End::Undecided })
}

/// Bounds on White's shortest win in qubic.
fn shortest(dir: Option<&Path>, spend: &Spend, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let usual = db::usual_dir().with_file_name("lab");
    let dir = dir.unwrap_or(&usual);
    let budget = spend.budget(Some(Duration::from_secs(60)));
    stop_on_interrupt(&budget.stop);
    let mut broken = None;
    let found = shortest::run(dir, &budget, |one| {
        let line = if as_json {
            serde_json::to_string(one).unwrap_or_default()
        } else {
            let answer = match one.wins {
                Some(true) => "a win",
                Some(false) => "no win",
                None => "undecided",
            };
            let (nodes, seconds) = (grouped(one.nodes), one.seconds);
            format!("within {:2} plies  {answer:9}  {nodes:>12} nodes, {seconds:.1} s", one.plies)
        };
        broken = writeln!(out, "{line}").and_then(|()| out.flush()).err();
        broken.is_none()
    });
    let bounds = found.map_err(|error| Failure::Input(error.to_string()))?;
    if let Some(error) = broken {
        return Err(error.into());
    }
    if !as_json {
        writeln!(out, "{bounds}")?;
    }
    Ok(if bounds.at_most == Some(bounds.at_least) { End::Decided } else { End::Undecided })
}

/// Figures of databases, row by row.
fn databases(
    name: &str,
    dirs: &Dirs,
    spend: &Spend,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let usual = db::usual_dir();
    let places = tables::Places { databases: dirs.state.unwrap_or(&usual), keep: dirs.keep, only: dirs.only };
    if let Some(dir) = dirs.keep.filter(|dir| !dir.is_dir()) {
        return Err(Failure::Input(format!("{} is no directory to keep curves in", dir.display())));
    }
    let budget = spend.budget(None);
    stop_on_interrupt(&budget.stop);
    let (passes, mut broken) = (Passes::new("lab", as_json), None);
    let done = tables::run(name, &places, &budget, &passes, &mut |row| {
        let line = if as_json {
            serde_json::to_string(row).unwrap_or_default()
        } else {
            let verdict = match (row.agrees, &row.published) {
                (Some(true), _) => match row.misprint {
                    Some(printed) => format!("as published, mended: the print has {printed}"),
                    None => "as published".to_string(),
                },
                (Some(false), Some(published)) => format!("differs, published {published}"),
                (_, Some(published)) => format!("not compared, published {published}"),
                (_, None) => "not published".to_string(),
            };
            format!("{:10} {:5} {:50} {verdict}", row.name, row.metric, row.found)
        };
        broken = writeln!(out, "{line}").and_then(|()| out.flush()).err();
        broken.is_none()
    });
    passes.done();
    if let Some(error) = broken {
        return Err(error.into());
    }
    let outcome = match done {
        Some(Ok(outcome)) => outcome,
        Some(Err(error)) => return Err(Failure::Input(error.to_string())),
        None => return Ok(End::Undecided),
    };
    if !outcome.unknown.is_empty() {
        return Err(Failure::Input(format!("{name} has no row of {}", outcome.unknown.join(", "))));
    }
    if !as_json {
        writeln!(out, "{}", outcome.found())?;
    }
    if outcome.differs() {
        return Err(Failure::Input(format!("{name} does not give what was published")));
    }
    Ok(if outcome.complete { End::Decided } else { End::Undecided })
}
