//! The methods on real games, with published values and against enumeration.

use super::leaf::Initial;
use super::{Verdict, df_pn, mst, pds, pn, pn_squared};
use crate::exhaustive::Solution;
use crate::testing::Walk;
use endspiel_game::{
    Answer, Bounds, Budget, Game, Goal, Notation, Player, Position, Question, Quiet, Rng, Rules, Symmetric,
    Task, TwoPlayer,
};
use endspiel_rules::awari::{self, Awari};
use endspiel_rules::connect_four::ConnectFour;
use endspiel_rules::give_away_chess::{Board, GiveAwayChess};
use endspiel_rules::mnk::{Mnk, TicTacToe};
use endspiel_rules::random_tree::RandomTree;
use endspiel_rules::wythoff::Wythoff;

fn first(at_least: i32) -> Question {
    Question { player: Player::FIRST, at_least }
}

/// The answers of the methods that search a tree, and of those that have a table.
fn answers<P: TwoPlayer + Symmetric>(root: &P, goal: Goal, trees: bool) -> Vec<Answer<P::Move>> {
    let budget = Budget::default().with_memory(16 << 20);
    let task = Task { root, goal, expertise: &Rules, budget: &budget, observer: &Quiet };
    let mut answers = vec![
        df_pn::Solver::new(df_pn::Options::default(), &budget).solve(&task),
        pds::Solver::new(pds::Options::default(), &budget).solve(&task),
    ];
    if trees {
        answers.push(pn::Solver::new(pn::Options::default(), &budget).solve(&task));
        answers.push(pn_squared::Solver::new(pn_squared::Options::default(), &budget).solve(&task));
        answers.push(mst::Solver::new(mst::Options, &budget).solve(&task));
    }
    answers
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let game = TicTacToe;
    for answer in answers(&game.start(), Goal::Outcome, true) {
        assert_eq!(answer.bounds, Bounds::exactly(0));
    }
    let budget = Budget::default();
    for initial in [Initial::Standard, Initial::Mobility, Initial::Depth, Initial::Effort] {
        let mut solver = pn::Solver::new(pn::Options { initial, ..Default::default() }, &budget);
        let meter = budget.start();
        assert_eq!(solver.prove(&game.start(), first(1), &Rules, &meter).verdict, Verdict::No);
        assert_eq!(solver.prove(&game.start(), first(0), &Rules, &meter).verdict, Verdict::Yes);
    }
}

fn after_opening(m: &str) -> Board {
    let start = GiveAwayChess { en_passant: false }.start();
    start.after(start.read_move(m).expect("a first move"))
}

#[test]
fn give_away_chess_openings_that_lose() {
    // Nodes by standard and by mobility numbers; the counts depend on the order of moves.
    let table = [("d3", 140_650, 16_113), ("d4", 264_755, 18_132), ("e4", 84_232, 10_906)];
    let budget = Budget::default();
    for (opening, standard, mobility) in table {
        let root = after_opening(opening);
        for (initial, nodes) in [(Initial::Standard, standard), (Initial::Mobility, mobility)] {
            let options = pn::Options { initial, ..Default::default() };
            let mut solver = pn::Solver::new(options, &budget);
            let win = solver.prove(
                &root,
                Question { player: Player::SECOND, at_least: 1 },
                &Rules,
                &budget.start(),
            );
            assert_eq!(win.verdict, Verdict::Yes);
            let off = win.counts.nodes.abs_diff(nodes);
            assert!(off * 10 < nodes, "{opening}, {initial:?}: {} nodes", win.counts.nodes);
            // Black gives everything away: the longest line is 32 plies.
            assert_eq!(win.height, Some(32));
        }
    }
}

/// White, with king and rook against a rook, is lost; taking what holds on one path for what holds on all
/// says that he holds.
#[test]
fn history_counts_in_give_away_chess() {
    let game = GiveAwayChess { en_passant: false };
    let root = game.read("8/8/6r1/8/K7/8/8/R7 w - - 0 1").expect("a position");
    let budget = Budget::default();
    let truth = Solution::of(&root, &budget).and_then(|solution| solution.answers(&root, first(0)));
    assert_eq!(truth, Some(false));
    let mut solver = df_pn::Solver::new(df_pn::Options::default(), &budget);
    assert_eq!(solver.prove(&root, first(0), &Rules, &budget.start()).verdict, Verdict::No);
    let mut naive = df_pn::Solver::new(df_pn::Options::default(), &budget);
    naive.naive = true;
    assert_eq!(naive.prove(&root, first(0), &Rules, &budget.start()).verdict, Verdict::Yes);
}

