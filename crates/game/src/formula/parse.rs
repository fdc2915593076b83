//! Reads formulas as people write them.
//!
//! `wins(black, 7)`, `!won(white) & [white] <black> won(black)`, `lambda(x, 2, 7)`. Players go by their names in
//! the game, or `first` and `second`. From the weakest to the strongest: `|`, `&`, then `!`, `<player>`, `[player]`.

use super::{Atom, Family, Formulas, Id, Maker};
use crate::notation::shorten;
use crate::{Player, TextError};

/// The most plies or moves that a family may be asked for.
pub const MOST_PLIES: u32 = 200;
/// The highest order of a lambda tree.
pub const MOST_ORDER: u32 = 9;
/// Formulas are nested no deeper.
const DEEPEST: u32 = 200;

/// Reads a formula. `players` are the names of the two, `mover` is who moves where it is asked: a family begins
/// with his move.
pub fn parse(
    formulas: &mut Formulas,
    text: &str,
    players: [&str; 2],
    mover: Option<Player>,
) -> Result<Id, TextError> {
    let mut reader = Reader { text, at: 0, depth: 0, players, mover, formulas };
    let id = reader.either()?;
    reader.skip();
    if reader.at < text.len() {
        return Err(reader.wrong("`&`, `|` or the end"));
    }
    Ok(id)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    players: [&'a str; 2],
    mover: Option<Player>,
    formulas: &'a mut Formulas,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn wrong(&self, expected: &str) -> TextError {
        let what = match self.rest().split_whitespace().next() {
            Some(word) => format!("'{}' is not understood here", shorten(word)),
            None => "the question ends here".into(),
        };
        TextError::new(self.at, what, expected)
    }

    /// Takes a sign if it comes next.
    fn takes(&mut self, sign: char) -> bool {
        self.skip();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len_utf8();
        }
        found
    }

    fn wants(&mut self, sign: char) -> Result<(), TextError> {
        if self.takes(sign) { Ok(()) } else { Err(self.wrong(&format!("`{sign}`"))) }
    }

    fn word(&mut self) -> &str {
        self.skip();
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(rest.len());
        &rest[..end]
    }

    fn either(&mut self) -> Result<Id, TextError> {
        let mut parts = vec![self.both()?];
        while self.takes('|') {
            parts.push(self.both()?);
        }
        Ok(self.formulas.or(parts))
    }

    fn both(&mut self) -> Result<Id, TextError> {
        let mut parts = vec![self.one()?];
        while self.takes('&') {
            parts.push(self.one()?);
        }
        Ok(self.formulas.and(parts))
    }

    fn one(&mut self) -> Result<Id, TextError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let what = format!("more than {DEEPEST} signs and brackets within each other");
            return Err(TextError::new(self.at, what, "a shallower question"));
        }
        let id = if self.takes('!') {
            let id = self.one()?;
            self.formulas.not(id)
        } else if self.takes('<') {
            let player = self.player()?;
            self.wants('>')?;
            let then = self.one()?;
            self.formulas.some(player, then)
        } else if self.takes('[') {
            let player = self.player()?;
            self.wants(']')?;
            let then = self.one()?;
            self.formulas.all(player, then)
        } else if self.takes('(') {
            let id = self.either()?;
            self.wants(')')?;
            id
        } else {
            self.named()?
        };
        self.depth -= 1;
        Ok(id)
    }

    fn player(&mut self) -> Result<Player, TextError> {
        let [first, second] = self.players;
        let word = self.word();
        let player = if word.eq_ignore_ascii_case(first) || word.eq_ignore_ascii_case("first") {
            Player::FIRST
        } else if word.eq_ignore_ascii_case(second) || word.eq_ignore_ascii_case("second") {
            Player::SECOND
        } else {
            let expected = format!("a player: `{}` or `{}`", first.to_lowercase(), second.to_lowercase());
            return Err(self.wrong(&expected));
        };
        self.at += word.len();
        Ok(player)
    }

    fn number(&mut self, what: &str, most: u32) -> Result<u32, TextError> {
        let word = self.word();
        match word.parse() {
            Ok(n) if n <= most => {
                self.at += word.len();
                Ok(n)
            }
            _ => Err(self.wrong(&format!("{what}, 0 to {most}"))),
        }
    }

    fn named(&mut self) -> Result<Id, TextError> {
        let begun = self.at + (self.rest().len() - self.rest().trim_start().len());
        let name = self.word().to_ascii_lowercase();
        self.at += name.len();
        let atom = match name.as_str() {
            "true" => Some(Atom::True),
            "over" => Some(Atom::Over),
            _ => None,
        };
        if let Some(atom) = atom {
            return Ok(self.formulas.atom(atom));
        }
        if name == "won" || name == "turn" {
            self.wants('(')?;
            let player = self.player()?;
            self.wants(')')?;
            let atom = if name == "won" { Atom::Won(player) } else { Atom::Turn(player) };
            return Ok(self.formulas.atom(atom));
        }
        if Family::named(&name, 0).is_none() {
            self.at = begun;
            let names = Family::NAMES.map(|(name, inside)| format!("{name}({inside})")).join(", ");
            return Err(self.wrong(&format!(
                "over, won(player), turn(player), true, {names}, `!`, `<player>`, `[player]` or `(`"
            )));
        }
        self.wants('(')?;
        let player = self.player()?;
        self.wants(',')?;
        let order = if name == "lambda" {
            let order = self.number("the order", MOST_ORDER)?;
            self.wants(',')?;
            order
        } else {
            0
        };
        let size = self.number("a number of plies", MOST_PLIES)?;
        self.wants(')')?;
        let own = self.mover.is_none_or(|mover| mover == player);
        let Some(family) = Family::named(&name, order) else { return Err(self.wrong("a name")) };
        Ok(Maker::new(self.formulas, player).make(family, size, own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::garbage::{rounds, text};

    /// The place of an error is one in the text.
    #[test]
    fn garbled_questions_are_refused_or_understood() {
        let real = [
            "wins(black, 7)",
            "!won(white) & [white] <black> won(black)",
            "lambda(white, 2, 7) | ladder(black, 9)",
            "helpmate(3) & selfmate(2) | paranoid(black, 4)",
            "best-reply(first, 5)",
            "((<first> [second] (won(first) | !won(second))))",
        ]
        .map(String::from);
        let (mut rng, mut understood) = (Rng::new(2), 0);
        for _ in 0..rounds(20_000) {
            let text = text(&real, &mut rng);
            match parse(&mut Formulas::default(), &text, ["black", "white"], Some(Player::FIRST)) {
                Ok(_) => understood += 1,
                Err(error) => assert!(error.at <= text.len(), "{text:?}: {error}"),
            }
        }
        assert!(understood > 0);
    }
}
