//! Endings of xiangqi solved in memory and compared with the published figures: slices, or how many of the smallest
//! published ones: `cargo run --release -p endspiel-expertise --example xiangqi_endings -- 60` or `-- KNPKGM`. `KNPKGM`
//! is also compared distance by distance where the pawn has come to the last rank.

use endspiel_expertise::xiangqi::{Endings, Material, published};
use endspiel_game::Player;
use endspiel_retro::{Indexed, Job, Known, Metric, Table, Work, closure};
use endspiel_rules::xiangqi::{Board, Kind};
use std::sync::Arc;
use std::time::Instant;

const PAWN_NINE: &str = include_str!("../src/xiangqi/pawn_nine.txt");

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
        if slice.name() == "KNPKGM" {
            let same = distances(&endings, slice, &table) == lines();
            wrong += usize::from(!same);
            println!("{:<9} pawn on the last rank: {}", "", if same { "as published" } else { "DIFFERS" });
        }
        known.insert(slice, Arc::new(table));
        let later = |slice: &Material| all[at + 1..].iter().any(|s| endings.conversions(*s).contains(slice));
        all[..=at].iter().filter(|slice| !later(slice)).for_each(|slice| known.remove(slice));
    }
    println!("{} endings in {:.1} s, {wrong} differ", all.len(), begun.elapsed().as_secs_f64());
    Ok(())
}

fn distances(endings: &Endings, slice: Material, table: &Table) -> Vec<String> {
    let on_nine = |board: &Board| (81..90).any(|point| board.at(point) == Some((Kind::Pawn, Player::FIRST)));
    let told = |(distance, many): &(Option<u32>, u64)| {
        format!("{}:{many}", distance.map_or_else(|| "-".into(), |plies| plies.to_string()))
    };
    let counts = endings.distances(slice, table, on_nine);
    counts.iter().map(|counts| counts.iter().map(told).collect::<Vec<_>>().join(" ")).collect()
}

fn lines() -> Vec<String> {
    PAWN_NINE.lines().filter(|line| !line.starts_with('#')).map(Into::into).collect()
}
