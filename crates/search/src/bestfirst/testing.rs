//! What all best-first methods must do: agree with enumeration on small games, claim nothing wrong in games
//! with cycles, and give advice that holds.

use super::{Method, Solver};
use crate::advice::follow;
use crate::exhaustive::Solution;
use crate::testing::Walk;
use endspiel_game::{
    Bounds, Budget, Expertise, Game, Goal, Player, Position, Question, Quiet, Rng, Rules, Symmetric, Task,
    TwoPlayer,
};
use endspiel_rules::mnk::TicTacToe;
use endspiel_rules::random_tree::{self, RandomTree};

type Board = <TicTacToe as Game>::Position;

pub fn truth<P: TwoPlayer + Symmetric>(root: &P) -> i32 {
    let solution = Solution::of(root, &Budget::default()).expect("a small game");
    solution.score(root).expect("the root is reached")
}

/// Solves `root` and checks bounds, line and advice. True if the goal was decided.
pub fn check<P, S>(options: &S::Options, root: &P, goal: Goal, budget: &Budget) -> bool
where
    P: TwoPlayer + Symmetric,
    S: Method<P, Rules>,
{
    let mut solver = Solver::<P, Rules, S>::new(options.clone(), budget);
    let task = Task { root, goal, expertise: &Rules, budget, observer: &Quiet };
    let answer = solver.solve(&task);
    let Bounds { low, high } = answer.bounds;
    assert!((low..=high).contains(&truth(root)), "{low}..={high} is wrong: {}", truth(root));
    let end = answer.line.iter().fold(root.clone(), |p, &m| p.after(m));
    if answer.bounds.decide(goal) && !P::CYCLIC {
        if end.turn().is_over() {
            assert!((low..=high).contains(&end.payoff().of(root.mover())), "the line ends otherwise");
        }
        let question = Question { player: root.mover(), at_least: low };
        follow(&mut solver, root, question);
        follow(&mut solver, root, Question { at_least: high + 1, ..question }.opposite());
    }
    answer.bounds.decide(goal)
}

/// Random trees, tic-tac-toe and random graphs.
pub fn agrees<T, B, W>(options: &T::Options)
where
    T: Method<random_tree::Node, Rules>,
    B: Method<Board, Rules, Options = T::Options>,
    W: Method<Walk, Rules, Options = T::Options>,
{
    let budget = Budget::nodes(2_000_000);
    for seed in 0..40 {
        let tree = RandomTree { least_branching: 1, range: 3, ..RandomTree::new(4, 6, seed) };
        for goal in [Goal::Outcome, Goal::Score] {
            assert!(check::<_, T>(options, &tree.start(), goal, &budget), "tree {seed}");
        }
    }
    let root = TicTacToe.start();
    let later = root.after(root.move_list()[0]);
    assert!(check::<_, B>(options, &later, Goal::Outcome, &budget), "tic-tac-toe");
    let mut rng = Rng::new(5);
    let small = Budget::nodes(20_000);
    let decided =
        (0..100).filter(|_| check::<_, W>(options, &Walk::random(10, 2, &mut rng), Goal::Score, &small));
    let decided = decided.count();
    assert!(decided > 60, "{decided} of 100 walks decided");
}

/// The heuristic of random trees: the sum of the edges so far.
#[derive(Clone, Copy)]
pub struct Sum;

impl Expertise<random_tree::Node> for Sum {
    const EVALUATES: bool = true;
    fn evaluate(&self, node: &random_tree::Node) -> i32 {
        1000 * if node.mover() == Player::FIRST { node.value() } else { -node.value() }
    }
}
