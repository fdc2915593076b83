//! Positions, what is seen of them at a glance, and how boards are drawn.

use crate::common::usual;
use serde_json::{Value, json};
use std::time::Instant;

#[test]
fn games_methods_and_positions_are_told() {
    let server = usual();
    let games = server.get("/api/games").json();
    assert!(games.as_array().expect("a list").len() >= 13);
    assert!(!server.get("/api/methods").json().as_array().expect("a list").is_empty());
    let view = server.get("/api/position?game=tic-tac-toe&moves=b2+a1").json();
    assert_eq!((view["mover"].as_str(), view["turn"].as_u64()), (Some("x"), Some(0)), "{view}");
    assert_eq!(view["played"], json!(["b2", "a1"]));
    assert_eq!(view["moves"].as_array().map(Vec::len), Some(7));
    assert!(view["picture"]["shapes"].as_str().expect("shapes").contains("<polygon"));
    let over = server.get("/api/position?game=tic-tac-toe&moves=b2+a1+a2+b1+c2").json();
    assert_eq!((over["result"].as_str(), over["turn"].as_u64()), (Some("x wins"), None));
    let begun = Instant::now();
    for _ in 0..20 {
        server.get("/api/position?game=connect-four&moves=4444");
    }
    println!("a move's round trip: {:?}", begun.elapsed() / 20);
}

#[test]
fn a_position_that_comes_back_ends_the_game() {
    let server = usual();
    let at = |moves: &str| server.get(&format!("/api/position?game=chess&moves={moves}")).json();
    let over = at("Nf3+Nf6+Ng1+Ng8");
    assert_eq!(over["result"], "a draw, as the position has come back");
    assert_eq!((&over["moves"], &over["turn"]), (&json!([]), &Value::Null));
    let record = server.get("/api/record?game=chess&moves=Nf3+Nf6+Ng1+Ng8");
    assert!(String::from_utf8_lossy(&record.body).ends_with("1. Nf3 Nf6 2. Ng1 Ng8 1/2-1/2\n"));
    // A record in which people played on is read all the same.
    assert_eq!(at("Nf3+Nf6+Ng1+Ng8+e4")["result"], Value::Null);
}

#[test]
fn threats_are_told_without_a_search() {
    let server = usual();
    let seen = server.get("/api/glance?game=tic-tac-toe&moves=a1+b1+a2").json();
    assert_eq!((&seen["threats"], &seen["must"]), (&json!(["a3"]), &json!(["a3"])));
    assert_eq!(seen["words"][0], "x threatens to win by a3.");
    let over = server.get("/api/glance?game=tic-tac-toe&moves=a1+b1+a2+b2+a3").json();
    assert_eq!(over["words"], json!([]));
    assert_eq!(server.get("/api/glance?game=tic-tac-toe&moves=a1+a1").status, 400);
    // A sequence of threats, in numbers and in words: fours until one of them is double.
    let sequence = server.get("/api/glance?game=gomoku&moves=h8+a1+i8+a3+j8+o1").json();
    let attack = &sequence["attacks"][0];
    assert_eq!((&attack["attacker"], &attack["to_move"]), (&json!("Black"), &json!(true)), "{sequence}");
    let words = sequence["words"].as_array().and_then(|w| w.last()?.as_str()).unwrap_or_default();
    let first = attack["line"][0].as_str().expect("a move");
    assert!(words.contains("Black can win by a sequence of threats") && words.contains(first), "{words}");
}

#[test]
fn stacked_boards_are_shown_at_an_angle_where_there_are_some() {
    let server = usual();
    let view = |rest: &str| server.get(&format!("/api/position?{rest}")).json();
    let (flat, deep) = (view("game=qubic&moves=21"), view("game=qubic&moves=21&relief=true"));
    assert_eq!((&flat["relief"], &view("game=hex")["relief"]), (&json!(true), &json!(false)));
    assert_ne!(flat["picture"]["height"], deep["picture"]["height"]);
    assert_eq!(deep["picture"]["places"].as_array().expect("places").len(), 64);
    assert_eq!(flat["moves"], deep["moves"]);
    assert_eq!(view("game=hex:3&relief=true")["picture"], view("game=hex:3")["picture"]);
}
