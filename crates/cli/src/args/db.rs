//! The words of `endspiel db`.

use super::cores;
use crate::spend::{read_bytes, read_threads, read_time};
use clap::Subcommand;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use endspiel_retro::{Metric, Strategy};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What to do with databases.
#[derive(Debug, Subcommand)]
pub enum DbCommand {
    /// Build slices and all that they convert into; goes on where an earlier build was cut off.
    #[command(after_help = "Examples:
  endspiel db build awari 0-15
  endspiel db build chess KQKR --metric dtm,dtc --memory 2G
  endspiel db build awari 0-20 --hosts hosts.txt --process 0 --workers 2
  endspiel db build nine-mens-morris all --memory 20G --plan")]
    Build {
        /// The game: name or name:variant.
        game: String,
        /// The slices in the game's words: awari by stones, such as 12 or 0-20; chess by material, such as KQKR, or
        /// by men, such as 3-4; checkers by material, such as 2K1C-1K, or by pieces, such as 2-4; xiangqi by
        /// material, such as KNPKGM; shogi by the pieces beside the kings, such as G or PP, or by their number, such as
        /// 1; nine men's morris by the men of both, such as 4-3, or all; virus and wythoff have one, all. Tables for one player have one slice:
        /// backgammon home, chinese-checkers star, and need not name it.
        #[arg(default_value = "", hide_default_value = true)]
        slices: String,
        /// What is told of a position beside who wins; several with commas between. If not given, the game's usual metric: score in
        /// awari, grundy in virus and wythoff, dtm in others.
        #[arg(long, value_delimiter = ',', value_name = "METRIC", value_parser = ReadMetric)]
        metric: Vec<Metric>,
        /// Memory that may be used, such as 512M or 12G. What is larger is solved part by part from files.
        #[arg(long, default_value = "4G", value_parser = read_bytes)]
        memory: usize,
        /// Threads; all cores if not given.
        #[arg(long, default_value_t = cores(), value_parser = read_threads)]
        threads: u16,
        /// Only print the plan.
        #[arg(long)]
        plan: bool,
        /// Share the work: every process has so many workers, which own runs of numbers and exchange what they find.
        #[arg(short, long, conflicts_with = "threads", value_parser = clap::value_parser!(u16).range(1..=256))]
        workers: Option<u16>,
        /// Share the work with other processes: a file with their addresses, HOST:PORT a line. All have to be started
        /// with the same file, each with its number.
        #[arg(long, value_name = "FILE", requires = "process", conflicts_with = "threads")]
        hosts: Option<PathBuf>,
        /// The number of this process in the file of hosts, from 0.
        #[arg(long, value_name = "NUMBER", requires = "hosts")]
        process: Option<usize>,
        /// How long to wait for the other processes at the start.
        #[arg(long, value_name = "TIME", default_value = "60s", value_parser = read_time)]
        patience: Duration,
    },
    /// All moves of a position with their values.
    #[command(after_help = "Examples:
  endspiel db probe chess '8/8/8/8/8/2k5/8/K6Q w - -'
  endspiel db probe chess '8/8/8/8/8/8/k6P/6K1 w - -' --metric dtm,dtc,dtz")]
    Probe {
        /// The game: name or name:variant.
        game: String,
        /// The position in the game's notation.
        #[arg(allow_hyphen_values = true)]
        position: String,
        /// Which database, that of the game's usual metric if not given; several with commas between are told side by side, the moves in
        /// the order of the first.
        #[arg(long, value_delimiter = ',', value_name = "METRIC", value_parser = ReadMetric)]
        metric: Vec<Metric>,
    },
    /// A line of best play, or by strategies, with the value of each move.
    #[command(
        after_help = "A strategy is a list of filters: Z0 keeps the moves that zero the count of moves in time; M, M50, C,
C50, Z, Z50, H50 and R keep the best outcome and of that the least depth with -, the greatest with +. Other
numbers than 50 stand for other rules, such as Z75.

Examples:
  endspiel db line chess '8/8/8/8/8/2k5/8/K6Q w - -'
  endspiel db line chess '8/8/8/8/8/8/k6P/6K1 w - -' --strategy 'Z0 M-' --clock 90"
    )]
    Line {
        /// The game: name or name:variant.
        game: String,
        /// The position in the game's notation.
        #[arg(allow_hyphen_values = true)]
        position: String,
        /// At most so many plies.
        #[arg(long, default_value_t = 100)]
        plies: usize,
        /// Which database tells the values, and the best moves of who has no strategy.
        #[arg(long, value_parser = ReadMetric)]
        metric: Option<Metric>,
        /// Who is to move plays by this strategy, such as 'Z0 Z50- M-'.
        #[arg(long, value_parser = Strategy::read, allow_hyphen_values = true)]
        strategy: Option<Strategy>,
        /// The opponent plays by this strategy.
        #[arg(long, value_parser = Strategy::read, allow_hyphen_values = true)]
        against: Option<Strategy>,
        /// The plies since the last move that zeroed the count of moves; if not given, those of the FEN, or none.
        #[arg(long, value_parser = clap::value_parser!(u16).range(0..=10_000))]
        clock: Option<u16>,
    },
    /// What the moves of a game gave away: each that is worse than the best one, in outcome or in depth.
    #[command(after_help = "Examples:
  endspiel db slips chess --position '8/8/8/8/8/2k5/8/K6Q w - -' --moves 'Qc1+ Kb3 Qb2+ Ka4 Qb3+'
  endspiel db slips awari --position '0 1 0 0 1 0|0 0 0 0 0 1' --moves 'E1 f1' --json")]
    Slips {
        /// The game: name or name:variant.
        game: String,
        /// Where the game began, if not at the start.
        #[arg(long, allow_hyphen_values = true)]
        position: Option<String>,
        /// The moves. Those from positions that no database holds are passed over.
        #[arg(long, allow_hyphen_values = true)]
        moves: String,
        /// Which database; if not given, that of the game's usual metric.
        #[arg(long, value_parser = ReadMetric)]
        metric: Option<Metric>,
    },
    /// Counts, mean and histogram of slices.
    Stats {
        /// The game: name or name:variant.
        game: String,
        /// The slices; not needed where there is one.
        #[arg(default_value = "", hide_default_value = true)]
        slices: String,
        /// Which database; if not given, that of the game's usual metric.
        #[arg(long, value_parser = ReadMetric)]
        metric: Option<Metric>,
    },
    /// Write every position of slices with its values as CSV or Parquet, for other programs.
    #[command(after_help = "Examples:
  endspiel db export chess KQK > kqk.csv
  endspiel db export chess KQKR --metric dtm,dtc --every 1000 --out kqkr.parquet")]
    Export {
        /// The game: name or name:variant.
        game: String,
        /// The slices, which must be built; not needed where there is one.
        #[arg(default_value = "", hide_default_value = true)]
        slices: String,
        /// A column for each of these metrics, with commas between.
        #[arg(long, value_delimiter = ',', value_name = "METRIC", value_parser = ReadMetric)]
        metric: Vec<Metric>,
        /// One position in so many.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
        every: u64,
        /// How rows are written; by the ending of the file if not given, and CSV where that tells nothing.
        #[arg(long)]
        format: Option<Format>,
        /// The file, which appears whole or not at all; standard output if not given.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Make small files out of the full ones: what the moves of a position tell is left out, and worked out when it is asked
    /// for. The full ones may go then.
    #[command(after_help = "Examples:
  endspiel db build checkers 2-4 --metric wdl
  endspiel db pack checkers 2-4
  endspiel db pack chess KRPKR --metric dtz")]
    Pack {
        /// The game: name or name:variant.
        game: String,
        /// The slices, as for build; those they convert into come with them. Not needed where there is one.
        #[arg(default_value = "", hide_default_value = true)]
        slices: String,
        /// What they tell: wdl if not given, which is made of full files of depths too, or dtm, dtc, dtz, or dtz by a rule such as
        /// dtz50; several with commas between.
        #[arg(long, value_delimiter = ',', value_name = "METRIC", value_parser = ReadMetric)]
        metric: Vec<Metric>,
        /// Memory that may be used, such as 512M or 12G. Fewer threads work where it is little.
        #[arg(long, default_value = "4G", value_parser = read_bytes)]
        memory: usize,
        /// Threads; all cores if not given.
        #[arg(long, default_value_t = cores(), value_parser = read_threads)]
        threads: u16,
    },
    /// Compare all checksums, re-derive values from their successors, and compare the metrics of a slice; all damage is told.
    #[command(after_help = "Examples:
  endspiel db verify awari
  endspiel db verify chess KQK,KRK")]
    Verify {
        /// The game: name or name:variant.
        game: String,
        /// The slices; all that are there if not given. What they convert into is taken as it is.
        slices: Option<String>,
        /// Re-derive one value in so many; 1 does all.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
        every: u64,
        /// Memory that may be used, such as 512M or 12G. Where all values are checked, what is larger is solved anew part by
        /// part from files.
        #[arg(long, default_value = "4G", value_parser = read_bytes)]
        memory: usize,
        /// Threads; all cores if not given.
        #[arg(long, default_value_t = cores(), value_parser = read_threads)]
        threads: u16,
    },
    /// How long players who err take to win, and to lose, against opponents who do not.
    #[command(after_help = "Examples:
  endspiel db predict chess KQKR --metric dtc --competence 20,21,22
  endspiel db predict chess KQK --competence 4 --conceding --matrix")]
    Predict {
        /// The game: name or name:variant.
        game: String,
        /// The slice, which must be built.
        slice: String,
        /// How well the player chooses, from 0, blindly, to 100, nearly without fault; several with commas between.
        #[arg(long, value_delimiter = ',', default_value = "20", value_parser = read_competence)]
        competence: Vec<f64>,
        /// Tell the chance to win within so many moves.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=10_000))]
        moves: u16,
        /// The player may give wins and draws away.
        #[arg(long)]
        conceding: bool,
        /// Tell the chances from state to state, too.
        #[arg(long)]
        matrix: bool,
        /// Which database; if not given, that of the game's usual metric.
        #[arg(long, value_parser = ReadMetric)]
        metric: Option<Metric>,
        /// Threads; all cores if not given.
        #[arg(long, default_value_t = cores(), value_parser = read_threads)]
        threads: u16,
    },
    /// What is there.
    List {
        /// The game: name or name:variant; all games if not given.
        game: Option<String>,
    },
}

