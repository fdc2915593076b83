//! `endspiel db` for tables of games for one player: moves, or rolls of dice, to be done.

use super::db_words::{already, size, tell_damage};
use super::passes::Passes;
use super::{export, pointed, stop_on_interrupt};
use crate::args::{DbCommand, Format};
use crate::screen::{counted, grouped};
use crate::{End, Failure};
use endspiel_catalog::databases::{Alone, Export, SliceReport, export_alone, summary};
use endspiel_game::{Stop, TextError};
use endspiel_retro::{
    Metric, Store, Work, build_alone, check_room_alone, is_built_alone, open_alone, verify_alone,
};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Blocks of a table that a probe keeps.
const KEPT: u64 = 1 << 20;

pub fn run(
    game: &dyn Alone,
    command: &DbCommand,
    root: &Path,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let store = Store::new(root, game.name());
    let failed = |e: endspiel_retro::Error| Failure::from(endspiel_catalog::Error::from(e));
    match command {
        DbCommand::Build { slices, metric, memory, threads, plan, workers: None, hosts: None, .. } => {
            asked_for(game, slices, metric)?;
            let built = is_built_alone(game, &store).map_err(failed)?;
            tell_plan(game, &store, built, as_json, out)?;
            if built {
                // A manifest that is missing or damaged is written anew.
                if !*plan {
                    store.write_manifest().map_err(failed)?;
                }
                return Ok(End::Decided);
            }
            check_room_alone(game, &store, *memory as u64).map_err(failed)?;
            if *plan {
                return Ok(End::Decided);
            }
            out.flush()?;
            let stop = Stop::default();
            stop_on_interrupt(&stop);
            let (live, begun) = (Passes::new("build", as_json), Instant::now());
            let work = Work { threads: usize::from(*threads), stop: stop.clone(), watch: &live };
            let made = build_alone(game, &store, &work);
            live.done();
            if stop.asked() && made.is_err() {
                return Ok(End::Undecided);
            }
            let (header, digest) = made.map_err(failed)?;
            tell(game, &summary(&header, digest), as_json, out)?;
            if !as_json {
                writeln!(out, "done in {:.2} s", begun.elapsed().as_secs_f64())?;
            }
            Ok(End::Decided)
        }
        DbCommand::Probe { position, metric, .. } => {
            asked_for(game, game.slice(), metric.as_slice())?;
            let wrong = |e: TextError, text: &str| Failure::Input(pointed(&e.into(), text));
            let (mine, other) = game.rivals(position).map_err(|e| wrong(e, position))?;
            let number = game.read(mine).map_err(|e| wrong(e, mine))?;
            let against = other.map(|other| game.read(other).map_err(|e| wrong(e, other))).transpose()?;
            let reader = open_alone(game, &store, KEPT).map_err(failed)?;
            let told = |number: u64| reader.get(number);
            let (value, next) = (told(number).map_err(failed)?, game.next(number, &told).map_err(failed)?);
            let (metric, unit) = (game.metric().name(), game.metric().unit());
            let chances = game.chances(number, against);
            if as_json {
                let next: Vec<_> =
                    next.iter().map(|(what, value)| json!({"next": what, "number": value})).collect();
                let mut probe = json!({
                    "game": game.name(), "position": game.write(number), "slice": game.slice(), "index": number,
                    "metric": metric, "unit": unit, "number": value, "moves": next,
                });
                if let Some(chances) = chances {
                    probe["done"] = json!(chances.done);
                    let race = |(at, wins)| json!({ "against": game.write(at), "wins": wins });
                    probe["race"] = json!(against.zip(chances.wins).map(race));
                }
                writeln!(out, "{probe}")?;
                return Ok(End::Decided);
            }
            writeln!(out, "position  {}", game.write(number))?;
            writeln!(out, "value     {}", shown(game, value))?;
            writeln!(
                out,
                "metric    {metric} in {unit}, {}; slice {}, number {number}",
                game.name(),
                game.slice()
            )?;
            if let Some(chances) = chances {
                // Where no roll is needed, it is done before the first.
                let (done, first) = if chances.done.is_empty() { (vec![1.0], 0) } else { (chances.done, 1) };
                let done =
                    done.iter().zip(first..).map(|(chance, roll)| format!("{roll}: {}", share(*chance)));
                writeln!(out, "done by   {}", done.collect::<Vec<_>>().join(", "))?;
                if let Some((at, wins)) = against.zip(chances.wins) {
                    writeln!(out, "race      against {}: to roll, it wins {}", game.write(at), share(wins))?;
                }
            }
            if let Some(picture) = game.picture(number) {
                writeln!(out, "\n{picture}\n")?;
            }
            for (what, value) in next {
                writeln!(out, "  {what:<18} {}", shown(game, value))?;
            }
            Ok(End::Decided)
        }
        DbCommand::Export { slices, metric, every, format, out: file, .. } => {
            asked_for(game, slices, metric)?;
            let format = Format::meant(*format, file.as_deref()).map_err(Failure::Input)?;
            let asked = Export { format, metrics: &[game.metric()], every: *every, stop: Stop::default() };
            let write = |out: &mut dyn Write| export_alone(game, &store, &asked, out);
            export::run(&write, slices, &asked, file.as_deref(), as_json, out)
        }
        DbCommand::Stats { slices, metric, .. } => {
            asked_for(game, slices, metric.as_slice())?;
            let reader = open_alone(game, &store, 0).map_err(failed)?;
            let mut histogram: BTreeMap<i32, u64> = BTreeMap::new();
            let (mut sum, mut most) = (0_i64, (0, 0));
            for (at, value) in (0..).zip(reader.table().map_err(failed)?.values()) {
                let value = value.unwrap_or(0);
                *histogram.entry(value).or_default() += 1;
                sum += i64::from(value);
                most = most.max((value, at));
            }
            let mean = sum as f64 / game.size() as f64;
            let (metric, unit) = (game.metric().name(), game.metric().unit());
            if as_json {
                let counted = |(number, positions)| json!({ "number": number, "positions": positions });
                let mut greatest = histogram.last_key_value().map_or_else(|| json!({}), counted);
                greatest["such_as"] = json!([game.write(most.1)]);
                let stats = json!({
                    "game": game.name(), "slice": game.slice(), "metric": metric, "unit": unit,
                    "positions": game.size(), "mean": mean, "greatest": greatest,
                    "histogram": histogram.iter().map(counted).collect::<Vec<_>>(),
                });
                writeln!(out, "{stats}")?;
                return Ok(End::Decided);
            }
            writeln!(out, "slice      {} ({metric} in {unit}, {})", game.slice(), game.name())?;
            writeln!(out, "positions  {}", grouped(game.size()))?;
            let rolls = game.metric() == Metric::Rolls;
            writeln!(
                out,
                "mean       {}",
                if rolls { format!("{:.3} rolls", mean / 1e3) } else { format!("{mean:.3}") }
            )?;
            writeln!(out, "greatest   {}, such as {}", shown(game, most.0), game.write(most.1))?;
            // Rolls have as many values as there are homes.
            if game.metric() == Metric::Moves {
                let counts: Vec<_> =
                    histogram.iter().map(|(value, many)| format!("{value}:{many}")).collect();
                writeln!(out, "values     {}", counts.join(" "))?;
            }
            Ok(End::Decided)
        }
        DbCommand::Verify { slices, every, memory, threads, .. } => {
            slices.iter().try_for_each(|slices| asked_for(game, slices, &[]))?;
            let (live, begun) = (Passes::new("verify", as_json), Instant::now());
            let work = Work { threads: usize::from(*threads), stop: Stop::default(), watch: &live };
            let found = verify_alone(game, &store, (*every, *memory as u64), &work);
            live.done();
            let (values, seconds) = (found.map_err(failed)?, begun.elapsed().as_secs_f64());
            if as_json {
                writeln!(out, "{}", json!({ "files": 1, "values": values, "seconds": seconds }))?;
            } else {
                let values = counted(values, "value");
                writeln!(
                    out,
                    "{}: 1 file, every checksum right; {values} follow from their successors, {seconds:.2} s",
                    game.name()
                )?;
            }
            Ok(End::Decided)
        }
        DbCommand::List { .. } => {
            let (found, damage) = list(game, root, as_json, out)?;
            if !damage.is_empty() {
                return Err(Failure::Input(damage.join("\n")));
            }
            if found {
                return Ok(End::Decided);
            }
            let what = format!("there is no table of {} in {}; build it first", game.name(), root.display());
            Err(Failure::Input(what))
        }
        _ => Err(Failure::Input(format!(
            "{} is a table for one player: it can be built by one process, probed, counted, exported, verified and listed",
            game.name()
        ))),
    }
}

