//! The check of a folder of databases: every byte, values from those of their successors, and metrics beside each other. It goes on
//! after damage, and tells all of it.

use crate::database_reports::CheckReport;
use crate::databases::Opened;
use crate::report::Error;
use endspiel_game::{Game, Notation};
use endspiel_retro::{
    Indexed, Work, check_across, check_planned, check_small, plan_check, plan_checks, plan_small,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

/// What checks find.
#[derive(Default)]
struct Findings {
    values: u64,
    damage: Vec<endspiel_retro::Error>,
}

impl Findings {
    /// Counts values, or keeps what is wrong with files; what ends the work is an error.
    fn note(&mut self, checked: Result<u64, endspiel_retro::Error>) -> Result<(), Error> {
        match checked {
            Ok(values) => self.values += values,
            Err(error) if error.is_damage() => self.damage.push(error),
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// All that is wrong, each thing once.
    fn told(self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        self.damage.iter().map(ToString::to_string).filter(|what| seen.insert(what.clone())).collect()
    }
}

impl<G: Game<Position: Notation>, I: Indexed<Position = G::Position> + 'static> Opened<G, I> {
    /// Compares all checksums and re-derives values; of these slices, or of all that are there.
    pub(crate) fn check(
        &self,
        slices: Option<&str>,
        (every, memory): (u64, u64),
        work: &Work<'_>,
    ) -> Result<CheckReport, Error> {
        let begun = Instant::now();
        let asked = slices.map(|text| self.slices(text)).transpose()?;
        let names: Option<Vec<String>> =
            asked.map(|asked| asked.into_iter().map(|slice| self.index.slice_name(slice)).collect());
        let checked = self.store.check_each(names.as_deref())?;
        let mut found = Findings { damage: checked.damage, ..Findings::default() };
        let files = checked.full.len() + checked.small.len();
        for name in names.iter().flatten() {
            let mut readers = checked.full.iter().chain(&checked.small);
            let begins = |e: &endspiel_retro::Error| {
                let file = e.path().and_then(Path::file_name).map(|file| file.to_string_lossy());
                file.is_some_and(|file| file.starts_with(&format!("{name}.")))
            };
            if !readers.any(|r| r.header().slice == *name) && !found.damage.iter().any(begins) {
                found.note(self.store.open_any(name, self.metrics[0], 0).map(|_| 0))?;
            }
        }
        let (mut tables, mut small, mut metrics) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (reader, is_small) in
            checked.full.iter().map(|r| (r, false)).chain(checked.small.iter().map(|r| (r, true)))
        {
            let metric = reader.metric();
            if let Err(why) = self.index.can_tell(metric) {
                let (path, what) = (reader.path().into(), why.to_string());
                found.note(Err(endspiel_retro::Error::Damaged { path, what }))?;
                continue;
            }
            let slice = match reader.slice_of(&*self.index) {
                Ok(slice) => slice,
                Err(error) => {
                    found.note(Err(error))?;
                    continue;
                }
            };
            if is_small {
                plan_small(&*self.index, (slice, metric), (every, memory))?;
                small.push((slice, metric));
                continue;
            }
            // A file below that is missing or damaged is told once, and what rests on it is passed over.
            match plan_check(&*self.index, &self.store, slice, metric, (every, memory)) {
                Err(error) if error.is_damage() => found.note(Err(error))?,
                _ => tables.push((slice, metric)),
            }
            metrics.entry(slice).or_insert_with(Vec::new).push(metric);
        }
        let planned = plan_checks(&*self.index, &self.store, &tables, (every, memory))?;
        for small in small {
            found.note(check_small(&*self.index, &self.store, small, (every, memory), work))?;
        }
        let in_parts = planned.iter().filter(|how| how.is_cut()).count();
        for ((slice, metric), how) in tables.into_iter().zip(planned) {
            found.note(check_planned(&*self.index, &self.store, slice, metric, &how, work))?;
        }
        let values = std::mem::take(&mut found.values);
        for (slice, metrics) in metrics {
            found.note(check_across(&*self.index, &self.store, slice, &metrics, every, work))?;
        }
        Ok(CheckReport {
            files,
            values,
            compared: found.values,
            in_parts,
            damage: found.told(),
            seconds: begun.elapsed().as_secs_f64(),
        })
    }
}
