//! Long computations with a published result, by name: each is run, certified, checked, and set beside what
//! was published.

use crate::entry::AnyPosition;
use crate::report::{Error, Purpose, Request, Status, Watcher};
use crate::{Scratch, game, verify};
use endspiel_game::{Budget, Goal};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// A published result.
#[derive(Clone, Copy, Debug)]
pub enum Published {
    /// The value of the start for the first player, and the score where it has one.
    Value(&'static str, Option<i32>),
    /// Which first moves of Hex win (W) and lose (L), row by row from the top: Black's, and mirrored in the long
    /// diagonal White's when he moves first. Of two that half a turn of the board takes into each other one is solved.
    Openings(&'static str),
}

impl std::fmt::Display for Published {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Value(value, None) => write!(f, "{value}"),
            Self::Value(value, Some(score)) => write!(f, "{value} by {}", score.abs()),
            Self::Openings(map) => write!(f, "first moves {map}"),
        }
    }
}

/// A computation by name.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// Its name on the command line.
    pub name: &'static str,
    /// The rule set.
    pub game: &'static str,
    /// What was published.
    pub published: Published,
    /// Where.
    pub source: &'static str,
    /// What to expect.
    pub effort: &'static str,
}

/// All jobs, the small ones first.
pub const JOBS: &[Job] = &[
    Job {
        name: "tic-tac-toe",
        game: "tic-tac-toe",
        published: Published::Value("draw", None),
        source: "known for ever",
        effort: "at once",
    },
    Job {
        name: "othello-4",
        game: "othello:4,discs",
        published: Published::Value("loss", Some(-8)),
        source: "11 to 3 for the second player: J. Feinstein 1993",
        effort: "a second",
    },
    Job {
        name: "hex-4",
        game: "hex:4",
        published: Published::Openings("LLLW/LLWL/LWLL/WLLL"),
        source: "found by many",
        effort: "seconds",
    },
    Job {
        name: "hex-5",
        game: "hex:5",
        published: Published::Openings("LLLLW/LWWWW/LWWWL/WWWWL/WLLLL"),
        source: "B. Enderton 1994 and others",
        effort: "ten seconds, all but one for the certificates",
    },
    Job {
        name: "connect-four",
        game: "connect-four",
        published: Published::Value("win", None),
        source: "J. Allen and V. Allis 1988",
        effort: "a minute, most of it for the certificate",
    },
    Job {
        name: "connect-four-6x5",
        game: "connect-four:6x5",
        published: Published::Value("draw", None),
        source: "J. Tromp 1995, table of board sizes",
        effort: "seconds",
    },
    Job {
        name: "connect-four-7x5",
        game: "connect-four:7x5",
        published: Published::Value("draw", None),
        source: "J. Tromp 1995, table of board sizes",
        effort: "ten seconds, most of it for the certificate",
    },
    Job {
        name: "connect-four-6x6",
        game: "connect-four:6x6",
        published: Published::Value("loss", None),
        source: "J. Tromp 1995, table of board sizes",
        effort: "ten seconds, most of it for the certificate",
    },
    Job {
        name: "mnk-5-5-4",
        game: "mnk:5,5,4",
        published: Published::Value("draw", None),
        source: "J. Uiterwijk and J. van den Herik 2000",
        effort: "seconds",
    },
    Job {
        name: "mnk-6-6-5",
        game: "mnk:6,6,5",
        published: Published::Value("draw", None),
        source: "J. Uiterwijk and J. van den Herik 2000",
        effort: "at once",
    },
    Job {
        name: "mnk-7-7-5",
        game: "mnk:7,7,5",
        published: Published::Value("draw", None),
        source: "W.-Y. Hsu and others, On solving the 7,7,5-game and the 8,8,5-game, 2020",
        effort: "ten seconds, most of it for the certificate",
    },
    Job {
        name: "mnk-6-5-4",
        game: "mnk:6,5,4",
        published: Published::Value("win", None),
        source: "J. Uiterwijk and J. van den Herik 2000",
        effort: "at once",
    },
    Job {
        name: "hex-6",
        game: "hex:6",
        published: Published::Openings("LLLLLW/LWWWWW/WWWWWW/WWWWWW/WWWWWL/WLLLLL"),
        source: "the regression tests of Benzene, University of Alberta",
        effort: "seconds to solve, half an hour of one core for the certificates; --keep goes on after a stop",
    },
    Job {
        name: "othello-6",
        game: "othello:6,discs",
        published: Published::Value("loss", Some(-4)),
        source: "20 to 16 for the second player: J. Feinstein 1993",
        effort: "eight minutes of one core, two thirds of it for the certificate of 110 MB",
    },
];

