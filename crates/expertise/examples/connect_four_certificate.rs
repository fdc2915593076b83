//! Solves connect-four, writes the certificate of the outcome and checks it: records, bytes and seconds.
//!
//! ```text
//! cargo run --release -p endspiel-expertise --example connect_four_certificate [SIZE] [MOVES]
//! ```

use endspiel_expertise::connect_four::Expert;
use endspiel_game::{Budget, Game, Goal, Notation, Outcome, Quiet, Task, TwoPlayer};
use endspiel_proof::{Statement, build, verify, write};
use endspiel_rules::connect_four::ConnectFour;
use endspiel_search::alphabeta::{Options, Solver};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = |n| std::env::args().nth(n).unwrap_or_default();
    let game = ConnectFour::from_variant(&argument(1))?;
    let (root, _) = game.start().read_line(&argument(2))?;
    let budget = Budget::default();
    let task =
        Task { root: &root, goal: Goal::Outcome, expertise: &Expert, budget: &budget, observer: &Quiet };
    let mut solver = Solver::new(Options::default(), &budget);
    let start = Instant::now();
    let answer = solver.solve(&task);
    println!("solved in {:.2} s: {:?}", start.elapsed().as_secs_f64(), answer.bounds);
    let mover = root.mover();
    let statement = match answer.bounds.outcome() {
        Some(Outcome::Win) => Statement::at_least(mover, 1),
        Some(Outcome::Draw) => Statement::exactly(mover, 0),
        Some(Outcome::Loss) => Statement::at_least(mover.other(), 1),
        None => return Ok(()),
    };

    let start = Instant::now();
    let roomy = Budget { memory: 3 << 30, ..Budget::default() };
    let mut strategies = Vec::new();
    for claim in statement.claims() {
        strategies.push(build(&root, claim, true, &mut solver, &roomy, &Quiet)?);
    }
    let built = start.elapsed().as_secs_f64();
    let path = std::env::temp_dir().join(format!("connect-four-{}.cert", std::process::id()));
    write(&path, &game, &root, statement, &strategies)?;
    let written = start.elapsed().as_secs_f64() - built;
    let bytes = std::fs::metadata(&path)?.len();
    let start = Instant::now();
    let verified = verify(&game, &path, 1)?;
    let checked = start.elapsed().as_secs_f64();
    std::fs::remove_file(&path)?;
    println!("{}: {} records, {bytes} bytes", verified.statement, verified.records);
    println!("built in {built:.2} s, written in {written:.2} s, checked in {checked:.2} s on one thread");
    Ok(())
}
