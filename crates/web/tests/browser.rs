//! The page in a real Chromium. These tests run only with `ENDSPIEL_BROWSER=1`, since they need Debian's
//! `chromium` and `chromium-driver` (or the like).

#[path = "common/browser.rs"]
mod browser;
mod common;

use browser::{Browser, PHONE, WIDE, Window, wanted};
use common::{Running, usual};
use std::path::Path;

fn page(server: &Running, rest: &str) -> String {
    format!("http://localhost:{}/{rest}", server.address.port())
}

/// Clicks on the first place of this name, and waits for the position to change.
fn press(browser: &Browser, place: &str) {
    let before = browser.text("#status");
    browser.click(&format!("#board .spot[data-place=\"{place}\"]"));
    browser.until(&format!("document.getElementById('status').textContent !== {before:?}"));
}

/// Small databases to look into.
fn build_databases(directory: &Path) {
    use endspiel_catalog::databases::{Metric, Workers, databases};
    let store = databases("awari", directory).expect("awari has databases");
    let with = Workers { threads: 1, stop: endspiel_game::Stop::default(), watch: &() };
    store.build("0-6", Metric::Score, &with, &mut |_| ()).expect("built");
}

#[test]
fn tic_tac_toe_is_played_by_clicking() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, ""));
    for place in ["b2", "a1", "a2", "b1", "c2"] {
        press(&browser, place);
    }
    assert!(browser.text("#status").contains("x wins"), "{}", browser.text("#status"));
    browser.click("#undo");
    browser.until("document.getElementById('status').textContent.includes('x to move')");
    browser.no_errors();
}

#[test]
fn connect_four_is_played_by_clicking() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, ""));
    browser.eval("(document.getElementById('game').value = 'connect-four', document.getElementById('game').dispatchEvent(new Event('change')))");
    browser.until("document.querySelectorAll('#board .spot').length === 42");
    for (ply, column) in ["4", "4", "3", "3", "2", "2", "1"].into_iter().enumerate() {
        press(&browser, column);
        assert_eq!(browser.eval("document.querySelectorAll('#line li').length"), ply + 1);
    }
    assert!(browser.text("#status").contains("over: x wins"), "{}", browser.text("#status"));
    assert_eq!(
        browser.eval("document.querySelectorAll('#board .spot.target').length"),
        0,
        "nothing to click"
    );
    assert_eq!(
        browser.eval("document.querySelectorAll('#board circle.mark').length"),
        4,
        "the four are marked"
    );
    browser.no_errors();
}

#[test]
fn connect_four_is_played_to_its_end_against_a_method() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=connect-four:4x4&second=auto&strength=200+nodes"));
    let over = "document.getElementById('status').textContent.includes('over')";
    let turn = "document.querySelector('#board .spot.target') !== null";
    loop {
        browser.until(&format!("{over} || {turn}"));
        if browser.eval(over) == true {
            break;
        }
        let moves = browser.eval("document.querySelectorAll('#line li').length").as_u64().unwrap_or(0);
        browser.click("#board .spot.target");
        browser.until(&format!("document.querySelectorAll('#line li').length > {moves}"));
    }
    browser.no_errors();
}

#[test]
fn a_position_is_analysed_in_colours() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=tic-tac-toe&moves=b2+b1"));
    browser.click("#analyse");
    browser.until("document.getElementById('verdict').textContent.includes('proven win')");
    let count =
        |class: &str| browser.eval(&format!("document.querySelectorAll('#board .truth.{class}').length"));
    assert_eq!((count("win"), count("draw"), count("loss")), (6.into(), 1.into(), 0.into()));
    assert_eq!(browser.eval("document.querySelectorAll('#moves tr').length"), 7);
    // Why, in words.
    browser.click("#moves tr:first-child button.why");
    let because = browser.text("#moves .because");
    assert!(because.contains("wins against every reply"), "{because}");
    browser.no_errors();
}

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
    browser.until("document.getElementById('answer') !== null");
    browser.click("#answer");
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
    std::fs::remove_file(file).expect("removed");
}

