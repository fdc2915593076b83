//! `endspiel methods`: how answers are found, and which method works on which game.

use crate::screen::Ink;
use crate::{End, Failure};
use endspiel_catalog::{METHODS, matrix};
use serde_json::json;
use std::io::Write;

const AUTO: &str = "picks one of these by the game's properties and says why";

pub fn run(as_matrix: bool, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    if as_matrix {
        write!(out, "{}", matrix())?;
        return Ok(End::Decided);
    }
    if as_json {
        writeln!(out, "{}", json!({"name": "auto", "summary": AUTO}))?;
        for m in METHODS {
            let (scores, merges) = (m.scores, m.merges);
            let line = json!({"name": m.name, "summary": m.summary, "source": m.source, "scores": scores, "merges": merges});
            writeln!(out, "{line}")?;
        }
        return Ok(End::Decided);
    }
    let ink = Ink::for_output();
    let wide = METHODS.iter().map(|m| m.name.len()).max().unwrap_or(0).max(4);
    writeln!(out, "{}  {AUTO}", ink.bold(&format!("{:wide$}", "auto")))?;
    for method in METHODS {
        writeln!(out, "{}  {}", ink.bold(&format!("{:wide$}", method.name)), method.summary)?;
        writeln!(out, "{:wide$}  {}", "", ink.faint(method.source))?;
    }
    Ok(End::Decided)
}
