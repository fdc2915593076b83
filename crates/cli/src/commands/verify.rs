//! `endspiel verify`: certificates are checked by the rules alone, and by the databases that they name.

use crate::screen::{Ink, complain, grouped, warn};
use crate::{End, Failure};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

pub fn run(
    files: &[PathBuf],
    threads: usize,
    databases: Option<&Path>,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let ink = Ink::for_output();
    let mut end = End::Decided;
    for file in files {
        if endspiel_lab::proofs::is_store(file) {
            end = end.max(super::proofs::verify(file, as_json, out)?);
            continue;
        }
        match endspiel_catalog::verify_on(file, threads, databases) {
            Ok(v) if as_json => {
                let mut line = serde_json::to_value(&v).map_err(std::io::Error::from)?;
                line["file"] = json!(file);
                line["accepted"] = json!(true);
                writeln!(out, "{line}")?;
            }
            Ok(v) => {
                writeln!(out, "{}  {}", ink.value(Some("win"), "accepted"), file.display())?;
                writeln!(out, "  {} from {}: {}", v.game, v.position, ink.bold(&v.statement))?;
                writeln!(
                    out,
                    "  {} positions, every reply answered, {:.2} s",
                    grouped(v.records),
                    v.seconds
                )?;
                for database in &v.rests_on {
                    writeln!(out, "  rests on the database {database}")?;
                }
                writeln!(out, "  {}", ink.faint(&format!("digest {}", v.digest)))?;
                v.passed_over.iter().for_each(|what| warn(what));
            }
            Err(what) => {
                end = End::BadInput;
                if as_json {
                    writeln!(
                        out,
                        "{}",
                        json!({"file": file, "accepted": false, "reason": what.to_string()})
                    )?;
                } else {
                    complain(&format!("{} is refused: {what}", file.display()));
                }
            }
        }
    }
    Ok(end)
}
