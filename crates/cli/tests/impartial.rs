//! `endspiel db` with impartial games: one slice, and values by which sums are added.

mod common;

use common::expect;

/// Impartial games have one slice and values of their own; all rule sets are listed.
#[test]
fn values_of_impartial_games() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-grundy-{}", std::process::id()));
    let dir = dir.to_str().expect("a path");
    let db = |status: i32, args: &[&str]| expect(status, &[&["db", "--dir", dir][..], args].concat(), "");
    db(0, &["build", "virus:p=3"]);
    db(0, &["build", "wythoff:t=3", "--metric", "grundy,wdl"]);
    let (out, _) = db(0, &["list"]);
    assert!(["virus:p=3", "wythoff:t=3"].iter().all(|name| out.contains(name)), "{out}");
    let (out, _) = db(0, &["probe", "virus:p=3", "y1", "--metric", "grundy"]);
    assert!(out.contains(", worth ") && out.contains(", leaves "), "{out}");
    let (out, _) = db(0, &["verify", "wythoff:t=3"]);
    assert!(out.contains("every checksum right"), "{out}");
    for (args, says) in [
        (&["build", "virus:p=14"][..], "28 vertices"),
        (&["build", "chess", "KQK", "--metric", "grundy"], "grundy"),
    ] {
        let (out, error) = db(2, args);
        assert!(error.contains(says) && out.is_empty(), "{args:?}: {out}{error}");
    }
    std::fs::remove_dir_all(dir).expect("the databases");
}

/// Numbers say nothing of how good a move is but who wins, and no numbers are added up.
#[test]
fn slips_in_impartial_games_are_those_of_who_wins() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-slips-{}", std::process::id()));
    let dir = dir.to_str().expect("a path");
    let db = |args: &[&str]| expect(0, &[&["db", "--dir", dir][..], args].concat(), "").0;
    let virus = "virus:graph=a:b+b:a+c:de+d:e,most=1";
    db(&["build", virus]);
    db(&["build", "wythoff:t=3", "--metric", "grundy,dtm"]);
    let out = db(&["slips", virus, "--position", "acd", "--moves", "a:b c:d b:0"]);
    let said = [
        "grundy in outcomes: 3 of 3 plies judged",
        "   2. Second c:d      loss: the draw is given away; b:a or c:0 or c:e or d:0 or d:e was a draw",
        "Second gave the outcome once away in 1 of 1 move",
    ];
    assert!(said.iter().all(|words| out.contains(words)) && !out.contains("numbers"), "{out}");
    let slips = ["slips", "wythoff:t=3", "--position", "7,5", "--moves", "b1 a3b3"];
    let out = db(&slips);
    assert!(out.contains("1. First b1       loss: the win is given away; a3b4 or a7b5 was a win"), "{out}");
    assert!(out.contains("First gave the outcome once away in 1 of 1 move"), "{out}");
    assert!(!out.contains("competence") && !out.contains(" 0 "), "{out}");
    let told: serde_json::Value =
        serde_json::from_str(&db(&[&slips[..], &["--json"]].concat())).expect("an answer");
    assert_eq!((&told["metric"], &told["unit"]), (&"grundy".into(), &"outcomes".into()), "{told}");
    assert_eq!(told["slips"][0]["lost"], "outcome", "{told}");
    // Depths are there in dtm.
    let out = db(&[&slips[..], &["--metric", "dtm"]].concat());
    assert!(out.contains("dtm in plies: 2 of 2 plies judged") && out.contains("competence"), "{out}");
    std::fs::remove_dir_all(dir).expect("the databases");
}
