//! Bounds and candidates against plain search, openings against the published maps, certificates.

use super::*;
use endspiel_game::{Budget, Game, Goal, Notation, Outcome, Quiet, Rng, Task};
use endspiel_proof::{Statement, build, verify, write};
use endspiel_rules::hex::Hex;
use endspiel_search::proof_number::df_pn::{Options, Solver};
use std::collections::HashMap;

fn game(variant: &str) -> Hex {
    Hex::from_variant(variant).expect("a variant")
}

/// Does the player to move win? Plain search without any expertise.
fn wins(position: &HexPosition<2>, known: &mut HashMap<u64, bool>) -> bool {
    if position.turn().is_over() {
        return false;
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let value = position.move_list().into_iter().any(|m| !wins(&position.after(m), known));
    known.insert(position.key(), value);
    value
}

/// Compares what the expert says of a position with plain search; says whether the bounds decided it.
fn check(position: &HexPosition<2>, known: &mut HashMap<u64, bool>) -> bool {
    let truth = wins(position, known);
    let value = if truth { 1 } else { -1 };
    let (low, high) = Expert.bounds(position);
    assert!(low <= value && value <= high, "{low}..={high} for {value}: {}", position.write());
    let (mut count, mut best) = (0, false);
    Expert.candidates(position, |m| {
        count += 1;
        best |= !wins(&position.after(m), known);
    });
    assert!(count > 0 && best == truth, "the candidates of {} miss the best move", position.write());
    low == high
}

#[test]
fn all_positions_of_3_by_3_are_judged_rightly() {
    let (start, mut known) = (game("3").start(), HashMap::new());
    let (mut seen, mut decided) = (0, 0);
    for code in 0..3u32.pow(9) {
        let cells: Vec<u32> = (0..9).map(|i| code / 3u32.pow(i) % 3).collect();
        let signs: String = cells.iter().map(|&c| ['.', 'b', 'w'][c as usize]).collect();
        let rows = [&signs[..3], &signs[3..6], &signs[6..]].join("/");
        for mover in ["b", "w"] {
            let Ok(position) = game("3").read(&format!("{rows} {mover}")) else { continue };
            if position.turn().is_over() {
                continue;
            }
            seen += 1;
            decided += u32::from(check(&position, &mut known));
        }
    }
    assert!(wins(&start, &mut known));
    assert!(decided * 100 > seen * 95, "{decided} of {seen}");
}

#[test]
fn random_positions_of_4_by_4_are_judged_rightly() {
    let (mut rng, mut known) = (Rng::new(7), HashMap::new());
    let (mut seen, mut decided) = (0, 0);
    while seen < 4000 {
        // Stones at random, not in equal numbers: fill-in and connections must bear that.
        let share = 5 + rng.below(6);
        let signs: Vec<char> =
            (0..16).map(|_| if rng.below(16) < share { ['b', 'w'][rng.below(2)] } else { '.' }).collect();
        let rows: Vec<String> = signs.chunks(4).map(|row| row.iter().collect()).collect();
        let mover = ["b", "w"][rng.below(2)];
        let Ok(position) = game("4").read(&format!("{} {mover}", rows.join("/"))) else { continue };
        if !position.turn().is_over() {
            seen += 1;
            decided += u32::from(check(&position, &mut known));
        }
    }
    assert!(decided * 10 > seen * 9, "{decided} of {seen}");
}

/// Solves a position, and has its certificate written and verified if asked for.
fn solve(game: &Hex, root: &HexPosition<2>, threads: usize, certify: bool) -> Option<Outcome> {
    let budget = Budget { threads, ..Budget::default().with_memory(1 << 24) };
    let task = Task { root, goal: Goal::Outcome, expertise: &Expert, budget: &budget, observer: &Quiet };
    let mut solver = Solver::new(Options::of::<HexPosition<2>, Expert>(), &budget);
    let bounds = solver.solve(&task).bounds;
    if certify {
        let statement = Statement::of_bounds(root, bounds).expect("something is proven");
        let strategies: Vec<_> = statement
            .claims()
            .into_iter()
            .map(|claim| build(root, claim, true, &mut solver, &budget, &Quiet).expect("a strategy"))
            .collect();
        let name = format!("hex-{}-{:x}.cert", std::process::id(), root.key());
        let path = std::env::temp_dir().join(name);
        write(&path, game, root, statement, &strategies).expect("a file");
        let verified = verify(game, &path, 1);
        std::fs::remove_file(&path).expect("the file is there");
        assert_eq!(verified.expect("no hole").statement, statement);
    }
    bounds.outcome()
}

/// The maps of openings: size, and who wins cell by cell.
fn maps() -> impl Iterator<Item = (usize, Vec<bool>)> {
    let lines = include_str!("openings.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (size, map) = line.split_once(' ').expect("a size and a map");
        (size.parse().expect("a size"), map.chars().filter(|&c| c != '/').map(|c| c == 'W').collect())
    })
}

/// The board with one stone, or none: the owner of the columns sees it mirrored in the long diagonal.
fn opened(game: &Hex, size: usize, cell: Option<usize>, owner: Player) -> HexPosition<2> {
    let mirrored = |cell: usize| if owner == Player::FIRST { cell } else { cell / size + cell % size * size };
    let sign = ["b", "w"][owner.index()];
    let row = |r: usize| -> String {
        (0..size).map(|c| if cell.map(mirrored) == Some(c + size * r) { sign } else { "." }).collect()
    };
    let rows: Vec<String> = (0..size).map(row).collect();
    let mover = if cell.is_some() { owner.other() } else { owner };
    game.read(&format!("{} {}", rows.join("/"), ["b", "w"][mover.index()])).expect("a position")
}

#[test]
fn all_openings_have_the_published_values() {
    for (size, map) in maps().filter(|(size, _)| *size <= 5) {
        let game = game(&size.to_string());
        for owner in [Player::FIRST, Player::SECOND] {
            let certify = size <= 4;
            let empty = opened(&game, size, None, owner);
            assert_eq!(solve(&game, &empty, 1, certify), Some(Outcome::Win), "{size}");
            for (cell, &wins) in map.iter().enumerate() {
                let root = opened(&game, size, Some(cell), owner);
                let value = if wins { Outcome::Loss } else { Outcome::Win };
                assert_eq!(solve(&game, &root, 1 + cell % 2, certify), Some(value), "{}", root.write());
            }
        }
    }
}

#[test]
fn larger_openings_are_solved_and_certified() {
    for (size, cell, certify) in [(5, 12, true), (6, 4, false), (6, 15, false), (7, 12, false)] {
        let (_, map) = maps().find(|(n, _)| *n == size).expect("a map");
        let game = game(&size.to_string());
        let root = opened(&game, size, Some(cell), Player::FIRST);
        let value = if map[cell] { Outcome::Loss } else { Outcome::Win };
        assert_eq!(solve(&game, &root, 1, certify), Some(value), "{}", root.write());
    }
}

#[test]
fn the_swap_is_not_judged_before_it_is_over() {
    let start = game("3,swap").start();
    assert_eq!(Expert.bounds(&start), (-1, 1));
    let opened = start.after(HexMove::Place(Cell(4)));
    assert_eq!(Expert.bounds(&opened), (-1, 1));
    let mut swaps = 0;
    Expert.candidates(&opened, |m| swaps += u32::from(m == HexMove::Swap));
    assert_eq!(swaps, 1);
    assert_eq!(Expert.bounds(&opened.after(HexMove::Swap)), (-1, -1), "the centre wins");
}
