//! The methods on real games, with published values and against enumeration.

use super::leaf::Initial;
use super::{Verdict, df_pn, mst, pds, pn, pn_squared};
use endspiel_game::{
    Answer, Bounds, Budget, Game, Goal, Notation, Player, Position, Question, Quiet, Rules, Symmetric, Task,
    TwoPlayer,
};
use endspiel_rules::give_away_chess::{Board, GiveAwayChess};
use endspiel_rules::mnk::TicTacToe;

fn first(at_least: i32) -> Question {
    Question { player: Player::FIRST, at_least }
}

/// The answers of all methods; every one of them gets so much memory.
fn answers<P: TwoPlayer + Symmetric>(root: &P, goal: Goal, memory: usize) -> Vec<Answer<P::Move>> {
    let budget = Budget::default().with_memory(memory);
    let task = Task { root, goal, expertise: &Rules, budget: &budget, observer: &Quiet };
    vec![
        pn::Solver::new(pn::Options::default(), &budget).solve(&task),
        pn_squared::Solver::new(pn_squared::Options::default(), &budget).solve(&task),
        df_pn::Solver::new(df_pn::Options::default(), &budget).solve(&task),
        pds::Solver::new(pds::Options::default(), &budget).solve(&task),
        mst::Solver::new(mst::Options, &budget).solve(&task),
    ]
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let game = TicTacToe;
    for answer in answers(&game.start(), Goal::Outcome, 64 << 20) {
        assert_eq!(answer.bounds, Bounds::exactly(0));
    }
    let budget = Budget::default();
    for initial in [Initial::Standard, Initial::Mobility, Initial::Depth, Initial::Effort] {
        let mut solver = pn::Solver::new(pn::Options { initial, ..Default::default() }, &budget);
        let meter = budget.start();
        assert_eq!(solver.prove(&game.start(), first(1), &Rules, &meter).verdict, Verdict::No);
        assert_eq!(solver.prove(&game.start(), first(0), &Rules, &meter).verdict, Verdict::Yes);
    }
}

fn after_opening(m: &str) -> Board {
    let start = GiveAwayChess { en_passant: false }.start();
    start.after(start.read_move(m).expect("a first move"))
}

#[test]
fn give_away_chess_openings_that_lose() {
    // Nodes by standard and by mobility numbers; the counts depend on the order of moves.
    let table = [("d3", 140_650, 16_113), ("d4", 264_755, 18_132), ("e4", 84_232, 10_906)];
    let budget = Budget::default();
    for (opening, standard, mobility) in table {
        let root = after_opening(opening);
        for (initial, nodes) in [(Initial::Standard, standard), (Initial::Mobility, mobility)] {
            let options = pn::Options { initial, ..Default::default() };
            let mut solver = pn::Solver::new(options, &budget);
            let win = solver.prove(
                &root,
                Question { player: Player::SECOND, at_least: 1 },
                &Rules,
                &budget.start(),
            );
            assert_eq!(win.verdict, Verdict::Yes);
            let off = win.counts.nodes.abs_diff(nodes);
            assert!(off * 10 < nodes, "{opening}, {initial:?}: {} nodes", win.counts.nodes);
            // Black gives everything away: the longest line is 32 plies.
            assert_eq!(win.height, Some(32));
        }
    }
}
