//! Databases and the laboratory.

use crate::common::{Running, start, usual};
use crate::{begin, listen};
use endspiel_catalog::databases::{Databases, Metric, Workers, databases};
use endspiel_web::Options;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// White wins, and all metrics say so.
const QUEEN: &str = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1";

/// A folder of this process alone.
fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("endspiel-web-api-{name}-{}", std::process::id()))
}

fn with() -> Workers<'static> {
    Workers { threads: 1, stop: endspiel_game::Stop::default(), watch: &() }
}

/// Builds a slice in some metrics.
fn built(game: &str, slices: &str, metrics: &[Metric], directory: &Path) -> Box<dyn Databases> {
    let store = databases(game, directory).expect("the game has databases");
    for &metric in metrics {
        store.build(slices, metric, &with(), &mut |_| ()).expect("built");
    }
    store
}

/// Serves the databases of a folder.
fn serving(directory: &Path) -> Running {
    start(Options { databases: Some(directory.into()), ..Options::default() })
}

/// What is told of the queen.
fn queen(server: &Running, metric: &str) -> Value {
    let position = QUEEN.replace(' ', "+");
    server.get(&format!("/api/databases/probe?game=chess&position={position}{metric}")).json()
}

/// Changes a byte in the middle of a file, which is in one of its blocks.
fn damage(file: &Path) {
    let mut bytes = std::fs::read(file).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(file, bytes).expect("damaged");
}

/// The entry of a rule set in the list.
fn listed(server: &Running, game: &str) -> Value {
    let list = server.get("/api/databases").json();
    let entries = list.as_array().expect("a list");
    entries.iter().find(|entry| entry["game"] == game).unwrap_or_else(|| panic!("{game}: {list}")).clone()
}

