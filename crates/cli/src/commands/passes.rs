//! The passes of the long jobs of `endspiel db`, told while they work.

use crate::screen::{counted, grouped, short};
use endspiel_retro::{Pass, Watch};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;

/// The passes of a job: a line on a terminal, JSON lines on standard error with `--json`.
pub struct Passes {
    job: &'static str,
    bar: Option<ProgressBar>,
    json: bool,
    slices: Mutex<u32>,
}

impl Passes {
    /// Of this job.
    pub fn new(job: &'static str, json: bool) -> Self {
        let bar = (!json && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::no_length();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        Self { job, bar, json, slices: Mutex::new(0) }
    }

    /// Another slice is done.
    pub fn slice_done(&self) {
        if let Ok(mut slices) = self.slices.lock() {
            *slices += 1;
        }
    }

    /// The job is done.
    pub fn done(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Watch for Passes {
    fn pass(&self, pass: &Pass) {
        let seconds = pass.elapsed.as_secs_f64().max(1e-3);
        let rate = pass.done as f64 / seconds;
        let left = if rate > 0.0 { (pass.of - pass.done) as f64 / rate } else { 0.0 };
        let slices = self.slices.lock().map_or(0, |s| *s);
        if self.json {
            let line = json!({
                "job": self.job, "slices_done": slices, "doing": pass.doing, "pass": pass.pass,
                "done": pass.done, "of": pass.of, "per_second": rate.round(), "seconds_left": left,
                "changed": pass.changed,
            });
            // Progress is a courtesy: a closed standard error must not stop the work.
            let _ = writeln!(std::io::stderr(), "{line}");
        } else if let Some(bar) = &self.bar {
            let changed = pass.changed.map_or_else(String::new, |n| format!(", {} changed", grouped(n)));
            bar.set_message(format!(
                "{}, {} done; {}, pass {}{changed}: {:.0} %, {}/s, {left:.0} s left",
                self.job,
                counted(slices.into(), "slice"),
                pass.doing,
                pass.pass,
                100.0 * pass.done as f64 / pass.of.max(1) as f64,
                short(rate)
            ));
            bar.tick();
        }
    }
}
