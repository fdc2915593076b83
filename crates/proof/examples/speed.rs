//! How fast certificates are built, written and checked: `cargo run --release --example speed -- 6x5`.
//!
//! The claim is empty (the first player gets at least -1 at connect-four; any move will do), so
//! that no solver is needed; records, replies and look-ups are as in any other proof.

use endspiel_game::{Advisor, Budget, Game, Player, Question, Quiet, TwoPlayer, mix};
use endspiel_proof::{Statement, build, verify, write};
use endspiel_rules::connect_four::ConnectFour;
use std::time::Instant;

struct AnyMove;

impl<P: TwoPlayer> Advisor<P> for AnyMove {
    fn advise(&mut self, position: &P, _: Question) -> Option<P::Move> {
        let moves = position.move_list();
        moves.get(mix(position.key()) as usize % moves.len()).copied()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = ConnectFour::from_variant(&std::env::args().nth(1).unwrap_or_else(|| "6x5".into()))?;
    let statement = Statement::at_least(Player::FIRST, -1);
    let budget = Budget { memory: 4 << 30, ..Budget::default() };
    let path = std::env::temp_dir().join(format!("endspiel-speed-{}.proof", std::process::id()));
    let rate = |name: &str, count: usize, start: Instant| {
        let seconds = start.elapsed().as_secs_f64();
        println!("{name:20} {seconds:8.2} s {:10.0} records/s", count as f64 / seconds);
    };
    let start = Instant::now();
    let strategy = build(&game.start(), statement.claims()[0], true, &mut AnyMove, &budget, &Quiet)?;
    let count = strategy.records();
    println!("{count} records");
    rate("build", count, start);
    let start = Instant::now();
    write(&path, &game, &game.start(), statement, &[strategy])?;
    rate("write", count, start);
    println!("{:.2} bytes a record", std::fs::metadata(&path)?.len() as f64 / count as f64);
    for threads in 1..=2 {
        let start = Instant::now();
        let verified = verify(&game, &path, threads)?;
        rate(&format!("check, {threads} threads"), count, start);
        assert_eq!(verified.records, count as u64);
        println!("{:.2} replies a record", verified.replies as f64 / count as f64);
    }
    std::fs::remove_file(&path)?;
    Ok(())
}
