//! The player with a book and a guard, who also thinks in the opponent's time.

use endspiel_catalog::databases::{Workers, databases};
use endspiel_catalog::guarded::{Book, choose, guard};
use endspiel_catalog::ponder::Pondered;
use endspiel_catalog::{AnyGame, AnyPosition, Purpose, Request, game};
use endspiel_game::{Budget, Goal, Rng, Stop};
use endspiel_retro::Metric;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A corner is answered by the centre alone: whatever is chosen first, the guard ends there.
#[test]
fn losing_moves_are_refused() {
    let game = game("tic-tac-toe").unwrap();
    let request = Request { budget: Budget::nodes(40_000), ..Request::default() };
    let position = game.start().play("a1").unwrap();
    for first in position.moves() {
        let (name, refuted) = guard(&*position, first.clone(), &request, &()).unwrap();
        assert_eq!(name, "b2", "{first} first");
        assert_eq!(refuted.is_empty(), first == "b2");
    }
    // Where all moves lose, the first choice stands.
    let lost = game.start().play("a1 b1 b2 c3 a2").unwrap();
    let (name, refuted) = guard(&*lost, "a3".into(), &request, &()).unwrap();
    assert_eq!((&*name, refuted.len()), ("a3", lost.count_moves()));
    let chosen = choose(&*position, &Book::default(), &request, &()).unwrap();
    assert_eq!(chosen.name.as_deref(), Some("b2"));
}

#[test]
fn books_are_played_and_their_errors_have_a_line() {
    let game = game("tic-tac-toe").unwrap();
    let book = Book::read(&*game, "b2 a1 # a remark\n\na1 b2\nb2 c3").unwrap();
    let after = |moves: &str| game.start().play(moves).unwrap();
    assert_eq!(book.hit(&*game.start()), Some("b2"));
    assert_eq!(book.hit(&*after("b2")), Some("a1"), "the first of two lines counts");
    assert_eq!(book.hit(&*after("c3")), None);
    let chosen = choose(&*after("a1"), &book, &Request::default(), &()).unwrap();
    assert_eq!((chosen.name.as_deref(), chosen.report.is_none()), (Some("b2"), true));
    assert_eq!(Book::read(&*game, "b2\na1 a1").unwrap_err().0, 2);
}

/// A folder of awari's databases that goes with the test.
struct Tables(PathBuf);

impl Tables {
    /// The levels up to so many stones.
    fn new(stones: u32) -> Self {
        let name =
            format!("endspiel-guarded-{stones}-{}-{:?}", std::process::id(), std::thread::current().id());
        let dir = std::env::temp_dir().join(name);
        let store = databases("awari", &dir).expect("awari has databases");
        let with = Workers { threads: 1, stop: Stop::default(), watch: &() };
        store.build(&format!("0-{stones}"), Metric::Score, &with, &mut |_| ()).expect("built");
        Self(dir)
    }

    fn game(&self) -> Box<dyn AnyGame> {
        self.variant("awari")
    }

    fn variant(&self, name: &str) -> Box<dyn AnyGame> {
        game(name).unwrap().informed(&self.0).unwrap()
    }
}

