//! Certificates that rest on databases: those named and no others, each byte checked, each needed, and every change of
//! what is named noticed.

use crate::check::verify_from;
use crate::file::{Reader, digest, make_header};
use crate::ground::Ground;
use crate::header::Header;
use crate::testing::{self, Maze, encode_with};
use crate::{Rejected, Statement, Strategy, Verified, build_on};
use endspiel_game::{Bounds, Budget, Game, Notation, Oracle, Question, Quiet, Source, Symmetric, TwoPlayer};
use endspiel_rules::connect_four::ConnectFour;
use endspiel_rules::mnk::TicTacToe;
use std::collections::HashMap;

/// Knows the value of some positions, by their keys, each from one of two files.
struct Files {
    values: HashMap<u64, (usize, i32)>,
    sums: [u64; 2],
    damaged: Option<usize>,
}

impl<P: TwoPlayer> Oracle<P> for Files {
    fn bounds(&self, position: &P) -> Option<(i32, i32)> {
        self.values.get(&position.key()).map(|&(_, value)| (value, value))
    }

    fn describe(&self) -> String {
        "two files".into()
    }

    fn sources(&self) -> Vec<Source> {
        let name = |i: usize| ["small", "large"][i].to_owned();
        (0..2).map(|i| Source { name: name(i), checksum: self.sums[i] }).collect()
    }

    fn sources_of(&self, position: &P) -> &[usize] {
        match self.values.get(&position.key()) {
            Some((0, _)) => &[0],
            Some(_) => &[1],
            None => &[],
        }
    }

    fn bounds_from(&self, position: &P, source: usize) -> Option<(i32, i32)> {
        self.values.get(&position.key()).filter(|(from, _)| *from == source).map(|&(_, value)| (value, value))
    }

    fn check_source(&self, source: usize) -> Result<(), String> {
        if self.damaged == Some(source) { Err("a byte is wrong".into()) } else { Ok(()) }
    }
}

/// All positions after `plies` plies from the root with their values, by brute force; the next ply is in the other file.
fn files<P: TwoPlayer + Notation + Symmetric>(root: &P, plies: usize) -> Files {
    let mut level = vec![root.clone()];
    for _ in 0..plies {
        let mut next = HashMap::new();
        for position in &level {
            for m in position.move_list() {
                let after = position.after(m);
                next.insert(after.key(), after);
            }
        }
        level = next.into_values().collect();
    }
    let mut values = HashMap::new();
    for position in level.iter().filter(|p| !p.turn().is_over()) {
        let source = usize::from(position.key() % 3 == 0);
        values.insert(position.key(), (source, value(position)));
    }
    Files { values, sums: [11, 22], damaged: None }
}

fn value<P: TwoPlayer + Notation + Symmetric>(position: &P) -> i32 {
    let player = position.mover();
    let (low, high) = position.score_range_of(player);
    let mut all = testing::Oracle::new(position, Question { player, at_least: low });
    (low..=high).rev().find(|&n| all.ask(Question { player, at_least: n })).expect("the least is sure")
}

fn prove<P: TwoPlayer + Notation + Symmetric>(root: &P, files: &Files) -> (Statement, Vec<Strategy>) {
    let statement =
        Statement::of_bounds(root, Bounds::exactly(value(root))).expect("more than the rules say");
    let ground = Ground::all(files);
    let strategies = statement.claims().into_iter().map(|claim| {
        let mut advisor = testing::Oracle::new(root, claim);
        build_on(root, claim, false, &mut advisor, Some(&ground), &Budget::default(), &Quiet)
            .expect("it holds")
    });
    let strategies = strategies.collect();
    (statement, strategies)
}

fn check<G: Game>(game: &G, bytes: &[u8], files: Option<&Files>) -> Result<Verified, Rejected>
where
    G::Position: TwoPlayer + Notation + Symmetric,
{
    let databases = files.map(|files| files as &dyn Oracle<G::Position>);
    let reader = Reader::new(bytes, bytes.len() as u64)?;
    verify_from(game, reader, databases, &Budget::default(), &Quiet, |_, _| ())
}

