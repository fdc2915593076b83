//! Players who err on chess endings: the figures of G. Haworth and R. Andrist (Model Endgame Analysis, 2003) for KQKR, and games
//! of the agents beside what the Markov chains expect.

use endspiel_expertise::chess::{Endings, Material};
use endspiel_game::{Game, Player, Rng};
use endspiel_retro::{
    Agent, Belief, Chain, Errant, Indexed, Job, Known, Metric, Source, Sparring, State, Work, chains, closure,
};
use endspiel_rules::chess::{Board, Chess};
use std::sync::Arc;

/// The tables of an ending and of what it converts into.
fn solve(endings: &Endings, name: &str, metric: Metric) -> (Material, Known<Material>) {
    let (mut known, work) = (Known::default(), Work::default());
    let slices = endings.read_slices(name).unwrap();
    for slice in closure(endings, &slices) {
        let job = Job { slice, metric, known: &known, work: &work };
        let table = endings.solve(&job).unwrap();
        known.insert(slice, Arc::new(table));
    }
    (slices[0], known)
}

fn chain(
    endings: &Endings,
    (slice, known): (Material, &Known<Material>),
    metric: Metric,
    (player, competence, keeps): (Player, f64, bool),
) -> Chain {
    let who = Errant { player, competences: &[competence], keeps };
    chains(endings, slice, (known, metric), &who, &Work::default()).unwrap().remove(0)
}

/// Positions in which this player is to move and has this state, by chance.
fn starts(
    endings: &Endings,
    (slice, known): (Material, &Known<Material>),
    metric: Metric,
    (player, state): (Player, State),
    (many, rng): (usize, &mut Rng),
) -> Vec<Board> {
    // As tables write them: a win of n moves in 2n - 1 plies, a loss in 2n.
    let number = match state {
        State::Win(depth) => 2 * depth as i32 - 1,
        State::Draw => 0,
        State::Loss(depth) => -1 - 2 * depth as i32,
    };
    assert!(metric.counts_plies());
    let table = known.table(&slice).unwrap();
    let fit: Vec<Board> = (0..table.len() as u64)
        .filter(|&i| table.get(i) == Some(number))
        .filter_map(|i| endings.position(slice, i))
        .filter(|board| endings.mover(board) == player)
        .collect();
    assert!(!fit.is_empty(), "{player:?} {state:?}");
    (0..many).map(|_| fit[rng.below(fit.len())].clone()).collect()
}

