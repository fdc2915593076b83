//! A player who errs, in many games against one who never does: how able the moves of a game make it seem, how long it takes, and
//! what a Markov chain expects (G. Haworth and R. Andrist, Model Endgame Analysis, 2003; `retro/src/fallible.rs`).
//!
//! White has king and queen against king and rook, competence 20, and gives no win away; games begin at the two positions of the
//! greatest depth to conversion, 31. Figures of games are those of a sample: they agree if they differ by less than three *errors*, the
//! deviation of the difference of two such samples as the games themselves tell it. How long games take is set beside only, since
//! it depends on which of its best moves the rook takes, which the paper does not say: here each has the same chance. Only the deviation is
//! compared, with that of the chain and of an independent program, as the printed one fits neither.

use super::{Desk, Row};
use endspiel_expertise::chess::{Endings, Material};
use endspiel_game::{Game, Player, Rng, mix};
use endspiel_retro::{
    Agent, Belief, Chain, Errant, Error, Indexed, Known, Metric, Source, Sparring, Stage, Store, chains,
    closure,
};
use endspiel_rules::chess::Chess;
use std::sync::Arc;
use std::time::Instant;

const PUBLISHED: &str = include_str!("reference.txt");

/// Where games begin.
const STARTS: [&str; 2] = ["8/8/8/8/Q7/5k2/8/K3r3 w - -", "8/8/2k5/2r5/8/8/8/2KQ4 w - -"];
const DEPTH: usize = 31;
const COMPETENCE: f64 = 20.0;
/// Games unless said otherwise.
const GAMES: u64 = 2000;
/// Games that a thread takes at a time.
const PIECE: usize = 25;
/// Plies after which a game is given up; none of some ten thousand took a quarter of them.
const LONGEST: usize = 8000;
/// Errors within which samples agree.
const ERRORS: f64 = 3.0;
/// Moves of a stretch of games after which an analyser is asked, too.
const EARLY: usize = 6000;
/// The limit of the rule, which was not in force.
const LIMIT: usize = 50;

/// What is told of a game.
struct Played {
    moves: usize,
    /// What is believed at the end with competences to 50, to 30, and close to the true one.
    to_50: Belief,
    to_30: Belief,
    close: Belief,
}

/// Numbers of games.
struct Sample(Vec<f64>);

impl Sample {
    fn moment(&self, about: f64, power: i32) -> f64 {
        self.0.iter().map(|value| (value - about).powi(power)).sum::<f64>() / self.0.len().max(1) as f64
    }

    fn mean(&self) -> f64 {
        self.moment(0.0, 1)
    }

    fn deviation(&self) -> f64 {
        self.moment(self.mean(), 2).sqrt()
    }

    /// The deviation of the mean of such a sample.
    fn error(&self) -> f64 {
        self.deviation() / (self.0.len().max(1) as f64).sqrt()
    }

    /// The deviation of the deviation of such a sample, from its fourth moment.
    fn error_of_deviation(&self) -> f64 {
        let (variance, fourth) = (self.moment(self.mean(), 2), self.moment(self.mean(), 4));
        ((fourth - variance * variance).max(0.0) / self.0.len().max(1) as f64).sqrt()
            / (2.0 * variance.sqrt())
    }

    /// The least and the greatest.
    fn ends(&self) -> (f64, f64) {
        let fold = |start, best: fn(f64, f64) -> f64| self.0.iter().copied().fold(start, best);
        (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max))
    }
}

/// By how much a figure of another sample of this size may differ from one with this error.
fn bound(error: f64) -> f64 {
    ERRORS * std::f64::consts::SQRT_2 * error
}

/// What was published under a name.
fn published(name: &str) -> Option<&'static str> {
    PUBLISHED.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let (there, figures) = line.split_once('|')?;
        (there == name).then_some(figures)
    })
}

fn numbers(text: &str) -> Vec<f64> {
    text.split(' ').filter_map(|word| word.parse().ok()).collect()
}

/// As many digits as printed, and whether they are the same to one in the last.
fn to_a_digit(printed: &str, found: f64) -> (String, Option<bool>) {
    let digits = printed.split_once('.').map_or(0, |(_, digits)| digits.len());
    let last = 10f64.powi(-(digits as i32));
    let agrees = printed.parse::<f64>().is_ok_and(|printed| (found - printed).abs() < last);
    (format!("{found:.digits$}"), Some(agrees))
}

/// A name, what was found, and whether it agrees.
type Told = (String, String, Option<bool>);

