//! Players who err, and how long they take to win: the reference players R_c of G. Haworth and R. Andrist, Model Endgame
//! Analysis (2003).
//!
//! A winner of *competence* c chooses among the moves that keep the win, one that leaves depth d (in moves of the winner)
//! with a chance in proportion to (d + 1)^-c: 0 chooses blindly, infinity never errs. Against a defender who never errs,
//! the depth of the position before each move of the winner is a Markov chain. Its matrix holds the averages over all
//! positions of a depth; the expected number of moves is the solution of a linear system.
//! Cost: all moves of all won positions once, whatever the number of competences.

use crate::probe::worth;
use crate::work::Stage;
use crate::{Indexed, Known, Label, Metric, Stopped, Work};
use endspiel_game::{Player, Position};

/// Positions of a piece of work.
const CHUNK: usize = 1 << 13;

/// How the depth changes from move to move of a winner with one competence.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The competence.
    pub competence: f64,
    /// From each depth to each: row 0 is the end.
    rows: Vec<Vec<f64>>,
}

/// A win, in moves of the winner, that is this many plies long.
pub(crate) fn depth(plies: u16) -> usize {
    usize::from(plies).div_ceil(2)
}

/// The chains of these competences on the positions of a slice in which `winner` is to move and wins, each position
/// counted with its weight. The tables of the slice and of what it converts into must be known.
pub fn chains<I: Indexed>(
    game: &I,
    slice: I::Slice,
    (known, metric): (&Known<I::Slice>, Metric),
    winner: Player,
    competences: &[f64],
    work: &Work<'_>,
) -> Result<Vec<Chain>, Stopped> {
    let size = game.size(slice) as usize;
    let likings: Vec<Vec<f64>> = competences
        .iter()
        .map(|&c| (0..=depth(Label::MAX_RANK)).map(|depth| ((depth + 1) as f64).powf(-c)).collect())
        .collect();
    let stage = Stage { doing: "moves", pass: 1, changed: None };
    let sums = work.share(stage, size.div_ceil(CHUNK), size as u64, |piece| {
        let mut sums = vec![Sums::default(); competences.len()];
        let mut left = Vec::new();
        for index in piece * CHUNK..((piece + 1) * CHUNK).min(size) {
            let label = known.get(&slice, index as u64).map(|number| metric.read(number, 1));
            let Some(plies) = label.and_then(Label::win_rank) else { continue };
            let Some(position) = game.position(slice, index as u64) else { continue };
            if game.mover(&position) != winner {
                continue;
            }
            left.clear();
            position.moves(|m| {
                let value = |next: &I::Position| {
                    let (to, number) = game.place(next)?;
                    known.get(&to, number)
                };
                let label = worth(game, metric, &position, slice, m, |next| Ok(value(next).unwrap_or(0)));
                left.extend(label.ok().and_then(Label::win_rank).map(|plies| depth(plies) - 1));
            });
            let weight = game.weight(&position);
            for (sums, liking) in sums.iter_mut().zip(&likings) {
                sums.add(depth(plies), &left, liking, weight);
            }
        }
        sums
    })?;
    Ok(competences
        .iter()
        .enumerate()
        .map(|(i, &competence)| {
            let mut all = Sums::default();
            for part in &sums {
                all.join(&part[i]);
            }
            all.chain(competence)
        })
        .collect())
}

/// Sums of weighted chances, by the depth before and after a move.
#[derive(Clone, Debug, Default)]
struct Sums {
    rows: Vec<(f64, Vec<f64>)>,
}

impl Sums {
    fn row(&mut self, depth: usize) -> &mut (f64, Vec<f64>) {
        if self.rows.len() <= depth {
            self.rows.resize(depth + 1, (0.0, Vec::new()));
        }
        &mut self.rows[depth]
    }

    fn add(&mut self, depth: usize, left: &[usize], liking: &[f64], weight: f64) {
        let all: f64 = left.iter().map(|&depth| liking[depth]).sum();
        let (sum, row) = self.row(depth);
        *sum += weight;
        for &to in left {
            if row.len() <= to {
                row.resize(to + 1, 0.0);
            }
            row[to] += weight * liking[to] / all;
        }
    }

    fn join(&mut self, other: &Self) {
        for (depth, (sum, row)) in other.rows.iter().enumerate() {
            let (mine, chances) = self.row(depth);
            *mine += sum;
            chances.resize(chances.len().max(row.len()), 0.0);
            chances.iter_mut().zip(row).for_each(|(a, b)| *a += b);
        }
    }

    fn chain(mut self, competence: f64) -> Chain {
        let size = self.rows.len();
        for (sum, row) in &mut self.rows {
            row.resize(size, 0.0);
            if *sum > 0.0 {
                for chance in row.iter_mut() {
                    *chance /= *sum;
                }
            }
        }
        Chain { competence, rows: self.rows.into_iter().map(|(_, row)| row).collect() }
    }
}

impl Chain {
    /// The greatest depth.
    pub fn greatest(&self) -> usize {
        self.rows.len().saturating_sub(1)
    }

    /// The moves that the winner needs on the average, by depth; 0 at depth 0.
    pub fn expected_moves(&self) -> Vec<f64> {
        // Gaussian elimination of (1 - M) L = 1 with the greatest pivots.
        let n = self.greatest();
        let mut rows: Vec<Vec<f64>> = (1..=n)
            .map(|i| (1..=n).map(|j| f64::from(u8::from(i == j)) - self.rows[i][j]).chain([1.0]).collect())
            .collect();
        for i in 0..n {
            let pivot = (i..n).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs())).unwrap_or(i);
            rows.swap(i, pivot);
            let top = rows[i].clone();
            for row in rows.iter_mut().skip(i + 1) {
                let factor = row[i] / top[i];
                row.iter_mut().zip(&top).skip(i).for_each(|(a, b)| *a -= factor * b);
            }
        }
        let mut moves = vec![0.0; n + 1];
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|j| rows[i][j] * moves[j + 1]).sum();
            moves[i + 1] = (rows[i][n] - known) / rows[i][i];
        }
        moves
    }

    /// The chance to have won after so many moves, by depth.
    pub fn won_within(&self, moves: usize) -> Vec<f64> {
        let mut won: Vec<f64> = (0..self.rows.len()).map(|depth| f64::from(u8::from(depth == 0))).collect();
        for _ in 0..moves {
            let next = self.rows.iter().map(|row| row.iter().zip(&won).map(|(a, b)| a * b).sum());
            won = next.collect();
            if let Some(end) = won.first_mut() {
                *end = 1.0;
            }
        }
        won
    }
}
