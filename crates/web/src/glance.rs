//! What is seen of a position without a search, and the wins by threats that the game's expertise finds, in words.

use crate::fault::Fault;
use crate::place::Where;
use endspiel_catalog::{Glance, ThreatReport};
use endspiel_game::Stop;
use serde::Serialize;

/// What is seen.
#[derive(Debug, Serialize)]
pub struct Seen {
    #[serde(flatten)]
    glance: Glance,
    /// Wins by threats, as `endspiel threats` tells them.
    attacks: Vec<ThreatReport>,
}

/// Looks at the position.
pub fn look(asked: &Where, stop: &Stop) -> Result<Seen, Fault> {
    let position = asked.find(stop)?.position;
    let mut glance = position.glance();
    // A win at once needs no sequence.
    let mut attacks = if glance.wins.is_empty() { position.threats() } else { Vec::new() };
    attacks.retain(|attack| attack.to_move || glance.threats.is_empty());
    glance.words.extend(attacks.iter().map(words));
    Ok(Seen { glance, attacks })
}

/// A win by threats in a sentence: the attacker's moves, the forced replies in brackets.
fn words(attack: &ThreatReport) -> String {
    let pairs: Vec<String> = attack
        .line
        .chunks(2)
        .map(|pair| match pair {
            [threat, reply] => format!("{threat} ({reply})"),
            rest => rest.join(" "),
        })
        .collect();
    let when = if attack.to_move { "can win" } else { "threatens to win" };
    format!("{} {when} by a sequence of threats: {}.", attack.attacker, pairs.join(" "))
}
