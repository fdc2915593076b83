//! Proofs: made, walked through, left again, and refused.

use crate::common::usual;
use crate::driver::{Browser, WIDE, wanted};
use crate::page;

#[test]
fn a_proof_is_made_and_followed_to_its_end() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=mnk:4,3,3"));
    browser.click("#prove");
    browser.until("document.getElementById('walk') !== null");
    browser.click("#walk");
    // The proof begins by itself, and answers every reply.
    browser.until("document.querySelectorAll('#line li').length === 1");
    browser.until("document.getElementById('station').textContent.startsWith('You are o: try anything, and x answers.')");
    let over = "document.getElementById('station').textContent.includes('The end')";
    loop {
        browser.until(&format!("{over} || document.querySelector('#replies button') !== null"));
        if browser.eval(over) == true {
            break;
        }
        let moves = browser.eval("document.querySelectorAll('#line li').length").as_u64().unwrap_or(0);
        browser.click("#replies tr:last-child button");
        let answered = format!("document.querySelectorAll('#line li').length >= {}", moves + 2);
        browser
            .until(&format!("{over} || ({answered} && document.querySelector('#replies button') !== null)"));
    }
    assert!(browser.text("#status").contains("x wins"));
    // Another try: back to the last choice, which is the opponent's.
    let plies = browser.eval("document.querySelectorAll('#line li').length").as_u64().unwrap_or(0);
    browser.click("#undo");
    browser.until("document.querySelectorAll('#replies button').length > 0");
    assert_eq!(browser.eval("document.querySelectorAll('#line li').length"), plies - 2);
    assert!(browser.text("#status").contains("o to move"), "{}", browser.text("#status"));
    browser.no_errors();
}

#[test]
fn a_damaged_certificate_is_refused_with_the_checker_s_words() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    let begun = server.post("/api/jobs", &serde_json::json!({"game": "tic-tac-toe", "certificate": true}));
    let done = server.wait(begun.json()["id"].as_str().expect("a job"));
    let digest = done["result"]["certificate"]["file"].as_str().expect("a certificate").to_string();
    let mut bytes = server.get(&format!("/api/certificates/{digest}")).body;
    let file = std::env::temp_dir().join(format!("endspiel-upload-{}.cert", std::process::id()));
    browser.go(&page(&server, ""));
    std::fs::write(&file, &bytes).expect("written");
    browser.type_into("#certificate", &file.display().to_string());
    browser.until("document.getElementById('proofsays').textContent.includes('Accepted: a draw')");
    browser.no_errors();
    let middle = bytes.len() * 3 / 4;
    bytes[middle] ^= 4;
    std::fs::write(&file, &bytes).expect("written");
    browser.type_into("#certificate", &file.display().to_string());
    browser.until("document.getElementById('proofsays').textContent.includes('is refused: block at byte')");
    assert!(browser.text("#proofsays").contains("checksum"));
    browser.no_errors();
    std::fs::remove_file(file).expect("removed");
}

