//! Winning sequences of threats: published positions, and every win that any engine claims against all defences.
//!
//! `ENDSPIEL_CONFIRM=10000` sets how many random positions are looked at; 1000 otherwise.

use endspiel_expertise::gomoku::{Board, Fours, Limit, Sequences, Threes};
use endspiel_expertise::lines::Expert;
use endspiel_game::{
    Budget, Expertise, Game, Goal, Notation, Outcome, Player, Position, Quiet, Rng, Task, TwoPlayer,
};
use endspiel_rules::gomoku::{GomokuPosition, LargeGomoku, Rule};
use endspiel_rules::grid::{Cell, Grid};
use endspiel_rules::qubic::{Qubic, QubicPosition};
use endspiel_search::lambda;
use std::collections::HashSet;

type Rules = GomokuPosition<7>;

/// Nodes of each dependency-based search.
const NODES: u64 = 300;

fn board_of(rule: Rule, black: &str, white: &str) -> Board {
    let mut board = Board::new(Grid::new(15, 15), rule);
    for (player, names) in [(Player::FIRST, black), (Player::SECOND, white)] {
        for name in names.split_whitespace() {
            let cell = board.grid().read_name(name).expect("a cell");
            board.place(cell, player);
        }
    }
    board
}

fn wins(rule: Rule, black: &str, white: &str) -> bool {
    Sequences::new(40_000).find(&board_of(rule, black, white), Player::FIRST).is_some()
}

#[test]
fn published_positions_are_won() {
    for (black, white) in [
        // Two fours, a four and a three, two threes at h8.
        ("e8 f8 g8 h5 h6 h7", "d8 h4"),
        ("e8 f8 g8 h6 h7", "d8"),
        ("f8 g8 h6 h7", ""),
        // Five stones each.
        ("e7 f7 h9 i9 h11", "i7 e8 k9 j10 j11"),
        ("g7 h7 e8 f8 g9", "f6 f7 j9 g10 h10"),
        ("h5 k5 k6 e7 j7", "e5 j6 f7 i9 g11"),
        ("e5 e9 f9 f10 h10", "i5 j6 h7 j8 i11"),
        ("j6 k7 g9 j9 f11", "h6 i6 f8 i9 g10"),
        ("f6 f7 e8 g9 f10", "e6 j8 k8 k10 e11"),
        ("f5 f8 g10 g11 h11", "g5 j6 k6 k9 h10"),
    ] {
        assert!(wins(Rule::Free, black, white), "{black}");
    }
    // A win of seven threats is too far for dependency-based search within its nodes, not for threes.
    let mut board = board_of(Rule::Free, "k6 i7 i8 j11 k11", "e6 g6 i9 f10 h11");
    assert!(Threes::default().win(&mut board, Player::FIRST, 8, &mut Limit::nodes(20_000)).is_some());
}

#[test]
fn what_is_no_win_is_not_claimed() {
    // Two stones are no attack.
    assert!(!wins(Rule::Free, "h8 i9", "a1 b3"));
    // Two threes, but White makes a four on a cell that one of them needs.
    assert!(!wins(Rule::Free, "f8 g8 h6 h7 d9", "e9 f9 g9"));
    // A sixth stone: a win by the free rule alone.
    let six = ("b8 c8 d8 f8 g8", "a8 h8 e9 e7");
    assert!(wins(Rule::Free, six.0, six.1));
    assert!(!wins(Rule::Standard, six.0, six.1));
    assert!(!wins(Rule::Renju, "e8 f8 g8 h5 h6 h7", "d8 h4"), "two fours are forbidden");
}

/// The engines whose claims are confirmed.
struct Engines {
    fours: Fours,
    sequences: Sequences,
    threes: Threes,
    lambda: lambda::Solver<Rules, endspiel_game::Rules>,
    /// The last engine that goes on with a win: lambda search where the claim is its own.
    last: usize,
}

const NAMES: [&str; 4] = ["fours", "db-search", "threes", "lambda"];
const LAMBDA: usize = 3;
/// Lambda search knows the rules alone and has to look at all moves: it is asked about one position in so many.
const ASKED: usize = 50;

/// Lambda search of fours and threes, which has seen nothing.
fn new_lambda() -> lambda::Solver<Rules, endspiel_game::Rules> {
    lambda::Solver::new(lambda::Options { most: 2, all: false }, &Budget::default())
}

