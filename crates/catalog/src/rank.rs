//! Ranks the moves of a position in rounds that grow, so that there is soon a word on every move and more of it all
//! the time, whenever it is stopped.

use crate::entry::{Listed, Seat, Teller, ended};
use crate::known::FEW;
use crate::methods::{self, Method};
use crate::report::{Error, MoveReport, ProgressReport, Purpose, Ranking, Report, Request, Status, Watcher};
use endspiel_game::{
    Answer, Bounds, Budget, Distance, Estimate, Expertise, Game, Goal, Notation, Player, Position, Question,
    Symmetric, Task, TwoPlayer,
};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// The first round's time for all moves together, and its nodes; every further round has thrice as much.
const FIRST_ROUND: (Duration, u64) = (Duration::from_millis(150), 4000);

/// Where there is an evaluation, a round looks no further than at this many moves: those that promise most.
const FIELD: usize = 32;

type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// What is known of a move.
struct Judged<M> {
    answer: Answer<M>,
    /// Has a method looked at it? Otherwise an evaluation at most.
    looked: bool,
    /// The nodes of the longest look.
    nodes: u64,
    /// How promising it looks to an expert.
    promise: i32,
}

impl<G, E> Seat<G, E>
where
    G: Game<Position: Listed>,
    E: Expertise<G::Position> + Default,
{
    /// Judges every move within the request's budget in growing rounds, which leave out what is decided. A quarter
    /// of each goes to a proof of the position itself, which bounds every move; half, where random games judge, many
    /// more of which say little more, or where the game has a prover of its own. Of moves that are images of each
    /// other one is judged.
    pub(crate) fn judge(&self, request: &Request, watcher: &dyn Watcher) -> Result<Ranking, Error> {
        let (method, why) = self.method(request)?;
        let begun = Instant::now();
        let moves = self.position.move_list();
        // Who asks for no method in particular has the one for proofs at work beside that for moves; alpha-beta
        // proves and estimates in different ways.
        let prover = if why.is_some() { self.prover(method) } else { method };
        let two = prover != method || matches!(method, Method::AlphaBeta | Method::Mtdf);
        let memory = request.budget.memory / if two { 2 } else { 1 };
        let base = Budget { memory, ..request.budget.clone() };
        let mut runner = methods::runner::<G::Position, E>(method, &base, request.purpose);
        let mut second = two.then(|| self.runner(prover, why.is_some(), Purpose::Prove, &base));
        let images = self.images(&moves);
        let is_own = why.is_some() && self.specialist.is_some_and(|make| make(&self.position).is_some());
        let share = if self.expertise.judges(&self.position) && !is_own { 4 } else { 2 };
        let mut all: Vec<_> = moves.iter().map(|&m| self.at_first_sight(m, request.goal)).collect();
        let mut root = self.known(&self.position, request.goal, FEW).unwrap_or(Answer::open(&self.position));
        let (mut nodes, mut idle) = (0, 0);
        for judged in &all {
            watcher.judged(&self.move_report(&judged.answer, request, method));
        }
        // Takes in a look at a move, for its images too.
        let settle = |all: &mut [Judged<MoveOf<G>>], i: usize, answer: &Answer<MoveOf<G>>| {
            for j in (0..moves.len()).filter(|&j| images[j].0 == i) {
                let child = self.position.after(moves[i]);
                let answer = Answer { line: image_of(&child, &answer.line, images[j].1), ..answer.clone() };
                all[j].take(self.after_move(moves[j], answer), request.goal);
                watcher.judged(&self.move_report(&all[j].answer, request, method));
            }
        };
        for round in 0.. {
            let left = request.budget.time.map(|t| t.saturating_sub(begun.elapsed()));
            let nodes_left = request.budget.nodes.map(|n| n.saturating_sub(nodes));
            let out = left == Some(Duration::ZERO) || nodes_left == Some(0) || request.budget.stop.asked();
            let is_open = |j: &Judged<_>| !j.looked || !j.answer.bounds.decide(request.goal);
            let mut open: Vec<usize> = ranked(&all, root.bounds, request.goal);
            open.retain(|&i| images[i].0 == i && is_open(&all[i]));
            open.retain(|&i| !self.position.after(moves[i]).turn().is_over());
            if self.expertise.judges(&self.position) {
                open.truncate(FIELD);
            }
            if open.is_empty() || out {
                break;
            }
            let (time, most) = slice(round, left, nodes_left);
            // Where one was proven soon, others may be.
            let prove = round % 2 == 1 && root.bounds.decide(request.goal);
            let round = Round { begun: Instant::now(), time, nodes: most, before: nodes, base: &base };
            let mut news = false;
            if !root.bounds.decide(request.goal) {
                let prover = second.as_mut().unwrap_or(&mut runner);
                // A node of a proof costs as much as it has moves, but for a prover of the game's own.
                let cost = if is_own { 1 } else { 1 + moves.len() as u32 / 16 };
                let part = round.part(nodes, share * cost);
                let part = Budget { time: round.part(nodes, share).time, ..part };
                let told = self.listener(watcher, nodes, None);
                let found = self.examine(&mut **prover, &self.position, request, &part, &told);
                nodes += found.counts.nodes;
                let bounds = root.bounds.and(found.bounds);
                news |= bounds != root.bounds;
                root = Answer { bounds, ..found };
                for judged in &mut all {
                    judged.answer.bounds.high = judged.answer.bounds.high.min(bounds.high);
                    if judged.answer.bounds.low == judged.answer.bounds.high {
                        judged.answer.estimate = None;
                    }
                }
                // The move that the proof begins with has a proof of its own, which the method still knows; the first of the line is
                // only worth a look.
                let question = Question { player: self.position.mover(), at_least: bounds.low };
                let proven = bounds.low > Bounds::open(&self.position).low;
                let advised = if proven { prover.advise(&self.position, question) } else { None };
                let first = advised.or(root.line.first().copied().filter(|_| proven));
                if let Some(i) = first.and_then(|first| moves.iter().position(|&m| m == first)) {
                    let i = images[i].0;
                    if open.contains(&i) && is_open(&all[i]) {
                        let child = self.position.after(moves[i]);
                        let part = round.part(nodes, 4);
                        let told = self.listener(watcher, nodes, Some(moves[i]));
                        let found = self.examine(&mut **prover, &child, request, &part, &told);
                        nodes += found.counts.nodes;
                        settle(&mut all, i, &found);
                    }
                    for j in (0..moves.len()).filter(|&j| advised.is_some() && images[j].0 == i) {
                        all[j].answer.bounds.low = all[j].answer.bounds.low.max(bounds.low);
                    }
                }
            }
            for (done, &i) in open.iter().enumerate() {
                let late = request.budget.time.is_some_and(|t| begun.elapsed() >= t);
                let part = round.part(nodes, (open.len() - done) as u32);
                if late || request.budget.stop.asked() {
                    break;
                }
                if part.nodes == Some(0) || !is_open(&all[i]) {
                    continue;
                }
                let child = self.position.after(moves[i]);
                let worker = second.as_mut().filter(|_| prove).unwrap_or(&mut runner);
                let told = self.listener(watcher, nodes, Some(moves[i]));
                let answer = self.examine(&mut **worker, &child, request, &part, &told);
                nodes += answer.counts.nodes;
                let before = all[i].answer.bounds;
                settle(&mut all, i, &answer);
                news |= all[i].answer.bounds != before;
            }
            // Methods that come to their end, of memory or of what they can do, will not change with more time.
            idle = if !news && round.left_half(nodes) { idle + 1 } else { 0 };
            if idle == 2 {
                break;
            }
        }
        self.unharmed()?;
        reconcile(&mut all, root.bounds);
        let order = ranked(&all, root.bounds, request.goal);
        let mut whole = Answer::open(&self.position);
        if let Some(&best) = order.first() {
            whole = all[best].answer.clone();
            let low = all.iter().map(|j| j.answer.bounds.low).max().unwrap_or(whole.bounds.low);
            let high = all.iter().map(|j| j.answer.bounds.high).max().unwrap_or(whole.bounds.high);
            whole.bounds = Bounds { low: low.max(root.bounds.low), high: high.min(root.bounds.high) };
            whole.estimate = whole.estimate.filter(|_| !whole.bounds.decide(request.goal));
            whole.distance = distance(&all, whole.bounds);
        } else if self.position.turn().is_over() {
            whole = over(&self.position);
        }
        whole.counts.nodes = nodes;
        whole.counts.time = begun.elapsed();
        let mut report = Report { why, ..self.report(&whole, request.goal, method) };
        if nodes == 0 && !all.is_empty() && report.rests_on.is_some() {
            report.found_in_databases();
        }
        if report.status != Status::Proven {
            report.ended = Some(ended(&request.budget, nodes, begun, method, whole.bounds));
        }
        let moves = order.into_iter().map(|i| self.move_report(&all[i].answer, request, method)).collect();
        Ok(Ranking { report, moves })
    }

    /// For each move the first one that it is an image of, and by which symmetry of the positions after them.
    fn images(&self, moves: &[MoveOf<G>]) -> Vec<(usize, usize)> {
        let mut first: HashMap<u64, usize> = HashMap::new();
        let code = |position: &G::Position| {
            let mut code = Vec::new();
            position.encode(&mut code);
            code
        };
        let mut images = Vec::with_capacity(moves.len());
        for (i, &m) in moves.iter().enumerate() {
            let child = self.position.after(m);
            let like = *first.entry(child.canonical_key()).or_insert(i);
            let other = self.position.after(moves[like]);
            let own = code(&child);
            let same = (0..other.symmetries()).find(|&s| like != i && code(&other.image(s)) == own);
            images.push(same.map_or((i, 0), |s| (like, s)));
        }
        images
    }

    /// Runs a method on a position.
    fn examine(
        &self,
        runner: &mut dyn methods::Runner<G::Position, E>,
        root: &G::Position,
        request: &Request,
        budget: &Budget,
        watcher: &dyn Watcher,
    ) -> Answer<MoveOf<G>> {
        let (goal, expertise) = (request.goal, &self.expertise);
        if let Some(answer) = self.known(root, goal, FEW) {
            return answer;
        }
        let teller = Teller { root, watcher };
        self.run(runner, &Task { root, goal, expertise, budget, observer: &teller })
    }

    /// Who hears of a look at the position, or at a move, after so many nodes.
    fn listener<'a>(&self, watcher: &'a dyn Watcher, before: u64, m: Option<MoveOf<G>>) -> Look<'a> {
        let turned = |m: &MoveOf<G>| {
            let child = self.position.after(*m);
            child.turn().player().is_some_and(|player| player != self.position.mover())
        };
        let name = m.map(|m| self.position.write_move(m));
        Look { watcher, before, name, turned: m.as_ref().is_some_and(turned) }
    }

    fn move_report(&self, answer: &Answer<MoveOf<G>>, request: &Request, method: Method) -> MoveReport {
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

    /// What is known of a move before any method has looked at it: the end of the game, what a database holds,
    /// sound bounds and an evaluation.
    fn at_first_sight(&self, m: MoveOf<G>, goal: Goal) -> Judged<MoveOf<G>> {
        let child = self.position.after(m);
        if child.turn().is_over() {
            return Judged { answer: self.after_move(m, over(&child)), looked: true, nodes: 0, promise: 0 };
        }
        if let Some(answer) = self.known(&child, goal, FEW) {
            return Judged { answer: self.after_move(m, answer), looked: true, nodes: 0, promise: 0 };
        }
        let (low, high) = self.expertise.bounds(&child);
        let mut answer = Answer { bounds: Bounds { low, high }, ..Answer::open(&child) };
        if self.expertise.judges(&child) {
            let mean = f64::from(self.expertise.evaluate(&child)) / 1000.0;
            let mean = mean.clamp(f64::from(low), f64::from(high));
            answer.estimate = Some(Estimate { mean, spread: None });
        }
        let promise = self.expertise.promise(&self.position, m);
        Judged { answer: self.after_move(m, answer), looked: false, nodes: 0, promise }
    }

    /// The answer about a child, seen by the player who moved into it by `m`.
    fn after_move(&self, m: MoveOf<G>, mut answer: Answer<MoveOf<G>>) -> Answer<MoveOf<G>> {
        let child = self.position.after(m);
        if child.turn().is_over() {
            answer.bounds = Bounds::exactly(child.payoff().of(self.position.mover()));
        } else if child.mover() != self.position.mover() {
            answer.bounds = answer.bounds.negated();
            answer.estimate = answer.estimate.map(|e| Estimate { mean: -e.mean, ..e });
        }
        answer.distance = answer.distance.map(|d| Distance { plies: d.plies + 1, ..d });
        answer.line.insert(0, m);
        answer
    }
}