#[test]
fn databases_are_listed_probed_and_counted() {
    let none = usual();
    assert_eq!(none.get("/api/databases").json(), json!([]));
    assert_eq!(none.get("/api/databases/probe?game=awari").json()["found"], json!(null));

    let directory = folder("databases");
    let store = built("awari", "0-5", &[Metric::Score], &directory);
    let server = serving(&directory);
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
    let server = serving(&directory);
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
fn positions_are_looked_up_in_every_metric_that_is_there() {
    let directory = folder("metrics");
    let metrics = [Metric::End, Metric::Conversion, Metric::END50];
    let store = built("chess", "KQK", &metrics, &directory);
    store.pack("KQK", Metric::Value, u64::MAX, &with(), &mut |_| ()).expect("packed");
    let server = serving(&directory);
    let usual = queen(&server, "");
    assert_eq!(usual["found"], json!(store.probe(QUEEN, Metric::End).expect("found")));
    assert_eq!(usual["metrics"], json!(["wdl", "dtm", "dtm50", "dtc"]));
    assert_eq!(queen(&server, "&metric=")["found"], usual["found"]);
    for metric in [Metric::Value, Metric::Conversion, Metric::END50] {
        let told = queen(&server, &format!("&metric={}", metric.name()));
        assert_eq!(told["found"], json!(store.probe(QUEEN, metric).expect("found")));
        assert_eq!((&told["missing"], &told["metrics"]), (&Value::Null, &usual["metrics"]));
    }
    let elsewhere = queen(&server, "&metric=dtz75");
    assert_eq!((&elsewhere["found"], &elsewhere["metrics"]), (&Value::Null, &usual["metrics"]));
    let why = elsewhere["missing"].as_str().expect("why");
    assert!(why.ends_with("not built here in dtz75, but in wdl, dtm, dtm50, dtc"), "{why}");
    for unknown in ["mate", "dtm121", "grundy", "score", "%F0%9F%98%80"] {
        let refused = server.get(&format!("/api/databases/probe?game=chess&metric={unknown}"));
        assert_eq!(refused.status, 400, "{unknown}: {}", refused.json());
    }
    let refused = queen(&server, "&metric=mate");
    assert!(
        refused["error"].as_str().is_some_and(|e| e.contains("'mate'") && e.contains("dtm, ")),
        "{refused}"
    );
    let over = server.get("/api/databases/probe?game=chess&position=k1K5/1Q6/8/8/8/8/8/8+b+-+-+0+1").json();
    assert_eq!(over, json!({"found": null, "missing": "the game is over", "metrics": []}));
    // What is true by the game's own rules, whatever of it is there; by other rules only if asked for.
    let files = store_folder(&directory);
    for (file, then) in
        [("KQK.dtm.esdb", "wdl"), ("KQK.small", "dtc"), ("KQK.dtc.esdb", ""), ("KQK.dtm50.esdb", "")]
    {
        std::fs::remove_file(files.join(file)).expect("removed");
        let told = queen(&server, "");
        assert_eq!(told["found"]["metric"].as_str().unwrap_or_default(), then, "{told}");
        let why = told["missing"].as_str().unwrap_or_default();
        match told["metrics"].as_array().map(Vec::len) {
            Some(0) => assert!(why.ends_with("not built here"), "{why}"),
            Some(1) if then.is_empty() => {
                assert!(why.contains("own rules") && why.ends_with(" dtm50"), "{why}");
                assert_eq!(queen(&server, "&metric=dtm50")["found"]["outcome"], "win");
                assert_eq!(listed(&server, "chess")["metric"], "dtm50");
            }
            _ => assert_eq!(why, "", "{told}"),
        }
    }
    drop(server);
    std::fs::remove_dir_all(directory).expect("removed");
}

/// The only folder in a folder.
fn store_folder(directory: &Path) -> PathBuf {
    let mut folders = std::fs::read_dir(directory).expect("a folder");
    folders.next().expect("a folder in it").expect("read").path()
}

#[test]
fn damage_takes_away_no_more_than_it_must_and_tells_no_path() {
    let directory = folder("damage");
    built("chess", "KQK", &[Metric::End], &directory);
    damage(&store_folder(&directory).join("KQK.dtm.esdb"));
    let virus = "virus:graph=a:b+b:a+c:de+d:e,most=1";
    let virus = built(virus, "all", &[Metric::Grundy], &directory).game();
    let awari = built("awari", "0-3", &[Metric::Score], &directory).game();
    let server = serving(&directory);
    let chess = listed(&server, "chess");
    assert_eq!((chess["slices"].as_array().map(Vec::len), &chess["example"]), (Some(1), &json!("")));
    for whole in [awari, virus] {
        let entry = listed(&server, &whole);
        let example = entry["example"].as_str().expect("an example").replace(' ', "+").replace('|', "%7C");
        let told = server
            .get(&format!("/api/databases/probe?game={}&position={example}", whole.replace('+', "%2B")));
        assert!(!example.is_empty() && told.json()["found"].is_object(), "{whole}: {}", told.json());
    }
    let says_no_path = |told: &Value| {
        let told = told.to_string();
        assert!(told.contains("cannot be trusted"), "{told}");
        assert!(!told.contains(".esdb") && !told.contains(&*directory.to_string_lossy()), "{told}");
    };
    let told = queen(&server, "");
    assert_eq!((&told["found"], &told["metrics"]), (&Value::Null, &json!(["dtm"])));
    says_no_path(&told["missing"]);
    let figures = server.get("/api/databases/stats?game=chess&slice=KQK&metric=dtm");
    assert_eq!(figures.status, 422);
    says_no_path(&figures.json());
    drop(server);
    std::fs::remove_dir_all(directory).expect("removed");
}

#[test]
fn an_example_comes_from_what_is_there() {
    let directory = folder("small");
    let store = built("chess", "KQK", &[Metric::End], &directory);
    store.pack("KQK", Metric::Value, u64::MAX, &with(), &mut |_| ()).expect("packed");
    let files = store_folder(&directory);
    for file in std::fs::read_dir(&files).expect("a folder").map(|file| file.expect("read").path()) {
        if file.extension().is_some_and(|ending| ending == "esdb") {
            std::fs::remove_file(file).expect("removed");
        }
    }
    // No manifest says what the files are of.
    std::fs::write(files.join("manifest.json"), "{\"game\": \"hex\"}").expect("written");
    let server = serving(&directory);
    let chess = listed(&server, "chess");
    let example = chess["example"].as_str().expect("an example").replace(' ', "+");
    let told = server.get(&format!("/api/databases/probe?game=chess&position={example}")).json();
    assert_eq!((&told["found"]["metric"], &told["found"]["outcome"]), (&json!("wdl"), &json!("win")));
    assert_eq!((&chess["metric"], chess["slices"].as_array().map(Vec::len)), (&Value::Null, Some(1)));
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
