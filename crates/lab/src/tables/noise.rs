//! What minimax does to a noisy evaluation (A. Sadikov, I. Bratko and I. Kononenko, Search versus Knowledge, 2003).
//!
//! The true values are those of king and rook against king with Black to move: White's moves to mate. Noise is added to all of them,
//! mates too, and they are backed up two plies at a time: Black takes the greatest of what White's least replies give, one move
//! more. White's only knowledge is not to move into a draw; mates keep their noisy value. The *bias* is how much too small the
//! values are on the average, and what is left without it is their *spread*; both are told in units of the noise. Then White plays
//! by the backed-up values against the longest defence, never back to a position of the game, from every won position. The same with
//! king and queen has no published figures. The curves, at every depth, are kept as CSV where there is a folder for them.

use super::{Desk, Row};
use endspiel_expertise::chess::{Endings, Material};
use endspiel_game::{Notation, Player, Position, Rng};
use endspiel_retro::{Error, Indexed, Metric, Stage, Store, Table};
use endspiel_rules::chess::{Board, turned};
use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

/// Samples of the noise, and those by which games are played.
const SAMPLES: usize = 10;
const PLAYED: usize = 3;
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
/// With more noise than this the paper finds no mate within fifty moves, at any depth. Some games begin close to mate, and end so by chance: no more
/// than this share may. With five moves of noise many more do here, which is not explained, and stands beside.
const MATES: f64 = 3.0;
const NO_MATE: &str = "no mate within 50 moves";
const BY_CHANCE: f64 = 0.01;
const BESIDE: f64 = 5.0;
/// Depths, of two plies each, from none to 32 plies; of these the ones that rows tell.
const DEPTHS: usize = 17;
const TOLD: [usize; 4] = [0, 1, 5, 16];
/// Depths of which rows tell the games.
const GAMES: [usize; 9] = [0, 1, 2, 3, 4, 5, 8, 12, 16];

/// The positions with Black to move, one of every eight images, and what play makes of them.
struct Lab {
    /// White's moves to mate; none if drawn.
    truth: Vec<Option<u32>>,
    /// By position, for each of Black's moves, where White's replies lead that do not draw.
    replies: Vec<Vec<Vec<u32>>>,
    /// Which of Black's moves is his longest defence, by the true values.
    longest: Vec<Option<usize>>,
}

