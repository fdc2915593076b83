//! How far simple features explain the values of awari's positions (J. van Rijswijck, Learning from Perfection, 2000).
//!
//! The figures are over the positions in which a pit of the opponent is empty, as the one that was just sown is. Every feature
//! sorts positions into *classes*; judging each by the mean of its class leaves some of the variance of the values.

use super::{Desk, Row};
use endspiel_expertise::awari::Levels;
use endspiel_game::Game;
use endspiel_retro::{Error, Indexed, Metric, Store};
use endspiel_rules::awari::Awari;
use std::time::Instant;

const PUBLISHED: &str = include_str!("features.txt");
/// The levels of the columns.
const STONES: [u8; 3] = [10, 15, 20];

/// The mover's pits and the opponent's.
type Pits = [[u8; 6]; 2];

/// What a position has: its pits and its value.
type Feature = Box<dyn Fn(&Pits, i32) -> i32 + Sync>;

/// Classes of a single feature; those of two are its square.
const CLASSES: usize = 64;

fn mobility(pits: &Pits, side: usize) -> i32 {
    pits[side].iter().filter(|&&stones| stones > 0).count() as i32
}

fn safety(pits: &Pits, side: usize) -> i32 {
    pits[side].iter().filter(|&&stones| stones > 2).count() as i32
}

/// Enemy pits in which the last stone of some move would fall, whether it captures or not. The pit sown is passed over; the
/// published figures have that happen with eleven stones already, of which by the rules none comes round to it.
fn attack(pits: &Pits, side: usize) -> i32 {
    let mut hit = [false; 12];
    for (pit, &stones) in pits[side].iter().enumerate().filter(|(_, stones)| **stones > 0) {
        let steps = usize::from(stones) + usize::from(stones) / 11;
        hit[(pit + steps) % 12] = true;
    }
    hit[6..].iter().filter(|&&hit| hit).count() as i32
}

fn home(pits: &Pits, side: usize) -> i32 {
    pits[side].iter().map(|&stones| i32::from(stones)).sum()
}

/// A pit by its letter, or the value.
fn atom(text: &str) -> Option<Feature> {
    let at = text.find(['=', '>'])?;
    let (name, than) = (text[..at].bytes().next()?, text[at + 1..].parse::<i32>().ok()?);
    let exact = text.as_bytes()[at] == b'=';
    let holds = move |number: i32| i32::from(if exact { number == than } else { number > than });
    Some(match name {
        b'v' => Box::new(move |_, value| holds(value)),
        b'a'..=b'f' => Box::new(move |pits, _| holds(pits[0][usize::from(name - b'a')].into())),
        b'A'..=b'F' => Box::new(move |pits, _| holds(pits[1][usize::from(name - b'A')].into())),
        _ => return None,
    })
}

/// A feature by its name.
fn feature(name: &str) -> Option<Feature> {
    fn sided(name: &str, count: fn(&Pits, usize) -> i32) -> Feature {
        match name.split_once('-').map(|(_, side)| side) {
            Some("South") => Box::new(move |pits, _| count(pits, 0)),
            Some(_) => Box::new(move |pits, _| count(pits, 1)),
            None => Box::new(move |pits, _| count(pits, 0) - count(pits, 1)),
        }
    }
    fn quiet(holds: fn(&[u8; 6], &[u8; 6]) -> bool) -> Feature {
        Box::new(move |[own, other], _| i32::from(holds(own, other)))
    }
    if let Some((one, other)) = name.split_once(',') {
        let (one, other) = (feature(one)?, feature(other)?);
        return Some(Box::new(move |pits, value| {
            class(one(pits, value)) * CLASSES as i32 + other(pits, value)
        }));
    }
    // The evolved features of table 5; x <= y holds unless y does and x does not.
    Some(match name {
        "-" => Box::new(|_, _| 0),
        "b>0<=a=0" => quiet(|own, _| own[1] > 0 || own[0] != 0),
        "a=0&(b>0=>f=5)" => quiet(|own, _| own[0] == 0 && (own[1] == 0 || own[5] == 5)),
        "f7" => quiet(|own, other| {
            let small = own[0] == 0 && (own[1] == 0 || own[5] == 5);
            other[0] > 2 || ((other[1] > 2 || small || own[0] == 8) ^ (other[0] > 7))
        }),
        "A>2|B>2" => quiet(|_, other| other[0] > 2 || other[1] > 2),
        "f5" => quiet(|own, other| {
            (other[1] > 2) ^ (own[4] == 10) ^ (own[3] == 8) || other[0] > 2 || other[2] > 2
        }),
        _ if name.starts_with("mobility") => sided(name, mobility),
        _ if name.starts_with("safety") => sided(name, safety),
        _ if name.starts_with("attack") => sided(name, attack),
        _ if name.starts_with("balance") => sided(name, home),
        _ => return atom(name),
    })
}

