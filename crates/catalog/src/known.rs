//! What databases say of a position without a search: its value, how long it takes, and best play as far as they lead.

use crate::entry::{Listed, Seat};
use crate::progress::way_on;
use crate::report::{Error, Purpose, Request};
use endspiel_game::{Answer, Bounds, Distance, Expertise, Game, Goal, Player, Position, Turn, TwoPlayer};
use std::collections::HashSet;
use std::time::Duration;

/// The longest line of best play that is told from databases.
const LONGEST_LINE: usize = 400;

/// Positions to look at for a way to a win: as a rule, where there is little time for a move, and where many moves are
/// judged at once.
const MANY: usize = 20_000;
const SOME: usize = 4000;
pub(crate) const FEW: usize = 500;
const UNHURRIED: Duration = Duration::from_millis(200);

type MoveOf<G> = <<G as Game>::Position as Position>::Move;

impl<G, E> Seat<G, E>
where
    G: Game<Position: Listed>,
    E: Expertise<G::Position> + Default,
{
    /// What databases say of a position, if that settles the question: its value, how long it takes, and best play
    /// as far as they lead. Where they tell no distances, so many positions may be looked at to find the way.
    pub(crate) fn known(&self, position: &G::Position, goal: Goal, most: usize) -> Option<Answer<MoveOf<G>>> {
        let oracle = self.expertise.oracle()?;
        let is_scored = oracle.score(position).is_some();
        let told = |position: &G::Position| {
            if position.turn() == Turn::Over {
                Some((Bounds::exactly(position.payoff().of(Player::FIRST)), Some(0)))
            } else {
                let (low, high) = oracle.bounds(position)?;
                let bounds = Bounds { low, high };
                let first = if position.mover() == Player::FIRST { bounds } else { bounds.negated() };
                Some((first, oracle.plies(position)))
            }
        };
        // The score of the first player by a table, where rules that end sooner may give another.
        let scored = |position: &G::Position| {
            let score = oracle.score(position).filter(|_| !position.turn().is_over())?;
            Some(if position.mover() == Player::FIRST { score } else { -score })
        };
        let of_first = position.turn().player()? == Player::FIRST;
        let (value, plies) = told(position)?;
        let bounds = if of_first { value } else { value.negated() };
        if !bounds.decide(goal) {
            return None;
        }
        let keeps = |after: &G::Position| {
            told(after).is_some_and(|(kept, _)| {
                kept == value || value.low != value.high && kept.outcome() == value.outcome()
            })
        };
        let distance = plies.map(|plies| Distance { plies, exact: true });
        let mut answer = Answer { bounds, distance, ..Answer::open(position) };
        let (mut at, mut seen) = (position.clone(), HashSet::from([position.key()]));
        // The table in which no way on was found.
        let mut without = None;
        while answer.line.len() < LONGEST_LINE && !at.turn().is_over() {
            let first = at.mover() == Player::FIRST;
            let wins = value.low > 0 && first || value.high < 0 && !first;
            // Without a distance a win comes nearer only by who sees to it.
            if wins && plies.is_none() && G::Position::CYCLIC {
                let (here, score) = (oracle.sources_of(&at), scored(&at));
                let keeps_all = |after: &G::Position| {
                    let worse = scored(after)
                        .zip(score)
                        .is_some_and(|(then, now)| if first { then < now } else { then > now });
                    keeps(after) && !worse
                };
                let stays = |after: &G::Position| oracle.sources_of(after) == here;
                let search = without != Some(here);
                if let Some(way) = search.then(|| way_on(&at, keeps_all, stays, most)).flatten() {
                    for &m in &way {
                        at.play(m);
                        seen.insert(at.key());
                    }
                    answer.line.extend(way);
                    continue;
                }
                // There may be none. Where points are counted, what goes round is shared, and that may be the best; elsewhere it
                // would win nothing, and one move must do.
                without = Some(here);
                let kept = at.move_list().into_iter().find(|&m| keeps_all(&at.after(m)));
                let Some(m) = kept.filter(|_| is_scored || answer.line.is_empty()) else { break };
                at.play(m);
                answer.line.push(m);
                if !is_scored || !seen.insert(at.key()) {
                    break;
                }
                continue;
            }
            let worth = |m: &MoveOf<G>| {
                let after = at.after(*m);
                let plies = told(&after).and_then(|t| t.1).map_or(i64::from(u32::MAX), i64::from);
                let ended =
                    || (is_scored && after.turn().is_over()).then(|| after.payoff().of(Player::FIRST));
                let score = scored(&after).or_else(ended);
                let score = score.map_or(0, |score| if first { -score } else { score });
                (score, if wins { plies } else { -plies })
            };
            let kept = at.move_list().into_iter().filter(|&m| keeps(&at.after(m)));
            let Some(m) = kept.min_by_key(worth) else { break };
            at.play(m);
            answer.line.push(m);
            if !seen.insert(at.key()) {
                break;
            }
        }
        Some(answer)
    }

    /// The same for an answer to a request. Who plays takes a win that is known, even where its score is not; and a loss, where a
    /// table of scores tells how to keep the most points.
    pub(crate) fn answer_of(&self, position: &G::Position, request: &Request) -> Option<Answer<MoveOf<G>>> {
        let (budget, goal) = (&request.budget, request.goal);
        let hurried = budget.time.is_some_and(|time| time < UNHURRIED);
        let most = if hurried { SOME } else { MANY };
        let most = budget.nodes.map_or(most, |nodes| most.min(nodes.max(1) as usize));
        self.known(position, goal, most).or_else(|| {
            let play = request.purpose == Purpose::Play && goal != Goal::Outcome;
            let decided = play.then(|| self.known(position, Goal::Outcome, most)).flatten()?;
            let scored = || self.expertise.oracle().is_some_and(|oracle| oracle.score(position).is_some());
            (decided.bounds.low > 0 || scored()).then_some(decided)
        })
    }

    /// An answer must not hide that a database it asked is damaged.
    pub(crate) fn unharmed(&self) -> Result<(), Error> {
        match self.expertise.oracle().and_then(endspiel_game::Oracle::fault) {
            Some(what) => Err(Error::Damaged(what)),
            None => Ok(()),
        }
    }
}
