//! Which position a request is about, and how far the server goes to find it.
//!
//! What is done with a position grows with its legal moves: each is named, drawn and judged. So positions with very
//! many moves are refused, and playing a list of moves ends when its time is up or whoever asked has gone.

use crate::fault::Fault;
use axum::http::StatusCode;
use endspiel_catalog::{AnyGame, AnyPosition, Error};
use endspiel_game::Stop;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Which position is meant.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Where {
    /// The game: name or name:variant.
    pub game: String,
    /// A position in the game's notation; the start if empty.
    pub position: String,
    /// Moves from there.
    pub moves: String,
    /// Seen from the other side?
    pub flip: bool,
    /// Boards that lie above one another seen at an angle?
    pub relief: bool,
    /// As far as it makes sense, rather than all of it or nothing?
    pub prefix: bool,
}

/// No text of a request that is read as a position or as moves is longer than this, without the numbers of moves ...
const LONGEST: usize = 16 << 10;
/// ... and with them.
pub const LONGEST_NUMBERED: usize = 64 << 10;
/// No position has more legal moves than this; the most in a common game are amazons' 2176 at the start.
pub const MOST_MOVES: usize = 10_000;
/// A list of moves is played in this time.
const PLAYED_IN: Duration = Duration::from_secs(5);

/// A position that was found.
pub struct Found {
    pub game: Box<dyn AnyGame>,
    /// The position that the moves start from.
    pub root: Box<dyn AnyPosition>,
    /// The position before the last move, if there was one.
    pub before: Option<Box<dyn AnyPosition>>,
    pub position: Box<dyn AnyPosition>,
    /// The moves as the game writes them.
    pub played: Vec<String>,
    /// What made no sense and was left out, where that was allowed.
    pub wrong: Vec<String>,
}

impl Where {
    /// The position, unless it is more than the server takes or `stop` is asked for. Where a prefix is enough, it is
    /// that of the longest part that makes sense: the game, its variant, the position, the moves.
    pub fn find(&self, stop: &Stop) -> Result<Found, Fault> {
        if self.game.is_empty() {
            return Err(Fault::bad("no game is named: game= wants the name of one, such as tic-tac-toe"));
        }
        let (mut wrong, mut asked) = (Vec::new(), self.clone());
        let mut found = loop {
            let fault = match asked.root() {
                Ok(found) => break found,
                Err(fault) => fault,
            };
            let plain = asked.game.split(':').next().unwrap_or_default().to_string();
            if !self.prefix || asked.position.is_empty() && plain == asked.game {
                return Err(fault);
            }
            let what = if asked.position.is_empty() { "game" } else { "position" };
            wrong.push(format!("{what}: {}", fault.message()));
            // Moves from another position would be other moves.
            asked = if asked.position.is_empty() {
                Self { game: plain, ..Self::default() }
            } else {
                Self { position: String::new(), moves: String::new(), ..asked }
            };
        };
        found.wrong = wrong;
        match found.play(&asked.moves, stop) {
            Err(fault) if !self.prefix => return Err(fault),
            Err(fault) => found.wrong.push(format!("moves: {}", fault.message())),
            Ok(()) => {}
        }
        Ok(found)
    }

    /// The position that the moves start from.
    fn root(&self) -> Result<Found, Fault> {
        if self.game.len() > 1000 || self.position.len() > LONGEST || self.moves.len() > LONGEST_NUMBERED {
            return Err(too_long());
        }
        let game = endspiel_catalog::game(&self.game)?;
        let root = if self.position.is_empty() { game.start() } else { game.read(&self.position)? };
        check_moves(&*root)?;
        Ok(Found { game, position: root.copy(), root, before: None, played: Vec::new(), wrong: Vec::new() })
    }
}

impl Found {
    /// Plays moves, up to the first that cannot be.
    fn play(&mut self, moves: &str, stop: &Stop) -> Result<(), Fault> {
        let begun = Instant::now();
        let words = self.root.move_words(moves);
        if words.iter().map(|(_, word)| word.len() + 1).sum::<usize>() > LONGEST + 1 {
            return Err(too_long());
        }
        for (at, word) in words {
            if stop.asked() || begun.elapsed() > PLAYED_IN {
                let seconds = PLAYED_IN.as_secs();
                return Err(too_large(format!("the moves take too long to play: at most {seconds} seconds")));
            }
            let fault = match self.position.play_line(word) {
                Ok(line) => {
                    self.go(line)?;
                    continue;
                }
                Err(Error::Text(error)) => {
                    // A word may be many moves, written without a space: those before the wrong one are good.
                    let good = word.get(..error.at).filter(|good| !good.is_empty());
                    if let Some(Ok(line)) = good.map(|good| self.position.play_line(good)) {
                        self.go(line)?;
                    }
                    Error::Text(error.shifted(at))
                }
                Err(other) => other,
            };
            return Err(fault.into());
        }
        Ok(())
    }

