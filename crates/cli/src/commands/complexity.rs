//! `endspiel complexity`: how large a game is, counted where it can be, sampled with error bars elsewhere.

use super::{each_position, stop_on_interrupt};
use crate::args::Place;
use crate::screen::{Ink, grouped};
use crate::spend::Spend;
use crate::{End, Failure};
use endspiel_catalog::complexity::{Complexity, Figure, Space};
use endspiel_game::Budget;
use serde_json::json;
use std::io::Write;
use std::time::Duration;

/// Time for counting where no budget is given.
const USUAL: Duration = Duration::from_secs(20);

pub fn run(
    place: &Place,
    [samples, draws]: [usize; 2],
    method: &str,
    spend: &Spend,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let method = (method != "random").then_some(method);
    let budget = spend.budget(Some(USUAL));
    stop_on_interrupt(&budget.stop);
    each_position(place, as_json, out, |position, _, out| {
        let measured = position.complexity(samples, method, &budget)?;
        let space = position.space(draws, &budget);
        let end = if measured.reached.complete { End::Decided } else { End::Undecided };
        if as_json {
            let mut line = serde_json::to_value(&measured).map_err(std::io::Error::from)?;
            line["space"] = serde_json::to_value(&space).map_err(std::io::Error::from)?;
            line["game"] = json!(position.game());
            line["position"] = json!(position.write());
            writeln!(out, "{line}")?;
            return Ok(end);
        }
        tell(&measured, space.as_ref(), &position.game(), method, &budget, out)?;
        Ok(end)
    })
}

fn tell(
    c: &Complexity,
    space: Option<&Space>,
    game: &str,
    method: Option<&str>,
    budget: &Budget,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let ink = Ink::for_output();
    let figure = |f: Figure| match f.error {
        Some(error) => format!("{:.2} ± {error:.2}", f.value),
        None => format!("{:.2}", f.value),
    };
    writeln!(out, "{}", ink.bold(game))?;
    let by_ply: Vec<String> = c.reached.by_ply.iter().take(12).map(|&n| grouped(n)).collect();
    let more = if c.reached.by_ply.len() > 12 { " ..." } else { "" };
    writeln!(out, "positions by ply   {}{more}", by_ply.join(" "))?;
    if c.reached.complete {
        writeln!(out, "positions          {} in all, counted", grouped(c.reached.total))?;
        if let Some(classes) = c.reached.classes {
            writeln!(out, "up to symmetry     {}", grouped(classes))?;
        }
        if let Some(games) = c.reached.games {
            writeln!(
                out,
                "complete games     {}",
                if games < 1e15 { grouped(games as u64) } else { format!("{games:.3e}") }
            )?;
        }
    } else {
        let why = match c.reached.ended {
            Some("memory") => format!("the count ended at {} MiB", budget.memory >> 20),
            Some("nodes") => "the nodes are used up".into(),
            Some("time") => {
                format!("the count ended after {} s", budget.time.unwrap_or_default().as_secs_f64() / 2.0)
            }
            _ => "the count was stopped".into(),
        };
        writeln!(out, "positions          more than {} ({why})", grouped(c.reached.total))?;
    }
    if let Some(space) = space {
        tell_space(space, out)?;
    }
    if c.samples == 0 {
        writeln!(out, "sampled            no game")?;
        return Ok(());
    }
    writeln!(out, "sampled            {} games by {}", c.samples, method.unwrap_or("random moves"))?;
    writeln!(out, "length             {} plies", figure(c.length))?;
    writeln!(out, "branching          {}", figure(c.branching))?;
    writeln!(out, "game tree          10^({})", figure(c.tree_log10))?;
    writeln!(out, "its square root    10^{:.2}, the best case of alpha-beta", c.tree_log10.value / 2.0)?;
    if let Some(games) = c.games_log10 {
        writeln!(out, "games (Knuth)      about 10^{games:.2}")?;
    }
    if c.cut_off > 0.0 {
        writeln!(
            out,
            "cut off            {:.1} % of the games were longer than 2000 plies",
            c.cut_off * 100.0
        )?;
    }
    Ok(())
}

/// A count in full where it is exact, by its power of ten elsewhere.
fn size(n: f64) -> String {
    if n < 9e15 { grouped(n.round() as u64) } else { format!("10^{:.2}", n.log10()) }
}

fn tell_space(space: &Space, out: &mut impl Write) -> Result<(), Failure> {
    for bound in &space.bounds {
        writeln!(out, "at most            {}: {}", size(bound.size), bound.what)?;
    }
    if let Some(drawn) = &space.drawn {
        let share = drawn.passed as f64 / drawn.draws.max(1) as f64 * 100.0;
        let percent = drawn.positions.error.unwrap_or(0.0) / drawn.positions.value.max(1.0) * 100.0;
        let about = if drawn.exact { "about" } else { "about, or fewer" };
        let positions = size(drawn.positions.value);
        writeln!(out, "{about:18} {positions} ± {percent:.1} %")?;
        writeln!(
            out,
            "                   {share:.2} % of {} draws passed: {}",
            grouped(drawn.draws as u64),
            drawn.test
        )?;
    }
    Ok(())
}
