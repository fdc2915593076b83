use super::{Chart, System};
use endspiel_game::Rng;
use std::collections::BTreeSet;

/// Everything that can be derived, text by text.
fn theorems(system: &System, text: &[char]) -> BTreeSet<Vec<char>> {
    let mut seen = BTreeSet::from([text.to_vec()]);
    let mut open = vec![text.to_vec()];
    while let Some(text) = open.pop() {
        for rule in system.rules() {
            for at in 0..text.len() {
                if text[at..].starts_with(&rule.from) {
                    let mut next = text.clone();
                    next.splice(at..at + rule.from.len(), [rule.to]);
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
        }
    }
    seen
}

fn check(system: &System, text: &str) -> String {
    let text = system.read_text(text).unwrap();
    let chart = Chart::new(system, &text);
    let all = theorems(system, &text);
    let letters: String = chart.letters().collect();
    let truth: String = all.iter().filter(|t| t.len() == 1).map(|t| t[0]).collect();
    assert_eq!(letters, truth);
    for letter in letters.chars() {
        let steps = chart.derivation(letter).unwrap();
        assert_eq!((steps[0].clone(), &steps[steps.len() - 1]), (text.iter().collect(), &letter.to_string()));
        for pair in steps.windows(2) {
            let next: Vec<char> = pair[1].chars().collect();
            let one = theorems(system, &pair[0].chars().collect::<Vec<_>>());
            assert!(one.contains(&next), "{} -> {}", pair[0], pair[1]);
        }
    }
    letters
}

#[test]
fn the_published_triangle() {
    let rows = [
        "a be ac - - - bd ce bd - abce",
        "a - - - - - - - - -",
        "b - - - - - - - -",
        "d - - ce - ce - ad",
        "c - bd ce bd - ac",
        "b ac - - - -",
        "b - - - -",
        "d - - -",
        "c - -",
        "a be",
        "a",
    ];
    let puzzle = System::double_letter();
    let text = puzzle.read_text("aabdcbbdcaa").unwrap();
    let chart = Chart::new(&puzzle, &text);
    for (p, row) in rows.iter().enumerate() {
        for (i, cell) in row.split(' ').enumerate() {
            let letters: String = chart.letters_of(p, p + i).collect();
            assert_eq!(letters, cell.replace('-', ""), "row {p}, column {}", p + i);
        }
    }
    // How many texts can be derived at all, the first one included.
    for (text, count) in [
        ("aacc", 11),
        ("aacaa", 9),
        ("aaccadd", 41),
        ("aabdcbbdcaa", 234),
        ("aaaaaaaa", 287),
        ("aaaaaaaaaaaa", 6_034),
        ("dbdeabbaacccddaeecda", 7_910),
        ("dbdeabbaacccddaeecca", 28_682),
    ] {
        assert_eq!(theorems(&puzzle, &puzzle.read_text(text).unwrap()).len(), count, "{text}");
    }
    assert_eq!(check(&puzzle, "aabdcbbdcaa"), "abce");
    assert_eq!(check(&puzzle, "aaccadd"), "ad");
    assert_eq!(check(&puzzle, "aacaa"), "");
}

#[test]
fn how_many_texts_reduce_to_a_letter() {
    let puzzle = System::double_letter();
    let mut counts = Vec::new();
    for length in 1..=7 {
        let count = (0..5usize.pow(length)).filter(|&n| {
            let text: Vec<char> =
                (0..length).map(|i| char::from(b'a' + (n / 5usize.pow(i) % 5) as u8)).collect();
            Chart::new(&puzzle, &text).letters().next().is_some()
        });
        counts.push(count.count());
    }
    assert_eq!(counts, [5, 5, 20, 95, 465, 2350, 12075]);
}

#[test]
fn other_systems_and_long_texts_agree_with_plain_rewriting() {
    let systems = ["ab -> c | a; cab -> b; c -> d; dd -> a", "xyz -> x; x -> y; yy -> z\nzx -> x # last"];
    let mut rng = Rng::new(5);
    for system in systems {
        let system = System::read(system).unwrap();
        let letters: Vec<char> = system.rules().iter().flat_map(|r| r.from.clone()).collect();
        let mut solved = 0;
        for _ in 0..200 {
            let text: String = (0..=rng.below(9)).map(|_| letters[rng.below(letters.len())]).collect();
            solved += usize::from(!check(&system, &text).is_empty());
        }
        assert!((20..200).contains(&solved), "{solved}");
    }
    // Longer than a word of 64 bits.
    let puzzle = System::double_letter();
    let text = puzzle.read_text(&"a".repeat(128)).unwrap();
    let chart = Chart::new(&puzzle, &text);
    let steps = chart.derivation('b').unwrap();
    assert_eq!(steps.len(), 128);
    assert!(steps.windows(2).all(|pair| pair[0].len() == pair[1].len() + 1));
}

#[test]
fn bad_rules_and_texts_are_refused_where_they_are() {
    let place = |text: &str| System::read(text).unwrap_err().at;
    assert_eq!(place(""), 0);
    assert_eq!(place("aa -> b; cc > d"), 9);
    assert_eq!(place("aa -> b;\n c c -> d"), 11);
    assert_eq!(place("aa -> b | cd"), 10);
    assert_eq!(place("-> b"), 0);
    assert!(System::read("a -> b; b -> c; c -> a").unwrap_err().what.contains("'a'"));
    assert!(System::read(&format!("{} -> b", "a".repeat(99))).is_err());
    let puzzle = System::double_letter();
    assert_eq!(puzzle.read_text("abxa").unwrap_err().at, 2);
    assert!(puzzle.read_text("").is_err() && puzzle.read_text(&"a".repeat(20_000)).is_err());
}