#[test]
fn the_keyboard_is_enough() {
    if !wanted() {
        return;
    }
    let (tab, enter) = ("\u{e004}", "\u{e007}");
    let (left, up, right, down) = ("\u{e012}", "\u{e013}", "\u{e014}", "\u{e015}");
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, ""));
    let tab_to = |selector: &str| {
        for _ in 0..60 {
            browser.keys(&[tab]);
            if browser.eval(&format!("document.activeElement.matches({selector:?})")) == true {
                return;
            }
        }
        panic!("Tab never comes to {selector}");
    };
    let says = |begin: &str| {
        browser.until(&format!("document.getElementById('status').textContent.startsWith({begin:?})"));
    };
    // A whole game without a click: from the bottom left corner, where the focus begins.
    tab_to("#board .spot");
    for (keys, begin) in [
        (vec![right, up, enter], "b2 was played"),
        (vec![right, enter], "c2 was played"),
        (vec![down, enter], "c1 was played"),
        (vec![left, enter], "b1 was played"),
        (vec![left, up, up, enter], "a3 was played"),
    ] {
        browser.keys(&keys);
        says(begin);
    }
    assert!(browser.text("#status").contains("x wins"), "{}", browser.text("#status"));
    tab_to("#undo");
    browser.keys(&[enter]);
    says("b1 was played");
    // Typing a move, a wrong one too.
    tab_to("#typed");
    browser.keys(&["z", "z", enter]);
    browser.until("document.getElementById('error').textContent.includes('zz')");
    browser.keys(&["\u{e003}", "\u{e003}", "a", "1", enter]);
    says("a1 was played");
}

#[test]
fn keys_press_the_buttons_and_positions_are_set_up() {
    if !wanted() {
        return;
    }
    let (left, home, right, escape) = ("\u{e012}", "\u{e011}", "\u{e014}", "\u{e00c}");
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=lines-of-action&moves=b1-b3+a4-c4"));
    let status = |begins: &str| {
        browser.until(&format!("document.getElementById('status').textContent.startsWith({begins:?})"));
    };
    browser.keys(&[left]);
    status("b1-b3 was played");
    browser.keys(&[home]);
    status("Black to move");
    browser.keys(&[right]);
    status("b1-b3 was played");
    browser.keys(&["?"]);
    browser.until("document.getElementById('helptext').open");
    assert!(browser.text("#keylist").contains("flip the board"));
    browser.keys(&["f", escape]);
    browser.until("!document.getElementById('helptext').open");
    assert_eq!(browser.eval("location.hash.includes('flip')"), false, "the list is read first");
    browser.keys(&["f"]);
    browser.until("location.hash.includes('flip=1')");
    // The best move as an arrow.
    browser.keys(&["h"]);
    browser.until("document.querySelectorAll('#board .arrow').length === 1");
    // Letters that are typed into a field stay there.
    browser.keys(&["m"]);
    browser.until("document.activeElement.id === 'typed'");
    browser.keys(&["f", "h"]);
    assert_eq!(browser.eval("document.getElementById('typed').value"), "fh");
    // A click on the graph goes there.
    browser.eval("(() => { const graph = document.getElementById('graph'); const { left, top, width } = graph.getBoundingClientRect(); graph.dispatchEvent(new MouseEvent('click', { clientX: left + width * 0.99, clientY: top + 9 })); return 0; })()");
    status("a4-c4 was played");
    // A position of one's own.
    browser.go(&page(&server, "#game=tic-tac-toe&moves=b2"));
    assert_eq!(browser.eval("document.getElementById('position').value"), ".../.x./... o");
    browser.eval("(document.getElementById('position').value = 'xx./oo./... x', 0)");
    browser.click("#setup button");
    status("x to move");
    assert_eq!(browser.eval("location.hash"), "#game=tic-tac-toe&position=xx.%2Foo.%2F...+x");
    browser.no_errors();
    browser.eval("(document.getElementById('position').value = 'nonsense', 0)");
    browser.click("#setup button");
    browser.until("!document.getElementById('error').hidden");
    assert_eq!(browser.eval("location.hash"), "#game=tic-tac-toe&position=xx.%2Foo.%2F...+x");
}

