//! How fast this machine is: rates of the rules, the methods and the checker, each measured on a position of
//! any game for a given time.
//!
//! A rate is work done over time spent, set-up (tables and the like) included. Figures of different games
//! are not comparable with each other; those of one game on two machines, or on two days, are.

use crate::databases::{WITH_DATABASES, Workers};
use crate::entry::{AnyGame, AnyPosition};
use crate::report::{Error, Purpose, Request, Status};
use crate::{Scratch, verify};
use endspiel_game::{Budget, Rng, Stop};
use serde::Serialize;
use std::time::{Duration, Instant};

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Move generation: lines of play counted.
    Perft,
    /// Random games to the end.
    Playouts,
    /// Simulations of Monte-Carlo tree search.
    Uct,
    /// Nodes of a proof by alpha-beta.
    AlphaBeta,
    /// Nodes of a proof by df-pn.
    DfPn,
    /// Records of a certificate checked.
    Checker,
    /// Positions of a database solved and written, by one thread.
    Tables,
    /// Random positions that a database answers, its blocks in memory.
    Probes,
}

impl What {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 8] = [
        Self::Perft,
        Self::Playouts,
        Self::Uct,
        Self::AlphaBeta,
        Self::DfPn,
        Self::Checker,
        Self::Tables,
        Self::Probes,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Perft => "perft",
            Self::Playouts => "playouts",
            Self::Uct => "uct",
            Self::AlphaBeta => "alpha-beta",
            Self::DfPn => "df-pn",
            Self::Checker => "checker",
            Self::Tables => "tables",
            Self::Probes => "probes",
        }
    }

    /// What is counted.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Perft => "lines",
            Self::Playouts => "games",
            Self::Uct => "simulations",
            Self::AlphaBeta | Self::DfPn => "nodes",
            Self::Checker => "records",
            Self::Tables => "positions",
            Self::Probes => "answers",
        }
    }
}

/// A measured rate.
#[derive(Clone, Debug, Serialize)]
pub struct Speed {
    /// What was measured, by its name.
    pub what: &'static str,
    /// What was counted.
    pub unit: &'static str,
    /// How many.
    pub count: u64,
    /// In what time.
    pub seconds: f64,
    /// How many a second.
    pub rate: f64,
    /// What it was measured on, where that is not the position itself.
    pub on: Option<String>,
}

/// Measures one thing at the start of a game for about `time`. None for the checker, if no position of a
/// random game could be proven in that time, and for databases where the game has none.
pub fn speed(game: &dyn AnyGame, what: What, time: Duration, seed: u64) -> Result<Option<Speed>, Error> {
    let start = game.start();
    let (count, spent, on) = match what {
        What::Perft => perft(&*start, time),
        What::Playouts => playouts(&*start, time, seed),
        What::Uct => search(&*start, "uct", Purpose::Play, time, seed)?,
        What::AlphaBeta => search(&*start, "alpha-beta", Purpose::Prove, time, seed)?,
        What::DfPn => search(&*start, "df-pn", Purpose::Prove, time, seed)?,
        What::Checker => match checker(game, time, seed)? {
            Some(found) => found,
            None => return Ok(None),
        },
        What::Tables | What::Probes => match tables(game, what, time, seed)? {
            Some(found) => found,
            None => return Ok(None),
        },
    };
    if count == 0 {
        // Solved without a node: there is no rate.
        return Ok(None);
    }
    let seconds = spent.as_secs_f64();
    let rate = count as f64 / seconds.max(1e-9);
    Ok(Some(Speed { what: what.name(), unit: what.unit(), count, seconds, rate, on }))
}

type Measured = (u64, Duration, Option<String>);

/// The deepest perft that fits, again and again.
fn perft(start: &dyn AnyPosition, time: Duration) -> Measured {
    let timed = |depth| {
        let begun = Instant::now();
        (start.perft(depth), begun.elapsed())
    };
    let (mut depth, mut last) = (1, timed(1));
    loop {
        let ahead = last.1.as_secs_f64() * growth(start, depth, last.0);
        if ahead > time.as_secs_f64() {
            break;
        }
        let deeper = timed(depth + 1);
        if deeper.0 <= last.0 {
            break;
        }
        (depth, last) = (depth + 1, deeper);
    }
    let (mut count, begun) = (0, Instant::now());
    while begun.elapsed() < time {
        count += start.perft(depth);
    }
    (count, begun.elapsed(), Some(format!("depth {depth}")))
}

