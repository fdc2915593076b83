//! String rewriting in which every rule makes one letter out of several, and the double-letter puzzle.
//!
//! A *system* is a list of rules such as `aa -> b | e`. Given a text, the question is which single letters it
//! can be reduced to. Every letter that arises stands for a piece of the text, so a state is a set of
//! attributes "this letter stands for the piece from here to there", and a rewriting an operator.
//!
//! The double-letter puzzle (Allis 1994, section 3.2): letters a to e in a circle; two equal neighbours become
//! the letter before or after theirs.
//!
//! ```
//! use endspiel_rules::rewriting::{Chart, System};
//!
//! let puzzle = System::double_letter();
//! let text = puzzle.read_text("aabdcbbdcaa")?;
//! assert_eq!(Chart::new(&puzzle, &text).letters().collect::<String>(), "abce");
//!
//! let own = System::read("ab -> c; cc -> d")?;
//! let text = own.read_text("abab")?;
//! assert_eq!(Chart::new(&own, &text).derivation('d').unwrap(), ["abab", "cab", "cc", "d"]);
//! # Ok::<(), endspiel_game::TextError>(())
//! ```

mod chart;
#[cfg(test)]
mod tests;

pub use chart::Chart;

use endspiel_game::{Operator, Structured, TextError};
use std::collections::BTreeSet;

/// The most letters a text may have: its table has one bit for every piece and letter.
const LONGEST: usize = 10_000;
/// The most rules, and the most letters on the left of one.
const MOST_RULES: usize = 1000;
const LONGEST_RULE: usize = 32;

/// A rule: these letters, side by side, may become this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The letters replaced.
    pub from: Vec<char>,
    /// The letter put in their place.
    pub to: char,
}

/// The rules of a rewriting system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    rules: Vec<Rule>,
}

impl System {
    /// The rules of the double-letter puzzle.
    pub fn double_letter() -> Self {
        let letter = |i: u32| char::from(b'a' + (i % 5) as u8);
        let rules = (0..5)
            .flat_map(|i| [4, 1].map(|step| Rule { from: vec![letter(i); 2], to: letter(i + step) }))
            .collect();
        Self { rules }
    }

    /// Reads rules such as `aa -> b | e`, separated by line ends or semicolons; `#` begins a comment. Any
    /// character is a letter but white space and `# ; | -`.
    pub fn read(text: &str) -> Result<Self, TextError> {
        let mut rules = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let code = line.split('#').next().unwrap_or("");
            let mut start = at;
            for part in code.split(';') {
                read_rule(part, start, &mut rules)?;
                start += part.len() + 1;
            }
            at += line.len();
        }
        if rules.is_empty() {
            return Err(TextError::new(text.len(), "there is no rule", "a rule such as aa -> b"));
        }
        let system = Self { rules };
        match system.circle() {
            Some(letter) => Err(TextError::new(
                0,
                format!("'{letter}' can be rewritten to itself, letter by letter, without end"),
                "rules whose single letters do not go round in a circle",
            )),
            None => Ok(system),
        }
    }

    /// The rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Reads a text to be rewritten: letters that occur in the rules.
    pub fn read_text(&self, text: &str) -> Result<Vec<char>, TextError> {
        let known: BTreeSet<char> =
            self.rules.iter().flat_map(|r| r.from.iter().copied().chain([r.to])).collect();
        let all = || format!("letters of the rules: {}", known.iter().collect::<String>());
        if let Some((at, c)) = text.char_indices().find(|(_, c)| !known.contains(c)) {
            return Err(TextError::new(at, format!("'{}' is in no rule", c.escape_default()), all()));
        }
        let letters: Vec<char> = text.chars().collect();
        match letters.len() {
            0 => Err(TextError::new(0, "the text is empty", all())),
            n if n > LONGEST => {
                Err(TextError::new(LONGEST, "the text is too long", format!("at most {LONGEST} letters")))
            }
            _ => Ok(letters),
        }
    }

    /// A letter that rules of one letter lead back to, if there is one.
    fn circle(&self) -> Option<char> {
        let units: Vec<(char, char)> =
            self.rules.iter().filter(|r| r.from.len() == 1).map(|r| (r.from[0], r.to)).collect();
        units.iter().map(|&(from, _)| from).find(|&from| {
            let mut reached = BTreeSet::from([from]);
            let mut open = vec![from];
            while let Some(letter) = open.pop() {
                for &(_, to) in units.iter().filter(|u| u.0 == letter) {
                    if to == from {
                        return true;
                    }
                    if reached.insert(to) {
                        open.push(to);
                    }
                }
            }
            false
        })
    }
}

