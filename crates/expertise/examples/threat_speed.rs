//! How fast go-moku's threats are found: `cargo run --release -p endspiel-expertise --example threat_speed [PART...]`.
//!
//! The parts are `stones`, `fours`, `sequences`, `threes` and `pn`; all of them unless some are named.
//! Prints, on one core and on random middle-game positions of 15x15: nodes a second of the search for fours, the time
//! to put a stone with all threats of both players kept up to date, the time of a dependency-based search, and nodes a
//! second of proof-number search whose every node is searched for a win by threats; on the positions that the limits of
//! the searches were chosen on, and on others. Times are those of the processor where the system tells them, so that
//! other work on the machine counts little.

use endspiel_expertise::gomoku::{Board, Fours, Limit, Sequences, Threes};
use endspiel_expertise::lines::Expert;
use endspiel_game::{Budget, Game, Goal, Player, Position, Quiet, Rng, Task};
use endspiel_rules::gomoku::{Gomoku, GomokuPosition, Rule};
use endspiel_rules::grid::{Cell, Grid};
use endspiel_search::proof_number::pn;
use std::time::{Duration, Instant};

/// Time of the processor, or of the clock.
struct Timer {
    begun: Instant,
    processor: Option<Duration>,
}

impl Timer {
    fn start() -> Self {
        Self { begun: Instant::now(), processor: Self::processor() }
    }

    fn processor() -> Option<Duration> {
        let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
        Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
    }

    fn spent(&self) -> Duration {
        self.processor
            .and_then(|begun| Self::processor()?.checked_sub(begun))
            .unwrap_or_else(|| self.begun.elapsed())
    }
}

/// Searches for sequences are repeated so often.
const ROUNDS: usize = 30;

/// Stones in turn near each other, none of which makes a five or a four.
fn middle_game(stones: usize, room: usize, rng: &mut Rng) -> Board {
    let mut board = Board::new(Grid::new(15, 15), Rule::Free);
    let (mut player, corner) = (Player::FIRST, (15 - room) / 2);
    while board.count() < stones {
        let cell = board.grid().cell(corner + rng.below(room), corner + rng.below(room));
        let makes = board.fives(player).contains(cell) || board.fours(player).contains(cell);
        if board.is_empty(cell) && !makes {
            board.place(cell, player);
            player = player.other();
        }
    }
    board
}

/// A part by name, what it measures, and on which boards.
type Part<'a> = (&'a str, fn(&[Board]), &'a [Board]);

fn main() {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let is_asked = |part: &str| named.is_empty() || named.iter().any(|name| name == part);
    // The limits of the searches were chosen on the first of these.
    for (what, seed) in [("positions", 1), ("fresh positions", 20_261)] {
        println!("{what}, seed {seed}");
        measure(seed, is_asked);
    }
}

fn measure(seed: u64, is_asked: impl Fn(&str) -> bool) {
    let mut rng = Rng::new(seed);
    let boards: Vec<Board> = (0..400).map(|_| middle_game(36, 11, &mut rng)).collect();
    // Crowded boards, where fours go on for long.
    let crowded: Vec<Board> = (0..400).map(|_| middle_game(50, 15, &mut rng)).collect();
    // Quiet: nobody has a three or a four on the board; what is left of them is searched in vain, or won.
    let quiet: Vec<Board> = (0..2000)
        .map(|_| middle_game(24, 11, &mut rng))
        .filter(|board| {
            let calm = |player| board.fives(player).is_empty() && board.straights(player).is_empty();
            calm(Player::FIRST) && calm(Player::SECOND)
        })
        .collect();
    let parts: [Part<'_>; 5] = [
        ("stones", stones, &boards),
        ("fours", fours, &crowded),
        ("sequences", sequences, &quiet),
        ("threes", threes, &quiet),
        ("pn", pn, &quiet),
    ];
    for (name, part, boards) in parts {
        if is_asked(name) {
            part(boards);
        }
    }
}

