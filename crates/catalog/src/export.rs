//! Rows of databases for other programs: every position of a slice with its values, as CSV (RFC 4180).
//!
//! The columns are the slice, the number in it, the position, the player to move, the outcome for that player, and one
//! column a metric: the score of the whole game, or the plies, which are empty where it is a draw.

use crate::report::Error;
use endspiel_game::{Game, Notation, Outcome, Stop};
use endspiel_retro::{Indexed, Metric, Store, Work, cells};
use std::io::Write;

/// What is to be written.
pub struct Export<'a> {
    /// The metrics, a column each.
    pub metrics: &'a [Metric],
    /// One position in so many.
    pub every: u64,
    /// Asks to stop.
    pub stop: Stop,
}

/// A field, in quotation marks where it needs them.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

/// The line of names.
fn head(metrics: &[Metric]) -> String {
    let mut line = String::from("slice,number,position,mover,outcome");
    for metric in metrics {
        line.push(',');
        line.push_str(metric.name());
    }
    line
}

/// Writes the positions of these slices; how many there were, or why they could not be written.
pub(crate) fn write<G: Game<Position: Notation>, I: Indexed<Position = G::Position>>(
    index: &I,
    store: &Store,
    slices: &[I::Slice],
    asked: &Export<'_>,
    told: impl Fn(Metric, i32, i32) -> (Outcome, i32),
    out: &mut dyn Write,
) -> Result<std::io::Result<u64>, Error> {
    let mut rows = 0;
    if let Err(error) = writeln!(out, "{}", head(asked.metrics)) {
        return Ok(Err(error));
    }
    for &slice in slices {
        let name = index.slice_name(slice);
        let mut tables = Vec::new();
        for &metric in asked.metrics {
            let work = Work { stop: asked.stop.clone(), ..Work::default() };
            tables.push((metric, cells(index, store, slice, metric, &work)?));
        }
        for number in (0..index.size(slice)).step_by(asked.every.max(1) as usize) {
            if asked.stop.asked() {
                return Err(endspiel_retro::Error::from(endspiel_retro::Stopped).into());
            }
            let Some(position) = index.position(slice, number) else { continue };
            let (lead, mover) = (index.lead(&position), index.mover(&position));
            let mut outcome = None;
            let mut values = String::new();
            for (metric, table) in &tables {
                let (won, shown) = told(*metric, table.get(number).unwrap_or(0), lead);
                outcome.get_or_insert(won);
                values.push(',');
                if won != Outcome::Draw || !metric.counts_plies() {
                    values.push_str(&shown.to_string());
                }
            }
            let outcome = outcome.map_or_else(String::new, |won| won.to_string());
            let (position, mover) = (field(&position.write()), G::ABOUT.players[mover.index()]);
            let row = writeln!(out, "{},{number},{position},{mover},{outcome}{values}", field(&name));
            if let Err(error) = row {
                return Ok(Err(error));
            }
            rows += 1;
        }
    }
    Ok(Ok(rows))
}
