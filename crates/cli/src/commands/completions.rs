//! `endspiel completions`: for the shells.

use crate::args::Cli;
use crate::{End, Failure};
use clap::CommandFactory;
use std::io::Write;

pub fn run(shell: clap_complete::Shell, out: &mut impl Write) -> Result<End, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "endspiel", &mut text);
    out.write_all(&text)?;
    Ok(End::Decided)
}
