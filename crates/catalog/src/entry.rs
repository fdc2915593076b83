//! The erased interface: one game behind two object-safe traits. Inside, everything is a static type.

use crate::ask::{accept, answered};
use crate::certify::Failed;
use crate::complexity::{Complexity, Space, measure, space};
use crate::databases::Databases;
use crate::explore::{AnyProof, accepted, open_proof};
use crate::glance::Glance;
use crate::methods::{self, Method};
use crate::numbers::{Tables, Without};
use crate::report::{
    Accepted, Asked, DistanceReport, Error, EstimateReport, ProgressReport, Purpose, Ranking, Report,
    Request, Status, Watcher, outcome_name, status,
};
use crate::specialist::{Beside, OWN, Specialist};
use crate::sum::{Purse, Values, values};
use crate::threats::ThreatReport;
use endspiel_game::{
    About, Answer, Bounds, Budget, Distance, Expertise, Game, Goal, Informed, Notation, Observer, Oracle,
    Payoff, Picture, Player, Position, Progress, Rng, Scene, Stop, Symmetric, Task, Turn, TwoPlayer, perft,
};
use endspiel_proof::{Rejected, Verified, verify, verify_on};
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Random games are cut off after so many moves: in games with cycles they may go on for ever.
const LONGEST_PLAYOUT: usize = 2000;

/// What a position must offer to be in the catalog of two-player games.
pub trait Listed: TwoPlayer + Notation + Picture + Symmetric {}
impl<P: TwoPlayer + Notation + Picture + Symmetric> Listed for P {}

/// A line of the table of games.
pub trait Entry: Send + Sync {
    /// What is said of the game.
    fn about(&self) -> &'static About;
    /// Reads the variant and makes the rule set.
    fn open(&self, variant: &str) -> Result<Box<dyn AnyGame>, Error>;
}

/// A rule set.
pub trait AnyGame: Send + Sync {
    /// What is said of the game.
    fn about(&self) -> &'static About;
    /// `name` or `name:variant`.
    fn full_name(&self) -> String;
    /// The starting position.
    fn start(&self) -> Box<dyn AnyPosition>;
    /// Reads a position.
    fn read(&self, text: &str) -> Result<Box<dyn AnyPosition>, Error>;
    /// Can positions repeat?
    fn is_cyclic(&self) -> bool;
    /// Does it give more than win, draw and loss?
    fn is_scored(&self) -> bool;
    /// Its databases under a root directory, there or to be built.
    fn databases(&self, root: &Path) -> Result<Box<dyn Databases>, Error>;
    /// The same rule set, its methods knowing what the databases under `root` hold.
    fn informed(&self, root: &Path) -> Result<Box<dyn AnyGame>, Error>;
    /// The files of these databases that cannot be used, and why. A search goes on without them; it ends with an error if it comes
    /// to a slice of which there are only damaged ones.
    fn passed_over(&self) -> &[String];
    /// Checks a certificate of this rule set.
    fn verify(&self, file: &Path, threads: usize) -> Result<Accepted, Error>;
    /// Checks a certificate of this rule set within the budget, and keeps it to be walked through. It may rest on the
    /// databases that its methods know.
    fn open_proof(&self, file: &Path, budget: &Budget) -> Result<Box<dyn AnyProof>, Error>;
}

