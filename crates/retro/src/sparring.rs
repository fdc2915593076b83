//! Where agents play: the moves of a position with the states they leave, out of tables in memory or of files, and games of
//! two agents (G. Haworth and R. Andrist, Model Endgame Analysis, 2003).

use crate::agents::Agent;
use crate::belief::Choice;
use crate::probe::{MoveOf, worth};
use crate::states::{Scale, State, greatest, widened};
use crate::{Error, Indexed, Known, Label, Metric, Probe, Work, closure};
use endspiel_game::{Position, Rng};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// The moves of a position, and what the states they leave are worth.
#[derive(Clone, Debug)]
pub struct Options<M> {
    /// The moves with what they leave to who makes them.
    pub moves: Vec<(M, State)>,
    /// The greatest depths there.
    pub scale: Scale,
}

impl<M> Options<M> {
    /// The states.
    pub fn states(&self) -> impl Iterator<Item = State> {
        self.moves.iter().map(|&(_, state)| state)
    }

    /// The choice of a move that leaves this state.
    pub fn choice(&self, chosen: State) -> Choice {
        Choice { left: self.states().collect(), chosen, scale: self.scale }
    }
}

/// Where values come from.
pub enum Source<'a, I: Indexed> {
    /// The tables of a slice and of what it converts into.
    Tables(&'a Known<I::Slice>),
    /// Files.
    Files(Probe<'a, I>),
}

/// Tables to play by.
pub struct Sparring<'a, I: Indexed> {
    game: &'a I,
    metric: Metric,
    source: Source<'a, I>,
    depths: Rc<Depths<I>>,
}

/// The greatest depths of slices, once they have been looked for.
pub type Depths<I> = RefCell<FxHashMap<<I as Indexed>::Slice, [usize; 2]>>;

impl<'a, I: Indexed> Sparring<'a, I> {
    /// By this metric, which must count plies.
    pub fn new(game: &'a I, metric: Metric, source: Source<'a, I>) -> Self {
        Self { game, metric, source, depths: Rc::default() }
    }

    /// The same with what was found before, on the same files.
    #[must_use]
    pub fn remembering(self, depths: Rc<Depths<I>>) -> Self {
        Self { depths, ..self }
    }

    pub(crate) fn labels(
        &self,
        position: &I::Position,
        slice: I::Slice,
    ) -> Result<Vec<(MoveOf<I>, Label)>, Error> {
        let known = match &self.source {
            Source::Files(probe) => return probe.labels(position),
            Source::Tables(known) => known,
        };
        let value = |next: &I::Position| {
            let (to, number) = self.game.place(next)?;
            known.get(&to, number)
        };
        let label =
            |m| worth(self.game, self.metric, position, slice, m, |next| Ok(value(next).unwrap_or(0)));
        position.move_list().into_iter().map(|m| Ok((m, label(m)?))).collect()
    }

    pub(crate) fn holds(&self, slice: I::Slice) -> bool {
        match &self.source {
            Source::Tables(known) => known.table(&slice).is_some(),
            Source::Files(probe) => probe.holds(slice),
        }
    }

    /// The greatest depths of wins of a slice's first player and of the other, within the slice or, where plies go on
    /// through conversions, with all that it converts into.
    fn depths(&self, slice: I::Slice) -> Result<[usize; 2], Error> {
        let own = self.own_depths(slice)?;
        if !self.metric.goes_on() {
            return Ok(own);
        }
        let below = closure(self.game, &[slice]).into_iter().filter(|&below| below != slice);
        let below: Result<Vec<_>, Error> = below.map(|below| self.own_depths(below)).collect();
        Ok(widened(own, below?.into_iter()))
    }

    fn own_depths(&self, slice: I::Slice) -> Result<[usize; 2], Error> {
        if let Some(&known) = self.depths.borrow().get(&slice) {
            return Ok(known);
        }
        let found = match &self.source {
            Source::Tables(known) => {
                known.table(&slice).map(|table| greatest(self.game, slice, table, self.metric))
            }
            Source::Files(probe) => {
                let table = probe.table(slice, &Work::default())?;
                table.map(|table| greatest(self.game, slice, &table, self.metric))
            }
        };
        let found = found.unwrap_or_default();
        self.depths.borrow_mut().insert(slice, found);
        Ok(found)
    }

    /// The moves of a position; none if no table holds it.
    pub fn options(&self, position: &I::Position) -> Result<Option<Options<MoveOf<I>>>, Error> {
        let Some((slice, _)) = self.game.place(position).filter(|&(slice, _)| self.holds(slice)) else {
            return Ok(None);
        };
        let moves = self.labels(position, slice)?;
        Ok(Some(Options {
            moves: moves.into_iter().map(|(m, label)| (m, State::after(label))).collect(),
            scale: self.scale(position, slice)?,
        }))
    }

    /// What states are worth to who is to move in a position of a slice.
    pub(crate) fn scale(&self, position: &I::Position, slice: I::Slice) -> Result<Scale, Error> {
        let [first, second] = self.depths(slice)?;
        let is_first = self.game.mover(position) == self.game.first(position);
        Ok(if is_first {
            Scale { wins: first, losses: second }
        } else {
            Scale { wins: second, losses: first }
        })
    }

    /// The opponent's moves after a move; none where the game is over, or the metric has nothing left to count.
    pub fn replies(&self, position: &I::Position, m: MoveOf<I>) -> Result<Option<Options<MoveOf<I>>>, Error> {
        let next = position.after(m);
        let counted = self.leaves(position, &next) && !self.metric.goes_on()
            || self.metric.counts_phases() && self.game.is_zeroing(position, m);
        if next.turn().is_over() || counted { Ok(None) } else { self.options(&next) }
    }

    fn leaves(&self, position: &I::Position, next: &I::Position) -> bool {
        self.game.place(position).map(|(slice, _)| slice) != self.game.place(next).map(|(slice, _)| slice)
    }

    /// A game of two agents, first the one who is to move, until it is over, or the metric has nothing left to count, or after so many
    /// plies: the choices of each.
    pub fn play(
        &self,
        start: &I::Position,
        [one, two]: [&mut Agent; 2],
        plies: usize,
        rng: &mut Rng,
    ) -> Result<[Vec<Choice>; 2], Error> {
        let mut choices = [Vec::new(), Vec::new()];
        let mut at = start.clone();
        for _ in 0..plies {
            // Who moves need not take turns in every game.
            let turn = usize::from(self.game.mover(&at) != self.game.mover(start));
            let Some(options) = self.options(&at)? else { break };
            let (own, other) = if turn == 0 { (&mut *one, &mut *two) } else { (&mut *two, &mut *one) };
            let Some(chosen) = own.choose(self, &at, &options, rng)? else { break };
            let (m, state) = options.moves[chosen];
            let choice = options.choice(state);
            other.watch(&choice);
            choices[turn].push(choice);
            let before = at.clone();
            at.play(m);
            let left = self.leaves(&before, &at) && !self.metric.goes_on();
            if at.turn().is_over() || left || state == State::Win(0) {
                break;
            }
        }
        Ok(choices)
    }
}
