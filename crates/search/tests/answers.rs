//! Answers to questions convince the checker, and changed ones do not.

use endspiel_game::{Budget, Game, Notation, Position, Rng, TwoPlayer};
use endspiel_proof::{Answered, FileError};
use endspiel_rules::hex::Hex;
use endspiel_rules::mnk::Mnk;
use endspiel_rules::wythoff::Wythoff;
use endspiel_search::ask::{Engine, Formulas, ask, choices, parse};

/// The answer to a question, with what shows it.
fn answer<G: Game>(game: &G, root: &G::Position, question: &str) -> Answered
where
    G::Position: TwoPlayer + Notation,
{
    let (mut formulas, budget) = (Formulas::default(), Budget::default());
    let id = parse(&mut formulas, question, G::ABOUT.players, root.turn().player()).expect("a formula");
    let holds = ask(root, &formulas, id, Engine::ProofNumber, &budget).holds.expect("it is decided");
    let shown = if holds { id } else { formulas.not(id) };
    let choices = choices(root, &formulas, shown, &budget).expect("what is decided can be shown");
    Answered { game: game.full_name(), root: root.write(), question: question.into(), holds, choices }
}

const QUESTIONS: [&str; 9] = [
    "wins(first, 5)",
    "wins(second, 6)",
    "ladder(first, 5)",
    "lambda(first, 2, 5)",
    "abstract(first, 3)",
    "helpmate(first, 2)",
    "selfmate(second, 1)",
    "!won(second) & [second] <first> !over",
    "<first> ([second] over | wins(first, 3))",
];

fn all_are_accepted<G: Game>(game: &G, rounds: usize) -> [usize; 2]
where
    G::Position: TwoPlayer + Notation,
{
    let (mut rng, mut told) = (Rng::new(9), [0; 2]);
    for round in 0..rounds {
        let mut root = game.start();
        for _ in 0..round % 4 {
            if let Some(m) = root.random_move(&mut rng) {
                root.play(m);
            }
        }
        for question in QUESTIONS {
            let answered = answer(game, &root, question);
            answered.check(game).unwrap_or_else(|e| panic!("{} {question}: {e}", root.write()));
            told[usize::from(answered.holds)] += 1;
            // The contrary is never accepted.
            let contrary = Answered { holds: !answered.holds, ..answered };
            assert!(contrary.check(game).is_err(), "{} {question}", root.write());
        }
    }
    told
}

#[test]
fn answers_convince_the_checker() {
    let told = [
        all_are_accepted(&Hex::from_variant("3").expect("a size"), 12),
        all_are_accepted(&Mnk::from_variant("3,3,3").expect("a variant"), 12),
        all_are_accepted(&Wythoff::from_variant("start=4,3").expect("a variant"), 8),
    ];
    assert!(told.iter().all(|&[no, yes]| no > 10 && yes > 10), "{told:?}");
}

#[test]
fn changed_answers_are_refused() {
    let game = Hex::from_variant("3").expect("a size");
    let answered = answer(&game, &game.start(), "wins(black, 5)");
    assert!(answered.holds && answered.choices.len() > 20);
    let refused = |changed: &Answered| changed.check(&game).is_err();
    let mut other_moves = 0;
    for i in 0..answered.choices.len() {
        let mut fewer = answered.clone();
        fewer.choices.remove(i);
        assert!(refused(&fewer), "without choice {i}");
        let mut more = answered.clone();
        more.choices.insert(i, 0);
        assert!(refused(&more), "a choice more at {i}");
        for choice in [0, 1, 8, u32::MAX] {
            let mut changed = answered.clone();
            changed.choices[i] = choice;
            other_moves += usize::from(changed != answered && !refused(&changed));
        }
    }
    // Another move may win as well, and then what follows may fit by chance: rarely.
    assert!(other_moves * 20 < answered.choices.len(), "{other_moves} of {}", answered.choices.len());
    let question = "wins(black, 3)".into();
    assert!(refused(&Answered { question, ..answered.clone() }), "it takes five plies");
    let root = "b../.w./... b".into();
    assert!(refused(&Answered { root, ..answered.clone() }), "another position");
    assert!(refused(&Answered { game: "hex:4".into(), ..answered.clone() }));
    assert!(refused(&Answered { question: "wins(black, ".into(), ..answered }));
}

#[test]
fn changed_files_are_refused() {
    let game = Mnk::from_variant("3,3,3").expect("a variant");
    let answered = answer(&game, &game.start(), "wins(x, 5)");
    let path = std::env::temp_dir().join(format!("endspiel-answer-{}.cert", std::process::id()));
    answered.write(&path).expect("a file");
    assert_eq!(Answered::read(&path).expect("what was written"), answered);
    let bytes = std::fs::read(&path).expect("the file");
    for i in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[i] ^= 1;
        std::fs::write(&path, &changed).expect("a file");
        assert!(Answered::read(&path).is_err(), "byte {i}");
    }
    std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("a file");
    assert!(Answered::read(&path).is_err());
    std::fs::write(&path, b"Endspiel certificate 2: x\nkind: strategy\n").expect("a file");
    assert!(matches!(Answered::read(&path), Err(FileError::Kind { .. })));
    std::fs::remove_file(&path).expect("the file is there");
}
