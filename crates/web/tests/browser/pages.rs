//! Saved games, lists of moves, and the other pages: jobs, databases, laboratory.

use crate::common::{start, usual};
use crate::driver::{Browser, PHONE, WIDE, wanted};
use crate::{build_databases, page, press};

#[test]
fn games_are_saved_and_the_first_page_is_quick() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=tic-tac-toe&moves=b2+a1"));
    browser.click("#save");
    browser.until("document.querySelectorAll('#saved option').length === 2");
    browser.click("#export");
    browser.until("document.getElementById('record').value.includes('1. b2 a1')");
    // The value over the game: a dot a position, each of them proven.
    browser.click("#review");
    browser.until("document.querySelectorAll('#graph circle.proven').length === 3");
    let loaded = browser.eval("performance.getEntriesByType('navigation')[0].loadEventEnd");
    let bytes =
        browser.eval("performance.getEntriesByType('resource').reduce((n, r) => n + r.transferSize, 0)");
    println!("first page: loaded in {loaded} ms, {bytes} bytes besides the document");
    browser.no_errors();
}

#[test]
fn every_move_can_be_read_and_chosen_and_games_are_named_and_deleted() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=amazons"));
    browser.click("#legal summary");
    browser.until("document.querySelectorAll('#legallist button').length === 400");
    assert!(browser.text("#legallist").ends_with("and 1776 more"));
    browser.click("#legallist button");
    browser.until("document.getElementById('status').textContent.includes('Black to move')");
    browser.type_into("#recordname", "<b>my game</b>");
    browser.click("#save");
    browser.until("document.querySelectorAll('#saved option').length === 2");
    assert_eq!(
        browser.eval("document.querySelector('#saved option:checked').textContent"),
        "<b>my game</b> (amazons)"
    );
    browser.click("#new");
    browser.until("document.querySelectorAll('#line li').length === 0");
    browser.eval("(document.getElementById('saved').value = '', 0)");
    browser.eval("(document.getElementById('saved').selectedIndex = 1, document.getElementById('saved').dispatchEvent(new Event('change')), 0)");
    browser.until("document.querySelectorAll('#line li').length === 1");
    browser.click("#forget");
    browser.until("document.querySelectorAll('#saved option').length === 1");
    // Sizes have a field each.
    browser.eval("(document.getElementById('game').value = 'mnk', document.getElementById('game').dispatchEvent(new Event('change')), 0)");
    // The standard one has no fields to fill in; one's own begins with an example.
    browser.until("document.querySelector('#own').hidden && document.querySelector('#example').value === ''");
    browser.eval("(document.getElementById('example').value = '?', document.getElementById('example').dispatchEvent(new Event('change')), 0)");
    browser.until(
        "document.querySelectorAll('#sizes input').length === 3 && !document.querySelector('#own').hidden",
    );
    browser.eval("(document.querySelectorAll('#sizes input').forEach((field, i) => { field.value = [5, 3, 3][i]; field.dispatchEvent(new Event('input')); }), 0)");
    browser.click("#new");
    browser.until("document.querySelectorAll('#board .spot').length === 15");
    // What makes no sense is told, and the game goes on.
    browser.eval("(document.getElementById('variant').value = '0,0,0', 0)");
    browser.click("#new");
    browser.until("!document.getElementById('error').hidden");
    assert_eq!(browser.eval("document.querySelectorAll('#board .spot').length"), 15);
    press(&browser, "a1");
    // Nothing that a person mistypes is an error of the page.
    browser.no_errors();
}

#[test]
fn jobs_are_watched_and_stopped() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    let done = server.post("/api/jobs", &serde_json::json!({"game": "tic-tac-toe", "certificate": true}));
    server.wait(done.json()["id"].as_str().expect("a job"));
    let long = serde_json::json!({"game": "hex:11", "method": "df-pn", "time": 250, "keep": true});
    let id = server.post("/api/jobs", &long).json()["id"].as_str().expect("a job").to_string();
    browser.go(&page(&server, "jobs"));
    browser.until("document.querySelectorAll('#running tr').length === 1");
    browser.until("document.querySelector('#running tr').textContent.includes('nodes')");
    assert!(browser.text("#finished").contains("proven draw"));
    browser.click("#running button");
    browser.until("document.querySelectorAll('#running tr').length === 0");
    assert_eq!(server.wait(&id)["state"], "cancelled");
    browser.click("#finished td:last-child a");
    browser.until(
        "(document.getElementById('proofsays') || document.body).textContent.includes('Accepted: a draw')",
    );
    browser.no_errors();
}

