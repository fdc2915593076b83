//! Proofs of go-moku by proof numbers over threats: positions found to be won, gone through against every legal reply.

use endspiel_expertise::gomoku::{Evaluation, Moves, Prover, Selection};
use endspiel_game::{Game, Notation, Player, Position, Rng, Symmetric};
use endspiel_rules::gomoku::{Gomoku, GomokuPosition};
use endspiel_rules::grid::Cell;

type Root = GomokuPosition<4>;

/// These stones put in turn, Black to move.
fn position(black: &str, white: &str) -> Root {
    let game = Gomoku::from_variant("").expect("the usual game");
    let pairs: Vec<String> =
        black.split(' ').zip(white.split(' ')).map(|(b, w)| format!("{b} {w}")).collect();
    game.start().read_line(&pairs.join(" ")).expect("moves").0
}

#[test]
fn two_stones_against_far_ones_win() {
    let (root, black) = (position("h8 i9", "a1 b3"), Player::FIRST);
    // A published win with White's stones nearer.
    let near = position("h8 i9", "h12 e6");
    let (mut moves, mut prover) = (Moves::new(), Prover::new(Selection::default()));
    assert_eq!(prover.prove_whole(&near, black, 0, &mut moves, &mut |_, _| true), Some(0));
    // Who goes through it later knows nothing of what was remembered here.
    assert!(Prover::new(Selection::default()).check(&near, black, &moves, &mut || false));
    for related in [true, false] {
        let selection = Selection { related, ..Selection::default() };
        let (mut moves, mut prover) = (Moves::new(), Prover::new(selection));
        assert!(prover.prove(&root, black, 20_000, &mut moves, &mut |_, _| true));
        let checks =
            |moves: &Moves| Prover::new(Selection::default()).check(&root, black, moves, &mut || false);
        assert!(!moves.is_empty() && checks(&moves), "{} moves", moves.len());
        // What is known is used.
        let mut again = Prover::new(selection);
        assert!(again.prove(&root, black, 20_000, &mut moves, &mut |_, _| true) && again.nodes < 3);
        // Without the first move there is a hole, and it is mended.
        let first = moves.remove(&root.canonical_key());
        assert!(first.is_some() && !checks(&moves));
        assert_eq!(prover.prove_whole(&root, black, 0, &mut moves, &mut |_, _| true), Some(0));
        assert!(moves.contains_key(&root.canonical_key()) && checks(&moves));
    }
}

#[test]
fn each_restriction_can_be_switched() {
    let root = position("g7 h7 e8 f8 g9", "f6 f7 j9 g10 h10");
    let usual = Selection::default();
    for selection in [
        Selection { top: None, ..usual },
        Selection { related: false, ..usual },
        Selection { implicit: false, ..usual },
    ] {
        let proven =
            Prover::new(selection).prove(&root, Player::FIRST, 5000, &mut Moves::new(), &mut |_, _| true);
        assert!(proven, "{selection:?}");
    }
    // A double four is seen by fours alone; the rules alone see it coming by search.
    let root = position("e8 f8 g8 h5 h6 h7", "d8 h4 a1 a3 o1 o4");
    for evaluation in [Evaluation::Fours, Evaluation::Fives] {
        let (mut moves, mut prover) = (Moves::new(), Prover::new(Selection { evaluation, ..usual }));
        assert!(prover.prove(&root, Player::FIRST, 50_000, &mut moves, &mut |_, _| true), "{evaluation:?}");
        assert!(prover.check(&root, Player::FIRST, &moves, &mut || false), "{evaluation:?}");
    }
}

/// What is proven with related squares alone is won against every legal reply.
#[test]
fn related_squares_leave_no_hole() {
    let (mut rng, mut proven) = (Rng::new(5), 0);
    for round in 0..16 {
        let variant = ["", "standard"][round % 2];
        let mut root: Root = Gomoku::from_variant(variant).expect("a variant").start();
        while root.stones().taken().len() < 6 {
            let cell = root.stones().grid().cell(4 + rng.below(7), 4 + rng.below(7));
            if !root.stones().taken().contains(cell) {
                root.play(Cell(cell as u16));
            }
        }
        let (mut moves, mut prover) = (Moves::new(), Prover::new(Selection::default()));
        if prover.prove(&root, Player::FIRST, 1500, &mut moves, &mut |_, _| true) {
            proven += 1;
            assert!(prover.check(&root, Player::FIRST, &moves, &mut || false), "{}", root.write());
        }
    }
    assert!(proven >= 1, "{proven}");
}

/// With few stones the replies are proven one after the other, and it can be told how far that is.
#[test]
fn openings_are_proven_reply_by_reply() {
    let game = Gomoku::from_variant("").expect("the usual game");
    let (root, _) = game.start().read_line("h8 a1").expect("moves");
    let (answer, (_, image)) = (root.read_move("i9").expect("a move"), root.canonical());
    let mut moves = Moves::from([(root.canonical_key(), root.image_move(answer, image).0)]);
    let (mut prover, mut told) = (Prover::new(Selection::default()), (0, 0));
    let proven = prover.prove_opening(&root, Player::FIRST, 0, &mut moves, &mut |progress, moves| {
        assert!([0, 117].contains(&progress.replies), "the stones lie on a diagonal");
        told = (progress.replies - progress.open, moves.len());
        told.0 < 4
    });
    assert!(!proven, "it was ended");
    assert!(told.0 == 4 && told.1 > 1, "{told:?}");
    // What was proven of the replies holds.
    let hole = prover.hole(&root, Player::FIRST, &moves, &mut || false).expect("a hole");
    assert_eq!(hole.stones().taken().len(), 4);
}
