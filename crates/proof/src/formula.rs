//! Certificates of answers to questions: a formula over who moves and what holds, a position, and the choices that
//! show that the formula holds there, or that it does not.
//!
//! The checker reads the question anew, takes its contrary if the answer is no, and walks through it: all parts of an
//! *and*, all moves of an *all*; of an *or* and a *some* the part or the move whose number comes next. The same formula
//! at the same position (by its exact code) is gone through once. An atom that does not hold, a number too high, a
//! number missing or left over: refused. It knows the rules and what formulas mean
//! ([`endspiel_game::formula`]), and no search. The file is text, and only the form in which it is written is read.

use crate::FileError;
use endspiel_game::formula::{Formulas, Id, Node, moves_of, parse};
use endspiel_game::notation::shorten;
use endspiel_game::{Game, Notation, Position, TextError, TwoPlayer};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

const MAGIC: &str = "Endspiel certificate 2: ";
const KIND: &str = "formula";
/// Numbers on a line.
const ON_A_LINE: usize = 32;
/// No file is longer.
const LONGEST: u64 = 1 << 28;
/// Checking takes no more steps: positions with formulas walked through.
const MOST_STEPS: u64 = 1 << 25;

/// An answer with what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The rule set: `name` or `name:variant`.
    pub game: String,
    /// The position, in the game's notation.
    pub root: String,
    /// The question, in one line.
    pub question: String,
    /// The answer.
    pub holds: bool,
    /// The numbers of parts and moves chosen, in the order of the walk.
    pub choices: Vec<u32>,
}

/// Why an answer was refused.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The file is no whole certificate.
    #[error(transparent)]
    File(#[from] FileError),
    /// The certificate is about another rule set.
    #[error("the certificate is about '{named}', not about '{asked}'")]
    Game {
        /// In the header.
        named: String,
        /// The game it was checked for.
        asked: String,
    },
    /// The root is not a position of the game.
    #[error("the root cannot be read: {0}")]
    Root(TextError),
    /// The root is written in another form than the game's own.
    #[error("the root is to be written '{right}'")]
    RootForm {
        /// The right form.
        right: String,
    },
    /// The question is not understood.
    #[error("the question cannot be read: {0}")]
    Question(TextError),
    /// The walk comes to something that does not hold.
    #[error("after {step} steps, at '{position}': {what}")]
    Hole {
        /// The steps before.
        step: u64,
        /// Where.
        position: String,
        /// What is wrong.
        what: &'static str,
    },
    /// Choices that nobody asks for.
    #[error("{count} choices are never asked for")]
    Unused {
        /// How many.
        count: usize,
    },
}

impl Answered {
    /// What is stated, in a line.
    pub fn statement(&self) -> String {
        format!("{} {}", self.question, if self.holds { "holds" } else { "does not hold" })
    }

    /// The header up to the digest, and the choices.
    fn parts(&self) -> (String, String) {
        let head = format!(
            "{MAGIC}{game}, {statement}\nkind: {KIND}\ngame: {game}\nroot: {root}\nquestion: {question}\nholds: {holds}\nchoices: {count}\n",
            game = self.game,
            statement = self.statement(),
            root = self.root,
            question = self.question,
            holds = if self.holds { "yes" } else { "no" },
            count = self.choices.len(),
        );
        let mut body = String::new();
        for line in self.choices.chunks(ON_A_LINE) {
            let words: Vec<String> = line.iter().map(u32::to_string).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(body, "{}", words.join(" "));
        }
        (head, body)
    }

    /// The checksum of what is stated and of all choices: the certificate's name.
    pub fn digest(&self) -> u128 {
        let (head, body) = self.parts();
        xxh3_128(format!("{head}{body}").as_bytes())
    }

    /// The whole file.
    pub(crate) fn render(&self) -> String {
        let (head, body) = self.parts();
        format!("{head}digest: {:032x}\n\n{body}", self.digest())
    }

    /// Writes the file, whole or not at all; gives its length.
    pub fn write(&self, path: &Path) -> Result<u64, FileError> {
        let text = self.render();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let hidden = path.with_file_name(format!(".{name}.{}", std::process::id()));
        let written = std::fs::File::create(&hidden)
            .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
            .and_then(|()| std::fs::rename(&hidden, path));
        if let Err(error) = written {
            let _ = std::fs::remove_file(&hidden);
            return Err(error.into());
        }
        Ok(text.len() as u64)
    }

