//! Solves endings of chess in memory and prints how many positions have the greatest depth, in moves of the winner:
//! `cargo run --release -p endspiel-expertise --example endings -- dtc 3-4`.

use endspiel_expertise::chess::Endings;
use endspiel_retro::{Indexed, Job, Known, Metric, Work, closure};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "dtm".into());
    let slices = words.next().unwrap_or_else(|| "3".into());
    let Some(metric) = Metric::ALL.into_iter().find(|m| m.name() == name) else {
        eprintln!("'{name}' is no metric");
        std::process::exit(2);
    };
    let endings = Endings::new();
    let slices = endings.read_slices(&slices).unwrap_or_else(|e| {
        eprintln!("{e}");
        std::process::exit(2);
    });
    let (mut known, work, begun) = (Known::default(), Work::default(), Instant::now());
    for slice in closure(&endings, &slices) {
        let now = Instant::now();
        let Ok(table) = endings.solve(&Job { slice, metric, known: &known, work: &work }) else { return };
        let seconds = now.elapsed().as_secs_f64();
        println!("{} {} {seconds:.2} s", slice.name(), endings.depths(slice, &table));
        known.insert(slice, Arc::new(table));
    }
    println!("{:.2} s", begun.elapsed().as_secs_f64());
}
