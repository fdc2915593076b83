//! Least certainty first, best-first minimax and alpha-beta against each other on random trees under an artificial
//! clock (Utgoff and Cochran 2000): wins out of so many games, by width and time a move.

use endspiel_expertise::random_tree::Expert;
use endspiel_game::{Budget, Game};
use endspiel_rules::random_tree::RandomTree;
use endspiel_search::bestfirst::compare::Contender::{
    AlphaBeta, BestFirstMinimax, LeastCertainty, PlannedAlphaBeta,
};
use endspiel_search::bestfirst::compare::compare;
use serde::Serialize;

/// Games of every match: half of them from either side of the same trees.
pub const GAMES: u32 = 200;
const DEPTH: u8 = 64;
const WIDTHS: [u8; 3] = [2, 10, 20];
const TIMES: [u64; 6] = [1000, 3000, 10_000, 30_000, 100_000, 300_000];

/// How often the first of two won, with so many moves at a node and so much time a move.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Moves at every node.
    pub width: u8,
    /// Units of the artificial clock a move.
    pub time: u64,
    /// Games of every match.
    pub games: u32,
    /// Least certainty against alpha-beta that keeps to the clock.
    pub certainty: u32,
    /// Least certainty against alpha-beta to the depth that the paper plans.
    pub certainty_planned: u32,
    /// Best-first minimax against alpha-beta that keeps to the clock.
    pub best_first: u32,
    /// Least certainty against best-first minimax.
    pub between: u32,
}

/// Tells `each` of the rows, as long as it wants more and there is time. The budget's nodes are the games of a match.
pub fn run(budget: &Budget, mut each: impl FnMut(&Row) -> bool) {
    let games = budget.nodes.map_or(GAMES, |n| n.clamp(2, GAMES.into()) as u32);
    let meter = Budget { nodes: None, ..budget.clone() }.start();
    for width in WIDTHS {
        for time in TIMES {
            let wins = |contenders| {
                let start = |seed| RandomTree::new(width, DEPTH, seed).start();
                compare(contenders, start, &Expert, time, games, budget.seed).first
            };
            let row = Row {
                width,
                time,
                games,
                certainty: wins([LeastCertainty, AlphaBeta]),
                certainty_planned: wins([LeastCertainty, PlannedAlphaBeta]),
                best_first: wins([BestFirstMinimax, AlphaBeta]),
                between: wins([LeastCertainty, BestFirstMinimax]),
            };
            if !each(&row) || meter.is_out() {
                return;
            }
        }
    }
}

/// What the rows show, in words.
pub fn found(rows: &[Row]) -> String {
    let most = |of: fn(&Row) -> u32| rows.iter().map(of).max().unwrap_or(0);
    let games = rows.first().map_or(0, |row| row.games);
    format!(
        "against alpha-beta at most {} of {games} for least certainty, {} for best-first minimax",
        most(|row| row.certainty),
        most(|row| row.best_first)
    )
}
