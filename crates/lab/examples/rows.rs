//! The rows of an experiment about databases as docs/figures has them, without the command line around it:
//! `cargo run --release -p endspiel-lab --example rows -- xiangqi-studies DIR [ROWS [KEEP [ENDINGS]]]`, with one thread and 8 GiB;
//! curves go to the folder KEEP.

use endspiel_game::Budget;
use endspiel_lab::tables;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (Some(name), Some(dir)) = (words.first(), words.get(1)) else {
        return Err(
            format!("an experiment and a folder of databases; one of {}", tables::NAMES.join(" ")).into()
        );
    };
    let mut left: usize = words.get(2).map_or(Ok(usize::MAX), |text| text.parse())?;
    let budget = Budget { threads: 1, memory: 8 << 30, ..Budget::default() };
    let mut each = |row: &tables::Row| {
        let verdict = match (row.agrees, &row.published) {
            (Some(true), _) => "as published".to_string(),
            (Some(false), _) => "DIFFERS".to_string(),
            (None, Some(published)) => format!("not compared, published {published}"),
            (None, None) => "not published".to_string(),
        };
        println!("{:<10} {:<5} {:<50} {verdict}", row.name, row.metric, row.found);
        left = left.saturating_sub(1);
        left > 0
    };
    let (keep, only) = (words.get(3).map(Path::new), words.get(4).map(String::as_str));
    let places = tables::Places { databases: Path::new(dir), keep, only };
    let done = tables::run(name, &places, &budget, &(), &mut each).ok_or("no such experiment")?;
    println!("{}", done?.found());
    Ok(())
}
