//! What lambda search saves: nodes on positions that are won by threats, beside alpha-beta that deepens ply by ply and
//! plain proof-number search. All three know the rules alone.
//!
//! The positions are the first of random play in qubic and in go-moku on 9x9 that lambda search wins by threats of
//! order 1 or 2 in seven plies or more. A node is a position whose moves are looked at (lambda search), or one that is
//! made (the others).

use endspiel_game::{
    Budget, Game, Goal, Notation, Outcome, Position, Quiet, Rng, Rules, Symmetric, Task, TwoPlayer,
};
use endspiel_rules::gomoku::Gomoku;
use endspiel_rules::qubic::Qubic;
use endspiel_search::alphabeta::{self, Mode};
use endspiel_search::lambda;
use endspiel_search::proof_number::pn;
use serde::Serialize;

/// Wins that are shorter are left out.
const SHORTEST: u32 = 7;
/// Plies of random play before a position is looked at, at least and at most.
const PLIES: [usize; 2] = [10, 26];
/// Positions with fewer stones are looked at so often before giving up.
const TRIES: usize = 20_000;

/// Positions of each game, and nodes of each method for a position, where nothing else is said.
pub const POSITIONS: usize = 8;
/// See [`POSITIONS`].
pub const NODES: u64 = 200_000;

/// Nodes spent, and whether that was enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Spent {
    /// How many.
    pub nodes: u64,
    /// Was the win found?
    pub solved: bool,
}

/// A position with the nodes of the three methods.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The rule set.
    pub game: String,
    /// The position.
    pub position: String,
    /// The order of the win.
    pub order: u32,
    /// Plies within which it was found.
    pub plies: u32,
    /// Lambda search.
    pub lambda: Spent,
    /// Alpha-beta.
    pub alpha_beta: Spent,
    /// Proof-number search.
    pub pn: Spent,
}

impl Row {
    /// How many times more nodes the others took, at the least where they did not find it.
    pub fn factors(&self) -> [f64; 2] {
        [self.alpha_beta, self.pn].map(|other| other.nodes as f64 / self.lambda.nodes.max(1) as f64)
    }
}

/// What the rows show, in words.
pub fn found(rows: &[Row]) -> String {
    let geometric = |i: usize| {
        let logs = rows.iter().map(|row| row.factors()[i].ln());
        (logs.sum::<f64>() / rows.len().max(1) as f64).exp()
    };
    format!(
        "{:.0} times fewer than alpha-beta, {:.0} than pn, on the geometric mean and at the least",
        geometric(0),
        geometric(1)
    )
}

/// Tells `each` of so many positions a game, as long as it wants more; every method has the budget's nodes for each.
pub fn run(count: usize, budget: &Budget, mut each: impl FnMut(&Row) -> bool) {
    let mut rng = Rng::new(budget.seed);
    if game(&Qubic, count, budget, &mut rng, &mut each)
        && let Ok(small) = Gomoku::from_variant("free,9")
    {
        game(&small, count, budget, &mut rng, &mut each);
    }
}

fn game<G: Game>(
    game: &G,
    count: usize,
    budget: &Budget,
    rng: &mut Rng,
    each: &mut impl FnMut(&Row) -> bool,
) -> bool
where
    G::Position: TwoPlayer + Notation + Symmetric,
{
    let mut found = 0;
    for _ in 0..TRIES {
        if found == count || budget.stop.asked() {
            break;
        }
        let mut position = game.start();
        for _ in 0..PLIES[0] + rng.below(PLIES[1] - PLIES[0]) {
            match position.random_move(rng) {
                Some(m) => position.play(m),
                None => break,
            }
        }
        if position.turn().is_over() {
            continue;
        }
        let Some(row) = row(game.full_name(), &position, budget) else { continue };
        found += 1;
        if !each(&row) {
            return false;
        }
    }
    true
}

/// The position's row, if it is won by threats of the player to move and not too soon.
fn row<P: TwoPlayer + Notation + Symmetric>(game: String, root: &P, budget: &Budget) -> Option<Row> {
    let task = |budget| Task { root, goal: Goal::Outcome, expertise: &Rules, budget, observer: &Quiet };
    let options = lambda::Options { most: 2, all: false };
    // A short look sorts out most positions.
    let brief = Budget { nodes: Some(20_000), ..budget.clone() };
    let mut by_lambda = lambda::Solver::new(options, &brief);
    let answer = by_lambda.solve(&task(&brief));
    let (order, plies) = (by_lambda.order()?, by_lambda.plies()?);
    if answer.bounds.outcome() != Some(Outcome::Win) || plies < SHORTEST {
        return None;
    }
    let lambda = Spent { nodes: answer.counts.nodes, solved: true };
    let options = alphabeta::Options { mode: Mode::Estimate { depth: None }, ..Default::default() };
    let answer = alphabeta::Solver::new(options, budget).solve(&task(budget));
    let alpha_beta =
        Spent { nodes: answer.counts.nodes, solved: answer.bounds.outcome() == Some(Outcome::Win) };
    let answer = pn::Solver::new(pn::Options::default(), budget).solve(&task(budget));
    let pn = Spent { nodes: answer.counts.nodes, solved: answer.bounds.outcome() == Some(Outcome::Win) };
    Some(Row { game, position: root.write(), order, plies, lambda, alpha_beta, pn })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lambda_search_saves_nodes_on_wins_by_threats() {
        let mut rows = Vec::new();
        run(2, &Budget::nodes(30_000), |row| {
            rows.push(row.clone());
            true
        });
        assert_eq!(rows.len(), 4);
        for row in &rows {
            assert!(row.lambda.solved && row.plies >= SHORTEST && (1..=2).contains(&row.order), "{row:?}");
        }
        // The others find none of these with the nodes they have here, which are several times what lambda search took.
        let total = |of: fn(&Row) -> Spent| rows.iter().map(|row| of(row).nodes).sum::<u64>();
        assert!(rows.iter().all(|row| !row.alpha_beta.solved && !row.pn.solved), "{rows:?}");
        assert!(4 * total(|row| row.lambda) < total(|row| row.alpha_beta), "{rows:?}");
    }
}
