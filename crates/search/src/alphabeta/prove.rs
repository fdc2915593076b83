//! Proofs in games that cannot repeat: a null-window search to the end of the game.
//!
//! `test` asks whether the player to move gets at least `beta` and returns a bound that answers it: at least
//! `beta` or below it, and often better than asked (fail-soft). The table keeps both bounds of a position,
//! so that the questions of one goal help each other. No depth, no estimate: what it says is proven. Order
//! is the expertise's and the last cut's; a history of moves made connect-four, m,n,k and Othello slower.

use super::worker::{Child, Worker};
use crate::table::{Slot, worth_of};
use endspiel_game::{Expertise, Offer, Question, Symmetric, Turn, TwoPlayer};
use std::ops::{ControlFlow, Range};

/// Both bounds of a position for its player to move, and the move that last cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub low: i32,
    pub high: i32,
    pub cut: u8,
}

impl Known {
    /// No move has cut.
    pub const NO_CUT: u8 = u8::MAX;
    pub const NOTHING: Self = Self { low: i32::MIN, high: i32::MAX, cut: Self::NO_CUT };

    /// Scores beyond 15 bits are kept as the weaker bound that fits.
    pub fn pack(self) -> u64 {
        let low = if self.low > i32::from(i16::MAX) { i16::MAX } else { self.low.max(-0x8000) as i16 };
        let high = if self.high < i32::from(i16::MIN) { i16::MIN } else { self.high.min(0x7FFF) as i16 };
        u64::from(low as u16) | u64::from(high as u16) << 16 | u64::from(self.cut) << 32
    }

    #[inline]
    pub fn unpack(data: u64) -> Self {
        let (low, high) = (i32::from(data as i16), i32::from((data >> 16) as i16));
        Self {
            low: if low == i32::from(i16::MIN) { i32::MIN } else { low },
            high: if high == i32::from(i16::MAX) { i32::MAX } else { high },
            cut: (data >> 32) as u8,
        }
    }
}

