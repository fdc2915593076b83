//! Positions of games of awari: alpha-beta plays itself from each of the 36 ways to begin with two moves, and now and then errs.

use endspiel_expertise::awari::Expert;
use endspiel_game::{Budget, Game, Goal, Position, Quiet, Rng, Stop, Task};
use endspiel_rules::awari::{Awari, Board};
use endspiel_search::alphabeta::{Mode, Options, Solver};
use std::collections::{HashMap, HashSet};

/// Nodes for a move.
const NODES: u64 = 2000;
/// One move in so many is made by chance.
const ERRS: usize = 12;
/// A position that comes back so often ends a game, and so do so many moves.
const OFTEN: u32 = 3;
const LONGEST: usize = 300;

/// How many games there are.
pub(super) const GAMES: usize = 36;

/// The positions of all games, each once, in the order in which they came up; the end of a game is none.
pub(super) fn positions(seed: u64, stop: &Stop) -> Vec<Board> {
    let (mut seen, mut out) = (HashSet::new(), Vec::new());
    for game in 0..GAMES {
        let start = Awari::default().start();
        let mut board = start.after(start.move_list()[game / 6]);
        board.play(board.move_list()[game % 6]);
        let mut rng = Rng::new(seed.wrapping_mul(GAMES as u64).wrapping_add(game as u64));
        let mut often = HashMap::new();
        let budget = Budget::nodes(NODES).with_memory(1 << 20);
        let options = Options { mode: Mode::Estimate { depth: None }, ..Options::default() };
        let mut solver = Solver::new(options, &budget);
        for _ in 0..LONGEST {
            if board.turn().is_over() || stop.asked() {
                break;
            }
            if seen.insert(board) {
                out.push(board);
            }
            let times = often.entry(board).or_insert(0);
            *times += 1;
            if *times >= OFTEN {
                break;
            }
            let chosen = if rng.below(ERRS) == 0 {
                board.random_move(&mut rng)
            } else {
                let task = Task {
                    root: &board,
                    goal: Goal::Outcome,
                    expertise: &Expert,
                    budget: &budget,
                    observer: &Quiet,
                };
                solver.solve(&task).line.first().copied().or_else(|| board.random_move(&mut rng))
            };
            let Some(m) = chosen else { break };
            board.play(m);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_begin_in_all_ways_and_positions_come_once() {
        let boards = positions(1, &Stop::default());
        let begun: HashSet<Board> = boards.iter().copied().filter(|board| board.on_board() == 48).collect();
        let start = Awari::default().start();
        for first in start.move_list() {
            let after = start.after(first);
            assert!(after.move_list().into_iter().all(|m| begun.contains(&after.after(m))));
        }
        assert_eq!(boards.iter().collect::<HashSet<_>>().len(), boards.len());
        assert!(boards.iter().filter(|board| board.on_board() <= 20).count() > 100);
    }
}