#[test]
fn a_fallible_queen_takes_as_long_as_published() {
    let endings = Endings::new();
    let (work, metric) = (Work::default(), Metric::Conversion);
    let (slice, known) = solve(&endings, "KQKR", metric);
    // The competence, the moves expected from depth 31, and how close the figure is given; the chance to win in 50 moves.
    let published = [
        (18.0, 148.217, 1e-3, None),
        (19.0, 117.149, 1e-3, None),
        (20.0, 97.1959, 1e-4, Some(0.12669)),
        (21.0, 83.7016, 1e-4, Some(0.17336)),
        (22.0, 74.1628, 1e-4, Some(0.22801)),
        (23.0, 67.161, 1e-3, None),
        (24.0, 61.856, 1e-3, None),
        (25.0, 57.724, 1e-3, None),
    ];
    let competences = published.map(|row| row.0);
    let who = Errant { player: Player::FIRST, competences: &competences, keeps: true };
    let found = chains(&endings, slice, (&known, metric), &who, &work).unwrap();
    for (chain, (competence, moves, close, won)) in found.iter().zip(published) {
        assert_eq!((chain.scale.wins, chain.scale.losses, chain.scale.states()), (31, 3, 37));
        let expected = chain.expected_moves()[31];
        assert!((expected - moves).abs() < close, "{competence}: {expected}");
        let within = chain.won_within(50)[31];
        assert!(won.is_none_or(|won| (within - won).abs() < 1e-5), "{competence}: {within}");
        assert!(chain.chance_to_win().iter().all(|chance| (chance - 1.0).abs() < 1e-9));
        let rows = chain.matrix().iter().map(|row| row.iter().sum::<f64>());
        assert!(rows.into_iter().all(|sum| sum == 0.0 || (sum - 1.0).abs() < 1e-9));
    }
    // Games from the two positions of the greatest depth last about as long as the chain says (the paper's 2000 took
    // 95.6 moves on the average, the defender's ties broken otherwise), and the moves give the competence away: all
    // together, and those of a game on the average a little high (21.47 with a deviation of 3.52 in the paper).
    let sparring = Sparring::new(&endings, metric, Source::Tables(&known));
    let fresh = || Belief::new((0..=50).map(f64::from));
    let (mut rng, mut pooled, mut ends) = (Rng::new(31), fresh(), Vec::new());
    let (mut lengths, games) = (Vec::new(), 150);
    for text in ["8/8/8/8/Q7/5k2/8/K3r3 w - -", "8/8/2k5/2r5/8/8/8/2KQ4 w - -"] {
        let start = Chess.read(text).unwrap();
        let mut queen = Agent::Fallible { competence: 20.0, keeps: true };
        for _ in 0..games {
            let [choices, _] =
                sparring.play(&start, [&mut queen, &mut Agent::INFALLIBLE.clone()], 4000, &mut rng).unwrap();
            assert!(choices.len() > 30 && choices.last().unwrap().chosen == State::Win(0));
            lengths.push(choices.len() as f64);
            let mut seen = fresh();
            for choice in &choices {
                let kept = choice.keeping().unwrap();
                pooled.observe(&kept);
                seen.observe(&kept);
            }
            ends.push(seen.estimate().0);
        }
        let mut best = [Agent::INFALLIBLE, Agent::INFALLIBLE];
        let [white, black] = &mut best;
        let [choices, _] = sparring.play(&start, [white, black], 4000, &mut rng).unwrap();
        assert_eq!(choices.len(), 31, "who never errs takes as long as the table says");
    }
    let spread = |sample: &[f64]| {
        let moment = |about: f64, power: i32| {
            sample.iter().map(|x| (x - about).powi(power)).sum::<f64>() / sample.len() as f64
        };
        let mean = moment(0.0, 1);
        (mean, moment(mean, 2).sqrt(), moment(mean, 4))
    };
    let (mean, deviation, fourth) = spread(&lengths);
    assert!((90.0..108.0).contains(&mean), "{mean}");
    // The chain's lengths deviate by 53, those of an independent program's games by 50: three errors of such a sample around.
    let error = ((fourth - deviation.powi(4)) / lengths.len() as f64).sqrt() / (2.0 * deviation);
    println!("moves: {mean:.2}, deviation {deviation:.2} with an error of {error:.2}");
    assert!((50.0 - 3.0 * error..53.0 + 3.0 * error).contains(&deviation), "{deviation}, error {error}");
    assert!((pooled.estimate().0 - 20.0).abs() < 0.5, "{:?}", pooled.estimate());
    let (mean, deviation, _) = spread(&ends);
    println!("end of game: {mean:.3}, deviation {deviation:.3}");
    assert!((mean - 21.47).abs() < 0.5 && (deviation - 3.52).abs() < 0.5, "{mean} {deviation}");
    // The rook's side wins some positions and loses more.
    compare(&endings, (slice, &known), metric, (Player::SECOND, 20.0), &[true, false]);
}

