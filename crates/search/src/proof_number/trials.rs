//! The methods against brute force on many small random games.

use super::history::Path;
use super::leaf::{Initial, Leaf};
use super::numbers::{INFINITE, Verdict};
use super::pn::{self, Around, Evaluation, Options, Search};
use super::sample::{At, Graph, Spot, random_graph, random_tree, values};
use super::table::Table;
use super::tree::{State, Tree};
use super::{df_pn, mst, pds, pn_squared};
use endspiel_game::{Advisor, Budget, Player, Position, Question, Rng, Rules};
use std::cell::RefCell;
use std::sync::Arc;

fn first(at_least: i32) -> Question {
    Question { player: Player::FIRST, at_least }
}

/// Runs pn-search until `stop` and gives the search back.
fn run(root: &At<false>, options: Options, from_root: bool, stop: u64) -> Search<At<false>> {
    let mut search = Search::new(options, 1 << 20);
    search.from_root = from_root;
    let leaf = Leaf { question: first(1), initial: options.initial, expertise: &Rules };
    let guess = &mut |position: &At<false>, around: &Around<'_>| leaf.guess(position, around.depth);
    let kept = RefCell::new(Table::new(1 << 16));
    search.run(root, &leaf, guess, &kept, Path::none(), &mut |created| created >= stop);
    search
}

/// The value of a node if exactly the frontier nodes in `set` have the value `truth`.
fn value(tree: &Tree<u32>, node: u32, frontier: &[u32], set: u32, truth: bool) -> Option<bool> {
    let here = tree.node(node);
    if here.state != State::Expanded || here.pn == 0 || here.dn == 0 {
        return match tree.numbers(node).verdict() {
            Verdict::Yes => Some(true),
            Verdict::No => Some(false),
            Verdict::Unknown => {
                let i = frontier.iter().position(|&f| f == node);
                i.filter(|i| set >> i & 1 == 1).map(|_| truth)
            }
        };
    }
    let values: Vec<_> = tree.children(node).map(|c| value(tree, c, frontier, set, truth)).collect();
    if values.contains(&Some(here.or)) {
        Some(here.or)
    } else if values.contains(&None) {
        None
    } else {
        Some(!here.or)
    }
}

fn frontier_of(tree: &Tree<u32>, node: u32, out: &mut Vec<u32>) {
    if tree.numbers(node).is_solved() {
        return;
    }
    if tree.node(node).state == State::Expanded {
        tree.children(node).for_each(|c| frontier_of(tree, c, out));
    } else {
        out.push(node);
    }
}

#[test]
fn numbers_are_sizes_of_smallest_sets_and_all_smallest_sets_meet() {
    let mut rng = Rng::new(7);
    let standard = Options { initial: Initial::Standard, delete_solved: false, ..Options::default() };
    let mut tried = 0;
    while tried < 300 {
        let root = random_tree(&mut rng, 5, 3);
        let search = run(&root, standard, false, 3 + rng.below(20) as u64);
        let tree = &search.tree;
        let mut frontier = Vec::new();
        frontier_of(tree, 0, &mut frontier);
        if frontier.is_empty() || frontier.len() > 12 {
            continue;
        }
        tried += 1;
        let sets = |truth: bool| {
            let all: Vec<u32> = (0..1u32 << frontier.len())
                .filter(|&set| value(tree, 0, &frontier, set, truth) == Some(truth))
                .collect();
            let least = all.iter().map(|s| s.count_ones()).min().unwrap_or(INFINITE);
            (least, all.into_iter().filter(|s| s.count_ones() == least).collect::<Vec<_>>())
        };
        let ((pn, proofs), (dn, disproofs)) = (sets(true), sets(false));
        assert_eq!((tree.node(0).pn, tree.node(0).dn), (pn, dn));
        assert!(proofs.iter().all(|p| disproofs.iter().all(|d| p & d != 0)));
        // The most-proving node lies in a smallest set of both kinds.
        let mut node = 0;
        while tree.node(node).state == State::Expanded {
            node = tree.select(node);
        }
        let bit = 1 << frontier.iter().position(|&f| f == node).unwrap();
        assert!(proofs.iter().any(|p| p & bit != 0) && disproofs.iter().any(|d| d & bit != 0));
    }
}

#[test]
fn the_current_node_and_deletion_change_no_development() {
    let mut rng = Rng::new(8);
    for i in 0..500 {
        let root = random_tree(&mut rng, 7, 3);
        let initial = [Initial::Standard, Initial::Mobility, Initial::Depth, Initial::Effort][i % 4];
        let evaluation = [Evaluation::Immediate, Evaluation::Delayed][i / 4 % 2];
        let delete = Options { initial, evaluation, delete_solved: true };
        let keep = Options { delete_solved: false, ..delete };
        let plain = run(&root, keep, true, u64::MAX);
        for (options, from_root) in [(keep, false), (delete, true), (delete, false)] {
            let other = run(&root, options, from_root, u64::MAX);
            assert_eq!(other.developed, plain.developed);
            assert_eq!(other.tree.numbers(0), plain.tree.numbers(0));
            assert!(other.tree.peak() <= plain.tree.peak());
        }
        let truth = values::<false>(&root.graph)[0] >= 1;
        let found = plain.tree.numbers(0).verdict();
        let over = root.spot().next.is_empty();
        assert!(over || found == if truth { Verdict::Yes } else { Verdict::No });
    }
}

