//! What the server takes and gives, on loopback, in this process: the first page, a move's round trip and live
//! updates while nobody else asks; then a hundred clients who ask for an analysis of one second each, of all
//! games in turn, all at once. `cargo run --release -p endspiel-web --example load` stops by itself after a minute or so.

use endspiel_catalog::GAMES;
use endspiel_web::{Limits, Options, Server};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

const CLIENTS: usize = 100;
/// Who has not been served by then is not served.
const LONGEST: Duration = Duration::from_secs(180);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let server = runtime.block_on(Server::bind(Options { port: 0, ..Options::default() }))?;
    let address = server.address();
    runtime.spawn(server.run(std::future::pending()));
    alone(address)?;
    let begun = Instant::now();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|i| {
            let game = GAMES[i % GAMES.len()].about().name;
            std::thread::spawn(move || client(address, game))
        })
        .collect();
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
    let limits = Limits::default();
    println!(
        "{served} of {CLIENTS} clients served in {:.1} s on {} workers",
        begun.elapsed().as_secs_f64(),
        limits.workers
    );
    println!("{events} updates");
    println!("a position meanwhile: {}", spread(moves));
    println!("jobs' memory {} MiB; {}", limits.memory >> 20, peak());
    Ok(())
}

/// One client alone: what the first page loads, a move, the updates of an analysis.
fn alone(address: SocketAddr) -> std::io::Result<()> {
    let page = ask(address, "GET /", "")?;
    let linked = |text: &str, mark: &str| -> Vec<String> {
        text.split(mark).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_string).collect()
    };
    let begun = Instant::now();
    let mut todo = vec![String::new()];
    todo.extend(linked(&page, "src=\""));
    todo.extend(linked(&page, "rel=\"stylesheet\" href=\""));
    let (mut bytes, mut done) = (0, 0);
    while done < todo.len() {
        let file = ask(address, &format!("GET /{}", todo[done]), "")?;
        bytes += file.len();
        for part in linked(&file, "from \"./").into_iter().chain(linked(&file, "import \"./")) {
            if !todo.contains(&part) {
                todo.push(part);
            }
        }
        done += 1;
    }
    for data in ["games", "methods", "databases", "position?game=tic-tac-toe"] {
        bytes += ask(address, &format!("GET /api/{data}"), "")?.len();
    }
    let took = begun.elapsed();
    println!("the first page: {done} files and 4 answers, {bytes} bytes, {took:?} one after the other");
    let one = |moves: &str| -> std::io::Result<Duration> {
        let begun = Instant::now();
        ask(address, &format!("GET /api/position?game=connect-four&moves={moves}"), "")?;
        Ok(begun.elapsed())
    };
    println!("a move alone: {}", spread((0..100).map(|_| one("4444")).collect::<Result<_, _>>()?));
    let begun = Instant::now();
    let heard = client(address, "connect-four")?;
    println!("an analysis alone: {:.1} updates a second", heard as f64 / begun.elapsed().as_secs_f64());
    Ok(())
}

fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    format!("median {:?}, longest {:?}", times[times.len() / 2], times[times.len() - 1])
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
fn client(address: SocketAddr, game: &str) -> std::io::Result<usize> {
    let body = format!(r#"{{"kind":"best","game":"{game}","time":1,"play":true}}"#);
    let reply = ask(address, "POST /api/jobs", &body)?;
    let id = reply.split("\"id\":\"").nth(1).and_then(|rest| rest.split('"').next());
    let id = id.ok_or_else(|| std::io::Error::other(reply.clone()))?;
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    write!(stream, "GET /api/jobs/{id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n")?;
    let (mut heard, begun) = (0, Instant::now());
    for line in BufReader::new(stream).lines() {
        let line = line?;
        if begun.elapsed() > LONGEST {
            return Err(std::io::Error::other("it takes too long"));
        }
        heard += usize::from(line.starts_with("event:"));
        if line.starts_with("data:") && line.contains("\"state\":\"done\"") {
            return Ok(heard);
        }
    }
    Err(std::io::Error::other("the stream ended too soon"))
}
