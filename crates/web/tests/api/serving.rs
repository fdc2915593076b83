//! The server itself: what is described, who is let in, what outlives it, how it stops.

use crate::common::{answer, start, usual};
use crate::{begin, listen};
use endspiel_web::{Limits, Options};
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

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
        let reply =
            answer(&mut BufReader::new(send(format!("{head}\r\nContent-Length: {length}\r\n\r\n{body}"))));
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
fn no_script_of_the_page_knows_a_game() {
    let server = usual();
    let linked = |text: &str, mark: &str| -> Vec<String> {
        text.split(mark).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_string).collect()
    };
    let mut todo: Vec<String> = Vec::new();
    for page in ["", "databases", "lab", "jobs"] {
        let page = server.get(&format!("/{page}"));
        todo.extend(linked(&String::from_utf8_lossy(&page.body), "src=\""));
    }
    let mut done = 0;
    while let Some(file) = todo.get(done).cloned() {
        done += 1;
        let script = String::from_utf8_lossy(&server.get(&format!("/{file}")).body).to_string();
        for part in linked(&script, "from \"./").into_iter().chain(linked(&script, "import \"./")) {
            if !todo.contains(&part) {
                todo.push(part);
            }
        }
        for game in endspiel_catalog::GAMES {
            let name = game.about().name;
            assert!(!script.contains(&format!("\"{name}")), "{file} names {name}");
        }
    }
    assert!(done > 15, "{done} files");
}
