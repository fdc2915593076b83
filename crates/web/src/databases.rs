//! Endgame databases for the page: what there is, the figures of a slice, and what is known of a position.
//! Games and slices are read by the catalog; nothing of a request becomes a path.
//!
//! Listing opens every file and figures look at every position, so both are kept: a list for a few seconds, figures
//! as long as the file they were made of has the same checksum.

use crate::cache::Cache;
use crate::fault::Fault;
use crate::place::Where;
use endspiel_catalog::databases::{Databases, Metric, SliceReport, WITH_DATABASES, databases};
use endspiel_catalog::{Error, GAMES};
use endspiel_game::Stop;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Figures are made of slices with at most so many positions: each is looked at.
const MOST: u64 = 50_000_000;
/// The example of a rule set is from its first slice with so many positions.
const ENOUGH: u64 = 1000;
/// A list is good for so long.
const FRESH: Duration = Duration::from_secs(5);
/// The figures of so many slices are kept.
const KEPT: usize = 64;

/// Which figures are asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Figures {
    game: String,
    slice: String,
    metric: String,
}

/// The databases of a server.
pub struct Shelf {
    root: Option<PathBuf>,
    list: Mutex<Option<(Instant, Value)>>,
    figures: Cache<Value>,
}

impl Shelf {
    /// Those in a directory; without one there are none.
    pub fn new(root: Option<PathBuf>) -> Self {
        Self { root, list: Mutex::default(), figures: Cache::new(KEPT) }
    }

    /// The last list, if it is still good; `none` where there can be no databases.
    pub fn known(&self) -> Option<Value> {
        if self.root.is_none() {
            return Some(json!([]));
        }
        // Somebody may be making one at this moment.
        let list = self.list.try_lock().ok()?;
        list.as_ref().filter(|(made, _)| made.elapsed() < FRESH).map(|(_, list)| list.clone())
    }

    /// All databases: the slices of each rule set, and a position worth looking up. Who comes while a list is being
    /// made waits for that one.
    pub fn list(&self, stop: &Stop) -> Result<Value, Fault> {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((made, list)) = &*list
            && made.elapsed() < FRESH
        {
            return Ok(list.clone());
        }
        let made = self.make_list(stop)?;
        *list = Some((Instant::now(), made.clone()));
        Ok(made)
    }

    fn make_list(&self, stop: &Stop) -> Result<Value, Fault> {
        let Some(root) = &self.root else { return Ok(json!([])) };
        let mut found: Vec<Value> = Vec::new();
        for about in GAMES.iter().map(|entry| entry.about()).filter(|a| WITH_DATABASES.contains(&a.name)) {
            let variants = about.examples.iter().map(|variant| format!("{}:{variant}", about.name));
            for name in std::iter::once(about.name.to_string()).chain(variants) {
                if stop.asked() {
                    return Err(Fault::gone());
                }
                // A variant that has no databases is no mistake.
                let Ok(store) = databases(&name, root) else { continue };
                if found.iter().any(|known| known["game"] == store.game()) {
                    continue;
                }
                // Those that can be read: no page is the place for the paths of others.
                let (slices, _) = store.list_each()?;
                let usual = store.usual_metric();
                let mut shown = slices.iter().filter(|s| s.metric == usual.name() && s.positions <= MOST);
                let worth = shown.clone().find(|s| s.positions >= ENOUGH).or_else(|| shown.next_back());
                let figures = worth.map(|slice| self.count(&*store, slice, stop)).transpose()?;
                let such_as = |of: &str| figures.as_ref()?[0][of]["such_as"][0].as_str();
                let example = such_as("greatest").or_else(|| such_as("longest_loss")).unwrap_or_default();
                found.push(json!({"game": store.game(), "slices": slices, "example": example}));
            }
        }
        Ok(found.into())
    }

    /// The figures of a slice.
    pub fn stats(&self, asked: &Figures, stop: &Stop) -> Result<Value, Fault> {
        let root = self.root.as_deref().ok_or_else(|| Fault::missing("database"))?;
        let store = databases(&asked.game, root)?;
        let (known, _) = store.list_each()?;
        let slice = known.iter().find(|s| s.slice == asked.slice && s.metric == asked.metric);
        let slice = slice.ok_or_else(|| Fault::missing("slice"))?;
        if slice.positions > MOST {
            return Err(Fault::bad(format!("figures are made of slices with at most {MOST} positions")));
        }
        self.count(&*store, slice, stop)
    }

    /// The figures of a slice that is there.
    fn count(&self, store: &dyn Databases, slice: &SliceReport, stop: &Stop) -> Result<Value, Fault> {
        let question =
            [&store.game(), &slice.slice, &slice.metric, &slice.xxh3].map(String::as_str).join(" ");
        if let Some(known) = self.figures.get(&question) {
            return Ok(known);
        }
        let metric = Metric::named(&slice.metric);
        let metric = metric.ok_or_else(|| Fault::missing("metric"))?;
        let counted = json!(store.stats(&slice.slice, metric, stop)?);
        self.figures.put(question, counted.clone());
        Ok(counted)
    }

    /// What the databases say of a position: `found`, or why there is nothing, `missing`.
    pub fn probe(&self, asked: &Where, stop: &Stop) -> Result<Value, Fault> {
        let position = asked.find(stop)?.position;
        let nothing = |why: String| Ok(json!({"found": null, "missing": why}));
        let name = asked.game.split(':').next().unwrap_or_default();
        let Some(root) = self.root.as_deref().filter(|_| WITH_DATABASES.contains(&name)) else {
            return nothing("there are no databases of this game".into());
        };
        if position.result().is_some() {
            return nothing("the game is over".into());
        }
        let store = databases(&asked.game, root)?;
        match store.probe(&position.write(), store.usual_metric()) {
            Ok(found) => Ok(json!({"found": found, "missing": null})),
            Err(error) if error.is_missing() => {
                nothing("the databases that hold this position are not built here".into())
            }
            Err(Error::Database(why)) => nothing(why.to_string()),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_catalog::databases::Workers;

    #[test]
    fn lists_and_figures_are_kept_and_nobody_counts_for_who_has_gone() {
        let directory = std::env::temp_dir().join(format!("endspiel-shelf-{}", std::process::id()));
        let with = Workers { threads: 1, stop: Stop::default(), watch: &() };
        let store = databases("awari", &directory).expect("awari has databases");
        store.build("0-4", Metric::Score, &with, &mut |_| ()).expect("built");
        let shelf = Shelf::new(Some(directory.clone()));
        let (go, gone) = (Stop::default(), Stop::default());
        gone.now();
        let asked = Figures { game: "awari".into(), slice: "4".into(), metric: "score".into() };
        assert!(shelf.list(&gone).is_err() && shelf.stats(&asked, &gone).is_err() && shelf.known().is_none());
        let list = shelf.list(&go).expect("a list");
        assert_eq!(shelf.known().as_ref(), Some(&list));
        let counted = shelf.stats(&asked, &go).expect("figures");
        assert_eq!(shelf.stats(&asked, &gone).expect("known figures"), counted);
        std::fs::remove_dir_all(directory).expect("removed");
    }
}
