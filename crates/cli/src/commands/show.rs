//! `endspiel show`: a position as people see it.

use crate::args::Place;
use crate::{End, Failure};
use serde_json::json;
use std::io::Write;

/// So many moves are listed unless all are asked for.
const SHOWN: usize = 60;

pub fn run(place: &Place, svg: bool, all: bool, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    super::each_position(place, as_json, out, |position, _, out| {
        if as_json {
            let line = json!({
                "game": position.game(),
                "position": position.write(),
                "mover": position.mover(),
                "moves": position.moves(),
                "result": position.result(),
                "picture": if svg { position.svg() } else { position.text() },
            });
            writeln!(out, "{line}")?;
        } else if svg {
            write!(out, "{}", position.svg())?;
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
        }
        Ok(End::Decided)
    })
}
