//! A played game beside perfect play: what each move gave away, in words of outcomes and numbers, and how well each player
//! won.

use crate::database_reports::{Apparent, MoveValue, Slip, SlipsReport};
use crate::report::Error;
use endspiel_game::{Game, Notation, Outcome, Player, Position};
use endspiel_retro::{Belief, Indexed, Judged, Metric, Store, review};

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
    let judged = review(index, store, metric, start, &moves, KEPT)?;
    let mut at = start.clone();
    let mut found = Vec::new();
    let mut beliefs = [(); 2].map(|()| (0, Belief::new((0..=COMPETENCES).map(f64::from))));
    for (ply, (&m, judged)) in moves.iter().zip(&judged).enumerate() {
        let mover = index.mover(&at);
        if let Some(judged) = judged {
            if judged.slipped() {
                let told = |number| told(metric, number, index.lead(&at));
                found.push(slip(&at, ply, G::ABOUT.players[mover.index()], m, judged, metric, told));
            }
            if let (Some(choice), (seen, belief)) = (&judged.choice, &mut beliefs[mover.index()]) {
                *seen += 1;
                belief.observe(choice);
            }
        }
        at.play(m);
    }
    let apparent = |(player, (moves, belief)): (Player, &(usize, Belief))| {
        let (competence, deviation) = belief.estimate();
        Apparent { player: G::ABOUT.players[player.index()], moves: *moves, competence, deviation }
    };
    Ok(SlipsReport {
        game: game.full_name(),
        metric: metric.name(),
        unit: metric.unit(),
        plies: moves.len(),
        judged: judged.iter().flatten().count(),
        slips: found,
        competences: [Player::FIRST, Player::SECOND]
            .into_iter()
            .zip(&beliefs)
            .filter(|(_, (moves, _))| *moves > 0)
            .map(apparent)
            .collect(),
    })
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
        made: MoveValue { r#move: at.write_move(m), outcome: outcome.to_string(), number, critical: None },
        best_outcome: best_outcome.to_string(),
        best_number,
        best: judged.moves.iter().map(|&m| at.write_move(m)).collect(),
        lost: if same { metric.unit() } else { "outcome" },
        by: same.then(|| number.abs_diff(best_number)),
    }
}
