//! Values of virus games as A. S. Fraenkel published them (2000), of sums, and what methods that look ahead say of the same positions.

use endspiel_catalog::sum::{Grundy, Purse, SumReport, Way, sum};
use endspiel_catalog::{AnyPosition, Error, Purpose, Request, game};
use endspiel_game::{Budget, Goal};

/// One of the sixteen graphs that the paper's text leaves possible for its third component.
const THIRD: &str = "virus:graph=a:b+b:ce+c:d+d:a+e:cd";

fn at(name: &str, position: &str) -> Box<dyn AnyPosition> {
    game(name).unwrap().read(position).unwrap()
}

fn report(parts: &[(&str, &str)]) -> SumReport {
    let parts: Vec<_> = parts.iter().map(|(name, position)| at(name, position)).collect();
    sum(&parts, &Budget::default().with_memory(1 << 30)).unwrap()
}

#[test]
fn published_values_and_winning_moves() {
    // Examples 6 to 8: six x choose two, and six choose three; the last is printed with two, but three followers must flip.
    let (three, four) =
        (("virus:p=7,regular=3", "x7y1y2y3y4y5y6y7"), ("virus:p=7,regular=4", "x7y1y2y3y4y5y6y7"));
    let sixth = report(&[three]);
    assert_eq!((sixth.value, sixth.outcome), (Grundy::Number(48), "win"));
    assert!(sixth.moves.iter().all(|m| m.r#move.starts_with("y7:x") && m.r#move.ends_with("y6")));
    assert_eq!(sixth.moves.len(), 15);
    let both = report(&[three, four]);
    assert_eq!(
        (both.parts[1].value.clone(), both.value, both.outcome),
        (Grundy::Number(32), Grundy::Number(16), "win")
    );
    // In the seventh any four of six x are printed; x7 with y7 does as well.
    let seventh = report(&[four]);
    let (other, printed): (Vec<_>, Vec<_>) = seventh.moves.iter().partition(|m| m.r#move == "x7:y7");
    assert_eq!((other.len(), printed.len(), seventh.value), (1, 15, Grundy::Number(32)));
    assert!(printed.iter().all(|m| m.r#move.starts_with("y7:x") && m.r#move.matches('x').count() == 4));
    let eighth =
        |name: &str| name.starts_with("y6:x") && !name.contains(":x6") && name.matches('x').count() == 3;
    assert_eq!(both.moves.iter().filter(|m| m.part == 0 && eighth(&m.r#move)).count(), 20);
}

#[test]
fn a_component_with_cycles() {
    // The kernel, the other numbers, and infinity, as the paper lists them.
    let worth = |position: &str| report(&[(THIRD, position)]).value;
    for position in ["0", "e", "ac", "bd", "ace", "bde", "abcd", "abcde"] {
        assert_eq!(worth(position), Grundy::Number(0), "{position}");
    }
    for position in ["cd", "cde", "ad", "bc", "ade", "bce", "ab", "abe"] {
        assert_eq!(worth(position), Grundy::Number(1), "{position}");
    }
    assert!(matches!(worth("a"), Grundy::Infinite(_)));
    let moves: Vec<String> = report(&[(THIRD, "ade")]).moves.into_iter().map(|m| m.r#move).collect();
    assert_eq!(moves, ["a:b", "d:a", "e:cd"]);
    // Two infinite games are drawn together; a heap of one and a number of one are lost.
    let drawn = report(&[(THIRD, "a"), (THIRD, "a")]);
    assert_eq!((drawn.outcome, drawn.value.to_string().as_str()), ("draw", "∞()"));
    assert!(!drawn.moves.is_empty());
    assert_eq!(report(&[(THIRD, "ade"), ("wythoff:nim", "0,1")]).outcome, "loss");
}

/// Who wins by the value is who wins by enumeration.
#[test]
fn values_tell_who_wins() {
    for (name, vertices) in [
        (THIRD, "abcde"),
        ("virus:p=3,regular=1", "x1x2x3y1y2y3"),
        ("virus:graph=a:bc+b:a+c:ab+d:a,most=2", "abcd"),
    ] {
        let names: Vec<&str> =
            vertices.split_inclusive(|c: char| c.is_ascii_digit() || !vertices.contains('1')).collect();
        for set in 0..1_u32 << names.len() {
            let position: String = (0..names.len()).filter(|i| set >> i & 1 == 1).map(|i| names[i]).collect();
            let position = if position.is_empty() { "0".into() } else { position };
            let asked = Request {
                method: "exhaustive".into(),
                purpose: Purpose::Prove,
                goal: Goal::Outcome,
                budget: Budget::default(),
                certificate: None,
            };
            let solved = at(name, &position).solve(&asked, &()).unwrap();
            assert_eq!(Some(report(&[(name, &position)]).outcome), solved.value, "{name} {position}");
        }
    }
}

#[test]
fn other_games_have_no_sums() {
    let refused =
        |name: &str| sum(&[game(name).unwrap().start()], &Budget::default()).map(|report| report.value);
    for name in ["tic-tac-toe", "wythoff:misere"] {
        assert!(matches!(refused(name), Err(Error::Partial(_))), "{name}");
    }
    // Nodes are the positions of all parts.
    let piles = || vec![at("wythoff", "7,7"), at("wythoff", "7,7")];
    assert!(matches!(sum(&piles(), &Budget::nodes(127)), Err(Error::Spent(_))));
    let way = sum(&piles(), &Budget::nodes(128)).unwrap().parts[1].way.clone();
    assert_eq!(way, Way::Enumeration { positions: 64, numbers: 64 });
    let start = game("wythoff").unwrap().read("500,500").unwrap();
    for budget in [Budget::nodes(100), Budget::default().with_memory(1 << 20)] {
        assert!(matches!(start.values(&mut Purse::new(&budget)), Err(Error::Spent(_))));
    }
}

/// Graphs whose positions nobody could list.
#[test]
fn large_graphs_are_valued_at_once() {
    let all = (1..=12).fold(String::new(), |all, k| all + &format!("y{k}"));
    let large = report(&[("virus:p=12,regular=3", &all)]);
    // Twelve x are worth 0, so that all y are worth the sum of twelve terms of the sequence.
    let terms = endspiel_retro::free_of_sums(12, |_| 3);
    assert_eq!(large.value, Grundy::Number(terms.iter().fold(0, |sum, term| sum ^ term)));
    assert_eq!(large.parts[0].way, Way::Linear { elements: 24, finite: 23, zero: 15 });
    let long = game("virus:p=80,regular=1").unwrap().start();
    assert!(long.values(&mut Purse::new(&Budget::default())).is_ok());
}
