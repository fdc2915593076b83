//! Wins by threats, as they are told.

use endspiel_catalog::game;
use endspiel_game::Stop;

#[test]
fn wins_by_threats_are_told_with_the_replies_and_the_must_play_cells() {
    let position = game("gomoku").expect("a game").start();
    // Two fours cross at h8.
    let position = position.play("e8 d8 f8 h4 g8 a1 h5 o1 h6 a15 h7 o15").expect("moves");
    let found = position.threats(&Stop::default());
    let first = found.first().expect("a win");
    assert!(first.to_move && first.attacker == "Black" && !first.line.is_empty(), "{found:?}");
    assert!(first.must.contains(&first.line[0]), "{found:?}");
    assert!(position.draw_threat(first).svg().starts_with("<svg"));
    assert!(game("othello").expect("a game").start().threats(&Stop::default()).is_empty());
}