#[test]
fn moves_with_two_places_are_made_by_two_clicks_and_choices_by_a_third() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=lines-of-action"));
    browser.click("#board .spot[data-place=\"b1\"]");
    browser.until("document.querySelectorAll('#board .dot').length > 0");
    press(&browser, "b3");
    assert!(browser.text("#status").starts_with("b1-b3 was played"));
    let spot = |place: &str| format!("#board .spot[data-place=\"{place}\"]");
    browser.drag("mouse", &spot("a4"), &spot("c4"));
    browser.until("document.getElementById('status').textContent.startsWith('a4-c4 was played')");
    browser.drag("mouse", &spot("a1"), &spot("a2"));
    assert!(browser.text("#status").starts_with("a4-c4"), "nothing to carry there");
    browser.drag("touch", &spot("b8"), &spot("b6"));
    browser.until("document.getElementById('status').textContent.startsWith('b8-b6 was played')");
    browser.go(&page(&server, "#game=wythoff&position=5,7"));
    browser.click("#board .spot[data-place=\"a2\"]");
    browser.until("document.querySelector('#chooser button').textContent === 'a2'");
    press(&browser, "b2");
    assert!(browser.text("#status").starts_with("a2b2 was played"), "{}", browser.text("#status"));
    browser.no_errors();
}

#[test]
fn an_address_restores_all_of_a_position_and_a_phone_shows_all_of_it() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(PHONE));
    browser.go(&page(&server, "#game=hex:5&moves=c3+b2+d1&at=2&flip=1"));
    assert!(browser.text("#status").starts_with("b2 was played"));
    assert_eq!(browser.eval("document.querySelectorAll('#line li').length"), 3);
    assert_eq!(browser.eval("document.getElementById('variant').value"), "5");
    let hash = browser.eval("location.hash");
    assert_eq!(hash, "#game=hex%3A5&moves=c3+b2+d1&at=2&flip=1");
    for entry in endspiel_catalog::GAMES {
        browser.go(&page(&server, &format!("#game={}", entry.about().name)));
        let fits = "document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(browser.eval(fits), true, "{} is cut off", entry.about().name);
    }
    browser.no_errors();
}

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
fn threats_are_shown_and_told() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=tic-tac-toe&moves=a1+b1+a2"));
    browser.click("#threats");
    browser.until("document.querySelectorAll('#board .threat').length === 1");
    assert_eq!(browser.eval("document.querySelectorAll('#board .must').length"), 1);
    let seen =
        "x threatens to win by a3. It is met by a3. What is known of the game decides it: a loss for o.";
    assert_eq!(browser.text("#seen"), seen);
    press(&browser, "c1");
    browser.until("document.querySelectorAll('#board .winning').length === 1");
    browser.go(&page(&server, "#game=hex:6&moves=a1&threats=1"));
    browser.until("document.querySelectorAll('#board .must').length > 0");
    browser.no_errors();
}

#[test]
fn time_runs_out_and_methods_mind_the_clock() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=tic-tac-toe&moves=b2&clock=60%2B0&left=60+1"));
    browser.until("document.getElementById('status').textContent.includes(\"o's time is up: x wins\")");
    assert_eq!(
        browser.eval("document.querySelectorAll('#board .spot.target').length"),
        0,
        "no move any more"
    );
    assert!(browser.text("#clock1").contains('⚑') && browser.text("#clock0") == "1:00");
    browser.click("#export");
    browser.until("document.getElementById('record').value.includes('[Termination \"time of o\"]')");
    browser.click("#new");
    browser.until("document.getElementById('status').textContent === 'x to move.'");
    assert_eq!(browser.text("#clock1"), "1:00", "a new game has all its time");
    // The clock begins with the first move; a move brings its increment.
    browser.go(&page(&server, "#game=tic-tac-toe&clock=3000%2B100"));
    press(&browser, "b2");
    assert_eq!(browser.text("#clock0"), "50:00");
    press(&browser, "a1");
    browser.until("document.getElementById('clock1').textContent.startsWith('51:')");
    // Thirty seconds a move, but the clock allows two.
    browser.go(&page(&server, "#game=hex&second=uct&strength=30+s&clock=60%2B0"));
    press(&browser, "f6");
    browser.until("document.querySelectorAll('#line li').length === 2");
    let asked = server.get("/api/jobs").json()["over"][0]["ask"]["time"].as_f64().expect("a time");
    assert!(asked < 3.0, "{asked} s");
    browser.no_errors();
}

