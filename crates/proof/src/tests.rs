//! Certificates of real and random games, written and checked.

use crate::testing::{Maze, Oracle, certify, check_bytes, prove};
use crate::{
    BuildError, Fault, FileError, Header, Hole, Rejected, Statement, build, read_header, verify, write,
};
use endspiel_game::{
    Advisor, Budget, Game, Notation, Player, Position, Question, Quiet, Symmetric, TwoPlayer,
};
use endspiel_rules::awari::Awari;
use endspiel_rules::connect_four::ConnectFour;
use endspiel_rules::give_away_chess::GiveAwayChess;
use endspiel_rules::hex::Hex;
use endspiel_rules::lines_of_action::LinesOfAction;
use endspiel_rules::mnk::{Mnk, TicTacToe};
use endspiel_rules::othello::Othello;
use endspiel_rules::wythoff::Wythoff;

/// Proves the value of a game's start by brute force, writes it down plain and folded, and has it checked.
fn round_trip<G: Game>(variant: &str) -> (i32, Vec<u64>)
where
    G::Position: TwoPlayer + Notation + Symmetric,
{
    let game = G::from_variant(variant).expect("a variant");
    let root = game.start();
    let mut sizes = Vec::new();
    let mut value = None;
    for folded in [false, true] {
        let (statement, strategies) = prove(&root, folded);
        let bytes = certify(&game, &root, statement, &strategies);
        for threads in 1..=3 {
            let verified = check_bytes(&game, &bytes, threads).expect("the proof is right");
            assert_eq!(verified.statement, statement);
            assert_eq!(verified.records, strategies.iter().map(|s| s.records() as u64).sum::<u64>());
            sizes.push(verified.records);
        }
        value = statement.low().or(statement.high());
    }
    assert!(sizes[0] == sizes[2] && sizes[3] == sizes[5], "threads change nothing");
    sizes.dedup();
    (value.expect("an exact value"), sizes)
}

#[test]
fn connect_four_on_small_boards_is_a_draw() {
    assert_eq!(round_trip::<ConnectFour>("4x4").0, 0);
    assert_eq!(round_trip::<ConnectFour>("5x3").0, 0);
}

#[test]
fn tic_tac_toe_is_a_draw_and_4_3_3_is_won() {
    let (value, sizes) = round_trip::<TicTacToe>("");
    assert_eq!(value, 0);
    assert!(sizes[1] * 2 < sizes[0], "folding saves half: {sizes:?}");
    assert_eq!(round_trip::<Mnk>("4,3,3").0, 1);
}

#[test]
fn wythoff_is_won_from_nearly_everywhere() {
    let game = Wythoff::from_variant("").expect("a variant");
    for (text, value) in [("1,2", -1), ("3,5", -1), ("4,7", -1), ("8,13", -1), ("8,12", 1), ("20,20", 1)] {
        let root = game.read(text).expect("a position");
        let (statement, strategies) = prove(&root, true);
        assert_eq!(statement.low().or(statement.high()), Some(value), "{text}");
        check_bytes(&game, &certify(&game, &root, statement, &strategies), 1).expect("it is right");
    }
}

/// The first cold positions of the three named games of the family, of Nim and of generalised Wythoff, each with a
/// neighbour that is won. (Of the other published games not all fulfil the theorem: see the tests of the rules.)
#[test]
fn the_family_of_wythoff_has_its_cold_positions() {
    let published = include_str!("../../rules/src/wythoff/published.txt");
    let lines: Vec<&str> = published.lines().filter(|l| !l.starts_with('#')).collect();
    let games = lines.chunks(3).take(3).map(|game| (game[0], game[1], game[2]));
    for (variant, small, large) in
        games.chain([("nim", "0 1 2 3 4", "0 1 2 3 4"), ("t=3", "0 1 2 3", "0 4 8 12")])
    {
        let game = Wythoff::from_variant(variant).expect("a variant");
        for (a, b) in small.split(' ').zip(large.split(' ')).skip(1).take(4) {
            let b: u32 = b.parse().expect("a number");
            for (text, value) in [(format!("{a},{b}"), -1), (format!("{a},{}", b + 1), 1)] {
                let root = game.read(&text).expect("a position");
                let (statement, strategies) = prove(&root, true);
                assert_eq!(statement.low().or(statement.high()), Some(value), "{variant} {text}");
                check_bytes(&game, &certify(&game, &root, statement, &strategies), 1).expect("it is right");
            }
        }
    }
}

