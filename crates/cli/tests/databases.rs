//! `endspiel db` as scripts use it: builds, questions, checks, small files, and methods that rest on databases.

mod common;

use common::expect;
use endspiel_retro::{Cells, Metric, Store, Table, Work};

#[test]
fn databases_are_built_asked_and_verified() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-db-{}", std::process::id()));
    let dir = dir.to_str().expect("a path");
    let db = |status: i32, args: &[&str]| expect(status, &[&["db", "--dir", dir][..], args].concat(), "");
    for (args, says) in [
        (&["build", "awari", "KQKR"][..], "0 to 48"),
        (&["build", "awari", "3-50"], "'50' is no level at character 3"),
        (
            &["build", "awari", "20-10"],
            "20 is more than 10 at character 1; expected the lower level first: 10-20",
        ),
        (&["build", "checkers", "1C1K-1K"], "'1C1K-1K' names men before kings"),
        (&["export", "awari", "9", "--json"], "rows are written as CSV or Parquet"),
        (&["build", "awari", "20", "--memory", "1M"], "MiB of memory, 1 MiB are allowed"),
        (
            &["build", "chess", "KQRKR", "--metric", "dtr", "--memory", "64M"],
            "MiB of memory, 64 MiB are allowed",
        ),
        // The second metric will not do, so nothing is built of the first.
        (
            &["build", "chess", "KQKR", "--metric", "dtm,dtr", "--memory", "12M"],
            "MiB of memory, 12 MiB are allowed",
        ),
        (&["build", "awari", "48", "--memory", "16000G"], "on the disk"),
        (&["build", "hex", "3"], "there are no databases for hex"),
        (&["list", "backgamon"], "did you mean 'backgammon'?"),
        (&["list", "solitaire"], "the games with databases are awari, checkers, chess, "),
        (
            &["build", "chess", "KQK", "--metric", "dtm,score"],
            "'score' is no metric of chess, which has dtm, dtm50",
        ),
        (&["build", "chess", "KQK", "--metric", "dtz121"], "any number of moves from 1 to 120"),
        (
            &["build", "chess", "KQK", "--metric", "dtz,dtr", "--workers", "2", "--plan"],
            "dtr is built by one process alone",
        ),
        (&["build", "awari", "2", "--metric", "dtc50"], "'dtc50' cannot be told where captures count"),
        (&["probe", "awari", "0 1 0 0 1 0|0 0 0 0 0 1"], "there is no database of slice 3 in score"),
        (&["probe", "awari", "0 1 0 0 1 0|0 0 0 0 0 1", "--metric", "wdl"], "build and ask for score"),
        (
            &["pack", "awari", "3"],
            "small files leave out what moves tell, and tables of awari tell score alone",
        ),
        (&["predict", "awari", "3"], "such as chess or checkers"),
        (&["probe", "nine-mens-morris", "x.o/.../.../....../.../.../... x 8-8"], "16 are still in hand"),
        (
            &["slips", "awari", "--moves", "A4 f4"],
            "`endspiel db build awari:end=last-stone 48 --metric score`",
        ),
        (&["slips", "chess", "--moves", "e2e4 e7e5"], "there are no databases in dtm in "),
        (&["probe", "awari", "nonsense"], "expected"),
        (&["export", "awari", "9"], "there is no database of slice 9 in score"),
        (&["export", "awari", "9", "--format", "parquet"], "there is no database of slice 9 in score"),
    ] {
        let (out, err) = db(2, args);
        assert!(err.contains(says), "{args:?} should say '{says}', said: {err}");
        assert!(!args.contains(&"export") || out.is_empty(), "{args:?} wrote {out}");
        // Where the game is at fault, no place in the slices is.
        let is_misplaced = ["pack", "predict", "hex"].iter().any(|word| args.contains(word))
            && (err.contains("at character") || err.contains('^'));
        assert!(!is_misplaced, "{args:?} said: {err}");
    }
    // Who is to build is asked before anything is planned.
    let hosts = format!("{dir}.hosts");
    std::fs::write(&hosts, "127.0.0.1:47001\n127.0.0.1:47002\n").expect("a list of hosts");
    let (plan, err) = db(2, &["build", "awari", "4", "--hosts", &hosts, "--process", "2"]);
    std::fs::remove_file(&hosts).expect("it is there");
    assert!(plan.is_empty(), "{plan}");
    assert!(err.contains("the list has 2 hosts, which are processes 0 to 1"), "{err}");
    // A plan that will not do is printed all the same.
    let (plan, err) = db(2, &["build", "awari", "48", "--memory", "16000G", "--plan"]);
    assert!(plan.contains("plan  48 slices") && plan.contains(" MiB on the disk\n"), "{plan}");
    assert!(err.contains("the files may need 1,117,") && err.trim_end().ends_with(" MiB"), "{err}");
    let (plan, _) = db(2, &["build", "awari", "48", "--memory", "16000G", "--plan", "--json"]);
    let plan: serde_json::Value = serde_json::from_str(&plan).expect("a plan");
    assert!(plan["plan"]["refused"].as_str().is_some_and(|why| why.contains("on the disk")), "{plan}");
    // The memory that is said to be needed does, and no more is used.
    let mebibytes = |text: &str, before: &str| -> u64 {
        let number = text.split(before).nth(1).and_then(|rest| rest.split(" MiB").next()).expect("a size");
        number.replace(',', "").parse().expect("a number")
    };
    for level in ["11", "12", "13"] {
        let (_, err) = db(2, &["build", "awari", level, "--memory", "1M", "--plan"]);
        let needed = mebibytes(&err, " needs ");
        let (plan, _) = db(0, &["build", "awari", level, "--memory", &format!("{needed}M"), "--plan"]);
        assert_eq!(mebibytes(&plan, "at most "), needed, "level {level}");
    }
    for args in [&["list"][..], &["list", "chess"], &["verify", "awari"]] {
        let (_, err) = db(2, args);
        assert!(err.contains("there are no databases"), "{args:?} said: {err}");
    }
    let (plan, _) = db(0, &["build", "awari", "0-6", "--plan"]);
    assert!(plan.contains("7 slices, 18,564 positions; 0 are there already"), "{plan}");
    // What is larger than memory is planned from files, and the time is foretold.
    let (plan, _) = db(0, &["build", "awari", "15", "--memory", "8M", "--plan"]);
    assert!(
        plan.contains("slice 15 from files, in ") && plan.contains("by a trial of slices up to "),
        "{plan}"
    );
    db(0, &["build", "awari", "0-6", "--json"]);
    let (again, _) = db(0, &["build", "awari", "0-6"]);
    assert!(again.contains("0 slices, 0 positions; 7 are there already"), "{again}");
    let (list, _) = db(0, &["list", "--json"]);
    assert_eq!(list.lines().count(), 7);
    // A manifest that is gone is written anew.
    let manifest = std::path::Path::new(dir).join("awari,end=last-stone/manifest.json");
    std::fs::remove_file(&manifest).expect("removed");
    let (_, err) = db(2, &["verify", "awari"]);
    assert!(err.contains("it is missing; `db build` and `db pack` write it anew"), "{err}");
    // A damaged one is told as what it is, with slices named too.
    assert!(db(2, &["verify", "awari", "3"]).1.contains("manifest.json cannot be trusted: it is missing"));
    for (text, says) in [
        ("{", "it is damaged, for it is no JSON"),
        (r#"{"game": "chess", "files": []}"#, "it is damaged, for it is not one of awari:end=last-stone"),
        (r#"{"game": "awari:end=last-stone"}"#, "it is damaged, for it has no list of files"),
        (r#"{"game": "awari:end=last-stone", "files": []}"#, " as it is there; a build may be at work"),
    ] {
        std::fs::write(&manifest, text).expect("a manifest");
        for args in [&["verify", "awari"][..], &["verify", "awari", "3"]] {
            let (_, err) = db(2, args);
            assert!(err.contains(says) && err.contains("; `db build` and `db pack` write it anew"), "{err}");
        }
    }
    db(0, &["build", "awari", "0-6"]);
    // What is proven with databases says so.
    let board = "0 1 0 0 1 0|0 0 0 1 0 1 0-0 S";
    let known = &["solve", "awari", "--position", board, "--db", dir][..];
    let (solved, _) = expect(0, known, "");
    assert!(solved.contains("databases    7 files in"), "{solved}");
    // Its certificate names the files it rests on, and is checked with these alone.
    let file = format!("{dir}/rests.cert");
    expect(0, &[known, &["--certificate", &file]].concat(), "");
    let (_, err) = expect(2, &["verify", &file], "");
    assert!(err.contains("it rests on databases"), "{err}");
    let (accepted, _) = expect(0, &["verify", &file, "--db", dir], "");
    assert!(accepted.contains("rests on the database awari:end=last-stone/"), "{accepted}");
    let (_, err) = expect(2, &["solve", "hex:3", "--db", dir], "");
    assert!(err.contains("there are no databases for hex"), "{err}");
    let (_, err) = expect(2, &["best", "checkers", "--db", dir], "");
    assert!(err.contains("there are no databases in"), "{err}");
    let (stats, _) = db(0, &["stats", "awari", "6"]);
    assert!(stats.contains("-6:4242 -4:116 -2:772 0:1548 2:550 3:62 4:302 6:4784"), "{stats}");
    // Odd scores are rare: 62 of the 12,376.
    assert!(
        stats.contains("odd/even   odd 62 (0.50 %), even 10,766 (86.99 %), zero 1,548 (12.51 %)"),
        "{stats}"
    );
    let (line, _) = db(0, &["line", "awari", "0 1 0 0 1 0|0 0 0 0 0 1", "--json"]);
    assert!(line.contains("\"outcome\":\"win\""), "{line}");
    for asked in [&["stats", "awari", "6"][..], &["slips", "awari", "--moves", "A4 f4"]] {
        let (_, err) = db(2, &[asked, &["--metric", "dtc"]].concat());
        assert!(err.contains("'dtc' cannot be told where captures count"), "{err}");
    }
    db(0, &["build", "chess", "KQK"]);
    let (_, err) = db(2, &["stats", "chess", "KQK", "--metric", "dtc"]);
    assert!(err.contains("slice KQK was not built in dtc") && err.contains("it is there in dtm"), "{err}");
    let (_, err) = db(2, &["slips", "chess", "--moves", "e4 e5", "--metric", "dtc"]);
    assert!(err.contains("there are no databases in dtc") && err.contains("only in dtm;"), "{err}");
    let (none, _) = db(0, &["slips", "awari", "--moves", "A4 f4"]);
    assert!(none.contains("0 of 2 plies judged"), "{none}");
    assert!(none.contains("was passed over: there is no database of slice 48 in score"), "{none}");
    let (checked, _) = db(0, &["verify", "awari"]);
    assert!(checked.contains("7 files, every checksum right; 18,564 values"), "{checked}");
    let file = std::path::Path::new(dir).join("awari,end=last-stone/6.score.esdb");
    let mut bytes = std::fs::read(&file).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).expect("a changed file");
    let other = std::path::Path::new(dir).join("awari,end=last-stone/4.score.esdb");
    std::fs::write(other, "no table").expect("a changed file");
    let (_, err) = db(2, &["verify", "awari"]);
    assert!(err.matches("cannot be trusted").count() == 2, "all damage is told: {err}");
    // The good ones are listed beside the bad one.
    let (list, err) = db(2, &["list", "awari"]);
    assert!(list.lines().count() == 6 && err.contains("4.score.esdb cannot be trusted"), "{list}{err}");
    let (list, _) = db(2, &["list", "--json"]);
    let lines: Vec<serde_json::Value> =
        list.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
    let damage = lines.iter().find_map(|line| line["damage"].as_array());
    assert!(damage.is_some_and(|damage| damage.len() == 1), "{list}");
    assert!(lines.iter().any(|line| line["game"] == "chess" && line["slice"] == "KQK"), "{list}");
    // What is wrong with the manifest is told with other damage, and not again what is wrong with files.
    let whole = std::fs::read(&manifest).expect("a manifest");
    std::fs::remove_file(&manifest).expect("removed");
    let (_, err) = db(2, &["verify", "awari"]);
    assert!(err.matches("cannot be trusted").count() == 3 && err.contains("it is missing"), "{err}");
    std::fs::write(&manifest, whole).expect("a manifest");
    let (_, err) = db(2, &["verify", "awari", "6"]);
    assert!(err.contains("6.score.esdb cannot be trusted"), "{err}");
    let (checked, _) = db(0, &["verify", "awari", "0-3"]);
    assert!(checked.contains("4 files, every checksum right"), "{checked}");
    // Metrics of one slice are compared.
    db(0, &["build", "chess", "KQK,KRK", "--metric", "dtc,wdl"]);
    let (checked, _) = db(0, &["verify", "chess", "KQK"]);
    assert!(
        checked.contains("3 files") && checked.contains("agree with those of other metrics"),
        "{checked}"
    );
    assert!(db(2, &["verify", "chess", "KRK,KBBK"]).1.contains("no database of slice KBBK"));
    std::fs::remove_dir_all(dir).expect("removed");
}

/// Whoever reads what a build says may go: the build does not.
#[test]
fn a_build_outlives_its_reader() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-pipe-{}", std::process::id()));
    let dir = dir.to_str().expect("a path");
    let mut build = std::process::Command::new(env!("CARGO_BIN_EXE_endspiel"))
        .args(["db", "--dir", dir, "build", "awari", "0-6"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(build.stdout.take());
    assert!(build.wait().expect("the program ends").success());
    let (list, _) = expect(0, &["db", "--dir", dir, "list", "--json"], "");
    assert_eq!(list.lines().count(), 7);
    std::fs::remove_dir_all(dir).expect("removed");
}

/// Tables for one player have the same commands where they make sense.
#[test]
fn tables_for_one_player() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-alone-{}", std::process::id()));
    let dir = dir.to_str().expect("a path");
    let db = |status: i32, args: &[&str]| expect(status, &[&["db", "--dir", dir][..], args].concat(), "");
    for (args, says) in [
        (&["build", "backgammon", "15"][..], "has one slice, home"),
        (&["build", "chinese-checkers", "star", "--memory", "100M"], "MiB of memory, 100 MiB are allowed"),
        (&["probe", "backgammon", "0 0 0 0 0 1"], "there is no database of slice home"),
        (&["probe", "chinese-checkers", "1 2 3"], "six different fields"),
        (&["line", "backgammon", "0 0 0 0 0 1"], "a table for one player"),
        (
            &["build", "backgammon", "home", "--metric", "dtm"],
            "'dtm' is no metric of backgammon, which has rolls",
        ),
        (
            &["build", "chinese-checkers", "star", "--metric", "moves,wdl", "--plan"],
            "'wdl' is no metric of chinese-checkers, which has moves",
        ),
        (
            &["probe", "backgammon", "0 0 0 0 0 1", "--metric", "score"],
            "'score' is no metric of backgammon, which has rolls",
        ),
        (&["stats", "backgammon", "home", "--metric", "dtc"], "'dtc' is no metric of backgammon"),
        (&["build", "chess", "KQK", "--metric", "rolls"], "'rolls' is no metric of chess, which has dtm"),
        (
            &["probe", "awari", "0 1 0 0 1 0|0 0 0 0 0 1", "--metric", "moves"],
            "'moves' cannot be told where captures count",
        ),
        (&["list", "backgammon"], "there is no table of backgammon"),
        (&["build", "awari"], "no slices of awari are named: it has them by stones, such as 12 or 0-20"),
        (&["stats", "chess"], "by material, such as KQKR"),
        (&["build", "hex", "3"], "xiangqi, backgammon, chinese-checkers"),
        (&["probe", "backgammon", "1 0 0 0 0 0 | 0 0 0 0 0 0"], "a side without men has won already"),
    ] {
        let (_, err) = db(2, args);
        assert!(err.contains(says), "{args:?} should say '{says}', said: {err}");
    }
    db(0, &["build", "backgammon"]);
    std::fs::remove_file(std::path::Path::new(dir).join("backgammon/manifest.json")).expect("removed");
    let (again, _) = db(0, &["build", "backgammon", "home", "--metric", "rolls"]);
    assert!(
        db(0, &["verify", "backgammon", "--every", "9000"]).0.contains("1 file"),
        "the manifest is there again"
    );
    assert!(again.contains("plan  0 slices, 0 positions; 1 is there already"), "{again}");
    let (probe, _) = db(0, &["probe", "backgammon", "0 0 0 0 0 1"]);
    assert!(probe.contains("1.250 rolls") && probe.contains("rolls in thousandths of a roll"), "{probe}");
    let (none, _) = db(0, &["probe", "backgammon", "0 0 0 0 0 0"]);
    assert!(none.contains("done by   0: 100.00 %"), "{none}");
    let (_, err) = db(2, &["probe", "backgammon", "1 0 0 0 0 0 | 0 0 x 0 0 0"]);
    assert!(
        err.contains(" at character 19;") && err.ends_with(&format!("\n  {}^\n", " ".repeat(18))),
        "{err}"
    );
    assert!(probe.contains("done by   1: 75.00 %, 2: 100.00 %") && !probe.contains("race"), "{probe}");
    let (race, _) = db(0, &["probe", "backgammon", "0 0 0 0 0 1 | 1 0 0 0 0 0"]);
    assert!(race.contains("against 1 0 0 0 0 0: to roll, it wins 75.00 %"), "{race}");
    let (race, _) = db(0, &["probe", "backgammon", "1 0 0 0 0 0|0 0 0 0 0 1", "--json"]);
    let race: serde_json::Value = serde_json::from_str(&race).expect("an object");
    let wins = race["race"]["wins"].as_f64().expect("a chance");
    assert!((wins - 1.0).abs() < 1e-9 && race["done"][0] == 1.0, "{race}");
    let (rows, _) = db(0, &["export", "backgammon", "--every", "10000"]);
    assert!(
        rows.starts_with("number,position,rolls\n0,0 0 0 0 0 0,0\n") && rows.lines().count() == 7,
        "{rows}"
    );
    let file = format!("{dir}/homes.parquet");
    let (told, _) = db(0, &["export", "backgammon", "--out", &file]);
    let bytes = std::fs::read(&file).expect("a file");
    assert!(
        told.starts_with("54,264 rows") && bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"),
        "{told}"
    );
    let (stats, _) = db(0, &["stats", "backgammon"]);
    assert!(stats.contains("54,264") && stats.contains("such as 0 0 0 0 0 15"), "{stats}");
    assert!(stats.lines().any(|line| line.starts_with("mean       ") && line.ends_with(" rolls")), "{stats}");
    let (list, _) = db(0, &["list", "--json"]);
    assert!(list.contains("\"game\":\"backgammon\""), "{list}");
    let (checked, _) = db(0, &["verify", "backgammon"]);
    assert!(checked.contains("54,264 values"), "{checked}");
    std::fs::remove_dir_all(dir).expect("removed");
}

/// Lines by strategies, slips of a game, and the player who has book, databases and a guard.
#[test]
fn databases_are_played_by() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-by-{}", std::process::id()));
    let dir = dir.to_str().expect("a path");
    let db = |status: i32, args: &[&str]| expect(status, &[&["db", "--dir", dir][..], args].concat(), "");
    db(0, &["build", "chess", "KPK", "--metric", "dtm,dtz,dtz50"]);
    let pawn = "8/8/8/8/8/8/k6P/6K1 w - -";
    let by = |strategy: &str, clock: &str| {
        db(0, &["line", "chess", pawn, "--strategy", strategy, "--clock", clock, "--json"]).0
    };
    let (plain, _) = db(0, &["line", "chess", pawn, "--json"]);
    assert_eq!(by("M-", "0"), plain, "best play is a strategy");
    assert!(by("Z0 Z50- M-", "0").contains("\"critical\""));
    assert!(by("M+", "100").contains("\"move\""), "mate counts no moves");
    assert!(by("Z50- M-", "100").contains("\"claimed\":true"));
    // The count of a FEN is the clock where none is given.
    let late = format!("{pawn} 100 60");
    let (claimed, _) = db(0, &["line", "chess", &late, "--strategy", "Z50- M-", "--json"]);
    assert!(claimed.contains("\"claimed\":true"), "{claimed}");
    let told = db(0, &["line", "chess", &late, "--strategy", "Z50- M-", "--clock", "0", "--json"]).0;
    assert!(!told.contains("claimed"), "{told}");
    // The pawn moves, or the queen mates, with the last ply that the rule allows; whoever is to move before.
    let black = "8/8/8/8/8/8/k6P/6K1 b - -";
    let mates = "8/8/8/8/3Q4/1K6/8/1k6 w - -";
    let (in_time, late) = ("the win is in time", "the win is too late: a draw can be claimed");
    for (place, count, says) in [
        (pawn, 98, in_time),
        (pawn, 99, in_time),
        (pawn, 100, late),
        (black, 97, in_time),
        (black, 98, in_time),
        (black, 99, late),
        (mates, 99, in_time),
        (mates, 100, late),
    ] {
        let fen = format!("{place} {count} 160");
        let (told, _) = db(0, &["probe", "chess", &fen, "--metric", "dtz50"]);
        assert!(told.contains(says), "{told}");
    }
    // The count that was gone by is told, however great it is.
    let far = format!("{pawn} 150 90");
    let (told, _) = db(0, &["probe", "chess", &far, "--metric", "dtz50"]);
    assert!(told.starts_with(&format!("position  {far}\n")) && told.contains("after 150 plies"), "{told}");
    let (told, _) = db(0, &["line", "chess", &far, "--clock", "7"]);
    assert!(told.starts_with(&format!("position  {pawn} 7 90\n")), "{told}");
    let fen = format!("{pawn} 98 60");
    let (told, _) = db(0, &["probe", "chess", &fen, "--metric", "dtz50", "--json"]);
    assert!(told.contains("\"count\":{\"in_time\":true,\"plies\":98}"), "{told}");
    assert!(!db(0, &["probe", "chess", pawn, "--metric", "dtz50"]).0.contains("count "));
    assert!(
        db(0, &["probe", "chess", &fen, "--metric", "dtm,dtz50"]).0.contains("by dtz50, the win is in time")
    );
    // The mark of the only best move is not that of another one.
    db(0, &["build", "checkers", "2K-1K"]);
    let kings = ["line", "checkers", "B:WK31:BK18,K25", "--plies", "1", "--json"];
    let (best, _) = db(0, &kings);
    assert!(best.contains("\"critical\":\"the only best one\",\"move\":\"18-23\""), "{best}");
    let (longest, _) = db(0, &[&kings[..], &["--strategy", "M+"]].concat());
    assert!(longest.contains("\"move\":\"25-29\"") && !longest.contains("critical"), "{longest}");
    let (_, err) = db(2, &["line", "chess", pawn, "--strategy", "Z0 Q-"]);
    assert!(err.contains("'Q' begins no term at character 4"), "{err}");
    let (_, err) = db(2, &["line", "chess", pawn, "--strategy", "C-"]);
    assert!(err.contains("slice KPK was not built in dtc") && err.contains("dtm, dtz, dtz50"), "{err}");
    let queen = "8/8/8/8/8/2k5/8/K6Q w - -";
    let (said, _) = db(0, &["slips", "chess", "--position", queen, "--moves", "Qc1+ Kb3 Qb2+ Ka4 Qb3+"]);
    assert!(said.contains("5 of 5 plies judged") && said.contains("the win is given away"), "{said}");
    assert!(said.contains("White won like a player of competence"), "{said}");
    let (none, _) = db(0, &["slips", "chess", "--moves", "e2e4 e7e5", "--json"]);
    assert!(none.contains("\"judged\":0,"), "{none}");
    let (_, err) = db(2, &["slips", "chess", "--position", queen, "--moves", "Qc1+ Kz9"]);
    assert!(err.contains("at character 6"), "{err}");
    db(0, &["build", "awari", "0-6"]);
    let (book, wrong) = (format!("{dir}/book.txt"), format!("{dir}/wrong.txt"));
    std::fs::write(&book, "F4 f4 # both sow their last pit\n").expect("a book");
    std::fs::write(&wrong, "A4\nA4 z9\n").expect("a book");
    let guarded = ["play", "awari", "--first", "guarded", "--second", "guarded", "--nodes", "400"];
    let (played, _) = expect(0, &[&guarded[..], &["--db", dir, "--book", &book]].concat(), "");
    assert!(played.contains("South (guarded) plays F4  by the book"), "{played}");
    assert!(played.contains("over: "), "{played}");
    let (_, err) = expect(2, &[&guarded[..], &["--book", &wrong]].concat(), "");
    assert!(err.contains("wrong.txt, line 2: "), "{err}");
    std::fs::remove_dir_all(dir).expect("removed");
}

