//! The commands, one file each, and what they share: where the positions come from, and Ctrl-C.

pub mod alone;
pub mod ask;
pub mod bench;
pub mod best;
pub mod completions;
pub mod complexity;
pub mod db;
pub mod db_words;
pub mod derive;
pub mod engine;
pub mod export;
pub mod games;
pub mod lab;
pub mod methods;
pub mod passes;
pub mod perft;
pub mod play;
pub mod probes;
pub mod proofs;
pub mod serve;
pub mod show;
pub mod slips;
pub mod solve;
pub mod sum;
pub mod threats;
pub mod verify;

use crate::args::{From, Place};
use crate::screen::{complain, warn};
use crate::{End, Failure};
use endspiel_catalog::{AnyGame, AnyPosition};
use endspiel_game::Stop;
use serde_json::json;
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The longest line read from standard input, in bytes: no position of any game comes near it.
const LONGEST_LINE: usize = 1 << 20;

/// Opens the game, with the error pointing into its name.
pub fn open(name: &str) -> Result<Box<dyn AnyGame>, Failure> {
    endspiel_catalog::game(name).map_err(|e| Failure::Input(pointed(&e, name)))
}

/// Opens the game, with what the databases in `db` know of it.
pub fn open_with(name: &str, db: Option<&Path>) -> Result<Box<dyn AnyGame>, Failure> {
    let game = open(name)?;
    let Some(dir) = db else { return Ok(game) };
    let game = game.informed(dir).map_err(|e| Failure::Input(pointed(&e, name)))?;
    game.passed_over().iter().for_each(|what| warn(what));
    Ok(game)
}

/// The position that `position` and `moves` speak of.
pub fn position(
    game: &dyn AnyGame,
    position: Option<&str>,
    moves: Option<&str>,
) -> Result<Box<dyn AnyPosition>, Failure> {
    let start = match position {
        Some(text) => game.read(text.trim()).map_err(|e| Failure::Input(pointed(&e, text.trim())))?,
        None => game.start(),
    };
    match moves {
        Some(moves) => start.play(moves).map_err(|e| Failure::Input(pointed(&e, moves))),
        None => Ok(start),
    }
}

/// The one position of a command that takes no batch.
pub fn single(game: &dyn AnyGame, from: &From) -> Result<Box<dyn AnyPosition>, Failure> {
    if from.position.as_deref() == Some("-") || from.moves.as_deref() == Some("-") {
        let what = "this command is about one position, it reads no lines of them from standard input";
        return Err(Failure::Input(what.into()));
    }
    position(game, from.position.as_deref(), from.moves.as_deref())
}

/// Calls `each` with the one position asked about, or with every line of standard input and its count. A bad
/// line is complained of, or answered by `{"error": ...}` in JSON, and the next one is read. The worst of the
/// ends is given back.
pub fn each_position<W: Write>(
    place: &Place,
    as_json: bool,
    out: &mut W,
    each: impl FnMut(&dyn AnyPosition, Option<u32>, &mut W) -> Result<End, Failure>,
) -> Result<End, Failure> {
    each_position_of(&*open(&place.game)?, place, as_json, out, each)
}

