//! `endspiel serve`: the page in the browser.

use crate::{End, Failure};
use endspiel_web::Options;
use serde_json::json;
use std::io::Write;

pub fn run(options: Options, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let mut told = Ok(());
    let served = endspiel_web::serve(options, |url| {
        told = if as_json {
            writeln!(out, "{}", json!({"url": url}))
        } else {
            writeln!(out, "The page is at {url}\nStop it with Ctrl-C.")
        }
        .and_then(|()| out.flush());
    });
    told?;
    served.map_err(|error| Failure::Input(error.to_string()))?;
    Ok(End::Decided)
}