/// Games of a player who errs, from positions of the greatest depth won or lost, beside what the chain expects. A chain averages
/// over all positions of a depth, and games meet some more often than others: what able players are to expect is within a tenth of
/// what games take. The blinder they are, the longer games wander, and the farther the chain is off: for KRK it expects 142
/// moves of competence 10, and games take 71; for KQK 596 of competence 4, and games take 138.
fn compare(
    endings: &Endings,
    (slice, known): (Material, &Known<Material>),
    metric: Metric,
    (player, competence): (Player, f64),
    outcomes: &[bool],
) {
    let mut rng = Rng::new(7);
    let chain = chain(endings, (slice, known), metric, (player, competence, true));
    let sparring = Sparring::new(endings, metric, Source::Tables(known));
    for &wins in outcomes {
        let depth = chain.deepest(wins);
        let state = if wins { State::Win(depth) } else { State::Loss(depth) };
        let expected = if wins { chain.expected_moves()[depth] } else { chain.moves_held()[depth] };
        let mut errs = Agent::Fallible { competence, keeps: true };
        let games = 300;
        let (mut moves, mut squares) = (0.0, 0.0);
        for start in starts(endings, (slice, known), metric, (player, state), (games, &mut rng)) {
            let mut other = Agent::INFALLIBLE;
            let played =
                sparring.play(&start, [&mut errs, &mut other], 4000, &mut rng).unwrap()[0].len() as f64;
            moves += played;
            squares += played * played;
        }
        let mean = moves / games as f64;
        let error = ((squares / games as f64 - mean * mean) / games as f64).sqrt();
        println!(
            "{player:?} {state:?} competence {competence}: expected {expected:.2}, games {mean:.2}, error {error:.2}"
        );
        assert!(depth > 0 && expected >= if wins { depth as f64 } else { 1.0 });
        assert!((mean / expected - 1.0).abs() < 0.1, "{player:?} {state:?}: {mean} beside {expected}");
    }
}

/// Winners who err against perfect defence, and losers who err against perfect attack.
#[test]
fn games_take_as_long_as_the_chains_expect() {
    let (endings, metric) = (Endings::new(), Metric::End);
    let (slice, known) = solve(&endings, "KRK", metric);
    compare(&endings, (slice, &known), metric, (Player::FIRST, 20.0), &[true]);
    compare(&endings, (slice, &known), metric, (Player::SECOND, 10.0), &[false]);
    let (slice, known) = solve(&endings, "KQK", metric);
    compare(&endings, (slice, &known), metric, (Player::FIRST, 15.0), &[true]);
}

/// What the chain leaves out is only where in a depth a game is: if each move is made from a position of the same depth by chance, games
/// take as long as it expects, to within three errors of the sample.
#[test]
fn games_that_forget_their_position_take_as_long_as_the_chain_expects() {
    let (endings, metric, games) = (Endings::new(), Metric::End, 1500);
    for (name, competence) in [("KRK", 20.0), ("KRK", 12.0), ("KQK", 8.0)] {
        let (slice, known) = solve(&endings, name, metric);
        let chain = chain(&endings, (slice, &known), metric, (Player::FIRST, competence, true));
        let (deepest, mut rng) = (chain.deepest(true), Rng::new(11));
        let mut of = |depth| {
            let who = (Player::FIRST, State::Win(depth));
            starts(&endings, (slice, &known), metric, who, (4000, &mut rng))
        };
        let positions: Vec<Vec<Board>> = (1..=deepest).map(&mut of).collect();
        let sparring = Sparring::new(&endings, metric, Source::Tables(&known));
        let mut errs = Agent::Fallible { competence, keeps: true };
        let (mut moves, mut squares) = (0.0, 0.0);
        for _ in 0..games {
            let (mut depth, mut taken) = (deepest, 0.0);
            while depth > 0 {
                let there = &positions[depth - 1];
                let start = &there[rng.below(there.len())];
                let mut other = Agent::INFALLIBLE;
                let [choices, _] = sparring.play(start, [&mut errs, &mut other], 1, &mut rng).unwrap();
                let State::Win(next) = choices[0].chosen else { panic!("it keeps the win") };
                (depth, taken) = (next, taken + 1.0);
            }
            moves += taken;
            squares += taken * taken;
        }
        let (mean, expected) = (moves / f64::from(games), chain.expected_moves()[deepest]);
        let error = ((squares / f64::from(games) - mean * mean) / f64::from(games)).sqrt();
        println!("{name} {competence}: expected {expected:.2}, games {mean:.2}, error {error:.2}");
        assert!(
            (mean - expected).abs() < 3.0 * error && error < expected / 25.0,
            "{name} {mean} {expected} {error}"
        );
    }
}

