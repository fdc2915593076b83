//! The databases of the games that have them, behind one erased interface.

pub use crate::export::Export;
use crate::report::Error;
use endspiel_expertise::awari::Levels;
use endspiel_expertise::{checkers, chess, nine_mens_morris, xiangqi};
use endspiel_game::{Game, Notation, Oracle, Outcome, Player, Position, Stop, TextError};
pub use endspiel_retro::Metric;
pub use endspiel_retro::{Cluster, Traffic};
use endspiel_retro::{
    Indexed, Known, Leaves, Probe, Store, Watch, Work, build, build_together, chains, check_values, closure,
    plan,
};
use endspiel_rules::awari::{Awari, End};
use endspiel_rules::checkers::Checkers;
use endspiel_rules::chess::Chess;
use endspiel_rules::nine_mens_morris::NineMensMorris;
use endspiel_rules::xiangqi::Xiangqi;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// What is to be done for one slice.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    /// The slice.
    pub slice: String,
    /// Its positions, wasted numbers among them.
    pub size: u64,
    /// A good file is there already.
    pub done: bool,
    /// The memory it takes, in bytes.
    pub memory: u64,
}

/// What is to be done.
#[derive(Clone, Debug, Serialize)]
pub struct PlanReport {
    /// The rule set.
    pub game: String,
    /// The metric.
    pub metric: &'static str,
    /// Where the files go.
    pub dir: String,
    /// The slices in order.
    pub steps: Vec<StepReport>,
    /// The most memory that a step takes, in bytes.
    pub memory: u64,
    /// The most that the new files take, in bytes.
    pub disk: u64,
}

/// A finished slice.
#[derive(Clone, Debug, Serialize)]
pub struct SliceReport {
    /// The slice.
    pub slice: String,
    /// The metric.
    pub metric: String,
    /// What its numbers count.
    pub unit: String,
    /// Its positions.
    pub positions: u64,
    /// Positions that the player to move wins.
    pub wins: u64,
    /// Positions that nobody wins.
    pub draws: u64,
    /// Positions that the player to move loses.
    pub losses: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// The checksum of the file.
    pub xxh3: String,
}

/// A move and what it is worth to who makes it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveValue {
    /// The move.
    pub r#move: String,
    /// Win, draw or loss.
    pub outcome: String,
    /// The score of the whole game, or the plies.
    pub number: i32,
}

/// What a database says of a position.
#[derive(Clone, Debug, Serialize)]
pub struct ProbeReport {
    /// The rule set.
    pub game: String,
    /// The position.
    pub position: String,
    /// Who is to move.
    pub mover: &'static str,
    /// The slice that holds it.
    pub slice: String,
    /// Its number there.
    pub index: u64,
    /// The metric.
    pub metric: &'static str,
    /// What the numbers count.
    pub unit: &'static str,
    /// Win, draw or loss for the player to move.
    pub outcome: String,
    /// The score of the whole game for the player to move, or the plies.
    pub number: i32,
    /// All moves, the best first; or a line of best play, each move valued for who makes it.
    pub moves: Vec<MoveValue>,
}

/// The figures of a slice.
#[derive(Clone, Debug, Serialize)]
pub struct StatsReport {
    /// The slice.
    pub summary: SliceReport,
    /// The mean of the numbers.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
    /// How often each number occurs.
    pub histogram: BTreeMap<i32, u64>,
    /// The positions with the greatest number, the longest wins where plies are counted: how many, and the first
    /// few.
    pub greatest: (i32, u64, Vec<String>),
    /// The longest losses in plies, where they are counted: how many, and the first few.
    pub longest_loss: Option<(i32, u64, Vec<String>)>,
    /// Mutual zugzwangs, where the game knows them.
    pub zugzwangs: Option<Zugzwangs>,
}

/// Positions in which each player would rather not move.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Zugzwangs {
    /// All of them, the player to move left out.
    pub all: u64,
    /// Those in which whoever moves loses.
    pub both_lose: u64,
    /// The first few, those in which both lose first.
    pub such_as: Vec<String>,
}

