//! `endspiel games`: what can be asked about.

use crate::screen::Ink;
use crate::{End, Failure};
use endspiel_catalog::GAMES;
use endspiel_catalog::databases::{ALONE, Alone, alone};
use endspiel_game::{About, Convergence};
use serde_json::{Value, json};
use std::io::Write;

pub fn run(game: Option<&str>, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let ink = Ink::for_output();
    if let Some(name) = game {
        if let Some(table) = alone(name) {
            return tell_table(table, as_json, out);
        }
        let game = super::open(name)?;
        let about = game.about();
        if as_json {
            writeln!(out, "{}", describe(about))?;
            return Ok(End::Decided);
        }
        writeln!(out, "{}  {}", ink.bold(&game.full_name()), about.summary)?;
        writeln!(out, "\n{}\n", about.rules)?;
        writeln!(out, "Players:  {}, then {}", about.players[0], about.players[1])?;
        writeln!(out, "Notation: {}", about.notation)?;
        if !about.variants.is_empty() {
            writeln!(out, "Variants: {}", about.variants)?;
        }
        let examples: Vec<String> = about.examples.iter().map(|e| format!("{}:{e}", about.name)).collect();
        if !examples.is_empty() {
            writeln!(out, "          such as {}", examples.join(", "))?;
        }
        writeln!(out, "\n{}", game.start().text())?;
        return Ok(End::Decided);
    }
    if as_json {
        for entry in GAMES {
            writeln!(out, "{}", describe(entry.about()))?;
        }
        return Ok(End::Decided);
    }
    let wide = GAMES.iter().map(|entry| entry.about().name.len()).max().unwrap_or(0);
    for entry in GAMES {
        let about = entry.about();
        writeln!(out, "{}  {}", ink.bold(&format!("{:wide$}", about.name)), about.summary)?;
        if !about.variants.is_empty() {
            writeln!(out, "{:wide$}  {}", "", ink.faint(about.variants))?;
        }
    }
    writeln!(out, "\nTables for one player, for `endspiel db` alone:")?;
    for table in ALONE {
        writeln!(out, "{}  {}", ink.bold(&format!("{:wide$}", table.name())), table.summary())?;
    }
    Ok(End::Decided)
}

/// What there is of a table for one player.
fn tell_table(table: &dyn Alone, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let (name, summary, slice) = (table.name(), table.summary(), table.slice());
    if as_json {
        writeln!(out, "{}", json!({ "name": name, "summary": summary, "slice": slice }))?;
        return Ok(End::Decided);
    }
    writeln!(out, "{}  {summary}", Ink::for_output().bold(name))?;
    writeln!(
        out,
        "\nA table for one player: `endspiel db build {name}`, then `endspiel db probe {name} POSITION`."
    )?;
    Ok(End::Decided)
}

fn describe(about: &About) -> Value {
    let convergence = match about.convergence {
        Convergence::Converging => "converging",
        Convergence::Diverging => "diverging",
        Convergence::Unchangeable => "unchangeable",
    };
    json!({
        "name": about.name,
        "title": about.title,
        "summary": about.summary,
        "rules": about.rules,
        "variants": about.variants,
        "examples": about.examples,
        "players": about.players,
        "sudden_death": about.sudden_death,
        "convergence": convergence,
        "notation": about.notation,
    })
}
