//! The API as a client sees it: positions, jobs and their streams, certificates, saved games, the token.

mod common;

use common::{Running, start, usual};
use endspiel_web::{Limits, Options};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

/// Starts a job and gives its number.
fn begin(server: &Running, ask: &Value) -> String {
    let reply = server.post("/api/jobs", ask);
    assert_eq!(reply.status, 202, "{}", reply.json());
    reply.json()["id"].as_str().expect("a number").to_string()
}

/// Listens to a job's events until `enough` says so.
fn listen(server: &Running, id: &str, mut enough: impl FnMut(&str, &Value) -> bool) {
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

#[test]
fn games_methods_and_positions_are_told() {
    let server = usual();
    let games = server.get("/api/games").json();
    assert!(games.as_array().expect("a list").len() >= 13);
    assert!(!server.get("/api/methods").json().as_array().expect("a list").is_empty());
    let view = server.get("/api/position?game=tic-tac-toe&moves=b2+a1").json();
    assert_eq!((view["mover"].as_str(), view["turn"].as_u64()), (Some("x"), Some(0)), "{view}");
    assert_eq!(view["played"], json!(["b2", "a1"]));
    assert_eq!(view["moves"].as_array().map(Vec::len), Some(7));
    assert!(view["picture"]["shapes"].as_str().expect("shapes").contains("<polygon"));
    let over = server.get("/api/position?game=tic-tac-toe&moves=b2+a1+a2+b1+c2").json();
    assert_eq!((over["result"].as_str(), over["turn"].as_u64()), (Some("x wins"), None));
    let begun = Instant::now();
    for _ in 0..20 {
        server.get("/api/position?game=connect-four&moves=4444");
    }
    println!("a move's round trip: {:?}", begun.elapsed() / 20);
}

#[test]
fn every_described_route_answers_and_every_page_is_guarded() {
    let server = usual();
    let reply = server.get("/api/openapi.json");
    for (path, methods) in reply.json()["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            let path = path.replace("{id}", "1").replace("{digest}", "1");
            let answer = server.ask(&method.to_uppercase(), &path, "", b"");
            let error = if path.ends_with("events") || answer.status < 400 {
                String::new()
            } else {
                answer.json()["error"].to_string()
            };
            assert!(answer.status != 405 && !error.contains("such page"), "{method} {path}: {error}");
        }
    }
    // What is described is what is answered.
    let schema = |name: &str| {
        let fields = reply.json()["components"]["schemas"][name]["properties"].clone();
        fields.as_object().expect("fields").keys().cloned().collect::<std::collections::BTreeSet<_>>()
    };
    let fields = |value: &Value| value.as_object().expect("fields").keys().cloned().collect();
    assert_eq!(schema("Position"), fields(&server.get("/api/position?game=hex").json()));
    let news = server.post("/api/jobs", &json!({"game": "tic-tac-toe"})).json();
    assert_eq!(schema("News"), fields(&news));
    let job = begin(&server, &json!({"game": "mnk:4,3,3", "certificate": true}));
    let digest =
        server.wait(&job)["result"]["certificate"]["file"].as_str().expect("a certificate").to_string();
    let walked = server.get(&format!("/api/certificates/{digest}/proof")).json();
    assert_eq!(schema("Station"), fields(&walked["station"]));
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("content-security-policy: default-src 'none'; script-src 'self'"));
    assert!(page.head.contains("x-content-type-options: nosniff"));
}

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