/// Who may give a win away sometimes does, as often as the chain says.
#[test]
fn wins_are_given_away() {
    let endings = Endings::new();
    let metric = Metric::End;
    let (slice, known) = solve(&endings, "KQK", metric);
    let of = |competence| chain(&endings, (slice, &known), metric, (Player::FIRST, competence, false));
    let (blind, fair, able) = (of(0.0), of(12.0), of(40.0));
    let last = |chain: &Chain| *chain.chance_to_win().last().unwrap();
    assert!(last(&blind) < last(&fair) && last(&fair) < last(&able) && last(&able) > 0.9999);
    let depth = fair.deepest(true);
    let (mut rng, games) = (Rng::new(3), 500);
    let sparring = Sparring::new(&endings, metric, Source::Tables(&known));
    let mut won = 0;
    let state = State::Win(depth);
    for start in starts(&endings, (slice, &known), metric, (Player::FIRST, state), (games, &mut rng)) {
        let mut agents = [Agent::fallible(12.0), Agent::INFALLIBLE];
        let [white, black] = &mut agents;
        let [choices, _] = sparring.play(&start, [white, black], 400, &mut rng).unwrap();
        won += usize::from(choices.last().unwrap().chosen == State::Win(0));
    }
    let share = won as f64 / games as f64;
    println!("given away: chain {:.4}, games {share:.4}", last(&fair));
    assert!((share - last(&fair)).abs() < 0.03, "{share} beside {}", last(&fair));
}

/// A predator who defends makes a winner who errs take longer than best play of the table does, and gives nothing away; an
/// emulator seems to have its competence.
#[test]
fn predators_and_emulators() {
    let endings = Endings::new();
    let metric = Metric::End;
    let (slice, known) = solve(&endings, "KRK", metric);
    let sparring = Sparring::new(&endings, metric, Source::Tables(&known));
    let mut rng = Rng::new(5);
    let (state, games) = (State::Win(16), 100);
    let mut moves = [0; 2];
    for (sum, mut defender) in moves.iter_mut().zip([Agent::INFALLIBLE, Agent::predator()]) {
        for start in starts(&endings, (slice, &known), metric, (Player::FIRST, state), (games, &mut rng)) {
            let mut rook = Agent::Fallible { competence: 12.0, keeps: true };
            let [white, _] = sparring.play(&start, [&mut rook, &mut defender], 4000, &mut rng).unwrap();
            *sum += white.len();
        }
    }
    println!("perfect defence {}, predator {}", moves[0], moves[1]);
    assert!(moves[1] > moves[0], "{moves:?}");
    // It learns how well a player plays who may give wins away.
    let mut hunter = Agent::predator();
    for start in starts(&endings, (slice, &known), metric, (Player::FIRST, state), (60, &mut rng)) {
        let mut rook = Agent::fallible(12.0);
        let [_, black] = sparring.play(&start, [&mut rook, &mut hunter], 200, &mut rng).unwrap();
        assert!(black.iter().all(|choice| choice.keeping().is_some()), "it gives nothing away itself");
    }
    let Agent::Predator { belief } = &hunter else { panic!("a predator") };
    println!("predator believes {:?}", belief.estimate());
    assert!((belief.estimate().0 - 12.0).abs() < 1.0, "{:?}", belief.estimate());
    // As a winner it still wins, against who never errs.
    for start in starts(&endings, (slice, &known), metric, (Player::FIRST, state), (20, &mut rng)) {
        let mut agents = [Agent::predator(), Agent::INFALLIBLE];
        let [white, black] = &mut agents;
        let [choices, _] = sparring.play(&start, [white, black], 400, &mut rng).unwrap();
        assert!(choices.last().unwrap().chosen == State::Win(0));
        let mut agents = [Agent::emulator(8.0), Agent::INFALLIBLE];
        let [white, black] = &mut agents;
        let [choices, _] = sparring.play(&start, [white, black], 400, &mut rng).unwrap();
        let mut seen = Belief::new((0..=16).map(f64::from));
        for choice in &choices {
            seen.observe(choice);
        }
        assert!((seen.estimate().0 - 8.0).abs() < 0.5, "{:?}", seen.estimate());
    }
}
