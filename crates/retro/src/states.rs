//! What a position or a move is to a player who errs: a win, draw or loss with its depth, and how much it is liked. The states
//! and preferences of the reference players of G. Haworth and R. Andrist, Model Endgame Analysis (2003).
//!
//! *Depth* counts moves of the winner. A player of *competence* c likes a win of depth d by (d + 1)^-c and a loss by a
//! multiple of (d + 1)^c, such that a draw is liked as much as a win one deeper than the deepest, and as a loss one deeper than
//! the deepest. So the liking is e^(-c b), where the *badness* b of a state does not depend on c: 0 chooses blindly,
//! infinity takes the best and minus infinity the worst.

use crate::table::Table;
use crate::{Indexed, Label, Metric};

/// What is left to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// A win in so many moves.
    Win(usize),
    /// A draw.
    Draw,
    /// A loss in so many moves of the opponent.
    Loss(usize),
}

impl State {
    /// Of a position, for who is to move.
    pub(crate) fn before(label: Label) -> Self {
        match (label.win_rank(), label.loss_rank()) {
            (Some(plies), _) => Self::Win(usize::from(plies).div_ceil(2)),
            (_, Some(plies)) => Self::Loss(usize::from(plies) / 2),
            _ => Self::Draw,
        }
    }

    /// Of what a move with this label leaves to who makes it.
    pub(crate) fn after(label: Label) -> Self {
        match Self::before(label) {
            Self::Win(depth) => Self::Win(depth.saturating_sub(1)),
            other => other,
        }
    }

    /// The same for the opponent.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Win(depth) => Self::Loss(depth),
            Self::Draw => Self::Draw,
            Self::Loss(depth) => Self::Win(depth),
        }
    }

    /// 1 for a win, 0 for a draw, -1 for a loss.
    pub const fn sign(self) -> i32 {
        match self {
            Self::Win(_) => 1,
            Self::Draw => 0,
            Self::Loss(_) => -1,
        }
    }
}

/// The greatest depths of a player's wins and losses, which say how much a draw and a loss are liked beside a win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scale {
    /// Of wins.
    pub wins: usize,
    /// Of losses.
    pub losses: usize,
}

impl Scale {
    /// How bad a state is; a win at once is not bad at all.
    pub fn badness(self, state: State) -> f64 {
        let log = |depth: usize| ((depth + 1) as f64).ln();
        match state {
            State::Win(depth) => log(depth),
            State::Draw => log(self.wins + 1),
            State::Loss(depth) => log(self.wins + 1) + log(self.losses + 1) - log(depth),
        }
    }

    /// How many states there are.
    pub const fn states(self) -> usize {
        self.wins + self.losses + 3
    }

    /// The number of a state: wins from depth 0, the draw, then losses down to depth 0.
    pub const fn number(self, state: State) -> usize {
        match state {
            State::Win(depth) => depth,
            State::Draw => self.wins + 1,
            State::Loss(depth) => self.wins + 2 + self.losses.saturating_sub(depth),
        }
    }

    /// The state with this number.
    pub const fn state(self, number: usize) -> State {
        if number <= self.wins {
            State::Win(number)
        } else if number == self.wins + 1 {
            State::Draw
        } else {
            State::Loss((self.wins + 2 + self.losses).saturating_sub(number))
        }
    }

    /// How a player of this competence likes these states, the one that is liked most by 1, so that great competences do not
    /// vanish.
    pub(crate) fn likings(self, states: &[State], competence: f64) -> Vec<f64> {
        let bad: Vec<f64> = states.iter().map(|&state| self.badness(state)).collect();
        let most = if competence < 0.0 { f64::max } else { f64::min };
        let Some(most) = bad.iter().copied().reduce(most) else { return bad };
        bad.into_iter().map(|b| if b == most { 1.0 } else { (-competence * (b - most)).exp() }).collect()
    }
}

/// The greatest depths of wins in the table of a slice: of the player who is its first, and of the other. Where the same one is always
/// to move, since the colours are exchanged otherwise, each may be either.
pub(crate) fn greatest<I: Indexed>(game: &I, slice: I::Slice, table: &Table, metric: Metric) -> [usize; 2] {
    let (mut found, mut both_move) = ([0; 2], false);
    for index in 0..table.len() as u64 {
        let state = State::before(metric.read(table.get(index).unwrap_or(0), 1));
        let (State::Win(depth) | State::Loss(depth)) = state else { continue };
        if depth <= found[0].min(found[1]) {
            continue;
        }
        let Some(position) = game.position(slice, index) else { continue };
        let winner = if state.sign() > 0 { game.mover(&position) } else { game.mover(&position).other() };
        both_move |= game.mover(&position) != game.first(&position);
        let role = usize::from(winner != game.first(&position));
        found[role] = found[role].max(depth);
    }
    if both_move { found } else { [found[0].max(found[1]); 2] }
}

/// The greatest depths of a slice whose moves may also lead to others, which have these.
pub(crate) fn widened(own: [usize; 2], below: impl Iterator<Item = [usize; 2]>) -> [usize; 2] {
    let most = below.flatten().max().unwrap_or(0);
    own.map(|depth| depth.max(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_liked_in_order_and_numbered() {
        let scale = Scale { wins: 31, losses: 3 };
        assert_eq!(scale.states(), 37, "as published for KQKR");
        let states: Vec<State> = (0..37).map(|number| scale.state(number)).collect();
        assert!(states.iter().enumerate().all(|(i, &state)| scale.number(state) == i));
        assert_eq!(
            (states[31], states[32], states[33], states[36]),
            (State::Win(31), State::Draw, State::Loss(3), State::Loss(0))
        );
        let likings = scale.likings(&states, 2.0);
        assert!(likings.windows(2).all(|pair| pair[0] > pair[1]), "the worse the less: {likings:?}");
        // A draw is liked as a win of depth 32, and as a loss of depth 4.
        assert!((likings[32] - 33_f64.powi(-2)).abs() < 1e-12);
        assert!((likings[33] / likings[32] - (4.0_f64 / 5.0).powi(2)).abs() < 1e-12);
        assert!(scale.likings(&states, 0.0).iter().all(|&liking| liking == 1.0));
        let only = |i| (0..37).map(|j| f64::from(u8::from(i == j))).collect::<Vec<_>>();
        assert_eq!(scale.likings(&states, f64::INFINITY), only(0));
        assert_eq!(scale.likings(&states, f64::NEG_INFINITY), only(36));
    }

    #[test]
    fn depths_are_moves_of_the_winner() {
        assert_eq!(State::before(Label::win(1)), State::Win(1));
        assert_eq!(State::after(Label::win(1)), State::Win(0));
        assert_eq!(State::after(Label::win(5)), State::Win(2));
        assert_eq!(State::before(Label::loss(4)), State::Loss(2));
        assert_eq!(State::after(Label::loss(4)), State::Loss(2));
        assert_eq!(State::after(Label::DRAW), State::Draw);
        assert_eq!(State::Loss(3).turned(), State::Win(3));
    }
}