/// The same in a game that is open.
pub fn each_position_of<W: Write>(
    game: &dyn AnyGame,
    place: &Place,
    as_json: bool,
    out: &mut W,
    mut each: impl FnMut(&dyn AnyPosition, Option<u32>, &mut W) -> Result<End, Failure>,
) -> Result<End, Failure> {
    let dash = Some("-");
    let (text, moves) = (place.from.position.as_deref(), place.from.moves.as_deref());
    let by_moves = moves == dash;
    if !by_moves && text != dash && place.dash.is_none() {
        return each(&*single(game, &place.from)?, None, out);
    }
    if by_moves && text == dash {
        return Err(Failure::Input("only one of --position and --moves can come from standard input".into()));
    }
    let mut input = std::io::stdin().lock();
    let (mut number, mut count, mut end) = (0, 0, End::Decided);
    while let Some(line) = read_line(&mut input)? {
        number += 1;
        let found = match &line {
            // No moves at all is a list of moves; no position at all is none.
            Ok(line) if line.trim().is_empty() && !by_moves => {
                Err(Failure::Input("an empty line; expected a position".into()))
            }
            Ok(line) if by_moves => position(game, text, Some(line.trim())),
            Ok(line) => position(game, Some(line.trim()), moves),
            Err(what) => Err(Failure::Input(what.clone())),
        };
        count += 1;
        end = end.max(match found {
            Ok(found) => each(&*found, Some(count), out)?,
            Err(Failure::Input(what)) => {
                let what = format!("line {number}: {what}");
                if as_json {
                    writeln!(out, "{}", json!({"error": what}))?;
                } else {
                    complain(&what);
                }
                End::BadInput
            }
            Err(other) => return Err(other),
        });
    }
    Ok(end)
}

/// A line of input; an inner error for one that is too long or is not text. None at the end.
fn read_line(input: &mut impl BufRead) -> Result<Option<Result<String, String>>, Failure> {
    let unread = |e: std::io::Error| Failure::Input(format!("cannot read standard input: {e}"));
    let mut bytes = Vec::new();
    let read =
        waiting(|| std::io::Read::take(&mut *input, LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes))
            .map_err(unread)?;
    if read == 0 {
        return Ok(None);
    }
    if read > LONGEST_LINE {
        while bytes.last() != Some(&b'\n') {
            bytes.clear();
            if std::io::Read::take(&mut *input, LONGEST_LINE as u64)
                .read_until(b'\n', &mut bytes)
                .map_err(unread)?
                == 0
            {
                break;
            }
        }
        return Ok(Some(Err(format!("longer than {LONGEST_LINE} bytes"))));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|_| "not UTF-8 text".into())))
}

/// The error with the text it is about and a caret under the place.
fn pointed(error: &endspiel_catalog::Error, text: &str) -> String {
    match error {
        endspiel_catalog::Error::Text(e) => match under(text, e.at) {
            Some(place) => format!("{e}\n{place}"),
            None => e.to_string(),
        },
        _ => error.to_string(),
    }
}

/// The line of a text with this byte, or a part of it, and a caret under it. What does not print, or changes how it is
/// printed, is a question mark there.
fn under(text: &str, at: usize) -> Option<String> {
    let (before, after) = text.split_at_checked(at)?;
    let ends = ['\n', '\r'];
    let (before, after) = (before.rsplit(ends).next()?, after.split(ends).next()?);
    let plain = |c: char| match c {
        '\t' => ' ',
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '?',
        c if c.is_control() => '?',
        c => c,
    };
    let (column, chars) = (before.chars().count(), before.chars().chain(after.chars()));
    let first = if column > 100 { column - 50 } else { 0 };
    let cut = if first > 0 { "..." } else { "" };
    let line: String = chars.skip(first).take(120).map(plain).collect();
    Some(format!("  {cut}{line}\n  {}^", " ".repeat(cut.len() + column - first)))
}

/// Is the program waiting for a line of input?
static WAITING: AtomicBool = AtomicBool::new(false);
/// The exit status of a program that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// Reads input; Ctrl-C meanwhile ends the program.
pub fn waiting<T>(read: impl FnOnce() -> T) -> T {
    WAITING.store(true, Ordering::SeqCst);
    let read = read();
    WAITING.store(false, Ordering::SeqCst);
    read
}

/// Lets Ctrl-C ask for a stop: the command then prints the best answer so far. The second one ends it.
pub fn stop_on_interrupt(stop: &Stop) {
    let stop = stop.clone();
    // Where no handler can be set, Ctrl-C simply ends the program.
    let _ = ctrlc::set_handler(move || {
        if stop.asked() || WAITING.load(Ordering::SeqCst) {
            std::process::exit(INTERRUPTED);
        }
        stop.now();
    });
}
