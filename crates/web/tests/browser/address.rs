//! The address holds the whole state; what makes no sense in it is told.

use crate::common::usual;
use crate::driver::{Browser, PHONE, WIDE, wanted};
use crate::page;

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
fn an_address_that_makes_no_sense_is_told_and_the_page_is_there() {
    if !wanted() {
        return;
    }
    let (server, browser) = (usual(), Browser::open(WIDE));
    // As much as makes sense is kept; the rest is told in words.
    for (address, says, kept, targets) in [
        ("#game=chess-boxing", "no game is called 'chess-boxing'", "#game=tic-tac-toe", 9),
        ("#game=tic-tac-toe&moves=b2+b2", "b2 is taken at character 4", "#game=tic-tac-toe&moves=b2", 8),
        ("#game=connect-four&moves=99", "at character 1", "#game=connect-four", 42),
        (
            "#game=connect-four&moves=4+4+9+1&first=bogus",
            "first=bogus is not a method",
            "#game=connect-four&moves=4+4",
            42,
        ),
        (
            "#game=connect-four&moves=4+4+9+1&first=bogus",
            "at character 5",
            "#game=connect-four&moves=4+4",
            42,
        ),
        ("#game=hex:0&moves=a1", "0", "#game=hex", 121),
        ("#game=hex:4&position=nonsense&moves=a1", "position: ", "#game=hex%3A4", 16),
        ("#game=wythoff:t%3D1000,start%3D223,222", "at most 10000", "#game=wythoff", 0),
        ("#game=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E", "no game is called '<img", "#game=tic-tac-toe", 9),
    ] {
        browser.go(&page(&server, address));
        assert!(browser.text("#error").contains(says), "{address}: {}", browser.text("#error"));
        let hash = browser.eval("location.hash");
        assert!(hash.as_str().is_some_and(|hash| hash.starts_with(kept)), "{address}: {hash}");
        let shown = browser.eval("document.querySelectorAll('#board .spot.target').length").as_u64();
        assert!(targets == 0 || shown == Some(targets), "{address}: {shown:?}");
        assert_eq!(browser.eval("document.querySelectorAll('img[src=x]').length"), 0);
        browser.quiet();
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
        ("tags=x", "tags=x is not a list of tags"),
        ("recorded=many", "recorded=many is not the number of a move"),
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
