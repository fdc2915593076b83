//! Rows of databases for other programs: every position of a slice with its values, as CSV (RFC 4180) or Parquet.
//!
//! The columns are the slice, the number in it, the position, the player to move, the outcome for that player, and one
//! column a metric: the score of the whole game, or the plies, which are missing where it is a draw, or the number that an impartial
//! game is worth, which is missing where that is infinite.

use crate::report::Error;
use endspiel_game::{Game, Notation, Outcome, Stop};
use endspiel_retro::parquet::{Field, Kind, Rows};
use endspiel_retro::{Alone, Indexed, Metric, Store, Work, cells, open_alone};
use std::io::Write;

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Lines of text with commas between the fields.
    #[default]
    Csv,
    /// Columns of numbers and texts, compressed.
    Parquet,
}

/// What is to be written.
pub struct Export<'a> {
    /// How.
    pub format: Format,
    /// The metrics, a column each.
    pub metrics: &'a [Metric],
    /// One position in so many.
    pub every: u64,
    /// Asks to stop.
    pub stop: Stop,
}

/// The columns of a table for one player beside its metric.
const ALONE: [(&str, Kind); 2] = [("number", Kind::Long), ("position", Kind::Text)];

/// The columns beside the metrics.
const COLUMNS: [(&str, Kind); 5] = [
    ("slice", Kind::Text),
    ("number", Kind::Long),
    ("position", Kind::Text),
    ("mover", Kind::Text),
    ("outcome", Kind::Text),
];

/// Where rows go.
enum Sink<'a> {
    Csv(&'a mut dyn Write),
    Parquet(Rows<&'a mut dyn Write>),
}

impl<'a> Sink<'a> {
    fn new(
        format: Format,
        columns: &[(&'static str, Kind)],
        metrics: &[Metric],
        out: &'a mut dyn Write,
    ) -> std::io::Result<Self> {
        let metrics = metrics.iter().map(|metric| (metric.name(), Kind::Number));
        let columns = columns.iter().copied().chain(metrics);
        match format {
            Format::Csv => {
                let names: Vec<&str> = columns.map(|(name, _)| name).collect();
                writeln!(out, "{}", names.join(","))?;
                Ok(Self::Csv(out))
            }
            Format::Parquet => {
                Ok(Self::Parquet(Rows::new(out, columns.map(|(name, kind)| (name.into(), kind)))?))
            }
        }
    }

    fn row(&mut self, fields: &[Field<'_>]) -> std::io::Result<()> {
        let text = |field: &Field<'_>| match field {
            Field::Text(text) => quoted(text),
            Field::Long(number) => number.to_string(),
            Field::Number(number) => number.map_or_else(String::new, |number| number.to_string()),
        };
        match self {
            Self::Csv(out) => writeln!(out, "{}", fields.iter().map(text).collect::<Vec<_>>().join(",")),
            Self::Parquet(rows) => rows.row(fields),
        }
    }

    fn finish(self) -> std::io::Result<()> {
        match self {
            Self::Csv(_) => Ok(()),
            Self::Parquet(rows) => rows.finish(),
        }
    }
}

/// A text, in quotation marks where it needs them.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

/// Writes the positions of a table for one player with their values; how many there were, or why they could not be written.
pub fn export_alone(
    game: &dyn Alone,
    store: &Store,
    asked: &Export<'_>,
    out: &mut dyn Write,
) -> Result<std::io::Result<u64>, Error> {
    let table = open_alone(game, store, 0)?.table()?;
    let mut sink = match Sink::new(asked.format, &ALONE, &[game.metric()], out) {
        Ok(sink) => sink,
        Err(error) => return Ok(Err(error)),
    };
    let mut rows = 0;
    for number in (0..game.size()).step_by(asked.every.max(1) as usize) {
        if asked.stop.asked() {
            return Err(endspiel_retro::Error::from(endspiel_retro::Stopped).into());
        }
        let position = game.write(number);
        let fields = [Field::Long(number as i64), Field::Text(&position), Field::Number(table.get(number))];
        if let Err(error) = sink.row(&fields) {
            return Ok(Err(error));
        }
        rows += 1;
    }
    Ok(sink.finish().map(|()| rows))
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
    // What is not there is told before anything is written.
    for &slice in slices {
        for &metric in asked.metrics {
            store.open_any(&index.slice_name(slice), metric, 0)?;
        }
    }
    let (mut rows, mut out, mut begun) = (0, Some(out), None);
    for &slice in slices {
        let name = index.slice_name(slice);
        let mut tables = Vec::new();
        for &metric in asked.metrics {
            let work = Work { stop: asked.stop.clone(), ..Work::default() };
            tables.push((metric, cells(index, store, slice, metric, &work)?));
        }
        if let Some(out) = out.take() {
            begun = match Sink::new(asked.format, &COLUMNS, asked.metrics, out) {
                Ok(sink) => Some(sink),
                Err(error) => return Ok(Err(error)),
            };
        }
        let Some(sink) = &mut begun else { continue };
        for number in (0..index.size(slice)).step_by(asked.every.max(1) as usize) {
            if asked.stop.asked() {
                return Err(endspiel_retro::Error::from(endspiel_retro::Stopped).into());
            }
            let Some(position) = index.position(slice, number) else { continue };
            let (lead, mover) = (index.lead(&position), index.mover(&position));
            let values: Vec<(Outcome, i32)> = tables
                .iter()
                .map(|(metric, table)| told(*metric, table.get(number).unwrap_or(0), lead))
                .collect();
            let outcome = values.first().map_or_else(String::new, |(won, _)| won.to_string());
            let position = position.write();
            let mut fields = vec![
                Field::Text(&name),
                Field::Long(number as i64),
                Field::Text(&position),
                Field::Text(G::ABOUT.players[mover.index()]),
                Field::Text(&outcome),
            ];
            fields.extend(values.iter().zip(asked.metrics).map(|(&(won, shown), metric)| {
                let is_told = match metric {
                    Metric::Grundy => shown >= 0,
                    _ => won != Outcome::Draw || !metric.counts_plies(),
                };
                Field::Number(is_told.then_some(shown))
            }));
            if let Err(error) = sink.row(&fields) {
                return Ok(Err(error));
            }
            rows += 1;
        }
    }
    Ok(begun.map_or(Ok(()), Sink::finish).map(|()| rows))
}
