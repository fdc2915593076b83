//! Every bound and every set of candidates against plain negamax, and the solver's values on top.

use super::*;
use endspiel_game::{Bounds, Budget, Game, Goal, Outcome, Player, Quiet, Rng, Task};
use endspiel_proof::{Statement, build, verify, write};
use endspiel_rules::connect_four::ConnectFour;
use endspiel_search::alphabeta::{Options, Solver};
use std::collections::HashMap;

fn start(variant: &str) -> Board {
    ConnectFour::from_variant(variant).expect("a variant").start()
}

/// Plain negamax that checks the expert wherever it comes, and counts what the bounds said.
#[derive(Default)]
struct Negamax {
    values: HashMap<u64, i8>,
    decided: u32,
}

impl Negamax {
    fn value(&mut self, board: &Board) -> i32 {
        let Some(mover) = board.turn().player() else {
            return board.payoff().of(Player(board.stones() as u8 % 2));
        };
        if let Some(&value) = self.values.get(&board.exact_code()) {
            return value.into();
        }
        let mut children = [None; 16];
        board.moves(|m| children[m.0 as usize] = Some(-self.value(&board.after(m))));
        let value = children.iter().flatten().copied().max().expect("the grid is not full");
        self.values.insert(board.exact_code(), value as i8);

        let (low, high) = Expert.bounds(board);
        assert!(low <= value && value <= high, "{low}..={high} for {value}, {mover:?}: {board:?}");
        self.decided += u32::from(low == high);
        let mut best = None;
        Expert.candidates(board, |m| best = best.max(children[m.0 as usize]));
        assert_eq!(best, Some(value), "no best move among the candidates: {board:?}");
        Self::check_offers(board, &children);
        value
    }

    /// All hooks in one say what each says for itself.
    fn check_offers(board: &Board, children: &[Option<i32>; 16]) {
        let mut candidates = Vec::new();
        Expert.candidates(board, |m| candidates.push(m));
        let mut candidates = candidates.into_iter();
        Expert.offers(board, 1, |offer| {
            assert_eq!(Some(offer.m), candidates.next());
            assert_eq!(offer.position, board.after(offer.m));
            let value = children[offer.m.0 as usize].expect("a legal move");
            assert!(offer.low <= value && value <= offer.high, "{offer:?} for {value}: {board:?}");
            if !offer.position.turn().is_over() {
                let (low, high) = Expert.bounds(&offer.position);
                assert_eq!((-high, -low), (offer.low, offer.high));
            }
            assert!(offer.low == offer.high || offer.promise == Expert.promise(board, offer.m));
            ControlFlow::Continue(())
        });
        assert_eq!(candidates.next(), None);
    }
}

#[test]
fn all_positions_of_small_boards_are_judged_rightly() {
    for variant in
        ["4x4", "5x4", "4x5", "6x3", "2x8", "1x5", "4x4,fastest", "5x4,fastest", "4x5,fastest", "6x3,fastest"]
    {
        let mut plain = Negamax::default();
        plain.value(&start(variant));
        let all = plain.values.len() as u32;
        assert!(all < 1000 || plain.decided > all / 4, "{variant}");
    }
}

/// A position with so many empty cells, reached by random play in which threats are mostly met.
fn random(variant: &str, left: u32, rng: &mut Rng) -> Board {
    loop {
        let mut board = start(variant);
        while board.turn().player().is_some() && (board.cells() ^ board.mask()).count_ones() > left {
            let threats = board.opponent_winning_moves();
            match board.random_move(rng) {
                Some(_) if threats != 0 => board.play(board.column_of(threats)),
                Some(m) => board.play(m),
                None => break,
            }
        }
        if !board.turn().is_over() {
            return board;
        }
    }
}

fn solve(root: &Board, goal: Goal, threads: usize) -> Bounds {
    let budget = Budget { threads, ..Budget::default().with_memory(1 << 20) };
    let task = Task { root, goal, expertise: &Expert, budget: &budget, observer: &Quiet };
    Solver::new(Options::default(), &budget).solve(&task).bounds
}

#[test]
fn all_positions_below_random_ones_are_judged_rightly() {
    let mut rng = Rng::new(4);
    for (variant, most) in
        [("5x5", 14), ("6x5", 15), ("7x5", 15), ("6x6", 15), ("7x6", 15), ("8x7", 13), ("9x6", 12)]
    {
        for round in 0..30 {
            let fastest = round % 3 != 0;
            let variant = if fastest { format!("{variant},fastest") } else { variant.into() };
            let root = random(&variant, 8 + round % (most - 7), &mut rng);
            let value = Negamax::default().value(&root);
            let bounds = solve(&root, Goal::Score, 1 + round as usize % 2);
            assert_eq!(bounds, Bounds::exactly(value), "{root:?}");
        }
    }
}

#[test]
fn empty_boards_have_the_published_values() {
    for (variant, outcome) in [
        ("4x4", Outcome::Draw),
        ("4x5", Outcome::Draw),
        ("5x4", Outcome::Draw),
        ("5x5", Outcome::Draw),
        ("6x4", Outcome::Loss),
        ("6x5", Outcome::Draw),
    ] {
        assert_eq!(solve(&start(variant), Goal::Outcome, 1).outcome(), Some(outcome), "{variant}");
    }
}

#[test]
fn what_the_expert_proves_can_be_certified() {
    let game = ConnectFour::from_variant("5x5").expect("a variant");
    let root = game.start();
    let budget = Budget::default().with_memory(1 << 20);
    let task =
        Task { root: &root, goal: Goal::Outcome, expertise: &Expert, budget: &budget, observer: &Quiet };
    let mut solver = Solver::new(Options::default(), &budget);
    let score = solver.solve(&task).bounds.low;
    let statement = Statement::exactly(root.mover(), score);
    let strategies: Vec<_> = statement
        .claims()
        .into_iter()
        .map(|claim| build(&root, claim, true, &mut solver, &Budget::default(), &Quiet).expect("a strategy"))
        .collect();
    let path = std::env::temp_dir().join(format!("connect-four-5x5-{}.cert", std::process::id()));
    write(&path, &game, &root, statement, &strategies).expect("a file");
    let verified = verify(&game, &path, 2);
    std::fs::remove_file(&path).expect("the file is there");
    assert_eq!(verified.expect("no hole").statement, statement);
}

#[test]
fn lines_through_cells_add_up() {
    for (variant, lines) in [("7x6", 69), ("4x4", 10), ("3x7", 12), ("9x6", 99)] {
        let mut board = start(variant);
        let mut sum = 0;
        for column in (0..board.width() as u8).map(Column) {
            for _ in 0..board.height() {
                sum += lines_through(&board, board.possible() & board.column(column), column);
                board.play(column);
            }
        }
        assert_eq!(sum, 4 * lines, "{variant}");
    }
    let board = start("");
    assert_eq!(Expert.promise(&board, Column(3)), 7);
    assert_eq!(Expert.promise(&board, Column(0)), 3);
}
