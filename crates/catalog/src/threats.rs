//! Wins by threats of either player, as far as the game's expertise finds them: how they begin, and where the other
//! has to play.

use crate::entry::{Listed, Seat};
use endspiel_game::picture::{Paint, Shape};
use endspiel_game::{Attack, Expertise, Game, Notation, Position, Scene, Stop};
use serde::Serialize;

/// A win by threats.
#[derive(Clone, Debug, Serialize)]
pub struct ThreatReport {
    /// Who wins by them, such as Black.
    pub attacker: &'static str,
    /// Is it the attacker's turn? Otherwise it is what happens if the other passes.
    pub to_move: bool,
    /// The attacker's moves and the forced replies, in turn; the first move alone where replies differ.
    pub line: Vec<String>,
    /// Where the other has to play, were it his turn: any other move leaves the win as it is.
    pub must: Vec<String>,
}

impl<G, E> Seat<G, E>
where
    G: Game<Position: Listed>,
    E: Expertise<G::Position> + Default,
{
    /// The wins by threats of the player to move, and of the opponent if that player passes.
    pub(crate) fn attacks(&self, stop: &Stop) -> Vec<ThreatReport> {
        let Some(mover) = self.position.turn().player() else { return Vec::new() };
        let legal = self.position.move_list();
        let find = |attacker| {
            let Attack { line, mut must } = self.expertise.attack(&self.position, attacker)?;
            must.retain(|m| attacker == mover || legal.contains(m));
            let named = |list: &[<G::Position as Position>::Move]| {
                list.iter().map(|&m| self.position.write_move(m)).collect()
            };
            Some(ThreatReport {
                attacker: G::ABOUT.players[attacker.index()],
                to_move: attacker == mover,
                line: named(&line),
                must: named(&must),
            })
        };
        [mover, mover.other()].into_iter().take_while(|_| !stop.asked()).filter_map(find).collect()
    }

    /// The board with the moves of a win numbered, and a mark where the other has to play.
    pub(crate) fn draw_attack(&self, attack: &ThreatReport) -> Scene {
        let mut scene = endspiel_game::Picture::scene(&self.position);
        let at = |scene: &Scene, name: &String| {
            scene.places.iter().find(|place| place.name == *name).map(|place| (place.x, place.y))
        };
        for name in &attack.must {
            if let Some((x, y)) = at(&scene, name).filter(|_| !attack.line.contains(name)) {
                scene.draw(Shape::Disc(x, y, 0.12, Paint::Mark));
            }
        }
        for (i, name) in attack.line.iter().enumerate() {
            if let Some((x, y)) = at(&scene, name) {
                scene.draw(Shape::Disc(x, y, 0.36, Paint::Shade));
                scene.draw(Shape::Word(x, y, 0.45, (i + 1).to_string(), Paint::Mark));
            }
        }
        scene
    }
}
