//! Values of impartial games with cycles: the generalised Sprague-Grundy function (C. Smith 1966, A. Fraenkel and
//! others), as in A. Fraenkel, Virus Versus Mankind (2000), algorithm GSG.
//!
//! Both players have the same moves, and who cannot move loses; endless play is a draw. A value is a number, or *infinite*
//! with the set of numbers that one move reaches. Values tell who wins a position, and also who wins a *sum* of games, in
//! which a move is a move in one of them: numbers are added without carry.
//! Positions get their numbers in `numbering`; tables of the database engine hold them as [`Metric::Grundy`](crate::Metric::Grundy)
//! says.

use crate::numbering::{Arcs, Mark, Numbering};
use crate::{Indexed, Work};
use endspiel_game::{Position, Stop};
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

    /// The number; none if it is infinite.
    pub fn number(&self) -> Option<u32> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Infinite(_) => None,
        }
    }

    /// What tables hold of a number; none if it is too large for their cells.
    pub(crate) fn cell_of(number: u32) -> Option<i16> {
        if number == 0 { Some(-1) } else { i16::try_from(number + 1).ok() }
    }

    /// The number that a cell of a table stands for; none where the value is infinite.
    pub fn number_of(cell: i32) -> Option<u32> {
        match cell {
            -1 => Some(0),
            2.. => Some(cell.unsigned_abs() - 1),
            _ => None,
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
    let work = Work { threads: 1, stop: Stop::default(), watch: &() };
    let lists = Lists { followers, before };
    let numbering = Numbering::new(&lists, &work).ok()?;
    for number in 0.. {
        let (_, open) = numbering.give(number, None, &work).ok()?;
        if open == 0 {
            break;
        }
        if stop() {
            return None;
        }
    }
    let marks: Vec<Mark> = numbering.marks().collect();
    let values = (0..followers.len())
        .map(|u| match marks[u] {
            Mark::Number(number) => Grundy::Number(number),
            Mark::Wasted | Mark::Open | Mark::Infinite(_) => {
                let reached = followers[u].iter().filter_map(|&v| match marks[v as usize] {
                    Mark::Number(number) => Some(number),
                    Mark::Wasted | Mark::Open | Mark::Infinite(_) => None,
                });
                Grundy::Infinite(reached.collect())
            }
        })
        .collect();
    Some(values)
}

/// Lists of where moves lead, and of where they come from.
struct Lists<'a> {
    followers: &'a [Vec<u32>],
    before: Vec<Vec<u32>>,
}

impl Arcs for Lists<'_> {
    fn positions(&self) -> usize {
        self.followers.len()
    }

    fn many(&self, number: usize) -> Option<u32> {
        Some(self.followers[number].len() as u32)
    }

    fn before(&self, number: usize, mut each: impl FnMut(usize)) {
        self.before[number].iter().for_each(|&p| each(p as usize));
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

    /// Algorithm GSG as it is printed, without counters.
    fn as_printed(followers: &[Vec<u32>]) -> Vec<Grundy> {
        // None is unset, and an infinite value has no number.
        let mut labels: Vec<Option<Option<u32>>> = vec![None; followers.len()];
        for number in 0.. {
            let has = |u: usize, labels: &[_]| {
                followers[u].iter().any(|&v| labels[v as usize] == Some(Some(number)))
            };
            while let Some(u) = (0..followers.len()).find(|&u| {
                let answered =
                    |&v: &u32| !matches!(labels[v as usize], None | Some(None)) || has(v as usize, &labels);
                labels[u].is_none() && !has(u, &labels) && followers[u].iter().all(answered)
            }) {
                labels[u] = Some(Some(number));
            }
            for u in 0..followers.len() {
                if labels[u].is_none() && !has(u, &labels) {
                    labels[u] = Some(None);
                }
            }
            if labels.iter().all(Option::is_some) {
                break;
            }
        }
        let number = |v: usize| labels[v].flatten();
        let value = |u: usize| match number(u) {
            Some(number) => Grundy::Number(number),
            None => Grundy::Infinite(followers[u].iter().filter_map(|&v| number(v as usize)).collect()),
        };
        (0..followers.len()).map(value).collect()
    }

    /// Counters and threads find what the algorithm as printed does, on random graphs with loops, and on paths longer than a
    /// thread takes at once.
    #[test]
    fn values_are_those_of_the_algorithm_as_printed() {
        let mut rng = Rng::new(69);
        let (mut infinite, mut greatest) = (0, 0);
        for case in 0..200 {
            let (size, most) = (1 + rng.below(30), 2 + case % 7);
            // Most moves lead down, so that numbers are large and some play goes round.
            let next = |u: usize, rng: &mut Rng| {
                let to = if rng.below(6) == 0 { rng.below(size) } else { rng.below(u + 1).min(u.max(1) - 1) };
                to as u32
            };
            let followers: Vec<Vec<u32>> = (0..size)
                .map(|u| {
                    let many = if u == 0 { 0 } else { rng.below(most) };
                    (0..many).map(|_| next(u, &mut rng)).collect::<BTreeSet<_>>().into_iter().collect()
                })
                .collect();
            let values = grundy(&followers);
            assert_eq!(values, as_printed(&followers), "{followers:?}");
            infinite += values.iter().filter(|value| value.number().is_none()).count();
            greatest = greatest.max(values.iter().filter_map(Grundy::number).max().unwrap_or(0));
        }
        assert!(infinite > 200 && greatest > 2, "{infinite} infinite, {greatest}");
        let path: Vec<Vec<u32>> = (0..5000_u32).map(|u| u.checked_sub(1).into_iter().collect()).collect();
        let expected = (0..5000).map(|u| Grundy::Number(u % 2));
        assert!(grundy(&path).into_iter().eq(expected));
    }

    #[test]
    fn cells_are_read_back() {
        for number in (0..1000).chain([32_766]) {
            let cell = Grundy::cell_of(number).unwrap();
            assert_eq!(Grundy::number_of(cell.into()), Some(number));
            assert_eq!(cell < 0, number == 0);
        }
        assert_eq!(Grundy::cell_of(32_767), None);
        assert_eq!([0, 1].map(Grundy::number_of), [None, None]);
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