/// Small files are made of full ones, and are enough for who wants to know who wins.
#[test]
fn small_databases_do_without_the_full_ones() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-small-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let name = dir.to_str().expect("a name").to_owned();
    let db = |words: &[&str], code| expect(code, &[&["db"], words, &["--dir", &name]].concat(), "");
    assert!(db(&["pack", "checkers", "2K-1K"], 2).1.contains("build it first"));
    assert!(db(&["pack", "checkers", "9K"], 2).1.contains("no ending"));
    assert!(!dir.exists(), "where there is nothing, nothing is left behind");
    db(&["build", "checkers", "2K-1K", "--metric", "wdl"], 0);
    let (_, err) = db(&["pack", "checkers", "2K-1K", "--memory", "1M"], 2);
    assert!(err.contains("MiB of memory, 1 MiB are allowed"), "{err}");
    let (said, _) = db(&["pack", "checkers", "2K-1K"], 0);
    assert!(said.contains("plan  2 slices, 30,752 positions") && said.contains("a byte"), "{said}");
    assert!(db(&["pack", "checkers", "2K-1K", "--json"], 0).0.is_empty(), "they are there");
    for entry in std::fs::read_dir(dir.join("checkers")).expect("files") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|ending| ending == "esdb") {
            std::fs::remove_file(path).expect("removed");
        }
    }
    assert!(db(&["list", "checkers", "--json"], 0).0.contains("\"small\":true"));
    assert!(db(&["verify", "checkers"], 0).0.contains("2 files, every checksum right"));
    let position = "W:WK12,K5:BK1";
    assert!(db(&["probe", "checkers", position, "--metric", "wdl"], 0).0.contains("win for White"));
    assert!(db(&["stats", "checkers", "2K-1K", "--metric", "wdl"], 0).0.contains("29,760"));
    let (_, err) = db(&["stats", "checkers", "2K-1K"], 2);
    assert!(err.contains("slice 2K-1K was not built in dtm") && err.contains("wdl (small)"), "{err}");
    let args = ["solve", "checkers", "--position", position, "--db", &name];
    assert!(expect(0, &args, "").0.contains("method       databases"));
    let file = dir.join("checkers").join("2K-1K.small");
    let elsewhere = dir.join("2K-1K.small");
    std::fs::rename(&file, &elsewhere).expect("renamed");
    assert!(db(&["verify", "checkers"], 2).1.contains("it lists wdl of 2K-1K, and no such file is there"));
    std::fs::rename(&elsewhere, &file).expect("renamed");
    // Depths, too.
    assert!(db(&["pack", "chess", "KPK", "--metric", "dtr"], 2).1.contains("dtr has no small files"));
    db(&["build", "chess", "KPK", "--metric", "dtm,dtz"], 0);
    let white = "4k3/8/4K3/4P3/8/8/8/8 w - -";
    let asked = ["probe", "chess", white, "--metric", "dtm,dtz", "--json"];
    let game = ["slips", "chess", "--position", white, "--moves", "Kd6 Kd8 Kd5 Kd7 e6+ Ke8"];
    let (full, judged) = (db(&asked, 0).0, db(&game, 0).0);
    let (said, _) = db(&["pack", "chess", "KPK", "--metric", "dtm,dtz"], 0);
    assert!(said.contains("chess, dtz, small, in ") && said.contains("KPK dtm, small, in plies: "), "{said}");
    for entry in std::fs::read_dir(dir.join("chess")).expect("files") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|ending| ending == "esdb") {
            std::fs::remove_file(path).expect("removed");
        }
    }
    assert_eq!((db(&asked, 0).0, db(&game, 0).0), (full, judged));
    let (listed, _) = db(&["list", "chess"], 0);
    assert_eq!(listed.matches(", small, in plies").count(), 6, "{listed}");
    assert!(db(&["verify", "chess"], 0).0.contains("6 files, every checksum right"));
    let args = ["solve", "chess", "--position", white, "--db", &name];
    assert!(expect(0, &args, "").0.contains("method       databases"));
    let (_, err) = db(&["stats", "chess", "KPK", "--metric", "dtc"], 2);
    assert!(err.contains("it is there in dtm (small), dtz (small)"), "{err}");
    let mut bytes = std::fs::read(&file).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).expect("a file");
    assert!(db(&["verify", "checkers"], 2).1.contains("cannot be trusted"));
    std::fs::remove_dir_all(dir).expect("removed");
}

