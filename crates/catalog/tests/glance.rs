//! What is seen without a search.

use endspiel_catalog::game;
use endspiel_game::Stop;

#[test]
fn wins_threats_and_must_play_moves_are_seen() {
    let glance = |name: &str, moves: &str| {
        game(name).expect("a game").start().play(moves).expect("legal moves").glance(&Stop::default())
    };
    let seen = glance("tic-tac-toe", "a1 b1 a2 b2");
    assert_eq!((seen.wins, seen.value), (vec!["a3".to_string()], Some("win")));
    let seen = glance("tic-tac-toe", "a1 b1 a2");
    assert_eq!((seen.threats, seen.must), (vec!["a3".to_string()], vec!["a3".to_string()]));
    let seen = glance("tic-tac-toe", "a1 b1 c3 c2 a3");
    assert_eq!((seen.threats.len(), seen.must.len(), seen.value), (3, 0, Some("loss")));
    assert_eq!(seen.words, ["x threatens to win by a2 b2 b3.", "Nothing meets that."]);
    // In Hex the cells outside the mustplay region and the inferior ones are left out.
    let seen = glance("hex:6", "a1");
    assert!(seen.value.is_none() && !seen.must.is_empty() && seen.must.len() < 35, "{seen:?}");
    assert!(glance("othello", "").words.is_empty());
}
