//! The command line's words: commands, options, and how budgets are written.

mod db;

use db::ReadMetric;
pub use db::{DbCommand, Format};

use crate::spend::{Spend, read_bytes, read_depth, read_threads, read_time};
use clap::{Args, Parser, Subcommand, ValueEnum};
use endspiel_game::Goal;
use std::path::PathBuf;
use std::time::Duration;

/// Endspiel tells the truth about games: who wins, how, and how it knows.
#[derive(Debug, Parser)]
#[command(
    name = "endspiel",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  endspiel solve connect-four:6x5 --certificate c4.cert   who wins, with a proof
  endspiel verify c4.cert                                 check it by the rules alone
  endspiel best tic-tac-toe --moves \"b2 a1\"               all moves, ranked
  endspiel play othello:6                                 play against the machine
  endspiel serve                                          all of it in the browser
  endspiel games                                          what can be asked about

Exit status: 0 decided, 1 undecided within the budget, 2 bad input."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Print JSON: one object an answer, one line an object.
    #[arg(long, global = true)]
    pub json: bool,
}

/// Protocols of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    /// Gomocup, also Piskvork's: go-moku and renju.
    Gomocup,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the games.
    #[command(after_help = "Examples:\n  endspiel games\n  endspiel games hex\n  endspiel games --json")]
    Games {
        /// Tell all about this one.
        game: Option<String>,
    },
    /// List the methods.
    #[command(after_help = "Examples:\n  endspiel methods\n  endspiel methods --matrix > docs/matrix.md")]
    Methods {
        /// Print which method works on which game, as a Markdown table.
        #[arg(long)]
        matrix: bool,
    },
    /// Show a position.
    #[command(
        after_help = "Examples:\n  endspiel show hex:5 --moves \"c3 b2\"\n  endspiel show othello --svg > board.svg\n  endspiel show qubic --svg --relief > cube.svg\n  endspiel show tic-tac-toe --moves \"a1 b1 a2\" --glance"
    )]
    Show {
        /// The position.
        #[command(flatten)]
        place: Place,
        /// Draw it as SVG.
        #[arg(long)]
        svg: bool,
        /// Draw boards that lie above one another at an angle.
        #[arg(long, requires = "svg")]
        relief: bool,
        /// Tell what is seen without a search: wins at once, threats, the moves worth a look.
        #[arg(long)]
        glance: bool,
        /// List all moves, however many.
        #[arg(long)]
        all: bool,
    },
    /// Find wins by threats: the sequence, and where the other has to play. Exit status 1 if none is found.
    #[command(
        after_help = "Examples:\n  endspiel threats gomoku --moves \"h8 a1 i9 b3 j10 c5\"\n  endspiel threats qubic --position \"<0,3,12,17,33,50>\"\n  endspiel threats gomoku --moves \"h8 a1 i9 b3 j10\" --svg > threat.svg"
    )]
    Threats {
        /// The position.
        #[command(flatten)]
        place: Place,
        /// Draw the first of them as SVG: the moves numbered, the cells where the other has to play marked.
        #[arg(long)]
        svg: bool,
    },
    /// Count the lines of play of a given length.
    #[command(after_help = "Examples:\n  endspiel perft othello 8\n  endspiel perft connect-four 5 --divide")]
    Perft {
        /// The game: name or name:variant.
        game: String,
        /// How many plies.
        #[arg(value_parser = read_depth)]
        depth: u32,
        /// The position and moves to start from.
        #[command(flatten)]
        from: From,
        /// Count by first move.
        #[arg(long)]
        divide: bool,
    },
    /// Find out who wins, and prove it.
    #[command(after_help = "Examples:
  endspiel solve tic-tac-toe
  endspiel solve hex:4 --moves b2 --certificate hex.cert
  endspiel solve othello:4 --score
  endspiel solve connect-four --moves 44444 --method alpha-beta --memory 1G --threads 2
  endspiel solve checkers --position \"B:WK1,K5:BK14,K23,K28\" --db databases
  endspiel solve gomoku --moves \"h8 a1 i9 j10\"
  endspiel solve gomoku --moves \"h8 a1 i9 b3\" --store proofs.redb
  printf '4\\n44\\n' | endspiel solve connect-four:5x4 --moves -")]
    Solve {
        /// The position.
        #[command(flatten)]
        place: Place,
        /// How.
        #[command(flatten)]
        how: How,
        /// Write a certificate of the answer to this file.
        #[arg(long, value_name = "FILE")]
        certificate: Option<PathBuf>,
        /// Go-moku: prove by threats, with what this file knows, and keep there what is proven.
        #[arg(long, value_name = "FILE", conflicts_with_all = ["method", "db", "score"])]
        store: Option<PathBuf>,
        /// What proofs by threats leave out: `top=10` moves of the attacker's or `top=all`, `related=off`,
        /// `implicit=off`, `evaluation=fours` or `fives`; several with spaces between.
        #[arg(long, value_name = "SWITCHES", default_value = "", requires = "store")]
        with: String,
    },
    /// Rank all moves: proven or estimated, with lines.
    #[command(
        after_help = "Examples:\n  endspiel best connect-four:6x5 --moves 33\n  endspiel best amazons:6 --method uct --time 10s"
    )]
    Best {
        /// The position.
        #[command(flatten)]
        place: Place,
        /// How.
        #[command(flatten)]
        how: How,
    },
    /// Play a game: each side a person or a method.
    #[command(after_help = "Examples:
  endspiel play connect-four
  endspiel play hex:6 --first uct --second human
  endspiel play awari --first alpha-beta --second uct --time 2s
  endspiel play awari --second guarded --db databases --book openings.txt
  endspiel play chess --position '8/8/8/8/8/2k5/8/K6Q w - -' --first fallible:5 --second human --db databases
  endspiel play qubic --first qubic.cert --second human")]
    Play {
        /// The game: name or name:variant.
        game: String,
        /// The position and moves to start from.
        #[command(flatten)]
        from: From,
        /// Who plays first: `human`, a method, a certificate (FILE.cert) whose strategy is followed, or `guarded`, which
        /// plays by book, databases and alpha-beta and lets proof-number search make sure that its moves do not lose. By
        /// databases alone play `fallible:C`, who errs by chance with competence C (0 is blind, inf never errs),
        /// `emulator:C`, whose moves look like that competence, and `predator`, who makes the most of the opponent's errors.
        #[arg(long, default_value = "human")]
        first: String,
        /// Who plays second: the same.
        #[arg(long, default_value = "auto")]
        second: String,
        /// Let methods ask the endgame databases in this directory; see `endspiel db`.
        #[arg(long, value_name = "DIR")]
        db: Option<PathBuf>,
        /// What `fallible`, `emulator` and `predator` go by; it must count plies.
        #[arg(long, value_parser = ReadMetric)]
        metric: Option<endspiel_retro::Metric>,
        /// The book of `guarded`: a file with lines of moves from the start.
        #[arg(long, value_name = "FILE")]
        book: Option<PathBuf>,
        /// When `guarded` thinks in the opponent's time and looks for wins: while a person thinks (`auto`), while a method does,
        /// too, which must share the machine then (`always`), or `never`.
        #[arg(long, value_name = "WHEN", default_value = "auto")]
        ponder: Ponder,
        /// What a method may spend on a move.
        #[command(flatten)]
        spend: Spend,
    },
    /// Check a certificate by the rules alone, and by the databases that it names if it rests on some; or a store of proofs
    /// of go-moku by the rules and searches for threats.
    #[command(after_help = "Examples:
  endspiel verify hex.cert
  endspiel verify *.cert --json
  endspiel verify ending.cert --db databases")]
    Verify {
        /// The certificates.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// How many threads check.
        #[arg(long, default_value_t = 1, value_parser = read_threads)]
        threads: u16,
        /// Where the databases are that the certificates rest on; others than they name are refused.
        #[arg(long, value_name = "DIR")]
        db: Option<PathBuf>,
    },
    /// Measure a game: how many positions, how large a tree.
    #[command(after_help = "Examples:
  endspiel complexity tic-tac-toe
  endspiel complexity connect-four:5x4 --memory 2G
  endspiel complexity othello --samples 2000
  endspiel complexity awari --samples 50 --method uct --nodes 1000")]
    Complexity {
        /// The position.
        #[command(flatten)]
        place: Place,
        /// How many games to sample.
        #[arg(long, default_value_t = 1000)]
        samples: usize,
        /// How many configurations to draw, where the positions are estimated so.
        #[arg(long, default_value_t = 20_000)]
        draws: usize,
        /// Who plays the games: `random`, or a method with the node or time budget for each move.
        #[arg(long, default_value = "random")]
        method: String,
        /// What may be spent on counting positions; with a method, also on each move.
        #[command(flatten)]
        spend: Spend,
    },
    /// Does a question hold here: a win within so many plies, a ladder, a lambda tree, a helpmate, any formula?
    #[command(after_help = "Questions:
  wins(black, 7)            a winning strategy of Black's within 7 plies
  ladder(black, 9)          by threats to win at once; lambda(black, 2, 7): by threats of order 2
  path, abstract, progress, paranoid, best-reply, helpmate, selfmate likewise
  wins(7), lambda(2, 7)     without a player the one to move begins
  <black>[white] won(black) some move of Black's, whatever White's next one: Black has won
  over, won(player), turn(player), true; ! not, & and, | or

