//! What rude clients send: each gets a clear refusal, and the server goes on.

mod common;

use common::{answer, usual};
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::time::{Duration, Instant};

/// Does the description of the API know that this request may be answered so?
fn is_described(api: &Value, method: &str, path: &str, status: u16) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    let like = |template: &str| {
        let (mut parts, mut given) = (template.split('/'), path.split('/'));
        parts.by_ref().zip(given.by_ref()).all(|(part, given)| part == given || part.starts_with('{'))
            && template.split('/').count() == path.split('/').count()
    };
    let paths = api["paths"].as_object().expect("paths");
    let Some((_, methods)) = paths.iter().find(|(template, _)| like(template)) else {
        // Nothing is there, and nothing is described.
        return status == 404;
    };
    let methods = methods.as_object().expect("methods");
    // What takes another method says so at those that it takes.
    let of =
        methods.get(&method.to_lowercase()).or_else(|| methods.values().next().filter(|_| status == 405));
    of.is_some_and(|method| method["responses"].get(status.to_string()).is_some())
}

#[test]
fn every_bad_request_gets_a_clear_refusal() {
    let server = usual();
    let api = server.get("/api/openapi.json").json();
    let json_type = "Content-Type: application/json\r\n";
    let long = "a".repeat(20_000);
    let deep = "[".repeat(50_000);
    let cases: Vec<(&str, String, &str, Vec<u8>, u16)> = vec![
        ("GET", "/api/position?game=chess-boxing".into(), "", vec![], 404),
        ("GET", "/api/position".into(), "", vec![], 400),
        ("GET", "/api/position?game=tic-tac-toe&moves=z9".into(), "", vec![], 400),
        ("GET", "/api/position?game=tic-tac-toe&moves=b2+b2".into(), "", vec![], 400),
        ("GET", "/api/position?game=tic-tac-toe&position=%00%ff".into(), "", vec![], 400),
        ("GET", "/api/position?game=mnk:99999,99999,3".into(), "", vec![], 400),
        ("GET", "/api/position?game=hex:-1".into(), "", vec![], 400),
        ("GET", format!("/api/position?game=tic-tac-toe&moves={long}"), "", vec![], 400),
        ("GET", "/api/position?game=tic-tac-toe&flip=maybe".into(), "", vec![], 400),
        ("POST", "/api/jobs".into(), json_type, b"{".to_vec(), 400),
        ("POST", "/api/jobs".into(), json_type, b"{}".to_vec(), 400),
        ("POST", "/api/jobs".into(), json_type, br#"["solve","tic-tac-toe"]"#.to_vec(), 400),
        ("POST", "/api/records".into(), json_type, br#"["name","[Game \"hex\"]"]"#.to_vec(), 400),
        ("POST", "/api/jobs".into(), json_type, b"\xff\xfe".to_vec(), 400),
        ("POST", "/api/jobs".into(), json_type, b"\xef\xbb\xbf{}".to_vec(), 400),
        ("POST", "/api/jobs".into(), json_type, br#"{"game":"hex"} {}"#.to_vec(), 400),
        ("POST", "/api/jobs".into(), json_type, br#"{"game":"hex","game":"hex"}"#.to_vec(), 400),
        ("POST", "/api/jobs".into(), json_type, br#"{"game":"hex","time":1e999}"#.to_vec(), 400),
        ("POST", "/api/jobs".into(), json_type, br#"{"game":"\ud800"}"#.to_vec(), 400),
        ("POST", "/api/jobs".into(), json_type, br#"{"game":"hex\u0000"}"#.to_vec(), 404),
        ("POST", "/api/jobs".into(), json_type, deep.into_bytes(), 400),
        ("POST", "/api/jobs".into(), json_type, br#"{"game":"hex","kind":"shell"}"#.to_vec(), 400),
        ("POST", "/api/jobs".into(), json_type, br#"{"game":"hex","file":"/etc/passwd"}"#.to_vec(), 400),
        ("POST", "/api/jobs".into(), json_type, br#"{"game":"hex","method":"magic"}"#.to_vec(), 404),
        ("POST", "/api/jobs".into(), json_type, br#"{"game":"hex","time":-1}"#.to_vec(), 400),
        ("POST", "/api/jobs".into(), "", br#"{"game":"hex"}"#.to_vec(), 415),
        ("POST", "/api/jobs".into(), json_type, vec![b' '; 200_000], 413),
        ("POST", "/api/games".into(), "", vec![], 405),
        ("POST", "/".into(), "", vec![], 405),
        ("DELETE", "/style.css".into(), "", vec![], 405),
        ("GET", "/api/jobs/%ff".into(), "", vec![], 400),
        ("GET", "/api/jobs/%ff/events".into(), "", vec![], 400),
        ("DELETE", "/api/certificates/%ff".into(), "", vec![], 400),
        ("DELETE", "/api/certificates/..%2Fendspiel.redb".into(), "", vec![], 404),
        ("GET", "/api/jobs/../../etc/passwd".into(), "", vec![], 404),
        ("GET", "/api/jobs/nobody".into(), "", vec![], 404),
        ("GET", "/api/jobs/nobody/events".into(), "", vec![], 404),
        ("GET", "/api/certificates/..%2F..%2Fendspiel.redb".into(), "", vec![], 404),
        ("GET", "/api/certificates/draft-1".into(), "", vec![], 404),
        ("GET", "/api/records/1%00".into(), "", vec![], 404),
        ("GET", "/../Cargo.toml".into(), "", vec![], 404),
        ("GET", "/%2e%2e/Cargo.toml".into(), "", vec![], 404),
        ("GET", "//etc/passwd".into(), "", vec![], 404),
        ("GET", "/..\\..\\etc\\passwd".into(), "", vec![], 404),
        ("GET", "/api/certificates/%2Fetc%2Fpasswd".into(), "", vec![], 404),
        ("GET", "/api/databases/stats?game=../../etc&slice=..&metric=score".into(), "", vec![], 404),
        ("GET", format!("/api/certificates/{:032}/proof?claim=99999999999999999999", 0), "", vec![], 400),
        ("TRACE", "/api/games".into(), "", vec![], 405),
        ("POST", "/api/certificates".into(), "", b"no certificate".to_vec(), 422),
        ("POST", "/api/certificates".into(), "", vec![], 422),
        ("POST", "/api/records".into(), json_type, br#"{"name":"x","text":"[Game \"nim\"]"}"#.to_vec(), 404),
        ("POST", "/api/record".into(), "", vec![b'x'; 70_000], 413),
        ("POST", "/api/records".into(), "", br#"{"name":"x","text":"y"}"#.to_vec(), 415),
        ("POST", "/api/record".into(), "", b"[White \"A\"]\n\n1. e5".to_vec(), 400),
        ("POST", "/api/record".into(), "", b"[White \"A\"]\n\n{".to_vec(), 400),
        ("POST", "/api/record?game=chess-boxing".into(), "", b"1. e4".to_vec(), 404),
        ("PUT", "/api/records/1".into(), "", vec![], 405),
        ("POST", "/api/jobs".into(), "Origin: https://evil.example\r\n", b"{}".to_vec(), 403),
    ];
    for (method, path, headers, body, status) in cases {
        let reply = server.ask(method, &path, headers, &body);
        let shown: String = path.chars().take(80).collect();
        assert_eq!(reply.status, status, "{method} {shown}: {}", String::from_utf8_lossy(&reply.body));
        let error = reply.json();
        assert_eq!(error["status"], status, "{method} {shown}");
        // The page is refused just the same, without a word on the browser's console.
        if path.starts_with("/api/") {
            assert!(is_described(&api, method, &path, status), "{method} {shown}: {status} is not described");
            let quiet = server.ask(method, &path, &format!("{headers}Endspiel-Quiet: 1\r\n"), &body);
            let told = quiet.head.to_lowercase().contains(&format!("endspiel-status: {status}\r\n"));
            assert!(quiet.status == 200 && told && quiet.json() == error, "{method} {shown}: {}", quiet.head);
        }
        assert!(
            error["error"].as_str().is_some_and(|e| !e.is_empty() && e.len() < 1000),
            "{method} {shown}: {error}"
        );
    }
    assert_eq!(server.get("/api/games").status, 200, "the server goes on");
}

#[test]
fn names_that_look_like_script_stay_text() {
    let server = usual();
    let reply = server.get("/api/position?game=%3Cscript%3Ealert(1)%3C/script%3E");
    assert_eq!(reply.status, 404);
    assert!(reply.head.contains("content-type: application/json") && reply.head.contains("nosniff"));
    let text = "[Game \"tic-tac-toe\"]\n[First \"<img src=x onerror=alert(1)>\"]\n\nb2";
    let saved = server.post("/api/records", &json!({"name": "<b>", "text": text}));
    assert_eq!(saved.status, 201);
    assert!(server.get("/api/records").head.contains("content-type: application/json"));
}

#[test]
fn pages_from_elsewhere_and_broken_heads_are_turned_away() {
    let server = usual();
    let rebound = server.raw(b"GET /api/games HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_eq!(rebound.status, 403);
    assert_eq!(server.raw(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n").status, 403, "no host");
    let odd = server.raw(b"GET / HTTP/1.1\r\nHost: [[[127.0.0.1]]]\r\nConnection: close\r\n\r\n");
    assert_eq!(odd.status, 403, "no host either");
    let two =
        b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    let two = server.raw(two);
    assert_eq!((two.status, two.json()["error"].as_str()), (400, Some("one Host header is taken, not 2")));
    for target in ["http://localhost/api/games", "http://evil.example/api/games"] {
        let absolute = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let absolute = server.raw(absolute.as_bytes());
        assert!(
            absolute.status == 400
                && absolute.json()["error"].as_str().is_some_and(|e| e.contains("must be a path"))
        );
    }
    assert_eq!(server.raw(b"nonsense\r\n\r\n").status, 400);
    let huge = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "y".repeat(200_000));
    assert_eq!(server.raw(huge.as_bytes()).status, 431);
    let long = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "a".repeat(63_000));
    assert!([404, 414].contains(&server.raw(long.as_bytes()).status));
    let many = "X: y\r\n".repeat(1000);
    assert_eq!(server.raw(format!("GET / HTTP/1.1\r\nHost: localhost\r\n{many}\r\n").as_bytes()).status, 431);
    for lengths in ["Content-Length: 5\r\nContent-Length: 6", "Content-Length: -5"] {
        let odd = format!("POST /api/jobs HTTP/1.1\r\nHost: localhost\r\n{lengths}\r\n\r\nabcdef");
        assert_eq!(server.raw(odd.as_bytes()).status, 400, "{lengths}");
    }
    let newer = server.raw(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    assert_eq!((newer.status, newer.json()["error"].as_str()), (400, Some("this server speaks HTTP/1.1")));
    let parts = "POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
                 Transfer-Encoding: chunked\r\n\r\n";
    let broken = server.raw(format!("{parts}zz\r\n").as_bytes());
    let told = broken.json()["error"].to_string();
    assert!(broken.status == 400 && told.contains("not as they announce"), "{told}");
    let endless = format!("{parts}{}0\r\n\r\n", format!("10000\r\n{}\r\n", " ".repeat(65536)).repeat(4));
    assert_eq!(server.raw(endless.as_bytes()).status, 413, "no length was announced");
    let lie = b"POST /api/certificates HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\nx";
    assert_eq!(server.raw(lie).status, 413);
    let api = server.get("/api/openapi.json").json();
    for (method, path, status) in [
        ("GET", "/api/games", 400),
        ("GET", "/api/games", 403),
        ("GET", "/api/games", 431),
        ("POST", "/api/certificates", 413),
        ("POST", "/api/jobs", 408),
    ] {
        assert!(is_described(&api, method, path, status), "{method} {path}: {status} is not described");
    }
    assert_eq!(server.get("/api/games").status, 200, "the server goes on");
}

#[test]
fn slow_clients_do_not_keep_others_waiting_and_are_cut_off() {
    let server = usual();
    let slow: Vec<_> = (0..100)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(b"GET /api/games HTTP/1.1\r\nHost: loc").expect("sent");
            stream
        })
        .collect();
    let begun = Instant::now();
    let mut stalled = server.connect();
    let head = "POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{";
    stalled.write_all(head.as_bytes()).expect("sent");
    assert_eq!(server.get("/api/games").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(5), "others are served meanwhile");
    for stream in slow.into_iter().take(3) {
        let reply = answer(&mut BufReader::new(stream));
        let late = json!({"error": "the head of a request must come in 5 s", "status": 408});
        assert_eq!((reply.status, reply.json()), (408, late));
    }
    let reply = answer(&mut BufReader::new(stalled));
    assert_eq!((reply.status, reply.json()["error"].as_str()), (408, Some("the body must come in 5 s")));
    assert!(begun.elapsed() < Duration::from_secs(40));
}

#[test]
fn positions_with_too_many_moves_are_refused_at_once() {
    let server = usual();
    let begun = Instant::now();
    let huge = "wythoff:t=1000,start=223,222";
    let says = |reply: common::Reply| {
        assert_eq!(reply.status, 422, "{}", reply.json());
        reply.json()["error"].as_str().unwrap_or_default().to_string()
    };
    for route in ["position", "glance", "record", "databases/probe"] {
        let told = says(server.get(&format!("/api/{route}?game={huge}")));
        assert!(told.contains("49951 legal moves") && told.contains("at most 10000"), "{route}: {told}");
        says(server.get(&format!("/api/{route}?game=wythoff:t=1000&position=223,222+second&moves=a1")));
    }
    for kind in ["solve", "best"] {
        let told = says(server.post("/api/jobs", &json!({"kind": kind, "game": huge})));
        assert!(told.contains("at most 10000"), "{kind}: {told}");
    }
    let record = format!("[Game \"{huge}\"]\n\na223 b222\n");
    says(server.ask("POST", "/api/record", "", record.as_bytes()));
    assert!(begun.elapsed() < Duration::from_secs(20), "at once: {:?}", begun.elapsed());
    let large = server.get("/api/position?game=wythoff:nim,start=1000,999");
    assert_eq!((large.status, large.json()["moves"].as_array().map(Vec::len)), (200, Some(1999)));
}
