//! Claims taken on trust, and how they are checked before anything is called proven.
//!
//! A result that rests on a repetition is a *claim*: it says how the winner can stay among positions that he
//! claims as well. On large cyclic graphs it would be found again on every path, so a search may take claims
//! of other paths on trust. A root solved so is checked: the winner's moves are followed from it through all
//! replies. If they lead to ends and to proven or claimed positions only, and round in circles only where
//! endless play is what he wants, then all those claims are true. Otherwise the claims that fail are taken
//! back, and the positions that lack one are searched.

use super::history::{Keyed, Keys, hinted};
use super::leaf::Leaf;
use super::numbers::{ENDLESS, Verdict};
use super::table::{Entry, Table, Value, key_of};
use endspiel_game::{Expertise, Symmetric, TwoPlayer};

/// What a check finds.
pub(crate) struct Check<P> {
    /// Positions that the winner may reach and that lack a claim.
    pub missing: Vec<P>,
    /// Were claims taken back?
    pub refuted: bool,
    /// Does it go round where that does not help the winner?
    pub circular: bool,
}

impl<P> Check<P> {
    /// Is the claim proven?
    pub fn holds(&self) -> bool {
        self.missing.is_empty() && !self.refuted && !self.circular
    }
}

/// Enough repairs for one check.
const MOST_MISSING: usize = 256;

/// So many positions are looked at before they are paid for.
const STRIDE: u64 = 256;

/// Checks the claim that `root` gives `yes`, looking at no more than `limit` positions; none if that is too
/// few, or if `pay`, told of positions looked at, says that the budget is used up. If it holds, all positions
/// of the check are proven.
pub(crate) fn check<P, E>(
    table: &Table,
    leaf: &Leaf<'_, E>,
    root: &P,
    yes: bool,
    limit: u64,
    mut pay: impl FnMut(u64) -> bool,
) -> Option<Check<P>>
where
    P: TwoPlayer + Symmetric,
    E: Expertise<P>,
{
    let wanted = if yes { Verdict::Yes } else { Verdict::No };
    let mut found = Check { missing: Vec::new(), refuted: false, circular: false };
    let mut steps = 0;
    let (mut open, mut done) = (Keys::default(), Keyed::default());
    let mut stack: Vec<(u64, Entry, Vec<P>)> = Vec::new();
    let mut at = Some(root.clone());
    loop {
        if let Some(position) = at.take() {
            match look(table, leaf, &position, yes, wanted, &open, &done) {
                Look::Fine => {}
                Look::Circular => found.circular = true,
                Look::Refuted => {
                    found.refuted = true;
                    // The claim that leads here is wrong, unless its winner has another move.
                    if let Some((key, entry, _)) = stack.last() {
                        table.store(*key, &Entry { value: Value::Open { pn: 1, dn: 1 }, ..*entry });
                    }
                }
                Look::Missing => {
                    found.missing.push(position);
                    if found.missing.len() >= MOST_MISSING {
                        pay(steps % STRIDE);
                        return Some(found);
                    }
                }
                Look::Claim(key, entry, next) => {
                    steps += 1;
                    if steps > limit || steps.is_multiple_of(STRIDE) && pay(STRIDE) {
                        pay(steps % STRIDE);
                        return None;
                    }
                    open.insert(key);
                    stack.push((key, entry, next));
                }
            }
        }
        let Some((key, entry, next)) = stack.last_mut() else { break };
        at = next.pop();
        if at.is_none() {
            open.remove(key);
            done.insert(*key, *entry);
            stack.pop();
        }
    }
    pay(steps % STRIDE);
    if found.holds() {
        for (key, entry) in done {
            table.store(key, &Entry { value: Value::Solved { yes, height: ENDLESS }, ..entry });
        }
    }
    Some(found)
}

enum Look<P> {
    Fine,
    Refuted,
    Circular,
    Missing,
    Claim(u64, Entry, Vec<P>),
}

fn look<P, E>(
    table: &Table,
    leaf: &Leaf<'_, E>,
    position: &P,
    yes: bool,
    wanted: Verdict,
    open: &Keys,
    done: &Keyed<Entry>,
) -> Look<P>
where
    P: TwoPlayer + Symmetric,
    E: Expertise<P>,
{
    if let Some(known) = leaf.known(position) {
        return if known.verdict() == wanted { Look::Fine } else { Look::Refuted };
    }
    let key = key_of(position, leaf.question);
    if open.contains(&key) {
        return if leaf.repeated(position) == yes { Look::Fine } else { Look::Circular };
    }
    if done.contains_key(&key) {
        return Look::Fine;
    }
    let Some(entry) = table.probe(key) else { return Look::Missing };
    match entry.value {
        Value::Solved { yes: there, .. } => return if there == yes { Look::Fine } else { Look::Refuted },
        Value::OnPath { yes: there, .. } if there == yes => {}
        _ => return Look::Missing,
    }
    if leaf.is_or(position) == yes {
        return hinted(leaf, position, entry.hint)
            .map_or(Look::Missing, |child| Look::Claim(key, entry, vec![child]));
    }
    let mut next = Vec::new();
    leaf.expertise.candidates(position, |m| next.push(position.after(m)));
    Look::Claim(key, entry, next)
}