#[test]
fn certificates_are_made_walked_through_and_refused() {
    let server = usual();
    let id = begin(&server, &json!({"game": "mnk:4,3,3", "certificate": true}));
    let digest =
        server.wait(&id)["result"]["certificate"]["file"].as_str().expect("a certificate").to_string();
    let mut file = server.get(&format!("/api/certificates/{digest}")).body;
    assert!(file.starts_with(b"Endspiel certificate"));
    let accepted = server.ask("POST", "/api/certificates", "", &file);
    assert_eq!(accepted.status, 200);
    assert_eq!(accepted.json()["accepted"]["statement"], "x wins");
    assert_eq!(accepted.json()["certificate"], digest.as_str());

    // Down the first reply each time, until the game is over.
    let mut moves: Vec<String> = Vec::new();
    loop {
        let path = format!("/api/certificates/{digest}/proof?claim=0&moves={}", moves.join("+"));
        let station = server.get(&path).json()["station"].clone();
        if let Some(result) = station["result"].as_str() {
            assert_eq!(result, "x wins");
            break;
        }
        let reply = station["replies"].get(0).map(|r| r["move"].clone());
        let next =
            if station["answer"].is_null() { reply.expect("a reply") } else { station["answer"].clone() };
        moves.push(next.as_str().expect("a move").into());
    }
    let wrong = server.get(&format!("/api/certificates/{digest}/proof?moves=a1"));
    assert_eq!(wrong.status, 400);
    let told = wrong.json()["error"].as_str().expect("an error").to_string();
    assert!(
        told.starts_with("move 1, a1, leaves the proof: x moves as the proof says, here ")
            && told.ends_with("every move of o's is answered"),
        "{told}"
    );

    let middle = file.len() * 3 / 4;
    file[middle] ^= 1;
    let refused = server.ask("POST", "/api/certificates", "", &file);
    assert_eq!(refused.status, 422);
    assert!(refused.json()["error"].as_str().expect("an error").contains("checksum"), "{}", refused.json());
}

#[test]
fn certificates_make_room_for_new_ones_and_can_be_deleted() {
    let make = |server: &Running, game: &str| {
        let done = server.wait(&begin(server, &json!({"game": game, "certificate": true})));
        let file = done["result"]["certificate"]["file"].as_str().map(str::to_string);
        let why = done["result"]["uncertified"].as_str().or(done["error"].as_str()).unwrap_or_default();
        (file, why.to_string())
    };
    let listed = |server: &Running| -> Vec<String> {
        let list = server.get("/api/certificates").json();
        let digest = |c: &Value| c["digest"].as_str().expect("a digest").to_string();
        list.as_array().expect("a list").iter().map(digest).collect()
    };
    let limits = Limits { workers: 1, memory: 32 << 20, ..Limits::default() };
    let server = start(Options { limits, ..Options::default() });
    let (first, second) = (make(&server, "mnk:4,3,3").0, make(&server, "mnk:5,3,3").0);
    let (first, second) = (first.expect("a certificate"), second.expect("a certificate"));
    let sizes = [&first, &second].map(|d| server.get(&format!("/api/certificates/{d}")).body.len() as u64);
    let about = server.get("/api/certificates").json();
    let about = about.as_array().expect("a list").iter().find(|c| c["digest"] == first.as_str());
    assert_eq!(about.map(|c| (&c["game"], c["bytes"].as_u64())), Some((&json!("mnk:4,3,3"), Some(sizes[0]))));
    assert_eq!(server.ask("DELETE", &format!("/api/certificates/{first}"), "", b"").status, 204);
    assert_eq!(listed(&server), [second.as_str()]);
    let gone = server.get(&format!("/api/certificates/{first}/proof"));
    assert!(gone.status == 404 && gone.json()["error"].as_str().is_some_and(|e| e.contains("made room")));
    assert_eq!(server.ask("DELETE", &format!("/api/certificates/{first}"), "", b"").status, 404);

    // Room for one of them: the newer one stays, whoever made it.
    let limits = Limits { certificates: sizes[0].max(sizes[1]), ..limits };
    let server = start(Options { limits, ..Options::default() });
    for (game, digest) in [("mnk:4,3,3", &first), ("mnk:5,3,3", &second), ("mnk:4,3,3", &first)] {
        assert_eq!(make(&server, game).0.as_ref(), Some(digest));
        assert_eq!(listed(&server), [digest.as_str()]);
    }
    // Room for none: what is proven is told all the same.
    let server = start(Options { limits: Limits { certificates: 100, ..limits }, ..Options::default() });
    let (file, why) = make(&server, "mnk:4,3,3");
    // It may also be cut off while it is written.
    let told = why.contains("larger than all that may be kept") || why.contains("may have 100 bytes");
    assert!(file.is_none() && told, "{file:?} {why}");
    assert_eq!(listed(&server), [""; 0]);
}

