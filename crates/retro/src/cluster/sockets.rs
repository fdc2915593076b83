//! How the processes find each other: everyone listens where the list of hosts says and calls those before it in the
//! list. Both ends say who they are and what they want; who wants something else is refused.

use super::Cluster;
use crate::Error;
use endspiel_game::Stop;
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

const MAGIC: u64 = u64::from_le_bytes(*b"ENDSPCL\x01");
const PAUSE: Duration = Duration::from_millis(50);
/// How long one end waits for the word of the other.
const REPLY: Duration = Duration::from_secs(5);

/// Connects to all others; the own place in the list stays empty.
pub fn connect(cluster: &Cluster, wants: u64, stop: &Stop) -> Result<Vec<Option<TcpStream>>, Error> {
    let (me, many) = (cluster.process, cluster.hosts.len());
    let mut all: Vec<Option<TcpStream>> = (0..many).map(|_| None).collect();
    if many <= 1 {
        return Ok(all);
    }
    let here = &cluster.hosts[me];
    let failed = |e: std::io::Error| Error::cluster(format!("cannot listen at {here}: {e}"));
    let listener = TcpListener::bind(here).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let begun = Instant::now();
    let missing = |all: &[Option<TcpStream>]| (0..many).find(|&i| i != me && all[i].is_none());
    while let Some(lacking) = missing(&all) {
        if stop.asked() {
            return Err(Error::Stopped);
        }
        if begun.elapsed() > cluster.patience {
            let (host, seconds) = (&cluster.hosts[lacking], cluster.patience.as_secs());
            return Err(Error::cluster(format!(
                "process {lacking} at {host} did not come within {seconds} s"
            )));
        }
        let mut idle = true;
        for other in (0..me).filter(|&other| all[other].is_none()).collect::<Vec<_>>() {
            if let Some(stream) = call(&cluster.hosts[other])? {
                all[other] = greet(stream, me, wants)?.map(|(_, stream)| stream);
                idle = false;
            }
        }
        match listener.accept() {
            Ok((stream, _)) => {
                idle = false;
                if let Some((other, stream)) = greet(stream, me, wants)?
                    && other > me
                    && other < many
                {
                    all[other] = Some(stream);
                }
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => {}
            Err(e) => return Err(failed(e)),
        }
        if idle {
            std::thread::sleep(PAUSE);
        }
    }
    Ok(all)
}

/// Calls a host; none if nobody listens there yet.
fn call(host: &str) -> Result<Option<TcpStream>, Error> {
    let addresses = host.to_socket_addrs();
    let mut addresses = addresses.map_err(|e| Error::cluster(format!("cannot find {host}: {e}")))?;
    Ok(addresses.find_map(|address| TcpStream::connect_timeout(&address, REPLY).ok()))
}

/// Tells the other end who calls and what is wanted, and hears the same; none if it is somebody else.
fn greet(mut stream: TcpStream, me: usize, wants: u64) -> Result<Option<(usize, TcpStream)>, Error> {
    let mut talk = || -> std::io::Result<[u8; 24]> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(REPLY))?;
        for word in [MAGIC, me as u64, wants] {
            stream.write_all(&word.to_le_bytes())?;
        }
        let mut said = [0; 24];
        stream.read_exact(&mut said)?;
        stream.set_read_timeout(None)?;
        Ok(said)
    };
    // Who hangs up or talks of something else is not one of us.
    let Ok(said) = talk() else { return Ok(None) };
    let word = |i: usize| said[8 * i..8 * i + 8].iter().rev().fold(0, |n, &byte| n << 8 | u64::from(byte));
    if word(0) != MAGIC {
        return Ok(None);
    }
    if word(2) != wants {
        let what = format!(
            "process {} was started for another game, other slices, metric, workers or hosts, or sees other files",
            word(1)
        );
        return Err(Error::cluster(what));
    }
    Ok(Some((word(1) as usize, stream)))
}
