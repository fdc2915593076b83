//! The reference method: enumerate every position that can be reached, then work backwards from the ends.
//!
//! It knows the exact score and distance of every reachable position, and so it is the oracle that all
//! other methods are tested against. Endless play is worth [`Position::repeated`](endspiel_game::Position):
//! a player *gets at least v* if he can force a finished payoff of v or more, or can play for ever through
//! positions whose `repeated` payoff is v or more to him. `repeated` must not change along a cycle.
//! Cost: time linear in the moves, about 90 bytes a position and 8 a move.

mod graph;
mod induction;

use endspiel_game::{
    Advisor, Answer, Bounds, Budget, Distance, Expertise, Goal, Meter, Outcome, Player, Progress, Question,
    Symmetric, Task, TwoPlayer,
};
use graph::{Graph, key_of};
use std::marker::PhantomData;

/// How to enumerate.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Take the images of a position under the symmetries of the board for one.
    pub fold: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { fold: true }
    }
}

/// Solves by enumeration and keeps the solution for advice.
pub struct Solver<P, E> {
    options: Options,
    solution: Option<Solution<P>>,
    expertise: PhantomData<E>,
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Solver<P, E> {
    /// A solver that has seen nothing yet; all its memory is taken while solving.
    pub fn new(options: Options, _budget: &Budget) -> Self {
        Self { options, solution: None, expertise: PhantomData }
    }

    /// The value of the root and of everything below it. Open bounds if the budget is too small.
    pub fn solve(&mut self, task: &Task<P, E>) -> Answer<P::Move> {
        let meter = task.budget.start();
        let mut answer = Answer::open(task.root);
        let said = |doing| Progress {
            doing,
            nodes: meter.nodes(),
            depth: None,
            share: None,
            bounds: Bounds::open(task.root),
            estimate: None,
            line: &[],
        };
        task.observer.progress(&said("enumerating all positions"));
        self.solution = Solution::within(task.root, self.options.fold, task.budget.memory, &meter);
        if let Some(solution) = &self.solution {
            answer.bounds = solution.score(task.root).map_or(answer.bounds, Bounds::exactly);
            // Distances are those to any win; who plays for the most may need longer.
            let (low, high) = task.root.score_range();
            let any_win = task.goal == Goal::Outcome || low >= -1 && high <= 1;
            let distance = solution.distance(task.root).filter(|_| any_win);
            answer.distance = distance.map(|plies| Distance { plies, exact: true });
            answer.line = solution.line(task.root);
            answer.counts.peak = solution.len() as u64;
        }
        answer.counts.nodes = meter.nodes();
        answer.counts.time = meter.elapsed();
        answer
    }

    /// All values, once a root was solved.
    pub fn solution(&self) -> Option<&Solution<P>> {
        self.solution.as_ref()
    }
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Advisor<P> for Solver<P, E> {
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        self.solution.as_ref()?.advise(position, question)
    }
}

/// The exact value of every position that can be reached from a root.
pub struct Solution<P> {
    fold: bool,
    graph: Graph,
    scores: Vec<i32>,
    ranks: Vec<u32>,
    distances: Vec<u32>,
    position: PhantomData<P>,
}

impl<P: TwoPlayer + Symmetric> Solution<P> {
    /// Solves everything below `root` within `budget`; none if that is too much.
    pub fn of(root: &P, budget: &Budget) -> Option<Self> {
        Self::within(root, Options::default().fold, budget.memory, &budget.start())
    }

    fn within(root: &P, fold: bool, memory: usize, meter: &Meter) -> Option<Self> {
        let fold = fold && root.symmetries() > 1;
        let graph = Graph::explore(root, fold, memory, meter)?;
        let backwards = graph.backwards();
        let values = induction::values(&graph, &backwards);
        let distances = induction::distances(&graph, &backwards);
        Some(Self {
            fold,
            graph,
            scores: values.scores,
            ranks: values.ranks,
            distances,
            position: PhantomData,
        })
    }

    /// How many positions there are, images counted once if symmetries were folded.
    pub fn len(&self) -> usize {
        self.graph.len()
    }

    /// Never: the root is always there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many positions are first reached after 0, 1, 2 ... plies.
    pub fn by_ply(&self) -> &[u64] {
        &self.graph.by_ply
    }

    fn find(&self, position: &P) -> Option<usize> {
        self.graph.index.get(&key_of(position, self.fold)).map(|&i| i as usize)
    }

    /// What the player to move gets with best play (the first player, if the game is over). None for a
    /// position that the root does not lead to.
    pub fn score(&self, position: &P) -> Option<i32> {
        self.find(position).map(|i| self.scores[i] * if position.mover() == Player::FIRST { 1 } else { -1 })
    }

    /// Plies to the end, where one side can force a finished win and the other holds out.
    pub fn distance(&self, position: &P) -> Option<u32> {
        self.find(position).map(|i| self.distances[i]).filter(|&d| d != u32::MAX)
    }

    /// Is the answer to `question` yes at `position`?
    pub fn answers(&self, position: &P, question: Question) -> Option<bool> {
        let score = self.score(position)?;
        let own = if question.player == position.mover() { score } else { -score };
        Some(own >= question.at_least)
    }

    /// A move that keeps a yes and, where only an end of the game will do, comes nearer to it.
    pub fn advise(&self, position: &P, question: Question) -> Option<P::Move> {
        let here = self.find(position)?;
        let own = if question.player == Player::FIRST { 1 } else { -1 };
        // A win is a win: the shortest one.
        let hurry = question.at_least <= 1 && self.distances[here] != u32::MAX && self.scores[here] * own > 0;
        let mut best: Option<(i32, u32, P::Move)> = None;
        position.moves(|m| {
            let Some(to) = self.find(&position.after(m)) else { return };
            let score = self.scores[to] * own;
            let (value, haste) =
                if hurry { (i32::from(score > 0), self.distances[to]) } else { (score, self.ranks[to]) };
            if value > 0 || !hurry {
                let better = best.is_none_or(|(v, h, _)| value > v || value == v && haste < h);
                if better {
                    best = Some((value, haste, m));
                }
            }
        });
        best.filter(|&(value, ..)| hurry || value >= question.at_least).map(|(_, _, m)| m)
    }

    /// A line of best play, until the game is over or a position comes back.
    pub fn line(&self, root: &P) -> Vec<P::Move> {
        let mut position = root.clone();
        let mut line = Vec::new();
        let mut seen = vec![position.key()];
        while let Some(m) = self.best_move(&position) {
            position.play(m);
            line.push(m);
            if seen.contains(&position.key()) {
                break;
            }
            seen.push(position.key());
        }
        line
    }

    /// The best move: the best score; then for a winner the nearest end, for a loser the farthest.
    fn best_move(&self, position: &P) -> Option<P::Move> {
        let own = if position.turn().player()? == Player::FIRST { 1 } else { -1 };
        let outcome = Outcome::of_score(self.scores[self.find(position)?] * own);
        let mut best: Option<(i32, i64, P::Move)> = None;
        position.moves(|m| {
            let Some(to) = self.find(&position.after(m)) else { return };
            let far = i64::from(self.distances[to]);
            let taste = match outcome {
                Outcome::Win => -far,
                Outcome::Draw => -i64::from(self.ranks[to]),
                Outcome::Loss => far,
            };
            let score = self.scores[to] * own;
            if best.is_none_or(|(s, t, _)| score > s || score == s && taste > t) {
                best = Some((score, taste, m));
            }
        });
        best.map(|(_, _, m)| m)
    }
}

#[cfg(test)]
mod tests;
