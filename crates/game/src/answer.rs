//! What a method is asked and what it answers. All values are for the player to move at the root.

use crate::{Budget, Expertise, Outcome, Player, TwoPlayer};
use std::time::Duration;

/// A question with two answers: does `player` get `at_least` so much with best play of both?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// Who asks.
    pub player: Player,
    /// How much is enough.
    pub at_least: i32,
}

impl Question {
    /// Is this payoff of a finished game a yes?
    #[inline]
    pub fn is_met_by(self, payoff: crate::Payoff) -> bool {
        payoff.of(self.player) >= self.at_least
    }

    /// In a game without draws, the question whether a player gets at least 0 as the one whether he gets 1.
    #[must_use]
    pub fn without_draws<P: TwoPlayer>(self) -> Self {
        Self { at_least: if !P::DRAWS && self.at_least == 0 { 1 } else { self.at_least }, ..self }
    }

    /// The opponent's question whose answer is yes exactly when this one's is no.
    #[must_use]
    pub fn opposite(self) -> Self {
        Self { player: self.player.other(), at_least: 1 - self.at_least }
    }
}

/// How much is to be found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Win, draw or loss.
    #[default]
    Outcome,
    /// The exact payoff.
    Score,
}

/// What a method is given.
pub struct Task<'a, P: TwoPlayer, E: Expertise<P>> {
    /// The position asked about.
    pub root: &'a P,
    /// How much is to be found out.
    pub goal: Goal,
    /// What is known beyond the rules.
    pub expertise: &'a E,
    /// What may be spent.
    pub budget: &'a Budget,
    /// Who is told of the progress.
    pub observer: &'a dyn Observer<P::Move>,
}

/// Proven bounds on the payoff of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At least this.
    pub low: i32,
    /// At most this.
    pub high: i32,
}

impl Bounds {
    /// Exactly `score`.
    pub const fn exactly(score: i32) -> Self {
        Self { low: score, high: score }
    }

    /// All that is possible at `root`.
    pub fn open(root: &impl TwoPlayer) -> Self {
        let (low, high) = root.score_range_of(root.mover());
        Self { low, high }
    }

    /// What both say together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The bounds on what the other player gets.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }

    /// Win, draw or loss, if the bounds decide it.
    pub fn outcome(self) -> Option<Outcome> {
        let low = Outcome::of_score(self.low);
        (low == Outcome::of_score(self.high)).then_some(low)
    }

    /// Do the bounds answer all that `goal` asks?
    pub fn decide(self, goal: Goal) -> bool {
        match goal {
            Goal::Outcome => self.outcome().is_some(),
            Goal::Score => self.low == self.high,
        }
    }

    /// The bounds with what a game without draws adds to them: a bound of 0 is one of 1.
    #[must_use]
    pub fn without_draws<P: TwoPlayer>(self) -> Self {
        let Self { low, high } = self;
        if P::DRAWS {
            return self;
        }
        Self { low: if low == 0 { 1 } else { low }, high: if high == 0 { -1 } else { high } }
    }

    /// The bounds with the answer to a question taken in. `mover` is the player to move at the root.
    #[must_use]
    pub fn with(self, mover: Player, question: Question, yes: bool) -> Self {
        // In the mover's words a yes is "at least n", or, asked by the opponent, "at most -n".
        let n = question.at_least;
        match (question.player == mover, yes) {
            (true, true) => Self { low: self.low.max(n), ..self },
            (true, false) => Self { high: self.high.min(n - 1), ..self },
            (false, true) => Self { high: self.high.min(-n), ..self },
            (false, false) => Self { low: self.low.max(1 - n), ..self },
        }
    }
}

/// A guess with its spread, in payoff units of the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The guess.
    pub mean: f64,
    /// Its standard error, where the method has one.
    pub spread: Option<f64>,
}

/// The end of the game is so many plies away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distance {
    /// Half-moves to the end of the game.
    pub plies: u32,
    /// The shortest win (the longest resistance): exact. Otherwise the winner needs at most so many.
    pub exact: bool,
}

/// What a method did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Nodes, as the method counts them.
    pub nodes: u64,
    /// Most nodes or table entries held at once.
    pub peak: u64,
    /// Table look-ups that decided something.
    pub hits: u64,
    /// Calls of an evaluation, or playouts.
    pub evaluations: u64,
    /// Time.
    pub time: Duration,
}

/// What a method found: never more than it knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<M> {
    /// What is proven.
    pub bounds: Bounds,
    /// What is guessed beyond that.
    pub estimate: Option<Estimate>,
    /// How far the end is, if it is proven.
    pub distance: Option<Distance>,
    /// The best line found, as far as it is known.
    pub line: Vec<M>,
    /// What it cost.
    pub counts: Counts,
}

impl<M> Answer<M> {
    /// Nothing is known of `root` yet.
    pub fn open(root: &impl TwoPlayer) -> Self {
        Self {
            bounds: Bounds::open(root),
            estimate: None,
            distance: None,
            line: Vec::new(),
            counts: Counts::default(),
        }
    }
}

/// A word on the way.
#[derive(Clone, Debug)]
pub struct Progress<'a, M> {
    /// What is being done, in a few words.
    pub doing: &'a str,
    /// Nodes so far.
    pub nodes: u64,
    /// Depth reached, where that means something.
    pub depth: Option<u32>,
    /// Share of the work done, where it can be told.
    pub share: Option<f64>,
    /// What is proven so far.
    pub bounds: Bounds,
    /// What is guessed so far.
    pub estimate: Option<Estimate>,
    /// The best line so far.
    pub line: &'a [M],
}

/// Who is told of the progress: a progress bar, a stream of JSON lines, a page.
/// Methods report a few times a second at most.
pub trait Observer<M>: Sync {
    /// Something happened.
    fn progress(&self, progress: &Progress<'_, M>);
}

/// Nobody is told.
pub struct Quiet;

impl<M> Observer<M> for Quiet {
    fn progress(&self, _: &Progress<'_, M>) {}
}

/// Knows how to go on. Certificates are written by asking it at every position of the prover's.
pub trait Advisor<P: TwoPlayer> {
    /// A move that keeps the answer to `question` a yes, at a position where its player is to move and the
    /// answer is yes. In games with cycles, following the advice must get somewhere: where only a finite
    /// win will do, it never goes round for ever. It may be asked about images of the positions that can
    /// arise. None if it cannot tell.
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move>;
}
