//! The three engines agree, families imply each other, and the counts on small boards of Hex are those computed
//! for the formulas by hand.

use super::*;
use crate::exhaustive::Solution;
use endspiel_game::{Game, Notation, Player, Position, Rng};
use endspiel_rules::connect_four::ConnectFour;
use endspiel_rules::hex::Hex;
use endspiel_rules::mnk::Mnk;
use endspiel_rules::wythoff::Wythoff;
use std::collections::HashSet;
use std::ops::ControlFlow;

const FAMILIES: [Family; 11] = [
    Family::Wins,
    Family::Path,
    Family::Ladder,
    Family::Lambda(1),
    Family::Lambda(2),
    Family::Abstract,
    Family::Progress,
    Family::Paranoid,
    Family::BestReply,
    Family::Helpmate,
    Family::Selfmate,
];

fn holds<P: TwoPlayer>(position: &P, family: Family, n: u32, player: Player, engine: Engine) -> bool {
    let mut formulas = Formulas::default();
    let own = position.mover() == player;
    let id = Maker::new(&mut formulas, player).make(family, n, own);
    let verdict = ask(position, &formulas, id, engine, &Budget::default());
    verdict.holds.expect("the budget suffices")
}

/// All placements of stones that are not over, with Black to move, on a small board of Hex.
fn placements(size: u32) -> Vec<<Hex as Game>::Position> {
    let game = Hex::from_variant(&size.to_string()).expect("a size");
    let cells = size * size;
    let texts = (0..3u32.pow(cells)).map(|code| {
        let sign = |i: u32| ['.', 'b', 'w'][(code / 3u32.pow(i) % 3) as usize];
        let rows: Vec<String> =
            (0..size).map(|row| (0..size).map(|column| sign(row * size + column)).collect()).collect();
        format!("{} b", rows.join("/"))
    });
    texts.filter_map(|text| game.read(&text).ok()).filter(|position| !position.turn().is_over()).collect()
}

/// Queries, and those in which winning strategies, lambda trees of order 1 and of order 2 hold; abstract proof
/// trees and progress trees hold just where winning strategies do, since Hex has no zugzwang.
fn census(size: u32) -> [usize; 4] {
    let mut counts = [0; 4];
    for position in placements(size) {
        let empty = position.count_moves() as u32;
        for n in (1..=empty.min(7)).step_by(2) {
            let [wins, one, two, proof, progress] =
                [Family::Wins, Family::Lambda(1), Family::Lambda(2), Family::Abstract, Family::Progress]
                    .map(|family| holds(&position, family, n, Player::FIRST, Engine::DepthFirst));
            assert!(wins == proof && wins == progress, "{} {n}", position.write());
            assert!(wins || !one && !two, "{} {n}", position.write());
            for (count, one_more) in counts.iter_mut().zip([true, wins, one, two]) {
                *count += usize::from(one_more);
            }
        }
    }
    counts
}

#[test]
fn hex_has_the_lambda_trees_counted_for_it() {
    let [queries, _, one, two] = census(2);
    assert_eq!([queries, one, two], [48, 33, 36]);
    let [queries, _, one, two] = census(3);
    assert_eq!([queries, one, two], [23_810, 12_728, 15_368]);
}

#[test]
fn the_first_player_wins_small_hex_just_as_soon_as_known() {
    for (size, first) in [("2", 3), ("3", 5)] {
        let start = Hex::from_variant(size).expect("a size").start();
        for n in 0..=9 {
            for family in [Family::Wins, Family::Abstract, Family::Progress] {
                let found = holds(&start, family, n, Player::FIRST, Engine::DepthFirst);
                // An even number of plies ends with the other's move.
                let odd = if family == Family::Wins { n } else { n - u32::from(n % 2 == 0 && n > 0) };
                assert_eq!(found, odd >= first, "{family:?} {n} on {size}");
            }
            assert!(!holds(&start, Family::Wins, n, Player::SECOND, Engine::DepthFirst));
        }
    }
}

/// Random positions of a game with the moves so far made at random.
fn random_position<G: Game<Position: TwoPlayer>>(game: &G, plies: usize, rng: &mut Rng) -> G::Position {
    let mut position = game.start();
    for _ in 0..plies {
        let moves = position.move_list();
        if moves.is_empty() {
            break;
        }
        position.play(moves[rng.below(moves.len())]);
    }
    position
}

