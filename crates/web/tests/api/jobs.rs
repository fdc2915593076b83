//! Jobs: their progress, their end, the queue, and what is listed of them.

use crate::common::{Running, answer, start, usual};
use crate::{begin, listen};
use endspiel_web::{Limits, Options};
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

#[test]
fn jobs_tell_their_progress_and_their_answers() {
    let server = usual();
    let id = begin(&server, &json!({"kind": "best", "game": "tic-tac-toe", "moves": "b2 b1"}));
    let done = server.wait(&id);
    assert_eq!(done["result"]["value"], "win");
    assert_eq!(done["result"]["moves"].as_array().map(Vec::len), Some(7));
    let ask = json!({"kind": "best", "game": "hex:7", "time": 1.5, "play": true});
    let id = begin(&server, &ask);
    let (begun, mut heard, mut judged) = (Instant::now(), 0, std::collections::BTreeSet::new());
    listen(&server, &id, |event, news| {
        heard += 1;
        for m in news["moves"].as_array().expect("moves") {
            judged.insert(m["move"].as_str().expect("a name").to_string());
        }
        event == "over"
    });
    let rate = f64::from(heard) / begun.elapsed().as_secs_f64();
    println!("{heard} updates, {rate:.1} a second");
    assert!(heard > 1 && judged.len() == 49, "{heard} updates, {} moves", judged.len());
}

#[test]
fn a_job_stops_when_nobody_listens_or_when_told_to() {
    let server = usual();
    let long = json!({"game": "hex:11", "method": "df-pn", "time": 250});
    let id = begin(&server, &long);
    listen(&server, &id, |_, news| news["state"] == "running");
    assert_eq!(server.wait(&id)["state"], "cancelled", "its listener went");
    let id = begin(&server, &long);
    // A look at the head is not watching.
    let head = server.ask("HEAD", &format!("/api/jobs/{id}/events"), "", b"");
    assert!(head.status == 200 && head.head.contains("content-type: text/event-stream"), "{}", head.head);
    std::thread::sleep(Duration::from_millis(300));
    assert!(
        ["waiting", "running"]
            .contains(&server.get(&format!("/api/jobs/{id}")).json()["state"].as_str().unwrap_or_default())
    );
    server.ask("DELETE", &format!("/api/jobs/{id}"), "", b"");
    assert_eq!(server.wait(&id)["state"], "cancelled", "it was told to stop");
}

#[test]
fn a_full_queue_says_so_politely() {
    let limits = Limits { workers: 1, queue: 4, memory: 32 << 20, ..Limits::default() };
    let server = start(Options { limits, ..Options::default() });
    let long = json!({"game": "hex:11", "method": "df-pn", "time": 250});
    let mut statuses = Vec::new();
    let mut ids = Vec::new();
    for _ in 0..5 {
        let reply = server.post("/api/jobs", &long);
        statuses.push(reply.status);
        if reply.status == 202 {
            ids.push(reply.json()["id"].as_str().expect("a number").to_string());
        } else {
            assert!(reply.json()["error"].as_str().expect("an error").contains("busy"));
            assert!(reply.head.contains("retry-after: 5"));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(statuses, [202, 202, 202, 503, 503]);
    for id in &ids {
        server.ask("DELETE", &format!("/api/jobs/{id}"), "", b"");
        server.wait(id);
    }
    assert_eq!(server.post("/api/jobs", &json!({"game": "tic-tac-toe"})).status, 202, "there is room again");
}

/// Asks from another address of this machine.
#[cfg(target_os = "linux")]
fn ask_from(server: &Running, here: Ipv4Addr, ask: &Value) -> u16 {
    let to = server.address;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
        socket.bind((here, 0).into()).expect("an address of this machine");
        socket.connect(to).await.expect("a connection").into_std().expect("a socket")
    });
    stream.set_nonblocking(false).expect("set");
    let (mut stream, body) = (stream, ask.to_string());
    let head =
        "POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json";
    write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).expect("sent");
    answer(&mut BufReader::new(stream)).status
}

#[test]
#[cfg(target_os = "linux")]
fn one_client_cannot_fill_the_queue() {
    let limits = Limits { workers: 1, queue: 8, memory: 32 << 20, ..Limits::default() };
    let server = start(Options { limits, ..Options::default() });
    let long = json!({"game": "hex:11", "method": "df-pn", "time": 250});
    let greedy = (0..20).filter(|_| ask_from(&server, Ipv4Addr::new(127, 0, 0, 2), &long) == 202).count();
    assert!((4..=5).contains(&greedy), "{greedy} taken: one runs, four wait");
    assert_eq!(ask_from(&server, Ipv4Addr::new(127, 0, 0, 3), &long), 202, "others are served");
    assert_eq!(server.post("/api/jobs", &long).status, 202);
}

