//! Wins by threats told in full on random go-moku boards: how many, how long it takes, and how many cells are left to
//! the defender.
//!
//! ```text
//! cargo run --release -p endspiel-expertise --example sequences [POSITIONS] [RULE]
//! ```
//!
//! Boards have five stones of each colour in the middle; Black is to move.

use endspiel_expertise::lines::Expert;
use endspiel_game::{Expertise, Game, Player, Position, Rng, Stop};
use endspiel_rules::gomoku::{Gomoku, GomokuPosition};
use endspiel_rules::grid::Cell;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = |n| std::env::args().nth(n).unwrap_or_default();
    let count: u32 = argument(1).parse().unwrap_or(300);
    let game = Gomoku::from_variant(&argument(2))?;
    let mut rng = Rng::new(1);
    let (mut wins, mut trees, mut variations, mut unsure) = (0u32, 0, 0, 0);
    let (mut must, mut related) = (0, 0);
    let mut times = Vec::new();
    for _ in 0..count {
        let position = random(game, &mut rng);
        let begun = Instant::now();
        let told = Expert.sequence(&position, Player::FIRST, &Stop::default());
        times.push(begun.elapsed());
        let Some(told) = told else { continue };
        let more = told.plan.variations().len();
        wins += 1;
        trees += u32::from(more > 0);
        variations = variations.max(more);
        unsure += told.unsure.len();
        must += told.must.len();
        related += Expert.attack(&position, Player::FIRST).map_or(0, |attack| attack.must.len());
    }
    times.sort_unstable();
    let mean = times.iter().sum::<Duration>().as_secs_f64() * 1e3 / f64::from(count);
    println!("{count} boards: {wins} won, {trees} of them with variations, at most {variations}");
    println!(
        "the defender has {:.1} cells on average, {unsure} of all unsure; {:.1} are related to one sequence",
        must as f64 / f64::from(wins),
        related as f64 / f64::from(wins)
    );
    let tenth = times[times.len() * 9 / 10].as_secs_f64() * 1e3;
    let last = times.last().map_or(0.0, |time| time.as_secs_f64() * 1e3);
    println!("{mean:.0} milliseconds on average, {tenth:.0} or more in a tenth, at most {last:.0}");
    Ok(())
}

/// Ten stones in the middle, nobody with five, and Black to move.
fn random(game: Gomoku, rng: &mut Rng) -> GomokuPosition<4> {
    loop {
        let mut position = game.start();
        for _ in 0..10 {
            let free: Vec<Cell> = position
                .move_list()
                .into_iter()
                .filter(|m| (4..11).contains(&(m.index() % 15)) && (4..11).contains(&(m.index() / 15)))
                .collect();
            position.play(free[rng.below(free.len())]);
        }
        if !position.turn().is_over() {
            return position;
        }
    }
}