/// What the chains of all published competences expect.
fn expected(chains: &[Chain]) -> Vec<Told> {
    let mut out = Vec::new();
    let mut exact = |name: String, found: f64| {
        if let Some(printed) = published(&name) {
            let (found, agrees) = to_a_digit(printed, found);
            out.push((name, found, agrees));
        }
    };
    for chain in chains {
        exact(format!("expected {}", chain.competence), chain.expected_moves()[DEPTH]);
    }
    for chain in chains {
        exact(format!("deviation {}", chain.competence), deviation(chain));
        exact(format!("won by {LIMIT}, {}", chain.competence), chain.won_within(LIMIT)[DEPTH]);
    }
    for chain in chains {
        let name = format!("barrier {}", chain.competence);
        if let Some(printed) = published(&name) {
            let (depths, found) = barrier(&chain.expected_moves());
            out.push((name, format!("{depths}, {found}"), Some(depths == printed)));
        }
    }
    out
}

/// The deviation of how many moves it takes from the greatest depth.
fn deviation(chain: &Chain) -> f64 {
    let (mut at, mut mean, mut squares) = (vec![0.0; chain.matrix().len()], 0.0_f64, 0.0_f64);
    at[DEPTH] = 1.0;
    let mut moves = 0.0;
    loop {
        let left = 1.0 - at[0];
        if left < 1e-13 {
            return (squares - mean * mean).sqrt();
        }
        // The sums of the chances to need more moves, and of these chances times 2m + 1.
        (mean, squares) = (mean + left, squares + (2.0 * moves + 1.0) * left);
        let mut next = vec![0.0; at.len()];
        for (chance, row) in at.iter().zip(chain.matrix()).filter(|(chance, _)| **chance > 0.0) {
            next.iter_mut().zip(row).for_each(|(to, share)| *to += chance * share);
        }
        (at, moves) = (next, moves + 1.0);
    }
}

/// The ten depths from which a step nearer takes the most moves, and how many it takes.
fn barrier(expected: &[f64]) -> (String, String) {
    let mut steps: Vec<(usize, f64)> = (1..=DEPTH).map(|d| (d, expected[d] - expected[d - 1])).collect();
    steps.sort_by(|a, b| b.1.total_cmp(&a.1));
    let slow = &steps[..10];
    let (first, last) = slow.iter().fold((DEPTH, 0), |(a, b), &(depth, _)| (a.min(depth), b.max(depth)));
    let ((depth, most), least) = (slow[0], slow[9].1);
    let told = format!(
        "a step takes {least:.2} to {most:.2} moves, most at {depth}, elsewhere {:.2} at most",
        steps[10].1
    );
    (format!("{first}-{last}"), told)
}

/// Plays all games, the first half from the first position.
fn play(
    desk: &Desk<'_>,
    game: &Endings,
    known: &Known<Material>,
    games: usize,
) -> Result<Vec<Played>, Error> {
    let stage = Stage { doing: "games", pass: 1, changed: None };
    let seed = mix(desk.budget.seed);
    let piece = |piece: usize| -> Result<Vec<Played>, Error> {
        let sparring = Sparring::new(game, Metric::Conversion, Source::Tables(known));
        let mut out = Vec::new();
        for number in piece * PIECE..((piece + 1) * PIECE).min(games) {
            let Ok(start) = Chess.read(STARTS[number * 2 / games]) else { continue };
            let mut rng = Rng::new(mix(seed ^ number as u64));
            let mut queen = Agent::Fallible { competence: COMPETENCE, keeps: true };
            let mut rook = Agent::INFALLIBLE;
            let [choices, _] = sparring.play(&start, [&mut queen, &mut rook], LONGEST, &mut rng)?;
            let mut played = Played {
                moves: choices.len(),
                to_50: Belief::new((0..=50).map(f64::from)),
                to_30: Belief::new((0..=30).map(f64::from)),
                close: Belief::new((-20..=20).map(|tenths| COMPETENCE + f64::from(tenths) / 10.0)),
            };
            for kept in choices.iter().filter_map(endspiel_retro::Choice::keeping) {
                for belief in [&mut played.to_50, &mut played.to_30, &mut played.close] {
                    belief.observe(&kept);
                }
            }
            out.push(played);
        }
        Ok(out)
    };
    let pieces = desk.work.share(stage, games.div_ceil(PIECE), games as u64, piece)?;
    let mut out = Vec::new();
    for piece in pieces {
        out.extend(piece?);
    }
    Ok(out)
}