/// Every method gives the enumerated score.
fn agree<P: TwoPlayer + Symmetric>(root: &P, trees: bool, name: &str) {
    let score = Solution::of(root, &Budget::default()).and_then(|solution| solution.score(root));
    let score = score.unwrap_or_else(|| panic!("{name} can be enumerated"));
    for (i, answer) in answers(root, Goal::Score, trees).into_iter().enumerate() {
        assert_eq!(answer.bounds, Bounds::exactly(score), "{name}, method {i}");
    }
}

#[test]
fn all_methods_agree_with_enumeration() {
    for (variant, trees) in [("2,2,2", true), ("3,3,3", true), ("4,3,3", false), ("4,4,3", false)] {
        agree(&Mnk::from_variant(variant).expect("a variant").start(), trees, variant);
    }
    for (variant, trees) in [("nim,start=7,9", false), ("start=4,3", true), ("misere,start=8,5", false)] {
        agree(&Wythoff::from_variant(variant).expect("a variant").start(), trees, variant);
    }
    for variant in ["b=3,d=6,seed=1", "b=2,d=9,values=2", "b=5,bmin=1,d=5,range=4"] {
        agree(&RandomTree::from_variant(variant).expect("a variant").start(), true, variant);
    }
    let mut rng = Rng::new(31);
    for round in 0..400 {
        let size = 4 + rng.below(9) as u8;
        agree(&Walk::random(size, 1 + rng.below(3) as i32, &mut rng), true, &format!("walk {round}"));
    }
}

#[test]
fn tables_of_64_kilobytes_suffice() {
    let small = Budget::default().with_memory(64 << 10);
    let root = ConnectFour::from_variant("4x4").expect("a variant").start();
    for at_least in [0, 1] {
        let mut df_pn = df_pn::Solver::new(df_pn::Options::default(), &small);
        let found = df_pn.prove(&root, first(at_least), &Rules, &small.start());
        assert_eq!(found.verdict, if at_least == 0 { Verdict::Yes } else { Verdict::No });
        assert!(found.counts.peak <= (64 << 10) / 24);
        let mut pds = pds::Solver::new(pds::Options::default(), &small);
        assert_eq!(pds.prove(&root, first(at_least), &Rules, &small.start()).verdict, found.verdict);
    }
}

#[test]
fn pn_squared_holds_twice_its_first_level() {
    let budget = Budget::default();
    let options = pn_squared::Options { initial: Initial::Standard, ..Default::default() };
    let mut solver = pn_squared::Solver::new(options, &budget);
    let black_wins = Question { player: Player::SECOND, at_least: 1 };
    let found = solver.prove(&after_opening("d3"), black_wins, &Rules, &budget.start());
    assert_eq!(found.verdict, Verdict::Yes);
    // Without deletion: 1,926 nodes of the first level, 1,836,133 in all, 3,856 at once.
    let first_level = solver.first_level();
    assert!((963..3852).contains(&first_level), "{first_level} nodes of the first level");
    assert!((918_066..3_672_266).contains(&found.counts.nodes), "{} nodes", found.counts.nodes);
    assert!(found.counts.peak <= 2 * first_level + 40, "{} at once", found.counts.peak);
    assert!(found.counts.nodes <= first_level * first_level / 2 + 41 * first_level);
}

#[test]
fn memory_nodes_and_stop_are_obeyed() {
    let root = ConnectFour::from_variant("").expect("the standard game").start();
    let small = Budget::default().with_memory(1 << 20);
    let mut solver = pn::Solver::new(pn::Options::default(), &small);
    let found = solver.prove(&root, first(1), &Rules, &small.start());
    assert_eq!(found.verdict, Verdict::Unknown);
    assert!(found.counts.peak * 28 <= 1 << 20);
    let few = Budget::nodes(10_000);
    let task = Task { root: &root, goal: Goal::Outcome, expertise: &Rules, budget: &few, observer: &Quiet };
    let spent = [
        pn::Solver::new(pn::Options::default(), &few).solve(&task).counts.nodes,
        pn_squared::Solver::new(pn_squared::Options::default(), &few).solve(&task).counts.nodes,
        df_pn::Solver::new(df_pn::Options::default(), &few).solve(&task).counts.nodes,
        pds::Solver::new(pds::Options::default(), &few).solve(&task).counts.nodes,
        mst::Solver::new(mst::Options, &few).solve(&task).counts.nodes,
    ];
    assert!(spent.iter().all(|nodes| (9_000..11_000).contains(nodes)), "{spent:?}");
    let budget = Budget::default();
    budget.stop.now();
    let task = Task { budget: &budget, ..task };
    assert!(df_pn::Solver::new(df_pn::Options::default(), &budget).solve(&task).counts.nodes <= 2048);
    assert!(pn::Solver::new(pn::Options::default(), &budget).solve(&task).counts.nodes <= 2048);
}

