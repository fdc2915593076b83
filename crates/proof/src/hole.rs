//! A hole in a strategy, in words that let anyone look for it on a board.

use crate::step::Flaw;
use endspiel_game::{Notation, Question, TwoPlayer};
use std::fmt;

/// The place where a strategy fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// The claim that is not proven.
    pub claim: Question,
    /// The position the step begins at, in the game's notation: one of the prover's, or the root.
    pub position: String,
    /// The prover's move there; none if the fault lies before it.
    pub played: Option<String>,
    /// The opponent's reply, where one reply leads to the fault.
    pub reply: Option<String>,
    /// The position with the fault, if it is another one.
    pub leads_to: Option<String>,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The prover is to move, but has no record.
    NoRecord,
    /// The record's move is not one of the legal moves.
    NoSuchMove {
        /// The number in the record, from 0.
        number: u16,
        /// How many legal moves there are.
        legal: usize,
    },
    /// The game is over, and not as claimed.
    Lost {
        /// What the prover gets.
        payoff: i32,
    },
    /// The ranks allow endless play that is not good enough.
    Rank {
        /// The rank before the move.
        from: u32,
        /// The rank after the reply.
        to: u32,
        /// May it stay the same here?
        may_stay: bool,
    },
    /// The opponent moves on and on without the prover's having a turn.
    Endless,
    /// The opponent has no move, though the game is not over: the rules are broken.
    Stuck,
}

impl Hole {
    /// Describes the step from `at` by the move `played` to the position `end`.
    pub(crate) fn new<P: TwoPlayer + Notation>(
        claim: Question,
        at: &P,
        played: Option<P::Move>,
        fault: Fault,
        end: Option<&P>,
    ) -> Self {
        let leads_to = end.map(Notation::write).filter(|text| *text != at.write());
        let between = played.map_or_else(|| at.clone(), |m| at.after(m));
        let mut reply = None;
        if between.turn().player() == Some(claim.player.other()) {
            between.moves(|m| {
                if reply.is_none() && Some(between.after(m).write()) == leads_to {
                    reply = Some(between.write_move(m));
                }
            });
        }
        let played = played.map(|m| at.write_move(m));
        Self { claim, position: at.write(), played, reply, leads_to, fault }
    }
}

impl<P: TwoPlayer> Flaw<P> {
    /// The fault that this flaw of a step is, and where.
    pub(crate) fn fault(&self, claim: Question) -> (Fault, &P) {
        match self {
            Self::Lost(end) => (Fault::Lost { payoff: end.payoff().of(claim.player) }, end),
            Self::Endless(end) => (Fault::Endless, end),
            Self::Stuck(end) => (Fault::Stuck, end),
        }
    }
}

impl fmt::Display for Hole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Question { player, at_least } = self.claim;
        write!(f, "the {player}'s strategy to get at least {at_least} has a hole: at '{}'", self.position)?;
        if let Some(played) = &self.played {
            write!(f, " it plays {played},")?;
        }
        if let Some(reply) = &self.reply {
            write!(f, " the reply is {reply},")?;
        }
        if let Some(end) = &self.leads_to {
            write!(f, " which leads to '{end}':")?;
        }
        match self.fault {
            Fault::NoRecord => f.write_str(" there is no answer"),
            Fault::NoSuchMove { number, legal } => {
                write!(f, " the answer is move number {number} of only {legal}, counted from 0")
            }
            Fault::Lost { payoff } => write!(f, " the game is over and gives {payoff}"),
            Fault::Rank { from, to, may_stay: true } => write!(f, " the rank rises from {from} to {to}"),
            Fault::Rank { from, to, may_stay: false } => {
                write!(f, " the rank must fall, but goes from {from} to {to}")
            }
            Fault::Endless => f.write_str(" the opponent can move on without end"),
            Fault::Stuck => f.write_str(" the opponent has no move, though the game is not over"),
        }
    }
}

impl std::error::Error for Hole {}
