//! `endspiel play`: a game at the terminal, each side a person, a method, or an agent on endgame databases.

use super::{open_with, single, stop_on_interrupt};
use crate::args::{From, Ponder};
use crate::screen::{Ink, Live};
use crate::spend::Spend;
use crate::{End, Failure};
use endspiel_catalog::databases::{Seat, databases, read_agent};
use endspiel_catalog::guarded::{self, Book, GUARDED};
use endspiel_catalog::ponder::{Plan, Pondered};
use endspiel_catalog::{AnyGame, AnyPosition, AnyProof, Purpose, Request, Status};
use endspiel_game::{Budget, Goal, Stop, Turn};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Time a method takes for a move where no budget is given.
const USUAL: Duration = Duration::from_secs(2);
/// Games longer than this are called off: methods may go round for ever in games that allow it.
const LONGEST: usize = 2000;

const HELP: &str = "type a move, or: hint, undo, moves, show, help, quit";

/// What players may use beside the rules.
pub struct Aids<'a> {
    pub db: Option<&'a Path>,
    pub book: Option<&'a Path>,
    pub metric: Option<endspiel_retro::Metric>,
    pub ponder: Ponder,
}

pub fn run(
    game: &str,
    from: &From,
    players: [&String; 2],
    &Aids { db: dir, book, metric, ponder }: &Aids<'_>,
    spend: &Spend,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let game = open_with(game, dir)?;
    let book = book.map_or_else(|| Ok(Book::default()), |file| read_book(&*game, file))?;
    let ink = Ink::for_output();
    let mut past: Vec<Box<dyn AnyPosition>> = vec![single(&*game, from)?];
    let mut record: Vec<String> = Vec::new();
    let (mut proofs, mut seats) = ([None, None], [None, None]);
    for (i, player) in players.into_iter().enumerate() {
        if is_certificate(player) {
            proofs[i] = Some(open_proof(Path::new(player), &*game, &*past[0], spend)?);
        } else if let Some(agent) = read_agent(player) {
            let root = dir.map_or_else(super::db::usual_dir, Into::into);
            let store = databases(&game.full_name(), &root)?;
            let metric = metric.unwrap_or_else(|| store.usual_metric());
            store.has(metric)?;
            let (there, damage) = store.list_each()?;
            if there.is_empty() {
                if let Some(damage) = damage.into_iter().next() {
                    return Err(Failure::Input(damage));
                }
                let root = root.display();
                let what = format!("{player} plays by databases, and there are none of this game in {root}");
                return Err(Failure::Input(format!("{what}; `--db DIR` says where they are")));
            }
            seats[i] = Some(store.seat(
                agent.map_err(Failure::Input)?,
                metric,
                spend.seed.wrapping_add(i as u64),
            )?);
        } else if player != "human" && player != GUARDED {
            let more = |e| {
                let others = "fallible:C, emulator:C, predator or FILE.cert";
                Failure::Input(format!("{e}; a player may also be human, {GUARDED}, {others}"))
            };
            endspiel_catalog::method(player).map_err(more)?;
        }
    }
    // Who errs by chance may find the way when a position comes back; the third time is enough.
    let often = if seats.iter().any(Option::is_some) { 2 } else { 1 };
    let request = Request {
        purpose: Purpose::Play,
        goal: Goal::Score,
        budget: spend.budget(Some(USUAL)),
        ..Request::default()
    };
    stop_on_interrupt(&request.budget.stop);
    let (mut pondered, mut plans) =
        ([Pondered::default(), Pondered::default()], [None::<(Arc<Plan>, usize)>, None]);
    if !as_json {
        writeln!(out, "{}", past[0].text())?;
        if players.iter().any(|player| *player == "human") {
            writeln!(out, "{}", ink.faint(HELP))?;
        }
    }
    let end = loop {
        let Some(position) = past.last() else { break End::Decided };
        let Turn::Player(mover) = position.turn() else { break End::Decided };
        if repeats(&past, often) {
            break End::Decided;
        }
        if record.len() >= LONGEST || request.budget.stop.asked() {
            break End::Undecided;
        }
        let player = players[mover.index() & 1];
        let name = position.mover().unwrap_or("nobody").to_string();
        let (this, other) = (mover.index() & 1, 1 - (mover.index() & 1));
        for plan in &mut plans {
            plan.take_if(|plan| !is_under_way(plan, &past));
        }
        // Who has a plan needs no other.
        let ponders = players[other] == GUARDED && ponder.while_thinks(player) && plans[other].is_none();
        let meanwhile = Meanwhile { game: &*game, position: &**position, budget: &request.budget };
        if let Some(plan) = pondered[this].plan(&**position) {
            plans[this] = Some((plan, record.len()));
        }
        if player != "human" {
            let judged = seats[this].as_mut().map(|seat| seat.choose(&position.write()));
            let planned = follow(&mut plans[this], &record);
            let (chosen, words) = if let Some(proof) = &proofs[this] {
                (answer(&**proof, &name, &record)?, "by the proof".into())
            } else if let Some(chosen) = planned {
                (chosen, "by a proof found in the opponent's time".into())
            } else if let Some(judged) = judged.transpose()?.flatten() {
                (judged.name, judged.words)
            } else {
                let by_databases = seats[this].is_some();
                let method = if by_databases { "auto" } else { player.as_str() };
                let asked = Request { method: method.into(), ..request.clone() };
                let pondered = ponders.then_some(&mut pondered[other]);
                let (chosen, words) = meanwhile.ponder(pondered, || think(&**position, &book, &asked))?;
                (chosen, if by_databases { format!("no database holds this; {words}") } else { words })
            };
            show(&mut seats[other], &**position, &chosen)?;
            let next = position.play(&chosen)?;
            if as_json {
                writeln!(
                    out,
                    "{}",
                    json!({"mover": name, "move": chosen, "judged": words, "position": next.write()})
                )?;
            } else {
                writeln!(out, "{name} ({player}) plays {}  {}\n", ink.bold(&chosen), ink.faint(&words))?;
                writeln!(out, "{}", next.text())?;
            }
            out.flush()?;
            record.push(chosen);
            past.push(next);
            continue;
        }
        if !as_json {
            write!(out, "{name}> ")?;
            out.flush()?;
        }
        let pondered = ponders.then_some(&mut pondered[other]);
        let line = meanwhile.ponder(pondered, || super::read_line(&mut std::io::stdin().lock()))?;
        let Some(line) = line else { break End::Undecided };
        let line = line.unwrap_or_else(|what| format!("({what})"));
        // What is said to the person: words, and the same in JSON.
        let (words, same) = match line.trim() {
            "" => continue,
            "quit" | "exit" => break End::Undecided,
            "help" => (HELP.to_string(), json!({"help": HELP})),
            "moves" => (position.moves().join(" "), json!({"moves": position.moves()})),
            "show" => (position.text(), json!({"position": position.write(), "picture": position.text()})),
            "hint" => {
                let asked = Request { method: "auto".into(), ..request.clone() };
                let (chosen, words) = think(&**position, &book, &asked)?;
                let line = format!("{} {}", ink.bold(&chosen), ink.faint(&words));
                (line, json!({"hint": chosen, "judged": words}))
            }
            "undo" => {
                // Back to this player's last turn: the answer of a method goes too.
                let again = past.iter().rev().skip(1).position(|p| p.turn() == Turn::Player(mover));
                if let Some(back) = again {
                    past.truncate(past.len() - 1 - back);
                    record.truncate(record.len() - 1 - back);
                    let now = &past[past.len() - 1];
                    (now.text(), json!({"undone": back + 1, "position": now.write()}))
                } else {
                    let what = "there is nothing to take back";
                    (what.into(), json!({"error": what}))
                }
            }
            word => match position.play_line(word) {
                Ok((_, names)) => {
                    for name in names {
                        let at = &past[past.len() - 1];
                        let opponent = at.turn().player().map(|player| 1 - (player.index() & 1));
                        if let Some(seat) = opponent.map(|i| &mut seats[i]) {
                            show(seat, &**at, &name)?;
                        }
                        let next = at.play(&name)?;
                        record.push(name);
                        past.push(next);
                    }
                    let now = &past[past.len() - 1];
                    let played = record.last();
                    let same = json!({"mover": name, "move": played, "position": now.write()});
                    (format!("\n{}", now.text()), same)
                }
                Err(error) => (error.to_string(), json!({"error": error.to_string()})),
            },
        };
        if as_json {
            writeln!(out, "{same}")?;
        } else {
            writeln!(out, "{words}")?;
        }
        out.flush()?;
    };
    if let Some(position) = past.last() {
        let again = position.result_if_repeated().filter(|_| repeats(&past, often));
        let result =
            position.result().or_else(|| again.map(|r| format!("{r}, as the position has come back")));
        if as_json {
            writeln!(out, "{}", json!({"moves": record, "result": result, "position": position.write()}))?;
        } else {
            writeln!(out, "{}", result.map_or_else(|| "not finished".into(), |r| format!("over: {r}")))?;
            writeln!(out, "moves: {}", record.join(" "))?;
        }
    }
    Ok(end)
}

