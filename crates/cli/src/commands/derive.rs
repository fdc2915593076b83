//! `endspiel derive`: which single letters a text can be rewritten to, and how large the search for it is.

use super::pointed;
use crate::screen::{Ink, grouped};
use crate::{End, Failure};
use endspiel_catalog::Error;
use endspiel_game::{Budget, TextError};
use endspiel_rules::rewriting::{Chart, Reduction, System};
use endspiel_search::dependency::{Options, Rule, plain, search};
use serde_json::json;
use std::io::{Read, Write};

/// The most states or nodes counted in each space.
const MOST: u64 = 2_000_000;
/// Derivations of longer texts are given by their length alone.
const WIDEST: usize = 100;

pub fn run(
    text: &str,
    rules: Option<&str>,
    table: bool,
    count: bool,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let system = match rules {
        Some(rules) => read_system(rules)?,
        None => System::double_letter(),
    };
    let letters = system.read_text(text).map_err(|e| refused(e, text))?;
    let chart = Chart::new(&system, &letters);
    let sizes = count.then(|| Sizes::of(&Reduction::new(&system, &letters)));
    let undecided = sizes.as_ref().is_some_and(|s| !s.complete);
    if as_json {
        let ways: Vec<_> = chart
            .letters()
            .map(|c| json!({ "letter": c, "steps": chart.derivation(c).filter(|_| letters.len() <= WIDEST) }))
            .collect();
        let mut line = json!({ "text": text, "reduces_to": ways });
        if table {
            line["table"] = json!(cells(&chart, letters.len()));
        }
        if let Some(sizes) = &sizes {
            line["sizes"] = json!({
                "paths": sizes.paths.map(|n| n.to_string()),
                "up_to_order": sizes.classes,
                "key_classes": sizes.key_classes,
                "combinations": sizes.combinations,
                "complete": sizes.complete,
            });
        }
        writeln!(out, "{line}")?;
        return Ok(if undecided { End::Undecided } else { End::Decided });
    }
    let ink = Ink::for_output();
    let all: Vec<String> = chart.letters().map(String::from).collect();
    match all.split_last() {
        None => writeln!(out, "{} cannot be reduced to one letter", ink.bold(text))?,
        Some((last, [])) => writeln!(out, "{} reduces to {last}", ink.bold(text))?,
        Some((last, rest)) => writeln!(out, "{} reduces to {} or {last}", ink.bold(text), rest.join(", "))?,
    }
    for letter in chart.letters() {
        if letters.len() > WIDEST {
            writeln!(out, "  {letter}: in {} steps", letters.len() - 1)?;
        } else if let Some(steps) = chart.derivation(letter) {
            writeln!(out, "  {letter}: {}", steps.join(" "))?;
        }
    }
    if table {
        for (row, line) in cells(&chart, letters.len()).iter().enumerate() {
            let line: Vec<&str> = line.iter().map(|c| if c.is_empty() { "-" } else { c }).collect();
            writeln!(out, "{row:>4}: {}", line.join(" "))?;
        }
    }
    if let Some(sizes) = &sizes {
        let or_more = |n: Option<u128>| match n {
            Some(n) => u64::try_from(n).map_or_else(|_| format!("{:.3e}", n as f64), grouped),
            None => format!("more than {} states", grouped(MOST)),
        };
        writeln!(out, "all paths          {}", or_more(sizes.paths))?;
        writeln!(out, "up to order        {}", or_more(sizes.classes.map(|n| n as u128)))?;
        writeln!(out, "key classes        {}", grouped(sizes.key_classes as u64))?;
        writeln!(out, "combinations       {}", grouped(sizes.combinations as u64))?;
        if !sizes.complete {
            writeln!(out, "The search ended at {} nodes.", grouped(MOST))?;
        }
    }
    Ok(if undecided { End::Undecided } else { End::Decided })
}

/// How large the spaces of plain and of dependency-based search are.
struct Sizes {
    paths: Option<u128>,
    classes: Option<usize>,
    key_classes: usize,
    combinations: usize,
    complete: bool,
}

impl Sizes {
    fn of(problem: &Reduction<'_>) -> Self {
        let options = Options { rule: Rule::Exact, ..Options::default() };
        let graph = search(problem, options, &Budget::nodes(MOST));
        Self {
            paths: plain::paths(problem, MOST as usize),
            classes: plain::classes(problem, MOST as usize),
            key_classes: graph.key_classes(),
            combinations: graph.combinations(),
            complete: graph.complete,
        }
    }
}

/// What each piece can become: a row for each first place, a cell for each last place.
fn cells(chart: &Chart<'_>, length: usize) -> Vec<Vec<String>> {
    (0..length).map(|from| (from..length).map(|to| chart.letters_of(from, to).collect()).collect()).collect()
}

/// A file of rules; rules are short, and a device may never end.
fn read_file(name: &str) -> std::io::Result<String> {
    const LONGEST: u64 = 1 << 20;
    let mut text = String::new();
    std::fs::File::open(name)?.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(std::io::Error::other(format!("it is longer than {LONGEST} bytes")));
    }
    Ok(text)
}

/// Rules given as text, or a file of them.
fn read_system(rules: &str) -> Result<System, Failure> {
    if rules.contains("->") {
        return System::read(rules).map_err(|e| refused(e, rules));
    }
    let text = read_file(rules).map_err(|e| {
        Failure::Input(format!(
            "cannot read '{rules}': {e}; expected rules such as \"aa -> b\" or a file of them"
        ))
    })?;
    System::read(&text).map_err(|e| {
        let line = text.get(..e.at).map_or(1, |before| before.matches('\n').count() + 1);
        Failure::Input(format!("{rules}, line {line}: {}; expected {}", e.what, e.expected))
    })
}

fn refused(error: TextError, text: &str) -> Failure {
    Failure::Input(pointed(&Error::Text(error), text))
}
