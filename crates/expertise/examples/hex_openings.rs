//! Solves every opening of Hex and draws the map of those that win, with nodes, time, and certificates if
//! asked for. Run it with
//!
//! ```text
//! cargo run --release -p endspiel-expertise --example hex_openings SIZE [df-pn|alpha-beta] [THREADS] [certify]
//! ```
//!
//! A row of the map is a row of the board; `W`: Black wins by opening there. Openings that half a turn of the
//! board takes into each other are solved once.

use endspiel_expertise::hex::Expert;
use endspiel_game::{Advisor, Answer, Budget, Game, Goal, Notation, Outcome, Position, Quiet, Task};
use endspiel_proof::{Statement, build, verify, write};
use endspiel_rules::hex::{Hex, HexMove, HexPosition};
use endspiel_search::{alphabeta, proof_number::df_pn};
use std::error::Error;
use std::time::Instant;

type Board = HexPosition<2>;

/// Solves one position by the method, and lets it advise the certificate.
fn solve(
    root: &Board,
    method: &str,
    budget: &Budget,
    then: impl FnOnce(&mut dyn Advisor<Board>, &Answer<HexMove>),
) -> Answer<HexMove> {
    let task = Task { root, goal: Goal::Outcome, expertise: &Expert, budget, observer: &Quiet };
    if method == "alpha-beta" {
        let mut solver = alphabeta::Solver::new(alphabeta::Options::default(), budget);
        let answer = solver.solve(&task);
        then(&mut solver, &answer);
        answer
    } else {
        let mut solver = df_pn::Solver::new(df_pn::Options::of::<Board, Expert>(), budget);
        let answer = solver.solve(&task);
        then(&mut solver, &answer);
        answer
    }
}

/// Writes the certificate and has it verified: its records, and the seconds that building it took.
fn certify_opening(
    game: &Hex,
    root: &Board,
    answer: &Answer<HexMove>,
    advisor: &mut dyn Advisor<Board>,
    budget: &Budget,
) -> Result<(u64, f64), Box<dyn Error>> {
    let since = Instant::now();
    let path = std::env::temp_dir().join(format!("hex-{}.cert", std::process::id()));
    let claim = Statement::of_bounds(root, answer.bounds).ok_or("nothing is proven")?;
    let strategy = build(root, claim.claims()[0], true, advisor, budget, &Quiet)?;
    let building = since.elapsed().as_secs_f64();
    write(&path, game, root, claim, &[strategy])?;
    let verified = verify(game, &path, 1);
    std::fs::remove_file(&path)?;
    Ok((verified?.records, building))
}

fn main() -> Result<(), Box<dyn Error>> {
    let argument = |n| std::env::args().nth(n).unwrap_or_default();
    let game = Hex::from_variant(&argument(1))?;
    let (method, certify) = (argument(2), argument(4) == "certify");
    let budget = Budget { threads: argument(3).parse().unwrap_or(1), ..Budget::default() };
    let (start, begun) = (game.start(), Instant::now());
    let size = start.board().size();
    let mut map = vec!['?'; size * size];
    let (mut nodes, mut seconds) = (0, 0.0);
    for (i, m) in start.move_list().into_iter().enumerate().take((size * size).div_ceil(2)) {
        let root = start.after(m);
        let mut records = 0;
        let (mut writing, mut verifying) = (0.0, 0.0);
        let answer = solve(&root, &method, &budget, |advisor, answer| {
            if certify {
                let since = Instant::now();
                let certified = certify_opening(&game, &root, answer, advisor, &budget);
                match certified {
                    Ok(found) => (records, writing) = found,
                    Err(error) => println!("no certificate: {error}"),
                }
                verifying = since.elapsed().as_secs_f64() - writing;
            }
        });
        let wins = answer.bounds.outcome() == Some(Outcome::Loss);
        let sign = if answer.bounds.outcome().is_none() {
            '?'
        } else if wins {
            'W'
        } else {
            'L'
        };
        map[i] = sign;
        map[size * size - 1 - i] = sign;
        let time = answer.counts.time.as_secs_f64();
        nodes += answer.counts.nodes;
        seconds += time;
        print!("{} {sign} {} nodes {time:.2} s", start.write_move(m), answer.counts.nodes);
        if certify {
            print!(", {records} records built in {writing:.2} s, verified in {verifying:.2} s");
        }
        println!();
    }
    for row in map.chunks(size) {
        println!("{}", row.iter().collect::<String>());
    }
    println!("{nodes} nodes, {seconds:.2} s of search, {:.2} s in all", begun.elapsed().as_secs_f64());
    Ok(())
}