/// What a guarded player does in the opponent's time.
struct Meanwhile<'a> {
    game: &'a dyn AnyGame,
    position: &'a dyn AnyPosition,
    budget: &'a Budget,
}

impl Meanwhile<'_> {
    /// Ponders, if that is wanted, for as long as `other` takes: it is told to stop when that is done, and waited for. It may take
    /// half as much memory again. What goes wrong with it is no fault of the game.
    fn ponder<T>(&self, pondered: Option<&mut Pondered>, other: impl FnOnce() -> T) -> T {
        let Some(pondered) = pondered else { return other() };
        let memory = self.budget.memory / 2;
        let budget = Budget { threads: 1, memory, stop: Stop::default(), ..self.budget.clone() };
        std::thread::scope(|scope| {
            let thinker = std::thread::Builder::new().name("ponder".into());
            // Where there is no thread to be had nobody ponders.
            let _ = thinker.spawn_scoped(scope, || pondered.think(self.game, self.position, &budget));
            let _end = Ends(&budget.stop);
            other()
        })
    }
}

/// Says stop when it goes, whatever the reason.
struct Ends<'a>(&'a Stop);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.now();
    }
}

/// Does the game still go through the root of a plan that began after so many moves? Moves may have been taken back.
fn is_under_way((plan, begun): &(Arc<Plan>, usize), past: &[Box<dyn AnyPosition>]) -> bool {
    past.get(*begun).is_some_and(|root| root.write() == plan.root())
}

