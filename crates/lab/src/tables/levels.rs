//! Awari's levels beside figures of the field: who wins how often, means and deviations under four rules of the grand slam, and
//! the passes of value iteration, with two buffers and in place. Those in place depend on the order of the positions, and on
//! threads: one works, and they agree within a tenth.

use super::{Desk, Row};
use endspiel_expertise::awari::Levels;
use endspiel_game::Game;
use endspiel_retro::{Error, Indexed, Job, Known, Metric, Scheme, Store, Table, Work, iterate};
use endspiel_rules::awari::Awari;
use std::sync::Arc;
use std::time::Instant;

const PUBLISHED: &str = include_str!("levels.txt");

/// Mean and deviation.
pub(super) fn spread(values: impl Iterator<Item = i32>) -> (f64, f64) {
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for value in values.map(f64::from) {
        (count, sum, squares) = (count + 1.0, sum + value, squares + value * value);
    }
    let mean = sum / count;
    (mean, (squares / count - mean * mean).sqrt())
}

/// Is every number of the published text that of the found one?
fn agree(published: &str, found: &str) -> bool {
    super::agree(published, found, &["-"])
}

/// Is a number within a tenth of the published one?
fn is_near(published: &str, found: &str) -> bool {
    let numbers = (published.parse::<f64>(), found.parse::<f64>());
    matches!(numbers, (Ok(published), Ok(found)) if 10.0 * (found - published).abs() <= published)
}

/// All lines, the smallest levels first.
pub fn levels(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let words = |line: &'static str| line.split(' ').collect::<Vec<&str>>();
    let mut lines: Vec<_> = PUBLISHED.lines().filter(|line| !line.starts_with('#')).map(words).collect();
    lines.sort_by_key(|line| line[1].parse::<u8>().unwrap_or(0));
    for line in lines {
        let begun = Instant::now();
        let (numbers, rules): (Vec<&str>, Vec<&str>) = line[2..].iter().partition(|word| !word.contains('='));
        let rules = rules.first().copied().unwrap_or_default();
        let game = Levels::new(Awari::from_variant(rules).unwrap_or_default());
        let stones: u8 = line[1].parse().unwrap_or(0);
        let store = Store::new(desk.dir, &game.game().full_name());
        let found = match line[0] {
            "passes" => passes(desk, &game, &store, stones, Scheme::TwoBuffers)?.to_string(),
            "in-place" => passes(desk, &game, &store, stones, Scheme::InPlace)?.to_string(),
            "values" => {
                let table = desk.table(&game, &store, stones, Metric::Score)?;
                let (mean, deviation) = spread(table.values().flatten());
                format!("{mean:.5} {deviation:.5}")
            }
            _ => outcomes(&desk.table(&game, &store, stones, Metric::Score)?),
        };
        let published = numbers.join(" ");
        let row = Row {
            name: format!("{} {stones} {}", line[0], if rules.is_empty() { "Olympiad rules" } else { rules }),
            metric: Metric::Score.name(),
            agrees: Some(match line[0] {
                "in-place" => is_near(&published, &found),
                _ => agree(&published, &found),
            }),
            published: Some(published),
            misprint: None,
            found,
            positions: game.size(stones),
            seconds: begun.elapsed().as_secs_f64(),
        };
        if !desk.tell(row) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Positions won, drawn and lost.
fn outcomes(table: &Table) -> String {
    let count = |sign: i32| table.values().flatten().filter(|value| value.signum() == sign).count();
    let [won, drawn, lost] = [1, 0, -1].map(count);
    format!("{won} {drawn} {lost}")
}

/// The passes over the levels below, in the order of the positions.
fn passes(desk: &Desk<'_>, game: &Levels, store: &Store, stones: u8, scheme: Scheme) -> Result<u32, Error> {
    let mut known = Known::default();
    for below in game.conversions(stones) {
        known.insert(below, Arc::new(desk.table(game, store, below, Metric::Score)?));
    }
    let threads = if scheme == Scheme::InPlace { 1 } else { desk.work.threads };
    let work = Work { threads, stop: desk.work.stop.clone(), watch: desk.work.watch };
    let job = Job { slice: stones, metric: Metric::Score, known: &known, work: &work };
    Ok(iterate(game, &job, scheme)?.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_is_near() {
        for (found, near) in [("54", true), ("66", true), ("53", false), ("67", false), ("-", false)] {
            assert_eq!(is_near("60", found), near, "{found}");
        }
    }
}
