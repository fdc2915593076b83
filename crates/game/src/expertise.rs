//! What a method may know of a game beyond its rules.
//!
//! Every hook has a neutral answer, so that `impl Expertise<P> for X {}` is already an expert that knows
//! nothing: [`Rules`] is that one. `bounds`, `candidates` and `finish` must be *sound*: methods claim proofs
//! with them.

use crate::{Oracle, Player, Question, Sequence, Stop, TwoPlayer};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A candidate of an expert: where it leads, and what can be told of that at once.
#[derive(Clone, Copy, Debug)]
pub struct Offer<P: TwoPlayer> {
    /// The move.
    pub m: P::Move,
    /// The position after it.
    pub position: P,
    /// The player who moves gets at least this by it.
    pub low: i32,
    /// At most this.
    pub high: i32,
    /// How promising it looks; without meaning where the bounds decide.
    pub promise: i32,
}

/// A win by threats alone: each move of the attacker's leaves one reply, and the last one none that helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attack<M> {
    /// The attacker's moves and the forced replies, in turn.
    pub line: Vec<M>,
    /// Where the defender has to play, were it his turn now: every other move leaves the attack as it is.
    pub must: Vec<M>,
}

/// Knowledge about one game for the search methods.
pub trait Expertise<P: TwoPlayer>: Clone + Send + Sync + 'static {
    /// An estimate of what the player to move will get, in thousandths of a payoff unit: 1000 is a sure
    /// win by one point.
    fn evaluate(&self, _position: &P) -> i32 {
        0
    }

    /// Sound bounds on what the player to move can get with best play of both.
    #[inline]
    fn bounds(&self, position: &P) -> (i32, i32) {
        position.score_range_of(position.mover())
    }

    /// Calls `each` with legal moves among which there is a best one: all of them, or fewer where some
    /// are proven to be no better than another. None only if there is no legal move.
    #[inline]
    fn candidates(&self, position: &P, each: impl FnMut(P::Move)) {
        position.moves(each);
    }

    /// How promising a move looks: the greater, the earlier it is searched.
    #[inline]
    fn promise(&self, _position: &P, _m: P::Move) -> i32 {
        0
    }

    /// All candidates with where they lead, what is proven of that and how promising it looks: the other hooks
    /// in one, which an expert may answer with less work than one by one. `promise` is only asked for where
    /// the bounds leave open whether the player to move gets `at_least` so much. Stops when `each` breaks.
    #[inline]
    fn offers(&self, position: &P, at_least: i32, mut each: impl FnMut(Offer<P>) -> ControlFlow<()>) {
        let mover = position.mover();
        let mut flow = ControlFlow::Continue(());
        self.candidates(position, |m| {
            if flow.is_break() {
                return;
            }
            let after = position.after(m);
            let (low, high) = match after.turn().player() {
                None => {
                    let score = after.payoff().of(mover);
                    (score, score)
                }
                Some(next) => {
                    let (low, high) = self.bounds(&after);
                    if next == mover { (low, high) } else { (-high, -low) }
                }
            };
            let open = low < at_least && at_least <= high;
            let promise = if open { self.promise(position, m) } else { 0 };
            flow = each(Offer { m, position: after, low, high, promise });
        });
    }

    /// How much work it seems to be to prove and to disprove `question` here: the first numbers of a leaf
    /// in proof-number search, at least 1 each.
    #[inline]
    fn effort(&self, _position: &P, _question: Question) -> (u32, u32) {
        (1, 1)
    }

    /// A win by threats of `attacker`, who is to move or whose opponent passes; none where none is known.
    fn attack(&self, _position: &P, _attacker: Player) -> Option<Attack<P::Move>> {
        None
    }

    /// The same told in full, searched for with more patience: all replies, what was tried against it, and only those
    /// cells where the defender has to play after which no win by threats is found. Cut short when asked to stop.
    fn sequence(&self, _position: &P, _attacker: Player, _stop: &Stop) -> Option<Sequence<P::Move>> {
        None
    }

    /// Is so little left here that [`Expertise::finish`] settles it sooner than a method could? Such positions
    /// are not worth a place in a table.
    #[inline]
    fn is_small(&self, _position: &P) -> bool {
        false
    }

    /// Finishes a small position by a search of its own: a sound bound on what the player to move can get
    /// that is at least `at_least` or below it. Adds what it has searched to `nodes`. None where the position
    /// is not small.
    #[inline]
    fn finish(&self, _position: &P, _at_least: i32, _nodes: &mut u64) -> Option<i32> {
        None
    }

    /// Calls `each` with the moves that must be played out before `evaluate` means something, captures mostly.
    /// Says whether the player to move may leave them all as well: then he gets about `evaluate`.
    #[inline]
    fn unsettled(&self, _position: &P, _each: impl FnMut(P::Move)) -> bool {
        true
    }

    /// Takes in values computed before; false if it has no use for them. See [`Informed`](crate::Informed).
    fn inform(&mut self, _oracle: Arc<dyn Oracle<P>>) -> bool {
        false
    }

    /// The values computed before that it was given: its bounds rest on them.
    fn oracle(&self) -> Option<&dyn Oracle<P>> {
        None
    }

    /// The answer to a question by the values computed before alone.
    fn told(&self, position: &P, question: Question) -> Option<bool> {
        let (low, high) = self.oracle()?.bounds(position)?;
        let (low, high) = if position.mover() == question.player { (low, high) } else { (-high, -low) };
        if low >= question.at_least { Some(true) } else { (high < question.at_least).then_some(false) }
    }

    /// Is `evaluate` worth looking ahead with from here? Otherwise random games judge better.
    fn judges(&self, _position: &P) -> bool {
        Self::EVALUATES
    }

    /// Is `evaluate` more than the neutral answer? Then estimates mean something.
    const EVALUATES: bool = false;

    /// Is `sequence` more than the neutral answer? Then wins by threats are looked for.
    const THREATS: bool = false;

    /// Is `unsettled` more than the neutral answer? Then a look ahead does not stop amid an exchange.
    const UNSETTLED: bool = false;

    /// Does `effort` guide better than the number of moves? Then methods that begin with moves ask it instead.
    const EFFORT: bool = false;

    /// Do `bounds` say more than the rules do? Then depth-first proofs cut by them.
    const BOUNDS: bool = false;

    /// Is among the `candidates` a move that wins soonest, or loses latest? Otherwise distances found with them
    /// mean nothing, and none are told.
    const KEEPS_DISTANCE: bool = true;
}

/// The expert that knows the rules and nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules;

impl<P: TwoPlayer> Expertise<P> for Rules {}
