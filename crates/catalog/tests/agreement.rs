//! Every method that fits a game gives the value that the exhaustive reference gives, on every small game,
//! with one thread and with two; and what it calls proven has a certificate that the checker accepts.
//! Methods that work on the tree of all lines may leave a starting position undecided, but never contradict;
//! they must decide the positions listed as deeper.

use endspiel_catalog::{AnyGame, AnyPosition, METHODS, Purpose, Report, Request, Status, game, verify};
use endspiel_game::{Budget, Goal};
use std::path::PathBuf;

/// A directory of its own that goes away with the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("endspiel-agreement-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a scratch directory");
        Self(dir)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A text in brackets is a position, anything else moves from the start.
fn at(game: &dyn AnyGame, moves: &str) -> Box<dyn AnyPosition> {
    let found = match moves.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        Some(text) => game.read(text),
        None => game.start().play(moves),
    };
    found.unwrap_or_else(|e| panic!("{moves}: {e}"))
}

fn ask(game: &dyn AnyGame, moves: &str, request: &Request) -> Report {
    let position = at(game, moves);
    position.solve(request, &()).unwrap_or_else(|e| panic!("{} by {}: {e}", game.full_name(), request.method))
}

/// Asks every method about one position; the reference's bounds are the truth. Methods that work on the tree have so many
/// nodes, the others as many as they need.
fn agree(name: &str, moves: &str, tree_nodes: u64, deep: bool, goal: Goal, certify: bool) {
    let game = game(name).unwrap_or_else(|e| panic!("{name}: {e}"));
    let scratch = Scratch::new(&format!("{name}{moves}").replace(|c: char| !c.is_alphanumeric(), "-"));
    let budget = |threads, merges: bool| Budget {
        threads,
        memory: 1536 << 20,
        nodes: Some(if merges { 50_000_000 } else { tree_nodes }),
        ..Budget::default()
    };
    let request = |method: &str, threads, merges| Request {
        method: method.into(),
        purpose: Purpose::Prove,
        goal,
        budget: budget(threads, merges),
        certificate: certify.then(|| scratch.0.join(format!("{method}-{threads}.cert"))),
    };
    let mut truth = ask(&*game, moves, &request("exhaustive", 1, true));
    if truth.status != Status::Proven {
        // Too many positions to keep them all: the others are compared with each other.
        truth = ask(&*game, moves, &request("alpha-beta", 1, true));
    }
    assert_eq!(truth.status, Status::Proven, "{name}: the reference decides");
    if let Some(certificate) = &truth.certificate {
        verify(&certificate.file, 1).unwrap_or_else(|e| panic!("{name} by {}: {e}", truth.method));
    }
    let fits = |m: &&endspiel_catalog::AboutMethod| m.scores || goal == Goal::Outcome;
    let methods = METHODS.iter().filter(fits).map(|m| (m.name, m.merges)).chain([("auto", true)]);
    for (method, merges) in methods {
        for threads in [1, 2] {
            let asked = request(method, threads, merges);
            let report = ask(&*game, moves, &asked);
            let place = format!("{name} {} by {method} with {threads} threads", report.position);
            if !merges && !deep && report.status != Status::Proven {
                let [low, high] = report.bounds;
                assert!(
                    low <= truth.bounds[1] && truth.bounds[0] <= high,
                    "{place}: {report:?}, truth {truth:?}"
                );
                continue;
            }
            assert_eq!(report.status, Status::Proven, "{place}: undecided, {report:?}");
            assert_eq!(report.value, truth.value, "{place}");
            if goal == Goal::Score {
                assert_eq!(report.bounds, truth.bounds, "{place}");
            }
            if let (Some(ours), Some(true_one)) = (report.distance, truth.distance)
                && truth.value != Some("draw")
            {
                if ours.exact {
                    assert_eq!(ours.plies, true_one.plies, "{place}: distance");
                } else {
                    assert!(ours.plies >= true_one.plies, "{place}: distance");
                }
            }
            let goes_on = at(&*game, moves).result().is_none() && report.value != Some("loss");
            assert!(!goes_on || !report.line.is_empty(), "{place}: no move keeps it");
            let Some(file) = asked.certificate else { continue };
            let verified = verify(&file, threads).unwrap_or_else(|e| panic!("{place}: {e}"));
            assert_eq!(verified.position, report.position, "{place}");
        }
    }
}

macro_rules! agreements {
    ($($test:ident: $game:literal $start:literal within $nodes:literal, deeper $($moves:literal)* => $goal:ident;)*) => {
        $(#[test]
        fn $test() {
            agree($game, $start, $nodes, false, Goal::$goal, true);
            $(agree($game, $moves, $nodes, true, Goal::$goal, true);)*
        })*
    };
}

