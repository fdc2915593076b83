//! Reads lines while others think: a thread that hands each line on with the time at which it came.
//!
//! Lines may end with CR, LF or both. What is longer than [`LONGEST`] is cut, so that no input takes more memory than
//! that; bytes that are no text become replacement signs.

use std::io::BufRead;
use std::time::Instant;

/// The longest line that is kept, in bytes.
const LONGEST: usize = 1024;

/// A line and when it came.
#[derive(Clone, Debug)]
pub struct Line {
    /// Without its end and without blanks around it; never empty.
    pub text: String,
    /// When it was complete.
    pub at: Instant,
}

/// Hands the lines on to `tell` until the input ends or fails, or nobody wants them any more.
pub fn listen(mut input: impl BufRead, mut tell: impl FnMut(Line) -> bool) {
    let mut bytes = Vec::new();
    loop {
        let (used, ended) = match input.fill_buf() {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Ok([]) | Err(_) => (0, true),
            Ok(some) => {
                let end = some.iter().position(|&byte| byte == b'\n' || byte == b'\r');
                let kept = &some[..end.unwrap_or(some.len())];
                bytes.extend_from_slice(&kept[..kept.len().min(LONGEST - bytes.len())]);
                (end.map_or(some.len(), |end| end + 1), end.is_some())
            }
        };
        input.consume(used);
        if ended {
            let text = String::from_utf8_lossy(&bytes).trim().to_string();
            bytes.clear();
            if !text.is_empty() && !tell(Line { text, at: Instant::now() }) || used == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn lines_are_cut_and_never_lost() {
        let long = "x".repeat(10 * LONGEST);
        let mut lines = Vec::new();
        listen(Cursor::new(format!("START 15\r\n\r\n {long}\rEND")), |line| {
            lines.push(line.text);
            true
        });
        assert_eq!(lines.len(), 3);
        assert_eq!((lines[0].as_str(), lines[2].as_str()), ("START 15", "END"));
        assert!(lines[1].len() <= LONGEST);
    }
}
