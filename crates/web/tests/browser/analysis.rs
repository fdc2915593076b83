//! Analysis: judgements in colours and words, threats, and jobs that end when nobody wants them.

use crate::common::usual;
use crate::driver::{Browser, PHONE, WIDE, wanted};
use crate::{page, press, wait_for};

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
    assert!(!browser.text("body").contains("0.00"), "no more digits than the error warrants");
    let figures = "import('/figures.js').then(({ estimate }) => [[0.1234, 0.004], [0.1234, 0.03], [-0.1234, 0.3], [12.34, 3], \
         [0.1234, null], [-0.001, 0.2], [-0.1, 0.04], [0.5, null]].map(([mean, spread]) => estimate({ mean, spread })).join(' | '))";
    assert_eq!(
        browser.eval(figures),
        "+0.12 ± < 0.01 | +0.12 ± 0.03 | -0.1 ± 0.3 | +12 ± 3 | +0.12 | 0 ± 0.2 | -0.10 ± 0.04 | +0.5"
    );
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
    browser.eval("(window.real = window.fetch, window.fetch = async () => { throw new TypeError('Failed to fetch'); }, 0)");
    browser.click("#board .spot[data-place=\"a1\"]");
    browser.until("document.getElementById('error').textContent.startsWith('The server does not answer')");
    assert_eq!(browser.eval("location.hash"), "#game=hex%3A4&moves=b2");
    assert_eq!(browser.eval("document.querySelector('#board .spot.target') !== null"), true, "try again");
    browser.eval("(window.fetch = window.real, 0)");
    browser.click("#again");
    browser.until("document.getElementById('error').hidden");
    press(&browser, "a1");
    assert!(browser.text("#status").starts_with("a1 was played"));
    browser.no_errors();
}

#[test]
fn jobs_end_when_another_position_or_no_page_is_there() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=hex:9&analyse=1"));
    wait_for(&server, 1);
    // While it runs, the buttons of the table stay where they are.
    browser.until("document.querySelectorAll('#moves button.why').length > 3");
    browser.click("#moves tr:nth-child(2) button.why");
    browser.until("document.querySelector('#moves .because') !== null");
    // Each move starts a new analysis and ends the old one.
    for place in ["e5", "d4", "f3"] {
        press(&browser, place);
    }
    wait_for(&server, 1);
    assert_eq!(browser.eval("document.getElementById('stop').hidden"), false);
    browser.click("#stop");
    browser.until("document.getElementById('verdict').textContent.includes('Best:')");
    wait_for(&server, 0);
    // What is stopped is not analysed any more: neither the button nor the address says so.
    assert_eq!(browser.eval("document.getElementById('analyse').getAttribute('aria-pressed')"), "false");
    assert_eq!(browser.eval("location.hash.includes('analyse')"), false);
    // The nodes of all looks together.
    let said = browser.text("#progress");
    let told: String =
        said.split(" nodes").next().unwrap_or_default().chars().rev().take_while(|c| *c != ' ').collect();
    let told: String = told.chars().rev().filter(char::is_ascii_digit).collect();
    assert!(told.parse::<u64>().is_ok_and(|nodes| nodes > 1000), "{said}");
    // A page that is left for another needs no answer; when it comes back it asks again.
    browser.click("#analyse");
    wait_for(&server, 1);
    browser.click("nav a[href=jobs]");
    browser.until("document.getElementById('running') !== null");
    wait_for(&server, 0);
    browser.back();
    browser.until("document.getElementById('analyse') !== null");
    wait_for(&server, 1);
    browser.until("document.querySelectorAll('#moves button.why').length > 3");
    // Nor does a tab that is closed.
    browser.leave();
    wait_for(&server, 0);
}

#[test]
fn a_server_that_has_gone_is_told_of_in_words() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=hex:9&analyse=1"));
    browser.until("document.getElementById('progress').textContent.startsWith('working')");
    drop(server);
    browser.until("document.getElementById('error').textContent.startsWith('The server does not answer')");
    browser.until("!document.getElementById('progress').textContent.includes('working')");
    assert_eq!(browser.eval("document.getElementById('stop').hidden"), true);
    browser.click("#again");
    browser.until("document.getElementById('again') !== null");
    assert!(!browser.text("#error").contains("Failed to fetch"), "{}", browser.text("#error"));
}

