//! Crosses and noughts, with the winning line.

use super::position::{MnkPosition, SIGNS};
use endspiel_game::picture::{Paint, Shape, letters, squares_text};
use endspiel_game::{Picture, Player, Scene};

impl<const WORDS: usize> Picture for MnkPosition<WORDS> {
    fn text(&self) -> String {
        let grid = self.stones().grid();
        squares_text(
            grid.width as usize,
            grid.height as usize,
            letters,
            |row| (row + 1).to_string(),
            |column, row| self.stones().sign(grid.cell(column, row), SIGNS),
        )
    }

    fn scene(&self) -> Scene {
        let grid = self.stones().grid();
        let (columns, rows) = (grid.width as usize, grid.height as usize);
        let mut scene = Scene::squares(columns, rows, false, letters, |row| (row + 1).to_string());
        let centre = |cell: usize| {
            let (column, row) = grid.column_row(cell);
            Scene::square(rows, column, row)
        };
        for cell in self.stones().of(Player::FIRST).iter() {
            let (x, y) = centre(cell);
            scene.draw(Shape::Polygon(cross(x, y), Paint::First)).piece("x", x, y);
        }
        for cell in self.stones().of(Player::SECOND).iter() {
            let (x, y) = centre(cell);
            scene.draw(Shape::Disc(x, y, 0.34, Paint::Second));
            scene.draw(Shape::Disc(x, y, 0.22, Paint::Board)).piece("o", x, y);
        }
        for player in [Player::FIRST, Player::SECOND] {
            if let Some((first, last)) = self.line_of(player) {
                scene.draw(Shape::Line(centre(first), centre(last), Paint::Mark));
            }
        }
        scene
    }
}

/// The outline of a diagonal cross around a point.
fn cross(x: f32, y: f32) -> Vec<(f32, f32)> {
    const ARM: f32 = 0.32;
    const HALF: f32 = 0.09;
    let quarter = [(0.0, -HALF), (ARM - HALF, -ARM), (ARM, HALF - ARM)];
    let mut points = Vec::with_capacity(12);
    let mut turned = quarter;
    for _ in 0..4 {
        points.extend(turned.iter().map(|&(dx, dy)| (x + dx, y + dy)));
        turned = turned.map(|(dx, dy)| (-dy, dx));
    }
    points
}
