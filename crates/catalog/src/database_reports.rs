//! What is told of databases: plans, slices, values, figures, lines and slips.

use endspiel_retro::{Grundy, Metric, Tally};
use serde::Serialize;
use std::collections::BTreeMap;

/// What is to be done for one slice.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    /// The slice.
    pub slice: String,
    /// Its positions, wasted numbers among them.
    pub size: u64,
    /// A good file is there already.
    pub done: bool,
    /// The metric out of whose file it is made, if it is not solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<&'static str>,
    /// The memory it takes, in bytes.
    pub memory: u64,
    /// How many parts it is cut in where it is larger than memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<u64>,
}

/// What is to be done.
#[derive(Clone, Debug, Serialize)]
pub struct PlanReport {
    /// The rule set.
    pub game: String,
    /// The metric.
    pub metric: String,
    /// Where the files go.
    pub dir: String,
    /// The slices in order.
    pub steps: Vec<StepReport>,
    /// The most memory that a step takes, in bytes.
    pub memory: u64,
    /// The most that the new files take, with those that come and go, in bytes.
    pub disk: u64,
    /// Why it cannot be done, where memory or disk will not do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// A finished slice.
#[derive(Clone, Debug, Serialize)]
pub struct SliceReport {
    /// The slice.
    pub slice: String,
    /// The metric.
    pub metric: String,
    /// What its numbers count.
    pub unit: String,
    /// Its positions.
    pub positions: u64,
    /// Positions that the player to move wins.
    pub wins: u64,
    /// Positions that nobody wins.
    pub draws: u64,
    /// Positions that the player to move loses.
    pub losses: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// The checksum of the file.
    pub xxh3: String,
    /// Does it leave out what the moves of a position tell?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub small: bool,
}

/// A move and what it is worth to who makes it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveValue {
    /// The move.
    pub r#move: String,
    /// Win, draw or loss.
    pub outcome: String,
    /// The score of the whole game, or the plies; in `grundy` the number where the move leads, -1 if that is infinite.
    pub number: i32,
    /// In `grundy`, what the position is worth where the move leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Grundy>,
    /// In a line, how the move stood out: the only legal one, the only one that keeps the outcome, or the only best one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critical: Option<&'static str>,
}

/// What a database says of a position.
#[derive(Clone, Debug, Serialize)]
pub struct ProbeReport {
    /// The rule set.
    pub game: String,
    /// The position.
    pub position: String,
    /// Who is to move.
    pub mover: &'static str,
    /// The slice that holds it.
    pub slice: String,
    /// Its number there.
    pub index: u64,
    /// The metric.
    pub metric: &'static str,
    /// What the numbers count.
    pub unit: &'static str,
    /// Win, draw or loss for the player to move.
    pub outcome: String,
    /// The score of the whole game for the player to move, or the plies; in `grundy` the number, -1 if it is infinite.
    pub number: i32,
    /// In `grundy`, what the position is worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Grundy>,
    /// All moves, the best first; or a line, each move valued for who makes it.
    pub moves: Vec<MoveValue>,
    /// A line ends where a draw may be claimed by the rule.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub claimed: bool,
    /// Where the position comes with a count of moves and a rule of so many moves decides over a win: whether it is in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
}

/// What the plies since the last capture or pawn move mean for a win that is told as if there were none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The plies.
    pub plies: u32,
    /// Is the count zeroed, with the win kept, before a draw can be claimed? None where the metric does not tell, or it would
    /// take too long to find out.
    pub in_time: Option<bool>,
}

impl Count {
    /// What a win or a loss in so many plies means after `plies` of the phase, by a metric of the rule.
    ///
    /// Tables in `dtz50` count nothing for a move by which the loser must end the phase. So with a hundred plies in all a draw
    /// may still be claimed before that move, or not: that is left open, for [`Probe::is_in_time`](endspiel_retro::Probe::is_in_time).
    pub fn of(metric: Metric, plies: u32, number: i32) -> Option<Self> {
        let all = number.saturating_add_unsigned(plies);
        let phase = i32::from(metric.phase()?);
        let is_told = matches!(metric, Metric::ZeroingWithin(_)) && all != phase;
        Some(Self { plies, in_time: is_told.then_some(all < phase) })
    }
}

