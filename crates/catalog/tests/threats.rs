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
    assert!(first.to_move && first.attacker == "Black" && first.line == ["h8"], "{found:?}");
    assert!(position.draw_threat(first).svg().starts_with("<svg"));
    // Were it White's turn h8 would not help: the same stones win in another way.
    assert!(first.must.is_empty(), "{found:?}");
    let white = position.write().replace(" b", " w");
    let after =
        game("gomoku").expect("a game").read(&white).expect("White to move").play("h8").expect("a move");
    assert!(after.threats(&Stop::default()).iter().any(|threat| threat.to_move), "{white}");
    // Two threes cross at h8, and White has fours to put in between; nothing else stops it.
    let position = game("gomoku").expect("a game").start();
    let position = position.play("f8 a1 g8 b1 h6 c1 h7 o15").expect("moves");
    let found = position.threats(&Stop::default());
    let first = found.first().expect("a win");
    assert_eq!((&first.sequence[0].attack[..], first.sequence[0].replies.len()), ("h8", 2), "{found:?}");
    let tried: Vec<_> = first.counter.threats.iter().map(|c| (&c.threat[..], &c.answer[..])).collect();
    assert_eq!(tried, [("d1", "e1"), ("e1", "d1")]);
    assert_eq!(first.must, ["d1", "e1"]);
    assert!(game("othello").expect("a game").start().threats(&Stop::default()).is_empty());
}
