//! How fast the rules are: lines of play counted, random games played and canonical keys made a second.
//! Run as `cargo run --release -p endspiel-rules --example speed`.

use endspiel_game::{Game, Position, Rng, Symmetric, perft};
use endspiel_rules::{gomoku, hex, mnk, qubic};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    println!("{:24} {:>14} {:>14} {:>14}", "game", "perft leaves/s", "playouts/s", "canonical/s");
    speed::<mnk::TicTacToe>("", 9);
    speed::<mnk::Mnk>("5,5,4", 6);
    speed::<mnk::Mnk>("8,8,5", 5);
    speed::<mnk::LargeMnk>("5,5,4", 6);
    speed::<mnk::LargeMnk>("15,15,5", 3);
    speed::<qubic::Qubic>("", 5);
    speed::<gomoku::Gomoku>("", 4);
    speed::<gomoku::Gomoku>("renju", 4);
    speed::<gomoku::LargeGomoku>("standard,19", 3);
    speed::<hex::Hex>("5", 6);
    speed::<hex::Hex>("", 4);
    speed::<hex::LargeHex>("", 4);
    speed::<hex::LargeHex>("19", 3);
}

fn speed<G: Game>(variant: &str, depth: u32)
where
    G::Position: Symmetric,
{
    let game = match G::from_variant(variant) {
        Ok(game) => game,
        Err(error) => return println!("{variant}: {error}"),
    };
    let start = game.start();
    let perfts = rate(|| perft(black_box(&start), depth));
    let mut rng = Rng::new(1);
    let playouts = rate(|| {
        black_box(start.clone().playout(&mut rng, usize::MAX));
        1
    });
    let mut middle = start.clone();
    for _ in 0..12 {
        if let Some(m) = middle.random_move(&mut rng) {
            middle.play(m);
        }
    }
    let keys = rate(|| {
        black_box(black_box(&middle).canonical_key());
        1
    });
    println!("{:24} {perfts:>14.0} {playouts:>14.0} {keys:>14.0}", game.full_name());
}

/// How much `work` does a second: the best of many short rounds, so that other work on the machine counts little.
fn rate(mut work: impl FnMut() -> u64) -> f64 {
    let begun = Instant::now();
    let mut best = 0.0f64;
    while begun.elapsed().as_millis() < 600 {
        let (round, mut done) = (Instant::now(), 0);
        while round.elapsed().as_micros() < 2000 {
            done += work();
        }
        best = best.max(done as f64 / round.elapsed().as_secs_f64());
    }
    best
}
