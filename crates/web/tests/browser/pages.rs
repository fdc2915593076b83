//! Saved games, lists of moves, and the other pages: jobs, databases, laboratory.

use crate::common::{start, usual};
use crate::driver::{Browser, PHONE, WIDE, Window, wanted};
use crate::{build_databases, page, press};
use endspiel_catalog::databases::{Metric, Workers, databases};

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
    // The value over the game: a point a position, each of them proven.
    browser.click("#review");
    browser.until("document.querySelectorAll('#graph polygon.draw').length === 3");
    assert!(browser.text("#graphsays").starts_with("For x, proven: ▲ win ◆ draw ▼ loss"));
    assert_eq!(browser.eval("document.querySelectorAll('#graph .win, #graph .loss').length"), 0);
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
    assert!(browser.text("#finished").contains("x: proven draw"), "{}", browser.text("#finished"));
    browser.click("#running button");
    browser.until("document.querySelectorAll('#running tr').length === 0");
    assert_eq!(server.wait(&id)["state"], "cancelled");
    // It is told with what was proven until then.
    browser.until("document.getElementById('finished').textContent.includes('stopped: nothing was proven')");
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
    build_databases(&directory, "awari", "0-6");
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
    // On a phone all of the table is there to be read.
    let phone = Browser::open(PHONE);
    phone.go(&page(&server, "databases"));
    let beyond = "[...document.querySelectorAll('#list td')].filter((td) => { const { width, right } = td.getBoundingClientRect(); \
         return !width || right > innerWidth || td.scrollWidth > td.clientWidth; }).length";
    assert_eq!(phone.eval(beyond), 0);
    assert_eq!(phone.eval("document.querySelectorAll('#list td').length"), 49);
    phone.no_errors();
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
fn the_metric_of_a_look_up_is_chosen() {
    if !wanted() {
        return;
    }
    let directory = std::env::temp_dir().join(format!("endspiel-web-metrics-{}", std::process::id()));
    build_databases(&directory, "awari", "0-3");
    build_databases(&directory, "chess", "KQK");
    let with = Workers { threads: 1, stop: endspiel_game::Stop::default(), watch: &() };
    let store = databases("chess", &directory).expect("chess has databases");
    store.build("KQK", Metric::Value, &with, &mut |_| ()).expect("built");
    let server = start(endspiel_web::Options {
        databases: Some(directory.clone()),
        ..endspiel_web::Options::default()
    });
    let browser = Browser::open(WIDE);
    let names = "[...document.getElementById('metric').options].map((o) => o.value).join()";
    browser.go(&page(&server, "databases"));
    assert_eq!(browser.eval(names), ",score");
    browser.go(&page(&server, "databases#game=chess"));
    assert_eq!(browser.eval(names), ",dtm,wdl");
    let verdict = browser.text("#verdict");
    assert!(
        verdict.starts_with("White to move: win in ") && verdict.contains(" plies (slice KQK, "),
        "{verdict}"
    );
    choose(&browser, "metric", "wdl");
    browser.until(
        "document.getElementById('verdict').textContent.startsWith('White to move: win (slice KQK, ')",
    );
    assert!(!browser.text("#moves").contains("plies"), "{}", browser.text("#moves"));
    // The address keeps it.
    browser.reload();
    assert_eq!(browser.eval("document.getElementById('metric').value"), "wdl");
    assert!(
        browser.text("#verdict").starts_with("White to move: win (slice KQK, "),
        "{}",
        browser.text("#verdict")
    );
    browser.no_errors();
    drop(server);
    std::fs::remove_dir_all(directory).expect("removed");
}

