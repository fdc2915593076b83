//! `endspiel derive`: which single letters a text can be rewritten to, and how large the search for it is.

use super::{pointed, stop_on_interrupt};
use crate::screen::{Ink, Live, complain, grouped};
use crate::spend::Spend;
use crate::{End, Failure};
use endspiel_catalog::{Error, ProgressReport, Watcher};
use endspiel_game::{Budget, TextError};
use endspiel_rules::rewriting::{Chart, Reduction, System};
use endspiel_search::dependency::plain::{self, Room};
use endspiel_search::dependency::{Options, Rule, search_watched};
use serde_json::json;
use std::cell::Cell;
use std::io::{Read, Write};
use std::time::Instant;

/// The most states or nodes counted in each space, where nobody says how many.
const MOST: u64 = 2_000_000;
/// Derivations of longer texts are given by their length alone.
const WIDEST: usize = 100;

pub fn run(
    text: &str,
    rules: Option<&str>,
    (table, count): (bool, bool),
    spend: &Spend,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let system = match rules {
        Some(rules) => read_system(rules)?,
        None => System::double_letter(),
    };
    let letters = system.read_text(text).map_err(|e| refused(e, text))?;
    let begun = Instant::now();
    let budget = spend.budget(None);
    stop_on_interrupt(&budget.stop);
    let meter = budget.start();
    let Some(chart) = Chart::within(&system, &letters, &mut || meter.spend(0)) else {
        complain(if budget.stop.asked() {
            "it was stopped"
        } else {
            "the time is up before the table is done"
        });
        return Ok(End::Undecided);
    };
    let sizes = count.then(|| {
        let budget = Budget { time: budget.time.map(|t| t.saturating_sub(begun.elapsed())), ..budget };
        let live = Live::new(as_json);
        let sizes = Sizes::of(&Reduction::new(&system, &letters), &budget, &live);
        live.done();
        sizes
    });
    let undecided = sizes.as_ref().is_some_and(|s| s.ended.is_some());
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
                "paths": sizes.paths.ok().map(|n| n.to_string()),
                "up_to_order": sizes.classes.ok(),
                "key_classes": sizes.key_classes,
                "combinations": sizes.combinations,
                "complete": sizes.complete,
                "ended": sizes.ended,
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
        let or_more = |n: Result<u128, u64>| match n {
            Ok(n) => u64::try_from(n).map_or_else(|_| format!("{:.3e}", n as f64), grouped),
            Err(met) => format!("not counted, at least {} states", grouped(met)),
        };
        let at_least = if sizes.complete { "" } else { "at least " };
        writeln!(out, "all paths          {}", or_more(sizes.paths))?;
        writeln!(out, "up to order        {}", or_more(sizes.classes.map(u128::from)))?;
        writeln!(out, "key classes        {at_least}{}", grouped(sizes.key_classes as u64))?;
        writeln!(out, "combinations       {at_least}{}", grouped(sizes.combinations as u64))?;
        if let Some(ended) = sizes.ended {
            let why = match ended {
                "stopped" => "it was stopped",
                "time" => "the time is up",
                "nodes" => "the nodes are used up",
                _ => "the memory is used up",
            };
            writeln!(out, "The count ended early: {why}.")?;
        }
    }
    Ok(if undecided { End::Undecided } else { End::Decided })
}

/// How large the spaces of plain and of dependency-based search are. Plain spaces that were not counted to their end
/// come with the number of states that were met.
struct Sizes {
    paths: Result<u128, u64>,
    classes: Result<u64, u64>,
    key_classes: usize,
    combinations: usize,
    /// Were all key classes and combinations found?
    complete: bool,
    /// What ended a count early.
    ended: Option<&'static str>,
}

impl Sizes {
    /// Counts each space with the nodes and the memory of the budget, and all of them in its time.
    fn of(problem: &Reduction<'_>, budget: &Budget, live: &Live) -> Self {
        let (begun, most) = (Instant::now(), budget.nodes.unwrap_or(MOST));
        let left = || budget.time.map(|t| t.saturating_sub(begun.elapsed()));
        let tell = |doing: &str, nodes: u64| {
            live.progress(&ProgressReport {
                doing: doing.into(),
                nodes,
                depth: None,
                share: None,
                bounds: [0, 0],
                estimate: None,
                line: Vec::new(),
            });
        };
        // A third of the time for each space; what one leaves the next may take.
        let (share, late) = (|of: u32| left().map(|left| left / of), Cell::new(false));
        let part = Budget { nodes: Some(most), time: share(3), ..budget.clone() };
        let options = Options { rule: Rule::Exact, ..Options::default() };
        let graph = search_watched(problem, options, &part, &|nodes| tell("key classes", nodes));
        late.set(graph.out && part.time.is_some_and(|time| begun.elapsed() >= time));
        let ends = |doing: &'static str, of: u32| {
            let (late, until) = (&late, share(of).map(|time| begun.elapsed() + time));
            move |met: u64| {
                if met.is_multiple_of(1024) {
                    tell(doing, met);
                }
                let is_late = until.is_some_and(|until| begun.elapsed() >= until);
                late.set(late.get() || is_late);
                met >= most || budget.stop.asked() || is_late
            }
        };
        let memory = budget.memory;
        let paths = plain::paths(problem, Room { memory, ends: &mut ends("all paths", 2) });
        let classes = plain::classes(problem, Room { memory, ends: &mut ends("paths up to order", 1) });
        let met = [paths.err(), classes.err()];
        let ended = if graph.complete && met == [None; 2] {
            None
        } else if budget.stop.asked() {
            Some("stopped")
        } else if late.get() {
            Some("time")
        } else if graph.full || met.iter().flatten().any(|&met| met < most) {
            Some("memory")
        } else {
            Some("nodes")
        };
        Self {
            paths,
            classes,
            key_classes: graph.key_classes(),
            combinations: graph.combinations(),
            complete: graph.complete,
            ended,
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
    if rules.trim().is_empty() {
        let what = "there are no rules; expected some such as \"aa -> b\" or a file of them";
        return Err(Failure::Input(what.into()));
    }
    // What looks like rules with another arrow is no name of a file, unless there is one.
    let looks_so = rules.contains(['>', '=', '→', ';', '|']) && !std::path::Path::new(rules).exists();
    if rules.contains("->") || looks_so {
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
