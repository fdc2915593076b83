//! The header of a certificate: a few lines of text that say what is proven, so that `head -1` tells a
//! reader and [`read_header`](crate::read_header) a program. Only the form that [`Header::render`] writes is
//! read.

use crate::FileError;
use crate::records::{LONGEST_CODE, Layout};
use crate::statement::Statement;
use endspiel_game::{Player, Question, Source};
use std::fmt::Write;

/// How every certificate begins.
const MAGIC: &str = "Endspiel certificate ";
/// The version of the format.
const VERSION: u32 = 2;
/// The one kind of certificate there is so far.
const KIND: &str = "strategy";

/// What a certificate says of itself. Nothing of it is proven until [`verify`](crate::verify) says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The rule set: `name` or `name:variant`.
    pub game: String,
    /// The position the statement is about, in the game's notation.
    pub root: String,
    /// What is proven.
    pub statement: Statement,
    /// Do positions that are images of each other share a record?
    pub folded: bool,
    /// The databases that it rests on beside the rules, in order of their names.
    pub rests: Vec<Source>,
    /// The strategies in the file, one for each claim of the statement.
    pub strategies: Vec<Summary>,
    /// A checksum of the header above and of all records, whatever their encoding: the certificate's name.
    pub digest: u128,
}

/// One strategy of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The claim it proves.
    pub claim: Question,
    /// How many positions it has an answer for.
    pub records: u64,
    /// Do the records carry ranks?
    pub ranked: bool,
    pub(crate) layout: Layout,
}

impl Header {
    /// The header as text, up to the line of the digest.
    pub(crate) fn render_body(&self) -> String {
        let mut out = format!(
            "{MAGIC}{VERSION}: {game}, {statement}\nkind: {KIND}\ngame: {game}\nroot: {root}\nstatement: {statement}\nsymmetry: {fold}\n",
            game = self.game,
            root = self.root,
            statement = self.statement,
            fold = if self.folded { "folded" } else { "plain" },
        );
        for source in &self.rests {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "rests: {} {:016x}", source.name, source.checksum);
        }
        for s in &self.strategies {
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "strategy: player={} at_least={} records={} code_bytes={}{} ranks={}",
                s.claim.player.0 + 1,
                s.claim.at_least,
                s.records,
                if s.layout.varied { "<=" } else { "" },
                s.layout.longest,
                if s.ranked { "yes" } else { "no" },
            );
        }
        out
    }

    /// The header as text, the blank line that ends it among it.
    pub(crate) fn render(&self) -> String {
        format!("{}digest: {:032x}\n\n", self.render_body(), self.digest)
    }

    /// Does this line begin a certificate of a known version?
    pub(crate) fn check_magic(line: &[u8]) -> Result<(), FileError> {
        let rest = line.strip_prefix(MAGIC.as_bytes()).ok_or(FileError::NotACertificate)?;
        let digits = rest.iter().take(10).take_while(|b| b.is_ascii_digit()).count();
        let found = String::from_utf8_lossy(&rest[..digits]).into_owned();
        if found == VERSION.to_string() { Ok(()) } else { Err(FileError::Version { found, known: VERSION }) }
    }

    /// Reads what [`Header::render`] wrote, and nothing else.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, FileError> {
        let fail = |line: usize, expected: &str| FileError::Header { line, expected: expected.into() };
        Self::check_magic(bytes)?;
        let text = std::str::from_utf8(bytes).map_err(|_| fail(1, "text in UTF-8"))?;
        let lines: Vec<&str> = text.split('\n').collect();
        let field = |i: usize, name: &str| {
            let value = lines.get(i).and_then(|l| l.strip_prefix(name)?.strip_prefix(": "));
            value.ok_or_else(|| fail(i + 1, &format!("the field '{name}: '")))
        };
        let kind = field(1, "kind")?;
        if kind != KIND {
            return Err(FileError::Kind { found: endspiel_game::notation::shorten(kind) });
        }
        let game = field(2, "game")?.to_string();
        let root = field(3, "root")?.to_string();
        let statement = Statement::parse(field(4, "statement")?)
            .ok_or_else(|| fail(5, "a statement such as 'first player gets at least 1'"))?;
        let folded = match field(5, "symmetry")? {
            "folded" => true,
            "plain" => false,
            _ => return Err(fail(6, "'folded' or 'plain'")),
        };
        let mut rests = Vec::new();
        while lines.get(6 + rests.len()).is_some_and(|l| l.starts_with("rests")) {
            let i = 6 + rests.len();
            rests.push(read_source(field(i, "rests")?).ok_or_else(|| {
                fail(i + 1, "a database and its checksum, such as 'chess/KQK.dtm 0123456789abcdef'")
            })?);
        }
        let first = 6 + rests.len();
        if !rests.is_sorted_by(|a, b| a.name < b.name) {
            return Err(fail(first, "the databases in order of their names, each once"));
        }
        let mut strategies = Vec::new();
        while strategies.len() < 2
            && lines.get(first + strategies.len()).is_some_and(|l| l.starts_with("strategy"))
        {
            let i = first + strategies.len();
            let summary = Summary::parse(field(i, "strategy")?).ok_or_else(|| {
                fail(i + 1, "'player=1 at_least=0 records=10 code_bytes=8 ranks=no' with its own numbers")
            })?;
            strategies.push(summary);
        }
        let i = first + strategies.len();
        let digest = u128::from_str_radix(field(i, "digest")?, 16)
            .map_err(|_| fail(i + 1, "a digest of 32 hexadecimal digits"))?;
        let header = Self { game, root, statement, folded, rests, strategies, digest };
        // The form is fixed to the byte: compare it line by line to say where it is left.
        let rendered = header.render();
        if rendered.as_bytes() != bytes {
            let mut pairs = rendered.split('\n').zip(&lines);
            let line = pairs.position(|(right, found)| right != *found).unwrap_or(lines.len());
            return Err(fail(line + 1, "the form in which this program writes headers"));
        }
        Ok(header)
    }
}