/// A position of a rule set.
pub trait AnyPosition: Send + Sync {
    /// The rule set's full name.
    fn game(&self) -> String;
    /// Who acts.
    fn turn(&self) -> Turn;
    /// The name of the player to move, such as White; none when the game is over.
    fn mover(&self) -> Option<&'static str>;
    /// The legal moves.
    fn moves(&self) -> Vec<String>;
    /// How many legal moves there are.
    fn count_moves(&self) -> usize;
    /// A list of moves cut into words, each with the byte at which it begins.
    fn move_words<'a>(&self, moves: &'a str) -> Vec<(usize, &'a str)>;
    /// Plays moves given as text; says where the first bad one is.
    fn play(&self, moves: &str) -> Result<Box<dyn AnyPosition>, Error>;
    /// Plays moves given as text, and names each as the game writes it.
    fn play_line(&self, moves: &str) -> Result<(Box<dyn AnyPosition>, Vec<String>), Error>;
    /// The same moves as records of games write them, such as SAN.
    fn recorded(&self, moves: &str) -> Result<Vec<String>, Error>;
    /// The position's text.
    fn write(&self) -> String;
    /// The board for the terminal.
    fn text(&self) -> String;
    /// The board as SVG.
    fn svg(&self) -> String;
    /// The board as shapes, with the places that moves speak of.
    fn scene(&self) -> Scene;
    /// Boards that lie above one another, seen at an angle.
    fn relief(&self) -> Option<Scene>;
    /// What is seen without a search: wins at once, threats, the moves worth a look. A stop leaves out the rest.
    fn glance(&self, stop: &Stop) -> Glance;
    /// Wins by threats of the player to move, and of the opponent if that player passes, where the game's expertise
    /// finds them before a stop.
    fn threats(&self, stop: &Stop) -> Vec<ThreatReport>;
    /// Are wins by threats looked for in this game?
    fn knows_threats(&self) -> bool;
    /// The board with such a win on it.
    fn draw_threat(&self, threat: &ThreatReport) -> Scene;
    /// How the game ended, in words, if it has.
    fn result(&self) -> Option<String>;
    /// How it ends if this position has come back, in words, where positions can.
    fn result_if_repeated(&self) -> Option<String>;
    /// Lines of play of a given length.
    fn perft(&self, depth: u32) -> u64;
    /// Lines of play of a given length, by first move.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;
    /// Plays so many random games from here to their end.
    fn playouts(&self, games: usize, rng: &mut Rng);
    /// Answers a request about this position.
    fn solve(&self, request: &Request, watcher: &dyn Watcher) -> Result<Report, Error>;
    /// Ranks all moves in rounds, each longer than the last, so that there is soon a word on every one of
    /// them: [`Watcher::judged`] gets each as it changes.
    fn rank(&self, request: &Request, watcher: &dyn Watcher) -> Result<Ranking, Error>;
    /// Measures the game from here: see [`complexity`](crate::complexity). The moves of the sampled games are
    /// random, or the method's with `budget` for each.
    fn complexity(&self, samples: usize, method: Option<&str>, budget: &Budget) -> Result<Complexity, Error>;
    /// Bounds and an estimate of the positions that can arise, if this is the start of a game that knows them.
    fn space(&self, draws: usize, budget: &Budget) -> Option<Space>;
    /// What the position and its moves are worth in a sum of games, if this one is impartial: see [`sum`](crate::sum).
    fn values(&self, purse: &mut Purse) -> Result<Values, Error>;
    /// Does a question hold here? Questions are formulas: see [`endspiel_search::ask`]. What shows the answer is written
    /// to `certificate`, if that is wanted, and checked.
    fn ask(
        &self,
        question: &str,
        engine: &str,
        budget: &Budget,
        certificate: Option<&Path>,
    ) -> Result<Asked, Error>;
    /// Another one just like it.
    fn copy(&self) -> Box<dyn AnyPosition>;
}

/// The table's line for game `G` with expertise `E`.
pub(crate) const fn listed<G: Game, E>() -> Line<G, E, Without> {
    Line { types: PhantomData, specialist: None }
}

/// The table's line for game `G` with expertise `E` and a prover of its own.
pub(crate) const fn with_prover<G: Game, E>(specialist: Specialist<G::Position, E>) -> Line<G, E, Without> {
    Line { types: PhantomData, specialist: Some(specialist) }
}

/// The table's line for game `G` with expertise `E` and databases numbered by `I`.
pub(crate) const fn with_databases<G: Game, E, I>() -> Line<G, Informed<G::Position, E>, I> {
    Line { types: PhantomData, specialist: None }
}

/// The table's line for a game that has a faster form for small boards: the first form is tried first.
pub(crate) const fn sizes<'a>(small: &'a dyn Entry, large: &'a dyn Entry) -> Sizes<'a> {
    Sizes { small, large }
}

pub(crate) struct Sizes<'a> {
    small: &'a dyn Entry,
    large: &'a dyn Entry,
}

impl Entry for Sizes<'_> {
    fn about(&self) -> &'static About {
        self.large.about()
    }

    fn open(&self, variant: &str) -> Result<Box<dyn AnyGame>, Error> {
        self.small.open(variant).or_else(|_| self.large.open(variant))
    }
}

/// The types of a line.
type Types<G, E, I> = fn() -> (G, E, I);

pub(crate) struct Line<G: Game, E, I> {
    types: PhantomData<Types<G, E, I>>,
    specialist: Option<Specialist<G::Position, E>>,
}

