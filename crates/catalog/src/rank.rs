//! Ranks the moves of a position: one after the other, or in rounds that grow, so that there is soon a word
//! on every move and more of it all the time.

use crate::entry::{Listed, Seat, Teller, ended};
use crate::methods;
use crate::report::{Error, MoveReport, Ranking, Report, Request, Status, Watcher};
use endspiel_game::{
    Answer, Bounds, Budget, Distance, Estimate, Expertise, Game, Player, Position, Task, TwoPlayer,
};
use std::time::{Duration, Instant};

/// The first round's time for all moves together, and its nodes for each; every further round has thrice as
/// much.
const FIRST_ROUND: (Duration, u64) = (Duration::from_millis(150), 500);

impl<G, E> Seat<G, E>
where
    G: Game<Position: Listed>,
    E: Expertise<G::Position> + Default,
{
    /// Judges every move within the request's budget: in one round, or in growing ones that leave out what
    /// is decided.
    pub(crate) fn judge(
        &self,
        request: &Request,
        watcher: &dyn Watcher,
        in_rounds: bool,
    ) -> Result<Ranking, Error> {
        let (method, why) = self.method(request)?;
        let begun = Instant::now();
        let moves = self.position.move_list();
        let mut runner = methods::runner::<G::Position, E>(method, &request.budget, request.purpose);
        let mut answers: Vec<_> = moves.iter().map(|&m| self.unknown(m)).collect();
        let mut nodes = 0;
        for round in 0.. {
            let open: Vec<usize> =
                (0..moves.len()).filter(|&i| round == 0 || !answers[i].bounds.decide(request.goal)).collect();
            let left = request.budget.time.map(|t| t.saturating_sub(begun.elapsed()));
            let nodes_left = request.budget.nodes.map(|n| n.saturating_sub(nodes));
            let out = left == Some(Duration::ZERO) || nodes_left == Some(0) || request.budget.stop.asked();
            if open.is_empty() || round > 0 && (out || !in_rounds) {
                break;
            }
            let (round_begun, round_nodes) = (Instant::now(), nodes);
            let (time, share) = if in_rounds { slice(round, left, nodes_left) } else { (left, nodes_left) };
            for (done, &i) in open.iter().enumerate() {
                // A single round has a word on every move if that takes little more than the time.
                let patience = if in_rounds { 2 } else { 3 };
                let late = request.budget.time.is_some_and(|t| begun.elapsed() >= t * patience / 2)
                    || request.budget.nodes.is_some_and(|n| nodes >= n.saturating_mul(patience.into()) / 2);
                if late || request.budget.stop.asked() {
                    break;
                }
                let others = (open.len() - done) as u32;
                let budget = Budget {
                    time: time.map(|t| t.saturating_sub(round_begun.elapsed()) / others),
                    nodes: share.map(|n| n.saturating_sub(nodes - round_nodes) / u64::from(others)),
                    ..request.budget.clone()
                };
                let child = self.position.after(moves[i]);
                let teller = Teller { root: &child, watcher };
                let task = Task {
                    root: &child,
                    goal: request.goal,
                    expertise: &self.expertise,
                    budget: &budget,
                    observer: &teller,
                };
                let answer = if child.turn().is_over() { over(&child) } else { runner.solve(&task) };
                let answer = self.after_move(moves[i], answer);
                nodes += answer.counts.nodes;
                answers[i] = merge(&answers[i], answer);
                watcher.judged(&self.move_report(&answers[i], request, method));
            }
        }
        let mut order: Vec<usize> = (0..moves.len()).collect();
        let merits: Vec<_> = answers.iter().map(|a| merit(a, Bounds::open(&self.position))).collect();
        order.sort_by(|&a, &b| merits[b].partial_cmp(&merits[a]).unwrap_or(std::cmp::Ordering::Equal));
        let mut whole = Answer::open(&self.position);
        if let Some(&best) = order.first() {
            whole = answers[best].clone();
            whole.bounds.low = answers.iter().map(|a| a.bounds.low).max().unwrap_or(whole.bounds.low);
            whole.bounds.high = answers.iter().map(|a| a.bounds.high).max().unwrap_or(whole.bounds.high);
            whole.distance = distance(&answers, whole.bounds);
        } else if self.position.turn().is_over() {
            whole = over(&self.position);
        }
        whole.counts.nodes = nodes;
        whole.counts.time = begun.elapsed();
        let mut report = Report { why, ..self.report(&whole, request.goal, method) };
        if report.status != Status::Proven {
            report.ended = Some(ended(&request.budget, nodes, begun, method, whole.bounds));
        }
        let moves = order.into_iter().map(|i| self.move_report(&answers[i], request, method)).collect();
        Ok(Ranking { report, moves })
    }

    fn move_report(
        &self,
        answer: &Answer<<G::Position as Position>::Move>,
        request: &Request,
        method: methods::Method,
    ) -> MoveReport {
        let report = self.report(answer, request.goal, method);
        MoveReport {
            name: report.line.first().cloned().unwrap_or_default(),
            status: report.status,
            value: report.value,
            score: report.score,
            bounds: report.bounds,
            estimate: report.estimate,
            distance: report.distance,
            line: report.line,
        }
    }

    /// What is known of a move before it is looked at.
    fn unknown(&self, m: <G::Position as Position>::Move) -> Answer<<G::Position as Position>::Move> {
        Answer { line: vec![m], ..Answer::open(&self.position) }
    }

    /// The answer about a child, seen by the player who moved into it by `m`.
    fn after_move(
        &self,
        m: <G::Position as Position>::Move,
        mut answer: Answer<<G::Position as Position>::Move>,
    ) -> Answer<<G::Position as Position>::Move> {
        let child = self.position.after(m);
        if child.turn().is_over() {
            answer.bounds = Bounds::exactly(child.payoff().of(self.position.mover()));
        } else if child.mover() != self.position.mover() {
            answer.bounds = Bounds { low: -answer.bounds.high, high: -answer.bounds.low };
            answer.estimate = answer.estimate.map(|e| Estimate { mean: -e.mean, ..e });
        }
        answer.distance = answer.distance.map(|d| Distance { plies: d.plies + 1, ..d });
        answer.line.insert(0, m);
        answer
    }
}