impl Engines {
    fn new() -> Self {
        Self {
            fours: Fours::new(12),
            sequences: Sequences::new(NODES),
            threes: Threes::default(),
            lambda: new_lambda(),
            last: LAMBDA - 1,
        }
    }

    /// The moves of a sequence found by dependency-based search.
    fn plan(&mut self, board: &Board, attacker: Player) -> Vec<usize> {
        let threats = self.sequences.find(board, attacker).unwrap_or_default();
        threats.into_iter().map(|threat| threat.attack).collect()
    }

    /// The first move of a win that the engine claims for the player to move.
    fn claim(&mut self, engine: usize, position: &Rules, board: &mut Board) -> Option<usize> {
        let attacker = position.mover();
        match engine {
            LAMBDA => {
                let (expertise, budget) = (&endspiel_game::Rules, Budget::nodes(4000));
                let task = Task {
                    root: position,
                    goal: Goal::Outcome,
                    expertise,
                    budget: &budget,
                    observer: &Quiet,
                };
                let answer = self.lambda.solve(&task);
                let wins = answer.bounds.outcome() == Some(Outcome::Win);
                answer.line.first().filter(|_| wins).map(|cell| cell.index())
            }
            0 => self.fours.win(board, attacker, &mut Limit::nodes(2000)),
            1 => self.plan(board, attacker).first().copied(),
            _ => self.threes.win(board, attacker, 3, &mut Limit::nodes(800)),
        }
    }

    /// Does the attacker, to move, win against every reply? He completes a five, goes on with fours if they win, then
    /// with the plan, then with whatever any engine finds.
    fn wins(&mut self, position: &Rules, board: &mut Board, plan: &[usize], seen: &mut HashSet<u64>) -> bool {
        let attacker = position.mover();
        if position.winning_move(None).is_some() || seen.contains(&position.key()) {
            return true;
        }
        let by_fours = self.claim(0, position, board);
        let next = plan.first().copied().filter(|&cell| board.is_empty(cell));
        // A four of the defender's has to be met first.
        let must = *board.fives(attacker.other());
        let won = match (by_fours, must.lowest()) {
            (Some(cell), _) => self.holds(position, board, cell, &[], seen),
            (None, Some(cell)) => must.len() == 1 && self.holds(position, board, cell, plan, seen),
            (None, None) => {
                next.is_some_and(|cell| self.holds(position, board, cell, &plan[1..], seen))
                    || (1..=self.last).any(|engine| {
                        let claim = self.claim(engine, position, board);
                        claim.is_some_and(|cell| self.holds(position, board, cell, &[], seen))
                    })
            }
        };
        if won {
            seen.insert(position.key());
        }
        won
    }

    /// The same, beginning with this move.
    fn holds(
        &mut self,
        position: &Rules,
        board: &mut Board,
        cell: usize,
        plan: &[usize],
        seen: &mut HashSet<u64>,
    ) -> bool {
        let attacker = position.mover();
        let after = position.after(Cell(cell as u16));
        if after.turn().is_over() {
            return after.payoff().of(attacker) > 0;
        }
        if after.winning_move(None).is_some() {
            return false;
        }
        board.place(cell, attacker);
        let holds = after.move_list().into_iter().all(|reply| {
            board.place(reply.index(), attacker.other());
            let holds = self.wins(&after.after(reply), board, plan, seen);
            board.remove(reply.index(), attacker.other());
            holds
        });
        board.remove(cell, attacker);
        holds
    }
}

/// A position with so many stones within the middle of a board, in which the game is not over.
fn scattered(variant: &str, stones: usize, room: usize, rng: &mut Rng) -> Rules {
    loop {
        let mut position = LargeGomoku::from_variant(variant).expect("a variant").start();
        let grid = position.stones().grid();
        let corner = (grid.width as usize - room) / 2;
        while position.stones().taken().len() < stones && !position.turn().is_over() {
            let cell = grid.cell(corner + rng.below(room), corner + rng.below(room));
            if !position.stones().taken().contains(cell) {
                position.play(Cell(cell as u16));
            }
        }
        if !position.turn().is_over() {
            return position;
        }
    }
}

fn rounds() -> usize {
    std::env::var("ENDSPIEL_CONFIRM").ok().and_then(|text| text.parse().ok()).unwrap_or(1000)
}

