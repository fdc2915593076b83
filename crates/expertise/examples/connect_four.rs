//! Solves connect-four by alpha-beta with what is known of it, exactly where the variant has scores. Run it with
//!
//! ```text
//! cargo run --release -p endspiel-expertise --example connect_four [VARIANT] [MOVES] [THREADS] [MIB]
//! ```
//!
//! for instance `7x6 44444`, or `fastest "" 2 512` for the empty board, how soon it is won, on two threads and
//! with a table of 512 MiB (64 if nothing is said).

use endspiel_expertise::connect_four::Expert;
use endspiel_game::{Budget, Game, Goal, Notation, Quiet, Task, TextError, TwoPlayer};
use endspiel_rules::connect_four::ConnectFour;
use endspiel_search::alphabeta::{Options, Solver};

fn main() -> Result<(), TextError> {
    let argument = |n| std::env::args().nth(n).unwrap_or_default();
    let game = ConnectFour::from_variant(&argument(1))?;
    let moves = argument(2);
    let (root, _) = game.start().read_line(&moves)?;
    let threads = argument(3).parse().unwrap_or(1);
    let mebibytes: usize = argument(4).parse().unwrap_or(64);
    let budget = Budget { threads, ..Budget::default().with_memory(mebibytes << 20) };
    let goal = if root.score_range() == (-1, 1) { Goal::Outcome } else { Goal::Score };
    let task = Task { root: &root, goal, expertise: &Expert, budget: &budget, observer: &Quiet };
    let answer = Solver::new(Options::default(), &budget).solve(&task);
    let time = answer.counts.time.as_secs_f64();
    println!(
        "{} {moves}: {:?} for the player to move, {} nodes, {time:.2} s, {threads} threads",
        game.full_name(),
        answer.bounds,
        answer.counts.nodes
    );
    Ok(())
}
