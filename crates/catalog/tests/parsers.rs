//! Every parser of every game in the catalog, fed with garbage: variants, positions, lists of moves. An error
//! is fine, a panic or a hang is not, and what is let in must be a sound position that reads back as itself.
//!
//! A few thousand texts a parser by default; `ENDSPIEL_FUZZ=1000000` sets another number.

use endspiel_catalog::{AnyGame, AnyPosition, Entry, GAMES};
use endspiel_game::garbage::{rounds, text};
use endspiel_game::{Rng, Turn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// No parser needs this long for a text of a few hundred bytes.
const SLOW: Duration = Duration::from_secs(5);

/// Calls a parser, and names the text if it panics or takes too long.
fn feed<T>(parser: &str, text: &str, parse: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let out =
        catch_unwind(AssertUnwindSafe(parse)).unwrap_or_else(|_| panic!("{parser} falls over {text:?}"));
    assert!(begun.elapsed() < SLOW, "{parser} takes {:?} for {text:?}", begun.elapsed());
    out
}

/// The rule sets to try: the standard one and two of the examples.
fn rule_sets(entry: &dyn Entry) -> Vec<Box<dyn AnyGame>> {
    let variants = [""].into_iter().chain(entry.about().examples.iter().copied().take(2));
    variants.map(|v| entry.open(v).unwrap_or_else(|e| panic!("{}:{v}: {e}", entry.about().name))).collect()
}

/// The positions of a random game with the moves that lead to each.
fn random_game(game: &dyn AnyGame, rng: &mut Rng) -> Vec<(Box<dyn AnyPosition>, String)> {
    let mut line = vec![(game.start(), String::new())];
    while line.len() < 80 {
        let (position, moves) = &line[line.len() - 1];
        let legal = position.moves();
        if legal.is_empty() {
            break;
        }
        let word = &legal[rng.below(legal.len())];
        let next = position.play(word).unwrap_or_else(|e| panic!("{word} at {}: {e}", position.write()));
        let moves = if moves.is_empty() { word.clone() } else { format!("{moves} {word}") };
        line.push((next, moves));
    }
    line
}

/// What must hold of every position that a parser lets in.
fn sound(game: &dyn AnyGame, position: &dyn AnyPosition, text: &str) {
    let written = position.write();
    let back = game.read(&written).unwrap_or_else(|e| panic!("{text:?} was read, {written:?} is not: {e}"));
    assert_eq!(back.write(), written, "read from {text:?}");
    assert_eq!(back.turn(), position.turn(), "{text:?}");
    assert_eq!(position.moves().is_empty(), position.turn() == Turn::Over, "{text:?}");
}

#[test]
fn positions_and_lists_of_moves_read_back() {
    for entry in GAMES {
        for game in rule_sets(*entry) {
            let mut rng = Rng::new(7);
            for _ in 0..2 {
                let line = random_game(&*game, &mut rng);
                for (position, moves) in &line {
                    sound(&*game, &**position, &position.write());
                    let place = format!("{} after {moves:?}", game.full_name());
                    let replayed = game.start().play(moves).unwrap_or_else(|e| panic!("{place}: {e}"));
                    assert_eq!(replayed.write(), position.write(), "{place}");
                }
            }
        }
    }
}

#[test]
fn garbled_positions_and_moves_are_refused_or_sound() {
    for entry in GAMES {
        let name = entry.about().name;
        let games = rule_sets(*entry);
        let mut rng = Rng::new(3);
        let each = rounds(8000).div_ceil(games.len());
        let mut taken = [0, 0];
        for game in &games {
            let mut line = random_game(&**game, &mut rng);
            let (mut positions, mut lists) = (Vec::new(), Vec::new());
            for round in 0..each {
                if round % 2000 == 0 {
                    line = random_game(&**game, &mut rng);
                    positions = line.iter().map(|(position, _)| position.write()).collect();
                    lists = line.iter().map(|(_, moves)| moves.clone()).collect();
                    lists.extend(line[line.len() / 2].0.moves().into_iter().take(40));
                }
                let bad = text(&positions, &mut rng);
                if let Ok(position) = feed(&format!("{name}'s positions"), &bad, || game.read(&bad)) {
                    feed(&format!("{name} itself"), &bad, || sound(&**game, &*position, &bad));
                    taken[0] += 1;
                }
                let bad = text(&lists, &mut rng);
                let (from, _) = &line[rng.below(line.len())];
                if let Ok(position) = feed(&format!("{name}'s moves"), &bad, || from.play(&bad)) {
                    feed(&format!("{name} itself"), &bad, || sound(&**game, &*position, &bad));
                    taken[1] += 1;
                }
            }
        }
        assert!(taken[0] > 0 && taken[1] > 0, "{name}: some damage does no harm, {taken:?}");
    }
}

#[test]
fn garbled_variants_are_refused_or_open() {
    for entry in GAMES {
        let about = entry.about();
        let real: Vec<String> =
            about.examples.iter().map(|e| (*e).to_string()).chain([about.variants.into()]).collect();
        let mut rng = Rng::new(5);
        for _ in 0..rounds(8000) {
            let bad = text(&real, &mut rng);
            let parser = format!("{}'s variants", about.name);
            let Ok(game) = feed(&parser, &bad, || entry.open(&bad)) else { continue };
            let full = game.full_name();
            let again = endspiel_catalog::game(&full).unwrap_or_else(|e| panic!("{bad:?} opens {full}: {e}"));
            assert_eq!(again.full_name(), full, "{bad:?}");
            feed(&parser, &bad, || game.start().write());
        }
    }
}

#[test]
fn garbled_names_are_refused_or_open() {
    let real: Vec<String> = GAMES.iter().map(|entry| entry.about().name.to_string()).collect();
    let mut rng = Rng::new(6);
    for _ in 0..rounds(8000) {
        let bad = text(&real, &mut rng);
        let _ = feed("the catalog", &bad, || endspiel_catalog::game(&bad).map(|game| game.full_name()));
    }
}
