//! `endspiel db export`: rows of databases in a file, which appears whole or not at all, or on the output.

use super::{pointed, stop_on_interrupt};
use crate::screen::grouped;
use crate::{End, Failure};
use endspiel_catalog::Error;
use endspiel_catalog::databases::{Export, Format};
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;

/// Writes rows; how many there were, or why they could not be written.
pub type Rows<'a> = dyn Fn(&mut dyn Write) -> Result<std::io::Result<u64>, Error> + 'a;

pub fn run(
    write: &Rows<'_>,
    about: &str,
    asked: &Export<'_>,
    file: Option<&Path>,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    if as_json && file.is_none() {
        let what = "rows are written as CSV or Parquet, and --json tells of a file: name it with --out, or leave --json out";
        return Err(Failure::Input(what.into()));
    }
    stop_on_interrupt(&asked.stop);
    let written = match file {
        Some(path) => return to_file(write, about, asked, path, as_json, out),
        None if asked.format == Format::Parquet && std::io::stdout().is_terminal() => {
            let what =
                "Parquet is nothing for a terminal; name a file with --out, or let another program read it";
            return Err(Failure::Input(what.into()));
        }
        None => write(out),
    };
    if asked.stop.asked() && written.is_err() {
        return Ok(End::Undecided);
    }
    written.map_err(|e| Failure::Input(pointed(&e, about)))??;
    Ok(End::Decided)
}

/// Writes under a hidden name beside the file, which takes its place when it is whole.
fn to_file(
    write: &Rows<'_>,
    about: &str,
    asked: &Export<'_>,
    path: &Path,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    // Where the name is a link, what it stands for is written.
    let real = path.canonicalize().unwrap_or_else(|_| path.into());
    let path = &*real;
    let refused = |e: std::io::Error| Failure::Input(format!("{}: {e}", path.display()));
    let name = path.file_name().filter(|_| !path.is_dir());
    let name =
        name.ok_or_else(|| Failure::Input(format!("{}: this is no name of a file", path.display())))?;
    // A pipe or a device is written to as it is.
    if path.exists() && !path.is_file() {
        let mut to = BufWriter::new(File::options().write(true).open(path).map_err(refused)?);
        let written = write(&mut to).map_err(|e| Failure::Input(pointed(&e, about)))?;
        let rows = written.and_then(|rows| to.flush().map(|()| rows)).map_err(refused)?;
        return told(rows, path, as_json, out);
    }
    let hidden = path.with_file_name(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
    let mut to = BufWriter::new(File::create(&hidden).map_err(refused)?);
    let written = write(&mut to).map_err(|e| Failure::Input(pointed(&e, about)));
    let kept = written.and_then(|rows| {
        let rows = rows.map_err(refused)?;
        let whole = to.into_inner().map_err(|e| refused(e.into_error()))?;
        whole.sync_all().and_then(|()| std::fs::rename(&hidden, path)).map_err(refused)?;
        Ok(rows)
    });
    if kept.is_err() {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(&hidden);
        if asked.stop.asked() {
            return Ok(End::Undecided);
        }
    }
    told(kept?, path, as_json, out)
}

/// Says how many rows a file has.
fn told(rows: u64, path: &Path, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    if as_json {
        writeln!(out, "{}", json!({ "rows": rows, "file": path }))?;
    } else {
        writeln!(out, "{} rows in {}", grouped(rows), path.display())?;
    }
    Ok(End::Decided)
}
