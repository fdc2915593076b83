//! What the server takes and gives, on loopback, in this process: the first page, a move's round trip and live
//! updates while nobody else asks; then a hundred clients who ask for an analysis of one second each, of all
//! games in turn, all at once. `cargo run --release -p endspiel-web --example load` stops by itself after a minute or so, and fails if a
//! client was not served or the process took more memory than its jobs may have.

use endspiel_catalog::GAMES;
use endspiel_web::{Limits, Options, Server};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

const CLIENTS: usize = 100;
const MIB: f64 = 1_048_576.0;
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
    let outcomes: Vec<_> =
        clients.into_iter().map(|c| c.join().unwrap_or_else(|_| Err(lost("it panicked")))).collect();
    let served: Vec<usize> = outcomes.iter().filter_map(|outcome| outcome.as_ref().ok()).copied().collect();
    let limits = Limits::default();
    println!(
        "{CLIENTS} clients at once: {} of {CLIENTS} served in {:.1} s on {} workers, {} updates (aim: none fails)",
        served.len(),
        begun.elapsed().as_secs_f64(),
        limits.workers,
        served.iter().sum::<usize>()
    );
    println!("a move meanwhile: {}", spread(moves));
    let budget = limits.memory as f64 / MIB;
    let most = peak().map_or("not told by this system".into(), |peak| format!("{peak:.0} MiB at most"));
    println!("memory of the process: {most} (aim: under the jobs' {budget:.0} MiB)");
    if let Some(failed) = outcomes.into_iter().find_map(Result::err) {
        return Err(format!("not all were served: {failed}").into());
    }
    if peak().is_some_and(|peak| peak > budget) {
        return Err("the process took more memory than its jobs may have".into());
    }
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
    println!(
        "the first page: {:.0} kB in {:.1} ms, {done} files and 4 answers one after the other (aim: under 300 kB and 100 ms)",
        bytes as f64 / 1000.0,
        1000.0 * took.as_secs_f64()
    );
    let one = |moves: &str| -> std::io::Result<Duration> {
        let begun = Instant::now();
        ask(address, &format!("GET /api/position?game=connect-four&moves={moves}"), "")?;
        Ok(begun.elapsed())
    };
    let moves = (0..100).map(|_| one("4444")).collect::<Result<_, _>>()?;
    println!("a move's round trip: {} (aim: under 20 ms)", spread(moves));
    let begun = Instant::now();
    let heard = client(address, "connect-four")?;
    let rate = heard as f64 / begun.elapsed().as_secs_f64();
    println!("live updates of an analysis: {rate:.1} a second (aim: at least 5)");
    Ok(())
}

fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |i: usize| times.get(i).map_or(0.0, |time| 1000.0 * time.as_secs_f64());
    format!(
        "{:.1} ms (median of {}; the longest {:.1} ms)",
        at(times.len() / 2),
        times.len(),
        at(times.len().max(1) - 1)
    )
}

/// The largest memory of this process so far in MiB, where the system tells.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kib| kib / 1024.0)
}

fn lost(why: &str) -> std::io::Error {
    std::io::Error::other(why.to_string())
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
    let id = id.ok_or_else(|| lost(&reply))?;
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    write!(stream, "GET /api/jobs/{id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n")?;
    let (mut heard, begun) = (0, Instant::now());
    for line in BufReader::new(stream).lines() {
        let line = line?;
        if begun.elapsed() > LONGEST {
            return Err(lost("it takes too long"));
        }
        heard += usize::from(line.starts_with("event:"));
        if line.starts_with("data:") && line.contains("\"state\":\"done\"") {
            return Ok(heard);
        }
    }
    Err(lost("the stream ended too soon"))
}
