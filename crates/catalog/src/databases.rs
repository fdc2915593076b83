//! The databases of the games that have them, behind one erased interface.

pub use crate::database_reports::*;
pub use crate::export::{Export, Format, export_alone};
pub use crate::fallible::{Judgement, Seat, read_agent};
use crate::games::unknown;
use crate::report::Error;
use endspiel_expertise::{backgammon, chinese_checkers};
use endspiel_game::notation::shorten;
use endspiel_game::{Game, Notation, Outcome, Player, Position, Rng, Stop, TextError};
pub use endspiel_retro::{Agent, Alone, Cluster, Forecast, Metric, Traffic};
use endspiel_retro::{
    Checked, Critical, Errant, Grundy, Indexed, Known, Plan, Probe, Reader, Store, Strategist, Strategy,
    Watch, Work, build, build_together, cells, chains, closure, forecast, may_follow, outside, pack_planned,
    plan, plan_pack,
};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The databases of one rule set.
pub trait Databases {
    /// The rule set's name.
    fn game(&self) -> String;
    /// The metric where none is asked for.
    fn usual_metric(&self) -> Metric;
    /// Must slices be named, since there are several?
    fn needs_slices(&self) -> bool;
    /// Does the game have this metric?
    fn has(&self, metric: Metric) -> Result<(), Error>;
    /// The metric of this name, if the game has it.
    fn metric(&self, name: &str) -> Result<Metric, Error>;
    /// Plans a build; the plan says if memory or disk will not do. A cluster's memory is that of each process.
    fn plan(
        &self,
        slices: &str,
        metric: Metric,
        memory: u64,
        cluster: Option<&Cluster>,
    ) -> Result<PlanReport, Error>;
    /// Plans to build several metrics one after the other; the first plan that memory or disk will not do for. What may be made out
    /// of a metric before it is passed over: how it is made is seen when that is there.
    fn refused(
        &self,
        slices: &str,
        metrics: &[Metric],
        memory: u64,
        cluster: Option<&Cluster>,
    ) -> Result<Option<PlanReport>, Error>;
    /// Foretells how long what is planned takes, by a short trial; none if nothing is small enough to be tried.
    fn forecast(
        &self,
        slices: &str,
        metric: Metric,
        memory: u64,
        with: &Workers<'_>,
    ) -> Result<Option<Forecast>, Error>;
    /// Builds what is planned in so much memory; `told` hears of each finished slice.
    fn build_within(
        &self,
        slices: &str,
        metric: Metric,
        memory: u64,
        with: &Workers<'_>,
        told: &mut dyn FnMut(&SliceReport),
    ) -> Result<(), Error>;
    /// Builds in memory, however much it takes.
    fn build(
        &self,
        slices: &str,
        metric: Metric,
        with: &Workers<'_>,
        told: &mut dyn FnMut(&SliceReport),
    ) -> Result<(), Error> {
        self.build_within(slices, metric, u64::MAX, with, told)
    }
    /// Builds what is planned together with other processes; `told` hears of each finished slice in process 0.
    fn build_together(
        &self,
        slices: &str,
        metric: Metric,
        by: (&Cluster, &Workers<'_>),
        told: &mut dyn FnMut(&SliceReport),
    ) -> Result<Traffic, Error>;
    /// What the databases say of a position and its moves.
    fn probe(&self, position: &str, metric: Metric) -> Result<ProbeReport, Error>;
    /// The metrics in which the slice of a position is there, full or small.
    fn metrics_at(&self, position: &str) -> Result<Vec<Metric>, Error>;
    /// A line of best play, or by strategies.
    fn line(&self, position: &str, metric: Metric, asked: &LineRequest) -> Result<ProbeReport, Error>;
    /// What the moves of a game from a position, or from the start, gave away.
    fn slips(&self, position: Option<&str>, moves: &str, metric: Metric) -> Result<SlipsReport, Error>;
    /// The figures of slices.
    fn stats(&self, slices: &str, metric: Metric, stop: &Stop) -> Result<Vec<StatsReport>, Error>;
    /// Writes every position of slices with its values, a row each; how many there were, or why they could not be
    /// written.
    fn export(
        &self,
        slices: &str,
        asked: &Export<'_>,
        out: &mut dyn Write,
    ) -> Result<std::io::Result<u64>, Error>;
    /// Reads every byte of slices, or of all, re-derives one value in `every`, in so much memory, and compares the metrics of a
    /// slice; says before the work if that memory will not do. Damage does not end it: all that is found is told.
    fn verify(
        &self,
        slices: Option<&str>,
        effort: (u64, u64),
        with: &Workers<'_>,
    ) -> Result<CheckReport, Error>;
    /// Plans to make small files; the plan says if memory or disk will not do.
    fn plan_pack(
        &self,
        slices: &str,
        metric: Metric,
        memory: u64,
        threads: usize,
    ) -> Result<PlanReport, Error>;
    /// Makes small files out of the full ones, in so much memory.
    fn pack(
        &self,
        slices: &str,
        metric: Metric,
        memory: u64,
        with: &Workers<'_>,
        told: &mut dyn FnMut(&SliceReport),
    ) -> Result<(), Error>;
    /// How long players who err take to win, and to lose, in a slice.
    fn predict(
        &self,
        slice: &str,
        metric: Metric,
        asked: &PredictRequest,
        with: &Workers<'_>,
    ) -> Result<Vec<Prediction>, Error>;
    /// A player by these databases.
    fn seat(&self, agent: Agent, metric: Metric, seed: u64) -> Result<Box<dyn Seat>, Error>;
    /// Slices by which speed is measured; in most rule sets they are built in a second or so.
    fn sample(&self) -> &'static str;
    /// Asks for random positions of the last of these slices for about so long, all blocks in memory; how many were answered in
    /// what time.
    fn ask(&self, slices: &str, time: Duration, seed: u64) -> Result<(u64, Duration), Error>;
    /// What is there and can be read, and what is wrong with other files.
    fn list_each(&self) -> Result<(Vec<SliceReport>, Vec<String>), Error>;
}

/// Who works.
pub struct Workers<'a> {
    /// So many threads.
    pub threads: usize,
    /// Asks to stop.
    pub stop: Stop,
    /// Who is told of the passes.
    pub watch: &'a dyn Watch,
}