#[test]
fn databases_are_looked_into() {
    if !wanted() {
        return;
    }
    let directory = std::env::temp_dir().join(format!("endspiel-web-databases-{}", std::process::id()));
    build_databases(&directory);
    let server = start(endspiel_web::Options {
        databases: Some(directory.clone()),
        ..endspiel_web::Options::default()
    });
    let browser = Browser::open(WIDE);
    browser.go(&page(&server, "databases"));
    assert_eq!(browser.eval("document.querySelectorAll('#list tbody tr').length"), 7);
    browser.click("#list tbody tr:last-child button");
    browser.until("document.querySelectorAll('#histogram rect').length > 5");
    assert!(browser.text("#verdict").contains("win by"), "{}", browser.text("#verdict"));
    let before = browser.text("#verdict");
    browser.click("#moves tr:first-child button");
    browser.until(&format!("document.getElementById('verdict').textContent !== {before:?}"));
    browser.go(&page(&server, "#game=awari&position=0+1+0+0+1+0|0+0+0+0+0+1"));
    browser.until("document.getElementById('known').textContent.startsWith('Database: ')");
    browser.click("#analyse");
    browser.until("document.getElementById('verdict').textContent !== ''");
    browser.click("#moves button.why");
    let because = browser.text("#moves .because");
    assert!(because.contains("The database of slice 3 says: "), "{because}");
    browser.no_errors();
    drop(server);
    std::fs::remove_dir_all(directory).expect("removed");
}

#[test]
fn the_console_is_quiet_on_every_page() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    for path in ["", "jobs", "databases", "lab"] {
        browser.go(&page(&server, path));
        browser.click("#theme");
        browser.no_errors();
    }
    for entry in endspiel_catalog::GAMES {
        browser.go(&page(&server, &format!("#game={}&threats=1&flip=1", entry.about().name)));
        browser.until("!document.getElementById('seen').hidden");
        browser.no_errors();
    }
}

#[test]
fn fingers_find_their_targets_on_a_phone() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(PHONE));
    for path in ["#game=connect-four:6x5&moves=3+3+3+4+5+5+3+2&analyse=1", "jobs", "databases", "lab"] {
        browser.go(&page(&server, path));
        if path.starts_with('#') {
            browser.until("document.getElementById('verdict').textContent !== ''");
            browser.click("#legal summary");
        }
        let small = browser.eval(
            "[...document.querySelectorAll('button, select, input, summary, nav a, .file')].filter((e) => { \
             const { width, height } = e.getBoundingClientRect(); \
             return width > 2 && (height < 40 || width < 24) && !['file', 'checkbox'].includes(e.type); }) \
             .map((e) => e.id || e.textContent.slice(0, 20) || e.tagName).join(' ')",
        );
        assert_eq!(small, "", "{path}");
        let fits = browser.eval("document.documentElement.scrollWidth <= innerWidth");
        assert_eq!(fits, true, "{path} is cut off");
    }
    browser.no_errors();
}

#[test]
fn experiments_run_and_show_their_figures() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "lab"));
    let card = |name: &str, part: &str| format!("[id=\"{name}\"] {part}");
    assert_eq!(browser.text(&card("hex-4", ".found")), "nothing yet");
    browser.click(&card("hex-4", ".run"));
    browser.until("document.querySelector('[id=\"hex-4\"] .progress').textContent.includes('so far')");
    browser.until("document.querySelector('[id=\"hex-4\"] .found').textContent.startsWith('32 of 32 as published, 32 certified')");
    browser.click(&card("hex-4", "summary"));
    assert_eq!(browser.eval("document.querySelectorAll('[id=\"hex-4\"] tbody tr').length"), 32);
    assert_eq!(browser.eval("document.querySelectorAll('[id=\"hex-4\"] .plot rect').length"), 32);
    // It is among the jobs, and from there one comes back to it.
    browser.go(&page(&server, "jobs"));
    assert!(browser.text("#finished").contains("32 of 32 as published"), "{}", browser.text("#finished"));
    browser.click("#finished a");
    browser.until(
        "document.getElementById('hex-4') !== null && document.querySelector('[id=\"hex-4\"] details').open",
    );
    browser.no_errors();
}
