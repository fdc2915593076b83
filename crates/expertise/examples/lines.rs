//! Solves a game of lines, writes the certificate of the outcome and checks it: nodes, records, bytes and seconds.
//!
//! ```text
//! cargo run --release -p endspiel-expertise --example lines GAME [METHOD] [MOVES] [THREADS]
//! ```
//!
//! for instance `5,5,4`, `qubic df-pn` or `gomoku:free df-pn "h8 a1 i9 b3"`. The method is alpha-beta or df-pn.

use endspiel_expertise::lines::Expert;
use endspiel_game::{
    Advisor, Budget, Expertise, Game, Goal, Notation, Outcome, Quiet, Symmetric, Task, TwoPlayer,
};
use endspiel_proof::{Statement, build, verify, write};
use endspiel_rules::{gomoku::Gomoku, mnk::Mnk, qubic::Qubic};
use endspiel_search::alphabeta;
use endspiel_search::proof_number::{Initial, df_pn};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let variant = std::env::args().nth(1).unwrap_or_default();
    match variant.split_once(':').unwrap_or((&variant, "")) {
        ("qubic", _) => run(&Qubic),
        ("gomoku", rule) => run(&Gomoku::from_variant(rule)?),
        _ => run(&Mnk::from_variant(&variant)?),
    }
}

fn run<G: Game>(game: &G) -> Result<(), Box<dyn Error>>
where
    G::Position: TwoPlayer + Notation + Symmetric,
    Expert: Expertise<G::Position>,
{
    let argument = |n| std::env::args().nth(n).unwrap_or_default();
    let (root, _) = game.start().read_line(&argument(3))?;
    let threads = argument(4).parse().unwrap_or(1);
    let budget = Budget { threads, ..Budget::default().with_memory(1 << 30) };
    let task =
        Task { root: &root, goal: Goal::Outcome, expertise: &Expert, budget: &budget, observer: &Quiet };
    let mut first = alphabeta::Solver::new(alphabeta::Options::default(), &budget);
    let options = df_pn::Options { initial: Initial::Effort, ..Default::default() };
    let mut second = df_pn::Solver::new(options, &budget);
    let (answer, advisor): (_, &mut dyn Advisor<_>) = match argument(2).as_str() {
        "df-pn" => (second.solve(&task), &mut second),
        _ => (first.solve(&task), &mut first),
    };
    let (nodes, time) = (answer.counts.nodes, answer.counts.time.as_secs_f64());
    println!(
        "{}: {:?} for the player to move, {nodes} nodes, {time:.2} s",
        game.full_name(),
        answer.bounds.outcome()
    );
    let statement = match answer.bounds.outcome() {
        Some(Outcome::Win) => Statement::at_least(root.mover(), 1),
        Some(Outcome::Draw) => Statement::exactly(root.mover(), 0),
        Some(Outcome::Loss) => Statement::at_least(root.mover().other(), 1),
        None => return Ok(()),
    };

    let start = Instant::now();
    let roomy = Budget { memory: 3 << 30, ..Budget::default() };
    let mut strategies = Vec::new();
    for claim in statement.claims() {
        strategies.push(build(&root, claim, true, advisor, &roomy, &Quiet)?);
    }
    let path = std::env::temp_dir().join(format!("lines-{}.cert", std::process::id()));
    write(&path, game, &root, statement, &strategies)?;
    let written = start.elapsed().as_secs_f64();
    let bytes = std::fs::metadata(&path)?.len();
    let start = Instant::now();
    let verified = verify(game, &path, threads)?;
    let checked = start.elapsed().as_secs_f64();
    std::fs::remove_file(&path)?;
    println!("{}: {} records, {bytes} bytes", verified.statement, verified.records);
    println!("written in {written:.2} s, checked in {checked:.2} s on {threads} threads");
    Ok(())
}