/// How able the queen seems after a game.
fn competences(games: &[Played]) -> Vec<Told> {
    let mut out = Vec::new();
    let half = games.len() / 2;
    for (name, part) in
        [("competence 1", &games[..half]), ("competence 2", &games[half..]), ("competence", games)]
    {
        let sample = Sample(part.iter().map(|game| game.to_50.estimate().0).collect());
        let (least, most) = sample.ends();
        let (mean, deviation) = (sample.mean(), sample.deviation());
        let [close, spread] = [sample.error(), sample.error_of_deviation()].map(bound);
        let agrees = published(name).map(|text| {
            let printed = numbers(text);
            (mean - printed[0]).abs() <= close && (deviation - printed[1]).abs() <= spread
        });
        let found = format!(
            "{mean:.3} {deviation:.3} {least:.2} {most:.2}, mean within {close:.3}, deviation within {spread:.3}"
        );
        out.push((name.into(), found, agrees));
    }
    let name = "competence to 30";
    let sample = Sample(games.iter().map(|game| game.to_30.estimate().0).collect());
    let (mean, close) = (sample.mean(), bound(sample.error()));
    let agrees = published(name).map(|text| (mean - numbers(text)[0]).abs() <= close);
    out.push((name.into(), format!("{mean:.3}, within {close:.3}"), agrees));
    out
}

/// How able she seems to one who saw all games, and to those who saw some of them.
fn pooled(games: &[Played]) -> Vec<Told> {
    let Some((first, rest)) = games.split_first() else { return Vec::new() };
    let (mut whole, mut close) = (first.to_50.clone(), first.close.clone());
    for game in rest {
        whole.join(&game.to_50);
        close.join(&game.close);
    }
    let ((mean, _), (fine, spread)) = (whole.estimate(), close.estimate());
    let (moves, within) = (games.iter().map(|game| game.moves).sum::<usize>(), ERRORS * spread);
    let agrees = (fine - COMPETENCE).abs() <= within;
    let told = format!("{mean:.2}, by tenths {fine:.3} within {within:.3}; {moves} moves");
    let mut out = vec![("all moves".into(), told, Some(agrees))];
    let stretches = Sample(stretches(games));
    if stretches.0.len() > 1 {
        let (mean, deviation, within) = (stretches.mean(), stretches.deviation(), ERRORS * stretches.error());
        let told =
            format!("{mean:.2} {deviation:.2} in {} stretches, mean within {within:.2}", stretches.0.len());
        out.push((format!("{EARLY} moves"), told, Some((mean - COMPETENCE).abs() <= within)));
    }
    out
}

/// How able she seems after each stretch of games with so many moves.
fn stretches(games: &[Played]) -> Vec<f64> {
    let (mut out, mut moves, mut seen) = (Vec::new(), 0, None::<Belief>);
    for game in games {
        match &mut seen {
            Some(belief) => belief.join(&game.close),
            None => seen = Some(game.close.clone()),
        }
        moves += game.moves;
        if moves >= EARLY {
            out.extend(seen.take().map(|belief| belief.estimate().0));
            moves = 0;
        }
    }
    out
}

/// How long games take, beside what was published.
fn lengths(games: &[Played], chain: &Chain) -> Vec<Told> {
    let mut out = Vec::new();
    let half = games.len() / 2;
    for (name, part) in [("moves 1", &games[..half]), ("moves 2", &games[half..]), ("moves", games)] {
        let sample = Sample(part.iter().map(|game| game.moves as f64).collect());
        let (least, most) = sample.ends();
        let (mean, deviation, close) = (sample.mean(), sample.deviation(), bound(sample.error()));
        out.push((
            name.into(),
            format!("{mean:.2} {deviation:.2} {least} {most}, mean within {close:.2}"),
            None,
        ));
    }
    let name = "deviation of moves";
    let sample = Sample(games.iter().map(|game| game.moves as f64).collect());
    let (deviation, close) = (sample.deviation(), bound(sample.error_of_deviation()));
    let agrees = published(name).map(|text| {
        let [least, most] = numbers(text)[..] else { return false };
        (least - close..=most + close).contains(&deviation)
    });
    out.push((name.into(), format!("{deviation:.2}, within {close:.2}"), agrees));
    let won_by = |moves: usize| games.iter().filter(|game| game.moves <= moves).count() as f64;
    let all = games.len().max(1) as f64;
    let share = won_by(LIMIT) / all;
    let within = ERRORS * (share * (1.0 - share) / all).sqrt();
    let told = format!("{:.2} % within {:.2}", 100.0 * share, 100.0 * within);
    out.push((format!("won by {LIMIT}"), told, None));
    let hoped = chain.won_within(LIMIT)[DEPTH];
    let longest = games.iter().map(|game| game.moves).max().unwrap_or(0);
    let reached = (1..=longest).find(|&moves| won_by(moves) / all >= hoped).unwrap_or(longest);
    out.push(("reached by".into(), format!("{reached}, {:.2} %", 100.0 * won_by(reached) / all), None));
    out
}

