//! `endspiel sum`: what impartial games are worth, alone and together.

use super::{open, pointed, position, stop_on_interrupt};
use crate::screen::{Ink, complain, grouped};
use crate::spend::Spend;
use crate::{End, Failure};
use endspiel_catalog::sum::{SumReport, sum};
use endspiel_catalog::{AnyPosition, Error};
use std::io::Write;
use std::time::Duration;

/// Where no budget is given.
const USUAL: Duration = Duration::from_secs(60);
/// So many moves are named.
const SHOWN: usize = 12;

pub fn run(parts: &[String], spend: &Spend, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let parts = parts.iter().map(|part| read(part)).collect::<Result<Vec<_>, _>>()?;
    let budget = spend.budget(Some(USUAL));
    stop_on_interrupt(&budget.stop);
    let report = match sum(&parts, &budget) {
        Err(Error::Spent(what)) => {
            complain(&format!("{what}; --memory, --time and --nodes say what may be spent"));
            return Ok(End::Undecided);
        }
        report => report.map_err(|e| Failure::Input(pointed(&e, "")))?,
    };
    if as_json {
        writeln!(out, "{}", serde_json::to_string(&report).map_err(std::io::Error::from)?)?;
    } else {
        tell(&report, out)?;
    }
    Ok(End::Decided)
}

/// A game, and its position after a blank.
fn read(part: &str) -> Result<Box<dyn AnyPosition>, Failure> {
    let part = part.trim();
    let (game, text) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
    let text = Some(text).filter(|text| !text.trim().is_empty());
    position(&*open(game)?, text, None)
}

fn tell(report: &SumReport, out: &mut impl Write) -> Result<(), Failure> {
    let ink = Ink::for_output();
    for (i, part) in report.parts.iter().enumerate() {
        writeln!(out, "part {:<3} {} {}", i + 1, part.game, part.position)?;
        writeln!(
            out,
            "         worth {}; {} positions can arise, {} of them worth a number",
            ink.bold(&part.value.to_string()),
            grouped(part.positions as u64),
            grouped(part.numbers as u64)
        )?;
    }
    writeln!(out, "sum      {}, a {} for the player to move", report.value, ink.bold(report.outcome))?;
    let named: Vec<String> = report
        .moves
        .iter()
        .take(SHOWN)
        .map(|m| {
            if report.parts.len() > 1 { format!("{} in {}", m.r#move, m.part + 1) } else { m.r#move.clone() }
        })
        .collect();
    let more = if report.moves.len() > SHOWN { ", ..." } else { "" };
    let all = format!("{} of {}", grouped(report.moves.len() as u64), grouped(report.of as u64));
    match report.outcome {
        "loss" => writeln!(out, "moves    {} of {}: all lose", 0, grouped(report.of as u64))?,
        "draw" => writeln!(out, "moves    {all} keep the draw: {}{more}", named.join(", "))?,
        _ => writeln!(out, "moves    {all} win: {}{more}", named.join(", "))?,
    }
    Ok(())
}
