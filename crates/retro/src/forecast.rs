//! How long a build will take, before it begins: small slices of the plan are solved and timed, and what larger ones
//! take is drawn from how the time grew.
//!
//! The time of a slice is taken to grow as a power of its size. That is rough: larger slices also have longer wins and
//! more moves a position. What is solved for the trial is thrown away.

use crate::streamed::{self, Parts, in_blocks};
use crate::{Error, Indexed, Job, Known, Pass, Plan, Stage, Store, Watch, Work};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A trial solves slices of at most so many numbers...
const LARGEST: u64 = 400_000;
/// ... until so much time has gone.
const PATIENCE: Duration = Duration::from_millis(600);
/// What is quicker tells nothing.
const NOTHING: Duration = Duration::from_millis(4);
/// The least and the greatest power by which time may grow with size.
const POWERS: (f64, f64) = (1.0, 1.25);

/// What a trial foretells.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// The time of all open steps.
    pub seconds: f64,
    /// The largest slice of the trial.
    pub slice: String,
    /// Its passes. Larger slices mostly take more.
    pub passes: u32,
}

/// Counts passes.
#[derive(Default)]
struct Counter(AtomicU32);

impl Watch for Counter {
    fn begun(&self, stage: &Stage) {
        self.0.fetch_max(stage.pass, Relaxed);
    }

    fn pass(&self, _: &Pass) {}
}

/// Foretells the time that a plan takes with these threads, by a trial of at most a second or so; none if it has no
/// slices that are small enough for that.
pub fn forecast<I: Indexed>(
    game: &I,
    plan: &Plan<I::Slice>,
    work: &Work<'_>,
) -> Result<Option<Forecast>, Error> {
    let begun = Instant::now();
    let mut known = Known::default();
    // Size and seconds.
    let mut timed: Vec<(f64, f64)> = Vec::new();
    // The largest: its place in the plan, size, time and passes.
    let mut largest: Option<(usize, u64, Duration, u32)> = None;
    for (at, step) in plan.steps.iter().enumerate() {
        let below = game.conversions(step.slice);
        if step.size > LARGEST || below.iter().any(|s| known.table(s).is_none()) {
            continue;
        }
        if begun.elapsed() > PATIENCE {
            break;
        }
        let counter = Counter::default();
        let trial = Work { threads: work.threads, stop: work.stop.clone(), watch: &counter };
        let start = Instant::now();
        let job = Job { slice: step.slice, metric: plan.metric, known: &known, work: &trial };
        let table = game.solve(&job)?;
        let took = start.elapsed();
        known.insert(step.slice, Arc::new(table));
        if took > NOTHING {
            timed.push((step.size as f64, took.as_secs_f64()));
        }
        if largest.is_none_or(|(_, size, ..)| size <= step.size) {
            largest = Some((at, step.size, took, counter.0.into_inner()));
        }
    }
    let Some((at, size, took, passes)) = largest else { return Ok(None) };
    let step = &plan.steps[at];
    // What is too quick to be timed takes no longer than this.
    let (size, seconds) = (size.max(1) as f64, took.max(NOTHING).as_secs_f64());
    let power = power(&timed);
    let slower = if plan.open().any(|step| step.parts.is_some()) {
        in_parts(game, plan, at, work)? / seconds
    } else {
        1.0
    };
    let each = plan.open().map(|step| {
        let time =
            seconds * (step.size as f64 / size).powf(if step.size as f64 > size { power } else { 1.0 });
        if step.parts.is_some() { time * slower } else { time }
    });
    Ok(Some(Forecast { seconds: each.sum(), slice: step.name.clone(), passes }))
}

/// The power by which time grows with size: the slope of the line through the logarithms.
fn power(timed: &[(f64, f64)]) -> f64 {
    let many = timed.len() as f64;
    let logs = || timed.iter().map(|&(size, seconds)| (size.ln(), seconds.ln()));
    let (x, y) = logs().fold((0.0, 0.0), |(x, y), (a, b)| (x + a / many, y + b / many));
    let (across, along) = logs()
        .fold((0.0, 0.0), |(across, along), (a, b)| (across + (a - x) * (b - y), along + (a - x) * (a - x)));
    if along > 0.1 { (across / along).clamp(POWERS.0, POWERS.1) } else { POWERS.0 }
}

/// The seconds that a slice takes when it is cut in a few parts, with the slices below it.
fn in_parts<I: Indexed>(game: &I, plan: &Plan<I::Slice>, at: usize, work: &Work<'_>) -> Result<f64, Error> {
    let store = Store::new(&plan.dir.join("trial"), "trial");
    let made = in_parts_at(game, plan, at, work, &store);
    // It may hold what a killed trial left, and the next one clears it too; what another is at work with stays.
    if !matches!(made, Err(Error::Busy { .. })) {
        let _ = std::fs::remove_dir_all(plan.dir.join("trial"));
    }
    made
}

fn in_parts_at<I: Indexed>(
    game: &I,
    plan: &Plan<I::Slice>,
    at: usize,
    work: &Work<'_>,
    store: &Store,
) -> Result<f64, Error> {
    let step = &plan.steps[at];
    let silent = Work { threads: work.threads, stop: work.stop.clone(), watch: &() };
    let slices = game.conversions(step.slice);
    let below = crate::plan(game, store, &slices, plan.metric)?;
    crate::build(game, store, &below, &silent, &mut |_, _| ())?;
    let numbers = in_blocks(slices.iter().map(|&slice| game.size(slice)));
    let Some(parts) = Parts::new(step.size, numbers, Parts::least(step.size, numbers)) else {
        return Ok(0.0);
    };
    let _guard = store.lock()?;
    let start = Instant::now();
    streamed::solve(game, store, step.slice, plan.metric, parts, &silent)?;
    Ok(start.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_grows_by_a_power_of_the_size() {
        let timed = |exponent: f64| [1e3, 1e4, 1e5].map(|size: f64| (size, 1e-6 * size.powf(exponent)));
        assert!((power(&timed(1.1)) - 1.1).abs() < 1e-9);
        assert_eq!(power(&timed(2.0)), POWERS.1);
        assert_eq!(power(&timed(0.5)), 1.0);
        assert_eq!(power(&timed(1.1)[..1]), 1.0);
        assert_eq!(power(&[]), 1.0);
    }
}
