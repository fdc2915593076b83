//! Screenshots for people to look at: every game's board and every page, light and dark, wide and on a phone.

use crate::common::start;
use crate::driver::{Browser, PHONE, WIDE, Window, wanted};
use crate::{build_databases, page};
use std::path::Path;

/// A position in the middle of a game: moves chosen without a plan, the same each time.
fn middle(game: &str, plies: usize) -> String {
    let mut position = endspiel_catalog::game(game).expect("a game").start();
    let mut line: Vec<String> = Vec::new();
    for ply in 0..plies {
        let moves = position.moves();
        let Some(chosen) = moves.get((7 * ply * ply + 3) % moves.len().max(1)) else { break };
        position = position.play(chosen).expect("a legal move");
        line.push(chosen.clone());
    }
    line.join("+")
}

/// Not a test of its own: makes the screenshots that people look at, into the directory that
/// `ENDSPIEL_SCREENSHOTS` names.
#[test]
fn screenshots() {
    let Some(directory) = std::env::var_os("ENDSPIEL_SCREENSHOTS").filter(|_| wanted()) else { return };
    let directory = Path::new(&directory);
    let databases = directory.join("databases");
    build_databases(&databases, "awari", "0-6");
    let server =
        start(endspiel_web::Options { databases: Some(databases), ..endspiel_web::Options::default() });
    for (name, window) in [
        ("wide-light", WIDE),
        ("wide-dark", Window { dark: true, ..WIDE }),
        ("phone-light", PHONE),
        ("phone-dark", Window { dark: true, ..PHONE }),
    ] {
        let browser = Browser::open(window);
        let take = |shot: &str| browser.screenshot(&directory.join(format!("{shot}-{name}.png")));
        for entry in endspiel_catalog::GAMES {
            let game = entry.about().name;
            browser.go(&page(&server, &format!("#game={game}&moves={}", middle(game, 5))));
            take(game);
        }
        browser.go(&page(&server, &format!("#game=qubic&relief=1&moves={}", middle("qubic", 20))));
        take("qubic-in-depth");
        browser.go(&page(&server, "#game=gomoku&moves=h8+i9+h9+a1+h7+b2&threats=1&clock=180%2B2"));
        browser.until("document.querySelector('#board .threat, #board .must') !== null");
        take("threats");
        for game in
            ["chess", "gomoku&moves=h8", "awari", "checkers&moves=11-15+23-19", "xiangqi", "hex:7&moves=d4"]
        {
            browser.go(&page(&server, &format!("#game={game}&analyse=1")));
            browser.until("document.querySelectorAll('#board .label').length > 4");
            take(&format!("analysis-{}", game.split(['&', ':']).next().unwrap_or(game)));
        }
        browser.go(&page(&server, "lab"));
        take("lab");
        browser.go(&page(&server, "databases"));
        browser.click("#list tbody tr:last-child button");
        browser.until("document.querySelectorAll('#histogram rect').length > 5");
        browser.eval("scrollTo(0, 0)");
        take("databases");
        let proven = serde_json::json!({"game": "mnk:4,3,3", "certificate": true});
        server.wait(server.post("/api/jobs", &proven).json()["id"].as_str().expect("a job"));
        let guessed = serde_json::json!({"kind": "best", "game": "hex:7", "time": 1, "play": true});
        server.wait(server.post("/api/jobs", &guessed).json()["id"].as_str().expect("a job"));
        let long = serde_json::json!({"game": "hex:11", "method": "df-pn", "time": 250, "keep": true});
        let long = server.post("/api/jobs", &long).json()["id"].as_str().expect("a job").to_string();
        browser.go(&page(&server, "jobs"));
        browser.until("document.querySelector('#running tr').textContent.includes('nodes')");
        take("jobs");
        server.ask("DELETE", &format!("/api/jobs/{long}"), "", b"");
        // All of a page, from top to bottom.
        let browser = Browser::open(Window { height: 2200, ..window });
        browser.go(&page(&server, "#game=connect-four:6x5&moves=3+3+3+4+5+5+3+2&analyse=1"));
        browser.until("document.getElementById('verdict').textContent !== ''");
        browser.click("#moves tr:first-child button.why");
        browser.screenshot(&directory.join(format!("all-{name}.png")));
        // A whole game evaluated, with estimates and their spread; a proof walked through; the moves as text.
        browser.go(&page(&server, "#game=connect-four&moves=4+4+3+5+2"));
        browser.eval("(document.getElementById('method').value = 'uct', document.getElementById('time').value = '2 s', 0)");
        browser.click("#review");
        browser.until("document.querySelectorAll('#graph .point').length > 5");
        browser.click("#analyse");
        browser.click("#legal summary");
        browser.until("document.getElementById('verdict').textContent !== ''");
        browser.click("#moves tr:first-child button.why");
        browser.screenshot(&directory.join(format!("estimates-{name}.png")));
        browser.go(&page(&server, "#game=mnk:4,3,3"));
        browser.click("#prove");
        browser.until("document.getElementById('walk') !== null");
        browser.click("#walk");
        browser.until("document.querySelectorAll('#replies tr').length > 5");
        browser.screenshot(&directory.join(format!("proof-{name}.png")));
    }
    let browser = Browser::open(WIDE);
    browser.go(&page(&server, "#game=connect-four:6x5&moves=3+3+3+4+5+5+3+2&analyse=1"));
    browser.until("document.getElementById('verdict').textContent !== ''");
    browser.screenshot(&directory.join("page.png"));
}
