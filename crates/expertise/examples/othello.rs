//! Solves Othello by alpha-beta with what is known of it. Run it with
//!
//! ```text
//! cargo run --release -p endspiel-expertise --example othello [VARIANT] [POSITION] [MEMORY in MiB]
//! ```
//!
//! for instance `6,discs "--------------OX----XO-------------- X"`, the start, which is also taken
//! where no position is given.

use endspiel_expertise::othello::Expert;
use endspiel_game::{Budget, Game, Goal, Notation, Quiet, Task, TextError};
use endspiel_rules::othello::Othello;
use endspiel_search::alphabeta::{Options, Solver};

fn main() -> Result<(), TextError> {
    let argument = |n| std::env::args().nth(n).unwrap_or_default();
    let game = Othello::from_variant(&argument(1))?;
    let root = if argument(2).is_empty() { game.start() } else { game.read(&argument(2))? };
    let memory = argument(3).parse().unwrap_or(512usize);
    let budget = Budget::default().with_memory(memory << 20);
    let task = Task { root: &root, goal: Goal::Score, expertise: &Expert, budget: &budget, observer: &Quiet };
    let answer = Solver::new(Options::default(), &budget).solve(&task);
    println!(
        "{}, {} empty: {} to {} for the player to move, {} nodes, {:.2} s, line {}",
        game.full_name(),
        root.empty().count_ones(),
        answer.bounds.low,
        answer.bounds.high,
        answer.counts.nodes,
        answer.counts.time.as_secs_f64(),
        root.write_line(&answer.line).join(" ")
    );
    Ok(())
}
