//! Asking the files: the value of a position and of each of its moves.

use crate::reader::Reader;
use crate::small::fill;
use crate::table::Table;
use crate::{Error, Grundy, Indexed, Label, Metric, Store, Work};
use endspiel_game::Position;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The open files of one metric. Asking takes no lock once a block is decoded.
pub struct Probe<'a, I: Indexed> {
    pub(crate) game: &'a I,
    pub(crate) metric: Metric,
    readers: FxHashMap<I::Slice, Reader>,
}

/// A move with what it leads to, for the player who makes it, in the numbers of [`Metric::write`].
pub type Valued<M> = (M, i32);

/// The moves of a numbered game.
pub(crate) type MoveOf<I> = <<I as Indexed>::Position as Position>::Move;

/// Why a position is in no slice.
pub fn outside<I: Indexed>(game: &I, position: &I::Position) -> Error {
    Error::Outside(if position.turn().is_over() { "the game is over".into() } else { game.outside(position) })
}

/// What a move of a position of the slice is worth to who makes it; `there` is what tables hold of where it leads.
pub(crate) fn worth<I: Indexed>(
    game: &I,
    metric: Metric,
    position: &I::Position,
    slice: I::Slice,
    m: <I::Position as Position>::Move,
    there: impl FnOnce(&I::Position) -> Result<i32, Error>,
) -> Result<Label, Error> {
    let (stakes, lead) = (game.stakes(slice), game.lead(position));
    let next = position.after(m);
    if next.turn().is_over() {
        let score = lead - next.payoff().of(game.mover(position));
        return Ok(metric.before(metric.ended(score, stakes)));
    }
    let there = there(&next)?;
    Ok(match game.place(&next) {
        Some((to, _)) if to == slice && game.is_zeroing(position, m) => {
            metric.before_zeroing(metric.read(there, stakes))
        }
        Some((to, _)) if to == slice => metric.before(metric.read(there, stakes)),
        _ => metric.converted(-game.lead(&next) - lead, there, stakes),
    })
}

/// The value of a position that a small file leaves out, by its moves; none if one of them leads to where nothing is known.
pub(crate) fn derived<I: Indexed>(
    game: &I,
    metric: Metric,
    position: &I::Position,
    slice: I::Slice,
    value: impl Fn(&I::Position) -> Result<Option<i32>, Error>,
) -> Result<Option<i32>, Error> {
    let (mut best, mut unknown) = (Label::NONE, false);
    for m in position.move_list() {
        let label = worth(game, metric, position, slice, m, |next| {
            let there = value(next)?;
            unknown |= there.is_none();
            Ok(there.unwrap_or(0))
        })?;
        best = best.max(label);
    }
    Ok((!unknown).then(|| metric.write(best, game.stakes(slice))))
}

impl<'a, I: Indexed> Probe<'a, I> {
    /// Opens these slices and all that they convert into; blocks are kept up to `memory` bytes a slice.
    pub fn open(
        game: &'a I,
        store: &Store,
        slices: &[I::Slice],
        metric: Metric,
        memory: u64,
    ) -> Result<Self, Error> {
        Self::of(game, slices, metric, |name| store.open_any(name, metric, memory))
    }

    /// The same with small files where there are some.
    pub(crate) fn of_small(
        game: &'a I,
        store: &Store,
        slice: I::Slice,
        metric: Metric,
        memory: u64,
    ) -> Result<Self, Error> {
        Self::of(game, &[slice], metric, |name| store.open_smallest(name, metric, memory))
    }

    fn of(
        game: &'a I,
        slices: &[I::Slice],
        metric: Metric,
        open: impl Fn(&str) -> Result<Reader, Error>,
    ) -> Result<Self, Error> {
        game.can_tell(metric)?;
        let mut readers = FxHashMap::default();
        // What is asked for first: it is the one to name if it is not there.
        for slice in crate::closure(game, slices).into_iter().rev() {
            readers.insert(slice, open(&game.slice_name(slice))?.fitting(game, slice)?);
        }
        Ok(Self { game, metric, readers })
    }

    /// Is the file of this slice open?
    pub(crate) fn holds(&self, slice: I::Slice) -> bool {
        self.readers.contains_key(&slice)
    }

    /// All cells of a slice, if its file is open; what a small one leaves out is worked out.
    pub(crate) fn table(&self, slice: I::Slice, work: &Work<'_>) -> Result<Option<Table>, Error> {
        let Some(reader) = self.readers.get(&slice) else { return Ok(None) };
        if reader.header().is_small() {
            return fill(self.game, slice, reader, work, |position, _| self.value(position)).map(Some);
        }
        reader.table().map(Some)
    }

    /// The value of a position that is in one of the slices: what the table holds, without the lead.
    #[inline]
    pub fn value(&self, position: &I::Position) -> Result<Option<i32>, Error> {
        match self.game.place(position) {
            Some((slice, index)) => match self.readers.get(&slice) {
                Some(reader) => match reader.header().omits {
                    Some(omits) if self.game.leaves_out(omits, position) => {
                        derived(self.game, self.metric, position, slice, |next| self.value(next))
                    }
                    _ => reader.get(index).map(Some),
                },
                None => Ok(None),
            },
            None => Ok(None),
        }
    }

    /// All moves of a position with their labels, without the lead, the best first.
    pub(crate) fn labels(&self, position: &I::Position) -> Result<Vec<(MoveOf<I>, Label)>, Error> {
        let Some((slice, _)) = self.game.place(position) else { return Ok(Vec::new()) };
        let mut out = Vec::new();
        for m in position.move_list() {
            let label =
                worth(self.game, self.metric, position, slice, m, |next| Ok(self.value(next)?.unwrap_or(0)))?;
            out.push((m, label));
        }
        out.sort_by_key(|&(m, label)| (std::cmp::Reverse::<Label>(label), m));
        Ok(out)
    }

    /// All moves of a position with their values, without the lead, the best first.
    pub fn moves(&self, position: &I::Position) -> Result<Vec<Valued<MoveOf<I>>>, Error> {
        let stakes = self.game.place(position).map_or(1, |(slice, _)| self.game.stakes(slice));
        let labels = self.labels(position)?;
        Ok(labels.into_iter().map(|(m, label)| (m, self.metric.write(label, stakes))).collect())
    }

    /// The value of a position in a table of [`Metric::Grundy`]. What an infinite one reaches is looked up move by move.
    pub fn grundy(&self, position: &I::Position) -> Result<Option<Grundy>, Error> {
        let Some(cell) = self.value(position)? else { return Ok(None) };
        if let Some(number) = Grundy::number_of(cell) {
            return Ok(Some(Grundy::Number(number)));
        }
        let mut reached = BTreeSet::new();
        for m in position.move_list() {
            let there = self.value(&position.after(m))?;
            reached.extend(there.and_then(Grundy::number_of));
        }
        Ok(Some(Grundy::Infinite(reached)))
    }
}
