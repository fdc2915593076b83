//! Every bound and every set of candidates against plain negamax, and the values of published games on top.

use super::*;
use endspiel_game::{Budget, Game, Goal, Notation, Outcome, Player, Position, Quiet, Rng, Symmetric, Task};
use endspiel_proof::{Statement, build, verify, write};
use endspiel_rules::gomoku::{Gomoku, GomokuPosition};
use endspiel_rules::mnk::{LargeMnk, Mnk};
use endspiel_rules::qubic::Qubic;
use endspiel_search::alphabeta::{Options, Solver};
use endspiel_search::proof_number::{Initial, df_pn};
use std::collections::{BTreeSet, HashMap};

/// Plain negamax that checks the expert wherever it comes, and counts what the bounds decided.
#[derive(Default)]
struct Negamax {
    values: HashMap<u64, i8>,
    decided: usize,
}

impl Negamax {
    fn value<P: Lines + Notation>(&mut self, position: &P) -> i32 {
        let Some(mover) = position.turn().player() else {
            return position.payoff().of(position.mover());
        };
        if let Some(&value) = self.values.get(&position.key()) {
            return value.into();
        }
        let children: Vec<(Cell, i32)> = position
            .move_list()
            .into_iter()
            .map(|m| {
                let after = position.after(m);
                let value =
                    if after.turn().is_over() { after.payoff().of(mover) } else { -self.value(&after) };
                (m, value)
            })
            .collect();
        let value = children.iter().map(|&(_, value)| value).max().expect("the board is not full");
        self.values.insert(position.key(), value as i8);

        let (low, high) = Expert.bounds(position);
        assert!(low <= value && value <= high, "{low}..={high} for {value}: {}", position.write());
        self.decided += usize::from(low == high);
        let mut best = None;
        Expert.candidates(position, |m| {
            let found = children.iter().find(|(legal, _)| *legal == m);
            best = best.max(found.map(|&(_, value)| value));
        });
        assert_eq!(best, Some(value), "no best move among the candidates: {}", position.write());
        value
    }
}

/// A position with so many moves left, reached by random play.
fn random<P: Lines>(start: &P, left: usize, rng: &mut Rng) -> P {
    loop {
        let mut position = start.clone();
        while position.count_moves() > left {
            let Some(m) = position.random_move(rng) else { break };
            position.play(m);
        }
        if !position.turn().is_over() {
            return position;
        }
    }
}

fn judge_rightly<G: Game>(name: &str, game: &G, rounds: usize, left: usize)
where
    G::Position: Lines + Notation,
{
    let mut rng = Rng::new(rounds as u64);
    let (mut all, mut decided) = (0, 0);
    for round in 0..rounds {
        let mut plain = Negamax::default();
        plain.value(&random(&game.start(), left - round % 3, &mut rng));
        all += plain.values.len();
        decided += plain.decided;
    }
    assert!(decided > all / 4, "{name}: {decided} of {all}");
}

fn mnk(variant: &str) -> Mnk {
    Mnk::from_variant(variant).expect("a variant")
}

#[test]
fn all_positions_of_small_boards_are_judged_rightly() {
    for variant in ["3,3,3", "4,3,3", "5,2,2", "1,3,2", "5,3,3", "3,4,4"] {
        let cells = mnk(variant).start().count_moves();
        judge_rightly(variant, &mnk(variant), 1, cells);
    }
}

#[test]
fn all_positions_below_random_ones_are_judged_rightly() {
    for (variant, left) in
        [("4,4,3", 11), ("4,4,4", 11), ("5,4,4", 11), ("5,5,4", 11), ("6,6,5", 10), ("8,8,4", 9)]
    {
        judge_rightly(variant, &mnk(variant), 40, left);
    }
    for variant in ["9,8,5", "10,7,4"] {
        judge_rightly(variant, &LargeMnk::from_variant(variant).expect("a variant"), 20, 9);
    }
    judge_rightly("qubic", &Qubic, 60, 10);
    for variant in ["free,5", "free,7", "standard,6", "standard,7", "renju,6", "renju,7"] {
        judge_rightly(variant, &Gomoku::from_variant(variant).expect("a variant"), 40, 9);
    }
}

/// The outcome, and the number of records of a certificate for it that the checker accepts.
fn certified<G: Game>(game: &G) -> (Option<Outcome>, usize)
where
    G::Position: Lines + Notation + Symmetric,
{
    let (root, budget) = (game.start(), Budget::default().with_memory(16 << 20));
    let task =
        Task { root: &root, goal: Goal::Outcome, expertise: &Expert, budget: &budget, observer: &Quiet };
    let mut solver = Solver::new(Options::default(), &budget);
    let bounds = solver.solve(&task).bounds;
    let statement = match bounds.outcome() {
        Some(Outcome::Win) => Statement::at_least(root.mover(), 1),
        Some(Outcome::Draw) => Statement::exactly(root.mover(), 0),
        _ => return (bounds.outcome(), 0),
    };
    let strategies: Vec<_> = statement
        .claims()
        .into_iter()
        .map(|claim| build(&root, claim, true, &mut solver, &Budget::default(), &Quiet).expect("a strategy"))
        .collect();
    let name = format!("lines-{}-{}.cert", game.full_name().replace([':', ','], "-"), std::process::id());
    let path = std::env::temp_dir().join(name);
    write(&path, game, &root, statement, &strategies).expect("a file");
    let verified = verify(game, &path, 2);
    std::fs::remove_file(&path).expect("the file is there");
    assert_eq!(verified.expect("no hole").statement, statement);
    (bounds.outcome(), strategies.iter().map(endspiel_proof::Strategy::records).sum())
}

