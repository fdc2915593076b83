//! The one-player table as a database: moves, a byte a configuration.

use super::star::{FIELDS, Fields, Star};
use super::table::{CONFIGURATIONS, Layers, PIECES, configuration, number};
use endspiel_game::TextError;
use endspiel_game::notation::shorten;
use endspiel_retro::{Alone, Cells, Error, Metric, Stage, Stopped, Table, Told, Work};
use std::sync::LazyLock;

/// Six pieces of one player on the small star.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pieces;

static STAR: LazyLock<Star> = LazyLock::new(Star::new);

/// The fields of a set, from 1.
fn fields(set: Fields) -> impl Iterator<Item = usize> {
    (0..FIELDS).filter(move |field| set >> field & 1 == 1).map(|field| field + 1)
}

/// The numbers of the sets that one move makes.
fn after(set: Fields) -> Vec<Fields> {
    let mut out = Vec::new();
    STAR.moves(set, &mut |next| out.push(next));
    out
}

impl Alone for Pieces {
    fn name(&self) -> &'static str {
        "chinese-checkers"
    }

    fn summary(&self) -> &'static str {
        "moves that a player alone needs to bring six pieces home on the small star"
    }

    fn slice(&self) -> &'static str {
        "star"
    }

    fn metric(&self) -> Metric {
        Metric::Moves
    }

    fn size(&self) -> u64 {
        u64::from(CONFIGURATIONS)
    }

    /// The table, a bit for what was seen, and room for two layers of a sixth of all configurations.
    fn solving_bytes(&self) -> u64 {
        self.size() + self.size() / 8 + 2 * 4 * self.size() / 6
    }

    fn read(&self, text: &str) -> Result<u64, TextError> {
        let wrong = || {
            let what = format!("'{}' is no set of six fields", shorten(text));
            TextError::new(0, what, "six different fields from 1 to 73, or the words start or home")
        };
        let set = match text.trim() {
            "start" => STAR.start(),
            "home" => STAR.home(),
            text => {
                let mut set: Fields = 0;
                for word in text.split_whitespace() {
                    let field =
                        word.parse::<usize>().ok().filter(|f| (1..=FIELDS).contains(f)).ok_or_else(wrong)?;
                    set |= 1 << (field - 1);
                }
                set
            }
        };
        if set.count_ones() as usize == PIECES { Ok(number(set).into()) } else { Err(wrong()) }
    }

    fn write(&self, at: u64) -> String {
        fields(configuration(at as u32)).map(|field| field.to_string()).collect::<Vec<_>>().join(" ")
    }

    fn picture(&self, at: u64) -> Option<String> {
        let set = configuration(at as u32);
        Some(STAR.drawn(2, |field| if set >> field & 1 == 1 { "o" } else { "." }.into()))
    }

    fn solve(&self, work: &Work<'_>) -> Result<Table, Stopped> {
        let mut cells = vec![i8::MAX; CONFIGURATIONS as usize];
        let mut layers = Layers::new();
        for distance in 0..i8::MAX {
            let stage = Stage { doing: "layers", pass: distance as u32 + 1, changed: None };
            let Some(layer) = work.share(stage, 1, self.size(), |_| ()).map(|_| layers.next())? else {
                break;
            };
            for at in layer {
                cells[at as usize] = distance;
            }
        }
        Ok(Table { metric: Metric::Moves, cells: Cells::Narrow(cells) })
    }

    fn next(&self, at: u64, told: &Told<'_>) -> Result<Vec<(String, i32)>, Error> {
        let set = configuration(at as u32);
        let mut out = Vec::new();
        for next in after(set) {
            let (from, to) = (fields(set & !next).next(), fields(next & !set).next());
            let name = format!("{}-{}", from.unwrap_or(0), to.unwrap_or(0));
            out.push((name, told(number(next).into())?));
        }
        out.sort_by_key(|&(_, value)| value);
        Ok(out)
    }

    fn derive(&self, at: u64, told: &Told<'_>) -> Result<i32, Error> {
        let set = configuration(at as u32);
        if set == STAR.home() {
            return Ok(0);
        }
        let mut least = i32::MAX - 1;
        for next in after(set) {
            least = least.min(told(number(next).into())?);
        }
        Ok(least + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_are_read_and_written() {
        for text in ["start", "home", "1 2 3 4 5 73", "73 1 9 12 30 40"] {
            let at = Pieces.read(text).unwrap();
            assert_eq!(Pieces.read(&Pieces.write(at)).unwrap(), at);
        }
        for text in ["", "1 2 3 4 5", "1 1 2 3 4 5", "0 1 2 3 4 5", "1 2 3 4 5 74", "a b"] {
            assert!(Pieces.read(text).is_err(), "{text}");
        }
    }

    /// The start is on top, home below; fields are numbered by rows.
    #[test]
    fn pictures_are_stars() {
        let star = Pieces.picture(Pieces.read("start").unwrap()).unwrap();
        let rows: Vec<&str> = star.lines().collect();
        assert_eq!(
            rows.iter().map(|row| row.trim_start()).take(4).collect::<Vec<_>>(),
            ["o", "o o", "o o o", ". . . . . . . . . ."]
        );
        assert_eq!(star.chars().filter(|c| ".o".contains(*c)).count(), FIELDS);
        assert_eq!((rows.len(), rows[6]), (13, "   . . . . . . ."));
    }

    /// With the first layers known, a configuration of one of them follows from its neighbours.
    #[test]
    fn values_follow_from_neighbours() {
        let layers: Vec<Vec<u32>> = Layers::new().take(4).collect();
        let told = |at: u64| {
            let found = layers.iter().position(|layer| layer.contains(&(at as u32)));
            Ok(found.map_or(100, |distance| distance as i32))
        };
        for (distance, layer) in layers.iter().take(3).enumerate() {
            for &at in layer {
                assert_eq!(Pieces.derive(at.into(), &told).unwrap(), distance as i32);
            }
        }
        let moves = Pieces.next(Pieces.read("home").unwrap(), &told).unwrap();
        assert!(moves.len() == 10 && moves.iter().all(|(_, value)| *value == 1));
    }
}
