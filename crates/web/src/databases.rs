//! Endgame databases for the page: what there is, the figures of a slice, and what is known of a position.
//! Games and slices are read by the catalog; nothing of a request becomes a path.
//!
//! Listing opens every file and figures look at every position, so both are kept: a list for a few seconds, figures
//! as long as the file they were made of has the same checksum.

use crate::cache::Cache;
use crate::fault::Fault;
use crate::place::Where;
use endspiel_catalog::Error;
use endspiel_catalog::databases::{
    Databases, Metric, ProbeReport, SliceReport, WITH_DATABASES, all_databases, databases,
};
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
        for store in all_databases(root) {
            // Those that can be read: no page is the place for the paths of others.
            let Ok((slices, _)) = store.list_each() else { continue };
            let example = self.example(&*store, &slices, stop);
            if stop.asked() {
                return Err(Fault::gone());
            }
            let (example, metric) = example.unwrap_or_default();
            found.push(json!({"game": store.game(), "slices": slices, "example": example, "metric": metric}));
        }
        Ok(found.into())
    }

    /// A position worth looking up, and its metric where that must be named; none where no slice tells one, or the slice is
    /// damaged.
    fn example(
        &self,
        store: &dyn Databases,
        slices: &[SliceReport],
        stop: &Stop,
    ) -> Option<(String, Option<&'static str>)> {
        let metric = choice(store, slices)?;
        let mut shown = slices.iter().filter(|s| s.metric == metric.name() && s.positions <= MOST);
        let worth = shown.clone().find(|s| s.positions >= ENOUGH).or_else(|| shown.next_back())?;
        let figures = self.count(store, worth, stop).ok()?;
        let such_as = |of: &str| figures[0][of]["such_as"][0].as_str();
        let example = such_as("greatest").or_else(|| such_as("longest_loss"))?;
        Some((example.into(), (!metric.is_by_own_rules()).then(|| metric.name())))
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

    /// What the databases say of a position: `found`, or why there is nothing, `missing`; and the metrics in which its slice is
    /// there. Without a metric it is what is true by the game's own rules.
    pub fn probe(&self, asked: &Where, metric: &str, stop: &Stop) -> Result<Value, Fault> {
        let position = asked.find(stop)?.position;
        let nothing = |why: &str, there: &[Metric]| Ok(answer(None, Some(why), there));
        let name = asked.game.split(':').next().unwrap_or_default();
        let Some(root) = self.root.as_deref().filter(|_| WITH_DATABASES.contains(&name)) else {
            return nothing("there are no databases of this game", &[]);
        };
        let store = databases(&asked.game, root)?;
        let metric = Some(metric).filter(|name| !name.is_empty()).map(|name| store.metric(name));
        let metric = metric.transpose().map_err(|error| Fault::bad(error.to_string()))?;
        if position.result().is_some() {
            return nothing("the game is over", &[]);
        }
        let position = position.write();
        let there = match store.metrics_at(&position) {
            Err(Error::Database(why)) => return nothing(&why.without_paths(), &[]),
            there => there?,
        };
        let told = match metric {
            Some(metric) => store.probe(&position, metric),
            None => truth(&*store, &position, &there),
        };
        match told {
            Ok(found) => Ok(answer(Some(&found), None, &there)),
            Err(error) if error.is_missing() => nothing(&absent(metric, &there), &there),
            Err(Error::Database(why)) => nothing(&why.without_paths(), &there),
            Err(error) => Err(error.into()),
        }
    }
}

fn names(metrics: &[Metric]) -> Vec<&'static str> {
    metrics.iter().map(|metric| metric.name()).collect()
}

fn answer(found: Option<&ProbeReport>, missing: Option<&str>, there: &[Metric]) -> Value {
    json!({"found": found, "missing": missing, "metrics": names(there)})
}

/// The metric that an example is taken from: the usual one if it is there, else one that is told by the game's own rules, else any.
fn choice(store: &dyn Databases, slices: &[SliceReport]) -> Option<Metric> {
    let small_enough = slices.iter().filter(|slice| slice.positions <= MOST);
    let metrics = small_enough.filter_map(|slice| Metric::named(&slice.metric));
    metrics.min_by_key(|&metric| (metric != store.usual_metric(), !metric.is_by_own_rules()))
}

/// What is known in the usual metric, or in the first other one that is there and told by the game's own rules.
fn truth(store: &dyn Databases, position: &str, there: &[Metric]) -> Result<ProbeReport, Error> {
    let usual = store.usual_metric();
    let mut told = store.probe(position, usual);
    for &metric in there.iter().filter(|metric| **metric != usual && metric.is_by_own_rules()) {
        match told {
            Err(error) if error.is_missing() => told = store.probe(position, metric),
            _ => break,
        }
    }
    told
}

/// Why there is nothing in a metric, or in those that are told by the game's own rules.
fn absent(metric: Option<Metric>, there: &[Metric]) -> String {
    let others = names(there).join(", ");
    match metric {
        _ if there.is_empty() => "the databases that hold this position are not built here".into(),
        Some(metric) if !there.contains(&metric) => format!(
            "the databases that hold this position are not built here in {}, but in {others}",
            metric.name()
        ),
        None if !there.iter().any(|metric| metric.is_by_own_rules()) => format!(
            "the databases that hold this position do not go by the game's own rules: they are built here in {others}"
        ),
        _ => "the databases of positions that this one leads to are not built here".into(),
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
