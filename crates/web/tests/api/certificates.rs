//! Certificates: made, walked through, refused, kept and deleted.

use crate::begin;
use crate::common::{Running, start, usual};
use endspiel_web::{Limits, Options};
use serde_json::{Value, json};

#[test]
fn certificates_are_made_walked_through_and_refused() {
    let server = usual();
    let id = begin(&server, &json!({"game": "mnk:4,3,3", "certificate": true}));
    let digest =
        server.wait(&id)["result"]["certificate"]["file"].as_str().expect("a certificate").to_string();
    let mut file = server.get(&format!("/api/certificates/{digest}")).body;
    assert!(file.starts_with(b"Endspiel certificate"));
    let accepted = server.ask("POST", "/api/certificates", "", &file);
    assert_eq!(accepted.status, 200);
    assert_eq!(accepted.json()["accepted"]["statement"], "x wins");
    assert_eq!(accepted.json()["certificate"], digest.as_str());

    // Down the first reply each time, until the game is over.
    let mut moves: Vec<String> = Vec::new();
    loop {
        let path = format!("/api/certificates/{digest}/proof?claim=0&moves={}", moves.join("+"));
        let station = server.get(&path).json()["station"].clone();
        if let Some(result) = station["result"].as_str() {
            assert_eq!(result, "x wins");
            break;
        }
        let reply = station["replies"].get(0).map(|r| r["move"].clone());
        let next =
            if station["answer"].is_null() { reply.expect("a reply") } else { station["answer"].clone() };
        moves.push(next.as_str().expect("a move").into());
    }
    let wrong = server.get(&format!("/api/certificates/{digest}/proof?moves=a1"));
    assert_eq!(wrong.status, 400);
    let told = wrong.json()["error"].as_str().expect("an error").to_string();
    assert!(
        told.starts_with("move 1, a1, leaves the proof: x moves as the proof says, here ")
            && told.ends_with("every move of o's is answered"),
        "{told}"
    );

    let middle = file.len() * 3 / 4;
    file[middle] ^= 1;
    let refused = server.ask("POST", "/api/certificates", "", &file);
    assert_eq!(refused.status, 422);
    assert!(refused.json()["error"].as_str().expect("an error").contains("checksum"), "{}", refused.json());
}

#[test]
fn certificates_make_room_for_new_ones_and_can_be_deleted() {
    let make = |server: &Running, game: &str| {
        let done = server.wait(&begin(server, &json!({"game": game, "certificate": true})));
        let file = done["result"]["certificate"]["file"].as_str().map(str::to_string);
        let why = done["result"]["uncertified"].as_str().or(done["error"].as_str()).unwrap_or_default();
        (file, why.to_string())
    };
    let listed = |server: &Running| -> Vec<String> {
        let list = server.get("/api/certificates").json();
        let digest = |c: &Value| c["digest"].as_str().expect("a digest").to_string();
        list.as_array().expect("a list").iter().map(digest).collect()
    };
    let limits = Limits { workers: 1, memory: 32 << 20, ..Limits::default() };
    let server = start(Options { limits, ..Options::default() });
    let (first, second) = (make(&server, "mnk:4,3,3").0, make(&server, "mnk:5,3,3").0);
    let (first, second) = (first.expect("a certificate"), second.expect("a certificate"));
    let sizes = [&first, &second].map(|d| server.get(&format!("/api/certificates/{d}")).body.len() as u64);
    let about = server.get("/api/certificates").json();
    let about = about.as_array().expect("a list").iter().find(|c| c["digest"] == first.as_str());
    assert_eq!(about.map(|c| (&c["game"], c["bytes"].as_u64())), Some((&json!("mnk:4,3,3"), Some(sizes[0]))));
    assert_eq!(server.ask("DELETE", &format!("/api/certificates/{first}"), "", b"").status, 204);
    assert_eq!(listed(&server), [second.as_str()]);
    let gone = server.get(&format!("/api/certificates/{first}/proof"));
    assert!(gone.status == 404 && gone.json()["error"].as_str().is_some_and(|e| e.contains("made room")));
    assert_eq!(server.ask("DELETE", &format!("/api/certificates/{first}"), "", b"").status, 404);

    // Room for one of them: the newer one stays, whoever made it.
    let limits = Limits { certificates: sizes[0].max(sizes[1]), ..limits };
    let server = start(Options { limits, ..Options::default() });
    for (game, digest) in [("mnk:4,3,3", &first), ("mnk:5,3,3", &second), ("mnk:4,3,3", &first)] {
        assert_eq!(make(&server, game).0.as_ref(), Some(digest));
        assert_eq!(listed(&server), [digest.as_str()]);
    }
    // Room for none: what is proven is told all the same.
    let server = start(Options { limits: Limits { certificates: 100, ..limits }, ..Options::default() });
    let (file, why) = make(&server, "mnk:4,3,3");
    // It may also be cut off while it is written.
    let told = why.contains("larger than all that may be kept") || why.contains("may have 100 bytes");
    assert!(file.is_none() && told, "{file:?} {why}");
    assert_eq!(listed(&server), [""; 0]);
}

#[test]
fn a_finished_game_has_no_certificate() {
    let server = usual();
    let over = json!({"game": "tic-tac-toe", "moves": "b2 a1 a2 b1 c2", "certificate": true});
    let done = server.wait(&begin(&server, &over));
    assert_eq!(done["result"]["uncertified"], "the game is over: x wins", "{done}");
    assert!(done["result"]["certificate"].is_null());
    assert_eq!(server.get("/api/certificates").json(), json!([]));
}

#[test]
fn a_proof_of_hex_ends_where_bridges_connect_the_sides() {
    let server = usual();
    let job = begin(&server, &json!({"game": "hex:4", "moves": "b3", "certificate": true}));
    let done = server.wait(&job);
    let digest = done["result"]["certificate"]["file"].as_str().expect("a certificate").to_string();
    let walk = |moves: &[String]| {
        let path = format!("/api/certificates/{digest}/proof?claim=0&moves={}", moves.join("+"));
        server.get(&path).json()["station"].clone()
    };
    // Down the last reply, until bridges connect the sides; then every way in is shut at once.
    let mut moves: Vec<String> = Vec::new();
    let mut station = walk(&moves);
    while station["certain"].is_null() {
        let reply = station["replies"].as_array().and_then(|replies| replies.last()).map(|r| &r["move"]);
        let next = station["answer"].as_str().or_else(|| reply.and_then(Value::as_str)).expect("a move");
        moves.push(next.into());
        station = walk(&moves);
    }
    let says = station["certain"].as_str().expect("words");
    assert!(says.starts_with("bridges connect ") && says.contains("'s sides whatever "), "{says}");
    while station["result"].is_null() {
        let replies = station["replies"].as_array().expect("replies").clone();
        if let Some(reply) = replies.first() {
            assert!(replies.iter().all(|r| r["certain"] == true || !r["result"].is_null()), "{station}");
            moves.push(reply["move"].as_str().expect("a move").into());
        } else {
            moves.push(station["answer"].as_str().expect("an answer").into());
        }
        station = walk(&moves);
    }
}
