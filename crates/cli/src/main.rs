//! `endspiel`: the command line. One file a command; this one reads the words and hands over.
//!
//! ```text
//! endspiel solve connect-four:5x4 --certificate four.cert
//! endspiel verify four.cert
//! endspiel best tic-tac-toe --moves "b2 b1"
//! ```

mod args;
mod commands;
mod screen;
mod spend;

use args::{Cli, Command, DbCommand, LabCommand};
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

/// How a command ended; the exit status is its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// Done; what was asked is decided.
    Decided = 0,
    /// Undecided within the budget.
    Undecided = 1,
    /// Bad input.
    BadInput = 2,
}

/// What stops a command: a message for the user, or an output that went away.
#[derive(Debug)]
pub enum Failure {
    /// Bad input: what, where, and what would be right.
    Input(String),
    /// Nobody reads the output any more, or it cannot be written.
    Output(std::io::Error),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<endspiel_catalog::Error> for Failure {
    fn from(error: endspiel_catalog::Error) -> Self {
        Self::Input(error.to_string())
    }
}

/// A file that grows beyond the system's limit (`ulimit -f`) is to be told as a full disk is, by the write that fails. The signal that
/// would end the program without a word waits for ever: threads that begin later inherit that.
#[cfg(unix)]
fn outlive_file_limits() {
    use nix::sys::signal::{SigSet, Signal};
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGXFSZ);
    // Where it cannot be held off, it ends the program as before.
    let _ = signals.thread_block();
}

fn main() -> ExitCode {
    #[cfg(unix)]
    outlive_file_limits();
    let cli = Cli::parse();
    let end = match run(&cli) {
        Ok(end) => end,
        Err(Failure::Input(message)) => {
            screen::complain(&message);
            End::BadInput
        }
        // A closed pipe is the reader's right: `endspiel games | head -1`.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => End::Decided,
        Err(Failure::Output(error)) => {
            screen::complain(&format!("cannot write the output: {error}"));
            End::BadInput
        }
    };
    ExitCode::from(end as u8)
}

fn run(cli: &Cli) -> Result<End, Failure> {
    let json = cli.json;
    let out = &mut std::io::stdout().lock();
    let end = match &cli.command {
        Command::Games { game } => commands::games::run(game.as_deref(), json, out),
        Command::Methods { matrix } => commands::methods::run(*matrix, json, out),
        Command::Show { place, svg, relief, all, glance } => {
            let shown = commands::show::Shown { svg: *svg, relief: *relief, all: *all, glance: *glance };
            commands::show::run(place, shown, json, out)
        }
        Command::Threats { place, svg } => commands::threats::run(place, *svg, json, out),
        Command::Perft { game, depth, from, divide } => {
            commands::perft::run(game, from, *depth, *divide, json, out)
        }
        Command::Solve { place, how, certificate, store: Some(file), with } => {
            let files = commands::proofs::Files { store: file, certificate: certificate.as_deref() };
            commands::proofs::solve(place, &how.spend, &files, with, json, out)
        }
        Command::Solve { place, how, certificate, .. } => {
            commands::solve::run(place, how, certificate.as_deref(), json, out)
        }
        Command::Best { place, how } => commands::best::run(place, how, json, out),
        Command::Play { game, from, first, second, db, metric, book, ponder, spend } => {
            let (db, book) = (db.as_deref(), book.as_deref());
            let aids = commands::play::Aids { db, book, metric: *metric, ponder: *ponder };
            commands::play::run(game, from, [first, second], &aids, spend, json, out)
        }
        Command::Verify { files, threads, db } => {
            commands::verify::run(files, usize::from(*threads), db.as_deref(), json, out)
        }
        Command::Complexity { place, samples, draws, method, spend } => {
            commands::complexity::run(place, [*samples, *draws], method, spend, json, out)
        }
        Command::Ask { game, question, engine, certificate, from, spend } => {
            let place = args::Place { game: game.clone(), dash: None, from: from.clone() };
            let how = commands::ask::How { engine, certificate: certificate.as_deref(), spend };
            commands::ask::run(&place, question, &how, json, out)
        }
        Command::Sum { parts, spend } => commands::sum::run(parts, spend, json, out),
        Command::Bench { game, what, spend } => {
            commands::bench::rates(game.as_deref(), what, spend, json, out)
        }
        Command::Lab { command: LabCommand::List } => commands::lab::list(json, out),
        Command::Lab { command: LabCommand::Run { name, keep, dir, only, spend } } => {
            let dirs =
                commands::lab::Dirs { keep: keep.as_deref(), state: dir.as_deref(), only: only.as_deref() };
            commands::lab::run(name, &dirs, spend, json, out)
        }
        Command::Derive { text, rules, table, count, spend } => {
            commands::derive::run(text, rules.as_deref(), (*table, *count), spend, json, out)
        }
        Command::Serve {
            port,
            address,
            token,
            data,
            databases,
            workers,
            queue,
            time,
            lab_time,
            memory,
            threads,
            certificates,
        } => {
            let usual = endspiel_web::Limits::default();
            let limits = endspiel_web::Limits {
                workers: workers.map_or(usual.workers, usize::from),
                queue: *queue,
                time: *time,
                laboratory: *lab_time,
                memory: *memory,
                threads: usize::from(*threads),
                certificates: *certificates as u64,
            };
            let options = endspiel_web::Options {
                address: *address,
                port: *port,
                token: token.clone(),
                data: data.clone(),
                databases: Some(commands::serve::databases(databases.as_deref())?),
                limits,
            };
            commands::serve::run(options, json, out)
        }
        // What is made matters more than the word of it.
        Command::Db { command: command @ (DbCommand::Build { .. } | DbCommand::Pack { .. }), dir } => {
            commands::db::run(command, dir.as_deref(), json, &mut screen::Regardless(&mut *out))
        }
        Command::Db { command, dir } => commands::db::run(command, dir.as_deref(), json, out),
        Command::Engine { protocol } => commands::engine::run(*protocol, out),
        Command::Completions { shell } => commands::completions::run(*shell, out),
    }?;
    out.flush()?;
    Ok(end)
}
