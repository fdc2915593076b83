//! The prover as a method: who wins, within a budget, and how to go on in what it has proven.
//!
//! A win counts when it has been gone through against every legal reply; lines end in wins by threats, which are sound as
//! the bounds of experts are. It proves wins of either player by the free and the standard rule, never a draw.

use super::advice::Advice;
use super::board::Cells;
use super::opening;
use super::prover::{Moves, Prover};
use super::selection::Selection;
use endspiel_game::{
    Advisor, Answer, Bounds, Budget, Expertise, Player, Position, Progress, Question, Task, TwoPlayer,
};
use endspiel_rules::gomoku::{GomokuPosition, Rule};
use endspiel_rules::grid::Cell;
use std::time::{Duration, Instant};

/// The most plies of a line that is shown.
const LONGEST: usize = 30;
/// Progress is told so often.
const TOLD: Duration = Duration::from_millis(250);

/// Proves who wins, and remembers how.
#[derive(Debug)]
pub struct Solver {
    prover: Prover,
    moves: Moves,
    winner: Option<Player>,
    /// How often it has tried in vain: each time it takes twice the nodes.
    tries: u32,
}

impl Default for Solver {
    fn default() -> Self {
        Self { prover: Prover::new(Selection::default()), moves: Moves::new(), winner: None, tries: 0 }
    }
}

impl Solver {
    /// Does it know the rule?
    pub fn knows(rule: Rule) -> bool {
        rule != Rule::Renju
    }

    /// Tries once to prove that a player wins, each with half of the budget; what is not proven stays open. The next try
    /// takes twice the nodes, where the budget allows it.
    pub fn solve<const C: usize, E: Expertise<GomokuPosition<C>>>(
        &mut self,
        task: &Task<'_, GomokuPosition<C>, E>,
    ) -> Answer<Cell> {
        let (root, budget, begun) = (task.root, task.budget, Instant::now());
        let (before, mut answer) = (self.prover.nodes, Answer::open(root));
        let open = answer.bounds;
        self.winner = None;
        if root.turn().is_over() || !Self::knows(root.rule()) {
            return answer;
        }
        self.prover.stay_within(budget.memory);
        for (attacker, share) in [(root.mover(), 2), (root.mover().other(), 1)] {
            let spent = self.prover.nodes - before;
            let part = Budget {
                nodes: budget.nodes.map(|n| n.saturating_sub(spent) / share),
                time: budget.time.map(|t| t.saturating_sub(begun.elapsed()) / share as u32),
                ..budget.clone()
            };
            let (meter, mut last, mut counted) = (part.start(), Instant::now(), self.prover.nodes);
            let mut tell = |progress: &opening::Progress, _: &Moves| {
                if last.elapsed() >= TOLD {
                    last = Instant::now();
                    task.observer.progress(&Progress {
                        doing: "wins by threats",
                        nodes: progress.nodes - before,
                        depth: None,
                        share: None,
                        bounds: open,
                        estimate: None,
                        line: &[],
                    });
                }
                let fresh = progress.nodes - std::mem::replace(&mut counted, progress.nodes);
                !meter.spend(fresh)
            };
            let proven = self.prover.prove_whole(root, attacker, self.tries, &mut self.moves, &mut tell);
            if proven.is_some() {
                self.winner = Some(attacker);
                let score = if attacker == root.mover() { open.high } else { open.low };
                answer.bounds = Bounds::exactly(score);
                answer.line = self.line(root, attacker);
                break;
            }
        }
        self.tries += 1;
        answer.counts.nodes = self.prover.nodes - before;
        answer.counts.time = begun.elapsed();
        answer
    }

    /// How it may go on: the winner's moves, and replies where they might upset what he threatens.
    fn line<const C: usize>(&mut self, root: &GomokuPosition<C>, attacker: Player) -> Vec<Cell> {
        let (mut position, mut line) = (*root, Vec::new());
        while line.len() < LONGEST && !position.turn().is_over() {
            let question = Question { player: attacker, at_least: 1 };
            let next = if position.mover() == attacker {
                self.advise(&position, question)
            } else {
                let mut board = self.prover.begin(&position);
                // Of two fives he stops one.
                let zone = self.prover.wins.find(&mut board, attacker).unwrap_or(Cells::EMPTY)
                    | *board.fives(attacker);
                let replies = zone.iter().filter(|&cell| board.is_empty(cell));
                let worth = |&cell: &usize| board.worth(cell, position.mover());
                replies.max_by_key(worth).map(|cell| Cell(cell as u16))
            };
            let Some(next) = next else { break };
            line.push(next);
            position.play(next);
        }
        line
    }
}

impl<const C: usize> Advisor<GomokuPosition<C>> for Solver {
    fn advise(&mut self, position: &GomokuPosition<C>, question: Question) -> Option<Cell> {
        if self.winner != Some(question.player) {
            return None;
        }
        Advice::new(&mut self.prover, &self.moves).advise(position, question)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::{Game, Goal, Notation, Quiet, Rules};
    use endspiel_rules::gomoku::Gomoku;

    fn solve(solver: &mut Solver, variant: &str, line: &str, budget: &Budget) -> Answer<Cell> {
        let game = Gomoku::from_variant(variant).expect("a variant");
        let (root, _) = game.start().read_line(line).expect("moves");
        let task = Task { root: &root, goal: Goal::Score, expertise: &Rules, budget, observer: &Quiet };
        solver.solve(&task)
    }

    #[test]
    fn wins_of_both_players_are_proven_and_shown() {
        let budget = Budget::nodes(20_000);
        for rule in ["free", "standard"] {
            let mut solver = Solver::default();
            let answer = solve(&mut solver, rule, "h8 a1 i9 j10", &budget);
            assert_eq!(answer.bounds, Bounds::exactly(1), "{rule}");
            assert!(answer.counts.nodes > 0 && answer.line.len() > 4, "{:?}", answer.line);
        }
        // The line of a short win leads to its end.
        let answer = solve(&mut Solver::default(), "free,7", "d4 a1 d5 a2 d3 a7", &budget);
        assert_eq!((answer.bounds, answer.line.len()), (Bounds::exactly(1), 3));
        // White is to move and Black has an open three and more.
        let mut solver = Solver::default();
        let answer = solve(&mut solver, "", "h8 a1 h9 a15 h10 o1 i9", &budget);
        assert_eq!(answer.bounds, Bounds::exactly(-1));
        assert_eq!(solver.winner, Some(Player::FIRST));
    }

    #[test]
    fn what_it_does_not_know_stays_open_within_the_budget() {
        let mut solver = Solver::default();
        let answer = solve(&mut solver, "renju", "h8 a1 i9 j10", &Budget::nodes(1000));
        assert_eq!((answer.bounds, answer.counts.nodes), (Bounds { low: -1, high: 1 }, 0));
        // Nobody wins here, and the nodes hold.
        for _ in 0..3 {
            let answer = solve(&mut solver, "free", "h8 i9 g7 i7", &Budget::nodes(300));
            assert_eq!(answer.bounds, Bounds { low: -1, high: 1 });
            assert!(answer.counts.nodes < 900, "{}", answer.counts.nodes);
        }
    }
}
