//! What minimax does to a noisy evaluation (A. Sadikov, I. Bratko and I. Kononenko, Search versus Knowledge, 2003).
//!
//! The true values are those of king and rook against king with Black to move: White's moves to mate. Noise is added to all of them,
//! mates too, and they are backed up two plies at a time: Black takes the greatest of what White's least replies give, one move
//! more. White's only knowledge is not to move into a draw; mates keep their noisy value. The *bias* is how much too small the
//! values are on the average, and what is left without it is their *spread*; both are told in units of the noise. Then White plays
//! by the backed-up values against the longest defence, never back to a position of the game, from every won position.

use super::{Desk, Row};
use endspiel_expertise::chess::Endings;
use endspiel_game::{Notation, Player, Position, Rng};
use endspiel_retro::{Error, Indexed, Metric, Store, Table};
use endspiel_rules::chess::{Board, turned};
use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

/// Samples of the noise.
const SAMPLES: u64 = 10;
/// The most moves of a game.
const LONGEST: u32 = 50;
/// Positions by White's moves to mate, 0 first, and those drawn.
const TRUE: &str = "27 78 246 81 198 471 592 683 1433 1712 1985 2854 3597 4194 4553 2166 390, 2796 drawn";
/// The least and the greatest of four figures.
type Ranges = [(f64, f64); 4];

/// The noise in moves, and the least and the greatest of ten samples of an independent program, in units of the noise: the bias
/// after 2 plies and after 10, and the spread after 10 and after 32. Of the last noise the paper alone tells, that the error grows.
const PUBLISHED: [(f64, Option<Ranges>); 8] = [
    (0.25, Some([(0.31, 0.34), (0.28, 0.47), (0.85, 0.99), (0.52, 1.05)])),
    (0.5, Some([(0.34, 0.39), (0.33, 0.49), (0.67, 0.80), (0.50, 0.83)])),
    (0.75, Some([(0.42, 0.47), (0.42, 0.62), (0.54, 0.64), (0.34, 0.69)])),
    (1.0, Some([(0.51, 0.56), (0.52, 0.77), (0.44, 0.53), (0.33, 0.47)])),
    (2.0, Some([(0.76, 0.80), (0.90, 1.06), (0.27, 0.33), (0.21, 0.67)])),
    (3.0, Some([(0.89, 0.93), (1.11, 1.21), (0.20, 0.28), (0.16, 0.75)])),
    (5.0, Some([(1.02, 1.06), (1.31, 1.43), (0.17, 0.27), (0.13, 0.56)])),
    (20.0, None),
];
/// Noise from which on the whole error grows with the depth; below it stays level or falls slightly. Level is within a tenth.
const GROWS: f64 = 3.0;
/// The plies after which the error is told.
const PLIES: [usize; 4] = [0, 2, 10, 32];

/// The positions with Black to move, one of every eight images, and what play makes of them.
struct Lab {
    /// White's moves to mate; none if drawn.
    truth: Vec<Option<u32>>,
    /// By position, for each of Black's moves, where White's replies lead that do not draw.
    replies: Vec<Vec<Vec<u32>>>,
}

/// What stands where, the same for all images.
fn key(board: &Board) -> [u8; 3] {
    let mut squares = [0; 3];
    for (row, rank) in board.write().split([' ', '/']).take(8).enumerate() {
        let mut column = 0;
        for sign in rank.bytes() {
            if let Some(kind) = b"KRk".iter().position(|&man| man == sign) {
                squares[kind] = 8 * (7 - row as u8) + column;
                column += 1;
            } else {
                column += sign - b'0';
            }
        }
    }
    (0..8).map(|s| squares.map(|square| turned(square, s))).min().unwrap_or(squares)
}

