//! A certificate kept open after it was accepted, to be walked through: at the prover's turns the recorded
//! move, at the opponent's every legal one.
//!
//! Positions that are images of each other may share a record; its move is mapped back to the position asked
//! about. Cost: the records in memory with their index; a look-up is one hash and, where symmetries are used,
//! one canonical image.

use crate::check::{Rejected, Verified, verify_from};
use crate::file::Reader;
use crate::records::{Codes, Records};
use crate::step::{Step, final_move, is_certain};
use endspiel_game::{Budget, Game, Notation, Oracle, Position, Question, Quiet, Symmetric, Turn, TwoPlayer};
use std::collections::HashSet;
use std::path::Path;

/// Counting gives up where so many positions wait for each record that is to be counted.
const WAITING: usize = 50;

/// An accepted certificate with its strategies.
#[derive(Clone, Debug)]
pub struct Proof<G: Game> {
    root: G::Position,
    verified: Verified,
    strategies: Vec<(Question, Records)>,
}

impl<G: Game> Proof<G>
where
    G::Position: TwoPlayer + Notation + Symmetric,
{
    /// Checks the certificate, as [`verify_with`](crate::verify_with) does, and keeps it.
    pub fn open(game: &G, path: impl AsRef<Path>, budget: &Budget) -> Result<Self, Rejected> {
        Self::open_on(game, path, None, budget)
    }

    /// The same for a certificate that may rest on databases. Where these tell the rest it has no answers.
    pub fn open_on(
        game: &G,
        path: impl AsRef<Path>,
        databases: Option<&dyn Oracle<G::Position>>,
        budget: &Budget,
    ) -> Result<Self, Rejected> {
        let mut strategies = Vec::new();
        let keep = |claim, records| strategies.push((claim, records));
        let verified = verify_from(game, Reader::open(path.as_ref())?, databases, budget, &Quiet, keep)?;
        let root = game.read(&verified.root).map_err(Rejected::Root)?;
        Ok(Self { root, verified, strategies })
    }

    /// What the checker found.
    pub fn verified(&self) -> &Verified {
        &self.verified
    }

    /// The position that the certificate is about.
    pub fn root(&self) -> &G::Position {
        &self.root
    }

    /// The claims that are proven, each with the number of its records.
    pub fn claims(&self) -> Vec<(Question, usize)> {
        self.strategies.iter().map(|(claim, records)| (*claim, records.len())).collect()
    }

    /// The prover's move at a position where the prover is to move: where the claim is certain by the rules, one after which
    /// it still is; none where the strategy of claim number `claim` never leads.
    pub fn answer(&self, claim: usize, position: &G::Position) -> Option<<G::Position as Position>::Move> {
        let (question, _) = self.strategies.get(claim)?;
        if position.turn() != Turn::Player(question.player) {
            return None;
        }
        if let Some(m) = final_move(position, *question, None) {
            return Some(m);
        }
        if let Some(m) = self.recorded(claim, position) {
            return Some(m);
        }
        holding_move(position, *question)
    }

    /// Is the claim certain at a position by the rules alone? No record is needed from there on.
    pub fn is_certain(&self, claim: usize, position: &G::Position) -> bool {
        self.strategies.get(claim).is_some_and(|(question, _)| is_certain(position, *question))
    }

    /// The move of the record that a position shares.
    fn recorded(&self, claim: usize, position: &G::Position) -> Option<<G::Position as Position>::Move> {
        let (_, records) = self.strategies.get(claim)?;
        let (image, symmetry) =
            if self.verified.folded { position.canonical() } else { (position.clone(), 0) };
        let mut code = Vec::new();
        image.encode(&mut code);
        let record = records.codes.find(Codes::hash(&code), &code)?;
        let number = usize::from(records.moves[record as usize]);
        let chosen = image.move_list().get(number).copied()?;
        position.move_list().into_iter().find(|&m| position.image_move(m, symmetry) == chosen)
    }

    /// How many records can still be met from `position` on, whoever is to move there, and whether that is all
    /// of them: counting stops at `most`, or where so many positions wait to be looked at that it would take long.
    pub fn size(&self, claim: usize, position: &G::Position, most: usize) -> (usize, bool) {
        let Some((question, _)) = self.strategies.get(claim) else { return (0, true) };
        if is_certain(position, *question) {
            return (0, true);
        }
        let mut step = Step::new(*question, None);
        let mut met = HashSet::new();
        let mut open = vec![position.clone()];
        while let Some(position) = open.pop() {
            let played = match position.turn() {
                Turn::Player(p) if p == question.player => {
                    if final_move(&position, *question, None).is_some() {
                        continue;
                    }
                    let image = if self.verified.folded { position.canonical().0 } else { position.clone() };
                    let mut code = Vec::new();
                    image.encode(&mut code);
                    if !met.insert(code) {
                        continue;
                    }
                    if met.len() >= most || open.len() > most.saturating_mul(WAITING) {
                        return (met.len(), false);
                    }
                    let Some(m) = self.answer(claim, &position) else { continue };
                    position.after(m)
                }
                _ => position,
            };
            // The strategy was accepted, so no step of it has a flaw.
            if step.expand(played).is_ok() {
                open.append(&mut step.arrivals);
            }
        }
        (met.len(), true)
    }
}

