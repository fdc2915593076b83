//! White's 35 second moves in go-moku after a first stone in the middle, proven one after the other.
//!
//! Victoria proved all of them in 1992 with moves chosen by hand that were never printed (Allis 1994, section 5.5); here
//! trials choose. What is proven is kept in a store (`proofs`) that later runs go on from. An opening counts as proven
//! when its moves have been gone through against every legal reply. Openings that fail are tried again with twice the
//! nodes.

use crate::proofs::{Claim, Store, StoreError};
use endspiel_expertise::gomoku::{Prover, Selection};
use endspiel_game::{Budget, Game, Notation, Position, Symmetric, TwoPlayer};
use endspiel_rules::gomoku::{Gomoku, GomokuPosition};
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;

/// A second move of White's, and what is known of it.
#[derive(Clone, Debug, Serialize)]
pub struct Opening {
    /// The move.
    pub opening: String,
    /// Was it shown that Black wins?
    pub proven: bool,
    /// What was spent on it.
    #[serde(flatten)]
    pub claim: Claim,
}

impl Opening {
    fn new(name: &str, claim: Claim) -> Self {
        Self { opening: name.into(), proven: claim.winner.is_some(), claim }
    }
}

/// White's second moves that differ by more than a symmetry, with the position after each.
pub fn second_moves() -> Vec<(String, GomokuPosition<4>)> {
    let first = Gomoku::from_variant("").and_then(|game| game.start().read_line("h8"));
    let Ok((start, _)) = first else { return Vec::new() };
    let mut seen = HashSet::new();
    let fresh = start.move_list().into_iter().filter(|&m| seen.insert(start.after(m).canonical_key()));
    fresh.map(|m| (start.write_move(m), start.after(m))).collect()
}

/// The file of the store in a directory.
const FILE: &str = "gomoku.redb";

/// What is known of all openings.
pub fn known(dir: &Path) -> Result<Vec<Opening>, StoreError> {
    read(&open(dir)?)
}

/// The store in a directory, which is made where there is none.
fn open(dir: &Path) -> Result<Store, StoreError> {
    let failed = |source| StoreError::NoDirectory { path: dir.into(), source };
    std::fs::create_dir_all(dir).map_err(failed)?;
    Store::open(&dir.join(FILE), "")
}

fn read(store: &Store) -> Result<Vec<Opening>, StoreError> {
    let known =
        |(name, root): &(String, GomokuPosition<4>)| Ok(Opening::new(name, store.claim(&root.write())?));
    second_moves().iter().map(known).collect()
}

/// What is known, in words.
pub fn found(known: &[Opening]) -> String {
    let proven: Vec<&str> =
        known.iter().filter(|opening| opening.proven).map(|opening| opening.opening.as_str()).collect();
    format!("{} of {}: {}", proven.len(), known.len(), proven.join(" "))
}

/// Tries the openings that are not proven yet, those with the fewest tries first, until the budget ends; tells `each` how
/// far it is every few seconds and after every try. Gives what is known in the end.
pub fn run(
    dir: &Path,
    budget: &Budget,
    mut each: impl FnMut(&Opening) -> bool,
) -> Result<Vec<Opening>, StoreError> {
    let mut store = open(dir)?;
    let (mut openings, positions) = (read(&store)?, second_moves());
    let (meter, mut prover) = (budget.start(), Prover::new(Selection::default()));
    while !meter.spend(0) {
        let left = (0..openings.len()).filter(|&i| !openings[i].proven);
        let Some(next) = left.min_by_key(|&i| openings[i].claim.tries) else { break };
        let (name, root) = &positions[next];
        let mut goes_on = true;
        let claim = store.prove(&mut prover, root, Some(root.mover()), &meter, |claim| {
            goes_on = each(&Opening::new(name, claim.clone()));
            goes_on
        })?;
        openings[next] = Opening::new(name, claim);
        if !goes_on || !each(&openings[next]) {
            break;
        }
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_35_second_moves_and_the_store_goes_on() {
        assert_eq!(second_moves().len(), 35);
        let dir = std::env::temp_dir().join(format!("endspiel-openings-{}", std::process::id()));
        let budget = Budget::nodes(300);
        let mut told = 0;
        let first = run(&dir, &budget, |_| {
            told += 1;
            true
        });
        let first = first.expect("a store");
        assert!(told >= 1 && first.iter().map(|opening| opening.claim.nodes).sum::<u64>() >= 300);
        let second = known(&dir).expect("the store");
        assert_eq!(first.len(), second.len());
        let same =
            |(a, b): (&Opening, &Opening)| (a.claim.nodes, a.claim.tries) == (b.claim.nodes, b.claim.tries);
        assert!(first.iter().zip(&second).all(same));
        std::fs::remove_dir_all(&dir).expect("the store is there");
    }
}