/// What was verified.
#[derive(Clone, Debug, Serialize)]
pub struct CheckReport {
    /// Files whose every byte was read and whose checksums are right.
    pub files: usize,
    /// Values re-derived from their successors.
    pub values: u64,
    /// Time.
    pub seconds: f64,
}

/// How long a winner who errs takes against a defender who does not.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    /// The rule set.
    pub game: String,
    /// The slice.
    pub slice: String,
    /// The metric that the winner goes by.
    pub metric: &'static str,
    /// Who wins, and is to move.
    pub winner: &'static str,
    /// The winner's competence: 0 chooses blindly among the winning moves, infinity never errs.
    pub competence: f64,
    /// By depth in moves of the winner, from 0: the moves needed on the average.
    pub expected_moves: Vec<f64>,
    /// The chance to have won within so many moves...
    pub within: usize,
    /// ... by depth.
    pub won: Vec<f64>,
}

/// The databases of one rule set.
pub trait Databases {
    /// The rule set's name.
    fn game(&self) -> String;
    /// The metric where none is asked for.
    fn usual_metric(&self) -> Metric;
    /// Plans a build; says at once what will not do. A cluster's memory is that of each process.
    fn plan(
        &self,
        slices: &str,
        metric: Metric,
        memory: u64,
        cluster: Option<&Cluster>,
    ) -> Result<PlanReport, Error>;
    /// Builds what is planned; `told` hears of each finished slice.
    fn build(
        &self,
        slices: &str,
        metric: Metric,
        with: &Workers<'_>,
        told: &mut dyn FnMut(&SliceReport),
    ) -> Result<(), Error>;
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
    /// A line of best play.
    fn line(&self, position: &str, metric: Metric, plies: usize) -> Result<ProbeReport, Error>;
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
    /// Reads every byte, and re-derives one value in `every`.
    fn verify(&self, every: u64, with: &Workers<'_>) -> Result<CheckReport, Error>;
    /// How long winners of these competences take in a slice, and their chance to win within `moves`.
    fn predict(
        &self,
        slice: &str,
        metric: Metric,
        competences: &[f64],
        moves: usize,
        with: &Workers<'_>,
    ) -> Result<Vec<Prediction>, Error>;
    /// What is there.
    fn list(&self) -> Result<Vec<SliceReport>, Error>;
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
pub const WITH_DATABASES: &[&str] = &["awari", "checkers", "chess", "nine-mens-morris", "xiangqi"];

/// The databases of a rule set under a root directory.
pub fn databases(full_name: &str, root: &Path) -> Result<Box<dyn Databases>, Error> {
    crate::game(full_name)?.databases(root)
}

/// The bytes of decoded blocks that a search keeps of each file.
const KEPT: u64 = 64 << 20;

/// What a line of the table of games knows of databases.
pub(crate) trait Tables<G: Game>: 'static {
    /// All of them, there or to be built.
    fn open(game: &G, root: &Path) -> Result<Box<dyn Databases>, Error>;
    /// Those that are there, for methods to ask.
    fn oracle(game: &G, root: &Path) -> Result<Arc<dyn Oracle<G::Position>>, Error>;
}

/// There are none.
pub(crate) struct Without;

fn none<G: Game>() -> Error {
    let what = format!("there are no databases for {}", G::ABOUT.name);
    Error::Text(TextError::new(0, what, format!("one of {}", WITH_DATABASES.join(", "))))
}

impl<G: Game> Tables<G> for Without {
    fn open(_: &G, _: &Path) -> Result<Box<dyn Databases>, Error> {
        Err(none::<G>())
    }

    fn oracle(_: &G, _: &Path) -> Result<Arc<dyn Oracle<G::Position>>, Error> {
        Err(none::<G>())
    }
}

/// An index that numbers the positions of a game.
pub(crate) trait Numbers: Indexed<Position: Notation> + 'static {
    /// The game.
    type Game: Game<Position = Self::Position>;
    /// The metric where none is asked for.
    const USUAL: Metric;
    /// The metrics that tell who wins by the rules, that which tells most first.
    const TRUE: &[Metric] = &[Metric::End, Metric::Value, Metric::Conversion, Metric::Zeroing];
    /// The index of a rule set.
    fn of(game: &Self::Game) -> Self;
    /// The rule set by which the tables are made.
    fn rules(game: &Self::Game) -> Self::Game {
        game.clone()
    }
}