/// Every method that proves by questions takes what is in a file as known, in games with cycles too, and its certificate ends there.
#[test]
fn proofs_end_in_databases() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-known-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir(&dir).expect("a directory");
    let name = dir.to_str().expect("a name");
    expect(0, &["db", "build", "chess", "KQK", "--dir", name], "");
    let cert = format!("{name}/known.cert");
    // White takes the queen that gives check, and three men are known.
    let position = "7k/8/8/8/8/8/1q6/K1Q5 w - - 0 1";
    for method in ["alpha-beta", "mtdf", "df-pn", "pn"] {
        let ask = ["solve", "chess", "--position", position, "--method", method, "--json"];
        let told = |out: &str| serde_json::from_str::<serde_json::Value>(out).expect("an answer");
        let (out, _) = expect(0, &[&ask[..], &["--db", name, "--certificate", &cert]].concat(), "");
        let known = told(&out);
        assert!(known["rests_on"].is_string() && known["nodes"].as_u64() < Some(100), "{method}: {out}");
        // What is known tells no move: a line does not go round there.
        assert!(
            method != "alpha-beta" || known["line"].as_array().is_some_and(|line| line.len() == 1),
            "{out}"
        );
        expect(0, &["verify", &cert, "--db", name], "");
        assert!(expect(2, &["verify", &cert], "").1.contains("databases"), "{method}");
    }
    // Who counts how far the end is does not ask them, and does not say so.
    let ask = ["solve", "chess", "--position", position, "--method", "exhaustive", "--json", "--db", name];
    assert!(!expect(1, &[&ask[..], &["--nodes", "1000"]].concat(), "").0.contains("rests_on"));
    std::fs::remove_dir_all(dir).expect("removed");
}

