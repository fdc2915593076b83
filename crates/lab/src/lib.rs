//! Experiments of the field, run again by name: the published figures stand beside our own.
//!
//! An experiment is a module with a `run` that tells its rows one by one, and an entry in [`EXPERIMENTS`]. Computations
//! whose result is one value (who wins at the start) are jobs of the catalog instead.
//!
//! ```
//! let experiment = endspiel_lab::experiment("lambda-savings").unwrap();
//! assert!(experiment.published.starts_with("at least 10 times fewer nodes"));
//! ```

pub mod openings;
pub mod savings;

/// What is said of an experiment.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows, in a line.
    pub summary: &'static str,
    /// What was published.
    pub published: &'static str,
    /// Where.
    pub source: &'static str,
    /// What to expect.
    pub effort: &'static str,
}

/// All experiments.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "lambda-savings",
        summary: "nodes of lambda search, alpha-beta and proof-number search on wins by threats",
        published: "at least 10 times fewer nodes than alpha-beta on wins of order 1 and 2 from 7 plies on",
        source: "T. Thomsen, Lambda-Search in Game Trees, 2000 (a model of the cost; no games counted)",
        effort: "half a minute",
    },
    Experiment {
        name: "gomoku-openings",
        summary: "White's 35 second moves in go-moku, proven one after the other; goes on where it was stopped",
        published: "Black wins against all 35, 138,790 positions",
        source: "V. Allis 1994, chapter 5",
        effort: "as long as it may, --time says; an opening takes from seconds to days",
    },
];

/// The experiment called `name`.
pub fn experiment(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.name == name)
}
