//! Proofs of go-moku by proof numbers over threats: positions found to be won, gone through against every legal reply.

use endspiel_expertise::gomoku::{Moves, Prover, Root, Selection};
use endspiel_game::{Game, Notation, Symmetric};
use endspiel_rules::gomoku::Gomoku;

/// These stones put in turn, Black to move.
fn position(black: &str, white: &str) -> Root {
    let game = Gomoku::from_variant("").expect("the usual game");
    let pairs: Vec<String> =
        black.split(' ').zip(white.split(' ')).map(|(b, w)| format!("{b} {w}")).collect();
    game.start().read_line(&pairs.join(" ")).expect("moves").0
}

#[test]
fn two_stones_against_far_ones_win() {
    let root = position("h8 i9", "a1 b3");
    let (mut moves, mut prover) = (Moves::new(), Prover::new(Selection::default()));
    assert!(prover.prove(&root, 20_000, &|| false, &mut moves));
    assert!(!moves.is_empty() && prover.check(&root, &moves), "{} moves", moves.len());
    // What is known is used.
    let mut again = Prover::new(Selection::default());
    assert!(again.prove(&root, 20_000, &|| false, &mut moves) && again.nodes < 3);
    // Without the first move there is a hole.
    moves.remove(&root.canonical_key());
    assert!(!prover.check(&root, &moves));
}

#[test]
fn each_restriction_can_be_switched() {
    let root = position("g7 h7 e8 f8 g9", "f6 f7 j9 g10 h10");
    for selection in [
        Selection { top: None, ..Selection::default() },
        Selection { related: true, ..Selection::default() },
        Selection { implicit: false, ..Selection::default() },
    ] {
        let proven = Prover::new(selection).prove(&root, 5000, &|| false, &mut Moves::new());
        assert!(proven, "{selection:?}");
    }
}
