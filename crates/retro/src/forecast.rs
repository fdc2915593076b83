//! How long a build will take, before it begins: slices of the plan are solved, compressed and timed, the smallest first,
//! and what is left takes as long a position as lies between the largest and the slowest of them.
//!
//! The largest slices that fit into a second tell most, so what may take longer is begun as well and given up when the
//! second is over. Very quick ones tell nothing: a fixed cost is most of their time. It stays rough: larger slices may have
//! longer wins and more moves a position. What is solved for the trial is thrown away.
//!
//! What is cut in parts takes many times as long, mostly for the states and the news that go to files and back. So it has a
//! trial of its own: a small slice, cut into a few parts. How many parts there are makes no difference, once there are several:
//! all of what is known goes to files and back each time, and most news are for another part.

use crate::cut::asks_itself;
use crate::file::{BLOCK, LEVEL, compress_run};
use crate::store::TRIAL;
use crate::streamed::{self, Parts};
use crate::{Error, Indexed, Job, Known, Pass, Plan, Stage, Step, Stopped, Store, Table, Watch, Work};
use endspiel_game::Stop;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The time of a trial, but for what is cut in parts.
const PATIENCE: Duration = Duration::from_secs(1);
/// A slice is begun if it is thought to take at most so many times what is left of that.
const HOPE: f64 = 16.0;
/// What is quicker, in seconds, tells nothing but the fixed cost...
const NOTHING: f64 = 0.02;
/// ... and what is quicker than this is done several times: what a game makes once does not count.
const QUICK: Duration = Duration::from_millis(40);
const TIMES: usize = 3;
/// A trial in parts takes a slice of at most so many numbers.
const LARGEST_IN_PARTS: u64 = 400_000;

/// What a trial foretells.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// The time of all open steps.
    pub seconds: f64,
    /// The largest slice of the trial.
    pub slice: String,
    /// Its passes, as the solver counts them. Larger slices mostly take more.
    pub passes: u32,
    /// Does a pass go over all positions, or is it a round that looks at what the one before found?
    pub are_rounds: bool,
}

/// Counts passes, and stops when patience is over or a stop is asked.
struct Patient<'a> {
    until: Instant,
    asked: &'a Stop,
    stop: Stop,
    passes: AtomicU32,
    rounds: AtomicU32,
}

impl Patient<'_> {
    fn heed(&self) {
        if self.asked.asked() || Instant::now() > self.until {
            self.stop.now();
        }
    }
}

impl Watch for Patient<'_> {
    fn begun(&self, stage: &Stage) {
        let count =
            if matches!(stage.doing, "rounds" | "wins" | "losses") { &self.rounds } else { &self.passes };
        count.fetch_max(stage.pass, Relaxed);
        self.heed();
    }

    fn pass(&self, _: &Pass) {
        self.heed();
    }
}

/// A slice that was tried.
struct Tried {
    /// Its place in the plan.
    at: usize,
    size: f64,
    /// Seconds.
    solving: f64,
    writing: f64,
    passes: u32,
    are_rounds: bool,
}

impl Tried {
    fn seconds(&self) -> f64 {
        self.solving + self.writing
    }
}

/// Foretells the time that a plan takes with these threads, by a trial of at most a second or so; none if it has no
/// slices that are small enough for that.
pub fn forecast<I: Indexed>(
    game: &I,
    plan: &Plan<I::Slice>,
    work: &Work<'_>,
) -> Result<Option<Forecast>, Error> {
    let tried = trial(game, plan, work)?;
    let Some(largest) = tried.last() else { return Ok(None) };
    let mut rates = Rates {
        solving: rate(&tried.iter().map(|tried| (tried.size, tried.seconds())).collect::<Vec<_>>()),
        writing: largest.writing / largest.size,
        in_parts: 0.0,
    };
    // What is cut may be solved twice, for who wins first.
    let times = |step: &Step<I::Slice>| 1.0 + f64::from(u8::from(asks_itself(game, step.slice, plan.metric)));
    if let Some(parts) = plan.open().filter_map(|step| step.parts).max_by_key(|parts| parts.count) {
        let small = tried.iter().rev().find(|tried| tried.size <= LARGEST_IN_PARTS as f64);
        let Some(small) = small else { return Ok(None) };
        rates.in_parts =
            in_parts(game, plan, small.at, parts, work)? / small.size / times(&plan.steps[small.at]);
    }
    let seconds = |(at, step): (usize, &Step<_>)| {
        let same = tried.iter().find(|tried| tried.at == at);
        rates.seconds(step, same.map(Tried::seconds), times(step))
    };
    Ok(Some(Forecast {
        seconds: plan.steps.iter().enumerate().filter(|(_, step)| !step.done).map(seconds).sum(),
        slice: plan.steps[largest.at].name.clone(),
        passes: largest.passes,
        are_rounds: largest.are_rounds,
    }))
}

