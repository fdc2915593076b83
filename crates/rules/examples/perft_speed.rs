//! Prints how many lines of play a second each game counts, how many random games it plays, and how many
//! keys of canonical images it makes after twelve moves. Each figure is the best of many short rounds, so
//! that other work on the machine counts little.
//!
//! ```text
//! cargo run --release -p endspiel-rules --example perft_speed [GAME]
//! ```

use endspiel_game::{Game, Position, Rng, Symmetric, perft};
use endspiel_rules::amazons::Amazons;
use endspiel_rules::awari::Awari;
use endspiel_rules::connect_four::ConnectFour;
use endspiel_rules::give_away_chess::GiveAwayChess;
use endspiel_rules::gomoku::{Gomoku, LargeGomoku};
use endspiel_rules::hex::{Hex, LargeHex};
use endspiel_rules::lines_of_action::LinesOfAction;
use endspiel_rules::mnk::{LargeMnk, Mnk, TicTacToe};
use endspiel_rules::othello::Othello;
use endspiel_rules::qubic::Qubic;
use endspiel_rules::random_tree::RandomTree;
use endspiel_rules::shogi::Shogi;
use endspiel_rules::wythoff::Wythoff;
use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() {
    let only = std::env::args().nth(1);
    let only = only.as_deref();
    println!(
        "{:24} {:>5} {:>14} {:>14} {:>12} {:>12}",
        "game", "depth", "lines", "lines/s", "playouts/s", "canonical/s"
    );
    measure::<ConnectFour>(only, "", 9);
    measure::<ConnectFour>(only, "8x7", 8);
    measure::<Othello>(only, "", 9);
    measure::<Othello>(only, "6", 8);
    measure::<Awari>(only, "", 9);
    measure::<TicTacToe>(only, "", 9);
    measure::<Mnk>(only, "5,5,4", 5);
    measure::<Mnk>(only, "8,8,5", 4);
    measure::<LargeMnk>(only, "15,15,5", 3);
    measure::<Qubic>(only, "", 4);
    measure::<Gomoku>(only, "", 3);
    measure::<Gomoku>(only, "renju", 3);
    measure::<LargeGomoku>(only, "standard,19", 3);
    measure::<Hex>(only, "5", 5);
    measure::<Hex>(only, "", 3);
    measure::<LargeHex>(only, "19", 3);
    measure::<Amazons>(only, "", 2);
    measure::<Amazons>(only, "6", 2);
    measure::<LinesOfAction>(only, "", 4);
    measure::<LinesOfAction>(only, "6", 4);
    measure::<GiveAwayChess>(only, "", 5);
    measure::<Shogi>(only, "", 4);
    measure::<Shogi>(only, "mini", 5);
    measure::<Wythoff>(only, "", 4);
    measure::<RandomTree>(only, "b=10,d=64", 6);
}

fn measure<G: Game>(only: Option<&str>, variant: &str, depth: u32)
where
    G::Position: Symmetric,
{
    if only.is_some_and(|name| name != G::ABOUT.name) {
        return;
    }
    let game = match G::from_variant(variant) {
        Ok(game) => game,
        Err(error) => return eprintln!("{variant}: {error}"),
    };
    let start = game.start();
    let lines = perft(&start, depth);
    let counted = rate(|| perft(black_box(&start), depth));
    let mut rng = Rng::new(1);
    let playouts = rate(|| {
        for _ in 0..20 {
            black_box(start.clone().playout(&mut rng, 1000));
        }
        20
    });
    let mut later = start;
    for _ in 0..12 {
        let next = later.random_move(&mut rng).map(|m| later.after(m));
        later = next.filter(|position| !position.turn().is_over()).unwrap_or(later);
    }
    let keys = rate(|| {
        for _ in 0..20 {
            black_box(black_box(&later).canonical_key());
        }
        20
    });
    println!("{:24} {depth:>5} {lines:>14} {counted:>14.0} {playouts:>12.0} {keys:>12.0}", game.full_name());
}

/// How much `work` does a second.
fn rate(mut work: impl FnMut() -> u64) -> f64 {
    let begun = Instant::now();
    let mut best = 0.0f64;
    while begun.elapsed() < Duration::from_millis(500) {
        let (round, mut done) = (Instant::now(), 0);
        while round.elapsed() < Duration::from_millis(2) {
            done += work();
        }
        best = best.max(done as f64 / round.elapsed().as_secs_f64());
    }
    best
}
