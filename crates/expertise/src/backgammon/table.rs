//! The bear-off as a database: expected rolls in thousandths, so that a cell has two bytes.

use super::bear_off::{BearOff, HOMES, Home, MEN, POINTS, after_roll, home, number, rolls};
use endspiel_game::TextError;
use endspiel_game::notation::shorten;
use endspiel_retro::{Alone, Cells, Chances, Error, Metric, Stopped, Table, Told, Work};

/// The one-sided bear-off of up to fifteen men.
#[derive(Clone, Copy, Debug, Default)]
pub struct Homes;

/// Fifteen men are off by then.
const MOST_ROLLS: usize = 30;
/// What is less likely is not told.
const RARE: f64 = 5e-5;

/// The roll's name, the home after it when played best, and the roll's chance.
fn best_after(at: Home, told: &Told<'_>) -> Result<Vec<(String, u64, i32, f64)>, Error> {
    let mut out = Vec::new();
    for (dice, chance) in rolls() {
        let mut best = None;
        for next in after_roll(at, &dice) {
            let there = number(next) as u64;
            let value = told(there)?;
            if best.is_none_or(|(_, least)| value < least) {
                best = Some((there, value));
            }
        }
        let (there, value) = best.unwrap_or((0, 0));
        out.push((format!("{}-{}", dice[0], dice[dice.len() - 1]), there, value, chance));
    }
    Ok(out)
}

