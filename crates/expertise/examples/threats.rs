//! Wins by threats on random go-moku boards, each confirmed against all defences.
//!
//! ```text
//! cargo run --release -p endspiel-expertise --example threats [POSITIONS] [RULE]
//! ```
//!
//! Boards have five stones of each colour in the middle; Black is to move. A win is confirmed by following the
//! attacks found, one after the other, against every legal reply. Prints how many wins there are, how long a search
//! takes, and that all held.

use endspiel_expertise::lines::Expert;
use endspiel_game::{Expertise, Game, Player, Position, Rng, TwoPlayer};
use endspiel_rules::gomoku::{Gomoku, GomokuPosition};
use endspiel_rules::grid::Cell;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = |n| std::env::args().nth(n).unwrap_or_default();
    let count = argument(1).parse().unwrap_or(1000);
    let game = Gomoku::from_variant(&argument(2))?;
    let mut rng = Rng::new(1);
    let (mut fours, mut threes, mut false_wins) = (0, 0, 0);
    let (mut time, mut slowest) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..count {
        let position = random(game, &mut rng);
        let begun = Instant::now();
        let attack = Expert.attack(&position, Player::FIRST);
        time += begun.elapsed();
        slowest = slowest.max(begun.elapsed());
        match attack.map(|attack| attack.line.len()) {
            None => continue,
            Some(1) => threes += 1,
            Some(_) => fours += 1,
        }
        false_wins += usize::from(!is_confirmed(&position, 60));
    }
    println!(
        "{count} boards: {fours} won by fours alone, {threes} by threes or at once, {false_wins} not confirmed"
    );
    let mean = time.as_secs_f64() * 1e6 / f64::from(count);
    println!("{mean:.0} microseconds a search, at most {:.3} s", slowest.as_secs_f64());
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

/// Does the player to move win whatever the other does, following the attacks that are found?
fn is_confirmed(position: &GomokuPosition<4>, depth: u32) -> bool {
    if position.winning_move(None).is_some() {
        return true;
    }
    let attack = Expert.attack(position, position.mover()).filter(|_| depth > 0);
    attack.is_some_and(|attack| {
        let after = position.after(attack.line[0]);
        let holds = |reply| {
            let next = after.after(reply);
            !next.turn().is_over() && is_confirmed(&next, depth - 1)
        };
        after.move_list().into_iter().all(holds)
    })
}
