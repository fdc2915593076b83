//! What retrograde analysis needs of a game: its positions cut into slices and numbered.
//!
//! A *slice* is a set of positions (material, stones, leading ranks) that play leaves for good. A move that
//! leaves it is a *conversion*; the slices form a directed graph without cycles, and a slice is solved when
//! those it converts into are. Within a slice positions are numbered from 0, images under symmetries by the
//! same number. Numbers may be wasted on what is no position.

use crate::{Error, Job, Metric, Stopped, Table, backward};
use endspiel_game::{Player, Position, TextError, TwoPlayer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Range;

/// Which positions a small file leaves out: those whose moves tell their value, and lead to no other that is left out of the same
/// slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Omits {
    /// Those in which all moves leave the slice, or lead to what is told.
    Forced,
    /// These, and all in which the first player is to move.
    First,
    /// These, and all in which the second player is to move.
    Second,
}

/// A game's positions, numbered.
pub trait Indexed: Send + Sync + Sized {
    /// The game's positions.
    type Position: TwoPlayer;
    /// The name of a slice.
    type Slice: Copy + Eq + Ord + Hash + Debug + Send + Sync;

    /// How people call a slice.
    fn slice_name(&self, slice: Self::Slice) -> String;

    /// Reads a slice, a list or a range of them in the game's own words.
    fn read_slices(&self, text: &str) -> Result<Vec<Self::Slice>, TextError>;

    /// How many numbers the slice uses.
    fn size(&self, slice: Self::Slice) -> u64;

    /// The slices that a single move from this one may reach, without itself.
    fn conversions(&self, slice: Self::Slice) -> Vec<Self::Slice>;

    /// The slice cut into runs of numbers that are solved one after the other: a move within the slice never leads
    /// to a later run. The more and shorter, the less memory.
    fn runs(&self, slice: Self::Slice) -> Vec<Range<u64>> {
        std::iter::once(0..self.size(slice)).collect()
    }

    /// The position with this number; none where the number is wasted.
    fn position(&self, slice: Self::Slice, index: u64) -> Option<Self::Position>;

    /// Where a position stands; none if no slice holds it.
    fn place(&self, position: &Self::Position) -> Option<(Self::Slice, u64)>;

    /// Why no slice holds a position in which the game is not over.
    fn outside(&self, _position: &Self::Position) -> String {
        "it has too many men, or somebody may still castle".into()
    }

    /// Who is to move, or would be if the game were not over.
    fn mover(&self, position: &Self::Position) -> Player;

    /// Does a legal move that stays in the slice zero the count of moves, mostly since it can never be taken back?
    fn is_zeroing(&self, _position: &Self::Position, _m: <Self::Position as Position>::Move) -> bool {
        false
    }

    /// May a move that stays in the slice zero the count of moves? If none does, depths to zeroing are depths to conversion.
    fn has_zeroing(&self, _slice: Self::Slice) -> bool {
        true
    }

    /// May a move that stays in the slice and zeroes the count be taken back by others that do? Depths to zeroing then prove
    /// nothing of one another, and a rule of so many moves may draw where no phase is too long. Unless the game knows better,
    /// wherever there are such moves.
    fn zeroing_goes_round(&self, slice: Self::Slice) -> bool {
        self.has_zeroing(slice)
    }

