//! `endspiel engine`: an engine for the managers of tournaments.

use crate::args::Protocol;
use crate::{End, Failure};
use std::io::{BufReader, Write, stdin};

pub fn run(protocol: Protocol, out: &mut impl Write) -> Result<End, Failure> {
    match protocol {
        Protocol::Gomocup => endspiel_protocol::gomocup::run(BufReader::new(stdin()), out)?,
    }
    Ok(End::Decided)
}
