//! Awari in text and pictures: `D19x7` sows the 19 stones of pit D and captures 7.

use super::{Awari, Board, Pit, sowing};
use endspiel_game::notation::{number, shorten, words};
use endspiel_game::picture::{Paint, Shape};
use endspiel_game::{Notation, Picture, Player, Position, Scene, TextError};

const FORM: &str = "six pits|six pits, captured stones, player: 4 4 4 4 4 4|4 4 4 4 4 4 0-0 S";

/// Reads the pits A to F, `|`, the pits a to f, and, unless they are 0-0 and S, the stones captured by South
/// and North and the player to move.
pub fn read(game: Awari, text: &str) -> Result<Board, TextError> {
    let Some((south, north)) = text.split_once('|') else {
        return Err(TextError::new(text.len(), "there is no | between the rows", FORM));
    };
    let second = south.len() + 1;
    let (south, north) = (words(south), words(north));
    let row = |words: &[(usize, &str)], start: usize, end: usize| {
        let mut pits = [0; 6];
        for (i, pit) in pits.iter_mut().enumerate() {
            let &(at, word) =
                words.get(i).ok_or_else(|| TextError::new(end, format!("{i} pits in a row"), FORM))?;
            *pit = stones(word, "pit").map_err(|e| e.shifted(start + at))?;
        }
        Ok::<_, TextError>(pits)
    };
    if let Some(&(at, word)) = south.get(6) {
        return Err(TextError::new(at, format!("'{}' after six pits", shorten(word)), "|"));
    }
    let pits = [row(&south, 0, second - 1)?, row(&north, second, text.len())?];
    let mut rest = north[6..].iter().map(|&(at, word)| (second + at, word)).peekable();
    let mut captured = [0; 2];
    if let Some((at, (south, north))) = rest.peek().and_then(|&(at, word)| Some((at, word.split_once('-')?)))
    {
        captured[0] = stones(south, "captured stones").map_err(|e| e.shifted(at))?;
        captured[1] = stones(north, "captured stones").map_err(|e| e.shifted(at + south.len() + 1))?;
        rest.next();
    }
    let mover = match rest.next() {
        None | Some((_, "S" | "s")) => Player::FIRST,
        Some((_, "N" | "n")) => Player::SECOND,
        Some((at, word)) => {
            return Err(TextError::new(at, format!("'{}' is no player", shorten(word)), "S or N"));
        }
    };
    if let Some((at, _)) = rest.next() {
        return Err(TextError::new(at, "there is more than a position", FORM));
    }
    let total = pits.iter().flatten().chain(&captured).map(|&stones| usize::from(stones)).sum::<usize>();
    if total > sowing::STONES {
        return Err(TextError::new(
            0,
            format!("{total} stones in all"),
            "48 at most, captured ones included",
        ));
    }
    Ok(Board::new(game, mover, pits, captured))
}

fn stones(text: &str, what: &str) -> Result<u8, TextError> {
    number(text, what, 0, sowing::STONES).map(|n| n as u8)
}

impl Board {
    fn letter(&self, m: Pit) -> char {
        char::from(if self.mover == Player::FIRST { b'A' + m.0 } else { b'a' + m.0 })
    }
}

impl Notation for Board {
    fn write_move(&self, m: Pit) -> String {
        let sown = sowing::stones_in(self.own, m.0);
        match self.capture(m) {
            0 => format!("{}{sown}", self.letter(m)),
            captured => format!("{}{sown}x{captured}", self.letter(m)),
        }
    }

    fn write(&self) -> String {
        let row = |player| self.pits(player).map(|stones| stones.to_string()).join(" ");
        format!(
            "{}|{} {}-{} {}",
            row(Player::FIRST),
            row(Player::SECOND),
            self.captured(Player::FIRST),
            self.captured(Player::SECOND),
            if self.mover == Player::FIRST { 'S' } else { 'N' },
        )
    }

