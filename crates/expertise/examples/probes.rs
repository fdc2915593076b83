//! How fast databases are asked: random positions of an ending of chess, one thread, first with all blocks in
//! memory, then with room for a part of them: `cargo run --release -p endspiel-expertise --example probes -- DIR`.

use endspiel_expertise::chess::Endings;
use endspiel_game::Rng;
use endspiel_retro::{Error, Indexed, Metric, Probe, Store, Work, build, plan};
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dir = std::env::args().nth(1).unwrap_or_else(|| "databases".into());
    let (endings, metric) = (Endings::new(), Metric::End);
    let store = Store::new(Path::new(&dir), "chess");
    let slices = endings.read_slices("KQKR")?;
    let steps = plan(&endings, &store, &slices, metric)?;
    build(&endings, &store, &steps, &Work::default(), &mut |_, _| ())?;
    let (size, mut rng) = (endings.size(slices[0]) as usize, Rng::new(1));
    let boards: Vec<_> =
        (0..1_000_000).filter_map(|_| endings.position(slices[0], rng.below(size) as u64)).collect();
    for (memory, rounds) in [(1 << 30, 10), (1 << 20, 1)] {
        let probe = Probe::open(&endings, &store, &slices, metric, memory)?;
        let ask = || -> Result<i64, Error> {
            boards.iter().try_fold(0, |sum, board| Ok(sum + i64::from(probe.value(board)?.unwrap_or(0))))
        };
        let sum = ask()?;
        let now = Instant::now();
        for _ in 0..rounds {
            assert_eq!(ask()?, sum, "the answers are the same");
        }
        let rate = (rounds * boards.len()) as f64 / now.elapsed().as_secs_f64();
        println!("{memory} bytes a slice: {:.2} million probes a second", rate / 1e6);
    }
    Ok(())
}
