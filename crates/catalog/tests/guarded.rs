//! The player with a book and a guard.

use endspiel_catalog::guarded::{Book, choose, guard};
use endspiel_catalog::{Request, game};
use endspiel_game::Budget;

/// A corner is answered by the centre alone: whatever is chosen first, the guard ends there.
#[test]
fn losing_moves_are_refused() {
    let game = game("tic-tac-toe").unwrap();
    let request = Request { budget: Budget::nodes(40_000), ..Request::default() };
    let position = game.start().play("a1").unwrap();
    for first in position.moves() {
        let (name, refuted) = guard(&*position, first.clone(), &request, &()).unwrap();
        assert_eq!(name, "b2", "{first} first");
        assert_eq!(refuted.is_empty(), first == "b2");
    }
    // Where all moves lose, the first choice stands.
    let lost = game.start().play("a1 b1 b2 c3 a2").unwrap();
    let (name, refuted) = guard(&*lost, "a3".into(), &request, &()).unwrap();
    assert_eq!((&*name, refuted.len()), ("a3", lost.count_moves()));
    let chosen = choose(&*position, &Book::default(), &request, &()).unwrap();
    assert_eq!(chosen.name.as_deref(), Some("b2"));
}

#[test]
fn books_are_played_and_their_errors_have_a_line() {
    let game = game("tic-tac-toe").unwrap();
    let book = Book::read(&*game, "b2 a1 # a remark\n\na1 b2\nb2 c3").unwrap();
    let after = |moves: &str| game.start().play(moves).unwrap();
    assert_eq!(book.hit(&*game.start()), Some("b2"));
    assert_eq!(book.hit(&*after("b2")), Some("a1"), "the first of two lines counts");
    assert_eq!(book.hit(&*after("c3")), None);
    let chosen = choose(&*after("a1"), &book, &Request::default(), &()).unwrap();
    assert_eq!((chosen.name.as_deref(), chosen.report.is_none()), (Some("b2"), true));
    assert_eq!(Book::read(&*game, "b2\na1 a1").unwrap_err().0, 2);
}
