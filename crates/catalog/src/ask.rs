//! Questions about a position, their answers, and the certificates of these.

use crate::entry::{Listed, Seat};
use crate::report::{Accepted, Asked, CertificateReport, Error};
use endspiel_game::notation::{TextError, shorten};
use endspiel_game::{Budget, Expertise, Game, Notation, Position};
use endspiel_proof::{Answered, FileError, read_header};
use endspiel_search::ask::{Engine, Formulas, ask, choices, parse, spelt};
use std::path::Path;
use std::time::Instant;

impl<G, E> Seat<G, E>
where
    G: Game<Position: Listed>,
    E: Expertise<G::Position> + Default,
{
    /// Does a question hold here? What shows the answer is written to `certificate`, if that is wanted.
    pub(crate) fn answer(
        &self,
        question: &str,
        engine: &str,
        budget: &Budget,
        certificate: Option<&Path>,
    ) -> Result<Asked, Error> {
        let engine = Engine::ALL.into_iter().find(|e| e.name() == engine).ok_or_else(|| {
            let what = format!("there is no way of searching called '{}'", shorten(engine));
            Error::Text(TextError::new(0, what, Engine::ALL.map(Engine::name).join(", ")))
        })?;
        let (begun, mut formulas) = (Instant::now(), Formulas::default());
        let left = || budget.time.map(|t| t.saturating_sub(begun.elapsed()));
        let (players, mover) = (G::ABOUT.players, self.position.turn().player());
        let id = parse(&mut formulas, question, players, mover)?;
        let question = spelt(question, players, mover)?;
        if let Some(file) = certificate {
            endspiel_proof::try_path(file).map_err(|e| Error::Certificate(e.to_string()))?;
        }
        let verdict = ask(&self.position, &formulas, id, engine, &Budget { time: left(), ..budget.clone() });
        let (mut written, mut uncertified) = (None, None);
        if let (Some(file), Some(holds)) = (certificate, verdict.holds) {
            let shown = if holds { id } else { formulas.not(id) };
            // Checking takes less than finding out once more, so each gets half.
            let time = left().map(|left| left / 2);
            let found = choices(&self.position, &formulas, shown, &Budget { time, ..budget.clone() });
            match found {
                Some(choices) => {
                    let answered = Answered {
                        game: self.game.full_name(),
                        root: self.position.write(),
                        question: question.split_whitespace().collect::<Vec<_>>().join(" "),
                        holds,
                        choices,
                    };
                    let failed = |e: &dyn std::fmt::Display| Error::Certificate(e.to_string());
                    answered.check(&*self.game).map_err(|e| failed(&e))?;
                    let bytes = answered.write(file).map_err(|e| failed(&e))?;
                    let records = answered.choices.len() as u64;
                    written = Some(CertificateReport { file: file.into(), records, bytes });
                }
                None => uncertified = Some("the budget was used up before the proof was written".into()),
            }
        }
        Ok(Asked {
            game: self.game.full_name(),
            position: self.position.write(),
            question,
            holds: verdict.holds,
            engine: engine.name(),
            formulas: formulas.len(),
            nodes: verdict.nodes,
            seconds: begun.elapsed().as_secs_f64(),
            certificate: written,
            uncertified,
        })
    }
}

/// The answer to a question in a certificate; none if it is of another kind.
pub(crate) fn answered(file: &Path) -> Result<Option<Answered>, Error> {
    match read_header(file) {
        Err(FileError::Kind { .. }) => {
            Answered::read(file).map(Some).map_err(|e| Error::Certificate(e.to_string()))
        }
        _ => Ok(None),
    }
}

/// Checks an answer by the rules of the game.
pub(crate) fn accept<G: Game<Position: Listed>>(answered: &Answered, game: &G) -> Result<Accepted, Error> {
    let begun = Instant::now();
    answered.check(game).map_err(|e| Error::Certificate(e.to_string()))?;
    Ok(Accepted {
        game: answered.game.clone(),
        position: answered.root.clone(),
        statement: answered.statement(),
        bounds: None,
        records: answered.choices.len() as u64,
        rests_on: Vec::new(),
        passed_over: Vec::new(),
        digest: format!("{:032x}", answered.digest()),
        seconds: begun.elapsed().as_secs_f64(),
    })
}
