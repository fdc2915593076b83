//! `endspiel ask`: does a formula over who moves and what holds hold here?

use super::{each_position, pointed, stop_on_interrupt};
use crate::args::Place;
use crate::screen::{Ink, complain, grouped};
use crate::spend::Spend;
use crate::{End, Failure};
use endspiel_catalog::Error;
use std::io::Write;
use std::path::Path;

/// How a question is to be answered.
pub struct How<'a> {
    /// How to search.
    pub engine: &'a str,
    /// Where to write what shows the answer.
    pub certificate: Option<&'a Path>,
    /// What may be spent.
    pub spend: &'a Spend,
}

pub fn run(
    place: &Place,
    question: &str,
    how: &How,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let budget = how.spend.budget(None);
    stop_on_interrupt(&budget.stop);
    each_position(place, as_json, out, |position, _, out| {
        let asked = position
            .ask(question, how.engine, &budget, how.certificate)
            .map_err(|error| point_at(question, error))?;
        let done = asked.holds.is_some() && asked.uncertified.is_none();
        let end = if done { End::Decided } else { End::Undecided };
        if as_json {
            writeln!(out, "{}", serde_json::to_string(&asked).map_err(std::io::Error::from)?)?;
            return Ok(end);
        }
        let ink = Ink::for_output();
        let verdict = match asked.holds {
            Some(true) => "yes",
            Some(false) => "no",
            None => "not decided within the budget",
        };
        writeln!(out, "{}  {}", ink.bold(verdict), asked.question)?;
        writeln!(out, "{}: {} nodes, {:.2} s", asked.engine, grouped(asked.nodes), asked.seconds)?;
        if let Some(certificate) = &asked.certificate {
            writeln!(
                out,
                "{}: {} choices, {} bytes, accepted",
                certificate.file.display(),
                grouped(certificate.records),
                grouped(certificate.bytes)
            )?;
        }
        if let Some(what) = &asked.uncertified {
            complain(&format!("there is no certificate: {what}"));
        }
        Ok(end)
    })
}

/// Shows the place in the question that is not understood.
fn point_at(question: &str, error: Error) -> Failure {
    match error {
        Error::Text(_) => Failure::Input(pointed(&error, question)),
        other => other.into(),
    }
}
