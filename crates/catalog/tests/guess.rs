//! A proof that is not in reach leaves a move and an estimate.

use endspiel_catalog::{AnyPosition, GAMES, Report, Request, Status, game, guess};
use endspiel_game::Budget;

fn solve_or_guess(position: &dyn AnyPosition, request: &Request) -> Report {
    let mut report = position.solve(request, &()).expect("an answer");
    guess(position, request, &mut report).expect("a guess");
    report
}

#[test]
fn an_undecided_position_has_a_move_and_an_estimate() {
    let mut guessed = 0;
    for entry in GAMES {
        let name = entry.about().name;
        let start = game(name).expect("a game").start();
        let request = Request { budget: Budget::nodes(50).with_memory(4 << 20), ..Request::default() };
        let report = solve_or_guess(&*start, &request);
        if report.status == Status::Proven {
            continue;
        }
        let first = report.line.first().unwrap_or_else(|| panic!("{name}: a move"));
        assert!(start.moves().contains(first), "{name}: {first}");
        assert!(report.estimate.is_some(), "{name}: {report:?}");
        assert_ne!(report.status, Status::Unknown, "{name}");
        assert!(report.ended.is_some(), "{name}: what ended the proof is still told");
        guessed += u32::from(report.guessed_by.is_some());
    }
    assert!(guessed > 5, "{guessed}");
}

#[test]
fn who_is_stopped_at_once_still_has_a_move() {
    let start = game("hex").expect("a game").start();
    let request = Request::default();
    request.budget.stop.now();
    let report = solve_or_guess(&*start, &request);
    assert_eq!((report.line.is_empty(), report.ended), (false, Some("stopped")));
}
