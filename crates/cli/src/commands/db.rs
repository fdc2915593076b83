//! `endspiel db`: endgame databases are planned, built, asked, counted and verified.

use super::{export, pointed, probes, slips, stop_on_interrupt};
use crate::args::{DbCommand, Format, Metric};
use crate::screen::{Ink, complain, counted, grouped, plies, short};
use crate::{End, Failure};
use endspiel_catalog::databases::{
    ALONE, Cluster, Count, Databases, Depth, Export, Extreme, Forecast, Frequency, LineRequest, MoveValue,
    PlanReport, PredictRequest, ProbeReport, Side, SliceReport, StatsReport, Traffic, WITH_DATABASES,
    Workers, alone, databases,
};
use endspiel_game::Stop;
use endspiel_retro::{Pass, Watch};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::fs::File;
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// The time is foretold for so many positions or more.
const LONG: u64 = 1_000_000;

pub fn run(
    command: &DbCommand,
    dir: Option<&Path>,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let root = dir.map_or_else(usual_dir, Into::into);
    if let Some(game) = command.game().and_then(alone) {
        return super::alone::run(game, command, &root, as_json, out);
    }
    let open = |game: &str| databases(game, &root).map_err(|e| Failure::Input(pointed(&e, game)));
    if let DbCommand::Build { game, slices, .. }
    | DbCommand::Stats { game, slices, .. }
    | DbCommand::Export { game, slices, .. } = command
        && slices.trim().is_empty()
        && let store = open(game)?
        && store.needs_slices()
    {
        let name = store.game();
        let name = name.split(':').next().unwrap_or("");
        return Err(Failure::Input(format!("no slices of {game} are named: {}", slices_of(name))));
    }
    // What is meant; the game has it.
    let metrics = |store: &dyn Databases, asked: &[Metric]| -> Result<Vec<_>, Failure> {
        let mut meant = Vec::new();
        for metric in asked.iter().copied().map(Metric::meant) {
            if !meant.contains(&metric) {
                meant.push(metric);
            }
        }
        meant.iter().try_for_each(|&metric| store.has(metric))?;
        Ok(if meant.is_empty() { vec![store.usual_metric()] } else { meant })
    };
    let metric = |store: &dyn Databases, asked: Option<Metric>| -> Result<_, Failure> {
        Ok(metrics(store, asked.as_slice())?[0])
    };
    match command {
        DbCommand::Build {
            game,
            slices,
            metric: asked,
            memory,
            threads,
            plan,
            workers,
            hosts,
            process,
            patience,
        } => {
            let store = open(game)?;
            let cluster = match (workers, hosts) {
                (None, None) => None,
                _ => Some(Cluster {
                    workers: workers.map_or(1, usize::from),
                    process: process.unwrap_or(0),
                    hosts: hosts.as_deref().map_or_else(|| Ok(Vec::new()), read_hosts)?,
                    patience: *patience,
                }),
            };
            let mut metrics = metrics(&*store, asked)?;
            // What can be made out of the files of others comes after them.
            metrics.sort_by_key(|metric| match metric {
                endspiel_retro::Metric::Value => 2,
                endspiel_retro::Metric::Zeroing50 => 1,
                _ => 0,
            });
            for metric in metrics {
                let planned = store.plan(slices, metric, *memory as u64, cluster.as_ref());
                let planned = planned.map_err(|e| Failure::Input(pointed(&e, slices)))?;
                tell_plan(&planned, as_json, out)?;
                let open = planned.steps.iter().filter(|step| !step.done && step.from.is_none());
                if cluster.is_none() && open.map(|step| step.size).sum::<u64>() > LONG {
                    let with = Workers { threads: usize::from(*threads), stop: Stop::default(), watch: &() };
                    let foretold = store.forecast(slices, metric, *memory as u64, &with)?;
                    tell_forecast(foretold.as_ref(), as_json, out)?;
                }
                if *plan {
                    continue;
                }
                out.flush()?;
                let told = planned.steps.iter().any(|step| !step.done);
                let by =
                    cluster.as_ref().map_or(By::Threads(usize::from(*threads), *memory as u64), By::Cluster);
                if make(&*store, slices, metric, by, told, as_json, out)? != End::Decided {
                    return Ok(End::Undecided);
                }
            }
            Ok(End::Decided)
        }
        DbCommand::Probe { game, position, metric: asked } => {
            let store = open(game)?;
            let mut found = Vec::new();
            for metric in metrics(&*store, asked)? {
                let told = store.probe(position, metric);
                found.push(told.map_err(|e| Failure::Input(pointed(&e, position)))?);
            }
            if let [only] = &found[..] {
                return tell_probe(only, false, as_json, out);
            }
            probes::tell(&found, as_json, out)
        }
        DbCommand::Line { game, position, plies, metric: asked, strategy, against, clock } => {
            let store = open(game)?;
            let strategies = [strategy.clone(), against.clone()];
            let line = LineRequest { plies: *plies, strategies, clock: *clock };
            let found = store.line(position, metric(&*store, *asked)?, &line);
            let found = found.map_err(|e| Failure::Input(pointed(&e, position)))?;
            tell_probe(&found, true, as_json, out)
        }
        DbCommand::Slips { game, position, moves, metric: asked } => {
            let store = open(game)?;
            let (position, metric) = (position.as_deref(), metric(&*store, *asked)?);
            // First without moves, so that an error points into the right text.
            if let Err(e @ endspiel_catalog::Error::Text(_)) = store.slips(position, "", metric) {
                return Err(Failure::Input(pointed(&e, position.unwrap_or_default())));
            }
            let found = store.slips(position, moves, metric);
            slips::tell(&found.map_err(|e| Failure::Input(pointed(&e, moves)))?, as_json, out)
        }
        DbCommand::Stats { game, slices, metric: asked } => {
            let store = open(game)?;
            let stop = Stop::default();
            stop_on_interrupt(&stop);
            let found = store.stats(slices, metric(&*store, *asked)?, &stop);
            if stop.asked() && found.is_err() {
                return Ok(End::Undecided);
            }
            for stats in found.map_err(|e| Failure::Input(pointed(&e, slices)))? {
                tell_stats(&stats, as_json, out)?;
            }
            Ok(End::Decided)
        }
        DbCommand::Export { game, slices, metric: asked, every, format, out: file } => {
            let store = open(game)?;
            let metrics = metrics(&*store, asked)?;
            let format = Format::meant(*format, file.as_deref()).map_err(Failure::Input)?;
            let asked = Export { format, metrics: &metrics, every: *every, stop: Stop::default() };
            let write = |out: &mut dyn Write| store.export(slices, &asked, out);
            export::run(&write, slices, &asked, file.as_deref(), as_json, out)
        }
        DbCommand::Pack { game, slices, memory, threads } => {
            let store = open(game)?;
            pack(&*store, slices, *memory as u64, usize::from(*threads), as_json, out)
        }
        DbCommand::Verify { game, slices, every, memory, threads } => {
            let store = open(game)?;
            let stop = Stop::default();
            stop_on_interrupt(&stop);
            let live = Passes::new("verify", as_json);
            let with = Workers { threads: (*threads).into(), stop: stop.clone(), watch: &live };
            let found = store.verify(slices.as_deref(), (*every, *memory as u64), &with);
            live.done();
            if stop.asked() && found.is_err() {
                complain("stopped before everything was checked");
                return Ok(End::Undecided);
            }
            let found =
                found.map_err(|e| Failure::Input(pointed(&e, slices.as_deref().unwrap_or_default())))?;
            if as_json {
                writeln!(out, "{}", serde_json::to_value(&found).map_err(std::io::Error::from)?)?;
            }
            if !found.damage.is_empty() {
                return Err(Failure::Input(found.damage.join("\n")));
            }
            if !as_json {
                writeln!(
                    out,
                    "{}: {}, every checksum right; {} follow from their successors, {:.2} s",
                    store.game(),
                    counted(found.files as u64, "file"),
                    counted(found.values, "value"),
                    found.seconds
                )?;
                if found.compared > 0 {
                    writeln!(out, "{} agree with those of other metrics", counted(found.compared, "value"))?;
                }
                if found.in_parts > 0 {
                    let many = counted(found.in_parts as u64, "slice");
                    writeln!(out, "{many} larger than memory solved anew from files, in parts")?;
                }
            }
            Ok(End::Decided)
        }
        DbCommand::Predict { game, slice, competence, moves, conceding, matrix, metric: asked, threads } => {
            let store = open(game)?;
            let live = Passes::new("predict", as_json);
            let with = Workers { threads: (*threads).into(), stop: Stop::default(), watch: &live };
            let request = PredictRequest {
                competences: competence.clone(),
                keeps: !conceding,
                moves: (*moves).into(),
                matrix: *matrix,
            };
            let found = store.predict(slice, metric(&*store, *asked)?, &request, &with);
            live.done();
            for prediction in found.map_err(|e| Failure::Input(pointed(&e, slice)))? {
                slips::tell_prediction(&prediction, as_json, out)?;
            }
            Ok(End::Decided)
        }
        DbCommand::List { game } => {
            let games: Vec<&str> = game.as_deref().map_or_else(|| WITH_DATABASES.to_vec(), |g| vec![g]);
            let mut found = false;
            for game in games {
                let store = open(game)?;
                for slice in store.list()? {
                    found = true;
                    tell_slice(&store.game(), &slice, as_json, out)?;
                }
            }
            if game.is_none() {
                for game in ALONE {
                    found |= super::alone::list(*game, &root, as_json, out)?;
                }
            }
            if found {
                return Ok(End::Decided);
            }
            let what = game.as_deref().map_or_else(String::new, |game| format!(" of {game}"));
            Err(Failure::Input(format!(
                "there are no databases{what} in {}; build some first",
                root.display()
            )))
        }
    }
}

