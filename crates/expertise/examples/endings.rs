//! Solves endings in memory and prints their figures. Chess: how many positions have the greatest depth, in moves of the
//! winner. Checkers: for each side to move the longest win and loss in plies, and how many positions are won, lost and
//! drawn. Shogi: the positions won, drawn and lost by who is to move, the longest win in plies, and how many draws with one piece rest
//! on perpetual check. `cargo run --release -p endspiel-expertise --example endings -- chess dtc 3-4`, or `-- checkers dtm 2-4`, or `-- shogi dtm 1`.

use endspiel_expertise::{checkers, chess, shogi};
use endspiel_retro::{Indexed, Job, Known, Metric, Table, Work, closure};
use endspiel_rules::shogi::Shape;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [game, name, slices] = &words[..] else {
        return Err("a game, a metric and slices are wanted, such as chess dtc 3-4".into());
    };
    let metric = Metric::ALL.into_iter().find(|m| m.name() == name);
    let metric = metric.ok_or_else(|| format!("'{name}' is no metric"))?;
    match &**game {
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
        other => Err(format!("'{other}' is none of chess, checkers and shogi").into()),
    }
}

fn solve<I: Indexed>(
    game: &I,
    metric: Metric,
    slices: &str,
    tell: impl Fn(&I, I::Slice, &Table),
) -> Result<(), Box<dyn std::error::Error>> {
    let slices = game.read_slices(slices)?;
    let (mut known, work, begun) = (Known::default(), Work::default(), Instant::now());
    for slice in closure(game, &slices) {
        let now = Instant::now();
        let solved = game.solve(&Job { slice, metric, known: &known, work: &work });
        let table = solved.map_err(|_| "stopped")?;
        tell(game, slice, &table);
        eprintln!("{} {:.2} s", game.slice_name(slice), now.elapsed().as_secs_f64());
        known.insert(slice, Arc::new(table));
    }
    eprintln!("{:.2} s", begun.elapsed().as_secs_f64());
    Ok(())
}