#[test]
fn every_claim_in_go_moku_is_confirmed_by_all_defences() {
    let (mut rng, mut engines) = (Rng::new(31), Engines::new());
    let (mut claims, mut both, mut either, mut by_lines, mut by_both) = ([0; 4], 0, 0, 0, 0);
    for round in 0..rounds() {
        let position = scattered(["free,11", "standard,11"][round % 2], 9 + round % 5, 7, &mut rng);
        let attacker = position.mover();
        let mut board = Board::new(position.stones().grid(), position.rule());
        for player in [Player::FIRST, Player::SECOND] {
            position.stones().of(player).iter().for_each(|cell| board.place(cell, player));
        }
        let mut seen = HashSet::new();
        let sequence = engines.plan(&board, attacker);
        let by_fours = engines.claim(0, &position, &mut board);
        let by_threes = engines.claim(2, &position, &mut board);
        // What it remembers holds for one rule.
        engines.lambda = new_lambda();
        let by_lambda = (round % ASKED == 0).then(|| engines.claim(LAMBDA, &position, &mut board)).flatten();
        let found = [by_fours, sequence.first().copied(), by_threes, by_lambda];
        for (engine, claim) in found.into_iter().enumerate() {
            let Some(cell) = claim else { continue };
            claims[engine] += 1;
            let plan = if engine == 1 { &sequence[1..] } else { &[] };
            engines.last = engine.max(LAMBDA - 1);
            let confirmed = engines.holds(&position, &mut board, cell, plan, &mut seen);
            assert!(confirmed, "{} claims {cell}: {}", NAMES[engine], position.write());
        }
        both += usize::from(found[1].is_some() && found[2].is_some());
        either += usize::from(found[1].is_some() || found[2].is_some());
        engines.last = LAMBDA - 1;
        by_both += usize::from(by_lambda.is_some() && (found[1].is_some() || by_threes.is_some()));
        // The expertise that methods use looks longer: it is asked less often.
        if round % ASKED == 0
            && let Some(attack) = Expert.attack(&position, attacker)
        {
            by_lines += 1;
            let confirmed = engines.holds(&position, &mut board, attack.line[0].index(), &[], &mut seen);
            assert!(confirmed, "lines: {}", position.write());
        }
    }
    println!(
        "{} positions of go-moku: {NAMES:?} {claims:?}, lines {by_lines}; lambda and lines of a fiftieth",
        rounds()
    );
    println!("of lambda's {} wins db-search or threes have {by_both}", claims[LAMBDA]);
    println!("db-search or threes {either}, both {both}; all confirmed");
    assert!(
        claims[..LAMBDA].iter().all(|&n| n > rounds() / 20) && either > rounds() / 5,
        "{claims:?} {either}"
    );
    assert!(claims[LAMBDA] > rounds() / ASKED / 20, "{claims:?}");
}

/// Does the player to move win by the attacks that are found, against every reply?
fn is_confirmed(position: &QubicPosition, seen: &mut HashSet<u64>) -> bool {
    let attacker = position.mover();
    if position.winning_move(None).is_some() || seen.contains(&position.key()) {
        return true;
    }
    let Some(attack) = Expert.attack(position, attacker) else { return false };
    let after = position.after(attack.line[0]);
    let holds = after.move_list().into_iter().all(|reply| {
        let next = after.after(reply);
        !next.turn().is_over() && is_confirmed(&next, seen)
    });
    if holds {
        seen.insert(position.key());
    }
    holds
}

#[test]
fn every_claim_in_qubic_is_confirmed_by_all_defences() {
    let (mut rng, mut claims, mut by_lambda) = (Rng::new(13), 0, 0);
    let mut lambda = lambda::Solver::new(lambda::Options::default(), &Budget::default());
    for round in 0..rounds() / 4 {
        let mut position = Qubic.start();
        for _ in 0..8 + round % 9 {
            if let Some(m) = position.random_move(&mut rng) {
                position.play(m);
            }
        }
        // Threats of the first order are all found by the expertise.
        if !position.turn().is_over() && round % 25 == 0 {
            let attacker = position.mover();
            let wins = lambda.wins(&position, attacker, 1, 9, &endspiel_game::Rules);
            let known = Expert.attack(&position, attacker);
            assert!(!wins || known.is_some(), "{}", position.write());
            by_lambda += usize::from(wins);
        }
        if !position.turn().is_over() && Expert.attack(&position, position.mover()).is_some() {
            claims += 1;
            assert!(is_confirmed(&position, &mut HashSet::new()), "{}", position.write());
        }
    }
    println!(
        "{} positions of qubic: {claims} wins by threats, all confirmed; lambda {by_lambda} of a 25th in nine plies",
        rounds() / 4
    );
    assert!(claims > rounds() / 40, "{claims}");
}
