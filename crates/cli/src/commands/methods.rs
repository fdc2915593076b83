//! `endspiel methods`: how answers are found, and which method works on which game.

use crate::screen::Ink;
use crate::{End, Failure};
use endspiel_catalog::{METHODS, matrix};
use serde_json::{Value, json};
use std::io::Write;

pub fn run(as_matrix: bool, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    if as_matrix {
        write!(out, "{}", matrix())?;
        return Ok(End::Decided);
    }
    if as_json {
        let all: Vec<Value> = METHODS
            .iter()
            .map(|m| {
                json!({"name": m.name, "summary": m.summary, "source": m.source, "scores": m.scores, "merges": m.merges})
            })
            .collect();
        writeln!(out, "{}", Value::from(all))?;
        return Ok(End::Decided);
    }
    let ink = Ink::for_output();
    let wide = METHODS.iter().map(|m| m.name.len()).max().unwrap_or(0).max(4);
    writeln!(
        out,
        "{}  picks one of these by the game's properties and says why",
        ink.bold(&format!("{:wide$}", "auto"))
    )?;
    for method in METHODS {
        writeln!(out, "{}  {}", ink.bold(&format!("{:wide$}", method.name)), method.summary)?;
        writeln!(out, "{:wide$}  {}", "", ink.faint(method.source))?;
    }
    Ok(End::Decided)
}
