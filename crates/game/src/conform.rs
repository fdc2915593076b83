//! One call that tests what every game promises, by random play: for the test suite of each game.
//!
//! Checked along every game: a position and a move survive being written and read; the same text means the
//! same key and code, and different texts different ones; symmetries map moves onto moves, are one to one and
//! keep the score range, the payoff and what endless play is worth, which is the same all around a cycle; the
//! counted moves are the generated ones; the payoff lies in the range announced; a winning move is legal and
//! wins; an acyclic game never repeats; garbage is refused without a panic.

use crate::garbage::text;
use crate::{Game, Notation, Picture, Player, Position, Rng, Symmetric, TwoPlayer};
use std::collections::HashMap;

/// Plays `games` random games of at most `length` moves and checks all promises at every position.
///
/// # Panics
/// With the position's text, when a promise is broken.
pub fn conform<G: Game>(game: &G, games: usize, length: usize, seed: u64)
where
    G::Position: TwoPlayer + Notation + Picture + Symmetric,
{
    let mut rng = Rng::new(seed);
    let mut seen: HashMap<String, (u64, Vec<u8>)> = HashMap::new();
    let mut keys: HashMap<u64, String> = HashMap::new();
    let renamed = G::from_variant(&game.variant()).expect("its own variant can be read");
    assert_eq!(renamed.variant(), game.variant(), "a variant reads back as itself");
    for _ in 0..games {
        let mut position = game.start();
        let mut path = Vec::new();
        for _ in 0..length {
            let text = position.write();
            let mut code = Vec::new();
            position.encode(&mut code);
            let entry = seen.entry(text.clone()).or_insert_with(|| (position.key(), code.clone()));
            assert_eq!(*entry, (position.key(), code), "one text, one key and code: {text}");
            let other = keys.entry(position.key()).or_insert_with(|| text.clone());
            assert_eq!(*other, text, "two positions share a key");
            let repeated = if G::Position::CYCLIC { Some(position.repeated()) } else { None };
            if let Some(since) = path.iter().position(|(before, _)| *before == text) {
                assert!(G::Position::CYCLIC, "an acyclic game repeats {text}");
                let alike = path[since..].iter().all(|(_, there)| *there == repeated);
                assert!(alike, "endless play is not worth the same all around the cycle of {text}");
            }
            check_position(game, &position, &text);
            path.push((text, repeated));
            if position.turn().is_over() {
                break;
            }
            let m = position.random_move(&mut rng).expect("a player to move has a move");
            position.play(m);
        }
    }
    let mut codes: Vec<&Vec<u8>> = seen.values().map(|(_, code)| code).collect();
    codes.sort();
    codes.dedup();
    assert_eq!(codes.len(), seen.len(), "different positions have different codes");
    garbage(game, &mut rng, 2000);
}

/// Who is said to be secured has an answer to every move after which it is said again, or after which he has as much by
/// a search.
fn check_secured<P: TwoPlayer + Notation>(position: &P, text: &str) {
    for (player, at_least) in
        [(Player::FIRST, 1), (Player::SECOND, 1), (Player::FIRST, 0), (Player::SECOND, 0)]
    {
        if position.turn().is_over() || !position.secured(player, at_least) {
            continue;
        }
        let other = player.other();
        assert!(!position.secured(other, 1 - at_least), "{player:?} and {other:?} are secured at {text}");
        let kept = |p: &P| gets(p, player, at_least, &mut 1000).is_none_or(|gets| gets);
        let mut after = position.move_list().into_iter().map(|m| position.after(m));
        let holds =
            if position.mover() == player { after.any(|p| kept(&p)) } else { after.all(|p| kept(&p)) };
        assert!(holds, "{player:?} is secured at {text} and no answer keeps it");
    }
}

/// Does the player get at least so much, if so many positions tell?
fn gets<P: TwoPlayer>(position: &P, player: Player, at_least: i32, left: &mut u32) -> Option<bool> {
    if position.turn().is_over() {
        return Some(position.payoff().of(player) >= at_least);
    }
    if position.secured(player, at_least) {
        return Some(true);
    }
    *left = left.checked_sub(1)?;
    let wanted = position.mover() == player;
    for m in position.move_list() {
        if gets(&position.after(m), player, at_least, left)? == wanted {
            return Some(wanted);
        }
    }
    Some(!wanted)
}

