//! Text and pictures: points as on a chessboard of seven by seven, positions row by row from the top.

use super::MEN;
use super::board::{Board, Move};
use super::points::{NEIGHBOURS, each, square};
use endspiel_game::notation::{shorten, words};
use endspiel_game::picture::{Paint, Shape};
use endspiel_game::{Notation, Picture, Player, Scene, TextError};

/// The first player's sign and the second's.
const SIGNS: [char; 2] = ['x', 'o'];

const SHAPE: &str = "the points row by row, the player to move and the men in hand, such as \
                     x.o/.../.../....../.../.../... x 8-8";

/// The points of each row from the top, from the left.
const ROWS: [&[usize]; 7] = [
    &[0, 1, 2],
    &[8, 9, 10],
    &[16, 17, 18],
    &[7, 15, 23, 19, 11, 3],
    &[22, 21, 20],
    &[14, 13, 12],
    &[6, 5, 4],
];

/// A point's name.
fn name(point: usize) -> String {
    let (column, row) = square(point);
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

/// Reads `x.o/.../.../....../.../.../... x 8-8`; without men in hand the last word is left out.
pub(super) fn read(text: &str) -> Result<Board, TextError> {
    let mut words = words(text).into_iter();
    let (start, rows) = words.next().unwrap_or((0, ""));
    let mut men = [0_u32; 2];
    let mut at = start;
    let mut parts = rows.split('/');
    for row in ROWS {
        let part = parts.next().ok_or_else(|| TextError::new(at, "a row is missing", SHAPE))?;
        if part.chars().count() != row.len() {
            let what = format!("'{}' is no row of {} points", shorten(part), row.len());
            return Err(TextError::new(at, what, SHAPE));
        }
        for ((offset, sign), &point) in part.char_indices().zip(row) {
            match SIGNS.into_iter().position(|s| s == sign.to_ascii_lowercase()) {
                Some(player) => men[player] |= 1 << point,
                None if sign == '.' => {}
                None => return Err(TextError::new(at + offset, format!("'{sign}' is no man"), "x, o or .")),
            }
        }
        at += part.len() + 1;
    }
    if parts.next().is_some() {
        return Err(TextError::new(at, "there is a row too many", SHAPE));
    }
    let (at, word) = words.next().unwrap_or((text.len(), ""));
    let mover = SIGNS.into_iter().position(|s| word.eq_ignore_ascii_case(s.encode_utf8(&mut [0; 4])));
    let Some(mover) = mover else {
        return Err(TextError::new(at, format!("'{}' names no player", shorten(word)), "x or o"));
    };
    let (at, word) = words.next().unwrap_or((text.len(), "0-0"));
    let digit = |part: &str| part.parse::<u8>().ok().filter(|n| *n <= MEN && part.len() == 1);
    let hand = word.split_once('-').and_then(|(first, second)| Some([digit(first)?, digit(second)?]));
    let Some(hand) = hand else {
        let what = format!("'{}' tells no men in hand", shorten(word));
        return Err(TextError::new(at, what, "the men in hand of both, such as 8-8"));
    };
    if let Some((at, word)) = words.next() {
        return Err(TextError::new(at, format!("'{}' is too much", shorten(word)), SHAPE));
    }
    // Men are put down in turn, by x first.
    if hand != [0, 0] && hand[1] != hand[0] + mover as u8 {
        let what = format!("with {} and {} in hand it is not the turn of {}", hand[0], hand[1], SIGNS[mover]);
        return Err(TextError::new(at, what, "as many men in hand, or one more for o with o to move"));
    }
    for (player, sign) in SIGNS.into_iter().enumerate() {
        let many = men[player].count_ones() + u32::from(hand[player]);
        let least = if player == mover { 2 } else { 3 };
        if !(least..=u32::from(MEN)).contains(&many) {
            let what = format!("{sign} has {many} men");
            return Err(TextError::new(start, what, "3 to 9 men, 2 if one was just taken"));
        }
    }
    let board = Board::new(men, hand, Player(mover as u8));
    board.ok_or_else(|| TextError::new(start, "such a position cannot be", SHAPE))
}

impl Notation for Board {
    fn write_move(&self, m: Move) -> String {
        let mut text = name(m.to.into());
        if m.from != Move::NONE {
            text = format!("{}-{text}", name(m.from.into()));
        }
        if m.takes != Move::NONE {
            text = format!("{text}x{}", name(m.takes.into()));
        }
        text
    }

    fn write(&self) -> String {
        let row = |points: &[usize]| points.iter().map(|&point| self.sign(point)).collect::<String>();
        let mut text = ROWS.map(row).join("/");
        text = format!("{text} {}", SIGNS[self.side().index()]);
        let [first, second] = [Player::FIRST, Player::SECOND].map(|p| self.hand(p));
        if (first, second) != (0, 0) {
            text = format!("{text} {first}-{second}");
        }
        text
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.push(self.side().0 | self.hand(Player::FIRST) << 1);
        out.push(self.hand(Player::SECOND));
        for player in [Player::FIRST, Player::SECOND] {
            out.extend(&self.men(player).to_le_bytes()[..3]);
        }
    }
}

impl Board {
    fn sign(&self, point: usize) -> char {
        let on = |player| self.men(player) >> point & 1 != 0;
        if on(Player::FIRST) {
            SIGNS[0]
        } else if on(Player::SECOND) {
            SIGNS[1]
        } else {
            '.'
        }
    }
}

impl Picture for Board {
    fn text(&self) -> String {
        let mut grid = vec![vec![' '; 13]; 13];
        for (point, &near) in NEIGHBOURS.iter().enumerate() {
            let (column, row) = square(point);
            let (x, y) = (2 * column, 12 - 2 * row);
            grid[y][x] = self.sign(point);
            for other in each(near) {
                let (column, row) = square(other);
                let (a, b) = (2 * column, 12 - 2 * row);
                if b == y && a > x {
                    grid[y][x + 1..a].fill('-');
                } else if a == x && b > y {
                    grid[y + 1..b].iter_mut().for_each(|line| line[x] = '|');
                }
            }
        }
        let mut out = String::new();
        for (y, line) in grid.iter().enumerate() {
            let number = if y % 2 == 0 { (7 - y / 2).to_string() } else { " ".into() };
            let line: String = line.iter().collect();
            out.push_str(format!("{number} {line}").trim_end());
            out.push('\n');
        }
        out.push_str("  a b c d e f g\nx: White, o: Black\n");
        out
    }

    fn scene(&self) -> Scene {
        let mut scene = Scene::new(8.5, 8.5);
        scene.ground();
        let place = |point: usize| {
            let (column, row) = square(point);
            (column as f32 + 1.5, 7.0 - row as f32)
        };
        for (point, &near) in NEIGHBOURS.iter().enumerate() {
            for other in each(near).filter(|&other| other > point) {
                scene.draw(Shape::Line(place(point), place(other), Paint::Ink));
            }
        }
        for point in 0..24 {
            let (x, y) = place(point);
            let (radius, paint, man) = match self.sign(point) {
                // White is drawn light though it moves first.
                'x' => (0.4, Paint::Second, Some("white man")),
                'o' => (0.4, Paint::First, Some("black man")),
                _ => (0.1, Paint::Ink, None),
            };
            scene.draw(Shape::Disc(x, y, radius, paint));
            if let Some(man) = man {
                scene.piece(man, x, y);
            }
            scene.place(name(point), x, y);
        }
        // The men in hand, in the middle, where no line goes.
        for (player, y, paint) in [(Player::FIRST, 3.72, Paint::Second), (Player::SECOND, 4.28, Paint::First)]
        {
            let hand = self.hand(player);
            if hand > 0 {
                scene.draw(Shape::Disc(4.3, y, 0.2, paint));
                scene.draw(Shape::Word(4.75, y, 0.36, hand.to_string(), Paint::Ink));
            }
        }
        for i in 0..7_u8 {
            let letter = char::from(b'a' + i).to_string();
            scene.draw(Shape::Word(f32::from(i) + 1.5, 8.0, 0.4, letter, Paint::Ink));
            scene.draw(Shape::Word(0.5, 7.0 - f32::from(i), 0.4, (i + 1).to_string(), Paint::Ink));
        }
        scene
    }
}
