//! What is seen of a position without a search: wins at once, threats of the opponent's, and the moves that are
//! worth a look. The rules tell the first two (two plies are played out), the game's expertise the third.

use crate::entry::{Listed, Seat};
use crate::report::outcome_name;
use endspiel_game::{Bounds, Expertise, Game, Notation, Position, Stop, TwoPlayer};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// At most so many replies are played out.
const REPLIES: usize = 200_000;
/// Where listing moves is slow, playing out replies is given up after this.
const PATIENCE: Duration = Duration::from_secs(2);
/// So many moves are named in a sentence.
const NAMED: usize = 12;

/// What is seen at a glance; moves are named as the game writes them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Glance {
    /// Moves that win at once.
    pub wins: Vec<String>,
    /// Moves by which the opponent wins at once after most of the others.
    pub threats: Vec<String>,
    /// The moves to choose from, where they are not all: the others lose at once, or are proven to be no better.
    pub must: Vec<String>,
    /// `win`, `draw` or `loss` for the player to move, where what is known of the game decides it.
    pub value: Option<&'static str>,
    /// All of it in sentences.
    pub words: Vec<String>,
}

impl<G, E> Seat<G, E>
where
    G: Game<Position: Listed>,
    E: Expertise<G::Position> + Default,
{
    pub(crate) fn look(&self, stop: &Stop) -> Glance {
        let position = &self.position;
        let Some(mover) = position.turn().player() else { return Glance::default() };
        let names = G::ABOUT.players;
        let (me, other) = (names[mover.index()], names[mover.other().index()]);
        let moves = position.move_list();
        let named = |m: &<G::Position as Position>::Move| position.write_move(*m);
        let mut glance = Glance::default();

        // 1. Wins at once.
        let wins = |m: &&_| {
            let after = position.after(**m);
            after.turn().is_over() && after.payoff().of(mover) > 0
        };
        glance.wins = moves.iter().filter(wins).map(named).collect();
        if !glance.wins.is_empty() {
            glance.value = Some("win");
            glance.must.clone_from(&glance.wins);
            glance.words.push(format!("{me} wins at once by {}.", list(&glance.wins)));
            return glance;
        }

        // 2. Replies that win at once, and the moves that leave none.
        if let Some((threats, safe)) = self.threats(&moves, stop) {
            glance.threats = threats;
            if !glance.threats.is_empty() {
                glance.words.push(format!("{other} threatens to win by {}.", list(&glance.threats)));
                if safe.is_empty() {
                    glance.value = Some("loss");
                    glance.words.push("Nothing meets that.".into());
                } else if safe.len() < moves.len() {
                    glance.must = safe.iter().map(named).collect();
                    glance.words.push(format!("It is met by {}.", list(&glance.must)));
                }
            }
        }

        // 3. What is known of the game.
        if stop.asked() {
            return glance;
        }
        let (low, high) = self.expertise.bounds(position);
        if let Some(outcome) = (Bounds { low, high }).outcome().filter(|_| glance.value.is_none()) {
            glance.value = Some(outcome_name(outcome));
            let value = outcome_name(outcome);
            glance.words.push(format!("What is known of the game decides it: a {value} for {me}."));
        }
        let mut candidates = Vec::new();
        self.expertise.candidates(position, |m| candidates.push(m));
        if candidates.len() < moves.len() && glance.must.is_empty() && glance.value != Some("loss") {
            glance.must = candidates.iter().map(named).collect();
            let few = list(&glance.must);
            glance.words.push(match candidates.len() {
                1 => format!("{few} is as good as any move."),
                n => format!("{n} of {} moves are worth a look, the others no better: {few}.", moves.len()),
            });
        }
        glance
    }

    /// The opponent's replies that win at once after most moves, and the moves after which none does; none if
    /// that is too much to play out.
    #[allow(clippy::type_complexity)] // Two lists.
    fn threats(
        &self,
        moves: &[<G::Position as Position>::Move],
        stop: &Stop,
    ) -> Option<(Vec<String>, Vec<<G::Position as Position>::Move>)> {
        let mover = self.position.mover();
        let (mut left, begun) = (REPLIES, Instant::now());
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let (mut safe, mut looked) = (Vec::new(), 0);
        for &m in moves {
            let child = self.position.after(m);
            if child.turn().player() != Some(mover.other()) {
                safe.push(m);
                continue;
            }
            if stop.asked() || begun.elapsed() > PATIENCE {
                return None;
            }
            looked += 1;
            left = left.checked_sub(child.count_moves())?;
            let mut is_safe = true;
            child.moves(|reply| {
                let end = child.after(reply);
                if end.turn().is_over() && end.payoff().of(mover) < 0 {
                    is_safe = false;
                    *counts.entry(child.write_move(reply)).or_default() += 1;
                }
            });
            if is_safe {
                safe.push(m);
            }
        }
        // What meets a threat leaves it out of the count, and so does standing in its way.
        let threats = counts.into_iter().filter(|(_, n)| 2 * n > looked).map(|(name, _)| name).collect();
        Some((threats, safe))
    }
}

/// The first few names.
fn list(names: &[String]) -> String {
    let shown = names[..names.len().min(NAMED)].join(" ");
    if names.len() > NAMED { format!("{shown} and {} more", names.len() - NAMED) } else { shown }
}