/// A position of a job.
#[derive(Clone, Debug)]
pub struct Case {
    /// What to call it: `start`, or the first move.
    pub name: String,
    /// The position in the game's notation; none for the start.
    pub position: Option<String>,
    /// The published value for the player to move.
    pub value: &'static str,
    /// The published score.
    pub score: Option<i32>,
}

/// A job's position with what was published and what came out, for the player to move there.
#[derive(Clone, Debug, Serialize)]
pub struct CaseReport {
    /// What it is called: `start`, or the first move.
    pub case: String,
    /// The position in the game's notation.
    pub position: String,
    /// What was published.
    pub published: String,
    /// What came out; none if it was not decided.
    pub found: Option<String>,
    /// Do they agree?
    pub agrees: Option<bool>,
    /// Nodes, as the method counts them.
    pub nodes: u64,
    /// Time to solve, in seconds.
    pub seconds: f64,
    /// Records of the certificate that the checker accepted; none if there is none.
    pub records: Option<u64>,
    /// Its size.
    pub bytes: Option<u64>,
    /// Time to build, write and check the certificate, in seconds.
    pub certificate_seconds: Option<f64>,
    /// Why there is no certificate, though the value is proven.
    pub uncertified: Option<String>,
    /// An earlier run has left the certificate, and it was only checked.
    pub kept: bool,
}

/// The job called `name`.
pub fn job(name: &str) -> Result<&'static Job, Error> {
    JOBS.iter().find(|job| job.name == name).ok_or_else(|| {
        let names: Vec<&str> = JOBS.iter().map(|job| job.name).collect();
        Error::UnknownJob(endspiel_game::notation::shorten(name), names.join(", "))
    })
}

impl Job {
    /// The positions to solve.
    pub fn cases(&self) -> Vec<Case> {
        match self.published {
            Published::Value(value, score) => {
                vec![Case { name: "start".into(), position: None, value, score }]
            }
            Published::Openings(map) => {
                let signs: Vec<&[u8]> = map.split('/').map(str::as_bytes).collect();
                let size = signs.len();
                let mut cases = Vec::new();
                for (player, stone, other) in [("Black", 'b', 'w'), ("White", 'w', 'b')] {
                    let half = (size * size).div_ceil(2);
                    for (row, column) in (0..half).map(|cell| (cell / size, cell % size)) {
                        let sign = if stone == 'b' { signs[row][column] } else { signs[column][row] };
                        let cell = |at| if at == (row, column) { stone } else { '.' };
                        let rows: Vec<String> =
                            (0..size).map(|r| (0..size).map(|c| cell((r, c))).collect()).collect();
                        cases.push(Case {
                            name: format!("{player} {}{}", endspiel_game::picture::letters(column), row + 1),
                            position: Some(format!("{} {other}", rows.join("/"))),
                            value: if sign == b'W' { "loss" } else { "win" },
                            score: None,
                        });
                    }
                }
                cases
            }
        }
    }

