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
/// The noise in moves, and the least and the greatest of ten samples of an independent program, in units of the noise: the bias
/// after 2 plies and after 10, and the spread after 10.
const PUBLISHED: [(f64, [(f64, f64); 3]); 7] = [
    (0.25, [(0.31, 0.34), (0.28, 0.47), (0.85, 0.99)]),
    (0.5, [(0.34, 0.39), (0.33, 0.49), (0.67, 0.80)]),
    (0.75, [(0.42, 0.47), (0.42, 0.62), (0.54, 0.64)]),
    (1.0, [(0.51, 0.56), (0.52, 0.77), (0.44, 0.53)]),
    (2.0, [(0.76, 0.80), (0.90, 1.06), (0.27, 0.33)]),
    (3.0, [(0.89, 0.93), (1.11, 1.21), (0.20, 0.28)]),
    (5.0, [(1.02, 1.06), (1.31, 1.43), (0.17, 0.27)]),
];

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
        // The means of the samples: the three figures, and the excess of moves without search, after 2 plies and after 10.
        let mut means = [0.0; 6];
        for sample in 0..SAMPLES {
            let mut rng = Rng::new(desk.budget.seed ^ sample << 8);
            let mut values: Vec<f64> = truth.iter().map(|value| value + sigma * normal(&mut rng)).collect();
            let mut add = |at: usize, number: f64| means[at] += number / SAMPLES as f64;
            for plies in 0..=5 {
                let (bias, spread) = lab.error(&values);
                match plies {
                    1 => add(0, bias / sigma),
                    5 => {
                        add(1, bias / sigma);
                        add(2, spread / sigma);
                    }
                    _ => {}
                }
                if let Some(at) =
                    [0, 1, 5].into_iter().position(|depth| depth == plies).filter(|_| sample == 0)
                {
                    add(3 + at, SAMPLES as f64 * lab.excess(&values));
                }
                values = lab.backed_up(&values);
            }
        }
        let told = |name: &str, number: f64| format!("{name} {number:.2}");
        let found = [told("bias", means[0]), told("then", means[1]), told("spread", means[2])].join(", ");
        let played = means[3..].iter().map(|excess| format!("{excess:.1}")).collect::<Vec<_>>().join(" ");
        let range = |(least, most): (f64, f64)| format!("{least:.2}-{most:.2}");
        let [first, then, spread] = ranges.map(range);
        let within = ranges.iter().zip(means).all(|((least, most), mean)| (*least..=*most).contains(&mean));
        let published = format!("bias {first}, then {then}, spread {spread}");
        let found = format!("{found}; moves too many {played}");
        if !desk.tell(row(format!("noise {sigma}"), Some(published), found, Some(within))) {
            return Ok(false);
        }
    }
    Ok(true)
}
