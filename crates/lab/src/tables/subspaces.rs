//! The 28 subspaces of nine men's morris: who wins how often, and the longest win. R. Gasser solved the game with them (Solving
//! Nine Men's Morris, 1996); how often who wins he printed as a picture alone, so nothing stands beside the figures.

use super::{Desk, Row};
use endspiel_expertise::nine_mens_morris::{Subspace, Subspaces};
use endspiel_game::Game;
use endspiel_retro::{Error, Indexed, Metric, Store, cells};
use endspiel_rules::nine_mens_morris::NineMensMorris;
use std::time::Instant;

/// All subspaces, in an order in which they are solved.
pub fn subspaces(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let (game, metric) = (Subspaces::new(), Metric::End);
    let store = Store::new(desk.dir, &NineMensMorris.full_name());
    for slice in Subspace::all() {
        let begun = Instant::now();
        desk.build(&game, &store, &[slice], metric)?;
        // Numbers that are no position have the cell of another, which is no longer than the longest.
        let table = cells(&game, &store, slice, metric, desk.work)?;
        let longest = table.values().flatten().max().unwrap_or(0);
        let header = store.open(&game.slice_name(slice), metric, 0)?.header().clone();
        let row = Row {
            name: header.slice,
            metric: metric.name(),
            published: None,
            misprint: None,
            found: format!("{} {} {} {longest}", header.wins, header.draws, header.losses),
            agrees: None,
            positions: game.size(slice),
            seconds: begun.elapsed().as_secs_f64(),
        };
        if !desk.tell(row) {
            return Ok(false);
        }
    }
    Ok(true)
}
