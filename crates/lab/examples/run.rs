//! Runs an experiment without building the catalog: `cargo run --release -p endspiel-lab --example run NAME [SECONDS] [DIR]`.
//!
//! Rows are JSON; what an experiment goes on from is kept in the directory, `lab` if none is given.

use endspiel_game::Budget;
use std::path::Path;
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = |n, usual: &str| std::env::args().nth(n).unwrap_or_else(|| usual.into());
    let (name, seconds, dir) = (argument(1, ""), argument(2, "60").parse()?, argument(3, "lab"));
    let budget =
        Budget { time: Some(Duration::from_secs(seconds)), ..Budget::default().with_memory(1 << 30) };
    let told = endspiel_lab::run(&name, Path::new(&dir), &budget, &mut |row| {
        println!("{row}");
        true
    });
    println!("{}", told.ok_or_else(|| format!("no experiment is called '{name}'"))??);
    Ok(())
}
