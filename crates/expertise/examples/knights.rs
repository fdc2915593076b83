//! Compares what is seen at a glance of two knights against a minor piece with the complete tables, and counts the answers:
//! `cargo run --release -p endspiel-expertise --example knights -- KNNKB`.

use endspiel_expertise::chess::{Endings, Glimpse, glimpse};
use endspiel_game::Player;
use endspiel_retro::{Indexed, Job, Known, Metric, Work, closure};
use std::collections::BTreeMap;
use std::sync::Arc;

fn main() {
    let name = std::env::args().nth(1).unwrap_or_else(|| "KNNKB".into());
    let endings = Endings::new();
    let Ok(slices) = endings.read_slices(&name) else {
        eprintln!("'{name}' is no ending");
        std::process::exit(2);
    };
    let (mut known, work) = (Known::default(), Work::default());
    for slice in closure(&endings, &slices) {
        let job = Job { slice, metric: Metric::End, known: &known, work: &work };
        let Ok(table) = endings.solve(&job) else { return };
        known.insert(slice, Arc::new(table));
    }
    let (mut counts, mut wrong): (BTreeMap<String, u64>, u64) = (BTreeMap::new(), 0);
    for &slice in &slices {
        for index in 0..endings.size(slice) {
            let Some(board) = endings.position(slice, index) else { continue };
            let Some(value) = known.get(&slice, index) else { continue };
            let seen = glimpse(&board);
            let holds = match seen {
                Some(Glimpse::Draw) => value == 0,
                Some(Glimpse::Mated) => value == -1,
                Some(Glimpse::Mates) => value == 1,
                None => true,
            };
            wrong += u64::from(!holds);
            let mover = if board.side() == Player::FIRST { "White" } else { "Black" };
            *counts.entry(format!("{mover} to move: {seen:?}")).or_default() += 1;
        }
    }
    for (what, count) in counts {
        println!("{name} {what} {count}");
    }
    println!("{name} wrong {wrong}");
}
