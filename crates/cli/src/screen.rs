//! What people see: messages, colour, tables, and the progress line. Colour and progress only where a
//! terminal is at the other end.

use endspiel_catalog::{ProgressReport, Watcher};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Says what is wrong on standard error.
pub fn complain(message: &str) {
    let paint = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let (red, plain) = if paint { ("\x1b[1;31m", "\x1b[0m") } else { ("", "") };
    // If standard error is gone there is nobody left to tell.
    let _ = writeln!(std::io::stderr(), "{red}error:{plain} {message}");
}

/// Says on standard error what is worth knowing and ends nothing.
pub fn warn(message: &str) {
    let _ = writeln!(std::io::stderr(), "warning: {message}");
}

/// An output whose reader may go away: what is made is made to the end, without a word.
pub struct Regardless<W>(pub W);

/// What a closed pipe gives instead of an error.
fn regardless<T>(result: std::io::Result<T>, instead: T) -> std::io::Result<T> {
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(instead),
        result => result,
    }
}

impl<W: Write> Write for Regardless<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        regardless(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        regardless(self.0.flush(), ())
    }
}

/// A word in colour, on terminals.
pub struct Ink {
    paint: bool,
}

impl Ink {
    /// The ink for standard output.
    pub fn for_output() -> Self {
        Self { paint: std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() }
    }

    fn in_colour(&self, code: &str, word: &str) -> String {
        if self.paint { format!("\x1b[{code}m{word}\x1b[0m") } else { word.into() }
    }

    /// Something that matters.
    pub fn bold(&self, word: &str) -> String {
        self.in_colour("1", word)
    }

    /// Something said in passing.
    pub fn faint(&self, word: &str) -> String {
        self.in_colour("2", word)
    }

    /// A value by its meaning: a win green, a loss red, a draw yellow; what is not proven is left plain.
    pub fn value(&self, value: Option<&str>, word: &str) -> String {
        match value {
            Some("win") => self.in_colour("1;32", word),
            Some("loss") => self.in_colour("1;31", word),
            Some("draw") => self.in_colour("1;33", word),
            _ => word.into(),
        }
    }
}

/// A number with thin groups of three: 12,345,678.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// So many things: 1 slice, 2 slices, 2 passes.
pub fn counted(n: u64, what: &str) -> String {
    let ending = match what {
        _ if n == 1 => "",
        _ if what.ends_with('s') => "es",
        _ => "s",
    };
    format!("{} {what}{ending}", grouped(n))
}

/// So many plies: one ply, two plies.
pub fn plies(n: u32) -> String {
    if n == 1 { "1 ply".into() } else { format!("{n} plies") }
}

/// A rate or a size in three figures: 12.3 M.
pub fn short(n: f64) -> String {
    match n {
        n if n >= 1e9 => format!("{:.2} G", n / 1e9),
        n if n >= 1e6 => format!("{:.2} M", n / 1e6),
        n if n >= 1e4 => format!("{:.1} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// The progress line on a terminal, or JSON lines on standard error with `--json`: nothing in the first
/// second, then a few times a second.
pub struct Live {
    bar: Option<ProgressBar>,
    json: bool,
    begun: Instant,
    last: Mutex<Instant>,
}

impl Live {
    /// A line that appears when the work takes longer than a second.
    pub fn new(json: bool) -> Self {
        let bar = (!json && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::no_length();
            bar.set_draw_target(indicatif::ProgressDrawTarget::hidden());
            bar.set_style(
                ProgressStyle::with_template("{spinner} {elapsed} {msg}")
                    .unwrap_or_else(|_| ProgressStyle::default_spinner()),
            );
            bar
        });
        let now = Instant::now();
        Self { bar, json, begun: now, last: Mutex::new(now) }
    }

    /// Takes the line away.
    pub fn done(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Watcher for Live {
    fn progress(&self, progress: &ProgressReport) {
        let now = Instant::now();
        if now - self.begun < Duration::from_secs(1) {
            return;
        }
        {
            let Ok(mut last) = self.last.lock() else { return };
            if now - *last < Duration::from_millis(100) {
                return;
            }
            *last = now;
        }
        if self.json {
            if let Ok(line) = serde_json::to_string(progress) {
                // Progress is a courtesy: a closed standard error must not stop the work.
                let _ = writeln!(std::io::stderr(), "{line}");
            }
        } else if let Some(bar) = &self.bar {
            if bar.is_hidden() {
                bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
            }
            let seconds = (now - self.begun).as_secs_f64();
            let mut message = format!(
                "{}: {} nodes, {}/s",
                progress.doing,
                short(progress.nodes as f64),
                short(progress.nodes as f64 / seconds)
            );
            if let Some(depth) = progress.depth {
                message += &format!(", depth {depth}");
            }
            if let Some(share) = progress.share.filter(|s| *s > 0.0) {
                let left = seconds / share - seconds;
                message += &format!(", {:.0} %, about {} s left", share * 100.0, short(left));
            }
            if let Some(estimate) = progress.estimate {
                message += &format!(", {:+.2}", estimate.mean);
            }
            if !progress.line.is_empty() {
                let line: Vec<&str> = progress.line.iter().take(8).map(String::as_str).collect();
                message += &format!(", best {}", line.join(" "));
            }
            bar.set_message(message);
            bar.tick();
        }
    }
}
