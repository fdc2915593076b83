//! `endspiel sum`: what impartial games are worth, alone and together.

use super::{pointed, stop_on_interrupt};
use crate::screen::{Ink, complain, grouped};
use crate::spend::Spend;
use crate::{End, Failure};
use endspiel_catalog::sum::{SumReport, Way, sum};
use endspiel_catalog::{AnyPosition, Error, game};
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

/// A game, and its position after a blank. Variants have blanks too: the game ends at the first one where both can be read. If
/// there is none, what is told is the fault of the game up to the first blank between words, or of the position after it.
fn read(part: &str) -> Result<Box<dyn AnyPosition>, Failure> {
    let part = part.trim();
    let blanks = || part.match_indices(char::is_whitespace).map(|(at, _)| at).chain([part.len()]);
    if let Some(position) = blanks().find_map(|end| read_cut(part, end).ok()) {
        return Ok(position);
    }
    let is_joint = |c: Option<char>| c.is_some_and(|c| matches!(c, ',' | ':' | '=' | '+' | '/'));
    let is_between = |&end: &usize| {
        !is_joint(part[..end].chars().last()) && !is_joint(part[end..].trim_start().chars().next())
    };
    read_cut(part, blanks().find(is_between).unwrap_or(part.len()))
}

/// The same where the game's name ends here.
fn read_cut(part: &str, end: usize) -> Result<Box<dyn AnyPosition>, Failure> {
    let (name, text) = (&part[..end], part[end..].trim_start());
    let told = |error: Error, about: &str| Failure::Input(pointed(&error, about));
    let game = game(name).map_err(|e| told(e, name))?;
    if text.is_empty() { Ok(game.start()) } else { game.read(text).map_err(|e| told(e, text)) }
}

/// How a value was found.
fn found(way: &Way) -> String {
    match way {
        Way::Enumeration { positions, numbers } => format!(
            "by enumeration: {} positions can arise, {} of them worth a number",
            grouped(*positions as u64),
            grouped(*numbers as u64)
        ),
        Way::Linear { elements, finite, zero } => format!(
            "by linear algebra: of 2^{elements} positions 2^{finite} are worth a number, 2^{zero} of them 0"
        ),
    }
}

fn tell(report: &SumReport, out: &mut impl Write) -> Result<(), Failure> {
    let ink = Ink::for_output();
    for (i, part) in report.parts.iter().enumerate() {
        writeln!(out, "part {:<3} {} {}", i + 1, part.game, part.position)?;
        writeln!(out, "         worth {}, {}", ink.bold(&part.value.to_string()), found(&part.way))?;
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