#[test]
fn saved_games_finished_jobs_and_certificates_outlive_the_server() {
    let data = std::env::temp_dir().join(format!("endspiel-web-{}", std::process::id()));
    let options = || Options {
        data: Some(data.clone()),
        limits: Limits { workers: 1, memory: 32 << 20, ..Limits::default() },
        ..Options::default()
    };
    let text = "[Game \"tic-tac-toe\"]\n\n1. b2 a1\n";
    let (job, digest) = {
        let server = start(options());
        let saved = server.post("/api/records", &json!({"name": "<script>alert(1)</script>", "text": text}));
        assert_eq!((saved.status, saved.json()), (201, json!({"id": 1})));
        let job = begin(&server, &json!({"game": "tic-tac-toe", "certificate": true}));
        let digest = server.wait(&job)["result"]["certificate"]["file"].as_str().expect("a name").to_string();
        (job, digest)
    };
    let server = start(options());
    let list = server.get("/api/records").json();
    assert_eq!(list, json!([{"id": 1, "name": "<script>alert(1)</script>", "game": "tic-tac-toe"}]));
    assert_eq!(server.get("/api/records/1").json()["text"], text);
    assert_eq!(server.get(&format!("/api/jobs/{job}")).json()["result"]["value"], "draw");
    listen(&server, &job, |event, news| event == "over" && news["result"]["value"] == "draw");
    let stopped = server.ask("DELETE", &format!("/api/jobs/{job}"), "", b"");
    assert_eq!((stopped.status, &stopped.json()["state"]), (200, &json!("done")), "it is over");
    assert_eq!(server.get(&format!("/api/certificates/{digest}/proof")).status, 200);
    assert_eq!(server.ask("DELETE", "/api/records/1", "", b"").status, 204);
    drop(server);
    std::fs::remove_dir_all(data).expect("removed");
}

#[test]
fn records_are_written_and_read() {
    let server = usual();
    let text = server.get("/api/record?game=connect-four&moves=4+4+3&first=human&second=uct");
    assert_eq!(String::from_utf8_lossy(&text.body).lines().last(), Some("1. 4 4 2. 3"));
    let record = server.ask("POST", "/api/record", "", &text.body).json();
    assert_eq!((&record["game"], &record["moves"]), (&json!("connect-four"), &json!("4 4 3")));
    // A long game: its text is longer than any list of moves by the numbers in it.
    let there_and_back = ["b1-b3", "a4-c4", "b3-b1", "c4-a4"].repeat(660);
    let moves = there_and_back.join("+");
    let text = server.get(&format!("/api/record?game=lines-of-action&moves={moves}"));
    assert_eq!(text.status, 200, "{}", String::from_utf8_lossy(&text.body));
    assert!(text.body.len() > 16 << 10);
    let read = server.ask("POST", "/api/record", "", &text.body);
    assert_eq!(read.json()["moves"], there_and_back.join(" "));
    let saved = json!({"name": "long", "text": String::from_utf8_lossy(&text.body)});
    assert_eq!(server.post("/api/records", &saved).status, 201);
}