/// What no search may use is no empty directory: it is told what is there, and what would do.
#[test]
fn a_search_says_what_it_can_use() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-unusable-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let name = dir.to_str().expect("a name");
    expect(0, &["db", "build", "chess", "KQK", "--metric", "dtz50,dtr", "--dir", name], "");
    // Earlier versions made such files; nothing is answered from them.
    let table = Table { metric: Metric::Value, cells: Cells::Narrow(vec![1; 364]) };
    Store::new(&dir, "awari:end=last-stone").save("3", &table, &Work::default()).expect("a file");
    let asked = ["db", "probe", "awari", "0 1 0 0 1 0|0 0 0 0 0 1", "--metric", "wdl", "--dir", name];
    assert!(expect(2, &asked, "").1.contains("'wdl' cannot be told where captures count"));
    assert!(!expect(0, &["db", "list", "--dir", name], "").0.contains("awari"));
    let (_, err) = expect(2, &["db", "verify", "awari", "--dir", name], "");
    assert!(err.contains("3.wdl.esdb cannot be trusted: 'wdl' cannot be told"), "{err}");
    let queen = ["chess", "--position", "8/8/8/8/8/2k5/8/K6Q w - -"];
    let made = format!("`endspiel db build chess KQK --metric dtm --dir {name}`");
    let stones = ["awari", "--position", "0 1 0 0 1 0|0 0 0 0 0 1"];
    let counted = format!("`endspiel db build awari:end=last-stone 3 --metric score --dir {name}`");
    for (place, says) in [
        (&queen, ["tell dtr, dtz50;", "a search can use dtm, wdl, dtc, dtz:", &made]),
        (&stones, ["tell wdl;", "a search can use score:", &counted]),
    ] {
        for command in ["solve", "best"] {
            let (_, err) = expect(2, &[&[command], &place[..], &["--db", name]].concat(), "");
            assert!(says.iter().all(|says| err.contains(says)), "{command} should say {says:?}, said: {err}");
        }
    }
    expect(0, &["db", "build", "chess", "KQK", "--dir", name], "");
    expect(0, &[&["solve"], &queen[..], &["--db", name]].concat(), "");
    std::fs::remove_dir_all(dir).expect("removed");
}