#[test]
fn a_proof_is_followed_only_where_it_belongs() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    let begun = server.post("/api/jobs", &serde_json::json!({"game": "mnk:4,3,3", "certificate": true}));
    let done = server.wait(begun.json()["id"].as_str().expect("a job"));
    let digest = done["result"]["certificate"]["file"].as_str().expect("a certificate").to_string();
    let says = |text: &str| {
        browser.until(&format!("document.getElementById('proofsays').textContent.includes({text:?})"));
    };
    // Another game, and another position of the same game: never called accepted.
    for other in ["game=tic-tac-toe&moves=b2", "game=mnk:4,3,3&position=x.../..../...o+x"] {
        browser.go(&page(&server, &format!("#{other}&proof={digest}")));
        says("The certificate is about mnk:4,3,3");
        assert!(!browser.text("#proofsays").contains("Accepted"), "{}", browser.text("#proofsays"));
        assert!(browser.text("#error").contains("not about the game that is shown"));
        assert_eq!(browser.eval("location.hash.includes('proof')"), false, "the game goes on without it");
    }
    browser.click("#itsposition");
    says("Accepted: x wins");
    assert_eq!(browser.eval("location.hash.includes('proof')"), true);
    // A move that leaves the proof is told, and the proof stays open.
    browser.go(&page(&server, &format!("#game=mnk:4,3,3&moves=a1&proof={digest}")));
    browser.until("document.getElementById('station').textContent.startsWith('Move 1, a1, leaves the proof: x moves as')");
    assert!(!browser.text("#station").contains("character"), "{}", browser.text("#station"));
    says("Accepted: x wins");
    browser.click("#takeback");
    browser.until("document.getElementById('answer') !== null");
    assert_eq!(browser.eval("document.querySelectorAll('#line li').length"), 0);
    // Certificates are listed, and deleted.
    browser.go(&page(&server, "jobs"));
    browser.until("document.querySelectorAll('#certificates tr').length === 1");
    assert!(browser.text("#certificates").contains("mnk:4,3,3"));
    browser.click("#certificates button");
    browser.until("document.querySelectorAll('#certificates tr').length === 0");
    assert_eq!(server.get(&format!("/api/certificates/{digest}")).status, 404);
}

#[test]
fn a_game_waits_while_a_proof_is_walked_through() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=mnk:4,3,3&moves=b2+a1"));
    let game = browser.eval("location.hash");
    let returned = || {
        browser.until(&format!("location.hash === {game}"));
        browser.until("document.getElementById('status').textContent === 'a1 was played. x to move.'");
        assert_eq!(browser.eval("document.querySelectorAll('#line li').length"), 2);
        assert_eq!(browser.eval("document.getElementById('backtogame').hidden"), true);
    };
    browser.click("#prove");
    for _ in 0..2 {
        // It is still offered when the game is there again.
        browser.until("document.getElementById('walk') !== null");
        browser.click("#walk");
        browser.until("document.querySelectorAll('#replies button').length > 2");
        browser.back();
        returned();
    }
    // The certificate of another game, and the page's own way back.
    let begun = server.post("/api/jobs", &serde_json::json!({"game": "tic-tac-toe", "certificate": true}));
    let done = server.wait(begun.json()["id"].as_str().expect("a job"));
    let digest = done["result"]["certificate"]["file"].as_str().expect("a certificate").to_string();
    let file = std::env::temp_dir().join(format!("endspiel-other-{}.cert", std::process::id()));
    std::fs::write(&file, server.get(&format!("/api/certificates/{digest}")).body).expect("written");
    browser.type_into("#certificate", &file.display().to_string());
    browser.until("document.getElementById('proofsays').textContent.includes('Accepted: a draw')");
    browser.until("location.hash.startsWith('#game=tic-tac-toe')");
    browser.click("#backtogame");
    returned();
    // Another game has a way back as well.
    browser.eval("(document.getElementById('game').value = 'hex', document.getElementById('game').dispatchEvent(new Event('change')), 0)");
    browser.until("location.hash === '#game=hex'");
    browser.back();
    returned();
    browser.no_errors();
    std::fs::remove_file(file).expect("removed");
}

#[test]
fn a_finished_game_names_its_winner_and_needs_no_certificate() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=tic-tac-toe&moves=b2+a1+a2+b1+c2"));
    for button in ["#prove", "#hint"] {
        browser.click(button);
        browser.until("document.getElementById('told').textContent.startsWith('The game is over: x wins.')");
    }
    assert_eq!(server.get("/api/certificates").json(), serde_json::json!([]));
    browser.no_errors();
}

