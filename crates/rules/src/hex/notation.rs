//! Cells such as `c4` with row 1 at the top, positions as rows of signs, and pictures with real hexagons.

use super::position::{HexMove, HexPosition};
use crate::grid::{Grid, cell_words, encode, sign};
use endspiel_game::notation::shorten;
use endspiel_game::picture::{Paint, Shape, letters};
use endspiel_game::{Notation, Picture, Player, Position, Scene, TextError};
use std::fmt::Write;

/// The signs of the players in texts.
pub(super) const SIGNS: [char; 2] = ['b', 'w'];

/// The name of the move that takes over the first stone.
const SWAP: &str = "swap-pieces";

/// The board with row 1 at the top.
pub(super) fn grid(size: usize) -> Grid {
    Grid { width: size as u8, height: size as u8, down: true }
}

impl<const WORDS: usize> HexPosition<WORDS> {
    fn grid(&self) -> Grid {
        grid(self.board().size())
    }
}

impl<const WORDS: usize> Notation for HexPosition<WORDS> {
    fn write_move(&self, m: HexMove) -> String {
        match m {
            HexMove::Place(cell) => self.grid().name(cell.index()),
            HexMove::Swap => SWAP.into(),
        }
    }

    fn write(&self) -> String {
        let stones = [self.stones(Player::FIRST), self.stones(Player::SECOND)];
        self.grid().write(&stones, self.next(), SIGNS)
    }

    fn read_move(&self, text: &str) -> Result<HexMove, TextError> {
        if self.turn().is_over() {
            let what = format!("the game is over before '{}'", shorten(text));
            return Err(TextError::new(0, what, "no more moves"));
        }
        if text.eq_ignore_ascii_case(SWAP) || text.eq_ignore_ascii_case("swap") {
            return if self.may_swap() {
                Ok(HexMove::Swap)
            } else {
                let expected =
                    "an empty cell; only the second player's first move may swap, in hex:SIZE,swap";
                Err(TextError::new(0, "a swap is not possible here", expected))
            };
        }
        let taken = self.stones(Player::FIRST) | self.stones(Player::SECOND);
        self.grid().read_empty(text, &taken).map(HexMove::Place)
    }

    fn move_words<'a>(&self, text: &'a str) -> Vec<(usize, &'a str)> {
        cell_words(text)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let stones = [self.stones(Player::FIRST), self.stones(Player::SECOND)];
        encode(&stones, self.board().cells(), self.next(), out);
    }
}

impl<const WORDS: usize> Picture for HexPosition<WORDS> {
    /// Every row half a cell further to the right, as on the board.
    fn text(&self) -> String {
        let (grid, size) = (self.grid(), self.board().size());
        let stones = [self.stones(Player::FIRST), self.stones(Player::SECOND)];
        let names = (0..size).map(letters).collect::<Vec<_>>().join(" ");
        let mut out = format!("   {names}\n");
        for row in 0..size {
            let _ = write!(out, "{:row$}{:>2} ", "", row + 1);
            for column in 0..size {
                let _ = write!(out, " {}", sign(&stones, grid.cell(column, row), SIGNS));
            }
            let _ = writeln!(out, "  {}", row + 1);
        }
        let _ = writeln!(out, "{:size$}    {names}", "");
        let [first, second] = SIGNS;
        let _ = writeln!(out, "{first}: top to bottom, {second}: left to right");
        out
    }

    fn scene(&self) -> Scene {
        let (grid, size) = (self.grid(), self.board().size());
        let last = (size - 1) as f32;
        // The centre of a cell; neighbours lie one apart.
        let at = |column: f32, row: f32| (column + 0.5 * row + 2.2, row * ROW + 1.6);
        let mut scene = Scene::new(1.5 * last + 4.4, last * ROW + 3.2);
        // On a ground of its own, so that neither colour's sides are lost on a dark or a light page.
        scene.ground();
        // The sides are four triangles under the board, of which a rim is seen.
        let rim = 0.85;
        let corners = [(-rim, -rim), (last + rim, -rim), (last + rim, last + rim), (-rim, last + rim)];
        let corners = corners.map(|(column, row)| at(column, row));
        for side in 0..4 {
            let triangle = vec![corners[side], corners[(side + 1) % 4], at(last / 2.0, last / 2.0)];
            scene.draw(Shape::Polygon(triangle, if side % 2 == 0 { Paint::First } else { Paint::Second }));
        }
        let chain = self.winning_chain();
        for cell in 0..self.board().cells() {
            let (column, row) = grid.column_row(cell);
            let (x, y) = at(column as f32, row as f32);
            let hexagon = HEXAGON.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
            scene.draw(Shape::Polygon(hexagon, Paint::Board));
            scene.place(grid.name(cell), x, y);
            let sides = [
                (Player::FIRST, Paint::First, "black stone"),
                (Player::SECOND, Paint::Second, "white stone"),
            ];
            for (player, paint, name) in sides {
                if self.stones(player).contains(cell) {
                    scene.draw(Shape::Disc(x, y, 0.38, paint)).piece(name, x, y);
                }
            }
            if chain.is_some_and(|chain| chain.contains(cell)) {
                scene.draw(Shape::Disc(x, y, 0.1, Paint::Mark));
            }
        }
        for i in 0..size {
            let (x, y) = at(i as f32, -1.35);
            scene.draw(Shape::Word(x, y, 0.55, letters(i), Paint::Ink));
            let (x, y) = at(-1.35, i as f32);
            scene.draw(Shape::Word(x, y, 0.55, (i + 1).to_string(), Paint::Ink));
        }
        scene
    }
}

/// The distance of two rows whose neighbouring cells are one apart.
const ROW: f32 = 0.866_025_4;

/// The corners of a hexagon that stands on one of them, around its centre; its width is one.
const HEXAGON: [(f32, f32); 6] = [
    (0.0, -0.577_350_3),
    (0.5, -0.288_675_1),
    (0.5, 0.288_675_1),
    (0.0, 0.577_350_3),
    (-0.5, 0.288_675_1),
    (-0.5, -0.288_675_1),
];
