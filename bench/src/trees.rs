//! Simulations of Monte-Carlo tree search from the start of the game, one thread, beside the crate board-game.
//! Both expand all moves of a leaf and play one random game a simulation; the exploration constants are the
//! same in units of the payoff. Awari has no draw by repetition there: random games rarely need it.

use crate::contest::Contest;
use board_game::ai::mcts::mcts_build_tree;
use board_game::board::AltBoard;
use board_game::games::connect4::Connect4;
use board_game::games::oware::OwareBoard;
use endspiel_game::{Budget, Game, Goal, Quiet, Rules, Task, TwoPlayer};
use endspiel_rules::amazons::Amazons;
use endspiel_rules::awari::{Awari, GrandSlam};
use endspiel_rules::connect_four::ConnectFour;
use endspiel_rules::hex::Hex;
use endspiel_rules::lines_of_action::LinesOfAction;
use endspiel_rules::othello::Othello;
use endspiel_search::montecarlo::uct;
use rand::SeedableRng;
use rand::rngs::SmallRng;

fn ours<P: TwoPlayer>(root: &P, count: u64, threads: usize) -> u64 {
    let budget = Budget { threads, ..Budget::nodes(count).with_memory(1 << 29) };
    let task = Task { root, goal: Goal::Outcome, expertise: &Rules, budget: &budget, observer: &Quiet };
    uct::Solver::new(uct::Options::default(), &budget).solve(&task).counts.nodes
}

fn theirs<B: AltBoard>(root: &B, count: u64) -> u64 {
    let mut rng = SmallRng::seed_from_u64(1);
    // Their values run from 0 to 1, ours from -1 to 1.
    mcts_build_tree(root, count, uct::Options::default().exploration as f32 / 2.0, &mut rng);
    count
}

/// The awari rules that board-game plays.
pub fn oware() -> Awari {
    Awari { grand_slam: GrandSlam::NoCapture, ..Awari::default() }
}

/// All contests in simulations, and the rates where there is no peer.
pub fn run(contest: &Contest) {
    let connect_four = ConnectFour::STANDARD.start();
    contest.run(
        "simulations connect-four",
        || ours(&connect_four, 500_000, 1),
        || theirs(&Connect4::default(), 500_000),
    );
    let awari = oware().start();
    contest.run(
        "simulations awari",
        || ours(&awari, 100_000, 1),
        || theirs(&OwareBoard::<6>::default(), 100_000),
    );
    contest.alone("simulations connect-four 2 threads", || ours(&connect_four, 500_000, 2));
    contest.alone("simulations othello", || ours(&Othello::STANDARD.start(), 50_000, 1));
    if let Ok(hex) = Hex::from_variant("11") {
        contest.alone("simulations hex 11x11", || ours(&hex.start(), 100_000, 1));
    }
    if let Ok(amazons) = Amazons::from_variant("6") {
        contest.alone("simulations amazons 6x6", || ours(&amazons.start(), 20_000, 1));
    }
    contest.alone("simulations lines-of-action", || ours(&LinesOfAction::STANDARD.start(), 10_000, 1));
}