    /// Reads what [`Answered::write`] wrote, and nothing else.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let mut text = String::new();
        let fail = |line: usize, expected: &str| FileError::Header { line, expected: expected.into() };
        let read = std::fs::File::open(path)?.take(LONGEST).read_to_string(&mut text);
        read.map_err(|_| fail(1, "text in UTF-8"))?;
        Self::parse(&text)
    }

    pub(crate) fn parse(text: &str) -> Result<Self, FileError> {
        let fail = |line: usize, expected: &str| FileError::Header { line, expected: expected.into() };
        if !text.starts_with(MAGIC) {
            return Err(FileError::NotACertificate);
        }
        let mut lines = text.split('\n');
        let mut field = |i: usize, name: &str| {
            let value = lines.next().and_then(|line| line.strip_prefix(name));
            value.ok_or_else(|| fail(i, &format!("the field '{name}'")))
        };
        field(1, MAGIC)?;
        let kind = field(2, "kind: ")?;
        if kind != KIND {
            return Err(FileError::Kind { found: shorten(kind) });
        }
        let (game, root, question) = (field(3, "game: ")?, field(4, "root: ")?, field(5, "question: ")?);
        let holds = match field(6, "holds: ")? {
            "yes" => true,
            "no" => false,
            _ => return Err(fail(6, "'yes' or 'no'")),
        };
        let count: usize = field(7, "choices: ")?.parse().map_err(|_| fail(7, "a number of choices"))?;
        let stated = u128::from_str_radix(field(8, "digest: ")?, 16)
            .map_err(|_| fail(8, "a digest of 32 hexadecimal digits"))?;
        field(9, "")?;
        let mut choices = Vec::new();
        for (i, line) in lines.enumerate() {
            for word in line.split(' ').filter(|word| !word.is_empty()) {
                choices.push(word.parse().map_err(|_| fail(10 + i, "numbers below 2^32"))?);
            }
        }
        let answered =
            Self { game: game.into(), root: root.into(), question: question.into(), holds, choices };
        if answered.choices.len() != count {
            return Err(fail(7, "the number of choices that follow"));
        }
        let found = answered.digest();
        if found != stated {
            return Err(FileError::Digest { stated, found });
        }
        let rendered = answered.render();
        if rendered != text {
            let mut pairs = rendered.split('\n').zip(text.split('\n'));
            let line = pairs.position(|(right, found)| right != found).unwrap_or(0);
            return Err(fail(line + 1, "the form in which this program writes answers"));
        }
        Ok(answered)
    }

    /// Checks it by the rules of `game`; the players' names are those that questions use.
    pub fn check<G: Game>(&self, game: &G) -> Result<(), Refused>
    where
        G::Position: TwoPlayer + Notation,
    {
        if self.game != game.full_name() {
            return Err(Refused::Game { named: shorten(&self.game), asked: game.full_name() });
        }
        let root = game.read(&self.root).map_err(Refused::Root)?;
        if root.write() != self.root {
            return Err(Refused::RootForm { right: root.write() });
        }
        let mut formulas = Formulas::default();
        let mover = root.turn().player();
        let id = parse(&mut formulas, &self.question, G::ABOUT.players, mover).map_err(Refused::Question)?;
        let id = if self.holds { id } else { formulas.not(id) };
        let mut walk =
            Walk { formulas: &formulas, choices: self.choices.iter(), seen: HashSet::new(), steps: 0 };
        walk.go(&root, id)?;
        match walk.choices.len() {
            0 => Ok(()),
            count => Err(Refused::Unused { count }),
        }
    }
}

struct Walk<'a> {
    formulas: &'a Formulas,
    choices: std::slice::Iter<'a, u32>,
    seen: HashSet<(Vec<u8>, Id)>,
    steps: u64,
}

impl Walk<'_> {
    fn go<P: TwoPlayer + Notation>(&mut self, position: &P, id: Id) -> Result<(), Refused> {
        let fault =
            |walk: &Self, what| Err(Refused::Hole { step: walk.steps, position: position.write(), what });
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return fault(self, "checking takes too many steps");
        }
        let node = self.formulas.node(id);
        if !matches!(node, Node::Atom(..) | Node::And(_)) {
            let mut code = Vec::new();
            position.encode(&mut code);
            if !self.seen.insert((code, id)) {
                return Ok(());
            }
        }
        match node {
            &Node::Atom(atom, sign) if atom.holds(position) == sign => Ok(()),
            Node::Atom(..) => fault(self, "what must hold does not"),
            Node::And(parts) => parts.iter().try_for_each(|&part| self.go(position, part)),
            Node::Or(parts) => match self.choices.next().and_then(|&choice| parts.get(choice as usize)) {
                Some(&part) => self.go(position, part),
                None => fault(self, "there is no such part to choose"),
            },
            &Node::All(player, then) => {
                let mut result = Ok(());
                moves_of(position, player, |from, m| {
                    result = self.go(&from.after(m), then);
                    if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
                result
            }
            &Node::Some(player, then) => {
                let Some(&choice) = self.choices.next() else { return fault(self, "a choice is missing") };
                let (mut number, mut chosen) = (0, None);
                moves_of(position, player, |from, m| {
                    if number == choice {
                        chosen = Some(from.after(m));
                        return ControlFlow::Break(());
                    }
                    number += 1;
                    ControlFlow::Continue(())
                });
                match chosen {
                    Some(after) => self.go(&after, then),
                    None => fault(self, "there is no such move to choose"),
                }
            }
        }
    }
}