#[test]
fn published_values_come_out_with_certificates() {
    // Uiterwijk and van den Herik 2000.
    for (variant, outcome) in [
        ("3,3,3", Outcome::Draw),
        ("4,3,3", Outcome::Win),
        ("4,4,4", Outcome::Draw),
        ("5,4,4", Outcome::Draw),
        ("5,5,4", Outcome::Draw),
        ("6,5,4", Outcome::Win),
        ("6,6,5", Outcome::Draw),
        ("7,6,5", Outcome::Draw),
    ] {
        let (found, records) = certified(&mnk(variant));
        assert_eq!(found, Some(outcome), "{variant}");
        assert!(records < 5000, "{variant}: {records}");
    }
}

#[test]
fn five_by_five_with_four_in_a_line_is_a_draw() {
    let root = mnk("5,5,4").start();
    let budget = Budget::default().with_memory(1 << 20);
    let task =
        Task { root: &root, goal: Goal::Outcome, expertise: &Expert, budget: &budget, observer: &Quiet };
    let answer = Solver::new(Options::default(), &budget).solve(&task);
    assert_eq!(answer.bounds.outcome(), Some(Outcome::Draw));
    assert!(answer.counts.nodes < 2000, "{}", answer.counts.nodes);
}

#[test]
fn attacks_on_the_plane_of_qubic_are_found() {
    // White has three corners of a plane in which Black has no stone (Allis 1994, figure 4.2).
    let won = Qubic.read("<0,3,12,17,33,50>").expect("a position");
    assert_eq!(Expert.bounds(&won), (1, 1));
    let two = Qubic.read("<0,3,17,33>").expect("a position");
    assert_ne!(Expert.bounds(&two), (1, 1));
    assert_eq!(two.mover(), Player::FIRST);
}

#[test]
fn a_qubic_opening_is_won_by_proof_numbers() {
    let (root, _) = Qubic.start().read_line("0 12 3 21").expect("moves");
    let budget = Budget::default().with_memory(16 << 20);
    let task =
        Task { root: &root, goal: Goal::Outcome, expertise: &Expert, budget: &budget, observer: &Quiet };
    let options = df_pn::Options { initial: Initial::Effort, ..Default::default() };
    let answer = df_pn::Solver::new(options, &budget).solve(&task);
    assert_eq!(answer.bounds.outcome(), Some(Outcome::Win));
    assert!(answer.counts.nodes < 20_000, "{}", answer.counts.nodes);
}

#[test]
fn go_moku_threats_are_found() {
    let bounds = |rule: &str, text: &str| {
        let game = Gomoku::from_variant(rule).expect("a variant");
        Expert.bounds(&game.start().read_line(text).expect("moves").0)
    };
    // Two fours at h8: Black e8 f8 g8 h5 h6 h7, White d8 h4 and far away.
    let double_four = "e8 d8 f8 h4 g8 a1 h5 o1 h6 a15 h7 o15";
    assert_eq!(bounds("free", double_four), (1, 1));
    assert_eq!(bounds("standard", double_four), (1, 1));
    // Black may not make two fours in renju.
    assert_ne!(bounds("renju", double_four), (1, 1));
    // A sixth stone spoils the five in the standard game: b8 c8 d8 e8 . g8.
    let overline = "b8 a1 c8 o1 d8 a15 e8 o15 g8 h1";
    assert_eq!(bounds("free", overline), (1, 1));
    let (low, _) = bounds("standard", overline);
    assert_eq!(low, 1, "a8 makes exactly five");
}

/// A go-moku position with these stones, Black to move.
fn board(variant: &str, black: &str, white: &str) -> GomokuPosition<4> {
    let game = Gomoku::from_variant(variant).expect("a variant");
    let cell = |name: &str| game.start().read_move(name).expect("a cell").index();
    let [black, white] = [black, white].map(|names| names.split_whitespace().map(cell).collect::<Vec<_>>());
    let rows = (0..15).rev().map(|row| {
        let sign = |column: usize| match 15 * row + column {
            i if black.contains(&i) => 'b',
            i if white.contains(&i) => 'w',
            _ => '.',
        };
        (0..15).map(sign).collect::<String>()
    });
    game.read(&format!("{} b", rows.collect::<Vec<_>>().join("/"))).expect("a position")
}

