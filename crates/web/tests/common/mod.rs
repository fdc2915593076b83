//! A server in this process and a client that speaks plain HTTP, so that it can be as rude as it likes.
#![allow(dead_code)] // Each test file uses its part.

use endspiel_web::{Limits, Options, Server};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A running server; it stops when it is dropped.
pub struct Running {
    pub address: SocketAddr,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub fn start(options: Options) -> Running {
    let (told, address) = std::sync::mpsc::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let server = Server::bind(Options { port: 0, ..options }).await.expect("a server");
            told.send(server.address()).expect("somebody listens");
            server.run(async { drop(stopped.await) }).await;
        });
    });
    let address = address.recv_timeout(Duration::from_secs(20)).expect("a server that listens");
    Running { address, stop: Some(stop), thread: Some(thread) }
}

pub fn usual() -> Running {
    let limits = Limits { workers: 2, queue: 8, memory: 64 << 20, ..Limits::default() };
    start(Options { limits, ..Options::default() })
}

#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&self.body)))
    }
}

impl Running {
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        stream
    }

    /// Sends bytes as they are and reads the answer.
    pub fn raw(&self, bytes: &[u8]) -> Reply {
        let mut stream = self.connect();
        // The server may close before it has read all of it.
        let _ = stream.write_all(bytes);
        answer(&mut BufReader::new(stream))
    }

    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Reply {
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n"
        );
        self.raw(&[head.as_bytes(), body].concat())
    }

    pub fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, "", b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.ask("POST", path, "Content-Type: application/json\r\n", body.to_string().as_bytes())
    }

    /// Waits for a job's end by asking.
    pub fn wait(&self, id: &str) -> Value {
        for _ in 0..600 {
            let news = self.get(&format!("/api/jobs/{id}")).json();
            if !["waiting", "running"].contains(&news["state"].as_str().unwrap_or_default()) {
                return news;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("job {id} does not end");
    }
}

/// Reads one answer.
pub fn answer(reader: &mut impl BufRead) -> Reply {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            break;
        }
    }
    let status = head.split(' ').nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    let lower = head.to_lowercase();
    let length = lower.split("content-length:").nth(1).and_then(|n| n.lines().next()?.trim().parse().ok());
    let mut body = Vec::new();
    match length {
        Some(length) => drop(reader.take(length).read_to_end(&mut body)),
        None if status > 0 => drop(reader.read_to_end(&mut body)),
        None => (),
    }
    Reply { status, head, body }
}
