//! Alpha-beta against the reference.

use super::*;
use crate::exhaustive::Solution;
use crate::testing::Walk;
use endspiel_game::{Advisor, Game, Informed, Oracle, Outcome, Position, Quiet, Rng, Rules};
use endspiel_rules::awari::Awari;
use endspiel_rules::connect_four::ConnectFour;
use endspiel_rules::mnk::Mnk;
use endspiel_rules::othello::Othello;
use endspiel_rules::random_tree::RandomTree;
use endspiel_rules::wythoff::Wythoff;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

const ESTIMATE: Options = Options {
    mode: Mode::Estimate { depth: None },
    fold: true,
    mtdf: false,
    selective: false,
    shortest: true,
};

fn solve<P: TwoPlayer + Symmetric>(
    root: &P,
    options: Options,
    goal: Goal,
    threads: usize,
) -> Answer<P::Move> {
    let budget = Budget { threads, ..Budget::default().with_memory(8 << 20) };
    let task = Task { root, goal, expertise: &Rules, budget: &budget, observer: &Quiet };
    Solver::new(options, &budget).solve(&task)
}

fn start<G: Game>(variant: &str) -> G::Position {
    G::from_variant(variant).expect("a variant").start()
}

/// Both modes, one thread and two, give the score of the reference; estimates also its distance.
fn agrees<P: TwoPlayer + Symmetric>(name: &str, root: &P) {
    let truth = Solution::of(root, &Budget::default()).expect("it is small");
    for threads in [1, 2] {
        let proof = solve(root, Options::default(), Goal::Score, threads);
        assert_eq!(Some(proof.bounds), truth.score(root).map(Bounds::exactly), "{name}, {threads} threads");
        let end = proof.line.iter().fold(root.clone(), |position, &m| position.after(m));
        assert!(
            end.turn().is_over() && end.payoff().of(root.mover()) == proof.bounds.low,
            "{name}: the line"
        );
        let estimate = solve(root, ESTIMATE, Goal::Score, threads);
        assert_eq!(estimate.bounds, proof.bounds, "{name}, {threads} threads, by deepening");
    }
    let estimate = solve(root, ESTIMATE, Goal::Outcome, 1);
    if truth.score(root).is_some_and(|score| root.score_range() == (-1, 1) && score != 0) {
        let distance = estimate.distance.expect("a distance");
        assert_eq!((Some(distance.plies), distance.exact), (truth.distance(root), true), "{name}");
        assert_eq!(estimate.line.len() as u32, distance.plies, "{name}: the line to the end");
    }
}

#[test]
fn small_games_have_the_values_of_the_reference() {
    for variant in ["3,3,3", "4,3,3", "4,4,3"] {
        agrees(variant, &start::<Mnk>(variant));
    }
    for variant in ["4x4", "5x4"] {
        agrees(variant, &start::<ConnectFour>(variant));
    }
    for variant in ["4", "4,discs"] {
        agrees(variant, &start::<Othello>(variant));
    }
    for variant in ["start=12,12", "nim,start=9,12", "misere,start=7,4"] {
        agrees(variant, &start::<Wythoff>(variant));
    }
}

#[test]
fn random_trees_have_the_values_of_the_reference() {
    for seed in 0..150 {
        for shape in ["b=3,d=6", "b=2,d=9,values=2", "b=4,bmin=1,d=5,range=9"] {
            let variant = format!("{shape},seed={seed}");
            agrees(&variant, &start::<RandomTree>(&variant));
        }
    }
}

#[test]
fn random_positions_have_the_values_of_the_reference() {
    let mut rng = Rng::new(5);
    for _ in 0..60 {
        let mut board = start::<ConnectFour>("5x4");
        board.playout(&mut rng, 7);
        if !board.turn().is_over() {
            agrees("connect-four:5x4", &board);
        }
    }
}

#[test]
fn random_graphs_with_cycles_have_the_values_of_the_reference() {
    let mut rng = Rng::new(21);
    for round in 0..2000 {
        let root = Walk::random(3 + rng.below(40) as u8, 1 + round % 3, &mut rng);
        let truth = Solution::of(&root, &Budget::default()).expect("it is small");
        let score = truth.score(&root).expect("the root is there");
        let answer = solve(&root, Options::default(), Goal::Score, 1 + round as usize % 2);
        assert_eq!(answer.bounds, Bounds::exactly(score), "{root:?}");
        let mtdf = solve(&root, Options { mtdf: true, ..Options::default() }, Goal::Score, 1);
        assert_eq!(mtdf.bounds, answer.bounds);
        let options = Options { mode: Mode::Estimate { depth: Some(12) }, ..ESTIMATE };
        let Bounds { low, high } = solve(&root, options, Goal::Score, 1).bounds;
        assert!(low <= score && score <= high, "{low}..={high} for {score}: {root:?}");
    }
}

