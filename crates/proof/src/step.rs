//! One step of a strategy: all that can follow a move of the prover's until the prover is to move again.
//!
//! The opponent's positions are not in the records; here they are expanded with every legal reply. Where
//! the opponent moves several times running (the prover has to pass, or a turn has several moves) the
//! positions are taken level by level. A position that may come back for ever, or cannot come back at all,
//! is taken once; any other once a level, and the levels must end. (A cycle through one position that may come
//! back for ever has no others, since what endless play gives is the same all around a cycle.)

use crate::ground::Ground;
use endspiel_game::{Notation, Position, Question, Turn, TwoPlayer};
use std::collections::HashSet;

/// The opponent may move so many times running.
const LONGEST_RUN: usize = 256;

/// What is wrong with a step.
#[derive(Clone, Debug)]
pub(crate) enum Flaw<P> {
    /// The game ends here with less than is claimed.
    Lost(P),
    /// The opponent moves on and on.
    Endless(P),
    /// The opponent has no move, though the game is not over: the rules are broken.
    Stuck(P),
}

/// Expands steps; keeps its buffers from one to the next.
pub(crate) struct Step<'a, P: Position> {
    claim: Question,
    ground: Option<&'a Ground<'a, P>>,
    /// The positions in which the prover is to move again, and cannot end it at once.
    pub arrivals: Vec<P>,
    /// Would each of the opponent's positions on the way, come back for ever, be good enough?
    pub may_repeat: bool,
    level: Vec<P>,
    next: Vec<P>,
    /// The last move that ended the game at once.
    likely: Option<P::Move>,
}

/// Can nothing worse than what is claimed happen any more, by the rules, or is as much secured by answers that they know? Where play can
/// go round for ever, neither says so.
pub(crate) fn is_certain<P: TwoPlayer>(position: &P, claim: Question) -> bool {
    !P::CYCLIC
        && (position.score_range_of(claim.player).0 >= claim.at_least
            || position.secured(claim.player, claim.at_least))
}

/// The prover's move that ends the game at once as claimed, if the rules know one; perhaps the one that is likely.
pub(crate) fn final_move<P: TwoPlayer>(
    position: &P,
    claim: Question,
    likely: Option<P::Move>,
) -> Option<P::Move> {
    position.winning_move(likely).filter(|&m| {
        let mut legal = false;
        position.moves(|other| legal |= other == m);
        if !legal {
            return false;
        }
        let end = position.after(m);
        end.turn().is_over() && claim.is_met_by(end.payoff())
    })
}

impl<'a, P: TwoPlayer + Notation> Step<'a, P> {
    /// Steps on the way to a claim; where databases are given, they end where one of them settles it.
    pub fn new(claim: Question, ground: Option<&'a Ground<'a, P>>) -> Self {
        let [arrivals, level, next] = [const { Vec::new() }; 3];
        Self { claim, ground, arrivals, may_repeat: true, level, next, likely: None }
    }

    /// Expands the step that begins at `position`, whoever is to move there.
    pub fn expand(&mut self, position: P) -> Result<(), Flaw<P>> {
        self.arrivals.clear();
        self.next.clear();
        self.may_repeat = true;
        let mut met = HashSet::new();
        self.sort_out(position)?;
        for run in 0..LONGEST_RUN {
            if self.next.is_empty() {
                break;
            }
            let mut level = std::mem::replace(&mut self.next, std::mem::take(&mut self.level));
            self.next.clear();
            if run > 0 {
                level.retain(|q| {
                    let mut code = Vec::new();
                    q.encode(&mut code);
                    let once = !P::CYCLIC || self.claim.is_met_by(q.repeated());
                    met.insert((code, if once { 0 } else { run }))
                });
            }
            for q in &level {
                if P::CYCLIC {
                    self.may_repeat &= self.claim.is_met_by(q.repeated());
                }
                let mut sorted = None;
                q.moves(|reply| {
                    if !matches!(sorted, Some(Err(_))) {
                        sorted = Some(self.sort_out(q.after(reply)));
                    }
                });
                sorted.unwrap_or_else(|| Err(Flaw::Stuck(q.clone())))?;
            }
            self.level = level;
        }
        self.next.pop().map_or(Ok(()), |p| Err(Flaw::Endless(p)))
    }

    /// Is the game over at `position`, or as good as over, is the prover to move, or the opponent?
    #[inline]
    fn sort_out(&mut self, position: P) -> Result<(), Flaw<P>> {
        match position.turn() {
            Turn::Over if self.claim.is_met_by(position.payoff()) => {}
            Turn::Over => return Err(Flaw::Lost(position)),
            _ if is_certain(&position, self.claim) => {}
            _ if self.ground.is_some_and(|ground| ground.settles(&position, self.claim)) => {}
            Turn::Player(p) if p == self.claim.player => {
                // A threat that is not met wins by the same move whatever else is played.
                match final_move(&position, self.claim, self.likely) {
                    None => self.arrivals.push(position),
                    found => self.likely = found,
                }
            }
            _ => self.next.push(position),
        }
        Ok(())
    }
}
