//! `endspiel threats`: who wins by threats, how, what was tried against it, and where the other has to play.

use crate::args::Place;
use crate::{End, Failure};
use endspiel_catalog::{GAMES, ThreatReport, ThreatStep, game};
use endspiel_game::Stop;
use serde_json::json;
use std::io::Write;

pub fn run(place: &Place, svg: bool, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    super::each_position(place, as_json, out, |position, _, out| {
        if !position.knows_threats() {
            let knows = |name: &&str| game(name).is_ok_and(|game| game.start().knows_threats());
            let games: Vec<&str> = GAMES.iter().map(|entry| entry.about().name).filter(knows).collect();
            return Err(Failure::Input(format!(
                "wins by threats are not looked for in {}, but in {}; `endspiel solve` and `endspiel ask` take every game",
                position.game(),
                games.join(", ")
            )));
        }
        let found = position.threats(&Stop::default());
        let end = if found.is_empty() { End::Undecided } else { End::Decided };
        if as_json {
            let mut line = json!({
                "game": position.game(),
                "position": position.write(),
                "mover": position.mover(),
                "threats": found,
            });
            if svg {
                line["pictures"] = found.iter().map(|threat| position.draw_threat(threat).svg()).collect();
            }
            writeln!(out, "{line}")?;
        } else if svg {
            let scene = found.first().map_or_else(|| position.scene(), |threat| position.draw_threat(threat));
            write!(out, "{}", scene.svg())?;
        } else {
            writeln!(out, "{}", position.text())?;
            for threat in &found {
                tell(threat, out)?;
            }
            if found.is_empty() {
                writeln!(out, "no win by threats found")?;
            }
        }
        Ok(end)
    })
}

/// So many variations are told in words.
const VARIATIONS: usize = 12;

fn tell(threat: &ThreatReport, out: &mut impl Write) -> std::io::Result<()> {
    let when = if threat.to_move { "to move" } else { "if the other passes" };
    writeln!(out, "{} wins by threats, {when}", threat.attacker)?;
    writeln!(out, "  sequence    {}", numbered(&threat.sequence, 1))?;
    for (i, variation) in threat.variations.iter().take(VARIATIONS).enumerate() {
        let label = if i == 0 { "variations" } else { "" };
        let number = variation.after.len() + 2;
        let (after, replies) = (variation.after.join(" "), variation.replies.join(" or "));
        let rest = numbered(&variation.sequence, number);
        writeln!(out, "  {label:<10}  after {after}, {replies}:  {rest}")?;
    }
    if let Some(more) = threat.variations.len().checked_sub(VARIATIONS).filter(|&more| more > 0) {
        writeln!(out, "              and {more} more, which --json tells")?;
    }
    writeln!(out, "  counter     {}", counter(threat))?;
    match threat.must.len() {
        0 => writeln!(out, "  must        none: no move of {}'s was found that stops it", threat.defender)?,
        cells => writeln!(out, "  must        {}: {}", count(cells, "cell"), threat.must.join(" "))?,
    }
    if !threat.unsure.is_empty() {
        writeln!(out, "  unsure      {}", threat.unsure.join(" "))?;
    }
    Ok(())
}

/// The attacker's moves with their numbers, each with the replies in brackets.
fn numbered(steps: &[ThreatStep], first: usize) -> String {
    let told = steps.iter().enumerate().map(|(i, ThreatStep { attack, replies })| {
        let number = first + 2 * i;
        let replies = if replies.is_empty() { String::new() } else { format!(" ({})", replies.join(" ")) };
        format!("{number} {attack}{replies}")
    });
    told.collect::<Vec<_>>().join("  ")
}

/// What the other may put in between.
fn counter(threat: &ThreatReport) -> String {
    let (tried, defender) = (&threat.counter.threats, threat.defender);
    if tried.is_empty() {
        return format!("none: {defender} has no threat to put in between");
    }
    let mut words = format!("{} of {defender}'s tried", count(tried.len(), "threat"));
    for (i, threat) in tried.iter().enumerate() {
        let follows = i > 0 && tried[i - 1].after == threat.after;
        let after = if follows {
            ",".into()
        } else {
            format!("{} after {}", if i > 0 { ";" } else { "," }, threat.after)
        };
        words += &format!("{after} {} ({})", threat.threat, threat.answer);
    }
    format!("{words}: none helps, in {}", count(threat.counter.positions, "position"))
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
