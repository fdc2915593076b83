//! Certificates to walk through, behind one object-safe trait: at the prover's turns the recorded move, at the
//! opponent's all replies, each with what the proof answers.

use crate::entry::{Listed, result};
use crate::report::{Accepted, Error};
use endspiel_game::{Budget, Game, Notation, Oracle, Position, Question, TextError, Turn, TwoPlayer};
use endspiel_proof::{Proof, Verified};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Counting what lies below a position stops here ...
const COUNTED: usize = 2000;
/// ... below all replies to it together here ...
const COUNTED_BELOW: usize = 200_000;
/// ... and after this time.
const PATIENCE: Duration = Duration::from_secs(2);

/// An accepted certificate of any game.
pub trait AnyProof: Send + Sync {
    /// What was accepted.
    fn accepted(&self) -> Accepted;
    /// The claims of the statement: each has a strategy of its own.
    fn claims(&self) -> Vec<ClaimReport>;
    /// Follows `moves` from the root through the strategy of claim number `claim`, and tells what is there.
    fn walk(&self, claim: usize, moves: &str) -> Result<Station, Error>;
}

/// A claim that is proven.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimReport {
    /// Whose strategy proves it.
    pub prover: &'static str,
    /// What is proven, in the game's words.
    pub claim: String,
    /// Positions of the prover's that the strategy has an answer for.
    pub records: u64,
}

/// A position on the way through a proof.
#[derive(Clone, Debug, Serialize)]
pub struct Station {
    /// The position in the game's notation.
    pub position: String,
    /// The moves that led there from the root.
    pub line: Vec<String>,
    /// Who is to move; none when the game is over.
    pub mover: Option<&'static str>,
    /// How the game ended, if it has.
    pub result: Option<String>,
    /// The prover's move, where the prover is to move.
    pub answer: Option<String>,
    /// Every legal move, where the opponent is to move.
    pub replies: Vec<ReplyReport>,
    /// Records that can still be met.
    pub size: u64,
    /// Are there no more than that?
    pub exact: bool,
    /// Why the claim is certain from here on by the rules alone, in words, where it is.
    pub certain: Option<String>,
}

/// A reply of the opponent's, and what the proof says to it.
#[derive(Clone, Debug, Serialize)]
pub struct ReplyReport {
    /// The reply.
    #[serde(rename = "move")]
    pub name: String,
    /// The prover's answer, where the prover is to move after it.
    pub answer: Option<String>,
    /// How the game ends by it, if it does.
    pub result: Option<String>,
    /// Records that can still be met after it.
    pub size: u64,
    /// Are there no more than that?
    pub exact: bool,
    /// Is the claim certain after it by the rules alone?
    pub certain: bool,
}

struct Opened<G: Game> {
    game: Arc<G>,
    proof: Proof<G>,
}

pub(crate) fn open_proof<G>(
    game: Arc<G>,
    databases: Option<&dyn Oracle<G::Position>>,
    file: &Path,
    budget: &Budget,
) -> Result<Box<dyn AnyProof>, Error>
where
    G: Game<Position: Listed>,
{
    let proof = Proof::open_on(&*game, file, databases, budget);
    let proof = proof.map_err(|e| Error::Certificate(e.to_string()))?;
    Ok(Box::new(Opened { game, proof }))
}

/// What was accepted, in the game's words.
pub(crate) fn accepted<G: Game<Position: TwoPlayer>>(game: &G, v: &Verified) -> Accepted {
    let names = G::ABOUT.players;
    let (low, high) = game.start().score_range();
    let scored = low < -1 || high > 1;
    let (mover, other) = (names[v.statement.player().index()], names[v.statement.player().other().index()]);
    let statement = match (v.statement.low(), v.statement.high()) {
        (low, high) if scored => match (low, high) {
            (Some(low), Some(high)) if low == high => format!("{mover} gets exactly {low}"),
            (Some(low), Some(high)) => format!("{mover} gets from {low} to {high}"),
            (Some(low), None) => format!("{mover} gets at least {low}"),
            (None, high) => format!("{mover} gets at most {}", high.unwrap_or_default()),
        },
        (Some(1..), _) => format!("{mover} wins"),
        (_, Some(..=-1)) => format!("{other} wins"),
        (Some(_), Some(_)) => "a draw".into(),
        (Some(_), None) => format!("{mover} at least draws"),
        (None, _) => format!("{other} at least draws"),
    };
    Accepted {
        game: v.game.clone(),
        position: v.root.clone(),
        statement,
        bounds: Some([v.statement.low(), v.statement.high()]),
        records: v.records,
        rests_on: v.rests.iter().map(|s| format!("{} ({:016x})", s.name, s.checksum)).collect(),
        passed_over: Vec::new(),
        digest: format!("{:032x}", v.digest),
        seconds: v.time.as_secs_f64(),
    }
}

