//! Rankings: a word on every move however wide the board, what a proof says of the whole, and the truth wherever
//! something is called proven.

use endspiel_catalog::{AnyPosition, Purpose, Ranking, Request, Status, game};
use endspiel_game::{Budget, Goal};

fn ranked(position: &dyn AnyPosition, budget: Budget) -> Ranking {
    let request = Request { purpose: Purpose::Play, goal: Goal::Outcome, budget, ..Request::default() };
    position.rank(&request, &()).unwrap()
}

fn start(name: &str, moves: &str) -> Box<dyn AnyPosition> {
    game(name).unwrap().start().play(moves).unwrap()
}

#[test]
fn wide_boards_have_a_word_on_every_move() {
    for (name, nodes) in
        [("amazons", 1000), ("hex:19", 20_000), ("gomoku", 20_000), ("lines-of-action", 20_000)]
    {
        let position = start(name, "");
        let budget = Budget { memory: 32 << 20, ..Budget::nodes(nodes) };
        let ranking = ranked(&*position, budget);
        assert_eq!(ranking.moves.len(), position.count_moves(), "{name}");
        let unknown = ranking.moves.iter().filter(|m| m.status == Status::Unknown).count();
        assert_eq!(unknown, 0, "{name}");
        assert!(ranking.report.nodes <= nodes + 1000, "{name}: {} nodes", ranking.report.nodes);
    }
}

#[test]
fn what_the_method_for_proofs_finds_is_told() {
    let budget = Budget { memory: 64 << 20, ..Budget::nodes(400_000) };
    let ranking = ranked(&*start("give-away-chess", "d2d4"), budget);
    assert_eq!((ranking.report.status, ranking.report.value), (Status::Proven, Some("win")));
    let best = &ranking.moves[0];
    assert_eq!((best.status, best.value), (Status::Proven, Some("win")));
    assert!(best.line.len() > 1 && best.line[0] == best.name, "{:?}", best.line);
}

#[test]
fn a_lost_position_has_lost_moves_only() {
    let position = start("hex:5", "c3");
    let ranking = ranked(&*position, Budget { memory: 16 << 20, ..Budget::nodes(200_000) });
    assert_eq!(ranking.report.value, Some("loss"));
    assert!(ranking.moves.iter().all(|m| m.value == Some("loss")));
}

#[test]
fn proven_moves_are_true() {
    let truth = Request { method: "exhaustive".into(), goal: Goal::Score, ..Request::default() };
    for (name, moves) in [
        ("tic-tac-toe", "b2 a1"),
        ("mnk:4,4,3", "b2"),
        ("connect-four:4x4", "1 2"),
        ("connect-four:5x4", "3 3 3"),
        ("hex:4", "a2"),
        ("othello:4", ""),
        ("lines-of-action:4", ""),
    ] {
        let position = start(name, moves);
        for nodes in [10, 300, 20_000] {
            let ranking = ranked(&*position, Budget { memory: 8 << 20, ..Budget::nodes(nodes) });
            for m in ranking.moves.iter().filter(|m| m.status == Status::Proven) {
                let after = position.play(&m.name).unwrap();
                let there = after.solve(&truth, &()).unwrap();
                let same = after.mover() == position.mover() || after.mover().is_none();
                let value = match (there.value, same) {
                    (Some("win"), false) => Some("loss"),
                    (Some("loss"), false) => Some("win"),
                    (value, _) => value,
                };
                if after.mover().is_some() {
                    assert_eq!(m.value, value, "{name} {moves}: {} with {nodes} nodes", m.name);
                }
                if let (Some(told), Some(known)) = (m.distance.filter(|d| d.exact), there.distance) {
                    assert_eq!(told.plies, known.plies + 1, "{name} {moves}: {}", m.name);
                }
            }
        }
    }
}

#[test]
fn nothing_is_spent_when_there_is_nothing_to_spend() {
    let stopped = Budget { memory: 1 << 20, ..Budget::default() };
    stopped.stop.now();
    let ranking = ranked(&*start("connect-four", ""), stopped);
    assert_eq!((ranking.report.nodes, ranking.report.ended), (0, Some("stopped")));
    assert_eq!(ranking.moves.len(), 7);
}