agreements! {
    tic_tac_toe: "tic-tac-toe" "" within 100_000, deeper "b2" "a1 b1" => Outcome;
    mnk_4_3_3: "mnk:4,3,3" "" within 100_000, deeper "a1 b2 c3" "b2 b1 a1 c3" => Outcome;
    mnk_4_4_3: "mnk:4,4,3" "" within 100_000, deeper "a1 b2" "a1 b2 d4 c2" => Outcome;
    connect_four_4x4: "connect-four:4x4" "" within 600_000, deeper "11223" "1234123" => Outcome;
    connect_four_5x4: "connect-four:5x4" "" within 1_300_000, deeper "33332244" "1234512345" => Outcome;
    hex_3: "hex:3" "" within 100_000, deeper "a1" "b1 b2" => Outcome;
    hex_4: "hex:4" "" within 100_000, deeper "d1 a1 b3 b4 c2 a2 d3 c3 a4" => Outcome;
    awari_few_stones: "awari" "[0 0 1 0 0 1|1 0 0 1 0 0 0-0 N]" within 100_000, deeper "[0 1 0 0 1 0|0 0 0 0 0 1 0-0 S]" => Score;
    lines_of_action_4: "lines-of-action:4" "" within 100_000, deeper "" => Outcome;
    othello_4: "othello:4" "" within 100_000, deeper "a2 a3 a4 a1" => Score;
    wythoff: "wythoff:start=12,12" "" within 100_000, deeper "a9 b9" => Outcome;
    virus: "virus:p=3,regular=1" "" within 100_000, deeper "y3:y2" => Outcome;
    virus_2: "virus:graph=a:b+b:ce+c:d+d:a+e:cd,start=ade" "" within 100_000, deeper "a:b" => Outcome;
    amazons_4: "amazons:4" "b1-b2/d4 d3-c2/b1" within 100_000, deeper "b1-b2/d4 d3-c2/b1 b2-b3/b2 c4-c3/d3" => Outcome;
    checkers: "checkers" "[B:WK31:BK18,K25]" within 100_000, deeper "[W:WK14:BK18]" => Outcome;
    give_away_chess: "give-away-chess" "[8/8/8/3n4/8/8/8/K7 w - - 0 1]" within 100_000, deeper => Outcome;
}

/// Random trees by the hundred, in several shapes.
#[test]
fn random_trees() {
    for seed in 1..=40 {
        agree(&format!("random-tree:b=3,d=4,seed={seed}"), "", 100_000, true, Goal::Score, seed <= 3);
        agree(&format!("random-tree:b=2,d=6,seed={seed}"), "", 100_000, true, Goal::Outcome, seed <= 3);
        agree(
            &format!("random-tree:b=4,bmin=1,d=4,range=8,seed={seed}"),
            "",
            100_000,
            true,
            Goal::Score,
            seed <= 3,
        );
    }
}

/// Who plays plays what keeps a win, also where expertise decides the position without a search.
#[test]
fn a_won_position_is_not_thrown_away() {
    for (name, moves, expected) in [
        ("connect-four", "1 4 1 4 2 4 2", Some("4")),
        ("tic-tac-toe", "a1 b1 a2 b2 c1", Some("b3")),
        ("gomoku", "a1 h8 b1 i8 c3 j8 d9 k8 l1", None),
        ("hex:2", "a1", None),
        ("hex:5", "a1", None),
    ] {
        let position = game(name).and_then(|game| game.start().play(moves)).unwrap_or_else(|e| panic!("{e}"));
        let request = |method: &str, purpose| Request {
            method: method.into(),
            purpose,
            goal: Goal::Outcome,
            budget: Budget { memory: 64 << 20, nodes: Some(20_000), ..Budget::default() },
            certificate: None,
        };
        for method in METHODS {
            for purpose in [Purpose::Play, Purpose::Prove] {
                let place = format!("{name} {moves} by {} to {purpose:?}", method.name);
                let report =
                    position.solve(&request(method.name, purpose), &()).unwrap_or_else(|e| panic!("{e}"));
                if report.status != Status::Proven {
                    continue;
                }
                assert_eq!(report.value, Some("win"), "{place}");
                let first = report.line.first().unwrap_or_else(|| panic!("{place}: no move"));
                assert!(expected.is_none_or(|expected| first == expected), "{place}: {first}");
                let after = position.play(first).unwrap_or_else(|e| panic!("{place}: {e}"));
                let answer =
                    after.solve(&request("auto", Purpose::Prove), &()).unwrap_or_else(|e| panic!("{e}"));
                let over = after.result().is_some();
                assert!(over || answer.value == Some("loss"), "{place}: {first} gives {:?}", answer.value);
            }
        }
    }
}

