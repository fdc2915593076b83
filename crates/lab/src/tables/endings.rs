//! Endings of xiangqi, checkers and chess beside the tables of the field.

use super::{Desk, Row, is_there};
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

/// Endings with up to seven pieces, by who is to move: longest win and loss, positions won, lost and drawn, beside those of an independent
/// program; then the longest win and loss without a jump, whoever is to move, beside those of E. Trice and G. Dodgen (2003), and their examples.
pub fn checkers(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let (game, store) = (checkers::Endings::new(), Store::new(desk.dir, "checkers"));
    let mut rows: Vec<_> = checkers::longest()
        .filter(|row| desk.wants(row.ending))
        .filter_map(|row| Some((*game.read_slices(row.ending).ok()?.first()?, row)))
        .collect();
    if desk.misses() {
        return Ok(false);
    }
    let pieces = |slice: &checkers::Material| slice.0.iter().map(|side| u32::from(side.all)).sum::<u32>();
    rows.sort_by_key(|(slice, _)| (pieces(slice), game.size(*slice), *slice));
    for (slice, printed) in rows {
        let mut begun = Instant::now();
        let table = desk.table(&game, &store, slice, Metric::End)?;
        let figures = game.figures(slice, &table);
        let mut tell = |name: String, published: Option<&str>, misprint, found: String, positions| {
            let row = Row {
                name,
                metric: Metric::End.name(),
                agrees: published.map(|published| published == found),
                published: published.map(ToString::to_string),
                misprint,
                found,
                positions,
                seconds: begun.elapsed().as_secs_f64(),
            };
            begun = Instant::now();
            desk.tell(row)
        };
        let mut quiet = checkers::Plies::default();
        for (name, figures) in figures {
            quiet = quiet.max(figures.quiet);
            let published = checkers::published().find(|row| row.0 == name).map(|row| row.1);
            if !tell(name, published, None, figures.to_string(), figures.counts.iter().sum()) {
                return Ok(false);
            }
        }
        let without = format!("{} without jumps", printed.ending);
        if !tell(without, Some(printed.text), printed.misprint, quiet.to_string(), game.size(slice)) {
            return Ok(false);
        }
        for (text, published) in checkers::examples() {
            let place = Checkers.read(text).ok().and_then(|board| game.place(&board));
            let Some((_, index)) = place.filter(|(there, _)| *there == slice) else { continue };
            let found = checkers::told(table.get(index).unwrap_or(0));
            if !tell(text.into(), Some(published), None, found, 1) {
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
    // What need not be built comes first.
    let cost = |slice, metric| (!is_there(&game, &store, slice, metric), game.size(slice), slice);
    rows.sort_by_cached_key(|(slice, published)| cost(*slice, published.metric));
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