/// The certificate with another header, whose digest fits.
fn changed(header: &Header, strategies: &[Strategy], change: impl FnOnce(&mut Vec<Source>)) -> Vec<u8> {
    let mut header = header.clone();
    change(&mut header.rests);
    let records: Vec<_> = strategies.iter().map(|s| &s.records).collect();
    header.digest = digest(&header, &records);
    encode_with(&header, strategies)
}

fn rest<G: Game>(game: &G, plies: usize)
where
    G::Position: TwoPlayer + Notation + Symmetric,
{
    let root = game.start();
    let good = files(&root, plies);
    let (statement, strategies) = prove(&root, &good);
    let header = make_header(game.full_name(), root.write(), statement, &strategies).expect("a header");
    assert_eq!(header.rests.len(), 2, "both files are needed");
    let bytes = encode_with(&header, &strategies);
    let accepted = check(game, &bytes, Some(&good)).expect("it is right");
    assert_eq!(accepted.rests, header.rests);
    let alone: usize = testing::prove(&root, false).1.iter().map(Strategy::records).sum();
    assert!(accepted.records < alone as u64, "the files save records");
    // Without the files, with others, with damaged or missing ones it is refused.
    assert!(matches!(check(game, &bytes, None), Err(Rejected::Databases { .. })));
    for other in [
        Files { sums: [11, 23], ..files(&root, plies) },
        Files { sums: [12, 22], ..files(&root, plies) },
        Files { damaged: Some(1), ..files(&root, plies) },
    ] {
        assert!(matches!(check(game, &bytes, Some(&other)), Err(Rejected::Database { .. })));
    }
    // Files that tell less, or the opposite, leave a hole.
    let mut less = files(&root, plies);
    let lacking: Vec<u64> = less.values.keys().copied().collect();
    less.values.retain(|key, _| *key != lacking[0] && *key % 5 != 0);
    assert!(check(game, &bytes, Some(&less)).is_err());
    let mut lies = files(&root, plies);
    lies.values.values_mut().for_each(|(_, value)| *value = -1 - *value);
    assert!(check(game, &bytes, Some(&lies)).is_err());
    // What is named can be neither changed nor left out nor added to.
    let refuse = |change: fn(&mut Vec<Source>)| {
        let bytes = changed(&header, &strategies, change);
        assert!(check(game, &bytes, Some(&good)).is_err());
    };
    refuse(|rests| rests[0].checksum ^= 1);
    refuse(|rests| rests[1].name.push('r'));
    refuse(|rests| drop(rests.remove(0)));
    refuse(|rests| drop(rests.pop()));
    refuse(Vec::clear);
    refuse(|rests| rests.swap(0, 1));
    refuse(|rests| rests.push(Source { name: "wrong".into(), checksum: 0 }));
    refuse(|rests| rests.push(rests[1].clone()));
    // A certificate that holds by the rules alone names none, and may not pretend to.
    let (statement, bare) = testing::prove(&root, false);
    let plain = make_header(game.full_name(), root.write(), statement, &bare).expect("a header");
    assert!(check(game, &encode_with(&plain, &bare), Some(&good)).is_ok());
    let pretends = changed(&plain, &bare, |rests| rests.extend(header.rests.iter().cloned()));
    assert!(check(game, &pretends, Some(&good)).is_err());
}

#[test]
fn certificates_rest_on_named_files_alone() {
    rest(&TicTacToe, 4);
    rest(&ConnectFour::from_variant("4x3").expect("a variant"), 4);
}

#[test]
fn certificates_of_games_with_cycles_rest_on_files() {
    let mut rested = 0;
    for seed in 0..40 {
        let game = Maze::new(seed);
        let root = game.start();
        let all = files(&root, 2);
        if Statement::of_bounds(&root, Bounds::exactly(value(&root))).is_none() {
            continue;
        }
        let (statement, strategies) = prove(&root, &all);
        let header = make_header(game.full_name(), root.write(), statement, &strategies).expect("a header");
        let bytes = encode_with(&header, &strategies);
        assert!(check(&game, &bytes, Some(&all)).is_ok(), "seed {seed}");
        if !header.rests.is_empty() {
            rested += 1;
            assert!(check(&game, &bytes, None).is_err(), "seed {seed}");
        }
    }
    assert!(rested > 5, "{rested} rest on files");
}
