//! Endings of xiangqi, checkers and chess beside the tables of the field.

use super::{Desk, Row};
use endspiel_expertise::{checkers, chess, xiangqi};
use endspiel_game::Game;
use endspiel_retro::{Error, Indexed, Metric, Store};
use endspiel_rules::checkers::Checkers;
use std::time::Instant;

/// The 151 endings of H. Fang, T. Hsu and S. Hsu (2000): sizes, draws by who is to move, and the longest distance to mate.
pub fn xiangqi(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let (game, store) = (xiangqi::Endings::new(), Store::new(desk.dir, "xiangqi"));
    let mut rows: Vec<_> = xiangqi::published().collect();
    rows.retain(|(name, _)| desk.wants(name));
    if desk.misses() {
        return Ok(false);
    }
    rows.sort_by_key(|(_, row)| row.size);
    for (name, published) in rows {
        let Some(&slice) = game.read_slices(name).ok().as_deref().and_then(<[_]>::first) else { continue };
        let begun = Instant::now();
        let table = desk.table(&game, &store, slice, Metric::End)?;
        let found = game.row(slice, &table);
        let row = Row {
            name: name.into(),
            metric: Metric::End.name(),
            published: Some(published.to_string()),
            misprint: xiangqi::misprint(name),
            found: found.to_string(),
            agrees: Some(found == published),
            positions: game.size(slice),
            seconds: begun.elapsed().as_secs_f64(),
        };
        if !desk.tell(row) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Endings with up to seven pieces: longest win and loss of the player to move, positions won, lost and drawn, and examples. E. Trice and
/// G. Dodgen (2003) published the longest wins; the rest agrees with an independent program where there is one.
pub fn checkers(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let (game, store) = (checkers::Endings::new(), Store::new(desk.dir, "checkers"));
    let read = |(name, _)| game.read_slices(name).unwrap_or_default();
    let mut slices: Vec<_> = checkers::published().flat_map(read).collect();
    let pieces = |slice: &checkers::Material| slice.0.iter().map(|side| u32::from(side.all)).sum::<u32>();
    slices.sort_by_key(|slice| (pieces(slice), game.size(*slice), *slice));
    slices.dedup();
    slices.retain(|&slice| desk.wants(&game.slice_name(slice)));
    if desk.misses() {
        return Ok(false);
    }
    for slice in slices {
        let mut begun = Instant::now();
        let table = desk.table(&game, &store, slice, Metric::End)?;
        for (name, figures) in game.figures(slice, &table) {
            let published: Vec<&str> =
                checkers::published().filter(|row| row.0 == name).map(|row| row.1).collect();
            let row = Row {
                agrees: (!published.is_empty()).then(|| published.iter().all(|row| figures.agree(row))),
                published: published.first().map(ToString::to_string),
                misprint: None,
                name,
                metric: Metric::End.name(),
                found: figures.to_string(),
                positions: figures.counts.iter().sum(),
                seconds: begun.elapsed().as_secs_f64(),
            };
            begun = Instant::now();
            if !desk.tell(row) {
                return Ok(false);
            }
        }
        for (text, published) in checkers::examples() {
            let place = Checkers.read(text).ok().and_then(|board| game.place(&board));
            let Some((_, index)) = place.filter(|(there, _)| *there == slice) else { continue };
            let found = checkers::told(table.get(index).unwrap_or(0));
            let row = Row {
                name: text.into(),
                metric: Metric::End.name(),
                agrees: Some(found == published),
                published: Some(published.into()),
                misprint: None,
                found,
                positions: 1,
                seconds: begun.elapsed().as_secs_f64(),
            };
            if !desk.tell(row) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The greatest depths of J. Tamplin and G. Haworth (2003) and how many positions have them, with three to five men.
pub fn chess(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let (game, store) = (chess::Endings::new(), Store::new(desk.dir, "chess"));
    let slice = |row: &chess::Published| game.read_slices(row.ending).ok()?.first().copied();
    let mut rows: Vec<_> = chess::published()
        .chain(chess::published_five())
        .filter(|row| desk.wants(row.ending))
        .filter_map(|row| Some((slice(&row)?, row)))
        .collect();
    if desk.misses() {
        return Ok(false);
    }
    rows.sort_by_key(|(slice, _)| (game.size(*slice), *slice));
    for (slice, published) in rows {
        let begun = Instant::now();
        let table = desk.table(&game, &store, slice, published.metric)?;
        let found = game.depths(slice, &table);
        let row = Row {
            name: published.ending.into(),
            metric: published.metric.name(),
            agrees: Some(published.agrees(&found)),
            published: Some(published.text.into()),
            misprint: published.misprint,
            found: found.to_string(),
            positions: game.size(slice),
            seconds: begun.elapsed().as_secs_f64(),
        };
        if !desk.tell(row) {
            return Ok(false);
        }
    }
    Ok(true)
}
