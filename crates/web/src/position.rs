//! A position as the page shows it: the picture's shapes, the places on it, and each legal move with the
//! places it is made by, so that one kind of board serves every game.

use crate::fault::Fault;
use crate::place::{Found, Where};
use endspiel_catalog::AnyPosition;
use endspiel_game::picture::{Place, Shape};
use endspiel_game::{Scene, Stop};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

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
    /// Where the last move was made, and how large a ring there has room.
    last: Vec<(f32, f32, f32)>,
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
    /// The places.
    places: Vec<Spot>,
}

/// A place: its name in moves, where it is, what stands there in words, what it is called where names are shared, and
/// where its judgement is written, if not on it.
type Spot = (String, f32, f32, String, String, Option<(f32, f32)>);

/// The places of a scene. Those of one name are the cells of a column, told from the bottom.
fn spots(scene: &Scene) -> Vec<Spot> {
    let shared = shared(scene);
    let mut rows: HashMap<&str, usize> = HashMap::new();
    let mut called = |name: &'_ str| {
        let Some(name) = shared.get(name) else { return name.to_string() };
        let row = rows.entry(name).or_default();
        *row += 1;
        format!("column {name}, row {row}")
    };
    let spot = |p: &Place| {
        let standing = scene.standing(p).unwrap_or_default().to_string();
        (p.name.clone(), p.x, p.y, standing, called(&p.name), p.note)
    };
    scene.places.iter().map(spot).collect()
}

/// The widest ring around a place that crosses no word beside it, such as a square's number.
fn ring(scene: &Scene, place: &Place) -> f32 {
    let (widest, least, gap) = (0.46, 0.3, 0.04);
    let beside = |shape: &Shape| {
        let Shape::Word(x, y, size, word, _) = shape else { return None };
        // The word's box: a digit is a little less than two thirds as wide as high, a capital three quarters.
        let dx = (x - place.x).abs() - 0.32 * size * word.chars().count() as f32;
        let dy = (y - place.y).abs() - 0.37 * size;
        // A word in the middle is what stands there.
        (dx > 0.0 || dy > 0.0).then(|| dx.max(0.0).hypot(dy.max(0.0)) - gap)
    };
    scene.shapes.iter().filter_map(beside).fold(widest, f32::min).max(least)
}

/// Describes the position.
pub fn view(asked: &Where, stop: &Stop) -> Result<View, Fault> {
    let found = asked.find(stop)?;
    let result = found.result();
    let Found { game, root, before, position, played, wrong, .. } = found;
    let drawn = |position: &dyn AnyPosition| {
        let at_an_angle = if asked.relief { position.relief() } else { None };
        let scene = at_an_angle.unwrap_or_else(|| position.scene());
        if asked.flip { scene.flipped() } else { scene }
    };
    let scene = drawn(&*position);
    let names = if result.is_some() { Vec::new() } else { position.moves() };
    let paths = scene.paths(&names);
    // Playing each move takes its time, so it is done only where places share their names.
    let ambiguous = !shared(&scene).is_empty();
    let moves: Vec<Choice> = names
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
            let path = settle(path, &before, &scene);
            // A move that can be made again at the same places, as in a tree, has left no mark there.
            let again = moves.iter().any(|choice| choice.name == *last && choice.path == path);
            let places = path.into_iter().filter(|_| !again).filter(still);
            let ringed = |p: &Place| (p.x, p.y, ring(&scene, p));
            places.map(|i| ringed(&before.places[i])).collect()
        }
        _ => Vec::new(),
    };
    let spots = spots(&scene);
    Ok(View {
        game: game.full_name(),
        position: position.write(),
        root: root.write(),
        played,
        players: game.about().players,
        mover: position.mover().filter(|_| result.is_none()),
        turn: position.turn().player().map(endspiel_game::Player::index).filter(|_| result.is_none()),
        result,
        moves,
        scored: game.is_scored(),
        relief: position.relief().is_some(),
        picture: Drawn {
            width: scene.width,
            height: scene.height,
            shapes: scene.svg_shapes(),
            places: spots,
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
        let free =
            |name: &str, x, y, called: &str| (name.into(), x, y, String::new(), called.to_string(), None);
        assert_eq!(lands("4"), free("4", 4.5, 4.0, "column 4, row 3"));
        assert_eq!(lands("1"), free("1", 1.5, 6.0, "column 1, row 1"));
        let standing = view.picture.places.iter().filter(|place| !place.3.is_empty());
        assert_eq!(
            standing.map(|place| (place.2, place.3.as_str())).collect::<Vec<_>>(),
            [(6.0, "black disc"), (5.0, "white disc")]
        );
        assert_eq!(view.last, [(4.5, 5.0, 0.46)]);
    }

    #[test]
    fn a_child_of_a_tree_is_not_marked_before_it_is_chosen() {
        let view = at("random-tree:b=2,d=5,seed=1", "2 1 2");
        assert!(
            view.moves.iter().any(|choice| choice.name == "2") && view.last.is_empty(),
            "{:?}",
            view.last
        );
    }

    #[test]
    fn rings_and_judgements_cover_no_word() {
        let view = at("checkers", "11-15");
        assert!(view.last.len() == 2 && view.last.iter().all(|ring| ring.2 < 0.32), "{:?}", view.last);
        let view = at("awari", "");
        let notes: Vec<_> = view.picture.places.iter().map(|place| (place.1, place.2, place.5)).collect();
        // A judgement's disc is at most 0.37 wide; a pit has 0.45.
        let apart = |(x, y, note): &(f32, f32, Option<(f32, f32)>)| {
            let note = note.expect("room beside the pit");
            (note.0 - x).hypot(note.1 - y) > 0.37 + 0.42
        };
        assert!(notes.len() == 12 && notes.iter().all(apart), "{notes:?}");
    }

    #[test]
    fn pieces_are_named_as_their_players_are() {
        for entry in endspiel_catalog::GAMES {
            let about = entry.about();
            let game = endspiel_catalog::game(about.name).expect("a game");
            let mut position = game.start();
            for _ in 0..4 {
                let moves = position.moves();
                let Some(chosen) = moves.get(moves.len() / 2) else { break };
                position = position.play(chosen).expect("a legal move");
            }
            let colours = ["red", "yellow", "black", "white"];
            let players = about.players.map(str::to_lowercase);
            for piece in position.scene().pieces {
                let colour = colours.iter().find(|colour| piece.name.starts_with(**colour));
                let named = colour.is_none_or(|colour| players.iter().any(|player| player == colour));
                assert!(named, "{}: {} and {:?}", about.name, piece.name, about.players);
            }
        }
    }

    #[test]
    fn a_position_that_comes_back_offers_no_moves() {
        let view = at("chess", "Nf3 Nf6 Ng1 Ng8");
        assert_eq!(view.result.as_deref(), Some("a draw, as the position has come back"));
        assert!(view.moves.is_empty() && view.mover.is_none() && view.turn.is_none());
    }
}