#[test]
fn pn_search_is_right_on_random_graphs_with_cycles() {
    let mut rng = Rng::new(9);
    for round in 0..2000 {
        let (size, width) = (4 + rng.below(12), 1 + rng.below(3));
        let root = random_graph(&mut rng, size, width);
        let truth = values::<true>(&root.graph);
        let evaluation = [Evaluation::Immediate, Evaluation::Delayed][round % 2];
        let options = Options { evaluation, ..Options::default() };
        let budget = Budget::default().with_memory(1 << 20);
        let mut solver = pn::Solver::new(options, &budget);
        let mut squared = pn_squared::Solver::new(pn_squared::Options::default(), &budget);
        let mut mst = mst::Solver::new(mst::Options, &budget);
        for question in [first(0), first(1), first(0).opposite(), first(1).opposite()] {
            let found = solver.prove(&root, question, &Rules, &budget.start());
            let score = truth[root.spot as usize];
            let yes = if question.player == Player::FIRST { score } else { -score } >= question.at_least;
            let wanted = if yes { Verdict::Yes } else { Verdict::No };
            assert_eq!(found.verdict, wanted, "round {round}");
            let found = squared.prove(&root, question, &Rules, &budget.start());
            assert_eq!(found.verdict, wanted, "PN², round {round}");
            let found = mst.prove(&root, question, &Rules, &budget.start());
            assert_eq!(found.verdict, wanted, "MST*, round {round}");
            if yes {
                follow(&mut solver, &root, question, &truth);
                follow(&mut squared, &root, question, &truth);
                follow(&mut mst, &root, question, &truth);
            }
        }
    }
}

#[test]
fn table_solvers_are_right_on_random_graphs_with_cycles() {
    let mut rng = Rng::new(10);
    for round in 0..4000 {
        let (size, width) = (4 + rng.below(40), 1 + rng.below(4));
        let root = random_graph(&mut rng, size, width);
        let truth = values::<true>(&root.graph);
        // Every third game is played with a table of a few buckets.
        let budget = Budget::default().with_memory(if round % 3 == 0 { 400 } else { 1 << 20 });
        let counting = [df_pn::Counting::Sum, df_pn::Counting::Weak][round % 2];
        let mut df_pn = df_pn::Solver::new(df_pn::Options { counting, ..Default::default() }, &budget);
        let mut pds = pds::Solver::new(pds::Options { counting, ..Default::default() }, &budget);
        for question in [first(0), first(1), first(0).opposite(), first(1).opposite()] {
            let score = truth[root.spot as usize];
            let yes = if question.player == Player::FIRST { score } else { -score } >= question.at_least;
            let wanted = if yes { Verdict::Yes } else { Verdict::No };
            let found = df_pn.prove(&root, question, &Rules, &budget.start());
            assert_eq!(found.verdict, wanted, "df-pn, round {round}");
            let found = pds.prove(&root, question, &Rules, &budget.start());
            assert_eq!(found.verdict, wanted, "pds, round {round}");
            if yes {
                follow(&mut df_pn, &root, question, &truth);
                follow(&mut pds, &root, question, &truth);
            }
        }
    }
}

/// Follows the advice against random replies: it must keep the yes and must not go round where that loses.
pub fn follow(solver: &mut impl Advisor<At<true>>, root: &At<true>, question: Question, truth: &[i32]) {
    let mut rng = Rng::new(3);
    let sign = if question.player == Player::FIRST { 1 } else { -1 };
    let good_for_ever = question.is_met_by(root.repeated());
    for _ in 0..4 {
        let mut at = root.clone();
        let mut plies = 0;
        while !at.turn().is_over() && plies < 200 {
            assert!(sign * truth[at.spot as usize] >= question.at_least, "the yes is given away");
            let m = if at.turn().player() == Some(question.player) {
                solver.advise(&at, question)
            } else {
                at.random_move(&mut rng)
            };
            at.play(m.expect("advice where the answer is yes"));
            plies += 1;
        }
        assert!(at.turn().is_over() || good_for_ever, "the advice goes round");
    }
}

/// Six positions: the first player at A goes to B or C; the second player goes from B to C, from C back to B
/// or on to D, and from D to a win or a loss (or back to C). C is lost, so B is, so A is. But who meets B
/// below C sees only the repetition of C, a draw, and must not take that for the value of B.
#[test]
fn a_repetition_seen_on_one_path_says_nothing_about_another() {
    let spot =
        |mover: u8, next: &[u32], payoff: i32| Spot { mover: Player(mover), next: next.to_vec(), payoff };
    let [a, b, d, c] = [spot(0, &[1, 3], 0), spot(1, &[3], 0), spot(1, &[3, 4, 5], 0), spot(1, &[1, 2], 0)];
    let spots = vec![a, b, d, c, spot(0, &[], -1), spot(0, &[], 1)];
    let root: At<true> = At { graph: Arc::new(Graph { spots, endless: 0 }), spot: 0 };
    let budget = Budget::default().with_memory(1 << 16);
    let mut solver = df_pn::Solver::new(df_pn::Options::default(), &budget);
    assert_eq!(solver.prove(&root, first(0), &Rules, &budget.start()).verdict, Verdict::No);
    let mut naive = df_pn::Solver::new(df_pn::Options::default(), &budget);
    naive.naive = true;
    assert_eq!(naive.prove(&root, first(0), &Rules, &budget.start()).verdict, Verdict::Yes);
}