fn check_position<G: Game>(game: &G, position: &G::Position, text: &str)
where
    G::Position: TwoPlayer + Notation + Picture + Symmetric,
{
    let back = game.read(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(back.write(), text, "read and written again");
    assert_eq!(back.key(), position.key(), "key after reading {text}");
    assert_eq!(back.turn(), position.turn(), "turn after reading {text}");
    assert!(!position.text().is_empty() && position.scene().svg().starts_with("<svg"));
    let moves = position.move_list();
    assert_eq!(back.move_list(), moves, "moves after reading {text}");
    assert_eq!(position.count_moves(), moves.len(), "count of moves at {text}");
    let (low, high) = position.score_range();
    if position.turn().is_over() {
        assert!(moves.is_empty(), "moves after the end: {text}");
        let score = position.payoff().of(Player::FIRST);
        assert!((low..=high).contains(&score), "payoff {score} outside {low}..={high}: {text}");
        assert!(G::Position::DRAWS || score != 0, "a draw in a game without draws: {text}");
        assert_eq!(back.payoff(), position.payoff(), "payoff after reading {text}");
    } else {
        assert!(!moves.is_empty(), "a player to move has no move: {text}");
    }
    let found = position.winning_move(None);
    for likely in [None, moves.first().copied(), moves.last().copied()] {
        let m = position.winning_move(likely);
        assert_eq!(m.is_some(), found.is_some(), "whether a move wins at {text} depends on {likely:?}");
        let wins =
            |m| position.after(m).turn().is_over() && position.after(m).payoff().of(position.mover()) > 0;
        assert!(m.is_none_or(|m| moves.contains(&m) && wins(m)), "{m:?} is no winning move at {text}");
    }
    check_secured(position, text);
    for &m in &moves {
        let name = position.write_move(m);
        assert_eq!(position.read_move(&name), Ok(m), "move {name} at {text}");
        let (inner_low, inner_high) = position.after(m).score_range();
        assert!(low <= inner_low && inner_high <= high, "score range grows after {name} at {text}");
    }
    assert_eq!(position.image(0).write(), text, "symmetry 0 is the identity");
    for s in 1..position.symmetries() {
        let image = position.image(s);
        assert_eq!(image.canonical_key(), position.canonical_key(), "canonical key of image {s} of {text}");
        assert_eq!(image.turn(), position.turn(), "turn of image {s} of {text}");
        assert_eq!(image.score_range(), (low, high), "score range of image {s} of {text}");
        if position.turn().is_over() {
            assert_eq!(image.payoff(), position.payoff(), "payoff of image {s} of {text}");
        } else if G::Position::CYCLIC {
            assert_eq!(image.repeated(), position.repeated(), "endless play from image {s} of {text}");
        }
        let mut images: Vec<_> = moves.iter().map(|&m| position.image_move(m, s)).collect();
        images.sort();
        let mut there = image.move_list();
        there.sort();
        assert_eq!(images, there, "moves of image {s} of {text}");
        for &m in moves.iter().take(8) {
            let first = position.after(m).image(s).write();
            let second = image.after(position.image_move(m, s)).write();
            assert_eq!(first, second, "symmetry {s} and {} commute at {text}", position.write_move(m));
        }
    }
}

/// Feeds `count` random texts, most of them damaged real ones, to each of the parsers of the game.
///
/// # Panics
/// When a parser does.
pub fn garbage<G: Game>(game: &G, rng: &mut Rng, count: usize)
where
    G::Position: Notation,
{
    let start = game.start();
    let mut at = start.clone();
    for _ in 0..count {
        match at.random_move(rng) {
            Some(m) => at.play(m),
            None => at = start.clone(),
        }
        let mut real = vec![at.write(), game.variant()];
        real.extend(at.move_list().first().map(|&m| at.write_move(m)));
        let text = text(&real, rng);
        if let Ok(position) = game.read(&text) {
            // Whatever is let in must be playable.
            assert_eq!(position.turn().is_over(), position.move_list().is_empty(), "{text}");
            let mut on = position;
            on.playout(rng, 20);
        }
        let _ = at.read_move(&text);
        let _ = at.read_line(&text);
        let _ = G::from_variant(&text);
    }
}
