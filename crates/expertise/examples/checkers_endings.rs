//! Solves endings of checkers in memory and prints, for each side to move, the longest win and loss in plies and how many
//! positions are won, lost and drawn: `cargo run --release -p endspiel-expertise --example checkers_endings -- dtm 2-4`.

use endspiel_expertise::checkers::Endings;
use endspiel_retro::{Indexed, Job, Known, Metric, Work, closure};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "dtm".into());
    let slices = words.next().unwrap_or_else(|| "2-4".into());
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
        for (name, figures) in endings.figures(slice, &table) {
            println!("{name} {figures}");
        }
        eprintln!("{slice} {seconds:.2} s");
        known.insert(slice, Arc::new(table));
    }
    eprintln!("{:.2} s", begun.elapsed().as_secs_f64());
}