impl Workers<'_> {
    fn work(&self) -> Work<'_> {
        Work { threads: self.threads, stop: self.stop.clone(), watch: self.watch }
    }
}

/// The games that have databases.
pub const WITH_DATABASES: &[&str] =
    &["awari", "checkers", "chess", "nine-mens-morris", "shogi", "virus", "wythoff", "xiangqi"];

/// The tables of games for one player.
pub const ALONE: &[&dyn Alone] = &[&backgammon::Homes, &chinese_checkers::Pieces];

/// Both of them, by name.
pub fn with_tables() -> Vec<&'static str> {
    WITH_DATABASES.iter().copied().chain(ALONE.iter().map(|game| game.name())).collect()
}

/// The table of a game for one player.
pub fn alone(name: &str) -> Option<&'static dyn Alone> {
    ALONE.iter().copied().find(|game| game.name() == name)
}

/// The databases of a rule set under a root directory.
pub fn databases(full_name: &str, root: &Path) -> Result<Box<dyn Databases>, Error> {
    let game = crate::game(full_name).map_err(|error| match error {
        Error::UnknownGame(name, _) => unknown(&name, "games with databases", &with_tables()),
        other => other,
    });
    game?.databases(root)
}

/// The databases of each game by its usual rules, and of all other rule sets that have a folder under a root directory, by name.
pub fn all_databases(root: &Path) -> Vec<Box<dyn Databases>> {
    let others = Store::games(root).into_iter().filter(|name| alone(name).is_none());
    let names = WITH_DATABASES.iter().map(|name| (*name).to_string()).chain(others);
    let mut stores: Vec<_> = names.filter_map(|name| databases(&name, root).ok()).collect();
    stores.sort_by_key(|store| store.game());
    stores.dedup_by_key(|store| store.game());
    stores
}

