//! Experiments of the field, run again by name: the published figures stand beside our own.
//!
//! An experiment is a module with a `run` that tells its rows one by one, an entry in [`EXPERIMENTS`], and a line in
//! [`run`]. Computations whose result is one value (who wins at the start) are jobs of the catalog instead.
//!
//! ```
//! let experiment = endspiel_lab::experiment("lambda-savings").unwrap();
//! assert!(experiment.published.starts_with("at least 10 times fewer nodes"));
//! ```

pub mod certainty;
pub mod confirm;
pub mod openings;
pub mod proofs;
pub mod savings;
pub mod shortest;
pub mod tables;

use endspiel_game::Budget;
use serde_json::{Value, json};
use std::path::Path;

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
        name: "least-certainty",
        summary: "least certainty first, best-first minimax and alpha-beta against each other on random trees",
        published: "least certainty beats alpha-beta in 200 of 200 games but with the least time",
        source: "P. Utgoff and R. Cochran, A Least-Certainty Heuristic for Selective Search, 2000",
        effort: "two minutes; --nodes are the games of a match",
    },
    Experiment {
        name: "threat-confirmation",
        summary: "every win by threats that an engine claims on random positions, played out against all defences",
        published: "399 of 1,418 positions with a win found, all confirmed",
        source: "a trial with a depth-first search for threats on 5+5 stones",
        effort: "ten minutes; --nodes are those of lambda search a position",
    },
    Experiment {
        name: "qubic-shortest",
        summary: "bounds on the plies of White's shortest win in qubic from the empty board; goes on where it was stopped",
        published: "White wins",
        source: "O. Patashnik 1980; how soon was never published",
        effort: "as long as it may, --time says",
    },
    Experiment {
        name: "gomoku-openings",
        summary: "White's 35 second moves in go-moku, proven one after the other; goes on where it was stopped",
        published: "Black wins against all 35, 138,790 positions",
        source: "V. Allis 1994, chapter 5",
        effort: "as long as it may, --time says; a far opening takes about a minute of one core",
    },
    Experiment {
        name: "xiangqi-endings",
        summary: "draws and longest wins of 151 endings of xiangqi, the smallest first; tables that are there count",
        published: "a row of figures an ending",
        source: "H. Fang, T. Hsu and S. Hsu, Construction of Chinese Chess Endgame Databases, 2000",
        effort: "a minute for the first 60, hours for all; --memory 5G",
    },
    Experiment {
        name: "xiangqi-studies",
        summary: "a knight and a pawn on the last rank against guard and minister, distance by distance, and two studies",
        published: "103 numbers; wins in 97 and in 71 plies",
        source: "H. Fang, T. Hsu and S. Hsu, Construction of Chinese Chess Endgame Databases, 2000",
        effort: "half a minute; a quarter of an hour of one core for the second study; --memory 2G",
    },
    Experiment {
        name: "checkers-endings",
        summary: "longest wins and losses by who is to move, examples, and who wins how often, with up to seven pieces",
        published: "the longest wins; the rest by independent programs",
        source: "E. Trice and G. Dodgen, The 7-Piece Perfect Play Lookup Database, 2003",
        effort: "five minutes of one core for five pieces, hours for six, days for seven",
    },
    Experiment {
        name: "chess-endings",
        summary: "greatest depths to conversion and to zeroing, with three to five men",
        published: "a row of figures an ending and metric",
        source: "J. Tamplin and G. Haworth, Chess Endgames: Data and Strategy, 2003",
        effort: "half a minute for four men, hours for five; --memory 2G",
    },
    Experiment {
        name: "chess-studies",
        summary: "positions in which the fifty-move rule matters, with their depths, and the strategies that fail there",
        published: "52 positions with depths in four or five metrics, 19 of them with six men",
        source: "J. Tamplin and G. Haworth, Chess Endgames: Data and Strategy, 2003",
        effort: "ten minutes of one core without pawns, hours for all; --memory 4G",
    },
    Experiment {
        name: "fifty-impact",
        summary: "wins that the fifty-move rule turns into draws or delays",
        published: "39 rows of figures, 24 of them with five men",
        source: "J. Tamplin and G. Haworth, Chess Endgames: Data and Strategy, 2003",
        effort: "five minutes of one core without pawns, hours for all; --memory 4G",
    },
    Experiment {
        name: "two-knights",
        summary: "what is seen at a glance of two knights against a minor piece, beside the complete tables",
        published: "rules that settle most positions; the counts by an independent program",
        source: "E. Heinz, Static Recognition of Potential Wins in KNNKB and KNNKN, 2003",
        effort: "two minutes; --memory 1G",
    },
    Experiment {
        name: "checkers-lines",
        summary: "four printed lines of perfect play with seven pieces, replayed against the tables of five",
        published: "253, 207, 207 and 81 plies",
        source: "E. Trice and G. Dodgen, The 7-Piece Perfect Play Lookup Database, 2003",
        effort: "a minute or two for the tables",
    },
    Experiment {
        name: "chinese-checkers-table",
        summary: "how many ways to place six pieces on the small star are so many moves from home",
        published: "28 moves at most",
        source: "P. Nijssen and M. Winands, An Overview of Search Techniques in Multi-Player Games, 2012",
        effort: "five minutes; --memory 1G",
    },
    Experiment {
        name: "awari-levels",
        summary: "who wins how often, means, deviations and passes of awari's levels up to 15 stones",
        published: "figures of an independent program",
        source: "R. van der Goot, Awari Retrograde Analysis, 2000 (the method)",
        effort: "two minutes",
    },
    Experiment {
        name: "awari-features",
        summary: "how far features explain the values of awari's positions with 10, 15 and 20 stones",
        published: "five tables of correlations and relative deviations",
        source: "J. van Rijswijck, Learning from Perfection, 2000",
        effort: "three minutes, most of it for the levels up to 20",
    },
    Experiment {
        name: "awari-pn",
        summary: "who proves that awari's player to move wins, or not, with the fewest nodes: alpha-beta or proof-number search",
        published: "tables of 337 positions; on the hard half pn-search needs fewer in 85 %",
        source: "L. V. Allis, Searching for Solutions in Games and Artificial Intelligence, 1994, section 2.4",
        effort: "some minutes; --nodes are those of a searcher's first try",
    },
    Experiment {
        name: "minimax-noise",
        summary: "what minimax makes of the true distances of king and rook against king with noise added",
        published: "curves: the error stays, most of it is bias; figures of an independent program",
        source: "A. Sadikov, I. Bratko and I. Kononenko, Search versus Knowledge, 2003",
        effort: "a minute",
    },
    Experiment {
        name: "reference-player",
        summary: "a queen who errs against a rook who does not: how able she seems after a game, and how long she takes",
        published: "2,000 games, a Markov chain; figures of an independent program",
        source: "G. Haworth and R. Andrist, Model Endgame Analysis, 2003",
        effort: "a minute; --nodes are the games, --seed other games",
    },
    Experiment {
        name: "morris-subspaces",
        summary: "who wins how often in nine men's morris without men in hand, and the longest wins, in all 28 subspaces",
        published: "nothing in numbers but how many positions there are",
        source: "R. Gasser, Solving Nine Men's Morris, 1996",
        effort: "an hour of two cores; --memory 8G and 3 GB on the disk",
    },
];

