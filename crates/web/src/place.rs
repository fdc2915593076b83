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
}

impl Where {
    /// The position, unless it is more than the server takes or `stop` is asked for.
    pub fn find(&self, stop: &Stop) -> Result<Found, Fault> {
        let long = || Fault::bad(format!("the text is too long; at most {LONGEST} characters are read"));
        if self.game.len() > 1000 || self.position.len() > LONGEST || self.moves.len() > LONGEST_NUMBERED {
            return Err(long());
        }
        let game = endspiel_catalog::game(&self.game)?;
        let root = if self.position.is_empty() { game.start() } else { game.read(&self.position)? };
        let begun = Instant::now();
        let (mut position, mut before, mut played) = (root.copy(), None, Vec::new());
        check_moves(&*position)?;
        let words = root.move_words(&self.moves);
        if words.iter().map(|(_, word)| word.len() + 1).sum::<usize>() > LONGEST + 1 {
            return Err(long());
        }
        for (at, word) in words {
            if stop.asked() || begun.elapsed() > PLAYED_IN {
                let seconds = PLAYED_IN.as_secs();
                return Err(too_large(format!("the moves take too long to play: at most {seconds} seconds")));
            }
            let (next, names) = position.play_line(word).map_err(|error| match error {
                Error::Text(error) => Error::Text(error.shifted(at)),
                other => other,
            })?;
            check_moves(&*next)?;
            before = Some(std::mem::replace(&mut position, next));
            played.extend(names);
        }
        Ok(Found { game, root, before, position, played })
    }
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
    fn mistakes_are_found_where_they_are() {
        let says = |moves: &str| match find("connect-four", moves, &Stop::default()) {
            Ok(_) => panic!("{moves} is taken"),
            Err(fault) => fault.message().to_string(),
        };
        assert!(says("4455 9").contains("at character 6"), "{}", says("4455 9"));
        assert!(says("44444449").contains("at character 7"), "{}", says("44444449"));
    }
}
