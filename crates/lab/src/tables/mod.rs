//! Databases beside their published figures: the tables are built, if they are not there, and every figure that was
//! published of them is counted again, the smallest tables first; in endings of chess those that are there before all others.

mod endings;
mod features;
mod impact;
mod knights;
mod levels;
mod lines;
mod noise;
mod provers;
mod reference;
mod star;
mod studies;
mod subspaces;
mod xiangqi_studies;

pub use endings::{checkers, chess, xiangqi};
pub use features::features;
pub use impact::impact;
pub use knights::knights;
pub use levels::levels;
pub use lines::lines;
pub use noise::noise;
pub use provers::provers;
pub use reference::reference;
pub use star::star;
pub use studies::studies;
pub use subspaces::subspaces;
pub use xiangqi_studies::xiangqi_studies;

use endspiel_game::{Budget, Stop};
use endspiel_retro::{
    Error, Indexed, Metric, Pass, Stage, Store, Table, Watch, Work, build, may_follow, plan, whole,
};
use serde::Serialize;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

/// The experiments of this module.
pub const NAMES: [&str; 15] = [
    "xiangqi-endings",
    "xiangqi-studies",
    "checkers-endings",
    "chess-endings",
    "chess-studies",
    "fifty-impact",
    "two-knights",
    "checkers-lines",
    "chinese-checkers-table",
    "awari-levels",
    "awari-features",
    "awari-pn",
    "minimax-noise",
    "reference-player",
    "morris-subspaces",
];

/// Has the found text as many figures as the published one, and the same, but for those that are blank there?
fn agree(published: &str, found: &str, blank: &[&str]) -> bool {
    let (published, found): (Vec<_>, Vec<_>) = (published.split(' ').collect(), found.split(' ').collect());
    let mut pairs = published.iter().zip(&found);
    published.len() == found.len() && pairs.all(|(printed, ours)| blank.contains(printed) || printed == ours)
}

/// The endings of a list with commas between.
fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|word| !word.is_empty())
}

/// What was counted, and what was published of it.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The ending, or what else has figures.
    pub name: String,
    /// What its table counts.
    pub metric: &'static str,
    /// What was published; none if nothing was.
    pub published: Option<String>,
    /// What the print has instead, where it is known to be wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misprint: Option<&'static str>,
    /// What was found.
    pub found: String,
    /// Do they agree?
    pub agrees: Option<bool>,
    /// Numbers of the table.
    pub positions: u64,
    /// The time to build the table, if it was not there, and to count.
    pub seconds: f64,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The rows, as far as they were counted.
    pub rows: Vec<Row>,
    /// Were all of them?
    pub complete: bool,
    /// Endings that were asked for and are not among those of the experiment: then nothing is counted.
    pub unknown: Vec<String>,
}

impl Outcome {
    /// In words.
    pub fn found(&self) -> String {
        let compared = self.rows.iter().filter(|row| row.agrees.is_some()).count();
        let agree = self.rows.iter().filter(|row| row.agrees == Some(true)).count();
        let rest = if self.complete { "" } else { "; there are more" };
        match compared {
            0 => format!("{} rows{rest}", self.rows.len()),
            _ => format!("{agree} of {compared} rows as published{rest}"),
        }
    }

    /// Is any figure another than published?
    pub fn differs(&self) -> bool {
        self.rows.iter().any(|row| row.agrees == Some(false))
    }
}

/// Where an experiment finds and leaves files.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// The databases.
    pub databases: &'a Path,
    /// Where curves are kept, if they are.
    pub keep: Option<&'a Path>,
    /// The endings to look at, with commas between, in experiments of endings; all if none is named.
    pub only: Option<&'a str>,
}

/// The experiments of [`NAMES`] in which endings can be chosen.
pub const OF_ENDINGS: [&str; 5] =
    ["xiangqi-endings", "checkers-endings", "chess-endings", "chess-studies", "fifty-impact"];

