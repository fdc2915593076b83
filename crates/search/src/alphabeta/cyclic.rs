//! Proofs in games that can repeat, safe from graph-history interaction.
//!
//! A position on the path that comes back counts as [`Position::repeated`] says: *assumed*. What rests on
//! an assumption is true only while that holds, so such verdicts are *notes* of the thread beside the table,
//! and only what rests on nothing open goes into the table that all share:
//! - every node returns how far up the path its search has looked (Tarjan's low link, by opening times);
//! - a node that was assumed to have another verdict than it turns out to have takes back all notes made
//!   since it was opened: nothing else can rest on the assumption;
//! - a node whose search never looked above it closes a component: the notes made since it was opened
//!   support each other, and endless play among them is worth what was assumed, so all of them are true.
//!
//! The search deepens iteratively, so that short proofs come first and the path stays short. Beyond the
//! horizon nothing is known; each depth is searched once in the hope of a yes and once in the hope of a no.
//! Cost: each position once for every depth, and again whenever an assumption fails.
//!
//! [`Position::repeated`]: endspiel_game::Position::repeated

use super::known::Known;
use super::order::place_of;
use super::worker::{Child, Worker};
use crate::table::{Slot, worth_of};
use endspiel_game::{Expertise, Question, Symmetric, TwoPlayer};
use std::collections::HashMap;

/// What a search says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Yes,
    No,
    /// It depends on what lies beyond the horizon.
    Unknown,
}