/// Seconds a position.
struct Rates {
    /// Solved in memory and written.
    solving: f64,
    /// Written.
    writing: f64,
    /// Solved in parts once and written.
    in_parts: f64,
}

impl Rates {
    /// The seconds of a step, which took `tried` in memory if it was tried, and is solved so many times where it is cut.
    fn seconds<S>(&self, step: &Step<S>, tried: Option<f64>, times: f64) -> f64 {
        let size = step.size as f64;
        match (step.from, step.parts) {
            (Some(_), _) => self.writing * size,
            (_, Some(_)) => self.in_parts * size * times,
            _ => tried.unwrap_or(self.solving * size),
        }
    }
}

/// Solves slices, the smallest first, while there is time and memory; those tried, the largest last.
fn trial<I: Indexed>(game: &I, plan: &Plan<I::Slice>, work: &Work<'_>) -> Result<Vec<Tried>, Error> {
    let until = Instant::now() + PATIENCE;
    let (mut known, mut held, mut tried) = (Known::default(), 0, Vec::<Tried>::new());
    loop {
        let is_ready = |step: &Step<I::Slice>| {
            step.parts.is_none()
                && known.table(&step.slice).is_none()
                && game.conversions(step.slice).iter().all(|below| known.table(below).is_some())
                && held + step.memory <= plan.limit
        };
        let ready = plan.steps.iter().enumerate().filter(|(_, step)| is_ready(step));
        let Some((at, step)) = ready.min_by_key(|(_, step)| step.size) else { break };
        let left = until.saturating_duration_since(Instant::now()).as_secs_f64();
        let expected = tried.last().map_or(0.0, |last| last.seconds() / last.size * step.size as f64);
        if left == 0.0 || expected > HOPE * left {
            break;
        }
        match time(game, plan, at, &known, work, until) {
            Ok((table, time)) => {
                held += table.bytes();
                known.insert(step.slice, Arc::new(table));
                tried.push(time);
            }
            Err(_) if work.stop.asked() => return Err(Stopped.into()),
            Err(Stopped) => break,
        }
    }
    tried.sort_by(|a, b| a.size.total_cmp(&b.size));
    Ok(tried)
}

/// Solves and compresses a slice, several times if it is quick; the best times.
fn time<I: Indexed>(
    game: &I,
    plan: &Plan<I::Slice>,
    at: usize,
    known: &Known<I::Slice>,
    work: &Work<'_>,
    until: Instant,
) -> Result<(Table, Tried), Stopped> {
    let step = &plan.steps[at];
    let mut best: Option<(Table, Tried)> = None;
    for _ in 0..TIMES {
        let (passes, rounds, stop) = (AtomicU32::default(), AtomicU32::default(), Stop::default());
        let patient = Patient { until, asked: &work.stop, stop: stop.clone(), passes, rounds };
        let work = Work { threads: work.threads, stop, watch: &patient };
        let start = Instant::now();
        let solved = game.solve(&Job { slice: step.slice, metric: plan.metric, known, work: &work });
        let (solving, then) = (start.elapsed(), Instant::now());
        let made = solved.and_then(|table| compress(&table, &work).map(|()| table));
        let (writing, rounds) = (then.elapsed(), patient.rounds.into_inner());
        match (made, &best) {
            // Once will do.
            (Err(Stopped), Some(_)) => break,
            (made, _) => {
                let now = Tried {
                    at,
                    size: step.size.max(1) as f64,
                    solving: solving.as_secs_f64(),
                    writing: writing.as_secs_f64(),
                    passes: if rounds > 0 { rounds } else { patient.passes.into_inner() },
                    are_rounds: rounds > 0,
                };
                let table = made?;
                if best.as_ref().is_none_or(|(_, best)| now.seconds() < best.seconds()) {
                    best = Some((table, now));
                }
            }
        }
        if solving + writing > QUICK {
            break;
        }
    }
    best.ok_or(Stopped)
}