    /// The same position with the other player to move, where the game's people ask what a move in hand is worth.
    fn after_pass(&self, _position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// In scored games, the lead that the player to move has already: tables hold what comes on top of it.
    fn lead(&self, _position: &Self::Position) -> i32 {
        0
    }

    /// What a number of a table proves of the payoff of the player to move: by default who wins.
    fn proves(&self, position: &Self::Position, metric: Metric, number: i32) -> (i32, i32) {
        let lead = if metric == Metric::Score { self.lead(position) } else { 0 };
        let (low, high) = position.score_range_of(self.mover(position));
        match number + lead {
            0 => (0, 0),
            1.. => (low.max(1), high),
            _ => (low, high.min(-1)),
        }
    }

    /// What small files of this slice may leave out; nothing unless the game says so.
    fn omissions(&self, _slice: Self::Slice) -> Vec<Omits> {
        Vec::new()
    }

    /// The player who is the first of the position's slice: the stronger one, where one is.
    fn first(&self, _position: &Self::Position) -> Player {
        Player::FIRST
    }

    /// Is this position one of those? It is in the slice.
    fn leaves_out(&self, omits: Omits, position: &Self::Position) -> bool {
        let is_told = match omits {
            Omits::Forced => false,
            Omits::First => self.mover(position) == self.first(position),
            Omits::Second => self.mover(position) != self.first(position),
        };
        is_told && !position.turn().is_over()
    }

    /// How many positions of the board a position's number stands for, as a share of the most that one does: less than 1
    /// where a symmetry maps it onto itself or onto another number. For averages over positions.
    fn weight(&self, _position: &Self::Position) -> f64 {
        1.0
    }

    /// Do moves on the way count, such as captures, beside how the game ends? Who wins then depends on what was
    /// captured before, and tables can tell nothing but the score.
    fn is_scored(&self) -> bool {
        false
    }

    /// Do both players have the same moves, does who cannot move lose, and does no move leave its slice? A number then stands
    /// for a position with either player to move, and tables can tell [`Metric::Grundy`].
    fn is_impartial(&self) -> bool {
        false
    }

    /// Can tables of the game tell this?
    fn can_tell(&self, metric: Metric) -> Result<(), Error> {
        if self.is_scored() && metric != Metric::Score {
            Err(Error::Unscored { metric: metric.name() })
        } else if metric == Metric::Grundy && !self.is_impartial() {
            Err(Error::Partial { metric: metric.name() })
        } else {
            Ok(())
        }
    }

    /// No score in the slice is beyond this.
    fn stakes(&self, _slice: Self::Slice) -> u16 {
        1
    }

    /// Do its own tables count moves of the winner even where plies would fit in a byte?
    fn counts_moves(&self, _metric: Metric) -> bool {
        false
    }

    /// Calls `each` with every position of the slice from which one move, no conversion, leads to this
    /// position or an image of it; repetitions do no harm. False if the game cannot tell.
    fn predecessors(&self, _position: &Self::Position, _each: &mut dyn FnMut(Self::Position)) -> bool {
        false
    }

    /// The bytes that [`Indexed::solve`] works with, beside the tables of the conversions.
    fn solving_bytes(&self, slice: Self::Slice, _metric: Metric) -> u64 {
        self.size(slice) * 16
    }

    /// Solves a slice: by default backward from its conversions and ends.
    fn solve(&self, job: &Job<'_, Self>) -> Result<Table, Stopped> {
        backward(self, job)
    }
}

/// The slice of this name, as [`Indexed::slice_name`] has it; none if there is none.
pub fn slice_named<I: Indexed>(game: &I, name: &str) -> Option<I::Slice> {
    let slices = game.read_slices(name).ok()?;
    slices.first().copied().filter(|&slice| game.slice_name(slice) == name)
}

/// The slices and all that they convert into, directly or not, in an order in which they can be solved.
pub fn closure<I: Indexed>(game: &I, slices: &[I::Slice]) -> Vec<I::Slice> {
    fn visit<I: Indexed>(game: &I, slice: I::Slice, seen: &mut BTreeSet<I::Slice>, out: &mut Vec<I::Slice>) {
        if seen.insert(slice) {
            for next in game.conversions(slice) {
                visit(game, next, seen, out);
            }
            out.push(slice);
        }
    }
    let (mut seen, mut out) = (BTreeSet::new(), Vec::new());
    for &slice in slices {
        visit(game, slice, &mut seen, &mut out);
    }
    out
}