    /// The numbers of stones may be left out; if they are there they must be right.
    fn read_move(&self, text: &str) -> Result<Pit, TextError> {
        let legal = self.move_list();
        let fault = |at: usize, what: String| {
            let names: Vec<String> = legal.iter().map(|&m| self.write_move(m)).collect();
            let expected = match &names[..] {
                [] => "no move: the game is over".into(),
                names => format!("one of {}", names.join(" ")),
            };
            Err(TextError::new(at, what, expected))
        };
        let letter = text.bytes().next().unwrap_or_default().to_ascii_lowercase();
        let Some(m) = Pit::new(letter.wrapping_sub(b'a').into()) else {
            return fault(0, format!("'{}' does not begin with a pit", shorten(text)));
        };
        let name = self.write_move(m);
        if !legal.contains(&m) {
            return fault(
                0,
                match sowing::stones_in(self.own, m.0) {
                    _ if legal.is_empty() => "a move after the end".into(),
                    0 => format!("pit {} is empty", self.letter(m)),
                    _ => format!("{name} leaves the opponent no stone, or is a forbidden grand slam"),
                },
            );
        }
        let sown = name.split('x').next().unwrap_or_default();
        if [&name[..1], sown, &name].iter().any(|form| form.eq_ignore_ascii_case(text)) {
            Ok(m)
        } else {
            fault(1, format!("'{}' is not what this pit does", shorten(text)))
        }
    }

    /// The pits and the captured stones in six bits each, and the player to move: 11 bytes.
    fn encode(&self, out: &mut Vec<u8>) {
        let (south, north) = (self.pits(Player::FIRST), self.pits(Player::SECOND));
        let captured = [self.captured(Player::FIRST), self.captured(Player::SECOND)];
        let numbers = south.iter().chain(&north).chain(&captured);
        let code = numbers.fold(u128::from(self.mover.0), |code, &n| code << 6 | u128::from(n));
        out.extend_from_slice(&code.to_le_bytes()[..11]);
    }
}

impl Picture for Board {
    fn text(&self) -> String {
        let line = |words: [String; 6]| words.map(|word| format!("{word:>3}")).concat();
        let mut north = self.pits(Player::SECOND).map(|stones| stones.to_string());
        north.reverse();
        let captured = |player| self.captured(player);
        let names = |from: u8| [0, 1, 2, 3, 4, 5].map(|i| char::from(from + i).to_string());
        let mut above = names(b'a');
        above.reverse();
        format!(
            "         {}\nNorth {:>2} {}\n         {} {:>2} South\n         {}\n",
            line(above),
            captured(Player::SECOND),
            line(north),
            line(self.pits(Player::FIRST).map(|stones| stones.to_string())),
            captured(Player::FIRST),
            line(names(b'A')),
        )
    }

    fn scene(&self) -> Scene {
        // Beside each row of pits is room for what is thought of them, so that the stones can still be counted.
        let mut scene = Scene::new(9.0, 4.5);
        let corners = vec![(0.1, 0.45), (8.9, 0.45), (8.9, 4.05), (0.1, 4.05)];
        scene.draw(Shape::Polygon(corners, Paint::Board));
        for (i, pit) in (0u8..6).enumerate() {
            let across = i as f32;
            for (player, x, y, note, named_at, first) in [
                (Player::FIRST, 2.0 + across, 2.75, 3.61, 4.28, b'A'),
                (Player::SECOND, 7.0 - across, 1.75, 0.89, 0.22, b'a'),
            ] {
                let name = char::from(first + pit).to_string();
                scene.draw(Shape::Disc(x, y, 0.45, Paint::Shade));
                let stones = self.pits(player)[i];
                scene.draw(Shape::Word(x, y, 0.45, stones.to_string(), Paint::Ink));
                scene.piece(format!("{stones} stone{}", if stones == 1 { "" } else { "s" }), x, y);
                scene.draw(Shape::Word(x, named_at, 0.35, name.clone(), Paint::Ink));
                scene.place_noted(name, (x, y), (x, note));
            }
        }
        for (player, x) in [(Player::FIRST, 8.3), (Player::SECOND, 0.7)] {
            scene.draw(Shape::Disc(x, 2.25, 0.5, Paint::Shade));
            scene.draw(Shape::Word(x, 2.25, 0.45, self.captured(player).to_string(), Paint::Ink));
        }
        scene
    }
}