fn engines_agree<G: Game<Position: TwoPlayer + Notation>>(game: &G, plies: usize, most: u32) {
    let mut rng = Rng::new(3);
    let mut yes = 0;
    for _ in 0..12 {
        let position = random_position(game, plies, &mut rng);
        for family in FAMILIES {
            for n in 0..=most {
                for player in [Player::FIRST, Player::SECOND] {
                    let found = Engine::ALL.map(|engine| holds(&position, family, n, player, engine));
                    assert!(found[0] == found[1] && found[1] == found[2], "{family:?} {n}: {found:?}");
                    yes += usize::from(found[0]);
                    let wins = || holds(&position, Family::Wins, n, player, Engine::DepthFirst);
                    match family {
                        Family::Lambda(_) | Family::Abstract | Family::Ladder | Family::Progress => {
                            assert!(!found[0] || wins(), "{family:?} {n}: {}", position.write());
                        }
                        Family::Paranoid | Family::BestReply => {
                            assert_eq!(found[0], wins(), "{family:?} {n}: {}", position.write());
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    assert!(yes > 0);
}

#[test]
fn the_three_engines_agree_on_every_family() {
    engines_agree(&Mnk::from_variant("3,3,3").expect("a board"), 4, 3);
    engines_agree(&Hex::from_variant("3").expect("a board"), 4, 3);
    engines_agree(&Wythoff::from_variant("").expect("a game"), 6, 3);
    engines_agree(&ConnectFour::from_variant("4x4").expect("a board"), 6, 3);
    engines_agree(&Mnk::from_variant("3,3,3").expect("a board"), 1, 4);
    engines_agree(&Hex::from_variant("4").expect("a board"), 8, 3);
}

/// All positions of a small game.
fn positions<G: Game<Position: TwoPlayer>>(game: &G) -> Vec<G::Position> {
    let (mut all, mut seen, mut next) = (vec![game.start()], HashSet::new(), 0);
    while let Some(position) = all.get(next).cloned() {
        next += 1;
        let after = position.move_list().into_iter().map(|m| position.after(m));
        all.extend(after.filter(|position| seen.insert(position.key())));
    }
    all
}

/// A zugzwang for winning within n plies would be a position in which the player, to move, does not win so, although
/// he does after every move of the other's instead. Where there is none, winning strategies, abstract proof trees and
/// progress trees are the same at every odd number of plies.
fn is_free_of_zugzwang<G: Game<Position: TwoPlayer + Notation>>(game: &G, most: u32) {
    let mut counts = [0; 2];
    for position in positions(game).into_iter().filter(|position| !position.turn().is_over()) {
        let mover = position.mover();
        let wins = |position: &G::Position, n| holds(position, Family::Wins, n, mover, Engine::DepthFirst);
        let mut after = Vec::new();
        moves_of(&position, mover.other(), |from, m| {
            after.push(from.after(m));
            ControlFlow::Continue(())
        });
        for n in (1..=(position.count_moves() as u32).min(most)).step_by(2) {
            let found = wins(&position, n);
            counts[usize::from(found)] += 1;
            for family in [Family::Abstract, Family::Progress] {
                let same = holds(&position, family, n, mover, Engine::DepthFirst);
                assert_eq!(found, same, "{family:?} {n}: {}", position.write());
            }
            let helped = || !after.is_empty() && after.iter().all(|after| wins(after, n));
            assert!(found || !helped(), "zugzwang within {n}: {}", position.write());
        }
    }
    assert!(counts.iter().all(|&n| n > 1000), "{counts:?}");
}

#[test]
fn where_no_stone_hurts_there_is_no_zugzwang_and_three_families_are_one() {
    is_free_of_zugzwang(&Mnk::from_variant("3,3,3").expect("a board"), 5);
}

#[test]
fn a_winning_strategy_is_what_enumeration_says() {
    let mut rng = Rng::new(9);
    for _ in 0..40 {
        let position = random_position(&Mnk::from_variant("4,3,3").expect("a board"), 3, &mut rng);
        let Some(solution) = Solution::of(&position, &Budget::default()) else { continue };
        let wins = solution.score(&position) == Some(1);
        for n in 0..10 {
            let within = wins && solution.distance(&position).is_some_and(|plies| plies <= n);
            assert_eq!(holds(&position, Family::Wins, n, position.mover(), Engine::DepthFirst), within);
        }
    }
}

#[test]
fn questions_are_read_and_errors_point_at_the_place() {
    let read = |text: &str| {
        let mut formulas = Formulas::default();
        parse(&mut formulas, text, ["Black", "White"], Some(Player::FIRST))
            .map(|id| formulas.node(id).clone())
    };
    assert_eq!(read("won(black)").ok(), Some(Node::Atom(Atom::Won(Player::FIRST), true)));
    assert_eq!(read(" ! turn( second ) ").ok(), Some(Node::Atom(Atom::Turn(Player::SECOND), false)));
    for good in [
        "wins(black, 7)",
        "lambda(white, 2, 7) | ladder(black,3)",
        "<black>[white]<black> won(black) & !over",
        "(true)",
        "best-reply(black, 2)",
    ] {
        assert!(read(good).is_ok(), "{good}");
    }
    for (bad, at) in [
        ("", 0),
        ("won", 3),
        ("won(red)", 4),
        ("wins(black)", 10),
        ("wins(black, 9999)", 12),
        ("lambda(black, 12, 3)", 14),
        ("true true", 5),
        ("<black won(black)", 7),
        ("nonsense(black, 3)", 0),
        ("!", 1),
        ("true & ", 7),
    ] {
        let error = read(bad).expect_err(bad);
        assert_eq!(error.at, at, "{bad}: {error}");
    }
    assert!(read(&"!".repeat(5000)).is_err() && read(&"(".repeat(5000)).is_err());
}

#[test]
fn a_budget_ends_the_search_with_no_answer() {
    let start = Hex::from_variant("5").expect("a size").start();
    let mut formulas = Formulas::default();
    let id = Maker::new(&mut formulas, Player::FIRST).make(Family::Wins, 25, true);
    for engine in Engine::ALL {
        let verdict = ask(&start, &formulas, id, engine, &Budget::nodes(100));
        assert_eq!(verdict.holds, None, "{engine:?}");
    }
}

/// A probe of a helpmate in so many moves takes as long as thousands of nodes: no more than a few are begun when the time is up.
#[test]
fn probes_end_with_the_time() {
    let game = endspiel_rules::gomoku::LargeGomoku::from_variant("free,20").expect("a large board");
    let (root, mut formulas) = (game.start(), Formulas::default());
    let id = Maker::new(&mut formulas, Player::FIRST).make(Family::Selfmate, 200, false);
    let budget = Budget { time: Some(std::time::Duration::ZERO), ..Budget::default() };
    let verdict = ask(&root, &formulas, id, Engine::MonteCarlo, &budget);
    assert_eq!(verdict.holds, None);
    assert!(verdict.nodes < 10, "{} nodes after the end", verdict.nodes);
}

/// A family after a move is the family asked where the move leads to, whoever is to move there.
#[test]
fn families_after_a_move_begin_with_whoever_is_to_move_there() {
    fn compare<G: Game>(game: &G, rng: &mut Rng, games: usize) -> usize
    where
        G::Position: TwoPlayer + Notation,
    {
        let families = [
            "wins(@, 2)",
            "wins(@, 3)",
            "ladder(@, 3)",
            "lambda(@, 1, 3)",
            "abstract(@, 2)",
            "paranoid(@, 2)",
        ];
        let names = G::ABOUT.players;
        let asked = |position: &G::Position, text: &str, engine| {
            let mut formulas = Formulas::default();
            let mover = position.turn().player();
            let id = parse(&mut formulas, text, names, mover).expect("a question");
            ask(position, &formulas, id, engine, &Budget::default()).holds.expect("the budget suffices")
        };
        let mut yes = 0;
        for _ in 0..games {
            let mut position = game.start();
            for _ in 0..rng.below(8) {
                if let Some(m) = position.random_move(rng) {
                    position.play(m);
                }
            }
            if position.turn().is_over() {
                continue;
            }
            let mover = names[position.mover().index()];
            for (family, about) in
                families.iter().flat_map(|family| ["first", "second"].map(|one| (family, one)))
            {
                let family = family.replace('@', about);
                let engine = [Engine::DepthFirst, Engine::ProofNumber, Engine::MonteCarlo][rng.below(3)];
                let mut after = position.move_list().into_iter().map(|m| position.after(m));
                let all = after.clone().all(|p| asked(&p, &family, Engine::DepthFirst));
                let some = after.any(|p| asked(&p, &family, Engine::DepthFirst));
                assert_eq!(
                    asked(&position, &format!("[{mover}] {family}"), engine),
                    all,
                    "{}: {family}",
                    position.write()
                );
                assert_eq!(
                    asked(&position, &format!("<{mover}> {family}"), engine),
                    some,
                    "{}: {family}",
                    position.write()
                );
                yes += usize::from(some);
            }
        }
        yes
    }
    let mut rng = Rng::new(3);
    assert!(compare(&Mnk::from_variant("3,3,3").expect("a game"), &mut rng, 60) > 0);
    assert!(compare(&ConnectFour::from_variant("4x4").expect("a game"), &mut rng, 60) > 0);
    compare(&Wythoff::from_variant("").expect("a game"), &mut rng, 20);
}
