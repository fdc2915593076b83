//! `endspiel best`: all moves, ranked, each as proven or as estimated as it is.

use super::solve::in_short;
use super::{each_position_of, open_with, stop_on_interrupt};
use crate::args::{How, Place};
use crate::screen::{Ink, Live, grouped};
use crate::{End, Failure};
use endspiel_catalog::{MoveReport, Purpose, Report, Request, Status};
use std::io::Write;
use std::time::Duration;

/// Time for a ranking where no budget is given.
const USUAL: Duration = Duration::from_secs(10);

pub fn run(place: &Place, how: &How, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let request = Request {
        method: how.method.clone(),
        purpose: Purpose::Play,
        goal: how.goal(),
        budget: how.spend.budget(Some(USUAL)),
        certificate: None,
    };
    stop_on_interrupt(&request.budget.stop);
    let game = open_with(&place.game, how.db.as_deref())?;
    let ink = Ink::for_output();
    each_position_of(&*game, place, as_json, out, |position, batch, out| {
        let live = Live::new(as_json);
        let ranking = position.rank(&request, &live);
        live.done();
        let ranking = ranking?;
        if as_json {
            let line = serde_json::to_string(&ranking).map_err(std::io::Error::from)?;
            writeln!(out, "{line}")?;
        } else if batch.is_some() {
            let best = ranking.moves.first().map_or("no move", |m| m.name.as_str());
            writeln!(out, "{}  {best}  {}", ranking.report.position, in_short(&ranking.report))?;
        } else {
            let wide = ranking.moves.iter().map(|m| m.name.len()).max().unwrap_or(0);
            for m in &ranking.moves {
                let words = in_short(&as_report(m, &ranking.report));
                let line = m.line.iter().skip(1).take(12).map(String::as_str).collect::<Vec<_>>().join(" ");
                writeln!(
                    out,
                    "{:wide$}  {}  {}",
                    m.name,
                    ink.value(m.value, &format!("{words:28}")),
                    ink.faint(&line)
                )?;
            }
            if let Some(result) = position.result() {
                writeln!(out, "the game is over: {result}")?;
            }
            let why = ranking.report.why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
            let cost = format!(
                "{}{why}: {} nodes, {:.2} s",
                ranking.report.method,
                grouped(ranking.report.nodes),
                ranking.report.seconds
            );
            writeln!(out, "{}", ink.faint(&cost))?;
            if let Some(databases) = &ranking.report.rests_on {
                writeln!(out, "{}", ink.faint(&format!("databases: {databases}")))?;
            }
        }
        out.flush()?;
        Ok(if ranking.report.status == Status::Proven { End::Decided } else { End::Undecided })
    })
}

/// A move's value in the shape of a report, to be put into words like one.
fn as_report(m: &MoveReport, whole: &Report) -> Report {
    Report {
        status: m.status,
        value: m.value,
        score: m.score,
        bounds: m.bounds,
        estimate: m.estimate,
        distance: m.distance,
        ..whole.clone()
    }
}
