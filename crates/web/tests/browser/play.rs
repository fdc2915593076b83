//! Playing: by mouse, touch, keys and typing, alone and against methods, with and without a clock.

use crate::common::usual;
use crate::driver::{Browser, WIDE, wanted};
use crate::{page, press};

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
    // A ring is around the last move alone: who clicks needs none to see where he is.
    assert_eq!(browser.eval("getComputedStyle(document.activeElement).stroke"), "none");
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
    assert!(browser.text("#status").contains("over: Black wins"), "{}", browser.text("#status"));
    let heard =
        "[...document.querySelectorAll('#board .spot')].map((spot) => spot.getAttribute('aria-label'))";
    let heard = browser.eval(heard);
    let heard: Vec<&str> =
        heard.as_array().expect("labels").iter().filter_map(|label| label.as_str()).collect();
    for says in ["column 4, row 1, black disc", "column 4, row 2, white disc", "column 7, row 6, empty"] {
        assert_eq!(heard.iter().filter(|label| **label == says).count(), 1, "{says}: {heard:?}");
    }
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
        assert_ne!(
            browser.eval("getComputedStyle(document.activeElement).stroke"),
            "none",
            "seen where one is"
        );
    }
    assert!(browser.text("#status").contains("x wins"), "{}", browser.text("#status"));
    tab_to("#undo");
    browser.keys(&[enter]);
    says("b1 was played");
    // Typing a move, a wrong one too.
    tab_to("#typed");
    browser.keys(&["z", "z", enter]);
    browser.until("document.getElementById('error').textContent.includes(\"'zz'\")");
    assert!(browser.text("#error").contains("at character 2"), "{}", browser.text("#error"));
    browser.quiet();
    browser.keys(&["\u{e003}", "\u{e003}", "a", "1", enter]);
    says("a1 was played");
    // Where places leave a choice, buttons ask; then the focus is on the board again.
    browser.go(&page(&server, "#game=chess&position=8/P6k/8/8/8/8/8/K7+w+-+-+0+1"));
    tab_to("#board .spot");
    browser.eval("document.querySelector('#board .spot[data-place=\"a7\"]').focus()");
    browser.keys(&[enter, up, enter]);
    browser.until("document.querySelectorAll('#chooser button').length === 4");
    tab_to("#chooser button");
    browser.keys(&[tab, enter]);
    says("a7a8r was played");
    assert_eq!(browser.eval("document.activeElement.dataset.place"), "a8");
    browser.no_errors();
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
    // A move taken back brings the time back: the game is not lost any more.
    browser.click("#undo");
    browser.until("document.querySelectorAll('#board .spot.target').length === 9");
    assert_eq!((browser.text("#status").as_str(), browser.text("#clock1").as_str()), ("x to move.", "1:00"));
    press(&browser, "b2");
    assert!(!browser.text("#clock1").contains('⚑') && browser.text("#status").contains("o to move"));
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
    browser.eval(
        "(() => { const real = window.fetch; window.asked = []; window.fetch = (url, more) => { \
         if (more && more.method === 'POST') window.asked.push(JSON.parse(more.body)); return real(url, more); }; return 0; })()",
    );
    press(&browser, "f6");
    browser.until("document.querySelectorAll('#line li').length === 2");
    let asked = browser.eval("window.asked[0].time").as_f64().expect("a time");
    assert!(asked < 3.0, "{asked} s");
    browser.no_errors();
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
    browser.until("document.getElementById('advice').textContent.startsWith('Hint:')");
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
    browser.until("document.getElementById('advice').textContent.startsWith('Hint:')");
    assert_eq!(browser.eval("getComputedStyle(document.getElementById('advice')).fontStyle"), "italic");
    browser.until("document.getElementById('progress').textContent.startsWith('working')");
    browser.click("#stop");
    browser.until("document.getElementById('verdict').textContent.includes('Best:')");
    assert!(browser.text("#advice").starts_with("Hint:"), "both are there to be read");
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
    // Amid a game it steps back and takes nothing away; the line that another move leaves is where Back leads to.
    browser.go(&page(&server, "#game=tic-tac-toe&moves=a1+b2+a2&at=2"));
    browser.until("document.querySelectorAll('#line li').length === 3");
    browser.click("#undo");
    browser.until("location.hash.includes('at=1')");
    assert_eq!(browser.eval("document.querySelectorAll('#line li').length"), 3);
    browser.click("#board .spot[data-place=\"c3\"]");
    browser.until("document.querySelectorAll('#line li').length === 2");
    browser.eval("history.back()");
    browser.until("document.querySelectorAll('#line li').length === 3");
    browser.no_errors();
}