impl DbCommand {
    /// The game that is meant; none where it may be any.
    pub fn game(&self) -> Option<&str> {
        match self {
            Self::Build { game, .. }
            | Self::Probe { game, .. }
            | Self::Line { game, .. }
            | Self::Slips { game, .. }
            | Self::Stats { game, .. }
            | Self::Export { game, .. }
            | Self::Verify { game, .. }
            | Self::Pack { game, .. }
            | Self::Predict { game, .. } => Some(game),
            Self::List { game } => game.as_deref(),
        }
    }
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Lines of text with commas between the fields.
    Csv,
    /// Columns of numbers and texts, compressed.
    Parquet,
}

impl Format {
    /// The one that a file's ending names.
    fn of(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        clap::ValueEnum::from_str(&ending, false).ok()
    }

    /// Its name, which is its ending too.
    fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }

    /// The one that is asked for; what is wrong if the file's ending names another.
    pub fn meant(
        asked: Option<Self>,
        file: Option<&Path>,
    ) -> Result<endspiel_catalog::databases::Format, String> {
        use endspiel_catalog::databases::Format as Meant;
        let named = file.and_then(Self::of);
        if let (Some(asked), Some(named), Some(file)) = (asked, named, file)
            && asked != named
        {
            let (file, asked, named) = (file.display(), asked.name(), named.name());
            return Err(format!(
                "{file} has the ending of {named}, and --format asks for {asked}: name a file that ends in .{asked}, or leave \
                 --format out"
            ));
        }
        Ok(match asked.or(named) {
            Some(Self::Parquet) => Meant::Parquet,
            _ => Meant::Csv,
        })
    }
}

