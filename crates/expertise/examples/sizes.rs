//! How small the files are: builds endings of chess or checkers where they are not there, and prints for each metric the bytes of
//! all their files, the positions a byte, and the bytes relative to the first metric. `cargo run --release -p endspiel-expertise
//! --example sizes -- chess 3-4 dtm,dtc,dtz,dtz50 DIR`, or `-- checkers 2-4 wdl,dtm DIR`.

use endspiel_expertise::{checkers, chess};
use endspiel_retro::{Indexed, Metric, Store, Work, build, closure, plan};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [game, slices, metrics, dir] = &words[..] else {
        return Err(
            "a game, slices, metrics and a folder are wanted, such as chess 3-4 dtm,dtc databases".into()
        );
    };
    let metrics: Result<Vec<Metric>, String> =
        metrics.split(',').map(|name| Metric::named(name).ok_or(format!("'{name}' is no metric"))).collect();
    let store = Store::new(Path::new(dir), game);
    match &**game {
        "chess" => measure(&chess::Endings::new(), &store, slices, &metrics?),
        "checkers" => measure(&checkers::Endings::new(), &store, slices, &metrics?),
        other => Err(format!("'{other}' is neither chess nor checkers").into()),
    }
}

fn measure<I: Indexed>(
    game: &I,
    store: &Store,
    slices: &str,
    metrics: &[Metric],
) -> Result<(), Box<dyn std::error::Error>> {
    let slices = game.read_slices(slices)?;
    let mut first = None;
    for &metric in metrics {
        build(game, store, &plan(game, store, &slices, metric)?, &Work::default(), &mut |_, _| ())?;
        let (mut bytes, mut positions) = (0, 0);
        for slice in closure(game, &slices) {
            let reader = store.open(&game.slice_name(slice), metric, 0)?;
            bytes += reader.digest().bytes;
            positions += reader.header().size - reader.header().wasted;
        }
        let share = 100.0 * bytes as f64 / *first.get_or_insert(bytes) as f64;
        let dense = positions as f64 / bytes as f64;
        println!(
            "{}: {positions} positions, {bytes} bytes, {dense:.1} positions a byte, {share:.1} %",
            metric.name()
        );
    }
    Ok(())
}
