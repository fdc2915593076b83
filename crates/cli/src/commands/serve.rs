//! `endspiel serve`: the page in the browser.

use super::db::usual_dir;
use crate::{End, Failure};
use endspiel_web::Options;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where databases are looked for: in the folder that is asked for, which must be there, or where they usually are.
pub fn databases(asked: Option<&Path>) -> Result<PathBuf, Failure> {
    match asked {
        Some(folder) if !folder.is_dir() => {
            Err(Failure::Input(format!("there is no folder {} to look for databases in", folder.display())))
        }
        Some(folder) => Ok(folder.into()),
        None => Ok(usual_dir()),
    }
}

pub fn run(options: Options, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let mut told = Ok(());
    let others = options.address.is_unspecified();
    let served = endspiel_web::serve(options, |server| {
        let (url, elsewhere) = (server.url(), server.url_elsewhere());
        told = if as_json {
            writeln!(out, "{}", json!({"url": url, "elsewhere": elsewhere}))
        } else {
            let elsewhere = match elsewhere {
                Some(url) => format!("\nFrom other machines: {url}"),
                None if others => {
                    "\nFrom other machines: the same with this machine's name or address".into()
                }
                None => String::new(),
            };
            writeln!(out, "The page is at {url}{elsewhere}\nStop it with Ctrl-C.")
        }
        .and_then(|()| out.flush());
    });
    told?;
    served.map_err(|error| Failure::Input(error.to_string()))?;
    Ok(End::Decided)
}