/// Does the player to move win whatever the other does, following the attacks that are found?
fn is_confirmed<P: Lines + Notation>(position: &P, depth: u32) -> bool {
    let attacker = position.mover();
    if position.winning_move(None).is_some() {
        return true;
    }
    let Some(attack) = Expert.attack(position, attacker).filter(|_| depth > 0) else { return false };
    let after = position.after(attack.line[0]);
    let replies = after.move_list();
    replies.into_iter().all(|reply| {
        let next = after.after(reply);
        !next.turn().is_over() && is_confirmed(&next, depth - 1)
    })
}

#[test]
fn published_sequences_of_threes_are_found() {
    // A double three, a four and a three, and positions won by longer sequences.
    for (black, white) in [
        ("f8 g8 h6 h7", ""),
        ("e8 f8 g8 h6 h7", "d8"),
        ("k6 i7 i8 j11 k11", "e6 g6 i9 f10 h11"),
        ("e7 f7 h9 i9 h11", "i7 e8 k9 j10 j11"),
        ("g7 h7 e8 f8 g9", "f6 f7 j9 g10 h10"),
        ("h5 k5 k6 e7 j7", "e5 j6 f7 i9 g11"),
        ("e5 e9 f9 f10 h10", "i5 j6 h7 j8 i11"),
        ("j6 k7 g9 j9 f11", "h6 i6 f8 i9 g10"),
        ("f6 f7 e8 g9 f10", "e6 j8 k8 k10 e11"),
        ("f5 f8 g10 g11 h11", "g5 j6 k6 k9 h10"),
    ] {
        let position = board("free", black, white);
        assert!(Expert.attack(&position, Player::FIRST).is_some(), "{black}: {}", position.write());
    }
    // Two stones are no attack.
    assert_eq!(Expert.attack(&board("free", "h8 i9", "a1 b3"), Player::FIRST), None);
}

#[test]
fn every_attack_on_random_boards_is_confirmed_by_all_defences() {
    let mut rng = Rng::new(7);
    let (mut found, mut outside) = (0, 0);
    for round in 0..60 {
        let game = Gomoku::from_variant(["free", "standard"][round % 2]).expect("a variant");
        let mut position = game.start();
        while position.stones().taken().len() < 10 {
            let (column, row) = (4 + rng.below(7), 4 + rng.below(7));
            let m = Cell((15 * row + column) as u16);
            if position.stones().empty().contains(m.index()) {
                position.play(m);
            }
        }
        if position.turn().is_over() {
            continue;
        }
        let Some(attack) = Expert.attack(&position, Player::FIRST) else { continue };
        found += 1;
        if attack.line.len() > 1 || round % 20 == 0 {
            assert!(is_confirmed(&position, 40), "{}", position.write());
        }
        // With White to move, what is not on the list changes nothing.
        let text = position.write();
        let white = game.read(&format!("{}w", &text[..text.len() - 1])).expect("White to move");
        let others: Vec<Cell> = white.move_list().into_iter().filter(|m| !attack.must.contains(m)).collect();
        for m in others.into_iter().step_by(if attack.line.len() > 1 { 1 } else { 31 }) {
            outside += 1;
            assert!(Expert.attack(&white.after(m), Player::FIRST).is_some(), "{m:?}: {}", position.write());
        }
    }
    assert!(found > 10 && outside > 100, "{found} and {outside}");
}

/// Whoever is attacked may also win at once, wherever that is.
#[test]
fn who_is_attacked_may_complete_a_line_of_his_own() {
    let game = Gomoku::from_variant("").expect("the usual game");
    let stones = ["f8", "a11", "g8", "b12", "h8", "c13", "i8", "d14", "k1", "e8"];
    let mut position = game.start();
    for stone in stones {
        position.play(position.read_move(stone).expect("a move"));
    }
    position = game.read(&position.write().replace(" b", " w")).expect("White to move");
    let told = |position: &GomokuPosition<4>| {
        let attack = Expert.attack(position, Player::FIRST).expect("Black has four");
        attack.must.into_iter().map(|m| position.write_move(m)).collect::<BTreeSet<_>>()
    };
    assert_eq!(told(&position), ["e15", "j8"].map(String::from).into());

    let qubic = Qubic.read("<0,1,2,16,17,18>").expect("a position");
    let attack = Expert.attack(&qubic, Player::FIRST).expect("White has three");
    assert_eq!(attack.must, [Cell(3), Cell(19)]);
}

/// Where all that is left is forbidden to Black he has a draw, whatever White threatens.
#[test]
fn nobody_is_beaten_who_may_not_move() {
    let game = Gomoku::from_variant("renju,9").expect("a variant");
    for text in [
        "bbbbwwbww/wwbbwbwwb/wbbb.bbww/wbwbwwbbw/wbww.w.wb/bbbwwwbbw/wwbwwbbbb/bbwbbbbww/bbwbwwwbw w",
        "wwbwbbbwb/bbwbwwwbw/wbbb.bbww/wbwbwwbbb/wbww.w.bw/wwbwwwbwb/bbwbwwbbw/wbwwbbbbw/wwbwbwwbb w",
    ] {
        Negamax::default().value(&game.read(text).expect("a position"));
    }
}