    /// Runs it: `each` is told of every position when it is done. Certificates are kept in `keep`, if that
    /// is a directory, as `NAME.cert` or `NAME-CASE.cert`. One that an earlier run has left there, and that is accepted, decides its
    /// position: a run that was stopped goes on.
    pub fn run(
        &self,
        budget: &Budget,
        keep: Option<&Path>,
        watcher: &dyn Watcher,
        mut each: impl FnMut(&CaseReport) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let scratch = Scratch::new("job")?;
        let game = game(self.game)?;
        for case in self.cases() {
            if budget.stop.asked() {
                break;
            }
            let name = match &case.position {
                Some(_) => format!("{}-{}", self.name, case.name.to_lowercase().replace(' ', "-")),
                None => self.name.into(),
            };
            let position = case.position.as_ref().map_or_else(|| Ok(game.start()), |text| game.read(text))?;
            let kept = keep.map(|dir| dir.join(format!("{name}.cert")));
            let left = kept.as_deref().and_then(|file| case.left(file, &*position, budget.threads));
            let report = if let Some(report) = left {
                report
            } else {
                let file = kept.unwrap_or_else(|| scratch.file("job.cert"));
                case.prove(&file, &*position, budget, watcher)?
            };
            each(&report)?;
        }
        Ok(())
    }
}

impl Case {
    /// What was published.
    fn published(&self) -> String {
        in_words(self.value, self.score)
    }

    /// What a certificate of an earlier run shows, if there is one that decides this.
    fn left(&self, file: &Path, position: &dyn AnyPosition, threads: usize) -> Option<CaseReport> {
        let begun = Instant::now();
        let bytes = std::fs::metadata(file).ok()?.len();
        let accepted = verify(file, threads).ok()?;
        if accepted.game != position.game() || accepted.position != position.write() {
            return None;
        }
        let value = match accepted.bounds? {
            [Some(1..), _] => "win",
            [_, Some(..=-1)] => "loss",
            [Some(0), Some(0)] => "draw",
            _ => return None,
        };
        let score = match (self.score, accepted.bounds?) {
            (None, _) => None,
            (Some(_), [low, high]) => Some(low.filter(|_| low == high)?),
        };
        let (published, found) = (self.published(), in_words(value, score));
        Some(CaseReport {
            agrees: Some(found == published),
            case: self.name.clone(),
            position: accepted.position,
            published,
            found: Some(found),
            nodes: 0,
            seconds: 0.0,
            records: Some(accepted.records),
            bytes: Some(bytes),
            certificate_seconds: Some(begun.elapsed().as_secs_f64()),
            uncertified: None,
            kept: true,
        })
    }

    /// Solves the position, writes the certificate and has it checked.
    fn prove(
        &self,
        file: &Path,
        position: &dyn AnyPosition,
        budget: &Budget,
        watcher: &dyn Watcher,
    ) -> Result<CaseReport, Error> {
        let request = Request {
            method: "auto".into(),
            purpose: Purpose::Prove,
            goal: if self.score.is_some() { Goal::Score } else { Goal::Outcome },
            budget: budget.clone(),
            certificate: Some(file.into()),
        };
        let begun = Instant::now();
        let report = position.solve(&request, watcher)?;
        // Checked once more, from the file alone, as anybody would.
        let accepted = match &report.certificate {
            Some(_) => Some(verify(file, budget.threads)?),
            None => None,
        };
        let value = report.value.filter(|_| report.status == Status::Proven);
        let found = value.map(|v| in_words(v, report.score.filter(|_| self.score.is_some())));
        let published = self.published();
        Ok(CaseReport {
            agrees: found.as_ref().map(|f| *f == published),
            case: self.name.clone(),
            position: position.write(),
            published,
            found,
            nodes: report.nodes,
            seconds: report.seconds,
            records: accepted.as_ref().map(|a| a.records),
            bytes: report.certificate.as_ref().map(|c| c.bytes),
            uncertified: report.uncertified,
            certificate_seconds: accepted.map(|_| begun.elapsed().as_secs_f64() - report.seconds),
            kept: false,
        })
    }
}

fn in_words(value: &str, score: Option<i32>) -> String {
    match score {
        Some(n) if n != 0 => format!("{value} by {}", n.abs()),
        _ => value.to_string(),
    }
}
