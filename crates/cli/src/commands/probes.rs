//! `endspiel db probe` with several metrics: the values of a position and of its moves side by side.

use super::db_words::{in_time, valued_here, valued_move};
use crate::screen::Ink;
use crate::{End, Failure};
use endspiel_catalog::databases::{MoveValue, ProbeReport};
use endspiel_retro::Grundy;
use serde_json::{Map, Value, json};
use std::io::Write;

/// Tells what several metrics say of one position. The moves stand in the order of the first.
pub fn tell(found: &[ProbeReport], as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let Some(first) = found.first() else { return Ok(End::Decided) };
    let told = |outcome: &str, number: i32, value: Option<&Grundy>| {
        let mut told = json!({ "outcome": outcome, "number": number });
        if let Some(value) = value {
            told["value"] = json!(value);
        }
        told
    };
    if as_json {
        let each = |tell: &dyn Fn(&ProbeReport) -> Value| {
            found.iter().map(|p| (p.metric.to_string(), tell(p))).collect::<Map<_, _>>()
        };
        let moves: Vec<Value> = first
            .moves
            .iter()
            .map(|m| {
                let values = each(&|p| {
                    json!(made(p, &m.r#move).map(|m| told(&m.outcome, m.number, m.value.as_ref())))
                });
                json!({ "move": m.r#move, "metrics": values })
            })
            .collect();
        let values = each(&|p| {
            let mut value = told(&p.outcome, p.number, p.value.as_ref());
            value["unit"] = json!(p.unit);
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
    // Moves of virus games have long names.
    let longest = first.moves.iter().map(|m| m.r#move.chars().count() + 4).max().unwrap_or(0);
    let wide = longest.max(10);
    // A column is as wide as its title and the longest value that anybody meets.
    let widths: Vec<usize> = titles.iter().map(|title| title.len().max("loss in 1000".len())).collect();
    let row = |head: &str, cells: Vec<(String, Option<String>)>| {
        let mut line = format!("{head:<wide$}");
        for ((text, outcome), width) in cells.iter().zip(&widths) {
            line.push_str(&ink.value(outcome.as_deref(), text));
            line.push_str(&" ".repeat(width.saturating_sub(text.chars().count()) + 2));
        }
        line.trim_end().to_string()
    };
    writeln!(out, "{}", row("", titles.iter().map(|title| (title.clone(), None)).collect()))?;
    let here = |p: &ProbeReport| (valued_here(p), Some(p.outcome.clone()));
    writeln!(out, "{}", row("value", found.iter().map(here).collect()))?;
    if let Some((p, count)) = found.iter().find_map(|p| Some((p, p.count.filter(|c| c.in_time.is_some())?))) {
        writeln!(out, "count     {}: by {}, {}", count.plies, p.metric, in_time(p.metric, count))?;
    }
    for m in &first.moves {
        let cell = |p: &ProbeReport| {
            let found = made(p, &m.r#move);
            found.map_or_else(|| ("?".into(), None), |m| (valued_move(p, m), Some(m.outcome.clone())))
        };
        writeln!(out, "{}", row(&format!("  {}", m.r#move), found.iter().map(cell).collect()))?;
    }
    Ok(End::Decided)
}

/// What a report says of a move.
fn made<'a>(p: &'a ProbeReport, name: &str) -> Option<&'a MoveValue> {
    p.moves.iter().find(|m| m.r#move == name)
}
