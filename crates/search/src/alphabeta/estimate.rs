//! Search to a horizon: iterative deepening, principal variation search, aspiration windows.
//!
//! The horizon is evaluated by the expertise, once the moves that it calls unsettled are played out (quiescence
//! search). What is proven on the way is told apart by the flags of
//! [`Value`]: a value is exact when neither the horizon nor a repetition has touched it, and a win found by
//! deepening ply by ply is the shortest one. A position that an oracle knows (endgame databases) is not searched: it is
//! worth its outcome, proven. Late-move reductions (only if `selective`) may hide the
//! shortest win, never prove anything false. A pass is no move of most games, so there is no null move.

use super::order::place_of;
use super::value::{DECIDED, Entry, INFINITE, Value, from_node, from_root};
use super::worker::{Child, Worker};
use crate::table::Slot;
use endspiel_game::{Expertise, Goal, Symmetric, TwoPlayer};

/// What a finished iteration found.
#[derive(Clone, Debug)]
pub(super) struct Found<M> {
    pub depth: u32,
    pub value: Value,
    pub line: Vec<M>,
}

/// The first window around the last value, in thousandths of a point.
const ASPIRATION: i32 = 300;
/// Set apart the keys of this search in a table that proofs use as well.
const SALT: u64 = 0xA5A5_5A5A_3C3C_C3C3;
/// Reductions begin with this move at this depth.
const LATE: usize = 4;
const REDUCED_DEPTH: u32 = 4;
/// From this depth on all children are looked up before one is searched.
const LOOK_AHEAD: u32 = 4;

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Worker<'_, P, E> {
    /// Deepens until `most` plies, a decision or the end of the budget; the last finished iteration is kept.
    pub fn deepen(&mut self, root: &P, goal: Goal, most: Option<u32>) {
        self.found = None;
        let slot = self.estimate_slot(root);
        for depth in 1..=most.unwrap_or(u32::MAX).min(250) {
            self.depth = Some(depth);
            let last = self.found.as_ref().map(|f| f.value.score);
            let Some(value) = self.aspire(root, slot, depth, last) else { return };
            let line = std::mem::take(&mut self.lines[0]);
            self.found = Some(Found { depth, value, line });
            // A shallower search of the rest could still find a shorter win or a longer resistance.
            let shortest = !self.shared.options.shortest || value.plies().is_none_or(|plies| plies <= depth);
            let open = endspiel_game::Bounds::open(root);
            self.bounds = value.bounds(open);
            if self.bounds.decide(goal) && shortest {
                return;
            }
        }
    }

    /// One iteration: a narrow window around the last value, opened where the value leaves it.
    fn aspire(&mut self, root: &P, slot: Slot, depth: u32, last: Option<i32>) -> Option<Value> {
        let (mut alpha, mut beta) = match last {
            Some(last) if last.abs() < DECIDED => (last - ASPIRATION, last + ASPIRATION),
            _ => (-INFINITE, INFINITE),
        };
        loop {
            let value = self.search(root, slot, alpha, beta, depth, 0);
            if self.out {
                return None;
            }
            if value.score <= alpha && alpha > -INFINITE {
                alpha = -INFINITE;
            } else if value.score >= beta && beta < INFINITE {
                beta = INFINITE;
            } else {
                return Some(value);
            }
        }
    }

    /// Images share a slot; in games with cycles they don't, since the path is made of keys.
    #[inline]
    fn estimate_slot(&self, position: &P) -> Slot {
        let fold = self.shared.fold && !P::CYCLIC;
        let key = if fold { position.canonical_key() } else { position.key() };
        self.shared.table.slot(key ^ SALT)
    }

    /// The estimate of a position at the horizon, for its player to move.
    #[inline]
    fn evaluate(&mut self, position: &P) -> Value {
        self.evaluations += 1;
        Value::estimate(self.shared.expertise.evaluate(position).clamp(1 - DECIDED, DECIDED - 1))
    }

    /// The estimate at the horizon when what is unsettled is played out. The player to move takes the best of
    /// that and of leaving it, if he may.
    fn settle(&mut self, position: &P, mut alpha: i32, beta: i32) -> Value {
        let (base, mover, expertise) = (self.exchanges.len(), position.mover(), self.shared.expertise);
        let exchanges = &mut self.exchanges;
        let may_leave =
            expertise.unsettled(position, |m| exchanges.push((expertise.promise(position, m), m)));
        exchanges[base..].sort_by_key(|&(promise, _)| std::cmp::Reverse(promise));
        let mut best = Value::estimate(1 - DECIDED);
        if may_leave || self.exchanges.len() == base {
            best = self.evaluate(position);
        }
        for i in base..self.exchanges.len() {
            alpha = alpha.max(best.score);
            if alpha >= beta || self.out {
                break;
            }
            self.count();
            let after = position.after(self.exchanges[i].1);
            let score = match after.turn().player() {
                None => after.payoff().of(mover).saturating_mul(1000).clamp(1 - DECIDED, DECIDED - 1),
                Some(next) if next == mover => self.settle(&after, alpha, beta).score,
                Some(_) => -self.settle(&after, -beta, -alpha).score,
            };
            if score > best.score {
                best = Value::estimate(score);
            }
        }
        self.exchanges.truncate(base);
        best
    }

    /// The value of a position that is not over.
    fn search(&mut self, position: &P, slot: Slot, mut alpha: i32, beta: i32, depth: u32, ply: u32) -> Value {
        // 1. Count; keep the line of a node on the principal variation.
        self.count();
        let on_line = beta > alpha.saturating_add(1);
        if on_line {
            if self.lines.len() <= ply as usize + 1 {
                self.lines.resize(ply as usize + 2, Vec::new());
            }
            self.lines[ply as usize].clear();
        }
        if self.out {
            return Value::estimate(0);
        }
        // 2. A repetition on the path is worth what the rules say, for this path.
        let mover = position.mover();
        if P::CYCLIC && ply > 0 && self.keys.contains(&slot.key()) {
            return Value::estimate(position.repeated().of(mover) * 1000);
        }
        // 3. The horizon.
        if depth == 0 {
            return if E::UNSETTLED { self.settle(position, alpha, beta) } else { self.evaluate(position) };
        }
        // 4. What the table knows: as deep as this search, or proven.
        let table = self.shared.table;
        let mut hint = u8::MAX;
        if Self::is_kept(depth)
            && let Some(data) = table.probe(slot)
        {
            let entry = Entry::unpack(data);
            hint = entry.best;
            let value = Value { score: from_root(entry.value.score, ply), ..entry.value };
            let deep = u32::from(entry.depth) >= depth;
            // On the principal variation the line is worth more than the time.
            if !on_line {
                let at_least = value.low || deep && entry.lower;
                let at_most = value.high || deep && entry.upper;
                if at_least && (at_most || value.score >= beta) || at_most && value.score <= alpha {
                    self.hits += 1;
                    return value;
                }
            }
        }
        // 5. The moves, and the finished games among them.
        let base = self.stack.len();
        let mut best = Value { score: -INFINITE, low: true, high: true };
        let mut best_number = u8::MAX;
        let mut best_move = None;
        let window = alpha;
        let mut number = 0u8;
        let expertise = self.shared.expertise;
        let oracle = expertise.oracle();
        expertise.candidates(position, |m| {
            if best.score >= beta {
                return;
            }
            let after = position.after(m);
            let next = after.turn().player();
            let known = match next {
                None => Some(Value::finished(after.payoff().of(mover), ply + 1)),
                Some(next) => oracle.and_then(|oracle| oracle.bounds(&after)).and_then(|bounds| {
                    let value = Value::told(bounds, ply + 1)?;
                    Some(if next == mover { value } else { value.reversed() })
                }),
            };
            match (known, next) {
                (Some(value), _) => {
                    let high = best.high && value.high;
                    if value.score > best.score {
                        best = value;
                        (best_number, best_move) = (number, Some(m));
                    }
                    best.high = high;
                }
                (None, None) => {}
                // Children at the horizon are judged at once.
                (None, Some(next)) if depth == 1 && !P::CYCLIC && !E::UNSETTLED => {
                    self.count();
                    let value = self.evaluate(&after);
                    let value = if next == mover { value } else { value.reversed() };
                    if value.score > best.score {
                        best = value;
                        (best_number, best_move) = (number, Some(m));
                    }
                    best.high = false;
                }
                (None, Some(next)) => {
                    let place = place_of(m);
                    let needed = Self::is_kept(depth - 1) || P::CYCLIC;
                    let slot = if needed { self.estimate_slot(&after) } else { slot };
                    let promise = i64::from(expertise.promise(position, m));
                    let rank = (i64::from(number == hint) << 60)
                        + (self.killers.rank(ply as usize, m) << 56)
                        + (promise << 24)
                        + i64::from(self.history.of(mover, place))
                        + self.noise();
                    let again = next == mover;
                    self.stack.push(Child {
                        position: after,
                        m,
                        slot,
                        rank,
                        place: place as u16,
                        number,
                        again,
                    });
                }
            }
            number = number.saturating_add(1);
        });
        // 6. Does the table let one of the children cut at once?
        if depth >= LOOK_AHEAD && !on_line && best.score < beta {
            for child in &self.stack[base..] {
                let Some(entry) = table.probe(child.slot).map(Entry::unpack) else { continue };
                let deep = u32::from(entry.depth) + 1 >= depth;
                let value = Value { score: from_root(entry.value.score, ply + 1), ..entry.value };
                let (value, sure) = if child.again {
                    (value, value.low || deep && entry.lower)
                } else {
                    (value.reversed(), value.high || deep && entry.upper)
                };
                if sure && value.score >= beta {
                    self.hits += 1;
                    self.stack.truncate(base);
                    return Value { high: false, ..value };
                }
            }
        }
        // 7. Search the promising ones first, all but the first with a null window.
        self.sort_children(base);
        if P::CYCLIC {
            self.keys.push(slot.key());
        }
        alpha = alpha.max(best.score);
        for i in base..self.stack.len() {
            if best.score >= beta {
                break;
            }
            let child = self.stack[i].clone();
            let first = i == base && best_move.is_none();
            let late =
                self.shared.options.selective && !on_line && i - base >= LATE && depth >= REDUCED_DEPTH;
            let less = if late { depth - 2 } else { depth - 1 };
            let value = if first {
                self.search_child(&child, alpha, beta, depth - 1, ply)
            } else {
                let mut value = self.search_child(&child, alpha, alpha.saturating_add(1), less, ply);
                if late && value.score > alpha {
                    value = self.search_child(&child, alpha, alpha.saturating_add(1), depth - 1, ply);
                }
                if on_line && value.score > alpha && value.score < beta {
                    value = self.search_child(&child, alpha, beta, depth - 1, ply);
                }
                value
            };
            if self.out {
                break;
            }
            let all_high = best.high && value.high;
            if value.score > best.score {
                best = value;
                (best_number, best_move) = (child.number, Some(child.m));
                if value.score > alpha {
                    alpha = value.score;
                    if on_line {
                        let (head, tail) = self.lines.split_at_mut(ply as usize + 1);
                        let line = &mut head[ply as usize];
                        line.clear();
                        line.push(child.m);
                        line.extend_from_slice(&tail[0]);
                    }
                }
                if value.score >= beta {
                    self.killers.add(ply as usize, child.m);
                    self.history.add(mover, child.place as usize, (i - base) as i32);
                    for tried in base..i {
                        let place = self.stack[tried].place as usize;
                        self.history.add(mover, place, -1);
                    }
                    break;
                }
            }
            best.high = all_high;
        }
        if P::CYCLIC {
            self.keys.pop();
        }
        self.stack.truncate(base);
        if self.out {
            return Value::estimate(0);
        }
        if on_line && self.lines[ply as usize].is_empty() {
            self.lines[ply as usize].extend(best_move);
        }
        // 8. Keep it. After a cut nobody knows what else there was.
        best.high &= best.score < beta;
        let entry = Entry {
            value: Value { score: from_node(best.score, ply), ..best },
            lower: best.score > window,
            upper: best.score < beta,
            depth: depth as u8,
            best: best_number,
        };
        if Self::is_kept(depth) {
            table.store(slot, entry.pack(), depth as u8);
        }
        best
    }

    /// Does the table keep searches of this depth? A look around is cheaper than the table where nothing is
    /// evaluated.
    #[inline]
    fn is_kept(depth: u32) -> bool {
        depth > u32::from(!E::EVALUATES)
    }

    fn search_child(&mut self, child: &Child<P>, alpha: i32, beta: i32, depth: u32, ply: u32) -> Value {
        if child.again {
            self.search(&child.position, child.slot, alpha, beta, depth, ply + 1)
        } else {
            self.search(&child.position, child.slot, -beta, -alpha, depth, ply + 1).reversed()
        }
    }
}
