//! `endspiel perft`: lines of play of a given length, the usual test of rules.

use crate::args::From;
use crate::screen::{grouped, short};
use crate::{End, Failure};
use serde_json::json;
use std::io::Write;
use std::time::Instant;

pub fn run(
    game: &str,
    from: &From,
    depth: u32,
    divide: bool,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let game = super::open(game)?;
    let position = super::single(&*game, from)?;
    let begun = Instant::now();
    let seconds = |begun: Instant| begun.elapsed().as_secs_f64();
    if divide && depth > 0 {
        let parts = position.divide(depth);
        let total: u64 = parts.iter().map(|(_, n)| n).sum();
        if as_json {
            let moves: serde_json::Map<_, _> = parts.into_iter().map(|(name, n)| (name, json!(n))).collect();
            writeln!(
                out,
                "{}",
                json!({"game": game.full_name(), "depth": depth, "count": total, "moves": moves, "seconds": seconds(begun)})
            )?;
        } else {
            for (name, n) in parts {
                writeln!(out, "{name:8} {}", grouped(n))?;
            }
            writeln!(out, "{:8} {}", "all", grouped(total))?;
        }
        return Ok(End::Decided);
    }
    for d in 1.min(depth)..=depth {
        let begun = Instant::now();
        let count = position.perft(d);
        let took = seconds(begun);
        if as_json {
            writeln!(
                out,
                "{}",
                json!({"game": game.full_name(), "depth": d, "count": count, "seconds": took})
            )?;
        } else {
            writeln!(
                out,
                "{d:3} {:>20}  {:.3} s, {}/s",
                grouped(count),
                took,
                short(count as f64 / took.max(1e-9))
            )?;
            out.flush()?;
        }
    }
    Ok(End::Decided)
}