fn stones(boards: &[Board]) {
    // A stone put and taken back on every empty cell: two changes each.
    let (begun, mut changes, mut seen) = (Timer::start(), 0u64, 0usize);
    for board in boards {
        let mut board = board.clone();
        for cell in board.empty().iter() {
            board.place(cell, Player::FIRST);
            seen += board.fours(Player::FIRST).len();
            board.remove(cell, Player::FIRST);
            changes += 2;
        }
    }
    let each = begun.spent().as_nanos() as f64 / changes as f64;
    println!("threats after a stone        {each:8.1} ns   ({changes} stones, {seen} fours seen)");
}

fn fours(boards: &[Board]) {
    let mut crowded = boards.to_vec();
    let (begun, mut fours, mut won) = (Timer::start(), Fours::new(18), 0);
    for board in &mut crowded {
        for attacker in [Player::FIRST, Player::SECOND] {
            won += usize::from(fours.win(board, attacker, &mut Limit::nodes(20_000)).is_some());
        }
    }
    let rate = fours.nodes as f64 / begun.spent().as_secs_f64();
    println!(
        "fours                        {:8.2} million fours a second   ({} fours, {won} wins)",
        rate / 1e6,
        fours.nodes
    );
}

fn sequences(quiet: &[Board]) {
    for limit in [75, 100, 150, 300] {
        let mut sequences = Sequences::new(limit);
        let (lost, left): (Vec<&Board>, Vec<&Board>) =
            quiet.iter().partition(|board| sequences.find(board, Player::FIRST).is_some());
        let (begun, before) = (Timer::start(), sequences.spent);
        // The processor's time comes in ticks of some milliseconds.
        for _ in 0..ROUNDS {
            for board in &left {
                sequences.find(board, Player::FIRST);
            }
        }
        let count = (ROUNDS * left.len()).max(1) as f64;
        let mean = begun.spent().as_nanos() as f64 / 1000.0 / count;
        let nodes = (sequences.spent - before) as f64 / count;
        let mut each: Vec<u128> = left
            .iter()
            .map(|board| {
                let begun = Instant::now();
                sequences.find(board, Player::FIRST);
                begun.elapsed().as_nanos()
            })
            .collect();
        each.sort_unstable();
        let median = each.get(each.len() / 2).map_or(0.0, |&nanos| nanos as f64 / 1000.0);
        println!(
            "db-search in vain, limit {limit:3} {median:8.1} us median, {mean:.1} us mean, {nodes:.1} nodes   ({} positions; {} wins)",
            left.len(),
            lost.len()
        );
    }
}

fn threes(quiet: &[Board]) {
    let (begun, mut threes, mut found) = (Timer::start(), Threes::default(), 0);
    for board in quiet.iter().take(300) {
        found +=
            usize::from(threes.win(&mut board.clone(), Player::FIRST, 4, &mut Limit::nodes(500)).is_some());
    }
    let rate = threes.nodes as f64 / begun.spent().as_secs_f64();
    println!(
        "threes                       {:8.1} thousand nodes a second   ({found} wins of 300)",
        rate / 1e3
    );
}

fn pn(quiet: &[Board]) {
    let (begun, mut nodes, mut solved) = (Timer::start(), 0, 0);
    for board in quiet.iter().take(20) {
        let root = position(board);
        let budget = Budget::nodes(5000);
        let task =
            Task { root: &root, goal: Goal::Outcome, expertise: &Expert, budget: &budget, observer: &Quiet };
        let answer = pn::Solver::new(pn::Options::default(), &budget).solve(&task);
        nodes += answer.counts.nodes;
        solved += usize::from(answer.bounds.outcome().is_some());
    }
    let rate = nodes as f64 / begun.spent().as_secs_f64();
    println!(
        "pn with threats at each node {:8.1} thousand nodes a second   ({nodes} nodes, {solved} of 20 solved)",
        rate / 1e3
    );
}

/// The same stones, put in turn.
fn position(board: &Board) -> GomokuPosition<4> {
    let mut position = Gomoku::from_variant("").expect("the usual game").start();
    let [black, white] = [Player::FIRST, Player::SECOND].map(|player| board.stones(player).iter());
    for (black, white) in black.zip(white) {
        position.play(Cell(black as u16));
        position.play(Cell(white as u16));
    }
    position
}
