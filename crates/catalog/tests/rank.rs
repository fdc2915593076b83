//! Rankings: a word on every move however wide the board, what a proof says of the whole, and the truth wherever
//! something is called proven.

use endspiel_catalog::{AnyPosition, ProgressReport, Purpose, Ranking, Request, Status, Watcher, game};
use endspiel_game::{Budget, Goal};
use std::sync::Mutex;

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
        // A look may end late by the moves of one node.
        let most = nodes + position.count_moves() as u64;
        assert!(ranking.report.nodes <= most, "{name}: {} nodes", ranking.report.nodes);
    }
}

/// Best play of both ends the game as the line says, in as many plies as are told at most.
#[test]
fn what_the_method_for_proofs_finds_is_told() {
    let solve = Request { goal: Goal::Outcome, ..Request::default() };
    for (name, moves, nodes) in [
        ("give-away-chess", "d2d4", 400_000),
        ("give-away-chess", "e2e4", 400_000),
        ("mnk:5,5,4", "", 200_000),
        ("mnk:6,5,4", "", 100_000),
        ("mnk:6,6,4", "", 50_000),
        ("connect-four:5x4", "", 200_000),
        ("hex:6", "b4", 100_000),
        ("gomoku", "h8 a1 i9 b3", 100_000),
    ] {
        let position = start(name, moves);
        let ranking = ranked(&*position, Budget { memory: 64 << 20, ..Budget::nodes(nodes) });
        let truth = position.solve(&solve, &()).unwrap();
        assert_eq!(ranking.report.status, Status::Proven, "{name} {moves}");
        assert_eq!(ranking.report.value, truth.value, "{name} {moves}");
        let best = &ranking.moves[0];
        assert_eq!((best.value, &best.line[0]), (truth.value, &best.name), "{name} {moves}");
        if best.value == Some("win") {
            let after = position.play(&best.name).unwrap();
            assert_eq!(after.solve(&solve, &()).unwrap().value, Some("loss"), "{name} {moves}");
            assert!(best.estimate.is_none(), "{name} {moves}: {:?}", best.estimate);
        }
    }
    let ranking = ranked(&*start("give-away-chess", "d2d4"), Budget::nodes(400_000));
    let best = &ranking.moves[0];
    let distance = best.distance.expect("the proof knows how long it takes");
    assert!(best.line.len() <= distance.plies as usize, "{:?} in {} plies", best.line, distance.plies);
}