/// So many positions are looked at to tell whether a win that takes all the plies left is in time.
const LOOKED_AT: usize = 20_000;

/// How many positions are asked for to measure speed.
const ASKED: usize = 1 << 17;

pub(crate) struct Opened<G, I> {
    pub(crate) store: Store,
    pub(crate) index: Arc<I>,
    pub(crate) game: G,
    pub(crate) metrics: Vec<Metric>,
    pub(crate) sample: &'static str,
    pub(crate) count: fn(&str) -> u32,
    pub(crate) with_count: fn(String, &str, u32) -> String,
}

impl<G: Game<Position: Notation>, I: Indexed<Position = G::Position> + 'static> Opened<G, I> {
    pub(crate) fn slices(&self, text: &str) -> Result<Vec<I::Slice>, Error> {
        let (mut slices, mut seen) = (self.index.read_slices(text)?, BTreeSet::new());
        slices.retain(|&slice| seen.insert(slice));
        if slices.is_empty() {
            return Err(Error::Text(TextError::new(0, "there is no slice", "a slice or a range of slices")));
        }
        Ok(slices)
    }

    fn unknown_metric(&self, name: &str) -> Error {
        let names: Vec<_> = self.metrics.iter().map(|metric| metric.name()).collect();
        Error::UnknownMetric(shorten(name), G::ABOUT.name, names.join(", "))
    }

    /// An error where a metric tells no depths that fall from move to move; a limit by the rule does not.
    fn tells_depths(&self, metric: Metric) -> Result<(), Error> {
        if metric.counts_plies() && metric != Metric::Rule {
            return Ok(());
        }
        let (name, game) = (metric.name(), G::ABOUT.name);
        Err(Error::Unfit(if self.index.is_scored() {
            format!(
                "'{name}' tells no depths, and tables of {game} tell nothing else; expected a game whose tables count \
                 plies, such as chess or checkers"
            )
        } else {
            let serves = |metric: &&Metric| metric.counts_plies() && **metric != Metric::Rule;
            let others: Vec<_> = self.metrics.iter().filter(serves).map(|metric| metric.name()).collect();
            format!(
                "'{name}' tells no depths; expected a metric of {game} that counts plies to be played: {}",
                others.join(", ")
            )
        }))
    }

    /// An error where there are no small files.
    fn packs(&self, metric: Metric) -> Result<(), Error> {
        if self.index.is_scored() {
            return Err(Error::Unfit(format!(
                "small files leave out what moves tell, and tables of {} tell score alone; expected a game whose tables tell who wins, such as \
                 chess or checkers",
                G::ABOUT.name
            )));
        }
        self.has(metric)
    }

    /// A build as it is shared, or cut to fit into so much memory.
    fn fitted(
        &self,
        slices: &str,
        metric: Metric,
        memory: u64,
        cluster: Option<&Cluster>,
    ) -> Result<Plan<I::Slice>, Error> {
        self.has(metric)?;
        let mut plan = plan(&*self.index, &self.store, &self.slices(slices)?, metric)?;
        match cluster {
            Some(cluster) => {
                Cluster::serves(metric)?;
                plan.share(&*self.index, cluster);
            }
            None => plan.fit(&*self.index, memory),
        }
        Ok(plan)
    }

    /// What is planned, for people, and why it cannot be done if so much memory, or the disk, will not do.
    fn planned(&self, plan: &Plan<I::Slice>, metric: Metric, memory: u64) -> PlanReport {
        let step = |s: &endspiel_retro::Step<I::Slice>| StepReport {
            slice: s.name.clone(),
            size: s.size,
            done: s.done,
            from: s.from.map(Metric::name),
            memory: s.memory,
            parts: s.parts.map(|parts| parts.count),
        };
        PlanReport {
            game: self.game.full_name(),
            metric: metric.name().into(),
            dir: self.store.dir().display().to_string(),
            memory: plan.memory(),
            disk: plan.disk,
            steps: plan.steps.iter().map(step).collect(),
            refused: plan.check(memory).err().map(|why| why.to_string()),
        }
    }

    /// What is told of files.
    fn summaries(&self, full: &[Reader], small: &[Reader]) -> Vec<SliceReport> {
        // Files of earlier versions that tell what tables cannot are not asked.
        let told = full.iter().chain(small).filter(|r| self.index.can_tell(r.metric()).is_ok());
        told.map(|r| summary(r.header(), r.digest())).collect()
    }

    /// The number that people are told: in scored games that of the whole game, with the lead; of an impartial game its
    /// value, -1 where that is infinite; otherwise the plies, which the outcome gives their sense.
    pub(crate) fn told(metric: Metric, number: i32, lead: i32) -> (Outcome, i32) {
        if metric == Metric::Score {
            (Outcome::of_score(number + lead), number + lead)
        } else if metric == Metric::Grundy {
            (Outcome::of_score(number), Grundy::number_of(number).map_or(-1, |value| value as i32))
        } else if metric.counts_plies() && number < 0 {
            (Outcome::Loss, -1 - number)
        } else {
            (Outcome::of_score(number), number)
        }
    }

    fn look_up(&self, text: &str, metric: Metric, line: Option<&LineRequest>) -> Result<ProbeReport, Error> {
        let position = self.game.read(text)?;
        let Some((slice, number)) = self.index.place(&position) else {
            return Err(outside(&*self.index, &position).into());
        };
        let probe = Probe::open(&*self.index, &self.store, &[slice], metric, 1 << 20)?;
        let lead = self.index.lead(&position);
        let value = probe.value(&position)?.unwrap_or(0);
        let plies = line.and_then(|asked| asked.clock).map_or_else(|| (self.count)(text), u32::from);
        let (valued, claimed) = match line {
            // Once a draw may be claimed, how long ago that was does not matter.
            Some(asked) => {
                let clock = u16::try_from(plies).unwrap_or(u16::MAX);
                self.line_of(&position, slice, metric, (asked, clock))?
            }
            None => (probe.moves(&position)?.into_iter().map(|(m, value)| (m, value, None)).collect(), false),
        };
        let worth = |position: &G::Position| -> Result<Option<Grundy>, Error> {
            if metric == Metric::Grundy { Ok(probe.grundy(position)?) } else { Ok(None) }
        };
        let mut moves = Vec::new();
        let mut at = position.clone();
        for (m, value, critical) in valued {
            let (outcome, mut number) = Self::told(metric, value, self.index.lead(&at));
            // Of a move it is told where it leads, as in a sum.
            let value = worth(&at.after(m))?;
            if let Some(value) = &value {
                number = value.number().map_or(-1, |number| number as i32);
            }
            moves.push(MoveValue {
                r#move: at.write_move(m),
                outcome: outcome.to_string(),
                number,
                value,
                critical,
            });
            if line.is_some() {
                at.play(m);
            }
        }
        let (outcome, shown) = Self::told(metric, value, lead);
        let count = Some(plies).filter(|&plies| plies > 0 && line.is_none() && value != 0);
        let mut count = count.and_then(|plies| Count::of(metric, plies, shown));
        if let Some(open) = count
            .as_mut()
            .filter(|count| matches!(metric, Metric::ZeroingWithin(_)) && count.in_time.is_none())
        {
            open.in_time = probe.is_in_time(&position, LOOKED_AT)?;
        }
        Ok(ProbeReport {
            game: self.game.full_name(),
            position: (self.with_count)(position.write(), text, plies),
            mover: G::ABOUT.players[self.index.mover(&position).index()],
            slice: self.index.slice_name(slice),
            index: number,
            metric: metric.name(),
            unit: metric.unit(),
            outcome: outcome.to_string(),
            number: shown,
            value: worth(&position)?,
            moves,
            claimed,
            count,
        })
    }

    /// The moves of a line with their values and what stood out, and whether a draw is claimed after it.
    #[expect(clippy::type_complexity, reason = "what a line tells of a move has no other use")]
    fn line_of(
        &self,
        position: &G::Position,
        slice: I::Slice,
        metric: Metric,
        (asked, clock): (&LineRequest, u16),
    ) -> Result<(Vec<(<G::Position as Position>::Move, i32, Option<&'static str>)>, bool), Error> {
        let strategies = asked.strategies.each_ref().map(Option::as_ref);
        let metrics = strategies.into_iter().flatten().flat_map(Strategy::metrics).chain([metric]);
        let strategist = Strategist::open(&*self.index, &self.store, &[slice], metrics, 1 << 20)?;
        let line = strategist.line(position, strategies, metric, clock, asked.plies)?;
        let word = |critical| match critical {
            Critical::OnlyLegal => "the only move",
            Critical::OnlyKeeping => "the only one that keeps this",
            Critical::OnlyBest => "the only best one",
        };
        let moves = line.moves.into_iter().map(|made| (made.m, made.value, made.critical.map(word)));
        Ok((moves.collect(), line.claimed))
    }
}

