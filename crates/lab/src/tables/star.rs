//! The one-player table of Chinese checkers beside the number of configurations at every distance from home.

use super::{Desk, Row};
use endspiel_expertise::chinese_checkers::Pieces;
use endspiel_retro::{Alone, Error, Store, build_alone, check_room_alone, is_built_alone, open_alone};
use std::collections::BTreeMap;
use std::time::Instant;

/// Configurations at distance 0, 1, 2 and so on.
const PUBLISHED: &str = include_str!("star.txt");

/// All distances, and that of the start.
pub fn star(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let (game, store) = (Pieces, Store::new(desk.dir, Pieces.name()));
    let begun = Instant::now();
    if !is_built_alone(&game, &store)? {
        check_room_alone(&game, &store, desk.budget.memory as u64)?;
        build_alone(&game, &store, desk.work)?;
    }
    let table = open_alone(&game, &store, 0)?.table()?;
    let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
    table.values().flatten().for_each(|moves| *counts.entry(moves).or_default() += 1);
    let published: Vec<&str> = PUBLISHED.lines().filter(|line| !line.starts_with('#')).collect();
    let far = counts.keys().next_back().map_or(0, |&most| most as usize + 1);
    let row = |name: String, published: Option<String>, found: String| Row {
        name,
        metric: game.metric().name(),
        agrees: published.as_ref().map(|text| *text == found),
        published,
        misprint: None,
        found,
        positions: game.size(),
        seconds: begun.elapsed().as_secs_f64(),
    };
    for moves in 0..far.max(published.len()) {
        let found = counts.get(&(moves as i32)).copied().unwrap_or(0).to_string();
        let told = published.get(moves).map_or("0", |text| text).to_string();
        if !desk.tell(row(format!("{moves} moves"), Some(told), found)) {
            return Ok(false);
        }
    }
    let start = game.read("start").ok().and_then(|number| table.get(number));
    let found = start.map_or_else(|| "-".into(), |moves| format!("{moves} moves"));
    desk.tell(row("start".into(), Some("17 moves".into()), found));
    Ok(true)
}
