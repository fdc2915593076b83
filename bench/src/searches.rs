//! Whole alpha-beta searches to a fixed depth beside the crate minimax, on the same positions: the peer is
//! given our connect-four through its own traits, both a table of 64 MiB and no evaluation.

use crate::contest::Contest;
use endspiel_game::{Budget, Game, Goal, Player, Position, Quiet, Rules, Task};
use endspiel_rules::connect_four::{Board, Column, ConnectFour};
use endspiel_search::alphabeta::{Mode, Options, Solver};
use minimax::{Evaluation, Evaluator, IterativeOptions, IterativeSearch, Strategy, Winner};

struct Peer;

impl minimax::Game for Peer {
    type S = Board;
    type M = Column;

    fn generate_moves(board: &Board, moves: &mut Vec<Column>) -> Option<Winner> {
        board.moves(|m| moves.push(m));
        Self::get_winner(board)
    }

    fn apply(board: &mut Board, m: Column) -> Option<Board> {
        Some(board.after(m))
    }

    fn get_winner(board: &Board) -> Option<Winner> {
        let draw = board.payoff().of(Player::FIRST) == 0;
        board.turn().is_over().then_some(if draw { Winner::Draw } else { Winner::PlayerJustMoved })
    }

    fn zobrist_hash(board: &Board) -> u64 {
        board.key()
    }
}

#[derive(Clone)]
struct Nothing;

impl Evaluator for Nothing {
    type G = Peer;
    fn evaluate(&self, _: &Board) -> Evaluation {
        0
    }
}

/// All contests in searches.
pub fn run(contest: &Contest) {
    const DEPTH: u8 = 16;
    const TABLE: usize = 64 << 20;
    let root = ConnectFour::STANDARD.start();
    contest.run(
        "searches connect-four depth 16",
        || {
            let budget = Budget::default().with_memory(TABLE);
            let task = Task {
                root: &root,
                goal: Goal::Outcome,
                expertise: &Rules,
                budget: &budget,
                observer: &Quiet,
            };
            let mode = Mode::Estimate { depth: Some(DEPTH.into()) };
            Solver::new(Options { mode, ..Options::default() }, &budget).solve(&task);
            1
        },
        || {
            let options = IterativeOptions::new().with_table_byte_size(TABLE);
            let mut search = IterativeSearch::new(Nothing, options);
            search.set_max_depth(DEPTH);
            search.choose_move(&root);
            1
        },
    );
}
