//! Portable game notation as text (Standard: Portable Game Notation Specification and Implementation Guide, 1994,
//! sections 8 to 10): tag pairs in brackets, then moves, and between them what is no move: comments in braces or after a
//! semicolon, glyphs such as `$1`, variations in parentheses, the result. Draughts are written in the same manner (PDN).
//!
//! Moves themselves are not read here: all else is blanked out, so that what is left stands where it stood.

use crate::fault::Fault;
use crate::names::plain;

/// What a text is made of.
#[derive(Debug, Default)]
pub struct Parts {
    pub tags: Vec<Tag>,
    /// The text with blanks for all that is no move of the first game.
    pub moves: String,
    /// How many games there are in the text.
    pub games: usize,
}

/// A tag pair.
#[derive(Debug)]
pub struct Tag {
    /// The line it is on, from 1.
    pub line: usize,
    pub name: String,
    pub value: String,
}

/// How games end.
pub const RESULTS: [&str; 5] = ["1-0", "0-1", "1/2-1/2", "½-½", "*"];

/// The line of a byte, from 1.
pub fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&b| b == b'\n').count()
}

/// Cuts a text into its parts. `glued` says that a parenthesis in the middle of a word begins a variation too: not where
/// moves are written with parentheses.
pub fn cut(text: &str, glued: bool) -> Result<Parts, Fault> {
    let mut scan = Scan { text, at: 0, parts: Parts::default(), in_moves: false };
    let fault = |at: usize, what: String| Fault::bad(format!("line {}: {what}", line_of(text, at)));
    let mut open: Vec<usize> = Vec::new();
    while let Some(sign) = scan.next() {
        let line_begins = scan.at == 0 || text.as_bytes()[scan.at - 1] == b'\n';
        let word_begins = !scan.parts.moves.ends_with(|c: char| !c.is_whitespace());
        let rest = &text[scan.at..];
        match sign {
            '[' if open.is_empty() && word_begins => {
                let (tag, length) = read_tag(rest).ok_or_else(|| {
                    fault(scan.at, "expected a tag such as [Game \"hex:5\"] or [White \"Anderssen\"]".into())
                })?;
                scan.tag(tag);
                scan.blank(length);
            }
            '{' => {
                let what = "the comment that begins here has no end; expected }";
                let length = rest.find('}').ok_or_else(|| fault(scan.at, what.into()))?;
                scan.blank(length + 1);
            }
            ';' => scan.blank(rest.find('\n').unwrap_or(rest.len())),
            '%' if line_begins => scan.blank(rest.find('\n').unwrap_or(rest.len())),
            '(' if word_begins || glued || !open.is_empty() => {
                open.push(scan.at);
                scan.blank(1);
            }
            ')' if !open.is_empty() => {
                open.pop();
                scan.blank(1);
            }
            '$' => scan.blank(1 + rest[1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - 1)),
            '!' | '?' | '\u{feff}' => scan.blank(sign.len_utf8()),
            _ if !open.is_empty() => scan.blank(sign.len_utf8()),
            _ if word_begins => {
                let word =
                    rest.split(|c: char| c.is_whitespace() || "{};()".contains(c)).next().unwrap_or(rest);
                if RESULTS.contains(&word) || !word.is_empty() && word.bytes().all(|b| b == b'.') {
                    scan.blank(word.len());
                    scan.in_moves |= RESULTS.contains(&word);
                } else {
                    scan.keep(sign);
                }
            }
            _ => scan.keep(sign),
        }
    }
    if let Some(&at) = open.first() {
        return Err(fault(at, "the variation that begins here has no end; expected )".into()));
    }
    Ok(scan.parts)
}

/// A walk through a text.
struct Scan<'a> {
    text: &'a str,
    at: usize,
    parts: Parts,
    /// Have moves, or a result, come since the last tag?
    in_moves: bool,
}

impl Scan<'_> {
    fn next(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Goes on over so many bytes that are no move.
    fn blank(&mut self, length: usize) {
        let end = self.at + length;
        let blanks = self.text[self.at..end].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' });
        self.parts.moves.extend(blanks);
        self.at = end;
    }

    /// Goes on over a sign of a move, or over white space; moves of a later game are blanked.
    fn keep(&mut self, sign: char) {
        self.in_moves |= !sign.is_whitespace();
        self.parts.games = self.parts.games.max(usize::from(self.in_moves));
        if self.parts.games > 1 {
            return self.blank(sign.len_utf8());
        }
        self.parts.moves.push(sign);
        self.at += sign.len_utf8();
    }

    /// Takes a tag, if it is of the first game; one after moves begins another.
    fn tag(&mut self, (name, value): (String, String)) {
        if self.in_moves || self.parts.games == 0 {
            self.parts.games += 1;
        }
        self.in_moves = false;
        if self.parts.games == 1 {
            self.parts.tags.push(Tag { line: line_of(self.text, self.at), name, value });
        }
    }
}

