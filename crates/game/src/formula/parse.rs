//! Reads formulas as people write them.
//!
//! `wins(black, 7)`, `!won(white) & [white] <black> won(black)`, `lambda(x, 2, 7)`. Players go by their names in
//! the game, or `first` and `second`; in a family without a player the one to move begins, so that `wins(7)` is about
//! him, and `helpmate(3)` and `selfmate(2)` are about the other. A family after `<player>` or `[player]` begins with whoever is to move
//! there, and must name its player. From the weakest to the strongest: `|`, `&`, then `!`, `<player>`, `[player]`.

use super::{Atom, Family, Formulas, Id, Maker};
use crate::notation::shorten;
use crate::{Player, TextError};

/// The most plies or moves that a family may be asked for.
pub const MOST_PLIES: u32 = 200;
/// The highest order of a lambda tree.
pub const MOST_ORDER: u32 = 9;
/// Formulas are nested no deeper.
const DEEPEST: u32 = 200;

/// Reads a formula. `players` are the names of the two, `mover` is who moves where it is asked: a family that stands there begins
/// with his move.
pub fn parse(
    formulas: &mut Formulas,
    text: &str,
    players: [&str; 2],
    mover: Option<Player>,
) -> Result<Id, TextError> {
    Ok(read(formulas, text, players, mover)?.0)
}

/// The same text with a player in every family, as it is understood.
pub fn spelt(text: &str, players: [&str; 2], mover: Option<Player>) -> Result<String, TextError> {
    let (_, unnamed) = read(&mut Formulas::default(), text, players, mover)?;
    let mut out = text.to_string();
    for (at, player) in unnamed.into_iter().rev() {
        out.insert_str(at, &format!("{}, ", players[player.index()].to_lowercase()));
    }
    Ok(out)
}

/// The formula, and where a player is left out who is meant.
fn read(
    formulas: &mut Formulas,
    text: &str,
    players: [&str; 2],
    mover: Option<Player>,
) -> Result<(Id, Vec<(usize, Player)>), TextError> {
    let mut reader =
        Reader { text, at: 0, depth: 0, moved: 0, players, mover, formulas, unnamed: Vec::new() };
    let id = reader.either()?;
    reader.skip();
    if reader.at < text.len() {
        return Err(reader.wrong("`&`, `|` or the end"));
    }
    Ok((id, reader.unnamed))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    /// How many `<player>` and `[player]` the place is within.
    moved: u32,
    players: [&'a str; 2],
    mover: Option<Player>,
    formulas: &'a mut Formulas,
    /// Where families begin that name no player, with the one who is meant.
    unnamed: Vec<(usize, Player)>,
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
            let then = self.after()?;
            self.formulas.some(player, then)
        } else if self.takes('[') {
            let player = self.player()?;
            self.wants(']')?;
            let then = self.after()?;
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

    /// What is said of the positions after a move.
    fn after(&mut self) -> Result<Id, TextError> {
        self.moved += 1;
        let then = self.one()?;
        self.moved -= 1;
        Ok(then)
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

    /// The player of a family with the comma after him; where a number comes first, the one who makes the player to move
    /// begin.
    fn family_player(&mut self, name: &str) -> Result<Player, TextError> {
        let [first, second] = self.players.map(str::to_lowercase);
        if !self.word().starts_with(|c: char| c.is_ascii_digit()) {
            let player = self.player().map_err(|e| {
                let or = if self.moved == 0 { ", or a number if the one to move is to begin" } else { "" };
                TextError { expected: format!("a player, `{first}` or `{second}`{or}"), ..e }
            })?;
            self.wants(',')?;
            return Ok(player);
        }
        if self.moved > 0 {
            let what = "after `<player>` or `[player]` a player must be named";
            return Err(TextError::new(
                self.at,
                what,
                format!("`{first},` or `{second},` before the number"),
            ));
        }
        let Some(mover) = self.mover else {
            let what = "nobody is to move here, so a player must be named";
            return Err(TextError::new(self.at, what, self.players.map(str::to_lowercase).join(" or ")));
        };
        let other = Family::named(name, 0).is_some_and(Family::other_begins);
        let player = if other { mover.other() } else { mover };
        self.unnamed.push((self.at, player));
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
        let player = self.family_player(&name)?;
        let order = if name == "lambda" {
            let order = self.number("the order", MOST_ORDER)?;
            self.wants(',')?;
            order
        } else {
            0
        };
        let size = self.number("a number of plies", MOST_PLIES)?;
        self.wants(')')?;
        let Some(family) = Family::named(&name, order) else { return Err(self.wrong("a name")) };
        let own = self.mover.is_none_or(|mover| mover == player);
        if self.moved == 0 {
            return Ok(Maker::new(self.formulas, player).make(family, size, own));
        }
        // Whose turn it is after a move, the position tells.
        let [own, other] = [true, false].map(|own| Maker::new(self.formulas, player).make(family, size, own));
        if own == other {
            return Ok(own);
        }
        let others_turn = self.formulas.atom(Atom::Turn(player.other()));
        let not_his = self.formulas.not(others_turn);
        let parts = [vec![others_turn, other], vec![not_his, own]].map(|both| self.formulas.and(both));
        Ok(self.formulas.or(parts.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::garbage::{rounds, text};

    #[test]
    fn without_a_player_the_one_to_move_begins() {
        let players = ["Black", "White"];
        for (mover, short, long) in [
            (Player::FIRST, "lambda(2, 7)", "lambda(black, 2, 7)"),
            (Player::SECOND, "!wins( 9) & ladder(3)", "!wins( white, 9) & ladder(white, 3)"),
            (Player::FIRST, "helpmate(3) | selfmate(2)", "helpmate(white, 3) | selfmate(white, 2)"),
            (Player::FIRST, "wins(white, 3)", "wins(white, 3)"),
        ] {
            assert_eq!(spelt(short, players, Some(mover)).as_deref(), Ok(long));
            let mut formulas = Formulas::default();
            let ids = [short, long].map(|text| parse(&mut formulas, text, players, Some(mover)));
            assert!(ids[0].is_ok() && ids[0] == ids[1], "{short}");
        }
        let error = |text: &str, mover| spelt(text, players, mover).expect_err("a wrong question");
        assert_eq!(error("wins(7)", None).at, 5);
        let wrong = error("wins(green, 7)", Some(Player::FIRST));
        assert_eq!(wrong.at, 5);
        assert!(wrong.expected.contains("`black` or `white`, or a number"), "{}", wrong.expected);
        // After a move somebody must be named.
        let wrong = error("<black> wins(7)", Some(Player::FIRST));
        assert_eq!((wrong.at, wrong.expected.as_str()), (13, "`black,` or `white,` before the number"));
        assert!(error("[black] (true | wins(x, 7))", Some(Player::FIRST)).expected.ends_with("`white`"));
        // A lambda tree has an order and a size.
        let wrong = error("lambda(7)", Some(Player::FIRST));
        assert_eq!((wrong.at, wrong.expected.as_str()), (8, "`,`"));
    }

    /// Families share their parts: many of them are as soon read as one.
    #[test]
    fn families_are_made_once() {
        let mut formulas = Formulas::default();
        let one = "lambda(first, 9, 200)";
        parse(&mut formulas, one, ["black", "white"], None).expect("a question");
        let (made, kept) = (formulas.families.len(), formulas.len());
        let many: Vec<String> = (2..9).map(|order| format!("lambda(first, {order}, 190)")).collect();
        parse(&mut formulas, &many.join(" | "), ["black", "white"], None).expect("a question");
        assert!(formulas.families.len() < made + 30 && formulas.len() < kept + 30);
    }

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