impl<G, E, I> Entry for Line<G, E, I>
where
    G: Game<Position: Listed>,
    E: Expertise<G::Position> + Default,
    I: Tables<G>,
{
    fn about(&self) -> &'static About {
        &G::ABOUT
    }

    fn open(&self, variant: &str) -> Result<Box<dyn AnyGame>, Error> {
        let game = G::from_variant(variant).map_err(|e| e.shifted(G::ABOUT.name.len() + 1))?;
        Ok(Box::new(Opened {
            game: Arc::new(game),
            expertise: E::default(),
            specialist: self.specialist,
            passed_over: Vec::new(),
            tables: PhantomData::<fn() -> I>,
        }))
    }
}

struct Opened<G: Game, E, I> {
    game: Arc<G>,
    expertise: E,
    specialist: Option<Specialist<G::Position, E>>,
    /// Files of databases that cannot be used.
    passed_over: Vec<String>,
    tables: PhantomData<fn() -> I>,
}

impl<G, E, I> Opened<G, E, I>
where
    G: Game<Position: Listed>,
    E: Expertise<G::Position> + Default,
{
    fn seat(&self, position: G::Position) -> Box<dyn AnyPosition> {
        Box::new(Seat {
            game: self.game.clone(),
            expertise: self.expertise.clone(),
            specialist: self.specialist,
            position,
        })
    }
}

impl<G, E, I> AnyGame for Opened<G, E, I>
where
    G: Game<Position: Listed>,
    E: Expertise<G::Position> + Default,
    I: Tables<G>,
{
    fn about(&self) -> &'static About {
        &G::ABOUT
    }

    fn full_name(&self) -> String {
        self.game.full_name()
    }

    fn start(&self) -> Box<dyn AnyPosition> {
        self.seat(self.game.start())
    }

    fn read(&self, text: &str) -> Result<Box<dyn AnyPosition>, Error> {
        Ok(self.seat(self.game.read(text)?))
    }

    fn is_cyclic(&self) -> bool {
        G::Position::CYCLIC
    }

    fn is_scored(&self) -> bool {
        let (low, high) = self.game.start().score_range();
        low < -1 || high > 1
    }

    fn databases(&self, root: &Path) -> Result<Box<dyn Databases>, Error> {
        I::open(&self.game, root)
    }

    fn informed(&self, root: &Path) -> Result<Box<dyn AnyGame>, Error> {
        let mut expertise = self.expertise.clone();
        let (oracle, passed_over) = I::oracle(&self.game, root)?;
        expertise.inform(oracle);
        let (game, specialist) = (self.game.clone(), self.specialist);
        Ok(Box::new(Self { game, expertise, specialist, passed_over, tables: PhantomData }))
    }

    fn passed_over(&self) -> &[String] {
        &self.passed_over
    }

    fn verify(&self, file: &Path, threads: usize) -> Result<Accepted, Error> {
        if let Some(answered) = answered(file)? {
            return accept(&answered, &*self.game);
        }
        let found = verify_certificate(&*self.game, self.expertise.oracle(), file, threads);
        Ok(accepted(&*self.game, &found.map_err(|e| Error::Certificate(e.to_string()))?))
    }

    fn open_proof(&self, file: &Path, budget: &Budget) -> Result<Box<dyn AnyProof>, Error> {
        open_proof(self.game.clone(), self.expertise.oracle(), file, budget)
    }
}

pub(crate) struct Seat<G: Game, E> {
    pub(crate) game: Arc<G>,
    pub(crate) expertise: E,
    pub(crate) specialist: Option<Specialist<G::Position, E>>,
    pub(crate) position: G::Position,
}

