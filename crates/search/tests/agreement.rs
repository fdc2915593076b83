//! Every method by the rules alone: no expertise answers for it. On positions of random play each gives what enumeration gives, or leaves
//! it open, and most of the time it does not.

use endspiel_game::{Answer, Budget, Game, Goal, Quiet, Rng, Rules, Symmetric, Task, TwoPlayer};
use endspiel_rules::awari::Awari;
use endspiel_rules::connect_four::ConnectFour;
use endspiel_rules::hex::Hex;
use endspiel_rules::lines_of_action::LinesOfAction;
use endspiel_rules::mnk::Mnk;
use endspiel_rules::othello::Othello;
use endspiel_rules::wythoff::Wythoff;
use endspiel_search::bestfirst::{bstar, conspiracy, least_certainty, minimax, shortest, sss};
use endspiel_search::exhaustive::Solution;
use endspiel_search::montecarlo::uct;
use endspiel_search::proof_number::{df_pn, mst, pds, pn, pn_squared};
use endspiel_search::{alphabeta, bestfirst, lambda};

const NAMES: [&str; 15] = [
    "alpha-beta",
    "mtdf",
    "pn",
    "pn2",
    "df-pn",
    "pds",
    "mst",
    "uct",
    "sss",
    "b-star",
    "conspiracy",
    "best-first",
    "lcf",
    "shortest",
    "lambda",
];

/// What each method says, in the order of their names.
fn answers<P: TwoPlayer + Symmetric>(task: &Task<'_, P, Rules>) -> [Answer<P::Move>; 15] {
    type Tree<P, S> = bestfirst::Solver<P, Rules, S>;
    let budget = task.budget;
    let mtdf = alphabeta::Options { mtdf: true, ..Default::default() };
    [
        alphabeta::Solver::new(Default::default(), budget).solve(task),
        alphabeta::Solver::new(mtdf, budget).solve(task),
        pn::Solver::new(Default::default(), budget).solve(task),
        pn_squared::Solver::new(Default::default(), budget).solve(task),
        df_pn::Solver::new(df_pn::Options::of::<P, Rules>(), budget).solve(task),
        pds::Solver::new(Default::default(), budget).solve(task),
        mst::Solver::new(Default::default(), budget).solve(task),
        uct::Solver::new(Default::default(), budget).solve(task),
        Tree::<P, sss::Search<P>>::new(Default::default(), budget).solve(task),
        Tree::<P, bstar::Search<P>>::new(Default::default(), budget).solve(task),
        Tree::<P, conspiracy::Search<P>>::new(Default::default(), budget).solve(task),
        Tree::<P, minimax::Search<P>>::new(Default::default(), budget).solve(task),
        Tree::<P, least_certainty::Search<P>>::new(Default::default(), budget).solve(task),
        Tree::<P, shortest::Search<P>>::new(Default::default(), budget).solve(task),
        lambda::Solver::new(Default::default(), budget).solve(task),
    ]
}

/// Compares the methods on so many positions after so many random plies from `start`.
fn agree<P: TwoPlayer + Symmetric>(start: &P, plies: usize, positions: u64) {
    let budget = Budget::nodes(200_000).with_memory(64 << 20);
    // How often each decided it, and its nodes.
    let (mut decided, mut asked) = ([(0, 0); 15], 0);
    for seed in 0..positions {
        let mut rng = Rng::new(seed);
        let mut root = start.clone();
        for _ in 0..plies {
            if let Some(m) = root.random_move(&mut rng) {
                root.play(m);
            }
        }
        if root.turn().is_over() {
            continue;
        }
        let solution = Solution::of(&root, &Budget::default()).expect("a small game");
        let truth = solution.score(&root).expect("the root is reached");
        asked += 1;
        let task =
            Task { root: &root, goal: Goal::Outcome, expertise: &Rules, budget: &budget, observer: &Quiet };
        for ((name, answer), decided) in NAMES.iter().zip(answers(&task)).zip(&mut decided) {
            let bounds = answer.bounds;
            assert!(
                bounds.low <= truth && truth <= bounds.high,
                "{name}: {bounds:?}, but {truth}, seed {seed}"
            );
            decided.0 += u64::from(bounds.outcome().is_some());
            decided.1 += answer.counts.nodes;
        }
    }
    assert!(asked > positions / 2, "{asked} of {positions}");
    // Lambda search finds wins by threats only; trees of all lines may be too large where positions come back.
    let sure = if P::CYCLIC { 6 } else { 14 };
    for (name, (decided, nodes)) in NAMES.iter().zip(decided).take(sure) {
        assert!(2 * decided > asked, "{name} decided {decided} of {asked}");
        assert!(nodes > asked, "{name} hardly searched: {nodes} nodes for {asked} positions");
    }
}

#[test]
fn all_methods_agree_without_expertise() {
    agree(&Mnk::from_variant("4,3,3").expect("a variant").start(), 3, 8);
    agree(&ConnectFour::from_variant("4x4").expect("a variant").start(), 7, 8);
    agree(&Hex::from_variant("3").expect("a variant").start(), 2, 8);
    agree(&Othello::from_variant("4").expect("a variant").start(), 5, 8);
    agree(&Wythoff::from_variant("start=5,6").expect("a variant").start(), 0, 1);
    let awari = Awari::from_variant("end=last-stone").expect("a variant");
    agree(&awari.read("0 1 0 0 1 0|0 0 0 0 0 1").expect("a position"), 1, 4);
    let lines = LinesOfAction::from_variant("4").expect("a variant");
    agree(&lines.read("x.o./..../o..x/.... o").expect("a position"), 0, 1);
}