impl Alone for Homes {
    fn name(&self) -> &'static str {
        "backgammon"
    }

    fn summary(&self) -> &'static str {
        "the one-sided bear-off: rolls that up to fifteen men in the home board need on the average"
    }

    fn slice(&self) -> &'static str {
        "home"
    }

    fn metric(&self) -> Metric {
        Metric::Rolls
    }

    fn size(&self) -> u64 {
        HOMES as u64
    }

    fn solving_bytes(&self) -> u64 {
        HOMES as u64 * 320
    }

    fn read(&self, text: &str) -> Result<u64, TextError> {
        let wrong = |at: usize, what: String| {
            TextError::new(
                at,
                what,
                "the men on six points, the ace point first, fifteen at most: 2 2 3 0 0 1",
            )
        };
        let (mut at, mut home, mut read, mut all) = (0, [0; POINTS], 0, 0);
        for word in text.split(char::is_whitespace) {
            let here = at;
            // The blank that ends a word may have several bytes.
            at += word.len() + text[at + word.len()..].chars().next().map_or(0, char::len_utf8);
            if word.is_empty() {
                continue;
            }
            let men: usize =
                word.parse().map_err(|_| wrong(here, format!("'{}' is no number of men", shorten(word))))?;
            let point =
                home.get_mut(read).ok_or_else(|| wrong(here, "there are more than six points".into()))?;
            all = men.saturating_add(all);
            if all > MEN {
                return Err(wrong(here, format!("there are more than {MEN} men")));
            }
            (*point, read) = (men as u8, read + 1);
        }
        if read == POINTS {
            return Ok(number(home) as u64);
        }
        let end = text.trim_end().len();
        Err(wrong(end, format!("'{}' has {read} of the six points of a home board", shorten(text.trim()))))
    }

    fn write(&self, at: u64) -> String {
        home(at as usize).map(|men| men.to_string()).join(" ")
    }

    fn solve(&self, _work: &Work<'_>) -> Result<Table, Stopped> {
        let solved = BearOff::new();
        let rounded = |at: usize| (solved.expected_rolls(&home(at)).unwrap_or(0.0) * 1e3).round() as i16;
        Ok(Table { metric: Metric::Rolls, cells: Cells::Wide((0..HOMES).map(rounded).collect()) })
    }

    fn next(&self, at: u64, told: &Told<'_>) -> Result<Vec<(String, i32)>, Error> {
        if home(at as usize) == [0; POINTS] {
            return Ok(Vec::new());
        }
        let rolls = best_after(home(at as usize), told)?.into_iter();
        Ok(rolls.map(|(roll, there, value, _)| (format!("{roll}: {}", self.write(there)), value)).collect())
    }

    fn derive(&self, at: u64, told: &Told<'_>) -> Result<i32, Error> {
        if home(at as usize) == [0; POINTS] {
            return Ok(0);
        }
        let mean: f64 = best_after(home(at as usize), told)?
            .iter()
            .map(|&(_, _, value, chance)| chance * f64::from(value))
            .sum();
        Ok((1e3 + mean).round() as i32)
    }

    fn rivals<'a>(&self, text: &'a str) -> Result<(&'a str, Option<&'a str>), TextError> {
        let Some((first, second)) = text.split_once('|') else { return Ok((text, None)) };
        for (at, side) in [(0, first), (first.len() + 1, second)] {
            if self.read(side).map_err(|e| e.shifted(at))? == number([0; POINTS]) as u64 {
                let at = at + side.len() - side.trim_start().len();
                return Err(TextError::new(at, "a side without men has won already", "two homes with men"));
            }
        }
        Ok((first, Some(second)))
    }

    /// Solved anew: the table has only the mean.
    fn chances(&self, at: u64, against: Option<u64>) -> Option<Chances> {
        let (mine, other) = (home(at as usize), against.map(|at| home(at as usize)));
        let solved = BearOff::of(&[&[mine], other.as_slice()].concat());
        let mut done = Vec::new();
        // Who has no men is done without a roll.
        while mine != [0; POINTS]
            && done.last().is_none_or(|&chance| chance < 1.0 - RARE)
            && done.len() < MOST_ROLLS
        {
            // Sums of chances may pass 1 by a rounding.
            done.push(solved.done_within(&mine, done.len() + 1)?.min(1.0));
        }
        Some(Chances {
            done,
            wins: other.and_then(|other| solved.race(&mine, &other)).map(|wins| wins.min(1.0)),
        })
    }

    /// Half a thousandth each for the value and for those that it is derived from.
    fn rounding(&self) -> i32 {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_retro::{Store, build_alone, is_built_alone, open_alone, verify_alone};

    #[test]
    fn homes_are_numbered_both_ways() {
        assert!((0..HOMES).all(|at| number(home(at)) == at));
        assert_eq!(Homes.read("0 0 0 0 0 1").map(|at| Homes.write(at)).unwrap(), "0 0 0 0 0 1");
        for (text, at) in [
            ("", 0),
            ("1 2 3", 5),
            ("0 0 0 0 0 16", 10),
            ("7 7 7 0 0 0", 4),
            ("0 0 0 0 0 -1", 10),
            ("a b c d e f", 0),
            (" 0  x 0 0 0 0", 4),
            ("0\u{2003}x 0 0 0 0", 4),
            ("1 1 1 1 1 1 1", 12),
            ("99999999999999999999 0 0 0 0 0", 0),
        ] {
            assert_eq!(Homes.read(text).unwrap_err().at, at, "{text}");
        }
    }

    #[test]
    fn the_table_is_built_asked_and_verified() {
        let dir = std::env::temp_dir().join(format!("endspiel-bear-off-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        let (store, work) = (Store::new(&dir, "backgammon"), Work::default());
        assert!(!is_built_alone(&Homes, &store).unwrap());
        build_alone(&Homes, &store, &work).unwrap();
        assert!(is_built_alone(&Homes, &store).unwrap());
        assert_eq!(verify_alone(&Homes, &store, (1, 1 << 20), &work).unwrap(), 54_264);
        let little = verify_alone(&Homes, &store, (1, 1 << 16), &work);
        assert!(matches!(little, Err(Error::Memory { needed: 108_528, .. })), "{little:?}");
        let reader = open_alone(&Homes, &store, 1 << 20).unwrap();
        let told = |text: &str| reader.get(Homes.read(text).unwrap()).unwrap();
        // A man on the ace point goes off with any roll, one on the six point with 27 of 36, and surely with the next.
        assert_eq!([told("0 0 0 0 0 0"), told("1 0 0 0 0 0"), told("0 0 0 0 0 1")], [0, 1000, 1250]);
        let rolls = Homes.next(Homes.read("0 0 0 0 0 1").unwrap(), &|at| reader.get(at)).unwrap();
        assert_eq!((rolls.len(), rolls.iter().filter(|(_, value)| *value == 0).count()), (21, 16));
        // A changed cell is noticed.
        let mut table = reader.table().unwrap();
        let Cells::Wide(cells) = &mut table.cells else { panic!("cells have two bytes") };
        cells[777] += 3;
        store.save("home", &table, &work).unwrap();
        assert!(matches!(verify_alone(&Homes, &store, (1, 1 << 20), &work), Err(Error::Inconsistent { .. })));
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn chances_and_races() {
        let at = |text: &str| Homes.read(text).unwrap();
        // A man on the six point goes off with 27 of 36 rolls, and surely with the next.
        let six = Homes.chances(at("0 0 0 0 0 1"), Some(at("1 0 0 0 0 0"))).unwrap();
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(six.done.len() == 2 && near(six.done[0], 0.75) && near(six.done[1], 1.0), "{six:?}");
        assert!(six.wins.is_some_and(|wins| near(wins, 0.75)));
        assert!(Homes.chances(at("0 0 0 0 0 0"), None).unwrap().done.is_empty(), "done without a roll");
        let most = Homes.chances(at("0 0 0 0 0 15"), None).unwrap();
        assert!(most.wins.is_none() && most.done.len() > 10 && most.done.is_sorted(), "{most:?}");
        let whole = BearOff::new();
        assert!(near(most.done[9], whole.done_within(&[0, 0, 0, 0, 0, 15], 10).unwrap()));
        assert_eq!(Homes.rivals("1 0 0 0 0 0").unwrap(), ("1 0 0 0 0 0", None));
        let (mine, other) = Homes.rivals("0 0 0 0 0 1 | 1 0 0 0 0 0").unwrap();
        assert_eq!((at(mine), other.map(at)), (at("0 0 0 0 0 1"), Some(at("1 0 0 0 0 0"))));
        for (text, place) in [
            ("1 0 0 0 0 0|", 12),
            ("0 0 0 0 0 0|1 0 0 0 0 0", 0),
            ("1 0 0 0 0 0 | 0 0 0 0 0 0", 14),
            ("1 0 0 0 0 0 | 0 0 x", 18),
        ] {
            assert_eq!(Homes.rivals(text).unwrap_err().at, place, "{text}");
        }
    }
}
