//! Records of games: written, read, exchanged with other programs, and names in them.

use crate::common::usual;
use serde_json::json;

#[test]
fn records_are_written_and_read() {
    let server = usual();
    let text = server.get("/api/record?game=connect-four&moves=4+4+3&first=human&second=uct");
    assert_eq!(String::from_utf8_lossy(&text.body).lines().last(), Some("1. 4 4 2. 3"));
    let record = server.ask("POST", "/api/record", "", &text.body).json();
    assert_eq!((&record["game"], &record["moves"]), (&json!("connect-four"), &json!("4 4 3")));
    // A long game: its text is longer than any list of moves by the numbers in it.
    let there_and_back = ["b1-b3", "a4-c4", "b3-b1", "c4-a4"].repeat(660);
    let moves = there_and_back.join("+");
    let text = server.get(&format!("/api/record?game=lines-of-action&moves={moves}"));
    assert_eq!(text.status, 200, "{}", String::from_utf8_lossy(&text.body));
    assert!(text.body.len() > 16 << 10);
    let read = server.ask("POST", "/api/record", "", &text.body);
    assert_eq!(read.json()["moves"], there_and_back.join(" "));
    let saved = json!({"name": "long", "text": String::from_utf8_lossy(&text.body)});
    assert_eq!(server.post("/api/records", &saved).status, 201);
}

#[test]
fn chess_is_exchanged_as_pgn() {
    let server = usual();
    let record = |body: &str| server.ask("POST", "/api/record", "", body.as_bytes());
    let text = "[Event \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1/2-1/2\"]\n\n1. e4 {best by test} e5 $2\n\
                2. Nf3 (2. f4 exf4) 2... Nc6! 3. Bb5 a6 1/2-1/2\n\n[Event \"another\"]\n\n1. d4 *\n";
    let read = record(text).json();
    assert_eq!((&read["game"], &read["games"]), (&json!("chess"), &json!(2)), "{read}");
    assert_eq!(read["moves"], "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    let moves = read["moves"].as_str().expect("moves").replace(' ', "+");
    let written = server.get(&format!("/api/record?game=chess&moves={moves}&first=human&second=auto"));
    let written = String::from_utf8_lossy(&written.body).to_string();
    assert!(written.contains("[White \"human\"]\n[Black \"auto\"]\n[Result \"*\"]\n"), "{written}");
    assert!(written.ends_with("\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n"), "{written}");
    assert_eq!(record(&written).json()["moves"], read["moves"]);
    let wrong = record("[White \"A\"]\n\n1. e4 e5\n2. Nf9 *\n");
    let told = wrong.json()["error"].as_str().expect("an error").to_string();
    assert!(
        wrong.status == 400 && told.starts_with("line 4: 'Nf9' is not a legal move here; expected"),
        "{told}"
    );
}

#[test]
fn records_that_name_no_game_are_chess_and_empty_ones_are_refused() {
    let server = usual();
    let read =
        |game: &str, text: &str| server.ask("POST", &format!("/api/record?game={game}"), "", text.as_bytes());
    let chess = read("tic-tac-toe", "1. e4 e5 2. Nf3 *");
    assert_eq!((chess.status, chess.json()["game"].as_str()), (200, Some("chess")));
    for empty in ["", " \n\n", "{only a comment}", "*"] {
        let refused = read("tic-tac-toe", empty);
        assert_eq!(refused.status, 400, "{empty:?}");
        assert!(refused.json()["error"].as_str().is_some_and(|e| e.contains("the record is empty")));
    }
    let told = read("tic-tac-toe", "1. e4 e5 2. Ke5").json()["error"].to_string();
    assert!(told.contains("is read as one of chess"), "{told}");
}

#[test]
fn names_do_not_turn_the_words_around_them() {
    let server = usual();
    let text = "[Game \"tic-tac-toe\"]\n[First \"abc\u{202e}fed\"]\n\nb2";
    let saved = server.post("/api/records", &json!({"name": "game\u{202e}txt.exe\u{7}", "text": text}));
    assert_eq!(saved.status, 201);
    assert_eq!(server.get("/api/records").json()[0]["name"], "gametxt.exe ");
    let read = server.ask("POST", "/api/record", "", text.as_bytes()).json();
    assert_eq!(read["tags"][1], json!(["First", "abcfed"]));
    let written =
        server.get("/api/record?game=tic-tac-toe&first=abc%E2%80%AEfed&tags=%5BEvent+%22a%E2%80%AEb%22%5D");
    let written = String::from_utf8_lossy(&written.body).to_string();
    assert!(written.contains("[First \"abcfed\"]") && written.contains("[Event \"ab\"]"), "{written}");
}
