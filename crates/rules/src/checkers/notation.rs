//! Text and pictures of checkers: squares by number, positions as the FEN of the Portable Draughts Notation.

use super::MOST;
use super::board::{Board, CROWN, Move, squares};
use endspiel_game::notation::shorten;
use endspiel_game::picture::{Paint, Shape};
use endspiel_game::{Notation, Picture, Player, Position, Scene, TextError};
use std::fmt::Write;

/// Black's letter and White's.
const LETTERS: [char; 2] = ['B', 'W'];

/// Reads the FEN of PDN: `W:W21,22,K3:B1,2`. Ranges such as `1-12` are read too.
pub(super) fn read(text: &str) -> Result<Board, TextError> {
    const SHAPE: &str = "the player to move and the squares of both, such as W:W21,22,K3:B1,2";
    let body = text.trim_end().trim_end_matches('.');
    let mut at = 0;
    let mut parts = body.split(':').map(|part| {
        let begin = at;
        at += part.len() + 1;
        (begin + part.len() - part.trim_start().len(), part.trim())
    });
    let player = |(begin, part): (usize, &str)| {
        let letter = part.chars().next().map(|c| c.to_ascii_uppercase());
        match LETTERS.into_iter().position(|l| Some(l) == letter) {
            Some(i) => Ok(Player(i as u8)),
            None => Err(TextError::new(begin, format!("'{}' names no player", shorten(part)), "B or W")),
        }
    };
    let first = parts.next().unwrap_or_default();
    let mover = player(first)?;
    if first.1.len() != 1 {
        return Err(TextError::new(first.0, format!("'{}' is too long", shorten(first.1)), "B or W"));
    }
    let (mut pieces, mut kings, mut read) = ([0_u32; 2], 0, [false; 2]);
    for _ in 0..2 {
        let part = parts.next().ok_or_else(|| TextError::new(text.len(), "a player is missing", SHAPE))?;
        let who = player(part)?;
        if std::mem::replace(&mut read[who.index()], true) {
            let what = format!("{} comes twice", LETTERS[who.index()]);
            return Err(TextError::new(part.0, what, SHAPE));
        }
        let (set, crowned) = read_squares(&part.1[1..], who).map_err(|e| e.shifted(part.0 + 1))?;
        pieces[who.index()] = set;
        kings |= crowned;
    }
    if let Some((begin, part)) = parts.next() {
        return Err(TextError::new(begin, format!("'{}' is too much", shorten(part)), SHAPE));
    }
    if pieces[0] & pieces[1] != 0 {
        let what = format!("two pieces stand on {}", (pieces[0] & pieces[1]).trailing_zeros() + 1);
        return Err(TextError::new(0, what, "a piece a square"));
    }
    if pieces[mover.other().index()] == 0 {
        let what = format!("{} has no pieces, and it is not its turn", LETTERS[mover.other().index()]);
        return Err(TextError::new(0, what, "a piece of the player who moved last"));
    }
    Ok(Board::new(pieces, kings, mover))
}

/// Reads `21,22,K3` as the squares and those of kings.
fn read_squares(text: &str, who: Player) -> Result<(u32, u32), TextError> {
    let (mut set, mut kings, mut at) = (0_u32, 0, 0);
    for item in text.split(',').filter(|_| !text.trim().is_empty()) {
        let begin = at + item.len() - item.trim_start().len();
        at += item.len() + 1;
        let item = item.trim();
        let wrong =
            |what: String| TextError::new(begin, what, "a square from 1 to 32, with a K before a king's");
        let bare = item.strip_prefix(['K', 'k']).unwrap_or(item);
        let square = |text: &str| {
            let number = text.bytes().all(|c| c.is_ascii_digit()).then(|| text.parse::<u32>().ok()).flatten();
            number.filter(|n| (1..=32).contains(n)).map(|n| n - 1)
        };
        let (low, high) = bare.split_once('-').unwrap_or((bare, bare));
        let (Some(low), Some(high)) = (square(low), square(high)) else {
            return Err(wrong(format!("'{}' is no square", shorten(item))));
        };
        if low > high {
            return Err(wrong(format!("'{}' is an empty range", shorten(item))));
        }
        for i in low..=high {
            let bit = 1 << i;
            if set & bit != 0 {
                return Err(wrong(format!("{} comes twice", i + 1)));
            }
            set |= bit;
            if bare.len() < item.len() {
                kings |= bit;
            } else if CROWN[who.index()] & bit != 0 {
                return Err(wrong(format!("a man cannot stand on {}, where it is crowned", i + 1)));
            }
        }
    }
    if set.count_ones() as usize > MOST {
        let what = format!("{} has {} pieces", LETTERS[who.index()], set.count_ones());
        return Err(TextError::new(0, what, format!("at most {MOST}")));
    }
    Ok((set, kings))
}

/// Where a square lies: column from the left, row from the bottom.
fn column_row(square: u8) -> (usize, usize) {
    let (row, i) = (usize::from(square / 4), usize::from(square % 4));
    (2 * i + (row + 1) % 2, 7 - row)
}

impl Board {
    /// The squares that a move comes to, from the first to the last; by the first way found if there are several.
    fn path(&self, m: Move) -> Vec<u8> {
        let mut found = vec![m.from, m.to];
        if m.taken != 0 {
            let mut first = true;
            self.ways(1 << m.from, &mut |path, taken| {
                let way = || path.iter().map(|bit| bit.trailing_zeros() as u8);
                if first && taken == m.taken && way().next_back() == Some(m.to) {
                    (found, first) = (way().collect(), false);
                }
            });
        }
        found
    }
}