/// The prover's move after which the claim is still certain. One that the opponent would break in with comes first: the other
/// half of a pair of which he has taken one, else the half of some pair, which brings the end nearer.
fn holding_move<P: TwoPlayer>(position: &P, claim: Question) -> Option<P::Move> {
    let holds = |m: &P::Move| {
        let after = position.after(*m);
        match after.turn() {
            Turn::Over => claim.is_met_by(after.payoff()),
            _ => is_certain(&after, claim),
        }
    };
    let opponents = position.turned();
    let at_rest = opponents.as_ref().is_some_and(|turned| is_certain(turned, claim));
    // If the opponent had it and, where nothing is broken yet, might move once more, would the claim be in doubt?
    let breaks = |m: &P::Move| {
        let Some(turned) = &opponents else { return false };
        let broken = turned.after(*m);
        let next = if at_rest { broken.turned() } else { Some(broken) };
        next.is_some_and(|next| !is_certain(&next, claim))
    };
    let moves = position.move_list();
    let apt = moves.iter().find(|m| breaks(m) && holds(m));
    apt.or_else(|| moves.iter().find(|m| holds(m))).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prove;
    use crate::write;
    use endspiel_rules::hex::Hex;
    use endspiel_rules::mnk::Mnk;

    /// Follows a strategy through every reply, counting the positions of the prover's.
    fn walk<G: Game>(proof: &Proof<G>, claim: usize, position: &G::Position) -> usize
    where
        G::Position: TwoPlayer + Notation + Symmetric,
    {
        let (question, _) = proof.claims()[claim];
        match position.turn() {
            Turn::Player(p) if p == question.player => {
                let m = proof.answer(claim, position).expect("an answer");
                1 + walk(proof, claim, &position.after(m))
            }
            Turn::Player(_) => {
                position.move_list().into_iter().map(|m| walk(proof, claim, &position.after(m))).sum()
            }
            _ => {
                assert!(question.is_met_by(position.payoff()));
                0
            }
        }
    }

    #[test]
    fn every_line_of_a_proof_can_be_walked_to_its_end() {
        let game = Mnk::from_variant("3,3,3").expect("a game");
        let root = game.start();
        for folded in [false, true] {
            let (statement, strategies) = prove(&root, folded);
            let file = std::env::temp_dir().join(format!("explore-{}-{folded}.proof", std::process::id()));
            write(&file, &game, &root, statement, &strategies).expect("written");
            let proof = Proof::open(&game, &file, &Budget::default()).expect("accepted");
            std::fs::remove_file(&file).expect("removed");
            for (claim, (_, records)) in proof.claims().into_iter().enumerate() {
                assert!(walk(&proof, claim, proof.root()) >= records);
                assert_eq!(proof.size(claim, proof.root(), usize::MAX), (records, true));
                assert_eq!(proof.size(claim, proof.root(), 2), (2, false));
            }
        }
    }

    #[test]
    fn a_broken_bridge_is_mended_and_nothing_is_played_in_vain() {
        let game = Hex::from_variant("4").expect("a game");
        // Black's stones hang on the upper side and are a bridge away from the lower one.
        let read = |text: &str| game.read(text).expect("a position");
        let claim = Question { player: endspiel_game::Player::FIRST, at_least: 1 };
        let answer = |text: &str| {
            let position = read(text);
            assert!(is_certain(&position, claim), "{text}");
            position.write_move(holding_move(&position, claim).expect("a move"))
        };
        let root = read("..b./..b./.b../.... w");
        assert!(is_certain(&root, claim));
        for (taken, other) in [("a4", "b4"), ("b4", "a4")] {
            let after = root.after(root.read_move(taken).expect("a move"));
            assert_eq!(answer(&after.write()), other);
        }
        // Elsewhere nothing is broken: Black takes a cell of the bridge.
        let away = root.after(root.read_move("d1").expect("a move"));
        assert!(["a4", "b4"].contains(&answer(&away.write()).as_str()));
    }
}
