//! `endspiel threats`: who wins by threats, how, and where the other has to play.

use crate::args::Place;
use crate::{End, Failure};
use endspiel_game::Stop;
use serde_json::json;
use std::io::Write;

pub fn run(place: &Place, svg: bool, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    super::each_position(place, as_json, out, |position, _, out| {
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
                let when = if threat.to_move { "to move" } else { "if the other passes" };
                writeln!(out, "{} wins by threats, {when}", threat.attacker)?;
                writeln!(out, "  line  {}", brackets(&threat.line))?;
                writeln!(out, "  must  {} cells: {}", threat.must.len(), threat.must.join(" "))?;
            }
            if found.is_empty() {
                writeln!(out, "no win by threats found")?;
            }
        }
        Ok(end)
    })
}

/// The attacker's moves, each with the reply in brackets.
fn brackets(line: &[String]) -> String {
    let pairs = line.chunks(2).map(|pair| match pair {
        [attack, reply] => format!("{attack} ({reply})"),
        rest => rest.join(" "),
    });
    pairs.collect::<Vec<_>>().join(" ")
}
