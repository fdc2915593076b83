//! Prints how many lines of play a second each game counts, and how many random games it plays.
//!
//! ```text
//! cargo run --release -p endspiel-rules --example perft_speed [GAME]
//! ```

use endspiel_game::{Game, Position, Rng, perft};
use endspiel_rules::awari::Awari;
use endspiel_rules::connect_four::ConnectFour;
use endspiel_rules::othello::Othello;
use std::time::{Duration, Instant};

fn main() {
    let only = std::env::args().nth(1);
    let only = only.as_deref();
    println!("{:24} {:>5} {:>14} {:>14} {:>12}", "game", "depth", "lines", "lines/s", "playouts/s");
    measure::<ConnectFour>(only, "", 10);
    measure::<ConnectFour>(only, "8x7", 9);
    measure::<Othello>(only, "", 10);
    measure::<Othello>(only, "6", 9);
    measure::<Awari>(only, "", 10);
}

fn measure<G: Game>(only: Option<&str>, variant: &str, depth: u32) {
    if only.is_some_and(|name| name != G::ABOUT.name) {
        return;
    }
    let game = match G::from_variant(variant) {
        Ok(game) => game,
        Err(error) => return eprintln!("{variant}: {error}"),
    };
    let start = game.start();
    let begun = Instant::now();
    let lines = perft(&start, depth);
    let rate = lines as f64 / begun.elapsed().as_secs_f64();
    let (begun, mut rng, mut games) = (Instant::now(), Rng::new(1), 0);
    while begun.elapsed() < Duration::from_millis(500) {
        for _ in 0..100 {
            std::hint::black_box(start.clone().playout(&mut rng, 1000));
        }
        games += 100;
    }
    let playouts = f64::from(games) / begun.elapsed().as_secs_f64();
    println!("{:24} {depth:>5} {lines:>14} {rate:>14.0} {playouts:>12.0}", game.full_name());
}
