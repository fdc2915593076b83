//! Advice from a tree of proven bounds: for every position seen with its moves, the move that secures most.
//!
//! A tree knows a position by its path. Where no position can come back, what is proven below one path holds
//! for all of them, and positions are found again by their keys. Where one can, there is no advice.

use crate::units::Units;
use endspiel_game::{Player, Question, TwoPlayer};
use std::collections::HashMap;

/// By key: what the player to move is sure of, in units, and the move that secures it.
pub(crate) struct Advice<M> {
    units: Units,
    moves: HashMap<u64, (i32, M)>,
}

impl<M: Copy> Advice<M> {
    pub fn new(units: Units) -> Self {
        Self { units, moves: HashMap::new() }
    }

    /// Takes in a tree whose root is node 0. `children` calls back with each child of a node, its move and
    /// its bounds for the first player.
    pub fn gather<P: TwoPlayer<Move = M>>(
        &mut self,
        root: &P,
        children: impl Fn(usize, &mut dyn FnMut(usize, M, (i32, i32))),
    ) {
        if P::CYCLIC {
            return;
        }
        let mut stack = vec![(0, root.clone())];
        while let Some((node, position)) = stack.pop() {
            let first = position.mover() == Player::FIRST;
            let mut best: Option<(i32, M)> = None;
            children(node, &mut |child, m, (low, high)| {
                let sure = if first { low } else { -high };
                if best.is_none_or(|(most, _)| sure > most) {
                    best = Some((sure, m));
                }
                stack.push((child, position.after(m)));
            });
            if let Some(best) = best {
                let entry = self.moves.entry(position.key()).or_insert(best);
                if best.0 > entry.0 {
                    *entry = best;
                }
            }
        }
    }

    /// A move after which the answer to `question` is proven to be yes.
    pub fn advise<P: TwoPlayer<Move = M>>(&self, position: &P, question: Question) -> Option<M> {
        if P::CYCLIC || position.mover() != question.player {
            return None;
        }
        if position.score_range_of(question.player).0 >= question.at_least {
            return position.move_list().first().copied();
        }
        let &(sure, m) = self.moves.get(&position.key())?;
        (self.units.sure(sure) >= question.at_least).then_some(m)
    }
}

/// Follows the advice against every reply and checks that it holds.
#[cfg(test)]
pub(crate) fn follow<P: TwoPlayer>(
    advisor: &mut impl endspiel_game::Advisor<P>,
    position: &P,
    question: Question,
) {
    if position.turn().is_over() {
        assert!(question.is_met_by(position.payoff()));
    } else if position.mover() == question.player {
        let m = advisor.advise(position, question).expect("what is proven can be shown");
        follow(advisor, &position.after(m), question);
    } else {
        position.moves(|m| follow(advisor, &position.after(m), question));
    }
}
