//! What `endspiel db` says: plans, slices, values, figures and damage, in words or as JSON.

use crate::screen::{Ink, counted, grouped, plies};
use crate::{End, Failure};
use endspiel_catalog::databases::{
    Count, Depth, Extreme, Forecast, Frequency, MoveValue, PlanReport, ProbeReport, Side, SliceReport,
    StatsReport, Traffic,
};
use endspiel_retro::Metric;
use serde_json::json;
use std::io::Write;

/// Bytes for people. Mebibytes are rounded up, so that as many are enough.
pub fn size(bytes: u64) -> String {
    if bytes < 1 << 20 {
        format!("{} bytes", grouped(bytes))
    } else {
        format!("{} MiB", grouped(bytes.div_ceil(1 << 20)))
    }
}

/// So many slices need not be built.
pub fn already(many: usize) -> String {
    if many == 1 { "1 is there already".into() } else { format!("{many} are there already") }
}

pub fn tell_plan(plan: &PlanReport, as_json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if as_json {
        writeln!(out, "{}", json!({ "plan": plan }))?;
        return Ok(());
    }
    let open: Vec<_> = plan.steps.iter().filter(|s| !s.done).collect();
    let positions = open.iter().map(|s| s.size).sum();
    writeln!(out, "{}, {}, in {}", Ink::for_output().bold(&plan.game), plan.metric, plan.dir)?;
    writeln!(
        out,
        "plan  {}, {}; {}",
        counted(open.len() as u64, "slice"),
        counted(positions, "position"),
        already(plan.steps.len() - open.len())
    )?;
    writeln!(out, "      at most {} of memory and {} on the disk", size(plan.memory), size(plan.disk))?;
    let mut derived: Vec<_> = open.iter().filter_map(|step| Some((step.from?, &step.slice))).collect();
    derived.sort_by_key(|&(from, _)| from);
    for same in derived.chunk_by(|a, b| a.0 == b.0) {
        match same {
            [(from, slice)] => writeln!(out, "      slice {slice} from the file of {from}")?,
            _ => writeln!(out, "      {} slices from the files of {}", same.len(), same[0].0)?,
        }
    }
    for step in open {
        if let Some(parts) = step.parts {
            writeln!(out, "      slice {} from files, in {}", step.slice, counted(parts, "part"))?;
        }
    }
    Ok(())
}

/// How long it may take.
pub fn tell_forecast(
    foretold: Option<&Forecast>,
    as_json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    match foretold {
        _ if as_json => {
            let told =
                foretold.map(|f| json!({ "seconds": f.seconds, "slice": f.slice, "passes": f.passes }));
            writeln!(out, "{}", json!({ "forecast": told }))?;
        }
        Some(Forecast { seconds, slice, passes, are_rounds }) => writeln!(
            out,
            "      about {}, by a trial of slices up to {slice}, which took {}",
            lasting(*seconds),
            counted(u64::from(*passes), if *are_rounds { "round" } else { "pass" })
        )?,
        None => writeln!(out, "      no slice is small enough to foretell the time by a trial")?,
    }
    Ok(())
}

/// A time for people.
fn lasting(seconds: f64) -> String {
    match seconds {
        ..1.5 => "a second".into(),
        ..100.0 => format!("{seconds:.0} seconds"),
        ..6000.0 => format!("{:.0} minutes", seconds / 60.0),
        _ => format!("{:.0} hours", seconds / 3600.0),
    }
}

/// What the workers of this process sent.
pub fn tell_traffic(sent: &Traffic, as_json: bool, out: &mut impl Write) -> Result<(), Failure> {
    let each = sent.bytes() as f64 / sent.positions as f64;
    if as_json {
        let Traffic { positions, asked, moves, told } = sent;
        writeln!(
            out,
            "{}",
            json!({ "sent": {
                "positions": positions, "asked": asked, "moves": moves, "told": told,
                "bytes": sent.bytes(), "bytes_a_position": each,
            }})
        )?;
    } else {
        writeln!(
            out,
            "sent  {} questions, {} moves, {} news: {each:.1} bytes a position",
            grouped(sent.asked),
            grouped(sent.moves),
            grouped(sent.told)
        )?;
    }
    Ok(())
}

