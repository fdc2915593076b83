//! `endspiel solve`: who wins, with the proof on request.

use super::{each_position_of, open_with, stop_on_interrupt};
use crate::args::{How, Place};
use crate::screen::{Ink, Live, complain, grouped, plies, short};
use crate::{End, Failure};
use endspiel_catalog::{Purpose, Report, Request, Status, guess};
use std::io::Write;
use std::path::Path;

pub fn run(
    place: &Place,
    how: &How,
    certificate: Option<&Path>,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let mut request = Request {
        method: how.method.clone(),
        purpose: Purpose::Prove,
        goal: how.goal(),
        budget: how.spend.budget(None),
        certificate: certificate.map(Into::into),
    };
    stop_on_interrupt(&request.budget.stop);
    let game = open_with(&place.game, how.db.as_deref())?;
    each_position_of(&*game, place, as_json, out, |position, batch, out| {
        if let (Some(count), Some(file)) = (batch, certificate) {
            request.certificate = Some(numbered(file, count));
        }
        let live = Live::new(as_json);
        let report = position.solve(&request, &live);
        live.done();
        let mut report = report?;
        guess(position, &request, &mut report)?;
        if as_json {
            let line = serde_json::to_string(&report).map_err(std::io::Error::from)?;
            writeln!(out, "{line}")?;
        } else if batch.is_some() {
            let certificate = report.certificate.as_ref().map(|c| format!("  {}", c.file.display()));
            writeln!(out, "{}  {}{}", report.position, in_short(&report), certificate.unwrap_or_default())?;
        } else {
            tell(&report, position.mover().is_none(), out)?;
        }
        out.flush()?;
        if let Some(what) = report.uncertified.as_ref().filter(|_| !as_json) {
            let but = if report.status == Status::Proven { "the value is proven, but " } else { "" };
            complain(&format!("{but}there is no certificate: {what}"));
        }
        let done = report.status == Status::Proven && report.uncertified.is_none();
        Ok(if done { End::Decided } else { End::Undecided })
    })
}

/// `proof.cert`, `proof.2.cert`, ... for a batch.
fn numbered(file: &Path, count: u32) -> std::path::PathBuf {
    if count == 1 {
        return file.into();
    }
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let ending = file.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    file.with_file_name(format!("{name}.{count}{ending}"))
}

/// The value in a few words.
pub fn in_short(report: &Report) -> String {
    let mut words = match (report.status, report.value) {
        (_, Some(value)) => value.to_string(),
        (Status::Bounded, None) if report.bounds[0] >= 0 => "at least a draw".into(),
        (Status::Bounded, None) if report.bounds[1] <= 0 => "at most a draw".into(),
        (Status::Estimated, None) => "undecided".into(),
        _ => "unknown".into(),
    };
    match (report.score, report.bounds, report.status) {
        (Some(score), _, _) if score != 0 => words += &format!(" by {}", score.abs()),
        (None, [low, high], Status::Bounded) if low < high => words += &format!(", score {low} to {high}"),
        _ => {}
    }
    if let (None, Some(estimate)) = (report.value, report.estimate) {
        // What rounds to zero has no sign.
        words += &format!(", estimated {:+.3}", (estimate.mean * 1e3).round() / 1e3 + 0.0);
        if let Some(spread) = estimate.spread {
            words += &format!(" ± {spread:.3}");
        }
    }
    if let Some(distance) = report.distance {
        let most = if distance.exact { "" } else { "at most " };
        words += &format!(" in {most}{}", plies(distance.plies));
    }
    words
}

fn tell(report: &Report, is_over: bool, out: &mut impl Write) -> Result<(), Failure> {
    let ink = Ink::for_output();
    writeln!(out, "game         {}", report.game)?;
    writeln!(out, "position     {}", report.position)?;
    let whose = if is_over { "the game is over" } else { "to move" };
    let whose = format!("for {}, {whose}", report.player);
    writeln!(out, "value        {} {}", ink.value(report.value, &in_short(report)), ink.faint(&whose))?;
    let status = match report.status {
        Status::Proven => "proven",
        Status::Bounded => "bounds are proven, the value is not decided yet",
        Status::Estimated => "estimated, nothing is proven",
        Status::Unknown => "nothing is known yet",
    };
    let ended = match report.ended {
        Some("time") => ": the time is up",
        Some("nodes") => ": the nodes are used up",
        Some("memory") => ": the memory is used up",
        Some("method") => ": this method finds out who wins, not by how much",
        Some(_) => ": stopped",
        None => "",
    };
    writeln!(out, "status       {status}{ended}")?;
    if !report.line.is_empty() {
        let whose = report.guessed_by.as_ref().map(|method| format!(" (a short look by {method})"));
        writeln!(out, "line         {}{}", report.line.join(" "), ink.faint(&whose.unwrap_or_default()))?;
    }
    let why = report.why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
    writeln!(out, "method       {}{}", report.method, ink.faint(&why))?;
    let rate = report.nodes as f64 / report.seconds.max(1e-9);
    writeln!(
        out,
        "cost         {} nodes, {:.3} s, {} nodes/s",
        grouped(report.nodes),
        report.seconds,
        short(rate)
    )?;
    if let Some(databases) = &report.rests_on {
        writeln!(out, "databases    {databases}")?;
    }
    if let Some(certificate) = &report.certificate {
        writeln!(
            out,
            "certificate  {}: {} positions, {} bytes, checked",
            certificate.file.display(),
            grouped(certificate.records),
            grouped(certificate.bytes)
        )?;
    }
    Ok(())
}
