//! More connections than the server takes: it goes on for the others. A process of its own, for the files that it has open.

mod common;

use common::{answer, usual};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How many connections to oneself the system lets a process have, where it tells, and at most so many.
fn allowed(most: usize) -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let files = limits.lines().find(|line| line.starts_with("Max open files"));
    let files = files.and_then(|line| line.split_whitespace().nth(3)?.parse().ok()).unwrap_or(1024_usize);
    most.min(files.saturating_sub(200) / 2)
}

#[test]
fn crowds_of_idlers_and_listeners_leave_room_for_others() {
    let server = usual();
    let begun = Instant::now();
    let half = |stream: &mut TcpStream, i: usize| match i % 3 {
        0 => stream.write_all(b"GET /api/games HTTP/1.1\r\nHost: loc"),
        1 => stream.write_all(b"POST /api/records HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"),
        _ => Ok(()),
    };
    let idlers: Vec<TcpStream> = (0..allowed(1500))
        .map(|i| {
            let mut stream = server.connect();
            half(&mut stream, i).expect("sent");
            stream
        })
        .collect();
    assert_eq!(server.get("/api/games").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(50), "{:?}", begun.elapsed());
    for (i, stream) in idlers.into_iter().enumerate().step_by(25) {
        let reply = answer(&mut BufReader::new(stream));
        // Who says nothing is told nothing.
        let expected: &[u16] = if i % 3 == 2 { &[0] } else { &[408, 415] };
        assert!(expected.contains(&reply.status), "{i}: {}", reply.status);
    }

    // All listen to one job.
    let long = json!({"game": "hex:11", "method": "df-pn", "time": 250, "keep": true});
    let id = server.post("/api/jobs", &long).json()["id"].as_str().expect("a number").to_string();
    let mut listening = Vec::new();
    let mut refused = 0;
    for _ in 0..allowed(400) {
        let mut stream = server.connect();
        write!(stream, "GET /api/jobs/{id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("sent");
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).expect("an answer");
        if line.contains("503") {
            refused += 1;
            while !line.is_empty() && !line.starts_with("retry-after") {
                line.clear();
                reader.read_line(&mut line).expect("a head");
            }
            assert!(line.starts_with("retry-after"), "it says when to come back");
        } else {
            assert!(line.contains("200"), "{line}");
            listening.push(reader);
        }
    }
    assert!(listening.len() <= 384 && (refused > 0 || listening.len() < 384), "{} listen", listening.len());
    let asked = Instant::now();
    assert_eq!(server.get(&format!("/api/jobs/{id}")).json()["state"], "running");
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    drop(listening);
    server.ask("DELETE", &format!("/api/jobs/{id}"), "", b"");
    assert_eq!(server.wait(&id)["state"], "cancelled");
}
