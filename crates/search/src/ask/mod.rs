//! Questions about a position: formulas over who moves and what holds, checked by three engines.
//!
//! A game with a formula is a search: winning strategies, ladders, lambda trees, abstract proof trees, helpmates
//! are formulas ([`Family`]), and any other can be written ([`parse`]). Source: Saffidine and Cazenave, *A General
//! Multi-Agent Modal Logic K Framework for Game Tree Search* (2012). Either player may be asked to move where
//! the game can tell what he would do ([`TwoPlayer::turned`]); elsewhere only the one whose turn it is has moves.
//!
//! ```
//! use endspiel_game::{Budget, Game, Player};
//! use endspiel_rules::hex::Hex;
//! use endspiel_search::ask::{Engine, Formulas, ask, parse};
//!
//! let start = Hex::from_variant("3").unwrap().start();
//! let mut formulas = Formulas::default();
//! let wins = parse(&mut formulas, "wins(black, 5)", ["black", "white"], Some(Player::FIRST)).unwrap();
//! let verdict = ask(&start, &formulas, wins, Engine::DepthFirst, &Budget::default());
//! assert_eq!(verdict.holds, Some(true));
//! ```

mod best_first;
mod choices;
mod depth_first;
#[cfg(test)]
mod tests;

pub use choices::choices;
pub use endspiel_game::formula::{
    Atom, Family, Formulas, Id, MOST_ORDER, MOST_PLIES, Maker, Node, moves_of, parse, spelt,
};

use best_first::{Numbers, Probes, Tree};
use endspiel_game::{Budget, Rng, TwoPlayer};

/// How a question is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Depth first with a table.
    DepthFirst,
    /// Best first by proof and disproof numbers.
    ProofNumber,
    /// Best first by probes.
    MonteCarlo,
}

impl Engine {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::DepthFirst, Self::ProofNumber, Self::MonteCarlo];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::DepthFirst => "depth-first",
            Self::ProofNumber => "proof-number",
            Self::MonteCarlo => "monte-carlo",
        }
    }
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Does it hold? None if the budget was used up before.
    pub holds: Option<bool>,
    /// Positions whose moves were looked at, or nodes of the tree.
    pub nodes: u64,
}

/// Does the formula hold at `root`?
pub fn ask<P: TwoPlayer>(root: &P, formulas: &Formulas, id: Id, engine: Engine, budget: &Budget) -> Verdict {
    let meter = budget.start();
    match engine {
        Engine::DepthFirst => {
            let mut search = depth_first::Search::new(formulas, &meter, budget.memory);
            let holds = search.holds(root, id);
            Verdict { holds: (!search.out).then_some(holds), nodes: search.nodes }
        }
        Engine::ProofNumber => {
            let mut tree = Tree::new(formulas, Numbers, budget.memory);
            let holds = tree.run(root, id, &meter);
            Verdict { holds, nodes: tree.len() as u64 }
        }
        Engine::MonteCarlo => {
            let mut tree = Tree::new(formulas, Probes(Rng::new(budget.seed)), budget.memory);
            let holds = tree.run(root, id, &meter);
            Verdict { holds, nodes: tree.len() as u64 }
        }
    }
}
