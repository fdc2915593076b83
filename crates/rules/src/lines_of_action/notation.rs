//! Text and pictures of lines of action.

use super::board::{Board, Move};
use crate::grid;
use endspiel_game::notation::shorten;
use endspiel_game::picture::{Paint, Shape, letters, squares_text};
use endspiel_game::{Notation, Picture, Player, Position, Scene, TextError};

/// Black and White.
pub(super) const SIGNS: [char; 2] = ['x', 'o'];

impl Notation for Board {
    fn write_move(&self, m: Move) -> String {
        if m.is_pass() {
            return "pass".into();
        }
        let captures = self.stones(self.side().other()) >> m.to & 1 != 0;
        let [from, to] = [m.from, m.to].map(|square| self.grid().name(usize::from(square)));
        format!("{from}{}{to}", if captures { 'x' } else { '-' })
    }

    fn write(&self) -> String {
        self.grid().write(&self.both(), self.side(), SIGNS)
    }

    /// Reads `b1-b3`, `b1xb3` or `b1b3`, in letters of either case, whether or not it is a capture.
    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let bare = |name: &str| name.to_ascii_lowercase().replace(['-', 'x'], "");
        let (wanted, legal) = (bare(text), self.move_list());
        legal.iter().copied().find(|&m| bare(&self.write_move(m)) == wanted).ok_or_else(|| {
            let what = format!("'{}' is not a legal move here", shorten(text));
            let some: Vec<String> = legal.iter().take(8).map(|&m| self.write_move(m)).collect();
            let expected = match legal.len() {
                0 => "no move: the game is over".into(),
                _ => format!("a legal move such as {}", some.join(" ")),
            };
            TextError::new(0, what, expected)
        })
    }

    fn encode(&self, out: &mut Vec<u8>) {
        grid::encode(&self.both(), self.grid().cells(), self.side(), out);
    }
}

impl Picture for Board {
    fn text(&self) -> String {
        let (grid, stones) = (self.grid(), self.both());
        let n = usize::from(grid.width);
        squares_text(
            n,
            n,
            letters,
            |r| (r + 1).to_string(),
            |c, r| grid::sign(&stones, grid.cell(c, r), SIGNS),
        )
    }

    fn scene(&self) -> Scene {
        let (grid, n) = (self.grid(), usize::from(self.grid().width));
        let mut scene = Scene::squares(n, n, true, letters, |r| (r + 1).to_string());
        let sides =
            [(Player::FIRST, Paint::First, "black stone"), (Player::SECOND, Paint::Second, "white stone")];
        for (player, paint, name) in sides {
            for square in self.both()[player.index()].iter() {
                let (column, row) = grid.column_row(square);
                let (x, y) = Scene::square(n, column, row);
                scene.draw(Shape::Disc(x, y, 0.38, paint)).piece(name, x, y);
            }
        }
        scene
    }
}