#[test]
fn a_cube_is_seen_flat_and_at_an_angle() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=qubic"));
    let size = || browser.eval("document.getElementById('board').getAttribute('viewBox')");
    let flat = size();
    browser.click("#relief");
    browser.until(&format!("document.getElementById('board').getAttribute('viewBox') !== {flat}"));
    press(&browser, "21");
    assert!(browser.text("#status").starts_with("21 was played"));
    browser.click("#relief");
    browser.until(&format!("document.getElementById('board').getAttribute('viewBox') === {flat}"));
    assert_eq!(browser.eval("document.querySelectorAll('#board circle.second').length"), 1);
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
    let server = common::start(endspiel_web::Options {
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
fn what_comes_late_is_not_drawn_on_another_position() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=tic-tac-toe"));
    // The first answers about positions and proofs wait until a later one has come.
    browser.eval(
        "(() => { const real = window.fetch; let held = 0; window.fetch = async (url, more) => { \
         const answer = await real(url, more); \
         if (String(url).includes('api/position') && held++ === 0) await new Promise((r) => setTimeout(r, 1500)); \
         return answer; }; return 0; })()",
    );
    browser.click("#board .spot[data-place=\"b2\"]");
    // A second click before the answer is there is no move: its board is not shown any more.
    browser.click("#board .spot[data-place=\"a1\"]");
    browser.eval("(location.hash = '#game=hex:4&moves=b2', 0)");
    let at = "document.getElementById('status').textContent === 'b2 was played. White to move.'";
    browser.until(at);
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert_eq!(browser.eval(at), true, "{}", browser.text("#status"));
    assert_eq!(browser.eval("document.querySelectorAll('#board .spot').length"), 16);
    assert_eq!(browser.eval("location.hash"), "#game=hex%3A4&moves=b2");
    browser.no_errors();
    // A move that the server refuses leaves all as it was.
    browser.eval("(window.fetch = async () => { throw new Error('the cable is cut'); }, 0)");
    browser.click("#board .spot[data-place=\"a1\"]");
    browser.until("document.getElementById('error').textContent === 'the cable is cut'");
    assert_eq!(browser.eval("location.hash"), "#game=hex%3A4&moves=b2");
    assert_eq!(browser.eval("document.querySelector('#board .spot.target') !== null"), true, "try again");
}

#[test]
fn jobs_end_when_another_position_or_no_page_is_there() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    let running = || server.get("/api/status").json()["running"].as_u64().unwrap_or(0);
    let wait_for = |number: u64| {
        let begun = std::time::Instant::now();
        while running() != number {
            assert!(begun.elapsed().as_secs() < 20, "{} jobs run, not {number}", running());
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    };
    browser.go(&page(&server, "#game=hex:9&analyse=1"));
    wait_for(1);
    // While it runs, the buttons of the table stay where they are.
    browser.until("document.querySelectorAll('#moves button.why').length > 3");
    browser.click("#moves tr:nth-child(2) button.why");
    browser.until("document.querySelector('#moves .because') !== null");
    // Each move starts a new analysis and ends the old one.
    for place in ["e5", "d4", "f3"] {
        press(&browser, place);
    }
    wait_for(1);
    assert_eq!(browser.eval("document.getElementById('stop').hidden"), false);
    browser.click("#stop");
    browser.until("document.getElementById('verdict').textContent.includes('Best:')");
    wait_for(0);
    // A tab that is closed needs no answer.
    browser.click("#analyse");
    browser.click("#analyse");
    wait_for(1);
    browser.leave();
    wait_for(0);
}

#[test]
fn estimates_come_with_their_spread_and_threats_in_sequence() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=connect-four&moves=4"));
    browser.eval("(document.getElementById('method').value = 'uct', 0)");
    browser.click("#analyse");
    let spread = "[...document.querySelectorAll('#board .label')].some((l) => l.textContent.startsWith('±'))";
    browser.until(spread);
    browser.click("#stop");
    browser.until("document.getElementById('verdict').textContent.includes('±')");
    assert_eq!(browser.eval(spread), true);
    assert!(browser.text("#verdict").contains("estimate"), "{}", browser.text("#verdict"));
    assert_eq!(browser.eval("document.querySelectorAll('#board .truth.guess').length"), 7);
    assert_eq!(browser.eval("document.querySelectorAll('#graph .spread').length"), 1);
    browser.click("#moves tr:first-child button.why");
    assert!(browser.text("#moves .because").contains("give or take"), "{}", browser.text("#moves .because"));
    let label = browser.eval("document.querySelector('#board .spot.target').getAttribute('aria-label')");
    assert!(label.as_str().is_some_and(|l| l.contains(", move, estimate")), "{label}");
    // Black has an open three: a sequence of threats wins, and is numbered on the board.
    browser.go(&page(&server, "#game=gomoku&moves=h8+a1+i8+a3+j8+o1&threats=1"));
    browser.until("document.querySelectorAll('#board .sequence').length > 0");
    assert!(browser.text("#seen").contains("by a sequence of threats"), "{}", browser.text("#seen"));
    browser.no_errors();
}

