//! What the fifty-move rule does to the wins of endings: how many become draws, and in how many the next move that zeroes the
//! count comes later (J. Tamplin and G. Haworth, Chess Endgames: Data and Strategy, 2003).

use super::{Desk, Row};
use endspiel_expertise::chess::{Endings, Impact, Material};
use endspiel_retro::{Error, Indexed, Metric, Store, cells, closure};
use std::time::Instant;

const PUBLISHED: &str = include_str!("impact.txt");

/// The metric whose table tells depths to zeroing. Without pawns only conversions zero the count: it is the same table.
pub(super) fn zeroing(slice: Material) -> Metric {
    if slice.has_pawns() { Metric::Zeroing } else { Metric::Conversion }
}

/// A share in percent: none, less than a hundredth, or with two digits.
fn percent(part: u64, all: u64) -> String {
    match 100.0 * part as f64 / all.max(1) as f64 {
        _ if part == 0 => "0".into(),
        share if share < 0.005 => "e".into(),
        share => format!("{share:.2}"),
    }
}

/// The figures as they are printed: drawn with White and with Black to move, delayed, then the shares.
fn figures(impact: &Impact) -> String {
    let ([a, b], [c, d]) = (impact.drawn, impact.delayed);
    let [first, second] = impact.won;
    let shares = [percent(a, first), percent(b, second), percent(c, first), percent(d, second)];
    format!("{a} {b} {c} {d} {}", shares.join(" "))
}

/// Is every figure of the published text, but for those that are not printed or cannot be read, that of the found one?
fn agree(published: &str, found: &str) -> bool {
    super::agree(published, found, &["-", "?"])
}

/// All rows, those without pawns first.
pub fn impact(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let (game, store) = (Endings::new(), Store::new(desk.dir, "chess"));
    let mut rows: Vec<(Option<Material>, [&str; 3])> = Vec::new();
    for line in PUBLISHED.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.splitn(3, ' ');
        let [Some(ending), Some(winner), Some(figures)] = [words.next(), words.next(), words.next()] else {
            continue;
        };
        if !desk.wants(ending) {
            continue;
        }
        let slice = game.read_slices(ending).ok().and_then(|slices| slices.first().copied());
        rows.push((slice, [ending, winner, figures]));
    }
    if desk.misses() {
        return Ok(false);
    }
    // What takes the least comes first, with all endings below; those with six men are told last.
    let size = |s: Material| closure(&game, &[s]).into_iter().map(|s| game.size(s)).sum::<u64>();
    rows.sort_by_key(|(slice, _)| {
        slice.map_or((true, true, 0, None), |s| (false, s.has_pawns(), size(s), Some(s)))
    });
    let mut last = None;
    for (slice, [ending, winner, published]) in rows {
        let begun = Instant::now();
        let found = match (slice, &last) {
            (None, _) => None,
            (Some(slice), Some((there, both))) if *there == slice => Some(*both),
            (Some(slice), _) => {
                desk.build(&game, &store, &[slice], Metric::ZEROING50)?;
                desk.build(&game, &store, &[slice], zeroing(slice))?;
                desk.check_room(&store, ending, &[zeroing(slice), Metric::ZEROING50])?;
                let without = desk.table(&game, &store, slice, zeroing(slice))?;
                let with = cells(&game, &store, slice, Metric::ZEROING50, desk.work)?;
                let both = game.impact(slice, &without, &with);
                last = Some((slice, both));
                Some(both)
            }
        };
        let found = found.map(|both| figures(&both[usize::from(winner == "0-1")]));
        let row = Row {
            name: format!("{ending} {winner}"),
            metric: Metric::ZEROING50.name(),
            agrees: found.as_ref().map(|found| agree(published, found)),
            published: Some(published.into()),
            misprint: None,
            found: found.unwrap_or_else(|| "six men: out of reach".into()),
            positions: slice.map_or(0, |slice| game.size(slice)),
            seconds: begun.elapsed().as_secs_f64(),
        };
        if !desk.tell(row) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_expertise::chess::published_five;
    use std::collections::BTreeSet;

    #[test]
    fn figures_are_written_as_printed() {
        let impact = Impact { won: [200_000, 20_000], drawn: [4_210, 9_640], delayed: [0, 1] };
        assert_eq!(figures(&impact), "4210 9640 0 1 2.10 48.20 0 0.01");
        assert_eq!(percent(9, 200_000), "e");
        assert!(agree("4210 9640 0 1 2.10 ? - -", "4210 9640 0 1 2.10 48.20 0 0.01"));
        assert!(!agree("4210 9641 0 1 2.10 ? - -", "4210 9640 0 1 2.10 48.20 0 0.01"));
        assert!(!agree("4210 9640 0 1", "4210 9640 0 1 2.10 48.20 0 0.01"), "too short");
        let rows: Vec<_> = PUBLISHED.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(rows.len(), 39);
        assert!(rows.iter().all(|row| row.split(' ').count() == 10));
    }

    /// Rows are published of the endings whose depths under the rule are, and of no other with five men.
    #[test]
    fn the_rule_has_an_impact_where_depths_differ() {
        let lines = PUBLISHED.lines().filter(|line| !line.starts_with('#'));
        let rows: BTreeSet<&str> = lines.filter_map(|line| line.split(' ').next()).collect();
        let five: BTreeSet<&str> = rows.into_iter().filter(|ending| ending.len() == 5).collect();
        let differ = published_five().filter(|row| row.metric == Metric::ZEROING50).map(|row| row.ending);
        assert_eq!(five, differ.collect());
    }
}
