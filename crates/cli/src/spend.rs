//! What a command may spend: time, nodes, memory and threads, in people's units.

use clap::Args;
use endspiel_game::Budget;
use std::time::Duration;

/// What the program takes beside its tables and trees.
const PROGRAM: usize = 12 << 20;

/// The most plies of perft.
const DEEPEST: u32 = 100;

/// What may be spent.
#[derive(Debug, Args)]
pub struct Spend {
    /// Time, such as 30s, 500ms, 2m or 1h.
    #[arg(long, value_parser = read_time, allow_hyphen_values = true)]
    pub time: Option<Duration>,
    /// Nodes, such as 5000, 10M or 2G.
    #[arg(long, value_parser = read_count, allow_hyphen_values = true)]
    pub nodes: Option<u64>,
    /// Memory of the whole program, such as 64M or 2G.
    #[arg(long, default_value = "512M", value_parser = read_bytes, allow_hyphen_values = true)]
    pub memory: usize,
    /// Threads; with one, the same seed gives the same answer.
    #[arg(long, default_value_t = 1, value_parser = read_threads)]
    pub threads: u16,
    /// The seed of all randomness.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl Spend {
    /// The budget; `time` is the limit where none was given.
    pub fn budget(&self, time: Option<Duration>) -> Budget {
        Budget {
            nodes: self.nodes,
            time: self.time.or(if self.nodes.is_some() { None } else { time }),
            memory: self.memory - PROGRAM.min(self.memory / 16 * 3),
            threads: usize::from(self.threads),
            seed: self.seed,
            ..Budget::default()
        }
    }
}

fn split_unit(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()))
}

pub fn read_time(text: &str) -> Result<Duration, String> {
    let expected = "a time such as 500ms, 30s, 2m or 1h";
    let (number, unit) = split_unit(text.trim());
    let number: f64 = number.parse().map_err(|_| format!("expected {expected}"))?;
    let seconds = match unit {
        "ms" => number / 1e3,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("unknown unit '{unit}'; expected {expected}")),
    };
    if seconds <= 0.0 {
        return Err(format!("that is no time at all; expected {expected}"));
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("too long; expected {expected}"))
}

pub fn read_threads(text: &str) -> Result<u16, String> {
    let threads = text.trim().parse().ok().filter(|n| (1..=256).contains(n));
    threads.ok_or_else(|| "expected a number of threads from 1 to 256".into())
}

pub fn read_depth(text: &str) -> Result<u32, String> {
    let depth = text.trim().parse().ok().filter(|n| (0..=DEEPEST).contains(n));
    depth.ok_or_else(|| format!("expected a number of plies from 0 to {DEEPEST}"))
}

fn read_scaled(text: &str, base: f64, expected: &str) -> Result<f64, String> {
    let (number, unit) = split_unit(text.trim());
    let number: f64 = number.parse().map_err(|_| format!("expected {expected}"))?;
    let power = match unit.trim_end_matches("iB").trim_end_matches('B') {
        "" => 0,
        "k" | "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err(format!("unknown unit '{unit}'; expected {expected}")),
    };
    Ok(number * base.powi(power))
}

pub fn read_count(text: &str) -> Result<u64, String> {
    let expected = "a number such as 5000, 10M or 2G";
    match read_scaled(text, 1000.0, expected)? {
        n if (1.0..1e18).contains(&n) => Ok(n as u64),
        _ => Err(format!("out of range; expected {expected}")),
    }
}

pub fn read_bytes(text: &str) -> Result<usize, String> {
    let expected = "a size from 1M to 16T, such as 64M or 2G";
    match read_scaled(text, 1024.0, expected)? {
        n if (1_048_576.0..1.8e13).contains(&n) => Ok(n as usize),
        _ => Err(format!("out of range; expected {expected}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_in_people_s_units() {
        assert_eq!(read_time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(read_time("2m"), Ok(Duration::from_secs(120)));
        assert!(read_time("2 fortnights").is_err() && read_time("-1s").is_err() && read_time("").is_err());
        assert_eq!(read_count("10M"), Ok(10_000_000));
        assert!(read_time("0").is_err() && read_threads("0").is_err() && read_threads("abc").is_err());
        assert_eq!((read_threads("2"), read_depth("0")), (Ok(2), Ok(0)));
        assert!(read_depth("101").is_err() && read_depth("deep").is_err());
        assert!(read_count("0").is_err() && read_count("many").is_err());
        assert_eq!(read_bytes("2G"), Ok(2 << 30));
        assert_eq!(read_bytes("64MiB"), Ok(64 << 20));
        assert!(read_bytes("10").is_err() && read_bytes("1e300G").is_err());
    }

    #[test]
    fn garbled_budgets_are_refused_or_in_range() {
        let real = ["500ms", "2m", "1.5h", "10M", "2G", "64MiB", "5000"].map(String::from);
        let mut rng = endspiel_game::Rng::new(1);
        for _ in 0..endspiel_game::garbage::rounds(20_000) {
            let text = endspiel_game::garbage::text(&real, &mut rng);
            let _ = read_time(&text);
            assert!(read_count(&text).is_ok_and(|n| n > 0) || read_count(&text).is_err(), "{text}");
            assert!(read_bytes(&text).is_ok_and(|n| n >= 1 << 20) || read_bytes(&text).is_err(), "{text}");
        }
    }
}