/// Every move of a line keeps what was proven, for whoever makes it: a line that is not known to its end is shorter.
#[test]
fn lines_keep_what_is_proven_to_their_ends() {
    let request = |method: &str, nodes| Request {
        method: method.into(),
        goal: Goal::Outcome,
        budget: Budget { memory: 32 << 20, nodes: Some(nodes), ..Budget::default() },
        ..Request::default()
    };
    for (name, moves) in [
        ("connect-four:5x4", "3 4 1 5 4"),
        ("connect-four:5x4", "1 1"),
        ("connect-four:4x4", ""),
        ("tic-tac-toe", "b2"),
        ("mnk:4,3,3", "a1"),
        ("awari", "[0 1 0 0 1 0|0 0 0 0 0 1 22-23 S]"),
        ("hex:3", "a1"),
    ] {
        let game = game(name).unwrap_or_else(|e| panic!("{e}"));
        for method in METHODS {
            let mut position = at(&*game, moves);
            let report = position.solve(&request(method.name, 50_000), &()).unwrap_or_else(|e| panic!("{e}"));
            let Some(mut value) = report.value.filter(|_| report.status == Status::Proven) else { continue };
            for (ply, name) in report.line.iter().enumerate() {
                let mover = position.turn();
                position = position.play(name).unwrap_or_else(|e| panic!("{e}"));
                let place = format!("{moves} by {}: {:?} at ply {ply}", method.name, report.line);
                if position.result().is_some() {
                    break;
                }
                if position.turn() != mover {
                    value = match value {
                        "win" => "loss",
                        "loss" => "win",
                        other => other,
                    };
                }
                let after =
                    position.solve(&request("auto", 1_000_000), &()).unwrap_or_else(|e| panic!("{e}"));
                assert_eq!(after.value, Some(value), "{place}");
            }
        }
    }
}

/// A position of awari with four to six stones left, and both players near half of the others.
fn few_stones(rng: &mut endspiel_game::Rng) -> String {
    let mut pits = [0; 12];
    let stones = 4 + rng.below(3);
    (0..stones).for_each(|_| pits[rng.below(12)] += 1);
    let row = |pits: &[i32]| pits.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
    let first = (48 - stones) / 2 + rng.below(3) - 1;
    format!("{}|{} {first}-{} S", row(&pits[..6]), row(&pits[6..]), 48 - stones - first)
}

/// Where a win is proven, or a bound that means one, the line keeps it; and no move is said to get more than it does.
#[test]
fn a_win_by_some_score_is_not_thrown_away_for_a_higher_one() {
    let exact = Request { method: "exhaustive".into(), goal: Goal::Score, ..Request::default() };
    let (mut won, mut bounded) = (0, 0);
    // Positions, and so many more by chance.
    for (name, positions, more) in [
        (
            "awari",
            &[
                "0 0 0 0 0 1|0 0 0 3 0 1 20-22 N",
                "1 1 0 0 1 0|1 0 0 0 0 2 20-21 N",
                "2 1 0 0 0 1|1 0 0 0 0 1 20-21 N",
            ][..],
            30,
        ),
        ("connect-four:5x4,fastest", &["...../.x..x/oo..o/xxo.x o", "...../..x../.oo../.xx.o x"], 12),
        ("othello:4", &[], 12),
        ("random-tree:b=4,d=8,seed=3", &[], 12),
    ] {
        let game = game(name).expect("a game");
        let positions = positions.iter().map(|text| game.read(text).expect("a position"));
        let mut rng = endspiel_game::Rng::new(7);
        let random = (0..more).map(|n| {
            if name == "awari" {
                return game.read(&few_stones(&mut rng)).expect("a position");
            }
            let mut position = game.start();
            for _ in 0..n % 4 + if name.starts_with("random") { 0 } else { 5 } {
                let moves = position.moves();
                position = match moves.get(rng.below(moves.len().max(1))) {
                    Some(m) => position.play(m).expect("legal"),
                    None => break,
                };
            }
            position
        });
        for position in positions.chain(random).filter(|position| position.mover().is_some()) {
            // What the player to move at `position` really gets by a move.
            let truth = |m: &str| {
                let after = position.play(m).expect("legal");
                let score = after.solve(&exact, &()).expect("solved").bounds[0];
                if after.mover().is_none() {
                    // A finished game is told for the first player.
                    if position.turn().player() == Some(endspiel_game::Player::FIRST) {
                        score
                    } else {
                        -score
                    }
                } else if after.mover() == position.mover() {
                    score
                } else {
                    -score
                }
            };
            for method in METHODS.iter().filter(|method| method.scores) {
                for nodes in [100, 300, 3_000] {
                    let request = Request {
                        method: method.name.into(),
                        purpose: Purpose::Play,
                        goal: Goal::Score,
                        budget: Budget { memory: 16 << 20, ..Budget::nodes(nodes) },
                        certificate: None,
                    };
                    let place = format!("{name} {} by {} with {nodes}", position.write(), method.name);
                    let report = position.solve(&request, &()).expect("an answer");
                    if let (Some(first), 1..) = (report.line.first(), report.bounds[0]) {
                        won += 1;
                        assert!(truth(first) > 0, "{place}: {first} of {report:?}");
                    }
                    for m in position.rank(&request, &()).expect("ranked").moves {
                        let (score, [low, high]) = (truth(&m.name), m.bounds);
                        bounded += u32::from(low > -3 || high < 3);
                        assert!(low <= score && score <= high, "{place}: {} gets {score}: {m:?}", m.name);
                    }
                }
            }
        }
    }
    assert!(won > 50 && bounded > 100, "{won} won, {bounded} bounded");
}
