//! Players on endgame tables: the agents of G. Haworth and R. Andrist, Model Endgame Analysis (2003).
//!
//! The *player* of competence c chooses by chance, by how it likes the states that its moves leave (`states.rs`). The
//! *emulator* takes the move after which an analyser, who has seen all its moves and thinks 0 to 2c possible, infers a
//! competence nearest to c: it errs as often as the player, without the chance. The *predator* watches the opponent's
//! choices, looks at the replies to each of its moves and takes, of those that give no outcome away, the move with which the
//! opponent is expected to err most: a winner wants the least depth, a loser the greatest, and who has a draw the best
//! chance to win.

use crate::belief::{Belief, Choice};
use crate::probe::MoveOf;
use crate::sparring::{Options, Sparring};
use crate::states::State;
use crate::{Error, Indexed};
use endspiel_game::Rng;

/// Competences that an opponent is thought to have, from 0.
const THOUGHT: u8 = 50;

/// A player on endgame tables.
#[derive(Clone, Debug)]
pub enum Agent {
    /// Chooses by chance.
    Fallible {
        /// The competence.
        competence: f64,
        /// Does it never give an outcome away?
        keeps: bool,
    },
    /// Seems to have a competence.
    Emulator {
        /// That which it wants to seem to have.
        competence: f64,
        /// What its moves have shown.
        shown: Belief,
    },
    /// Makes the most of the opponent's weakness.
    Predator {
        /// What is believed of the opponent.
        belief: Belief,
    },
}

impl Agent {
    /// Who never errs; of several best moves each has the same chance.
    pub const INFALLIBLE: Self = Self::Fallible { competence: f64::INFINITY, keeps: true };

    /// The player of this competence, who may give outcomes away.
    pub fn fallible(competence: f64) -> Self {
        Self::Fallible { competence, keeps: false }
    }

    /// Who wants to seem to have this competence, from 0.
    pub fn emulator(competence: f64) -> Self {
        let most = (2.0 * competence).round().clamp(1.0, 1000.0) as u16;
        Self::Emulator { competence, shown: Belief::new((0..=most).map(f64::from)) }
    }

    /// Who knows nothing of the opponent yet.
    pub fn predator() -> Self {
        Self::Predator { belief: Belief::new((0..=THOUGHT).map(f64::from)) }
    }

    /// Sees a choice of the opponent.
    pub fn watch(&mut self, choice: &Choice) {
        if let Self::Predator { belief } = self {
            belief.observe(choice);
        }
    }

    /// Which of the moves of a position to make; none if there is none.
    pub fn choose<I: Indexed>(
        &mut self,
        on: &Sparring<'_, I>,
        position: &I::Position,
        options: &Options<MoveOf<I>>,
        rng: &mut Rng,
    ) -> Result<Option<usize>, Error> {
        let states: Vec<State> = options.states().collect();
        Ok(match self {
            Self::Fallible { competence, keeps } => {
                let best = states.iter().map(|state| state.sign()).max();
                let open: Vec<usize> =
                    (0..states.len()).filter(|&i| !*keeps || Some(states[i].sign()) == best).collect();
                let left: Vec<State> = open.iter().map(|&i| states[i]).collect();
                pick(&options.scale.likings(&left, *competence), rng).map(|i| open[i])
            }
            Self::Emulator { competence, shown } => {
                let mut nearest: Option<(f64, Belief, State)> = None;
                for (i, &state) in states.iter().enumerate() {
                    if states[..i].contains(&state) {
                        continue;
                    }
                    let mut belief = shown.clone();
                    belief.observe(&options.choice(state));
                    let off = (belief.estimate().0 - *competence).abs();
                    if nearest.as_ref().is_none_or(|(least, ..)| off < *least) {
                        nearest = Some((off, belief, state));
                    }
                }
                let Some((_, belief, state)) = nearest else { return Ok(None) };
                *shown = belief;
                let likings: Vec<f64> = states.iter().map(|&s| f64::from(u8::from(s == state))).collect();
                pick(&likings, rng)
            }
            Self::Predator { belief } => hunt(on, position, options, belief)?,
        })
    }
}

/// The move with which an opponent of whom this is believed does worst, by what is expected after the reply.
fn hunt<I: Indexed>(
    on: &Sparring<'_, I>,
    position: &I::Position,
    options: &Options<MoveOf<I>>,
    belief: &Belief,
) -> Result<Option<usize>, Error> {
    let best = options.states().map(State::sign).max();
    let mut found: Option<(f64, usize)> = None;
    for (i, &(m, state)) in options.moves.iter().enumerate() {
        if Some(state.sign()) != best {
            continue;
        }
        let replies = on.replies(position, m)?;
        let expected = match replies.filter(|replies| !replies.moves.is_empty()) {
            None => hoped(state, state, options.scale.losses),
            Some(replies) => {
                let states: Vec<State> = replies.states().collect();
                let chances = belief.chances(&states, replies.scale);
                let hopes = states.iter().map(|s| hoped(state, s.turned(), options.scale.losses));
                hopes.zip(chances).map(|(hope, chance)| hope * chance).sum()
            }
        };
        if found.is_none_or(|(most, _)| expected > most) {
            found = Some((expected, i));
        }
    }
    Ok(found.map(|(_, i)| i))
}

/// How welcome a state is after the reply to a move that left `held`: the greater the better.
fn hoped(held: State, then: State, deepest: usize) -> f64 {
    match (held, then) {
        (State::Win(_), State::Win(depth)) => -(depth as f64),
        (State::Loss(_), State::Loss(depth)) => depth as f64,
        // A loss that the opponent gives away is deeper than any.
        (State::Loss(_), _) => (deepest + 1) as f64,
        (State::Draw, then) => f64::from(then.sign()),
        // A perfect reply keeps what a move held, and no reply does better.
        (State::Win(_), _) => -1e9,
    }
}

/// One of them, with a chance in proportion to how it is liked.
pub(crate) fn pick(likings: &[f64], rng: &mut Rng) -> Option<usize> {
    let mut point = rng.unit() * likings.iter().sum::<f64>();
    for (i, liking) in likings.iter().enumerate() {
        point -= liking;
        if point < 0.0 {
            return Some(i);
        }
    }
    likings.iter().rposition(|&liking| liking > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_follows_the_likings() {
        let mut rng = Rng::new(1);
        let mut counts = [0; 3];
        (0..3000).for_each(|_| counts[pick(&[1.0, 2.0, 0.0], &mut rng).unwrap()] += 1);
        assert!((900..1100).contains(&counts[0]) && counts[2] == 0, "{counts:?}");
        assert_eq!(pick(&[], &mut rng), None);
    }

    #[test]
    fn a_loser_hopes_for_depth_and_a_gift() {
        let loser = |then| hoped(State::Loss(4), then, 9);
        assert!(loser(State::Draw) > loser(State::Loss(9)) && loser(State::Loss(9)) > loser(State::Loss(3)));
        assert!(hoped(State::Win(4), State::Win(2), 9) > hoped(State::Win(4), State::Win(3), 9));
        assert!(hoped(State::Draw, State::Win(30), 9) > hoped(State::Draw, State::Draw, 9));
    }
}