/// Compresses a table as who writes it does, and forgets it.
fn compress(table: &Table, work: &Work<'_>) -> Result<(), Stopped> {
    const RUN: usize = 16 * BLOCK;
    let (cells, stage) = (table.len(), Stage { doing: "compression", pass: 1, changed: None });
    work.share(stage, cells.div_ceil(RUN), cells as u64, |run| {
        let start = run * RUN;
        drop(compress_run(table, start..(start + RUN).min(cells), BLOCK, LEVEL));
    })?;
    Ok(())
}

/// The seconds a position, of sizes and seconds by size: the geometric mean of what the largest slice took and what the slowest
/// did, which is off by the least factor if the truth is anywhere between.
fn rate(timed: &[(f64, f64)]) -> f64 {
    let Some(&(size, seconds)) = timed.last() else { return 0.0 };
    let slow = timed.iter().filter(|&&(_, seconds)| seconds > NOTHING);
    let slowest = slow.map(|(size, seconds)| seconds / size).fold(seconds / size, f64::max);
    (seconds / size * slowest).sqrt()
}

/// The seconds that a slice takes when it is cut in a few parts, with as much room for what is on its way as `parts` have; without
/// the slices below it.
fn in_parts<I: Indexed>(
    game: &I,
    plan: &Plan<I::Slice>,
    at: usize,
    parts: Parts,
    work: &Work<'_>,
) -> Result<f64, Error> {
    let store = Store::new(&plan.dir.join(TRIAL), TRIAL);
    let made = in_parts_at(game, plan, at, parts, work, &store);
    // It may hold what a killed trial left, and the next one clears it too; what another is at work with stays.
    if !matches!(made, Err(Error::Busy { .. })) {
        let _ = std::fs::remove_dir_all(plan.dir.join(TRIAL));
    }
    made
}

fn in_parts_at<I: Indexed>(
    game: &I,
    plan: &Plan<I::Slice>,
    at: usize,
    parts: Parts,
    work: &Work<'_>,
    store: &Store,
) -> Result<f64, Error> {
    let step = &plan.steps[at];
    let silent = Work { threads: work.threads, stop: work.stop.clone(), watch: &() };
    let slices = game.conversions(step.slice);
    let below = crate::plan(game, store, &slices, plan.metric)?;
    crate::build(game, store, &below, &silent, &mut |_, _| ())?;
    let _guard = store.lock()?;
    let start = Instant::now();
    streamed::solve(game, store, step.slice, plan.metric, parts.of_small(step.size), &silent)?;
    Ok(start.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_slice_and_the_slowest_count() {
        let is = |timed: &[(f64, f64)], expected: f64| (rate(timed) / expected - 1.0).abs() < 1e-9;
        assert!(is(&[(1e5, 0.1), (1e6, 1.0)], 1e-6));
        assert!(is(&[(1e5, 0.4), (1e6, 1.0)], 2e-6));
        // What is quick has its time from what does not grow.
        assert!(is(&[(1e3, 0.01), (1e6, 1.0)], 1e-6));
        assert_eq!(rate(&[]), 0.0);
    }

    #[test]
    fn what_is_cut_takes_as_long_a_position_as_what_was_tried_so() {
        let rates = Rates { solving: 2.0, writing: 1.0, in_parts: 30.0 };
        let parts = Parts::of_blocks(100, 1);
        let step = |from, parts| Step {
            slice: (),
            name: "s".into(),
            size: 100,
            done: false,
            from,
            memory: 0,
            in_memory: 0,
            parts,
            scratch: 0,
        };
        assert_eq!(rates.seconds(&step(None, None), None, 1.0), 200.0);
        assert_eq!(rates.seconds(&step(None, None), Some(150.0), 2.0), 150.0);
        assert_eq!(rates.seconds(&step(None, Some(parts)), Some(150.0), 1.0), 3000.0);
        assert_eq!(rates.seconds(&step(None, Some(parts)), None, 2.0), 6000.0);
        assert_eq!(rates.seconds(&step(Some(crate::Metric::End), None), None, 1.0), 100.0);
    }
}
