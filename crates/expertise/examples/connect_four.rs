//! Solves connect-four by alpha-beta with what is known of it, in a table of 64 MiB. Run it with
//!
//! ```text
//! cargo run --release -p endspiel-expertise --example connect_four [SIZE] [MOVES] [THREADS]
//! ```
//!
//! for instance `7x6 44444`, `7x6 "" 2` for the empty board on two threads.

use endspiel_expertise::connect_four::Expert;
use endspiel_game::{Budget, Game, Goal, Notation, Quiet, Task, TextError};
use endspiel_rules::connect_four::ConnectFour;
use endspiel_search::alphabeta::{Options, Solver};

fn main() -> Result<(), TextError> {
    let argument = |n| std::env::args().nth(n).unwrap_or_default();
    let game = ConnectFour::from_variant(&argument(1))?;
    let moves = argument(2);
    let (root, _) = game.start().read_line(&moves)?;
    let threads = argument(3).parse().unwrap_or(1);
    let budget = Budget { threads, ..Budget::default().with_memory(64 << 20) };
    let task =
        Task { root: &root, goal: Goal::Outcome, expertise: &Expert, budget: &budget, observer: &Quiet };
    let answer = Solver::new(Options::default(), &budget).solve(&task);
    let time = answer.counts.time.as_secs_f64();
    println!(
        "{} {moves}: {:?} for the player to move, {} nodes, {time:.2} s, {threads} threads",
        game.full_name(),
        answer.bounds.outcome(),
        answer.counts.nodes
    );
    Ok(())
}