/// The next move of a plan. One that the game has left, or that is at its end, is dropped.
fn follow(plan: &mut Option<(Arc<Plan>, usize)>, record: &[String]) -> Option<String> {
    let (found, begun) = plan.as_ref()?;
    let chosen = record.get(*begun..).and_then(|moves| found.answer(&moves.join(" ")));
    if chosen.is_none() {
        *plan = None;
    }
    chosen
}

/// Lets an agent see its opponent's move.
fn show(seat: &mut Option<Box<dyn Seat>>, position: &dyn AnyPosition, name: &str) -> Result<(), Failure> {
    seat.as_mut().map_or(Ok(()), |seat| Ok(seat.watch(&position.write(), name)?))
}

/// Is a player named by a certificate?
fn is_certificate(player: &str) -> bool {
    Path::new(player).extension().is_some_and(|ending| ending == "cert")
}

/// Opens the certificate that a player follows, which must be of this game from this position.
fn open_proof(
    file: &Path,
    game: &dyn AnyGame,
    start: &dyn AnyPosition,
    spend: &Spend,
) -> Result<Box<dyn AnyProof>, Failure> {
    let refused = |e| Failure::Input(format!("{}: {e}", file.display()));
    let proof = endspiel_catalog::open_proof(file, &spend.budget(None)).map_err(refused)?;
    let accepted = proof.accepted();
    if accepted.game != game.full_name() || accepted.position != start.write() {
        let (file, position) = (file.display(), accepted.position);
        return Err(Failure::Input(format!("{file} is a proof of {} from {position}", accepted.game)));
    }
    Ok(proof)
}

/// What a proof of the mover's plays after these moves.
fn answer(proof: &dyn AnyProof, mover: &str, record: &[String]) -> Result<String, Failure> {
    let none = || Failure::Input(format!("the certificate has no strategy of {mover}'s"));
    let claim = proof.claims().iter().position(|claim| claim.prover == mover).ok_or_else(none)?;
    proof.walk(claim, &record.join(" "))?.answer.ok_or_else(none)
}

/// Has the last position been there so often before, in a game where that ends it?
fn repeats(past: &[Box<dyn AnyPosition>], often: usize) -> bool {
    let Some((last, before)) = past.split_last() else { return false };
    last.result_if_repeated().is_some()
        && before.iter().filter(|p| p.write() == last.write()).count() >= often
}

/// Reads a book of openings.
fn read_book(game: &dyn AnyGame, file: &Path) -> Result<Book, Failure> {
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|e| Failure::Input(format!("{}: {e}", file.display())))?;
    Book::read(game, &text)
        .map_err(|(line, e)| Failure::Input(format!("{}, line {line}: {e}", file.display())))
}

/// A method's move and what it thinks of it.
fn think(position: &dyn AnyPosition, book: &Book, request: &Request) -> Result<(String, String), Failure> {
    if let [only] = &position.moves()[..] {
        return Ok((only.clone(), "the only move".into()));
    }
    let live = Live::new(false);
    if request.method == GUARDED {
        let found = guarded::choose(position, book, request, &live);
        live.done();
        let found = found?;
        let mut words = found.report.as_ref().map_or_else(|| "by the book".into(), super::solve::in_short);
        if !found.refuted.is_empty() {
            words += &format!("; {} would lose", found.refuted.join(", "));
        }
        let none = || Failure::Input("there is no legal move".into());
        return Ok((found.name.ok_or_else(none)?, words));
    }
    let report = position.solve(request, &live);
    live.done();
    let report = report?;
    let words = super::solve::in_short(&report);
    match report.line.first() {
        Some(chosen) => Ok((chosen.clone(), words)),
        // A method that has no line yet still has to move, and so has one that has lost.
        None => match position.moves().first() {
            Some(any) if report.status == Status::Proven => Ok((any.clone(), words)),
            Some(any) => Ok((any.clone(), "no line found in time".into())),
            None => Err(Failure::Input("there is no legal move".into())),
        },
    }
}
