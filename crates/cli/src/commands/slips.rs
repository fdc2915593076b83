//! `endspiel db slips` and `db predict`: what the moves of a game gave away and tell of the players, and what players who err
//! are to expect.

use super::db_words::valued;
use crate::screen::{Ink, counted};
use crate::{End, Failure};
use endspiel_catalog::databases::{Matrix, Prediction, SlipTotal, SlipsReport};
use std::io::Write;

/// Tells the slips of a game.
pub fn tell(s: &SlipsReport, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    if as_json {
        writeln!(out, "{}", serde_json::to_value(s).map_err(std::io::Error::from)?)?;
        return Ok(End::Decided);
    }
    let ink = Ink::for_output();
    writeln!(out, "{}, {} in {}: {} of {} plies judged", s.game, s.metric, s.unit, s.judged, s.plies)?;
    if let Some(missing) = &s.missing {
        writeln!(out, "{}", ink.faint(&format!("the last of the others was passed over: {missing}")))?;
    }
    for slip in &s.slips {
        let made = valued(s.metric, &slip.made.outcome, slip.made.number);
        let best = valued(s.metric, &slip.best_outcome, slip.best_number);
        let lost = match (slip.by, slip.made.outcome.as_str()) {
            (Some(by), "win") if s.unit == "plies" => format!("{by} plies longer"),
            (Some(by), "loss") if s.unit == "plies" => format!("{by} plies sooner"),
            (Some(by), _) => format!("{by} {} given away", s.unit),
            (None, _) => format!("the {} is given away", slip.best_outcome),
        };
        let so_far = if slip.by == Some(slip.so_far) || slip.by.is_none() {
            String::new()
        } else {
            format!(", {} so far", slip.so_far)
        };
        writeln!(
            out,
            "{:>4}. {} {:<8} {}: {lost}{so_far}; {} was a {best}",
            slip.ply,
            slip.mover,
            ink.bold(&slip.made.r#move),
            ink.value(Some(&slip.made.outcome), &made),
            slip.best.join(" or ")
        )?;
    }
    if s.slips.is_empty() && s.judged > 0 {
        writeln!(out, "nothing was given away")?;
    } else {
        for total in &s.totals {
            tell_total(total, s.unit, out)?;
        }
    }
    for seen in &s.competences {
        writeln!(
            out,
            "{} won like a player of competence {:.1}, give or take {:.1} ({})",
            seen.player,
            seen.competence,
            seen.deviation,
            counted(seen.moves as u64, "move")
        )?;
    }
    for seen in &s.overall {
        let all = if seen.moves == 1 { "" } else { "all " };
        writeln!(
            out,
            "{} played like one of competence {:.1}, give or take {:.1} ({all}{})",
            seen.player,
            seen.competence,
            seen.deviation,
            counted(seen.moves as u64, "move")
        )?;
    }
    Ok(End::Decided)
}

fn tell_total(total: &SlipTotal, unit: &str, out: &mut impl Write) -> Result<(), Failure> {
    let SlipTotal { player, judged, slips, outcomes, by } = total;
    let outcomes = match outcomes {
        0 => String::new(),
        1 => "the outcome once and ".into(),
        more => format!("the outcome {more} times and "),
    };
    let what = if unit == "outcomes" { String::new() } else { format!("{by} {unit} ") };
    let outcomes = if what.is_empty() { outcomes.trim_end_matches("and ").to_string() } else { outcomes };
    if *slips == 0 {
        writeln!(out, "{player} gave nothing away in {}", counted(*judged as u64, "move"))?;
    } else {
        writeln!(
            out,
            "{player} gave {outcomes}{what}away in {slips} of {}",
            counted(*judged as u64, "move")
        )?;
    }
    Ok(())
}

/// Tells what a player who errs is to expect.
pub fn tell_prediction(p: &Prediction, as_json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if as_json {
        writeln!(out, "{}", serde_json::to_value(p).map_err(std::io::Error::from)?)?;
        return Ok(());
    }
    let head = format!("{} {}: competence {}", p.game, p.slice, p.competence);
    if p.deepest_win > 0
        && let (Some(moves), Some(won), Some(chance)) =
            (p.expected_moves.last(), p.won.last(), p.chance.last())
    {
        let ends = if p.keeps { "" } else { " until the win is had or given away" };
        let chance = if p.keeps { String::new() } else { format!(", {:.2} % in the end", 100.0 * chance) };
        writeln!(
            out,
            "{head}, from depth {} ({}): {moves:.2} moves of {} on the average{ends}, {:.2} % won within {}{chance}",
            p.deepest_win,
            p.metric,
            p.player,
            100.0 * won,
            p.within
        )?;
    }
    if p.deepest_loss > 0
        && let Some(moves) = p.moves_held.last()
    {
        writeln!(
            out,
            "{head}, from a loss of depth {} ({}): {} holds out for {moves:.2} moves on the average",
            p.deepest_loss, p.metric, p.player
        )?;
    }
    p.matrix.as_ref().map_or(Ok(()), |matrix| tell_matrix(matrix, out))
}

/// The chances from state to state, without those that are zero.
fn tell_matrix(matrix: &Matrix, out: &mut impl Write) -> Result<(), Failure> {
    for (state, row) in matrix.states.iter().zip(&matrix.rows) {
        let chances = row.iter().zip(&matrix.states).filter(|(chance, _)| **chance > 0.0);
        let chances: Vec<String> = chances.map(|(chance, to)| format!("{to}: {chance:.6}")).collect();
        if !chances.is_empty() {
            writeln!(out, "  {state:<8} to {}", chances.join(", "))?;
        }
    }
    Ok(())
}