/// Where databases are kept for this user when nothing else is said.
pub fn usual_dir() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    set("XDG_DATA_HOME")
        .or_else(|| set("LOCALAPPDATA"))
        .or_else(|| set("HOME").map(|home| home.join(".local/share")))
        .unwrap_or_else(|| ".".into())
        .join("endspiel/databases")
}

/// Bytes for people.
pub fn size(bytes: u64) -> String {
    if bytes < 1 << 20 {
        format!("{} bytes", grouped(bytes))
    } else {
        format!("{} MiB", grouped(bytes >> 20))
    }
}

/// How slices of a game are named.
fn slices_of(game: &str) -> &'static str {
    match game {
        "awari" => "it has them by stones, such as 12 or 0-20",
        "checkers" => "it has them by material, such as 2K1C-1K, or by pieces, such as 2-4",
        "chess" => "it has them by material, such as KQKR, or by men, such as 3-4",
        "nine-mens-morris" => "it has them by the men of both, such as 4-3, or all",
        "shogi" => {
            "it has them by the pieces beside the kings, such as G or PP, or by their number, such as 1"
        }
        "virus" | "wythoff" => "it has one, all",
        "xiangqi" => "it has them by material, such as KNPKGM",
        _ => "a slice or a range of slices must be given",
    }
}