/// A random awari position with few stones on the board, and not much ahead for either side.
fn random_awari(rng: &mut Rng, stones: usize) -> awari::Board {
    let mut pits = [0; 12];
    for _ in 0..stones {
        pits[rng.below(12)] += 1;
    }
    let row = |pits: &[u32]| pits.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let south = (48 - stones) / 2 + rng.below(3) - 1;
    let north = 48 - stones - south;
    let mover = ["S", "N"][rng.below(2)];
    let text = format!("{}|{} {south}-{north} {mover}", row(&pits[..6]), row(&pits[6..]));
    Awari::default().read(&text).expect("a position")
}

#[test]
fn checks_of_claims_are_paid_for() {
    let mut rng = Rng::new(11);
    for nodes in [500, 2000, 8000, 32_000] {
        for _ in 0..4 {
            let (root, few) = (random_awari(&mut rng, 7), Budget::nodes(nodes).with_memory(16 << 20));
            let task =
                Task { root: &root, goal: Goal::Score, expertise: &Rules, budget: &few, observer: &Quiet };
            let spent = df_pn::Solver::new(df_pn::Options::default(), &few).solve(&task).counts.nodes;
            assert!(spent <= nodes + nodes / 4, "{spent} of {nodes} at {}", root.write());
        }
    }
}

#[test]
fn awari_endgames() {
    let mut rng = Rng::new(6);
    for _ in 0..150 {
        let stones = 2 + rng.below(4);
        let root = random_awari(&mut rng, stones);
        agree(&root, false, &root.write());
    }
}

/// Endgames about which a table that forgets histories is wrong: it loses a win of South's, and gives him
/// one that he has not. Both were found among some hundreds of random endgames of three to six stones.
#[test]
fn history_counts_in_awari() {
    let budget = Budget::default();
    for (text, at_least, truth) in
        [("1 1 0 0 0 0|0 1 1 1 0 0 20-23 N", 1, true), ("0 0 1 1 0 0|1 0 0 1 1 1 22-20 N", 0, false)]
    {
        let root = Awari::default().read(text).expect("a position");
        let known =
            Solution::of(&root, &budget).and_then(|solution| solution.answers(&root, first(at_least)));
        assert_eq!(known, Some(truth), "{text}");
        let (right, wrong) = if truth { (Verdict::Yes, Verdict::No) } else { (Verdict::No, Verdict::Yes) };
        let mut solver = df_pn::Solver::new(df_pn::Options::default(), &budget);
        assert_eq!(solver.prove(&root, first(at_least), &Rules, &budget.start()).verdict, right, "{text}");
        let mut naive = df_pn::Solver::new(df_pn::Options::default(), &budget);
        naive.naive = true;
        assert_eq!(naive.prove(&root, first(at_least), &Rules, &budget.start()).verdict, wrong, "{text}");
    }
}

#[test]
fn threads_agree() {
    let budget = Budget { threads: 3, ..Budget::default().with_memory(32 << 20) };
    let root = ConnectFour::from_variant("5x4").expect("a variant").start();
    let task =
        Task { root: &root, goal: Goal::Outcome, expertise: &Rules, budget: &budget, observer: &Quiet };
    let answer = df_pn::Solver::new(df_pn::Options::default(), &budget).solve(&task);
    assert_eq!(answer.bounds, Bounds::exactly(0));
    let mut rng = Rng::new(12);
    for round in 0..60 {
        let budget = Budget { threads: 2, ..Budget::default().with_memory(1 << 20) };
        let root = random_awari(&mut rng, 4);
        let score = Solution::of(&root, &Budget::default()).and_then(|solution| solution.score(&root));
        let task =
            Task { root: &root, goal: Goal::Score, expertise: &Rules, budget: &budget, observer: &Quiet };
        let answer = df_pn::Solver::new(df_pn::Options::default(), &budget).solve(&task);
        assert_eq!(Some(answer.bounds), score.map(Bounds::exactly), "round {round}: {}", root.write());
    }
}
