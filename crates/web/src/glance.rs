//! What is seen of a position without a search, and the wins by threats that the game's expertise finds, in words.

use crate::cache::Cache;
use crate::fault::Fault;
use crate::place::Where;
use endspiel_catalog::{Glance, ThreatReport, ThreatStep};
use endspiel_game::Stop;
use serde_json::{Value, json};

/// So many glances are kept.
const KEPT: usize = 64;

/// What was seen lately.
pub struct Glances(Cache<Value>);

impl Default for Glances {
    fn default() -> Self {
        Self(Cache::new(KEPT))
    }
}

impl Glances {
    /// What was seen of the position before.
    pub fn known(&self, asked: &Where) -> Option<Value> {
        self.0.get(&question(asked))
    }

    /// Looks at the position: what is seen at a glance, and `attacks`, wins by threats as `endspiel threats` tells them.
    pub fn look(&self, asked: &Where, stop: &Stop) -> Result<Value, Fault> {
        let position = asked.find(stop)?.position;
        let mut glance: Glance = position.glance(stop);
        // A win at once needs no sequence.
        let mut attacks = if glance.wins.is_empty() { position.threats(stop) } else { Vec::new() };
        attacks.retain(|attack| attack.to_move || glance.threats.is_empty());
        glance.words.extend(attacks.iter().map(words));
        if stop.asked() {
            return Err(Fault::gone());
        }
        let mut seen = json!(glance);
        seen["attacks"] = json!(attacks);
        self.0.put(question(asked), seen.clone());
        Ok(seen)
    }
}

/// The position that is asked about, with the moves that led there.
fn question(asked: &Where) -> String {
    [&asked.game, &asked.position, &asked.moves].map(String::as_str).join("\n")
}

/// A win by threats in a sentence: the attacker's moves, the replies that meet each in brackets.
fn words(attack: &ThreatReport) -> String {
    let step = |ThreatStep { attack, replies }: &ThreatStep| match replies.len() {
        0 => attack.clone(),
        _ => format!("{attack} ({})", replies.join(" ")),
    };
    let moves: Vec<String> = attack.sequence.iter().map(step).collect();
    let when = if attack.to_move { "can win" } else { "threatens to win" };
    format!("{} {when} by a sequence of threats: {}.", attack.attacker, moves.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_is_kept_unless_it_was_cut_short() {
        let glances = Glances::default();
        let asked = Where { game: "tic-tac-toe".into(), ..Where::default() };
        let gone = Stop::default();
        gone.now();
        assert!(glances.look(&asked, &gone).is_err() && glances.known(&asked).is_none());
        let seen = glances.look(&asked, &Stop::default()).expect("seen");
        assert_eq!(glances.known(&asked), Some(seen));
    }
}