impl<G, E> Seat<G, E>
where
    G: Game<Position: Listed>,
    E: Expertise<G::Position> + Default,
{
    /// Another position of the same rule set.
    fn at(&self, position: G::Position) -> Box<dyn AnyPosition> {
        let (game, expertise) = (self.game.clone(), self.expertise.clone());
        Box::new(Self { game, expertise, specialist: self.specialist, position })
    }

    pub(crate) fn method(&self, request: &Request) -> Result<(Method, Option<String>), Error> {
        let (method, why) = if request.method == "auto" || request.method.is_empty() {
            let (method, why) = methods::choose::<G::Position, E>(
                &G::ABOUT,
                &self.position,
                &self.expertise,
                request.purpose,
            );
            (method, Some(why))
        } else {
            (methods::find(&request.method)?, None)
        };
        Ok((method, why))
    }

    /// The method for proofs where `auto` has chosen `method` to find moves.
    pub(crate) fn prover(&self, method: Method) -> Method {
        match method {
            Method::Exhaustive => method,
            _ => methods::choose_prover::<G::Position, E>(&G::ABOUT, &self.position).0,
        }
    }

    /// A method, and beside it a prover of the game's own where nobody asked for a method.
    pub(crate) fn runner(
        &self,
        method: Method,
        is_auto: bool,
        purpose: Purpose,
        budget: &Budget,
    ) -> Box<dyn methods::Runner<G::Position, E>> {
        let other = |budget: &Budget| methods::runner::<G::Position, E>(method, budget, purpose);
        let may_help = is_auto && purpose == Purpose::Prove && method != Method::Exhaustive;
        match self.specialist.filter(|_| may_help).and_then(|make| make(&self.position)) {
            Some(own) => Box::new(Beside::new(own, budget, other)),
            None => other(budget),
        }
    }

    /// Runs a method.
    pub(crate) fn run(
        &self,
        runner: &mut dyn methods::Runner<G::Position, E>,
        task: &Task<'_, G::Position, E>,
    ) -> Answer<<G::Position as Position>::Move> {
        let mut answer = runner.solve(task);
        // Where a database cut the search, nobody counted the plies behind it.
        answer.distance = answer.distance.filter(|_| self.expertise.oracle().is_none());
        answer
    }

    pub(crate) fn report(
        &self,
        answer: &Answer<<G::Position as Position>::Move>,
        goal: Goal,
        method: Method,
    ) -> Report {
        let outcome = answer.bounds.outcome();
        let scored = self.game.start().score_range() != (-1, 1);
        let player = self.position.turn().player().unwrap_or(Player::FIRST);
        Report {
            game: self.game.full_name(),
            position: self.position.write(),
            player: G::ABOUT.players[player.index()],
            status: status(answer, Bounds::open(&self.position), goal),
            ended: None,
            value: outcome.map(outcome_name),
            score: (scored && answer.bounds.low == answer.bounds.high).then_some(answer.bounds.low),
            bounds: [answer.bounds.low, answer.bounds.high],
            estimate: estimate(answer),
            // Who plays for the most may take longer to win, and methods differ in how long.
            distance: answer
                .distance
                .filter(|_| !scored)
                .or_else(|| self.distance_by_score(answer.bounds))
                .map(|d| DistanceReport { plies: d.plies, exact: d.exact }),
            line: self.position.write_line(&answer.line),
            guessed_by: None,
            method: method.about().name.into(),
            why: None,
            nodes: answer.counts.nodes,
            seconds: answer.counts.time.as_secs_f64(),
            certificate: None,
            uncertified: None,
            rests_on: self.expertise.oracle().map(Oracle::describe),
        }
    }

    /// How far the end is, where an exact score tells.
    fn distance_by_score(&self, bounds: Bounds) -> Option<Distance> {
        let score = Some(bounds.low).filter(|&low| low == bounds.high)?;
        Some(Distance { plies: self.position.plies_left(score)?, exact: true })
    }
}

/// Checks a certificate by the rules, and by databases where it rests on them and they are given.
fn verify_certificate<G: Game<Position: Listed>>(
    game: &G,
    databases: Option<&dyn Oracle<G::Position>>,
    file: &Path,
    threads: usize,
) -> Result<Verified, Rejected> {
    match databases {
        Some(oracle) => {
            let budget = Budget { threads, ..Budget::default() };
            verify_on(game, file, oracle, &budget, &endspiel_game::Quiet)
        }
        None => verify(game, file, threads),
    }
}

/// How the game ended, in words, if it has.
pub(crate) fn result<G: Game<Position: TwoPlayer>>(game: &G, position: &G::Position) -> Option<String> {
    position.turn().is_over().then(|| in_words(game, position.payoff()))
}

fn in_words<G: Game<Position: TwoPlayer>>(game: &G, payoff: Payoff) -> String {
    match payoff.of(Player::FIRST) {
        0 => "a draw".into(),
        s if game.start().score_range() == (-1, 1) => {
            format!("{} wins", G::ABOUT.players[usize::from(s < 0)])
        }
        s => format!("{} wins by {}", G::ABOUT.players[usize::from(s < 0)], s.abs()),
    }
}

fn estimate<M>(answer: &Answer<M>) -> Option<EstimateReport> {
    answer.estimate.map(EstimateReport::from)
}