/// Runs one of [`NAMES`], for as long as the budget and `each` allow; none if there is no such experiment.
pub fn run(
    name: &str,
    places: &Places<'_>,
    budget: &Budget,
    watch: &dyn Watch,
    each: &mut dyn FnMut(&Row) -> bool,
) -> Option<Result<Outcome, Error>> {
    let experiment = match name {
        "xiangqi-endings" => xiangqi,
        "xiangqi-studies" => xiangqi_studies,
        "checkers-endings" => checkers,
        "chess-endings" => chess,
        "chess-studies" => studies,
        "fifty-impact" => impact,
        "two-knights" => knights,
        "checkers-lines" => lines,
        "chinese-checkers-table" => star,
        "awari-levels" => levels,
        "awari-features" => features,
        "awari-pn" => provers,
        "minimax-noise" => noise,
        "reference-player" => reference,
        "morris-subspaces" => subspaces,
        _ => return None,
    };
    let stop = Stop::default();
    let clock = Clock { watch, stop: &stop, budget, begun: Instant::now() };
    let work = Work { threads: budget.threads, stop: stop.clone(), watch: &clock };
    let mut desk = Desk {
        dir: places.databases,
        keep: places.keep,
        only: places.only,
        met: RefCell::default(),
        budget,
        work: &work,
        begun: clock.begun,
        outcome: Outcome::default(),
        each,
    };
    let done = experiment(&mut desk);
    let outcome = desk.outcome;
    Some(match done {
        Ok(complete) => Ok(Outcome { complete, ..outcome }),
        Err(Error::Stopped) => Ok(outcome),
        Err(error) => Err(error),
    })
}

/// Stops the work when the time is up or the budget's owner says so.
struct Clock<'a> {
    watch: &'a dyn Watch,
    stop: &'a Stop,
    budget: &'a Budget,
    begun: Instant,
}

impl Clock<'_> {
    fn look(&self) {
        if self.budget.stop.asked() || self.budget.time.is_some_and(|time| self.begun.elapsed() > time) {
            self.stop.now();
        }
    }
}

impl Watch for Clock<'_> {
    fn begun(&self, stage: &Stage) {
        self.look();
        self.watch.begun(stage);
    }

    fn pass(&self, pass: &Pass) {
        self.look();
        self.watch.pass(pass);
    }
}

/// Is a file there that holds the table of a slice, or of which it can be made? Whether it is a good one is seen when it is read.
fn is_there<I: Indexed>(game: &I, store: &Store, slice: I::Slice, metric: Metric) -> bool {
    let name = game.slice_name(slice);
    let tells = |from| from == metric || may_follow(game, slice, metric, from);
    Metric::ALL.into_iter().chain([metric]).any(|from| tells(from) && store.path(&name, from).exists())
}

/// What an experiment works with.
pub struct Desk<'a> {
    dir: &'a Path,
    keep: Option<&'a Path>,
    only: Option<&'a str>,
    /// Those of them that there are.
    met: RefCell<BTreeSet<String>>,
    budget: &'a Budget,
    work: &'a Work<'a>,
    begun: Instant,
    outcome: Outcome,
    each: &'a mut dyn FnMut(&Row) -> bool,
}

