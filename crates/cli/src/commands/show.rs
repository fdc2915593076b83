//! `endspiel show`: a position as people see it.

use crate::args::Place;
use crate::{End, Failure};
use serde_json::json;
use std::io::Write;

pub fn run(place: &Place, svg: bool, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let mut end = End::Decided;
    super::each_position(place, |found, _| {
        let position = match found {
            Ok(position) => position,
            Err(what) => {
                crate::screen::complain(&what);
                end = End::BadInput;
                return Ok(());
            }
        };
        if as_json {
            let all = json!({
                "game": position.game(),
                "position": position.write(),
                "mover": position.mover(),
                "moves": position.moves(),
                "result": position.result(),
                "picture": if svg { position.svg() } else { position.text() },
            });
            writeln!(out, "{all}")?;
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
                    let shown: Vec<&str> = moves.iter().take(60).map(String::as_str).collect();
                    let more = if moves.len() > shown.len() { " ..." } else { "" };
                    writeln!(out, "moves     {}: {}{more}", moves.len(), shown.join(" "))?;
                }
            }
        }
        Ok(())
    })?;
    Ok(end)
}
