//! Simulations of Monte-Carlo tree search from the start of the game, one thread, beside the crate board-game.

use crate::contest::Contest;
use board_game::ai::mcts::mcts_build_tree;
use board_game::games::connect4::Connect4;
use endspiel_game::{Budget, Game, Goal, Quiet, Rules, Task, TwoPlayer};
use endspiel_rules::connect_four::ConnectFour;
use endspiel_search::montecarlo::uct;
use rand::SeedableRng;
use rand::rngs::SmallRng;

fn simulations<P: TwoPlayer>(root: &P, count: u64) -> u64 {
    let budget = Budget::nodes(count).with_memory(1 << 30);
    let task = Task { root, goal: Goal::Outcome, expertise: &Rules, budget: &budget, observer: &Quiet };
    uct::Solver::new(uct::Options::default(), &budget).solve(&task).counts.nodes
}

pub fn run(contest: &Contest) {
    const COUNT: u64 = 1_000_000;
    contest.run(
        "simulations connect-four",
        || simulations(&ConnectFour::STANDARD.start(), COUNT),
        || {
            let mut rng = SmallRng::seed_from_u64(1);
            mcts_build_tree(&Connect4::default(), COUNT, 0.5, &mut rng);
            COUNT
        },
    );
}
