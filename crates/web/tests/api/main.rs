//! The API as a client sees it.

mod certificates;
mod collections;
#[path = "../common/mod.rs"]
mod common;
mod jobs;
mod positions;
mod records;
mod serving;

use common::Running;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};

/// Starts a job and gives its number.
pub fn begin(server: &Running, ask: &Value) -> String {
    let reply = server.post("/api/jobs", ask);
    assert_eq!(reply.status, 202, "{}", reply.json());
    reply.json()["id"].as_str().expect("a number").to_string()
}

/// Listens to a job's events until `enough` says so.
pub fn listen(server: &Running, id: &str, mut enough: impl FnMut(&str, &Value) -> bool) {
    let mut stream = server.connect();
    write!(stream, "GET /api/jobs/{id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("sent");
    let mut event = String::new();
    for line in BufReader::new(stream).lines() {
        let line = line.expect("a line");
        if let Some(name) = line.strip_prefix("event: ") {
            event = name.into();
        } else if let Some(data) = line.strip_prefix("data: ")
            && enough(&event, &serde_json::from_str(data).expect("JSON"))
        {
            return;
        }
    }
    panic!("the stream ended too soon");
}