/// Tells what is there: whether it is anything, and what is wrong with files.
pub fn list(
    game: &dyn Alone,
    root: &Path,
    as_json: bool,
    out: &mut impl Write,
) -> Result<(bool, Vec<String>), Failure> {
    let files = Store::new(root, game.name()).list_each();
    let files = files.map_err(|e| Failure::from(endspiel_catalog::Error::from(e)))?;
    for reader in &files.full {
        tell(game, &summary(reader.header(), reader.digest()), as_json, out)?;
    }
    let damage: Vec<String> = files.damage.iter().map(ToString::to_string).collect();
    tell_damage(game.name(), &damage, as_json, out)?;
    Ok((!files.full.is_empty(), damage))
}

/// The table has one slice and tells one thing.
fn asked_for(game: &dyn Alone, slices: &str, metrics: &[Metric]) -> Result<(), Failure> {
    if ![game.slice(), ""].contains(&slices.trim()) {
        let what = format!("{} has one slice, {}: {}", game.name(), game.slice(), game.summary());
        return Err(Failure::Input(what));
    }
    match metrics.iter().find(|metric| **metric != game.metric()) {
        Some(other) => {
            let has = game.metric().name().into();
            Err(endspiel_catalog::Error::UnknownMetric(other.name().into(), game.name(), has).into())
        }
        None => Ok(()),
    }
}

