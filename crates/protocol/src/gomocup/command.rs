//! The commands of the Gomocup protocol, read from lines.

use std::fmt;

/// A command of the manager's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A new game on a board of so many columns and rows.
    Start(usize, usize),
    /// A new game on the same board.
    Restart,
    /// Make the first move.
    Begin,
    /// The opponent moved here: answer.
    Turn(usize, usize),
    /// Stones follow, then `DONE`: answer as the player to move.
    Board,
    /// Stones of a swap2 opening follow, then `DONE`.
    Swap2Board,
    /// The stones are complete.
    Done,
    /// A setting: its name and its value.
    Info(String, String),
    /// Take the stone back.
    Takeback(usize, usize),
    /// Make this move.
    Play(usize, usize),
    /// Move at once.
    Stop,
    /// Say who you are.
    About,
    /// Leave.
    End,
}

/// Why a command is not obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is none that is known here.
    Unknown(String),
    /// It is known, and cannot be done.
    Error(String),
}

impl Refusal {
    /// The explanation.
    pub fn reason(&self) -> &str {
        match self {
            Self::Unknown(what) | Self::Error(what) => what,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(what) => write!(f, "UNKNOWN {what}"),
            Self::Error(what) => write!(f, "ERROR {what}"),
        }
    }
}

/// An `ERROR` with this explanation.
pub fn error<T>(what: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Error(what.into()))
}

impl Command {
    /// Reads a line; words are taken in capitals and in small letters.
    pub fn read(line: &str) -> Result<Self, Refusal> {
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Ok(match name.to_ascii_uppercase().as_str() {
            "START" => {
                let Some(size) = number(rest) else {
                    return error("START needs the size of the board: START 15");
                };
                Self::Start(size, size)
            }
            "RECTSTART" => {
                let (width, height) = pair(rest, "RECTSTART 20,15")?;
                Self::Start(width, height)
            }
            "RESTART" => Self::Restart,
            "BEGIN" => Self::Begin,
            "TURN" => {
                let (x, y) = pair(rest, "TURN 7,7")?;
                Self::Turn(x, y)
            }
            "BOARD" => Self::Board,
            "SWAP2BOARD" => Self::Swap2Board,
            "DONE" => Self::Done,
            "INFO" => {
                let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                Self::Info(key.to_ascii_lowercase(), value.trim().into())
            }
            "TAKEBACK" => {
                let (x, y) = pair(rest, "TAKEBACK 7,7")?;
                Self::Takeback(x, y)
            }
            "PLAY" => {
                let (x, y) = pair(rest, "PLAY 7,7")?;
                Self::Play(x, y)
            }
            "STOP" | "YXSTOP" => Self::Stop,
            "ABOUT" => Self::About,
            "END" => Self::End,
            _ => return Err(Refusal::Unknown(format!("'{}' is no command", shorten(line)))),
        })
    }
}

/// A number from 0 to 9999.
fn number(text: &str) -> Option<usize> {
    let plain = (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// The numbers of a text such as `7,8`, at most three of them; none if it is not such a text.
pub fn numbers(text: &str) -> Option<Vec<usize>> {
    if text.bytes().filter(|&byte| byte == b',').count() > 2 {
        return None;
    }
    text.split(',').map(|part| number(part.trim())).collect()
}

fn pair(text: &str, example: &str) -> Result<(usize, usize), Refusal> {
    match numbers(text).as_deref() {
        Some(&[first, second]) => Ok((first, second)),
        _ => error(format!("'{}' is not two numbers, as in {example}", shorten(text))),
    }
}

/// The beginning of a text, without control characters.
pub fn shorten(text: &str) -> String {
    let mut short: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
    if text.chars().count() > 40 {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        for (line, command) in [
            ("START 15", Command::Start(15, 15)),
            ("start 20", Command::Start(20, 20)),
            ("RECTSTART 20, 15", Command::Start(20, 15)),
            ("TURN 7,8", Command::Turn(7, 8)),
            ("INFO Timeout_Turn 5000", Command::Info("timeout_turn".into(), "5000".into())),
            ("INFO folder C:\\my files", Command::Info("folder".into(), "C:\\my files".into())),
            ("info", Command::Info(String::new(), String::new())),
            ("YXSTOP", Command::Stop),
            ("end", Command::End),
        ] {
            assert_eq!(Command::read(line), Ok(command), "{line}");
        }
        for line in ["START", "START x", "TURN 1", "TURN 1,2,3", "TURN -1,2", "TURN 99999,1", "PLAY a,b"] {
            assert!(matches!(Command::read(line), Err(Refusal::Error(_))), "{line}");
        }
        for line in ["7,7", "STARTX 15", "\u{fffd}", "0", "'"] {
            assert!(matches!(Command::read(line), Err(Refusal::Unknown(_))), "{line}");
        }
    }
}