#[test]
fn reasons_name_threats_and_refutations() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    let why = |row: &str| {
        browser.eval(&format!("({row}.querySelector('.why').click(), 0)"));
        browser.until("document.querySelector('#moves .because') !== null");
        browser.text("#moves .because")
    };
    let of = |name: &str| {
        why(&format!(
            "[...document.querySelectorAll('#moves tr')].find((r) => r.cells[0].textContent === {name:?})"
        ))
    };
    browser.go(&page(&server, "#game=tic-tac-toe&moves=a1+b1+a2&analyse=1"));
    browser.until("document.getElementById('verdict').textContent.includes('proven loss')");
    let missed = of("c1");
    assert!(
        missed.contains("c1 does not meet the threat of a3.") && missed.contains("refuted by a3"),
        "{missed}"
    );
    let met = of("a3");
    assert!(met.contains("a3 meets the threat of a3.") && met.contains("is refuted by"), "{met}");
    // Black has an open three: White sees the sequence that it begins.
    browser.go(&page(&server, "#game=gomoku&moves=h8+a1+i8+a3+j8&threats=1"));
    browser.until("!document.getElementById('seen').hidden");
    browser.click("#analyse");
    browser.until("document.querySelectorAll('#moves tr').length > 50");
    // It may have come to its end by itself.
    browser.eval("(document.getElementById('stop').hidden || document.getElementById('stop').click(), 0)");
    browser.until("document.getElementById('verdict').textContent !== ''");
    let missed = why("document.querySelector('#moves tr:nth-last-child(2)')");
    assert!(missed.contains("does not meet Black's sequence of threats: "), "{missed}");
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
    browser.until("document.querySelectorAll('#sizes input').length === 3");
    browser.type_into("#sizes input:nth-child(1)", "5");
    browser.click("#new");
    browser.until("document.querySelectorAll('#board .spot').length === 15");
    // What makes no sense is told, and the game goes on.
    browser.eval("(document.getElementById('variant').value = '0,0,0', 0)");
    browser.click("#new");
    browser.until("!document.getElementById('error').hidden");
    assert_eq!(browser.eval("document.querySelectorAll('#board .spot').length"), 15);
    press(&browser, "a1");
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
    browser.until("document.getElementById('station').textContent.includes('leaves the proof')");
    says("Accepted: x wins");
    // Certificates are listed, and deleted.
    browser.go(&page(&server, "jobs"));
    browser.until("document.querySelectorAll('#certificates tr').length === 1");
    assert!(browser.text("#certificates").contains("mnk:4,3,3"));
    browser.click("#certificates button");
    browser.until("document.querySelectorAll('#certificates tr').length === 0");
    assert_eq!(server.get(&format!("/api/certificates/{digest}")).status, 404);
}

