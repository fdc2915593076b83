//! Games as text, in the manner of portable game notation: tags in brackets, then the moves.
//!
//! ```text
//! [Game "connect-four:6x5"]
//! [First "human"]
//! [Second "auto"]
//! [Result "First wins"]
//!
//! 1. 3 3 2. 4 2
//! ```
//!
//! `Position` is the position that the moves start from, if it is not the game's start. Unknown tags are kept.

use crate::fault::Fault;
use crate::place::{LONGEST_NUMBERED, Where};
use endspiel_game::Stop;
use serde::Serialize;

/// A game as it was written down.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Record {
    pub game: String,
    pub position: String,
    pub moves: String,
    /// All tags, in order.
    pub tags: Vec<(String, String)>,
}

/// No record is longer than this.
pub const LONGEST: usize = LONGEST_NUMBERED;
/// No tag's value is longer than this.
const LONGEST_TAG: usize = 200;

impl Record {
    /// Reads a record; it may hold what no game allows.
    pub fn read(text: &str) -> Result<Self, Fault> {
        if text.len() > LONGEST {
            return Err(Fault::bad(format!("a record has at most {LONGEST} bytes")));
        }
        let mut record = Self::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if let Some(tag) = line.strip_prefix('[') {
                let wrong = || {
                    let expected = "a tag such as [Game \"hex:5\"]";
                    Fault::bad(format!("line {}: expected {expected}", number + 1))
                };
                let (name, value) =
                    tag.strip_suffix("\"]").and_then(|t| t.split_once(" \"")).ok_or_else(wrong)?;
                match name {
                    "Game" => record.game = value.into(),
                    "Position" => record.position = value.into(),
                    _ => (),
                }
                record.tags.push((name.into(), value.into()));
            } else if !line.is_empty() {
                record.moves += if record.moves.is_empty() { "" } else { " " };
                record.moves += line;
            }
        }
        if record.game.is_empty() {
            return Err(Fault::bad("the record names no game; expected a line such as [Game \"hex:5\"]"));
        }
        Ok(record)
    }

    /// Reads a record and plays it: its moves are then as the game writes them.
    pub fn check(text: &str, stop: &Stop) -> Result<Self, Fault> {
        let record = Self::read(text)?;
        let found = record.place().find(stop)?;
        Ok(Self { game: found.game.full_name(), moves: found.played.join(" "), ..record })
    }

    fn place(&self) -> Where {
        let Self { game, position, moves, .. } = self.clone();
        Where { game, position, moves, ..Where::default() }
    }
}

/// Writes a record of the game that led to a position; `tags` are further ones.
pub fn write(place: &Where, tags: &[(&str, &str)], stop: &Stop) -> Result<String, Fault> {
    if tags.iter().any(|(_, value)| value.len() > LONGEST_TAG) {
        return Err(Fault::bad(format!("a tag of a record has at most {LONGEST_TAG} bytes")));
    }
    let found = place.find(stop)?;
    let plain = |text: &str| text.replace(['"', '\n', '\r', '[', ']'], " ");
    let mut out = format!("[Game \"{}\"]\n", plain(&found.game.full_name()));
    if !place.position.is_empty() {
        out += &format!("[Position \"{}\"]\n", plain(&found.root.write()));
    }
    for (name, value) in tags.iter().filter(|(_, value)| !value.is_empty()) {
        out += &format!("[{name} \"{}\"]\n", plain(value));
    }
    if let Some(result) = found.position.result() {
        out += &format!("[Result \"{result}\"]\n");
    }
    out.push('\n');
    let mut line = String::new();
    for (ply, name) in found.played.iter().enumerate() {
        let word = if ply % 2 == 0 { format!("{}. {name}", ply / 2 + 1) } else { name.clone() };
        if line.len() + word.len() > 78 {
            out += &(std::mem::take(&mut line) + "\n");
        }
        line += if line.is_empty() { "" } else { " " };
        line += &word;
    }
    Ok(out + &line + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let moves = "4 4 4 4 4 4 3 3 3 3";
        let place = Where { game: "connect-four".into(), moves: moves.into(), ..Where::default() };
        let go = Stop::default();
        let text = write(&place, &[("First", "a \"person\""), ("Second", "")], &go).expect("a record");
        assert!(
            text.contains("[First \"a  person \"]") && !text.contains("Second") && text.contains("2. 4 4")
        );
        let record = Record::check(&text, &go).expect("the record is read");
        assert_eq!((record.game.as_str(), record.moves.as_str()), ("connect-four", moves));
        let place =
            Where { game: "tic-tac-toe".into(), position: "x.o/.x./... o".into(), ..Where::default() };
        let record = Record::check(&write(&place, &[], &go).expect("a record"), &go).expect("read");
        assert_eq!(record.position, "x.o/.x./... o");
    }

    #[test]
    fn games_of_every_kind_are_read_back_from_any_start() {
        let go = Stop::default();
        for entry in endspiel_catalog::GAMES {
            let name = entry.about().name;
            let (mut place, mut line) = (Where { game: name.into(), ..Where::default() }, Vec::new());
            for ply in 0..12 {
                let moves = place.find(&go).expect("a position").position.moves();
                let Some(chosen) = moves.get((5 * ply * ply + 1) % moves.len().max(1)) else { break };
                line.push(chosen.clone());
                place.moves = line.join(" ");
            }
            // The whole game, and its end from a position in it.
            let found = place.find(&go).expect("a position");
            let half = line.len() / 2;
            let half_way = Where { moves: line[..half].join(" "), ..place.clone() };
            let root = half_way.find(&go).expect("a position").position.write();
            let end = Where { position: root.clone(), moves: line[half..].join(" "), ..place.clone() };
            for (place, played) in [(place, &line[..]), (end, &line[half..])] {
                let text = write(&place, &[("First", "human")], &go).expect("a record");
                let record = Record::check(&text, &go).expect("it is read");
                assert_eq!(record.moves, played.join(" "), "{name}: {text}");
                assert_eq!(
                    record.place().find(&go).expect("a position").position.write(),
                    found.position.write()
                );
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let says =
            |text: &str| Record::check(text, &Stop::default()).expect_err("wrong").message().to_string();
        assert!(says("1. e4 e5").contains("names no game"));
        assert!(says("[Game \"tic-tac-toe\"]\n[Broken\n").contains("line 2"));
        assert!(says("[Game \"tic-tac-toe\"]\nb2 b2").contains("b2"));
    }
}
