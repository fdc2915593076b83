//! What is to be expected of a Markov chain until it is absorbed, without a subtraction.
//!
//! The method of W. Grassmann, M. Taksar and D. Heyman, Regenerative Analysis and Steady State Distributions for Markov Chains
//! (Operations Research 33, 1985): states are taken out one after the other, and what a state does instead of staying where it is
//! is summed, never told as 1 minus the chance to stay. All terms are positive, so every result is right to nearly all digits, however
//! long the chain takes: 1 minus a chance near 1 would lose them.

/// A chain on states that it leaves in the end.
pub struct Absorbing {
    /// From each state to each.
    rows: Vec<Vec<f64>>,
    /// The chance of each state not to stay, when those before it are taken out.
    leaves: Vec<f64>,
}

impl Absorbing {
    /// The chain with these chances from each state to each and out of all of them, which are not negative. A state that leads
    /// nowhere is left at once.
    pub fn new(mut rows: Vec<Vec<f64>>, mut exits: Vec<f64>) -> Self {
        let n = rows.len();
        let mut leaves = Vec::with_capacity(n);
        for k in 0..n {
            let (before, after) = rows.split_at_mut(k + 1);
            let out = &before[k];
            let mut moves = exits[k] + out[k + 1..].iter().sum::<f64>();
            if moves <= 0.0 {
                (exits[k], moves) = (1.0, 1.0);
            }
            for (row, exit) in after.iter_mut().zip(k + 1..) {
                let share = row[k] / moves;
                // Kept for what is to be gained: it stands where the way to the state stood.
                row[k] = share;
                if share > 0.0 {
                    row[k + 1..].iter_mut().zip(&out[k + 1..]).for_each(|(to, more)| *to += share * more);
                    exits[exit] += share * exits[k];
                }
            }
            leaves.push(moves);
        }
        Self { rows, leaves }
    }

    /// What is gained on the average from each state on, where being in a state once gains so much, which is not negative.
    pub fn gains(&self, each: &[f64]) -> Vec<f64> {
        let mut gains = each.to_vec();
        let n = gains.len();
        for k in 0..n {
            for i in k + 1..n {
                gains[i] += self.rows[i][k] * gains[k];
            }
        }
        for k in (0..n).rev() {
            let later: f64 = (k + 1..n).map(|j| self.rows[k][j] * gains[j]).sum();
            gains[k] = (gains[k] + later) / self.leaves[k];
        }
        gains
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The solutions of (d - N) x = g for whole numbers as fractions, by elimination without fractions (E. Bareiss 1968): exact.
    fn exact(counts: &[Vec<i128>], total: i128, gains: &[i128]) -> Vec<(i128, i128)> {
        let n = counts.len();
        let mut rows: Vec<Vec<i128>> = (0..n)
            .map(|i| {
                let own = (0..n).map(|j| if i == j { total - counts[i][j] } else { -counts[i][j] });
                own.chain([gains[i]]).collect()
            })
            .collect();
        let mut last = 1;
        for k in 0..n {
            let top = rows[k].clone();
            assert!(top[k] > 0, "such a matrix needs no other pivots");
            for row in rows.iter_mut().enumerate().filter(|(i, _)| *i != k).map(|(_, row)| row) {
                let first = row[k];
                for (a, b) in row.iter_mut().zip(&top) {
                    *a = (*a * top[k] - first * b) / last;
                }
            }
            last = top[k];
        }
        (0..n).map(|i| (rows[i][n], rows[i][i])).collect()
    }

    /// Chains that nearly always go away from where they are left, by chance: of a thousand ways a few lead on.
    fn chain(n: usize, seed: u64) -> (Vec<Vec<i128>>, Vec<[i128; 2]>) {
        let mut rng = endspiel_game::Rng::new(seed);
        let (mut rows, mut outs) = (Vec::new(), Vec::new());
        for i in 0..n {
            let mut row = vec![0_i128; n];
            let mut left = 100;
            if i > 0 {
                row[i - 1] = 1 + rng.below(2) as i128;
                left -= row[i - 1];
            }
            let out = if i == 0 { [1, rng.below(2) as i128] } else { [0, 0] };
            left -= out[0] + out[1];
            let far = i + rng.below(n - i);
            row[far] += left / 2;
            row[n - 1] += left - left / 2;
            rows.push(row);
            outs.push(out);
        }
        (rows, outs)
    }

    #[test]
    fn expectations_are_right_to_the_last_digits() {
        let mut longest = 0.0_f64;
        for (n, seed) in [(1, 1), (2, 2), (4, 3), (7, 4), (8, 5), (8, 6), (8, 7)] {
            let (rows, outs) = chain(n, seed);
            let share = |count: i128| count as f64 / 100.0;
            let absorbing = Absorbing::new(
                rows.iter().map(|row| row.iter().copied().map(share).collect()).collect(),
                outs.iter().map(|out| share(out[0]) + share(out[1])).collect(),
            );
            let near = |found: f64, (above, below): (i128, i128), what: &str| {
                let right = above as f64 / below as f64;
                assert!((found - right).abs() <= 1e-13 * right, "{what} {n} {seed}: {found} {right}");
            };
            let steps = absorbing.gains(&vec![1.0; n]);
            for (&found, right) in steps.iter().zip(exact(&rows, 100, &vec![100; n])) {
                near(found, right, "steps");
                longest = longest.max(found);
            }
            let won: Vec<i128> = outs.iter().map(|out| out[0]).collect();
            let gains = absorbing.gains(&won.iter().copied().map(share).collect::<Vec<_>>());
            for (found, right) in gains.into_iter().zip(exact(&rows, 100, &won)) {
                near(found, right, "chance");
            }
        }
        assert!(
            longest > 1e12,
            "so long that 1 minus the chance to stay would have lost most digits: {longest:e}"
        );
    }

    #[test]
    fn a_state_that_leads_nowhere_is_left_at_once() {
        let absorbing = Absorbing::new(vec![vec![0.0, 0.0], vec![0.5, 0.0]], vec![0.0, 0.5]);
        assert_eq!(absorbing.gains(&[1.0, 1.0]), [1.0, 1.5]);
    }
}