#[test]
fn awari_endings_have_the_values_of_the_reference() {
    let game = Awari::from_variant("end=last-stone").expect("a variant");
    let mut rng = Rng::new(9);
    for round in 0..900 {
        let mut pits = [0; 12];
        for _ in 0..2 + round % 3 {
            pits[rng.below(12)] += 1;
        }
        let row = |pits: &[u8]| pits.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        let text = format!("{}|{}", row(&pits[..6]), row(&pits[6..]));
        let root = game.read(&text).expect("a position");
        let truth = Solution::of(&root, &Budget::default()).expect("it is small");
        let answer = solve(&root, Options::default(), Goal::Score, 1 + round % 2);
        assert_eq!(Some(answer.bounds), truth.score(&root).map(Bounds::exactly), "{text}");
        if round % 20 == 0 && !root.turn().is_over() {
            check_advice(&root, 1 << 20);
        }
    }
}

/// Follows the advice against every reply, each position once: each end must be a yes, and so must each cycle.
struct Follower<A> {
    advisor: A,
    question: Question,
    path: Vec<u64>,
    done: HashSet<u64>,
}

impl<A> Follower<A> {
    fn follow<P: TwoPlayer>(&mut self, here: &P)
    where
        A: Advisor<P>,
    {
        if here.turn().is_over() {
            assert!(self.question.is_met_by(here.payoff()), "the advice loses");
        } else if self.path.contains(&here.key()) {
            assert!(self.question.is_met_by(here.repeated()), "the advice goes round");
        } else if self.done.insert(here.key()) {
            self.path.push(here.key());
            if here.mover() == self.question.player {
                let m = self.advisor.advise(here, self.question).expect("advice");
                self.follow(&here.after(m));
            } else {
                here.moves(|m| self.follow(&here.after(m)));
            }
            self.path.pop();
        }
    }
}

fn check_advice<P: TwoPlayer + Symmetric>(root: &P, memory: usize) {
    let budget = Budget::default().with_memory(memory);
    let task = Task { root, goal: Goal::Score, expertise: &Rules, budget: &budget, observer: &Quiet };
    let mut solver = Solver::new(Options::default(), &budget);
    let score = solver.solve(&task).bounds.low;
    let mut question = Question { player: root.mover(), at_least: score };
    for _ in 0..2 {
        let mut follower = Follower { advisor: solver, question, path: Vec::new(), done: HashSet::new() };
        follower.follow(root);
        solver = follower.advisor;
        question = Question { player: question.player.other(), at_least: -score };
    }
}

#[test]
fn advice_keeps_a_yes_and_gets_somewhere() {
    let mut rng = Rng::new(22);
    for _ in 0..300 {
        check_advice(&Walk::random(3 + rng.below(10) as u8, 2, &mut rng), 1 << 16);
    }
    check_advice(&start::<Mnk>("3,3,3"), 1 << 16);
    check_advice(&start::<Mnk>("3,3,3").after(start::<Mnk>("3,3,3").move_list()[0]), 1 << 10);
}

#[test]
fn a_stop_returns_at_once_with_what_is_known() {
    let root = start::<ConnectFour>("");
    for mode in [Mode::Prove, ESTIMATE.mode] {
        let budget = Budget { threads: 2, ..Budget::default().with_memory(1 << 24) };
        let stop = budget.stop.clone();
        let begun = Instant::now();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(150));
            stop.now();
        });
        let task =
            Task { root: &root, goal: Goal::Outcome, expertise: &Rules, budget: &budget, observer: &Quiet };
        let answer = Solver::new(Options { mode, ..Options::default() }, &budget).solve(&task);
        assert!(begun.elapsed() < Duration::from_secs(3));
        assert!(mode == Mode::Prove || !answer.line.is_empty(), "a deepening search has a line at any time");
    }
}