impl Drop for Tables {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Stones on the board and captured, 48 in all, with South to move; a few captured more or less on either side.
fn ending(stones: usize, rng: &mut Rng) -> String {
    let mut pits = [0; 12];
    for _ in 0..stones {
        pits[rng.below(12)] += 1;
    }
    let south = (48 - stones) / 2 - 2 + rng.below(5);
    let row = |pits: &[usize]| pits.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    format!("{}|{} {south}-{} S", row(&pits[..6]), row(&pits[6..]), 48 - stones - south)
}

/// What the player to move gets: -1, 0 or 1; by the tables, or by the end of the game.
fn worth(position: &dyn AnyPosition) -> i32 {
    if let Some(result) = position.result() {
        return match result.split(' ').next() {
            Some("South") => 1,
            Some("North") => -1,
            _ => 0,
        };
    }
    let report = position.solve(&Request::default(), &()).unwrap();
    assert_eq!(report.method, "databases", "{}", report.position);
    ["loss", "draw", "win"].iter().zip(-1..).find(|(name, _)| Some(**name) == report.value).unwrap().1
}

/// What South gets by a move. After it North is to move, unless the game is over.
fn worth_of(position: &dyn AnyPosition, name: &str) -> i32 {
    let after = position.play(name).unwrap();
    if after.result().is_some() { worth(&*after) } else { -worth(&*after) }
}

#[test]
fn what_the_tables_know_is_never_given_away() {
    let tables = Tables::new(6);
    let (game, mut rng, mut seen) = (tables.game(), Rng::new(3), [0; 3]);
    let request = Request { budget: Budget::nodes(2000).with_memory(4 << 20), ..Request::default() };
    for _ in 0..1000 {
        let position = game.read(&ending(1 + rng.below(6), &mut rng)).unwrap();
        let moves = position.moves();
        if moves.len() < 2 {
            continue;
        }
        let truth = worth(&*position);
        let differ = moves.iter().any(|name| worth_of(&*position, name) != truth);
        let chosen = choose(&*position, &Book::default(), &request, &()).unwrap().name.unwrap();
        assert_eq!(worth_of(&*position, &chosen), truth, "{chosen} at {}", position.write());
        if differ {
            seen[(truth + 1) as usize] += 1;
        }
    }
    // There was something to give away, of wins and of draws.
    assert!(seen[0] == 0 && seen[1] >= 20 && seen[2] >= 80, "{seen:?}");
}

/// A win is a win and a loss is a loss, and the points are kept all the same, whether the score or the outcome is asked for: no move is
/// worth less to the last stone than another, unless it ends the game.
#[test]
fn points_are_not_given_away_either() {
    let tables = Tables::new(6);
    let (game, judge, mut rng, mut chances) =
        (tables.game(), tables.variant("awari:end=last-stone"), Rng::new(4), [0; 2]);
    let request = Request { budget: Budget::nodes(20_000).with_memory(4 << 20), ..Request::default() };
    let by_score = Request { goal: Goal::Score, ..request.clone() };
    let points = |text: &str| {
        let request = Request { goal: Goal::Score, ..Request::default() };
        judge.read(text).unwrap().solve(&request, &()).unwrap().score.unwrap()
    };
    for _ in 0..400 {
        let position = game.read(&ending(2 + rng.below(5), &mut rng)).unwrap();
        let truth = if position.result().is_some() { 0 } else { worth(&*position) };
        if truth == 0 {
            continue;
        }
        // South is to move, and North after that.
        let of = |name: &String| {
            let after = position.play(name).unwrap();
            after.result().is_none().then(|| -points(&after.write()))
        };
        let best = points(&position.write());
        for request in [&request, &by_score] {
            let chosen = choose(&*position, &Book::default(), request, &()).unwrap();
            let name = chosen.name.unwrap();
            let Some(kept) = of(&name) else { continue };
            assert_eq!(kept, best, "{name} at {}", position.write());
            assert_eq!(chosen.report.map(|report| report.method).as_deref(), Some("databases"));
            let could_err = position.moves().iter().filter_map(of).any(|other| other < best);
            chances[usize::from(truth > 0)] += usize::from(could_err);
        }
    }
    assert!(chances[0] > 20 && chances[1] > 80, "of losses and of wins: {chances:?}");
}

/// A line by scores goes on until the game is over or a position comes back, with the score that was told.
#[test]
fn lines_by_scores_lead_to_the_end() {
    let tables = Tables::new(6);
    let (game, mut rng, mut round) = (tables.variant("awari:end=last-stone"), Rng::new(6), 0);
    let request = Request { goal: Goal::Score, ..Request::default() };
    for _ in 0..200 {
        let start = game.read(&ending(2 + rng.below(5), &mut rng)).unwrap();
        if start.result().is_some() {
            continue;
        }
        let report = start.solve(&request, &()).unwrap();
        let (mut at, mut seen, mut comes_back) = (start, HashSet::new(), false);
        for name in &report.line {
            assert!(seen.insert(at.write()), "it goes on after a position has come back");
            at = at.play(name).unwrap();
            comes_back = seen.contains(&at.write());
        }
        let end = at.result().or_else(|| at.result_if_repeated().filter(|_| comes_back));
        let told = match report.score.unwrap() {
            0 => "a draw".into(),
            score => format!("{} wins by {}", if score > 0 { "South" } else { "North" }, score.abs()),
        };
        assert_eq!(end, Some(told), "{} {:?}", report.position, report.line);
        round += usize::from(comes_back);
    }
    assert!(round > 10, "{round}");
}

/// Scores tell no distances, and a position that comes back is shared: who wins must get on, unless the stones captured win.
#[test]
fn who_wins_by_the_tables_goes_round_only_where_that_wins() {
    let tables = Tables::new(8);
    let (game, mut rng, mut won, mut round) = (tables.game(), Rng::new(9), 0, 0);
    while won < 40 {
        // Who asks for the score is told who wins, and the way is the same.
        let goal = if won % 2 == 0 { Goal::Outcome } else { Goal::Score };
        let budget = Budget::nodes(40_000).with_memory(4 << 20);
        let request = Request { budget, goal, ..Request::default() };
        let mut at = game.read(&ending(8, &mut rng)).unwrap();
        if at.result().is_some() || worth(&*at) < 1 {
            continue;
        }
        let mut seen = HashSet::new();
        while at.result().is_none() && seen.insert(at.write()) {
            let chosen = choose(&*at, &Book::default(), &request, &()).unwrap().name.unwrap();
            at = at.play(&chosen).unwrap();
        }
        round += usize::from(at.result().is_none());
        let result = at.result().or_else(|| at.result_if_repeated());
        assert!(
            result.as_ref().is_some_and(|words| words.contains("South wins")),
            "{result:?} {}",
            at.write()
        );
        won += 1;
    }
    assert!(round < 30, "{round} of {won} by a position that comes back");
}

#[test]
fn the_guard_refuses_what_alpha_beta_would_lose_by() {
    let (few, more) = (Tables::new(6), Tables::new(8));
    let (player, judge, mut rng) = (few.game(), more.game(), Rng::new(5));
    let short = Request {
        method: "alpha-beta".into(),
        purpose: Purpose::Play,
        budget: Budget::nodes(8).with_memory(1 << 20),
        ..Request::default()
    };
    let request = Request { budget: Budget::nodes(80_000).with_memory(16 << 20), ..Request::default() };
    let (mut saved, mut missed) = (0, 0);
    while saved + missed < 15 {
        let text = ending(7 + rng.below(2), &mut rng);
        let (position, truth) = (player.read(&text).unwrap(), judge.read(&text).unwrap());
        if position.count_moves() < 2 {
            continue;
        }
        let Some(first) = position.solve(&short, &()).unwrap().line.first().cloned() else { continue };
        let best = position.moves().iter().map(|name| worth_of(&*truth, name)).max();
        if worth_of(&*truth, &first) >= 0 || best < Some(0) {
            continue;
        }
        let (name, refuted) = guard(&*position, first.clone(), &request, &()).unwrap();
        assert!(refuted.iter().all(|name| worth_of(&*truth, name) < 0), "{refuted:?} at {text}");
        // What it cannot prove within its nodes it lets pass.
        let [proven, kept] = [refuted.contains(&first), worth_of(&*truth, &name) >= 0].map(usize::from);
        (saved, missed) = (saved + proven * kept, missed + 1 - proven * kept);
    }
    assert!(saved >= 12, "{saved} saved, {missed} missed");
}

/// After a corner all of the opponent's moves lose but the centre; each proof is followed to its win against every reply.
#[test]
fn wins_found_in_the_opponents_time_are_followed_to_the_end() {
    let game = game("tic-tac-toe").unwrap();
    let position = game.start().play("a1").unwrap();
    let (mut pondered, budget) = (Pondered::default(), Budget::default().with_memory(16 << 20));
    pondered.think(&*game, &*position, &budget).unwrap();
    assert_eq!(pondered.wins(), 7);
    for name in position.moves() {
        let after = position.play(&name).unwrap();
        let Some(plan) = pondered.plan(&*after) else {
            assert_eq!(name, "b2");
            continue;
        };
        assert_eq!(plan.root(), after.write());
        let mut open = vec![(after, String::new())];
        while let Some((at, moves)) = open.pop() {
            let answer = plan.answer(&moves).expect("an answer");
            let ours = at.play(&answer).unwrap();
            if let Some(result) = ours.result() {
                assert!(result.contains("x wins"), "{result}");
                continue;
            }
            for reply in ours.moves() {
                let next = ours.play(&reply).unwrap();
                assert_eq!(next.result(), None, "the opponent does not end it");
                open.push((next, format!("{moves} {answer} {reply}")));
            }
        }
        assert_eq!(plan.answer("c3 c3"), None, "moves that leave the proof");
    }
}

/// With databases a proof ends where they begin, and the win is still there.
#[test]
fn proofs_that_rest_on_databases_are_followed_into_them() {
    let tables = Tables::new(6);
    let (game, mut rng, mut won, mut handed) = (tables.game(), Rng::new(11), 0, 0);
    let budget = Budget::nodes(2000).with_memory(16 << 20);
    for _ in 0..400 {
        if won == 20 {
            break;
        }
        let position = game.read(&ending(9, &mut rng)).unwrap();
        let mut pondered = Pondered::default();
        pondered.think(&*game, &*position, &budget).unwrap();
        let mut planned = position.moves().into_iter().filter_map(|name| {
            let after = position.play(&name).unwrap();
            pondered.plan(&*after).map(|plan| (after, plan))
        });
        let Some((mut at, plan)) = planned.next() else { continue };
        let mut moves = String::new();
        for ply in 0.. {
            if let Some(result) = at.result() {
                assert!(result.contains("North wins"), "{result}");
                break;
            }
            assert!(ply < 200, "it goes round");
            let name = if ply % 2 == 0 {
                let Some(planned) = plan.answer(&moves) else {
                    // The rest is theirs.
                    assert_eq!(worth(&*at), 1, "{}", at.write());
                    handed += 1;
                    break;
                };
                planned
            } else {
                let replies = at.moves();
                replies[rng.below(replies.len())].clone()
            };
            at = at.play(&name).unwrap();
            moves = format!("{moves} {name}");
        }
        won += 1;
    }
    assert!(won == 20 && handed >= 5, "{won}, {handed}");
}

#[test]
fn pondering_stops_at_once() {
    let game = game("connect-four").unwrap();
    let budget = Budget::default().with_memory(64 << 20);
    let (stop, begun) = (budget.stop.clone(), Instant::now());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            stop.now();
        });
        Pondered::default().think(&*game, &*game.start(), &budget).unwrap();
    });
    let took = begun.elapsed();
    assert!((Duration::from_millis(200)..Duration::from_secs(60)).contains(&took), "{took:?}");
}
