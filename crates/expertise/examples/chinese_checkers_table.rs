//! All distances of the one-player table of Chinese checkers:
//! `cargo run --release -p endspiel-expertise --example chinese_checkers_table`.

use endspiel_expertise::chinese_checkers::{Star, Table};

fn main() {
    let mut all = 0;
    let table = Table::new(|distance, many| {
        all += many;
        println!("{distance:>2} {many:>9}");
    });
    println!("{all} configurations; {:?} moves from the start", table.moves(Star::new().start()));
}