#[test]
fn values_of_impartial_games_are_looked_into() {
    if !wanted() {
        return;
    }
    let directory = std::env::temp_dir().join(format!("endspiel-web-grundy-{}", std::process::id()));
    build_databases(&directory, "virus:p=3,regular=1", "all");
    let server = start(endspiel_web::Options {
        databases: Some(directory.clone()),
        ..endspiel_web::Options::default()
    });
    let browser = Browser::open(WIDE);
    browser.go(&page(&server, "databases"));
    // The example is one of those with the greatest number, and a move that wins leaves 0.
    let verdict = browser.text("#verdict");
    assert!(verdict.starts_with("First to move: win, worth 3 (slice all, "), "{verdict}");
    assert!(browser.text("#moves tr:first-child").ends_with("win, leaves 0"), "{}", browser.text("#moves"));
    browser.click("#list tbody tr:last-child button");
    browser.until("document.querySelectorAll('#histogram rect').length === 5");
    let bars =
        "[...document.querySelectorAll('#histogram title')].map((t) => t.textContent).sort().join('; ')";
    assert_eq!(browser.eval(bars), "0: 8; 1: 8; 2: 8; 3: 8; ∞, draw: 32");
    assert!(
        browser.text("#summary").starts_with("Slice all in numbers; file "),
        "{}",
        browser.text("#summary")
    );
    assert!(browser.text("#greatest").starts_with("Greatest: 3, 8 times, such as y1y2 "));
    // What is infinite is told with the numbers that a move reaches.
    browser.go(&page(&server, "databases#game=virus%3Ap%3D3%2Cregular%3D1&position=y1"));
    browser.until("document.getElementById('verdict').className === 'draw'");
    assert!(browser.text("#verdict").contains("draw, worth ∞("), "{}", browser.text("#verdict"));
    assert!(browser.text("#moves").contains("leaves ∞("), "{}", browser.text("#moves"));
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
fn nothing_lies_over_anything_else_at_any_width() {
    if !wanted() {
        return;
    }
    let server = usual();
    // What a finger in the middle of a control would hit instead of it.
    let covered = "[...document.querySelectorAll('header a, header button, header select, main button, main select, main input')] \
         .filter((e) => e.getBoundingClientRect().width > 2 && !['file', 'range'].includes(e.type)).filter((e) => { \
         e.scrollIntoView({ block: 'center' }); const { x, y, width, height } = e.getBoundingClientRect(); \
         return [0.1, 0.5, 0.9].some((part) => { const hit = document.elementFromPoint(x + part * width, y + height / 2); \
         return !(e === hit || e.contains(hit)); }); }).map((e) => e.id || e.textContent.slice(0, 20)).join(', ')";
    for width in [320, 390, 430, 540, 700, 820, 1024] {
        let browser = Browser::open(Window { width, height: 800, dark: false });
        for path in ["#game=connect-four:6x5&moves=3+3", "jobs", "databases", "lab"] {
            browser.go(&page(&server, path));
            assert_eq!(browser.eval(covered), "", "{path}, {width} wide");
            let fits = browser.eval("document.documentElement.scrollWidth <= innerWidth");
            assert_eq!(fits, true, "{path} is cut off, {width} wide");
        }
        browser.no_errors();
    }
}

#[test]
fn every_cell_of_a_large_board_can_be_hit_on_a_phone() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(PHONE));
    // How far apart two neighbours are, in pixels, and the smallest word.
    let gap = "(() => { const at = [...document.querySelectorAll('#board .spot')].slice(0, 2).map((s) => s.getBoundingClientRect()); \
               return Math.hypot(at[0].x - at[1].x, at[0].y - at[1].y); })()";
    let word = "Math.min(...[...document.querySelectorAll('#board text')].map((t) => t.getAttribute('font-size') * document.getElementById('board').getScreenCTM().a))";
    for (game, corner) in [("hex:19", "s19"), ("gomoku:standard,19", "s1"), ("random-tree:b=200,d=3", "200")]
    {
        browser.go(&page(&server, &format!("#game={}", game.replace('=', "%3D"))));
        assert!(browser.eval(gap).as_f64().is_some_and(|gap| gap > 22.0), "{game}: {}", browser.eval(gap));
        assert!(browser.eval(word).as_f64().is_some_and(|size| size > 6.5), "{game}: {}", browser.eval(word));
        // The frame is scrolled, not the page, and then shows the last move.
        assert_eq!(browser.eval("document.documentElement.scrollWidth <= innerWidth"), true, "{game}");
        press(&browser, corner);
        assert!(browser.text("#status").starts_with(&format!("{corner} was played")), "{game}");
        if let Some(ring) = browser
            .eval(
                "(document.querySelector('#board .lastmove') || null) && \
             document.querySelector('#board .lastmove').getBoundingClientRect().right",
            )
            .as_f64()
        {
            assert!(ring > 0.0 && ring <= 360.0, "{game}: {ring}");
        }
        // Who wants to see all of it at once makes it smaller.
        let fits =
            "document.getElementById('frame').scrollWidth <= document.getElementById('frame').clientWidth";
        assert_eq!(browser.eval(fits), false, "{game}");
        browser.eval("(() => { const size = document.getElementById('size'); size.value = 100; size.dispatchEvent(new Event('input')); })()");
        assert_eq!(browser.eval(fits), true, "{game}");
        browser.click("#undo");
        browser.until("document.querySelectorAll('#line li').length === 0");
        assert_eq!(browser.eval(fits), true, "{game}: the wish is kept");
    }
    // The standard boards of Hex and go-moku too, and places that are small though they lie far apart; boards that are
    // large enough stay as they are.
    let spot = "document.querySelector('#board .spot').getBoundingClientRect().width";
    for game in ["hex", "gomoku", "random-tree:b%3D10,d%3D3"] {
        browser.go(&page(&server, &format!("#game={game}")));
        assert!(
            browser.eval(spot).as_f64().is_some_and(|wide| wide > 22.0),
            "{game}: {}",
            browser.eval(spot)
        );
    }
    browser.go(&page(&server, "#game=hex:7"));
    assert_eq!(browser.eval("document.getElementById('size').value"), "100");
    browser.no_errors();
    // A phone on its side is wide enough, but low.
    let browser = Browser::open(Window { width: 740, height: 360, dark: false });
    browser.go(&page(&server, "#game=gomoku"));
    assert!(browser.eval(gap).as_f64().is_some_and(|gap| gap > 22.0), "{}", browser.eval(gap));
    browser.no_errors();
}