impl Lab {
    fn new(game: &Endings, table: &Table, slice: <Endings as Indexed>::Slice) -> Self {
        let (mut numbers, mut boards) = (HashMap::new(), Vec::new());
        for index in 0..game.size(slice) {
            let Some(board) = game.position(slice, index) else { continue };
            if game.mover(&board) == Player::SECOND && !numbers.contains_key(&key(&board)) {
                numbers.insert(key(&board), boards.len() as u32);
                boards.push(board);
            }
        }
        // A loss in 2n plies is marked -1 - 2n.
        let value = |board: &Board| {
            let (_, index) = game.place(board)?;
            table.get(index).filter(|&plies| plies < 0).map(|plies| plies.unsigned_abs() / 2)
        };
        let truth: Vec<Option<u32>> = boards.iter().map(value).collect();
        let replies = boards.iter().map(|board| {
            let after = |m| {
                let next = board.after(m);
                let to =
                    next.move_list().into_iter().filter_map(|m| numbers.get(&key(&next.after(m))).copied());
                let mut to: Vec<u32> = to.filter(|&to| truth[to as usize].is_some()).collect();
                to.sort_unstable();
                to.dedup();
                to
            };
            board.move_list().into_iter().map(after).collect()
        });
        let replies = replies.collect();
        Self { truth, replies }
    }

    /// The true values of the positions that are not drawn.
    fn won(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.truth.iter().enumerate().filter_map(|(i, value)| Some((i, f64::from((*value)?))))
    }

    /// Two plies more.
    fn backed_up(&self, values: &[f64]) -> Vec<f64> {
        let least = |to: &Vec<u32>| to.iter().map(|&to| values[to as usize]).fold(f64::INFINITY, f64::min);
        let mut out = values.to_vec();
        for (i, _) in self.won().filter(|&(i, _)| !self.replies[i].is_empty()) {
            out[i] = 1.0 + self.replies[i].iter().map(least).fold(f64::NEG_INFINITY, f64::max);
        }
        out
    }

    /// How much too small the values are, and their spread about that.
    fn error(&self, values: &[f64]) -> (f64, f64) {
        let (mut many, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for (i, truth) in self.won() {
            let off = truth - values[i];
            (many, sum, squares) = (many + 1.0, sum + off, squares + off * off);
        }
        let bias = sum / many;
        (bias, (squares / many - bias * bias).sqrt())
    }

    /// The moves that White needs too much, on the average of all won positions, when he plays by these values.
    fn excess(&self, values: &[f64]) -> f64 {
        let (mut games, mut excess) = (0.0, 0.0);
        for (start, truth) in self.won().filter(|&(_, truth)| truth > 0.0) {
            let (mut at, mut moves, mut seen) = (start, 0, vec![start as u32]);
            while !self.replies[at].is_empty() && moves < LONGEST {
                // Black's longest defence, by the true values.
                let longest = |to: &&Vec<u32>| to.iter().filter_map(|&to| self.truth[to as usize]).min();
                let Some(replies) = self.replies[at].iter().max_by_key(longest) else { break };
                let fresh = replies.iter().filter(|to| !seen.contains(to));
                let best = fresh.min_by(|a, b| values[**a as usize].total_cmp(&values[**b as usize]));
                let Some(&next) = best.or(replies.first()) else { break };
                seen.push(next);
                (at, moves) = (next as usize, moves + 1);
            }
            games += 1.0;
            excess += f64::from(moves) - truth;
        }
        excess / games
    }
}

/// Noise of the normal distribution (G. Box and M. Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * (1.0 - rng.unit()).ln()).sqrt() * (std::f64::consts::TAU * rng.unit()).cos()
}

