//! A file as an answer, read and sent part by part: what is kept in memory of it is one part.

use crate::fault::Fault;
use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream::unfold;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use tokio::task::spawn_blocking;

/// The bytes of a part.
const PART: u64 = 64 << 10;

/// The file under a name; the name is the server's own.
pub fn send(path: &Path, name: &str) -> Result<Response, Fault> {
    let file = File::open(path).map_err(Fault::internal)?;
    let length = file.metadata().map_err(Fault::internal)?.len();
    let parts = unfold(Some(file), |file| async move {
        let read = spawn_blocking(move || next(file)).await;
        match read.unwrap_or_else(|e| (Err(io::Error::other(e)), None)) {
            (Ok(part), _) if part.is_empty() => None,
            read => Some(read),
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (header::CONTENT_LENGTH, length.to_string()),
    ];
    Ok((headers, Body::from_stream(parts)).into_response())
}

/// The next part of the file; after the last, and after a failure, there is no file any more.
fn next(file: Option<File>) -> (io::Result<Bytes>, Option<File>) {
    let Some(mut file) = file else { return (Ok(Bytes::new()), None) };
    let mut part = Vec::new();
    match (&mut file).take(PART).read_to_end(&mut part) {
        Ok(_) => (Ok(part.into()), Some(file)),
        Err(error) => (Err(error), None),
    }
}