impl Desk<'_> {
    /// Is an ending to be looked at?
    fn wants(&self, ending: &str) -> bool {
        let Some(only) = self.only else { return true };
        let asked: Vec<&str> = words(only).filter(|word| word.eq_ignore_ascii_case(ending)).collect();
        self.met.borrow_mut().extend(asked.iter().map(ToString::to_string));
        !asked.is_empty()
    }

    /// Was an ending asked for that is not among those met? Then nobody need begin.
    fn misses(&mut self) -> bool {
        let asked = words(self.only.unwrap_or_default()).map(str::to_string);
        self.outcome.unknown = asked.filter(|word| !self.met.borrow().contains(word)).collect();
        if self.only.is_some() && self.met.borrow().is_empty() && self.outcome.unknown.is_empty() {
            self.outcome.unknown.push("an ending without a name".into());
        }
        !self.outcome.unknown.is_empty()
    }

    /// Tells a row; says whether there may be more.
    fn tell(&mut self, row: Row) -> bool {
        let more = (self.each)(&row);
        self.outcome.rows.push(row);
        more && !self.budget.stop.asked() && self.budget.time.is_none_or(|time| self.begun.elapsed() < time)
    }

    /// The whole table of a slice, which is built first if it is not there.
    fn table<I: Indexed>(
        &self,
        game: &I,
        store: &Store,
        slice: I::Slice,
        metric: Metric,
    ) -> Result<Table, Error> {
        self.build(game, store, &[slice], metric)?;
        self.check_room(store, &game.slice_name(slice), &[metric])?;
        whole(game, store, slice, metric, self.work)
    }

    /// Is there memory for the whole tables of a slice in these metrics, which are there?
    fn check_room(&self, store: &Store, name: &str, metrics: &[Metric]) -> Result<(), Error> {
        let (mut needed, allowed) = (0, self.budget.memory as u64);
        for &metric in metrics {
            let reader = store.open(name, metric, 0)?;
            needed += reader.header().size * u64::from(reader.header().width);
        }
        if needed > allowed {
            return Err(Error::Memory { slice: name.into(), needed, allowed });
        }
        Ok(())
    }

    /// Builds slices and what they convert into, as far as they are not there.
    fn build<I: Indexed>(
        &self,
        game: &I,
        store: &Store,
        slices: &[I::Slice],
        metric: Metric,
    ) -> Result<(), Error> {
        let memory = self.budget.memory as u64;
        let mut plan = plan(game, store, slices, metric)?;
        if plan.open().next().is_none() {
            return Ok(());
        }
        plan.fit(game, memory);
        plan.check(memory)?;
        build(game, store, &plan, self.work, &mut |_, _| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_tables_are_as_published() {
        let dir = std::env::temp_dir().join(format!("endspiel-tables-{}", std::process::id()));
        let (budget, places) = (Budget::default(), Places { databases: &dir, keep: None, only: None });
        for (name, many) in [
            ("xiangqi-endings", 12),
            ("checkers-endings", 14),
            ("chess-endings", 3),
            ("two-knights", 3),
            ("awari-levels", 22),
            ("awari-features", 38),
            ("minimax-noise", 3),
            ("reference-player", 13),
        ] {
            let mut left = many;
            let outcome = run(name, &places, &budget, &(), &mut |_| {
                left -= 1;
                left > 0
            });
            let outcome = outcome.expect("it is known").expect("it runs");
            assert_eq!(outcome.rows.len(), many, "{name}");
            assert!(outcome.rows.iter().all(|row| row.agrees == Some(true)), "{:?}", outcome.rows);
            assert!(!outcome.complete && !outcome.differs());
            assert_eq!(outcome.found(), format!("{many} of {many} rows as published; there are more"));
        }
        // Endings may be chosen, and what there is not is said before the work.
        let only = |only| {
            let places = Places { only: Some(only), ..places };
            run("chess-endings", &places, &budget, &(), &mut |_| true).expect("it is known").expect("it runs")
        };
        let outcome = only("krk, KQK,");
        let names: BTreeSet<&str> = outcome.rows.iter().map(|row| &*row.name).collect();
        assert!(outcome.complete && names == BTreeSet::from(["KQK", "KRK"]), "{:?}", outcome.rows);
        let outcome = only("KRK,KQX");
        assert!(outcome.rows.is_empty() && outcome.unknown == ["KQX"]);
        // What is there is used, and a time that is up ends the work between two tables.
        let soon = Budget { time: Some(std::time::Duration::ZERO), ..Budget::default() };
        let outcome = run("checkers-lines", &places, &soon, &(), &mut |_| true).expect("it is known");
        let rows = outcome.expect("it runs").rows;
        assert!(rows.len() == 1 && rows[0].agrees == Some(true) && rows[0].positions < 56, "{rows:?}");
        std::fs::remove_dir_all(dir).expect("tables are kept");
    }
}