impl Numbers for Levels {
    type Game = Awari;
    const USUAL: Metric = Metric::Score;
    const TRUE: &[Metric] = &[Metric::Score];

    fn of(game: &Awari) -> Self {
        Self::new(*game)
    }

    /// Tables play to the last stone.
    fn rules(game: &Awari) -> Awari {
        Awari { end: End::LastStone, ..*game }
    }
}

impl Numbers for chess::Endings {
    type Game = Chess;
    const USUAL: Metric = Metric::End;

    fn of(_: &Chess) -> Self {
        Self::new()
    }
}

impl Numbers for xiangqi::Endings {
    type Game = Xiangqi;
    const USUAL: Metric = Metric::End;

    fn of(_: &Xiangqi) -> Self {
        Self::new()
    }
}

impl Numbers for checkers::Endings {
    type Game = Checkers;
    const USUAL: Metric = Metric::End;

    fn of(_: &Checkers) -> Self {
        Self::new()
    }
}

impl Numbers for nine_mens_morris::Subspaces {
    type Game = NineMensMorris;
    const USUAL: Metric = Metric::End;

    fn of(_: &NineMensMorris) -> Self {
        Self::new()
    }
}

impl<I: Numbers> Tables<I::Game> for I {
    fn open(game: &I::Game, root: &Path) -> Result<Box<dyn Databases>, Error> {
        let game = I::rules(game);
        Ok(Box::new(Opened {
            store: Store::new(root, &game.full_name()),
            index: Arc::new(I::of(&game)),
            game,
            usual: I::USUAL,
        }))
    }

    fn oracle(game: &I::Game, root: &Path) -> Result<Arc<dyn Oracle<I::Position>>, Error> {
        let store = Store::new(root, &I::rules(game).full_name());
        Ok(Arc::new(Leaves::open(I::of(game), &store, I::TRUE, KEPT)?))
    }
}

struct Opened<G, I> {
    store: Store,
    index: Arc<I>,
    game: G,
    usual: Metric,
}

impl<G: Game<Position: Notation>, I: Indexed<Position = G::Position>> Opened<G, I> {
    fn slices(&self, text: &str) -> Result<Vec<I::Slice>, Error> {
        let slices = self.index.read_slices(text)?;
        if slices.is_empty() {
            return Err(Error::Text(TextError::new(0, "there is no slice", "a slice or a range of slices")));
        }
        Ok(slices)
    }

    /// The number that people are told: in scored games that of the whole game, with the lead; otherwise the
    /// plies, which the outcome gives their sense.
    fn told(metric: Metric, number: i32, lead: i32) -> (Outcome, i32) {
        if metric == Metric::Score {
            (Outcome::of_score(number + lead), number + lead)
        } else if metric.counts_plies() && number < 0 {
            (Outcome::Loss, -1 - number)
        } else {
            (Outcome::of_score(number), number)
        }
    }

