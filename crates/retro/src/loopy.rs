//! Values of impartial games with cycles: the generalised Sprague-Grundy function (C. Smith 1966, A. Fraenkel and
//! others), as in A. Fraenkel, Virus Versus Mankind (2000), algorithm GSG.
//!
//! Both players have the same moves, and who cannot move loses; endless play is a draw. A value is a number, or *infinite*
//! with the set of numbers that one move reaches. Values tell who wins a position, and also who wins a *sum* of games, in
//! which a move is a move in one of them: numbers are added without carry.
//! Cost: every edge once for each number that occurs.

use crate::Indexed;
use endspiel_game::Position;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Add;

/// The value of a position of an impartial game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grundy {
    /// As a heap of so many counters in Nim.
    Number(u32),
    /// Infinite: play may go round for ever. One move reaches these numbers and no others.
    Infinite(BTreeSet<u32>),
}

/// Who wins with best play of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The player who is to move.
    Next,
    /// The player who is not.
    Previous,
    /// Nobody: play goes round.
    Draw,
}

impl Grundy {
    /// Who wins.
    pub fn status(&self) -> Status {
        match self {
            Self::Number(0) => Status::Previous,
            Self::Number(_) => Status::Next,
            Self::Infinite(reached) if reached.contains(&0) => Status::Next,
            Self::Infinite(_) => Status::Draw,
        }
    }
}

impl fmt::Display for Grundy {
    /// A number, or the sign of infinity with the numbers that one move reaches.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Infinite(reached) => {
                let reached: Vec<String> = reached.iter().map(u32::to_string).collect();
                write!(f, "∞({})", reached.join(","))
            }
        }
    }
}

impl Add for Grundy {
    type Output = Self;

    /// The value of the sum of two games.
    #[expect(clippy::suspicious_arithmetic_impl, reason = "values of games are added without carry")]
    fn add(self, other: Self) -> Self {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => Self::Number(a ^ b),
            (Self::Number(a), Self::Infinite(reached)) | (Self::Infinite(reached), Self::Number(a)) => {
                Self::Infinite(reached.into_iter().map(|b| a ^ b).collect())
            }
            (Self::Infinite(_), Self::Infinite(_)) => Self::Infinite(BTreeSet::new()),
        }
    }
}

/// What is known of a position while numbers are given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Open,
    Infinite,
    Number(u32),
}

/// The values of all positions of a game given by the followers of each position.
pub fn grundy(followers: &[Vec<u32>]) -> Vec<Grundy> {
    grundy_within(followers, &mut || false).unwrap_or_default()
}

/// The same, or none if `stop` asks to.
pub fn grundy_within(followers: &[Vec<u32>], stop: &mut dyn FnMut() -> bool) -> Option<Vec<Grundy>> {
    let mut before = vec![Vec::new(); followers.len()];
    for (u, next) in followers.iter().enumerate() {
        for &v in next {
            before[v as usize].push(u as u32);
        }
    }
    let mut marks = vec![Mark::Open; followers.len()];
    for number in 0.. {
        number_once(number, followers, &before, &mut marks);
        if !marks.contains(&Mark::Open) {
            break;
        }
        if stop() {
            return None;
        }
    }
    let values = (0..followers.len())
        .map(|u| match marks[u] {
            Mark::Number(number) => Grundy::Number(number),
            Mark::Open | Mark::Infinite => {
                let reached = followers[u].iter().filter_map(|&v| match marks[v as usize] {
                    Mark::Number(number) => Some(number),
                    Mark::Open | Mark::Infinite => None,
                });
                Grundy::Infinite(reached.collect())
            }
        })
        .collect();
    Some(values)
}

/// Gives one number: to open positions that do not reach it, each of whose open and infinite followers has a follower
/// with it (so that a move up is answered). Open positions that do not reach it afterwards are infinite.
fn number_once(number: u32, followers: &[Vec<u32>], before: &[Vec<u32>], marks: &mut [Mark]) {
    // How many followers have no answer yet.
    let mut unanswered: Vec<usize> = followers
        .iter()
        .map(|next| next.iter().filter(|&&v| !matches!(marks[v as usize], Mark::Number(_))).count())
        .collect();
    let mut reaches = vec![false; followers.len()];
    let ready = |u: usize, unanswered: &[usize], marks: &[Mark]| marks[u] == Mark::Open && unanswered[u] == 0;
    let mut queue: Vec<usize> = (0..followers.len()).filter(|&u| ready(u, &unanswered, marks)).collect();
    while let Some(u) = queue.pop() {
        if marks[u] != Mark::Open || reaches[u] {
            continue;
        }
        marks[u] = Mark::Number(number);
        for &p in &before[u] {
            let p = p as usize;
            if reaches[p] {
                continue;
            }
            reaches[p] = true;
            if matches!(marks[p], Mark::Number(_)) {
                continue;
            }
            for &q in &before[p] {
                let q = q as usize;
                unanswered[q] -= 1;
                if ready(q, &unanswered, marks) {
                    queue.push(q);
                }
            }
        }
    }
    for (mark, reaches) in marks.iter_mut().zip(reaches) {
        if *mark == Mark::Open && !reaches {
            *mark = Mark::Infinite;
        }
    }
}

