//! Pictures of shogi. Pieces are pentagons that point at the opponent and bear the letters of the notation, which every
//! machine's font has; a promoted one has a `+` and a red foot. What is in a hand stands beside the board: of the player
//! to move those are places, named as drops begin (`P*`).

use super::board::{Board, Kind, Piece};
use super::notation::{letter, write_hand};
use super::squares::{Square, name};
use endspiel_game::picture::{Paint, Shape};
use endspiel_game::{Picture, Player, Scene};
use std::fmt::Write;

/// What the pieces are called where the picture is heard; what promotion makes of them behind.
const NAMES: [[&str; 2]; 8] = [
    ["king", "king"],
    ["rook", "dragon"],
    ["bishop", "horse"],
    ["gold", "gold"],
    ["silver", "promoted silver"],
    ["knight", "promoted knight"],
    ["lance", "promoted lance"],
    ["pawn", "tokin"],
];

/// Room for a hand beside the board.
const HAND: f32 = 1.7;
/// Room above the board, for the files.
const TOP: f32 = 0.9;
/// Room to the right of it, for the ranks.
const RIGHT: f32 = 0.6;

/// A pentagon with its letter.
fn draw(scene: &mut Scene, (x, y): (f32, f32), piece: Piece) {
    let ahead = if piece.player == Player::FIRST { -1.0 } else { 1.0 };
    let (body, figure) = if piece.player == Player::FIRST {
        (Paint::First, Paint::Second)
    } else {
        (Paint::Second, Paint::First)
    };
    let corners = [(0.0, 0.44), (0.29, 0.3), (0.38, -0.42), (-0.38, -0.42), (-0.29, 0.3)];
    scene.draw(Shape::Polygon(corners.map(|(dx, dy)| (x + dx, y + ahead * dy)).to_vec(), body));
    if piece.promoted {
        let foot = y - ahead * 0.38;
        scene.draw(Shape::Line((x - 0.36, foot), (x + 0.36, foot), Paint::Mark));
    }
    let mut word = String::from(if piece.promoted { "+" } else { "" });
    word.push(letter(piece.kind, Player::FIRST));
    scene.draw(Shape::Word(x, y - ahead * 0.06, 0.5, word, figure));
}

fn side_name(player: Player) -> &'static str {
    if player == Player::FIRST { "sente" } else { "gote" }
}

impl Picture for Board {
    fn text(&self) -> String {
        let side = self.shape().side();
        let hand = |player| match write_hand(self, player) {
            hand if hand.is_empty() => "-".into(),
            hand => hand,
        };
        let mut out = format!("Gote's hand: {}\n\n", hand(Player::SECOND));
        for file in (1..=side).rev() {
            // Writing to a string cannot fail.
            let _ = write!(out, "{file:>3}");
        }
        out.push('\n');
        for rank in 0..side {
            for file in (0..side).rev() {
                let (mark, sign) = match self.at((rank * 9 + file) as Square) {
                    Some(piece) => (if piece.promoted { '+' } else { ' ' }, letter(piece.kind, piece.player)),
                    None => (' ', '.'),
                };
                let _ = write!(out, " {mark}{sign}");
            }
            let _ = writeln!(out, "  {}", char::from(b'a' + rank as u8));
        }
        let _ = writeln!(out, "\nSente's hand: {}", hand(Player::FIRST));
        out
    }

    fn scene(&self) -> Scene {
        let side = self.shape().side();
        let mut scene = Scene::new(2.0 * HAND + RIGHT + side as f32, TOP + side as f32 + 0.3);
        scene.ground();
        let at = |rank: usize, file: usize| (HAND + (side - file) as f32 - 0.5, TOP + rank as f32 + 0.5);
        for rank in 0..side {
            for file in 0..side {
                let (x, y) = at(rank, file);
                let corners =
                    vec![(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)];
                scene.draw(Shape::Polygon(corners, Paint::Shade));
            }
            let row = char::from(b'a' + rank as u8).to_string();
            scene.draw(Shape::Word(at(rank, 0).0 + 0.8, at(rank, 0).1, 0.4, row, Paint::Ink));
            scene.draw(Shape::Word(at(0, rank).0, TOP - 0.35, 0.4, (rank + 1).to_string(), Paint::Ink));
        }
        for rank in 0..side {
            for file in (0..side).rev() {
                let ((x, y), square) = (at(rank, file), (rank * 9 + file) as Square);
                scene.place(name(square), x, y);
                if let Some(piece) = self.at(square) {
                    draw(&mut scene, (x, y), piece);
                    let called = NAMES[piece.kind as usize][usize::from(piece.promoted)];
                    scene.piece(format!("{} {called}", side_name(piece.player)), x, y);
                }
            }
        }
        for player in [Player::SECOND, Player::FIRST] {
            let held = Kind::IN_HAND.into_iter().filter(|&kind| self.hand(player, kind) > 0);
            for (i, kind) in held.enumerate() {
                // Gote's from the top left, Sente's from the bottom right.
                let (dx, dy) = (0.55, TOP + 0.5 + i as f32);
                let (x, y) = if player == Player::SECOND {
                    (dx, dy)
                } else {
                    (scene.width - dx - 0.55, TOP + side as f32 - 0.5 - i as f32)
                };
                let many = self.hand(player, kind);
                draw(&mut scene, (x, y), Piece { kind, promoted: false, player });
                if many > 1 {
                    scene.draw(Shape::Word(x + 0.68, y, 0.4, many.to_string(), Paint::Ink));
                }
                if player == self.side() {
                    scene.place(format!("{}*", letter(kind, Player::FIRST)), x, y);
                }
                scene.piece(
                    format!("{many} {} in {}'s hand", NAMES[kind as usize][0], side_name(player)),
                    x,
                    y,
                );
            }
        }
        scene
    }
}