/// What ended a search that has not decided what was asked.
pub(crate) fn ended(
    budget: &Budget,
    nodes: u64,
    begun: Instant,
    method: Method,
    bounds: Bounds,
) -> &'static str {
    if !method.about().scores && bounds.outcome().is_some() {
        "method"
    } else if budget.stop.asked() {
        "stopped"
    } else if budget.time.is_some_and(|t| begun.elapsed() >= t) {
        "time"
    } else if budget.nodes.is_some_and(|n| nodes >= n) {
        "nodes"
    } else {
        "memory"
    }
}

/// Tells a [`Watcher`] of a method's progress, in words.
pub(crate) struct Teller<'a, P> {
    pub(crate) root: &'a P,
    pub(crate) watcher: &'a dyn Watcher,
}

impl<P: Listed> Observer<P::Move> for Teller<'_, P> {
    fn progress(&self, progress: &Progress<'_, P::Move>) {
        self.watcher.progress(&ProgressReport {
            doing: progress.doing.into(),
            nodes: progress.nodes,
            depth: progress.depth,
            share: progress.share,
            bounds: [progress.bounds.low, progress.bounds.high],
            estimate: progress.estimate.map(EstimateReport::from),
            line: self.root.write_line(progress.line),
        });
    }
}

impl<G, E> AnyPosition for Seat<G, E>
where
    G: Game<Position: Listed>,
    E: Expertise<G::Position> + Default,
{
    fn game(&self) -> String {
        self.game.full_name()
    }

    fn turn(&self) -> Turn {
        self.position.turn()
    }

    fn mover(&self) -> Option<&'static str> {
        self.position.turn().player().map(|p| G::ABOUT.players[p.index()])
    }

    fn moves(&self) -> Vec<String> {
        self.position.move_list().into_iter().map(|m| self.position.write_move(m)).collect()
    }

    fn count_moves(&self) -> usize {
        self.position.count_moves()
    }

    fn move_words<'a>(&self, moves: &'a str) -> Vec<(usize, &'a str)> {
        self.position.move_words(moves)
    }

    fn play(&self, moves: &str) -> Result<Box<dyn AnyPosition>, Error> {
        Ok(self.play_line(moves)?.0)
    }

    fn play_line(&self, moves: &str) -> Result<(Box<dyn AnyPosition>, Vec<String>), Error> {
        let (position, line) = self.position.read_line(moves)?;
        let names = self.position.write_line(&line);
        Ok((self.at(position), names))
    }

    fn recorded(&self, moves: &str) -> Result<Vec<String>, Error> {
        let mut position = self.position.clone();
        let written = position.read_line(moves)?.1.into_iter().map(|m| {
            let name = position.write_recorded(m);
            position.play(m);
            name
        });
        Ok(written.collect())
    }

    fn write(&self) -> String {
        self.position.write()
    }

    fn text(&self) -> String {
        self.position.text()
    }

    fn svg(&self) -> String {
        self.position.scene().svg()
    }

    fn scene(&self) -> Scene {
        self.position.scene()
    }

    fn relief(&self) -> Option<Scene> {
        self.position.relief()
    }

    fn glance(&self, stop: &Stop) -> Glance {
        self.look(stop)
    }

    fn threats(&self, stop: &Stop) -> Vec<ThreatReport> {
        self.attacks(stop)
    }

    fn knows_threats(&self) -> bool {
        E::THREATS
    }

    fn draw_threat(&self, threat: &ThreatReport) -> Scene {
        self.draw_attack(threat)
    }

    fn result(&self) -> Option<String> {
        result(&*self.game, &self.position)
    }

    fn result_if_repeated(&self) -> Option<String> {
        G::Position::CYCLIC.then(|| in_words(&*self.game, self.position.repeated()))
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let count =
            |m| (self.position.write_move(m), perft(&self.position.after(m), depth.saturating_sub(1)));
        self.position.move_list().into_iter().map(count).collect()
    }

    fn playouts(&self, games: usize, rng: &mut Rng) {
        for _ in 0..games {
            std::hint::black_box(self.position.clone().playout(rng, LONGEST_PLAYOUT));
        }
    }

    fn solve(&self, request: &Request, watcher: &dyn Watcher) -> Result<Report, Error> {
        let (method, why) = self.method(request)?;
        if let Some(file) = &request.certificate {
            endspiel_proof::try_path(file).map_err(|e| Error::Certificate(e.to_string()))?;
        }
        if method == Method::Uct && why.is_some() && request.certificate.is_none() {
            return self.know_or_guess(request, (method, why), watcher);
        }
        let teller = Teller { root: &self.position, watcher };
        // Half of the memory is for the strategy, which is written down while the method still knows its proof.
        let share = if request.certificate.is_some() { 2 } else { 1 };
        let budget = Budget { memory: request.budget.memory / share, ..request.budget.clone() };
        let task = Task {
            root: &self.position,
            goal: request.goal,
            expertise: &self.expertise,
            budget: &budget,
            observer: &teller,
        };
        let begun = Instant::now();
        let mut runner = self.runner(method, why.is_some(), request.purpose, &budget);
        let known = self.answer_of(&self.position, request);
        let is_known = known.is_some();
        let mut answer = known.unwrap_or_else(|| self.run(&mut *runner, &task));
        if answer.line.is_empty() {
            answer.line.extend(methods::keeping_move(&mut *runner, &task, answer.bounds.low));
        }
        self.unharmed()?;
        let mut report = Report { why, ..self.report(&answer, request.goal, method) };
        if is_known {
            report.found_in_databases();
        } else if runner.is_specialist() {
            report.found_by(OWN);
        } else if !method.asks_databases() {
            report.rests_on = None;
        }
        report.seconds = begun.elapsed().as_secs_f64();
        if report.status != Status::Proven {
            report.ended = Some(ended(&budget, report.nodes, begun, method, answer.bounds));
        }
        if let Some(file) = &request.certificate {
            let time = budget.time.map(|t| t.saturating_sub(begun.elapsed()));
            let budget = Budget { time, ..budget.clone() };
            match self.certify(answer.bounds, (method, runner), &Task { budget: &budget, ..task }, file) {
                Ok(certificate) => report.certificate = Some(certificate),
                // Where nothing is proven nobody misses one.
                Err(Failed::NotWritten(what)) => {
                    let proven = matches!(report.status, Status::Proven | Status::Bounded);
                    report.uncertified = Some(what).filter(|_| proven);
                }
                Err(Failed::NotProven(what)) => {
                    report.withdraw(Bounds::open(&self.position));
                    report.uncertified =
                        Some(format!("the proof does not hold ({what}): a fault of this program"));
                }
            }
        }
        Ok(report)
    }

    fn rank(&self, request: &Request, watcher: &dyn Watcher) -> Result<Ranking, Error> {
        self.judge(request, watcher)
    }

    fn ask(
        &self,
        question: &str,
        engine: &str,
        budget: &Budget,
        certificate: Option<&Path>,
    ) -> Result<Asked, Error> {
        self.answer(question, engine, budget, certificate)
    }

    fn values(&self, purse: &mut Purse) -> Result<Values, Error> {
        values(&self.position, &self.game(), purse)
    }

    fn complexity(&self, samples: usize, method: Option<&str>, budget: &Budget) -> Result<Complexity, Error> {
        let Some(method) = method else {
            return Ok(measure(&self.position, samples, budget, true, &mut |p, _, rng| p.random_move(rng)));
        };
        let request = Request {
            method: method.into(),
            purpose: Purpose::Play,
            goal: Goal::Score,
            budget: budget.clone(),
            certificate: None,
        };
        let (method, _) = self.method(&request)?;
        let mut runner = methods::runner::<G::Position, E>(method, budget, Purpose::Play);
        // Two random plies first, so that games by a method without chance differ.
        let mut choose = |p: &G::Position, ply: usize, rng: &mut Rng| {
            if ply < 2 {
                return p.random_move(rng);
            }
            let quiet = endspiel_game::Quiet;
            let task =
                Task { root: p, goal: request.goal, expertise: &self.expertise, budget, observer: &quiet };
            let answer = runner.solve(&task);
            let line = answer.line.first().copied();
            line.or_else(|| methods::keeping_move(&mut *runner, &task, answer.bounds.low))
                .or_else(|| p.random_move(rng))
        };
        Ok(measure(&self.position, samples, budget, false, &mut choose))
    }

    fn space(&self, draws: usize, budget: &Budget) -> Option<Space> {
        let superset = self.game.superset().filter(|_| self.position.key() == self.game.start().key())?;
        Some(space(superset, draws, budget))
    }

    fn copy(&self) -> Box<dyn AnyPosition> {
        self.at(self.position.clone())
    }
}
