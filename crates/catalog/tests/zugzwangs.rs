//! Mutual zugzwangs as `db stats` counts them: known numbers of chess, and in every game that has them the same as by
//! looking up each position and the text of it with the other player to move.

use endspiel_catalog::databases::{Workers, databases};
use endspiel_expertise::{checkers, chess, nine_mens_morris, shogi, xiangqi};
use endspiel_game::{Game, Notation, Stop};
use endspiel_retro::{Indexed, Metric, Store};
use endspiel_rules::shogi::Shape;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("endspiel-zugzwangs-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

/// Builds a slice and tells its zugzwangs, all and those in which both lose, with the examples.
fn counted(game: &str, slice: &str, dir: &Path) -> (u64, u64, Vec<String>) {
    let tables = databases(game, dir).unwrap();
    let with = Workers { threads: 2, stop: Stop::default(), watch: &() };
    tables.build(slice, Metric::Value, &with, &mut |_| ()).unwrap();
    let stats = tables.stats(slice, Metric::Value, &Stop::default()).unwrap().pop().unwrap();
    let found = stats.zugzwangs.expect("the game has them");
    (found.all, found.both_lose, found.such_as)
}

/// The same counts by texts: pairs of numbers of a position and of what is read when its text names the other player.
fn by_texts<G: Game<Position: Notation>, I: Indexed<Position = G::Position>>(
    game: &G,
    index: &I,
    slice: &str,
    dir: &Path,
) -> (u64, u64) {
    let store = Store::new(dir, &game.full_name());
    let table = store.open(slice, Metric::Value, 0).unwrap().table().unwrap();
    let slice = index.read_slices(slice).unwrap()[0];
    let value = |number| index.position(slice, number).and_then(|_| table.get(number)).map(i32::signum);
    let (mut pairs, mut both_lose) = (BTreeSet::new(), 0);
    for number in 0..index.size(slice) {
        let Some(position) = index.position(slice, number) else { continue };
        let Ok(other) = game.read(&with_other_player(&position.write())) else { continue };
        let Some((_, passed)) = index.place(&other) else { continue };
        if let (Some(mine), Some(theirs)) = (value(number), value(passed))
            && mine + theirs < 0
            && pairs.insert((number.min(passed), number.max(passed)))
        {
            both_lose += u64::from(mine < 0 && theirs < 0);
        }
    }
    (pairs.len() as u64, both_lose)
}

/// A FEN has the player to move as its second word, a morris board as its last; a PDN text begins with it.
fn with_other_player(text: &str) -> String {
    for (one, other) in [("w", "b"), ("b", "w"), ("x", "o"), ("o", "x")] {
        if let Some(at) = text.split(' ').position(|word| word == one) {
            let word = |(i, word)| if i == at { other } else { word };
            return text.split(' ').enumerate().map(word).collect::<Vec<_>>().join(" ");
        }
    }
    match text.split_at(1) {
        ("B", rest) => format!("W{rest}"),
        ("W", rest) => format!("B{rest}"),
        _ => panic!("nobody is to move in {text}"),
    }
}

/// Known counts, mirror images once.
#[test]
fn zugzwangs_of_chess_number_as_known() {
    let dir = scratch("known");
    for (slice, known) in [("KQK", 0), ("KPK", 80), ("KRKN", 18), ("KNKP", 29)] {
        let (all, both_lose, such_as) = counted("chess", slice, &dir);
        assert_eq!((all, both_lose, such_as.len()), (known, 0, known.min(3) as usize), "{slice}");
    }
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn zugzwangs_of_all_games_are_those_of_texts() {
    fn compare<I: Indexed<Position: Notation>>(
        game: &impl Game<Position = I::Position>,
        index: &I,
        slices: &[&str],
        expected: u64,
    ) {
        let (name, mut sum) = (game.full_name(), 0);
        let dir = scratch(&name.replace(':', "-"));
        for slice in slices {
            let (all, both_lose, _) = counted(&name, slice, &dir);
            assert_eq!((all, both_lose), by_texts(game, index, slice, &dir), "{name} {slice}");
            sum += all;
        }
        assert_eq!(sum, expected, "{name}");
        std::fs::remove_dir_all(dir).unwrap();
    }
    let game = endspiel_rules::chess::Chess;
    compare(&game, &chess::Endings::new(), &["KPK", "KRK"], 80);
    let game = endspiel_rules::xiangqi::Xiangqi;
    compare(&game, &xiangqi::Endings::new(), &["KNK", "KPK", "KNKG"], 0);
    let game = endspiel_rules::checkers::Checkers;
    compare(&game, &checkers::Endings::new(), &["1C-1C", "2K-1K", "2C-1C"], 32 + 16 + 1);
    let game = endspiel_rules::nine_mens_morris::NineMensMorris;
    compare(&game, &nine_mens_morris::Subspaces::new(), &["3-3"], 2);
    let game = endspiel_rules::shogi::Shogi { shape: Shape::Mini };
    compare(&game, &shogi::Endings::new(Shape::Mini), &["G", "P", "R"], 25);
}