/// What a round may spend: a growing slice of what is left.
fn slice(round: u32, left: Option<Duration>, nodes_left: Option<u64>) -> (Option<Duration>, Option<u64>) {
    let factor = 3u32.saturating_pow(round);
    let nodes = FIRST_ROUND.1.saturating_mul(u64::from(factor));
    match (left, nodes_left) {
        // Nodes alone, so that the same question has the same answer.
        (None, Some(n)) => (None, Some(n.min(nodes))),
        (left, n) => {
            let time = FIRST_ROUND.0.saturating_mul(factor);
            (Some(left.map_or(time, |left| left.min(time))), n)
        }
    }
}

/// What two rounds know together.
fn merge<M: Copy>(old: &Answer<M>, new: Answer<M>) -> Answer<M> {
    let bounds =
        Bounds { low: old.bounds.low.max(new.bounds.low), high: old.bounds.high.min(new.bounds.high) };
    let told = new.line.len() > 1 || new.distance.is_some() || old.line.len() <= 1;
    Answer {
        bounds,
        estimate: new.estimate.or(old.estimate),
        distance: if told { new.distance } else { old.distance },
        line: if told { new.line } else { old.line.clone() },
        counts: new.counts,
    }
}

/// A finished game, for the first player.
fn over<P: TwoPlayer>(position: &P) -> Answer<P::Move> {
    let mut answer = Answer::open(position);
    answer.bounds = Bounds::exactly(position.payoff().of(Player::FIRST));
    answer.distance = Some(Distance { plies: 0, exact: true });
    answer
}

/// How far the end is by what is known of the moves. A win comes no later than by the fastest that is known, a
/// loss no later than by the slowest if all are known.
fn distance<M>(answers: &[Answer<M>], bounds: Bounds) -> Option<Distance> {
    let known = || answers.iter().filter_map(|a| a.distance.map(|d| (a, d)));
    if bounds.low > 0 {
        let plies = known().filter(|(a, _)| a.bounds.low > 0).map(|(_, d)| d.plies).min()?;
        let settled = |a: &Answer<M>| a.bounds.high <= 0 || a.distance.is_some_and(|d| d.exact);
        Some(Distance { plies, exact: answers.iter().all(settled) })
    } else if bounds.high < 0 {
        let plies = known().map(|(_, d)| d.plies).max()?;
        let (all, exact) = (known().count() == answers.len(), known().all(|(_, d)| d.exact));
        all.then_some(Distance { plies, exact })
    } else {
        None
    }
}

/// What moves are ranked by: the proven floor and ceiling first, then the guess, then how soon a win or how
/// late a loss comes. A win that nobody knows the length of comes after those that end, a move of which nothing
/// is known after all but the lost ones.
fn merit<M>(answer: &Answer<M>, open: Bounds) -> (f64, f64) {
    let Bounds { low, high } = answer.bounds;
    let middle = match answer.estimate {
        Some(e) if low < high => e.mean.clamp(f64::from(low), f64::from(high)),
        None if answer.bounds == open => f64::from(low) + 1e-6,
        _ => f64::midpoint(f64::from(low), f64::from(high)),
    };
    let plies = answer.distance.map(|d| f64::from(d.plies));
    let speed = if low > 0 {
        -plies.unwrap_or(f64::INFINITY)
    } else if high < 0 {
        plies.unwrap_or(0.0)
    } else {
        0.0
    };
    (middle, speed)
}