/// Why what an experiment goes on from cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The proofs of openings.
    #[error(transparent)]
    Openings(#[from] proofs::StoreError),
    /// The bounds on qubic's shortest win.
    #[error(transparent)]
    Shortest(#[from] shortest::FileError),
    /// Databases.
    #[error(transparent)]
    Tables(#[from] endspiel_retro::Error),
}

/// Runs the experiment called `name` and tells `each` of its rows, as long as it wants more; what it goes on from later is
/// kept in `state`. Gives in words what was found; none if there is no such experiment.
pub fn run(
    name: &str,
    state: &Path,
    budget: &Budget,
    each: &mut dyn FnMut(Value) -> bool,
) -> Option<Result<String, Error>> {
    match name {
        "lambda-savings" => {
            let mut rows = Vec::new();
            let budget = Budget { nodes: budget.nodes.or(Some(savings::NODES)), ..budget.clone() };
            savings::run(savings::POSITIONS, &budget, |row| {
                rows.push(row.clone());
                each(json!(row))
            });
            Some(Ok(savings::found(&rows)))
        }
        "least-certainty" => {
            let mut rows = Vec::new();
            certainty::run(budget, |row| {
                rows.push(row.clone());
                each(json!(row))
            });
            Some(Ok(certainty::found(&rows)))
        }
        "gomoku-openings" => {
            let known = openings::run(state, budget, |opening| each(json!(opening)));
            Some(known.map(|known| openings::found(&known)).map_err(Error::from))
        }
        "threat-confirmation" => {
            let all = confirm::confirm(budget, |_| ());
            for counts in &all {
                if !each(json!(counts)) {
                    break;
                }
            }
            Some(Ok(confirm::found(&all)))
        }
        "qubic-shortest" => {
            let bounds = shortest::run(state, budget, |one| each(json!(one)));
            Some(bounds.map(|bounds| bounds.to_string()).map_err(Error::from))
        }
        name => {
            let mut tell = |row: &tables::Row| each(json!(row));
            let databases = &state.join("databases");
            let places = tables::Places { databases, keep: None, only: None };
            let outcome = tables::run(name, &places, budget, &(), &mut tell)?;
            Some(outcome.map(|outcome| outcome.found()).map_err(Error::from))
        }
    }
}

/// The experiment called `name`.
pub fn experiment(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_is_run_by_its_name() {
        let state = std::env::temp_dir().join(format!("endspiel-lab-{}", std::process::id()));
        for experiment in EXPERIMENTS {
            let mut rows = 0;
            let time = Some(std::time::Duration::from_millis(200));
            let done = run(experiment.name, &state, &Budget { time, ..Budget::nodes(500) }, &mut |row| {
                rows += 1;
                assert!(row.is_object(), "{row}");
                false
            });
            let done = done.expect("it is known");
            if let Err(Error::Tables(endspiel_retro::Error::Memory { allowed, .. })) = done {
                assert!(
                    ["chinese-checkers-table", "fifty-impact"].contains(&experiment.name),
                    "{}",
                    experiment.name
                );
                assert_eq!(allowed, 256 << 20);
                continue;
            }
            let found = done.expect("it runs");
            // A table may take longer than that.
            let least = usize::from(!tables::NAMES.contains(&experiment.name));
            assert!((least..=1).contains(&rows) && !found.is_empty(), "{}: {rows}, {found}", experiment.name);
        }
        assert!(run("alchemy", &state, &Budget::nodes(1), &mut |_| true).is_none());
        std::fs::remove_dir_all(&state).expect("something is kept");
    }
}