/// So many slices need not be built.
pub fn already(many: usize) -> String {
    if many == 1 { "1 is there already".into() } else { format!("{many} are there already") }
}

fn tell_plan(plan: &PlanReport, as_json: bool, out: &mut impl Write) -> Result<(), Failure> {
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
fn tell_forecast(foretold: Option<&Forecast>, as_json: bool, out: &mut impl Write) -> Result<(), Failure> {
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

/// Reads the addresses of a cluster's processes.
fn read_hosts(path: &Path) -> Result<Vec<String>, Failure> {
    // No list of hosts is longer, and some files have no end.
    const LONGEST: u64 = 1 << 20;
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text));
    let read = read.map_err(|e| Failure::Input(format!("{}: {e}", path.display())))?;
    if read as u64 > LONGEST {
        let what = format!("{}: this is no list of hosts: it has more than a mebibyte", path.display());
        return Err(Failure::Input(what));
    }
    Cluster::read_hosts(&text).map_err(|e| Failure::Input(format!("{}: {e}", path.display())))
}

/// Who builds.
#[derive(Clone, Copy)]
enum By<'a> {
    /// So many threads of this process, in so much memory.
    Threads(usize, u64),
    /// Workers who share the numbers.
    Cluster(&'a Cluster),
}

fn make(
    store: &dyn Databases,
    slices: &str,
    metric: endspiel_retro::Metric,
    by: By<'_>,
    told: bool,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let stop = Stop::default();
    stop_on_interrupt(&stop);
    let live = Passes::new("build", as_json);
    let threads = if let By::Threads(threads, _) = by { threads } else { 1 };
    let with = Workers { threads, stop: stop.clone(), watch: &live };
    let begun = Instant::now();
    let mut unwritten = Ok(());
    let mut told_slice = |slice: &SliceReport| {
        live.slice_done();
        if unwritten.is_ok() {
            unwritten = tell_slice(&store.game(), slice, as_json, out);
        }
    };
    let mut sent = None;
    let built = match by {
        By::Threads(_, memory) => store.build_within(slices, metric, memory, &with, &mut told_slice),
        By::Cluster(cluster) => {
            let built = store.build_together(slices, metric, (cluster, &with), &mut told_slice);
            built.map(|traffic| sent = Some(traffic))
        }
    };
    live.done();
    unwritten?;
    if stop.asked() && built.is_err() {
        if !as_json {
            writeln!(out, "stopped; what is finished stays, and the next build goes on from there")?;
        }
        return Ok(End::Undecided);
    }
    built?;
    if let Some(sent) = sent.filter(|sent| sent.positions > 0) {
        tell_traffic(&sent, as_json, out)?;
    }
    if told && !as_json {
        writeln!(out, "done in {:.2} s", begun.elapsed().as_secs_f64())?;
    }
    Ok(End::Decided)
}