    fn look_up(&self, text: &str, metric: Metric, line: Option<usize>) -> Result<ProbeReport, Error> {
        let position = self.game.read(text)?;
        let Some((slice, number)) = self.index.place(&position) else {
            return Err(Error::Database(endspiel_retro::Error::Outside));
        };
        let probe = Probe::open(&*self.index, &self.store, &[slice], metric, 1 << 20)?;
        let lead = self.index.lead(&position);
        let value = probe.value(&position)?.unwrap_or(0);
        let mut moves = Vec::new();
        let mut at = position.clone();
        let valued = match line {
            Some(plies) => probe.line(&position, plies)?,
            None => probe.moves(&position)?,
        };
        for (m, value) in valued {
            let (outcome, number) = Self::told(metric, value, self.index.lead(&at));
            moves.push(MoveValue { r#move: at.write_move(m), outcome: outcome.to_string(), number });
            if line.is_some() {
                at.play(m);
            }
        }
        let (outcome, shown) = Self::told(metric, value, lead);
        Ok(ProbeReport {
            game: self.game.full_name(),
            position: position.write(),
            mover: G::ABOUT.players[self.index.mover(&position).index()],
            slice: self.index.slice_name(slice),
            index: number,
            metric: metric.name(),
            unit: metric.unit(),
            outcome: outcome.to_string(),
            number: shown,
            moves,
        })
    }
}

impl<G: Game<Position: Notation>, I: Indexed<Position = G::Position>> Opened<G, I> {
    /// The mutual zugzwangs of a slice; none where the game does not know what a move in hand is.
    fn zugzwangs(
        &self,
        slice: I::Slice,
        table: &endspiel_retro::Table,
        stop: &Stop,
    ) -> Result<Option<Zugzwangs>, Error> {
        const SHOWN: usize = 3;
        if table.metric == Metric::Score {
            return Ok(None);
        }
        let (mut found, mut known) = (Zugzwangs::default(), false);
        let mut halves = Vec::new();
        for index in 0..table.len() as u64 {
            heed(stop)?;
            let Some(position) = self.index.position(slice, index) else { continue };
            if self.index.mover(&position) != Player::FIRST {
                continue;
            }
            let Some(other) = self.index.after_pass(&position) else { continue };
            known = true;
            let Some((_, passed)) = self.index.place(&other) else { continue };
            // Where the colours are exchanged with the player to move, both are found as the first player's.
            let twice =
                self.index.position(slice, passed).is_some_and(|p| self.index.mover(&p) == Player::FIRST);
            if twice && passed < index {
                continue;
            }
            let there = table.get(passed);
            let (mine, theirs) = (table.get(index).unwrap_or(0).signum(), there.unwrap_or(0).signum());
            if mine < -theirs {
                found.all += 1;
                let both = mine < 0 && theirs < 0;
                found.both_lose += u64::from(both);
                let list = if both { &mut found.such_as } else { &mut halves };
                if list.len() < SHOWN {
                    list.push(position.write());
                }
            }
        }
        found.such_as.extend(halves);
        found.such_as.truncate(SHOWN);
        Ok(known.then_some(found))
    }
}

/// Goes on unless a stop is asked.
fn heed(stop: &Stop) -> Result<(), Error> {
    if stop.asked() { Err(endspiel_retro::Error::from(endspiel_retro::Stopped).into()) } else { Ok(()) }
}

fn summary(header: &endspiel_retro::Header, digest: endspiel_retro::Digest) -> SliceReport {
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
    }
}

impl<G: Game<Position: Notation>, I: Indexed<Position = G::Position> + 'static> Databases for Opened<G, I> {
    fn game(&self) -> String {
        self.game.full_name()
    }

    fn usual_metric(&self) -> Metric {
        self.usual
    }

    fn plan(
        &self,
        slices: &str,
        metric: Metric,
        memory: u64,
        cluster: Option<&Cluster>,
    ) -> Result<PlanReport, Error> {
        let mut plan = plan(&*self.index, &self.store, &self.slices(slices)?, metric)?;
        if let Some(cluster) = cluster {
            plan.share(&*self.index, cluster);
        }
        plan.check(memory)?;
        Ok(PlanReport {
            game: self.game.full_name(),
            metric: metric.name(),
            dir: self.store.dir().display().to_string(),
            memory: plan.memory(),
            disk: plan.disk,
            steps: plan
                .steps
                .iter()
                .map(|s| StepReport { slice: s.name.clone(), size: s.size, done: s.done, memory: s.memory })
                .collect(),
        })
    }