#[test]
fn what_is_written_on_a_board_can_be_read_on_a_phone_too() {
    if !wanted() {
        return;
    }
    let server = usual();
    for window in [PHONE, WIDE] {
        let browser = Browser::open(window);
        for (game, judged) in
            [("gomoku&moves=h8", 50), ("chess", 8), ("hex", 50), ("awari", 6), ("amazons:6", 4)]
        {
            browser.go(&page(&server, &format!("#game={game}&analyse=1")));
            browser.until(&format!("document.querySelectorAll('#board .truth').length >= {judged}"));
            // Of words that are too small for anybody there are none; a sign takes their place.
            let sizes = browser.eval(
                "[...document.querySelectorAll('#board .label')].map((l) => l.getAttribute('font-size') * document.getElementById('board').getScreenCTM().a)",
            );
            let sizes: Vec<f64> =
                sizes.as_array().expect("sizes").iter().filter_map(serde_json::Value::as_f64).collect();
            assert!(sizes.len() >= judged && sizes.iter().all(|size| *size >= 8.99), "{game}: {sizes:?}");
        }
        // Stones alone are full: an estimate of an empty place has the board's colour, and is smaller.
        browser.go(&page(&server, "#game=gomoku&moves=h8&analyse=1"));
        browser.until("document.querySelectorAll('#board .truth.guess').length >= 50");
        let hollow = browser.eval(
            "(() => { const fill = (e) => getComputedStyle(e).fill; const wide = (e) => e.getBoundingClientRect().width; \
             const [stone, ground] = [document.querySelector('#board circle.first'), document.querySelector('#board .board')]; \
             return [...document.querySelectorAll('#board .truth.guess')].every((mark) => fill(mark) === fill(ground) && wide(mark) < wide(stone)); })()",
        );
        assert_eq!(hollow, true);
        // A judgement of a pit leaves its stones to be counted.
        browser.go(&page(&server, "#game=awari&analyse=1"));
        browser.until("document.querySelectorAll('#board .truth').length === 6");
        let covered = browser.eval(
            "[...document.querySelectorAll('#board g text.ink')].filter((word) => { const w = word.getBoundingClientRect(); \
             return [...document.querySelectorAll('#board .truth')].some((mark) => { const m = mark.getBoundingClientRect(); \
             return m.left < w.right && w.left < m.right && m.top < w.bottom && w.top < m.bottom; }); }).map((word) => word.textContent).join()",
        );
        assert_eq!(covered, "");
        // A piece's sign is seen whole beside its judgement: a sign reaches 0.27 from the middle, at most.
        for game in ["chess", "xiangqi"] {
            browser.go(&page(&server, &format!("#game={game}&analyse=1")));
            browser.until("document.querySelectorAll('#board .truth').length >= 5");
            let free = browser.eval(
                "Math.min(...[...document.querySelectorAll('#board .truth')].flatMap((mark) => \
                 [...document.querySelectorAll('#board .spot')].map((spot) => { const of = (e, name) => Number(e.getAttribute(name)); \
                 return Math.hypot(of(mark, 'cx') - of(spot, 'cx'), of(mark, 'cy') - of(spot, 'cy')) - of(mark, 'r'); })))",
            );
            assert!(free.as_f64().is_some_and(|free| free > 0.27), "{game}: {free}");
        }
        browser.no_errors();
    }
}

#[test]
fn what_is_proven_of_a_move_is_known_after_it() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    browser.go(&page(&server, "#game=tic-tac-toe&moves=b2+b1"));
    browser.click("#analyse");
    browser.until("document.getElementById('verdict').textContent.includes('proven win in 5 plies')");
    browser.click("#analyse");
    press(&browser, "a1");
    // Nobody looks any more, and still it is known.
    assert!(
        browser.text("#verdict").starts_with("o: proven loss in 4 plies. Best: "),
        "{}",
        browser.text("#verdict")
    );
    assert_eq!(browser.eval("document.querySelectorAll('#graph .win').length"), 2);
    // Another reply than the longest resistance loses all the same.
    press(&browser, "a2");
    assert!(browser.text("#verdict").starts_with("x: proven win"), "{}", browser.text("#verdict"));
    browser.click("#back");
    browser.until("document.getElementById('verdict').textContent.startsWith('o: proven loss in 4 plies')");
    // A weaker look takes nothing away: the move that wins stays proven.
    browser.go(&page(&server, "#game=hex:5&moves=c3"));
    browser.click("#analyse");
    browser.until("document.getElementById('verdict').textContent.includes('proven loss')");
    browser.click("#analyse");
    press(&browser, "b2");
    assert!(browser.text("#verdict").starts_with("Black: proven win"), "{}", browser.text("#verdict"));
    browser.eval("(document.getElementById('method').value = 'alpha-beta', document.getElementById('time').value = '2 s', 0)");
    browser.click("#analyse");
    browser.until("!document.getElementById('stop').hidden");
    browser.until("document.getElementById('stop').hidden");
    assert!(browser.text("#verdict").starts_with("Black: proven win"), "{}", browser.text("#verdict"));
    browser.no_errors();
}