#[test]
fn no_game_is_wider_than_a_phone() {
    if !wanted() {
        return;
    }
    let server = usual();
    for width in [320, 390] {
        let browser = Browser::open(Window { width, height: 844, dark: false });
        for entry in endspiel_catalog::GAMES {
            let game = entry.about().name;
            browser.go(&page(&server, &format!("#game={game}")));
            let wide = browser.eval("document.documentElement.scrollWidth");
            assert!(wide.as_u64().is_some_and(|wide| wide <= u64::from(width)), "{game}: {wide} of {width}");
        }
        browser.no_errors();
    }
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
    browser.until("document.querySelector('[id=\"hex-4\"] .found').textContent.startsWith('16 of 16 as published, 16 certified')");
    browser.click(&card("hex-4", "summary"));
    assert_eq!(browser.eval("document.querySelectorAll('[id=\"hex-4\"] tbody tr').length"), 16);
    assert_eq!(browser.eval("document.querySelectorAll('[id=\"hex-4\"] .plot rect').length"), 16);
    // It is among the jobs, and from there one comes back to it.
    browser.go(&page(&server, "jobs"));
    assert!(browser.text("#finished").contains("16 of 16 as published"), "{}", browser.text("#finished"));
    browser.click("#finished a");
    browser.until(
        "document.getElementById('hex-4') !== null && document.querySelector('[id=\"hex-4\"] details').open",
    );
    browser.no_errors();
}

#[test]
fn a_graph_tells_lost_from_won_by_colour_and_shape() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    // x could win at once with a3, and plays c3: now o wins.
    browser.go(&page(&server, "#game=tic-tac-toe&moves=a1+b2+a2+b1+c3"));
    browser.click("#review");
    browser.until("document.querySelectorAll('#graph .point').length === 6");
    let last = |kind: &str| {
        let found = format!(
            "(() => {{ const points = [...document.querySelectorAll('#graph .point')]; return points.findLastIndex((p) => p.classList.contains('{kind}')); }})()"
        );
        browser.eval(&found)
    };
    assert_eq!((last("win"), last("loss")), (4.into(), 5.into()));
    let fill = |kind: &str| {
        browser.eval(&format!("getComputedStyle(document.querySelector('#graph .{kind}')).fill"))
    };
    assert_ne!(fill("win"), fill("loss"));
    let outline = |kind: &str| {
        browser.eval(&format!("(({{ width, height }}) => [Math.round(width), Math.round(height)].join())(document.querySelector('#graph .{kind}').getBBox())"))
    };
    assert_eq!(outline("win"), outline("loss"), "the same triangle, upside down");
    let says = browser.eval("document.querySelector('#graph .loss title').textContent");
    assert_eq!(says, "after 5: proven loss for x");
    browser.no_errors();
}