/// Reads a tag pair at the beginning of a text: its name, its value, and how long it is.
fn read_tag(text: &str) -> Option<((String, String), usize)> {
    let inside = text.strip_prefix('[')?;
    let (name, rest) = inside.split_once('"')?;
    let name = name.trim();
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return None;
    }
    let (mut value, mut signs) = (String::new(), rest.char_indices());
    loop {
        match signs.next()?.1 {
            '"' => break,
            '\n' => return None,
            '\\' => match signs.next()?.1 {
                quoted @ ('"' | '\\') => value.push(quoted),
                other => value.extend(['\\', other]),
            },
            sign => value.push(sign),
        }
    }
    let after = signs.as_str();
    let end = after.trim_start().strip_prefix(']')?;
    Some(((name.into(), plain(&value)), text.len() - end.len()))
}

/// A tag pair in a line of its own.
pub fn write_tag(name: &str, value: &str) -> String {
    let quoted = plain(value).replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{quoted}\"]\n")
}

/// Moves in lines of at most 79 signs, with their numbers; `second` says that the second player begins. `end` is what
/// stands behind them.
pub fn write_moves(moves: &[String], second: bool, end: Option<&str>) -> String {
    let (mut out, mut line) = (String::new(), String::new());
    let mut add = |word: &str| {
        if line.len() + word.len() > 78 {
            out += &(std::mem::take(&mut line) + "\n");
        }
        line += if line.is_empty() { "" } else { " " };
        line += word;
    };
    for (ply, name) in (usize::from(second)..).zip(moves) {
        let number = ply / 2 + 1;
        match ply % 2 {
            0 => add(&format!("{number}. {name}")),
            _ if ply == 1 && second => add(&format!("{number}... {name}")),
            _ => add(name),
        }
    }
    if let Some(end) = end {
        add(end);
    }
    out + &line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, glued: bool) -> Vec<String> {
        let parts = cut(text, glued).unwrap_or_else(|f| panic!("{text}: {}", f.message()));
        assert_eq!(parts.moves.len(), text.len(), "what is left stands where it stood");
        parts.moves.split_whitespace().map(str::to_string).collect()
    }

    #[test]
    fn what_is_no_move_is_left_out() {
        for (text, left) in [
            ("[White \"A\"]\n\n1. e4 e5 2. Nf3 1-0", "1. e4 e5 2. Nf3"),
            ("1.e4! {a (strange\n) comment} e5?? $14 ; the rest\n2. Nf3 $1$2 *", "1.e4 e5 2. Nf3"),
            ("1. e4 (1. d4 d5 (1... Nf6 {x)} 2. c4)) 1... e5 1/2-1/2", "1. e4 1... e5"),
            ("% escaped [White \"B\"]\n1. ... e5", "1. e5"),
            ("\u{feff}1. e4(1. d4)e5", "1. e4 e5"),
        ] {
            assert_eq!(words(text, true).join(" "), left, "{text}");
        }
        assert_eq!(words("1. d1-d4(d7) (1. a1) *", false), ["1.", "d1-d4(d7)"]);
    }

    #[test]
    fn tags_are_read_and_written() {
        let text = write_tag("White", "a \"man\" \\ \n") + "[ Black  \"B\" ][Round \"1\"]\n\n*\n";
        let parts = cut(&text, true).expect("tags");
        let tags: Vec<_> = parts.tags.iter().map(|t| (t.line, t.name.as_str(), t.value.as_str())).collect();
        assert_eq!(tags, [(1, "White", "a \"man\" \\  "), (2, "Black", "B"), (2, "Round", "1")]);
    }

    #[test]
    fn the_first_of_several_games_is_read() {
        let text = "[White \"A\"]\n\n1. e4 1-0\n\n[White \"B\"]\n\n1. d4 0-1\n\n[White \"C\"]\n\n*\n";
        let parts = cut(text, true).expect("games");
        assert_eq!((parts.games, parts.tags.len(), parts.moves.trim()), (3, 1, "1. e4"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, says) in [
            ("[White \"A\"]\n[Black A]\n", "line 2: expected a tag"),
            ("[White \"A\n\"]\n", "line 1: expected a tag"),
            ("1. e4\n{ no end", "line 2: the comment that begins here has no end"),
            ("1. e4\n\n(1. d4 (x)", "line 3: the variation that begins here has no end"),
        ] {
            let fault = cut(text, true).expect_err(text);
            assert!(fault.message().starts_with(says), "{text}: {}", fault.message());
        }
    }

    #[test]
    fn long_games_are_broken_into_lines() {
        let moves: Vec<String> = (0..60).map(|_| "Nf3".to_string()).collect();
        let text = write_moves(&moves, true, Some("1-0"));
        assert!(text.lines().all(|line| line.len() < 80) && text.lines().count() > 3);
        assert!(text.starts_with("1... Nf3 2. Nf3 Nf3 3. ") && text.ends_with(" 1-0\n"), "{text}");
    }
}