#[test]
fn places_say_what_stands_there() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    for (address, place, says) in [
        ("#game=tic-tac-toe&moves=b2+a1", "b2", "b2, x"),
        ("#game=tic-tac-toe&moves=b2+a1", "c3", "c3, empty, move"),
        ("#game=chess", "e1", "e1, white king"),
        ("#game=chess", "e7", "e7, black pawn"),
        ("#game=xiangqi", "h2", "h2, red cannon, move"),
        ("#game=checkers", "1", "1, black man"),
        ("#game=awari", "A", "A, 4 stones, move"),
        ("#game=amazons", "d1", "d1, white amazon, move"),
    ] {
        browser.go(&page(&server, address));
        let label = browser.eval(&format!(
            "document.querySelector('#board .spot[data-place=\"{place}\"]').getAttribute('aria-label')"
        ));
        assert_eq!(label, says, "{address}");
    }
    browser.no_errors();
}

#[test]
fn a_position_that_comes_back_ends_the_game_for_persons_and_methods() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=chess&moves=g1f3+g8f6+f3g1"));
    browser.click("#legal summary");
    browser.click("#board .spot[data-place=\"f6\"]");
    browser.click("#board .spot[data-place=\"g8\"]");
    let over = "document.getElementById('status').textContent.includes('over: a draw, as the position has come back')";
    browser.until(over);
    assert_eq!(browser.eval("document.querySelectorAll('#board .spot.target').length"), 0);
    assert_eq!(browser.text("#legallist"), "", "no moves are offered");
    browser.click("#prove");
    browser.until("document.getElementById('told').textContent.startsWith('The game is over: a draw')");
    // Two methods stop there as well.
    let line = "#game=chess&moves=g1f3+g8f6+f3g1+f6g8&first=auto&second=auto&strength=200+nodes";
    browser.go(&page(&server, line));
    browser.until(over);
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(browser.eval("document.querySelectorAll('#line li').length"), 4);
    assert_eq!(browser.eval("document.getElementById('stop').hidden"), true);
    browser.click("#undo");
    browser.until("document.querySelectorAll('#line li').length !== 4");
    browser.no_errors();
}

#[test]
fn a_new_act_clears_what_was_complained_of() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=tic-tac-toe"));
    let gone = "document.getElementById('error').hidden";
    let mistype = || {
        browser.eval("(document.getElementById('typed').value = '', 0)");
        browser.type_into("#typed", "zz\u{e007}");
        browser.until("document.getElementById('error').textContent.includes(\"'zz'\")");
    };
    for button in ["#hint", "#save", "#export", "#threats", "#prove"] {
        mistype();
        browser.click(button);
        browser.until(gone);
    }
    // Who looks up the moves may still want to read it.
    mistype();
    browser.click("#legal summary");
    browser.until("document.querySelectorAll('#legallist button').length === 9");
    assert_eq!(browser.eval(gone), false);
    // What is refused is told where it was opened, and nothing else is.
    let file = std::env::temp_dir().join(format!("endspiel-rubbish-{}.cert", std::process::id()));
    std::fs::write(&file, "rubbish").expect("written");
    browser.type_into("#certificate", &file.display().to_string());
    browser.until("document.getElementById('proofsays').textContent.includes('is refused: ')");
    browser.no_errors();
    std::fs::remove_file(file).expect("removed");
}