/// The figures of a slice.
#[derive(Clone, Debug, Serialize)]
pub struct StatsReport {
    /// The rule set.
    pub game: String,
    /// The slice.
    pub summary: SliceReport,
    /// The mean of points and outcomes; none of plies, which are a win's or a loss's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Their standard deviation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
    /// How often each value occurs, the worst for the player to move first.
    pub histogram: Vec<Frequency>,
    /// The greatest number that is not infinite; where plies are counted the longest win, if somebody wins.
    pub greatest: Option<Extreme>,
    /// The longest loss where plies are counted, if somebody loses.
    pub longest_loss: Option<Extreme>,
    /// Odd numbers beside even ones, where there are numbers.
    pub parity: Option<Parity>,
    /// The same by who is to move; one where a table holds both by symmetry.
    pub sides: Vec<Side>,
    /// Mutual zugzwangs, where the game knows them.
    pub zugzwangs: Option<Zugzwangs>,
}

/// The figures of the positions with one player to move. Depths are told where plies are counted, in moves of the winner.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    /// Who is to move.
    pub player: &'static str,
    /// The positions.
    pub positions: u64,
    /// Those that this player wins.
    pub wins: u64,
    /// Those that nobody wins.
    pub draws: u64,
    /// Those that this player loses.
    pub losses: u64,
    /// The longest wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_win: Option<Depth>,
    /// The longest losses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_loss: Option<Depth>,
    /// The moves of a win on the average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_win: Option<f64>,
    /// The presence of wins: their share of all positions times these moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presence: Option<f64>,
}

impl Side {
    /// Of a tally.
    pub fn of(player: &'static str, tally: &Tally) -> Self {
        let depth = |(moves, positions)| Depth { moves, positions };
        Self {
            player,
            positions: tally.positions(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            longest_win: tally.longest_win.map(depth),
            longest_loss: tally.longest_loss.map(depth),
            mean_win: tally.mean_win(),
            presence: tally.presence(),
        }
    }
}

/// A greatest depth.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Depth {
    /// Moves of the winner.
    pub moves: u32,
    /// So many positions have it.
    pub positions: u64,
}

/// How often a value occurs.
#[derive(Clone, Debug, Serialize)]
pub struct Frequency {
    /// Win, draw or loss for the player to move.
    pub outcome: &'static str,
    /// The points from here on; or the plies of a win or a loss, 0 where the game is over; or of who wins 1, 0 or -1; or
    /// the number that an impartial game is worth, -1 if that is infinite.
    pub number: i32,
    /// So many positions have it.
    pub positions: u64,
}

/// The positions that are farthest from all others.
#[derive(Clone, Debug, Serialize)]
pub struct Extreme {
    /// Their points or plies.
    pub number: i32,
    /// So many there are.
    pub positions: u64,
    /// The first few.
    pub such_as: Vec<String>,
}

/// How many positions have odd and how many have even numbers, points or plies. Where captures mostly take two stones and what
/// goes round is shared, odd scores are rare or the rule, by the stones that are left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Parity {
    /// Odd numbers.
    pub odd: u64,
    /// Even ones, without a score of zero.
    pub even: u64,
    /// A score of zero. Of plies, draws are not counted at all.
    pub zero: u64,
}

impl Parity {
    /// Of a histogram of this metric.
    pub fn of(metric: Metric, histogram: &BTreeMap<i32, u64>) -> Option<Self> {
        let plies = metric.counts_plies();
        if !plies && metric != Metric::Score {
            return None;
        }
        let mut parity = Self::default();
        for (&number, &many) in histogram {
            let shown = if plies && number < 0 { -1 - number } else { number };
            match (shown % 2 == 0, number == 0) {
                (true, true) if plies => {}
                (true, true) => parity.zero += many,
                (true, false) => parity.even += many,
                _ => parity.odd += many,
            }
        }
        Some(parity)
    }

    /// All that are counted.
    pub fn all(&self) -> u64 {
        self.odd + self.even + self.zero
    }
}

/// Positions in which each player would rather not move.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Zugzwangs {
    /// All of them, the player to move left out.
    pub all: u64,
    /// Those in which whoever moves loses.
    pub both_lose: u64,
    /// The first few, those in which both lose first.
    pub such_as: Vec<String>,
}

/// What was verified.
#[derive(Clone, Debug, Serialize)]
pub struct CheckReport {
    /// Files whose every byte was read and whose checksums are right.
    pub files: usize,
    /// Values re-derived from their successors.
    pub values: u64,
    /// Values compared with those of other metrics of the same slice.
    pub compared: u64,
    /// All that is wrong; nothing where all is right.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<String>,
    /// Slices that are larger than memory, and were solved anew part by part from files.
    pub in_parts: usize,
    /// Time.
    pub seconds: f64,
}