impl Notation for Board {
    fn write_move(&self, m: Move) -> String {
        let mut text = String::new();
        for square in self.path(m) {
            if !text.is_empty() {
                text.push(if m.taken == 0 { '-' } else { 'x' });
            }
            let _ = write!(text, "{}", square + 1);
        }
        text
    }

    fn write(&self) -> String {
        let mut text = String::from(LETTERS[self.side().index()]);
        for player in [Player::SECOND, Player::FIRST] {
            let _ = write!(text, ":{}", LETTERS[player.index()]);
            for (i, square) in squares(self.pieces(player)).enumerate() {
                let king = if self.kings() >> square & 1 != 0 { "K" } else { "" };
                let _ = write!(text, "{}{king}{}", if i == 0 { "" } else { "," }, square + 1);
            }
        }
        text
    }

    /// Reads `11-15`, `15x24`, `2x9x18x27`, and `2x27` where only one way leads there; `-` may stand for `x`.
    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let numbers: Option<Vec<u8>> = text
            .split(['-', 'x', 'X', ':'])
            .map(|n| n.parse::<u8>().ok().filter(|n| (1..=32).contains(n)).map(|n| n - 1))
            .collect();
        let legal = self.move_list();
        let refuse = |what: String, moves: &[Move]| {
            let some: Vec<String> = moves.iter().take(8).map(|&m| self.write_move(m)).collect();
            let expected = match moves.len() {
                0 => "no move: the game is over".into(),
                n if n < 8 => format!("one of {}", some.join(" ")),
                _ => format!("a legal move such as {}", some.join(" ")),
            };
            Err(TextError::new(0, what, expected))
        };
        let illegal = || refuse(format!("'{}' is not a legal move here", shorten(text)), &legal);
        let Some(path) = numbers.filter(|path| path.len() > 1) else { return illegal() };
        let same_ends = |m: &&Move| m.from == path[0] && m.to == path[path.len() - 1];
        let near: Vec<Move> = legal.iter().filter(same_ends).copied().collect();
        match near[..] {
            [] => illegal(),
            [m] if path.len() == 2 => Ok(m),
            _ if path.len() == 2 => {
                // A single jump is written in full by its two squares.
                let single = near.iter().find(|m| m.taken.is_power_of_two());
                let what = format!("'{}' may be gone in {} ways", shorten(text), near.len());
                single.map_or_else(|| refuse(what, &near), |&m| Ok(m))
            }
            _ => {
                let mut found = None;
                self.ways(1 << path[0], &mut |way, taken| {
                    if way.iter().map(|bit| bit.trailing_zeros() as u8).eq(path.iter().copied()) {
                        found = near.iter().find(|m| m.taken == taken).copied();
                    }
                });
                found.map_or_else(illegal, Ok)
            }
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.push(self.side().0);
        for set in [self.pieces(Player::FIRST), self.pieces(Player::SECOND), self.kings()] {
            out.extend(set.to_le_bytes());
        }
    }
}

impl Picture for Board {
    fn text(&self) -> String {
        let mut out = String::new();
        for row in 0..8_u8 {
            let _ = write!(out, "{:>2} ", 4 * row + 1);
            for i in 0..4 {
                let square = 4 * row + i;
                let sign = [Player::FIRST, Player::SECOND]
                    .into_iter()
                    .find(|p| self.pieces(*p) >> square & 1 != 0)
                    .map_or('.', |p| LETTERS[p.index()]);
                let king = self.kings() >> square & 1 != 0;
                let sign = if king { sign } else { sign.to_ascii_lowercase() };
                let _ = if row % 2 == 0 { write!(out, "   {sign}") } else { write!(out, " {sign}  ") };
            }
            let _ = writeln!(out, "  {:>2}", 4 * row + 4);
        }
        out
    }

    fn scene(&self) -> Scene {
        const EDGE: f32 = 0.1;
        let centre = |column: usize, row: usize| (column as f32 + 0.5 + EDGE, 7.5 - row as f32 + EDGE);
        let mut scene = Scene::new(8.0 + 2.0 * EDGE, 8.0 + 2.0 * EDGE);
        for (column, row) in (0..64).map(|i| (i % 8, i / 8)) {
            let (x, y) = centre(column, row);
            let paint = if (row + column) % 2 == 0 { Paint::Shade } else { Paint::Board };
            let corners =
                vec![(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)];
            scene.draw(Shape::Polygon(corners, paint));
        }
        for square in 0..32 {
            let (column, row) = column_row(square);
            let (x, y) = centre(column, row);
            let name = (square + 1).to_string();
            // In the corner, where no man covers it.
            scene.draw(Shape::Word(x - 0.34, y - 0.38, 0.24, name.clone(), Paint::Ink));
            scene.place(name, x, y);
        }
        let sides = [
            (Player::FIRST, Paint::First, Paint::Second, "black"),
            (Player::SECOND, Paint::Second, Paint::First, "white"),
        ];
        for (player, paint, inner, side) in sides {
            for square in squares(self.pieces(player)) {
                let (column, row) = column_row(square);
                let (x, y) = centre(column, row);
                scene.draw(Shape::Disc(x, y, 0.31, paint));
                let king = self.kings() >> square & 1 != 0;
                if king {
                    scene.draw(Shape::Word(x, y, 0.45, "K".into(), inner));
                }
                scene.piece(format!("{side} {}", if king { "king" } else { "man" }), x, y);
            }
        }
        scene
    }
}
