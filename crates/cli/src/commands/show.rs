//! `endspiel show`: a position as people see it.

use crate::args::Place;
use crate::{End, Failure};
use endspiel_catalog::AnyPosition;
use endspiel_game::Stop;
use serde_json::json;
use std::io::Write;

/// So many moves are listed unless all are asked for.
const SHOWN: usize = 60;

/// What of a position is shown.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // They are flags of the command line.
pub struct Shown {
    /// SVG rather than text?
    pub svg: bool,
    /// At an angle, where there is something to gain?
    pub relief: bool,
    /// All moves?
    pub all: bool,
    /// What is seen without a search?
    pub glance: bool,
}

pub fn run(place: &Place, shown: Shown, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let Shown { svg, relief, all, glance } = shown;
    let draw = |position: &dyn AnyPosition| match position.relief() {
        Some(scene) if relief => scene.svg(),
        _ => position.svg(),
    };
    super::each_position(place, as_json, out, |position, _, out| {
        if as_json {
            let mut line = json!({
                "game": position.game(),
                "position": position.write(),
                "mover": position.mover(),
                "moves": position.moves(),
                "result": position.result(),
                "picture": if svg { draw(position) } else { position.text() },
            });
            if glance {
                line["glance"] = json!(position.glance(&Stop::default()));
            }
            writeln!(out, "{line}")?;
        } else if svg {
            write!(out, "{}", draw(position))?;
        } else {
            writeln!(out, "{}", position.text())?;
            writeln!(out, "position  {}", position.write())?;
            match (position.result(), position.mover()) {
                (Some(result), _) => writeln!(out, "over      {result}")?,
                (None, mover) => {
                    writeln!(out, "to move   {}", mover.unwrap_or("nobody"))?;
                    let moves = position.moves();
                    let few = if all { moves.len() } else { moves.len().min(SHOWN) };
                    writeln!(out, "moves     {}: {}", moves.len(), moves[..few].join(" "))?;
                    if few < moves.len() {
                        writeln!(out, "          and {} more: --all lists them", moves.len() - few)?;
                    }
                }
            }
            for words in position.glance(&Stop::default()).words.iter().filter(|_| glance) {
                writeln!(out, "seen      {words}")?;
            }
        }
        Ok(End::Decided)
    })
}
