//! Which position a request is about, and how far the server goes to find it.
//!
//! What is done with a position grows with its legal moves: each is named, drawn and judged. So positions with very
//! many moves are refused, and playing a list of moves ends when its time is up or whoever asked has gone.

use crate::fault::Fault;
use axum::http::StatusCode;
use endspiel_catalog::{AnyGame, AnyPosition, Error};
use endspiel_game::Stop;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
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
    /// Has the position been there before, in a game where that ends it?
    pub repeated: bool,
    /// The positions that were there, where one that comes back matters.
    met: HashSet<String>,
}

/// A list of moves that cannot be played to its end.
pub struct Unplayed {
    pub fault: Fault,
    /// The byte of the list at which a move is wrong, and what is wrong with it and what would be right.
    pub wrong: Option<(usize, String)>,
}

impl From<Fault> for Unplayed {
    fn from(fault: Fault) -> Self {
        Self { fault, wrong: None }
    }
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
            Err(unplayed) if !self.prefix => return Err(unplayed.fault),
            Err(unplayed) => found.wrong.push(format!("moves: {}", unplayed.fault.message())),
            Ok(()) => {}
        }
        Ok(found)
    }

    /// The position that the moves start from.
    pub fn root(&self) -> Result<Found, Fault> {
        if self.game.len() > 1000 || self.position.len() > LONGEST || self.moves.len() > LONGEST_NUMBERED {
            return Err(too_long());
        }
        let game = endspiel_catalog::game(&self.game)?;
        let root = if self.position.is_empty() { game.start() } else { game.read(&self.position)? };
        check_moves(&*root)?;
        let met = game.is_cyclic().then(|| root.write()).into_iter().collect();
        let (position, before) = (root.copy(), None);
        let (played, wrong) = (Vec::new(), Vec::new());
        Ok(Found { game, root, before, position, played, wrong, repeated: false, met })
    }
}

impl Found {
    /// Plays moves, up to the first that cannot be.
    pub fn play(&mut self, moves: &str, stop: &Stop) -> Result<(), Unplayed> {
        let begun = Instant::now();
        let words = self.root.move_words(moves);
        if words.iter().map(|(_, word)| word.len() + 1).sum::<usize>() > LONGEST + 1 {
            return Err(too_long().into());
        }
        for (at, word) in words {
            if stop.asked() || begun.elapsed() > PLAYED_IN {
                let seconds = PLAYED_IN.as_secs();
                let message = format!("the moves take too long to play: at most {seconds} seconds");
                return Err(too_large(message).into());
            }
            let error = match self.position.play_line(word) {
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
                    error.shifted(at)
                }
                Err(other) => return Err(Fault::from(other).into()),
            };
            let wrong = Some((error.at, format!("{}; expected {}", error.what, error.expected)));
            return Err(Unplayed { fault: Error::Text(error).into(), wrong });
        }
        Ok(())
    }

    /// Goes on to a position, which some moves lead to.
    fn go(&mut self, (next, names): (Box<dyn AnyPosition>, Vec<String>)) -> Result<(), Fault> {
        if names.len() > 1 {
            // Each on its own: a position on the way may be there again.
            for name in names {
                let line = self.position.play_line(&name)?;
                self.go(line)?;
            }
            return Ok(());
        }
        check_moves(&*next)?;
        self.repeated = self.game.is_cyclic() && !self.met.insert(next.write());
        self.before = Some(std::mem::replace(&mut self.position, next));
        self.played.extend(names);
        Ok(())
    }

    /// How the game ended, in words, if it has: by its rules, or since the position has come back. Records go on after
    /// that, as people play on.
    pub fn result(&self) -> Option<String> {
        let again = || self.position.result_if_repeated().filter(|_| self.repeated);
        self.position.result().or_else(|| again().map(|r| format!("{r}, as the position has come back")))
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

    #[test]
    fn a_position_that_comes_back_ends_the_game_where_the_rules_say_so() {
        let go = Stop::default();
        for (game, moves, over) in [
            ("chess", "Nf3 Nf6 Ng1", false),
            ("chess", "Nf3 Nf6 Ng1 Ng8", true),
            ("chess", "Nf3 Nf6 Ng1 Ng8 e4", false),
            ("lines-of-action", "b1-b3 a4-c4 b3-b1 c4-a4", true),
            ("tic-tac-toe", "a1 b2", false),
        ] {
            let result = find(game, moves, &go).expect("a position").result();
            assert_eq!(result.is_some(), over, "{game} {moves}: {result:?}");
            assert!(result.is_none_or(|r| r.ends_with("as the position has come back")));
        }
    }
}