#[test]
fn chess_is_exchanged_as_pgn() {
    let server = usual();
    let record = |body: &str| server.ask("POST", "/api/record", "", body.as_bytes());
    let text = "[Event \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1/2-1/2\"]\n\n1. e4 {best by test} e5 $2\n\
                2. Nf3 (2. f4 exf4) 2... Nc6! 3. Bb5 a6 1/2-1/2\n\n[Event \"another\"]\n\n1. d4 *\n";
    let read = record(text).json();
    assert_eq!((&read["game"], &read["games"]), (&json!("chess"), &json!(2)), "{read}");
    assert_eq!(read["moves"], "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    let moves = read["moves"].as_str().expect("moves").replace(' ', "+");
    let written = server.get(&format!("/api/record?game=chess&moves={moves}&first=human&second=auto"));
    let written = String::from_utf8_lossy(&written.body).to_string();
    assert!(written.contains("[White \"human\"]\n[Black \"auto\"]\n[Result \"*\"]\n"), "{written}");
    assert!(written.ends_with("\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n"), "{written}");
    assert_eq!(record(&written).json()["moves"], read["moves"]);
    let wrong = record("[White \"A\"]\n\n1. e4 e5\n2. Nf9 *\n");
    let told = wrong.json()["error"].as_str().expect("an error").to_string();
    assert!(
        wrong.status == 400 && told.starts_with("line 4: 'Nf9' is not a legal move here; expected"),
        "{told}"
    );
}

#[test]
fn a_position_that_comes_back_ends_the_game() {
    let server = usual();
    let at = |moves: &str| server.get(&format!("/api/position?game=chess&moves={moves}")).json();
    let over = at("Nf3+Nf6+Ng1+Ng8");
    assert_eq!(over["result"], "a draw, as the position has come back");
    assert_eq!((&over["moves"], &over["turn"]), (&json!([]), &Value::Null));
    let record = server.get("/api/record?game=chess&moves=Nf3+Nf6+Ng1+Ng8");
    assert!(String::from_utf8_lossy(&record.body).ends_with("1. Nf3 Nf6 2. Ng1 Ng8 1/2-1/2\n"));
    // A record in which people played on is read all the same.
    assert_eq!(at("Nf3+Nf6+Ng1+Ng8+e4")["result"], Value::Null);
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
fn off_loopback_the_token_is_asked_for() {
    let server = start(Options {
        address: Ipv4Addr::UNSPECIFIED.into(),
        token: Some("open-sesame".into()),
        ..Options::default()
    });
    let status = |headers: &str, path: &str| server.ask("GET", path, headers, b"").status;
    assert_eq!((status("", "/"), status("", "/api/games")), (401, 401));
    assert_eq!(status("Authorization: Bearer open-sesam\r\n", "/api/games"), 401);
    assert_eq!(status("Authorization: Bearer open-sesame\r\n", "/api/games"), 200);
    assert_eq!(status("Authorization: bearer open-sesame\r\n", "/api/games"), 200);
    let port = server.address.port();
    assert_eq!(status(&format!("Cookie: a=b; endspiel-{port}=open-sesame\r\n"), "/"), 200);
    assert_eq!(status("Cookie: endspiel-1=open-sesame\r\n", "/"), 401, "another server's");
    let page = server.get("/?token=open-sesame");
    let cookie = format!("set-cookie: endspiel-{port}=open-sesame; HttpOnly");
    assert!(page.status == 303 && page.head.contains(&cookie), "{}", page.head);
}

#[test]
fn the_address_that_is_told_can_be_opened() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        for (address, begins) in [
            (Ipv4Addr::UNSPECIFIED.into(), "http://127.0.0.1:"),
            (Ipv4Addr::LOCALHOST.into(), "http://127.0.0.1:"),
            (std::net::Ipv6Addr::LOCALHOST.into(), "http://[::1]:"),
        ] {
            let options = Options { address, port: 0, token: Some("t".into()), ..Options::default() };
            // There may be no IPv6 here.
            let Ok(server) = endspiel_web::Server::bind(options).await else { continue };
            let url = server.url();
            assert!(url.starts_with(begins) && url.ends_with("/?token=t"), "{url}");
            assert!(address.is_unspecified() || server.url_elsewhere().is_none());
            // Where this machine is in a network, others find it there.
            let elsewhere = server.url_elsewhere().unwrap_or_default();
            assert!(!elsewhere.contains("0.0.0.0") && !elsewhere.contains("127.0.0.1"), "{elsewhere}");
            server.run(async {}).await;
        }
    });
}

