//! What a certificate rests on beside the rules: databases, each named with its checksum.
//!
//! A position that a named database settles needs no record: what the claim asks for is what the database tells of it. The
//! checker looks into no other database, asks for all bytes of the named ones to be compared with their checksums
//! first, and demands that each of them was needed. That their values are right is not shown here: databases are
//! checked by themselves, value by value.

use endspiel_game::{Oracle, Question, Source, TwoPlayer};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Databases that may be asked, and which of them were needed.
pub struct Ground<'a, P> {
    oracle: &'a dyn Oracle<P>,
    sources: Vec<Source>,
    allowed: Vec<bool>,
    needed: Vec<AtomicBool>,
}

impl<'a, P: TwoPlayer> Ground<'a, P> {
    /// All that the oracle knows: to build on.
    pub fn all(oracle: &'a dyn Oracle<P>) -> Self {
        let sources = oracle.sources();
        let allowed = vec![true; sources.len()];
        let needed = sources.iter().map(|_| AtomicBool::new(false)).collect();
        Self { oracle, sources, allowed, needed }
    }

    /// The named databases alone, every byte compared with its checksum; what is wrong with which of them otherwise.
    pub(crate) fn named(oracle: &'a dyn Oracle<P>, named: &[Source]) -> Result<Self, (Source, String)> {
        let mut ground = Self::all(oracle);
        ground.allowed.fill(false);
        for source in named {
            let wrong = |what: String| (source.clone(), what);
            let found = ground.sources.iter().position(|s| s.name == source.name);
            let found = found.ok_or_else(|| wrong("it is not there".into()))?;
            let there = ground.sources[found].checksum;
            if there != source.checksum {
                return Err(wrong(format!("the one that is there has the checksum {there:016x}")));
            }
            oracle.check_source(found).map_err(wrong)?;
            ground.allowed[found] = true;
        }
        Ok(ground)
    }

    /// Does a database that may be asked say that the claim holds here?
    pub(crate) fn settles(&self, position: &P, claim: Question) -> bool {
        let allowed = |source: &&usize| self.allowed.get(**source) == Some(&true);
        let Some(&source) = self.oracle.sources_of(position).iter().find(allowed) else { return false };
        let Some((low, high)) = self.oracle.bounds_from(position, source) else { return false };
        let least = if position.mover() == claim.player { low } else { -high };
        let met = least >= claim.at_least;
        if met {
            self.needed[source].store(true, Relaxed);
        }
        met
    }

    /// Forgets what was needed.
    pub(crate) fn forget(&self) {
        self.needed.iter().for_each(|needed| needed.store(false, Relaxed));
    }

    /// The databases that were needed, in order of their names.
    pub(crate) fn needed(&self) -> Vec<Source> {
        let all = self.sources.iter().zip(&self.needed);
        let mut needed: Vec<Source> =
            all.filter(|(_, needed)| needed.load(Relaxed)).map(|(source, _)| source.clone()).collect();
        needed.sort();
        needed
    }
}
