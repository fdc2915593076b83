//! Shows move by move what the prover has proven: the moves of its list, and wins by threats where it has none.

use super::board::Board;
use super::prover::{Moves, Prover, kept};
use super::wins::Plan;
use endspiel_game::{Advisor, Player, Question};
use endspiel_rules::gomoku::GomokuPosition;
use endspiel_rules::grid::Cell;

/// Knows how to go on in what is proven.
#[derive(Debug)]
pub struct Advice<'a> {
    prover: &'a mut Prover,
    moves: &'a Moves,
    /// An empty board of the size that was asked for last.
    empty: Option<Board>,
}

impl<'a> Advice<'a> {
    /// By the searches for threats of a prover and a list of moves.
    pub fn new(prover: &'a mut Prover, moves: &'a Moves) -> Self {
        Self { prover, moves, empty: None }
    }
}

impl<const C: usize> Advisor<GomokuPosition<C>> for Advice<'_> {
    fn advise(&mut self, position: &GomokuPosition<C>, question: Question) -> Option<Cell> {
        let (grid, player) = (position.stones().grid(), question.player);
        let known = self.empty.take().filter(|board| board.grid() == grid && board.rule() == position.rule());
        let empty = known.unwrap_or_else(|| Board::new(grid, position.rule()));
        let mut board = empty.clone();
        for player in [Player::FIRST, Player::SECOND] {
            position.stones().of(player).iter().for_each(|cell| board.place(cell, player));
        }
        self.empty = Some(empty);
        // 1. A five; 2. a win by threats, quickly seen; 3. the list; 4. a win by threats that takes longer to see.
        let five = board.fives(player).lowest();
        let wins = &mut self.prover.wins;
        let quick = || wins.plan(&mut board, player).and_then(|(plan, _)| plan.first());
        let cell = five.or_else(quick).or_else(|| kept(position, self.moves).map(usize::from));
        let cell = cell.or_else(|| self.prover.wins.find_patiently(&mut board, player));
        cell.map(|cell| Cell(cell as u16))
    }
}

impl Plan {
    /// The first move.
    fn first(&self) -> Option<usize> {
        match self {
            Self::Fours(line) => line.first().copied(),
            Self::Steps(steps) => steps.first().map(|step| step.attack() as usize),
        }
    }
}