    fn build(
        &self,
        slices: &str,
        metric: Metric,
        with: &Workers<'_>,
        told: &mut dyn FnMut(&SliceReport),
    ) -> Result<(), Error> {
        let plan = plan(&*self.index, &self.store, &self.slices(slices)?, metric)?;
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

    fn line(&self, position: &str, metric: Metric, plies: usize) -> Result<ProbeReport, Error> {
        self.look_up(position, metric, Some(plies))
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
        let mut out = Vec::new();
        for slice in self.slices(slices)? {
            let reader = self.store.open(&self.index.slice_name(slice), metric, 0)?;
            let table = reader.table()?;
            let mut histogram = BTreeMap::new();
            // Cells that are no position repeat another and do not count.
            let real = |i: u64| reader.header().wasted == 0 || self.index.position(slice, i).is_some();
            for (_, value) in (0..).zip(table.values()).filter(|&(i, _)| real(i)) {
                heed(stop)?;
                *histogram.entry(value.unwrap_or(0)).or_default() += 1_u64;
            }
            let count = histogram.values().sum::<u64>().max(1) as f64;
            let moment = |power: i32| -> f64 {
                histogram.iter().map(|(&v, &n)| f64::from(v).powi(power) * n as f64).sum::<f64>() / count
            };
            let mean = moment(1);
            let shown = |number: i32| -> Vec<String> {
                (0..table.len() as u64)
                    .filter(|&i| table.get(i) == Some(number))
                    .filter_map(|i| self.index.position(slice, i))
                    .take(3)
                    .map(|position| position.write())
                    .collect()
            };
            let (&greatest, &many) = histogram.last_key_value().unwrap_or((&0, &0));
            let loss =
                histogram.first_key_value().filter(|(number, _)| **number < 0 && metric.counts_plies());
            let longest_loss = loss.map(|(&number, &many)| (-1 - number, many, shown(number)));
            let greatest = (greatest, many, shown(greatest));
            out.push(StatsReport {
                summary: summary(reader.header(), reader.digest()),
                mean,
                deviation: (moment(2) - mean * mean).max(0.0).sqrt(),
                histogram,
                greatest,
                longest_loss,
                zugzwangs: self.zugzwangs(slice, &table, stop)?,
            });
        }
        Ok(out)
    }

    fn verify(&self, every: u64, with: &Workers<'_>) -> Result<CheckReport, Error> {
        let begun = Instant::now();
        let files = self.store.check_files()?;
        let mut values = 0;
        for reader in self.store.list()? {
            for slice in self.index.read_slices(&reader.header().slice)? {
                let metric = reader.metric();
                values += check_values(&*self.index, &self.store, slice, metric, every, &with.work())?;
            }
        }
        Ok(CheckReport { files, values, seconds: begun.elapsed().as_secs_f64() })
    }

    fn predict(
        &self,
        slice: &str,
        metric: Metric,
        competences: &[f64],
        moves: usize,
        with: &Workers<'_>,
    ) -> Result<Vec<Prediction>, Error> {
        let slices = self.slices(slice)?;
        if !metric.counts_plies() {
            let what = format!("{} tells no depths", metric.name());
            return Err(Error::Text(TextError::new(0, what, "a metric that counts plies")));
        }
        let mut known = Known::default();
        for below in closure(&*self.index, &slices) {
            let reader = self.store.open(&self.index.slice_name(below), metric, 0)?;
            known.insert(below, Arc::new(reader.table()?));
        }
        let mut out = Vec::new();
        for slice in slices {
            let found =
                chains(&*self.index, slice, (&known, metric), Player::FIRST, competences, &with.work());
            for chain in found.map_err(endspiel_retro::Error::from)? {
                out.push(Prediction {
                    game: self.game.full_name(),
                    slice: self.index.slice_name(slice),
                    metric: metric.name(),
                    winner: G::ABOUT.players[Player::FIRST.index()],
                    competence: chain.competence,
                    expected_moves: chain.expected_moves(),
                    within: moves,
                    won: chain.won_within(moves),
                });
            }
        }
        Ok(out)
    }

    fn list(&self) -> Result<Vec<SliceReport>, Error> {
        Ok(self.store.list()?.iter().map(|r| summary(r.header(), r.digest())).collect())
    }
}
