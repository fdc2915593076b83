//! A position as the page shows it: the picture's shapes, the places on it, and each legal move with the
//! places it is made by, so that one kind of board serves every game.

use crate::fault::Fault;
use crate::place::{Found, Where};
use endspiel_catalog::AnyPosition;
use endspiel_game::picture::Shape;
use endspiel_game::{Scene, Stop};
use serde::Serialize;
use std::collections::HashSet;

/// A position as the page needs it.
#[derive(Debug, Serialize)]
pub struct View {
    /// The game with its variant.
    game: String,
    /// The position in the game's notation.
    position: String,
    /// The position that the moves start from.
    root: String,
    /// The moves that led here, as the game writes them.
    played: Vec<String>,
    /// The names of the players.
    players: [&'static str; 2],
    /// Who is to move; none when the game is over.
    mover: Option<&'static str>,
    /// The number of who is to move: 0 or 1.
    turn: Option<usize>,
    /// How the game ended, if it has.
    result: Option<String>,
    /// The legal moves.
    moves: Vec<Choice>,
    /// Does the game give more than win, draw and loss?
    scored: bool,
    /// Can it be seen at an angle too?
    relief: bool,
    /// The picture.
    picture: Drawn,
    /// Where the last move was made.
    last: Vec<(f32, f32)>,
    /// The board in signs, for those who don't see the picture.
    text: String,
    /// What made no sense and was left out, where that was allowed.
    wrong: Vec<String>,
}

/// A legal move.
#[derive(Debug, Serialize)]
struct Choice {
    #[serde(rename = "move")]
    name: String,
    /// The places it is made by, in order, as numbers of the picture's places.
    path: Vec<usize>,
}

/// A picture.
#[derive(Debug, Serialize)]
struct Drawn {
    width: f32,
    height: f32,
    /// SVG elements.
    shapes: String,
    /// The name of each place, where it is, and what stands there in words.
    places: Vec<(String, f32, f32, String)>,
}

/// Describes the position.
pub fn view(asked: &Where, stop: &Stop) -> Result<View, Fault> {
    let Found { game, root, before, position, played, wrong } = asked.find(stop)?;
    let drawn = |position: &dyn AnyPosition| {
        let at_an_angle = if asked.relief { position.relief() } else { None };
        let scene = at_an_angle.unwrap_or_else(|| position.scene());
        if asked.flip { scene.flipped() } else { scene }
    };
    let scene = drawn(&*position);
    let names = position.moves();
    let paths = scene.paths(&names);
    // Playing each move takes its time, so it is done only where places share their names.
    let ambiguous = !shared(&scene).is_empty();
    let moves = names
        .into_iter()
        .zip(paths)
        .map(|(name, path)| {
            let next = if ambiguous { position.play(&name).ok() } else { None };
            let path = match next {
                Some(next) => settle(path, &scene, &drawn(&*next)),
                None => path,
            };
            Choice { name, path }
        })
        .collect();
    let last = match (played.last(), before) {
        (Some(last), Some(before)) => {
            let before = drawn(&*before);
            let path = before.paths(&[last]).pop().unwrap_or_default();
            // Only what is still there is marked.
            let still = |i: &usize| scene.places.contains(&before.places[*i]);
            let places = settle(path, &before, &scene).into_iter().filter(still);
            places.map(|i| (before.places[i].x, before.places[i].y)).collect()
        }
        _ => Vec::new(),
    };
    let standing: Vec<String> =
        scene.places.iter().map(|place| scene.standing(place).unwrap_or_default().to_string()).collect();
    Ok(View {
        game: game.full_name(),
        position: position.write(),
        root: root.write(),
        played,
        players: game.about().players,
        mover: position.mover(),
        turn: position.turn().player().map(endspiel_game::Player::index),
        result: position.result(),
        moves,
        scored: game.is_scored(),
        relief: position.relief().is_some(),
        picture: Drawn {
            width: scene.width,
            height: scene.height,
            shapes: scene.svg_shapes(),
            places: scene
                .places
                .into_iter()
                .zip(standing)
                .map(|(p, what)| (p.name, p.x, p.y, what))
                .collect(),
        },
        last,
        text: position.text(),
        wrong,
    })
}

/// The names that more than one place has.
fn shared(scene: &Scene) -> HashSet<&str> {
    let mut met = HashSet::new();
    scene.places.iter().map(|place| place.name.as_str()).filter(|name| !met.insert(*name)).collect()
}

/// Of places that share a name (the squares of a column), the one where the move changes the picture.
fn settle(path: Vec<usize>, before: &Scene, after: &Scene) -> Vec<usize> {
    let shared = shared(before);
    let near = |place: usize| {
        let p = &before.places[place];
        after.differing(before).any(|shape| match shape {
            Shape::Disc(x, y, ..) | Shape::Word(x, y, ..) => (x - p.x).hypot(y - p.y) < 0.5,
            Shape::Polygon(..) | Shape::Line(..) => false,
        })
    };
    let settled = |i: usize| {
        let name = before.places[i].name.as_str();
        let mut same = (0..before.places.len()).filter(|&j| before.places[j].name == name);
        if shared.contains(name) { same.find(|&j| near(j)).unwrap_or(i) } else { i }
    };
    path.into_iter().map(settled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(game: &str, moves: &str) -> View {
        let asked = Where { game: game.into(), moves: moves.into(), ..Where::default() };
        view(&asked, &Stop::default()).expect("a position")
    }

    #[test]
    fn every_game_s_moves_are_made_by_places_or_have_a_name_of_their_own() {
        for entry in endspiel_catalog::GAMES {
            let view = at(entry.about().name, "");
            assert!(!view.moves.is_empty());
            for choice in &view.moves {
                assert!(!choice.path.is_empty(), "{}: {}", view.game, choice.name);
            }
            let first = &view.moves[0].name;
            let after = at(entry.about().name, first);
            let heard = after.picture.places.iter().filter(|place| !place.3.is_empty()).count();
            assert!(heard > 0 || after.result.is_some(), "{}: what stands there has a name", view.game);
            let mut keys: Vec<_> = view.moves.iter().map(|m| &m.path).collect();
            keys.sort();
            keys.dedup();
            assert_eq!(
                keys.len(),
                view.moves.len(),
                "{}: the opening moves differ by their places",
                view.game
            );
        }
    }

    #[test]
    fn a_disc_falls_to_the_lowest_free_square() {
        let view = at("connect-four", "44");
        let place = |i: usize| &view.picture.places[i];
        let lands = |name: &str| {
            place(view.moves.iter().find(|m| m.name == name).expect("a legal move").path[0]).clone()
        };
        assert_eq!(lands("4"), ("4".into(), 4.5, 4.0, String::new()));
        assert_eq!(lands("1"), ("1".into(), 1.5, 6.0, String::new()));
        let standing = view.picture.places.iter().filter(|place| !place.3.is_empty());
        assert_eq!(
            standing.map(|place| (place.2, place.3.as_str())).collect::<Vec<_>>(),
            [(6.0, "x"), (5.0, "o")]
        );
        assert_eq!(view.last, [(4.5, 5.0)]);
    }
}