/// How many times more lines there are one ply deeper, guessed from the mean so far.
fn growth(start: &dyn AnyPosition, depth: u32, lines: u64) -> f64 {
    let first = start.moves().len() as f64;
    first.max((lines as f64).powf(1.0 / f64::from(depth)))
}

fn playouts(start: &dyn AnyPosition, time: Duration, seed: u64) -> Measured {
    let (mut rng, mut count, begun) = (Rng::new(seed), 0, Instant::now());
    while begun.elapsed() < time {
        start.playouts(16, &mut rng);
        count += 16;
    }
    (count, begun.elapsed(), None)
}

/// The method from the start, again with another seed if it is done before the time is.
fn search(
    start: &dyn AnyPosition,
    method: &str,
    purpose: Purpose,
    time: Duration,
    seed: u64,
) -> Result<Measured, Error> {
    let (mut nodes, mut runs, begun) = (0, 0, Instant::now());
    while runs == 0 || begun.elapsed() < time {
        let left = time.saturating_sub(begun.elapsed()).max(Duration::from_millis(1));
        let budget =
            Budget { time: Some(left), memory: 16 << 20, seed: seed.wrapping_add(runs), ..Budget::default() };
        let request = Request { method: method.into(), purpose, budget, ..Request::default() };
        nodes += start.solve(&request, &())?.nodes;
        runs += 1;
    }
    Ok((nodes, begun.elapsed(), None))
}

/// Samples with more positions take too long.
const LARGE: u64 = 10_000_000;

/// The sample of a game's databases built again and again, or built once and asked.
fn tables(game: &dyn AnyGame, what: What, time: Duration, seed: u64) -> Result<Option<Measured>, Error> {
    if !WITH_DATABASES.contains(&game.about().name) {
        return Ok(None);
    }
    let with = Workers { threads: 1, stop: Stop::default(), watch: &() };
    let (mut count, mut spent) = (0, Duration::ZERO);
    loop {
        let scratch = Scratch::new("bench")?;
        let store = game.databases(&scratch.file("databases"))?;
        let (sample, metric) = (store.sample(), store.usual_metric());
        // Some rule sets have no table, or none that is made soon.
        let plan = store.plan(sample, metric, u64::MAX, None).ok();
        if plan.is_none_or(|plan| plan.steps.iter().map(|step| step.size).sum::<u64>() > LARGE) {
            return Ok(None);
        }
        let on = Some(format!("{sample} in {}", metric.name()));
        let begun = Instant::now();
        store.build(sample, metric, &with, &mut |slice| count += slice.positions)?;
        spent += begun.elapsed();
        if what == What::Probes {
            let (count, spent) = store.ask(sample, time, seed)?;
            return Ok(Some((count, spent, on)));
        }
        if spent >= time {
            return Ok(Some((count, spent, on)));
        }
    }
}

/// A certificate of a late position of a random game, as early a one as can be proven in the time.
fn checker(game: &dyn AnyGame, time: Duration, seed: u64) -> Result<Option<Measured>, Error> {
    let mut rng = Rng::new(seed);
    let mut line = vec![game.start()];
    while let Some(last) = line.last() {
        let moves = last.moves();
        if moves.is_empty() || line.len() > 1000 {
            break;
        }
        let next = last.play(&moves[rng.below(moves.len())])?;
        line.push(next);
    }
    let scratch = Scratch::new("bench")?;
    let (file, trial) = (scratch.file("best.cert"), scratch.file("trial.cert"));
    let mut proven = None;
    for position in line.iter().rev().skip(1) {
        let request = Request {
            method: "auto".into(),
            budget: Budget { time: Some(time), memory: 256 << 20, seed, ..Budget::default() },
            certificate: Some(trial.clone()),
            ..Request::default()
        };
        let begun = Instant::now();
        let report = position.solve(&request, &())?;
        if report.status != Status::Proven {
            break;
        }
        // What is plain by the rules alone has no record; the search goes on before it.
        if report.certificate.is_some_and(|certificate| certificate.records > 0) {
            std::fs::rename(&trial, &file).map_err(|e| Error::Certificate(e.to_string()))?;
            proven = Some(report.position);
        }
        if proven.is_some() && begun.elapsed() > time / 2 {
            break;
        }
    }
    let Some(position) = proven else { return Ok(None) };
    let (mut records, begun) = (0, Instant::now());
    while begun.elapsed() < time || records == 0 {
        records += verify(&file, 1)?.records;
    }
    Ok(Some((records, begun.elapsed(), Some(position))))
}