impl Verdict {
    fn of(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// A verdict and what it rests on.
#[derive(Clone, Copy, Debug)]
struct Finding {
    verdict: Verdict,
    /// It rests on no assumption.
    sound: bool,
    /// The earliest opening time of a position on the path that the search has met again.
    low: u64,
}

impl Finding {
    const fn sound(verdict: Verdict) -> Self {
        Self { verdict, sound: true, low: u64::MAX }
    }
}

/// A finding that is not in the table.
#[derive(Clone, Copy, Debug)]
struct Note {
    finding: Finding,
    /// For what is unknown: searched so deep.
    depth: u32,
    /// Is the asking player to move?
    own: bool,
}

/// A position on the path.
struct Open {
    key: u64,
    time: u64,
    /// Something rests on the assumption that it has the verdict of endless play.
    assumed: bool,
}

/// What a thread remembers beside the table.
#[derive(Default)]
pub(super) struct Notes {
    by_key: HashMap<u64, Note>,
    /// The keys of the notes that rest on assumptions, in the order they were made.
    trail: Vec<u64>,
    path: Vec<Open>,
    clock: u64,
}

/// How many notes fit into so many bytes.
pub(super) fn notes_within(bytes: usize) -> usize {
    // While a map of n notes grows there are up to 8/7 n buckets, and twice as many, each with a byte of its own;
    // and the trail.
    bytes / (7 * (size_of::<(u64, Note)>() + 1) / 2 + 16)
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Worker<'_, P, E> {
    /// Is the answer to `question` yes? Without meaning if the budget runs out.
    pub fn decide(&mut self, root: &P, question: Question) -> bool {
        let slot = self.slot(root);
        for depth in 1.. {
            self.depth = Some(depth);
            for hope in [Verdict::Yes, Verdict::No] {
                self.notes = Notes::default();
                let verdict = self.visit(root, slot, question, depth, hope).verdict;
                if self.out || verdict != Verdict::Unknown {
                    self.notes = Notes::default();
                    return verdict == Verdict::Yes;
                }
            }
        }
        false
    }

    /// The verdict on a position, looking `depth` plies ahead. What is unknown counts as no hope: the search
    /// of a node ends as soon as the one hoped for is out of reach.
    fn visit(&mut self, position: &P, slot: Slot, question: Question, depth: u32, hope: Verdict) -> Finding {
        // 1. The end of the game, or a score that no play can change any more.
        let Some(mover) = position.turn().player() else {
            return Finding::sound(Verdict::of(question.is_met_by(position.payoff())));
        };
        let own = mover == question.player;
        let (low, high) = position.score_range_of(question.player);
        if low >= question.at_least || high < question.at_least {
            return Finding::sound(Verdict::of(low >= question.at_least));
        }
        // 2. What the table knows, and what was computed before.
        if let Some(verdict) = self.known(slot, question, own) {
            self.hits += 1;
            return Finding::sound(verdict);
        }
        if let Some(yes) = self.shared.expertise.told(position, question) {
            return Finding::sound(Verdict::of(yes));
        }
        // 3. A repetition on the path.
        let key = slot.key();
        let endless = Verdict::of(question.is_met_by(position.repeated()));
        if let Some(open) = self.notes.path.iter_mut().rev().find(|open| open.key == key) {
            open.assumed = true;
            return Finding { verdict: endless, sound: false, low: open.time };
        }
        // 4. What this thread has noted.
        if let Some(note) = self.notes.by_key.get(&key)
            && (note.finding.verdict != Verdict::Unknown || note.depth >= depth)
        {
            return note.finding;
        }
        // 5. The horizon.
        self.count();
        if depth == 0 || self.out {
            return Finding::sound(Verdict::Unknown);
        }
        // 6. Search the children.
        let begun = self.nodes;
        let time = self.notes.clock;
        self.notes.clock += 1;
        self.notes.path.push(Open { key, time, assumed: false });
        let made = self.notes.trail.len();
        let mut found = self.visit_children(position, question, own, depth, hope);
        let assumed = self.notes.path.pop().is_some_and(|open| open.assumed);
        if self.out {
            return Finding::sound(Verdict::Unknown);
        }
        // 7. A failed assumption takes back what may rest on it; a closed component becomes true.
        if assumed && found.verdict != endless {
            for key in self.notes.trail.drain(made..) {
                self.notes.by_key.remove(&key);
            }
            if !found.sound {
                found.verdict = Verdict::Unknown;
            }
        } else if found.low >= time {
            self.confirm(made, question);
            found = Finding { sound: true, low: u64::MAX, ..found };
        }
        // 8. Remember: the truth in the table, the rest as a note.
        if found.sound && found.verdict != Verdict::Unknown {
            self.learn(slot, question, own, found.verdict, worth_of(self.nodes - begun + 1));
        } else if self.notes.by_key.len() < self.shared.notes || self.notes.by_key.contains_key(&key) {
            self.notes.by_key.insert(key, Note { finding: found, depth, own });
            if found.verdict == Verdict::Unknown {
                // Whoever reads this note learns nothing, so nothing rests on it.
                if let Some(note) = self.notes.by_key.get_mut(&key) {
                    note.finding.low = u64::MAX;
                }
            } else {
                self.notes.trail.push(key);
            }
        }
        found
    }

    /// The player to move picks the verdict he likes best, as far as the children tell.
    fn visit_children(
        &mut self,
        position: &P,
        question: Question,
        own: bool,
        depth: u32,
        hope: Verdict,
    ) -> Finding {
        let base = self.stack.len();
        let mover = position.mover();
        let expertise = self.shared.expertise;
        let mut number = 0u8;
        expertise.candidates(position, |m| {
            let after = position.after(m);
            let slot = self.slot(&after);
            let place = place_of(m);
            let promise = i64::from(expertise.promise(position, m));
            let rank = (promise << 24) + i64::from(self.history.of(mover, place)) + self.noise();
            self.stack.push(Child {
                position: after,
                m,
                slot,
                rank,
                place: place as u16,
                number,
                again: false,
            });
            number = number.saturating_add(1);
        });
        self.sort_children(base);
        // What the player to move wants, and what he gets if no child gives it.
        let (wish, other) = if own { (Verdict::Yes, Verdict::No) } else { (Verdict::No, Verdict::Yes) };
        let mut found = Finding::sound(other);
        for i in base..self.stack.len() {
            let child = self.stack[i].clone();
            let finding = self.visit(&child.position, child.slot, question, depth - 1, hope);
            if self.out {
                break;
            }
            found.low = found.low.min(finding.low);
            if finding.verdict == wish {
                found = Finding { low: found.low, ..finding };
                self.history.add(mover, child.place as usize, (i - base) as i32);
                break;
            }
            found.sound &= finding.sound;
            if finding.verdict == Verdict::Unknown {
                found.verdict = Verdict::Unknown;
                // The hope was for what the opponent of the player to move wants: it is gone.
                if hope == other {
                    break;
                }
            }
        }
        self.stack.truncate(base);
        found
    }

    /// What the table knows of the answer at a position.
    fn known(&self, slot: Slot, question: Question, own: bool) -> Option<Verdict> {
        let known = Known::unpack(self.shared.table.probe(slot)?);
        let (low, high) = if own {
            (known.low, known.high)
        } else {
            (known.high.saturating_neg(), known.low.saturating_neg())
        };
        if low >= question.at_least {
            Some(Verdict::Yes)
        } else {
            (high < question.at_least).then_some(Verdict::No)
        }
    }

    /// Does the table know that the answer is no?
    pub fn is_no(&self, position: &P, question: Question) -> bool {
        self.known(self.slot(position), question, position.mover() == question.player) == Some(Verdict::No)
    }

    /// Keeps a true verdict in the table.
    fn learn(&self, slot: Slot, question: Question, own: bool, verdict: Verdict, worth: u8) {
        let mut known = self.shared.table.probe(slot).map_or(Known::NOTHING, Known::unpack);
        match (own, verdict == Verdict::Yes) {
            (true, true) => known.low = known.low.max(question.at_least),
            (true, false) => known.high = known.high.min(question.at_least - 1),
            (false, true) => known.high = known.high.min(-question.at_least),
            (false, false) => known.low = known.low.max(1 - question.at_least),
        }
        self.shared.table.store(slot, known.pack(), worth);
    }

    /// Makes truths of the notes of a closed component.
    fn confirm(&mut self, made: usize, question: Question) {
        while self.notes.trail.len() > made {
            let Some(key) = self.notes.trail.pop() else { break };
            if let Some(note) = self.notes.by_key.remove(&key) {
                self.learn(self.shared.table.slot(key), question, note.own, note.finding.verdict, 1);
            }
        }
    }
}
