//! A guarded player thinks while a person does, and follows what it has proven.

mod common;

use common::{expect, text};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PLAY: [&str; 6] = ["play", "tic-tac-toe", "--first", "guarded", "--second", "human"];
const PROVEN: &str = "by a proof found in the opponent's time";

/// What is printed when a person thinks for so long before each of these lines.
fn played(args: &[&str], thinks: Duration, typed: &[&str]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_endspiel"))
        .args([&PLAY[..], args].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    for line in typed {
        std::thread::sleep(thinks);
        writeln!(input, "{line}").expect("it reads");
    }
    drop(input);
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn wins_are_found_while_a_person_thinks() {
    let long = Duration::from_millis(1500);
    let at = ["--moves", "a1", "--time", "50ms"];
    // Every reply to a corner but the centre loses, and the proof is followed to the end.
    let lost = played(&at, long, &["a2", "show", "c1"]);
    assert!(lost.matches(PROVEN).count() >= 2, "{lost}");
    // The plan goes with the move that is taken back.
    let drawn = played(&at, long, &["a2", "undo", "b2"]);
    assert_eq!(drawn.matches(PROVEN).count(), 1, "{drawn}");
    let never = played(&[&at[..], &["--ponder", "never"]].concat(), long, &["a2"]);
    assert!(!never.contains(PROVEN) && never.contains("plays"), "{never}");
}

/// What is being pondered does not hold up a game: answers come at once, and so does the end.
#[test]
fn a_move_ends_the_thinking() {
    let begun = Instant::now();
    let args = ["play", "connect-four", "--first", "human", "--second", "guarded", "--nodes", "2000"];
    let (out, _) = expect(1, &args, "4\nmoves\nhint\n3\nquit\n");
    assert_eq!(out.matches("(guarded) plays").count(), 2, "{out}");
    let always = ["play", "tic-tac-toe", "--first", "guarded", "--second", "uct", "--nodes", "200"];
    let (out, _) = expect(0, &[&always[..], &["--ponder", "always"]].concat(), "");
    assert!(out.contains("over: "), "{out}");
    assert!(begun.elapsed() < Duration::from_secs(120), "it would go on for hours");
}