Examples:
  endspiel ask hex:3 'wins(black, 5)'
  endspiel ask mnk:5,5,4 'lambda(3, 7)' --moves 'c3 a1'
  endspiel ask tic-tac-toe '<x><x> won(x)' --moves 'b2 a1' --engine proof-number")]
    Ask {
        /// The game: name or name:variant.
        game: String,
        /// The question; players go by their names in the game, or first and second.
        question: String,
        /// How to search.
        #[arg(long, default_value = "depth-first", value_parser = ["depth-first", "proof-number", "monte-carlo"])]
        engine: String,
        /// Write what shows the answer to this file; `endspiel verify` checks it.
        #[arg(long, value_name = "FILE")]
        certificate: Option<PathBuf>,
        /// Where to ask it.
        #[command(flatten)]
        from: From,
        /// What may be spent.
        #[command(flatten)]
        spend: Spend,
    },
    /// Add games up: what impartial ones are worth, who wins them together, and by which moves.
    #[command(
        after_help = "In each turn a player moves in one of the parts; who cannot move loses. Values are numbers, which are added without
carry, or infinite where play may go round.

Examples:
  endspiel sum 'wythoff 3,5' 'wythoff:nim 2,4'
  endspiel sum virus:p=6,regular=3
  endspiel sum 'virus:graph=a:b+b:ce+c:d+d:a+e:cd ade' 'wythoff:nim 0,1'"
    )]
    Sum {
        /// The parts, each a game and, after a blank, a position of it; without one its start.
        #[arg(required = true, value_name = "GAME POSITION")]
        parts: Vec<String>,
        /// What may be spent; nodes are positions.
        #[command(flatten)]
        spend: Spend,
    },
    /// Measure this machine.
    #[command(after_help = "Examples:
  endspiel bench
  endspiel bench connect-four --what alpha-beta,checker --time 2s")]
    Bench {
        /// Measure this game only: name or name:variant.
        game: Option<String>,
        /// What to measure, with commas between: perft, playouts, uct, alpha-beta, df-pn, checker.
        #[arg(long, value_delimiter = ',', value_name = "LIST")]
        what: Vec<String>,
        /// What may be spent on each rate.
        #[command(flatten)]
        spend: Spend,
    },
    /// Run an experiment or a long computation beside its published figures.
    #[command(after_help = "Examples:
  endspiel lab list
  endspiel lab run connect-four --memory 1G --keep .
  endspiel lab run lambda-savings --nodes 200000
  endspiel lab run threat-confirmation --threads 2
  endspiel lab run qubic-shortest --time 10m
  endspiel lab run gomoku-openings --time 10m")]
    Lab {
        /// What to do.
        #[command(subcommand)]
        command: LabCommand,
    },
    /// Rewrite a text to a single letter: the double-letter puzzle, or rules of your own.
    #[command(after_help = "Examples:
  endspiel derive aabdcbbdcaa
  endspiel derive aaccadd --count
  endspiel derive aaaaaaaaaaaaaaaaaaaaaaaa --count --time 10s
  endspiel derive abab --rules \"ab -> c; cc -> d\" --table")]
    Derive {
        /// The text.
        text: String,
        /// Rules such as "aa -> b | e; bb -> c", or a file of them; the double-letter puzzle's otherwise.
        #[arg(long, value_name = "RULES", allow_hyphen_values = true)]
        rules: Option<String>,
        /// Print what every piece of the text can become.
        #[arg(long)]
        table: bool,
        /// Count the nodes of plain and of dependency-based search, at most 2M of each where --nodes does not say.
        #[arg(long)]
        count: bool,
        /// What may be spent on counting.
        #[command(flatten)]
        spend: Spend,
    },
    /// Open the page in the browser: play, ask and walk through proofs.
    #[command(after_help = "Examples:
  endspiel serve
  endspiel serve --port 8080 --data ~/games
  endspiel serve --address 0.0.0.0 --token secret")]
    Serve {
        /// The port.
        #[arg(long, default_value_t = 7373)]
        port: u16,
        /// The address; off loopback every request must carry the token.
        #[arg(long, default_value = "127.0.0.1")]
        address: std::net::IpAddr,
        /// The token; off loopback one is made if none is given.
        #[arg(long)]
        token: Option<String>,
        /// Where saved games, finished jobs and certificates are kept; without it they go with the server.
        #[arg(long, value_name = "DIRECTORY")]
        data: Option<PathBuf>,
        /// Where the databases are; by default where `endspiel db` puts them.
        #[arg(long, value_name = "DIRECTORY")]
        databases: Option<PathBuf>,
        /// How many jobs run at once; the usual number is that of the cores.
        #[arg(long, value_parser = read_threads)]
        workers: Option<u16>,
        /// How many jobs may wait.
        #[arg(long, default_value_t = 256)]
        queue: usize,
        /// The longest time of a job.
        #[arg(long, default_value = "5m", value_parser = read_time)]
        time: Duration,
        /// The longest time of an experiment of the laboratory, which has a worker of its own beside the others.
        #[arg(long, default_value = "24h", value_parser = read_time)]
        lab_time: Duration,
        /// The memory of all running jobs together.
        #[arg(long, default_value = "512M", value_parser = read_bytes)]
        memory: usize,
        /// The most threads of a job.
        #[arg(long, default_value_t = 1, value_parser = read_threads)]
        threads: u16,
        /// The bytes of all certificates that are kept; new ones make room by letting go of old ones.
        #[arg(long, default_value = "4G", value_parser = read_bytes)]
        certificates: usize,
    },
    /// Build, ask and check endgame databases.
    #[command(after_help = "Examples:
  endspiel db build awari 0-15
  endspiel db probe awari \"0 1 0 0 1 0|0 0 0 0 0 1\"
  endspiel db stats awari 10 --json
  endspiel db build chess 3-4 --metric dtm,dtc
  endspiel db build checkers 2-4
  endspiel db verify awari")]
    Db {
        /// What to do.
        #[command(subcommand)]
        command: DbCommand,
        /// Where the databases are; by default in the user's data directory.
        #[arg(long, global = true, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
    /// Talk with a tournament manager on standard input and output, as an engine.
    #[command(after_help = "Examples:
  endspiel engine gomocup
  printf 'START 15\\nBEGIN\\n' | endspiel engine gomocup")]
    Engine {
        /// The protocol.
        #[arg(value_enum)]
        protocol: Protocol,
    },
    /// Print completions for a shell.
    #[command(
        after_help = "Examples:\n  endspiel completions bash > /etc/bash_completion.d/endspiel\n  endspiel completions zsh > ~/.zfunc/_endspiel"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// When a player thinks in the opponent's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Ponder {
    /// While a person thinks.
    Auto,
    /// While anybody does.
    Always,
    /// Not at all.
    Never,
}