#[test]
fn a_budget_of_nodes_is_kept() {
    let root = start::<ConnectFour>("");
    let budget = Budget::nodes(5000).with_memory(1 << 20);
    let task =
        Task { root: &root, goal: Goal::Outcome, expertise: &Rules, budget: &budget, observer: &Quiet };
    let mut solver = Solver::new(Options::default(), &budget);
    assert!(solver.table().bytes() <= 1 << 20 && solver.table().bytes() > (1 << 20) / 100 * 95);
    let answer = solver.solve(&task);
    assert!((5000..5200).contains(&answer.counts.nodes));
    assert_eq!(answer.bounds.outcome(), None::<Outcome>);
}

/// Threads that take over each other's answers give the same values.
#[test]
fn threads_unwind_to_what_others_have_answered() {
    let root = start::<ConnectFour>("5x5");
    for seed in 0..3 {
        let budget = Budget { threads: 4, seed, ..Budget::default().with_memory(1 << 22) };
        let task =
            Task { root: &root, goal: Goal::Outcome, expertise: &Rules, budget: &budget, observer: &Quiet };
        let answer = Solver::new(Options::default(), &budget).solve(&task);
        assert_eq!(answer.bounds, Bounds::exactly(0));
    }
}

/// Knows the outcome of positions with few moves left, as databases know the ends of games.
struct Ends<P: TwoPlayer>(Solution<P>, usize);

impl<P: TwoPlayer + Symmetric> Oracle<P> for Ends<P> {
    fn bounds(&self, position: &P) -> Option<(i32, i32)> {
        let score = self.0.score(position).filter(|_| position.count_moves() <= self.1)?;
        let (low, high) = position.score_range_of(position.mover());
        Some(match score {
            1.. => (1, high),
            0 => (0, 0),
            _ => (low, -1),
        })
    }

    fn describe(&self) -> String {
        "ends".into()
    }
}

/// A look to a horizon takes what an oracle knows for proven, and need not look behind it.
#[test]
fn an_oracle_ends_a_look_ahead() {
    let mut nodes = [0, 0];
    let mut agree = |root: &<Mnk as Game>::Position| {
        let truth = Solution::of(root, &Budget::default()).expect("it is small");
        let score = truth.score(root).expect("it is solved");
        let budget = Budget::default().with_memory(8 << 20);
        let mut expertise = Informed::<_, Rules>::default();
        for (i, sum) in nodes.iter_mut().enumerate() {
            if i == 1 {
                let ends = Solution::of(root, &Budget::default()).expect("it is small");
                assert!(expertise.inform(Arc::new(Ends(ends, root.count_moves() - 3))));
            }
            let task =
                Task { root, goal: Goal::Outcome, expertise: &expertise, budget: &budget, observer: &Quiet };
            let answer = Solver::new(ESTIMATE, &budget).solve(&task);
            assert_eq!(answer.bounds.outcome(), Some(Outcome::of_score(score)));
            *sum += answer.counts.nodes;
            let Some(&m) = answer.line.first() else { continue };
            let after = root.after(m);
            let there = if after.turn().is_over() {
                Some(after.payoff().of(root.mover()))
            } else {
                truth.score(&after).map(|score| -score)
            };
            assert_eq!(there.map(i32::signum), Some(score.signum()), "the move keeps what is proven");
        }
    };
    let mut rng = Rng::new(5);
    for _ in 0..20 {
        let mut root = start::<Mnk>("4,4,3");
        for _ in 0..4 {
            root.random_move(&mut rng).into_iter().for_each(|m| root.play(m));
        }
        if !root.turn().is_over() {
            agree(&root);
        }
    }
    assert!(nodes[1] * 2 < nodes[0], "{nodes:?}");
}

/// The signature: node counts of a fixed bench with one thread. A change that is meant to change nothing
/// leaves them as they are; any other change writes down the new ones.
#[test]
fn the_signature_is_unchanged() {
    let nodes = |options| {
        let mnk = solve(&start::<Mnk>("4,4,3"), options, Goal::Outcome, 1).counts.nodes;
        let four = solve(&start::<ConnectFour>("5x4"), options, Goal::Outcome, 1).counts.nodes;
        let walk = Walk::random(60, 2, &mut Rng::new(4));
        let walk = solve(&walk, options, Goal::Score, 1).counts.nodes;
        (mnk, four, walk)
    };
    let depth = |depth| Options { mode: Mode::Estimate { depth: Some(depth) }, ..ESTIMATE };
    assert_eq!(nodes(Options::default()), (841, 158_114, 120));
    assert_eq!(nodes(depth(8)), (1919, 2178, 109));
}