#[test]
fn threats_are_told_without_a_search() {
    let server = usual();
    let seen = server.get("/api/glance?game=tic-tac-toe&moves=a1+b1+a2").json();
    assert_eq!((&seen["threats"], &seen["must"]), (&json!(["a3"]), &json!(["a3"])));
    assert_eq!(seen["words"][0], "x threatens to win by a3.");
    let over = server.get("/api/glance?game=tic-tac-toe&moves=a1+b1+a2+b2+a3").json();
    assert_eq!(over["words"], json!([]));
    assert_eq!(server.get("/api/glance?game=tic-tac-toe&moves=a1+a1").status, 400);
    // A sequence of threats, in numbers and in words: fours until one of them is double.
    let sequence = server.get("/api/glance?game=gomoku&moves=h8+a1+i8+a3+j8+o1").json();
    let attack = &sequence["attacks"][0];
    assert_eq!((&attack["attacker"], &attack["to_move"]), (&json!("Black"), &json!(true)), "{sequence}");
    let words = sequence["words"].as_array().and_then(|w| w.last()?.as_str()).unwrap_or_default();
    let first = attack["line"][0].as_str().expect("a move");
    assert!(words.contains("Black can win by a sequence of threats") && words.contains(first), "{words}");
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

#[test]
fn the_server_stops_in_a_moment_whatever_runs() {
    let (told, url) = std::sync::mpsc::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let limits = Limits { workers: 8, memory: 128 << 20, ..Limits::default() };
    let options = Options { port: 0, limits, ..Options::default() };
    let serving = std::thread::spawn(move || {
        let listening = |server: &endspiel_web::Server| told.send(server.url()).expect("somebody listens");
        endspiel_web::serve_until(options, listening, async { drop(stopped.await) })
    });
    let url = url.recv_timeout(Duration::from_secs(20)).expect("an address");
    let address = url.trim_start_matches("http://").trim_end_matches('/').to_string();
    let send = |request: String| {
        let mut stream = std::net::TcpStream::connect(&address).expect("a connection");
        stream.write_all(request.as_bytes()).expect("sent");
        stream
    };
    // Methods that list a great many moves between two looks at the clock, and a request that does.
    for method in ["exhaustive", "alpha-beta", "pn2", "df-pn", "b-star", "uct"] {
        let ask = json!({"kind": "best", "game": "wythoff:t=60,start=90,90", "method": method, "keep": true});
        let (body, length) = (ask.to_string(), ask.to_string().len());
        let head = "POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close";
        let reply = common::answer(&mut BufReader::new(send(format!(
            "{head}\r\nContent-Length: {length}\r\n\r\n{body}"
        ))));
        assert_eq!(reply.status, 202, "{}", reply.json());
    }
    let asked =
        send("GET /api/glance?game=wythoff:t=60,start=90,90 HTTP/1.1\r\nHost: localhost\r\n\r\n".into());
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    stop.send(()).expect("it still runs");
    serving.join().expect("no panic").expect("it was served");
    assert!(begun.elapsed() < Duration::from_secs(3), "stopped after {:?}", begun.elapsed());
    drop(asked);
}

#[test]
fn stacked_boards_are_shown_at_an_angle_where_there_are_some() {
    let server = usual();
    let view = |rest: &str| server.get(&format!("/api/position?{rest}")).json();
    let (flat, deep) = (view("game=qubic&moves=21"), view("game=qubic&moves=21&relief=true"));
    assert_eq!((&flat["relief"], &view("game=hex")["relief"]), (&json!(true), &json!(false)));
    assert_ne!(flat["picture"]["height"], deep["picture"]["height"]);
    assert_eq!(deep["picture"]["places"].as_array().expect("places").len(), 64);
    assert_eq!(flat["moves"], deep["moves"]);
    assert_eq!(view("game=hex:3&relief=true")["picture"], view("game=hex:3")["picture"]);
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
    let list = server.get("/api/jobs").json();
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
fn databases_are_listed_probed_and_counted() {
    use endspiel_catalog::databases::{Metric, Workers, databases};
    let none = usual();
    assert_eq!(none.get("/api/databases").json(), json!([]));
    assert_eq!(none.get("/api/databases/probe?game=awari").json()["found"], json!(null));

    let directory = std::env::temp_dir().join(format!("endspiel-web-api-databases-{}", std::process::id()));
    let with = Workers { threads: 1, stop: endspiel_game::Stop::default(), watch: &() };
    let store = databases("awari", &directory).expect("awari has databases");
    store.build("0-5", Metric::Score, &with, &mut |_| ()).expect("built");
    let server = start(Options { databases: Some(directory.clone()), ..Options::default() });
    let list = server.get("/api/databases").json();
    assert_eq!(
        (list[0]["game"].as_str(), list[0]["slices"].as_array().map(Vec::len)),
        (Some("awari:end=last-stone"), Some(6))
    );
    let position = "0+1+0+0+1+0%7C0+0+0+0+0+1";
    let found = server.get(&format!("/api/databases/probe?game=awari&position={position}")).json();
    let told = store.probe("0 1 0 0 1 0|0 0 0 0 0 1", Metric::Score).expect("found");
    assert_eq!(found["found"], json!(told));
    // Methods ask them: the first look knows the value.
    let ask = json!({"kind": "best", "game": "awari", "position": "0 1 0 0 1 0|0 0 0 0 0 1", "method": "uct", "nodes": 1});
    let mut judged = Value::Null;
    listen(&server, &begin(&server, &ask), |event, news| {
        judged = news["result"].clone();
        event == "over"
    });
    assert_eq!(
        (judged["status"].as_str(), judged["score"].as_i64()),
        (Some("proven"), found["found"]["score"].as_i64()),
        "{judged} {found}"
    );
    let outside = server.get("/api/databases/probe?game=awari").json();
    assert!(outside["found"].is_null() && outside["missing"].is_string(), "{outside}");
    assert!(server.get("/api/databases/probe?game=hex").json()["missing"].is_string());
    let stats = server.get("/api/databases/stats?game=awari&slice=5&metric=score").json();
    assert_eq!(stats[0]["summary"], list[0]["slices"][5]);
    let again = server.get("/api/databases/stats?game=awari&slice=5&metric=score").json();
    assert_eq!(stats, again, "from the cache");
    for wrong in
        ["slice=9&metric=score", "slice=../5&metric=score", "slice=5&metric=dtm", "slice=0-5&metric=score"]
    {
        assert_eq!(server.get(&format!("/api/databases/stats?game=awari&{wrong}")).status, 404, "{wrong}");
    }
    assert_eq!(server.get("/api/databases/stats?game=hex&slice=5&metric=score").status, 400);
    drop(server);
    std::fs::remove_dir_all(directory).expect("removed");
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
fn a_finished_game_has_no_certificate() {
    let server = usual();
    let over = json!({"game": "tic-tac-toe", "moves": "b2 a1 a2 b1 c2", "certificate": true});
    let done = server.wait(&begin(&server, &over));
    assert_eq!(done["result"]["uncertified"], "the game is over: x wins", "{done}");
    assert!(done["result"]["certificate"].is_null());
    assert_eq!(server.get("/api/certificates").json(), json!([]));
}

#[test]
fn experiments_are_listed_run_and_reported() {
    let data = std::env::temp_dir().join(format!("endspiel-web-lab-{}", std::process::id()));
    let options = || Options { data: Some(data.clone()), ..Options::default() };
    let of = |server: &Running, name: &str| {
        let all = server.get("/api/lab").json();
        all.as_array().expect("a list").iter().find(|one| one["name"] == name).expect("an experiment").clone()
    };
    {
        let server = start(options());
        let before = of(&server, "tic-tac-toe");
        assert_eq!((&before["published"], &before["report"]), (&json!("draw"), &Value::Null));
        let unknown = server.post("/api/jobs", &json!({"kind": "lab", "experiment": "alchemy"}));
        assert_eq!(unknown.status, 404, "{}", unknown.json());
        let job = begin(&server, &json!({"kind": "lab", "experiment": "tic-tac-toe"}));
        let done = server.wait(&job);
        assert_eq!(done["rows"][0]["found"], "draw", "{done}");
    }
    let server = start(options());
    let report = of(&server, "tic-tac-toe")["report"]["job"]["result"].clone();
    assert_eq!(report["found"], "1 of 1 as published, 1 certified", "{report}");
    assert_eq!(report["rows"][0]["agrees"], true);
    drop(server);
    std::fs::remove_dir_all(data).expect("removed");
}

#[test]
fn a_proof_of_hex_ends_where_bridges_connect_the_sides() {
    let server = usual();
    let job = begin(&server, &json!({"game": "hex:4", "moves": "b3", "certificate": true}));
    let done = server.wait(&job);
    let digest = done["result"]["certificate"]["file"].as_str().expect("a certificate").to_string();
    let walk = |moves: &[String]| {
        let path = format!("/api/certificates/{digest}/proof?claim=0&moves={}", moves.join("+"));
        server.get(&path).json()["station"].clone()
    };
    // Down the last reply, until bridges connect the sides; then every way in is shut at once.
    let mut moves: Vec<String> = Vec::new();
    let mut station = walk(&moves);
    while station["certain"].is_null() {
        let reply = station["replies"].as_array().and_then(|replies| replies.last()).map(|r| &r["move"]);
        let next = station["answer"].as_str().or_else(|| reply.and_then(Value::as_str)).expect("a move");
        moves.push(next.into());
        station = walk(&moves);
    }
    let says = station["certain"].as_str().expect("words");
    assert!(says.starts_with("bridges connect ") && says.contains("'s sides whatever "), "{says}");
    while station["result"].is_null() {
        let replies = station["replies"].as_array().expect("replies").clone();
        if let Some(reply) = replies.first() {
            assert!(replies.iter().all(|r| r["certain"] == true || !r["result"].is_null()), "{station}");
            moves.push(reply["move"].as_str().expect("a move").into());
        } else {
            moves.push(station["answer"].as_str().expect("an answer").into());
        }
        station = walk(&moves);
    }
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
    common::answer(&mut BufReader::new(stream)).status
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
fn people_who_mistype_an_address_read_a_page() {
    let server = usual();
    let browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";
    for path in ["/nowhere", "/api/nowhere", "/api/certificates/0123456789abcdef0123456789abcdef", "/Jobs"] {
        let reply = server.ask("GET", path, browser, b"");
        let text = String::from_utf8_lossy(&reply.body).to_string();
        assert_eq!(reply.status, 404, "{path}");
        assert!(
            reply.head.contains("content-type: text/html") && text.contains("there is no such"),
            "{path}: {text}"
        );
        assert!(text.contains("href=\"/\"") && reply.head.contains("content-security-policy"), "{path}");
        let plain = server.get(path);
        assert!(plain.head.contains("content-type: application/json"), "{path}: {}", plain.head);
    }
    let script = server.ask("GET", "/api/position?game=%3Cscript%3Ealert(1)%3C/script%3E", browser, b"");
    let text = String::from_utf8_lossy(&script.body).to_string();
    assert!(text.contains("&lt;script&gt;") && !text.contains("<script"), "{text}");
}

#[test]
fn names_do_not_turn_the_words_around_them() {
    let server = usual();
    let text = "[Game \"tic-tac-toe\"]\n[First \"abc\u{202e}fed\"]\n\nb2";
    let saved = server.post("/api/records", &json!({"name": "game\u{202e}txt.exe\u{7}", "text": text}));
    assert_eq!(saved.status, 201);
    assert_eq!(server.get("/api/records").json()[0]["name"], "gametxt.exe ");
    let read = server.ask("POST", "/api/record", "", text.as_bytes()).json();
    assert_eq!(read["tags"][1], json!(["First", "abcfed"]));
    let written =
        server.get("/api/record?game=tic-tac-toe&first=abc%E2%80%AEfed&tags=%5BEvent+%22a%E2%80%AEb%22%5D");
    let written = String::from_utf8_lossy(&written.body).to_string();
    assert!(written.contains("[First \"abcfed\"]") && written.contains("[Event \"ab\"]"), "{written}");
}

#[test]
fn records_that_name_no_game_are_chess_and_empty_ones_are_refused() {
    let server = usual();
    let read =
        |game: &str, text: &str| server.ask("POST", &format!("/api/record?game={game}"), "", text.as_bytes());
    let chess = read("tic-tac-toe", "1. e4 e5 2. Nf3 *");
    assert_eq!((chess.status, chess.json()["game"].as_str()), (200, Some("chess")));
    for empty in ["", " \n\n", "{only a comment}", "*"] {
        let refused = read("tic-tac-toe", empty);
        assert_eq!(refused.status, 400, "{empty:?}");
        assert!(refused.json()["error"].as_str().is_some_and(|e| e.contains("the record is empty")));
    }
    let told = read("tic-tac-toe", "1. e4 e5 2. Ke5").json()["error"].to_string();
    assert!(told.contains("is read as one of chess"), "{told}");
}