#[test]
fn games_with_passes_and_scores_are_proven() {
    assert_eq!(round_trip::<Hex>("3").0, 1);
    // White wins 11 to 3, or by 8 discs.
    assert_eq!(round_trip::<Othello>("4,discs").0, -8);
}

#[test]
fn positions_that_come_back_are_no_obstacle() {
    let game = LinesOfAction::from_variant("4").expect("a variant");
    prove_and_check(&game, "x.o./..../o..x/.... o", Statement::at_least(Player::SECOND, 1), 1);
    let game = Awari::from_variant("end=last-stone").expect("a variant");
    prove_and_check(&game, "2 0 0 1 0 0|1 0 1 0 0 0 21-22 S", Statement::at_least(Player::FIRST, 4), 21);
    prove_and_check(&game, "0 0 1 0 0 1|0 0 1 0 0 1 22-22 S", Statement::exactly(Player::FIRST, 0), 0);
    // A draw is held by going round, a win must get on; who has a king chases a knight.
    let game = GiveAwayChess::from_variant("").expect("a variant");
    prove_and_check(&game, "8/8/8/3k4/8/8/8/K7 w - - 0 1", Statement::exactly(Player::FIRST, 0), 0);
    prove_and_check(&game, "8/8/8/3n4/8/8/8/K7 w - - 0 1", Statement::at_least(Player::FIRST, 1), 7);
    prove_and_check(&game, "8/8/8/3r4/8/8/8/K7 w - - 0 1", Statement::at_most(Player::FIRST, -1), 6);
}

fn prove_and_check<G: Game>(game: &G, root: &str, value: Statement, highest_rank: u32)
where
    G::Position: TwoPlayer + Notation + Symmetric,
{
    let root = game.read(root).expect("a position");
    for folded in [false, true] {
        let (statement, strategies) = prove(&root, folded);
        assert_eq!(statement, value);
        let highest = strategies.iter().flat_map(|s| &s.records.ranks).max();
        assert_eq!(highest, Some(&highest_rank), "the longest way");
        check_bytes(game, &certify(game, &root, statement, &strategies), 2).expect("it is right");
    }
}

#[test]
fn mazes_are_proven_with_ranks() {
    let mut ranked = 0;
    for seed in 0..300 {
        let game = Maze::new(seed);
        let root = game.start();
        let (statement, strategies) = prove(&root, true);
        let bytes = certify(&game, &root, statement, &strategies);
        let verified = check_bytes(&game, &bytes, 1 + seed as usize % 2);
        assert!(verified.is_ok(), "{seed}: {verified:?}");
        ranked += strategies.iter().filter(|s| s.records.ranks.iter().any(|&r| r > 0)).count();
    }
    assert!(ranked > 50, "{ranked} strategies needed ranks");
}

/// Plays at random among the moves that keep the claim, so that it may go round in circles.
struct Drifter<P>(Oracle<P>, u64);

impl<P: TwoPlayer + Symmetric> Advisor<P> for Drifter<P> {
    fn advise(&mut self, position: &P, _: Question) -> Option<P::Move> {
        let mut sure = position.move_list();
        sure.retain(|&m| self.0.stage(&position.after(m)).is_some());
        self.1 = endspiel_game::mix(self.1);
        sure.get(self.1 as usize % sure.len().max(1)).copied()
    }
}

#[test]
fn advice_that_goes_in_circles_is_mended_or_refused() {
    let (mut mended, mut refused) = (0, 0);
    for seed in 0..400 {
        let game = Maze::new(seed);
        let root = game.start();
        for claim in
            [Question { player: root.mover(), at_least: 1 }, Question { player: Player::FIRST, at_least: 0 }]
        {
            let oracle = Oracle::new(&root, claim);
            if !oracle.holds() {
                continue;
            }
            match build(&root, claim, false, &mut Drifter(oracle, seed), &Budget::default(), &Quiet) {
                Ok(strategy) => {
                    let at_least = claim.player == root.mover();
                    let n = claim.at_least;
                    let statement = if at_least {
                        Statement::at_least(claim.player, n)
                    } else {
                        Statement::at_most(root.mover(), -n)
                    };
                    let bytes = certify(&game, &root, statement, &[strategy]);
                    let verified = check_bytes(&game, &bytes, 1);
                    assert!(verified.is_ok(), "{seed}: {verified:?}");
                    mended += 1;
                }
                Err(BuildError::NoProgress { .. }) => refused += 1,
                Err(other) => panic!("{seed}: {other}"),
            }
        }
    }
    assert!(mended > 100, "{mended} mended, {refused} refused");
}

/// Knows nothing.
struct First;

