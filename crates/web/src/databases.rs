//! Endgame databases for the page: what there is, the figures of a slice, and what is known of a position.
//! Games and slices are read by the catalog; nothing of a request becomes a path.

use crate::fault::Fault;
use crate::place::Where;
use endspiel_catalog::databases::{Databases, Metric, WITH_DATABASES, databases};
use endspiel_catalog::{Error, GAMES};
use endspiel_game::Stop;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;

/// Figures are made of slices with at most so many positions: each is looked at.
const MOST: u64 = 50_000_000;
/// The example of a rule set is from its first slice with so many positions.
const ENOUGH: u64 = 1000;

/// Which figures are asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Figures {
    game: String,
    slice: String,
    metric: String,
}

fn open(root: Option<&Path>, game: &str) -> Result<Box<dyn Databases>, Fault> {
    let root = root.ok_or_else(|| Fault::missing("database"))?;
    Ok(databases(game, root)?)
}

/// All databases: the slices of each rule set, and a position worth looking up.
pub fn list(root: Option<&Path>, stop: &Stop) -> Result<Value, Fault> {
    let Some(root) = root else { return Ok(json!([])) };
    let mut found: Vec<Value> = Vec::new();
    for about in GAMES.iter().map(|entry| entry.about()).filter(|a| WITH_DATABASES.contains(&a.name)) {
        let variants = about.examples.iter().map(|variant| format!("{}:{variant}", about.name));
        for name in std::iter::once(about.name.to_string()).chain(variants) {
            // A variant that has no databases is no mistake.
            let Ok(store) = databases(&name, root) else { continue };
            if found.iter().any(|known| known["game"] == store.game()) {
                continue;
            }
            let slices = store.list()?;
            let usual = store.usual_metric();
            let mut shown = slices.iter().filter(|s| s.metric == usual.name());
            let worth = shown.find(|s| s.positions >= ENOUGH).or(shown.next_back());
            let example = match worth {
                Some(slice) => store.stats(&slice.slice, usual, stop)?,
                None => Vec::new(),
            };
            let example = example.first().and_then(|s| s.greatest.2.first()).cloned().unwrap_or_default();
            found.push(json!({"game": store.game(), "slices": slices, "example": example}));
        }
    }
    Ok(found.into())
}

/// The figures of a slice.
pub fn stats(root: Option<&Path>, asked: &Figures, stop: &Stop) -> Result<Value, Fault> {
    let store = open(root, &asked.game)?;
    let known = store.list()?;
    let slice = known.iter().find(|s| s.slice == asked.slice && s.metric == asked.metric);
    let slice = slice.ok_or_else(|| Fault::missing("slice"))?;
    if slice.positions > MOST {
        return Err(Fault::bad(format!("figures are made of slices with at most {MOST} positions")));
    }
    let metric = Metric::ALL.into_iter().find(|m| m.name() == slice.metric);
    Ok(json!(store.stats(&slice.slice, metric.ok_or_else(|| Fault::missing("metric"))?, stop)?))
}

/// What the databases say of a position: `found`, or why there is nothing, `missing`.
pub fn probe(root: Option<&Path>, asked: &Where, stop: &Stop) -> Result<Value, Fault> {
    let position = asked.find(stop)?.position;
    let nothing = |why: String| Ok(json!({"found": null, "missing": why}));
    let name = asked.game.split(':').next().unwrap_or_default();
    let Some(root) = root.filter(|_| WITH_DATABASES.contains(&name)) else {
        return nothing("there are no databases of this game".into());
    };
    if position.result().is_some() {
        return nothing("the game is over".into());
    }
    let store = databases(&asked.game, root)?;
    match store.probe(&position.write(), store.usual_metric()) {
        Ok(found) => Ok(json!({"found": found, "missing": null})),
        Err(Error::Database(why)) => nothing(why.to_string()),
        Err(error) => Err(error.into()),
    }
}