/// The values of all positions of a slice of an impartial game, by their numbers; wasted numbers have none. Moves must stay
/// in the slice, and who is to move must make no difference.
pub fn grundy_of<I: Indexed>(game: &I, slice: I::Slice) -> Vec<Option<Grundy>> {
    let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
    let positions: Vec<(u64, I::Position)> =
        (0..game.size(slice)).filter_map(|i| Some((i, game.position(slice, i)?))).collect();
    for (at, (index, _)) in positions.iter().enumerate() {
        numbers.insert(*index, at as u32);
    }
    let followers: Vec<Vec<u32>> = positions
        .iter()
        .map(|(_, position)| {
            let mut next = Vec::new();
            position.moves(|m| {
                let place = game.place(&position.after(m)).filter(|(to, _)| *to == slice);
                next.extend(place.and_then(|(_, index)| numbers.get(&index).copied()));
            });
            next.sort_unstable();
            next.dedup();
            next
        })
        .collect();
    let mut out = vec![None; game.size(slice) as usize];
    for ((index, _), value) in positions.iter().zip(grundy(&followers)) {
        out[*index as usize] = Some(value);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::Rng;

    fn infinite(reached: &[u32]) -> Grundy {
        Grundy::Infinite(reached.iter().copied().collect())
    }

    #[test]
    fn sums_and_statuses() {
        use Grundy::Number;
        assert_eq!(Number(3) + Number(2), Number(1));
        assert_eq!(infinite(&[0, 5]) + Number(1), infinite(&[1, 4]));
        assert_eq!(infinite(&[0]) + infinite(&[0]), infinite(&[]));
        // Example 5: infinite with 1 reached, and 1 beside it.
        assert_eq!((infinite(&[1]) + Number(1)).status(), Status::Next);
        assert_eq!(infinite(&[1]).status(), Status::Draw);
        assert_eq!((Number(4) + Number(4)).status(), Status::Previous);
    }

    /// On random graphs with cycles the value tells the status that plain retrograde analysis finds, of single positions
    /// and of sums.
    #[test]
    fn statuses_are_those_of_plain_analysis() {
        fn plain(followers: &[Vec<u32>]) -> Vec<Status> {
            let mut status = vec![Status::Draw; followers.len()];
            loop {
                let mut changed = false;
                for u in 0..followers.len() {
                    let any = followers[u].iter().any(|&v| status[v as usize] == Status::Previous);
                    let all = followers[u].iter().all(|&v| status[v as usize] == Status::Next);
                    let now = if any {
                        Status::Next
                    } else if all {
                        Status::Previous
                    } else {
                        Status::Draw
                    };
                    changed |= now != status[u];
                    status[u] = now;
                }
                if !changed {
                    return status;
                }
            }
        }
        let mut rng = Rng::new(66);
        for _ in 0..60 {
            let size = 3 + rng.below(9);
            let random: Vec<Vec<u32>> = (0..size)
                .map(|_| {
                    let next: BTreeSet<u32> = (0..rng.below(4)).map(|_| rng.below(size) as u32).collect();
                    next.into_iter().collect()
                })
                .collect();
            let values = grundy(&random);
            let single: Vec<Status> = values.iter().map(Grundy::status).collect();
            assert_eq!(single, plain(&random));
            let pairs: Vec<Vec<u32>> = (0..size * size)
                .map(|pair| {
                    let (a, b) = (pair / size, pair % size);
                    let first = random[a].iter().map(|&next| next * size as u32 + b as u32);
                    first.chain(random[b].iter().map(|&next| (a * size) as u32 + next)).collect()
                })
                .collect();
            let sums =
                (0..size * size).map(|p| (values[p / size].clone() + values[p % size].clone()).status());
            assert_eq!(sums.collect::<Vec<_>>(), plain(&pairs));
        }
    }
}
