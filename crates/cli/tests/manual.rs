//! The README and the manual show what the program prints: every `$ endspiel ...` in a `console` block is
//! run, in order, in an empty directory a file, and its output compared. A line is compared up to its first
//! time in seconds, for times differ; a line `...` stands for any lines.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            pages(&path, out);
        } else if path.extension().is_some_and(|e| e == "md") {
            out.push(path);
        }
    }
}

/// The commands of a page with the lines that should follow each.
fn commands(text: &str) -> Vec<(String, Vec<String>)> {
    let mut out: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside && line.trim_end() == "```console";
        } else if inside && let Some(command) = line.strip_prefix("$ ") {
            out.push((command.into(), Vec::new()));
        } else if inside && let Some((_, lines)) = out.last_mut() {
            lines.push(line.trim_end().into());
        }
    }
    out
}

/// The line up to its first time: `0.123 s`.
fn timeless(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let time = words
        .windows(2)
        .position(|w| w[0].contains('.') && w[0].parse::<f64>().is_ok() && w[1].starts_with('s'));
    words[..time.unwrap_or(words.len())].join(" ")
}

fn matches(expected: &[String], printed: &[String]) -> bool {
    match (expected, printed) {
        ([], []) => true,
        ([dots, rest @ ..], _) if dots == "..." => (0..=printed.len()).any(|i| matches(rest, &printed[i..])),
        ([e, rest @ ..], [p, more @ ..]) => timeless(e) == timeless(p) && matches(rest, more),
        _ => false,
    }
}

#[test]
fn every_command_of_the_manual_prints_what_the_manual_shows() {
    let mut files = vec![root().join("README.md")];
    pages(&root().join("docs"), &mut files);
    files.sort();
    let bin = Path::new(env!("CARGO_BIN_EXE_endspiel"));
    let path = std::env::join_paths(
        [bin.parent().expect("a directory").into()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    )
    .expect("a path");
    let mut run = 0;
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a page");
        let scratch = std::env::temp_dir().join(format!("endspiel-manual-{}-{run}", std::process::id()));
        std::fs::create_dir_all(&scratch).expect("a scratch directory");
        for (command, expected) in commands(&text) {
            if !command.contains("endspiel") || command.starts_with("cargo") {
                continue;
            }
            let output = Command::new("sh")
                .args(["-c", &command])
                .current_dir(&scratch)
                .env("PATH", &path)
                .output()
                .expect("a shell");
            let printed = String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr);
            let mut printed: Vec<String> = printed.lines().map(|l| l.trim_end().to_string()).collect();
            let mut expected = expected;
            for lines in [&mut printed, &mut expected] {
                while lines.last().is_some_and(String::is_empty) {
                    lines.pop();
                }
            }
            run += 1;
            if !matches(&expected, &printed) {
                wrong.push(format!("{}: $ {command}\n{}\n", file.display(), printed.join("\n")));
            }
        }
        let _ = std::fs::remove_dir_all(&scratch);
    }
    assert!(run > 0, "no commands found");
    assert!(wrong.is_empty(), "these print something else than the manual shows:\n{}", wrong.join("\n"));
}