#[test]
fn a_game_of_chess_is_loaded_from_pgn_and_saved_as_pgn() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    let pgn = "[Event \"F/S Return Match\"]\n[White \"Fischer\"]\n[Black \"Spassky\"]\n[Result \"1/2-1/2\"]\n\n\
               1. e4 e5 2. Nf3 Nc6 3. Bb5 {The Ruy Lopez.} a6 (3... Nf6 4. O-O) 4. Ba4 Nf6 $1 5. O-O Be7 1/2-1/2\n";
    let file = std::env::temp_dir().join(format!("endspiel-{}.pgn", std::process::id()));
    std::fs::write(&file, pgn).expect("written");
    browser.go(&page(&server, ""));
    browser.type_into("#load", &file.display().to_string());
    browser.until("document.querySelectorAll('#line li').length === 10");
    assert!(
        browser.text("#status").starts_with("f8e7 was played. The game ended here by its record: a draw."),
        "{}",
        browser.text("#status")
    );
    browser.click("#export");
    // What the record said of the game is still said.
    browser
        .until("document.getElementById('record').value.includes('3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1/2-1/2')");
    browser.until("document.getElementById('record').value.includes('[White \"Fischer\"]')");
    // The address holds that too: it is there after the page was loaded anew, and as the game goes on.
    assert_eq!(browser.text("#told"), "Fischer – Spassky, F/S Return Match.");
    browser.reload();
    assert_eq!(browser.text("#told"), "Fischer – Spassky, F/S Return Match.");
    let written = |words: &str| format!("document.getElementById('record').value.includes({words:?})");
    browser.click("#export");
    browser.until(&written("5. O-O Be7 1/2-1/2"));
    assert_eq!(browser.eval(&written("[Date \"????.??.??\"]")), true, "it was not played today");
    browser.click("#board .spot[data-place=\"f1\"]");
    press(&browser, "e1");
    browser.reload();
    browser.click("#export");
    browser.until(&written("6. Re1 *"));
    assert_eq!(browser.eval(&written("[Black \"Spassky\"]")), true);
    assert_eq!(browser.eval("location.hash.includes('recorded=10')"), true);
    // Another game knows nothing of them.
    browser.click("#first");
    browser.until("document.getElementById('status').textContent === 'White to move.'");
    browser.click("#board .spot[data-place=\"d2\"]");
    press(&browser, "d4");
    browser.click("#export");
    browser.until(&written("1. d4 *"));
    assert_eq!(browser.eval(&written("Spassky")), false);
    assert_eq!(browser.eval("location.hash.includes('tags')"), false);
    // Text that is pasted is read as well; what is wrong is told with its line.
    browser.eval("(document.getElementById('record').value = '1. d4 d5\\n2. c5', 0)");
    browser.click("#loadtext");
    browser.until(
        "document.getElementById('error').textContent.startsWith(\"line 2: 'c5' is not a legal move here\")",
    );
    browser.eval("(document.getElementById('record').value = '1. d4 d5\\n2. c4', 0)");
    browser.click("#loadtext");
    browser.until("document.querySelectorAll('#line li').length === 3");
    browser.no_errors();
    std::fs::remove_file(file).expect("removed");
}

/// Loads a text as a record, from the field below the game.
fn load_text(browser: &Browser, text: &str) {
    browser.eval("(document.getElementById('record').value = '', 0)");
    browser.click("#export");
    browser.until("document.getElementById('record').value !== ''");
    browser.eval(&format!("(document.getElementById('record').value = {}, 0)", serde_json::json!(text)));
    browser.click("#loadtext");
}

/// Chooses something, and waits until the board is drawn anew.
fn choose(browser: &Browser, id: &str, value: &str) {
    browser.eval("(document.querySelector('#board .spot').dataset.old = 'yes', 0)");
    browser.eval(&format!(
        "(() => {{ const e = document.getElementById({id:?}); e.value = {value:?}; e.dispatchEvent(new Event('change')); return 0; }})()"
    ));
    browser.until("document.querySelector('#board .spot[data-old]') === null");
}

