//! `endspiel bench`: how fast this machine is.

use super::open;
use crate::screen::{Ink, short};
use crate::spend::Spend;
use crate::{End, Failure};
use endspiel_catalog::bench::{What, speed};
use endspiel_catalog::{Error, GAMES};
use serde_json::json;
use std::io::Write;
use std::time::Duration;

/// Time for a rate where no budget is given.
const USUAL: Duration = Duration::from_millis(300);

/// Measures rates: of one game or of all, of some things or of all.
pub fn rates(
    game: Option<&str>,
    what: &[String],
    spend: &Spend,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let names: Vec<&str> = What::ALL.iter().map(|w| w.name()).collect();
    let mut chosen = Vec::new();
    for word in what {
        let Some(&found) = What::ALL.iter().find(|w| w.name() == word) else {
            let message = format!("'{word}' cannot be measured; expected some of {}", names.join(","));
            return Err(Failure::Input(message));
        };
        chosen.push(found);
    }
    if chosen.is_empty() {
        chosen = What::ALL.into();
    }
    let games = if let Some(name) = game {
        vec![open(name)?]
    } else {
        GAMES.iter().map(|entry| entry.open("")).collect::<Result<Vec<_>, Error>>()?
    };
    let time = spend.time.unwrap_or(USUAL);
    let ink = Ink::for_output();
    let wide = games.iter().map(|g| g.full_name().len()).max().unwrap_or(0).max("a second".len());
    if !as_json {
        let heads: Vec<String> = chosen.iter().map(|w| format!("{:>12}", w.name())).collect();
        let units: Vec<String> = chosen.iter().map(|w| format!("{:>12}", w.unit())).collect();
        writeln!(out, "{:wide$}{}", "", ink.bold(&heads.concat()))?;
        writeln!(out, "{}", ink.faint(&format!("{:wide$}{}", "a second", units.concat())))?;
    }
    for game in &games {
        if !as_json {
            write!(out, "{:wide$}", game.full_name())?;
        }
        for &what in &chosen {
            let measured = speed(&**game, what, time, spend.seed)?;
            if as_json {
                let mut line = serde_json::to_value(&measured).map_err(std::io::Error::from)?;
                if measured.is_none() {
                    line = json!({"what": what.name(), "unit": what.unit(), "rate": null});
                }
                line["game"] = json!(game.full_name());
                writeln!(out, "{line}")?;
            } else {
                write!(out, "{:>12}", measured.map_or_else(|| "-".into(), |m| short(m.rate)))?;
            }
            out.flush()?;
        }
        if !as_json {
            writeln!(out)?;
        }
    }
    Ok(End::Decided)
}
