//! A played game beside perfect play: what each move gave away, in words of outcomes and numbers, what each player gave
//! away in all, and how well each played.

use crate::database_reports::{Apparent, MoveValue, Slip, SlipTotal, SlipsReport};
use crate::report::Error;
use endspiel_game::{Game, Notation, Outcome, Player, Position};
use endspiel_retro::{Belief, Indexed, Judged, Metric, Review, Store, review};

/// The bytes of decoded blocks that are kept of each file.
const KEPT: u64 = 1 << 20;
/// Competences that are thought possible, from 0.
const COMPETENCES: u8 = 50;

/// Judges the moves of a game.
pub(crate) fn slips<G: Game<Position: Notation>, I: Indexed<Position = G::Position>>(
    game: &G,
    index: &I,
    store: &Store,
    metric: Metric,
    (start, moves): (&G::Position, &str),
    told: impl Fn(Metric, i32, i32) -> (Outcome, i32),
) -> Result<SlipsReport, Error> {
    let (_, moves) = start.read_line(moves)?;
    let Review { judged, missing } = review(index, store, metric, start, &moves, KEPT)?;
    if judged.iter().all(Option::is_none) {
        any_there(game, index, store, metric, (start, &moves))?;
    }
    // Numbers of an impartial game say nothing of how good a move is but who wins.
    let judged_by = if metric == Metric::Grundy { Metric::Value } else { metric };
    let mut at = start.clone();
    let mut found = Vec::new();
    let mut seen = [Seen::new(), Seen::new()];
    for (ply, (&m, judged)) in moves.iter().zip(&judged).enumerate() {
        let mover = index.mover(&at);
        if let Some(judged) = judged {
            let seen = &mut seen[mover.index()];
            seen.judged += 1;
            if judged.slipped() {
                let told = |number| told(judged_by, number, index.lead(&at));
                let mut slip = slip(&at, ply, G::ABOUT.players[mover.index()], m, judged, judged_by, told);
                seen.slips += 1;
                seen.outcomes += usize::from(slip.by.is_none());
                seen.by += slip.by.unwrap_or(0);
                slip.so_far = seen.by;
                found.push(slip);
            }
            if let Some(choice) = &judged.choice {
                seen.all.observe(choice);
                seen.moves += 1;
                if let Some(kept) = choice.keeping().filter(|kept| kept.chosen.sign() > 0) {
                    seen.winning.observe(&kept);
                    seen.wins += 1;
                }
            }
        }
        at.play(m);
    }
    let each = || [Player::FIRST, Player::SECOND].into_iter().zip(&seen);
    let name = |player: Player| G::ABOUT.players[player.index()];
    let apparent = |player, moves, belief: &Belief| {
        let (competence, deviation) = belief.estimate();
        Apparent { player: name(player), moves, competence, deviation }
    };
    Ok(SlipsReport {
        game: game.full_name(),
        metric: metric.name(),
        unit: judged_by.unit(),
        plies: moves.len(),
        judged: judged.iter().flatten().count(),
        missing: missing.map(|error| error.to_string()),
        slips: found,
        totals: each()
            .filter(|(_, seen)| seen.judged > 0)
            .map(|(player, seen)| SlipTotal {
                player: name(player),
                judged: seen.judged,
                slips: seen.slips,
                outcomes: seen.outcomes,
                by: seen.by,
            })
            .collect(),
        competences: each()
            .filter(|(_, seen)| seen.wins > 0)
            .map(|(player, seen)| apparent(player, seen.wins, &seen.winning))
            .collect(),
        overall: each()
            .filter(|(_, seen)| seen.moves > 0)
            .map(|(player, seen)| apparent(player, seen.moves, &seen.all))
            .collect(),
    })
}

/// Says what would do if there is no database at all in this metric; where there are others, nothing of the game is in them.
fn any_there<G: Game<Position: Notation>, I: Indexed<Position = G::Position>>(
    game: &G,
    index: &I,
    store: &Store,
    metric: Metric,
    (start, moves): (&G::Position, &[<G::Position as Position>::Move]),
) -> Result<(), Error> {
    let there = store.metrics()?;
    if there.contains(&metric) {
        return Ok(());
    }
    let mut at = start.clone();
    // The last one, which is the smallest.
    let mut slice = index.place(&at);
    for &m in moves {
        slice = index.place(&at).or(slice);
        at.play(m);
    }
    let named =
        |(slice, _)| format!("{} {} --metric {}", game.full_name(), index.slice_name(slice), metric.name());
    Err(Error::Database(endspiel_retro::Error::Without {
        metric: metric.name(),
        there: there.into_iter().map(Metric::name).collect(),
        build: slice.map_or_else(String::new, named),
        dir: store.dir().into(),
    }))
}

/// What is seen of a player.
struct Seen {
    judged: usize,
    slips: usize,
    outcomes: usize,
    by: u32,
    /// Choices among winning moves.
    wins: usize,
    winning: Belief,
    /// All choices.
    moves: usize,
    all: Belief,
}

impl Seen {
    fn new() -> Self {
        let belief = Belief::new((0..=COMPETENCES).map(f64::from));
        let (winning, all) = (belief.clone(), belief);
        Self { judged: 0, slips: 0, outcomes: 0, by: 0, wins: 0, winning, moves: 0, all }
    }
}

fn slip<P: Notation>(
    at: &P,
    ply: usize,
    mover: &'static str,
    m: P::Move,
    judged: &Judged<<P as Position>::Move>,
    metric: Metric,
    told: impl Fn(i32) -> (Outcome, i32),
) -> Slip {
    let ((outcome, number), (best_outcome, best_number)) = (told(judged.made), told(judged.best));
    let same = outcome == best_outcome;
    Slip {
        ply: ply + 1,
        mover,
        made: MoveValue {
            r#move: at.write_move(m),
            outcome: outcome.to_string(),
            number,
            value: None,
            critical: None,
        },
        best_outcome: best_outcome.to_string(),
        best_number,
        best: judged.moves.iter().map(|&m| at.write_move(m)).collect(),
        lost: if same { metric.unit() } else { "outcome" },
        by: same.then(|| number.abs_diff(best_number)),
        so_far: 0,
    }
}