/// A chance for people.
fn share(chance: f64) -> String {
    format!("{:.2} %", 100.0 * chance)
}

/// A value for people.
fn shown(game: &dyn Alone, value: i32) -> String {
    match (game.metric(), value) {
        (Metric::Rolls, _) => format!("{:.3} rolls", f64::from(value) / 1e3),
        (_, 1) => "1 move".into(),
        _ => format!("{value} moves"),
    }
}

fn tell_plan(
    game: &dyn Alone,
    store: &Store,
    built: bool,
    as_json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (memory, disk) = (game.solving_bytes(), 2 * game.size() + 4096);
    if as_json {
        let plan = json!({
            "game": game.name(), "metric": game.metric().name(), "dir": store.dir(), "positions": game.size(),
            "done": built, "memory": memory, "disk": disk,
        });
        writeln!(out, "{}", json!({ "plan": plan }))?;
        return Ok(());
    }
    writeln!(out, "{}, {}, in {}", game.name(), game.metric().name(), store.dir().display())?;
    let (open, there) = if built { (0, 1) } else { (1, 0) };
    let positions = counted(open * game.size(), "position");
    writeln!(out, "plan  {}, {positions}; {}", counted(open, "slice"), already(there))?;
    if !built {
        writeln!(out, "      at most {} of memory and {} on the disk", size(memory), size(disk))?;
    }
    Ok(())
}

fn tell(game: &dyn Alone, slice: &SliceReport, as_json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if as_json {
        let line = json!({
            "game": game.name(), "slice": slice.slice, "metric": slice.metric, "unit": slice.unit,
            "positions": slice.positions, "bytes": slice.bytes, "xxh3": slice.xxh3,
        });
        writeln!(out, "{line}")?;
    } else {
        let (positions, bytes) = (grouped(slice.positions), size(slice.bytes));
        writeln!(
            out,
            "{} {} {} in {}: {positions} positions; {bytes} ({})",
            game.name(),
            slice.slice,
            slice.metric,
            slice.unit,
            slice.xxh3
        )?;
    }
    Ok(())
}