/// What the workers of this process sent.
fn tell_traffic(sent: &Traffic, as_json: bool, out: &mut impl Write) -> Result<(), Failure> {
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

/// Makes small files.
fn pack(
    store: &dyn Databases,
    slices: &str,
    memory: u64,
    threads: usize,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let planned = store.plan_pack(slices, memory, threads);
    let planned = planned.map_err(|e| Failure::Input(pointed(&e, slices)))?;
    if planned.steps.iter().any(|step| !step.done) {
        tell_plan(&planned, as_json, out)?;
        out.flush()?;
    }
    let stop = Stop::default();
    stop_on_interrupt(&stop);
    let live = Passes::new("pack", as_json);
    let with = Workers { threads, stop: stop.clone(), watch: &live };
    let (mut unwritten, mut positions, mut bytes) = (Ok(()), 0, 0);
    let packed = store.pack(slices, memory, &with, &mut |slice| {
        live.slice_done();
        (positions, bytes) = (positions + slice.positions, bytes + slice.bytes);
        if unwritten.is_ok() {
            unwritten = tell_slice(&store.game(), slice, as_json, out);
        }
    });
    live.done();
    unwritten?;
    if stop.asked() && packed.is_err() {
        complain("stopped; what is finished stays, and the next run goes on from there");
        return Ok(End::Undecided);
    }
    packed.map_err(|e| Failure::Input(pointed(&e, slices)))?;
    if !as_json && bytes == 0 {
        writeln!(out, "all small files are there already")?;
    } else if !as_json {
        let dense = positions as f64 / bytes as f64;
        writeln!(out, "{} in {}, {dense:.1} a byte", counted(positions, "position"), size(bytes))?;
    }
    Ok(End::Decided)
}

fn tell_slice(game: &str, s: &SliceReport, as_json: bool, out: &mut impl Write) -> Result<(), Failure> {
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

fn tell_probe(p: &ProbeReport, line: bool, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
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
        writeln!(
            out,
            "count     after {} without a capture or pawn move, {told}",
            plies(count.plies.into())
        )?;
    }
    for (i, m) in p.moves.iter().enumerate() {
        let value = ink.value(Some(&m.outcome), &valued_move(p, m));
        let ply = if line { format!("{:>3}. ", i + 1) } else { "  ".into() };
        let critical = m.critical.map_or_else(String::new, |what| ink.faint(&format!("  {what}")));
        writeln!(out, "{ply}{:<8} {value}{critical}", m.r#move)?;
    }
    if p.claimed {
        writeln!(out, "     a draw by the fifty-move rule may be claimed")?;
    }
    Ok(End::Decided)
}

/// What a count of moves means for a win.
pub fn in_time(metric: &str, count: Count) -> &'static str {
    match count.in_time {
        Some(true) => "the win is in time",
        Some(false) => "the win is too late: a draw can be claimed",
        None if metric == "dtz50" => "the win may be a ply too late",
        None => "dtz50 tells whether the win is in time",
    }
}

/// An outcome with its number, by the metric.
pub fn valued(metric: &str, outcome: &str, n: i32) -> String {
    match (metric, outcome) {
        ("score", _) => format!("{outcome} {n:+}"),
        ("wdl" | "wdl50" | "grundy", _) | (_, "draw") => outcome.into(),
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

fn tell_stats(s: &StatsReport, as_json: bool, out: &mut impl Write) -> Result<(), Failure> {
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
        for (head, outcome) in [("wins in    ", "win"), ("losses in  ", "loss")] {
            let counts = counts(Some(outcome));
            if !counts.is_empty() {
                writeln!(out, "{head}{counts}")?;
            }
        }
        let longest = [("win in ", &s.greatest), ("loss in ", &s.longest_loss)];
        let longest = longest.iter().filter_map(|(what, most)| Some(told(what, most.as_ref()?)));
        for (head, line) in ["longest    ", "           "].iter().zip(longest) {
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

/// The passes of a job: a line on a terminal, JSON lines on standard error with `--json`.
pub struct Passes {
    job: &'static str,
    bar: Option<ProgressBar>,
    json: bool,
    slices: Mutex<u32>,
}

impl Passes {
    /// Of this job.
    pub fn new(job: &'static str, json: bool) -> Self {
        let bar = (!json && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::no_length();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        Self { job, bar, json, slices: Mutex::new(0) }
    }

    fn slice_done(&self) {
        if let Ok(mut slices) = self.slices.lock() {
            *slices += 1;
        }
    }

    /// The job is done.
    pub fn done(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Watch for Passes {
    fn pass(&self, pass: &Pass) {
        let seconds = pass.elapsed.as_secs_f64().max(1e-3);
        let rate = pass.done as f64 / seconds;
        let left = if rate > 0.0 { (pass.of - pass.done) as f64 / rate } else { 0.0 };
        let slices = self.slices.lock().map_or(0, |s| *s);
        if self.json {
            let line = json!({
                "job": self.job, "slices_done": slices, "doing": pass.doing, "pass": pass.pass,
                "done": pass.done, "of": pass.of, "per_second": rate.round(), "seconds_left": left,
                "changed": pass.changed,
            });
            // Progress is a courtesy: a closed standard error must not stop the work.
            let _ = writeln!(std::io::stderr(), "{line}");
        } else if let Some(bar) = &self.bar {
            let changed = pass.changed.map_or_else(String::new, |n| format!(", {} changed", grouped(n)));
            bar.set_message(format!(
                "{}, {} done; {}, pass {}{changed}: {:.0} %, {}/s, {left:.0} s left",
                self.job,
                counted(slices.into(), "slice"),
                pass.doing,
                pass.pass,
                100.0 * pass.done as f64 / pass.of.max(1) as f64,
                short(rate)
            ));
            bar.tick();
        }
    }
}
