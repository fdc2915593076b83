//! How fast alpha-beta is: connect-four 7x6 from the empty board to a horizon, and 5x5 to the end, on one
//! thread and on two, in nodes and seconds. Run it with
//! `cargo run --release -p endspiel-search --example alphabeta_speed [DEPTH]`.

use endspiel_game::{Budget, Game, Goal, Quiet, Rules, Task};
use endspiel_rules::connect_four::ConnectFour;
use endspiel_search::alphabeta::{Mode, Options, Solver};

fn main() {
    let depth = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(16);
    for (size, mode) in [((7, 6), Mode::Estimate { depth: Some(depth) }), ((5, 5), Mode::Prove)] {
        let Some(game) = ConnectFour::new(size.0, size.1) else { continue };
        for threads in [1, 2] {
            let root = game.start();
            let budget = Budget { threads, ..Budget::default() };
            let task = Task {
                root: &root,
                goal: Goal::Outcome,
                expertise: &Rules,
                budget: &budget,
                observer: &Quiet,
            };
            let answer = Solver::new(Options { mode, ..Options::default() }, &budget).solve(&task);
            println!(
                "{:<17} {mode:?}, {threads} threads: {:?}, {} nodes, {:.2} s",
                game.full_name(),
                answer.bounds,
                answer.counts.nodes,
                answer.counts.time.as_secs_f64()
            );
        }
    }
}
