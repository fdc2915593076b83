//! Games of a winner who errs against a defender who does not, and what the winner's moves tell of the competence: the
//! reference players R_c and the analyser of G. Haworth and R. Andrist, Model Endgame Analysis (2003).
//!
//! The winner chooses as in [`chains`](crate::chains); the defender takes a move that delays most, each of several with
//! the same chance. The analyser holds a belief over competences and sharpens it by Bayes' rule with every choice seen.

use crate::fallible::depth;
use crate::probe::{MoveOf, worth};
use crate::{Indexed, Known, Label, Metric};
use endspiel_game::{Position, Rng};

/// A choice of the winner: how many moves lead to each depth, and the depth chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The depth that each winning move leaves, in moves of the winner.
    pub left: Vec<usize>,
    /// That of the move made.
    pub chosen: usize,
}

/// A table to play by.
pub struct Sparring<'a, I: Indexed> {
    /// The positions.
    pub game: &'a I,
    /// The tables of the slice and of what it converts into.
    pub known: &'a Known<I::Slice>,
    /// What both go by; it must count plies.
    pub metric: Metric,
}

impl<I: Indexed> Sparring<'_, I> {
    /// The moves of a position with their labels, within the slice that holds it.
    fn moves(&self, position: &I::Position) -> Vec<(MoveOf<I>, Label)> {
        let Some((slice, _)) = self.game.place(position) else { return Vec::new() };
        let value = |next: &I::Position| {
            let (to, number) = self.game.place(next)?;
            self.known.get(&to, number)
        };
        let mut out = Vec::new();
        position.moves(|m| {
            let there = |next: &I::Position| Ok(value(next).unwrap_or(0));
            if let Ok(label) = worth(self.game, self.metric, position, slice, m, there) {
                out.push((m, label));
            }
        });
        out
    }

    /// Plays from a position in which the winner is to move, until the metric has nothing left to count or after `most`
    /// moves of the winner; the choices made. None if who is to move does not win.
    pub fn play(
        &self,
        position: &I::Position,
        competence: f64,
        most: usize,
        rng: &mut Rng,
    ) -> Option<Vec<Choice>> {
        let (slice, _) = self.game.place(position)?;
        let mut at = position.clone();
        let mut choices = Vec::new();
        while choices.len() < most {
            let wins: Vec<(MoveOf<I>, usize)> = self
                .moves(&at)
                .into_iter()
                .filter_map(|(m, label)| label.win_rank().map(|plies| (m, depth(plies) - 1)))
                .collect();
            let left: Vec<usize> = wins.iter().map(|&(_, depth)| depth).collect();
            let &(m, chosen) = wins.get(pick(&left, competence, rng)?)?;
            choices.push(Choice { left, chosen });
            at.play(m);
            if chosen == 0 {
                break;
            }
            let replies = self.moves(&at);
            let best = replies.iter().map(|&(_, label)| label).max()?;
            let best: Vec<_> = replies.iter().filter(|reply| reply.1 == best).collect();
            at.play(best[rng.below(best.len())].0);
            if self.game.place(&at).map(|(there, _)| there) != Some(slice) {
                break;
            }
        }
        Some(choices)
    }
}

/// How much a move that leaves this depth is liked, relative to one that leaves the best depth, so that great competences
/// do not vanish.
fn liking(depth: usize, best: usize, competence: f64) -> f64 {
    ((best + 1) as f64 / (depth + 1) as f64).powf(competence)
}

/// One of the moves, with a chance in proportion to how it is liked.
fn pick(left: &[usize], competence: f64, rng: &mut Rng) -> Option<usize> {
    let best = *left.iter().min()?;
    let weight = |depth: usize| liking(depth, best, competence);
    let all: f64 = left.iter().map(|&depth| weight(depth)).sum();
    let mut point = rng.unit() * all;
    for (i, &depth) in left.iter().enumerate() {
        point -= weight(depth);
        if point < 0.0 {
            return Some(i);
        }
    }
    Some(left.len() - 1)
}

/// What is believed of a player's competence.
#[derive(Clone, Debug)]
pub struct Belief {
    candidates: Vec<(f64, f64)>,
}

impl Belief {
    /// Nothing is known but that it is one of these.
    pub fn new(candidates: impl IntoIterator<Item = f64>) -> Self {
        let list: Vec<f64> = candidates.into_iter().collect();
        let each = 1.0 / list.len().max(1) as f64;
        Self { candidates: list.into_iter().map(|c| (c, each)).collect() }
    }

    /// Sees a choice. What counts is the depth, not which of the moves to it.
    pub fn observe(&mut self, choice: &Choice) {
        let Some(&best) = choice.left.iter().min() else { return };
        let mut sum = 0.0;
        for (c, chance) in &mut self.candidates {
            let weight = |depth: usize| liking(depth, best, *c);
            let all: f64 = choice.left.iter().map(|&depth| weight(depth)).sum();
            let like = choice.left.iter().filter(|&&depth| depth == choice.chosen).count() as f64;
            *chance *= like * weight(choice.chosen) / all;
            sum += *chance;
        }
        // What no candidate could have done tells nothing.
        if sum > 0.0 {
            self.candidates.iter_mut().for_each(|(_, chance)| *chance /= sum);
        }
    }

    /// The mean, and the standard deviation.
    pub fn estimate(&self) -> (f64, f64) {
        let mean: f64 = self.candidates.iter().map(|(c, chance)| c * chance).sum();
        let square: f64 = self.candidates.iter().map(|(c, chance)| c * c * chance).sum();
        (mean, (square - mean * mean).max(0.0).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beliefs_are_chances_and_do_not_depend_on_the_order() {
        let choices = [
            Choice { left: vec![3, 4, 4, 9], chosen: 4 },
            Choice { left: vec![2, 5], chosen: 2 },
            Choice { left: vec![7], chosen: 7 },
        ];
        let seen = |order: [usize; 3]| {
            let mut belief = Belief::new((0..=50).map(f64::from));
            for i in order {
                belief.observe(&choices[i]);
            }
            let sum: f64 = belief.candidates.iter().map(|(_, chance)| chance).sum();
            assert!((sum - 1.0).abs() < 1e-12);
            belief.estimate()
        };
        let (first, second) = (seen([0, 1, 2]), seen([2, 1, 0]));
        assert!((first.0 - second.0).abs() < 1e-9 && (first.1 - second.1).abs() < 1e-9);
        // A single move tells nothing; the best of two speaks for competence.
        let mut belief = Belief::new((0..=50).map(f64::from));
        belief.observe(&choices[2]);
        assert!((belief.estimate().0 - 25.0).abs() < 1e-9);
        belief.observe(&choices[1]);
        assert!(belief.estimate().0 > 25.0);
    }

    #[test]
    fn the_blind_choose_evenly_and_the_infallible_the_best() {
        let mut rng = Rng::new(1);
        let mut counts = [0; 3];
        (0..3000).for_each(|_| counts[pick(&[5, 1, 3], 0.0, &mut rng).unwrap()] += 1);
        assert!(counts.iter().all(|&n| (900..1100).contains(&n)), "{counts:?}");
        assert!((0..100).all(|_| pick(&[500, 499, 501], 1e5, &mut rng) == Some(1)));
        assert_eq!(pick(&[], 1.0, &mut rng), None);
    }
}
