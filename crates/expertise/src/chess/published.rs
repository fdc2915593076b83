//! The greatest depths that were published.

use super::endings::Depths;
use super::material::Material;
use endspiel_retro::Metric;
use std::collections::{BTreeMap, BTreeSet};

/// What was published of an ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// What is counted.
    pub metric: Metric,
    /// The ending.
    pub ending: &'static str,
    /// Positions of the greatest depths, in the order of [`Depths`]; where there are fewer of them than depths, entries of 1
    /// were lost in print.
    pub positions: Vec<u64>,
    /// The greatest depths, in moves of the winner.
    pub depths: Vec<u32>,
    /// The figures themselves, misprints mended.
    pub text: &'static str,
    /// What the print has instead, where it is known to be wrong.
    pub misprint: Option<&'static str>,
}

impl Published {
    fn read(line: &'static str) -> Option<Self> {
        let (name, rest) = line.split_once(' ')?;
        let (ending, rest) = rest.split_once(' ')?;
        let (text, misprint) =
            rest.split_once(" printed ").map_or((rest, None), |(text, print)| (text, Some(print)));
        let (positions, depths) = text.split_once('|')?;
        Some(Self {
            metric: Metric::named(name)?,
            ending,
            positions: positions.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?,
            depths: depths.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?,
            text,
            misprint,
        })
    }

    /// Are these the same figures, but for what was lost in print?
    pub fn agrees(&self, found: &Depths) -> bool {
        let found = || found.longest.iter().flatten();
        let mut printed = self.positions.iter().peekable();
        let positions = found().all(|(_, many)| printed.next_if_eq(&many).is_some() || *many == 1);
        let lost = self.depths.len() - self.positions.len().min(self.depths.len());
        let missing = found().count().saturating_sub(self.positions.len());
        let depths = found().map(|&(moves, _)| moves).eq(self.depths.iter().copied());
        positions && printed.next().is_none() && missing == lost && depths
    }
}

fn rows(text: &'static str) -> impl Iterator<Item = Published> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(Published::read)
}

/// The rows of endings with three and four men.
pub fn published() -> impl Iterator<Item = Published> {
    rows(include_str!("depths.txt"))
}

/// The rows of endings with five men.
pub fn published_five() -> impl Iterator<Item = Published> {
    rows(include_str!("five.txt"))
}

/// Moves of a phase under the fifty-move rule.
const PHASE: u32 = 50;

/// The endings that the fifty-move rule may touch: those with a phase that takes more moves than it allows, and all that convert into
/// such. `longest` tells the greatest depth to zeroing of an ending in moves.
pub fn touched(
    endings: impl IntoIterator<Item = Material>,
    longest: impl Fn(&Material) -> u32,
) -> BTreeSet<Material> {
    let (mut known, mut out) = (BTreeMap::new(), BTreeSet::new());
    for ending in endings {
        if is_touched(ending, &longest, &mut known) {
            out.insert(ending);
        }
    }
    out
}

fn is_touched(
    ending: Material,
    longest: &impl Fn(&Material) -> u32,
    known: &mut BTreeMap<Material, bool>,
) -> bool {
    if let Some(&touched) = known.get(&ending) {
        return touched;
    }
    let touched = longest(&ending) > PHASE
        || ending.conversions().into_iter().any(|below| is_touched(below, longest, known));
    known.insert(ending, touched);
    touched
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        let all = |text: &str| text.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(published().count(), all(include_str!("depths.txt")));
        assert_eq!(published_five().count(), 180);
        let misprints: Vec<_> =
            published().filter_map(|row| Some((row.ending, row.text, row.misprint?))).collect();
        let mended = [
            ("KBKB", "57 14 14 57 | 1 0 0 1", "52 14 14 52 | 1 0 0 1"),
            ("KQKN", "5 21 | 19 19", "5 19 | 19 19"),
        ];
        assert_eq!(misprints, mended);
    }

    #[test]
    fn lost_entries_may_be_anywhere() {
        let row = Published::read("dtc KNNKP 2 4 1 | 114 113 12 13").unwrap();
        let found = |positions: [u64; 4]| Depths {
            longest: [114, 113, 12, 13]
                .into_iter()
                .zip(positions)
                .map(Some)
                .collect::<Vec<_>>()
                .try_into()
                .unwrap(),
        };
        for good in [[2, 4, 1, 1], [1, 2, 4, 1], [2, 1, 4, 1]] {
            assert!(row.agrees(&found(good)), "{good:?}");
        }
        for bad in [[2, 4, 1, 2], [4, 2, 1, 1], [1, 1, 1, 1], [2, 3, 1, 1]] {
            assert!(!row.agrees(&found(bad)), "{bad:?}");
        }
    }

    /// The greatest depth to zeroing of an ending that was published: depth to conversion where the two do not differ.
    fn longest(ending: &Material) -> u32 {
        let name = ending.name();
        let depth = |metric: Metric| {
            let mut rows = published().chain(published_five());
            let row = rows.find(|row| row.metric == metric && row.ending == name)?;
            row.depths.into_iter().max()
        };
        depth(Metric::Zeroing).or_else(|| depth(Metric::Conversion)).unwrap_or(0)
    }

    #[test]
    fn the_rule_touches_no_ending_with_four_men_and_these_with_five() {
        let of = |men: usize| touched(Material::all(men), longest);
        assert!(of(3).is_empty() && of(4).is_empty());
        let five = of(5);
        let deep: Vec<String> =
            five.iter().filter(|ending| longest(ending) > PHASE).map(Material::name).collect();
        let mut deep: Vec<&str> = deep.iter().map(String::as_str).collect();
        deep.sort_unstable();
        let expected =
            ["KBBKN", "KBBKQ", "KBNKN", "KNNKP", "KNNKQ", "KQPKQ", "KQRKQ", "KRBKR", "KRPKB", "KRPKQ"];
        assert_eq!(deep, expected);
        // Where depths under the rule were published because they differ, the rule touches the ending.
        let differ: BTreeSet<&str> =
            published_five().filter(|row| row.metric == Metric::ZEROING50).map(|row| row.ending).collect();
        let names: BTreeSet<String> = five.iter().map(Material::name).collect();
        assert_eq!(differ.len(), 20);
        assert!(differ.iter().all(|name| names.contains(*name)), "{names:?}");
        // It might touch these, too, by promotions that nobody needs: no difference was published.
        let others: Vec<&str> =
            names.iter().map(String::as_str).filter(|name| !differ.contains(name)).collect();
        let expected = ["KBPKP", "KBPKQ", "KBPKR", "KNPKP", "KPPKB", "KPPKN", "KPPKR", "KRBKP", "KRPKR"];
        assert_eq!(others, expected);
    }
}
