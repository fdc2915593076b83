//! The path from the root, and results that hold only on it (the graph-history interaction problem).
//!
//! Depths on a path are counted from 1; depth 0 stands for claims taken on trust (see the module on claims).
//!
//! A result that takes some position of the path for repeated holds on that path alone. It is kept with the
//! path's signature. Met on another path it is *simulated* (Kishimoto and Mueller 2004): the winner's moves
//! are replayed from the table against all replies. What the replay reaches is then a closed set of
//! positions, but for positions of the new path, in which the winner can stay for ever; if it needs none of
//! them, the result holds everywhere, for every position of the set.

use super::leaf::Leaf;
use super::numbers::{ENDLESS, FREE, Verdict};
use super::table::{Entry, Table, Value, key_of};
use endspiel_game::{Expertise, Symmetric, TwoPlayer, mix};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Keys are hashes already.
#[derive(Default)]
pub(crate) struct Already(u64);

impl Hasher for Already {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0 ^ u64::from(byte));
        }
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

pub(crate) type Keyed<T> = HashMap<u64, T, BuildHasherDefault<Already>>;
pub(crate) type Keys = HashSet<u64, BuildHasherDefault<Already>>;

/// The positions from the root to the current node.
#[derive(Clone, Default)]
pub(crate) struct Path {
    depth_of: Keyed<u32>,
}

impl Path {
    /// The depth of a root without a past.
    pub const ROOT: u32 = 1;

    /// No past, and the depth of the root after it.
    pub fn none() -> (Self, u32) {
        (Self::default(), Self::ROOT)
    }

    /// Goes on to a position. One that is on the path already keeps its first depth.
    pub fn push(&mut self, key: u64, depth: u32) {
        self.depth_of.entry(key).or_insert(depth);
    }

    /// Takes back the position that stands last, at this depth.
    pub fn pop(&mut self, key: u64, depth: u32) {
        if self.depth_of(key) == Some(depth) {
            self.depth_of.remove(&key);
        }
    }

    /// The depth at which the position stands on the path.
    #[inline]
    pub fn depth_of(&self, key: u64) -> Option<u32> {
        self.depth_of.get(&key).copied()
    }
}

/// The signature of a path that goes on to one more position.
#[inline]
pub(crate) fn signature(path: u64, key: u64) -> u64 {
    mix(path ^ key)
}

/// Replays a result found on another path: does `position` give `yes` after this path too? Gives the depth
/// of the position of the path it rests on, if the replay succeeds within `limit` positions, and how many
/// positions it took.
pub(crate) fn simulate<P, E>(
    table: &Table,
    leaf: &Leaf<'_, E>,
    path: &Path,
    position: &P,
    yes: bool,
    limit: u64,
) -> (Option<u32>, u64)
where
    P: TwoPlayer + Symmetric,
    E: Expertise<P>,
{
    let mut seen = Keyed::default();
    let rests_on = replay(table, leaf, path, position, yes, limit, &mut seen);
    let steps = seen.len() as u64;
    if rests_on == Some(FREE) {
        for (key, entry) in seen {
            let value = Value::Solved { yes, height: ENDLESS };
            table.store(key, &Entry { value, ..entry });
        }
    }
    (rests_on, steps)
}

/// The positions that the winner's moves lead through, as far as they need the path.
fn replay<P, E>(
    table: &Table,
    leaf: &Leaf<'_, E>,
    path: &Path,
    position: &P,
    yes: bool,
    limit: u64,
    seen: &mut Keyed<Entry>,
) -> Option<u32>
where
    P: TwoPlayer + Symmetric,
    E: Expertise<P>,
{
    let wanted = if yes { Verdict::Yes } else { Verdict::No };
    let mut rests_on = FREE;
    let mut todo = vec![position.clone()];
    while let Some(position) = todo.pop() {
        if let Some(known) = leaf.known(&position) {
            if known.verdict() != wanted {
                return None;
            }
            continue;
        }
        let key = key_of(&position, leaf.question);
        if seen.contains_key(&key) {
            continue;
        }
        if let Some(depth) = path.depth_of(key) {
            if leaf.repeated(&position) != yes {
                return None;
            }
            rests_on = rests_on.min(depth);
            continue;
        }
        let entry = table.probe(key)?;
        match entry.value {
            Value::Solved { yes: there, .. } if there == yes => continue,
            Value::OnPath { yes: there, .. } if there == yes && leaf.repeated(&position) == yes => {}
            _ => return None,
        }
        if seen.len() as u64 >= limit {
            return None;
        }
        seen.insert(key, entry);
        if leaf.is_or(&position) == yes {
            todo.push(hinted(leaf, &position, entry.hint)?);
        } else {
            leaf.expertise.candidates(&position, |m| todo.push(position.after(m)));
        }
    }
    Some(rests_on)
}

/// The child whose key ends in these bits.
pub(crate) fn hinted<P, E>(leaf: &Leaf<'_, E>, position: &P, hint: u16) -> Option<P>
where
    P: TwoPlayer + Symmetric,
    E: Expertise<P>,
{
    let mut found = None;
    leaf.expertise.candidates(position, |m| {
        if found.is_none() {
            let child = position.after(m);
            if key_of(&child, leaf.question) as u16 == hint {
                found = Some(child);
            }
        }
    });
    found
}