    /// Goes on to a position, which some moves lead to.
    fn go(&mut self, (next, names): (Box<dyn AnyPosition>, Vec<String>)) -> Result<(), Fault> {
        check_moves(&*next)?;
        self.before = Some(std::mem::replace(&mut self.position, next));
        self.played.extend(names);
        Ok(())
    }
}

fn too_long() -> Fault {
    Fault::bad(format!("the text is too long; at most {LONGEST} characters are read"))
}

fn too_large(message: String) -> Fault {
    Fault::new(StatusCode::UNPROCESSABLE_ENTITY, message)
}

/// Has the position no more moves than the server takes?
fn check_moves(position: &dyn AnyPosition) -> Result<(), Fault> {
    let moves = position.count_moves();
    if moves <= MOST_MOVES {
        return Ok(());
    }
    Err(too_large(format!(
        "the position {} has {moves} legal moves; this server takes positions with at most {MOST_MOVES}",
        position.write()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(game: &str, moves: &str, stop: &Stop) -> Result<Found, Fault> {
        Where { game: game.into(), moves: moves.into(), ..Where::default() }.find(stop)
    }

    #[test]
    fn huge_positions_and_lists_are_refused() {
        let says = |game: &str, moves: &str, stop: &Stop| match find(game, moves, stop) {
            Ok(_) => panic!("{game} is taken"),
            Err(fault) => fault.message().to_string(),
        };
        let go = Stop::default();
        let many = says("wythoff:t=1000,start=223,222", "", &go);
        assert!(many.contains("223,222 has 49951 legal moves") && many.contains("at most 10000"), "{many}");
        assert!(find("amazons", "", &go).is_ok_and(|found| found.position.count_moves() == 2176));
        go.now();
        assert!(find("tic-tac-toe", "", &go).is_ok(), "nothing to play");
        assert!(says("tic-tac-toe", "b2", &go).contains("too long to play"));
    }

    #[test]
    fn what_makes_sense_is_found_and_the_rest_is_told() {
        let prefix = |game: &str, position: &str, moves: &str| {
            let asked = Where {
                game: game.into(),
                position: position.into(),
                moves: moves.into(),
                prefix: true,
                ..Where::default()
            };
            asked
                .find(&Stop::default())
                .map(|found| (found.game.full_name(), found.played.join(" "), found.wrong.join("; ")))
        };
        let (game, played, wrong) = prefix("connect-four", "", "4 4 99 1").expect("a game");
        assert!(
            game == "connect-four" && played == "4 4" && wrong.contains("at character 5"),
            "{played}: {wrong}"
        );
        let (_, played, wrong) = prefix("connect-four", "", "4455944").expect("a game");
        assert!(played == "4 4 5 5" && wrong.contains("at character 5"), "{played}: {wrong}");
        let (game, played, wrong) = prefix("hex:0", "", "a1").expect("a game");
        assert!(game == "hex" && played.is_empty() && !wrong.is_empty(), "{game} {played}: {wrong}");
        let (game, played, wrong) = prefix("hex:5", "nonsense", "a1").expect("a game");
        assert!(
            game == "hex:5" && played.is_empty() && wrong.starts_with("position: "),
            "{game} {played}: {wrong}"
        );
        assert!(prefix("chess-boxing:3", "", "").is_err() && prefix("", "", "").is_err());
    }

    #[test]
    fn mistakes_are_found_where_they_are() {
        let says = |moves: &str| match find("connect-four", moves, &Stop::default()) {
            Ok(_) => panic!("{moves} is taken"),
            Err(fault) => fault.message().to_string(),
        };
        assert!(says("4455 9").contains("at character 6"), "{}", says("4455 9"));
        assert!(says("44444449").contains("at character 7"), "{}", says("44444449"));
    }
}
