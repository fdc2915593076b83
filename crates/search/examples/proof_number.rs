//! Prints what the proof-number methods need on a few positions: nodes, most nodes held, time, nodes a second.
//! `cargo run --release -p endspiel-search --example proof_number [threads]`; with more threads than one, df-pn
//! alone, beside one thread.

use endspiel_game::{Budget, Game, Notation, Player, Position, Question, Rules, Symmetric, TwoPlayer};
use endspiel_rules::connect_four::ConnectFour;
use endspiel_rules::give_away_chess::GiveAwayChess;
use endspiel_rules::hex::Hex;
use endspiel_rules::mnk::Mnk;
use endspiel_search::proof_number::df_pn::{self, Counting};
use endspiel_search::proof_number::{Finding, Initial, pds, pn, pn_squared};

fn main() {
    let threads = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1);
    if threads > 1 {
        return compare(threads);
    }
    let budget = Budget { nodes: Some(30_000_000), ..Budget::default() };
    println!("{:<44} {:>8} {:>11} {:>10} {:>9} {:>9}", "", "answer", "nodes", "peak", "seconds", "knodes/s");
    for opening in ["d3", "d4", "e4"] {
        let start = GiveAwayChess { en_passant: false }.start();
        let Ok(m) = start.read_move(opening) else { continue };
        let black = Question { player: Player::SECOND, at_least: 1 };
        all(&format!("give-away chess 1.{opening}, Black wins"), &start.after(m), black, &budget);
    }
    let first = |at_least| Question { player: Player::FIRST, at_least };
    for (variant, at_least) in [("3,3,3", 0), ("4,3,3", 1), ("4,4,4", 1), ("5,4,4", 1)] {
        let Ok(game) = Mnk::from_variant(variant) else {
            println!("{variant}?");
            continue;
        };
        all(&format!("mnk {variant}, at least {at_least}"), &game.start(), first(at_least), &budget);
    }
    for (variant, at_least) in [("4x4", 1), ("5x4", 1), ("5x5", 1), ("6x4", 0), ("6x5", 0)] {
        if let Ok(game) = ConnectFour::from_variant(variant) {
            all(
                &format!("connect-four {variant}, at least {at_least}"),
                &game.start(),
                first(at_least),
                &budget,
            );
        }
    }
}

/// Df-pn with one thread and with more: seconds and nodes.
fn compare(threads: usize) {
    let first = |at_least| Question { player: Player::FIRST, at_least };
    if let Ok(game) = Hex::from_variant("4") {
        both("hex 4", &game.start(), first(1), threads);
    }
    for (variant, at_least) in [("5x5", 1), ("6x4", 0), ("6x5", 0)] {
        if let Ok(game) = ConnectFour::from_variant(variant) {
            both(&format!("connect-four {variant}"), &game.start(), first(at_least), threads);
        }
    }
}

fn both<P: TwoPlayer + Symmetric>(what: &str, root: &P, question: Question, threads: usize) {
    println!("{what}");
    for threads in [1, threads] {
        let budget = Budget { threads, ..Budget::default().with_memory(128 << 20) };
        let mut solver = df_pn::Solver::new(df_pn::Options::default(), &budget);
        print(&format!("df-pn, {threads} threads"), &solver.prove(root, question, &Rules, &budget.start()));
    }
}

fn all<P: TwoPlayer + Symmetric>(what: &str, root: &P, question: Question, budget: &Budget) {
    println!("{what}");
    for initial in [Initial::Standard, Initial::Mobility] {
        let options = pn::Options { initial, ..Default::default() };
        let found = pn::Solver::new(options, budget).prove(root, question, &Rules, &budget.start());
        print(&format!("pn-search, {initial:?}"), &found);
    }
    let options = pn_squared::Options { initial: Initial::Standard, ..Default::default() };
    let found = pn_squared::Solver::new(options, budget).prove(root, question, &Rules, &budget.start());
    print("PN², Standard", &found);
    for counting in [Counting::Sum, Counting::Weak] {
        for initial in [Initial::Standard, Initial::Mobility] {
            let options = df_pn::Options { initial, counting, ..Default::default() };
            let found = df_pn::Solver::new(options, budget).prove(root, question, &Rules, &budget.start());
            print(&format!("df-pn, {initial:?}, {counting:?}"), &found);
        }
    }
    let found =
        pds::Solver::new(pds::Options::default(), budget).prove(root, question, &Rules, &budget.start());
    print("PDS", &found);
}

fn print(method: &str, found: &Finding) {
    let seconds = found.counts.time.as_secs_f64();
    let (nodes, peak) = (found.counts.nodes, found.counts.peak);
    let rate = nodes as f64 / seconds / 1000.0;
    println!(
        "  {method:<42} {:>8} {nodes:>11} {peak:>10} {seconds:>9.3} {rate:>9.0}",
        format!("{:?}", found.verdict)
    );
}