/// One look of many. What it tells is told as part of the whole: with the nodes of the looks before, and for the player
/// to move at the root.
struct Look<'a> {
    watcher: &'a dyn Watcher,
    before: u64,
    /// The move that is looked at; none if it is the position itself.
    name: Option<String>,
    /// Is the other player to move after it?
    turned: bool,
}

impl Watcher for Look<'_> {
    fn progress(&self, progress: &ProgressReport) {
        let mut told = progress.clone();
        told.nodes += self.before;
        // How much of a look is done says nothing of the whole.
        told.share = None;
        if self.turned {
            told.bounds = [-progress.bounds[1], -progress.bounds[0]];
            if let Some(estimate) = &mut told.estimate {
                estimate.mean = -estimate.mean;
            }
        }
        if let Some(name) = &self.name {
            told.line.insert(0, name.clone());
        }
        self.watcher.progress(&told);
    }
}

/// A round of looks: when it began, what it may spend and what was spent before.
struct Round<'a> {
    begun: Instant,
    time: Option<Duration>,
    nodes: Option<u64>,
    before: u64,
    base: &'a Budget,
}

impl Round<'_> {
    /// One of so many equal parts of what is left of it.
    fn part(&self, nodes: u64, parts: u32) -> Budget {
        Budget {
            time: self.time.map(|t| t.saturating_sub(self.begun.elapsed()) / parts),
            nodes: self.nodes.map(|n| n.saturating_sub(nodes - self.before) / u64::from(parts)),
            ..self.base.clone()
        }
    }

    /// Has it left half of what it might have spent?
    fn left_half(&self, nodes: u64) -> bool {
        self.time.is_none_or(|t| self.begun.elapsed() * 2 < t)
            && self.nodes.is_none_or(|n| (nodes - self.before) * 2 < n)
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

impl<M: Copy> Judged<M> {
    /// Takes in what one more look has found. What is proven stays, with its line; a shorter look has no say against a
    /// longer one.
    fn take(&mut self, new: Answer<M>, goal: Goal) {
        let (old, decided) = (&self.answer, new.bounds.decide(goal));
        let bounds = old.bounds.and(new.bounds);
        let longer = new.counts.nodes >= self.nodes && (new.estimate.is_some() || new.line.len() > 1);
        let told = decided || longer && !old.bounds.decide(goal) || old.line.len() <= 1;
        self.looked |= new.estimate.is_some() || decided;
        let estimate = if longer { new.estimate.or(old.estimate) } else { old.estimate.or(new.estimate) };
        self.nodes = self.nodes.max(new.counts.nodes);
        self.answer = Answer {
            bounds,
            estimate: estimate.filter(|_| bounds.low < bounds.high),
            distance: if told { new.distance } else { old.distance },
            line: if told { new.line } else { old.line.clone() },
            counts: new.counts,
        };
    }
}

/// The line after `position` as it is in its image.
fn image_of<P: Listed>(position: &P, line: &[P::Move], s: usize) -> Vec<P::Move> {
    let mut at = position.clone();
    let mut image = Vec::with_capacity(line.len());
    for &m in line {
        image.push(at.image_move(m, s));
        at.play(m);
    }
    image
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
fn distance<M>(all: &[Judged<M>], bounds: Bounds) -> Option<Distance> {
    let answers = || all.iter().map(|judged| &judged.answer);
    let known = || answers().filter_map(|a| a.distance.map(|d| (a, d)));
    if bounds.low > 0 {
        let plies = known().filter(|(a, _)| a.bounds.low > 0).map(|(_, d)| d.plies).min()?;
        let settled = |a: &Answer<M>| a.bounds.high <= 0 || a.distance.is_some_and(|d| d.exact);
        Some(Distance { plies, exact: answers().all(settled) })
    } else if bounds.high < 0 {
        let plies = known().map(|(_, d)| d.plies).max()?;
        let (all, exact) = (known().count() == all.len(), known().all(|(_, d)| d.exact));
        all.then_some(Distance { plies, exact })
    } else {
        None
    }
}

/// What is proven of the position bounds its moves: none gets more, and where all others get less, the last one gets it.
fn reconcile<M>(all: &mut [Judged<M>], root: Bounds) {
    for judged in &mut *all {
        judged.answer.bounds.high = judged.answer.bounds.high.min(root.high);
    }
    let mut able = all.iter_mut().filter(|judged| judged.answer.bounds.high >= root.low);
    if let (Some(only), None) = (able.next(), able.next()) {
        only.answer.bounds.low = only.answer.bounds.low.max(root.low);
    }
    for Judged { answer, .. } in all {
        answer.estimate = answer.estimate.filter(|_| answer.bounds.low < answer.bounds.high);
    }
}

/// The moves from the best to the worst. Those that get less than the position is proven to be worth come last; where
/// the goal is reached, those that are proven to keep it come first. Between them by the guess less its error, then by how
/// soon a win or how late a loss comes, at last by promise. A win that nobody knows the length of comes after those that
/// end; what only an evaluation has seen comes after what a method has looked at, and a move of which nothing is known
/// after all but the lost ones.
fn ranked<M>(all: &[Judged<M>], root: Bounds, goal: Goal) -> Vec<usize> {
    let floor = all.iter().map(|j| j.answer.bounds.low).max().unwrap_or(root.low).max(root.low);
    let ceiling = all.iter().map(|j| j.answer.bounds.high).max().unwrap_or(root.high).min(root.high);
    let decided = Bounds { low: floor, high: ceiling.max(floor) }.decide(goal);
    // Who asks for the outcome does not mind by how much.
    let least = if goal == Goal::Outcome { floor.min(1) } else { floor };
    let guess = |j: &Judged<M>| {
        let Bounds { low, high } = j.answer.bounds;
        match j.answer.estimate {
            Some(e) if low < high => {
                (e.mean - e.spread.unwrap_or(0.0)).clamp(f64::from(low), f64::from(high))
            }
            None if low < 0 && high > 0 => -1e-6,
            _ => f64::midpoint(f64::from(low), f64::from(high)),
        }
    };
    let is_open = |j: &&Judged<M>| j.answer.bounds.low < j.answer.bounds.high;
    let lowest = all.iter().filter(is_open).filter(|j| j.looked).map(guess).fold(f64::INFINITY, f64::min);
    let merits: Vec<_> = all
        .iter()
        .map(|j| {
            let seen = j.looked || !is_open(&j);
            let worth = if seen { guess(j) } else { guess(j).min(lowest) };
            let plies = j.answer.distance.map(|d| f64::from(d.plies));
            let speed = match j.answer.bounds {
                Bounds { low: 1.., .. } => -plies.unwrap_or(f64::INFINITY),
                Bounds { high: ..=-1, .. } => plies.unwrap_or(0.0),
                _ => guess(j),
            };
            let Bounds { low, high } = j.answer.bounds;
            (high >= least, decided && low >= least, worth, seen, speed, j.promise)
        })
        .collect();
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|&a, &b| merits[b].partial_cmp(&merits[a]).unwrap_or(std::cmp::Ordering::Equal));
    order
}