/// What is no database of the game is passed over; a damaged one ends only what needs it.
#[test]
fn a_search_goes_on_beside_files_that_it_cannot_use() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-beside-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let name = dir.to_str().expect("a name");
    expect(0, &["db", "build", "awari", "0-6", "--dir", name], "");
    let cert = format!("{name}/rests.cert");
    let four = ["awari", "--position", "0 1 0 0 1 0|0 0 0 1 0 1 0-0 S", "--db", name];
    expect(0, &[&["solve"], &four[..], &["--certificate", &cert]].concat(), "");
    let folder = dir.join("awari,end=last-stone");
    let good = std::fs::read(folder.join("4.score.esdb")).expect("a file");
    let later = [&good[..7], &[9], &good[8..]].concat();
    for (file, bytes) in [("notes.esdb", &b"my notes"[..]), ("5.score.esdb", &later), ("old.small", &[])] {
        std::fs::write(folder.join(file), bytes).expect("a foreign file");
    }
    for command in ["solve", "best"] {
        let (out, err) = expect(0, &[&[command], &four[..]].concat(), "");
        assert!(out.contains("databases"), "{out}");
        assert_eq!(err.matches("; it is passed over\n").count(), 3, "{err}");
        for file in ["notes.esdb", "5.score.esdb", "old.small"] {
            assert!(err.contains(&format!("{file} cannot be trusted: ")), "{file}: {err}");
        }
    }
    let (out, err) = expect(0, &["verify", &cert, "--db", name], "");
    assert!(out.contains("accepted") && err.matches("warning: ").count() == 3, "{out}{err}");
    // Damaged: what needs it is refused, by name, and what does not is answered.
    std::fs::write(folder.join("4.score.esdb"), &good[..good.len() / 2]).expect("a damaged file");
    let three = ["awari", "--position", "0 1 0 0 1 0|0 0 0 0 0 1 0-0 S", "--db", name];
    for command in ["solve", "best"] {
        let (_, err) = expect(0, &[&[command], &three[..]].concat(), "");
        assert!(err.contains("nothing is answered that needs slice 4\n"), "{err}");
        let (out, err) = expect(2, &[&[command], &four[..]].concat(), "");
        assert!(out.is_empty() && err.contains("error: ") && err.contains("4.score.esdb cannot be trusted"));
    }
    let (_, err) = expect(2, &["verify", &cert, "--db", name], "");
    assert!(err.contains("it is not there") && err.contains("4.score.esdb cannot be trusted"), "{err}");
    let players = ["--first", "auto", "--second", "auto"];
    let (_, err) = expect(0, &[&["play"], &three[..], &players].concat(), "");
    assert!(err.contains("warning: "), "{err}");
    assert!(expect(2, &[&["play"], &four[..], &players].concat(), "").1.contains("4.score.esdb"));
    std::fs::remove_dir_all(dir).expect("removed");
}

