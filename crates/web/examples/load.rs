//! A hundred clients ask for an analysis of one second each, all at once, of a server in this process, on
//! loopback: `cargo run --release -p endspiel-web --example load`. It stops by itself after a minute or so.

use endspiel_web::{Limits, Options, Server};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

const CLIENTS: usize = 100;
const BODY: &str = r#"{"kind":"analyse","game":"connect-four","moves":"4","time":1,"play":true}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let server = runtime.block_on(Server::bind(Options { port: 0, ..Options::default() }))?;
    let address = server.address();
    runtime.spawn(server.run(std::future::pending()));
    let begun = Instant::now();
    let clients: Vec<_> = (0..CLIENTS).map(|_| std::thread::spawn(move || client(address))).collect();
    let mut moves = Vec::new();
    while !clients.iter().all(std::thread::JoinHandle::is_finished) {
        let asked = Instant::now();
        ask(address, "GET /api/position?game=connect-four&moves=4444", "")?;
        moves.push(asked.elapsed());
        std::thread::sleep(Duration::from_millis(200));
    }
    let outcomes: Vec<_> = clients.into_iter().map(|c| c.join().ok().and_then(Result::ok)).collect();
    let served = outcomes.iter().flatten().count();
    let events: usize = outcomes.iter().flatten().sum();
    moves.sort();
    let limits = Limits::default();
    println!(
        "{served} of {CLIENTS} clients served in {:.1} s on {} workers",
        begun.elapsed().as_secs_f64(),
        limits.workers
    );
    println!("{events} updates");
    println!(
        "a position meanwhile: median {:?}, longest {:?}",
        moves[moves.len() / 2],
        moves[moves.len() - 1]
    );
    println!("jobs' memory {} MiB; {}", limits.memory >> 20, peak());
    Ok(())
}

/// The largest memory of this process so far, where the system tells.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM unknown");
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn ask(address: SocketAddr, line: &str, body: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let length = body.len();
    write!(
        stream,
        "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    Ok(text)
}

/// Starts a job, listens to its end, and counts what it heard.
fn client(address: SocketAddr) -> std::io::Result<usize> {
    let reply = ask(address, "POST /api/jobs", BODY)?;
    let id = reply.split("\"id\":\"").nth(1).and_then(|rest| rest.split('"').next());
    let id = id.ok_or_else(|| std::io::Error::other(reply.clone()))?;
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    write!(stream, "GET /api/jobs/{id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n")?;
    let mut heard = 0;
    for line in BufReader::new(stream).lines() {
        let line = line?;
        heard += usize::from(line.starts_with("event:"));
        if line.starts_with("data:") && line.contains("\"state\":\"done\"") {
            return Ok(heard);
        }
    }
    Err(std::io::Error::other("the stream ended too soon"))
}