#[test]
fn images_are_judged_alike() {
    for (name, nodes) in
        [("connect-four", 300_000), ("othello", 50_000), ("mnk:7,7,5", 50_000), ("hex:9", 50_000)]
    {
        let position = start(name, "");
        let ranking = ranked(&*position, Budget { memory: 16 << 20, ..Budget::nodes(nodes) });
        let estimate = |m: &str| {
            let found = ranking.moves.iter().find(|r| r.name == m).unwrap();
            (found.status, found.value, found.estimate.map(|e| e.mean.to_bits()))
        };
        let pair = match name {
            "connect-four" => ["2", "6"],
            "othello" => ["d3", "c4"],
            "hex:9" => ["c3", "g7"],
            _ => ["b3", "f5"],
        };
        assert_eq!(estimate(pair[0]), estimate(pair[1]), "{name}");
        for m in &ranking.moves {
            let line = m.line.join(" ");
            assert!(position.play(&line).is_ok(), "{name}: {line}");
        }
    }
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
    let truth = Request { goal: Goal::Outcome, ..Request::default() };
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
            let proven = || ranking.moves.iter().filter(|m| m.status == Status::Proven);
            assert!(nodes < 20_000 || proven().count() > 0, "{name} {moves}");
            for m in proven() {
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
                if let (Some(told), Some(known)) =
                    (m.distance.filter(|d| d.exact), there.distance.filter(|d| d.exact))
                {
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

/// Whatever the method and the budget: no move is said to get more than the whole, and the first is not worse than what
/// is proven of the whole; where only one move is left that can be so good, it is.
#[test]
fn the_order_is_that_of_what_is_proven() {
    let awari = game("awari").unwrap();
    for (text, method, nodes) in [
        ("0 2 0 0 1 1|0 1 0 0 0 1 21-21 S", "df-pn", 60_000),
        ("0 2 0 0 1 1|0 1 0 0 0 1 21-21 S", "df-pn", 120_000),
        ("0 0 1 0 1 1|0 0 1 0 1 1 21-21 S", "auto", 1_100_000),
        ("1 1 0 0 0 0|0 1 0 0 2 1 21-21 S", "auto", 40_000),
        ("0 2 0 0 0 0|0 0 1 1 0 2 21-21 S", "auto", 40_000),
    ] {
        let position = awari.read(text).unwrap();
        let request = Request {
            method: method.into(),
            purpose: Purpose::Play,
            goal: Goal::Outcome,
            budget: Budget { memory: 64 << 20, ..Budget::nodes(nodes) },
            ..Request::default()
        };
        let Ranking { report, moves } = position.rank(&request, &()).unwrap();
        assert!(moves.iter().all(|m| m.bounds[1] <= report.bounds[1]), "{text}: {moves:?}");
        assert!(moves[0].bounds[1] >= report.bounds[0].min(1), "{text}: {moves:?}");
        if report.status == Status::Proven {
            assert!(report.estimate.is_none(), "{text}");
            assert_eq!(report.line[0], moves[0].name, "{text}");
            let kept = |m: &endspiel_catalog::MoveReport| m.value == report.value;
            assert!(kept(&moves[0]) || !moves.iter().any(kept), "{text}: {moves:?}");
            let truth =
                position.solve(&Request { method: "exhaustive".into(), ..Request::default() }, &()).unwrap();
            assert_eq!(report.value, truth.value, "{text}");
            let after = position.play(&moves[0].name).unwrap();
            let reply =
                after.solve(&Request { method: "exhaustive".into(), ..Request::default() }, &()).unwrap();
            assert_eq!(reply.bounds.map(i32::signum), truth.bounds.map(|b| -b.signum()), "{text}: {moves:?}");
        }
    }
}

/// What is told on the way is of the whole: nodes never fall.
#[test]
fn looks_are_told_as_parts_of_the_whole() {
    #[derive(Default)]
    struct Told(Mutex<Vec<ProgressReport>>);
    impl Watcher for Told {
        fn progress(&self, progress: &ProgressReport) {
            self.0.lock().unwrap().push(progress.clone());
        }
    }
    let told = Told::default();
    let time = Some(std::time::Duration::from_millis(1500));
    let budget = Budget { time, memory: 64 << 20, ..Budget::default() };
    let request = Request { purpose: Purpose::Play, goal: Goal::Outcome, budget, ..Request::default() };
    let ranking = start("hex:6", "f1").rank(&request, &told).unwrap();
    let told = told.0.into_inner().unwrap();
    assert!(told.is_sorted_by_key(|p| p.nodes), "{told:?}");
    assert!(told.last().is_none_or(|p| p.nodes <= ranking.report.nodes));
}

#[test]
fn who_can_know_does_not_guess() {
    let play = |name: &str, moves: &str, nodes| {
        let budget = Budget { memory: 32 << 20, ..Budget::nodes(nodes) };
        let request = Request { purpose: Purpose::Play, goal: Goal::Outcome, budget, ..Request::default() };
        start(name, moves).solve(&request, &()).unwrap()
    };
    // Random games think little of the moves that keep the draw and the win.
    for (name, moves, value) in [("connect-four:5x4", "", "draw"), ("connect-four:5x5", "4 5", "win")] {
        let report = play(name, moves, 2_000_000);
        assert_eq!((report.status, report.value), (Status::Proven, Some(value)), "{name} {moves}");
        let kept = play(name, &format!("{moves} {}", report.line[0]), 2_000_000);
        let opposite = if value == "win" { "loss" } else { value };
        assert!(kept.value.is_none_or(|found| found == opposite), "{name} {moves}: {:?}", report.line);
    }
    let report = play("connect-four", "", 2000);
    assert!(
        report.status == Status::Estimated && report.method == "uct" && report.nodes <= 1600,
        "{report:?}"
    );
    assert!(report.why.is_some_and(|why| why.contains("random games")));
}
