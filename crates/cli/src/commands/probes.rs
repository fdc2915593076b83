//! `endspiel db probe` with several metrics: the values of a position and of its moves side by side.

use super::db_words::{in_time, valued};
use crate::screen::Ink;
use crate::{End, Failure};
use endspiel_catalog::databases::ProbeReport;
use serde_json::{Map, Value, json};
use std::io::Write;

/// Tells what several metrics say of one position. The moves stand in the order of the first.
pub fn tell(found: &[ProbeReport], as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let Some(first) = found.first() else { return Ok(End::Decided) };
    let value = |p: &ProbeReport, name: &str| {
        let made = p.moves.iter().find(|m| m.r#move == name);
        made.map(|m| (m.outcome.clone(), m.number))
    };
    if as_json {
        let each = |tell: &dyn Fn(&ProbeReport) -> Value| {
            found.iter().map(|p| (p.metric.to_string(), tell(p))).collect::<Map<_, _>>()
        };
        let moves: Vec<Value> = first
            .moves
            .iter()
            .map(|m| {
                let values =
                    each(&|p| json!(value(p, &m.r#move).map(|(o, n)| json!({ "outcome": o, "number": n }))));
                json!({ "move": m.r#move, "metrics": values })
            })
            .collect();
        let values = each(&|p| {
            let mut value = json!({ "unit": p.unit, "outcome": p.outcome, "number": p.number });
            if let Some(count) = p.count {
                value["count"] = json!(count);
            }
            value
        });
        let whole = json!({
            "game": first.game, "position": first.position, "mover": first.mover, "slice": first.slice,
            "index": first.index, "metrics": values, "moves": moves,
        });
        writeln!(out, "{whole}")?;
        return Ok(End::Decided);
    }
    let ink = Ink::for_output();
    writeln!(out, "position  {}", first.position)?;
    writeln!(out, "to move   {}", first.mover)?;
    writeln!(out, "slice     {}, number {} ({})", first.slice, first.index, first.game)?;
    let titles: Vec<String> = found.iter().map(|p| format!("{} ({})", p.metric, p.unit)).collect();
    // A column is as wide as its title and the longest value that anybody meets.
    let widths: Vec<usize> = titles.iter().map(|title| title.len().max("loss in 1000".len())).collect();
    let row = |head: &str, cells: Vec<(String, Option<String>)>| {
        let mut line = format!("{head:<10}");
        for ((text, outcome), width) in cells.iter().zip(&widths) {
            line.push_str(&ink.value(outcome.as_deref(), text));
            line.push_str(&" ".repeat(width.saturating_sub(text.len()) + 2));
        }
        line.trim_end().to_string()
    };
    writeln!(out, "{}", row("", titles.iter().map(|title| (title.clone(), None)).collect()))?;
    let told = |p: &ProbeReport, outcome: &str, n| (valued(p.metric, outcome, n), Some(outcome.to_string()));
    writeln!(out, "{}", row("value", found.iter().map(|p| told(p, &p.outcome, p.number)).collect()))?;
    if let Some((p, count)) = found.iter().find_map(|p| Some((p, p.count.filter(|c| c.in_time.is_some())?))) {
        writeln!(out, "count     {}: by {}, {}", count.plies, p.metric, in_time(p.metric, count))?;
    }
    for m in &first.moves {
        let cell = |p: &ProbeReport| {
            value(p, &m.r#move).map_or_else(|| ("?".into(), None), |(outcome, n)| told(p, &outcome, n))
        };
        writeln!(out, "{}", row(&format!("  {}", m.r#move), found.iter().map(cell).collect()))?;
    }
    Ok(End::Decided)
}
