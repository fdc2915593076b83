//! Running the program and looking at what it says.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the program with this input.
pub fn run(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_endspiel"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input may be gone already.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

/// What it printed.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is UTF-8")
}

/// Runs, expects an exit status, and gives what was printed and what was complained of.
pub fn expect(status: i32, args: &[&str], input: &str) -> (String, String) {
    let output = run(args, input);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{args:?}\n{out}\n{err}");
    assert!(!err.contains("panicked"), "{args:?}\n{err}");
    (out, err)
}