/// Reads the name and the checksum of a database.
fn read_source(text: &str) -> Option<Source> {
    let (name, checksum) = text.split_once(' ')?;
    let checksum = u64::from_str_radix(checksum, 16).ok()?;
    (!name.is_empty()).then(|| Source { name: name.into(), checksum })
}

impl Summary {
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let mut word = |name: &str| words.next()?.strip_prefix(name)?.strip_prefix('=');
        let player = match word("player")? {
            "1" => Player::FIRST,
            "2" => Player::SECOND,
            _ => return None,
        };
        let at_least = word("at_least")?.parse().ok()?;
        let records = word("records")?.parse().ok()?;
        let bytes = word("code_bytes")?;
        let varied = bytes.starts_with("<=");
        let longest: usize = bytes.strip_prefix("<=").unwrap_or(bytes).parse().ok()?;
        let ranked = match word("ranks")? {
            "yes" => true,
            "no" => false,
            _ => return None,
        };
        let layout = Layout { longest, varied };
        let right = longest <= LONGEST_CODE && words.next().is_none();
        right.then_some(Self { claim: Question { player, at_least }, records, ranked, layout })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_as_written_and_in_no_other_form() {
        let summary = |player, varied, ranked| Summary {
            claim: Question { player, at_least: 0 },
            records: 12,
            ranked,
            layout: Layout { longest: 7, varied },
        };
        let header = Header {
            game: "nim:3".into(),
            root: "1 2 3".into(),
            statement: Statement::exactly(Player::FIRST, 0),
            folded: true,
            rests: vec![Source { name: "nim/2.wdl".into(), checksum: 9 }],
            strategies: vec![summary(Player::FIRST, false, true), summary(Player::SECOND, true, false)],
            digest: 77,
        };
        let text = header.render();
        assert!(text.starts_with("Endspiel certificate 2: nim:3, first player gets exactly 0\n"), "{text}");
        assert_eq!(Header::parse(text.as_bytes()).unwrap(), header);
        let error = |old: &str, new: &str| {
            let changed = text.replacen(old, new, 1);
            assert_ne!(changed, text);
            Header::parse(changed.as_bytes()).unwrap_err().to_string()
        };
        assert!(error("Endspiel", "endspiel").contains("not a certificate"));
        assert!(error("certificate 2", "certificate 3").contains("version 3"));
        assert!(error("kind: strategy", "kind: database").contains("database"));
        assert!(error("kind:", "kind").contains("line 2"));
        assert!(error("exactly 0\nkind", "exactly 1\nkind").contains("line 1"));
        assert!(error("folded", "bent").contains("line 6"));
        assert!(error("nim/2.wdl 0", "nim/2.wdl ").contains("line 7"));
        assert!(error("rests: nim/2.wdl", "rests: nim/2.wdl x").contains("line 7"));
        assert!(error("records=12", "records=012").contains("line 8"));
        assert!(error("<=7", "<=70000").contains("line 9"));
        assert!(error("digest: 000", "digest: 0").contains("line 10"));
        assert!(error("\n\n", "\n\n\n").contains("line"));
    }
}