#[test]
fn bridges_end_a_proof_of_hex_in_words() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    // A stone on the second row from below, and all above it connected: one bridge is left.
    let root = "position=..b./..b./.b../....+w";
    browser.go(&page(&server, &format!("#game=hex:4&{root}")));
    browser.click("#prove");
    browser.until("document.getElementById('walk') !== null");
    browser.click("#walk");
    browser.until("document.querySelectorAll('#replies button').length > 5");
    let says = browser.text("#station");
    assert!(says.contains("Bridges connect Black's sides whatever White plays"), "{says}");
    assert!(!browser.text("#explorer").contains("0 positions below"), "{}", browser.text("#explorer"));
    // Who breaks in is answered at the other cell.
    let answer = "[...document.querySelectorAll('#replies tr')].find((r) => r.cells[0].textContent === 'a4').cells[1].textContent";
    assert_eq!(browser.eval(answer), "answer b4");
    browser.click("#board .spot[data-place=\"a4\"]");
    browser.until("document.getElementById('status').textContent.includes('Black wins')");
    assert_eq!(browser.eval("document.querySelectorAll('#line li').length"), 2);
    browser.no_errors();
}

#[test]
fn no_estimate_takes_the_place_of_a_proof() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    let plies =
        |number: usize| browser.until(&format!("document.querySelectorAll('#line li').length === {number}"));
    browser.go(&page(&server, "#game=connect-four:5x5&moves=4+5"));
    browser.click("#prove");
    browser.until("document.getElementById('walk') !== null");
    let told = browser.text("#told");
    assert!(told.starts_with("Black: proven win"), "{told}");
    // A hint is a move of the proof, and stands beside it.
    browser.click("#hint");
    browser.until("/^Hint: [1-5], proven win$/.test(document.getElementById('advice').textContent)");
    assert_eq!(browser.eval("document.querySelectorAll('#board .hinted').length"), 1);
    assert_eq!(browser.text("#told"), told);
    assert_eq!(browser.eval("document.getElementById('walk') !== null"), true);
    // A method that proves nothing is heard as well, no more.
    browser.eval(
        "(document.getElementById('method').value = 'uct', document.getElementById('time').value = '2 s', 0)",
    );
    browser.click("#prove");
    browser.until("document.getElementById('advice').textContent.startsWith('Black: estimate')");
    assert_eq!(browser.eval("getComputedStyle(document.getElementById('advice')).fontStyle"), "italic");
    assert_eq!(browser.text("#told"), told);
    assert_eq!(browser.eval("document.getElementById('walk') !== null"), true);
    // After a reply that the proven line does not have the certificate knows what to play, and so does the method that
    // may choose.
    browser.type_into("#typed", "4 2\u{e007}");
    plies(4);
    assert_eq!(browser.text("#verdict"), "Black: proven win.");
    browser.click("#hint");
    browser.until("document.getElementById('advice').textContent.endsWith(', proven win')");
    let hinted = browser.text("#advice");
    browser.eval("(document.getElementById('seat0').value = 'auto', document.getElementById('seat0').dispatchEvent(new Event('change')), 0)");
    plies(5);
    let played = browser.text("#line li:last-child");
    assert_eq!(hinted, format!("Hint: {}, proven win", played.trim_start_matches("3. ")));
    assert!(browser.text("#verdict").starts_with("White: proven loss"), "{}", browser.text("#verdict"));
    browser.no_errors();
}

#[test]
fn nothing_is_analysed_beside_a_proof_and_that_is_told() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=mnk:4,3,3"));
    browser.click("#prove");
    browser.until("document.getElementById('walk') !== null");
    browser.click("#walk");
    browser.until("document.querySelectorAll('#replies button').length > 2");
    let analyse = "document.getElementById('analyse')";
    browser.until(&format!("{analyse}.disabled && {analyse}.title.includes('Close the proof to analyse')"));
    browser.eval("(document.activeElement.blur(), 0)");
    browser.keys(&["a"]);
    browser.until("document.getElementById('advice').textContent.includes('Close the proof to analyse')");
    assert_eq!(browser.eval(&format!("{analyse}.getAttribute('aria-pressed')")), "false");
    browser.click("#closeproof");
    browser.until(&format!("!{analyse}.disabled && {analyse}.title === ''"));
    browser.click("#analyse");
    browser.until("document.querySelectorAll('#moves tr').length > 2");
    browser.no_errors();
}
