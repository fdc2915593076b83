//! Solves endings in memory and prints their figures. Chess: how many positions have the greatest depth, in moves of the
//! winner. Checkers: for each side to move the longest win and loss in plies, and how many positions are won, lost and
//! drawn. Shogi: the positions won, drawn and lost by who is to move, the longest win in plies, and how many draws with one
//! piece rest on perpetual check. Nine men's morris, awari, virus games and wythoff: how many are won, drawn and lost. Beside each its positions, the
//! seconds of this process's threads and the microseconds a position.
//! `cargo run --release -p endspiel-expertise --example endings -- chess dtc 3-4`, or `-- checkers dtm 2-4`,
//! `-- nine-mens-morris dtm 5-3`, `-- awari score 0-15`, `-- shogi dtm 1`, `-- virus:p=7,regular=3 grundy all`.

use endspiel_expertise::awari::Levels;
use endspiel_expertise::nine_mens_morris::Subspaces;
use endspiel_expertise::virus::Infections;
use endspiel_expertise::wythoff::Pairs;
use endspiel_expertise::{checkers, chess, shogi};
use endspiel_game::Game;
use endspiel_retro::{Indexed, Job, Known, Metric, Pass, Stage, Table, Watch, Work, closure};
use endspiel_rules::awari::Awari;
use endspiel_rules::shogi::Shape;
use endspiel_rules::virus::Virus;
use endspiel_rules::wythoff::Wythoff;
use std::sync::{Arc, Mutex};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [game, name, slices] = &words[..] else {
        return Err("a game, a metric and slices are wanted, such as chess dtc 3-4".into());
    };
    let metric = Metric::named(name);
    let metric = metric.ok_or_else(|| format!("'{name}' is no metric"))?;
    let (game, variant) = game.split_once(':').unwrap_or((game, ""));
    match game {
        "chess" => solve(&chess::Endings::new(), metric, slices, |game, slice, table| {
            println!("{} {}", slice.name(), game.depths(slice, table));
        }),
        "checkers" => solve(&checkers::Endings::new(), metric, slices, |game, slice, table| {
            for (name, figures) in game.figures(slice, table) {
                println!("{name} {figures}");
            }
        }),
        "shogi" => solve(&shogi::Endings::new(Shape::Standard), metric, slices, |game, slice, table| {
            let positions = (0..).zip(table.values()).filter(|&(i, _)| game.position(slice, i).is_some());
            let (mut counts, mut longest) = ([0_u64; 3], 0);
            for value in positions.filter_map(|(_, value)| value) {
                counts[(1 - value.signum()) as usize] += 1;
                longest = longest.max(value);
            }
            let checks =
                game.held_by_checks(slice, table).map_or(String::new(), |n| format!(", {n} by checks"));
            let [won, drawn, lost] = counts;
            println!("{}: {won} won, {drawn} drawn{checks}, {lost} lost, longest {longest}", slice.name());
        }),
        "nine-mens-morris" => solve(&Subspaces::new(), metric, slices, outcomes),
        "awari" => solve(&Levels::new(Awari::default()), metric, slices, outcomes),
        "virus" => solve(&Infections::new(&Virus::from_variant(variant)?), metric, slices, outcomes),
        "wythoff" => solve(&Pairs::new(&Wythoff::from_variant(variant)?), metric, slices, outcomes),
        other => {
            let known = "chess, checkers, shogi, nine-mens-morris, awari, virus or wythoff";
            Err(format!("'{other}' is not {known}").into())
        }
    }
}

fn outcomes<I: Indexed>(game: &I, slice: I::Slice, table: &Table) {
    let mut counts = [0_u64; 3];
    table.values().flatten().for_each(|value| counts[(1 - value.signum()) as usize] += 1);
    let [won, drawn, lost] = counts;
    println!("{} {won} won, {drawn} drawn, {lost} lost", game.slice_name(slice));
}

/// The time of all threads on the processor, where the system tells it: hundredths of a second since the start.
fn processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let user = text.rsplit(')').next()?.split_whitespace().nth(11)?;
    user.parse().ok().map(|ticks: f64| ticks / 100.0)
}

fn solve<I: Indexed>(
    game: &I,
    metric: Metric,
    slices: &str,
    tell: impl Fn(&I, I::Slice, &Table),
) -> Result<(), Box<dyn std::error::Error>> {
    let slices = game.read_slices(slices)?;
    let (mut known, passes, begun) = (Known::default(), Passes::default(), Instant::now());
    let work = Work { watch: &passes, ..Work::default() };
    for slice in closure(game, &slices) {
        let (now, before) = (Instant::now(), processor());
        let solved = game.solve(&Job { slice, metric, known: &known, work: &work });
        let table = solved.map_err(|_| "stopped")?;
        let used =
            processor().zip(before).map_or(now.elapsed().as_secs_f64(), |(after, before)| after - before);
        tell(game, slice, &table);
        let size = game.size(slice);
        if let Some((many, seconds)) = passes.take() {
            let rate = many as f64 * size as f64 / seconds.max(0.01) / 1e6;
            eprintln!("  {many} passes over values: {rate:.1} million updates a second of the processor");
        }
        eprintln!("{} {size} {used:.2} s {:.3} us", game.slice_name(slice), 1e6 * used / size as f64);
        known.insert(slice, Arc::new(table));
    }
    eprintln!("{:.2} s{}", begun.elapsed().as_secs_f64(), most_memory().unwrap_or_default());
    Ok(())
}

/// Counts the passes of value iteration after the first, and the time on the processor when they began.
#[derive(Default)]
struct Passes(Mutex<(u32, Option<f64>)>);

impl Passes {
    /// The passes and their seconds, if there were any; forgets them.
    fn take(&self) -> Option<(u32, f64)> {
        let (many, begun) = std::mem::take(&mut *self.0.lock().ok()?);
        Some((many, processor()? - begun?))
    }
}

impl Watch for Passes {
    fn begun(&self, stage: &Stage) {
        if stage.doing != "values" {
            return;
        }
        if let Ok(mut counted) = self.0.lock() {
            counted.0 += 1;
            counted.1 = counted.1.or_else(processor);
        }
    }

    fn pass(&self, _: &Pass) {}
}

/// The most memory that was used, where the system tells it.
fn most_memory() -> Option<String> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(format!(", {} of memory at most", line.trim()))
}
