//! What scripts rely on: exit status, JSON, messages on standard error, batches, closed pipes.

mod common;

use common::{expect, text};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

#[test]
fn decided_is_0_undecided_1_bad_input_2() {
    expect(0, &["solve", "tic-tac-toe"], "");
    expect(1, &["solve", "mnk:7,7,5", "--nodes", "1000"], "");
    for (args, says) in [
        (&["solve", "chess-boxing"][..], "no game is called 'chess-boxing'"),
        (&["solve", "tic-tac-to"], "did you mean 'tic-tac-toe'?"),
        (&["solve", "mnk:0,3,3"], "expected"),
        (&["solve", "tic-tac-toe", "--moves", "b2 b2"], "at character 4"),
        (&["solve", "tic-tac-toe", "--position", "xx"], "expected"),
        (&["solve", "tic-tac-toe", "--method", "guess"], "the methods are auto"),
        (&["solve", "tic-tac-toe", "--time", "soon"], "500ms"),
        (&["perft", "tic-tac-toe", "101"], "0 to 100"),
        (&["verify", "/nowhere/at/all.cert"], "refused"),
        (&["frobnicate"], "unrecognized subcommand"),
    ] {
        let (_, err) = expect(2, args, "");
        assert!(err.contains(says), "{args:?} should say '{says}', said: {err}");
    }
}

#[test]
fn an_error_points_at_the_character() {
    let (_, err) = expect(2, &["show", "tic-tac-toe", "--moves", "a1 z9 b2"], "");
    let lines: Vec<&str> = err.lines().collect();
    assert_eq!(lines[1], "  a1 z9 b2");
    assert_eq!(lines[2], "     ^");
}

#[test]
fn json_of_threats_tells_the_sequence_the_counter_play_and_the_cells_to_play() {
    let moves = "f8 a1 g8 a15 h6 o1 h7 o15";
    let (_, err) = expect(2, &["threats", "chess"], "");
    assert!(err.contains("not looked for in chess") && err.contains("gomoku"), "{err}");
    let (out, _) = expect(0, &["threats", "gomoku", "--moves", moves, "--json", "--svg"], "");
    let value: serde_json::Value = serde_json::from_str(&out).expect("one object");
    let threat = &value["threats"][0];
    assert_eq!((&threat["attacker"], &threat["to_move"]), (&"Black".into(), &true.into()), "{out}");
    let names = |list: &serde_json::Value| -> Vec<String> {
        let list = list.as_array().expect("a list");
        list.iter().map(|name| name.as_str().expect("a name").to_string()).collect()
    };
    let steps = threat["sequence"].as_array().expect("steps");
    let line = names(&threat["line"]);
    assert_eq!(line.len(), 2 * steps.len() - 1, "{out}");
    for (i, step) in steps.iter().enumerate() {
        let replies = names(&step["replies"]);
        assert_eq!(step["move"], line[2 * i].as_str(), "{out}");
        assert_eq!(replies.is_empty(), i + 1 == steps.len(), "{out}");
        assert_eq!(replies.first(), line.get(2 * i + 1), "{out}");
    }
    for field in ["variations", "must", "unsure"] {
        assert!(threat[field].is_array(), "{field} is missing in {out}");
    }
    assert!(threat["counter"]["threats"].is_array() && threat["counter"]["positions"].is_u64(), "{out}");
    // The attacker's moves have odd numbers in the picture.
    let picture = value["pictures"][0].as_str().expect("a picture");
    assert!([">1<", ">2<", ">3<"].iter().all(|number| picture.contains(number)), "{picture}");
}