#[test]
fn a_record_says_how_its_game_ended_until_it_goes_on() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    let written = |words: &str| format!("document.getElementById('record').value.includes({words:?})");
    browser.go(&page(&server, ""));
    let text = "[Game \"tic-tac-toe\"]\n[First \"human\"]\n[Second \"auto\"]\n[TimeControl \"60+0\"]\n\
                [Termination \"time of o\"]\n[Result \"x wins\"]\n\n1. b2";
    load_text(&browser, text);
    browser.until("document.querySelectorAll('#line li').length === 1");
    let ended = "b2 was played. The game ended here by its record: x wins (time of o). A move goes on from here; o to move.";
    assert_eq!(browser.text("#status"), ended);
    browser.reload();
    assert_eq!(browser.text("#status"), ended, "the address knows it too");
    browser.click("#export");
    browser.until(&written("[Result \"x wins\"]"));
    assert_eq!(browser.eval(&written("[Termination \"time of o\"]")), true);
    // It goes on, with another player and another clock: what the record said of its end and its seats is over.
    choose(&browser, "clock", "300+0");
    choose(&browser, "seat0", "uct");
    press(&browser, "a1");
    browser.until("document.querySelectorAll('#line li').length === 3");
    browser.click("#export");
    browser.until(&written("1. b2 a1 2. "));
    for (tag, there) in [
        ("Termination", false),
        ("Result", false),
        ("auto", false),
        ("[First \"uct\"]", true),
        ("[Second \"human\"]", true),
        ("[TimeControl \"300+0\"]", true),
    ] {
        assert_eq!(browser.eval(&written(tag)), there, "{tag}");
    }
    // A person's name stays with a person.
    let pgn = "[White \"Fischer\"]\n[Black \"Spassky\"]\n[Result \"1-0\"]\n[Termination \"Time forfeit\"]\n\n1. e4 e5 1-0";
    load_text(&browser, pgn);
    browser.until(
        "document.getElementById('status').textContent.includes('by its record: White wins (Time forfeit)')",
    );
    choose(&browser, "seat1", "uct");
    browser.click("#board .spot[data-place=\"g1\"]");
    press(&browser, "f3");
    browser.click("#export");
    browser.until(&written("2. Nf3"));
    for (tag, there) in [
        ("[White \"Fischer\"]", true),
        ("Spassky", false),
        ("[Black \"uct\"]", true),
        ("Time forfeit", false),
    ] {
        assert_eq!(browser.eval(&written(tag)), there, "{tag}");
    }
    // A new game knows nothing of a record without moves.
    load_text(&browser, "[Game \"tic-tac-toe\"]\n[Event \"Final\"]\n\n");
    browser.until("location.hash.includes('Final')");
    browser.click("#new");
    browser.until("!location.hash.includes('Final')");
    browser.no_errors();
}

#[test]
fn records_without_a_game_or_without_anything_lose_no_game() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=tic-tac-toe&moves=b2+a1"));
    load_text(&browser, "");
    browser.until("document.getElementById('error').textContent.includes('the record is empty')");
    let file = std::env::temp_dir().join(format!("endspiel-empty-{}.pgn", std::process::id()));
    std::fs::write(&file, "").expect("written");
    browser.click("#new");
    browser.until("document.getElementById('error').hidden");
    browser.back();
    browser.until("document.querySelectorAll('#line li').length === 2");
    browser.type_into("#load", &file.display().to_string());
    browser.until("document.getElementById('error').textContent.includes('the record is empty')");
    assert_eq!(browser.eval("location.hash"), "#game=tic-tac-toe&moves=b2+a1");
    // Chess, as other programs write it.
    load_text(&browser, "1. e4 e5 2. Nf3 *");
    browser.until("document.querySelectorAll('#line li').length === 3");
    assert_eq!(browser.text("#told"), "The record names no game: it is read as one of chess.");
    assert_eq!(browser.eval("document.getElementById('game').value"), "chess");
    browser.no_errors();
    std::fs::remove_file(file).expect("removed");
}

#[test]
fn numbers_of_a_variant_have_names() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    let labels = "[...document.querySelectorAll('#sizes label')].map((l) => l.textContent.trim()).join()";
    for (game, names) in [
        ("mnk:5,5,4", "width,height,line"),
        ("hex:7", "size"),
        ("connect-four:6x5", "width,height"),
        ("amazons:6", "size"),
        ("amazons:5x6", "width,height"),
        ("othello:6", "size"),
        ("gomoku:standard,19", "size"),
        ("random-tree:b=3,d=6,seed=1", "b children,depth,seed"),
        ("wythoff:t=3", "t"),
        ("wythoff:g2,start=15,15", "start A,start B"),
    ] {
        browser.go(&page(&server, &format!("#game={}", game.replace('=', "%3D"))));
        assert_eq!(browser.eval(labels), names, "{game}");
    }
    let unnamed = "[...document.querySelectorAll('#choose input, #choose select')].filter((e) => !e.labels.length).length";
    assert_eq!(browser.eval(unnamed), 0);
    browser.no_errors();
}
