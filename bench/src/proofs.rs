//! Proofs: two threads beside one, the whole of connect-four, and nodes of proof-number search. There is no peer in
//! the registries for these; what others publish stands in the README.

use crate::contest::Contest;
use endspiel_expertise::{connect_four, hex};
use endspiel_game::{
    Budget, Expertise, Game, Goal, Notation, Position, Quiet, Rules, Symmetric, Task, TwoPlayer,
};
use endspiel_rules::connect_four::ConnectFour;
use endspiel_rules::hex::Hex;
use endspiel_rules::mnk::Mnk;
use endspiel_search::alphabeta;
use endspiel_search::proof_number::{df_pn, pn};

const TABLE: usize = 64 << 20;

fn alpha_beta<P: TwoPlayer + Symmetric, E: Expertise<P>>(root: &P, expertise: &E, threads: usize) {
    let budget = Budget { threads, ..Budget::default().with_memory(TABLE) };
    let task = Task { root, goal: Goal::Outcome, expertise, budget: &budget, observer: &Quiet };
    alphabeta::Solver::new(alphabeta::Options::default(), &budget).solve(&task);
}

/// All openings of hex, one after the other.
fn openings(game: &Hex, threads: usize) -> u64 {
    let start = game.start();
    for m in start.move_list() {
        let budget = Budget { threads, ..Budget::default().with_memory(TABLE) };
        let root = start.after(m);
        let expertise = &hex::Expert;
        let task = Task { root: &root, goal: Goal::Outcome, expertise, budget: &budget, observer: &Quiet };
        df_pn::Solver::new(df_pn::Options::default(), &budget).solve(&task);
    }
    1
}

/// All contests in proofs.
pub fn run(contest: &Contest) {
    let root = ConnectFour::STANDARD.start();
    let solve = |root, threads| {
        alpha_beta(root, &connect_four::Expert, threads);
        1
    };
    contest.alone("proofs connect-four 7x6, 64 MiB", || solve(&root, 1));
    contest.run("threads: connect-four, 2 beside 1", || solve(&root, 2), || solve(&root, 1));
    if let Ok(game) = Hex::from_variant("6") {
        contest.run("threads: hex 6x6, 2 beside 1", || openings(&game, 2), || openings(&game, 1));
    }
    for name in ["4,4,4", "5,5,4"] {
        if let Ok(game) = Mnk::from_variant(name) {
            let root = game.start();
            contest.alone(&format!("pn nodes mnk:{name}"), || {
                let budget = Budget::nodes(2_000_000).with_memory(1 << 30);
                let task = Task {
                    root: &root,
                    goal: Goal::Outcome,
                    expertise: &Rules,
                    budget: &budget,
                    observer: &Quiet,
                };
                pn::Solver::new(pn::Options::default(), &budget).solve(&task).counts.nodes
            });
        }
    }
}
