//! How fast databases are asked: random positions of an ending of chess, of checkers and of awari, one thread, first
//! with all blocks in memory, then with room for a sixteenth of them: `cargo run --release -p endspiel-expertise
//! --example probes -- DIR`. The time is that of the processor where the system tells it.

use endspiel_expertise::awari::Levels;
use endspiel_expertise::{checkers, chess};
use endspiel_game::Rng;
use endspiel_retro::{Error, Indexed, Metric, Probe, Store, Work, build, plan};
use endspiel_rules::awari::Awari;
use std::path::Path;
use std::time::Instant;

const ASKED: usize = 500_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dir = std::env::args().nth(1).unwrap_or_else(|| "databases".into());
    let dir = Path::new(&dir);
    ask("chess", &chess::Endings::new(), "KQKR", Metric::End, dir)?;
    ask("checkers", &checkers::Endings::new(), "2K-2K", Metric::End, dir)?;
    ask("awari:end=last-stone", &Levels::new(Awari::default()), "12", Metric::Score, dir)
}

fn ask<I: Indexed>(
    name: &str,
    game: &I,
    slice: &str,
    metric: Metric,
    dir: &Path,
) -> Result<(), Box<dyn std::error::Error>> {
    let (store, slices) = (Store::new(dir, name), game.read_slices(slice)?);
    let steps = plan(game, &store, &slices, metric)?;
    build(game, &store, &steps, &Work::default(), &mut |_, _| ())?;
    let (size, mut rng) = (game.size(slices[0]), Rng::new(1));
    let random = (0..ASKED).filter_map(|_| game.position(slices[0], rng.below(size as usize) as u64));
    let positions: Vec<_> = random.collect();
    for (memory, asked, rounds) in [(4 * size, positions.len(), 10), (size / 16, 2000, 1)] {
        let probe = Probe::open(game, &store, &slices, metric, memory)?;
        let ask = || -> Result<i64, Error> {
            let asked = positions.iter().take(asked);
            asked.map(|position| Ok(i64::from(probe.value(position)?.unwrap_or(0)))).sum()
        };
        let sum = ask()?;
        let clock = Clock::start();
        for _ in 0..rounds {
            assert_eq!(ask()?, sum, "the answers are the same");
        }
        let rate = (rounds * asked) as f64 / clock.seconds();
        println!("{name} {slice}, {memory} bytes a slice: {:.3} million probes a second", rate / 1e6);
    }
    Ok(())
}

/// Time on the processor, or on the wall where the system does not tell it.
struct Clock(Instant, Option<f64>);

impl Clock {
    fn start() -> Self {
        Self(Instant::now(), Self::processor())
    }

    fn seconds(&self) -> f64 {
        let used = self.1.zip(Self::processor()).map(|(begin, end)| end - begin);
        used.filter(|&used| used > 0.0).unwrap_or_else(|| self.0.elapsed().as_secs_f64())
    }

    /// Nanoseconds on the processor are the first number of this file.
    fn processor() -> Option<f64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok().map(|ns: f64| ns / 1e9)
    }
}
