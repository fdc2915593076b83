//! Tells a win by threats in full, and where the defender has to play: every cell that he may take is tried.
//!
//! After a reply the wins that were found before are tried first, for most replies change nothing; then there is a new
//! search. So a cell is left out only where a win stands after it. What takes more searches than there is time for is
//! listed, and said to be unsure.

use endspiel_game::{Counter, Plan, Sequence, Stop};

/// So many searches are made for the replies of one win.
const SEARCHES: usize = 40;

/// How a win was found.
pub(super) struct Found<H> {
    pub plan: Plan<usize>,
    pub counters: Vec<Counter<usize>>,
    pub positions: usize,
    /// What is needed to try it after another reply.
    pub how: H,
}

/// A position, and a reply of the defender's that is put there and taken back.
pub(super) trait Ground {
    type How;

    /// A win by threats of the attacker's, who is to move.
    fn find(&mut self) -> Option<Found<Self::How>>;

    /// Does a win that was found after another reply, or none, win here too?
    fn stands(&mut self, how: &Self::How) -> bool;

    /// What the defender may reply; and what completes a line of his.
    fn replies(&self) -> (Vec<usize>, Vec<usize>);

    fn put(&mut self, reply: usize);

    fn take_back(&mut self, reply: usize);
}

/// A win of the attacker's, if there is one.
pub(super) fn tell(ground: &mut impl Ground, stop: &Stop) -> Option<Sequence<usize>> {
    let Found { plan, counters: seen, positions, how } = ground.find()?;
    let mut counters: Vec<Counter<usize>> = Vec::new();
    for counter in seen {
        if !counters.iter().any(|known| (known.threat, known.answer) == (counter.threat, counter.answer)) {
            counters.push(counter);
        }
    }
    counters.sort_by_key(|counter| counter.after);
    let (replies, completes) = ground.replies();
    let (mut must, mut unsure, mut known, mut searches) = (Vec::new(), Vec::new(), vec![how], SEARCHES);
    for reply in replies {
        if completes.contains(&reply) {
            must.push(reply);
            continue;
        }
        ground.put(reply);
        if known.iter().rev().any(|how| ground.stands(how)) {
            // The win stands.
        } else if searches == 0 || stop.asked() {
            must.push(reply);
            unsure.push(reply);
        } else {
            searches -= 1;
            match ground.find() {
                Some(found) => known.push(found.how),
                None => must.push(reply),
            }
        }
        ground.take_back(reply);
    }
    Some(Sequence { plan, counters, positions, must, unsure })
}