#[test]
fn hints_and_moves_of_methods_are_not_listed() {
    let server = usual();
    let hint = begin(&server, &json!({"game": "tic-tac-toe", "play": true, "time": 1}));
    let asked = begin(&server, &json!({"game": "tic-tac-toe"}));
    let analysed = begin(&server, &json!({"kind": "best", "game": "tic-tac-toe", "play": true, "time": 1}));
    for id in [&hint, &asked, &analysed] {
        assert_eq!(server.wait(id)["state"], "done");
    }
    let listed = || server.get("/api/jobs").json();
    // A job is told to be done a moment before it is listed.
    let begun = Instant::now();
    while listed()["over"].as_array().map(Vec::len) != Some(2) && begun.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let list = listed();
    let over = list["over"].as_array().expect("a list").iter();
    let ids: std::collections::BTreeSet<_> = over.filter_map(|one| one["job"]["id"].as_str()).collect();
    assert_eq!(ids, [asked.as_str(), analysed.as_str()].into(), "{list}");
    assert_eq!(list["passing"], 0);
}

#[test]
fn jobs_at_work_and_finished_ones_are_listed() {
    let server = usual();
    let long = json!({"game": "hex:11", "method": "df-pn", "time": 250, "keep": true});
    let id = begin(&server, &long);
    let short = begin(&server, &json!({"game": "tic-tac-toe"}));
    server.wait(&short);
    let ranking = begin(&server, &json!({"kind": "best", "game": "tic-tac-toe"}));
    server.wait(&ranking);
    // Who waits for a job hears of its end a moment before it is among those that are over.
    let both = || Some(server.get("/api/jobs").json()).filter(|list| list["over"][1] != Value::Null);
    let list = (0..500).find_map(|_| {
        both().or_else(|| {
            std::thread::sleep(Duration::from_millis(20));
            None
        })
    });
    let list = list.expect("two jobs that are over");
    assert_eq!(list["open"][0]["ask"]["game"], "hex:11");
    assert_eq!(list["open"].as_array().expect("a list").len(), 1);
    assert_eq!(list["over"][1]["job"]["result"]["value"], "draw");
    // Lists are short, jobs are whole.
    assert_eq!(
        (&list["over"][0]["ask"]["kind"], &list["over"][0]["job"]["result"]["moves"]),
        (&json!("best"), &json!(null))
    );
    let whole = server.get(&format!("/api/jobs/{ranking}")).json();
    assert_eq!(whole["result"]["moves"].as_array().map(Vec::len), Some(9));
    server.ask("DELETE", &format!("/api/jobs/{id}"), "", b"");
    server.wait(&id);
    assert_eq!(server.get("/api/jobs").json()["open"], json!([]));
}

#[test]
fn kept_jobs_go_on_after_a_restart() {
    let data = std::env::temp_dir().join(format!("endspiel-web-kept-{}", std::process::id()));
    let options = || Options {
        data: Some(data.clone()),
        limits: Limits { workers: 1, memory: 32 << 20, ..Limits::default() },
        ..Options::default()
    };
    let long = json!({"game": "hex:11", "method": "df-pn", "time": 250, "keep": true});
    let open = |server: &Running| -> Vec<String> {
        let open = server.get("/api/jobs").json()["open"].clone();
        let id = |entry: &Value| entry["job"]["id"].as_str().expect("a number").to_string();
        open.as_array().expect("a list").iter().map(id).collect()
    };
    let running = |server: &Running| {
        while server.get("/api/status").json()["running"] != 1 {
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    // One runs, one waits, and one that nobody asked to keep waits too.
    let (first, second) = {
        let server = start(options());
        let jobs = (begin(&server, &long), begin(&server, &long));
        begin(&server, &json!({"game": "tic-tac-toe"}));
        running(&server);
        jobs
    };
    {
        let server = start(options());
        running(&server);
        assert_eq!(open(&server), [first.clone(), second.clone()]);
        assert_eq!(server.ask("DELETE", &format!("/api/jobs/{second}"), "", b"").status, 200);
        while open(&server).len() > 1 {
            std::thread::sleep(Duration::from_millis(20));
        }
        // The queue is swept once a second.
        std::thread::sleep(Duration::from_millis(1500));
    }
    {
        let server = start(options());
        running(&server);
        assert_eq!(open(&server), [first.as_str()], "what was cancelled stays so");
    }
    // It has been begun three times: the fourth server only tells of it.
    let server = start(options());
    assert!(open(&server).is_empty());
    let told = server.get(&format!("/api/jobs/{first}")).json();
    assert_eq!(told["state"], "interrupted", "{told}");
    assert_eq!(server.get("/api/jobs").json()["over"][0]["job"]["id"], first.as_str());
    drop(server);
    std::fs::remove_dir_all(data).expect("removed");
}

#[test]
fn a_ranking_of_very_many_moves_keeps_to_its_time() {
    let server = usual();
    let id = begin(&server, &json!({"kind": "best", "game": "amazons", "time": 1, "play": true}));
    let done = server.wait(&id);
    assert_eq!(done["result"]["moves"].as_array().map(Vec::len), Some(2176));
    let seconds = done["seconds"].as_f64().expect("a time");
    assert!(seconds < 10.0, "{seconds} s of one");
}
