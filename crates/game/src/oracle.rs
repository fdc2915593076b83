//! Values that were computed before, endgame databases above all, as what every method knows of the ends.
//!
//! An [`Oracle`] tells sound bounds of the positions that it holds. [`Informed`] is an expert with an oracle, or without
//! one until it is given: methods ask for bounds and need not know where they come from.

use crate::{Attack, Expertise, Player, Question, Sequence, Stop, TwoPlayer};
use std::sync::Arc;

/// What an oracle knows positions from, a file of a database: a name without spaces, and the checksum of its bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Source {
    /// Rule set, slice and metric.
    pub name: String,
    /// The checksum of the whole.
    pub checksum: u64,
}

/// Knows some positions.
pub trait Oracle<P>: Send + Sync {
    /// Sound bounds on what the player to move can get with best play of both; none where it does not know.
    fn bounds(&self, position: &P) -> Option<(i32, i32)>;

    /// How many plies the game lasts from here with best play of both, the winner hurrying and the loser delaying; none
    /// where it does not know.
    fn plies(&self, _position: &P) -> Option<u32> {
        None
    }

    /// The score that a table of scores tells the player to move, with what was captured before. Where the rules that are played
    /// end sooner, with another score, it proves nothing, and serves to choose among moves that keep what is proven.
    fn score(&self, _position: &P) -> Option<i32> {
        None
    }

    /// What it could not read, if anything: an answer that may have needed it is not to be trusted.
    fn fault(&self) -> Option<String> {
        None
    }

    /// What it is, so that an answer can say what it rests on: files and checksums.
    fn describe(&self) -> String;

    /// What it knows positions from, each of which can be named in a certificate.
    fn sources(&self) -> Vec<Source> {
        Vec::new()
    }

    /// Which of [`Oracle::sources`] hold a position; [`Oracle::bounds`] asks the first.
    fn sources_of(&self, _position: &P) -> &[usize] {
        &[]
    }

    /// The bounds that one of these sources tells.
    fn bounds_from(&self, _position: &P, _source: usize) -> Option<(i32, i32)> {
        None
    }

    /// Compares all bytes of a source with its checksum; what is wrong with it otherwise.
    fn check_source(&self, _source: usize) -> Result<(), String> {
        Err("it cannot be checked".into())
    }
}

/// An expert that may ask an oracle too.
#[derive(Clone)]
pub struct Informed<P, E> {
    expert: E,
    oracle: Option<Arc<dyn Oracle<P>>>,
}

impl<P, E: Default> Default for Informed<P, E> {
    fn default() -> Self {
        Self { expert: E::default(), oracle: None }
    }
}

impl<P: TwoPlayer, E: Expertise<P>> Expertise<P> for Informed<P, E> {
    const EVALUATES: bool = E::EVALUATES;
    const THREATS: bool = E::THREATS;
    const UNSETTLED: bool = E::UNSETTLED;
    const EFFORT: bool = E::EFFORT;
    const BOUNDS: bool = E::BOUNDS;
    const KEEPS_DISTANCE: bool = E::KEEPS_DISTANCE;

    fn evaluate(&self, position: &P) -> i32 {
        self.expert.evaluate(position)
    }

    #[inline]
    fn bounds(&self, position: &P) -> (i32, i32) {
        let (low, high) = self.expert.bounds(position);
        match self.oracle.as_ref().and_then(|oracle| oracle.bounds(position)) {
            Some((least, most)) => (low.max(least), high.min(most)),
            None => (low, high),
        }
    }

    #[inline]
    fn candidates(&self, position: &P, each: impl FnMut(P::Move)) {
        self.expert.candidates(position, each);
    }

    #[inline]
    fn promise(&self, position: &P, m: P::Move) -> i32 {
        self.expert.promise(position, m)
    }

    #[inline]
    fn effort(&self, position: &P, question: Question) -> (u32, u32) {
        self.expert.effort(position, question)
    }

    fn attack(&self, position: &P, attacker: Player) -> Option<Attack<P::Move>> {
        self.expert.attack(position, attacker)
    }

    fn sequence(&self, position: &P, attacker: Player, stop: &Stop) -> Option<Sequence<P::Move>> {
        self.expert.sequence(position, attacker, stop)
    }

    #[inline]
    fn is_small(&self, position: &P) -> bool {
        self.expert.is_small(position)
    }

    #[inline]
    fn finish(&self, position: &P, at_least: i32, nodes: &mut u64) -> Option<i32> {
        self.expert.finish(position, at_least, nodes)
    }

    #[inline]
    fn unsettled(&self, position: &P, each: impl FnMut(P::Move)) -> bool {
        self.expert.unsettled(position, each)
    }

    fn inform(&mut self, oracle: Arc<dyn Oracle<P>>) -> bool {
        self.oracle = Some(oracle);
        true
    }

    fn oracle(&self) -> Option<&dyn Oracle<P>> {
        self.oracle.as_deref()
    }

    fn judges(&self, position: &P) -> bool {
        self.expert.judges(position)
    }
}