/// On these plies a thread leaves to another what it is at, and looks whether another has answered for it.
/// Before them it joins: to guess that a move there will not cut costs too much where it does.
const BUSY_PLIES: Range<u32> = 4..24;

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Worker<'_, P, E> {
    /// A bound on what the player to move gets that answers `question`.
    pub fn prove(&mut self, root: &P, question: Question) -> i32 {
        let (own, beta) = match root.turn().player() {
            None => return root.payoff().of(root.mover()),
            Some(mover) if mover == question.player => (true, question.at_least),
            Some(_) => (false, 1 - question.at_least),
        };
        if P::CYCLIC {
            let yes = self.decide(root, question);
            if yes == own { beta } else { beta - 1 }
        } else {
            self.test_root(root, beta)
        }
    }

    /// Is the answer to `question` yes?
    pub fn holds(&mut self, position: &P, question: Question) -> bool {
        let bound = self.prove(position, question);
        if question.player == position.mover() {
            bound >= question.at_least
        } else {
            -bound >= question.at_least
        }
    }

    /// The answer for a root: its static bounds are looked at first.
    fn test_root(&mut self, root: &P, beta: i32) -> i32 {
        self.path.clear();
        self.taken = None;
        let Some(mover) = root.turn().player() else { return root.payoff().of(root.mover()) };
        let (low, high) = self.static_bounds(root, Some(mover), mover);
        if low >= beta {
            return low;
        }
        if high < beta {
            return high;
        }
        self.test(root, self.slot(root), beta, 0)
    }

    /// Has another thread answered for a position on the path? Then what is below it need not be searched: the
    /// search unwinds to it.
    pub fn look_at_path(&mut self) {
        let table = self.shared.table;
        let decided = self.path.iter().enumerate().find_map(|(ply, &(slot, beta))| {
            let known = Known::unpack(table.probe(table.slot(slot.key()))?);
            let bound = if known.low >= beta { known.low } else { known.high };
            (known.low >= beta || known.high < beta).then_some((ply as u32, bound))
        });
        if decided.is_some() {
            (self.taken, self.out) = (decided, true);
        }
    }

    /// The answer of another thread that this one has unwound for, if it was for this ply.
    #[cold]
    fn take_over(&mut self, ply: u32) -> Option<i32> {
        let (_, bound) = self.taken.take_if(|taken| taken.0 == ply)?;
        self.out = false;
        Some(bound)
    }

    /// Leaves a small position to the expertise.
    #[inline]
    fn finish(&mut self, position: &P, beta: i32) -> Option<i32> {
        let mut nodes = 0;
        let bound = self.shared.expertise.finish(position, beta, &mut nodes);
        self.count_more(nodes);
        bound
    }

    /// Does the player to move get at least `beta`? The game is not over, and its static bounds do not tell.
    fn test(&mut self, position: &P, slot: Slot, beta: i32, ply: u32) -> i32 {
        // 1. Count; a search that is out of budget unwinds with a value nobody reads.
        self.count();
        if self.out {
            return beta - 1;
        }
        if let Some(bound) = self.finish(position, beta) {
            return bound;
        }
        let begun = self.nodes;
        // 2. What the table knows.
        let table = self.shared.table;
        let mut known = Known::NOTHING;
        if let Some(data) = table.probe(slot) {
            known = Known::unpack(data);
            if known.low >= beta {
                self.hits += 1;
                return known.low;
            }
            if known.high < beta {
                self.hits += 1;
                return known.high;
            }
        }
        // 3. The children: those that static bounds decide cut, or count and go.
        let base = self.stack.len();
        let mover = position.mover();
        let mut best = i32::MIN;
        let mut number = 0u8;
        let mut all_small = true;
        let expertise = self.shared.expertise;
        expertise.offers(position, beta, |offer| {
            if offer.low >= beta {
                best = offer.low;
                return ControlFlow::Break(());
            }
            if offer.high < beta {
                best = best.max(offer.high);
            } else {
                let again = offer.position.turn() == Turn::Player(mover);
                all_small &= expertise.is_small(&offer.position);
                let slot = self.slot(&offer.position);
                let hint = i64::from(number == known.cut) << 60;
                let rank = hint + (i64::from(offer.promise) << 24);
                let Offer { position, m, .. } = offer;
                self.stack.push(Child { position, m, slot, rank, place: 0, number, again });
            }
            number = number.saturating_add(1);
            ControlFlow::Continue(())
        });
        if best >= beta {
            self.stack.truncate(base);
            return best;
        }
        // 4. Enhanced transposition cut-off: does the table decide one of the children?
        if self.stack.len() > base + 1 && !all_small && self.sizes.is_large(ply) {
            let mut i = base;
            while i < self.stack.len() {
                let child = &self.stack[i];
                let there = table.probe(child.slot).map_or(Known::NOTHING, Known::unpack);
                let (low, high) = if child.again {
                    (there.low, there.high)
                } else {
                    (there.high.saturating_neg(), there.low.saturating_neg())
                };
                if low >= beta {
                    self.hits += 1;
                    self.stack.truncate(base);
                    return low;
                }
                if high < beta {
                    best = best.max(high);
                    self.stack.remove(i);
                } else {
                    i += 1;
                }
            }
        }
        // 5. The promising ones first.
        self.sort_children(base);
        // 6. Search; leave what another thread is at for a second round.
        let end = self.stack.len();
        let together = ply < BUSY_PLIES.end && !self.shared.busy.is_empty();
        let share = together && ply >= BUSY_PLIES.start && self.sizes.is_shared(ply);
        let mut cut = Known::NO_CUT;
        let mut left: u64 = 0;
        'rounds: for round in 0..2 {
            for i in base..end {
                let bit = 1u64 << (i - base).min(63);
                if round == 1 && left & bit == 0 {
                    continue;
                }
                if share && round == 0 && i > base && i - base < 63 && self.is_busy(self.stack[i].slot.key())
                {
                    left |= bit;
                    continue;
                }
                let child = self.stack[i].clone();
                if share {
                    self.mark_busy(child.slot.key(), child.slot.key());
                }
                if together {
                    self.path.truncate(ply as usize);
                    self.path.push((slot, beta));
                }
                let value = if child.again {
                    self.test(&child.position, child.slot, beta, ply + 1)
                } else {
                    -self.test(&child.position, child.slot, 1 - beta, ply + 1)
                };
                if share {
                    self.mark_busy(child.slot.key(), 0);
                }
                if self.out {
                    self.stack.truncate(base);
                    return self.take_over(ply).unwrap_or(beta - 1);
                }
                best = best.max(value);
                if value >= beta {
                    cut = child.number;
                    break 'rounds;
                }
            }
            if left == 0 {
                break;
            }
        }
        self.stack.truncate(base);
        // 7. Keep the better bound.
        if best >= beta {
            known = Known { low: known.low.max(best), cut, ..known };
        } else {
            known.high = known.high.min(best);
        }
        let worth = worth_of(self.nodes - begun + 1);
        self.sizes.add(ply, worth);
        table.store(slot, known.pack(), worth);
        best
    }
}