/// A limit on the size of files is told as a full disk is, and what is finished stays.
#[cfg(unix)]
#[test]
fn a_file_beyond_the_limit_is_told() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-limit-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let name = dir.to_str().expect("a name");
    let args = ["db", "--dir", name, "build", "awari", "0-10", "--threads", "1"];
    let limited = std::process::Command::new("sh")
        .args(["-c", "ulimit -f 16; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_endspiel")])
        .args(args)
        .output()
        .expect("a shell");
    let err = common::text(&limited.stderr);
    assert_eq!(limited.status.code(), Some(2), "{:?} {err}", limited.status);
    assert!(err.contains(name) && err.contains("score.partial: File too large"), "{err}");
    let left: Vec<_> = std::fs::read_dir(dir.join("awari,end=last-stone"))
        .expect("finished files")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("a name"))
        .filter(|name| name.ends_with(".partial"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    let (checked, _) = expect(0, &["db", "--dir", name, "verify", "awari"], "");
    assert!(checked.contains("files, every checksum right"), "{checked}");
    let (built, _) = expect(0, &args, "");
    assert!(built.contains("are there already") && !built.contains("; 0 are there"), "{built}");
    std::fs::remove_dir_all(dir).expect("removed");
}

/// Figures for programs are counted as people count: an outcome, and plies or points.
#[test]
fn figures_are_counted_as_people_count() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-figures-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let name = dir.to_str().expect("a name");
    let db = |args: &[&str]| expect(0, &[&["db", "--dir", name][..], args].concat(), "").0;
    let stats = |args: &[&str]| -> serde_json::Value {
        serde_json::from_str(&db(&[&["stats", "--json"], args].concat())).expect("figures")
    };
    let sum = |stats: &serde_json::Value, outcome: &str| -> u64 {
        let counts = stats["histogram"].as_array().expect("a list").iter();
        counts.filter(|c| c["outcome"] == outcome).map(|c| c["positions"].as_u64().expect("a number")).sum()
    };
    db(&["build", "chess", "KQK", "--metric", "dtm,wdl"]);
    db(&["build", "awari", "0-6"]);
    let mates = stats(&["chess", "KQK"]);
    // Mated: nothing is left to be played.
    assert_eq!(mates["histogram"][0]["outcome"], "loss", "{mates}");
    assert_eq!(mates["histogram"][0]["number"], 0, "{mates}");
    let last = mates["histogram"].as_array().and_then(|list| list.last()).expect("a value");
    assert_eq!((&last["outcome"], &last["number"]), (&"win".into(), &1.into()), "{mates}");
    for (outcome, all) in [("win", "wins"), ("draw", "draws"), ("loss", "losses")] {
        assert_eq!(sum(&mates, outcome), mates["summary"][all].as_u64().expect("a number"), "{outcome}");
    }
    assert_eq!(mates["greatest"]["number"], 19);
    assert_eq!(mates["longest_loss"]["number"], 20);
    assert!(mates["mean"].is_null(), "wins and losses in plies have no mean");
    let text = db(&["stats", "chess", "KQK"]);
    let mated = format!("losses in  0:{} ", mates["histogram"][0]["positions"]);
    assert!(text.contains(&mated) && text.contains("longest    win in 19, "), "{mated}: {text}");
    // By who is to move, as published: 1 8 | 10 10.
    db(&["build", "chess", "KQK", "--metric", "dtc"]);
    let sides = &stats(&["chess", "KQK", "--metric", "dtc"])["sides"];
    let (white, black) = (&sides[0], &sides[1]);
    assert_eq!(white["longest_win"], serde_json::json!({"moves": 10, "positions": 1}), "{sides}");
    assert_eq!(black["longest_loss"], serde_json::json!({"moves": 10, "positions": 8}), "{sides}");
    assert_eq!((&white["positions"], &white["draws"]), (&18_492.into(), &0.into()), "{sides}");
    assert_eq!((&black["positions"], &black["draws"]), (&28_644.into(), &2953.into()), "{sides}");
    assert!(white["presence"] == white["mean_win"] && black["presence"].is_null(), "{sides}");
    let scores = stats(&["awari", "6"]);
    assert_eq!(scores["sides"].as_array().map(Vec::len), Some(1), "{scores}");
    let least = serde_json::json!({"outcome": "loss", "number": -6, "positions": 4242});
    assert_eq!(scores["histogram"][0], least, "{scores}");
    assert!(scores["mean"].is_number() && scores["greatest"]["number"] == 6, "{scores}");
    let outcomes = stats(&["chess", "KQK", "--metric", "wdl"]);
    assert_eq!(outcomes["histogram"].as_array().map(Vec::len), Some(3), "{outcomes}");
    assert_eq!(sum(&outcomes, "draw"), sum(&mates, "draw"));
    // Where nobody wins, no win is the longest.
    db(&["build", "xiangqi", "KCK"]);
    let none = stats(&["xiangqi", "KCK"]);
    assert!(none["greatest"].is_null() && none["longest_loss"].is_null(), "{none}");
    let text = db(&["stats", "xiangqi", "KCK"]);
    assert!(text.contains("to move    0 win, ") && !text.contains("longest"), "{text}");
    std::fs::remove_dir_all(dir).expect("removed");
}

