//! Bounds and candidates against plain search, openings against the published maps, certificates.

use super::*;
use endspiel_game::{Game, Notation, Rng};
use endspiel_rules::hex::Hex;
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
    while seen < 6000 {
        // Stones at random, not in equal numbers: fill-in and connections must bear that.
        let share = 2 + rng.below(9);
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
