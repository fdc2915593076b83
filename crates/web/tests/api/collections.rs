//! Databases and the laboratory.

use crate::common::{Running, start, usual};
use crate::{begin, listen};
use endspiel_web::Options;
use serde_json::{Value, json};

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
    // A file that cannot be read leaves the search on its own, and nobody is told where files are.
    std::fs::write(directory.join("awari,end=last-stone/3.score.esdb"), "ENDSPDB").expect("damaged");
    let server = start(Options { databases: Some(directory.clone()), ..Options::default() });
    let ask = json!({"kind": "best", "game": "awari", "position": "0 1 0 0 1 0|0 0 0 0 0 1", "method": "alpha-beta"});
    let mut judged = Value::Null;
    listen(&server, &begin(&server, &ask), |event, news| {
        judged = news.clone();
        event == "over"
    });
    assert_eq!(judged["result"]["status"].as_str(), Some("proven"), "{judged}");
    assert!(!judged.to_string().contains(".esdb"), "{judged}");
    drop(server);
    std::fs::remove_dir_all(directory).expect("removed");
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
