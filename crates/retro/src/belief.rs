//! What the choices of a player tell of the competence: the analyser of G. Haworth and R. Andrist, Model Endgame Analysis
//! (2003). A belief over competences is sharpened by Bayes' rule with every choice seen.

use crate::states::{Scale, State};

/// A choice: what the moves left, and what was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The state that each move leaves to who makes it.
    pub left: Vec<State>,
    /// That of the move made.
    pub chosen: State,
    /// What the states are worth beside each other.
    pub scale: Scale,
}

impl Choice {
    /// The same among the moves that give no outcome away; none if the move made does.
    #[must_use]
    pub fn keeping(&self) -> Option<Self> {
        let best = self.left.iter().map(|state| state.sign()).max()?;
        let left = self.left.iter().copied().filter(|state| state.sign() == best).collect();
        (self.chosen.sign() == best).then_some(Self { left, ..self.clone() })
    }
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

    /// Sees a choice. What counts is the state, not which of the moves to it.
    pub fn observe(&mut self, choice: &Choice) {
        let mut states: Vec<(State, f64)> = Vec::new();
        for &state in &choice.left {
            match states.iter_mut().find(|(there, _)| *there == state) {
                Some((_, many)) => *many += 1.0,
                None => states.push((state, 1.0)),
            }
        }
        let Some(chosen) = states.iter().position(|(state, _)| *state == choice.chosen) else { return };
        let list: Vec<State> = states.iter().map(|&(state, _)| state).collect();
        let mut seen = self.candidates.clone();
        for (c, chance) in &mut seen {
            let likings = choice.scale.likings(&list, *c);
            let all: f64 = likings.iter().zip(&states).map(|(liking, (_, many))| liking * many).sum();
            *chance *= states[chosen].1 * likings[chosen] / all;
        }
        let sum: f64 = seen.iter().map(|(_, chance)| chance).sum();
        // What no candidate could have done tells nothing.
        if sum > 0.0 {
            self.candidates = seen.into_iter().map(|(c, chance)| (c, chance / sum)).collect();
        }
    }

    /// Learns what another belief has seen that began with the same candidates, each as likely as any other.
    pub fn join(&mut self, other: &Self) {
        let pairs = self.candidates.iter().zip(&other.candidates);
        let seen: Vec<(f64, f64)> = pairs.map(|(&(c, chance), (_, more))| (c, chance * more)).collect();
        let sum: f64 = seen.iter().map(|(_, chance)| chance).sum();
        if sum > 0.0 {
            self.candidates = seen.into_iter().map(|(c, chance)| (c, chance / sum)).collect();
        }
    }

    /// The chance of each move of a player of whom this is believed.
    pub fn chances(&self, left: &[State], scale: Scale) -> Vec<f64> {
        let mut out = vec![0.0; left.len()];
        for &(c, chance) in self.candidates.iter().filter(|(_, chance)| *chance > 0.0) {
            let likings = scale.likings(left, c);
            let all: f64 = likings.iter().sum();
            out.iter_mut().zip(likings).for_each(|(sum, liking)| *sum += chance * liking / all);
        }
        out
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

    fn choice(left: &[State], chosen: State) -> Choice {
        Choice { left: left.to_vec(), chosen, scale: Scale { wins: 20, losses: 10 } }
    }

    #[test]
    fn beliefs_are_chances_and_do_not_depend_on_the_order() {
        use State::{Draw, Loss, Win};
        let choices = [
            choice(&[Win(3), Win(4), Win(4), Win(9)], Win(4)),
            choice(&[Win(2), Win(5), Draw], Win(2)),
            choice(&[Win(7)], Win(7)),
            choice(&[Loss(7), Loss(2), Loss(6)], Loss(6)),
        ];
        let seen = |order: [usize; 4]| {
            let mut belief = Belief::new((0..=50).map(f64::from));
            for i in order {
                belief.observe(&choices[i]);
            }
            let sum: f64 = belief.candidates.iter().map(|(_, chance)| chance).sum();
            assert!((sum - 1.0).abs() < 1e-12);
            let chances = belief.chances(&choices[0].left, choices[0].scale);
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(chances[0] > chances[1] && chances[1] == chances[2] && chances[2] > chances[3]);
            belief.estimate()
        };
        let (first, second) = (seen([0, 1, 2, 3]), seen([3, 2, 1, 0]));
        assert!((first.0 - second.0).abs() < 1e-9 && (first.1 - second.1).abs() < 1e-9);
        // What was seen apart is learned together.
        let mut halves = [Belief::new((0..=50).map(f64::from)), Belief::new((0..=50).map(f64::from))];
        for (i, choice) in choices.iter().enumerate() {
            halves[i % 2].observe(choice);
        }
        let [mut all, other] = halves;
        all.join(&other);
        assert!((all.estimate().0 - first.0).abs() < 1e-9 && (all.estimate().1 - first.1).abs() < 1e-9);
        // A single move tells nothing; the best of two speaks for competence, a blunder against it.
        let mut belief = Belief::new((0..=50).map(f64::from));
        belief.observe(&choices[2]);
        assert!((belief.estimate().0 - 25.0).abs() < 1e-9);
        belief.observe(&choices[1]);
        assert!(belief.estimate().0 > 25.0);
        belief.observe(&choice(&[Win(2), Draw, Loss(1)], Draw));
        assert!(belief.estimate().0 < 10.0);
    }

    #[test]
    fn choices_among_what_keeps_the_outcome() {
        use State::{Draw, Loss, Win};
        let kept = choice(&[Win(2), Draw, Win(5)], Win(5)).keeping().unwrap();
        assert_eq!(kept.left, [Win(2), Win(5)]);
        assert_eq!(choice(&[Win(2), Draw], Draw).keeping(), None);
        assert_eq!(choice(&[Loss(2), Loss(1)], Loss(1)).keeping().unwrap().left.len(), 2);
    }
}
