//! Endings of xiangqi solved in memory and compared with the published figures: slices, or how many of the smallest
//! published ones: `cargo run --release -p endspiel-expertise --example xiangqi_endings -- 60` or `-- KNPKGM`.

use endspiel_expertise::xiangqi::{Endings, Material, published};
use endspiel_retro::{Indexed, Job, Known, Metric, Work, closure};
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "60".into());
    let endings = Endings::new();
    let mut rows: Vec<_> = published().collect();
    rows.sort_by_key(|(_, row)| row.size);
    let slices = match text.parse() {
        Ok(many) => {
            let names: Vec<_> = rows.iter().take(many).map(|(name, _)| *name).collect();
            endings.read_slices(&names.join(" "))?
        }
        Err(_) => endings.read_slices(&text)?,
    };
    let (begun, mut known, work) = (Instant::now(), Known::default(), Work::default());
    let all = closure(&endings, &slices);
    let mut wrong = 0;
    for (at, &slice) in all.iter().enumerate() {
        let now = Instant::now();
        let table = endings.solve(&Job { slice, metric: Metric::End, known: &known, work: &work });
        let table = table.map_err(|_| "stopped")?;
        let (row, seconds) = (endings.row(slice, &table), now.elapsed().as_secs_f64());
        let told = rows.iter().find(|(name, _)| *name == slice.name());
        let verdict = match told {
            None => "not published",
            Some((_, there)) if *there == row => "as published",
            Some(_) => "DIFFERS",
        };
        wrong += usize::from(verdict == "DIFFERS");
        println!("{:<9} {row} in {seconds:.2} s, {verdict}", slice.name());
        known.insert(slice, Arc::new(table));
        let later = |slice: &Material| all[at + 1..].iter().any(|s| endings.conversions(*s).contains(slice));
        all[..=at].iter().filter(|slice| !later(slice)).for_each(|slice| known.remove(slice));
    }
    println!("{} endings in {:.1} s, {wrong} differ", all.len(), begun.elapsed().as_secs_f64());
    Ok(())
}
