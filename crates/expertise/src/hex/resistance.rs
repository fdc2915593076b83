//! The board as an electrical circuit for each player (Shannon; Anshelevich 2002): own stones conduct well,
//! empty cells resist, the opponent's stones insulate. The better a circuit conducts from side to side, the
//! nearer its player is to connecting them; the current through a cell tells how much depends on it.
//!
//! Potentials are found by elimination in a band as wide as the board: size^4 operations.

use endspiel_game::Player;
use endspiel_rules::hex::topology::Topology;

/// The resistance of an own stone; an empty cell has 1.
const STONE: f64 = 0.01;
/// Keeps cells that hang on nothing at a potential.
const LEAK: f64 = 1e-9;

/// One player's circuit.
#[derive(Clone, Debug, Default)]
pub(super) struct Circuit {
    /// How well it conducts from side to side.
    pub conductance: f64,
    /// The current through each cell, with a unit of voltage between the sides.
    pub currents: Vec<f64>,
}

impl Circuit {
    /// The circuit of `player`; `owner` tells whose stone is on a cell.
    pub fn new(board: &Topology, player: Player, owner: impl Fn(usize) -> Option<Player>) -> Self {
        let (count, band) = (board.cells(), board.size());
        let resistance: Vec<Option<f64>> = (0..count)
            .map(|cell| match owner(cell) {
                None => Some(1.0),
                Some(stone) if stone == player => Some(STONE),
                Some(_) => None,
            })
            .collect();
        let (home, goal) = (board.home::<6>(player), board.goal::<6>(player));
        let wire = |a: usize, b: usize| Some(1.0 / (resistance[a]? + resistance[b]?));
        // Row i of the matrix holds its diagonal and the entries of the next `band` columns.
        let mut matrix = vec![0.0; count * (band + 1)];
        let mut potential = vec![0.0; count];
        for (cell, own) in resistance.iter().enumerate() {
            let diagonal = cell * (band + 1);
            matrix[diagonal] += LEAK;
            let Some(own) = own else { continue };
            if home.contains(cell) {
                matrix[diagonal] += 1.0 / own;
                potential[cell] += 1.0 / own;
            }
            if goal.contains(cell) {
                matrix[diagonal] += 1.0 / own;
            }
            for next in board.neighbours::<6>(cell).iter().filter(|&next| next > cell) {
                if let Some(g) = wire(cell, next) {
                    matrix[diagonal] += g;
                    matrix[next * (band + 1)] += g;
                    matrix[diagonal + next - cell] -= g;
                }
            }
        }
        solve(&mut matrix, band, &mut potential);
        let mut circuit = Self { conductance: 0.0, currents: vec![0.0; count] };
        for (cell, own) in resistance.iter().enumerate() {
            let Some(own) = own else { continue };
            let mut through = 0.0;
            for next in board.neighbours::<6>(cell).iter() {
                through += wire(cell, next).map_or(0.0, |g| g * (potential[cell] - potential[next]).abs());
            }
            if home.contains(cell) {
                through += (1.0 - potential[cell]).abs() / own;
                circuit.conductance += (1.0 - potential[cell]).abs() / own;
            }
            if goal.contains(cell) {
                through += potential[cell].abs() / own;
            }
            circuit.currents[cell] = through / 2.0;
        }
        circuit
    }

    /// The share of the current that goes through a cell.
    pub fn share(&self, cell: usize) -> f64 {
        if self.conductance > LEAK { self.currents[cell] / self.conductance } else { 0.0 }
    }
}

/// Solves a symmetric banded system in place: the right side becomes the solution.
fn solve(matrix: &mut [f64], band: usize, right: &mut [f64]) {
    let (count, width) = (right.len(), band + 1);
    for k in 0..count {
        let pivot = matrix[k * width];
        let reach = band.min(count - 1 - k);
        for i in 1..=reach {
            let factor = matrix[k * width + i] / pivot;
            if factor != 0.0 {
                for j in i..=reach {
                    matrix[(k + i) * width + j - i] -= factor * matrix[k * width + j];
                }
                right[k + i] -= factor * right[k];
            }
        }
    }
    for k in (0..count).rev() {
        let reach = band.min(count - 1 - k);
        let known: f64 = (1..=reach).map(|i| matrix[k * width + i] * right[k + i]).sum();
        right[k] = (right[k] - known) / matrix[k * width];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circuits_obey_ohm() {
        // One cell between two plates; then the first player's stone in it, then the second's.
        let board = Topology::of(1);
        let conductance = |owner| Circuit::new(board, Player::FIRST, |_| owner).conductance;
        assert!((conductance(None) - 0.5).abs() < 1e-6);
        assert!((conductance(Some(Player::FIRST)) - 50.0).abs() < 1e-3);
        assert!(conductance(Some(Player::SECOND)) < 1e-6);
        // What goes in comes out: each row of an empty board carries the whole current.
        let board = Topology::of(6);
        let circuit = Circuit::new(board, Player::FIRST, |_| None);
        for row in 0..6 {
            let through: f64 = (0..6).map(|column| circuit.share(column + 6 * row)).sum();
            assert!(through >= 1.0 - 1e-6, "row {row}: {through}");
        }
    }
}
