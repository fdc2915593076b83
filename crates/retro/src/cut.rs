//! A slice as workers of a cluster and parts on the disk see it: numbers, labels and moves, without the types of the
//! game, so that what solves it is compiled once for all games.
//!
//! Depths to zeroing are depths to conversion where a move that zeroes the count of moves leads to *another* slice: what it
//! is worth depends on who wins at its end, and on nothing else. So the outcomes of the slice are solved first, and stand
//! behind the slices that it converts into as one more of them.

use crate::graph::{Leads, Node, ZEROING, leads};
use crate::table::Width;
use crate::{Indexed, Label, Metric};
use endspiel_game::Position;
use std::ops::Deref;

/// What a position's moves lead to.
#[derive(Default)]
pub struct Looked {
    /// Numbers of the slice, without repetitions.
    pub inside: Vec<u64>,
    /// Positions of other slices: the slice by its place among the conversions, the number there, and the gain. The place
    /// behind the last is the slice itself, if [`asks_itself`] says so.
    pub away: Vec<(u16, u64, i16)>,
}

/// A slice.
pub trait Cut: Send + Sync {
    /// What the rules say of a number; its moves go to `out`.
    fn look(&self, number: u64, out: &mut Looked) -> Node;
    /// Can the game tell predecessors?
    fn tells(&self) -> bool;
    /// The numbers of the slice from which a move leads to this one, without repetitions.
    fn before(&self, number: u64, out: &mut Vec<u64>);
    /// No score in the slice is beyond this.
    fn stakes(&self) -> u16;
    /// The kinds of cells in the order in which they are tried.
    fn widths(&self) -> [Width; 3];
}

/// Is a slice solved twice, for its outcomes first, which answer what moves that zero the count of moves are worth?
pub fn asks_itself<I: Indexed>(game: &I, slice: I::Slice, metric: Metric) -> bool {
    metric == Metric::Zeroing && game.has_zeroing(slice)
}

/// A slice of a game.
pub struct Cutting<I: Indexed, G> {
    game: G,
    slice: I::Slice,
    metric: Metric,
    below: Vec<I::Slice>,
    asks_itself: bool,
}

impl<I: Indexed, G: Deref<Target = I>> Cutting<I, G> {
    pub fn new(game: G, slice: I::Slice, metric: Metric, below: Vec<I::Slice>) -> Self {
        let asks_itself = asks_itself(&*game, slice, metric);
        Self { game, slice, metric, below, asks_itself }
    }

    /// Does a move that zeroes nothing lead from a predecessor to a number? Games tell those by all moves. Moves that zero the
    /// count are few, so it is they that are followed.
    fn steps(&self, before: &I::Position, number: u64) -> bool {
        let leads = |zeroing: bool| {
            let mut leads = false;
            before.moves(|m| {
                leads |= self.game.is_zeroing(before, m) == zeroing
                    && self.game.place(&before.after(m)) == Some((self.slice, number));
            });
            leads
        };
        !leads(true) || leads(false)
    }
}

impl<I: Indexed, G: Deref<Target = I> + Send + Sync> Cut for Cutting<I, G> {
    fn look(&self, number: u64, out: &mut Looked) -> Node {
        let (game, metric) = (&*self.game, self.metric);
        out.inside.clear();
        out.away.clear();
        let Some(position) = game.position(self.slice, number) else { return Node::Wasted };
        let lead = game.lead(&position);
        if position.turn().is_over() {
            let score = position.payoff().of(game.mover(&position)) - lead;
            return Node::Over(metric.ended(score, self.stakes()));
        }
        let mut sure = Label::NONE;
        position.moves(|m| {
            let worth = match leads(game, (self.slice, metric), &position, m, lead) {
                Leads::Within(index, ZEROING) if self.asks_itself => {
                    return out.away.push((self.below.len() as u16, index, 0));
                }
                Leads::Within(index, _) => return out.inside.push(index),
                Leads::Out(label) => label,
                Leads::Converts(slice, index, gain) => match self.below.iter().position(|&s| s == slice) {
                    Some(below) => return out.away.push((below as u16, index, gain as i16)),
                    None => Label::DRAW,
                },
            };
            sure = sure.max(worth);
        });
        out.inside.sort_unstable();
        out.inside.dedup();
        Node::Open(sure, out.inside.len() as u16)
    }

    fn tells(&self) -> bool {
        let mut positions = (0..self.game.size(self.slice)).filter_map(|i| self.game.position(self.slice, i));
        positions.next().is_some_and(|position| self.game.predecessors(&position, &mut |_| ()))
    }

    fn before(&self, number: u64, out: &mut Vec<u64>) {
        out.clear();
        if let Some(position) = self.game.position(self.slice, number) {
            self.game.predecessors(&position, &mut |before| {
                let place = self.game.place(&before).filter(|&(slice, _)| slice == self.slice);
                let steps = place.filter(|_| !self.asks_itself || self.steps(&before, number));
                out.extend(steps.map(|(_, index)| index));
            });
        }
        out.sort_unstable();
        out.dedup();
    }

    fn stakes(&self) -> u16 {
        self.game.stakes(self.slice)
    }

    fn widths(&self) -> [Width; 3] {
        Width::order(self.game.counts_moves(self.metric))
    }
}

#[cfg(test)]
mod tests;