pub fn tell_slice(game: &str, s: &SliceReport, as_json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if as_json {
        let mut line = serde_json::to_value(s).map_err(std::io::Error::from)?;
        line["game"] = json!(game);
        writeln!(out, "{line}")?;
    } else {
        writeln!(
            out,
            "{game} {:>4} {}{} in {}: {}, {} won, {} drawn, {} lost; {} ({})",
            s.slice,
            s.metric,
            if s.small { ", small," } else { "" },
            s.unit,
            counted(s.positions, "position"),
            grouped(s.wins),
            grouped(s.draws),
            grouped(s.losses),
            size(s.bytes),
            s.xxh3
        )?;
    }
    Ok(())
}

pub fn tell_probe(p: &ProbeReport, line: bool, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    if as_json {
        writeln!(out, "{}", serde_json::to_value(p).map_err(std::io::Error::from)?)?;
        return Ok(End::Decided);
    }
    let ink = Ink::for_output();
    let value = valued_here(p);
    writeln!(out, "position  {}", p.position)?;
    writeln!(out, "value     {} for {}, to move", ink.value(Some(&p.outcome), &value), p.mover)?;
    writeln!(out, "metric    {} in {}, {}; slice {}, number {}", p.metric, p.unit, p.game, p.slice, p.index)?;
    if let Some(count) = p.count {
        let told = in_time(p.metric, count);
        writeln!(out, "count     after {} without a capture or pawn move, {told}", plies(count.plies))?;
    }
    for (i, m) in p.moves.iter().enumerate() {
        let value = ink.value(Some(&m.outcome), &valued_move(p, m));
        let ply = if line { format!("{:>3}. ", i + 1) } else { "  ".into() };
        let critical = m.critical.map_or_else(String::new, |what| ink.faint(&format!("  {what}")));
        writeln!(out, "{ply}{:<8} {value}{critical}", m.r#move)?;
    }
    if p.claimed {
        writeln!(out, "     a draw by the rule may be claimed")?;
    }
    Ok(End::Decided)
}

/// What a count of moves means for a win.
pub fn in_time(metric: &str, count: Count) -> String {
    match (count.in_time, Metric::named(metric)) {
        (Some(true), _) => "the win is in time".into(),
        (Some(false), _) => "the win is too late: a draw can be claimed".into(),
        (None, Some(Metric::ZeroingWithin(_))) => "the win may be a ply too late".into(),
        (None, by) => {
            let moves = by.and_then(Metric::moves).unwrap_or(50);
            format!("dtz{moves} tells whether the win is in time")
        }
    }
}

/// An outcome with its number, by the metric.
pub fn valued(metric: &str, outcome: &str, n: i32) -> String {
    match (metric, outcome) {
        ("score", _) => format!("{outcome} {n:+}"),
        ("grundy", _) | (_, "draw") => outcome.into(),
        _ if metric.starts_with("wdl") => outcome.into(),
        // A limit by the rule is no length.
        ("dtr", _) => format!("{outcome} with {} a phase", plies(n.unsigned_abs())),
        _ => format!("{outcome} in {n}"),
    }
}

/// What a position is worth.
pub fn valued_here(p: &ProbeReport) -> String {
    let value = valued(p.metric, &p.outcome, p.number);
    p.value.as_ref().map_or_else(|| value.clone(), |worth| format!("{value}, worth {worth}"))
}

/// What a move is worth; in an impartial game with the value of what it leaves.
pub fn valued_move(p: &ProbeReport, m: &MoveValue) -> String {
    let value = valued(p.metric, &m.outcome, m.number);
    m.value.as_ref().map_or_else(|| value.clone(), |left| format!("{value}, leaves {left}"))
}

pub fn tell_stats(s: &StatsReport, as_json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if as_json {
        writeln!(out, "{}", serde_json::to_value(s).map_err(std::io::Error::from)?)?;
        return Ok(());
    }
    let total = &s.summary;
    writeln!(out, "slice      {} ({} in {}, {})", total.slice, total.metric, total.unit, s.game)?;
    writeln!(out, "positions  {}", grouped(total.positions))?;
    writeln!(
        out,
        "to move    {} win, {} draw, {} lose",
        grouped(total.wins),
        grouped(total.draws),
        grouped(total.losses)
    )?;
    for side in &s.sides {
        tell_side(side, out)?;
    }
    let told = |what: &str, most: &Extreme| {
        format!(
            "{what}{}, {}, such as {}",
            most.number,
            counted(most.positions, "time"),
            most.such_as.join(", ")
        )
    };
    let counts = |of: Option<&str>| {
        let is_infinite = |value: &Frequency| total.metric == "grundy" && value.number < 0;
        let kept = s.histogram.iter().filter(|value| of.is_none_or(|of| value.outcome == of));
        let kept = kept.filter(|value| !is_infinite(value));
        let mut kept: Vec<_> = kept.map(|value| (value.number, value.positions)).collect();
        kept.sort_unstable();
        kept.iter().map(|(number, many)| format!("{number}:{many}")).collect::<Vec<_>>().join(" ")
    };
    if total.unit == "plies" {
        let is_limit = total.metric == Metric::Rule.name();
        let heads = if is_limit { ["wins with  ", "losses with "] } else { ["wins in    ", "losses in  "] };
        for (head, outcome) in heads.into_iter().zip(["win", "loss"]) {
            let counts = counts(Some(outcome));
            if !counts.is_empty() {
                writeln!(out, "{head}{counts}")?;
            }
        }
        let whats = if is_limit { ["win with ", "loss with "] } else { ["win in ", "loss in "] };
        let longest = whats.into_iter().zip([&s.greatest, &s.longest_loss]);
        let longest = longest.filter_map(|(what, most)| Some(told(what, most.as_ref()?)));
        let head = if is_limit { "greatest   " } else { "longest    " };
        for (head, line) in [head, "           "].iter().zip(longest) {
            writeln!(out, "{head}{line}")?;
        }
    } else {
        if let (Some(mean), Some(deviation)) = (s.mean, s.deviation) {
            writeln!(out, "mean       {mean:.5}, deviation {deviation:.5}")?;
        }
        writeln!(out, "values     {}", counts(None))?;
        if total.metric == "grundy" {
            let many = |outcome| {
                let mut infinite =
                    s.histogram.iter().filter(|value| value.number < 0 && value.outcome == outcome);
                grouped(infinite.next().map_or(0, |value| value.positions))
            };
            writeln!(out, "infinite   {} won, {} drawn", many("win"), many("draw"))?;
        }
        if let Some(greatest) = &s.greatest {
            writeln!(out, "{}", told("greatest   ", greatest))?;
        }
    }
    if let Some(parity) = &s.parity {
        let each =
            |n: u64| format!("{} ({:.2} %)", grouped(n), 100.0 * n as f64 / parity.all().max(1) as f64);
        let zero =
            if total.unit == "plies" { String::new() } else { format!(", zero {}", each(parity.zero)) };
        writeln!(out, "odd/even   odd {}, even {}{zero}", each(parity.odd), each(parity.even))?;
    }
    if let Some(found) = &s.zugzwangs {
        write!(out, "zugzwangs  {} mutual, in {} both lose", grouped(found.all), grouped(found.both_lose))?;
        let such_as = if found.such_as.is_empty() { "" } else { "; such as " };
        writeln!(out, "{such_as}{}", found.such_as.join(", "))?;
    }
    Ok(())
}

/// The figures with one player to move, depths in moves of the winner.
fn tell_side(side: &Side, out: &mut impl Write) -> Result<(), Failure> {
    write!(
        out,
        "{:<10} {} win ({:.2} %), {} draw, {} lose",
        side.player,
        grouped(side.wins),
        100.0 * side.wins as f64 / side.positions.max(1) as f64,
        grouped(side.draws),
        grouped(side.losses)
    )?;
    if let (Some(mean), Some(presence)) = (side.mean_win, side.presence) {
        write!(out, "; a win takes {mean:.2} moves, presence {presence:.2}")?;
    }
    for (what, depth) in [("win", side.longest_win), ("loss", side.longest_loss)] {
        if let Some(Depth { moves, positions }) = depth {
            let moves = counted(moves.into(), "move");
            write!(out, "; longest {what} {moves}, {}", counted(positions, "time"))?;
        }
    }
    writeln!(out)?;
    Ok(())
}

/// Names the bad files of a game in a line of JSON; people are told of them at the end.
pub fn tell_damage(
    game: &str,
    damage: &[String],
    as_json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if as_json && !damage.is_empty() {
        writeln!(out, "{}", json!({ "game": game, "damage": damage }))?;
    }
    Ok(())
}
