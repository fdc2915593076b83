//! The figures of a table with one player to move, as papers print them: who wins how often, the greatest depths in moves
//! of the winner, and how many positions have them (J. Tamplin and G. Haworth, Chess Endgames: Data and Strategy, 2003).

use crate::Metric;

/// Who wins how often, and how deep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions that the player to move wins.
    pub wins: u64,
    /// Positions that nobody wins.
    pub draws: u64,
    /// Positions that the player to move loses.
    pub losses: u64,
    /// The moves of the longest wins, and how many there are.
    pub longest_win: Option<(u32, u64)>,
    /// The moves of the longest losses, and how many there are.
    pub longest_loss: Option<(u32, u64)>,
    /// The moves of all wins together.
    moves: u64,
}

impl Tally {
    /// Counts a position by what its table holds; depths where the metric counts plies.
    pub fn note(&mut self, metric: Metric, cell: i32) {
        let (longest, moves) = match cell {
            0 => {
                self.draws += 1;
                return;
            }
            1.. => (&mut self.longest_win, cell.unsigned_abs().div_ceil(2)),
            _ => (&mut self.longest_loss, (-1 - cell).unsigned_abs() / 2),
        };
        // A limit by the rule is no depth.
        if metric.counts_plies() && metric != Metric::Rule {
            *longest = match *longest {
                Some((most, many)) if most > moves => Some((most, many)),
                Some((most, many)) if most == moves => Some((most, many + 1)),
                _ => Some((moves, 1)),
            };
        }
        if cell > 0 {
            self.wins += 1;
            self.moves += u64::from(moves);
        } else {
            self.losses += 1;
        }
    }

    /// All positions.
    pub fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The moves of a win on the average, where depths were counted.
    pub fn mean_win(&self) -> Option<f64> {
        self.longest_win.map(|_| self.moves as f64 / self.wins as f64)
    }

    /// The *presence* of wins: their share of all positions times the moves they take on the average.
    pub fn presence(&self) -> Option<f64> {
        self.longest_win.map(|_| self.moves as f64 / self.positions() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_moves_of_the_winner() {
        let mut tally = Tally::default();
        for cell in [1, 5, 5, 0, -1, -3, -2] {
            tally.note(Metric::End, cell);
        }
        assert_eq!((tally.wins, tally.draws, tally.losses), (3, 1, 3));
        assert_eq!((tally.longest_win, tally.longest_loss), (Some((3, 2)), Some((1, 1))));
        assert_eq!((tally.mean_win(), tally.presence()), (Some(7.0 / 3.0), Some(1.0)));
        let mut outcomes = Tally::default();
        outcomes.note(Metric::Value, 1);
        assert_eq!((outcomes.wins, outcomes.mean_win()), (1, None));
    }
}
