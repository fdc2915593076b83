//! Whole alpha-beta searches to a fixed depth beside the crate minimax, on the same positions: the peer is
//! given our connect-four through its own traits, both a table of 64 MiB and the same evaluation, or none.

use crate::contest::Contest;
use endspiel_game::{Budget, Expertise, Game, Goal, Player, Position, Quiet, Rules, Task};
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

/// Judges nothing, as ours does without expertise.
#[derive(Clone)]
struct Nothing;

impl Evaluator for Nothing {
    type G = Peer;
    fn evaluate(&self, _: &Board) -> Evaluation {
        0
    }
}

/// The same evaluation for both: stones in the three middle columns, cells that win now, and those above.
#[derive(Clone, Copy)]
struct Judge;

fn judge(board: &Board) -> i32 {
    let middle: u64 = [2, 3, 4].into_iter().map(|column| board.column(Column(column))).sum();
    let difference = |own: u64, other: u64| own.count_ones() as i32 - other.count_ones() as i32;
    let (own, other) = (board.winning_cells(), board.opponent_winning_cells());
    let (now, above) = (board.possible(), board.possible() << 1);
    difference(board.own() & middle, board.other() & middle)
        + 10 * difference(own & now, other & now)
        + 5 * difference(own & above, other & above)
}

impl Evaluator for Judge {
    type G = Peer;
    fn evaluate(&self, board: &Board) -> Evaluation {
        judge(board) as Evaluation
    }
}

impl Expertise<Board> for Judge {
    const EVALUATES: bool = true;
    fn evaluate(&self, board: &Board) -> i32 {
        10 * judge(board)
    }
}

const DEPTH: u8 = 16;
const TABLE: usize = 64 << 20;

/// All contests in searches.
pub fn run(contest: &Contest) {
    let root = ConnectFour::STANDARD.start();
    let peers = || peer(&root, Judge);
    contest.run("searches connect-four depth 16", || ours(&root, &Judge), peers);
    contest.run("searches, nothing evaluated", || ours(&root, &Rules), || peer(&root, Nothing));
}

fn ours<E: Expertise<Board>>(root: &Board, expertise: &E) -> u64 {
    let budget = Budget::default().with_memory(TABLE);
    let task = Task { root, goal: Goal::Outcome, expertise, budget: &budget, observer: &Quiet };
    let mode = Mode::Estimate { depth: Some(DEPTH.into()) };
    Solver::new(Options { mode, ..Options::default() }, &budget).solve(&task);
    1
}

fn peer(root: &Board, evaluator: impl Evaluator<G = Peer> + Clone) -> u64 {
    let options = IterativeOptions::new().with_table_byte_size(TABLE);
    let mut search = IterativeSearch::new(evaluator, options);
    search.set_max_depth(DEPTH);
    search.choose_move(root);
    1
}