impl<G: Game<Position: Listed>> Opened<G> {
    fn claim(&self, number: usize) -> Result<Question, Error> {
        self.proof.claims().get(number).map(|(claim, _)| *claim).ok_or_else(|| {
            let last = self.proof.claims().len().saturating_sub(1);
            TextError::new(0, format!("there is no claim number {number}"), format!("0 to {last}")).into()
        })
    }

    /// Why the claim is certain at a position whatever is played, if the rules alone tell.
    fn certain(&self, claim: usize, question: Question, position: &G::Position) -> Option<String> {
        if position.turn().is_over() || !self.proof.is_certain(claim, position) {
            return None;
        }
        let [prover, other] = [question.player, question.player.other()].map(|p| G::ABOUT.players[p.index()]);
        if position.score_range_of(question.player).0 >= question.at_least {
            return Some(format!("whatever is played, {prover} gets no less than is claimed"));
        }
        Some(G::Position::how_secured(prover, other))
    }
}

impl<G: Game<Position: Listed>> AnyProof for Opened<G> {
    fn accepted(&self) -> Accepted {
        accepted(&*self.game, self.proof.verified())
    }

    fn claims(&self) -> Vec<ClaimReport> {
        let (low, high) = self.game.start().score_range();
        let words = |claim: Question| {
            let prover = G::ABOUT.players[claim.player.index()];
            match claim.at_least {
                n if low < -1 || high > 1 => format!("{prover} gets at least {n}"),
                1.. => format!("{prover} wins"),
                _ => format!("{prover} at least draws"),
            }
        };
        let report = |(claim, records): (Question, usize)| ClaimReport {
            prover: G::ABOUT.players[claim.player.index()],
            claim: words(claim),
            records: records as u64,
        };
        self.proof.claims().into_iter().map(report).collect()
    }

    fn walk(&self, claim: usize, moves: &str) -> Result<Station, Error> {
        let question = self.claim(claim)?;
        let mut position = self.proof.root().clone();
        let mut line = Vec::new();
        for (at, word) in position.move_words(moves) {
            let m = position.read_move(word).map_err(|e| e.shifted(at))?;
            if let Some(answer) = self.proof.answer(claim, &position)
                && answer != m
            {
                let [prover, other] =
                    [question.player, question.player.other()].map(|p| G::ABOUT.players[p.index()]);
                return Err(Error::Strayed(format!(
                    "move {}, {}, leaves the proof: {prover} moves as the proof says, here {}, and of {prover}'s other moves \
                     it says nothing; every move of {other}'s is answered",
                    line.len() + 1,
                    position.write_move(m),
                    position.write_move(answer),
                )));
            }
            line.push(position.write_move(m));
            position.play(m);
        }
        let turn = position.turn();
        let (size, exact) = self.proof.size(claim, &position, COUNTED);
        let mut station = Station {
            position: position.write(),
            line,
            mover: turn.player().map(|p| G::ABOUT.players[p.index()]),
            result: result(&*self.game, &position),
            answer: self.proof.answer(claim, &position).map(|m| position.write_move(m)),
            replies: Vec::new(),
            size: size as u64,
            exact,
            certain: self.certain(claim, question, &position),
        };
        if matches!(turn, Turn::Player(p) if p != question.player) {
            let replies = position.move_list();
            let share = (COUNTED_BELOW / replies.len().max(1)).clamp(1, COUNTED);
            let begun = Instant::now();
            for m in replies {
                let child = position.after(m);
                let most = if begun.elapsed() < PATIENCE { share } else { 1 };
                let (size, exact) = self.proof.size(claim, &child, most);
                station.replies.push(ReplyReport {
                    name: position.write_move(m),
                    answer: self.proof.answer(claim, &child).map(|m| child.write_move(m)),
                    result: result(&*self.game, &child),
                    size: size as u64,
                    exact,
                    certain: self.proof.is_certain(claim, &child),
                });
            }
        }
        Ok(station)
    }
}