/// Who wins has no plies, by either rule.
#[test]
fn outcomes_are_told_without_plies() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-outcomes-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let name = dir.to_str().expect("a name");
    expect(0, &["db", "build", "chess", "KQK", "--metric", "wdl,wdl50", "--dir", name], "");
    expect(0, &["db", "build", "chess", "KQK", "--metric", "dtr", "--dir", name], "");
    let mates = ["db", "probe", "chess", "8/8/8/8/3Q4/1K6/8/1k6 w - -", "--metric", "dtr", "--dir", name];
    let (told, _) = expect(0, &mates, "");
    assert!(
        told.lines().any(|line| line.starts_with("  d4d1 ") && line.ends_with("win with 1 ply a phase")),
        "{told}"
    );
    // A limit by the rule is no length either.
    let (told, _) = expect(0, &["db", "stats", "chess", "KQK", "--metric", "dtr", "--dir", name], "");
    assert!(told.contains("greatest   win with 19,") && !told.contains("longest"), "{told}");
    assert!(!told.contains("win in") && !told.contains("a win takes"), "{told}");
    for metric in ["wdl", "wdl50"] {
        let probe = ["db", "probe", "chess", "8/8/8/8/8/2k5/8/K6Q w - -", "--metric", metric, "--dir", name];
        let (told, _) = expect(0, &probe, "");
        assert!(told.contains("value     win for White") && !told.contains("win in"), "{metric}: {told}");
    }
    std::fs::remove_dir_all(dir).expect("removed");
}