/// Differences may be negative.
fn class(number: i32) -> i32 {
    number + CLASSES as i32 / 2
}

/// Positions of a class, the sum of their values and of the squares.
type Sums = (u64, i64, i64);

/// What all classes of a feature leave of the variance.
fn left(classes: &[Sums], all: f64) -> f64 {
    let within = |&(many, sum, squares): &Sums| squares as f64 - (sum * sum) as f64 / many as f64;
    classes.iter().filter(|(many, ..)| *many > 0).map(within).sum::<f64>() / all
}

/// All figures of all levels.
pub fn features(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let game = Levels::new(Awari::default());
    let store = Store::new(desk.dir, &game.game().full_name());
    for (column, stones) in STONES.into_iter().enumerate() {
        let begun = Instant::now();
        let rows = PUBLISHED.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let printed = *words.get(2 + column).filter(|text| **text != "-")?;
            Some((words[0], words[1], printed, feature(words[1])?))
        });
        let rows: Vec<_> = rows.collect();
        let table = desk.table(&game, &store, stones, Metric::Score)?;
        let mut sums = vec![vec![(0, 0, 0); CLASSES * CLASSES]; rows.len()];
        for index in 0..game.size(stones) {
            let Some((board, value)) = game.position(stones, index).zip(table.get(index)) else { continue };
            let mover = game.mover(&board);
            let pits = [mover, mover.other()].map(|player| board.pits(player));
            if !pits[1].contains(&0) {
                continue;
            }
            let points = i64::from(value);
            for ((_, _, _, feature), sums) in rows.iter().zip(&mut sums) {
                if let Some(sums) = sums.get_mut(class(feature(&pits, value)) as usize) {
                    *sums = (sums.0 + 1, sums.1 + points, sums.2 + points * points);
                }
            }
        }
        let all: Vec<Sums> = sums
            .first()
            .map(|classes| classes.iter().fold((0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2)))
            .into_iter()
            .collect();
        let count = all.iter().map(|sums| sums.0).sum::<u64>() as f64;
        let variance = left(&all, count);
        for ((what, name, printed, _), classes) in rows.iter().zip(&sums) {
            let number = match *what {
                "deviation" => variance.sqrt(),
                "mean" => all.iter().map(|sums| sums.1).sum::<i64>() as f64 / count,
                "explains" => 1.0 - left(classes, count) / variance,
                _ => (left(classes, count) / variance).sqrt(),
            };
            let published: f64 = printed.trim_start_matches('*').parse().unwrap_or(f64::NAN);
            let row = Row {
                name: format!("{stones} stones: {what} {name}"),
                metric: Metric::Score.name(),
                published: Some(format!("{published:.5}")),
                misprint: None,
                found: format!("{number:.5}"),
                agrees: Some((number - published).abs() < 6e-6),
                positions: count as u64,
                seconds: begun.elapsed().as_secs_f64(),
            };
            if !desk.tell(row) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