#[test]
fn a_game_goes_on_after_a_hint_a_proof_and_a_stop() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    let plies =
        |number: usize| browser.until(&format!("document.querySelectorAll('#line li').length === {number}"));
    let thinking = || browser.until("!document.getElementById('stop').hidden");
    // A hint while a method thinks: it thinks on.
    browser.go(&page(&server, "#game=hex:9&second=uct&strength=1+s&moves=e5"));
    thinking();
    browser.click("#hint");
    browser.until("document.getElementById('told').textContent.startsWith('Hint:')");
    plies(2);
    // Told to stop, it plays what it has.
    browser.go(&page(&server, "#game=hex:9&second=uct&strength=30+s&moves=e5"));
    thinking();
    browser.click("#stop");
    plies(2);
    // Between two methods a stop is a pause.
    browser.go(&page(&server, "#game=hex:9&first=uct&second=uct&strength=30+s"));
    thinking();
    browser.click("#stop");
    browser.until("!document.getElementById('goon').hidden");
    plies(0);
    browser.click("#goon");
    thinking();
    browser.click("#stop");
    // A proof of a method's position is there to be looked at; then the game goes on.
    browser.go(&page(&server, "#game=connect-four:5x4&first=uct&strength=30+s"));
    thinking();
    browser.click("#prove");
    browser.until("document.getElementById('walk') !== null && !document.getElementById('goon').hidden");
    plies(0);
    browser.click("#goon");
    plies(1);
    // An analysis goes on after a hint.
    browser.go(&page(&server, "#game=hex:9&moves=e5&analyse=1"));
    browser.until("document.querySelectorAll('#moves tr').length > 3");
    browser.click("#hint");
    browser.until("document.getElementById('told').textContent.startsWith('Hint:')");
    browser.until("document.getElementById('progress').textContent.startsWith('working')");
    browser.click("#stop");
    browser.until("document.getElementById('verdict').textContent.includes('Best:')");
    assert!(browser.text("#told").starts_with("Hint:"), "both are there to be read");
    browser.no_errors();
}

#[test]
fn a_person_types_for_no_method() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=tic-tac-toe&second=uct&strength=5+s"));
    browser.type_into("#typed", "b2 a1 c3");
    browser.click("#typing button");
    browser.until("document.getElementById('error').textContent.includes('played b2, not a1 c3')");
    assert!(browser.text("#error").contains("a method plays o"), "{}", browser.text("#error"));
    browser.until("document.querySelectorAll('#line li').length === 2");
    // Without a method all of them are played.
    browser.go(&page(&server, "#game=tic-tac-toe"));
    browser.type_into("#typed", "b2 a1 c3");
    browser.click("#typing button");
    browser.until("document.querySelectorAll('#line li').length === 3");
    // Each seat has a strength of its own, and the address keeps them.
    browser.go(&page(
        &server,
        "#game=hex:5&moves=c3&at=0&first=auto&second=uct&strength=5+s&second-strength=0.2+s",
    ));
    let values =
        "[document.getElementById('strength0').value, document.getElementById('strength1').value].join()";
    assert_eq!(browser.eval(values), "5 s,0.2 s");
    assert_eq!(
        browser.eval("location.hash.includes('first-strength=5+s&second=uct&second-strength=0.2+s')"),
        true
    );
    browser.no_errors();
}

