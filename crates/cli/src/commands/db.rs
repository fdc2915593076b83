//! `endspiel db`: endgame databases are planned, built, asked, counted and verified.

use super::db_words::{
    size, tell_damage, tell_forecast, tell_plan, tell_probe, tell_slice, tell_stats, tell_traffic,
};
use super::passes::Passes;
use super::{export, pointed, probes, slips, stop_on_interrupt};
use crate::args::{DbCommand, Format};
use crate::screen::{complain, counted};
use crate::{End, Failure};
use endspiel_catalog::databases::{
    ALONE, Cluster, Databases, Export, LineRequest, PredictRequest, SliceReport, Workers, all_databases,
    alone, databases,
};
use endspiel_game::Stop;
use endspiel_retro::Metric;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
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
    | DbCommand::Pack { game, slices, .. }
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
        for metric in asked.iter().copied() {
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
            if let Some(cluster) = &cluster {
                let shared = metrics.iter().try_for_each(|&metric| Cluster::serves(metric));
                shared.and_then(|()| cluster.check()).map_err(|e| Failure::Input(e.to_string()))?;
            }
            // What can be made out of the files of others comes after them.
            metrics.sort_by_key(|metric| match metric {
                Metric::Value => 2,
                Metric::ZeroingWithin(_) => 1,
                _ => 0,
            });
            // One metric alone is refused by its plan below.
            if metrics.len() > 1
                && let refused = store.refused(slices, &metrics, *memory as u64, cluster.as_ref())
                && let Some(planned) = refused.map_err(|e| Failure::Input(pointed(&e, slices)))?
            {
                tell_plan(&planned, as_json, out)?;
                return Err(Failure::Input(planned.refused.unwrap_or_default()));
            }
            for metric in metrics {
                let planned = store.plan(slices, metric, *memory as u64, cluster.as_ref());
                let planned = planned.map_err(|e| Failure::Input(pointed(&e, slices)))?;
                tell_plan(&planned, as_json, out)?;
                if let Some(why) = planned.refused {
                    return Err(Failure::Input(why));
                }
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
        DbCommand::Pack { game, slices, metric: asked, memory, threads } => {
            let store = open(game)?;
            let asked = if asked.is_empty() { vec![Metric::Value] } else { metrics(&*store, asked)? };
            let room = (*memory as u64, usize::from(*threads));
            if asked.len() > 1 {
                // One alone is refused below.
                for &metric in &asked {
                    let planned = store.plan_pack(slices, metric, room.0, room.1);
                    let planned = planned.map_err(|e| Failure::Input(pointed(&e, slices)))?;
                    planned.refused.map_or(Ok(()), |why| Err(Failure::Input(why)))?;
                }
            }
            for metric in asked {
                if pack(&*store, slices, metric, room, as_json, out)? != End::Decided {
                    return Ok(End::Undecided);
                }
            }
            Ok(End::Decided)
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
            let stores = match game {
                Some(game) => vec![open(game)?],
                None => all_databases(&root),
            };
            let (mut found, mut damage) = (false, Vec::new());
            for store in stores {
                let (slices, damaged) = store.list_each()?;
                for slice in &slices {
                    tell_slice(&store.game(), slice, as_json, out)?;
                }
                tell_damage(&store.game(), &damaged, as_json, out)?;
                found |= !slices.is_empty();
                damage.extend(damaged);
            }
            if game.is_none() {
                for game in ALONE {
                    let (some, damaged) = super::alone::list(*game, &root, as_json, out)?;
                    found |= some;
                    damage.extend(damaged);
                }
            }
            if !damage.is_empty() {
                return Err(Failure::Input(damage.join("\n")));
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
    metric: Metric,
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

/// Makes small files.
fn pack(
    store: &dyn Databases,
    slices: &str,
    metric: Metric,
    (memory, threads): (u64, usize),
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let planned = store.plan_pack(slices, metric, memory, threads);
    let planned = planned.map_err(|e| Failure::Input(pointed(&e, slices)))?;
    if planned.steps.iter().any(|step| !step.done) {
        tell_plan(&planned, as_json, out)?;
        out.flush()?;
    }
    if let Some(why) = planned.refused {
        return Err(Failure::Input(why));
    }
    let stop = Stop::default();
    stop_on_interrupt(&stop);
    let live = Passes::new("pack", as_json);
    let with = Workers { threads, stop: stop.clone(), watch: &live };
    let (mut unwritten, mut positions, mut bytes) = (Ok(()), 0, 0);
    let packed = store.pack(slices, metric, memory, &with, &mut |slice| {
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