/// What a player who errs is to expect of an opponent who does not.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    /// The rule set.
    pub game: String,
    /// The slice.
    pub slice: String,
    /// The metric that the player goes by.
    pub metric: &'static str,
    /// The player, who is to move.
    pub player: &'static str,
    /// The competence: 0 chooses blindly, infinity never errs.
    pub competence: f64,
    /// Is no outcome ever given away?
    pub keeps: bool,
    /// The greatest depth of a win, in moves of the winner.
    pub deepest_win: usize,
    /// By depth of a win, from 0: the moves on the average until it is won, or given away.
    pub expected_moves: Vec<f64>,
    /// The chance to have won within so many moves...
    pub within: usize,
    /// ... by depth.
    pub won: Vec<f64>,
    /// The chance to win in the end, by depth.
    pub chance: Vec<f64>,
    /// The greatest depth of a loss, in moves of the opponent.
    pub deepest_loss: usize,
    /// By depth of a loss, from 0: the moves on the average until it is lost.
    pub moves_held: Vec<f64>,
    /// On request, the chances from state to state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Matrix>,
}

/// The chances of a Markov chain.
#[derive(Clone, Debug, Serialize)]
pub struct Matrix {
    /// The states: wins by depth from 0, the draw, and losses by depth down to 0.
    pub states: Vec<String>,
    /// From each state, a row, to each.
    pub rows: Vec<Vec<f64>>,
}

/// What is to be predicted.
#[derive(Clone, Debug)]
pub struct PredictRequest {
    /// For players of these competences.
    pub competences: Vec<f64>,
    /// Is no outcome ever given away?
    pub keeps: bool,
    /// The chance to win within so many moves.
    pub moves: usize,
    /// Is the matrix wanted?
    pub matrix: bool,
}

/// What a line is to be.
#[derive(Clone, Debug, Default)]
pub struct LineRequest {
    /// At most so many plies.
    pub plies: usize,
    /// The strategies of who is to move and of the opponent; what is best by the metric where there is none.
    pub strategies: [Option<endspiel_retro::Strategy>; 2],
    /// The plies since the count of moves was zero; those that the position's text gives if none are said.
    pub clock: Option<u16>,
}

/// What the moves of a game gave away.
#[derive(Clone, Debug, Serialize)]
pub struct SlipsReport {
    /// The rule set.
    pub game: String,
    /// The metric.
    pub metric: &'static str,
    /// What the numbers count.
    pub unit: &'static str,
    /// The plies of the game.
    pub plies: usize,
    /// Those in positions that the databases hold.
    pub judged: usize,
    /// What the last of the others was passed over for, where a database would have judged it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The slips.
    pub slips: Vec<Slip>,
    /// What each player gave away in all.
    pub totals: Vec<SlipTotal>,
    /// How well each player won, where the databases tell it: by the choices among winning moves.
    pub competences: Vec<Apparent>,
    /// How well each player played, by all choices.
    pub overall: Vec<Apparent>,
}

/// A move that gave something away.
#[derive(Clone, Debug, Serialize)]
pub struct Slip {
    /// Which ply of the game, from 1.
    pub ply: usize,
    /// Who moved.
    pub mover: &'static str,
    /// The move, and what it is worth.
    #[serde(flatten)]
    pub made: MoveValue,
    /// What the best move is worth: win, draw or loss...
    pub best_outcome: String,
    /// ... and its number.
    pub best_number: i32,
    /// The best moves.
    pub best: Vec<String>,
    /// What was given away: `outcome`, or `points` or `plies`.
    pub lost: &'static str,
    /// How many points or plies, where the outcome is the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<u32>,
    /// How many this player has given away so far, with this move.
    pub so_far: u32,
}

/// What a player gave away in a game: the cumulative slip.
#[derive(Clone, Debug, Serialize)]
pub struct SlipTotal {
    /// The player.
    pub player: &'static str,
    /// The moves that were judged.
    pub judged: usize,
    /// Those that gave something away.
    pub slips: usize,
    /// Those that gave the outcome away.
    pub outcomes: usize,
    /// The points or plies that the others gave away together.
    pub by: u32,
}

/// The competence that moves point to.
#[derive(Clone, Debug, Serialize)]
pub struct Apparent {
    /// The player.
    pub player: &'static str,
    /// The moves that tell it.
    pub moves: usize,
    /// The mean of what is believed.
    pub competence: f64,
    /// The standard deviation.
    pub deviation: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_of_moves_leaves_a_win_in_time_or_not() {
        let in_time = |plies, number| Count::of(Metric::ZEROING50, plies, number).unwrap().in_time;
        assert_eq!([in_time(89, 10), in_time(90, 10), in_time(91, 10)], [Some(true), None, Some(false)]);
        assert_eq!(Count::of(Metric::END50, 9, 10), Some(Count { plies: 9, in_time: None }));
        assert_eq!(Count::of(Metric::Zeroing, 9, 10), None);
    }
}