#[test]
fn undo_goes_back_to_a_person_s_turn() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=tic-tac-toe&second=auto&strength=200+nodes"));
    browser.click("#board .spot[data-place=\"a1\"]");
    browser.until("document.querySelectorAll('#line li').length === 2");
    browser.click("#undo");
    browser.until("document.querySelectorAll('#line li').length === 0");
    browser.until("document.querySelector('#board .spot.target') !== null");
    // Lost by the method's last move: that one goes back with it.
    browser.go(&page(&server, "#game=tic-tac-toe&moves=a1+b2+a2+b1+c1+b3&second=auto&strength=200+nodes"));
    browser.until("document.getElementById('status').textContent.includes('o wins')");
    browser.click("#undo");
    browser.until("document.querySelectorAll('#line li').length === 4");
    assert!(browser.text("#status").contains("x to move"));
    browser.no_errors();
}

#[test]
fn an_address_that_makes_no_sense_is_told_and_the_page_is_there() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    for (address, says) in [
        ("#game=chess-boxing", "no game is called 'chess-boxing'"),
        ("#game=tic-tac-toe&moves=b2+b2", "b2 is taken at character 4"),
        ("#game=wythoff:t%3D1000,start%3D223,222", "at most 10000"),
        ("#game=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E", "no game is called '<img"),
    ] {
        browser.go(&page(&server, address));
        assert!(browser.text("#error").contains(says), "{address}: {}", browser.text("#error"));
        assert_eq!(browser.eval("document.querySelectorAll('#board .spot.target').length"), 9, "{address}");
        assert_eq!(browser.eval("document.querySelectorAll('img[src=x]').length"), 0);
    }
    // What is wrong beside the position is told and left out.
    for (word, says) in [
        ("at=1.5", "at=1.5 is not the number of a move"),
        ("at=-1", "at=-1 is not"),
        ("at=9", "at=9 is beyond the 2 moves"),
        ("clock=60%2B0&left=Infinity+5", "left=Infinity 5 is not two times"),
        ("clock=soon", "clock=soon is not a clock such as 180+2"),
        ("first=deep-thought", "first=deep-thought is not a method"),
        ("strength=huge", "strength=huge is not one of"),
        ("proof=abc", "proof=abc is not the name of a certificate"),
        ("proof=0123456789abcdef0123456789abcdef", "there is no such certificate here"),
    ] {
        browser.go(&page(
            &server,
            &format!("#game=tic-tac-toe&{word}&moves=b2+a1&second=auto&strength=200+nodes"),
        ));
        assert!(browser.text("#error").contains(says), "{word}: {}", browser.text("#error"));
        // The game goes on: a person's move, and the method's answer.
        browser.click("#board .spot[data-place=\"c3\"]");
        browser.until("document.querySelectorAll('#line li').length === 4");
    }
}

#[test]
fn the_console_is_quiet_on_every_page() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    for path in ["", "jobs", "databases"] {
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
    build_databases(&databases);
    let server = common::start(endspiel_web::Options {
        databases: Some(databases),
        ..endspiel_web::Options::default()
    });
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
        browser.until("document.querySelectorAll('#graph circle').length > 5");
        browser.click("#analyse");
        browser.click("#legal summary");
        browser.until("document.getElementById('verdict').textContent !== ''");
        browser.click("#moves tr:first-child button.why");
        browser.screenshot(&directory.join(format!("estimates-{name}.png")));
        browser.go(&page(&server, "#game=mnk:4,3,3"));
        browser.click("#prove");
        browser.until("document.getElementById('walk') !== null");
        browser.click("#walk");
        browser.until("document.getElementById('answer') !== null");
        browser.click("#answer");
        browser.until("document.querySelectorAll('#replies tr').length > 5");
        browser.screenshot(&directory.join(format!("proof-{name}.png")));
    }
    let browser = Browser::open(WIDE);
    browser.go(&page(&server, "#game=connect-four:6x5&moves=3+3+3+4+5+5+3+2&analyse=1"));
    browser.until("document.getElementById('verdict').textContent !== ''");
    browser.screenshot(&directory.join("page.png"));
}