/// The true values, then a row for every noise.
pub fn noise(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let (game, store) = (Endings::new(), Store::new(desk.dir, "chess"));
    let Some(&slice) = game.read_slices("KRK").ok().as_deref().and_then(<[_]>::first) else {
        return Ok(true);
    };
    let begun = Instant::now();
    let table = desk.table(&game, &store, slice, Metric::End)?;
    let lab = Lab::new(&game, &table, slice);
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    lab.truth.iter().flatten().for_each(|&moves| *counts.entry(moves).or_default() += 1);
    let drawn = lab.truth.iter().filter(|value| value.is_none()).count();
    let counts: Vec<String> = counts.values().map(ToString::to_string).collect();
    let row = |name: String, published: Option<String>, found: String, agrees: Option<bool>| Row {
        name,
        metric: Metric::End.name(),
        published,
        misprint: None,
        found,
        agrees,
        positions: lab.truth.len() as u64,
        seconds: begun.elapsed().as_secs_f64(),
    };
    let found = format!("{}, {drawn} drawn", counts.join(" "));
    let agrees = Some(found == TRUE);
    if !desk.tell(row("moves to mate".into(), Some(TRUE.into()), found, agrees)) {
        return Ok(false);
    }
    let truth: Vec<f64> = lab.truth.iter().map(|value| value.map_or(0.0, f64::from)).collect();
    let fixed = lab.backed_up(&truth) == truth && lab.excess(&truth) == 0.0;
    let words = |fixed: bool| if fixed { "a fixed point" } else { "no fixed point" }.to_string();
    if !desk.tell(row("without noise".into(), Some(words(true)), words(fixed), Some(fixed))) {
        return Ok(false);
    }
    for (sigma, ranges) in PUBLISHED {
        let found = Means::of(&lab, &truth, sigma, desk.budget.seed);
        let numbers = [found.bias[1], found.bias[2], found.spread[2], found.spread[3]];
        let names = ["bias", "then", "spread", "at last"];
        let joined = |told: &dyn Fn(usize) -> String| {
            (0..4).map(|i| format!("{} {}", names[i], told(i))).collect::<Vec<_>>().join(", ")
        };
        let played = found.excess.map(|excess| format!("{excess:.1}")).join(" ");
        let published = ranges.map(|ranges| joined(&|i| format!("{:.2}-{:.2}", ranges[i].0, ranges[i].1)));
        let within = ranges.map(|ranges| {
            ranges.iter().zip(numbers).all(|((least, most), mean)| (*least..=*most).contains(&mean))
        });
        let told = format!("{}; moves too many {played}", joined(&|i| format!("{:.2}", numbers[i])));
        if !desk.tell(row(format!("noise {sigma}"), published, told, within)) {
            return Ok(false);
        }
        // The whole error, bias and spread together, by the depth: curves are published, no numbers.
        let grows = sigma >= GROWS;
        let shape = |grows: bool| if grows { "grows" } else { "stays level or falls" }.to_string();
        let is_so = if grows {
            found.error[2] > 1.1 && found.error[3] > 1.1
        } else {
            found.error[2] <= 1.1 && found.error[3] <= 1.1
        };
        let told = found.error.map(|error| format!("{error:.2}")).join(" ");
        if !desk.tell(row(format!("error {sigma}"), Some(shape(grows)), told, Some(is_so))) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The means of the samples after [`PLIES`] plies, in units of the noise.
#[derive(Default)]
struct Means {
    bias: [f64; 4],
    spread: [f64; 4],
    /// The whole error.
    error: [f64; 4],
    /// Of one sample: moves too many without search, after 2 plies and after 10.
    excess: [f64; 3],
}

impl Means {
    fn of(lab: &Lab, truth: &[f64], sigma: f64, seed: u64) -> Self {
        let mut means = Self::default();
        for sample in 0..SAMPLES {
            let mut rng = Rng::new(seed ^ sample << 8);
            let mut values: Vec<f64> = truth.iter().map(|value| value + sigma * normal(&mut rng)).collect();
            for plies in (0..=PLIES[3]).step_by(2) {
                if let Some(at) = PLIES.into_iter().position(|depth| depth == plies) {
                    let (bias, spread) = lab.error(&values);
                    let share = sigma * SAMPLES as f64;
                    means.bias[at] += bias / share;
                    means.spread[at] += spread / share;
                    means.error[at] += bias.hypot(spread) / share;
                    if sample == 0 && at < 3 {
                        means.excess[at] = lab.excess(&values);
                    }
                }
                values = lab.backed_up(&values);
            }
        }
        means
    }
}