fn read_rule(part: &str, start: usize, rules: &mut Vec<Rule>) -> Result<(), TextError> {
    let here = start + part.len() - part.trim_start().len();
    let part = part.trim();
    if part.is_empty() {
        return Ok(());
    }
    let expected = "a rule such as aa -> b | e";
    let Some((left, right)) = part.split_once("->") else {
        return Err(TextError::new(here, "there is no arrow in this rule", expected));
    };
    let from: Vec<char> = left.trim().chars().collect();
    if let Some((i, c)) = left.trim().char_indices().find(|&(_, c)| c.is_whitespace() || c == '|' || c == '-')
    {
        return Err(TextError::new(here + i, format!("'{}' is no letter", c.escape_default()), expected));
    }
    if from.is_empty() || from.len() > LONGEST_RULE {
        let what = format!("{} letters left of the arrow", from.len());
        return Err(TextError::new(here, what, format!("1 to {LONGEST_RULE} letters")));
    }
    let mut at = here + left.len() + 2;
    for choice in right.split('|') {
        let mut letters = choice.trim().chars();
        match (letters.next(), letters.next()) {
            (Some(to), None) if to != '-' => rules.push(Rule { from: from.clone(), to }),
            _ => {
                let lead = choice.len() - choice.trim_start().len();
                let what = "a rule must make exactly one letter";
                return Err(TextError::new(at + lead, what, expected));
            }
        }
        if rules.len() > MOST_RULES {
            return Err(TextError::new(at, "too many rules", format!("at most {MOST_RULES}")));
        }
        at += choice.len() + 1;
    }
    Ok(())
}

/// This letter stands for the piece of the text from `from` to `to`, both counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// The first place.
    pub from: u16,
    /// The last place.
    pub to: u16,
    /// The letter.
    pub letter: char,
}

/// A text to be rewritten by a system, as a problem for dependency-based search: the goals are the letters
/// that stand for the whole text.
#[derive(Clone, Debug)]
pub struct Reduction<'a> {
    system: &'a System,
    text: &'a [char],
}

impl<'a> Reduction<'a> {
    /// The problem of a text as [`System::read_text`] gives it.
    pub fn new(system: &'a System, text: &'a [char]) -> Self {
        Self { system, text }
    }

    /// Completes `pieces`, which stand for the letters `done` of a rule's left side, to the right, then to
    /// the left, in every way.
    fn complete(
        &self,
        rule: &Rule,
        done: (usize, usize),
        pieces: &mut Vec<Piece>,
        has: &dyn Fn(Piece) -> bool,
        each: &mut dyn FnMut(Operator<Piece>),
    ) {
        let (first, after) = done;
        let (Some(left), Some(right)) = (pieces.first().copied(), pieces.last().copied()) else { return };
        if after < rule.from.len() {
            for to in right.to + 1..self.text.len() as u16 {
                let next = Piece { from: right.to + 1, to, letter: rule.from[after] };
                if has(next) {
                    pieces.push(next);
                    self.complete(rule, (first, after + 1), pieces, has, each);
                    pieces.pop();
                }
            }
        } else if first > 0 {
            for from in 0..left.from {
                let next = Piece { from, to: left.from - 1, letter: rule.from[first - 1] };
                if has(next) {
                    pieces.insert(0, next);
                    self.complete(rule, (first - 1, after), pieces, has, each);
                    pieces.remove(0);
                }
            }
        } else {
            let made = Piece { from: left.from, to: right.to, letter: rule.to };
            each(Operator { pre: pieces.clone(), del: pieces.clone(), add: vec![made] });
        }
    }
}

impl Structured for Reduction<'_> {
    type Attribute = Piece;

    fn start(&self) -> Vec<Piece> {
        (0u16..).zip(self.text).map(|(i, &letter)| Piece { from: i, to: i, letter }).collect()
    }

    fn operators(&self, piece: Piece, has: &dyn Fn(Piece) -> bool, each: &mut dyn FnMut(Operator<Piece>)) {
        for rule in &self.system.rules {
            for (place, _) in rule.from.iter().enumerate().filter(|&(_, &c)| c == piece.letter) {
                self.complete(rule, (place, place + 1), &mut vec![piece], has, each);
            }
        }
    }

    fn is_goal(&self, piece: Piece) -> bool {
        piece.from == 0 && usize::from(piece.to) + 1 == self.text.len()
    }
}