/// Reads a metric. People are offered the usual ones, with fifty moves where a rule counts them.
#[derive(Clone)]
pub struct ReadMetric;

const METRICS: [(&str, &str); 13] = [
    ("score", "The final difference, in points"),
    ("dtm", "Plies to the end of the game"),
    ("dtm50", "The same under the fifty-move rule; dtm75 under a rule of 75 moves, and so on up to 120"),
    ("dtc", "Plies to the end or to another slice"),
    ("dtc50", "The same under the fifty-move rule, or another as above"),
    ("dtz", "Plies to the next capture or move of a pawn or man"),
    ("dtz50", "The same under the fifty-move rule, or another as above"),
    (
        "dtr",
        "The depth by the rule: the least limit on the plies of a phase under which the outcome can be forced",
    ),
    ("wdl", "Win, draw or loss alone"),
    ("wdl50", "The same under the fifty-move rule, or another as above"),
    ("moves", "In a table for one player: moves to be done"),
    ("rolls", "In a table for one player: rolls of dice to be done, on the average"),
    ("grundy", "In games with the same moves for both: the value by which sums of games are added"),
];

impl TypedValueParser for ReadMetric {
    type Value = Metric;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Metric, clap::Error> {
        if let Some(metric) = value.to_str().and_then(Metric::named) {
            return Ok(metric);
        }
        let usual = PossibleValuesParser::new(METRICS.map(|(name, _)| name));
        let refused = usual.parse_ref(command, arg, value).err();
        let mut refused =
            refused.unwrap_or_else(|| clap::Error::new(ErrorKind::InvalidValue).with_cmd(command));
        let tip = format!("any number of moves from 1 to {} may stand for 50", Metric::MOST_MOVES);
        refused.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        Err(refused)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(METRICS.into_iter().map(|(name, help)| PossibleValue::new(name).help(help))))
    }
}

fn read_competence(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|c| (0.0..=100.0).contains(c))
        .ok_or_else(|| "expected a number from 0 to 100".into())
}