#[test]
fn json_of_solve_and_best_has_the_promised_fields() {
    let (out, _) = expect(0, &["solve", "tic-tac-toe", "--json"], "");
    let value: serde_json::Value = serde_json::from_str(&out).expect("one object");
    for field in [
        "game",
        "position",
        "status",
        "value",
        "score",
        "distance",
        "line",
        "method",
        "nodes",
        "seconds",
        "certificate",
    ] {
        assert!(value.get(field).is_some(), "{field} is missing in {out}");
    }
    assert_eq!((&value["status"], &value["value"]), (&"proven".into(), &"draw".into()));
    let (out, _) = expect(0, &["best", "tic-tac-toe", "--moves", "b2 a2", "--json"], "");
    let value: serde_json::Value = serde_json::from_str(&out).expect("one object");
    assert_eq!(value["value"], "win");
    let moves = value["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 7);
    assert_eq!(moves[0]["value"], "win");
    assert!(moves[0]["line"][0] == moves[0]["move"]);
}

#[test]
fn a_batch_answers_line_by_line_and_goes_on_after_a_bad_one() {
    let (out, err) = expect(2, &["solve", "tic-tac-toe", "--moves", "-"], "b2\nnonsense\nb2 a2\n");
    assert_eq!(out.lines().count(), 2, "{out}");
    assert!(err.contains("line 2"), "{err}");
    let (out, _) = expect(2, &["solve", "tic-tac-toe", "-", "--json"], "xx\n");
    assert!(out.contains("\"error\"") && out.contains("line 1"), "{out}");
    // No moves are the start; no position is none.
    let (out, _) = expect(0, &["best", "tic-tac-toe", "--moves", "-"], "b2 a2\n\n");
    assert_eq!(out.lines().count(), 2, "{out}");
    let (out, _) = expect(2, &["solve", "tic-tac-toe", "-", "--json"], "\nx../.../... o\n");
    assert!(out.lines().count() == 2 && out.contains("line 1: an empty line"), "{out}");
}

#[test]
fn hostile_input_is_refused_without_harm() {
    let long = "9".repeat(1 << 21);
    expect(2, &["solve", "tic-tac-toe", "-"], &format!("{long}\n"));
    expect(2, &["solve", "tic-tac-toe", "--position", "\u{1F600}\u{0301}"], "");
    expect(2, &["solve", &format!("mnk:{}", "1".repeat(50_000))], "");
    let mut child = Command::new(env!("CARGO_BIN_EXE_endspiel"))
        .args(["solve", "tic-tac-toe", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(b"\xff\xfe\x00\n").expect("written");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("line 1"));
}

#[test]
fn certificates_are_written_checked_and_refused_when_damaged() {
    let file = std::env::temp_dir().join(format!("endspiel-behaviour-{}.cert", std::process::id()));
    let name = file.to_str().expect("a plain name");
    let (out, _) = expect(0, &["solve", "tic-tac-toe", "--certificate", name], "");
    assert!(out.contains("checked"), "{out}");
    let (out, _) = expect(0, &["verify", name], "");
    assert!(out.contains("accepted"), "{out}");
    let good = std::fs::read(&file).expect("the certificate");
    for i in (0..good.len()).step_by(good.len() / 50 + 1) {
        let mut bad = good.clone();
        bad[i] ^= 0x10;
        std::fs::write(&file, &bad).expect("written");
        let (_, err) = expect(2, &["verify", name], "");
        assert!(err.contains("refused"), "byte {i}: {err}");
    }
    std::fs::write(&file, &good[..good.len() / 2]).expect("written");
    expect(2, &["verify", name], "");
    std::fs::remove_file(&file).expect("removed");
}

#[test]
fn a_proven_value_is_told_whatever_becomes_of_its_certificate() {
    let begun = std::time::Instant::now();
    // Where no file can be, that is said before the work.
    let (out, err) = expect(2, &["solve", "othello:6", "--certificate", "/nowhere/at/all.cert"], "");
    assert!(out.is_empty() && err.contains("/nowhere/at/all.cert"), "{err}");
    assert!(begun.elapsed() < std::time::Duration::from_secs(60));
    // Memory for the proof, but not for writing it down.
    let name = std::env::temp_dir().join(format!("endspiel-small-{}.cert", std::process::id()));
    let name = name.to_str().expect("a plain name");
    let (out, err) = expect(1, &["solve", "connect-four:5x5", "--memory", "1M", "--certificate", name], "");
    assert!(
        out.contains("draw for Black") && err.contains("of memory for the strategy are used up"),
        "{out}{err}"
    );
    let (out, _) =
        expect(1, &["solve", "connect-four:5x5", "--memory", "1M", "--json", "--certificate", name], "");
    let line: serde_json::Value = serde_json::from_str(&out).expect("an object");
    assert!(line["value"] == "draw" && line["uncertified"].is_string(), "{line}");
    assert!(!std::path::Path::new(name).exists());
}

#[test]
fn an_undecided_answer_says_what_ended_it() {
    for (args, ended) in [(["--nodes", "1000"], "nodes"), (["--time", "100ms"], "time")] {
        let all = [&["solve", "gomoku", "--json"][..], &args].concat();
        let line: serde_json::Value = serde_json::from_str(&expect(1, &all, "").0).expect("an object");
        assert_eq!(line["ended"], ended, "{line}");
    }
    let (out, _) = expect(1, &["solve", "othello:6", "--method", "pn", "--memory", "1M"], "");
    assert!(out.contains("the memory is used up"), "{out}");
}

/// Wins of go-moku by threats are proven without a store, within the budget, and certified by the rules alone.
#[test]
fn go_moku_is_proven_by_threats() {
    for rule in ["gomoku", "gomoku:standard"] {
        let (out, _) = expect(0, &["solve", rule, "--moves", "h8 a1 i9 j10", "--json"], "");
        let line: serde_json::Value = serde_json::from_str(&out).expect("an object");
        assert_eq!((&line["status"], &line["value"]), (&"proven".into(), &"win".into()), "{line}");
        assert_eq!(line["method"], "threats", "{line}");
    }
    let file = std::env::temp_dir().join(format!("endspiel-behaviour-threats-{}.cert", std::process::id()));
    let name = file.to_str().expect("a name");
    let moves = "g7 f6 h7 f7 e8 j9 f8 g10 g9 h10";
    let (out, _) = expect(0, &["solve", "gomoku", "--moves", moves, "--certificate", name], "");
    assert!(out.contains("proven") && out.contains("checked"), "{out}");
    expect(0, &["verify", name], "");
    std::fs::remove_file(file).expect("the certificate");
    // Where nothing is proven nothing is claimed; a method that is asked for is the one that answers.
    let (out, _) = expect(1, &["solve", "gomoku", "--moves", "h8 i9 g7 i7", "--nodes", "500"], "");
    assert!(out.contains("the nodes are used up"), "{out}");
    let short = ["solve", "gomoku:free,7", "--moves", "d4 a1 d5 a2 d3 a7", "--method", "df-pn"];
    assert!(expect(0, &short, "").0.contains("method       df-pn"));
}

/// Black has five stones in a row.
const OVER: &str = "bbbbbwwww....../.............../.............../.............../.............../.............../.............../.............../.............../.............../.............../.............../.............../.............../............... w";

#[test]
fn a_store_of_proofs_tells_earlier_runs_apart() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-store-{}", std::process::id()));
    let file = dir.join("proofs.redb");
    let args = [
        "solve",
        "gomoku",
        "--moves",
        "g7 f6 h7 f7 e8 j9 f8 g10 g9 h10",
        "--store",
        file.to_str().expect("a name"),
    ];
    let (_, err) = expect(2, &args, "");
    assert!(err.contains(&format!("there is no directory {}", dir.display())), "{err}");
    assert!(!dir.exists(), "no directory is made unasked");
    std::fs::create_dir(&dir).expect("a directory");
    assert!(!expect(0, &args, "").0.contains("earlier"));
    let (out, _) = expect(0, &args, "");
    assert!(out.starts_with("0 nodes") && out.contains("kept from an earlier run: 1 nodes"), "{out}");
    let (out, _) = expect(0, &[&args[..], &["--json"]].concat(), "");
    let line: serde_json::Value = serde_json::from_str(out.trim()).expect("an object");
    assert_eq!((&line["nodes"], &line["earlier"]["proven"]), (&0.into(), &true.into()), "{line}");
    for (key, value) in [("game", "gomoku"), ("player", "Black"), ("status", "proven"), ("value", "win")] {
        assert_eq!(line[key], value, "{line}");
    }
    // The store is not overwritten by a certificate, and nothing is kept of games that are over.
    let (_, err) = expect(2, &[&args[..], &["--certificate", args[5]]].concat(), "");
    assert!(err.contains("would overwrite the store"), "{err}");
    let over = [&args[..2], &["--position", OVER], &args[4..]].concat();
    assert!(expect(2, &over, "").1.contains("the game is over"));
    assert!(expect(0, &["verify", args[5]], "").0.contains("1 proof of"));
    // A certificate is known by how it begins.
    let certificate = dir.join("certificate.redb");
    let name = certificate.to_str().expect("a name");
    expect(0, &["solve", "mnk:3,3,3", "--certificate", name], "");
    assert!(expect(0, &["verify", name], "").0.starts_with("accepted"));
    std::fs::write(&certificate, "neither").expect("a file");
    assert!(expect(2, &["verify", name], "").1.contains("is no store of proofs"));
    let missing = dir.join("none").join("x.cert");
    expect(2, &[&args[..], &["--certificate", missing.to_str().expect("a name")]].concat(), "");
    std::fs::remove_dir_all(dir).expect("removed");
}

#[test]
fn counts_of_derivations_have_limits() {
    let text = "a".repeat(40);
    for (limit, why) in [
        (["--time", "200ms"], "the time is up"),
        (["--nodes", "1000"], "the nodes are used up"),
        (["--memory", "1M"], "the memory is used up"),
    ] {
        let begun = std::time::Instant::now();
        let (out, _) = expect(1, &[&["derive", &text, "--count"][..], &limit].concat(), "");
        assert!(out.contains(&format!("The count ended early: {why}.")), "{limit:?}: {out}");
        assert!(begun.elapsed().as_secs() < 20, "{limit:?}");
        let (out, _) = expect(1, &[&["derive", &text, "--count", "--json"][..], &limit].concat(), "");
        let line: serde_json::Value = serde_json::from_str(&out).expect("an object");
        assert_eq!(line["sizes"]["ended"], limit[0][2..], "{line}");
    }
    // The caret stands under the place, in its own line and without what a terminal would obey.
    let (_, err) = expect(2, &["ask", "hex:3", "true\n& wins(\u{1b}blue, 3)"], "");
    assert!(err.ends_with("\n  & wins(?blue, 3)\n         ^\n"), "{err:?}");
    let (_, err) = expect(2, &["derive", "aab", "--rules", "aa -> b;\n\taa >b"], "");
    assert!(err.ends_with("\n   aa >b\n   ^\n"), "{err:?}");
    let far = format!("{}&", "true & ".repeat(50));
    let (_, err) = expect(2, &["ask", "hex:3", &far], "");
    assert!(err.contains("\n  ...") && err.lines().all(|line| line.len() < 500), "{err}");
    // The table itself holds the time.
    let (begun, long) = (std::time::Instant::now(), "ab".repeat(5000));
    let (_, err) = expect(1, &["derive", &long, "--time", "200ms"], "");
    assert!(err.contains("the time is up") && begun.elapsed().as_secs() < 20, "{err}");
    // Rules with another arrow are no name of a file.
    let (_, err) = expect(2, &["derive", "aab", "--rules", "aa => b"], "");
    assert!(err.contains("there is no arrow in this rule") && err.contains("aa -> b"), "{err}");
    let (_, err) = expect(2, &["derive", "aab", "--rules", "-> b"], "");
    assert!(err.contains("-> b") && !err.contains("argument"), "{err}");
    let (_, err) = expect(2, &["derive", "aab", "--rules", ""], "");
    assert!(err.contains("no rules"), "{err}");
    let (_, err) = expect(2, &["derive", "aab", "--rules", "no-such-file"], "");
    assert!(err.contains("cannot read 'no-such-file'"), "{err}");
}

#[test]
fn questions_hold_their_time_and_name_their_players() {
    let many: Vec<String> = (1..10)
        .flat_map(|order| (2..200).step_by(2).map(move |plies| format!("lambda({order}, {plies})")))
        .collect();
    for engine in ["depth-first", "proof-number", "monte-carlo"] {
        let args = ["ask", "gomoku", &many.join(" | "), "--engine", engine, "--time", "200ms", "--json"];
        let line: serde_json::Value = serde_json::from_str(&expect(1, &args, "").0).expect("an object");
        let seconds = line["seconds"].as_f64().expect("a time");
        // A busy machine may take its time now and then.
        assert!(line["holds"].is_null() && seconds < 0.6, "{engine}: {seconds} s");
    }
    let (out, _) = expect(0, &["ask", "hex:3", "wins(5)", "--moves", "b2"], "");
    assert!(out.starts_with("no  wins(white, 5)"), "{out}");
    let (_, err) = expect(2, &["ask", "hex:3", "wins(green, 5)"], "");
    assert!(err.contains("a player, `black` or `white`, or a number") && err.contains("\n       ^"), "{err}");
}

#[test]
fn parts_of_a_sum_may_have_blanks() {
    let sum = |parts: &[&str]| expect(0, &[&["sum"], parts].concat(), "").0;
    for (spaced, plain) in [
        ("virus:p=3, regular=2 y1", "virus:p=3,regular=2 y1"),
        (" virus:p = 3  y1 second", "virus:p=3 y1 second"),
        ("virus:graph=a:b+b:c, start=ab", "virus:graph=a:b+b:c,start=ab"),
        ("wythoff:nim, start=3, 5", "wythoff:nim,start=3,5"),
        ("wythoff: nim 3, 5", "wythoff:nim 3,5"),
    ] {
        assert_eq!(sum(&[spaced, "wythoff:nim 0,1"]), sum(&[plain, "wythoff:nim 0,1"]), "{spaced}");
    }
    for (wrong, says) in [
        ("virus:p=3, regular=x y1", "'x' is not a whole number at character 20"),
        ("virus:p=3, regular=2 y9", "there is no vertex 'y9' at character 1"),
        ("virus:p=3 y1 third", "'third' is not a player"),
        ("wythoff:nimm 0,1", "'nimm' names no constraint"),
        ("hexx 3", "no game is called 'hexx'"),
        ("virus:p=31,regular=3 x1y1", "a position may have 494481 moves"),
        ("virus:p=31, regular = 3 x1y1", "a position may have 494481 moves"),
        ("virus:graph=a:a,regular=1 a", "a vertex follows itself"),
    ] {
        let (_, err) = expect(2, &["sum", wrong], "");
        assert!(err.contains(says), "'{wrong}' should say '{says}', said: {err}");
    }
}

#[test]
fn the_soonest_win_is_the_best_move() {
    for method in ["auto", "df-pn", "pn", "uct"] {
        let args = ["best", "connect-four:5x4", "--moves", "3 1 3 1 3 2", "--method", method, "--json"];
        let line: serde_json::Value = serde_json::from_str(&expect(0, &args, "").0).expect("an object");
        assert!(line["line"][0] == "3" && line["moves"][0]["move"] == "3", "{line}");
        assert_eq!(line["distance"]["plies"], 1, "{line}");
    }
}

#[test]
fn values_of_a_finished_game_name_the_player() {
    let (out, _) = expect(0, &["solve", "tic-tac-toe", "--moves", "b2 a1 a2 b1 c2"], "");
    assert!(out.contains("win in 0 plies for x, the game is over") || out.contains("win for x"), "{out}");
}

#[test]
fn a_game_can_be_played_at_the_terminal() {
    let (out, _) = expect(1, &["play", "tic-tac-toe", "--time", "1s"], "hint\nb2\nundo\nb2\nmoves\nquit\n");
    assert!(out.contains("x>") && out.contains("plays"), "{out}");
    let (out, _) =
        expect(0, &["play", "tic-tac-toe", "--first", "auto", "--second", "auto", "--nodes", "100000"], "");
    assert!(out.contains("a draw"), "{out}");
    let typed = "moves\nhint\nb2\nz9\nundo\nundo\nshow\nb2\nquit\n";
    let (out, _) = expect(1, &["play", "tic-tac-toe", "--nodes", "1000", "--json"], typed);
    for line in out.lines() {
        let said: Result<serde_json::Value, _> = serde_json::from_str(line);
        assert!(said.is_ok_and(|said| said.is_object()), "{line}");
    }
    assert!(out.contains("\"hint\"") && out.contains("\"undone\"") && out.contains("\"error\""), "{out}");
    for args in [&["play", "tic-tac-toe", "-"][..], &["perft", "tic-tac-toe", "2", "--moves", "-"]] {
        expect(2, args, "b2\n");
    }
}

/// Who wins by a certificate wins whatever the other plays.
#[test]
fn a_certificate_plays() {
    let file = std::env::temp_dir().join(format!("endspiel-plays-{}.cert", std::process::id()));
    let name = file.to_str().expect("a name");
    expect(0, &["solve", "mnk:4,3,3", "--certificate", name], "");
    for moves in ["moves\n", "a1\na2\na3\nb1\nb2\nb3\nc1\nc2\nc3\nd1\nd2\nd3\n"] {
        let (out, _) = expect(
            i32::from(moves == "moves\n"),
            &["play", "mnk:4,3,3", "--first", name, "--second", "human"],
            moves,
        );
        assert!(out.contains("by the proof"), "{out}");
        assert!(moves == "moves\n" || out.contains("over: x wins"), "{out}");
    }
    // It is of one game and one player.
    expect(2, &["play", "mnk:3,3,3", "--first", name], "");
    expect(2, &["play", "mnk:4,3,3", "--first", "auto", "--second", name, "--nodes", "1000"], "");
    std::fs::remove_file(&file).expect("the certificate");
}

#[test]
fn rates_are_measured_and_long_jobs_are_named() {
    let (out, _) = expect(0, &["bench", "tic-tac-toe", "--time", "10ms", "--json"], "");
    let lines: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
    assert_eq!(lines.len(), 8);
    for line in &lines {
        // The game has no databases.
        let is_measured = !["tables", "probes"].map(serde_json::Value::from).contains(&line["what"]);
        assert_eq!(line["rate"].as_f64().is_some_and(|rate| rate > 0.0), is_measured, "{line}");
    }
    let (out, _) = expect(0, &["bench", "awari", "--what", "tables,probes", "--time", "10ms", "--json"], "");
    assert!(out.lines().count() == 2 && out.contains("11 in score") && !out.contains("null"), "{out}");
    let (out, _) = expect(0, &["bench", "hex:3", "--what", "perft,uct", "--time", "10ms"], "");
    assert!(out.contains("perft") && out.contains("simulations") && !out.contains("df-pn"), "{out}");
    let (out, _) = expect(0, &["lab", "list"], "");
    assert!(out.contains("connect-four") && out.contains("othello:6,discs: loss by 4"), "{out}");
    let (out, _) = expect(1, &["lab", "run", "othello-6", "--nodes", "1000", "--json"], "");
    assert!(out.contains("\"found\":null"), "{out}");
    for args in [&["lab", "run", "chess"][..], &["bench", "--what", "luck"], &["bench", "go"]] {
        expect(2, args, "");
    }
}

#[test]
fn few_moves_are_shown_unless_all_are_asked_for() {
    let (out, _) = expect(0, &["show", "amazons:4"], "");
    assert!(out.contains("more: --all lists them"), "{out}");
    let (out, _) = expect(0, &["show", "amazons:4", "--all"], "");
    assert!(!out.contains("more:"), "{out}");
}

#[test]
fn completions_exist_for_the_usual_shells() {
    for shell in ["bash", "zsh", "fish"] {
        let (out, _) = expect(0, &["completions", shell], "");
        assert!(out.contains("endspiel"), "{shell}");
    }
}

#[test]
fn every_help_has_examples() {
    for command in [
        "games",
        "methods",
        "show",
        "perft",
        "solve",
        "best",
        "play",
        "verify",
        "complexity",
        "bench",
        "lab",
        "completions",
    ] {
        let (out, _) = expect(0, &[command, "--help"], "");
        assert!(out.contains("Examples:"), "{command}");
    }
}

#[test]
fn the_matrix_of_games_and_methods_is_current() {
    let (out, _) = expect(0, &["methods", "--matrix"], "");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/matrix.md");
    let shown = std::fs::read_to_string(page).expect("the page");
    assert!(shown.ends_with(&out), "write it anew: endspiel methods --matrix\n{out}");
}

#[test]
fn an_engine_talks_on_standard_input_and_output() {
    let (said, _) = expect(0, &["engine", "gomocup"], "START 15\r\nINFO timeout_turn 20\r\nBEGIN\r\n");
    assert_eq!(said, "OK\n7,7\n");
    let (said, _) = expect(0, &["engine", "gomocup"], "START 3\nEND\n");
    assert!(said.starts_with("ERROR"), "{said}");
    let (said, _) = expect(0, &["engine", "gomocup"], "START 15\nINFO rule 5\nEND\n");
    assert!(said.starts_with("OK\nMESSAGE rule 5 is not played here"), "{said}");
    let (_, err) = expect(2, &["engine", "telepathy"], "");
    assert!(err.contains("gomocup"), "{err}");
}

#[test]
fn a_server_wants_the_folder_of_databases_that_it_is_told() {
    let (_, err) = expect(2, &["serve", "--port", "0", "--databases", "/no/such/folder"], "");
    assert!(err.contains("there is no folder /no/such/folder"), "{err}");
    let (_, err) = expect(2, &["serve", "--port", "0", "--databases", env!("CARGO_BIN_EXE_endspiel")], "");
    assert!(err.contains("there is no folder"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_server_says_where_it_is_and_leaves_nothing_behind() {
    let scratch = std::env::temp_dir().join(format!("endspiel-behaviour-{}", std::process::id()));
    // What a server that was killed left there.
    let left = scratch.join("endspiel-0123456789abcdef");
    std::fs::create_dir_all(&left).expect("made");
    std::fs::write(left.join("lock"), "").expect("written");
    let mut server = Command::new(env!("CARGO_BIN_EXE_endspiel"))
        .args(["serve", "--address", "0.0.0.0", "--port", "0", "--token", "secret"])
        .env("TMPDIR", &scratch)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut says = BufReader::new(server.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let here = says.next().unwrap_or_default();
    assert!(
        here.starts_with("The page is at http://127.0.0.1:") && here.ends_with("/?token=secret"),
        "{here}"
    );
    let elsewhere = says.next().unwrap_or_default();
    assert!(elsewhere.starts_with("From other machines: ") && !elsewhere.contains("0.0.0.0"), "{elsewhere}");
    let there = || std::fs::read_dir(&scratch).expect("a directory").count();
    assert!(!left.exists() && there() == 1, "its own alone");
    let killed = Command::new("kill").args(["-TERM", &server.id().to_string()]).status();
    assert!(killed.expect("kill is there").success());
    assert_eq!(server.wait().expect("it ends").code(), Some(0));
    assert_eq!(there(), 0);
    std::fs::remove_dir(scratch).expect("removed");
}

#[cfg(unix)]
#[test]
fn an_interrupt_gets_the_best_answer_so_far() {
    let mut search = Command::new(env!("CARGO_BIN_EXE_endspiel"))
        .args(["best", "amazons", "--time", "10m", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The first report says that the search is on.
    let mut reports = BufReader::new(search.stderr.take().expect("a pipe"));
    reports.read_line(&mut String::new()).expect("a report");
    let interrupted = Command::new("kill").args(["-INT", &search.id().to_string()]).status();
    assert!(interrupted.expect("kill is there").success());
    // Both pipes are emptied, so that neither keeps the program waiting.
    let rest = std::thread::spawn(move || std::io::copy(&mut reports, &mut std::io::sink()));
    let output = search.wait_with_output().expect("it ends");
    rest.join().expect("no panic").expect("the rest of the reports");
    assert_eq!(output.status.code(), Some(1), "undecided");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert!(answer["moves"].as_array().is_some_and(|moves| moves.len() > 1000), "{answer}");
}

#[test]
fn every_game_and_method_has_its_page() {
    let (games, _) = expect(0, &["games", "--json"], "");
    let (methods, _) = expect(0, &["methods", "--json"], "");
    let names = |list: &str| -> Vec<String> {
        let objects = list.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        objects.map(|one| one["name"].as_str().expect("a name").to_owned()).collect()
    };
    for (folder, list) in [("games", names(&games)), ("methods", names(&methods))] {
        assert!(list.len() > 10);
        for name in list.iter().filter(|&name| name != "auto") {
            let page = format!("{}/../../docs/{folder}/{name}.md", env!("CARGO_MANIFEST_DIR"));
            assert!(std::path::Path::new(&page).is_file(), "docs/{folder}/{name}.md is missing");
        }
    }
}