/// What stands where of White's king and piece and Black's king, the same for all images.
fn key(board: &Board, men: [u8; 3]) -> [u8; 3] {
    let mut squares = [0; 3];
    for (row, rank) in board.write().split([' ', '/']).take(8).enumerate() {
        let mut column = 0;
        for sign in rank.bytes() {
            if let Some(kind) = men.iter().position(|&man| man == sign) {
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
    /// Of an ending in which White has the king and a piece.
    fn new(game: &Endings, table: &Table, slice: Material) -> Self {
        let piece = slice.name().as_bytes().get(1).copied().unwrap_or(b'R');
        let key = |board: &Board| key(board, [b'K', piece, b'k']);
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
        let replies: Vec<Vec<Vec<u32>>> = replies.collect();
        let least = |to: &Vec<u32>| to.iter().filter_map(|&to| truth[to as usize]).min();
        let longest = |moves: &Vec<Vec<u32>>| (0..moves.len()).max_by_key(|&m| least(&moves[m]));
        let longest = replies.iter().map(longest).collect();
        Self { truth, replies, longest }
    }

    /// The true values of the positions that are not drawn.
    fn won(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.truth.iter().enumerate().filter_map(|(i, value)| Some((i, f64::from((*value)?))))
    }

    /// How many positions are mate in so many moves, from none on, and drawn.
    fn counts(&self) -> String {
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        self.truth.iter().flatten().for_each(|&moves| *counts.entry(moves).or_default() += 1);
        let drawn = self.truth.iter().filter(|value| value.is_none()).count();
        let counts: Vec<String> = counts.values().map(ToString::to_string).collect();
        format!("{}, {drawn} drawn", counts.join(" "))
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

    /// The moves that White needs too much, on the average of all won positions, when he plays by these values, and the share of the games
    /// that end with mate.
    fn excess(&self, values: &[f64]) -> (f64, f64) {
        let (mut games, mut excess, mut mated) = (0.0, 0.0, 0.0);
        for (start, truth) in self.won().filter(|&(_, truth)| truth > 0.0) {
            let (mut at, mut moves, mut seen) = (start, 0, vec![start as u32]);
            while let Some(defence) = self.longest[at].filter(|_| moves < LONGEST) {
                let replies = &self.replies[at][defence];
                let fresh = replies.iter().filter(|to| !seen.contains(to));
                let best = fresh.min_by(|a, b| values[**a as usize].total_cmp(&values[**b as usize]));
                let Some(&next) = best.or(replies.first()) else { break };
                seen.push(next);
                (at, moves) = (next as usize, moves + 1);
            }
            games += 1.0;
            excess += f64::from(moves) - truth;
            mated += f64::from(u8::from(self.truth[at] == Some(0)));
        }
        (excess / games, mated / games)
    }
}

/// Noise of the normal distribution (G. Box and M. Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * (1.0 - rng.unit()).ln()).sqrt() * (std::f64::consts::TAU * rng.unit()).cos()
}

/// King and rook, then king and queen.
pub fn noise(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let (game, store) = (Endings::new(), Store::new(desk.dir, "chess"));
    for ending in ["KRK", "KQK"] {
        let Some(&slice) = game.read_slices(ending).ok().as_deref().and_then(<[_]>::first) else { continue };
        let table = desk.table(&game, &store, slice, Metric::End)?;
        if !of_ending(desk, ending, &Lab::new(&game, &table, slice))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The true values, then rows for every noise; only those of king and rook are compared.
fn of_ending(desk: &mut Desk<'_>, ending: &str, lab: &Lab) -> Result<bool, Error> {
    let begun = Instant::now();
    let is_published = ending == "KRK";
    let row = |name: String, published: Option<String>, found: String, agrees: Option<bool>| Row {
        name: if is_published { name } else { format!("{ending} {name}") },
        metric: Metric::End.name(),
        published: published.filter(|_| is_published),
        misprint: None,
        found,
        agrees: agrees.filter(|_| is_published),
        positions: lab.truth.len() as u64,
        seconds: begun.elapsed().as_secs_f64(),
    };
    let found = lab.counts();
    let agrees = Some(found == TRUE);
    if !desk.tell(row("moves to mate".into(), Some(TRUE.into()), found, agrees)) {
        return Ok(false);
    }
    let truth: Vec<f64> = lab.truth.iter().map(|value| value.map_or(0.0, f64::from)).collect();
    let fixed = lab.backed_up(&truth) == truth && lab.excess(&truth) == (0.0, 1.0);
    let words = |fixed: bool| if fixed { "a fixed point" } else { "no fixed point" }.to_string();
    if !desk.tell(row("without noise".into(), Some(words(true)), words(fixed), Some(fixed))) {
        return Ok(false);
    }
    let mut curves = "noise,plies,bias,spread,error,moves_too_many\n".to_string();
    for (sigma, ranges) in PUBLISHED {
        let found = Means::of(desk, lab, &truth, sigma)?;
        curves += &found.csv(sigma);
        if let Some(dir) = desk.keep {
            let path = dir.join(format!("minimax-noise-{ending}.csv"));
            std::fs::write(&path, &curves).map_err(|source| Error::Io { path, source })?;
        }
        let [_, early, late, last] = TOLD;
        let numbers = [found.bias[early], found.bias[late], found.spread[late], found.spread[last]];
        let names = ["bias", "then", "spread", "at last"];
        let joined = |told: &dyn Fn(usize) -> String| {
            (0..4).map(|i| format!("{} {}", names[i], told(i))).collect::<Vec<_>>().join(", ")
        };
        let published = ranges.map(|ranges| joined(&|i| format!("{:.2}-{:.2}", ranges[i].0, ranges[i].1)));
        let within = ranges.map(|ranges| {
            ranges.iter().zip(numbers).all(|((least, most), mean)| (*least..=*most).contains(&mean))
        });
        let told = joined(&|i| format!("{:.2}", numbers[i]));
        if !desk.tell(row(format!("noise {sigma}"), published, told, within)) {
            return Ok(false);
        }
        // The whole error, bias and spread together, by the depth: curves are published, no numbers.
        let grows = sigma >= GROWS;
        let shape = |grows: bool| if grows { "grows" } else { "stays level or falls" }.to_string();
        let is_so = if grows {
            found.error[late] > 1.1 && found.error[last] > 1.1
        } else {
            found.error[late] <= 1.1 && found.error[last] <= 1.1
        };
        let told = TOLD.map(|depth| format!("{:.2}", found.error[depth])).join(" ");
        if !desk.tell(row(format!("error {sigma}"), Some(shape(grows)), told, Some(is_so))) {
            return Ok(false);
        }
        let (told, said, is_so) = found.play(sigma);
        let said = said.map(str::to_string);
        if !desk.tell(row(format!("moves {sigma}"), said, told, is_so)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The means of the samples by depth, in units of the noise.
#[derive(Clone, Default)]
struct Means {
    bias: [f64; DEPTHS],
    spread: [f64; DEPTHS],
    /// The whole error.
    error: [f64; DEPTHS],
    /// Moves too many, of the samples that are played.
    excess: [f64; DEPTHS],
    /// The share of their games that end with mate.
    mated: [f64; DEPTHS],
}

impl Means {
    fn of(desk: &Desk<'_>, lab: &Lab, truth: &[f64], sigma: f64) -> Result<Self, Error> {
        let stage = Stage { doing: "samples", pass: 1, changed: None };
        let samples = desk.work.share(stage, SAMPLES, SAMPLES as u64, |sample| {
            let mut rng = Rng::new(desk.budget.seed ^ (sample as u64) << 8);
            let mut values: Vec<f64> = truth.iter().map(|value| value + sigma * normal(&mut rng)).collect();
            let mut one = Self::default();
            for depth in 0..DEPTHS {
                let (bias, spread) = lab.error(&values);
                one.bias[depth] = bias / sigma;
                one.spread[depth] = spread / sigma;
                one.error[depth] = bias.hypot(spread) / sigma;
                if sample < PLAYED {
                    (one.excess[depth], one.mated[depth]) = lab.excess(&values);
                }
                values = lab.backed_up(&values);
            }
            one
        })?;
        let mut means = Self::default();
        for sample in &samples {
            for depth in 0..DEPTHS {
                means.bias[depth] += sample.bias[depth] / SAMPLES as f64;
                means.spread[depth] += sample.spread[depth] / SAMPLES as f64;
                means.error[depth] += sample.error[depth] / SAMPLES as f64;
                means.excess[depth] += sample.excess[depth] / PLAYED as f64;
                means.mated[depth] += sample.mated[depth] / PLAYED as f64;
            }
        }
        Ok(means)
    }

    /// A line a depth.
    fn csv(&self, sigma: f64) -> String {
        let line = |depth: usize| {
            let [bias, spread, error, excess] =
                [self.bias[depth], self.spread[depth], self.error[depth], self.excess[depth]];
            format!("{sigma},{},{bias:.4},{spread:.4},{error:.4},{excess:.3}\n", 2 * depth)
        };
        (0..DEPTHS).map(line).collect()
    }

    /// Moves too many by depth, what the paper says of them, and whether it is so. They fall to a plateau if from 16 plies on they are no more
    /// than without search, and level, both to within a tenth of the fall or of a move. Of noise of three moves nothing is said.
    fn play(&self, sigma: f64) -> (String, Option<&'static str>, Option<bool>) {
        let told = GAMES.map(|depth| format!("{:.1}", self.excess[depth])).join(" ");
        let (start, late) = (self.excess[0], &self.excess[DEPTHS / 2..]);
        let most = late.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = late.iter().copied().fold(f64::INFINITY, f64::min);
        let level = 0.1 * (start - least).max(1.0);
        let told = format!("{told}; from 16 plies on {least:.1} to {most:.1}");
        if sigma > MATES {
            let mated = GAMES.map(|depth| format!("{:.0}", 100.0 * self.mated[depth])).join(" ");
            let few = self.mated.iter().all(|&share| share <= BY_CHANCE);
            return (format!("{told}; {mated} % mate"), Some(NO_MATE), (sigma != BESIDE).then_some(few));
        }
        if sigma < GROWS {
            let is_so = most <= start + level && most - least <= level;
            return (told, Some("falls to a plateau"), Some(is_so));
        }
        (told, None, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{Places, run};
    use endspiel_game::Budget;

    #[test]
    fn curves_are_kept() {
        let dir = std::env::temp_dir().join(format!("endspiel-noise-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let places = Places { databases: &dir, keep: Some(&dir), only: None };
        let mut left = 5;
        let outcome = run("minimax-noise", &places, &Budget::default(), &(), &mut |_| {
            left -= 1;
            left > 0
        });
        let rows = outcome.unwrap().unwrap().rows;
        assert!(rows.iter().all(|row| row.agrees == Some(true)), "{rows:?}");
        let text = std::fs::read_to_string(dir.join("minimax-noise-KRK.csv")).unwrap();
        let lines: Vec<Vec<f64>> = text
            .lines()
            .skip(1)
            .map(|line| line.split(',').filter_map(|word| word.parse().ok()).collect())
            .collect();
        assert!(lines.len() == DEPTHS && lines.iter().all(|line| line.len() == 6), "{text}");
        assert_eq!((lines[0][0], lines[16][1]), (0.25, 32.0));
        assert!(lines[0][2].abs() < 0.05 && (lines[0][3] - 1.0).abs() < 0.05, "noise without search");
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_plateau_is_level_and_low() {
        let mut means = Means::default();
        means.excess[0] = 14.0;
        means.excess[8..].fill(1.5);
        let verdict = |means: &Means, sigma| (means.play(sigma).1, means.play(sigma).2);
        assert_eq!(verdict(&means, 1.0), (Some("falls to a plateau"), Some(true)));
        means.excess[12] = 3.0;
        assert_eq!(verdict(&means, 1.0).1, Some(false));
        // Of three moves nothing is said, of more that nobody is mated; five stand beside.
        assert_eq!(verdict(&means, 3.0), (None, None));
        means.mated[16] = 0.5;
        assert_eq!(verdict(&means, 5.0), (Some(NO_MATE), None));
        assert_eq!(verdict(&means, 20.0), (Some(NO_MATE), Some(false)));
        means.mated[16] = 0.01;
        assert_eq!(verdict(&means, 20.0).1, Some(true));
    }
}