/// Rows for other programs: a file appears whole or not at all, and its ending says what it holds.
#[test]
fn rows_are_exported() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-rows-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir(&dir).expect("a directory");
    let name = dir.to_str().expect("a name").to_owned();
    let db = |code, words: &[&str]| expect(code, &[&["db"], words, &["--dir", &name]].concat(), "");
    db(0, &["build", "chess", "KQK"]);
    let file = |ending: &str| format!("{name}/rows.{ending}");
    let rows = |code, more: &[&str]| db(code, &[&["export", "chess", "KQK", "--every", "50"], more].concat());
    let said = |out: &str| out.split(' ').next().expect("a number").replace(',', "");
    let csv = said(&rows(0, &["--out", &file("csv")]).0);
    let text = std::fs::read_to_string(file("csv")).expect("rows");
    assert_eq!(text.lines().count().to_string(), (csv.parse::<u32>().expect("a number") + 1).to_string());
    assert!(text.starts_with("slice,number,position,mover,outcome,dtm\n"), "{text}");
    let parquet = said(&rows(0, &["--out", &file("parquet")]).0);
    let bytes = std::fs::read(file("parquet")).expect("rows");
    assert!(parquet == csv && bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"), "{parquet} {csv}");
    for (more, says) in [
        (
            &["--format", "csv", "--out", &file("parquet")][..],
            "has the ending of parquet, and --format asks for csv: name a file that ends in .csv",
        ),
        (&["--format", "feather"], "possible values: csv, parquet"),
        (&["--out", &name], "this is no name of a file"),
        (&["--out", &format!("{name}/none/rows.csv")], "No such file"),
    ] {
        let (_, err) = rows(2, more);
        assert!(err.contains(says), "{more:?} should say '{says}', said: {err}");
    }
    // A link stays one, and what it stands for is written; a metric asked for twice is told once.
    #[cfg(unix)]
    {
        let link = format!("{name}/link.csv");
        std::os::unix::fs::symlink(file("csv"), &link).expect("a link");
        std::fs::write(file("csv"), "").expect("an empty file");
        rows(0, &["--metric", "dtm,dtm", "--out", &link]);
        assert!(std::fs::symlink_metadata(&link).expect("the link").is_symlink());
        assert_eq!(std::fs::read_to_string(file("csv")).expect("rows"), text);
    }
    // What could not be written leaves the old file, and no other.
    assert!(db(2, &["export", "chess", "KRK", "--out", &file("parquet")]).1.contains("no database"));
    assert_eq!(std::fs::read(file("parquet")).expect("rows"), bytes);
    let left = std::fs::read_dir(&dir).expect("files").filter_map(Result::ok);
    assert!(left.into_iter().all(|entry| !entry.file_name().to_string_lossy().starts_with('.')));
    std::fs::remove_dir_all(dir).expect("removed");
}

/// Several metrics side by side, and players who err.
#[test]
fn players_who_err() {
    let dir = std::env::temp_dir().join(format!("endspiel-behaviour-err-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let name = dir.to_str().expect("a name").to_owned();
    let db = |code, words: &[&str]| expect(code, &[&["db"], words, &["--dir", &name]].concat(), "");
    db(0, &["build", "chess", "KRK", "--metric", "dtm,dtc,dtz"]);
    let rook = "8/8/8/3k4/8/8/8/KR6 w - -";
    let (both, _) = db(0, &["probe", "chess", rook, "--metric", "dtm,dtz"]);
    assert!(both.contains("dtm (plies)   dtz (plies)") && both.contains("value     win in "), "{both}");
    let (both, _) = db(0, &["probe", "chess", rook, "--metric", "dtm,dtz", "--json"]);
    let both: serde_json::Value = serde_json::from_str(&both).expect("an answer");
    let (alone, _) = db(0, &["probe", "chess", rook, "--json"]);
    let alone: serde_json::Value = serde_json::from_str(&alone).expect("an answer");
    assert_eq!(both["metrics"]["dtm"]["number"], alone["number"]);
    assert_eq!(both["metrics"]["dtz"]["outcome"], "win");
    let moves = |value: &serde_json::Value| value["moves"].as_array().expect("moves").clone();
    for (two, one) in moves(&both).iter().zip(moves(&alone)) {
        assert_eq!((&two["move"], &two["metrics"]["dtm"]["number"]), (&one["move"], &one["number"]));
    }
    let (told, _) = db(0, &["predict", "chess", "KRK", "--competence", "10", "--matrix"]);
    assert!(told.contains("from depth 16 (dtm)") && told.contains("moves of White on the average"), "{told}");
    assert!(told.contains("Black holds out for ") && told.contains("\n  win 1    to win 0: "), "{told}");
    let (told, _) = db(0, &["predict", "chess", "KRK", "--competence", "2", "--conceding"]);
    assert!(told.contains("until the win is had or given away") && told.contains("% in the end"), "{told}");
    let play = ["play", "chess", "--position", rook, "--db", &name, "--first"];
    let game = |more: &[&str]| expect(0, &[&play[..], more].concat(), "").0;
    let best = game(&["fallible:inf", "--second", "fallible:inf", "--metric", "dtm"]);
    assert!(best.contains("over: ") && best.contains("leaves win 0 (dtm in moves)"), "{best}");
    let hunted = game(&["emulator:9", "--second", "predator"]);
    assert!(hunted.contains("White (emulator:9) plays ") && hunted.contains("over: "), "{hunted}");
    let seeded = |seed: &str| game(&["fallible:3", "--second", "fallible:0", "--seed", seed]);
    assert!(seeded("4") == seeded("4") && seeded("4") != seeded("5"));
    for (more, says) in [
        (&["fallible:x"][..], "expected fallible:C with a competence such as 20"),
        (&["predator:3"], "has no competence of its own"),
        (
            &["fallible:3", "--metric", "wdl"],
            "'wdl' tells no depths; expected a metric of chess that counts plies to be played: dtm, dtm50",
        ),
        (&["fallable:3"], "fallible:C, emulator:C, predator"),
    ] {
        let (_, err) = expect(2, &[&play[..], more].concat(), "");
        assert!(err.contains(says), "{more:?} should say '{says}', said: {err}");
    }
    // The game of two who never err has no slips; that of others has, and they are added up.
    let line = best.lines().find_map(|line| line.strip_prefix("moves: ")).expect("moves").to_owned();
    let (none, _) = db(0, &["slips", "chess", "--position", rook, "--moves", &line]);
    assert!(none.contains("nothing was given away") && none.contains("Black played like one of"), "{none}");
    let poor = seeded("4");
    let line = poor.lines().find_map(|line| line.strip_prefix("moves: ")).expect("moves").to_owned();
    let (many, _) = db(0, &["slips", "chess", "--position", rook, "--moves", &line, "--json"]);
    let many: serde_json::Value = serde_json::from_str(&many).expect("an answer");
    assert!(many["slips"].as_array().is_some_and(|slips| slips.len() > 1), "{many}");
    for total in many["totals"].as_array().expect("totals") {
        let slips = many["slips"].as_array().expect("slips").iter();
        let own = slips.filter(|slip| slip["mover"] == total["player"]).collect::<Vec<_>>();
        let sum: u64 = own.iter().filter_map(|slip| slip["by"].as_u64()).sum();
        assert_eq!((total["by"].as_u64(), total["slips"].as_u64()), (Some(sum), Some(own.len() as u64)));
        assert!(own.last().is_none_or(|slip| slip["so_far"].as_u64() == Some(sum)), "{many}");
    }
    std::fs::remove_dir_all(dir).expect("removed");
}