/// What is told of a file.
pub fn summary(header: &endspiel_retro::Header, digest: endspiel_retro::Digest) -> SliceReport {
    SliceReport {
        slice: header.slice.clone(),
        metric: header.metric.clone(),
        unit: header.unit.clone(),
        positions: header.size - header.wasted,
        wins: header.wins,
        draws: header.draws,
        losses: header.losses,
        bytes: digest.bytes,
        xxh3: format!("{:016x}", digest.checksum),
        small: header.is_small(),
    }
}

impl<G: Game<Position: Notation>, I: Indexed<Position = G::Position> + 'static> Databases for Opened<G, I> {
    fn game(&self) -> String {
        self.game.full_name()
    }

    fn usual_metric(&self) -> Metric {
        self.metrics[0]
    }

    fn needs_slices(&self) -> bool {
        // Where there is one, nothing tells it from others.
        size_of::<I::Slice>() > 0
    }

    fn has(&self, metric: Metric) -> Result<(), Error> {
        if self.metrics.contains(&metric.usual()) {
            return Ok(());
        }
        self.index.can_tell(metric)?;
        Err(self.unknown_metric(metric.name()))
    }

    fn metric(&self, name: &str) -> Result<Metric, Error> {
        let metric = Metric::named(name).ok_or_else(|| self.unknown_metric(name))?;
        self.has(metric).map(|()| metric)
    }

    fn plan(
        &self,
        slices: &str,
        metric: Metric,
        memory: u64,
        cluster: Option<&Cluster>,
    ) -> Result<PlanReport, Error> {
        let plan = self.fitted(slices, metric, memory, cluster)?;
        Ok(self.planned(&plan, metric, memory))
    }

    fn refused(
        &self,
        slices: &str,
        metrics: &[Metric],
        memory: u64,
        cluster: Option<&Cluster>,
    ) -> Result<Option<PlanReport>, Error> {
        for (at, &metric) in metrics.iter().enumerate() {
            let plan = self.fitted(slices, metric, memory, cluster)?;
            let mut sure = plan.clone();
            // Workers solve all of it.
            let before = if cluster.is_some() { &[] } else { &metrics[..at] };
            let follows = |slice| before.iter().any(|&from| may_follow(&*self.index, slice, metric, from));
            sure.steps.retain(|step| !follows(step.slice));
            if sure.open().next().is_some()
                && let Err(why) = sure.check(memory)
            {
                let refused = Some(why.to_string());
                return Ok(Some(PlanReport { refused, ..self.planned(&plan, metric, memory) }));
            }
        }
        Ok(None)
    }

    fn forecast(
        &self,
        slices: &str,
        metric: Metric,
        memory: u64,
        with: &Workers<'_>,
    ) -> Result<Option<Forecast>, Error> {
        let mut plan = plan(&*self.index, &self.store, &self.slices(slices)?, metric)?;
        plan.fit(&*self.index, memory);
        Ok(forecast(&*self.index, &plan, &with.work())?)
    }

    fn build_within(
        &self,
        slices: &str,
        metric: Metric,
        memory: u64,
        with: &Workers<'_>,
        told: &mut dyn FnMut(&SliceReport),
    ) -> Result<(), Error> {
        let mut plan = plan(&*self.index, &self.store, &self.slices(slices)?, metric)?;
        plan.fit(&*self.index, memory);
        plan.check(memory)?;
        let mut each = |header: &_, digest| told(&summary(header, digest));
        Ok(build(&*self.index, &self.store, &plan, &with.work(), &mut each)?)
    }

    fn build_together(
        &self,
        slices: &str,
        metric: Metric,
        (cluster, with): (&Cluster, &Workers<'_>),
        told: &mut dyn FnMut(&SliceReport),
    ) -> Result<Traffic, Error> {
        let plan = plan(&*self.index, &self.store, &self.slices(slices)?, metric)?;
        let mut each = |header: &_, digest| told(&summary(header, digest));
        Ok(build_together(&self.index, &self.store, &plan, cluster, &with.work(), &mut each)?)
    }

    fn probe(&self, position: &str, metric: Metric) -> Result<ProbeReport, Error> {
        self.look_up(position, metric, None)
    }

    fn metrics_at(&self, position: &str) -> Result<Vec<Metric>, Error> {
        let position = self.game.read(position)?;
        let Some((slice, _)) = self.index.place(&position) else {
            return Err(outside(&*self.index, &position).into());
        };
        let mut there = self.store.metrics_of(&self.index.slice_name(slice))?;
        there.retain(|&metric| self.has(metric).is_ok());
        Ok(there)
    }

    fn line(&self, position: &str, metric: Metric, asked: &LineRequest) -> Result<ProbeReport, Error> {
        self.look_up(position, metric, Some(asked))
    }

    fn slips(&self, position: Option<&str>, moves: &str, metric: Metric) -> Result<SlipsReport, Error> {
        let start = position.map_or_else(|| Ok(self.game.start()), |text| self.game.read(text))?;
        crate::slips::slips(&self.game, &*self.index, &self.store, metric, (&start, moves), Self::told)
    }

    fn export(
        &self,
        slices: &str,
        asked: &Export<'_>,
        out: &mut dyn Write,
    ) -> Result<std::io::Result<u64>, Error> {
        let slices = self.slices(slices)?;
        crate::export::write::<G, I>(&*self.index, &self.store, &slices, asked, Self::told, out)
    }

    fn stats(&self, slices: &str, metric: Metric, stop: &Stop) -> Result<Vec<StatsReport>, Error> {
        self.slices(slices)?.into_iter().map(|slice| self.figures(slice, metric, stop)).collect()
    }

    fn verify(
        &self,
        slices: Option<&str>,
        (every, memory): (u64, u64),
        with: &Workers<'_>,
    ) -> Result<CheckReport, Error> {
        self.check(slices, (every, memory), &with.work())
    }

    fn plan_pack(
        &self,
        slices: &str,
        metric: Metric,
        memory: u64,
        threads: usize,
    ) -> Result<PlanReport, Error> {
        self.packs(metric)?;
        let plan = plan_pack(&*self.index, &self.store, &self.slices(slices)?, metric, (threads, memory))?;
        let planned = self.planned(&plan, metric, memory);
        Ok(PlanReport { metric: format!("{}, small", metric.name()), ..planned })
    }

    fn pack(
        &self,
        slices: &str,
        metric: Metric,
        memory: u64,
        with: &Workers<'_>,
        told: &mut dyn FnMut(&SliceReport),
    ) -> Result<(), Error> {
        self.packs(metric)?;
        let room = (with.threads, memory);
        let plan = plan_pack(&*self.index, &self.store, &self.slices(slices)?, metric, room)?;
        plan.check(memory)?;
        let mut each = |header: &_, digest| told(&summary(header, digest));
        Ok(pack_planned(&*self.index, &self.store, &plan, &with.work(), &mut each)?)
    }

    fn predict(
        &self,
        slice: &str,
        metric: Metric,
        asked: &PredictRequest,
        with: &Workers<'_>,
    ) -> Result<Vec<Prediction>, Error> {
        self.tells_depths(metric)?;
        let slices = self.slices(slice)?;
        let mut known = Known::default();
        for below in closure(&*self.index, &slices) {
            known.insert(below, Arc::new(cells(&*self.index, &self.store, below, metric, &with.work())?));
        }
        let mut out = Vec::new();
        for slice in slices {
            for player in [Player::FIRST, Player::SECOND] {
                let who = Errant { player, competences: &asked.competences, keeps: asked.keeps };
                let found = chains(&*self.index, slice, (&known, metric), &who, &with.work());
                let found = found.map_err(endspiel_retro::Error::from)?;
                out.extend(found.iter().filter_map(|chain| {
                    let about = (
                        self.game.full_name(),
                        self.index.slice_name(slice),
                        G::ABOUT.players[player.index()],
                    );
                    crate::fallible::prediction(chain, about, metric, asked)
                }));
            }
        }
        Ok(out)
    }

    fn seat(&self, agent: Agent, metric: Metric, seed: u64) -> Result<Box<dyn Seat>, Error> {
        self.tells_depths(metric)?;
        let files = (self.store.clone(), self.index.clone());
        Ok(Box::new(crate::fallible::Seated::new(self.game.clone(), files, metric, agent, seed)))
    }

    fn list_each(&self) -> Result<(Vec<SliceReport>, Vec<String>), Error> {
        let Checked { mut full, mut small, mut damage } = self.store.list_each()?;
        for readers in [&mut full, &mut small] {
            readers.retain(|reader| match reader.slice_of(&*self.index) {
                Ok(_) => true,
                Err(error) => {
                    damage.push(error);
                    false
                }
            });
        }
        Ok((self.summaries(&full, &small), damage.iter().map(ToString::to_string).collect()))
    }

    fn sample(&self) -> &'static str {
        self.sample
    }

    fn ask(&self, slices: &str, time: Duration, seed: u64) -> Result<(u64, Duration), Error> {
        let Some(&slice) = self.slices(slices)?.last() else { return Ok((0, Duration::ZERO)) };
        let (size, mut rng) = (self.index.size(slice), Rng::new(seed));
        let random = (0..ASKED).filter_map(|_| self.index.position(slice, rng.below(size as usize) as u64));
        let positions: Vec<_> = random.collect();
        let probe = Probe::open(&*self.index, &self.store, &[slice], self.metrics[0], 4 * size)?;
        let all = || -> Result<i64, Error> {
            positions.iter().map(|position| Ok(i64::from(probe.value(position)?.unwrap_or(0)))).sum()
        };
        // The first time blocks are decoded.
        let sum = all()?;
        let (mut count, begun) = (0, Instant::now());
        while count == 0 || begun.elapsed() < time {
            if all()? != sum {
                return Err(Error::Certificate("a database answers in two ways".into()));
            }
            count += positions.len() as u64;
        }
        Ok((count, begun.elapsed()))
    }
}