/// The chains, then the games.
pub fn reference(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let (game, store) = (Endings::new(), Store::new(desk.dir, "chess"));
    let Some(&slice) = game.read_slices("KQKR").ok().as_deref().and_then(<[_]>::first) else {
        return Ok(true);
    };
    let begun = Instant::now();
    let mut known = Known::default();
    for below in closure(&game, &[slice]) {
        known.insert(below, Arc::new(desk.table(&game, &store, below, Metric::Conversion)?));
    }
    let row = |(name, found, agrees): Told| Row {
        published: published(&name).map(Into::into),
        name,
        metric: Metric::Conversion.name(),
        misprint: None,
        found,
        agrees,
        positions: game.size(slice),
        seconds: begun.elapsed().as_secs_f64(),
    };
    let competences_of_chains: Vec<f64> = (18..=25).map(f64::from).collect();
    let who = Errant { player: Player::FIRST, competences: &competences_of_chains, keeps: true };
    let chains = chains(&game, slice, (&known, Metric::Conversion), &who, desk.work)?;
    for told in expected(&chains) {
        if !desk.tell(row(told)) {
            return Ok(false);
        }
    }
    let many = desk.budget.nodes.unwrap_or(GAMES).clamp(2, 1 << 20) as usize;
    let games = play(desk, &game, &known, many)?;
    let mut rows = competences(&games);
    rows.extend(pooled(&games));
    if let Some(chain) = chains.iter().find(|chain| chain.competence == COMPETENCE) {
        rows.extend(lengths(&games, chain));
    }
    for told in rows {
        if !desk.tell(row(told)) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_tell_their_errors() {
        let sample = Sample(vec![1.0, 2.0, 3.0, 4.0]);
        assert_eq!((sample.mean(), sample.ends()), (2.5, (1.0, 4.0)));
        assert!((sample.deviation() - 1.25f64.sqrt()).abs() < 1e-12);
        assert!((sample.error() - sample.deviation() / 2.0).abs() < 1e-12);
        // The fourth moment is (2 * 1.5^4 + 2 * 0.5^4) / 4.
        let variance_off = ((2.5625 - 1.25f64.powi(2)) / 4.0).sqrt();
        assert!((sample.error_of_deviation() - variance_off / (2.0 * 1.25f64.sqrt())).abs() < 1e-12);
        assert_eq!(to_a_digit("97.1959", 97.195_93), ("97.1959".into(), Some(true)));
        assert_eq!(to_a_digit("53.17", 53.184), ("53.18".into(), Some(false)));
    }

    #[test]
    fn every_figure_is_numbers() {
        let lines = PUBLISHED.lines().filter(|line| !line.starts_with('#'));
        let mut names: Vec<&str> = lines.filter_map(|line| Some(line.split_once('|')?.0)).collect();
        assert_eq!(names.len(), 24);
        for name in &names {
            let text = published(name).unwrap();
            assert!(name.starts_with("barrier") || numbers(text).len() == text.split(' ').count(), "{name}");
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 24);
    }

    #[test]
    fn threads_play_the_same_games() {
        let dir = std::env::temp_dir().join(format!("endspiel-reference-{}", std::process::id()));
        let games = |threads: usize, seed: u64| -> Vec<String> {
            let budget = endspiel_game::Budget { threads, seed, ..endspiel_game::Budget::nodes(60) };
            let places = crate::tables::Places { databases: &dir, keep: None, only: None };
            let outcome = crate::tables::run("reference-player", &places, &budget, &(), &mut |_| true);
            let outcome = outcome.unwrap().unwrap();
            assert!(outcome.complete, "{outcome:?}");
            outcome.rows.into_iter().map(|row| row.found).collect()
        };
        let one = games(1, 5);
        assert_eq!(one, games(2, 5));
        assert_ne!(one, games(2, 6));
        std::fs::remove_dir_all(dir).unwrap();
    }
}