impl Ponder {
    /// Is it done while this player thinks?
    pub fn while_thinks(self, player: &str) -> bool {
        self == Self::Always || self == Self::Auto && player == "human"
    }
}

/// What to do in the laboratory.
#[derive(Debug, Subcommand)]
pub enum LabCommand {
    /// List the experiments and the long computations.
    List,
    /// Run one of them.
    Run {
        /// Its name, as `endspiel lab list` tells it.
        name: String,
        /// Keep the certificates of a computation in this directory, and go on from those that are there; or the curves of an
        /// experiment that has some.
        #[arg(long, value_name = "DIR")]
        keep: Option<PathBuf>,
        /// Where an experiment that goes on later keeps what it has found; in the user's data directory otherwise.
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
        /// In an experiment of endings, those to look at, such as KBBKP,KNNKP; all if not given.
        #[arg(long, value_name = "ENDINGS")]
        only: Option<String>,
        /// What may be spent: on each position, or by an experiment that goes on later in all.
        #[command(flatten)]
        spend: Spend,
    },
}

/// All cores.
pub(crate) fn cores() -> u16 {
    std::thread::available_parallelism().map_or(1, |n| n.get().min(256) as u16)
}

/// A game and a position of it.
#[derive(Clone, Debug, Args)]
pub struct Place {
    /// The game: name or name:variant, such as connect-four:6x5. See `endspiel games`.
    pub game: String,
    /// `-`: read positions from standard input, one a line.
    #[arg(value_name = "-", value_parser = ["-"])]
    pub dash: Option<String>,
    /// The position and moves to start from.
    #[command(flatten)]
    pub from: From,
}

/// Where to start.
#[derive(Clone, Debug, Args)]
pub struct From {
    /// A position in the game's notation; where a command takes many, `-` reads one a line from standard input.
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Moves to play from there, such as "b2 a1"; where a command takes many, `-` reads a list a line.
    #[arg(long, short, value_name = "MOVES", allow_hyphen_values = true)]
    pub moves: Option<String>,
}

/// How to find an answer.
#[derive(Debug, Args)]
pub struct How {
    /// The method; `auto` chooses one and says why. See `endspiel methods`.
    #[arg(long, default_value = "auto")]
    pub method: String,
    /// Find the exact score, not only who wins.
    #[arg(long)]
    pub score: bool,
    /// Let methods ask the endgame databases in this directory; see `endspiel db`.
    #[arg(long, value_name = "DIR")]
    pub db: Option<PathBuf>,
    /// What may be spent.
    #[command(flatten)]
    pub spend: Spend,
}

impl How {
    /// What is to be found out.
    pub fn goal(&self) -> Goal {
        if self.score { Goal::Score } else { Goal::Outcome }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