impl<P: TwoPlayer> Advisor<P> for First {
    fn advise(&mut self, position: &P, _: Question) -> Option<P::Move> {
        position.move_list().first().copied()
    }
}

#[test]
fn wrong_claims_cannot_be_built() {
    let game = ConnectFour::from_variant("4x4").expect("a variant");
    let root = game.start();
    let claim = Question { player: Player::FIRST, at_least: 1 };
    let error = build(&root, claim, true, &mut First, &Budget::default(), &Quiet).unwrap_err();
    let BuildError::Hole(hole) = error else { panic!("{error}") };
    assert!(matches!(hole.fault, Fault::Lost { payoff } if payoff < 1), "{hole}");
    let error =
        build(&root, claim, true, &mut Oracle::new(&root, claim), &Budget::default(), &Quiet).unwrap_err();
    assert!(matches!(error, BuildError::NoAdvice { .. }), "{error}");
    let budget = Budget { memory: 1000, ..Budget::default() };
    let claim = Question { player: Player::FIRST, at_least: 0 };
    let error = build(&root, claim, true, &mut Oracle::new(&root, claim), &budget, &Quiet).unwrap_err();
    assert!(matches!(error, BuildError::Memory { .. }), "{error}");
    let budget = Budget::nodes(50);
    let error = build(&root, claim, true, &mut Oracle::new(&root, claim), &budget, &Quiet).unwrap_err();
    assert!(matches!(error, BuildError::Stopped { .. }), "{error}");
}

#[test]
fn files_are_written_whole_and_checked() {
    let folder = std::env::temp_dir().join(format!("endspiel-proof-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("draw.proof");
    let game = ConnectFour::from_variant("4x4").expect("a variant");
    let root = game.start();
    let (statement, strategies) = prove(&root, true);
    let header = write(&path, &game, &root, statement, &strategies).expect("it can be written");
    assert_eq!(read_header(&path).expect("a header"), header);
    let verified = verify(&game, &path, 2).expect("it is right");
    assert_eq!((verified.game.as_str(), verified.digest), ("connect-four:4x4", header.digest));
    assert_eq!(verified.root, root.write());
    let other = ConnectFour::from_variant("5x4").expect("a variant");
    assert!(matches!(verify(&other, &path, 1), Err(Rejected::Game { .. })));
    assert!(matches!(read_header(folder.join("none")), Err(FileError::Io(_))));
    assert!(write(folder.join("none/file"), &game, &root, statement, &strategies).is_err());
    assert!(write(&path, &game, &root, statement, &strategies[..1]).is_err());
    let names: Vec<_> = std::fs::read_dir(&folder).expect("a folder").collect();
    assert_eq!(names.len(), 1, "nothing but the certificate is left");
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

#[test]
fn a_finished_game_needs_no_records() {
    let game = ConnectFour::from_variant("4x4").expect("a variant");
    let (root, _) = game.start().read_line("1 2 1 2 1 2 1").expect("a line");
    assert!(root.turn().is_over());
    let (statement, strategies) = prove(&root, true);
    let bytes = certify(&game, &root, statement, &strategies);
    assert_eq!(check_bytes(&game, &bytes, 1).expect("it is right").records, 0);
    let wrong = Statement::exactly(Player::FIRST, statement.low().expect("a value") - 1);
    let mut strategies = strategies;
    for (strategy, claim) in strategies.iter_mut().zip(wrong.claims()) {
        strategy.claim = claim;
    }
    let bytes = certify(&game, &root, wrong, &strategies);
    assert!(matches!(check_bytes(&game, &bytes, 1), Err(Rejected::Hole(_))));
}

#[test]
fn the_manual_shows_headers_and_holes_as_they_are() {
    let manual = include_str!("../../../docs/certificates.md");
    let start = manual.find("Endspiel certificate 2: ").expect("an example");
    let example = manual[start..].split("```").next().expect("its end");
    let header = Header::parse(format!("{example}\n").as_bytes()).expect("the right form");
    assert_eq!((header.game.as_str(), header.root), ("tic-tac-toe", TicTacToe.start().write()));
    let (root, line) = TicTacToe.start().read_line("a1 b2").expect("moves");
    let at = TicTacToe.start().after(line[0]);
    let claim = Question { player: Player::SECOND, at_least: 0 };
    let end = root.after(root.read_move("c3").expect("a move"));
    let hole = Hole::new(claim, &at, Some(line[1]), Fault::NoRecord, Some(&end)).to_string();
    assert!(manual.contains(&hole), "{hole}");
}
